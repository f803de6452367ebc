"""Real reports to materials: running text, captions and table rows that two readings of poppler agree on."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from bench.verdicts import truth
from bench.verdicts.making import LONGEST, SHORTEST, is_cut_after, is_cut_before, sections
from bench.verdicts.model import Material, Passage
from bench.verdicts.truth import Line

_PLAIN = re.compile(r"[(“\"'‘\[]*[^\W_][\w'’.,–/+%-]*[)\]”\"'’,.;:?!%]*|[–—&]")
_HEADING = re.compile(r"((?:\d{1,2}|[A-H])(?:\.\d{1,2}){0,3})\.? ((?:[A-Z0-9]).{2,80})")
_UNNUMBERED = re.compile(r"(?:References|Acknowledge?ments?|Contributions|Contents|Appendix)")
_CAPTION = re.compile(r"(?:Table|Figure) \d+:")
_RUNNING = re.compile(r"\d{1,4}")

Where = tuple[int, float]


def read(path: Path, seed: int) -> Material:
    """The passages of a report that is set in one column."""
    pages = truth.lines(path)
    texts, raw = truth.pages(path), truth.pages(path, "-raw")
    report = _Report(pages, Random(f"{seed} {path.name}"))
    agreed = tuple(truth.strict(text) for text in raw)
    loose = tuple(truth.loose(text) for text in raw)
    found = dict.fromkeys([*report.passages(), *_rows(path, raw)])
    return Material(
        name=path.stem,
        path=path,
        labels=tuple(str(sheet) for sheet in range(1, len(pages) + 1)),
        sections=tuple(sections([(number, title, _level(number)) for _, number, title in report.headings])),
        passages=tuple(passage for passage in found if _is_agreed(passage, agreed, loose)),
        pages=truth.readings(texts, raw),
    )


def _is_agreed(passage: Passage, pages: Sequence[str], loose: Sequence[str]) -> bool:
    if passage.kind == "table row":
        return True
    if passage.last_sheet > passage.sheet:
        first, last = (loose[sheet - 1] for sheet in (passage.sheet, passage.last_sheet))
        return truth.stands_in_pieces(passage.words, first, last, pieces=2)
    return truth.strict(passage.text) in pages[passage.sheet - 1]


class _Report:
    """The lines of a report, its headings, and the words that it writes."""

    def __init__(self, pages: Sequence[Sequence[Line]], random: Random) -> None:
        self.pages, self.random = pages, random
        self.headings = tuple(_chained(_titles(pages)))
        self.written = Counter(
            word.strip(".,;:()").casefold() for page in pages for line in page for word in line.words
        )
        heights = Counter(round(line.bottom - line.top, 1) for page in pages for line in page if len(line.words) > 7)
        self.height = heights.most_common(1)[0][0]

    def passages(self) -> Iterator[Passage]:
        for sheet, page in enumerate(self.pages, start=1):
            for block in _blocks(page):
                if _is_prose(block):
                    kind = "caption" if _CAPTION.match(" ".join(block[0].words)) else None
                    yield from self._windows(block, sheet, kind)
        for sheet, (page, after) in enumerate(pairwise(self.pages), start=1):
            yield from self._over_page_end(page, after, sheet)

    def section(self, sheet: int, top: float) -> str | None:
        """The section of a line: the last heading above it."""
        above = [number for where, number, _ in self.headings if where <= (sheet, top + 2)]
        return above[-1] if above else None

    def _windows(self, block: Sequence[Line], sheet: int, kind: str | None) -> Iterator[Passage]:
        words = list(self._joined(block))
        if not words:
            return
        for _ in range(max(2, len(words) // 12)):
            start = self.random.randrange(len(words))
            stop = min(len(words), start + self.random.randint(SHORTEST, LONGEST))
            window = words[start:stop]
            if kind == "caption":
                window, start, stop = words[: stop - start], 0, stop - start
            if self._is_fit(words, start, stop):
                found = kind or ("over a line-end hyphen" if any(cut for _, _, cut in window) else _kind(window))
                section = None if kind else self.section(sheet, window[0][1].top)
                yield Passage(words=tuple(word for word, _, _ in window), sheet=sheet, section=section, kind=found)

    def _is_fit(self, words: Sequence[tuple[str, Line, bool]], start: int, stop: int) -> bool:
        texts = [word for word, _, _ in words[start:stop]]
        before = words[start - 1][0] if start else ""
        after = words[stop][0] if stop < len(words) else ""
        is_cut = is_cut_before(before) or is_cut_after(after) or (_is_number(texts[0]) and len(texts[0]) == 1)
        return len(texts) >= 4 and all(map(_PLAIN.fullmatch, texts)) and not is_cut and not _is_formula(texts)

    def _joined(self, block: Sequence[Line]) -> Iterator[tuple[str, Line, bool]]:
        """The words of a block with the line each begins on, those cut at a line end put together."""
        held: tuple[str, Line] | None = None
        for line in block:
            for index, word in enumerate(line.words):
                if held:
                    joined = self._whole(held[0], word)
                    yield joined or f"{held[0]}\0{word}", held[1], True
                    held = None
                elif index == len(line.words) - 1 and re.search(r"[^\W\d_]-$", word) and line is not block[-1]:
                    held = (word, line)
                else:
                    yield word, line, False

    def _whole(self, first: str, second: str) -> str | None:
        """A word cut at a line end, with its hyphen or without, as the report writes it elsewhere."""
        rest = second.strip(".,;:()").casefold()
        plain, hyphened = first[:-1].casefold().lstrip("(") + rest, first.casefold().lstrip("(") + rest
        if self.written[plain] == self.written[hyphened]:
            return None
        return (first[:-1] if self.written[plain] > self.written[hyphened] else first) + second

    def _over_page_end(self, page: Sequence[Line], after: Sequence[Line], sheet: int) -> Iterator[Passage]:
        """The last line of a page's body with the first one of the next, where one sentence clearly runs on."""
        above = [line for line in page if self._is_body(line)]
        below = [line for line in after if self._is_body(line)]
        if not above or not below:
            return
        first, last = max(above, key=lambda line: line.top), min(below, key=lambda line: line.top)
        captions = {line.block for line in after if _CAPTION.match(" ".join(line.words))}
        lower = (line for line in page if line.top > first.top + 2)
        upper = (line for line in after if line.top < last.top - 2 and line.block not in captions)
        is_parted = any(abs(line.left - last.left) < 2 for line in upper if self._is_body(line))
        if is_parted or any(map(self._is_type, lower)):
            return
        runs_on = not re.search(r"[.:?!)\]”]$", first.words[-1]) and last.words[0][:1].islower()
        if not runs_on or abs(first.left - last.left) > 2 or first.words[-1].endswith("-"):
            return
        words = [(word, line, False) for line in (first, last) for word in line.words]
        middle = len(first.words)
        for left, right in ((5, 5), (3, 8), (8, 3), (6, 7), (2, 9), (9, 2)):
            start, stop = max(0, middle - left), min(len(words), middle + right)
            if self._is_fit(words, start, stop):
                yield Passage(
                    words=tuple(word for word, _, _ in words[start:stop]),
                    sheet=sheet,
                    last_sheet=sheet + 1,
                    section=self.section(sheet, first.top),
                    kind="over a page end",
                )

    def _is_body(self, line: Line) -> bool:
        return self._is_type(line) and line.bottom - line.top < self.height + 0.3 and len(line.words) > 7

    def _is_type(self, line: Line) -> bool:
        """Whether a line is set in the size of the body, or larger, and is no page number."""
        return line.bottom - line.top > self.height - 0.3 and not _RUNNING.fullmatch(" ".join(line.words))


def _is_number(word: str) -> bool:
    return word.strip("(),.;:").isdecimal()


def _is_formula(words: Sequence[str]) -> bool:
    """Whether words hold single letters, Greek ones, or figures that stand apart: poppler sets formulas on a line."""
    if any(re.search(r"[α-ωΑ-Ω]|-$", word) or re.fullmatch(r"\W*[b-zB-HJ-Z]\W*", word) for word in words):
        return True
    return any(_is_number(word) and _is_number(after) for word, after in pairwise(words))


def _kind(window: Sequence[tuple[str, Line, bool]]) -> str:
    return "verbatim" if len({line.top for _, line, _ in window}) == 1 else "over a line end"


def _blocks(page: Sequence[Line]) -> Iterator[list[Line]]:
    for number in dict.fromkeys(line.block for line in page):
        yield [line for line in page if line.block == number]


def _is_prose(block: Sequence[Line]) -> bool:
    words = [word for line in block for word in line.words]
    letters = sum(word.strip(".,;:()").isalpha() for word in words)
    return len(words) >= 8 * len(block) and letters > 0.7 * len(words)


# --- headings -----------------------------------------------------------------------------------------------------


def _titles(pages: Sequence[Sequence[Line]]) -> Iterator[tuple[Where, str, str]]:
    """Rows that look like a numbered heading."""
    for sheet, page in enumerate(pages, start=1):
        rows: dict[int, list[Line]] = {}
        for line in page:
            rows.setdefault(round(line.bottom / 3), []).append(line)
        for row in rows.values():
            text = " ".join(word for line in sorted(row, key=lambda line: line.left) for word in line.words)
            match = _HEADING.fullmatch(text)
            if _UNNUMBERED.fullmatch(text):
                yield (sheet, row[0].top), "", text
            elif match and min(line.left for line in row) < 110:
                yield (sheet, row[0].top), match.group(1), match.group(2)


def _chained(titles: Iterator[tuple[Where, str, str]]) -> Iterator[tuple[Where, str, str]]:
    """The titles whose numbers follow on one another."""
    last: tuple[int, ...] = (0,)
    for where, number, title in sorted(titles):
        if not number:
            yield where, title, title
            continue
        parts = tuple(int(part) if part.isdigit() else 1000 + ord(part) - ord("A") for part in number.split("."))
        next_ones = {(*last[:depth], last[depth] + 1) for depth in range(len(last))} | {(*last, 1)}
        if parts in next_ones or (parts == (1000,) and last[0] < 1000):
            yield where, number, title
            last = parts


def _level(number: str) -> int:
    return number.count(".") + 1


# --- tables -------------------------------------------------------------------------------------------------------


def _rows(path: Path, raw: Sequence[str]) -> Iterator[Passage]:
    """Rows with a name and four numbers or more, read across the page; the name begins a line in the file too."""
    for sheet, page in enumerate(truth.pages(path, "-layout"), start=1):
        starts = tuple(truth.loose(line) for line in raw[sheet - 1].splitlines())
        for row in page.splitlines():
            name, *cells = re.split(r"\s{2,}", row.strip())
            is_table = len(cells) >= 4 and all(re.fullmatch(r"\d+(?:\.\d+)?", cell) for cell in cells)
            if (
                is_table
                and re.match(r"[A-Z][\w-]{3,}", name)
                and any(line.startswith(truth.loose(name)) for line in starts)
            ):
                yield Passage(
                    words=tuple(" ".join((name, *cells)).split()), sheet=sheet, section=None, kind="table row"
                )
