"""A citation's quote to the places in a document where it stands, by page and section; and a place to a citation.

The order of the search keeps a wrong page from passing: the whole quote on the cited page, then on other pages, then
over a page end, then in the parts that `…` joins, then but for bracketed reference marks. Nothing here is fuzzy.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from tracer.joining import Pair, may_run_over, pair
from tracer.matching import Hit, foldings, hits, tier_of, words
from tracer.model import Anchor, Citation, Document, Folded, Page, Reading, Span, Tier
from tracer.nearness import readable, whole_words
from tracer.negations import cut_before, first_negation
from tracer.paging import CitedSheets
from tracer.readers.marks import AS_IT_IS, BODY, REFERENCE_MARK, WITHOUT_REFERENCES, without_runs
from tracer.sections import agrees, section_at
from tracer.text import fold

PARTS = "parts joined by …"
"""The name of the folding by which a quote leaves something out."""

_SURE = 6
"""Characters of the first and of the last part of a quote that must stand on the pages that it runs over."""

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.)\s*")
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|[。！？؟]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a quote stands: one anchor where page, section or uniqueness decide, several where nothing does."""

    anchors: tuple[Anchor, ...] = ()
    page_agrees: bool | None = None
    section_agrees: bool | None = None
    section_unread: str | None = None


def find(citation: Citation, document: Document, cited: CitedSheets) -> Found:
    """Where a citation's quote stands, its cited page and section asked in this order."""
    anchors = tuple(anchor(citation.quote or "", document, preferred=cited.sheets))
    if not anchors:
        return Found()
    on_page = [found for found in anchors if not cited.is_named or _is_on(found, cited.sheets)]
    page_agrees = bool(on_page) if cited.is_named else None
    decided = _decided(citation.section, document, on_page or list(anchors), page_agrees=page_agrees)
    if not page_agrees or decided.section_agrees is not False:
        return decided
    further = list(_in_every_reading(citation.quote or "", document, cited.sheets))
    again = _decided(citation.section, document, further, page_agrees=True) if further else decided
    return again if again.section_agrees else decided


def _is_on(found: Anchor, sheets: Sequence[int]) -> bool:
    return any(span.sheet in sheets for span in found.spans)


def _decided(section: str | None, document: Document, anchors: list[Anchor], *, page_agrees: bool | None) -> Found:
    """What the cited section says of the anchors that the page left."""
    if section is None:
        return Found(anchors=_first_of_page(anchors, page_agrees), page_agrees=page_agrees)
    said = [agrees(section, document, found.spans[0]) for found in anchors]
    within = [found for found, (is_right, _) in zip(anchors, said, strict=True) if is_right]
    if within:
        anchors = list(_first_of_page(within, page_agrees))
        is_one_page = len({found.spans[0].sheet for found in anchors}) == 1
        return Found(
            anchors=tuple(anchors[:1] if is_one_page else anchors), page_agrees=page_agrees, section_agrees=True
        )
    unread = next((reason for is_right, reason in said if is_right is None), None)
    return Found(
        anchors=_first_of_page(anchors, page_agrees),
        page_agrees=page_agrees,
        section_agrees=None if unread else False,
        section_unread=unread,
    )


def _first_of_page(anchors: list[Anchor], page_agrees: bool | None) -> tuple[Anchor, ...]:
    return (anchors[0],) if page_agrees else tuple(anchors)


def anchor(quote: str, document: Document, *, preferred: Sequence[int] = ()) -> Iterator[Anchor]:
    """Every place of a quote by the first way of reading it that finds any, the preferred sheets asked first."""
    trimmed = _trimmed(quote)
    if not fold(trimmed).text.strip("…."):
        return
    near = [page for page in document.pages if page.sheet in preferred]
    for search in (_whole, _over_page_ends, _in_parts, _but_for_marks):
        found = list(search(trimmed, document, near)) or list(search(trimmed, document, _others(document, preferred)))
        if found:
            yield from found
            return


def _others(document: Document, sheets: Sequence[int]) -> Sequence[Page]:
    return [page for page in document.pages if page.sheet not in sheets]


def _trimmed(quote: str) -> str:
    """A quote without a dash at its ends, which joins it to what it leaves out; a sign before a number stays."""
    if quote[:1].isalnum() and quote[-1:].isalnum():
        return quote
    return re.sub(r"[\s–—―-]+$|^\s*[–—―-]+\s+(?=[^\W\d])", "", quote)


def _anchored(quote: str, document: Document, hit: Hit, tier: Tier | None = None) -> Anchor:
    names = foldings(quote, hit.raw)
    spans = hit.spans
    return Anchor(
        spans=spans,
        tier=tier or tier_of(hit.reading.name, names),
        foldings=names,
        page=hit.page.label,
        section=section_at(document.headings, spans[0]),
        reading=hit.reading.name,
        before=hit.before or _end_of_page_before(document, hit.page),
        after=hit.after or _start_of_page_after(document, hit.page),
    )


def _end_of_page_before(document: Document, page: Page) -> str:
    """The last words of the page before, for a quote that a page begins with."""
    before = next((other for other in document.pages if other.sheet == page.sheet - 1), None)
    if before is None or not before.readings:
        return ""
    reading = next((reading for reading in before.readings if BODY in reading.name), before.readings[0])
    end = len(reading.folded.text)
    return words(before.text, reading.folded, end - 30, end)


def _start_of_page_after(document: Document, page: Page) -> str:
    """The first words of the page after, for a quote that a page ends with."""
    after = next((other for other in document.pages if other.sheet == page.sheet + 1), None)
    if after is None or not after.readings:
        return ""
    reading = next((reading for reading in after.readings if BODY in reading.name), after.readings[0])
    return words(after.text, reading.folded, 0, 30)


# --- whole on one page --------------------------------------------------------------------------------------------


def _whole(quote: str, document: Document, pages: Iterable[Page]) -> Iterator[Anchor]:
    wanted = fold(quote)
    for page in pages:
        for reading in page.readings:
            if WITHOUT_REFERENCES in reading.name:
                continue
            found = list(_standing(quote, wanted, page, reading, document))
            if found:
                yield from (_anchored(quote, document, hit) for hit in found)
                break


def _in_every_reading(quote: str, document: Document, sheets: Sequence[int]) -> Iterator[Anchor]:
    """Every place of a quote on some pages: a mark may stand in one of two, and only some readings leave it out."""
    quote = _trimmed(quote)
    wanted = fold(quote)
    for page in (page for page in document.pages if page.sheet in sheets):
        for reading in page.readings:
            if WITHOUT_REFERENCES not in reading.name:
                yield from (
                    _anchored(quote, document, hit) for hit in _standing(quote, wanted, page, reading, document)
                )


def _standing(quote: str, wanted: Folded, page: Page, reading: Reading, document: Document) -> Iterator[Hit]:
    return hits(quote, wanted, page, reading, partial(_is_written, document))


def _is_written(document: Document, compound: str) -> bool:
    """Whether a document writes a compound with its hyphen somewhere else."""
    return any(compound in page.text.casefold() for page in document.pages)


# --- over a page end ----------------------------------------------------------------------------------------------


def _page_ends(document: Document, pages: Iterable[Page]) -> Iterator[tuple[Page, Page]]:
    """Every two pages that follow on each other, of which one is among some pages."""
    sheets = {page.sheet for page in pages}
    for first, second in pairwise(document.pages):
        if (first.sheet in sheets or second.sheet in sheets) and first.readings and second.readings:
            yield first, second


def _over_page_ends(quote: str, document: Document, pages: Iterable[Page]) -> Iterator[Anchor]:
    """A quote that begins in the body text of one page and goes on in that of the next."""
    wanted = fold(quote)
    for first, second in _page_ends(document, pages):
        if not may_run_over(first, second, wanted.text):
            continue
        joined = pair(first, second, wanted=wanted.text)
        for reading in joined.page.readings:
            found = (hit for hit in _standing(quote, wanted, joined.page, reading, document))
            hit = next((hit for hit in found if _is_over(joined, hit.spans)), None)
            if hit:
                yield _joined_anchor(document, joined, _anchored(quote, document, hit), ("page end",))
                break


def _is_over(joined: Pair, spans: Sequence[Span]) -> bool:
    return len({span.sheet for span in joined.apart(spans)}) == 2


def _joined_anchor(document: Document, joined: Pair, found: Anchor, names: tuple[str, ...]) -> Anchor:
    spans = joined.apart(found.spans)
    return replace(
        found,
        spans=spans,
        tier=Tier.JOIN,
        foldings=tuple(dict.fromkeys((*found.foldings, *names))),
        section=section_at(document.headings, spans[0]),
    )


# --- in parts -----------------------------------------------------------------------------------------------------


def parts(quote: str) -> tuple[str, ...]:
    """The pieces that `…` joins in a quote."""
    return tuple(trimmed for part in _ELLIPSIS.split(quote) if (trimmed := _trimmed(part).strip()))


def _in_parts(quote: str, document: Document, pages: Iterable[Page]) -> Iterator[Anchor]:
    """The parts of a quote in order, on one page or from one page to the next, as close together as they stand."""
    pieces, pages = parts(quote), tuple(pages)
    if len(pieces) < 2:
        return
    found = [
        _chained(pieces, document, chain)
        for page in pages
        if (chain := _nearest_chain(pieces, document, page)) is not None
    ]
    yield from found
    if found:
        return
    begins, ends = fold(pieces[0]).text[:_SURE], fold(pieces[-1]).text[-_SURE:]
    for first, second in _page_ends(document, pages):
        if not (_may_begin(first, begins) and _may_end(second, ends)):
            continue
        joined = pair(first, second)
        chain = _nearest_chain(pieces, document, joined.page)
        if chain and _is_over(joined, [span for hit in chain for span in hit.spans]):
            yield _joined_anchor(document, joined, _chained(pieces, document, chain), ("page end",))


def _may_begin(page: Page, begins: str) -> bool:
    """Whether a page holds how a quote begins, or ends in the first of it."""
    cut = tuple(begins[:length] for length in range(1, len(begins)))
    return any(begins in reading.folded.text or reading.folded.text.endswith(cut) for reading in page.readings)


def _may_end(page: Page, ends: str) -> bool:
    """Whether a page holds how a quote ends, or begins with the last of it."""
    cut = tuple(ends[-length:] for length in range(1, len(ends)))
    return any(ends in reading.folded.text or reading.folded.text.startswith(cut) for reading in page.readings)


def _nearest_chain(pieces: Sequence[str], document: Document, page: Page) -> tuple[Hit, ...] | None:
    """The hits of all parts in order that lie closest together, whichever reading has them."""
    chains = [
        chain
        for reading in page.readings
        for first in _standing(pieces[0], fold(pieces[0]), page, reading, document)
        if (chain := _continued(pieces, document, first)) is not None
    ]
    return min(chains, key=lambda chain: chain[-1].end - chain[0].start, default=None)


def _continued(pieces: Sequence[str], document: Document, first: Hit) -> tuple[Hit, ...] | None:
    chain = [first]
    for piece in pieces[1:]:
        found = _standing(piece, fold(piece), first.page, first.reading, document)
        following = next((hit for hit in found if hit.start >= chain[-1].end), None)
        if following is None:
            return None
        chain.append(following)
    return tuple(chain)


def _chained(pieces: Sequence[str], document: Document, chain: Sequence[Hit]) -> Anchor:
    found = [_anchored(piece, document, hit) for piece, hit in zip(pieces, chain, strict=True)]
    names = dict.fromkeys(name for one in found for name in one.foldings)
    return replace(
        found[0],
        spans=tuple(span for one in found for span in one.spans),
        tier=max((one.tier for one in found), key=list(Tier).index),
        foldings=(*names, PARTS),
        after=found[-1].after,
        skips=next((said for left, right in pairwise(chain) if (said := _skipped(left, right))), None),
    )


def _skipped(left: Hit, right: Hit) -> str | None:
    """A negation that `…` leaves out of one sentence, or just after the first part or just before the second."""
    between = words(left.page.text, left.reading.folded, left.end, right.start)
    if cut := cut_before(between, is_number=False):
        return cut
    found = first_negation(between)
    if found is None:
        return None
    is_one_sentence = not _SENTENCE_END.search(f"{left.words[-1:]}{between}")
    is_next = re.match(r"\W*" + re.escape(found), between) is not None
    return found if is_one_sentence or is_next else None


# --- but for reference marks --------------------------------------------------------------------------------------


def _but_for_marks(quote: str, document: Document, pages: Iterable[Page]) -> Iterator[Anchor]:
    """Places that a quote equals once reference marks are left out; marks that it does give must be there."""
    return (found for found, is_given in but_for_marks(quote, document, pages) if is_given)


def but_for_marks(quote: str, document: Document, pages: Iterable[Page]) -> Iterator[tuple[Anchor, bool]]:
    """Places that a quote equals but for reference marks, and whether each mark that it gives stands in its place."""
    bare = REFERENCE_MARK.sub("", quote)
    wanted = fold(quote)
    if bare != quote:
        wanted = without_runs(wanted, [match.span() for match in REFERENCE_MARK.finditer(quote)])
    given = _marks(quote, wanted)
    for page in pages:
        for reading in page.readings:
            if WITHOUT_REFERENCES in reading.name or (given and AS_IT_IS in reading.name):
                for hit in _standing(bare, wanted, page, reading, document):
                    there = _marks(page.text, reading.folded)
                    is_given = all(there.get(hit.start + position) == mark for position, mark in given.items())
                    yield _anchored(bare, document, hit, Tier.REFERENCE_MARKS), is_given


def _marks(text: str, stripped: Folded) -> dict[int, str]:
    """The bracketed reference numbers of a text by their place in its comparable form without them."""
    return {
        bisect_left(stripped.offsets, match.start()): "".join(match.group().split())
        for match in REFERENCE_MARK.finditer(text)
    }


def end_with_marks(text: str, end: int) -> int:
    """The end of a run of text, moved past the reference mark that follows it."""
    match = REFERENCE_MARK.match(text, end)
    return match.end() if match else end


# --- and back -----------------------------------------------------------------------------------------------------


def describe(document: Document, source: str, span: Span) -> Citation:
    """The citation of a run of a page's text, widened to whole words, whose quote `anchor` finds there again."""
    page = document.pages[span.sheet - 1]
    start, end = whole_words(page.text, span.start, span.end)
    heading = section_at(document.headings, span)
    has_pages = document.kind == "pdf"
    return Citation(
        source=source,
        section=str(heading) if heading else None,
        page=(page.label or str(page.sheet)) if has_pages else None,
        quote=_typed(page, start, end),
    )


def _typed(page: Page, start: int, end: int) -> str:
    """A run of a page's text as a person would type it, raised digits of a number as the powers that they are."""
    folded = page.readings[0].folded
    typed = list(page.text[start:end])
    for position in range(bisect_left(folded.offsets, start), bisect_left(folded.offsets, end)):
        offset = folded.offsets[position] - start
        if typed[offset].isdecimal() and not folded.text[position].isdecimal():
            typed[offset] = folded.text[position]
    return readable("".join(typed)).strip()
