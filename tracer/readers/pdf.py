"""PDF bytes to a document: pages as pdfium reads them; pypdf for what pdfium cannot open, and for damaged page labels.

Both can be led astray by a hostile file: call these in a process of its own (`child`).
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tracer.model import Document, Heading, Page
from tracer.readers import Unreadable, pdfium
from tracer.readers.drawings import PdfBytes, without_drawings
from tracer.readers.headings import Entry, SelfDescription, from_lines, from_outline
from tracer.readers.labels import printed
from tracer.readers.layout import (
    Line,
    RawPage,
    Sheet,
    apart_from_body,
    body_sizes,
    foot_notes,
    line_spans,
)
from tracer.readers.marks import readings


def read(data: bytes) -> Document:
    """The whole document; raises `Unreadable` for a file that is locked, broken or has no pages."""
    return assembled(pages_of(PdfBytes.of(data)), description_of(data))


def pages_of(file: PdfBytes, shares: int = 1, further: Iterable[RawPage] = ()) -> Sequence[RawPage]:
    """The first share of the pages and those `further` ones; by pypdf, all of them, where only it can open the file."""
    try:
        return (*pdfium.pages(file, 0, shares), *further)
    except Unreadable as unreadable:
        if unreadable.unread.kind != "broken":
            raise
        return tuple(_pages_by_pypdf(file.whole, unreadable))


def description_of(data: bytes) -> SelfDescription:
    """Page labels, outline and title, by pypdf where pdfium cannot open the file or its page labels are damaged."""
    try:
        with pdfium.opened(data) as document:
            description = pdfium.description_of(document)
            if pdfium.are_damaged(description.labels):
                return replace(description, labels=_described_by_pypdf(data).labels)
            return description
    except Unreadable:
        return _described_by_pypdf(data)


def closer(data: bytes, sheets: Sequence[int]) -> Iterator[Page]:
    """Some pages again, read from the place of every glyph."""
    with pdfium.opened(without_drawings(data)) as document:
        yield from pdfium.closer(document, sheets)


def assembled(pages: Sequence[RawPage], description: SelfDescription) -> Document:
    """The document of all pages; what the file says of itself counts more than what its lines tell."""
    sheets = tuple(page.sheet for page in pages)
    labels = description.labels if description.labels and len(description.labels) == len(sheets) else None
    told = labels or printed(sheets)
    headings, headings_by = _headings(sheets, description)
    return Document(
        kind="pdf",
        pages=tuple(_readable_pages(pages, told)),
        headings=headings,
        headings_by=headings_by,
        labels_by="file" if labels else "print" if told else None,
        title=description.title,
        warnings=description.warnings,
    )


def _headings(sheets: Sequence[Sheet], description: SelfDescription) -> tuple[tuple[Heading, ...], str | None]:
    if description.outline:
        return from_outline(description.outline, sheets), "outline"
    return from_lines(sheets)


def _readable_pages(pages: Sequence[RawPage], labels: Sequence[str | None] | None) -> Iterator[Page]:
    sheets = [page.sheet for page in pages]
    apart, bodies = apart_from_body(sheets), body_sizes(sheets)
    for number, (raw, runs, body) in enumerate(zip(pages, apart, bodies, strict=True), start=1):
        text = raw.sheet.text
        notes = set(foot_notes(raw.sheet, body)) if raw.raised else ()
        yield Page(
            sheet=number,
            label=labels[number - 1] if labels else None,
            text=text,
            readings=tuple(readings(text, raw.raised, runs, notes=notes, is_by_column=raw.is_by_column)),
            unreadable=raw.unreadable,
            warnings=raw.warnings,
        )


# --- pypdf ------------------------------------------------------------------------------------------------------


def _described_by_pypdf(data: bytes) -> SelfDescription:
    """Page labels, outline and title; what cannot be read of them is said as a warning."""
    import pypdf

    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            return SelfDescription()
        has_labels = "/PageLabels" in reader.root_object
        return SelfDescription(
            labels=tuple(reader.page_labels) if has_labels else None,
            outline=tuple(_outline(reader)),
            title=(reader.metadata.title if reader.metadata else None) or None,
        )
    except _damages() as error:
        return SelfDescription(warnings=(f"its outline and page labels cannot be read ({type(error).__name__})",))


def _outline(reader: Any) -> Iterator[Entry]:
    """The outline's entries that point to a page, in order; nested lists are walked without recursion."""
    stack = [(iter(reader.outline), 1)]
    while stack:
        entries, level = stack[-1]
        entry = next(entries, None)
        if entry is None:
            stack.pop()
        elif isinstance(entry, list):
            stack.append((iter(entry), level + 1))
        else:
            sheet = reader.get_destination_page_number(entry)
            if sheet is not None and sheet >= 0 and str(entry.title or "").strip():
                top = float(entry.top) if entry.top is not None else None
                left = float(entry.left) if entry.left is not None else None
                yield Entry(title=pdfium.clean(str(entry.title)), sheet=sheet + 1, top=top, level=level, left=left)


def _pages_by_pypdf(data: bytes, unreadable: Unreadable) -> Iterator[RawPage]:
    """The pages by pypdf, for a file that pdfium could not open; no glyphs are placed, so lines have no size."""
    import pypdf

    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        texts = [pdfium.clean(page.extract_text()) for page in reader.pages]
    except _damages():
        raise unreadable from None
    if not any(text.strip() for text in texts):
        raise unreadable
    for text in texts:
        yield RawPage(sheet=Sheet(text=text, lines=tuple(_plain_lines(text)), height=0.0), warnings=("read by pypdf",))


def _damages() -> tuple[type[Exception], ...]:
    """All that pypdf raises on damaged files."""
    from pypdf.errors import PyPdfError

    return PyPdfError, ArithmeticError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError


def _plain_lines(text: str) -> Iterator[Line]:
    for start, end in line_spans(text):
        yield Line(start=start, end=end, size=0.0, weight=-1, left=0.0, bottom=0.0)
