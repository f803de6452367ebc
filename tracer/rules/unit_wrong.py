"""The units of a formula do not fit each other, or not the unit of the claim.

Tokens and hours cannot be added, and tokens per hour are not tokens. Only units that are written are checked.

Flagged:

    claims:
      - id: tokens
        text: The model is trained on 12 trillion tokens.
        value: 12T
        unit: tokens
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}]
      - id: warmup
        text: The warm-up takes 2,000 steps.
        value: 2000
        unit: steps
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: "rises over 2,000 steps"}]
      - id: sum
        text: The sum of both.
        value: 12T
        unit: tokens
        status: derived
        formula: tokens + warmup
        inputs: {tokens: tokens, warmup: warmup}

Fine:

    claims:
      - id: tokens
        text: The model is trained on 12 trillion tokens.
        value: 12T
        unit: tokens
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}]
      - id: half
        text: Half of them.
        value: 6T
        unit: tokens
        status: derived
        formula: tokens / 2
        inputs: {tokens: tokens}
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per derived claim whose units do not fit."""
    for index, claim in evidence.sound_claims:
        computation = evidence.computations.get(index)
        if computation is not None and computation.unit_problem is not None:
            field = "unit" if claim.unit else computation.at_field
            yield Problem(message=computation.unit_problem, at=claim.places.of(field), claim=claim.id)
