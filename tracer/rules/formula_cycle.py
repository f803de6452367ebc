"""Claims rest on each other in a circle.

A value that is computed from itself is grounded in nothing. The chain is shown; one of its steps must be cited or
dropped.

Flagged:

    claims:
      - id: tokens.all
        text: Twelve trillion tokens.
        value: 12T
        status: derived
        formula: half * 2
        inputs: {half: tokens.half}
      - id: tokens.half
        text: Six trillion tokens.
        value: 6T
        status: derived
        formula: all / 2
        inputs: {all: tokens.all}

Fine:

    claims:
      - id: tokens.all
        text: The model is trained on 12 trillion tokens.
        value: 12T
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}]
      - id: tokens.half
        text: Six trillion tokens.
        value: 6T
        status: derived
        formula: all / 2
        inputs: {all: tokens.all}
"""

from collections.abc import Iterator, Sequence

from tracer.model import Claim, Evidence, Place, Problem, Severity
from tracer.rules._grounds import ground_field

severity = Severity.ERROR

MOST = 6
"""Claims of a circle that are named."""


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per circle, at the step by which its first claim enters it."""
    claims = {claim.id: claim for claim in reversed(evidence.ledger.claims) if not claim.broken}
    for cycle in evidence.cycles:
        claim = claims[cycle[0]]
        yield Problem(
            message=f"the claim rests on itself: {_chain(cycle)}",
            at=_at(claim, cycle),
            claim=claim.id,
            hint="cite a source for one of them, or drop the step",
            related=tuple(claims[member].places.of("") for member in cycle[1:-1][:MOST]),
        )


def _at(claim: Claim, cycle: Sequence[str]) -> Place:
    return claim.places.of(ground_field(claim, cycle[1 % len(cycle)]))


def _chain(cycle: Sequence[str]) -> str:
    if len(cycle) <= MOST:
        return " → ".join(cycle)
    return " → ".join((*cycle[: MOST - 2], f"… ({len(cycle) - MOST + 1:,} more)", cycle[-1]))
