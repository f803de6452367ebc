"""Pages that citations name, by their printed labels and by their count."""

from collections.abc import Callable

from tracer.model import Citation
from tracer.paging import cited_sheets
from tracer.readers import pdf


def test_printed_numbers_are_labels_and_sheets_are_accepted(pdf_of: Callable[..., bytes]) -> None:
    pages = [
        f"The bound is tight on {word}.\n" + "\n" * 49 + f"{number}" for word, number in (("one", 211), ("two", 212))
    ]
    document = pdf.read(pdf_of(pages))
    assert [page.label for page in document.pages] == ["211", "212"]
    by_label = cited_sheets(Citation(source="r", page="212"), document)
    by_sheet = cited_sheets(Citation(source="r", page="2"), document)
    assert by_label.sheets == by_sheet.sheets == (2,)
    assert (by_label.is_sheet, by_sheet.is_sheet) == (False, True)


def test_labels_that_the_file_gives_are_what_a_page_means(pdf_of: Callable[..., bytes]) -> None:
    document = pdf.read(pdf_of(["One.", "Two.", "Three.", "Four."], labels=["i", "ii", "iii", "1"]))
    assert cited_sheets(Citation(source="r", page="1"), document).sheets == (4,)
    assert cited_sheets(Citation(source="r", page="4"), document).sheets == ()
    assert cited_sheets(Citation(source="r", page="ii-1"), document).sheets == (2, 3, 4)
    assert cited_sheets(Citation(source="r", sheet="3"), document).sheets == (3,)
