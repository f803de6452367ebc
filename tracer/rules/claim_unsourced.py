"""A claim has no citation and no other ground.

Such a claim cannot be told from a guess: to find it is what an audit is for. A stated claim needs a citation. A
derived one needs a formula over other claims, or a formula and a citation for its numbers.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
"""

from collections.abc import Iterator

from tracer.model import Claim, Evidence, Problem, Severity, Status

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per stated or derived claim without its ground."""
    for index, claim in evidence.sound_claims:
        lack = _lack(claim)
        if lack is None:
            continue
        message, hint = lack
        if claim.made_in is not None:
            hint = f"no source is known for what {claim.made_in.source} says here: cite one with its quote, if there is"
        yield Problem(
            message=message,
            at=claim.places.of(""),
            claim=claim.id,
            hint=hint,
            see=evidence.suggestions.get(index, ()),
        )


def _lack(claim: Claim) -> tuple[str, str] | None:
    if claim.status is Status.STATED and not claim.cite:
        return "no source is cited for this claim", 'cite: [{source: …, section: …, page: …, quote: "…"}]'
    if claim.status is not Status.DERIVED:
        return None
    if not (claim.formula or "").strip():
        return "the claim is derived, but no formula says how", "formula: … with its inputs"
    if not claim.inputs and not claim.cite:
        return "the formula rests on no claim and no source", "inputs: {NAME: ID-OF-A-CLAIM}"
    return None
