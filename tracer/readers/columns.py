"""The place of every glyph of a page to the readings that need it: column order, and the line without small type."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from tracer.model import Folded, Reading
from tracer.readers.glyphs import Glyphs
from tracer.readers.layout import Box, line_spans
from tracer.readers.marks import COLUMNS, ROWS, reading_by_column, rearranged, without_runs
from tracer.text import SPACING_ACCENTS, SUPERSCRIPTS, fold, reads_leftward

ON_THE_LINE = "without raised and lowered type"
WITH_LOWERED = "without raised and lowered type, but with lowered figures"

WITH_ACCENTS = "accents on their letters, as their type stands"

_STRAY_ACCENT = re.compile(rf"(?<!\S)[{''.join(SPACING_ACCENTS)}](?!\S)")
_NOWHERE = Box(left=0.0, bottom=0.0, right=0.0, top=0.0, base=0.0)

_SAME_FOOT = 0.05
"""Points by which the feet of two glyphs of any size may differ without a look at their sizes."""

_LONGEST_CELL = 30

_SAME_LINE = 0.3
"""By how much the feet of runs on one line may differ, in heights of a run."""

_LEAST_LINES = 3
"""How many lines stand on both sides of white space that parts columns; two wide spaces may meet by chance."""

_FLAT = 0.1
"""A glyph lower than this, in points, is of a font that is not in the file, and tells no gap from a space."""

_GAP = 1.2
"""White space within a line, in heights of its glyphs, from which on it parts two columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A run of a page's text on one line without a gap; where it stands on the page."""

    start: int
    end: int
    left: float
    right: float
    bottom: float
    top: float
    base: float


def closer_readings(glyphs: Glyphs, *, is_by_column: bool = False) -> Iterator[Reading]:
    """The readings of one page that are asked for when the plain ones do not hold a quote."""
    for reading in _closer_readings(glyphs.text, glyphs):
        yield reading_by_column(reading) if is_by_column and COLUMNS not in reading.name else reading


def _closer_readings(drawn: str, glyphs: Glyphs) -> Iterator[Reading]:
    boxes = boxes_of(drawn, glyphs)
    text = _with_accents(drawn, boxes)
    raised = set(glyphs.raised())
    signs = {offset: text[offset].translate(SUPERSCRIPTS) for offset in raised if text[offset - 1 : offset].isdigit()}
    folded = fold(text, signs)
    found = [] if reads_leftward(text) or _are_flat(text, boxes) else list(fragments(text, boxes))
    order = list(_in_columns(found))
    if text != drawn:
        yield Reading(name=WITH_ACCENTS, folded=folded)
    for name, on_line in _on_the_line(text, glyphs, boxes, folded):
        yield Reading(name=name, folded=on_line)
        if order != found:
            yield Reading(name=f"{COLUMNS}, {name}", folded=_reordered(on_line, order, text))
    if order != found:
        yield Reading(name=COLUMNS, folded=_reordered(folded, order, text))
    rows = list(_rows(found, text))
    if rows:
        yield Reading(name=ROWS, folded=_reordered(folded, rows, text))


def _are_flat(text: str, boxes: Sequence[Box]) -> bool:
    """Whether letters or digits have no height, and so no place in columns, from which they would be lost."""
    return any(character.isalnum() and box.height < _FLAT for character, box in zip(text, boxes, strict=True))


def _on_the_line(text: str, glyphs: Glyphs, boxes: Sequence[Box], folded: Folded) -> Iterator[tuple[str, Folded]]:
    """The text without raised and lowered type, and where some of it is lowered figures, as in H₂O, with these."""
    runs = list(_off_the_line(text, glyphs, boxes))
    if runs:
        yield ON_THE_LINE, without_runs(folded, runs, text)
    others = [run for run in runs if not _is_lowered_figure(run, text, boxes)]
    if others and others != runs:
        yield WITH_LOWERED, without_runs(folded, others, text)


def _is_lowered_figure(run: tuple[int, int], text: str, boxes: Sequence[Box]) -> bool:
    start, end = run
    return text[start:end].strip().isdigit() and start > 0 and boxes[start].base < boxes[start - 1].base


def _with_accents(text: str, boxes: Sequence[Box]) -> str:
    """The text with each accent that went astray, as one above a capital does, put on the letter below it."""
    written = list(text)
    for match in _STRAY_ACCENT.finditer(text):
        under = _letter_under(match.start(), text, boxes)
        composed = unicodedata.normalize("NFC", text[under] + SPACING_ACCENTS[match.group()]) if under else ""
        if under and len(composed) == 1:
            written[under], written[match.start()] = composed, " "
    return "".join(written)


def _letter_under(accent: int, text: str, boxes: Sequence[Box]) -> int | None:
    """The offset of the letter right below an accent."""
    box = boxes[accent]
    middle = (box.left + box.right) / 2
    under = [
        (box.bottom - one.base, offset)
        for offset, one in enumerate(boxes)
        if one.left <= middle <= one.right and text[offset].isalpha() and _is_over(box, one)
    ]
    return min(under, default=(0.0, None))[1]


def _is_over(accent: Box, letter: Box) -> bool:
    """Whether an accent stands in the upper half of a letter or just above it."""
    return letter.height / 2 < accent.bottom - letter.base < 1.5 * letter.height


def boxes_of(text: str, glyphs: Glyphs) -> list[Box]:
    """The box of every glyph of a page; white space has an empty one."""
    return [_NOWHERE if character.isspace() else glyphs.box(offset) for offset, character in enumerate(text)]


def _reordered(folded: Folded, fragments: Sequence[Fragment], text: str) -> Folded:
    from bisect import bisect_left

    pieces = [
        (bisect_left(folded.offsets, fragment.start), bisect_left(folded.offsets, fragment.end))
        for fragment in fragments
    ]
    return rearranged(folded, [piece for piece in pieces if piece[0] < piece[1]], text)


def _off_the_line(text: str, glyphs: Glyphs, boxes: Sequence[Box]) -> Iterator[tuple[int, int]]:
    """Runs of type that is smaller than what stands before it and off its line: raised marks, indices, exponents.

    A digit that is a power of a number stays: without it the number would be another one.
    """
    before: int | None = None
    start: int | None = None
    for offset, character in enumerate(text):
        if character.isspace() or boxes[offset].height <= 0:
            continue
        is_off = before is not None and _is_off(before, offset, glyphs, boxes)
        is_power = character.isdigit() and start is None and text[offset - 1 : offset].isdigit()
        if is_off and not is_power:
            start = offset if start is None else start
            continue
        if start is not None:
            yield start, offset
            start = None
        if not is_off:
            before = offset
    if start is not None:
        yield start, len(text)


def _is_off(before: int, offset: int, glyphs: Glyphs, boxes: Sequence[Box]) -> bool:
    """Whether a glyph is smaller than the one before it and off its line, but not a line away."""
    distance = abs(boxes[offset].base - boxes[before].base)
    if distance < _SAME_FOOT:
        return False
    size = glyphs.size(before)
    return 0.08 * size < distance < size and glyphs.size(offset) < 0.85 * size


def fragments(text: str, boxes: Sequence[Box]) -> Iterator[Fragment]:
    """The runs of a page's text that stand on one line without a gap, in the order of the file."""
    for start, end in line_spans(text):
        first: int | None = None
        last = start
        for offset in range(start, end):
            box = boxes[offset]
            if text[offset].isspace() or box.height <= 0:
                continue
            if first is not None and _parts(boxes[last], box):
                yield _fragment(first, last + 1, boxes)
                first = None
            first = offset if first is None else first
            last = offset
        if first is not None:
            yield _fragment(first, end, boxes)


def _parts(before: Box, box: Box) -> bool:
    height = max(before.height, box.height)
    return box.left - before.right > _GAP * height or box.left < before.left - 2 * height


def _rows(found: Sequence[Fragment], text: str) -> Iterator[Fragment]:
    """The cells of tables that are drawn column by column, row by row: short runs on one line, most with figures.

    Lines of text are none, lest what stands side by side in two columns be read as one.
    """
    lines: dict[int, list[Fragment]] = {}
    for fragment in found:
        lines.setdefault(round(fragment.base), []).append(fragment)
    for _, line in sorted(lines.items(), reverse=True):
        line.sort(key=lambda fragment: fragment.left)
        for is_short, cells in groupby(line, key=lambda fragment: fragment.end - fragment.start <= _LONGEST_CELL):
            row = list(cells)
            if is_short and _is_row(row, text):
                yield from row


def _is_row(cells: Sequence[Fragment], text: str) -> bool:
    with_figures = sum(re.search(r"\d", text[cell.start : cell.end]) is not None for cell in cells)
    is_scattered = any(text[one.end : other.start].strip() or one.end > other.start for one, other in pairwise(cells))
    return len(cells) >= 3 and 2 * with_figures > len(cells) and is_scattered


def _fragment(start: int, end: int, boxes: Sequence[Box]) -> Fragment:
    return fragment_around(start, end, [box for box in boxes[start:end] if box.height > 0])


def fragment_around(start: int, end: int, boxes: Sequence[Box]) -> Fragment:
    """A run of the text with the place that the boxes of its glyphs take, of which there is one at least."""
    return Fragment(
        start=start,
        end=end,
        left=min(box.left for box in boxes),
        right=max(box.right for box in boxes),
        bottom=min(box.bottom for box in boxes),
        top=max(box.top for box in boxes),
        base=boxes[0].base,
    )


def _in_columns(fragments: Sequence[Fragment]) -> Iterator[Fragment]:
    """The order in which a person reads: a recursive cut of the page along its white space, without recursion.

    A block is cut down its widest gutter if one runs through it, else across its widest white band, until neither is
    there; what is left is read line by line (X-Y cut, Nagy and Seth 1984).
    """
    stack = [list(fragments)]
    while stack:
        block = stack.pop()
        parts = _cut(block)
        if parts:
            stack.extend(reversed(parts))
        else:
            yield from _by_line(block)


def _by_line(block: Sequence[Fragment]) -> Iterator[Fragment]:
    """The runs of a block line by line, each from left to right."""
    line: list[Fragment] = []
    for fragment in sorted(block, key=lambda fragment: -fragment.base):
        if line and line[0].base - fragment.base > _SAME_LINE * (fragment.top - fragment.bottom):
            yield from sorted(line, key=lambda one: one.left)
            line = []
        line.append(fragment)
    yield from sorted(line, key=lambda one: one.left)


def _cut(block: Sequence[Fragment]) -> list[list[Fragment]] | None:
    if len(block) < 2:
        return None
    height = sorted(fragment.top - fragment.bottom for fragment in block)[len(block) // 2]
    gutter = _widest_gap([(fragment.left, fragment.right) for fragment in block])
    band = _widest_gap([(fragment.bottom, fragment.top) for fragment in block])
    if gutter and gutter[0] > 0.6 * height:
        sides = [
            [fragment for fragment in block if fragment.left < gutter[1]],
            [fragment for fragment in block if fragment.left >= gutter[1]],
        ]
        if all(len({round(fragment.base) for fragment in side}) >= _LEAST_LINES for side in sides):
            return sides
    if band and band[0] > 0:
        at = band[1]
        return [
            [fragment for fragment in block if fragment.bottom >= at],
            [fragment for fragment in block if fragment.bottom < at],
        ]
    return None


def _widest_gap(intervals: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """The widest gap between intervals, as its width and middle."""
    widest: tuple[float, float] | None = None
    reach: float | None = None
    for low, high in sorted(intervals):
        if reach is not None and low > reach and (widest is None or low - reach > widest[0]):
            widest = (low - reach, (low + reach) / 2)
        reach = high if reach is None else max(reach, high)
    return widest
