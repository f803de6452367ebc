"""A page's glyphs to rows of cells, as the lines are seen from left to right.

The order of the glyphs in the file counts for nothing here, nor do the spaces that pdfium makes of it: only the places
at which the glyphs are drawn.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tracer.readers.glyphs import Glyphs
from tracer.readers.layout import Box, line_spans
from tracer.text import LINE_HYPHENS

SPACE_SHARE = 0.17
"""The white space between two glyphs from which on it parts two words, as a share of the type size."""

COLUMN_SHARE = 1.5
"""The white space within a line from which on it parts two columns or cells, as a share of the type size."""

_RISE = 0.7
"""The height of letters above their line, as a share of the type size."""

_LEAST_WIDTH = 0.5
"""The width of a letter at least, as a share of the type size, where the box of its glyph is that of its points."""

_COMPARISONS = {"<": ">", "≤": "≥", "≪": "≫", "⩽": "⩾"}
MIRRORED = _COMPARISONS | {right: left for left, right in _COMPARISONS.items()}
"""Each comparison sign with its mirror image."""

_LAM_ALEF = {f"ل{alef}" for alef in "اأإآٱ"}
_STOPS = ".,:;!?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What takes one place on a line: a glyph with the marks above and below it, or the white space between two.

    Its kind is that of `kind_of`. A comparison sign is the one that is drawn.
    """

    offsets: tuple[int, ...]
    text: str
    kind: str
    box: Box

    @property
    def is_space(self) -> bool:
        return self.text.isspace()


Line = list[Cell]
"""The cells of a line, or of a part of one."""


def rows(glyphs: Glyphs, *, is_leftward: bool) -> Iterator[list[tuple[int, int]]]:
    """The lines of a page, those put together that stand side by side on one line of a page read from the right."""
    row: list[tuple[int, int]] = []
    for start, end in line_spans(glyphs.text):
        if row and not (is_leftward and any(_are_level(glyphs, other, start) for other, _ in row)):
            yield row
            row = []
        row.append((start, end))
    if row:
        yield row


def _are_level(glyphs: Glyphs, one: int, other: int) -> bool:
    """Whether the middles of two glyphs stand at about one height, a raised or lowered one beside its line too."""
    first, second = glyphs.box(one), glyphs.box(other)
    sizes = glyphs.size(one), glyphs.size(other)
    feet, heads = (first.base, second.base), (first.base + _RISE * sizes[0], second.base + _RISE * sizes[1])
    return min(heads) - max(feet) > _RISE * min(sizes) / 2


def cells_of(glyphs: Glyphs, spans: Sequence[tuple[int, int]]) -> Line:
    """The cells of a line from left to right, with white space where there is some to be seen."""
    by_glyph: dict[float, list[int]] = {}
    marks: list[int] = []
    for offset in (offset for start, end in spans for offset in range(start, end) if glyphs.is_drawn(offset)):
        by_glyph.setdefault(round(glyphs.start(offset), 2), []).append(offset)
    cells: Line = []
    for offsets in by_glyph.values():
        letters = [offset for offset in offsets if not _is_mark(glyphs, offset)]
        if letters:
            cells.append(_cell(glyphs, letters, [offset for offset in offsets if _is_mark(glyphs, offset)]))
        else:
            marks += offsets
    cells.sort(key=_middle)
    for mark in marks:
        _put_mark(cells, glyphs, mark)
    cells = [_as_drawn(cell, glyphs) for cell in cells]
    return list(_spaced(cells, SPACE_SHARE * glyphs.size(cells[0].offsets[0]))) if cells else []


def _is_mark(glyphs: Glyphs, offset: int) -> bool:
    return unicodedata.category(glyphs.text[offset]) == "Mn"


def _cell(glyphs: Glyphs, letters: list[int], marks: list[int]) -> Cell:
    """The cell of one glyph, which may stand for several characters, as a ligature or a pointed letter does.

    pdfium parts the box of such a glyph among its characters, or gives it to all of them and turns them round; lam
    comes before alef always.
    """
    boxes = {offset: glyphs.advance(offset) for offset in (*letters, *marks)}
    kind = kind_of(glyphs.text[letters[0]])
    if len(letters) > 1:
        letters = sorted(letters, key=lambda offset: (boxes[offset].left, offset), reverse=kind == "R")
        if "".join(glyphs.text[offset] for offset in reversed(letters)) in _LAM_ALEF:
            letters.reverse()
    offsets = (*letters, *marks)
    text = "".join("-" if glyphs.text[offset] in LINE_HYPHENS else glyphs.text[offset] for offset in offsets)
    left, right = min(box.left for box in boxes.values()), max(box.right for box in boxes.values())
    if marks:
        start = glyphs.start(letters[0])
        left, right = min(left, start), max(right, start + _LEAST_WIDTH * glyphs.size(letters[0]))
    return Cell(offsets=offsets, text=text, kind=kind, box=boxes[letters[0]]._replace(left=left, right=right))


def _middle(cell: Cell) -> float:
    return cell.box.left + cell.box.right


def _put_mark(cells: Line, glyphs: Glyphs, mark: int) -> None:
    """Put a point or a vowel sign that is a glyph of its own on the letter that it stands at."""
    box = glyphs.box(mark)
    at = min(
        (at for at, cell in enumerate(cells) if not cell.is_space),
        key=lambda at: abs(_middle(cells[at]) - box.left - box.right),
        default=None,
    )
    if at is not None:
        cell = cells[at]
        cells[at] = replace(cell, offsets=(*cell.offsets, mark), text=cell.text + glyphs.text[mark])


def _as_drawn(cell: Cell, glyphs: Glyphs) -> Cell:
    """A comparison sign as it is drawn, for pdfium turns some of them round and leaves others."""
    if cell.text not in MIRRORED:
        return cell
    is_open_to_right = glyphs.opens_to_right(cell.offsets[0])
    if is_open_to_right is None:
        return replace(cell, text="\ufffd")
    left = cell.text if cell.text in _COMPARISONS else MIRRORED[cell.text]
    return replace(cell, text=left if is_open_to_right else MIRRORED[left])


def _spaced(cells: Line, least: float) -> Iterator[Cell]:
    for cell, following in pairwise([*cells, None]):
        if cell is None:
            return
        yield cell
        if following and not (cell.is_space or following.is_space) and following.box.left - cell.box.right > least:
            gap = cell.box._replace(left=cell.box.right, right=following.box.left)
            yield Cell(offsets=cell.offsets[-1:], text=" ", kind="S", box=gap)


def pieces_of(line: Line) -> list[Line]:
    """A line cut where wide white space parts columns or cells."""
    pieces: list[Line] = [[]]
    for is_space, cells in groupby(line, key=lambda cell: cell.is_space):
        run = list(cells)
        height = max((cell.box.height for cell in pieces[-1]), default=0.0)
        if is_space and height and run[-1].box.right - run[0].box.left > COLUMN_SHARE * height:
            pieces.append([])
        elif not is_space or pieces[-1]:
            pieces[-1].extend(run)
    return [piece for piece in pieces if any(not cell.is_space for cell in piece)]


def ends_on_left(line: Line) -> bool:
    """Whether a line of Latin words alone has its full stop on the left, as one has that is read from the right."""
    return len(line) > 1 and line[0].text in _STOPS and not line[1].is_space


def kind_of(character: str) -> str:
    """`R` and `L` for letters by their direction, `N` for digits, `S` for white space, `O` for all else."""
    direction = unicodedata.bidirectional(character)
    if direction in {"R", "AL"}:
        return "R"
    if direction in {"EN", "AN"}:
        return "N" if character.isdigit() else "O"
    return direction if direction == "L" else "S" if character.isspace() else "O"
