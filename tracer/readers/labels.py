"""Pages to the numbers printed on them, where the file itself does not say them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tracer.readers.layout import Sheet, edge_lines

TRUSTED_SHARE = 0.3
"""The share of pages that must carry a number of the same running series before it is believed."""

_NUMBER = re.compile(r"(?<![\d.,])\d{1,5}(?![\d.,]*\d)")


def printed(sheets: Sequence[Sheet]) -> tuple[str | None, ...] | None:
    """The printed number of each page, or None where no series of numbers runs with the pages.

    A series is a constant difference between number and sheet; pages before its first and after its last number have
    no label.
    """
    seen: Counter[int] = Counter()
    sheets_of: dict[int, list[int]] = {}
    for sheet, page in enumerate(sheets, start=1):
        for difference in {number - sheet for number in _edge_numbers(page)}:
            seen[difference] += 1
            sheets_of.setdefault(difference, []).append(sheet)
    if not seen:
        return None
    difference, count = max(seen.items(), key=lambda item: (item[1], -abs(item[0])))
    if count < max(2, TRUSTED_SHARE * len(sheets)):
        return None
    first, last = min(sheets_of[difference]), max(sheets_of[difference])
    return tuple(str(sheet + difference) if first <= sheet <= last else None for sheet in range(1, len(sheets) + 1))


def _edge_numbers(page: Sheet) -> Iterator[int]:
    """The numbers that begin, end or fill a head or foot line."""
    for line in edge_lines(page):
        text = page.line_text(line)
        for match in _NUMBER.finditer(text):
            if match.start() == 0 or match.end() == len(text) or not re.search(r"\w", text[: match.start()]):
                yield int(match.group())
