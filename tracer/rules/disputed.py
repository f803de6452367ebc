"""Another source says otherwise, and both passages are there.

Two sources that disagree are both kept: the claim stays verified, and every report lists it, so that nobody quotes
one side alone without knowing of the other.

Flagged:

    claims:
      - id: context
        text: The context length grows to 64K.
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: The context length grows from 8K to 64K}]
        disputes:
          - {source: notes, section: Training, quote: The context length grows to 32K, because: an earlier state}

Fine:

    claims:
      - id: context
        text: The context length grows to 64K.
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: The context length grows from 8K to 64K}]
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity, Trace
from tracer.rules import _asking
from tracer.wording import passage, shown, where

severity = Severity.NOTE


def check(evidence: Evidence) -> Iterator[Problem]:
    """One note per passage that disagrees and was found."""
    for trace in evidence.followed:
        if trace.citation.role == "disputes" and trace.anchors:
            document = _asking.document(evidence, trace.citation.source)
            see = (passage(trace, trace.anchors[0], document),)
            place = where(trace.anchors[0], document)
            yield _asking.problem(trace, "quote", _message(trace, place), see=see)


def _message(trace: Trace, place: str) -> str:
    message = f"{trace.citation.source} disagrees, {place}: {shown(trace.citation.quote or '')}"
    because = " ".join((trace.citation.because or "").split())
    return f"{message} ({because})" if because else message
