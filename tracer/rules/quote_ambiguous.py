"""The quote occurs in several places and nothing says which one is meant.

The page decides, then the section. Where neither does, a longer quote will. The places are listed.

Flagged:

    claims:
      - id: batch
        text: The batch holds 256 prompts.
        status: stated
        cite: [{source: report, quote: The batch holds 256 prompts}]

Fine:

    claims:
      - id: batch
        text: The batch holds 256 prompts.
        status: stated
        cite: [{source: report, section: 2.2, page: 2, quote: The batch holds 256 prompts}]
"""

from collections.abc import Iterator

from tracer.model import Document, Evidence, Problem, Severity, Trace
from tracer.rules import _asking
from tracer.wording import listed, locator, passage, times, where

severity = Severity.WARNING

MOST = 5
"""Places whose words are shown."""


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote with more than one place."""
    for trace in _asking.placed(evidence):
        if len(trace.anchors) < 2:
            continue
        document = _asking.document(evidence, trace.citation.source)
        yield _asking.problem(
            trace,
            "quote",
            _message(trace, document),
            hint=_hint(trace, document),
            see=tuple(passage(trace, anchor, document) for anchor in trace.anchors[:MOST]),
        )


def _message(trace: Trace, document: Document | None) -> str:
    places = listed(dict.fromkeys(where(anchor, document) for anchor in trace.anchors))
    if trace.page_agrees is False:
        return f"the quote is not on the cited page, and elsewhere {times(len(trace.anchors))}: {places}"
    if trace.section_agrees is False:
        return f"the quote is not in the cited section, and elsewhere {times(len(trace.anchors))}: {places}"
    return f"the quote occurs {times(len(trace.anchors))}: {places}"


def _hint(trace: Trace, document: Document | None) -> str:
    places = dict.fromkeys(locator(anchor, document) for anchor in trace.anchors)
    if len(places) < len(trace.anchors):
        return "quote a few words more, so that one place is meant"
    return f"name the place, as in {next(iter(places))}, or quote a few words more"
