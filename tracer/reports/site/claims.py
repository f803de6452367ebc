"""A claim to its page: everything that stands behind it."""

from collections.abc import Iterator, Mapping

from tracer.model import ClaimReport
from tracer.reports.site import addresses, evidence
from tracer.reports.site.material import Material, sources_of


def pages(material: Material) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """A page for each id; claims that share one share the page."""
    for name, claims in sorted(material.by_id.items(), key=first_source):
        yield (
            addresses.claim(name),
            "claim.html",
            {
                "id": name,
                "portraits": tuple(portrait(material, claim) for claim in claims),
                "findings": material.findings.get(name, ()),
                "rests_on": evidence.rests_on(material, name),
                "used_by": evidence.used_by(material, name),
                "users": len(material.users.get(name, ())),
                "most": evidence.MOST_BRANCHES,
                "place": material.stages.get(claims[0].claim.stage or ""),
            },
        )


def first_source(named: tuple[str, tuple[ClaimReport, ...]]) -> str:
    """What claims are sorted by, so that the text of a source is looked up once for all that cite it."""
    return next(iter(sources_of(named[1][0])), "")


def portrait(material: Material, shown: ClaimReport) -> Mapping[str, object]:
    """One claim with its evidence."""
    roles = {title: tuple(evidence.cited(material, shown, role)) for role, title in evidence.ROLES.items()}
    return {
        "shown": shown,
        "claim": shown.claim,
        "cited": {title: cited for title, cited in roles.items() if cited},
        "computed": evidence.computed(material, shown),
        "searched": tuple(evidence.searched(material, shown)),
    }
