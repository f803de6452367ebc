"""A page's glyphs to the same glyphs in logical order, where some of its letters are written from right to left.

A PDF says where a glyph stands and not which one is read next: makers write a line of Hebrew or Arabic as it is seen,
as it is said, or in pieces, and pdfium turns some of these round. So the order in the file counts for nothing here.
The glyphs of a line are put in the order in which they are seen, and that is turned into the one in which they are
read: the way back of the Unicode Bidirectional Algorithm (UAX 9).
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tracer.model import Reading
from tracer.readers.columns import Fragment, fragment_around
from tracer.readers.glyphs import Glyphs
from tracer.readers.layout import Box, line_spans
from tracer.readers.marks import NUMBERS_FIRST, NUMBERS_LAST, rearranged
from tracer.readers.order import by_column, in_reading_order
from tracer.text import LINE_HYPHENS, fold, has_leftward, reads_leftward

SPACE_SHARE = 0.17
"""The white space between two glyphs from which on it parts two words, as a share of the type size."""

COLUMN_SHARE = 1.5
"""The white space within a line from which on it parts two columns or cells, as a share of the type size."""

UNIT = re.compile(
    r"(?:^|\s)(?:[KMGTPE]i?[Bb]|[GT]PU(?:s|-hours?)?|[KMGTPE]?(?:FLOPs?|FLOPS|Hz|W|Wh)|[mkc]?m|[mk]?g|[mn]?s|min|h|dB|px|fps"
    r"|[KMBT]|tokens?|steps?|epochs?|layers?|parameters|samples|examples|hours?|days?|heads|bits?|bytes?|nodes?|experts)$"
)
"""What stands after its number."""

_LATIN = r"(?P<words>[A-Za-z][A-Za-z0-9./+-]*(?: +[A-Za-z][A-Za-z0-9./+-]*)*)"
_AMOUNT = r"(?P<number>\d(?:[\d.,]*\d)?%?)"
_WORDS_NUMBER = re.compile(rf"{_LATIN} +{_AMOUNT}(?!\w)")
_NUMBER_WORDS = re.compile(rf"(?<!\w){_AMOUNT} +{_LATIN}")

_RISE = 0.7
"""The height of letters above their line, as a share of the type size."""

_LEAST_WIDTH = 0.5
"""The width of a letter at least, as a share of the type size, where the box of its glyph is that of its points."""

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {closing: opening for opening, closing in _BRACKETS.items()}
_EITHER_BRACKET = _BRACKETS.keys() | _CLOSING.keys()
_COMPARISONS = {"<": ">", "≤": "≥", "≪": "≫", "⩽": "⩾"}
_MIRRORED = _COMPARISONS | {right: left for left, right in _COMPARISONS.items()}
_LAM_ALEF = {f"ل{alef}" for alef in "اأإآٱ"}
_STOPS = ".,:;!?"
_SIGNS = "+-−±"
_PERCENT = "%٪‰"
_BEFORE_OPENING = re.compile(r"[\s(\[{\"'“„«]")
_AFTER_CLOSING = re.compile(r"[\s)\]}\"'”».,:;!?،؛؟]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What takes one place on a line: a glyph with the marks above and below it, or the white space between two."""

    offsets: tuple[int, ...]
    text: str
    kind: str
    box: Box

    @property
    def is_space(self) -> bool:
        return self.text.isspace()


Line = list[Cell]


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
    brackets = _Brackets()
    for spans in _rows(glyphs, is_leftward=is_leftward):
        text = "".join(glyphs.text[start:end] for start, end in spans)
        if not is_leftward and not has_leftward(text):
            writing.copy(glyphs, *spans[0])
            continue
        line = _seen(glyphs, spans)
        from_right = reads_leftward(text) or (is_leftward and (has_leftward(text) or _ends_on_left(line)))
        for piece in reversed(_pieces(line)) if is_leftward else _pieces(line):
            writing.put(brackets.turned(_said(piece, glyphs, is_leftward=from_right)))
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


# --- what is seen -------------------------------------------------------------------------------------------------


def _rows(glyphs: Glyphs, *, is_leftward: bool) -> Iterator[list[tuple[int, int]]]:
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


def _seen(glyphs: Glyphs, spans: Sequence[tuple[int, int]]) -> Line:
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
    return list(_spaced(cells, SPACE_SHARE * glyphs.size(cells[0].offsets[0]))) if cells else []


def _is_mark(glyphs: Glyphs, offset: int) -> bool:
    return unicodedata.category(glyphs.text[offset]) == "Mn"


def _cell(glyphs: Glyphs, letters: list[int], marks: list[int]) -> Cell:
    """The cell of one glyph, which may stand for several characters, as a ligature or a pointed letter does.

    pdfium parts the box of such a glyph among its characters, or gives it to all of them and turns them round; lam
    comes before alef always.
    """
    boxes = {offset: glyphs.advance(offset) for offset in (*letters, *marks)}
    kind = _kind(glyphs.text[letters[0]])
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


def _spaced(cells: Line, least: float) -> Iterator[Cell]:
    for cell, following in pairwise([*cells, None]):
        if cell is None:
            return
        yield cell
        if following and not (cell.is_space or following.is_space) and following.box.left - cell.box.right > least:
            gap = cell.box._replace(left=cell.box.right, right=following.box.left)
            yield Cell(offsets=cell.offsets[-1:], text=" ", kind="S", box=gap)


def _pieces(line: Line) -> list[Line]:
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


def _ends_on_left(line: Line) -> bool:
    """Whether a line of Latin words alone has its full stop on the left, as one has that is read from the right."""
    return len(line) > 1 and line[0].text in _STOPS and not line[1].is_space


# --- what is said -------------------------------------------------------------------------------------------------


def _kind(character: str) -> str:
    """`R` and `L` for letters by their direction, `N` for digits, `S` for white space, `O` for all else."""
    direction = unicodedata.bidirectional(character)
    if direction in {"R", "AL"}:
        return "R"
    if direction in {"EN", "AN"}:
        return "N" if character.isdigit() else "O"
    return direction if direction == "L" else "S" if character.isspace() else "O"


def _said(line: Line, glyphs: Glyphs, *, is_leftward: bool) -> Line:
    """The cells of a line, given as they are seen, in the order in which they are read."""
    if is_leftward:
        return _leftward(line, glyphs)
    said: Line = []
    position = 0
    while position < len(line):
        end = _end_of_run(line, position, "R", before="L") if line[position].kind == "R" else None
        cell = _as_drawn(line[position], glyphs, is_mirrored=False)
        said.extend(_leftward(line[position:end], glyphs) if end else [cell])
        position = end or position + 1
    return said


def _leftward(line: Line, glyphs: Glyphs) -> Line:
    """A line that is read from the right, but for what is read from the left in it: numbers, and words of letters."""
    line = [_as_percent(line, at) for at in range(len(line))]
    is_rightward = [False] * len(line)
    for start, end in [*_numbers(line), *_words(line)]:
        is_rightward[start:end] = [True] * (end - start)
    said: Line = []
    for from_left, run in groupby(reversed(range(len(line))), key=lambda at: is_rightward[at]):
        positions = list(run)
        cells = [line[at] for at in (reversed(positions) if from_left else positions)]
        said.extend(_as_drawn(cell, glyphs, is_mirrored=not from_left) for cell in cells)
    return said


def _as_percent(line: Line, at: int) -> Cell:
    """A cell, a percent sign on the left of its number as one that is read from the right."""
    is_before = line[at].text in _PERCENT and [cell.kind for cell in line[at + 1 : at + 2]] == ["N"]
    is_after = at > 0 and line[at - 1].kind == "N"
    return replace(line[at], kind="R") if is_before and not is_after else line[at]


def _numbers(line: Line) -> Iterator[tuple[int, int]]:
    """Numbers with their decimal points, signs and percent signs, as half-open runs."""
    position = 0
    while position < len(line):
        if line[position].kind != "N":
            position += 1
            continue
        start, position = position, _end_of_number(line, position)
        yield _start_of_number(line, start), position


def _end_of_number(line: Line, start: int) -> int:
    end = start + 1
    while end < len(line):
        is_joined = line[end].kind == "O" and end + 1 < len(line) and line[end + 1].kind == "N"
        if line[end].kind == "N":
            end += 1
        elif is_joined and _joins_digits(line, end):
            end += 2
        else:
            break
    return end + 1 if end < len(line) and line[end].text in _PERCENT else end


def _joins_digits(line: Line, at: int) -> bool:
    """Whether a sign between digits is one of their number; after Arabic letters a hyphen is none (UAX 9, W2, W4)."""
    direction = unicodedata.bidirectional(line[at].text)
    if direction == "ES":
        strong = next((cell for cell in line[at:] if cell.kind in "RL"), None)
        return strong is None or unicodedata.bidirectional(strong.text[0]) != "AL"
    return direction in {"CS", "AN"}


def _start_of_number(line: Line, start: int) -> int:
    """Where a number starts whose sign or currency stands on its left, apart from any other word."""
    if not start or (start > 1 and line[start - 2].kind in "RLN"):
        return start
    before = line[start - 1].text
    return start - 1 if before in _SIGNS or unicodedata.category(before[0]) == "Sc" else start


def _words(line: Line) -> Iterator[tuple[int, int]]:
    """Runs of words read from the left, with the numbers after them: `Kimi K3`, `Qwen 2.5`, `Kimi (K3)`.

    `GB 64` is seen where `64 GB` is said, as `Qwen 2.5` is seen where that is said: nothing tells them apart but that a
    unit follows its number.
    """
    position = 0
    while position < len(line):
        if line[position].kind != "L":
            position += 1
            continue
        start, position = position, _end_of_words(line, position)
        if start > 1 and line[start - 1].kind in "OS" and line[start - 2].kind == "N":
            start -= 1
        yield _with_bracket(line, start, position)


def _end_of_words(line: Line, start: int) -> int:
    end = _end_of_run(line, start, "LN", before="R")
    for number in (at for at in range(start, end) if line[at].kind == "N" and line[at - 1].is_space):
        if UNIT.search("".join(cell.text for cell in line[start : number - 1])):
            return _end_of_run(line[:number], start, "L", before="R")
    return end + 1 if end < len(line) and line[end].text in _PERCENT else end


def _end_of_run(line: Line, start: int, kinds: str, *, before: str) -> int:
    """The end of a run from one kind to the last of some kinds, neutral ones between, before the first of another."""
    end = start + 1
    for position in range(start + 1, len(line)):
        if line[position].kind == before:
            break
        if line[position].kind in kinds:
            end = position + 1
    return end


def _with_bracket(line: Line, start: int, end: int) -> tuple[int, int]:
    """A run with the other half of a pair of brackets that it begins or ends."""
    inside = "".join(cell.text for cell in line[start:end])
    for opening, closing in _BRACKETS.items():
        if (inside.count(opening) + inside.count(closing)) % 2:
            if end < len(line) and line[end].text in {opening, closing}:
                return start, end + 1
            if start and line[start - 1].text in {opening, closing}:
                return start - 1, end
    return start, end


def _as_drawn(cell: Cell, glyphs: Glyphs, *, is_mirrored: bool) -> Cell:
    """A comparison sign as it is drawn, which pdfium turns round at times; one read from the right is its mirror."""
    if cell.text not in _MIRRORED:
        return cell
    is_open_to_right = glyphs.opens_to_right(cell.offsets[0])
    if is_open_to_right is None:
        return replace(cell, text="\ufffd")
    left = cell.text if cell.text in _COMPARISONS else _MIRRORED[cell.text]
    return replace(cell, text=left if is_open_to_right is not is_mirrored else _MIRRORED[left])


class _Brackets:
    """Turns brackets by what stands before and after them, for pdfium turns some of them round and leaves others."""

    def __init__(self) -> None:
        self.open: list[str] = []

    def turned(self, line: Line) -> Line:
        """A run of a line in the order in which it is read, with its brackets turned."""
        texts = [" ", *(cell.text for cell in line), " "]
        return [
            replace(cell, text=self._turned(cell.text, before, after)) if cell.text in _EITHER_BRACKET else cell
            for cell, before, after in zip(line, texts, texts[2:], strict=False)
        ]

    def _turned(self, bracket: str, before: str, after: str) -> str:
        opening = _CLOSING.get(bracket, bracket)
        begins, ends = bool(_BEFORE_OPENING.match(before)), bool(_AFTER_CLOSING.match(after))
        is_opening = opening not in self.open if begins is ends else begins
        if is_opening:
            self.open.append(opening)
            return opening
        if opening in self.open:
            self.open.remove(opening)
        return _BRACKETS[opening]
