"""A citation and a document to the sheets that it names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracer.model import Citation, Document, Page
from tracer.ranges import ends, numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSheets:
    """The sheets that a citation names; `is_named` where it names any, `is_sheet` where a page was read as a sheet."""

    sheets: tuple[int, ...]
    is_named: bool
    is_sheet: bool = False


def cited_sheets(citation: Citation, document: Document) -> CitedSheets:
    """The sheets of a citation's `sheet`, or of its `page`, which may be a range.

    A number that is no printed label is taken for a sheet where the labels were read off the print; where the file
    gives the labels itself they are what a page number means.
    """
    if document.kind != "pdf" or not (citation.page or citation.sheet):
        return CitedSheets(sheets=(), is_named=False)
    if citation.sheet:
        return CitedSheets(sheets=tuple(_numbers(citation.sheet, len(document.pages))), is_named=True)
    by_label = tuple(_labelled(citation.page or "", document.pages)) if document.labels_by else ()
    if by_label or document.labels_by == "file":
        return CitedSheets(sheets=by_label, is_named=True)
    sheets = tuple(_numbers(citation.page or "", len(document.pages)))
    return CitedSheets(sheets=sheets, is_named=True, is_sheet=bool(sheets) and document.labels_by == "print")


def _labelled(written: str, pages: Sequence[Page]) -> Iterator[int]:
    """The sheets with a printed label, which may hold a hyphen itself, or from one label to a later one."""
    whole = written.strip().casefold()
    found = [page.sheet for page in pages if page.label and page.label.casefold() == whole]
    if found:
        yield from found
        return
    labels = [(page.label or "").casefold() for page in pages]
    first, last = ends(written)
    if first == last:
        yield from (page.sheet for page, label in zip(pages, labels, strict=True) if label == first)
    elif first in labels and last in labels[labels.index(first) :]:
        start = labels.index(first)
        yield from (page.sheet for page in pages[start : labels.index(last, start) + 1])


def _numbers(written: str, most: int) -> Iterator[int]:
    found = numbers(written)
    if found:
        yield from range(max(1, found[0]), min(found[1], most) + 1)
