"""A mistyped word is answered with the word it most likely stands for, or not at all."""

from types import MappingProxyType

import pytest

from tracer.spelling import LONGEST, did_you_mean, nearest

STATUSES = ("stated", "derived", "concluded", "not-stated")


@pytest.mark.parametrize(
    ("word", "choice"), [("statd", "stated"), ("Derived", "derived"), ("not stated", "not-stated")]
)
def test_the_nearest_word_is_proposed(word: str, choice: str) -> None:
    assert did_you_mean(word, STATUSES) == f"did you mean `{choice}`?"


@pytest.mark.parametrize("word", ["", "guessed", "stated" * LONGEST])
def test_a_word_that_is_near_to_none_gets_no_hint(word: str) -> None:
    assert did_you_mean(word, STATUSES) is None


def test_the_keys_of_a_mapping_are_the_choices() -> None:
    assert nearest("k3-reprot", MappingProxyType({"k3-report": "title", "other": "k3-reprot"})) == "k3-report"
