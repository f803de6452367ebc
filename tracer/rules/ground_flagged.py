"""A claim rests on another one that is flagged, or that could not be checked.

A computed number is as good as its inputs, a conclusion as what it leans on. Each claim that a doubt reaches is named
once, with the chain down to the nearest claim where the fault is to be mended. A ground that could not be checked
makes the claim unchecked. To accept this finding keeps the doubt from what rests on the claim in turn.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        value: 9
        status: stated
        cite: [{source: report, section: 2.1, page: 3, quote: a total of nine expert models}]
      - id: domains
        text: There are three domains, with three efforts each.
        value: 3
        status: derived
        formula: experts / 3
        inputs: {experts: experts}

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        value: 9
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
      - id: domains
        text: There are three domains, with three efforts each.
        value: 3
        status: derived
        formula: experts / 3
        inputs: {experts: experts}
"""

from collections.abc import Iterator, Sequence

from tracer.grounds import Doubts, doubts, ground_field
from tracer.model import Claim, Evidence, Finding, Problem, Severity, Verdict
from tracer.verdicts import by_claim, endings, flags
from tracer.wording import listed

severity = Severity.WARNING

NAME = "ground-flagged"


def follow(evidence: Evidence, findings: Sequence[Finding]) -> Iterator[Problem]:
    """One problem per claim that a flagged or unchecked one reaches; a circle has its own rule."""
    claims = evidence.ledger.claims
    if not any(claim.grounds for claim in claims):
        return
    found = by_claim(findings)
    ends = dict(zip((claim.id for claim in claims), endings(evidence, findings), strict=True))
    asked = dict.fromkeys(claim.id for _, claim in evidence.sound_claims)
    flagged = [name for name in asked if any(map(flags, found.get(name, ())))]
    unchecked = [name for name, ending in ends.items() if ending.verdict is Verdict.UNCHECKED]
    stops = {claim.id for claim in claims if claim.accept.get(NAME, "").strip()}
    faults = doubts(claims, flagged, stops=stops)
    gaps = doubts(claims, unchecked)
    circles = {name: number for number, cycle in enumerate(evidence.cycles) for name in cycle}
    for _, claim in evidence.sound_claims:
        ground = faults.nearest(claim)
        if ground is None:
            yield from _gap(claim, gaps)
        elif claim.id not in circles or circles[claim.id] != circles.get(faults.roots[ground]):
            yield _fault(claim, faults, ground, found[faults.roots[ground]])


def _gap(claim: Claim, gaps: Doubts) -> Iterator[Problem]:
    ground = gaps.nearest(claim)
    if ground is not None:
        yield Problem(
            message=f"{gaps.chain(claim, ground)}, which could not be checked",
            at=claim.places.of(ground_field(claim, ground)),
            claim=claim.id,
            severity=Severity.NOTE,
            unchecks=True,
        )


def _fault(claim: Claim, faults: Doubts, ground: str, findings: Sequence[Finding]) -> Problem:
    flagging = list(filter(flags, findings))
    rules = listed(dict.fromkeys(finding.rule for finding in flagging), most=3)
    return Problem(
        message=f"{faults.chain(claim, ground)}, which is flagged: {rules}",
        at=claim.places.of(ground_field(claim, ground)),
        claim=claim.id,
        hint=f"mend {faults.roots[ground]} first",
        related=(flagging[0].problem.at,),
    )
