"""Passages in the order of their words to an order that minds their meaning as well."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Protocol

MOST = 20
"""How many of the first passages are put into a new order."""

OF_MEANING = 0.2
"""What the nearness of the meaning counts in it, where the words that are shared count the rest."""

DIGITS = 4
"""To how many digits that is told apart: the last ones of a sum may differ between two processors."""

Vector = Sequence[float]


class Embedder(Protocol):
    """What turns texts into vectors of length one, nearer to each other the nearer the texts are in meaning."""

    def vectors(self, texts: Sequence[str]) -> Sequence[Vector]:
        """A vector for each text, the same one every time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage and what the words that it shares with the text are worth."""

    text: str
    score: float


def order(text: str, candidates: Sequence[Candidate], embedder: Embedder) -> tuple[int, ...]:
    """The positions of candidates, best first, of which the first ones are compared with a text by their meaning."""
    near = candidates[:MOST]
    asked, *found = embedder.vectors([text, *(candidate.text for candidate in near)])
    worths = [
        round((1 - OF_MEANING) * candidate.score + OF_MEANING * sum(map(mul, asked, vector)), DIGITS)
        for candidate, vector in zip(near, found, strict=True)
    ]
    ordered = sorted(range(len(near)), key=lambda position: (-worths[position], position))
    return (*ordered, *range(len(near), len(candidates)))
