"""A PDF's pages to pictures of them, and to the places of their glyphs in those pictures.

A picture shows a page as a person sees it, turned and cropped; its places count from the upper left. pdfium draws, so
the reading process is where this runs; what it answers is unpacked outside of it.
"""

import io
import json
import math
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from tracer.readers import Unreadable

PARTS = ("glyphs", "draw")
"""The parts of the reading process that this module answers for."""

MOST_PIXELS = 2_000_000
MOST_PIXELS_ASIDE = 16_383
"""The longest side of a WebP image."""

QUALITY = 70
EFFORT = 2
"""Of 6; more takes twice the time for three hundredths of the size."""

UNIT = 0xFFFF
"""The width and the height of every page in the units in which places of glyphs are packed."""

LONGEST = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    """A rectangle counted from the upper left, downward."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def turned(self) -> "Rectangle":
        """The same with its axes exchanged, for text that is set sideways."""
        return Rectangle(left=self.top, top=self.left, right=self.bottom, bottom=self.right)

    @property
    def height(self) -> float:
        """How far it reaches down."""
        return self.bottom - self.top


@dataclass(frozen=True, slots=True, kw_only=True)
class GlyphPlaces:
    """Where the glyphs behind a page's text stand on the page as it is shown; lengths in points.

    `lines` are the offsets at which lines of the text begin; `edges` has left, top, right and bottom of each offset.
    """

    sheet: int
    width: float
    height: float
    lines: tuple[int, ...]
    edges: Sequence[int]

    def rectangle(self, offset: int) -> Rectangle | None:
        """The place of the glyph at an offset of the page's text; white space and what is cut off have none."""
        left, top, right, bottom = self.edges[4 * offset : 4 * offset + 4] or (0, 0, 0, 0)
        if left == right:
            return None
        across, down = self.width / UNIT, self.height / UNIT
        return Rectangle(left=left * across, top=top * down, right=right * across, bottom=bottom * down)


def pixels(width: float, height: float, scale: float) -> tuple[int, int]:
    """The size of a page's picture at so many pixels a point, or smaller where it would have too many of them."""
    scale = min(scale, math.sqrt(MOST_PIXELS / (width * height)), MOST_PIXELS_ASIDE / max(width, height))
    return max(1, int(width * scale)), max(1, int(height * scale))


def records(part: str, data: bytes, wanted: Sequence[str]) -> Iterator[bytes]:
    """What a part answers: the places of glyphs for each `SHEET`, or WebP for each `SHEET:WIDTH:HEIGHT:TOP:BOTTOM`.

    Width and height are pixels of the whole page, of which the rows from top to bottom are wanted.
    """
    from tracer.readers.pdfium import opened

    answer = _glyphs if part == "glyphs" else _drawn
    with opened(data) as document:
        yield from answer(document, [[int(word) for word in words.split(":")] for words in wanted])


@contextmanager
def _page(document: Any, sheet: int) -> Iterator[Any]:  # Any: pypdfium2 has no types
    import pypdfium2

    try:
        page = document[sheet - 1]
    except pypdfium2.PdfiumError as error:
        raise Unreadable("broken", f"sheet {sheet} is broken") from error
    with closing(page):
        yield page


# --- the places of glyphs ---------------------------------------------------------------------------------------


def _glyphs(document: Any, wanted: Sequence[Sequence[int]]) -> Iterator[bytes]:
    for (sheet,) in wanted:
        with _page(document, sheet) as page, closing(page.get_textpage()) as textpage:
            yield _packed_places(sheet, page, textpage)


def _packed_places(sheet: int, page: Any, textpage: Any) -> bytes:
    from tracer.readers.layout import line_spans
    from tracer.readers.pdfium import glyphs_on

    glyphs, _ = glyphs_on(textpage)
    text = glyphs.text
    edges = array("H", bytes(8 * len(text)))
    for offset, character in enumerate(text):
        if not character.isspace():
            edges[4 * offset : 4 * offset + 4] = array("H", _edges(page, glyphs.place(offset)))
    head = {
        "sheet": sheet,
        "width": _length(page.get_width()),
        "height": _length(page.get_height()),
        "lines": [start for start, _ in line_spans(text)],
    }
    return json.dumps(head).encode() + b"\n" + edges.tobytes()


def _edges(page: Any, box: Any) -> tuple[int, int, int, int]:
    """A box of the page's own coordinates as it is shown; nothing where it is empty or cut off."""
    if box.height <= 0 or box.right <= box.left:
        return 0, 0, 0, 0
    x, y = zip(_shown(page, box.left, box.top), _shown(page, box.right, box.bottom), strict=True)
    if max(x) <= 0 or max(y) <= 0 or min(x) >= UNIT or min(y) >= UNIT:
        return 0, 0, 0, 0
    left, top, right, bottom = max(0, min(x)), max(0, min(y)), min(UNIT, max(x)), min(UNIT, max(y))
    return min(left, right - 1), min(top, bottom - 1), right, bottom


def _shown(page: Any, x: float, y: float) -> tuple[int, int]:
    import ctypes

    import pypdfium2.raw as pdfium

    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page.raw, 0, 0, UNIT, UNIT, 0, x, y, across, down)
    return across.value, down.value


def _length(points: float) -> float:
    """A side of a page that pictures can be made of, whatever the file says."""
    return min(max(points, 1.0), LONGEST) if math.isfinite(points) else LONGEST


def unpack_places(record: bytes) -> GlyphPlaces:
    """The places of glyphs that were packed."""
    line, _, packed = record.partition(b"\n")
    head = json.loads(line)
    edges = array("H")
    edges.frombytes(packed)
    return GlyphPlaces(
        sheet=head["sheet"],
        width=_length(head["width"]),
        height=_length(head["height"]),
        lines=tuple(head["lines"]),
        edges=edges,
    )


# --- pictures ---------------------------------------------------------------------------------------------------


def _drawn(document: Any, wanted: Sequence[Sequence[int]]) -> Iterator[bytes]:
    for (sheet, width, height), strips in groupby(wanted, key=itemgetter(0, 1, 2)):
        with _page(document, sheet) as page:
            image = _image(page, width, height)
        for *_, top, bottom in strips:
            out = io.BytesIO()
            image.crop((0, top, width, bottom)).save(out, "WEBP", quality=QUALITY, method=EFFORT)
            yield out.getvalue()


def _image(page: Any, width: int, height: int) -> Any:  # Any: Pillow is imported where it is used
    """A page without its annotations: they are no part of the text that is checked, and may lie over it."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    bitmap = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGR)
    with closing(bitmap):
        pdfium.FPDFBitmap_FillRect(bitmap.raw, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_RENDER_LIMITEDIMAGECACHE
        pdfium.FPDF_RenderPageBitmap(bitmap.raw, page.raw, 0, 0, width, height, 0, flags)
        return bitmap.to_pil()
