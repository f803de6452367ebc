"""A sentence with numbers is covered by a claim that quotes it or that states its numbers of the same things."""

import pytest

from tracer.model import Citation, Claim, Places
from tracer.readers import text
from tracer.uncovered import uncovered

PLACES = Places(path="", positions={})


def claim(said: str, made_in: str | None = None, quote: str = "") -> Claim:
    made = Citation(source="post", quote=made_in, role="made-in") if made_in else None
    cite = (Citation(source="report", quote=quote),) if quote else ()
    return Claim(id="c", text=said, made_in=made, cite=cite, places=PLACES)


def missing(said: str, *claims: Claim) -> list[tuple[str, ...]]:
    return [each.numbers for each in uncovered(text.read(f"{said}\n".encode()), claims, "post")[1]]


@pytest.mark.parametrize(
    "covering",
    [
        claim("Owl was trained with nine expert policies."),
        claim("Training has experts.", quote="a total of nine expert policies"),
        claim("Anything.", made_in="trained 9 expert policies"),
    ],
)
def test_a_sentence_whose_numbers_a_claim_states_is_covered(covering: Claim) -> None:
    assert missing("They trained 9 expert policies.", covering) == []


@pytest.mark.parametrize(
    "other",
    [
        claim("Owl was trained with ten expert policies."),
        claim("Nine hours were lost."),
        claim("Anything.", made_in="trained 8 expert policies"),
        Claim(id="d", text="Nine expert policies were trained.", places=PLACES, broken=True),
    ],
)
def test_a_sentence_whose_numbers_no_claim_states_is_not(other: Claim) -> None:
    assert missing("They trained 9 expert policies.", other) == [("9",)]


def test_a_sentence_without_a_number_needs_no_claim() -> None:
    assert uncovered(text.read(b"They trained expert policies.\n"), ()) == (0, ())


def test_the_numbers_that_are_left_are_named_with_their_line() -> None:
    document = text.read(b"# Owl\n\nOwl reads text.\n\nOwl has 24 layers and reads 40B tokens.\n")
    total, (left,) = uncovered(document, [claim("Owl has 24 layers.")])
    assert (total, left.line, left.page, left.numbers) == (1, 5, None, ("40B",))
