"""A PDF's bytes without the drawings that hold no text: what pdfium need not parse to read the text.

pdfium parses a form (a piece of content that pages draw by name) anew on each page that draws it: a logo at the head of
every page, or a plot of a hundred thousand points, takes many times as long as the text does.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

LEAST = 4 << 10
"""The packed bytes from which on a form is worth the look."""

MOST = 16 << 20
"""The unpacked bytes up to which a form is looked at."""

MOST_IN_ALL = 256 << 20

MOST_FORMS = 10_000
"""How many forms of a file are looked at: hostile ones stand side by side by the million."""

_LONGEST_HEAD = 4 << 10
_BLOCK = 64 << 10
_FORM = re.compile(rb"/Subtype\s*/Form\b")
_STREAM = re.compile(rb">>\s*stream\r?\n")
_FLATE = re.compile(rb"/Filter\s*\[?\s*/FlateDecode\s*[]/>]")
_MAY_SHOW_TEXT = re.compile(rb"[(<]|\bDo\b")
"""Text is shown from a string, in brackets of one of two kinds, or by another form that is drawn."""

_NOTHING = zlib.compress(b"")


@dataclass(frozen=True, slots=True)
class File:
    """A PDF's bytes, as they are and as its text is read from them."""

    whole: bytes
    light: bytes

    @classmethod
    def of(cls, data: bytes) -> "File":
        """The file of these bytes."""
        return cls(whole=data, light=without_drawings(data))


def without_drawings(data: bytes) -> bytes:
    """The same file, every object of it in its place, in which forms that can show no text are empty."""
    drawings = list(_drawings(data))
    if not drawings:
        return data
    emptied = bytearray(data)
    for start, end in drawings:
        emptied[start:end] = _NOTHING.ljust(end - start, b"\0")
    return bytes(emptied)


def _drawings(data: bytes) -> Iterator[tuple[int, int]]:
    """Where the packed content of each form stands that can show no text."""
    left = MOST_IN_ALL
    for start in _forms(data):
        content, end = _unpacked(data, start, min(MOST, left))
        left -= len(content)
        if end and not _MAY_SHOW_TEXT.search(content):
            yield start, end
        if left <= 0:
            return


def _forms(data: bytes) -> Iterator[int]:
    """Where the content of each form begins that is worth the look and packed in the usual way."""
    for match in islice(_FORM.finditer(data), MOST_FORMS):
        first = data.rfind(b"obj", max(0, match.start() - _LONGEST_HEAD), match.start())
        stream = _STREAM.search(data, match.end(), match.end() + _LONGEST_HEAD)
        if first < 0 or stream is None:
            continue
        head = data[first : stream.start() + 2]
        if b"/BBox" not in head or b"endobj" in head or b"/DecodeParms" in head or not _FLATE.search(head):
            continue
        if data.find(b"endstream", stream.end(), stream.end() + LEAST) < 0:
            yield stream.end()


def _unpacked(data: bytes, start: int, most: int) -> tuple[bytes, int | None]:
    """The content that is packed from an offset on, and where it ends; no end where it is damaged or too long."""
    unpacking = zlib.decompressobj()
    pieces: list[bytes] = []
    size = 0
    for first in range(start, len(data), _BLOCK):
        try:
            pieces.append(unpacking.decompress(data[first : first + _BLOCK], most - size + 1))
        except zlib.error:
            break
        size += len(pieces[-1])
        if size > most:
            break
        if unpacking.eof:
            return b"".join(pieces), min(first + _BLOCK, len(data)) - len(unpacking.unused_data)
    return b"".join(pieces), None
