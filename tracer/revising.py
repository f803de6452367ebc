"""Claims, the old and the new reading of their source to proposals: what stands, what moved, what was altered.

Nothing is decided by likeness: a place is proposed only where the quote equals the new text under a named folding.
Which of several such places is meant is told by the words around it in the old reading.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tracer import anchoring, nearness, ranges
from tracer.aligning import Pair, aligned, sections
from tracer.lost import is_altered
from tracer.matching import foldings
from tracer.model import Anchor, Citation, Claim, Document, Heading, Near, Passage, Span, Status, Trace
from tracer.paging import cited_sheets
from tracer.proposals import Edit, Kind, Proposal, Proposals
from tracer.readers.data import value_at
from tracer.readers.marks import REFERENCE_MARK
from tracer.searching import Terms
from tracer.sections import agrees, is_named, lineage
from tracer.seeking import sought
from tracer.stating import stating
from tracer.text import LINE_HYPHENS, comparable
from tracer.wording import page_label, pages_of

AROUND = 300
"""Characters of a page on each side of a quote that tell which of several places was meant."""

LEAST_LEAD = 8
"""By how much (of 100) the words around one place are more alike than those around any other."""

LEAST_ALIKE = 55
"""How alike the words around the chosen place are at the least."""

TYPOGRAPHY = frozenset({"quotes and dashes", "letter forms", "accents", "case", "hyphen"})


def revise(claims: Sequence[Claim], source: str, old: Document | None, new: Document) -> Proposals:
    """Proposals for every pointer of the claims into a source; without the old reading the ledger speaks for it."""
    reviser = _Reviser(source=source, old=old, new=new)
    changed = tuple(pair for pair in reviser.pairs if pair.change)
    return Proposals(source=source, rows=tuple(reviser.rows(claims)), sections=changed, is_old_read=old is not None)


def look_up(
    pointers: Iterable[tuple[Claim, Citation]], source: str, old: Document, new: Document
) -> tuple[Proposal, ...]:
    """What became of some citations, each with its claim; searches and conclusions are another matter."""
    reviser = _Reviser(source=source, old=old, new=new)
    return tuple(reviser.cited(claim, citation) for claim, citation in pointers)


@dataclass(frozen=True, kw_only=True)
class _Reviser:
    """Both readings of one source."""

    source: str
    old: Document | None
    new: Document

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Which section became which; to tell it takes longer than to look a hundred quotes up."""
        return aligned(sections(self.old), sections(self.new)) if self.old else ()

    @cached_property
    def headings(self) -> Mapping[Heading, Heading]:
        """The new heading of each old one."""
        return {old: new for old, new in (pair.headings for pair in self.pairs) if old and new}

    @cached_property
    def terms(self) -> tuple[Terms | None, Terms]:
        """The terms of searches in the old and in the new reading, each looked up once."""
        return Terms(self.old, self.source) if self.old else None, Terms(self.new, self.source)

    def rows(self, claims: Sequence[Claim]) -> Iterator[Proposal]:
        """The proposals in the order of the claims."""
        stated = self._now_stated(claims)
        for claim in claims:
            for citation in claim.citations:
                if citation.source == self.source:
                    yield self.cited(claim, citation)
            for search in claim.searched:
                if search.source == self.source:
                    broken = self._unread(claim, search.at_path)
                    yield from [broken] if claim.broken else self._search(claim, search.at_path)
            if claim.id in stated:
                yield Proposal(claim=claim, at_path="", kind=Kind.NOW_STATED, others=stated[claim.id])

    def _unread(self, claim: Claim, at_path: str) -> Proposal:
        return Proposal(claim=claim, at_path=at_path, kind=Kind.UNCHECKED, reason="its record is broken")

    # --- citations ------------------------------------------------------------------------------------------------

    def cited(self, claim: Claim, citation: Citation) -> Proposal:
        """What became of one citation."""
        if claim.broken:
            return self._unread(claim, citation.at_path)
        start = Proposal(claim=claim, at_path=citation.at_path, kind=Kind.STANDS, quote=citation.quote)
        if citation.at:
            return self._value(start, citation, citation.at)
        if not comparable(citation.quote or ""):
            return replace(start, kind=Kind.UNCHECKED, reason="it has no quote that could be looked up")
        was = _place(citation, self.old) if self.old else None
        start = replace(
            start,
            old=self._passage(self.old, was) if self.old and was else None,
            was_lost=self.old is not None and was is None,
        )
        places = _places(citation, self.new)
        if not places:
            return self._marks(start, citation, was) or self._lost(start, citation)
        chosen = self._chosen(citation, was, places)
        if chosen is None:
            passages = tuple(self._passage(self.new, place) for place in places)
            return replace(start, kind=Kind.AMBIGUOUS, others=passages)
        return self._carried(start, citation, was, chosen)

    def _passage(self, document: Document, place: Anchor) -> Passage:
        span = _extent(place)
        return nearness.passage(document, self.source, document.pages[span.sheet - 1], span.start, span.end)

    def _chosen(self, citation: Citation, was: Anchor | None, places: Sequence[Anchor]) -> Anchor | None:
        """The place that is meant: the only one, the one among the same words, or the one that is cited."""
        if len(places) == 1:
            return places[0]
        by_words = self._among_same_words(was, places)
        if by_words:
            return by_words
        found = anchoring.find(citation, self.new, cited_sheets(citation, self.new))
        is_cited = found.page_agrees is not False and found.section_agrees is not False
        return found.anchors[0] if len(found.anchors) == 1 and is_cited else None

    def _among_same_words(self, was: Anchor | None, places: Sequence[Anchor]) -> Anchor | None:
        """The place whose surroundings are those of the old one, if they are clearly more alike than any others."""
        from rapidfuzz import fuzz

        if was is None or self.old is None:
            return None
        words = _surroundings(self.old, was)
        scores = [fuzz.ratio(words, _surroundings(self.new, place)) for place in places]
        best, second = sorted(scores, reverse=True)[:2]
        return places[scores.index(best)] if best >= LEAST_ALIKE and best - second >= LEAST_LEAD else None

    def _carried(self, start: Proposal, citation: Citation, was: Anchor | None, place: Anchor) -> Proposal:
        """A quote that stands, with what must be written for it to be found."""
        found = replace(start, new=self._passage(self.new, place))
        moves = tuple(self._moves(citation, place))
        if moves:
            return replace(found, kind=Kind.MOVED, edits=moves)
        if was and self.old and _is_set_otherwise(_raw(self.old, was), _raw(self.new, place)):
            retyped = tuple(self._retyped(citation, was, place))
            return replace(found, kind=Kind.TYPOGRAPHY, edits=retyped)
        return found

    def _moves(self, citation: Citation, place: Anchor) -> Iterator[Edit]:
        """The fields of a citation that name another place than the quote's."""
        at, cited = citation.at_path, cited_sheets(citation, self.new)
        if cited.is_named and not any(span.sheet in cited.sheets for span in place.spans):
            if citation.sheet:
                yield Edit(field=f"{at}.sheet", old=citation.sheet, new=str(place.spans[0].sheet))
            if citation.page:
                yield Edit(field=f"{at}.page", old=citation.page, new=self._page(citation.page, place))
        if citation.section and agrees(citation.section, self.new, place.spans[0])[0] is False:
            section = self._section(citation.section, place)
            if section:
                yield Edit(field=f"{at}.section", old=citation.section, new=section)
        if citation.lines and self.new.kind != "pdf":
            first, last = ranges.lines_of(self.new.pages[0].text, place.spans)
            if not ranges.holds(citation.lines, (first, last)):
                yield Edit(field=f"{at}.lines", old=citation.lines, new=ranges.written(first, last))

    def _page(self, cited: str, place: Anchor) -> str:
        """The printed page of a place; both of a quote over a page end only where a range was cited."""
        is_range = "-" in cited or "–" in cited
        return pages_of(place, self.new) if is_range else page_label(self.new, place.spans[0].sheet)

    def _section(self, cited: str, place: Anchor) -> str | None:
        """How the section of a place is written: the cited one under its new number or title, else the innermost."""
        around = list(lineage(self.new.headings, place.section))
        heirs = [new for old, new in self.headings.items() if is_named(cited, old) and new in around]
        heading = heirs[0] if heirs else place.section
        if heading is None:
            return None
        is_by_title = bool(heirs) and any(
            comparable(cited) == comparable(old.title) for old, new in self.headings.items() if new is heading
        )
        return heading.title if is_by_title else str(heading)

    def _retyped(self, citation: Citation, was: Anchor, place: Anchor) -> Iterator[Edit]:
        """The quote as the new text sets it, where it was written as the old one did."""
        if self.old is None or len(anchoring.parts(citation.quote or "")) > 1:
            return
        old, new = (nearness.readable(_raw(*of)).strip() for of in ((self.old, was), (self.new, place)))
        if citation.quote == old and comparable(new) == comparable(old):
            yield Edit(field=f"{citation.at_path}.quote", old=citation.quote, new=new)

    # --- citations that are not there any more --------------------------------------------------------------------

    def _marks(self, start: Proposal, citation: Citation, was: Anchor | None) -> Proposal | None:
        """A quote of which only the bracketed reference numbers are others now."""
        quote = citation.quote or ""
        places = [place for place, _ in anchoring.but_for_marks(quote, self.new, self.new.pages)]
        place = self._chosen_of_marks(was, places)
        if place is None:
            return None
        span = _extent(place)
        page = self.new.pages[span.sheet - 1]
        raw = page.text[span.start : anchoring.end_with_marks(page.text, place.spans[-1].end)]
        marked = Edit(field=f"{citation.at_path}.quote", old=quote, new=_with_marks_of(quote, raw))
        edits = (marked, *self._moves(citation, place))
        return replace(start, kind=Kind.REFERENCE_MARKS, edits=edits, new=self._passage(self.new, place))

    def _chosen_of_marks(self, was: Anchor | None, places: Sequence[Anchor]) -> Anchor | None:
        distinct = list({place.spans[0]: place for place in places}.values())
        return distinct[0] if len(distinct) == 1 else self._among_same_words(was, distinct) if distinct else None

    def _lost(self, start: Proposal, citation: Citation) -> Proposal:
        """A quote that is nowhere: altered where a passage is near enough to be the one, else gone."""
        unread = next((page for page in self.new.pages if page.unreadable), None)
        if unread:
            why = f"page {unread.label or unread.sheet} cannot be read: {unread.unreadable}"
            return replace(start, kind=Kind.UNCHECKED, reason=why)
        quote, sheets = citation.quote or "", cited_sheets(citation, self.new).sheets
        near = nearness.nearest(quote, self.new, self.source, sheets)
        left_out = nearness.left_out(quote, self.new, range(1, len(self.new.pages) + 1))
        trace = Trace(claim=start.claim, citation=citation, near=near, left_out=left_out)
        kind = Kind.ALTERED if is_altered(trace) else Kind.GONE
        reason = f"“{left_out}” stands between its words now" if left_out else None
        return _with_near(replace(start, kind=kind, reason=reason), near)

    def _value(self, start: Proposal, citation: Citation, path: str) -> Proposal:
        """A path of a data file: its value is the same, another one, or not there."""
        now = value_at(self.new, path)
        before = citation.quote or (None if self.old is None else value_at(self.old, path))
        if now is None:
            return replace(start, kind=Kind.GONE, reason=f"there is no {path}")
        if before is None or comparable(before) == comparable(now):
            return start
        return replace(start, kind=Kind.ALTERED, changes=((before, now),))

    # --- searches and conclusions ---------------------------------------------------------------------------------

    def _search(self, claim: Claim, at_path: str) -> Iterator[Proposal]:
        """What became of a search: the pages that it answers for, and hits that are new or have vanished."""
        search = next(search for search in claim.searched if search.at_path == at_path)
        found = sought(search, *self.terms)
        start = Proposal(claim=claim, at_path=at_path, kind=Kind.STANDS)
        if found.edits:
            yield replace(start, kind=Kind.MOVED, edits=found.edits)
        if found.new:
            reason = "its page is answered for" if found.is_answered else None
            yield replace(start, kind=Kind.NEW_HITS, others=found.new, reason=reason)
        if found.vanished:
            yield replace(start, kind=Kind.VANISHED_HITS, others=found.vanished)
        if found.unread:
            yield replace(start, kind=Kind.UNCHECKED, reason=found.unread[0])
        if not (found.edits or found.new or found.vanished or found.unread):
            yield start

    def _now_stated(self, claims: Sequence[Claim]) -> Mapping[str, tuple[Passage, ...]]:
        """For the conclusions that lean on the source: sentences that seem to state them and were not there before."""
        by_id = {claim.id: claim for claim in claims}
        concluded = [
            claim
            for claim in claims
            if claim.status is Status.CONCLUDED and not claim.broken and self._leans_here(claim, by_id)
        ]
        now = stating(concluded, self.source, self.new) if concluded else ()
        before = stating(concluded, self.source, self.old) if concluded and self.old else ((),) * len(now)
        fresh = ((c.id, tuple(_not_among(after, then))) for c, after, then in zip(concluded, now, before, strict=True))
        return {name: passages for name, passages in fresh if passages}

    def _leans_here(self, claim: Claim, by_id: Mapping[str, Claim]) -> bool:
        grounds = (claim, *(by_id[name] for name in claim.leans_on if name in by_id))
        return any(citation.source == self.source for ground in grounds for citation in ground.cite)


# --- places ---------------------------------------------------------------------------------------------------------


def _place(citation: Citation, document: Document) -> Anchor | None:
    """Where a quote stood, by its page and section where it stood several times."""
    found = anchoring.find(citation, document, cited_sheets(citation, document))
    return found.anchors[0] if found.anchors else None


def _places(citation: Citation, document: Document) -> tuple[Anchor, ...]:
    """Every place of a quote, those on the cited pages first, each once."""
    quote, cited = citation.quote or "", cited_sheets(citation, document)
    both = (*anchoring.anchor(quote, document, preferred=cited.sheets), *anchoring.anchor(quote, document))
    return tuple({(place.spans[0].sheet, place.spans[0].start): place for place in reversed(both)}.values())[::-1]


def _extent(place: Anchor) -> Span:
    """The run of the first page from the first to the last word of a place."""
    first = place.spans[0]
    ends = [span.end for span in place.spans if span.sheet == first.sheet and span.end > first.start]
    return replace(first, end=max(ends))


def _raw(document: Document, place: Anchor) -> str:
    return " ".join(document.pages[span.sheet - 1].text[span.start : span.end] for span in place.spans)


def _surroundings(document: Document, place: Anchor) -> str:
    """The comparable words around a place without reference marks, on its page and, near an end, the next one."""
    span = _extent(place)
    text = document.pages[span.sheet - 1].text
    before = document.pages[span.sheet - 2].text[-AROUND:] if span.start < AROUND and span.sheet > 1 else ""
    after = document.pages[span.sheet].text[:AROUND] if _ends_page(document, span) else ""
    around = f"{text[max(0, span.start - AROUND) : span.end + AROUND]}"
    return comparable(REFERENCE_MARK.sub("", f"{before[: AROUND - span.start]} {around} {after}"))


def _ends_page(document: Document, span: Span) -> bool:
    return span.sheet < len(document.pages) and span.end + AROUND > len(document.pages[span.sheet - 1].text)


# --- words ----------------------------------------------------------------------------------------------------------


def _is_set_otherwise(old: str, new: str) -> bool:
    """Whether two equal passages differ in their signs, and not only in how their lines are broken."""
    names = set(foldings(old, new)) & TYPOGRAPHY
    has_line_hyphen = any(hyphen in text for hyphen in LINE_HYPHENS for text in (old, new))
    return bool(names - {"hyphen"} if has_line_hyphen else names)


def _with_marks_of(quote: str, raw: str) -> str:
    """A quote with the reference numbers of the new text, one for one where there are as many."""
    ours, theirs = REFERENCE_MARK.findall(quote), REFERENCE_MARK.findall(raw)
    if len(ours) != len(theirs):
        return nearness.readable(raw).strip()
    marks = iter(theirs)
    return REFERENCE_MARK.sub(lambda _: nearness.readable(next(marks)), quote)


def _with_near(row: Proposal, near: Near | None) -> Proposal:
    return row if near is None else replace(row, new=near.passage, changes=near.changes)


def _not_among(passages: Iterable[Passage], known: Iterable[Passage]) -> Iterator[Passage]:
    """The passages whose words were not there before, reference marks aside."""
    before = Counter(comparable(REFERENCE_MARK.sub("", passage.text)) for passage in known)
    return (passage for passage in passages if comparable(REFERENCE_MARK.sub("", passage.text)) not in before)
