"""What is near in meaning comes before what only shares as many words, and never before what shares many more."""

from collections.abc import Sequence

import pytest

from tracer.reranking import MOST, Candidate, Embedder, order

AXES = (
    frozenset({"teacher", "student", "distillation"}),
    frozenset({"context", "window", "tokens"}),
    frozenset({"weights", "licence", "release"}),
)


class Thesaurus:
    """A stand-in for a model: a text points along each subject by how many of its words belong to it."""

    def vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [_unit([len(axis & set(text.casefold().split())) for axis in AXES]) for text in texts]


def _unit(counts: Sequence[float]) -> Sequence[float]:
    length = sum(count * count for count in counts) ** 0.5
    return [count / length if length else 0.0 for count in counts]


def ordered(text: str, *candidates: tuple[str, float]) -> list[str]:
    given = [Candidate(text=said, score=score) for said, score in candidates]
    embedder: Embedder = Thesaurus()
    return [given[position].text for position in order(text, given, embedder)]


def test_of_passages_that_share_as_much_the_nearest_in_meaning_comes_first() -> None:
    assert ordered("distillation", ("the window grows", 0.5), ("a student has a teacher", 0.5)) == [
        "a student has a teacher",
        "the window grows",
    ]


def test_a_passage_that_shares_much_more_stays_before_one_that_is_nearer_in_meaning() -> None:
    assert ordered("distillation", ("the window grows", 0.9), ("a student has a teacher", 0.5)) == [
        "the window grows",
        "a student has a teacher",
    ]


@pytest.mark.parametrize("score", [0.4, 0.9])
def test_of_equals_the_first_stays_first(score: float) -> None:
    said = ("the weights", "the licence", "the release")
    assert ordered("a licence", *((each, score) for each in said)) == list(said)


def test_a_text_of_no_known_subject_leaves_the_order() -> None:
    assert ordered("zebra", ("the window", 0.6), ("a teacher", 0.5), ("weights", 0.4)) == [
        "the window",
        "a teacher",
        "weights",
    ]


def test_what_stands_far_behind_keeps_its_place() -> None:
    said = [(f"window {number}", 0.5) for number in range(MOST)]
    far = [("a student has a teacher", 0.5), ("distillation", 0.5)]
    assert ordered("distillation", *said, *far)[MOST:] == ["a student has a teacher", "distillation"]


def test_nothing_has_an_order_too() -> None:
    assert ordered("distillation") == []
