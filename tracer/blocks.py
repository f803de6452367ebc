"""The text of a page to its blocks: running text, cells of tables and values of lists, each with what heads it.

Rows are lines with tabs, as the readers of markup set them; the first of a table names its columns. In a list of values
a short line names the one below it, as where the terms of a definition list were copied as text.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracer.model import Heading
from tracer.sections import MOST_TITLES, titles
from tracer.sentences import words

MOST_TITLE = 14
"""Words up to which a line of its own without an end is a title."""

MOST_NAME = 4
"""Words up to which such a line can name the value below it."""

LEAST_VALUES = 2
"""How many named values one below the other make a list."""

ITEM = re.compile(r"\s*(?:[-*+•‣▪–]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+")
_ENDS_SENTENCE = re.compile(r"[.!?…:;]['\"”’)\]]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A run of text, where it starts, and what heads it, nearest first: its row and column, or its name, and titles.

    A value stands in a cell or below its name and is no sentence: a word can say as much there as one does elsewhere.
    """

    start: int
    text: str
    heads: tuple[str, ...]
    is_value: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line with the heading that it holds."""

    start: int
    text: str
    heading: Heading | None

    @property
    def is_row(self) -> bool:
        return self.heading is None and "\t" in self.text.strip()

    @property
    def is_prose(self) -> bool:
        return self.heading is None and bool(self.text.strip()) and not self.is_row

    def is_title(self, most: int) -> bool:
        """Whether it has few words and does not end as a sentence does."""
        return self.is_prose and not ITEM.match(self.text) and _is_cut(self.text, most)


def _is_cut(text: str, most: int) -> bool:
    return not _ENDS_SENTENCE.search(text.strip()) and len(words(text)) <= most


def blocks(text: str, headings: Sequence[Heading]) -> Iterator[Block]:
    """The blocks of a page in order, without its titles; these are `headings`, or short lines where it has none."""
    lines, position = tuple(_lines(text, headings)), 0
    around: tuple[str, ...] = ()
    while position < len(lines):
        line, rows, values = lines[position], _rows(lines, position), _values(lines, position)
        if rows:
            yield from _cells(rows, around)
        elif values:
            yield from (_under(value.start, value.text, (name.text.strip(), *around)) for name, value in values)
        elif line.heading:
            around = titles(headings, line.heading)
        elif line.is_title(MOST_TITLE):
            around = around if headings else (line.text.strip(), *around)[:MOST_TITLES]
        elif line.is_prose:
            yield Block(start=line.start, text=line.text, heads=around)
        position += len(rows) or 2 * len(values) or 1


def _lines(text: str, headings: Sequence[Heading]) -> Iterator[_Line]:
    """The lines of a text; of several headings on one line, which a reader may see, the last counts."""
    waiting, start = deque(sorted(headings, key=lambda heading: heading.start)), 0
    for line in text.split("\n"):
        heading = None
        while waiting and waiting[0].start <= start + len(line):
            heading = waiting.popleft()
        yield _Line(start=start, text=line, heading=heading)
        start += len(line) + 1


def _under(start: int, text: str, heads: tuple[str, ...]) -> Block:
    return Block(start=start, text=text, heads=heads, is_value=_is_cut(text, MOST_TITLE))


# --- tables ---------------------------------------------------------------------------------------------------------


def _rows(lines: Sequence[_Line], position: int) -> Sequence[_Line]:
    """The rows of a table that begins at a line, if one does; a name alone between two rows is one with empty cells."""
    end = position
    while end < len(lines) and lines[end].is_row:
        is_gap = end + 2 < len(lines) and lines[end + 1].is_title(MOST_NAME) and lines[end + 2].is_row
        end += 2 if is_gap else 1
    return lines[position:end]


def _cells(rows: Sequence[_Line], around: tuple[str, ...]) -> Iterator[Block]:
    """The cells beside the first column, below the row that names the columns.

    A table of two columns names a thing and its value in each row, the first included: what has no names for its
    columns has an empty row there, which leaves no line.
    """
    columns = [cell for _, cell in _parted(rows[0])]
    is_pairs = all(len(list(_parted(row))) <= 2 for row in rows)
    for row in rows[not is_pairs :]:
        (_, name), *cells = _parted(row)
        for column, (start, cell) in zip(columns[1:], cells, strict=False):
            if cell:
                heads = (name,) if is_pairs else (name, column)
                yield _under(start, cell, (*filter(None, heads), *around))


def _parted(row: _Line) -> Iterator[tuple[int, str]]:
    """The cells of a row, each with where it starts."""
    start = row.start
    for cell in row.text.split("\t"):
        yield start + len(cell) - len(cell.lstrip()), cell.strip()
        start += len(cell) + 1


# --- lists of values ------------------------------------------------------------------------------------------------


def _values(lines: Sequence[_Line], position: int) -> Sequence[tuple[_Line, _Line]]:
    """The names and values of a list that begins at a line, if one does."""
    found: list[tuple[_Line, _Line]] = []
    for at in range(position, len(lines) - 1, 2):
        name, value = lines[at], lines[at + 1]
        if not name.is_title(MOST_NAME) or not value.is_prose or ITEM.match(value.text):
            break
        found.append((name, value))
    return found if len(found) >= LEAST_VALUES else ()
