"""A claim accepts a finding that there is none of, names no rule, or gives no reason.

`accept` keeps a finding and says why. Once the fault is mended the line hides the next fault of its kind, so it must
go. What is wrong with a source or a file cannot be accepted by a claim.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
        accept: {page-wrong: the page of the printed edition}

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 3, quote: a total of nine expert models}]
        accept: {page-wrong: the page of the printed edition}
"""

from collections.abc import Iterator, Sequence

from tracer.model import Claim, Evidence, Finding, Problem, Severity
from tracer.rules import RULES
from tracer.spelling import did_you_mean
from tracer.wording import shown

severity = Severity.WARNING


def follow(evidence: Evidence, findings: Sequence[Finding]) -> Iterator[Problem]:
    """One problem per line of `accept` that accepts nothing."""
    found = {(finding.problem.claim, finding.rule) for finding in findings}
    for _, claim in evidence.sound_claims:
        for rule, reason in claim.accept.items():
            yield from _line(claim, rule, reason, is_found=(claim.id, rule) in found)


def _line(claim: Claim, rule: str, reason: str, *, is_found: bool) -> Iterator[Problem]:
    at = claim.places.of(f"accept.{rule}")
    if rule not in RULES:
        message, hint = f"there is no rule {shown(rule)}", did_you_mean(rule, RULES)
    elif not reason.strip():
        message, hint = f"{rule} is accepted without a reason", f"{rule}: the reason"
    elif not is_found:
        message, hint = f"nothing to accept: the claim has no finding {rule}", f"take {rule} out of accept"
    else:
        return
    yield Problem(message=message, at=at, claim=claim.id, hint=hint)
