"""The bytes of a file to the document that they are, read in the process of the test."""

from collections.abc import Callable
from dataclasses import replace

from tracer import readers
from tracer.model import Document, Unread
from tracer.readers.marks import flowing_readings


def read(data: bytes, name: str = "report.pdf") -> Document:
    """A file as the library would give it."""
    document = readers.read(name, data)
    if document.kind == "pdf":
        return document
    pages = (replace(page, readings=tuple(flowing_readings(page.text))) for page in document.pages)
    return replace(document, pages=tuple(pages))


def read_or_reason(reader: Callable[[bytes], Document], data: bytes) -> Document | Unread:
    """What one reader makes of some bytes: a document, or why it makes none."""
    try:
        return reader(data)
    except readers.Unreadable as unreadable:
        return unreadable.unread
