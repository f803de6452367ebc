"""Texts to the pages and documents that a reader would make of them."""

from collections.abc import Sequence

from tracer.model import Document, Heading, Page
from tracer.readers.marks import readings


def page(sheet: int, text: str, *, label: str | None = None, raised: Sequence[int] = (), apart: str = "") -> Page:
    """A page; `apart` is a piece of its text that is no body text."""
    start = text.index(apart) if apart else 0
    runs = [(start, start + len(apart))] if apart else []
    return Page(sheet=sheet, label=label, text=text, readings=tuple(readings(text, raised, runs)))


def document(*texts: str, headings: tuple[Heading, ...] = ()) -> Document:
    pages = tuple(page(sheet, text) for sheet, text in enumerate(texts, start=1))
    return Document(kind="pdf", pages=pages, headings=headings, headings_by="outline" if headings else None)
