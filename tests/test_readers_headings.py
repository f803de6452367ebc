"""Headings are found whole and where they stand, whether a file names them or only their type tells."""

from collections.abc import Sequence

from tracer.readers.headings import Entry, from_lines, from_outline
from tracer.readers.layout import Line, Sheet

BODY = [f"line {number} of the text, which is long enough to be the body" for number in range(20)]


def sheet(lines: Sequence[tuple[str, float, float]]) -> Sheet:
    """A page of lines: text, size, and height; its left edge is at 72 points, past an `|` at 300."""
    text, placed = "", []
    for words, size, bottom in lines:
        left = 300.0 if words.startswith("|") else 72.0
        start, text = len(text), text + words.lstrip("|")
        placed.append(Line(start=start, end=len(text), size=size, weight=400, left=left, bottom=bottom))
        text += "" if text.endswith("\ufffe") else "\r\n"
    return Sheet(text=text, lines=tuple(placed), height=842.0)


def body(first: int, last: int, top: float) -> list[tuple[str, float, float]]:
    return [(words, 10.0, top - 12 * number) for number, words in enumerate(BODY[first:last])]


def test_a_numbered_title_of_two_lines_is_one_heading() -> None:
    page = sheet([("1 Environments whose answers are", 14.0, 760), ("checked by rules", 14.0, 742), *body(0, 20, 720)])
    headings, by = from_lines([page])
    assert [(one.number, one.title) for one in headings] == [("1", "Environments whose answers are checked by rules")]
    assert by == "numbers"


def test_a_word_cut_at_the_line_end_of_a_title_is_whole() -> None:
    page = sheet([("1 Low-rank conversa\ufffe", 14.0, 760), ("tions", 14.0, 742), *body(0, 20, 720)])
    assert [one.title for one in from_lines([page])[0]] == ["Low-rank conversations"]


def test_two_numbered_titles_in_a_row_are_two_headings() -> None:
    page = sheet([("1 Training", 14.0, 760), ("1.1 Data", 14.0, 742), *body(0, 20, 720)])
    assert [(one.number, one.title) for one in from_lines([page])[0]] == [("1", "Training"), ("1.1", "Data")]


def test_a_title_told_by_its_type_may_run_over_two_lines() -> None:
    page = sheet([("How the answers of environments", 14.0, 760), ("are checked", 14.0, 742), *body(0, 20, 720)])
    assert [one.title for one in from_lines([page])[0]] == ["How the answers of environments are checked"]


def test_an_entry_of_an_outline_is_found_where_its_title_runs_over_two_lines() -> None:
    lines = [*body(0, 10, 760), ("7 Environments whose answers are", 14.0, 600), ("checked", 14.0, 582)]
    page = sheet([*lines, *body(10, 20, 560)])
    (heading,) = from_outline(
        [Entry(title="Environments whose answers are checked", sheet=1, top=780, level=1)], [page]
    )
    assert (heading.number, page.text[heading.start :].split("\r\n")[0]) == ("7", "7 Environments whose answers are")


def test_an_entry_that_is_no_line_is_placed_in_the_column_that_it_aims_at() -> None:
    right = [(f"|{words}", size, bottom) for words, size, bottom in body(10, 20, 760)]
    page = sheet([*body(0, 10, 760), *right])
    entry = Entry(title="A title that is a picture", sheet=1, top=720.0, level=1, left=300.0)
    (heading,) = from_outline([entry], [page])
    assert page.text[heading.start :].startswith(BODY[14])
