"""A page's glyphs to the same glyphs in logical order, where some of its letters are written from right to left.

A PDF says where a glyph stands and not which one is read next: makers write a line of Hebrew or Arabic as it is seen,
as it is said, or in pieces, and pdfium turns some of these round. So the glyphs of a line are put in the order in which
they are seen, and that is turned into the one in which they are read.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tracer.model import Reading
from tracer.readers.columns import Fragment, fragment_around
from tracer.readers.glyphs import Glyphs
from tracer.readers.leftward import Brackets, as_said
from tracer.readers.marks import NUMBERS_FIRST, NUMBERS_LAST, rearranged
from tracer.readers.order import by_column, in_reading_order
from tracer.readers.seen import Cell, cells_of, ends_on_left, pieces_of, rows
from tracer.text import LINE_HYPHENS, fold, has_leftward, reads_leftward

_LATIN = r"(?P<words>[A-Za-z][A-Za-z0-9./+-]*(?: +[A-Za-z][A-Za-z0-9./+-]*)*)"
_AMOUNT = r"(?P<number>\d(?:[\d.,]*\d)?%?)"
_WORDS_NUMBER = re.compile(rf"{_LATIN} +{_AMOUNT}(?!\w)")
_NUMBER_WORDS = re.compile(rf"(?<!\w){_AMOUNT} +{_LATIN}")


def in_logical_order(glyphs: Glyphs) -> tuple[Glyphs, Glyphs | None]:
    """The glyphs in the order in which their lines are read, and column by column if the page is drawn row by row.

    Of a page that is read from left to right only the lines with letters of the other direction are changed.
    """
    found, runs = _line_by_line(glyphs)
    if not reads_leftward(glyphs.text):
        return found, in_reading_order(found)
    return found, by_column(found, [replace(run, left=-run.right, right=-run.left) for run in runs])


def _line_by_line(glyphs: Glyphs) -> tuple[Glyphs, list[Fragment]]:
    """The glyphs with each line in logical order, and where its runs stand on the page."""
    is_leftward = reads_leftward(glyphs.text)
    writing = _Writing()
    brackets = Brackets()
    for spans in rows(glyphs, is_leftward=is_leftward):
        text = "".join(glyphs.text[start:end] for start, end in spans)
        if not is_leftward and not has_leftward(text):
            writing.copy(glyphs, *spans[0])
            continue
        line = cells_of(glyphs, spans)
        from_right = reads_leftward(text) or (is_leftward and (has_leftward(text) or ends_on_left(line)))
        for piece in reversed(pieces_of(line)) if is_leftward else pieces_of(line):
            writing.put(brackets.turned(as_said(piece, is_leftward=from_right)))
        writing.end_line()
    return glyphs.rearranged(writing.text, writing.offsets), writing.runs


def with_numbers_moved(glyphs: Glyphs) -> Iterator[Reading]:
    """The readings of a page in which a number comes before, and after, the Latin words that stand on its left.

    In a line from the right `64 GB` is seen as `GB 64`, and `Qwen 3` as `Qwen 3` (UAX 9, W7): the print is the same for
    both, so that a quote may have either.
    """
    text = glyphs.text
    folded = fold(text)
    for name, pattern in ((NUMBERS_FIRST, _WORDS_NUMBER), (NUMBERS_LAST, _NUMBER_WORDS)):
        pieces: list[tuple[int, int]] = []
        done = 0
        for match in pattern.finditer(text):
            first, second = match.span(1), match.span(2)
            if glyphs.box(match.start("words")).left < glyphs.box(match.start("number")).left:
                pieces += ((done, first[0]), second, first)
                done = second[1]
        if pieces:
            runs = (tuple(bisect_left(folded.offsets, at) for at in piece) for piece in (*pieces, (done, len(text))))
            yield Reading(name=name, folded=rearranged(folded, [(a, b) for a, b in runs if a < b], text))


class _Writing:
    """The text in its new order, and for each of its characters the offset in the old one."""

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.offsets: list[int] = []
        self.runs: list[Fragment] = []

    @property
    def text(self) -> str:
        """The text as far as it is written."""
        return "".join(self.characters)

    def copy(self, glyphs: Glyphs, start: int, end: int) -> None:
        """A line that stays as it is."""
        self.characters.extend(glyphs.text[start:end])
        self.offsets.extend(range(start, end))
        if self.characters[-1] not in LINE_HYPHENS:
            self.end_line()

    def put(self, cells: Sequence[Cell]) -> None:
        """A run of a line, parted from the last one by a space."""
        if self.characters and not self.characters[-1].isspace():
            self._add(" ", self.offsets[-1])
        start = len(self.offsets)
        for cell in cells:
            for character, offset in zip(cell.text, cell.offsets, strict=True):
                self._add(character, offset)
        seen = [cell.box for cell in cells if not cell.is_space]
        if seen:
            self.runs.append(fragment_around(start, len(self.offsets), seen))

    def end_line(self) -> None:
        """End the line with what stands for no glyph of its own."""
        if self.offsets:
            self._add("\r", self.offsets[-1])
            self._add("\n", self.offsets[-1])

    def _add(self, character: str, offset: int) -> None:
        self.characters.append(character)
        self.offsets.append(offset)
