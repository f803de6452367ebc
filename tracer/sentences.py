"""A document to its sentences, each with the stems of its words, in the reading order of the body text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from tracer.model import Document, Page, Reading
from tracer.nearness import readable
from tracer.readers.layout import line_spans
from tracer.readers.marks import BODY, WITHOUT_MARKS
from tracer.text import LINE_HYPHENS

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’)\]]*\s+(?=[\"“(\[]?[A-Z0-9])")
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|et al|cf|vs|figs?|tabs?|eqs?|secs?|no|approx|resp|ca|pp)|\b[A-Z])\.$", re.I)
_WORD = re.compile(r"[^\W_]+(?:[-‐‑–'’.][^\W_]+)*")
_ACROSS_LINES = re.compile(rf"[^\W_]+[{LINE_HYPHENS}]\s*[^\W_]+")
_LINE_END = re.compile(rf"[{LINE_HYPHENS}]\s*")
_SHORT = 3
_FUNCTION_WORDS = (
    "a about above after again all also am an and any are as at be been before being below between both but by can"
    " could did do does each few for from further had has have having he her here his how i if in into is it its may"
    " might more most must no nor not of off on only or other our out over own per same shall she should so some such"
    " than that the their them then there these they this those through to too under until up upon us use used uses"
    " using very via was we were what when where which while who whom why will with within without would you your"
)
_WITHOUT_CONTENT = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence on one line, the page and offset where it begins, the stems of its words, and how many they are."""

    text: str
    page: Page
    start: int
    stems: frozenset[str]
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line of a page; `is_apart` from the body text, `is_alone` where no sentence goes on from it or into it."""

    page: Page
    start: int
    text: str
    is_apart: bool
    is_alone: bool


def sentences(document: Document) -> Iterator[Sentence]:
    """The sentences of the body text, over page ends too, then those of captions, notes and small type."""
    lines = list(_lines(document))
    for block in _blocks([line for line in lines if not line.is_apart]):
        yield from _cut(block)
    for block in _blocks([line for line in lines if line.is_apart]):
        yield from _cut(block)


def words(text: str) -> list[str]:
    """The words of a text as written; a compound is one."""
    return _WORD.findall(text)


def are_mostly_figures(written: Sequence[str]) -> bool:
    """Whether half of some words or more hold digits, as the cells of a table's row do."""
    return 2 * sum(any(map(str.isdigit, word)) for word in written) >= len(written)


@lru_cache(maxsize=8192)
def stems(written: str) -> tuple[str, ...]:
    """The stem of a word as if written in one, then those of the parts of a compound; none for function words."""
    word = written.casefold()
    if word.isalnum():
        return () if word in _WITHOUT_CONTENT else (_stem(word),)
    pieces = [piece for piece in re.split(r"[-‐‑–]", word) if piece not in _WITHOUT_CONTENT]
    if len(pieces) < 2:
        return tuple(_stem(piece) for piece in pieces)
    return (_stem("".join(pieces)), *(_stem(piece) for piece in pieces))


def _stem(word: str) -> str:
    """A word without the endings of plural, gerund and past, roughly; equal for the forms of most words."""
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) <= _SHORT or not word.isalpha():
        return word
    if word.endswith("ies"):
        word = f"{word[:-3]}y" if len(word) > 4 else word
    if word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    if word.endswith(("ing", "ed")):
        stem = word[:-3] if word.endswith("ing") else word[:-2]
        word = stem if len(stem) >= _SHORT else word
    if len(word) > 1 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > _SHORT else word


def body(page: Page) -> Reading:
    """The reading of a page that leaves out most of what interrupts its sentences."""
    wanted = (reading for name in (BODY, WITHOUT_MARKS) for reading in page.readings if reading.name.startswith(name))
    return next(wanted, page.readings[0])


# --- lines ----------------------------------------------------------------------------------------------------------


def _lines(document: Document) -> Iterator[_Line]:
    headings: dict[int, list[int]] = {}
    for heading in document.headings:
        headings.setdefault(heading.sheet, []).append(heading.start)
    for page in document.pages:
        if page.readings:
            yield from _lines_of(page, sorted(headings.get(page.sheet, ())))


def _lines_of(page: Page, headings: Sequence[int]) -> Iterator[_Line]:
    kept = sorted(body(page).folded.offsets)
    for start, end in line_spans(page.text):
        text = page.text[start:end]
        yield _Line(
            page=page,
            start=start,
            text=text if text[-1] in LINE_HYPHENS else f"{text}\n",
            is_apart=not _has_between(kept, start, end),
            is_alone=_has_between(headings, start, end) or _is_row(text),
        )


def _has_between(ordered: Sequence[int], start: int, end: int) -> bool:
    position = bisect_left(ordered, start)
    return position < len(ordered) and ordered[position] < end


def _is_row(line: str) -> bool:
    """Whether a line looks like the row of a table."""
    if not any(map(str.isdigit, line)):
        return False
    cells = line.split()
    return len(cells) > _SHORT and are_mostly_figures(cells)


def _blocks(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Lines that run on; what stands apart from the body text does not run on over a page end."""
    block: list[_Line] = []
    for line in lines:
        is_elsewhere = bool(block) and line.is_apart and line.page is not block[-1].page
        if block and (line.is_alone or block[-1].is_alone or is_elsewhere):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


# --- sentences ------------------------------------------------------------------------------------------------------


def _cut(block: Sequence[_Line]) -> Iterator[Sentence]:
    """The sentences of lines that run on."""
    text = "".join(line.text for line in block)
    starts = [0]
    for line in block:
        starts.append(starts[-1] + len(line.text))
    begin = 0
    for end in (*ends(text), len(text)):
        if text[begin:end].strip():
            position = bisect_right(starts, begin) - 1
            line = block[position]
            yield _sentence(text[begin:end], line.page, line.start + begin - starts[position])
        begin = end


def ends(text: str) -> Iterator[int]:
    """Where the sentences of a running text end, but for the last."""
    for found in _SENTENCE_END.finditer(text):
        if not _NO_END.search(text, max(0, found.start() - 8), found.start()):
            yield found.end()


def _sentence(raw: str, page: Page, start: int) -> Sentence:
    """A sentence with the stems of its words; what a line-end hyphen joins counts both as one word and as two."""
    text = readable(raw).strip()
    written = words(text)
    is_parted = any(hyphen in raw for hyphen in LINE_HYPHENS)
    parted = [_LINE_END.sub("-", word) for word in _ACROSS_LINES.findall(raw)] if is_parted else []
    found = frozenset(chain.from_iterable(map(stems, (*written, *parted))))
    return Sentence(text=text, page=page, start=start, stems=found, words=len(written))
