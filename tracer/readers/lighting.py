"""The places of glyphs to the rectangles of a quote's lines, which a picture of the page is lit with."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from tracer.model import Span
from tracer.readers.pictures import GlyphPlaces, Rectangle

GAP = 2.0
"""White space within a line of the text, in heights of the line, from which on its ends are lit apart."""

SEAM = 0.8
"""The same between lines of the text that stand on one line of the page: less than a word that a quote leaves out."""

MARGIN = 0.1
"""What is lit around a line, in heights of the line."""


def lit(places: GlyphPlaces, spans: Iterable[Span]) -> tuple[Rectangle, ...]:
    """One rectangle, in points, for each line of what the spans hold; a line that is parted by a gap has several."""
    pieces = [piece for span in spans if span.sheet == places.sheet for piece in _pieces(places, span)]
    if _is_sideways(pieces):
        turned = [[glyph.turned for glyph in piece] for piece in pieces]
        return tuple(line.turned for line in _lines(turned))
    return tuple(_lines(pieces))


def _pieces(places: GlyphPlaces, span: Span) -> Iterator[list[Rectangle]]:
    """The glyphs of a span, line by line of the text."""
    first, last = bisect_right(places.lines, span.start), bisect_left(places.lines, span.end)
    for start, end in pairwise((span.start, *places.lines[first:last], span.end)):
        found = [place for offset in range(start, end) if (place := places.rectangle(offset))]
        if found:
            yield found


def _is_sideways(pieces: Sequence[Sequence[Rectangle]]) -> bool:
    """Whether the text goes down or up the page."""
    steps = [step for piece in pieces for step in pairwise(piece)]
    across = sum(abs(after.left + after.right - before.left - before.right) for before, after in steps)
    down = sum(abs(after.top + after.bottom - before.top - before.bottom) for before, after in steps)
    return down > across


def _lines(pieces: Sequence[Sequence[Rectangle]]) -> Iterator[Rectangle]:
    lines: list[Rectangle] = []
    for piece in pieces:
        for run in _runs(piece):
            if lines and _is_one_line(lines[-1], run):
                lines[-1] = _around((lines[-1], run))
            else:
                lines.append(run)
    return map(_with_margin, lines)


def _runs(piece: Sequence[Rectangle]) -> Iterator[Rectangle]:
    """The glyphs of one line of the text as few rectangles, parted where they stand far from one another."""
    height = max(glyph.height for glyph in piece)
    run = piece[0]
    for glyph in piece[1:]:
        if _gap(run, glyph) > GAP * height or _gap(run.turned, glyph.turned) > height / 2:
            yield run
            run = glyph
        else:
            run = _around((run, glyph))
    yield run


def _gap(one: Rectangle, other: Rectangle) -> float:
    """The white space between two rectangles from left to right; none, or less, where they overlap."""
    return max(one.left, other.left) - min(one.right, other.right)


def _is_one_line(before: Rectangle, after: Rectangle) -> bool:
    """Whether two runs stand side by side: raised type ends a line of the text, and marks are left out of it."""
    heights = before.height, after.height
    return -_gap(before.turned, after.turned) >= min(heights) / 2 and _gap(before, after) <= SEAM * max(heights)


def _around(parts: Sequence[Rectangle]) -> Rectangle:
    return Rectangle(
        left=min(part.left for part in parts),
        top=min(part.top for part in parts),
        right=max(part.right for part in parts),
        bottom=max(part.bottom for part in parts),
    )


def _with_margin(line: Rectangle) -> Rectangle:
    margin = MARGIN * line.height
    return Rectangle(
        left=line.left - margin, top=line.top - margin, right=line.right + margin, bottom=line.bottom + margin
    )
