"""A search and two readings of its source to what became of it: pages to answer for, hits that are new or vanished."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tracer.model import Citation, Document, Passage, Search, Seen, TermHit
from tracer.paging import cited_sheets
from tracer.proposals import Edit
from tracer.readers.marks import REFERENCE_MARK
from tracer.searching import Terms, unread_pages
from tracer.sections import agrees
from tracer.text import comparable
from tracer.wording import page_label

LEAST_ALIKE = 75
"""How alike (of 100, RapidFuzz's ratio) the words around a hit are before it is the same one."""

NEXT_TO, LEAST_SIDE = 36, 16
"""Comparable characters beside a hit that tell it by themselves, and how many there must be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What became of a search; without an old reading `new` are the hits that nothing answers for.

    An open hit that came to stand on a page that is answered for, for other hits, is as good as new.
    `is_answered` where all new hits stand on pages that the search answers for.
    """

    edits: tuple[Edit, ...] = ()
    new: tuple[Passage, ...] = ()
    vanished: tuple[Passage, ...] = ()
    unread: tuple[str, ...] = ()
    is_answered: bool = False


def sought(search: Search, before: Terms | None, after: Terms) -> Sought:
    """The search done in both readings, its hits told apart by the words around them."""
    hits, unread = after.hits(search), unread_pages(after.document)
    if before is None:
        return Sought(new=tuple(hit.passage for hit in hits if not hit.answered), unread=unread)
    pairs, fresh, vanished = _matched(before.hits(search), hits)
    edits = tuple(_edits(search, before, pairs, after.document))
    fresh += [now for then, now in pairs if now.answered and not then.answered]
    return Sought(
        edits=edits,
        new=tuple(hit.passage for hit in fresh),
        vanished=tuple(hit.passage for hit in vanished),
        unread=unread,
        is_answered=all(hit.answered for hit in fresh),
    )


# --- which hit is which ---------------------------------------------------------------------------------------------

Pairs = Sequence[tuple[TermHit, TermHit]]


def _matched(old: Sequence[TermHit], new: Sequence[TermHit]) -> tuple[Pairs, list[TermHit], list[TermHit]]:
    """The hits that are the same, those that are new and those that vanished."""
    pairs: list[tuple[TermHit, TermHit]] = []
    waiting: dict[tuple[str, str], list[TermHit]] = defaultdict(list)
    for hit in new:
        waiting[hit.term, _words(hit)].append(hit)
    left = []
    for hit in old:
        same = waiting.get((hit.term, _words(hit)))
        if same:
            pairs.append((hit, same.pop(0)))
        else:
            left.append(hit)
    fresh = sorted((hit for hits in waiting.values() for hit in hits), key=lambda hit: (hit.span.sheet, hit.span.start))
    alike = list(_alike(left, fresh))
    ours, theirs = {id(hit) for hit, _ in alike}, {id(hit) for _, hit in alike}
    return (
        [*pairs, *alike],
        [hit for hit in fresh if id(hit) not in theirs],
        [hit for hit in left if id(hit) not in ours],
    )


def _words(hit: TermHit) -> str:
    return _bare(hit.passage.text)


def _bare(text: str) -> str:
    return comparable(REFERENCE_MARK.sub("", text))


def _sides(hit: TermHit) -> tuple[str, str]:
    """The words just before and just after a hit; at a page end there are none on one side."""
    text = hit.passage.text
    start, end = hit.passage.marked or (0, len(text))
    return _bare(text[:start])[-NEXT_TO:], _bare(text[end:])[:NEXT_TO]


def _likeness(old: TermHit, new: TermHit) -> float:
    """How alike the words around two hits are, or those on one side where a page end cut the others off."""
    from rapidfuzz import fuzz

    whole = fuzz.ratio(_words(old), _words(new))
    sides = zip(_sides(old), _sides(new), strict=True)
    return max(whole, *(fuzz.ratio(*side) if min(map(len, side)) >= LEAST_SIDE else 0 for side in sides))


def _alike(old: Sequence[TermHit], new: Sequence[TermHit]) -> Iterator[tuple[TermHit, TermHit]]:
    """Hits of a term among words that are about the same, each taken once, in order."""
    free = list(new)
    for hit in old:
        scored = [(_likeness(hit, other), other) for other in free if other.term == hit.term]
        best = max(scored, key=lambda scored_hit: scored_hit[0], default=None)
        if best and best[0] >= LEAST_ALIKE:
            free = [other for other in free if other is not best[1]]
            yield hit, best[1]


# --- what is answered for -------------------------------------------------------------------------------------------


def _edits(search: Search, before: Terms, pairs: Pairs, new: Document) -> Iterator[Edit]:
    """What makes each `seen` answer for the hits that it answered for, wherever they are now."""
    seen = [_carried(one, before, search, pairs, new) for one in search.seen]
    for index, (written, now) in enumerate(zip(search.seen, seen, strict=True)):
        at = f"{search.at_path}.seen.{index}"
        for name in ("page", "sheet", "section"):
            old, value = getattr(written, name), getattr(now.seen, name)
            if old != value:
                yield Edit(field=f"{at}.{name}", old=old, new=value)
    covered = {sheet for now in seen for sheet in _sheets(now.seen, new)}
    for now in seen:
        for sheet in now.further:
            if sheet not in covered:
                covered.add(sheet)
                item = {"page": page_label(new, sheet), "because": now.seen.because or ""}
                yield Edit(field=f"{search.at_path}.seen", old=None, new=item, appends=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Now:
    """A `seen` as it is to be written, and the sheets that need one more."""

    seen: Seen
    further: tuple[int, ...] = ()


def _carried(seen: Seen, before: Terms, search: Search, pairs: Pairs, new: Document) -> _Now:
    answered = before.hits(replace(search, seen=(seen,)))
    ours = {(hit.term, hit.span) for hit in answered if hit.answered}
    there = [now for hit, now in pairs if (hit.term, hit.span) in ours]
    if not there:
        return _Now(seen=seen)
    if not (seen.page or seen.sheet):
        return _Now(seen=_in_section(seen, there, new))
    sheets, named = sorted({hit.span.sheet for hit in there}), _sheets(seen, new)
    if named & set(sheets):
        return _Now(seen=_in_section(seen, there, new), further=tuple(it for it in sheets if it not in named))
    moved = replace(
        seen,
        page=seen.page and page_label(new, sheets[0]),
        sheet=seen.sheet and str(sheets[0]),
    )
    return _Now(seen=_in_section(moved, there, new), further=tuple(sheets[1:]))


def _in_section(seen: Seen, hits: Sequence[TermHit], new: Document) -> Seen:
    """The `seen` with the section of its hits, where the one that it names does not hold them any more."""
    if not seen.section or any(agrees(seen.section, new, hit.span)[0] is not False for hit in hits):
        return seen
    return replace(seen, section=hits[0].section or seen.section)


def _sheets(seen: Seen, document: Document) -> frozenset[int]:
    if not (seen.page or seen.sheet) or document.kind != "pdf":
        return frozenset({1})
    return frozenset(cited_sheets(Citation(source="", page=seen.page, sheet=seen.sheet), document).sheets)
