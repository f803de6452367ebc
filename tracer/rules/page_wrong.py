"""The quote stands on another page than the one that is cited.

`page` is what is printed on the page, `sheet` the physical page; both are named where they differ. A number that is
no printed page but fits as a sheet is accepted, and noted.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 3, quote: a total of nine expert models}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
"""

from collections.abc import Iterator

from tracer.model import Document, Evidence, Problem, Severity, Trace
from tracer.rules import _asking
from tracer.wording import is_paged, pages_name, pages_of, passage, pasted, sheets_of

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote with one place, on another page; a note per sheet that was written as a page."""
    for trace in _asking.placed(evidence):
        if len(trace.anchors) != 1:
            continue
        document = _asking.document(evidence, trace.citation.source)
        if trace.page_agrees is False:
            yield _wrong(trace, document)
        elif trace.page_read_as_sheet and trace.anchors[0].page not in (None, trace.citation.page):
            yield _sheet(trace, document)


def _wrong(trace: Trace, document: Document | None) -> Problem:
    anchor = trace.anchors[0]
    if trace.citation.lines and not is_paged(document):
        return _asking.problem(trace, "lines", f"the quote is not in lines {trace.citation.lines}")
    return _asking.problem(
        trace,
        _field(trace),
        f"the quote is on {pages_name(anchor, document)}{_asking.beyond(trace, document)}",
        hint=_hint(trace, document),
        see=(passage(trace, anchor, document),),
    )


def _field(trace: Trace) -> str:
    return "page" if trace.citation.page else "sheet"


def _hint(trace: Trace, document: Document | None) -> str:
    anchor = trace.anchors[0]
    if trace.citation.page:
        return f"page: {pasted(pages_of(anchor, document))}"
    return f"sheet: {'-'.join(str(sheet) for sheet in sheets_of(anchor))}"


def _sheet(trace: Trace, document: Document | None) -> Problem:
    anchor = trace.anchors[0]
    return _asking.problem(
        trace,
        "page",
        f"{trace.citation.page} is the sheet, not the printed page: the quote is on {pages_name(anchor, document)}",
        hint=f"page: {pasted(pages_of(anchor, document))}",
        severity=Severity.NOTE,
    )
