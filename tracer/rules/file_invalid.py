"""A ledger file or a record in it cannot be read as it is written.

A key that nobody knows, a status that is none of the four, a key written twice, a claim without an id, a profile that
extends itself: what is written is not what is meant, and guessing would hide it. The record stays in the ledger, marked
broken, so that what refers to it does not break as well. A blank status is not `not-stated`.

Flagged:

    claims:
      - id: pretraining.tokens
        text: The model is trained on 12 trillion tokens.
        status: stated
        cites:
          - {source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}

Fine:

    claims:
      - id: pretraining.tokens
        text: The model is trained on 12 trillion tokens.
        status: stated
        cite:
          - {source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}
"""

from collections.abc import Iterator

from tracer import profiles
from tracer.model import Evidence, Problem, Severity

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """What loading found, and profiles that extend themselves."""
    yield from evidence.ledger.problems
    yield from profiles.circles(evidence.ledger)
