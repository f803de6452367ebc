"""Words and numbers meet in every form in which reports write them."""

import pytest

from tracer.terms import roots, slots, synonyms, terms


def meets(text: str, written: str) -> bool:
    """Whether every term of a text stands in what is written, in some way to write it."""
    found = list(slots(written))
    return all(
        any(
            all(token in slot for token, slot in zip(run, found[start:], strict=False))
            for run in term.runs
            for start in range(len(found) - len(run) + 1)
        )
        for term in terms(text)
        if not term.is_part
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("64k", "a window of 65,536"),
        ("64K tokens", "64,000 tokens"),
        ("nine experts", "9 expert models"),
        ("2.8T", "2.8 trillion"),
        ("SFT", "supervised fine-tuning"),
        ("SFT", "supervised finetuning"),
        ("supervised fine-tuning", "the SFT stage"),
        ("MoE", "a Mixture-of-Experts model"),
        ("mixture of experts", "an MoE layer"),
        ("NTP", "next-token prediction"),
        ("pre-training", "pretraining"),
        ("quantized", "quantization"),
        ("predicts", "prediction"),
        ("R_max", "Rmax"),
    ],
)
def test_two_ways_to_write_one_thing_meet(text: str, written: str) -> None:
    assert meets(text, written)


@pytest.mark.parametrize(
    ("text", "written"),
    [("64k", "64"), ("nine", "nineteen"), ("general", "generated"), ("SFT", "supervised training"), ("1.5T", "15T")],
)
def test_two_different_things_do_not_meet(text: str, written: str) -> None:
    assert not meets(text, written)


def test_one_and_half_in_words_are_no_numbers_to_look_for() -> None:
    assert [term.written for term in terms("one stage and two stages")] == ["stage", "two", "stages"]


def test_a_number_is_no_word_as_well() -> None:
    assert [term.written for term in terms("a 2.8-trillion-parameter model")] == ["2.8-trillion", "parameter", "model"]


def test_function_words_are_no_terms() -> None:
    assert terms("which of these is it") == ()


def test_no_way_to_write_a_thing_stands_in_two_lists() -> None:
    """Two lists that share a name would be one list."""
    names = [tuple(root for word in name.split() for root in roots(word)) for line in synonyms() for name in line]
    assert sorted(name for name in set(names) if names.count(name) > 2) == []
