"""Lines and glyph boxes of pages to what is body text, and to the order in which columns are read.

Coordinates are PDF points with the origin at the lower left.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from tracer.text import LINE_HYPHENS

SMALL_TYPE = 0.93
"""Lines set smaller than this share of their page's body type are notes, captions or tables."""

USUAL_SHARE = 0.15
"""The share of a page's letters in the document's usual type from which on that is the page's body type."""

EDGE_SHARE = 0.12
"""The head and the foot of a page, as a share of its height."""

RECURRENCE = 3
"""On how many pages a head or a foot line stands again, digits aside, before it is a running one."""

_CAPTION = re.compile(r"(?:figure|fig\.|table|algorithm|listing|scheme)\s*[A-Z]?\d+(?:\.\d+)*\s*[.:|]", re.IGNORECASE)
_LONE_NUMBER = re.compile(r"\W*[0-9]{1,4}\W*")
_PAGE_NUMBER = re.compile(r"\W*(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s+(?:of|/)\s+\d{1,4})?\W*", re.IGNORECASE)
_FOOT_NOTE = re.compile(r"([1-9]\d?)\s*[^\W\d_]{2}")
_LONGEST_LABEL = 60
_SENTENCE = re.compile(r"[.,;:]$|=")


class Box(NamedTuple):  # no dataclass: there is one for every glyph, and a frozen one takes thrice the time
    """A glyph's box; `base` is the height of the line that it stands on."""

    left: float
    bottom: float
    right: float
    top: float
    base: float

    @property
    def height(self) -> float:
        """The glyph's own height."""
        return self.top - self.bottom


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a page's text: where it begins and ends in it, its type size, its left edge and its foot."""

    start: int
    end: int
    size: float
    weight: int
    left: float
    bottom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One page for the layout: its text, its lines in the order of the file, and its height."""

    text: str
    lines: tuple[Line, ...]
    height: float

    def line_text(self, line: Line) -> str:
        """The text of one of its lines."""
        return self.text[line.start : line.end].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """A page as it was read: its lines, the offsets of raised digits, whether it had to be put in reading order."""

    sheet: Sheet
    raised: tuple[int, ...] = ()
    is_by_column: bool = False
    unreadable: str | None = None
    warnings: tuple[str, ...] = ()


def line_spans(text: str) -> Iterator[tuple[int, int]]:
    """The lines of a text that hold something visible; a line-end hyphen ends a line as a line break does."""
    start = 0
    for match in re.finditer(rf"[\r\n]+|[{LINE_HYPHENS}]", text):
        end = match.start() if match.group()[0] in "\r\n" else match.end()
        if text[start:end].strip():
            yield start, end
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def apart_from_body(sheets: Sequence[Sheet]) -> list[list[tuple[int, int]]]:
    """For each page the runs that are no body text: heads, feet, page numbers, notes, captions, small type."""
    running = _running_lines(sheets)
    numbers = _running_numbers(sheets)
    return [
        _merged(sorted([*_furniture(sheet, running, body), *numbers.get(at, ())]))
        for at, (sheet, body) in enumerate(zip(sheets, body_sizes(sheets), strict=True))
    ]


def edge_lines(sheet: Sheet) -> Iterator[Line]:
    """The lines in the head and in the foot of a page, the two outermost of each."""
    ordered = sorted(sheet.lines, key=lambda line: line.bottom)
    foot = [line for line in ordered[:2] if line.bottom < EDGE_SHARE * sheet.height]
    head = [line for line in ordered[-2:] if line.bottom > (1 - EDGE_SHARE) * sheet.height]
    yield from {line.start: line for line in (*head, *foot)}.values()


def lone_numbers(sheet: Sheet) -> Iterator[tuple[str, Line]]:
    """The lowest and the highest line of a page, wherever they stand, if each is a number alone."""
    ordered = sorted(sheet.lines, key=lambda line: line.bottom)
    for end, line in (("foot", ordered[:1]), ("head", ordered[-1:])):
        if line and _LONE_NUMBER.fullmatch(sheet.line_text(line[0])):
            yield end, line[0]


def body_sizes(sheets: Sequence[Sheet]) -> list[float]:
    """The type size of each page's body: that of the whole document where the page has its share of it, else its own.

    A last page with few lines of text above many notes is so not taken for a page of headings.
    """
    by_page = [_sizes(sheet) for sheet in sheets]
    usual = _commonest(sum(by_page, Counter()))
    return [usual if sizes[usual] >= USUAL_SHARE * sizes.total() > 0 else _commonest(sizes) for sizes in by_page]


def foot_notes(sheet: Sheet, body: float) -> Iterator[str]:
    """The numbers of the foot notes of a page: what lines in smaller type begin with, before a word."""
    small = [line for line in sheet.lines if line.size < SMALL_TYPE * body]
    for line, following in zip_longest(small, small[1:]):
        is_parted = following and abs(following.bottom - line.bottom) < line.size and following.size > line.size
        match = _FOOT_NOTE.match(sheet.text[line.start : following.end if is_parted else line.end].strip())
        if match:
            yield match.group(1)


def _sizes(sheet: Sheet) -> Counter[float]:
    sizes: Counter[float] = Counter()
    for line in sheet.lines:
        sizes[line.size] += line.end - line.start
    return sizes


def _commonest(sizes: Counter[float]) -> float:
    return max(sizes, key=lambda size: (sizes[size], size), default=0.0)


def _running_lines(sheets: Sequence[Sheet]) -> frozenset[str]:
    seen: Counter[str] = Counter()
    for sheet in sheets:
        seen.update({_masked(sheet.line_text(line)) for line in edge_lines(sheet)})
    needed = min(RECURRENCE, max(2, len(sheets)))
    return frozenset(line for line, pages in seen.items() if pages >= needed)


def _running_numbers(sheets: Sequence[Sheet]) -> Mapping[int, list[tuple[int, int]]]:
    """For each page, counted from 0, its outermost line if that is a number which counts on with the pages."""
    series: dict[tuple[str, int], list[tuple[int, Line]]] = defaultdict(list)
    for at, sheet in enumerate(sheets):
        for end, line in lone_numbers(sheet):
            number = int("".join(filter(str.isdecimal, sheet.line_text(line))))
            series[(end, number - at)].append((at, line))
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for at, line in chain.from_iterable(lines for lines in series.values() if len(lines) >= RECURRENCE):
        found[at].append((line.start, line.end))
    return found


def _masked(line: str) -> str:
    return re.sub(r"\d+", "#", "".join(line.split()).casefold())


def _furniture(sheet: Sheet, running: frozenset[str], body: float) -> Iterator[tuple[int, int]]:
    for line in edge_lines(sheet):
        if _masked(sheet.line_text(line)) in running or _PAGE_NUMBER.fullmatch(sheet.line_text(line)):
            yield line.start, line.end
    for line in sheet.lines:
        if line.size < SMALL_TYPE * body:
            yield line.start, line.end
    yield from _captions(sheet)
    yield from _labels_on_top(sheet, running, body)


def _captions(sheet: Sheet) -> Iterator[tuple[int, int]]:
    """Caption lines with the lines that follow them at the same pitch and size."""
    above: Line | None = None
    for line in sheet.lines:
        if _CAPTION.match(sheet.line_text(line)) or (above and _continues(above, line)):
            yield line.start, line.end
            above = line
        else:
            above = None


def _labels_on_top(sheet: Sheet, running: frozenset[str], body: float) -> Iterator[tuple[int, int]]:
    """What is set like text in a float that a page begins with: short lines off the left edge, down to its caption.

    Only there: between two lines of text a short line may be an equation, which a sentence does not do without.
    """
    edges = _left_edges(sheet, body)
    found: list[tuple[int, int]] = []
    for line in sheet.lines:
        text = sheet.line_text(line)
        if _CAPTION.match(text):
            yield from found
            return
        if line.size < SMALL_TYPE * body or _masked(text) in running:
            continue
        if (
            len(text) > _LONGEST_LABEL
            or any(abs(line.left - edge) < line.size for edge in edges)
            or _SENTENCE.search(text)
        ):
            return
        found.append((line.start, line.end))


def _left_edges(sheet: Sheet, body: float) -> list[int]:
    """Where the lines of a page's text begin, in whole points, column by column."""
    edges = Counter(round(line.left) for line in sheet.lines if line.size >= SMALL_TYPE * body)
    return [edge for edge, lines in edges.items() if lines >= RECURRENCE]


def _continues(above: Line, line: Line) -> bool:
    return above.size == line.size and -0.3 * line.size < above.bottom - line.bottom < 1.35 * above.size


def _merged(runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in runs:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
