"""Plain bytes to a document of one page, and any bytes to text with line feeds only.

Lines are what stands between line feeds: form feeds and the line separators of Unicode stay inside a line.
"""

import codecs

from tracer.model import Document, Page
from tracer.readers import Unreadable

MOST_BYTES = 32 * 2**20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read(data: bytes) -> Document:
    """The file's text as its single page; plain text has no headings."""
    text, warnings = decoded(data)
    return Document(kind="text", pages=(single_page(text),), warnings=warnings)


def single_page(text: str) -> Page:
    """The only page of a source without pages; one without a letter cannot be checked."""
    unreadable = None if text.strip() else "there is no text in the file"
    return Page(sheet=1, label=None, text=text, unreadable=unreadable)


def decoded(data: bytes, encoding: str = "utf-8") -> tuple[str, tuple[str, ...]]:
    """The text of the bytes and what was lost; a byte order mark goes before the encoding that was given.

    What cannot be read becomes U+FFFD, and so does NUL, which databases and terminals cut text at.
    """
    if len(data) > MOST_BYTES:
        raise Unreadable("limit", f"the file has {len(data):,} bytes, more than {MOST_BYTES:,}")
    mark, encoding = marked_encoding(data) or (b"", encoding)
    text, lost = _decoded(data[len(mark) :], encoding)
    nulls = text.count("\0")
    if (lost + nulls) * 10 > len(text):
        raise Unreadable("broken", f"the file is no text in {encoding}", "save it as UTF-8")
    warnings = [f"bytes that are no {encoding} are read as U+FFFD ({lost} times)"] if lost else []
    warnings += [f"NUL characters are read as U+FFFD ({nulls} times)"] if nulls else []
    return _with_line_feeds(text).replace("\0", "\ufffd"), tuple(warnings)


def marked_encoding(data: bytes) -> tuple[bytes, str] | None:
    """The byte order mark that the bytes begin with, and the encoding it stands for."""
    return next(((mark, encoding) for mark, encoding in _MARKS if data.startswith(mark)), None)


def _decoded(data: bytes, encoding: str) -> tuple[str, int]:
    try:
        return data.decode(encoding), 0
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        return text, text.count("\ufffd")


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
