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

from tracer.grounds import ground_field
from tracer.model import Evidence, Problem, Severity

severity = Severity.ERROR

MOST = 5
"""Steps of a circle that are named."""


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per claim of a circle, at the ground by which it goes on."""
    claims = {claim.id: claim for claim in reversed(evidence.ledger.claims) if not claim.broken}
    for cycle in evidence.cycles:
        members = cycle[:-1]
        for position, name in enumerate(members):
            following = members[(position + 1) % len(members)]
            yield Problem(
                message=f"the claim rests on itself: {_chain(members, position)}",
                at=claims[name].places.of(ground_field(claims[name], following)),
                claim=name,
                hint="cite a source for one of them, or drop the step",
                related=() if following == name else (claims[following].places.of(""),),
            )


def _chain(members: Sequence[str], position: int) -> str:
    """The circle from one of its claims back to it; of a long one the first steps."""
    shown = min(len(members), MOST)
    steps = [members[(position + step) % len(members)] for step in range(shown)]
    if len(members) > MOST:
        steps.append(f"… ({len(members) - MOST:,} more)")
    return " → ".join((*steps, members[position]))
