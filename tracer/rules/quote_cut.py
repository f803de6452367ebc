"""The quote is cut where the sentence turns: at a negation, before a qualifier, or where `…` hides one.

`released to the public` is in a report that says `not released to the public`, and `for all tasks` in one that goes
on `except coding`. The words are equal and the meaning is not.

Flagged:

    claims:
      - id: release
        text: The experts are released.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: released to the public}]

Fine:

    claims:
      - id: release
        text: The experts are not released.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: The experts are not released to the public}]
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity
from tracer.rules import _asking
from tracer.wording import passage

severity = Severity.WARNING


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote whose neighbouring words change what it says."""
    for trace in _asking.placed(evidence):
        if trace.cut is None:
            continue
        document = _asking.document(evidence, trace.citation.source)
        see = tuple(passage(trace, anchor, document) for anchor in trace.anchors[:1])
        yield _asking.problem(
            trace, "quote", f"the quote {trace.cut}", hint="quote the neighbouring words as well", see=see
        )
