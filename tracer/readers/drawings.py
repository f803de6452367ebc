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
"""The unpacked bytes up to which the forms of a file are looked at."""

MOST_FORMS = 10_000
"""How many forms of a file are looked at: hostile ones stand side by side by the million."""

_LONGEST_HEAD = 4 << 10
_BLOCK = 64 << 10
_FORM = re.compile(rb"/Subtype\s*/Form\b")
_STREAM = re.compile(rb">>\s*stream\r?\n")
_NUMBER = re.compile(rb"\d\s+\d+\s+\Z")
_PLAIN_STRING = re.compile(rb"\([^()<>\\]*\)")
_FLATE = re.compile(rb"/Filter\s*(?:/FlateDecode\s*[/>]|\[\s*/FlateDecode\s*\])")
_END = re.compile(rb"\s{0,2}endstream\b")
_UNCLEAR = (b"obj", b"(", b")", b"%", b"#", b"/DecodeParms")
"""In the dictionary of a form: another object, a string that may hold anything, a comment, an escaped name."""

_SHOWING_TEXT = (b"Tj", b"TJ", b"'", b'"', b"(", b"<", b"BT", b"Do", b" d0", b" d1")
"""What shows text, what it is shown from, what draws another form, and what makes the form the glyph of a font."""

_NOTHING = zlib.compress(b"\n")
"""Content without an operator; pdfium takes packed content that holds nothing at all for unpacked."""


@dataclass(frozen=True, slots=True)
class PdfBytes:
    """A PDF's bytes, as they are and as its text is read from them."""

    whole: bytes
    light: bytes

    @classmethod
    def of(cls, data: bytes) -> "PdfBytes":
        """The whole file and the same one without its drawings."""
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
    for start in dict.fromkeys(_forms(data)):
        most = min(MOST, left)
        content, end = _unpacked(data, start, most)
        left -= most if end is None else len(content)
        if end is not None and _is_whole(data, start, end) and not any(sign in content for sign in _SHOWING_TEXT):
            yield start, end
        if left <= 0:
            return


def _is_whole(data: bytes, start: int, end: int) -> bool:
    """Whether packed content is all that its stream holds, and holds no end of a stream itself."""
    return _END.match(data, end) is not None and data.find(b"endstream", start, end) < 0


def _forms(data: bytes) -> Iterator[int]:
    """Where the content of each form begins that is worth the look and packed in the usual way."""
    for match in islice(_FORM.finditer(data), MOST_FORMS):
        first = data.rfind(b"obj", max(0, match.start() - _LONGEST_HEAD), match.start())
        stream = _STREAM.search(data, match.end(), match.end() + _LONGEST_HEAD)
        if first < 0 or stream is None or not _NUMBER.search(data[max(0, first - 20) : first]):
            continue
        before, after = data[first + len(b"obj") : match.start()], data[match.start() : stream.start() + len(b">>")]
        is_worth_it = data.find(b"endstream", stream.end(), stream.end() + LEAST) < 0
        if is_worth_it and _is_of_form(_PLAIN_STRING.sub(b"", before), _PLAIN_STRING.sub(b"", after)):
            yield stream.end()


def _is_of_form(before: bytes, after: bytes) -> bool:
    """Whether a dictionary, before and from the word that it is of a form, is plain to read and packed once."""
    whole = before + after
    is_its_own = before.count(b"<<") - before.count(b">>") == 1
    is_clear = not any(sign in whole for sign in _UNCLEAR) and whole.count(b"/Filter") == 1
    return is_its_own and is_clear and b"/BBox" in whole and _FLATE.search(whole) is not None


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
    return b"", None
