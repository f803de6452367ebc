"""A mistyped word and the words that exist to the hint that names the right one."""

from collections.abc import Iterable

ALIKE = 70
"""The least share (in percent, by `rapidfuzz.fuzz.ratio`) of common letters in a word worth proposing."""

LONGEST = 200
"""Longer words are not compared: nobody mistypes a paragraph."""


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that `word` most likely stands for, case aside."""
    from rapidfuzz import fuzz, process

    if len(word) > LONGEST:
        return None
    found = process.extractOne(word, list(choices), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=ALIKE)
    return None if found is None else found[0]


def did_you_mean(word: str, choices: Iterable[str]) -> str | None:
    """The hint `did you mean ...`, or None where no choice is near."""
    choice = nearest(word, choices)
    return None if choice is None else f"did you mean `{choice}`?"
