"""All findings and all claims to one page each."""

from collections import Counter
from collections.abc import Iterator, Mapping

from tracer.model import Finding, Severity
from tracer.reports.site import addresses
from tracer.reports.site.material import Material, grouped


def pages(material: Material) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """The page of the findings and that of the claims."""
    findings = material.report.findings
    standing = grouped((finding.problem.at.path, finding) for finding in findings if finding.accepted is None)
    accepted = tuple(finding for finding in findings if finding.accepted is not None)
    yield (
        addresses.FINDINGS,
        "findings.html",
        {
            "standing": standing,
            "accepted": accepted,
            "rules": tuple(sorted({finding.rule for finding in findings})),
            "severities": severities(findings),
        },
    )
    by_file = grouped((claim.claim.places.path, claim) for claim in material.report.claims)
    yield addresses.CLAIMS, "claims.html", {"by_file": by_file}


def severities(findings: tuple[Finding, ...]) -> Mapping[str, int]:
    """How many findings of each severity stand, the gravest first."""
    counts = Counter(finding.severity for finding in findings if finding.accepted is None)
    return {str(severity): counts[severity] for severity in Severity if counts[severity]}
