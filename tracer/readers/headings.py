"""Pages to the headings of their sections: from the outline, from numbered lines, or from larger and bolder ones."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tracer.model import Heading
from tracer.readers.layout import Line, Sheet, body_sizes
from tracer.text import LINE_HYPHENS, comparable

BOLD = 600
"""The font weight from which a line counts as bold."""

LONGEST_TITLE = 120

_ASIDE = 20.0
"""How far left of an outline's target, in points, a line may begin that it aims at."""

_WIDEST_NUMBER = 24
"""How many characters may stand before a title: its number, or `Appendix A:`."""

_NUMBERED = re.compile(r"((?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4})\.?\s+(?=\S*[^\W\d_])((?s:.+))")
_APPENDIX = re.compile(r"\s*(?:appendix|section)\s+([A-Z]|\d+)(?:\.|:)?\s+((?s:.+))", re.IGNORECASE)
_UNNUMBERED = re.compile(
    "abstract|acknowledge?ments?|appendix|appendices|bibliography|contents|references|tableofcontents"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of a document's outline: its title, target sheet, the target's height in points if any, and its depth."""

    title: str
    sheet: int
    top: float | None
    level: int
    left: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfDescription:
    """What a PDF says of itself: its page labels, outline and title; None or empty where it is silent."""

    labels: tuple[str, ...] | None = None
    outline: tuple[Entry, ...] = ()
    title: str | None = None
    warnings: tuple[str, ...] = ()


def from_outline(entries: Sequence[Entry], sheets: Sequence[Sheet]) -> tuple[Heading, ...]:
    """The headings that an outline names, each found in the text of its target page or placed by its height."""
    headings = {}
    for entry in entries:
        if 1 <= entry.sheet <= len(sheets):
            heading = _located(entry, sheets[entry.sheet - 1])
            headings[(heading.sheet, heading.start)] = heading
    for heading in _unnumbered(sheets):
        headings.setdefault((heading.sheet, heading.start), heading)
    return _in_order(headings.values())


def from_lines(sheets: Sequence[Sheet]) -> tuple[tuple[Heading, ...], str | None]:
    """The headings that the lines themselves show, and how they were told: `numbers`, `type`, or None for neither."""
    numbered = list(_run(_numbered_lines(sheets)))
    if numbered:
        return _in_order([*numbered, *_unnumbered(sheets)]), "numbers"
    typed = list(_typed(sheets))
    return (_in_order(typed), "type") if typed else ((), None)


def _in_order(headings: Iterable[Heading]) -> tuple[Heading, ...]:
    return tuple(sorted(headings, key=lambda heading: (heading.sheet, heading.start)))


def _located(entry: Entry, sheet: Sheet) -> Heading:
    candidates = list(_title_lines(entry.title, sheet))
    if not candidates:
        line = _line_below(entry.top, entry.left, sheet)
        return _heading(entry, None, line.start if line else 0)
    number, line = min(candidates, key=lambda candidate: _distance(entry.top, candidate[1]))
    return _heading(entry, number, line.start)


def _heading(entry: Entry, number: str | None, start: int) -> Heading:
    match = _NUMBERED.fullmatch(entry.title.strip())
    title = entry.title.strip()
    if match and not number:
        number, title = match.group(1), match.group(2)
    level = number.count(".") + 1 if number else entry.level
    return Heading(number=number, title=title, level=level, sheet=entry.sheet, start=start)


def _title_lines(wanted: str, sheet: Sheet) -> Iterator[tuple[str | None, Line]]:
    """The lines that begin with a title, over three lines if need be, and the number before it."""
    title, first_word = comparable(wanted), wanted.casefold().split()[0]
    for position, line in enumerate(sheet.lines):
        if not 0 <= sheet.text[line.start : line.end].casefold().find(first_word) <= _WIDEST_NUMBER:
            continue
        following = sheet.lines[position + 1 : position + 3]
        end = following[-1].end if following else line.end
        text = comparable(sheet.text[line.start : end])
        if text.startswith(title):
            yield None, line
            continue
        match = _NUMBERED.match(sheet.text[line.start : end].strip()) or _APPENDIX.match(sheet.text[line.start : end])
        if match and comparable(match.group(2)).startswith(title):
            yield match.group(1), line


def _distance(top: float | None, line: Line) -> float:
    return 0.0 if top is None else abs(top - line.bottom - line.size)


def _line_below(top: float | None, left: float | None, sheet: Sheet) -> Line | None:
    """The first line, in the order of the text, that stands below a height and not left of the column aimed at."""
    if top is None:
        return None
    edge = float("-inf") if left is None else left - _ASIDE
    return next((line for line in sheet.lines if line.bottom <= top and line.left >= edge), None)


def _unnumbered(sheets: Sequence[Sheet]) -> Iterator[Heading]:
    """Lines that hold nothing but the usual name of a section that carries no number."""
    for number, sheet in enumerate(sheets, start=1):
        for line in sheet.lines:
            title = sheet.line_text(line)
            if len(title) <= 20 and _UNNUMBERED.fullmatch(comparable(title)):
                yield Heading(number=None, title=title, level=1, sheet=number, start=line.start)


def _numbered_lines(sheets: Sequence[Sheet]) -> Iterator[Heading]:
    """Numbered lines that are set larger or bolder than the body: list items and affiliations are not."""
    for number, (sheet, body) in enumerate(zip(sheets, body_sizes(sheets), strict=True), start=1):
        for line, title in _titles(sheet, body):
            match = _NUMBERED.fullmatch(title)
            if match and len(match.group(2)) <= LONGEST_TITLE and _stands_out(line, body):
                level = match.group(1).count(".") + 1
                yield Heading(number=match.group(1), title=match.group(2), level=level, sheet=number, start=line.start)


def _titles(sheet: Sheet, body: float) -> Iterator[tuple[Line, str]]:
    """The lines of a page, a title that is set in several lines as one."""
    first: Line | None = None
    last: Line | None = None
    for line in sheet.lines:
        if first and last and _goes_on(last, line, sheet, body):
            last = line
            continue
        if first and last:
            yield first, _title(sheet, first, last)
        first = last = line
    if first and last:
        yield first, _title(sheet, first, last)


def _title(sheet: Sheet, first: Line, last: Line) -> str:
    """The text from one line to another as a title of one line, a word that is cut at a line end whole."""
    text = re.sub(rf"(?<=[^\W\d_])[{LINE_HYPHENS}](?=[^\W\d_])", "", sheet.text[first.start : last.end])
    return " ".join(text.split())


def _goes_on(last: Line, line: Line, sheet: Sheet, body: float) -> bool:
    """Whether a line is the next one of a title: as large and as bold, right below, and with no number of its own."""
    is_alike = line.size == last.size and line.weight == last.weight and _stands_out(line, body)
    is_below = 0 < last.bottom - line.bottom < 1.5 * line.size
    return is_alike and is_below and not _NUMBERED.match(sheet.line_text(line))


def _stands_out(line: Line, body: float) -> bool:
    return line.size > 1.05 * body or (line.weight >= BOLD and line.size >= 0.95 * body)


def _run(candidates: Iterator[Heading]) -> Iterator[Heading]:
    """The candidates whose numbers follow on one another: the next of its level, or the first below."""
    last: tuple[int, ...] = ()
    for candidate in candidates:
        parts = _parts(candidate.number or "")
        if _follows(last, parts):
            yield candidate
            last = parts


def _parts(number: str) -> tuple[int, ...]:
    """A number as integers; appendix letters count on after all figures."""
    return tuple(int(part) if part.isdigit() else 1000 + ord(part) - ord("A") for part in number.split("."))


def _follows(last: tuple[int, ...], parts: tuple[int, ...]) -> bool:
    if not last:
        return parts in {(1,), (0,)}
    if parts == (1000,):
        return last[0] < 1000
    if len(parts) > len(last):
        return parts in {(*last, 1), (*last, 0)}
    return parts[:-1] == last[: len(parts) - 1] and 0 < parts[-1] - last[len(parts) - 1] <= 2


def _typed(sheets: Sequence[Sheet]) -> Iterator[Heading]:
    """Short lines set clearly larger than the body; what is largest is the highest level."""
    found = []
    for number, (sheet, body) in enumerate(zip(sheets, body_sizes(sheets), strict=True), start=1):
        for line, title in _titles(sheet, body):
            if line.size > 1.12 * body and 2 < len(title) <= LONGEST_TITLE and re.search(r"[^\W\d_]{2}", title):
                found.append((number, line, title))
    sizes = sorted({line.size for _, line, _ in found}, reverse=True)
    for number, line, title in found:
        yield Heading(number=None, title=title, level=sizes.index(line.size) + 1, sheet=number, start=line.start)
