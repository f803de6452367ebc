"""What a quote may not be cut off from is told in spite of the marks that are set at it."""

import pytest

from tracer.negations import cut_after, cut_before, negation_after, takes_negation


@pytest.mark.parametrize(
    ("before", "is_number", "found"),
    [
        ("our effect does not ", False, "not"),
        ("our effect does not2 ", False, "not"),
        ("our effect does not¹² ", False, "not"),
        ("our effect does not† ", False, "not"),
        ("our effect does not [3, 14] ", False, "not"),
        ("it is used rather than2 ", False, "rather than"),
        ("it takes at most [7] ", True, "at most"),
        ("it takes at most [7] ", False, None),
        ("of fewer than ", True, "fewer than"),
        ("it is not the note2 ", False, None),
        ("it is not level 2 ", False, None),
        ("it isn't3 ", False, "isn't"),
        ("trained with gpt2 ", False, None),
    ],
)
def test_a_mark_does_not_part_a_negation_from_the_quote_after_it(
    before: str, is_number: bool, found: str | None
) -> None:
    assert cut_before(before, is_number=is_number) == found


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (" but not the router", "but"),
        ("2 but not the router", "but"),
        (" [3] unless it is cold", "unless"),
        ("† , except the last", "except"),
        (" 2 but not the router", None),
        (" butter", None),
        ("2 and the router", None),
    ],
)
def test_a_mark_does_not_part_a_quote_from_the_qualifier_after_it(after: str, found: str | None) -> None:
    assert cut_after(after) == found


@pytest.mark.parametrize(
    ("last", "after", "found"),
    [
        ("is", " not changed.", "not"),
        ("do", " not use them", "not"),
        ("are", "2 never updated", "never"),
        ("is", " no longer used", "no"),
        ("model", " not the data", None),
        ("is", " changed", None),
        ("is", ", not surprisingly, changed", None),
        ("is", " nothing", "nothing"),
    ],
)
def test_a_verb_is_not_cut_off_from_its_negation(last: str, after: str, found: str | None) -> None:
    assert (negation_after(after) if takes_negation(last) else None) == found
