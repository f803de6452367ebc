"""A citation and its source as read to the trace of it: where the quote stands, what it cuts off, what is nearest."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tracer import anchoring, nearness, ranges
from tracer.joining import may_run_over
from tracer.library import Library
from tracer.model import (
    Anchor,
    Citation,
    Claim,
    Document,
    Ledger,
    Near,
    Page,
    Passage,
    Source,
    Span,
    Tier,
    Trace,
    Unread,
)
from tracer.negations import cut_after, cut_before, negation_after, takes_negation
from tracer.paging import cited_sheets
from tracer.readers.marks import flowing_readings
from tracer.text import comparable

LIKELY_SHARE = 0.8
"""The share of a quote's words that a page must hold to be read closely for it."""

SIDE_BY_SIDE = 0.4
"""The share of a quote's pairs of neighbours that must stand side by side there too: every page has the usual words."""


def followed(
    citations: Sequence[tuple[int, Citation]],
    ledger: Ledger,
    source: Source,
    document: Document | Unread,
    library: Library,
) -> Iterator[tuple[int, Trace]]:
    """Every citation into one source, each with the index of its claim.

    What is not found is looked for again in closer readings of more pages.
    """
    lost = []
    for index, citation in citations:
        found = follow(ledger.claims[index], citation, source, document)
        if _may_be_closer(found):
            lost.append((index, citation))
        else:
            yield index, found
    if lost and isinstance(document, Document):
        document = library.closer(source, document, _likely([citation for _, citation in lost], document))
    for index, citation in lost:
        yield index, _explained(follow(ledger.claims[index], citation, source, document), document)


def _likely(citations: Sequence[Citation], document: Document) -> Iterator[int]:
    """The sheets on which quotes may stand that have not been found: those cited, and those that hold most of one."""
    for citation in citations:
        words = _comparable_words(citation.quote or "")
        cited = cited_sheets(citation, document).sheets
        sheets = [page.sheet for page in document.pages if page.sheet in cited or _may_hold(page, words)]
        yield from sheets
        yield from _beyond(sheets, "".join(words), document)


def _comparable_words(quote: str) -> list[str]:
    return [word for word in map(comparable, quote.split()) if word]


def _may_hold(page: Page, words: Sequence[str]) -> bool:
    """Whether a page has most words of a quote, and enough of them side by side to be more than the usual words."""
    text = page.readings[0].folded.text if page.readings else ""
    if not words or sum(word in text for word in words) < LIKELY_SHARE * len(words):
        return False
    pairs = [left + right for left, right in pairwise(words)]
    return sum(pair in text for pair in pairs) >= SIDE_BY_SIDE * len(pairs)


def _beyond(sheets: Collection[int], wanted: str, document: Document) -> Iterator[int]:
    """The sheets before and after some, where a quote may run over the page end between them."""
    for first, second in pairwise(document.pages):
        is_at_one = (first.sheet in sheets) != (second.sheet in sheets)
        if is_at_one and may_run_over(first, second, wanted):
            yield from (first.sheet, second.sheet)


def _may_be_closer(found: Trace) -> bool:
    """Whether a quote that has not been found, or not where it is cited, may stand there in a closer reading."""
    is_lost = not found.anchors or found.page_agrees is False or found.section_agrees is False
    return bool(found.citation.quote) and not found.citation.at and is_lost and found.unchecked is None


def follow(claim: Claim, citation: Citation, source: Source, document: Document | Unread) -> Trace:
    """One citation followed to its source; `near` stays open for a quote that is not there."""
    if isinstance(document, Unread):
        return Trace(claim=claim, citation=citation, unchecked=document.reason)
    if citation.at:
        return _at_path(Trace(claim=claim, citation=citation), citation.at, source, document)
    if not comparable(citation.quote or ""):
        return Trace(claim=claim, citation=citation)
    cited = cited_sheets(citation, document)
    found = anchoring.find(citation, document, cited)
    if not found.anchors:
        return Trace(claim=claim, citation=citation, unchecked=_unreadable(cited.sheets, document))
    lines = citation.lines if document.kind != "pdf" else None
    anchors = _within(found.anchors, lines, document) if lines else found.anchors
    return Trace(
        claim=claim,
        citation=citation,
        anchors=anchors or found.anchors,
        page_agrees=bool(anchors) if lines else found.page_agrees,
        section_agrees=found.section_agrees,
        section_unread=found.section_unread,
        page_read_as_sheet=cited.is_sheet,
        cut=_cut(document, found.anchors[0]),
        unchecked=not_the_pin(source, document) or _not_asked(citation, document),
    )


def not_the_pin(source: Source, document: Document) -> str | None:
    """Why nothing that is found in a document counts: its source has no pin, or other bytes than the pinned ones."""
    if source.sha256 is None:
        return "its source is not pinned"
    is_pinned = source.sha256.lower() == document.sha256
    return None if is_pinned else "the bytes of its source are not those that are pinned"


def _not_asked(citation: Citation, document: Document) -> str | None:
    """A place that is named and that this kind of source cannot be asked for: nothing is known of it."""
    if citation.at and (citation.page or citation.sheet or citation.section or citation.lines):
        return "beside a path in a data file no page, section or lines can be checked"
    if document.kind == "pdf":
        return "lines of a PDF are not counted" if citation.lines else None
    return "its source has no pages" if citation.page or citation.sheet else None


def _unreadable(sheets: Sequence[int], document: Document) -> str | None:
    """Why a quote that was not found may yet be there: a page that could hold it cannot be read."""
    for page in document.pages:
        if page.unreadable and (not sheets or page.sheet in sheets):
            return f"page {page.label or page.sheet} cannot be read: {page.unreadable}"
    return None


def _within(anchors: Sequence[Anchor], lines: str, document: Document) -> tuple[Anchor, ...]:
    """The anchors that begin and end within the lines that a citation names in a text without pages."""
    text = document.pages[0].text
    return tuple(anchor for anchor in anchors if ranges.holds(lines, ranges.lines_of(text, anchor.spans)))


def _at_path(start: Trace, path: str, source: Source, document: Document) -> Trace:
    """A path of a data file, its scalar compared with the quote where there is one."""
    from tracer.readers.data import value_at

    value = value_at(document, path)
    if value is None:
        return start
    unchecked = not_the_pin(source, document) or _not_asked(start.citation, document)
    found = Anchor(spans=(Span(sheet=1, start=0, end=0),), tier=Tier.EXACT)
    if start.citation.quote:
        equal = _equal(start.citation.quote, value)
        if equal is None:
            changed = tuple(nearness.changed(start.citation.quote, value))
            near = Near(passage=_scalar(source, path, value), score=100, changes=changed)
            return replace(start, value_found=value, near=near)
        found = replace(equal, spans=found.spans)
    return replace(start, value_found=value, anchors=(found,), unchecked=unchecked)


def _equal(quote: str, value: str) -> Anchor | None:
    """The quote anchored in a scalar, if it is all of it."""
    page = Page(sheet=1, label=None, text=value, readings=tuple(flowing_readings(value)))
    found = next(anchoring.anchor(quote, Document(kind="data", pages=(page,))), None)
    is_all = found is not None and comparable(quote) == comparable(value)
    return found if is_all else None


def _scalar(source: Source, path: str, value: str) -> Passage:
    return Passage(source=source.id, page=None, sheet=1, section=path, text=value, marked=(0, len(value)))


def _explained(found: Trace, document: Document | Unread) -> Trace:
    """A quote that is not there, with the nearest passage, and what two joined pieces leave out."""
    if found.anchors or isinstance(document, Unread):
        return found
    quote, sheets = found.citation.quote or "", cited_sheets(found.citation, document).sheets
    marks = next(anchoring.but_for_marks(quote, document, document.pages), None)
    if marks:
        return replace(found, near=_near_at(quote, document, found.citation.source, marks[0]))
    everywhere = sheets or range(1, len(document.pages) + 1)
    return replace(
        found,
        near=nearness.nearest(quote, document, found.citation.source, sheets),
        left_out=nearness.left_out(quote, document, everywhere),
    )


def _near_at(quote: str, document: Document, source: str, anchor: Anchor) -> Near:
    span = anchor.spans[0]
    page = document.pages[span.sheet - 1]
    end = anchoring.end_with_marks(page.text, anchor.spans[-1].end)
    there = nearness.passage(document, source, page, span.start, end, around=0)
    return Near(passage=there, score=100, changes=tuple(nearness.changed(quote, there.text)))


# --- what a quote cuts off ----------------------------------------------------------------------------------------


def _cut(document: Document, anchor: Anchor) -> str | None:
    """The negation or comparison just before a quote, or the negation or qualifier just after it."""
    if anchor.skips:
        return f"leaves out `{anchor.skips}` where it has …"
    if found := cut_before(anchor.before, is_number=_begins_with_digit(document, anchor)):
        return f"begins after `{found}`"
    if found := cut_after(anchor.after) or _cut_off(document, anchor):
        return f"ends before `{found}`"
    return None


def _cut_off(document: Document, anchor: Anchor) -> str | None:
    """The negation that a quote cuts off from the verb which it ends with."""
    found, last = negation_after(anchor.after), anchor.spans[-1]
    words = document.pages[last.sheet - 1].text[last.start : last.end].split() if found else ()
    return found if words and takes_negation(words[-1]) else None


def _begins_with_digit(document: Document, anchor: Anchor) -> bool:
    first = anchor.spans[0]
    return document.pages[first.sheet - 1].text[first.start].isdigit()
