"""PDF bytes to a document: pdfium gives text and places of glyphs, pypdf what the file says of itself.

pdfium is not thread-safe and both can be led astray by a hostile file: call these in a process of its own (`child`).
"""

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tracer.model import Document, Heading, Page
from tracer.readers import Unreadable
from tracer.readers.headings import Entry, from_lines, from_outline
from tracer.readers.labels import printed
from tracer.readers.layout import Line, Sheet, apart_from_body, body_sizes, foot_notes
from tracer.readers.marks import readings

if TYPE_CHECKING:
    from tracer.readers.glyphs import Glyphs

suffixes = (".pdf",)

MOST_PAGES = 5_000
FEWEST_LETTERS = 20
"""A page with pictures and fewer letters than this is taken for a scan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfDescription:
    """What a PDF says of itself: its page labels, outline and title; None or empty where it is silent."""

    labels: tuple[str, ...] | None = None
    outline: tuple[Entry, ...] = ()
    title: str | None = None
    warnings: tuple[str, ...] = ()


def read(data: bytes) -> Document:
    """The whole document; raises `Unreadable` for a file that is locked, broken or has no pages."""
    return described(text_of(data), description_of(data))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Raw:
    """A page as pdfium gives it."""

    sheet: Sheet
    raised: tuple[int, ...] = ()
    is_by_column: bool = False
    unreadable: str | None = None
    warnings: tuple[str, ...] = ()


def text_of(data: bytes) -> tuple[Document, tuple[Sheet, ...]]:
    """The document's pages with their readings, headings told from the lines, and the lines themselves."""
    try:
        raw_pages = list(_pages(data))
    except Unreadable as unreadable:
        if unreadable.unread.kind != "broken":
            raise
        raw_pages = list(_pages_by_pypdf(data, unreadable))
    sheets = tuple(raw.sheet for raw in raw_pages)
    labels = printed(sheets)
    pages = tuple(_readable_pages(raw_pages, labels))
    headings, headings_by = from_lines(sheets)
    document = Document(
        kind="pdf",
        pages=pages,
        headings=headings,
        headings_by=headings_by,
        labels_by="print" if labels else None,
    )
    return document, sheets


def _readable_pages(raw_pages: Sequence[_Raw], labels: Sequence[str | None] | None) -> Iterator[Page]:
    sheets = [raw.sheet for raw in raw_pages]
    apart, bodies = apart_from_body(sheets), body_sizes(sheets)
    for number, (raw, runs, body) in enumerate(zip(raw_pages, apart, bodies, strict=True), start=1):
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


def described(read_text: tuple[Document, tuple[Sheet, ...]], description: SelfDescription) -> Document:
    """A document with the labels and the outline that the file itself gives, which count more than what was told."""
    document, sheets = read_text
    labels = description.labels
    pages = document.pages
    if labels and len(labels) == len(pages):
        pages = tuple(_relabelled(page, label) for page, label in zip(pages, labels, strict=True))
    headings, headings_by = _headings(document, sheets, description)
    return Document(
        kind=document.kind,
        sha256=document.sha256,
        pages=pages,
        headings=headings,
        headings_by=headings_by,
        labels_by="file" if pages is not document.pages else document.labels_by,
        title=description.title,
        warnings=(*document.warnings, *description.warnings),
    )


def _relabelled(page: Page, label: str) -> Page:
    return Page(
        sheet=page.sheet,
        label=label or None,
        text=page.text,
        readings=page.readings,
        unreadable=page.unreadable,
        warnings=page.warnings,
    )


def _headings(
    document: Document, sheets: Sequence[Sheet], description: SelfDescription
) -> tuple[tuple[Heading, ...], str | None]:
    if not description.outline:
        return document.headings, document.headings_by
    return from_outline(description.outline, sheets), "outline"


# --- pdfium -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def opened(data: bytes) -> Iterator[Any]:  # Any: pypdfium2 has no types
    """A pdfium document; raises `Unreadable` where it needs a password or cannot be opened."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        document = pypdfium2.PdfDocument(data)
        count = len(document)
    except pypdfium2.PdfiumError as error:
        if pdfium.FPDF_GetLastError() == pdfium.FPDF_ERR_PASSWORD:
            raise Unreadable("locked", "it needs a password") from error
        raise Unreadable("broken", "it cannot be opened as a PDF") from error
    with contextlib.closing(document):
        if not count:
            raise Unreadable("broken", "it has no pages")
        if count > MOST_PAGES:
            raise Unreadable("limit", f"it has {count:,} pages, more than {MOST_PAGES:,}")
        yield document


def _pages(data: bytes) -> Iterator[_Raw]:
    import pypdfium2

    with opened(data) as document:
        for index in range(len(document)):
            try:
                page = document[index]
                yield _raw_page(page)
                page.close()
            except pypdfium2.PdfiumError:
                yield _Raw(sheet=_no_text(), unreadable=f"sheet {index + 1} is broken")


def _no_text() -> Sheet:
    return Sheet(text="", lines=(), height=0.0)


def _raw_page(page: Any) -> _Raw:
    textpage = page.get_textpage()
    glyphs, is_by_column = glyphs_on(textpage)
    text = glyphs.text
    sheet = Sheet(text=text, lines=tuple(glyphs.lines()), height=glyphs.turn.height)
    raised = tuple(glyphs.raised())
    letters = sum(character.isalnum() for character in text)
    unreadable = _no_text_layer(page) if letters < FEWEST_LETTERS else None
    textpage.close()
    return _Raw(sheet=sheet, raised=raised, is_by_column=is_by_column, unreadable=unreadable, warnings=_unmapped(text))


def glyphs_on(textpage: Any) -> tuple["Glyphs", bool]:
    """A page's glyphs in the order in which it is read, and whether that is another one than the file's."""
    from tracer.readers.glyphs import Glyphs
    from tracer.readers.order import in_reading_order, with_line_ends

    glyphs = Glyphs(textpage, _clean(textpage.get_text_range()))
    if glyphs.turn.quarters:
        glyphs = with_line_ends(glyphs)
    by_column = in_reading_order(glyphs)
    found = by_column or glyphs
    found.text = _masked(found.text, found)
    return found, by_column is not None


def _masked(text: str, glyphs: "Glyphs") -> str:
    """The text with a sign of its own for glyphs without Unicode, which pdfium writes like line-end hyphens."""
    unmapped = set(glyphs.unmapped())
    return "".join("\ufffd" if offset in unmapped else one for offset, one in enumerate(text)) if unmapped else text


def _clean(text: str) -> str:
    """Text without lone halves of surrogate pairs, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


def _no_text_layer(page: Any) -> str | None:
    """Why a page with hardly any letters cannot be read, or None where it is merely empty."""
    import pypdfium2.raw as pdfium

    kinds = [item.type for item in page.get_objects(max_depth=2)]
    if pdfium.FPDF_PAGEOBJ_IMAGE in kinds:
        return "it has no text layer (a scan)"
    if kinds.count(pdfium.FPDF_PAGEOBJ_PATH) >= FEWEST_LETTERS:
        return "its letters are drawn, not written"
    return None


def _unmapped(text: str) -> tuple[str, ...]:
    count = text.count("\x00") + text.count("\ufffd")
    if not count:
        return ()
    return (f"{count} glyph{'s' * (count > 1)} without a Unicode value",)


def closer(data: bytes, sheets: Sequence[int]) -> Iterator[Page]:
    """Some pages again, read from the place of every glyph: in column order, small raised and lowered type left out.

    A page that cannot be loaded has no such readings.
    """
    import pypdfium2

    with opened(data) as document:
        for sheet in sheets:
            try:
                yield _closer_page(document, sheet)
            except pypdfium2.PdfiumError:
                yield Page(sheet=sheet, label=None, text="")


def _closer_page(document: Any, sheet: int) -> Page:
    from tracer.readers.columns import closer_readings

    page = document[sheet - 1]
    textpage = page.get_textpage()
    glyphs, is_by_column = glyphs_on(textpage)
    found = tuple(closer_readings(glyphs, is_by_column=is_by_column))
    textpage.close()
    page.close()
    return Page(sheet=sheet, label=None, text=glyphs.text, readings=found)


# --- pypdf ------------------------------------------------------------------------------------------------------


def description_of(data: bytes) -> SelfDescription:
    """Page labels, outline and title; what cannot be read of them is said as a warning."""
    import pypdf
    from pypdf.errors import PyPdfError

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
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        # pypdf raises all of these on damaged files; the text stands without what it would have said
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
                yield Entry(title=_clean(str(entry.title)), sheet=sheet + 1, top=top, level=level, left=left)


def _pages_by_pypdf(data: bytes, unreadable: Unreadable) -> Iterator[_Raw]:
    """The pages by pypdf, for a file that pdfium could not open; no glyphs are placed, so lines have no size."""
    import pypdf
    from pypdf.errors import PyPdfError

    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        texts = [_clean(page.extract_text()) for page in reader.pages]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        raise unreadable from None
    if not any(text.strip() for text in texts):
        raise unreadable
    for text in texts:
        yield _Raw(sheet=Sheet(text=text, lines=tuple(_plain_lines(text)), height=0.0), warnings=("read by pypdf",))


def _plain_lines(text: str) -> Iterator[Line]:
    from tracer.readers.layout import line_spans

    for start, end in line_spans(text):
        yield Line(start=start, end=end, size=0.0, weight=-1, left=0.0, bottom=0.0)
