"""Search terms to every place where documents hold them, and the pages that could not be searched.

Nothing is decided here. A term is looked for generously, because what is missed would pass as silence.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from tracer.model import Citation, Document, Page, Passage, Reading, Search, Seen, Span, TermHit
from tracer.nearness import passage
from tracer.paging import cited_sheets
from tracer.sections import agrees
from tracer.sentences import body
from tracer.text import LINE_HYPHENS, comparable, is_word_character
from tracer.wording import page_words

SHORT = 3
"""Terms of up to so many letters must be whole words."""

MOST_UNKNOWN = 0.02
"""Above this share of characters without a Unicode value a page cannot be searched."""

_REACH = 160
"""Comparable characters on each side of a page end in which a term over it is looked for."""


def unread_pages(document: Document) -> tuple[str, ...]:
    """The pages whose text cannot be searched, with the reason: `p. 3 (sheet 5): it has no text layer (a scan)`."""
    reasons = ((page, page.unreadable or _unknown(page.text)) for page in document.pages)
    return tuple(
        f"{page_words(page.label or str(page.sheet), page.sheet)}: {reason}" for page, reason in reasons if reason
    )


def _unknown(text: str) -> str | None:
    unknown, visible = text.count("\ufffd"), len("".join(text.split()))
    if unknown <= MOST_UNKNOWN * visible:
        return None
    return f"{100 * unknown / visible:.0f} % of its characters have no Unicode value"


# --- terms --------------------------------------------------------------------------------------------------------

_LETTER = r"[^\W\d_]"
_JOINT = re.compile(
    rf"(?<={_LETTER})\s*[-‐‑‒–—_]+\s*(?={_LETTER})|(?<={_LETTER}{{2}})[-‐‑_](?=\d)|(?<=\d)[-‐‑_](?={_LETTER})|\s+|_"
)
_ENDINGS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("ices", "ices", ("ices", "ix", "ex")),
    ("[ei]x", "[ei]x", ("ixes", "exes", "ices", "ix", "ex")),
    ("ies", "ies", ("ies", "y")),
    ("[^aeiou]y", "y", ("ies", "y")),
    ("sis", "is", ("es", "is")),
    ("(?:ss|sh|ch|x|z)es", "es", ("es", "")),
    ("ses", "es", ("es", "is", "e", "")),
    ("(?<![sui])s", "s", ("es", "s", "")),
)
_REGULAR = ("es", "s", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Term:
    """A term as it is looked for: what it begins with, all but the ending of its last word, the endings it may have."""

    begins: str
    stem: re.Pattern[str]
    endings: tuple[str, ...]
    is_whole: bool


@lru_cache(maxsize=4096)
def _term(written: str) -> _Term | None:
    """The forms of a written term; None where nothing comparable is left of it."""
    words = [word for word in map(comparable, _JOINT.split(written)) if word]
    if not words:
        return None
    forms = [_forms(word) for word in words]
    pattern = re.escape(forms[0][0])
    for (_, endings), (stem, _), word, after in zip(forms, forms[1:], words, words[1:], strict=False):
        joint = " " if word[-1].isdigit() and after[0].isdigit() else "[-_]?"
        pattern += f"(?:{'|'.join(endings)}){joint}{re.escape(stem)}"
    text = "".join(words)
    is_whole = len(text) <= SHORT or not text[-1].isalpha() or re.search("[^s]ses$", text) is not None
    return _Term(begins=forms[0][0], stem=re.compile(pattern), endings=forms[-1][1], is_whole=is_whole)


def _forms(word: str) -> tuple[str, tuple[str, ...]]:
    """A word without its ending, and the endings of its singular and plural, longest first."""
    if len(word) <= SHORT or not word.isalpha():
        return word, ("s", "") if word[-1].isalnum() else ("",)
    for pattern, ending, endings in _ENDINGS:
        if re.search(f"{pattern}$", word):
            return re.sub(f"{ending}$", "", word), endings
    return word, _REGULAR


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """A place between two comparable characters of a reading of a page."""

    page: Page
    reading: Reading
    at: int

    @property
    def before(self) -> int:
        """The offset in the page's text of the comparable character before."""
        return self.reading.folded.offsets[self.at - 1]

    @property
    def after(self) -> int:
        """The offset in the page's text of the comparable character after."""
        return self.reading.folded.offsets[self.at]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """Comparable text in which terms are looked for: a reading of a page, or what stands on both sides of a page end.

    `first` is where its text begins; over a page end `second` is where the next page's begins, at `cut` of the text.
    """

    text: str
    first: _Edge
    second: _Edge | None = None
    cut: int = 0

    def begin(self, start: int) -> _Edge:
        """The edge at which a run that begins on the first page begins."""
        return replace(self.first, at=self.first.at + start)

    def end(self, end: int) -> _Edge:
        """The edge at which a run ends."""
        if self.second is None:
            return replace(self.first, at=self.first.at + end)
        return replace(self.second, at=self.second.at + end - self.cut)


class Terms:
    """The places of terms in one document, each term looked for once however many searches name it."""

    def __init__(self, document: Document, source: str) -> None:
        self.document = document
        self.source = source
        self._known: dict[str, tuple[tuple[TermHit, TermHit], ...]] = {}
        self._answers: dict[Seen, _Answer] = {}

    def hits(self, search: Search) -> tuple[TermHit, ...]:
        """Every place of every term of a search, by page and offset, and whether `seen` answers for it."""
        pairs = [pair for term in dict.fromkeys(search.terms) for pair in self._places(term)]
        answers = [self._answer(seen) for seen in search.seen if (seen.because or "").strip()]
        pairs.sort(key=lambda pair: (pair[0].span.sheet, pair[0].span.start))
        return tuple(
            answered if any(answer.covers(hit.span, self.document) for answer in answers) else hit
            for hit, answered in pairs
        )

    def _answer(self, seen: Seen) -> "_Answer":
        if seen not in self._answers:
            self._answers[seen] = _Answer.of(seen, self.document)
        return self._answers[seen]

    def _places(self, written: str) -> tuple[tuple[TermHit, TermHit], ...]:
        """Each place of a term, open and answered for."""
        if written not in self._known:
            self._known[written] = tuple((hit, replace(hit, answered=True)) for hit in self._found(written))
        return self._known[written]

    def _found(self, written: str) -> Iterator[TermHit]:
        term = _term(written)
        if term is None:
            return
        taken: set[tuple[int, int]] = set()
        for stretch in self._stretches:
            for start, end in self._runs(term, stretch):
                hit = self._hit(written, stretch.begin(start), stretch.end(end))
                if (hit.span.sheet, hit.span.start) not in taken:
                    taken.add((hit.span.sheet, hit.span.start))
                    yield hit

    @cached_property
    def _stretches(self) -> tuple[_Stretch, ...]:
        pages = self.document.pages
        whole = [
            _Stretch(text=reading.folded.text, first=_Edge(page=page, reading=reading, at=0))
            for page in pages
            for reading in page.readings
        ]
        return (*whole, *(_over_end(*pair) for pair in pairwise(pages) if _have_text(pair)))

    def _runs(self, term: _Term, stretch: _Stretch) -> Iterator[tuple[int, int]]:
        """The runs of a stretch that are a form of the term; over a page end those alone that cross it."""
        text, last = stretch.text, stretch.cut if stretch.second else len(stretch.text)
        start = text.find(term.begins, 0)
        while 0 <= start < last:
            stem = term.stem.match(text, start)
            if stem and self._is_begin(stretch.begin(start)):
                end = self._end(term, stretch, stem.end())
                if end is not None and end > stretch.cut:
                    yield start, end
            start = text.find(term.begins, start + 1)

    def _end(self, term: _Term, stretch: _Stretch, stem: int) -> int | None:
        """Where a term ends whose last stem ends here: after the ending that makes it a word, else within the word."""
        ends = [stem + len(ending) for ending in term.endings if stretch.text.startswith(ending, stem)]
        within = None if term.is_whole or not ends else ends[-1]
        crossing = [end for end in ends if end > stretch.cut]
        return next((end for end in crossing if self._is_end(stretch.end(end))), within)

    def _is_begin(self, edge: _Edge) -> bool:
        """Whether a word or a number begins here."""
        text = edge.reading.folded.text
        if edge.at == 0 or not is_word_character(text[edge.at]) or _is_written_solid(text[edge.at]):
            return True
        return self._is_between_words(edge) or not (
            is_word_character(text[edge.at - 1]) or _is_in_number(text, edge.at)
        )

    def _is_end(self, edge: _Edge) -> bool:
        """Whether a word or a number ends here."""
        text = edge.reading.folded.text
        if edge.at >= len(text) or not is_word_character(text[edge.at - 1]) or _is_written_solid(text[edge.at - 1]):
            return True
        return self._is_between_words(edge) or not (
            is_word_character(text[edge.at]) or _is_in_number(text, edge.at + 1)
        )

    def _is_between_words(self, edge: _Edge) -> bool:
        """Whether the page shows white space or a sign here; a line-end hyphen may have been put into one word."""
        text = edge.page.text
        if "_" in (text[edge.before], text[edge.after]) or edge.after < edge.before:
            return True
        between = text[edge.before + 1 : edge.after]
        if any(hyphen in between for hyphen in LINE_HYPHENS):
            return _joined(text, edge.before, edge.after) not in self._solid_words
        return any(_is_visible_gap(character) for character in between)

    @cached_property
    def _solid_words(self) -> frozenset[str]:
        """The words that the document writes in one piece."""
        return frozenset(
            word for page in self.document.pages for word in re.findall(rf"{_LETTER}+", page.text.casefold())
        )

    def _hit(self, term: str, begin: _Edge, end: _Edge) -> TermHit:
        if begin.page is not end.page:
            return self._hit_over_end(term, begin, end)
        offsets = begin.reading.folded.offsets[begin.at : end.at]
        span = Span(sheet=begin.page.sheet, start=min(offsets), end=max(offsets) + 1)
        return _hit(term, span, passage(self.document, self.source, begin.page, span.start, span.end))

    def _hit_over_end(self, term: str, begin: _Edge, end: _Edge) -> TermHit:
        """A hit that begins on one page and ends on the next; its span is the part on the first."""
        last, second = begin.reading.folded.offsets[-1] + 1, end.reading.folded.offsets[0]
        left = passage(self.document, self.source, begin.page, begin.after, last)
        right = passage(self.document, self.source, end.page, second, end.before + 1)
        (start, stop), (skip, rest) = left.marked or (0, 0), right.marked or (0, 0)
        shown = f"{left.text[:stop]} {right.text[skip:]}"
        there = replace(left, text=shown, marked=(start, stop + 1 + rest - skip))
        return _hit(term, Span(sheet=begin.page.sheet, start=begin.after, end=last), there)


def _hit(term: str, span: Span, there: Passage) -> TermHit:
    return TermHit(term=term, span=span, page=there.page, section=there.section, passage=there, answered=False)


def _have_text(pages: Sequence[Page]) -> bool:
    return all(page.readings and body(page).folded.text for page in pages)


def _over_end(page: Page, after: Page) -> _Stretch:
    first, second = body(page), body(after)
    before = first.folded.text.rstrip("-") or first.folded.text
    tail = before[-_REACH:]
    return _Stretch(
        text=tail + second.folded.text[:_REACH],
        first=_Edge(page=page, reading=first, at=len(before) - len(tail)),
        second=_Edge(page=after, reading=second, at=0),
        cut=len(tail),
    )


def _is_in_number(text: str, at: int) -> bool:
    """Whether the sign before a digit is its number's decimal point or comma."""
    return text[at : at + 1].isdigit() and text[at - 1] in ".," and text[max(at - 2, 0) : at - 1].isdigit()


def _is_written_solid(character: str) -> bool:
    """Whether words of a script are not set apart: kana and Han."""
    return "\u3040" <= character <= "\u9fff"


def _is_visible_gap(character: str) -> bool:
    return not character.isalnum() and unicodedata.category(character) not in {"Cf", "Mn"}


def _joined(text: str, before: int, after: int) -> str:
    """The word that a line-end hyphen makes of the letters before and after it."""
    left = re.search(rf"{_LETTER}*$", text[max(0, before - 40) : before + 1])
    right = re.match(rf"{_LETTER}*", text[after : after + 40])
    return ((left.group() if left else "") + (right.group() if right else "")).casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What one `seen` answers for: its sheets, its section, or where both are given what lies in both."""

    sheets: frozenset[int] | None
    section: str | None

    @classmethod
    def of(cls, seen: Seen, document: Document) -> "_Answer":
        """The sheets that a page or a range names; a source without pages is page 1."""
        if not (seen.page or seen.sheet):
            return cls(sheets=None, section=seen.section)
        if document.kind != "pdf":
            return cls(sheets=frozenset({1} if (seen.sheet or seen.page) == "1" else ()), section=seen.section)
        named = cited_sheets(Citation(source="", page=seen.page, sheet=seen.sheet), document)
        return cls(sheets=frozenset(named.sheets), section=seen.section)

    def covers(self, span: Span, document: Document) -> bool:
        """Whether a place is answered for."""
        if self.sheets is None and not self.section:
            return False
        is_on_sheet = self.sheets is None or span.sheet in self.sheets
        return is_on_sheet and (not self.section or agrees(self.section, document, span)[0] is True)
