"""A PDF page's glyphs, as pdfium places them, to what its text alone does not tell: raised digits, sizes of lines.

Coordinates are PDF points, the origin at the lower left. pdfium is not thread-safe: this runs in a process of its own.
"""

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2.raw as pdfium

from tracer.readers.layout import Box, Line, line_spans

RAISED_SHARE = 0.28
"""How far above the line a raised digit's foot stands, as a share of its height (measured on 101 documents)."""

_DIGITS = re.compile(r"\d(?:[\d,–−+-]*\d)?")


class Glyphs:
    """The glyphs behind a page's text, asked for by offset in that text."""

    def __init__(self, textpage: Any, text: str) -> None:  # Any: pypdfium2 has no types
        self.raw = textpage.raw
        self.text = text
        count = pdfium.FPDFText_CountChars(self.raw)
        self.indices = None if count == len(text) else _char_indices(self.raw, text)
        self.edges = [ctypes.c_double() for _ in range(6)]

    def index(self, offset: int) -> int:
        """pdfium's own number of the glyph at an offset."""
        return offset if self.indices is None else self.indices[offset]

    def box(self, offset: int) -> Box:
        """The box of the glyph at an offset; generated characters have an empty one."""
        left, right, bottom, top, x, base = self.edges
        index = self.index(offset)
        pdfium.FPDFText_GetCharBox(self.raw, index, left, right, bottom, top)
        pdfium.FPDFText_GetCharOrigin(self.raw, index, x, base)
        return Box(left=left.value, bottom=bottom.value, right=right.value, top=top.value, base=base.value)

    def size(self, offset: int) -> float:
        """The type size at an offset, in points: the font's size as its text matrix scales it."""
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self.raw, self.index(offset), matrix)
        return round(
            float(pdfium.FPDFText_GetFontSize(self.raw, self.index(offset))) * math.hypot(matrix.b, matrix.d), 1
        )

    def weight(self, offset: int) -> int:
        """The font weight at an offset (400 is regular, 700 bold, -1 unknown)."""
        return int(pdfium.FPDFText_GetFontWeight(self.raw, self.index(offset)))

    def unmapped(self) -> Iterator[int]:
        """The offsets of glyphs that the font gives no Unicode value; pdfium writes them like line-end hyphens."""
        for offset, character in enumerate(self.text):
            if character == "\ufffe" and pdfium.FPDFText_IsHyphen(self.raw, self.index(offset)) != 1:
                yield offset

    def raised(self) -> Iterator[int]:
        """The offsets of digits that stand higher than the letter or digit before them."""
        for match in _DIGITS.finditer(self.text):
            start, end = match.span()
            is_word_start = not start or self.text[start - 1].isspace()
            yield from self._raised_after(start if is_word_start else start - 1, end)

    def _raised_after(self, first: int, end: int) -> Iterator[int]:
        before = self.box(first)
        for offset in range(first + 1, end):
            box = self.box(offset)
            is_beside = box.left > before.left + 0.1 * box.height
            if is_beside and box.height > 0 and box.base - before.base > RAISED_SHARE * box.height:
                yield offset
            elif self.text[offset].isdigit():
                before = box

    def lines(self) -> Iterator[Line]:
        """The lines of the page's text, measured at a letter in their middle."""
        for start, end in line_spans(self.text):
            letters = [offset for offset in range(start, end) if self.text[offset].isalnum()]
            middle = letters[len(letters) // 2] if letters else start
            box = self.box(letters[0] if letters else start)
            yield Line(
                start=start,
                end=end,
                size=self.size(middle),
                weight=self.weight(middle),
                left=box.left,
                bottom=box.base,
            )


def _char_indices(raw: Any, text: str) -> Sequence[int]:
    """pdfium's number of each character of a text whose characters are not its glyphs one by one."""
    indices, unit = [], 0
    for character in text:
        indices.append(max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(raw, unit)))
        unit += 1 + (ord(character) > 0xFFFF)
    return indices
