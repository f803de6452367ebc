"""The quote is nowhere in the source, nor anything near it.

A quote passes only if it equals the source's text after the foldings that typesetting needs: kinds of quotation marks
and dashes, line ends, ligatures, small capitals. The nearest passage is shown where there is one; it is for the eye
and proves nothing. A path that a data file does not hold is reported here as well.

Flagged:

    claims:
      - id: optimizer
        text: The optimizer is a variant of gradient descent.
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: momentum is kept in sixteen bits throughout}]

Fine:

    claims:
      - id: warmup
        text: The learning rate rises at first.
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: "rate rises over 2,000 steps"}]
"""

from collections.abc import Iterator

from tracer import lost
from tracer.model import Document, Evidence, Problem, Severity, Trace
from tracer.rules import _asking
from tracer.wording import counted, page_name, shown

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote, or path, that the source does not hold."""
    for trace in evidence.followed:
        if lost.is_path_lost(trace):
            yield _path(trace)
        elif lost.is_lost(trace) and not lost.is_altered(trace):
            document = _asking.document(evidence, trace.citation.source)
            yield _quote(trace, _asking.beyond(trace, document) or _unread(document))


def _unread(document: Document | None) -> str:
    """What is added where the quote may yet stand on a page that is not the cited one: `; 3 pages cannot be read`."""
    unread = sum(page.unreadable is not None for page in document.pages) if document else 0
    return f"; {counted(unread, 'page')} of it cannot be read" if unread else ""


def _path(trace: Trace) -> Problem:
    message = f"{trace.citation.source} has nothing at {trace.citation.at}"
    return _asking.problem(trace, "at", message, hint="the path of a single value, as in model.layers.0.kind")


def _quote(trace: Trace, beyond: str) -> Problem:
    message = f"the quote is not in {trace.citation.source}{beyond}"
    if trace.near is None:
        return _asking.problem(trace, "quote", message)
    passage = trace.near.passage
    hint = f"the nearest passage is on {page_name(passage.page, passage.sheet)}: {shown(passage.text)}"
    return _asking.problem(trace, "quote", message, hint=hint, see=(passage,))
