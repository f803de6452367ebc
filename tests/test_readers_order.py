"""Columns that a file draws row by row are read one after the other; every other page is read as it is drawn."""

import io
from collections.abc import Iterable, Sequence

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from tracer.model import Document, Span
from tracer.readers import pdf
from tracer.sections import section_at
from tracer.text import comparable

SENTENCE = "the student learns from nine experts and each of them was trained for one domain alone"

Run = tuple[float, float, str, str, float]
"""Where a run of letters stands, its text, its font and its size."""


def prose(seed: int, count: int) -> list[str]:
    """Lines of some forty letters, none like another."""
    return [f"{seed}{number} {' '.join(SENTENCE.split()[number % 7 :][:7])}" for number in range(10, 10 + count)]


def drawn(*pages: Iterable[Run], turn: int = 0) -> Document:
    """Pages of some runs in the order given, which a reader sees upright however they are turned."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1)
    for runs in pages:
        if turn == 90:
            canvas.setPageRotation(90)
            canvas.translate(A4[1], 0)
            canvas.rotate(90)
        for x, y, text, font, size in runs:
            canvas.setFont(font, size)
            canvas.drawString(x, y, text)
        canvas.showPage()
    canvas.save()
    return pdf.read(stream.getvalue())


def column(x: float, lines: Sequence[str], top: float = 700) -> list[Run]:
    return [(x, top - 12 * number, text, "Times-Roman", 9) for number, text in enumerate(lines)]


def by_row(*runs: Run) -> list[Run]:
    return sorted(runs, key=lambda run: (-round(run[1]), run[0]))


def test_two_columns_drawn_row_by_row_are_read_one_after_the_other() -> None:
    left, right = prose(1, 20), prose(2, 20)
    (page,) = drawn(by_row(*column(64, left), *column(310, right))).pages
    assert comparable(page.text) == comparable(" ".join([*left, *right]))
    assert page.readings[0].name == "as it is, in column order"


def test_columns_whose_lines_are_not_level_are_read_one_after_the_other() -> None:
    left, right = prose(1, 20), prose(2, 20)
    (page,) = drawn(by_row(*column(64, left), *column(310, right, top=695))).pages
    assert comparable(page.text) == comparable(" ".join([*left, *right]))


def test_three_columns_drawn_row_by_row_are_read_one_after_the_other() -> None:
    texts = [[line[:32] for line in prose(number, 20)] for number in (1, 2, 3)]
    runs = [run for x, text in zip((40, 220, 400), texts, strict=True) for run in column(x, text)]
    (page,) = drawn(by_row(*runs)).pages
    assert comparable(page.text) == comparable(" ".join(line for text in texts for line in text))


def test_a_line_over_both_columns_parts_what_is_above_it_from_what_is_below() -> None:
    left, right = prose(1, 20), prose(2, 20)
    across = (
        64.0,
        578.0,
        "A figure that runs over both of the columns, with a caption that does so too",
        "Times-Roman",
        12.0,
    )
    lower = [*column(64, left[10:], top=560), *column(310, right[10:], top=560)]
    (page,) = drawn(by_row(*column(64, left[:10]), *column(310, right[:10]), across, *lower)).pages
    order = [*left[:10], *right[:10], across[2], *left[10:], *right[10:]]
    assert comparable(page.text) == comparable(" ".join(order))


def test_a_section_of_a_column_ends_where_that_column_goes_on() -> None:
    heading = (310.0, 640.0, "2 Experts", "Times-Bold", 13.0)
    first = (64.0, 720.0, "1 Student", "Times-Bold", 13.0)
    left, right = prose(1, 20), prose(2, 20)
    upper, lower = column(310, right[:4]), column(310, right[4:], top=620)
    document = drawn(by_row(first, *column(64, left), *upper, heading, *lower))
    text = document.pages[0].text

    def section(line: str) -> str:
        start = text.index(line[:12])
        return str(section_at(document.headings, Span(sheet=1, start=start, end=start + 12)))

    assert [section(line) for line in (left[19], right[0], right[4])] == ["1", "1", "2"]


def test_columns_drawn_one_after_the_other_keep_the_order_of_the_file() -> None:
    (page,) = drawn([*column(64, prose(1, 20)), *column(310, prose(2, 20))]).pages
    assert page.readings[0].name == "as it is"


def test_the_cells_of_a_table_keep_the_order_of_the_file() -> None:
    rows = [
        [f"Benchmark of the domain {row}", f"{row}1.5 of all", f"{row}2.5 of all", f"{row}3.5"] for row in range(30)
    ]
    runs = [
        (64.0 + 120 * at, 740 - 14.0 * row, cell, "Times-Roman", 10.0)
        for row, cells in enumerate(rows)
        for at, cell in enumerate(cells)
    ]
    (page,) = drawn(runs).pages
    assert page.readings[0].name == "as it is"
    assert comparable(" ".join(rows[7])) in comparable(page.text)


@pytest.mark.parametrize("turn", [0, 90])
def test_the_foot_of_a_page_that_is_turned_is_told_from_its_text(turn: int) -> None:
    pages = [[*column(64, prose(sheet, 50)), (290.0, 40.0, f"{sheet + 6}", "Times-Roman", 9.0)] for sheet in (1, 2, 3)]
    document = drawn(*pages, turn=turn)
    assert [page.label for page in document.pages] == ["7", "8", "9"]
    bodies = [
        reading.folded.text for page in document.pages for reading in page.readings if reading.name == "body text"
    ]
    assert bodies == [comparable(" ".join(prose(sheet, 50))) for sheet in (1, 2, 3)]


def test_the_lines_of_two_columns_of_a_page_that_is_turned_are_lines() -> None:
    left, right = prose(1, 20), prose(2, 20)
    (page,) = drawn([*column(64, left), *column(310, right)], turn=90).pages
    assert page.text.split("\r\n") == [*left, *right]
