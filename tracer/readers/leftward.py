"""The cells of a line, given as they are seen, to the order in which they are read.

It is the way back of the Unicode Bidirectional Algorithm (UAX 9), which says how a text is seen whose letters are
written from right to left in part.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from tracer.readers.seen import MIRRORED, Cell, Line

_UNIT = re.compile(
    r"(?:^|\s)(?:[KMGTPE]i?[Bb]|[GT]PU(?:s|-hours?)?|[KMGTPE]?(?:FLOPs?|FLOPS|Hz|W|Wh)|[mkc]?m|[mk]?g|[mn]?s|min|h|dB|px|fps"
    r"|[KMBT]|tokens?|steps?|epochs?|layers?|parameters|samples|examples|hours?|days?|heads|bits?|bytes?|nodes?|experts)$"
)
"""What stands after its number."""

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {closing: opening for opening, closing in _BRACKETS.items()}
_EITHER_BRACKET = _BRACKETS.keys() | _CLOSING.keys()
_SIGNS = "+-−±"
_PERCENT = "%٪‰"
_BEFORE_OPENING = re.compile(r"[\s(\[{\"'“„«]")
_AFTER_CLOSING = re.compile(r"[\s)\]}\"'”».,:;!?،؛؟]")


def as_said(line: Line, *, is_leftward: bool) -> Line:
    """The cells of a line, given as they are seen, in the order in which they are read."""
    if is_leftward:
        return _leftward(line)
    said: Line = []
    position = 0
    while position < len(line):
        start, position = position, position + 1
        if line[start].kind == "R":
            position = _end_of_run(line, start, "R", before="L")
            said.extend(_leftward(line[start:position]))
        else:
            said.append(line[start])
    return said


def _leftward(line: Line) -> Line:
    """A line that is read from the right, but for what is read from the left in it: numbers, and words of letters."""
    line = [_as_percent(line, at) for at in range(len(line))]
    is_rightward = [False] * len(line)
    for start, end in [*_numbers(line), *_words(line)]:
        is_rightward[start:end] = [True] * (end - start)
    said: Line = []
    for from_left, run in groupby(reversed(range(len(line))), key=lambda at: is_rightward[at]):
        positions = list(run)
        cells = [line[at] for at in (reversed(positions) if from_left else positions)]
        said.extend(cells if from_left else map(_mirrored, cells))
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
    direction = unicodedata.bidirectional(line[at].text[0])
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
        if _UNIT.search("".join(cell.text for cell in line[start : number - 1])):
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


def _mirrored(cell: Cell) -> Cell:
    """A comparison sign as the mirror image that it is read as from the right (UAX 9, L4)."""
    mirrored = MIRRORED.get(cell.text[0])
    return replace(cell, text=mirrored + cell.text[1:]) if mirrored else cell


class Brackets:
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
