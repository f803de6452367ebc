"""A page's glyphs to the same glyphs in reading order, where the file draws its columns side by side, row by row.

Everywhere else the order of the file is kept. What is moved is a whole run of a line, and nothing is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from tracer.readers.columns import Fragment, boxes_of, fragments
from tracer.readers.glyphs import Glyphs
from tracer.text import LINE_HYPHENS

SAMPLED_LINES = 3
"""How many long lines of a page are looked at for a gap that two columns leave in them."""

GUTTER_COVER = 0.4
"""How many lines may cross the white space between two columns, as a share of those that stand in one."""

COLUMN_SHARE = 0.15
"""The share of a page's runs that each column has."""

FULL_SHARE = 0.6
"""The share of its column that a run of text fills, where the cell of a table does not."""

SWITCH_SHARE = 0.3
"""The share of its steps from one run to the next that change the column, in a page that is drawn row by row."""

_LEAST_LINES = 8
_LEAST_RUNS = 10
_SWITCHES = 4
_MANY_SWITCHES = 8
_LONG = 30
_LEAST_LETTERS = 20
"""What a line of text holds at least, where the cell of a table does not."""

_WIDE = 2.2
"""From the start of one letter to that of the next but one, in type sizes: more than a letter and its space take."""


def in_reading_order(glyphs: Glyphs) -> Glyphs | None:
    """The glyphs column by column, or None for a page that is read as it is drawn."""
    if not _may_be_rows(glyphs):
        return None
    return by_column(glyphs, list(fragments(glyphs.text, boxes_of(glyphs.text, glyphs))))


def by_column(glyphs: Glyphs, runs: Sequence[Fragment]) -> Glyphs | None:
    """The glyphs of some runs column by column, from left to right, or None where they are drawn so."""
    gutters = list(_gutters(runs))
    runs = list(_joined(runs, gutters))
    if not gutters or not _is_by_row(runs, gutters):
        return None
    text, offsets = _put_together(glyphs.text, _by_column(runs, gutters))
    return glyphs.rearranged(text, offsets) if _is_whole(text, glyphs.text) else None


def with_line_ends(glyphs: Glyphs) -> Glyphs:
    """The glyphs of a page that is turned, with line ends where pdfium, which does not turn it, sees none."""
    runs = list(fragments(glyphs.text, boxes_of(glyphs.text, glyphs)))
    text, offsets = _put_together(glyphs.text, runs, are_lines=True)
    return glyphs.rearranged(text, offsets) if _is_whole(text, glyphs.text) else glyphs


def _is_whole(text: str, before: str) -> bool:
    """Whether nothing but white space was lost."""
    return len("".join(text.split())) == len("".join(before.split()))


def _may_be_rows(glyphs: Glyphs) -> bool:
    """Whether long lines have a gap within, or many lines begin on the other side of the page than the last."""
    long_lines = [match for match in _lines(glyphs.text) if match[1] - match[0] > _LONG]
    if len(long_lines) < _LEAST_LINES:
        return False
    step = len(long_lines) // SAMPLED_LINES
    sampled = long_lines[step // 2 :: step][:SAMPLED_LINES]
    gaps = sum(_has_gap(glyphs, start, end) for start, end in sampled)
    if gaps > len(sampled) / 2:
        return True
    switches, most = _switches([glyphs.start(start) for start, _ in long_lines])
    return switches > SWITCH_SHARE * most or switches >= _MANY_SWITCHES or (gaps > 0 and switches >= _SWITCHES)


def _switches(starts: Sequence[float]) -> tuple[int, int]:
    """How often lines change between the left of a page and an edge that many share on its right, and of how many."""
    middle = (min(starts) + max(starts)) / 2
    beyond = [round(start / 2) for start in starts if start > middle]
    edge = max(beyond, key=beyond.count, default=0)
    sides = [start > middle for start in starts if start <= middle or abs(start / 2 - edge) <= 1]
    if sum(sides) < _SWITCHES:
        return 0, len(sides)
    return sum(one is not other for one, other in pairwise(sides)), len(sides)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    from tracer.readers.layout import line_spans

    for start, end in line_spans(text):
        yield start + len(text[start:end]) - len(text[start:end].lstrip()), end


def _has_gap(glyphs: Glyphs, start: int, end: int) -> bool:
    text = glyphs.text
    widest = _WIDE * glyphs.size(start)
    for offset in range(start + 1, end - 1):
        if text[offset] == " " and not text[offset + 1].isspace():
            step = glyphs.start(offset + 1) - glyphs.start(offset - 1)
            if step > widest or step < -widest:
                return True
    return False


def _gutters(runs: Sequence[Fragment]) -> Iterator[float]:
    """Where white space runs down the page between two columns: hardly a run crosses it, and many stand beside it."""
    if len(runs) < _LEAST_RUNS:
        return
    height = sorted(run.top - run.bottom for run in runs)[len(runs) // 2]
    least = max(5, COLUMN_SHARE * len(runs))
    last = float("-inf")
    for left, right in _valleys(runs):
        between = sum(run.left > last and run.right < right for run in runs)
        beyond = sum(run.left > left for run in runs)
        if right - left > 0.5 * height and between >= least and beyond >= least:
            last = (left + right) / 2
            yield last


def _valleys(runs: Sequence[Fragment]) -> Iterator[tuple[float, float]]:
    """The stretches across the page that the fewest runs cover, between two that more cover."""
    edges = sorted([(run.left, 1) for run in runs] + [(run.right, -1) for run in runs])
    most = GUTTER_COVER * max(accumulate(change for _, change in edges))
    cover = 0
    lowest: tuple[int, float, float] | None = None
    for (at, change), (following, _) in pairwise(edges):
        cover += change
        if cover > most:
            if lowest:
                yield lowest[1:]
            lowest = None
        elif lowest is None or (cover, at - following) < (lowest[0], lowest[1] - lowest[2]):
            lowest = (cover, at, following)


def _joined(runs: Sequence[Fragment], gutters: Sequence[float]) -> Iterator[Fragment]:
    """The runs, those put together again that a wide space parts within their column."""
    last: Fragment | None = None
    for run in runs:
        if last and _goes_on(last, run) and not any(last.right < at < run.left for at in gutters):
            bottom, top = min(last.bottom, run.bottom), max(last.top, run.top)
            last = replace(last, end=run.end, right=run.right, bottom=bottom, top=top)
            continue
        if last:
            yield last
        last = run
    if last:
        yield last


def _goes_on(last: Fragment, run: Fragment) -> bool:
    is_level = min(last.top, run.top) - max(last.bottom, run.bottom) > 0
    return is_level and run.left >= last.right


def _is_by_row(runs: Sequence[Fragment], gutters: Sequence[float]) -> bool:
    """Whether the file changes the column again and again, and the columns hold text rather than cells."""
    inside = [run for run in runs if not _crosses(run, gutters)]
    columns = [_column(run, gutters) for run in inside]
    switches = sum(one != other for one, other in pairwise(columns))
    return switches > SWITCH_SHARE * len(inside) and all(
        _is_text([run for run, at in zip(inside, columns, strict=True) if at == column])
        for column in range(len(gutters) + 1)
    )


def _is_text(column: Sequence[Fragment]) -> bool:
    if not column:
        return False
    width = max(run.right for run in column) - min(run.left for run in column)
    median = len(column) // 2
    widths = sorted(run.right - run.left for run in column)
    letters = sorted(run.end - run.start for run in column)
    return widths[median] > FULL_SHARE * width and letters[median] >= _LEAST_LETTERS


def _crosses(run: Fragment, gutters: Sequence[float]) -> bool:
    return any(run.left < at < run.right for at in gutters)


def _column(run: Fragment, gutters: Sequence[float]) -> int:
    return sum(run.left > at for at in gutters)


def _by_column(runs: Sequence[Fragment], gutters: Sequence[float]) -> list[Fragment]:
    """The runs column after column; one that crosses a gutter ends the columns above it."""
    across = sorted((run for run in runs if _crosses(run, gutters)), key=lambda run: -run.bottom)
    order = {id(run): (rank, len(gutters) + 1) for rank, run in enumerate(across)}

    def place(run: Fragment) -> tuple[int, int]:
        above = sum(other.bottom > run.bottom for other in across)
        return order.get(id(run)) or (above, _column(run, gutters))

    return sorted(runs, key=place)


def _put_together(text: str, runs: Sequence[Fragment], *, are_lines: bool = False) -> tuple[str, list[int]]:
    """The text of runs in their new order, and where each of its characters stood; what is not level is a line."""
    pieces: list[str] = []
    offsets: list[int] = []
    last: Fragment | None = None
    for run in runs:
        is_parted = are_lines and last is not None and not _goes_on(last, run)
        if last is not None and not is_parted and last.end <= run.start and not text[last.end : run.start].strip():
            between = range(last.end, run.start)
            pieces.append(text[last.end : run.start])
            offsets.extend(between)
        elif last is not None and text[last.end - 1] not in LINE_HYPHENS:
            pieces.append("\r\n")
            offsets.extend([last.end - 1] * 2)
        pieces.append(text[run.start : run.end])
        offsets.extend(range(run.start, run.end))
        last = run
    return "".join(pieces), offsets
