"""A ledger and the library of its sources to evidence: every citation, search and formula followed to its ground."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tracer import anchoring, nearness
from tracer.deriving import derive
from tracer.library import Library
from tracer.matching import COMPARISONS, NEGATIONS
from tracer.model import (
    Anchor,
    Citation,
    Claim,
    Document,
    Evidence,
    Ledger,
    Near,
    Page,
    Passage,
    Search,
    SearchTrace,
    Source,
    Span,
    Status,
    Tier,
    Trace,
    Unread,
)
from tracer.readers.marks import flowing_readings
from tracer.reviewing import changes
from tracer.searching import Terms, unread_pages
from tracer.stating import stating
from tracer.text import comparable

LIKELY_SHARE = 0.8
"""The share of a quote's words that a page must hold to be read closely for it."""

Followed = TypeVar("Followed", Trace, SearchTrace)

Told = Callable[[str, int, int], None]
"""Told of each source as it was read: its id, how many were, and of how many."""


def trace(
    ledger: Ledger, library: Library, *, only: Collection[str] | None = None, told: Told | None = None
) -> Evidence:
    """The evidence for a ledger, or for the claims of `only` these ids and all that they rest on.

    Sources are read side by side, each let go once its claims were traced.
    """
    work = _work(ledger, None if only is None else _resting_on(ledger, only))
    sources = [ledger.sources[name] for name in work if name in ledger.sources]
    traces: dict[int, dict[str, Trace]] = defaultdict(dict)
    searches: dict[int, dict[str, SearchTrace]] = defaultdict(dict)
    suggestions: dict[int, tuple[Passage, ...]] = {}
    documents: dict[str, Document | Unread] = {}
    reading = library.documents(sources)
    computations, cycles = derive(ledger)  # while the first sources are read
    for done, (name, document) in enumerate(reading, start=1):
        job = work[name]
        for index, found in _followed(job, ledger, ledger.sources[name], document, library):
            traces[index][found.citation.at_path] = found
        for index, searched in _searched(job, ledger, ledger.sources[name], document):
            searches[index][searched.search.at_path] = searched
        suggestions |= _suggestions(job, ledger, name, document)
        documents[name] = _without_text(document)
        if told:
            told(name, done, len(sources))
    return Evidence(
        ledger=ledger,
        documents=documents,
        traces={index: _in_order(claim.citations, traces[index]) for index, claim in _with(ledger, traces)},
        searches={index: _in_order(claim.searched, searches[index]) for index, claim in _with(ledger, searches)},
        computations=computations,
        cycles=cycles,
        suggestions=suggestions,
        review_changes=dict(_review_changes(ledger)),
    )


@dataclass(slots=True)
class _Job:
    """What is to be looked up in one source: citations, searches and conclusions by the index of their claim."""

    citations: list[tuple[int, Citation]]
    searches: list[tuple[int, Search]]
    conclusions: list[int]


def _resting_on(ledger: Ledger, ids: Collection[str]) -> set[str]:
    """The ids of some claims and of every claim that they rest on, near or far."""
    grounds = {claim.id: claim.grounds for claim in ledger.claims}
    waiting, found = list(ids), set(ids)
    while waiting:
        for name in grounds.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _work(ledger: Ledger, wanted: Collection[str] | None) -> dict[str, _Job]:
    """What is to be looked up in each source."""
    work: dict[str, _Job] = defaultdict(lambda: _Job([], [], []))
    by_id = {claim.id: claim for claim in reversed(ledger.claims)}
    for index, claim in enumerate(ledger.claims):
        if claim.broken or (wanted is not None and claim.id not in wanted):
            continue
        for citation in claim.citations:
            work[citation.source].citations.append((index, citation))
        for search in claim.searched:
            work[search.source].searches.append((index, search))
        if claim.status is Status.CONCLUDED:
            for name in _sources_of(claim, ledger, by_id):
                work[name].conclusions.append(index)
    return work


def _sources_of(claim: Claim, ledger: Ledger, by_id: Mapping[str, Claim]) -> Iterable[str]:
    """The sources that a conclusion cites, or that the claims it leans on cite."""
    leaned_on = [by_id[name] for name in claim.leans_on if name in by_id]
    cited = (citation.source for one in (claim, *leaned_on) for citation in one.cite)
    return dict.fromkeys(name for name in cited if name in ledger.sources)


def _with(ledger: Ledger, found: Mapping[int, object]) -> Iterator[tuple[int, Claim]]:
    return ((index, ledger.claims[index]) for index in sorted(found))


def _in_order(written: Sequence[Citation | Search], found: Mapping[str, Followed]) -> tuple[Followed, ...]:
    return tuple(found[item.at_path] for item in written if item.at_path in found)


def _without_text(document: Document | Unread) -> Document | Unread:
    """A document whose pages keep their labels and faults only, for many of them are held at a time."""
    if isinstance(document, Unread):
        return document
    return replace(document, pages=tuple(replace(page, text="", readings=()) for page in document.pages))


def _review_changes(ledger: Ledger) -> Iterator[tuple[int, str]]:
    for index, claim in enumerate(ledger.claims):
        changed = changes(claim, ledger.sources)
        if changed and not claim.broken:
            yield index, changed


# --- citations ----------------------------------------------------------------------------------------------------


def _followed(
    job: _Job, ledger: Ledger, source: Source, document: Document | Unread, library: Library
) -> Iterator[tuple[int, Trace]]:
    """Every citation into one source; what is not found is looked for again in closer readings of more pages."""
    waiting = [(index, citation) for index, citation in job.citations]
    for closer in _readings(source, document, library):
        current = closer([citation for _, citation in waiting])
        again = []
        for index, citation in waiting:
            found = follow(ledger.claims[index], citation, source, current)
            if _may_be_closer(found):
                again.append((index, citation))
            else:
                yield index, found
        waiting = again
        if not waiting:
            return
    for index, citation in waiting:
        found = follow(ledger.claims[index], citation, source, current)
        yield index, _explained(found, current)


_Reader = Callable[[Sequence[Citation]], Document | Unread]


def _readings(source: Source, document: Document | Unread, library: Library) -> Iterator[_Reader]:
    """The document as it was read; then with closer readings around the cited pages; then of all likely ones."""
    yield lambda _: document
    if isinstance(document, Unread) or document.kind != "pdf":
        return
    yield lambda citations: library.closer(source, document, _around(citations, document))
    yield lambda citations: library.closer(source, document, _likely(citations, document))


def _likely(citations: Sequence[Citation], document: Document) -> Iterator[int]:
    """The cited sheets, and those that hold most words of a quote, with their neighbours."""
    yield from _around(citations, document)
    quotes = [[comparable(word) for word in (citation.quote or "").split()] for citation in citations]
    for page in document.pages:
        text = page.readings[0].folded.text if page.readings else ""
        if any(sum(word in text for word in words) >= LIKELY_SHARE * len(words) for words in quotes if words):
            yield from (page.sheet - 1, page.sheet, page.sheet + 1)


def _around(citations: Sequence[Citation], document: Document) -> Iterator[int]:
    """The cited sheets and their neighbours."""
    for citation in citations:
        for sheet in anchoring.cited_pages(citation, document).sheets:
            yield from (sheet - 1, sheet, sheet + 1)


def _may_be_closer(found: Trace) -> bool:
    """Whether a quote that has not been found, or not where it is cited, may stand there in a closer reading."""
    is_lost = not found.anchors or found.page_agrees is False
    return bool(found.citation.quote) and not found.citation.at and is_lost and found.unchecked is None


def follow(claim: Claim, citation: Citation, source: Source, document: Document | Unread) -> Trace:
    """One citation followed to its source; `near` stays open for a quote that is not there."""
    if isinstance(document, Unread):
        return Trace(claim=claim, citation=citation, unchecked=document.reason)
    if citation.at:
        return _at_path(Trace(claim=claim, citation=citation), citation.at, source, document)
    if not comparable(citation.quote or ""):
        return Trace(claim=claim, citation=citation)
    pages = anchoring.cited_pages(citation, document)
    found = anchoring.find(citation, document, pages)
    if not found.anchors:
        return Trace(claim=claim, citation=citation, unchecked=_unreadable(pages.sheets, document))
    lines = _Lines.of(citation, document)
    anchors = lines.within(found.anchors) if lines else found.anchors
    return Trace(
        claim=claim,
        citation=citation,
        anchors=anchors or found.anchors,
        page_agrees=bool(anchors) if lines else found.page_agrees,
        section_agrees=found.section_agrees,
        section_unread=found.section_unread,
        page_read_as_sheet=pages.is_sheet,
        cut=_cut(document, found.anchors[0]),
        unchecked=_not_the_pin(source, document) or _not_asked(citation, document),
    )


def _not_the_pin(source: Source, document: Document) -> str | None:
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


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines that a citation names in a text without pages, from 1 on."""

    text: str
    first: int
    last: int

    @classmethod
    def of(cls, citation: Citation, document: Document) -> "_Lines | None":
        if not citation.lines or document.kind == "pdf":
            return None
        first, last = re.sub("[–—]", "-", citation.lines).partition("-")[::2]
        numbers = [int(part) if part.strip().isdecimal() else 0 for part in (first, last or first)]
        return cls(document.pages[0].text, *numbers)

    def within(self, anchors: Sequence[Anchor]) -> tuple[Anchor, ...]:
        """The anchors that begin and end within the lines."""
        return tuple(anchor for anchor in anchors if self._holds(anchor.spans))

    def _holds(self, spans: Sequence[Span]) -> bool:
        start, end = (self.text.count("\n", 0, offset) + 1 for offset in (spans[0].start, spans[-1].end - 1))
        return self.first <= start and end <= self.last


def _at_path(start: Trace, path: str, source: Source, document: Document) -> Trace:
    """A path of a data file, its scalar compared with the quote where there is one."""
    from tracer.readers.data import value_at

    value = value_at(document, path)
    if value is None:
        return start
    unchecked = _not_the_pin(source, document) or _not_asked(start.citation, document)
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
    quote, sheets = found.citation.quote or "", anchoring.cited_pages(found.citation, document).sheets
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

_BEFORE = (NEGATIONS - {"un"}) | {"rather", "instead"}
_TWO_BEFORE = frozenset({"rather than", "instead of", "other than"})
_TWO_BEFORE_NUMBERS = frozenset({"up to", "at most", "at least", "less than", "more than"})
_AFTER = ("but", "unless", "except", "only if", "only when", "up to", "provided that")


def _cut(document: Document, anchor: Anchor) -> str | None:
    """The negation or comparison just before a quote, or the qualifier just after it."""
    if anchor.skips:
        return f"leaves out `{anchor.skips}` where it has …"
    sign = anchor.before.rstrip(" (,;:\"'")[-1:]
    if sign and sign in COMPARISONS and _begins_with_digit(document, anchor):
        return f"begins after `{sign}`"
    before = re.sub(r"\W+$", "", anchor.before).split()
    last_word = before[-1].lstrip("(,;:\"'") if before else ""
    if last_word in _BEFORE or last_word.endswith("n't"):
        return f"begins after `{last_word}`"
    two = " ".join(before[-2:])
    if two in _TWO_BEFORE or (two in _TWO_BEFORE_NUMBERS and _begins_with_digit(document, anchor)):
        return f"begins after `{two}`"
    after = anchor.after.lstrip(" ,")
    if not after.startswith(_AFTER):
        return None
    return next((f"ends before `{words}`" for words in _AFTER if after.startswith(f"{words} ")), None)


def _begins_with_digit(document: Document, anchor: Anchor) -> bool:
    first = anchor.spans[0]
    return document.pages[first.sheet - 1].text[first.start].isdigit()


# --- searches and conclusions -------------------------------------------------------------------------------------


def _searched(
    job: _Job, ledger: Ledger, source: Source, document: Document | Unread
) -> Iterator[tuple[int, SearchTrace]]:
    """Every search of one source done again; a term that many claims ask for is looked up once."""
    if isinstance(document, Unread):
        for index, search in job.searches:
            yield index, SearchTrace(claim=ledger.claims[index], search=search, unchecked=document.reason)
        return
    terms, unread = Terms(document, source.id), unread_pages(document)
    for index, search in job.searches:
        yield (
            index,
            SearchTrace(
                claim=ledger.claims[index],
                search=search,
                hits=terms.hits(search),
                pages=len(document.pages),
                unread_pages=unread,
                unchecked=_not_the_pin(source, document),
            ),
        )


def _suggestions(job: _Job, ledger: Ledger, name: str, document: Document | Unread) -> dict[int, tuple[Passage, ...]]:
    """Passages of one source that seem to state what its claims conclude."""
    if isinstance(document, Unread) or not job.conclusions:
        return {}
    found = stating([ledger.claims[index] for index in job.conclusions], name, document)
    return {index: passages for index, passages in zip(job.conclusions, found, strict=True) if passages}
