"""A PDF as pdfium reads it: the text and the glyphs of its pages, its outline, its page labels and its title.

pdfium is not thread-safe and can be led astray by a hostile file: call these in a process of its own (`child`).
"""

import contextlib
import ctypes
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tracer.model import Page
from tracer.readers import Unreadable
from tracer.readers.drawings import PdfBytes
from tracer.readers.headings import Entry, SelfDescription
from tracer.readers.layout import RawPage, Sheet
from tracer.text import has_leftward

if TYPE_CHECKING:
    from tracer.readers.glyphs import Glyphs

MOST_PAGES = 5_000
FEWEST_LETTERS = 20
"""A page with pictures and fewer letters than this is taken for a scan."""

KEPT_OPEN = 8
"""How many pages stay open behind the one that is read: pdfium keeps what they share with it, above all the fonts."""

DEEPEST = 32
"""How many levels of an outline are read."""


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


def clean(text: str) -> str:
    """Text without lone halves of surrogate pairs, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


# --- pages ------------------------------------------------------------------------------------------------------


def pages(file: PdfBytes, share: int = 0, shares: int = 1) -> Iterator[RawPage]:
    """The pages of a file, or those of one share of it, counted from 0; raises `Unreadable`."""
    import pypdfium2

    still_open: deque[Any] = deque()
    with contextlib.ExitStack() as stack:
        document = stack.enter_context(opened(file.light))
        whole = cache(lambda: document if file.light is file.whole else stack.enter_context(opened(file.whole)))
        count = len(document)
        for index in range(share * count // shares, (share + 1) * count // shares):
            try:
                still_open.append(document[index])
                yield _raw_page(still_open[-1], whole, index)
                if len(still_open) > KEPT_OPEN:
                    still_open.popleft().close()
            except pypdfium2.PdfiumError:
                yield RawPage(sheet=Sheet(text="", lines=(), height=0.0), unreadable=f"sheet {index + 1} is broken")


def _raw_page(page: Any, whole: Callable[[], Any], index: int) -> RawPage:
    """A page without its drawings; `whole` gives the document that has them."""
    textpage = page.get_textpage()
    glyphs, is_by_column = glyphs_on(textpage)
    text = glyphs.text
    sheet = Sheet(text=text, lines=tuple(glyphs.lines()), height=glyphs.turn.height)
    raised = tuple(glyphs.raised())
    letters = sum(map(str.isalnum, text))
    unreadable = _no_text_layer(page, whole, index) if letters < FEWEST_LETTERS else None
    textpage.close()
    return RawPage(
        sheet=sheet, raised=raised, is_by_column=is_by_column, unreadable=unreadable, warnings=_unmapped(text)
    )


def glyphs_on(textpage: Any) -> tuple["Glyphs", bool]:
    """A page's glyphs in the order in which it is read, and whether that is another one than the file's."""
    from tracer.readers.glyphs import Glyphs
    from tracer.readers.order import in_reading_order, with_line_ends

    glyphs = Glyphs(textpage, clean(textpage.get_text_range()))
    if glyphs.turn.quarters:
        glyphs = with_line_ends(glyphs)
    if has_leftward(glyphs.text):
        from tracer.readers.bidi import in_logical_order

        glyphs, by_column = in_logical_order(glyphs)
    else:
        by_column = in_reading_order(glyphs)
    found = by_column or glyphs
    found.text = _masked(found.text, found)
    return found, by_column is not None


def _masked(text: str, glyphs: "Glyphs") -> str:
    """The text with a sign of its own for glyphs without Unicode, which pdfium writes like line-end hyphens."""
    unmapped = set(glyphs.unmapped())
    return "".join("\ufffd" if offset in unmapped else one for offset, one in enumerate(text)) if unmapped else text


def _no_text_layer(page: Any, whole: Callable[[], Any], index: int) -> str | None:
    """Why a page with hardly any letters cannot be read, or None where it is merely empty."""
    import pypdfium2.raw as pdfium

    if pdfium.FPDF_PAGEOBJ_IMAGE in _kinds(page):
        return "it has no text layer (a scan)"
    if _kinds(whole()[index]).count(pdfium.FPDF_PAGEOBJ_PATH) >= FEWEST_LETTERS:
        return "its letters are drawn, not written"
    return None


def _kinds(page: Any) -> list[int]:
    return [item.type for item in page.get_objects(max_depth=2)]


def _unmapped(text: str) -> tuple[str, ...]:
    count = text.count("\x00") + text.count("\ufffd")
    if not count:
        return ()
    return (f"{count} glyph{'s' * (count > 1)} without a Unicode value",)


def closer(document: Any, sheets: Sequence[int]) -> Iterator[Page]:
    """Some pages again, read from the place of every glyph: in column order, small raised and lowered type left out.

    A page that cannot be loaded has no such readings.
    """
    import pypdfium2

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
    if has_leftward(glyphs.text):
        from tracer.readers.bidi import with_numbers_moved

        found += tuple(with_numbers_moved(glyphs))
    textpage.close()
    page.close()
    return Page(sheet=sheet, label=None, text=glyphs.text, readings=found)


# --- what the file says of itself -------------------------------------------------------------------------------


def description_of(document: Any) -> SelfDescription:
    """Outline, page labels and title."""
    labels = tuple(clean(document.get_page_label(index)) for index in range(len(document)))
    return SelfDescription(
        labels=labels if any(labels) else None,
        outline=tuple(_outline(document)),
        title=clean(document.get_metadata_value("Title")) or None,
    )


def are_damaged(labels: Sequence[str] | None) -> bool:
    """Whether page labels are of a damaged tree, out of which pdfium makes '', '0', '1'."""
    return labels is not None and (not all(labels) or "0" in labels)


def _outline(document: Any) -> Iterator[Entry]:
    """The entries of the outline that point to a page, in order."""
    for bookmark in document.get_toc(max_depth=DEEPEST):
        title, target = clean(bookmark.get_title()), bookmark.get_dest()
        sheet = None if target is None else target.get_index()
        if sheet is not None and sheet >= 0 and title.strip():
            left, top = _aim(target)
            yield Entry(title=title, sheet=sheet + 1, top=top, level=bookmark.level + 1, left=left)


def _aim(target: Any) -> tuple[float | None, float | None]:
    """The left and the upper edge that a target aims at, in points of its page; None for one that it leaves open."""
    import pypdfium2.raw as pdfium

    view, parameters = target.get_view()
    if view == pdfium.PDFDEST_VIEW_FITR:
        return parameters[0], parameters[3]
    if view in (pdfium.PDFDEST_VIEW_FITH, pdfium.PDFDEST_VIEW_FITBH):
        return None, parameters[0] if parameters else None
    has = [ctypes.c_int() for _ in range(3)]
    place = [ctypes.c_float() for _ in range(3)]
    pdfium.FPDFDest_GetLocationInPage(target.raw, *has, *place)
    left, top, _ = (at.value if given.value else None for given, at in zip(has, place, strict=True))
    return left, top
