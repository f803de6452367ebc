"""Ranges as people write them, and the lines that runs of a text cover."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.model import Span
from tracer.ranges import ends, holds, lines_of, numbers, written


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [("12", "12", "12"), ("12-14", "12", "14"), ("12 – 14", "12", "14"), ("iv—IX", "iv", "ix"), ("12-", "12", "12")],
)
def test_a_range_has_two_ends_whichever_dash_is_between_them(text: str, first: str, last: str) -> None:
    assert ends(text) == (first, last)


def test_ends_that_are_no_numbers_make_no_range_of_numbers() -> None:
    assert numbers("7-9") == (7, 9)
    assert numbers("7") == (7, 7)
    assert numbers("7-end") is numbers("ii-9") is numbers("") is None


@given(st.integers(1, 9_999_999), st.integers(1, 9_999_999))
def test_a_range_that_is_written_is_read_as_the_same_one(first: int, last: int) -> None:
    assert numbers(written(first, last)) == (first, last)


@pytest.mark.parametrize(
    ("inner", "is_held"), [((12, 14), True), ((13, 13), True), ((11, 13), False), ((13, 15), False), ((2, 3), False)]
)
def test_a_range_holds_another_one_from_end_to_end(inner: tuple[int, int], is_held: bool) -> None:
    assert holds("12-14", inner) is is_held


def test_what_is_no_range_of_numbers_holds_nothing() -> None:
    assert not holds("end", (1, 1))


@pytest.mark.parametrize(
    ("first", "last", "lines"),
    [("one", "one", (1, 1)), ("two", "three", (2, 2)), ("one", "three\n", (1, 2)), ("three", "four", (2, 3))],
)
def test_runs_of_a_text_cover_the_lines_from_the_first_to_the_last(
    first: str, last: str, lines: tuple[int, int]
) -> None:
    text = "one\ntwo, three\nfour\n"
    spans = [Span(sheet=1, start=text.index(run), end=text.index(run) + len(run)) for run in (first, last)]
    assert lines_of(text, spans) == lines
