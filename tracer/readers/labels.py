"""Pages to the numbers printed on them, where the file itself does not say them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tracer.readers.layout import Sheet, edge_lines, lone_numbers

TRUSTED_SHARE = 0.3
"""The share of pages that must carry a number of the same running series before it is believed."""

_DECORATION = " \t-–—|·•[]()"
_NUMBER = re.compile(r"(?<![\d.,])\d{1,5}(?![\d.,]*\d)")


def printed(sheets: Sequence[Sheet]) -> tuple[str | None, ...] | None:
    """The printed number of each page, or None where no series of numbers runs with the pages.

    A series is a constant difference between number and sheet; pages before its first and after its last number have
    no label.
    """
    sheets_of: dict[tuple[int, str], set[int]] = {}
    for sheet, page in enumerate(sheets, start=1):
        for number, around in _edge_numbers(page):
            sheets_of.setdefault((number - sheet, around), set()).add(sheet)
    seen: Counter[int] = Counter()
    for (difference, around), found in sheets_of.items():
        seen[difference] += len(found) if not around or len(found) > 1 else 0
    difference, count = max(seen.items(), key=lambda item: (item[1], -abs(item[0])), default=(0, 0))
    if count < max(2, TRUSTED_SHARE * len(sheets)):
        return None
    numbered = {sheet for (other, _), found in sheets_of.items() if other == difference for sheet in found}
    first, last = min(numbered), max(numbered)
    return tuple(str(sheet + difference) if first <= sheet <= last else None for sheet in range(1, len(sheets) + 1))


def _edge_numbers(page: Sheet) -> Iterator[tuple[int, str]]:
    """The numbers that begin or end a head or foot line, each with what else stands there, other figures masked.

    What else stands there must recur on another page, or the line is a heading or a sentence.
    """
    outermost = [line for _, line in lone_numbers(page)]
    for line in {line.start: line for line in (*edge_lines(page), *outermost)}.values():
        text = page.line_text(line)
        for match in _NUMBER.finditer(text):
            around = f"{text[: match.start()]} {text[match.end() :]}".strip(_DECORATION)
            if match.start() == 0 or match.end() == len(text) or not around:
                yield int(match.group()), re.sub(r"\d+", "#", around.casefold())
