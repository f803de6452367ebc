"""A PDF page's glyphs, as pdfium places them, to what its text alone does not tell: raised digits, sizes of lines.

Coordinates are PDF points as the text is read: its lines run to the right, the origin is at the lower left. pdfium is
not thread-safe: this runs in a process of its own.
"""

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import pypdfium2.raw as pdfium

from tracer.readers.layout import Box, Line, line_spans
from tracer.text import has_leftward

RAISED_SHARE = 0.28
"""How far above the line a raised digit's foot stands, as a share of its height (measured on 101 documents)."""

SAMPLED_LETTERS = 9
"""At about how many letters a line is measured that is set in several sizes."""

_PICTURE_HEIGHT = 24
"""Of how many dots the picture of a sign is high that is looked at for its shape."""

_DARK = 160

_DIGITS = re.compile(r"\d(?:[\d,–−+-]*\d)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """How many right angles a page's text is turned clockwise by, and the page's edges, to turn it back."""

    quarters: int
    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        """The height of the page as its text is read."""
        return self.right - self.left if self.quarters % 2 else self.top - self.bottom

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page as the text is read."""
        if self.quarters == 1:
            return self.top - y, x - self.left
        if self.quarters == 2:
            return self.right - x, self.top - y
        if self.quarters == 3:
            return y - self.bottom, self.right - x
        return x, y


class Glyphs:
    """The glyphs behind a page's text, asked for by offset in that text."""

    def __init__(self, textpage: Any, text: str, indices: Sequence[int] | None = None) -> None:
        # Any: pypdfium2 has no types
        self.textpage = textpage
        self.raw = textpage.raw
        self.text = text
        if indices is None and pdfium.FPDFText_CountChars(self.raw) != len(text):
            indices = _char_indices(self.raw, text)
        self.indices = indices
        self.edges = [ctypes.c_double() for _ in range(6)]
        self.turn = _turn(textpage, self)

    def rearranged(self, text: str, offsets: Sequence[int]) -> "Glyphs":
        """The same glyphs in another order: each character's offset in the text that is now."""
        return Glyphs(self.textpage, text, [self.index(offset) for offset in offsets])

    def index(self, offset: int) -> int:
        """pdfium's own number of the glyph at an offset."""
        return offset if self.indices is None else self.indices[offset]

    def box(self, offset: int) -> Box:
        """The box of the glyph at an offset, as the text is read; generated characters have an empty one."""
        place = self.place(offset)
        if not self.turn.quarters:
            return place
        one = self.turn.point(place.left, place.bottom)
        other = self.turn.point(place.right, place.top)
        (left, right), (bottom, top) = (sorted(pair) for pair in zip(one, other, strict=True))
        base = self.turn.point(self.edges[4].value, self.edges[5].value)[1]
        return Box(left=left, bottom=bottom, right=right, top=top, base=base)

    def is_drawn(self, offset: int) -> bool:
        """Whether the file draws the character at an offset, where pdfium generates white space that is none of it."""
        return bool(pdfium.FPDFText_GetTextObject(self.raw, self.index(offset)))

    def advance(self, offset: int) -> Box:
        """The box of the glyph at an offset with the white space that its font gives it on both sides."""
        box, rectangle = self.box(offset), pdfium.FS_RECTF()
        if self.turn.quarters or not pdfium.FPDFText_GetLooseCharBox(self.raw, self.index(offset), rectangle):
            return box
        return box._replace(left=float(rectangle.left), right=float(rectangle.right))

    def opens_to_right(self, offset: int) -> bool | None:
        """Whether a sign is drawn like `<`, its upper edge higher on the right; None on a page that is turned."""
        box, page = self.box(offset), self.textpage.page
        if self.turn.quarters or page.get_rotation():
            return None
        left, bottom, right, top = page.get_bbox()
        crop = (box.left - left, box.bottom - bottom, right - box.right, top - box.top)
        picture = page.render(scale=_PICTURE_HEIGHT / max(box.height, 1.0), crop=crop, grayscale=True).to_pil()
        columns = [
            next((row for row in range(picture.height) if picture.getpixel((column, row)) < _DARK), picture.height)
            for column in (picture.width // 6, picture.width - 1 - picture.width // 6)
        ]
        return bool(columns[1] < columns[0])

    def start(self, offset: int) -> float:
        """Where the glyph at an offset begins on its line."""
        x, y = self.edges[4:]
        pdfium.FPDFText_GetCharOrigin(self.raw, self.index(offset), x, y)
        return self.turn.point(x.value, y.value)[0] if self.turn.quarters else float(x.value)

    def angle(self, offset: int) -> float:
        """By how much the glyph at an offset is turned clockwise, in right angles."""
        return float(pdfium.FPDFText_GetCharAngle(self.raw, self.index(offset))) / (math.pi / 2)

    def place(self, offset: int) -> Box:
        """The box of the glyph at an offset in the page's own coordinates."""
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
        is_leftward = has_leftward(self.text[first])
        for offset in range(first + 1, end):
            box = self.box(offset)
            step = abs(box.left - before.left) if is_leftward else box.left - before.left
            is_beside = step > 0.1 * box.height
            if is_beside and box.height > 0 and box.base - before.base > RAISED_SHARE * box.height:
                yield offset
            elif self.text[offset].isdigit():
                before = box

    def lines(self) -> Iterator[Line]:
        """The lines of the page's text, as large as most of their letters are."""
        for start, end in line_spans(self.text):
            letters = list(compress(range(start, end), map(str.isalnum, self.text[start:end])))
            middle = letters[len(letters) // 2] if letters else start
            box = self.box(letters[0] if letters else start)
            yield Line(
                start=start,
                end=end,
                size=self._usual_size(letters, middle),
                weight=self.weight(middle),
                left=box.left,
                bottom=box.base,
            )

    def _usual_size(self, letters: Sequence[int], middle: int) -> float:
        """The size at the middle of a line, or where its first letter has another one, that of most of some letters."""
        size = self.size(middle)
        if not letters or self.size(letters[0]) == size:
            return size
        sizes = [self.size(offset) for offset in letters[:: max(1, len(letters) // SAMPLED_LETTERS)]]
        return max(sizes, key=sizes.count)


def _turn(textpage: Any, glyphs: Glyphs) -> Turn:
    """The direction of a page's text, told at three places of it, which must be of one mind."""
    looked_at = (_letter(glyphs.text, len(glyphs.text) * part // 4) for part in (1, 2, 3))
    said = {round(glyphs.angle(offset)) % 4 for offset in looked_at if offset is not None}
    left, bottom, right, top = textpage.page.get_bbox() if textpage.page else (0.0, 0.0, 0.0, 0.0)
    return Turn(quarters=said.pop() if len(said) == 1 else 0, left=left, bottom=bottom, right=right, top=top)


def _letter(text: str, start: int) -> int | None:
    """The first letter or digit from an offset on."""
    return next((offset for offset in range(start, len(text)) if text[offset].isalnum()), None)


def _char_indices(raw: Any, text: str) -> Sequence[int]:
    """pdfium's number of each character of a text whose characters are not its glyphs one by one."""
    indices, unit = [], 0
    for character in text:
        indices.append(max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(raw, unit)))
        unit += 1 + (ord(character) > 0xFFFF)
    return indices
