"""A citation's quote to the places in a document where it stands, by page and section; and a place to a citation.

The order of the search keeps a wrong page from passing: the whole quote on the cited page, then on other pages, then
over a page end, then in the parts that `…` joins, then but for bracketed reference marks. Nothing here is fuzzy.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tracer.matching import NEGATIONS, Hit, foldings, hits, is_whole, tier_of
from tracer.model import Anchor, Citation, Document, Folded, Page, Reading, Span, Tier
from tracer.nearness import readable, whole_words
from tracer.readers.marks import AS_IT_IS, BODY, REFERENCE_MARK, WITHOUT_REFERENCES, without_runs
from tracer.sections import agrees, section_at
from tracer.text import fold

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.)\s*")
_SHORT_REST = 6
"""Characters below which every length of the second part of a joined quote is tried."""

_SENTENCE_END = re.compile(r"[.!?](?:\s|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """The sheets that a citation names; `is_named` where it names any, `is_sheet` where a page was read as a sheet."""

    sheets: tuple[int, ...]
    is_named: bool
    is_sheet: bool = False


def cited_pages(citation: Citation, document: Document) -> Pages:
    """The sheets of a citation's `sheet`, or of its `page`, which may be a range.

    A number that is no printed label is taken for a sheet where the labels were read off the print; where the file
    gives the labels itself they are what a page number means.
    """
    if document.kind != "pdf" or not (citation.page or citation.sheet):
        return Pages(sheets=(), is_named=False)
    if citation.sheet:
        return Pages(sheets=tuple(_numbers(citation.sheet, len(document.pages))), is_named=True)
    first, last = _ends(citation.page or "")
    by_label = tuple(_labelled(first, last, document.pages))
    if by_label or document.labels_by == "file":
        return Pages(sheets=by_label, is_named=True)
    sheets = tuple(_numbers(citation.page or "", len(document.pages)))
    return Pages(sheets=sheets, is_named=True, is_sheet=bool(sheets) and document.labels_by == "print")


def _ends(written: str) -> tuple[str, str]:
    first, _, last = re.sub(r"[–—]", "-", written).partition("-")
    return first.strip().casefold(), (last or first).strip().casefold()


def _labelled(first: str, last: str, pages: Sequence[Page]) -> Iterator[int]:
    labels = [(page.label or "").casefold() for page in pages]
    if first not in labels or last not in labels:
        return
    if first == last:
        yield from (page.sheet for page, label in zip(pages, labels, strict=True) if label == first)
        return
    start = labels.index(first)
    end = labels.index(last, start) if last in labels[start:] else start
    yield from (page.sheet for page in pages[start : end + 1])


def _numbers(written: str, most: int) -> Iterator[int]:
    first, last = _ends(written)
    if first.isdecimal() and last.isdecimal():
        yield from range(max(1, int(first)), min(int(last), most) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a quote stands: one anchor where page, section or uniqueness decide, several where nothing does."""

    anchors: tuple[Anchor, ...] = ()
    page_agrees: bool | None = None
    section_agrees: bool | None = None
    section_unread: str | None = None
    skips: str | None = None


def find(citation: Citation, document: Document, pages: Pages) -> Found:
    """Where a citation's quote stands, its cited page and section asked in this order."""
    anchors = tuple(anchor(citation.quote or "", document, preferred=pages.sheets))
    if not anchors:
        return Found()
    on_page = [found for found in anchors if not pages.is_named or _is_on(found, pages.sheets)]
    page_agrees = bool(on_page) if pages.is_named else None
    found = _decided(citation.section, document, on_page or list(anchors), page_agrees=page_agrees)
    skips = next((said for a in found.anchors if (said := skipped_negation(document, a))), None)
    return replace(found, skips=skips)


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
    if not fold(quote).text.strip("…."):
        return
    near = [page for page in document.pages if page.sheet in preferred]
    far = [page for page in document.pages if page.sheet not in preferred]
    for search in (_whole, _over_page_ends, _in_parts, _but_for_marks):
        found = list(search(quote, document, near)) or list(search(quote, document, far))
        if found:
            yield from found
            return


def _anchored(quote: str, document: Document, hit: Hit, tier: Tier | None = None) -> Anchor:
    names = foldings(quote, hit.raw)
    return Anchor(
        spans=hit.spans,
        tier=tier or tier_of(hit.reading.name, names),
        foldings=names,
        page=hit.page.label,
        section=section_at(document.headings, hit.spans[0]),
        reading=hit.reading.name,
    )


# --- whole on one page --------------------------------------------------------------------------------------------


def _whole(quote: str, document: Document, pages: Iterable[Page]) -> Iterator[Anchor]:
    wanted = fold(quote)
    for page in pages:
        for reading in page.readings:
            if reading.name == WITHOUT_REFERENCES:
                continue
            found = list(_standing(quote, wanted, page, reading, document))
            if found:
                yield from (_anchored(quote, document, hit) for hit in found)
                break


def _standing(quote: str, wanted: Folded, page: Page, reading: Reading, document: Document) -> Iterator[Hit]:
    return hits(quote, wanted, page, reading, partial(_is_written, document))


def _is_written(document: Document, compound: str) -> bool:
    """Whether a document writes a compound with its hyphen somewhere else."""
    return any(compound in page.text.casefold() for page in document.pages)


# --- over a page end ----------------------------------------------------------------------------------------------


def _over_page_ends(quote: str, document: Document, pages: Iterable[Page]) -> Iterator[Anchor]:
    wanted = fold(quote)
    sheets = {page.sheet for page in pages}
    for first, second in zip(document.pages, document.pages[1:], strict=False):
        if first.sheet in sheets or second.sheet in sheets:
            yield from _joined(quote, wanted, document, first, second)


def _joined(quote: str, wanted: Folded, document: Document, first: Page, second: Page) -> Iterator[Anchor]:
    """A quote that begins at the end of one page's body text and goes on at the start of the next one's."""
    for head in _bodies(first):
        for tail in _bodies(second):
            seam = _seam(wanted.text, head.folded.text, tail.folded.text)
            if seam is None:
                continue
            before = _tail_hit(first, head, seam)
            after = Hit(page=second, reading=tail, start=0, end=len(wanted.text) - seam)
            if _is_sound(quote, before, after):
                yield _join_anchor(quote, document, before, after)
                return


def _bodies(page: Page) -> Iterator[Reading]:
    """The readings of a page in which its body text runs to its edges, the most bare first."""
    yield from (reading for reading in reversed(page.readings) if reading.name == BODY)
    yield from page.readings[:1]


def _seam(wanted: str, head: str, tail: str) -> int | None:
    """How many characters of the quote end the first page, if the rest begins the second; the most, if several do."""
    head = head.removesuffix("-") if head[-2:-1].isalpha() and tail[:1].isalpha() else head
    for length in _splits(wanted, tail):
        rest = wanted[length:].removeprefix(" ")
        if tail.startswith(rest) and head.endswith(wanted[:length]):
            return length
    return None


def _splits(wanted: str, tail: str) -> Iterator[int]:
    """The lengths at which what is left of the quote could begin the second page, the longest first."""
    yield from range(len(wanted) - 1, max(0, len(wanted) - _SHORT_REST), -1)
    position = wanted.rfind(tail[:_SHORT_REST], 1, len(wanted)) if len(tail) >= _SHORT_REST else -1
    while position > 0:
        yield position
        if wanted[position - 1] == " ":
            yield position - 1
        position = wanted.rfind(tail[:_SHORT_REST], 1, position + _SHORT_REST - 1)


def _tail_hit(page: Page, reading: Reading, length: int) -> Hit:
    text = reading.folded.text
    end = len(text) - (text.endswith("-") and not text.endswith("--"))
    return Hit(page=page, reading=reading, start=end - length, end=end)


def _is_sound(quote: str, before: Hit, after: Hit) -> bool:
    """Whether the outer ends of a joined quote cut nothing and nothing that carries meaning was lost."""
    pages = is_whole(before.page.text, before.reading.folded, before.start, len(before.reading.folded.text))
    begins = is_whole(after.page.text, after.reading.folded, 0, after.end)
    return pages and begins and _negations_agree(quote, f"{before.raw} {after.raw}")


def _negations_agree(quote: str, found: str) -> bool:
    def count(text: str) -> list[str]:
        return [word for word in re.findall(r"[^\W\d_]+", readable(text).casefold()) if word in NEGATIONS]

    return count(quote) == count(found)


def _join_anchor(quote: str, document: Document, before: Hit, after: Hit) -> Anchor:
    names = tuple(dict.fromkeys((*foldings(quote, f"{before.raw} {after.raw}"), "page end")))
    return Anchor(
        spans=(*before.spans, *after.spans),
        tier=Tier.JOIN,
        foldings=names,
        page=before.page.label,
        section=section_at(document.headings, before.spans[0]),
        reading=before.reading.name,
    )


# --- in parts -----------------------------------------------------------------------------------------------------


def parts(quote: str) -> tuple[str, ...]:
    """The pieces that `…` joins in a quote."""
    return tuple(part for part in _ELLIPSIS.split(quote) if part.strip())


def _in_parts(quote: str, document: Document, pages: Iterable[Page]) -> Iterator[Anchor]:
    """The parts of a quote in order, on one page or from one page to the next, as close together as they stand."""
    pieces = parts(quote)
    if len(pieces) < 2:
        return
    following = {page.sheet: after for page, after in zip(document.pages, document.pages[1:], strict=False)}
    for page in pages:
        found = _chain(pieces, document, page, following.get(page.sheet))
        if found:
            yield _chained(quote, document, found)


def _chain(pieces: Sequence[str], document: Document, page: Page, after: Page | None) -> tuple[Hit, ...] | None:
    for reading in page.readings:
        chains = []
        for first in _standing(pieces[0], fold(pieces[0]), page, reading, document):
            chain = _continued(pieces, document, first, after)
            if chain:
                chains.append(chain)
        if chains:
            return min(chains, key=_reach)
    return None


def _continued(pieces: Sequence[str], document: Document, first: Hit, after: Page | None) -> tuple[Hit, ...] | None:
    chain = [first]
    for piece in pieces[1:]:
        last = chain[-1]
        following = _next_hit(piece, document, last.page, last.reading, last.end)
        if following is None and after is not None and last.page is not after:
            following = next(
                (hit for reading in after.readings if (hit := _next_hit(piece, document, after, reading, 0))), None
            )
        if following is None:
            return None
        chain.append(following)
    return tuple(chain)


def _next_hit(piece: str, document: Document, page: Page, reading: Reading, start: int) -> Hit | None:
    found = _standing(piece, fold(piece), page, reading, document)
    return next((hit for hit in found if hit.start >= start), None)


def _reach(chain: Sequence[Hit]) -> tuple[int, int]:
    return chain[-1].page.sheet - chain[0].page.sheet, chain[-1].end - chain[0].start


def _chained(quote: str, document: Document, chain: Sequence[Hit]) -> Anchor:
    pieces = parts(quote)
    names = dict.fromkeys(
        name for piece, hit in zip(pieces, chain, strict=True) for name in foldings(piece.strip(), hit.raw)
    )
    tiers = [tier_of(hit.reading.name, tuple(names)) for hit in chain]
    is_over_page_end = chain[0].page is not chain[-1].page
    return Anchor(
        spans=tuple(span for hit in chain for span in hit.spans),
        tier=Tier.JOIN if is_over_page_end else max(tiers, key=list(Tier).index),
        foldings=(*names, "parts joined by …"),
        page=chain[0].page.label,
        section=section_at(document.headings, chain[0].spans[0]),
        reading=chain[0].reading.name,
    )


def skipped_negation(document: Document, found: Anchor) -> str | None:
    """A negation that `…` leaves out of one sentence, which turns what the quote says around; else None."""
    if "parts joined by …" not in found.foldings:
        return None
    for left, right in zip(found.spans, found.spans[1:], strict=False):
        if left.sheet != right.sheet or left.end > right.start:
            continue
        between = readable(document.pages[left.sheet - 1].text[left.end : right.start])
        words = re.findall(r"[^\W\d_]+(?:n['’]t)?", between.casefold())
        if not _SENTENCE_END.search(between):
            return next((word for word in words if word in NEGATIONS or word.endswith(("n't", "n’t"))), None)
    return None


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
            if reading.name == WITHOUT_REFERENCES or (given and reading.name == AS_IT_IS):
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
