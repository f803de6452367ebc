"""The order in which a line is read, from the one in which it is seen; capitals stand for letters from the right.

That notation and the sentences about cars are those of the Unicode Standard, Annex 9.
"""

from dataclasses import replace

import pytest

from tracer.readers.layout import Box
from tracer.readers.leftward import Brackets, as_said
from tracer.readers.seen import Cell, kind_of

NOWHERE = Box(left=0.0, bottom=0.0, right=0.0, top=0.0, base=0.0)


def cells(line: str) -> list[Cell]:
    return [
        Cell(offsets=(at,), text=character, kind="R" if character.isupper() else kind_of(character), box=NOWHERE)
        for at, character in enumerate(line)
    ]


def said(seen: str, *, is_leftward: bool) -> str:
    return "".join(cell.text for cell in as_said(cells(seen), is_leftward=is_leftward))


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ("car means RAC", "car means CAR"),
        ("car is RAC EHT in arabic", "car is THE CAR in arabic"),
        ("he said RAC, twice", "he said CAR, twice"),
    ],
)
def test_words_from_the_right_are_turned_in_a_line_from_the_left(seen: str, read: str) -> None:
    assert said(seen, is_leftward=False) == read


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        (".RAC SNAEM car", "car MEANS CAR."),
        ("EERHT SI 3.6 RAC", "CAR 3.6 IS THREE"),
        ("LATOT 1,000 FO", "OF 1,000 TOTAL"),
        ("-3 TA", "AT -3"),
        ("$5 ROF", "FOR $5"),
        ("12% FO", "OF 12%"),
        ("EGATS NI owl 2.5 YB", "BY owl 2.5 IN STAGE"),
        ("EGATS NI tokens 40 SDAER", "READS 40 tokens IN STAGE"),
        ("EGATS NI owl (small) YB", "BY owl (small) IN STAGE"),
    ],
)
def test_numbers_and_latin_words_are_not_turned_in_a_line_from_the_right(seen: str, read: str) -> None:
    assert said(seen, is_leftward=True) == read


def test_a_comparison_is_mirrored_where_it_is_read_from_the_right() -> None:
    assert said("5 > X", is_leftward=True) == "X < 5"
    assert said("EULAV x<5 RO", is_leftward=True) == "OR x<5 VALUE"
    assert said("x < 5 SI", is_leftward=False) == "x < 5 IS"


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        ("THE CAR )NEW( IS", "THE CAR (NEW) IS"),
        ("THE CAR (NEW( IS", "THE CAR (NEW) IS"),
        ("AS IN [7], THE CAR", "AS IN [7], THE CAR"),
        ("f)x( AND SO ON", "f(x) AND SO ON"),
    ],
)
def test_brackets_are_turned_by_what_stands_beside_them(drawn: str, read: str) -> None:
    assert "".join(cell.text for cell in Brackets().turned(cells(drawn))) == read


def test_a_bracket_that_is_open_at_the_end_of_a_line_is_closed_in_the_next() -> None:
    brackets = Brackets()
    assert [cell.text for cell in brackets.turned(cells(")A"))] == ["(", "A"]
    assert [cell.text for cell in brackets.turned(cells("B)C"))] == ["B", ")", "C"]


def test_a_sign_with_a_mark_between_two_digits_is_a_sign_like_others() -> None:
    """`<` with a stroke through it, as `≮` is written in two characters."""
    line = cells("6<5 SI")
    line[1] = replace(line[1], text="<\u0338")
    assert "".join(cell.text for cell in as_said(line, is_leftward=True)) == "IS 5>\u03386"
