"""Statements and the passages of sources to what seems to support each: found, found with another number, or not found.

It is arithmetic over words and numbers, the same every time; what supports a statement a person must say. Where the
finder has an embedder, it has a say in which passages come first, and none in the verdict on any.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import islice, takewhile

from tracer.finding import Finder, Hit
from tracer.numerals import Number, numbers
from tracer.quantities import numbers_missing
from tracer.ranking import Ranked, Wanted
from tracer.statements import Statement
from tracer.terms import WORD, counts, roots

LEAST_SHARE = 0.45
"""What part of a statement's own weight a passage and its surroundings hold to be called support.

On 58 statements about one report, of which 9 have no support in it, 8 of these stay below, and 5 of the 49 others do.
"""

LEAST_FIT = 0.1
"""What part of the weight of its words a passage holds as well: a number alone supports nothing."""

LEAST_OTHERWISE = 0.6
"""What part of the weight of its words a passage holds that says another number."""

FAR_FEWER = 0.5
"""What part of that weight one that has the number must hold, of what such a passage does.

Above a half, true statements of the benchmark are held against sentences about something else.
"""

FROM_CONTEXT, FROM_HEADS = 0.25, 0.5
"""What the words around a statement count beside its own: those around a sentence, and what a value stands under."""

LEAST_TERMS = 2
"""With fewer terms a statement says little by itself, and the words around it must be there as well."""

MOST = 3
"""Passages shown for a statement, of which one must support it."""

RIVALS = 10
"""Passages of which one may have another number in the place of the one that is stated."""

REACH = 3
"""Words beside a number that may say of what it is."""

_OF_VALUES = frozenset({"equal", "fix", "set", "valu"})
"""Roots of words that say of anything that it has a value."""

_STOP = re.compile(r"[.,;:()](?!\w)|\(")


class Verdict(StrEnum):
    """What became of a statement."""

    SUPPORTED = "supported by"
    DIFFERS = "number differs"
    NOT_FOUND = "no support found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A number of a statement, and what a passage has in its place.

    `counted` is what both are numbers of: a word beside them, or their unit. `words` are those of the statement from
    the number to that word.
    """

    stated: str
    found: str
    counted: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A statement with its verdict and the best passages, first the one that decided.

    What that one has of the statement `why` says in words, `share` in one number (0 to 1).
    """

    statement: Statement
    verdict: Verdict
    hits: tuple[Hit, ...]
    share: float
    why: str
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evidence:
    """What a passage has of a statement: `share` of its whole weight and `fit` of that of its words.

    `has_term` where it has a word or number of the statement itself, `has_numbers` where each number stands in it or
    beside it. `others` counts further passages of the same page and section.
    """

    ranked: Ranked
    others: int
    share: float
    fit: float
    has_term: bool
    has_numbers: bool
    differences: tuple[Difference, ...]

    @property
    def supports(self) -> bool:
        is_enough = self.share >= LEAST_SHARE and self.fit >= LEAST_FIT
        return is_enough and self.has_term and self.has_numbers and not self.differences

    @property
    def differs(self) -> bool:
        return self.fit >= LEAST_OTHERWISE and bool(self.differences)


def suggest(statements: Iterable[Statement], finder: Finder, *, most: int = MOST) -> Iterator[Suggestion]:
    """What the sources say to each statement, in order."""
    for statement in statements:
        lent = FROM_HEADS if statement.is_value else FROM_CONTEXT
        wanted = finder.wanted(statement.text, statement.context, lent=lent)
        ranked = finder.ranked(statement.text, wanted, max(most, RIVALS))
        evidence = [_evidence(statement.text, wanted, each, others) for each, others in ranked]
        verdict, deciding = _judged(evidence[:most], evidence)
        shown = sorted(evidence, key=lambda it: it is not deciding)[:most]
        hits = tuple(finder.hit(each.ranked, wanted, each.others) for each in shown)
        differences = deciding.differences if deciding else ()
        yield Suggestion(
            statement=statement,
            verdict=verdict,
            hits=hits,
            share=min(1.0, shown[0].share) if shown else 0.0,
            why=_why(hits, differences),
            differences=differences,
        )


def _evidence(text: str, wanted: Sequence[Wanted], ranked: Ranked, others: int) -> _Evidence:
    own = (not (each.is_context or each.term.is_part) for each in wanted)
    return _Evidence(
        ranked=ranked,
        others=others,
        share=_share(wanted, ranked),
        fit=_share(wanted, ranked, with_numbers=False),
        has_term=any(is_own and worth == 1 for is_own, worth in zip(own, ranked.worths, strict=True)),
        has_numbers=not numbers_missing(text, [ranked.around]),
        differences=tuple(_differences(text, ranked.passage.text)),
    )


def _judged(first: Sequence[_Evidence], rivals: Sequence[_Evidence]) -> tuple[Verdict, _Evidence | None]:
    """The verdict, and the passage that gave it.

    A number is held against the passages that share the words of the statement: where one of them has another number in
    its place, a passage that happens to hold it and shares far fewer of the words supports nothing.
    """
    differing = max((each for each in rivals if each.differs), key=lambda it: it.fit, default=None)
    least = FAR_FEWER * differing.fit if differing else 0.0
    supporting = next((each for each in first if each.supports and each.fit >= least), None)
    if supporting:
        return Verdict.SUPPORTED, supporting
    return (Verdict.DIFFERS, differing) if differing else (Verdict.NOT_FOUND, None)


def _why(hits: Sequence[Hit], differences: Sequence[Difference]) -> str:
    """What the first passage shares with the statement and what it lacks."""
    if not hits:
        return "no word of it stands in the sources"
    said = [f"{each.words}, where the source has {each.found}" for each in differences]
    said += [f"shares {', '.join(hits[0].shared)}"] if hits[0].shared else []
    said += [f"lacks {', '.join(hits[0].lacking)}"] if hits[0].lacking else []
    return "; ".join(said)


def _share(wanted: Sequence[Wanted], ranked: Ranked, *, with_numbers: bool = True) -> float:
    """The share of a statement's own weight that a passage and its surroundings hold, as far as they are trusted."""
    asked = [
        (each, worth)
        for each, worth in zip(wanted, ranked.worths, strict=True)
        if with_numbers or not each.term.is_number
    ]
    is_short = sum(not each.is_context and not each.term.is_part for each, _ in asked) < LEAST_TERMS
    counted = [(each.weight, worth) for each, worth in asked if is_short or not each.is_context]
    whole = sum(weight for weight, _ in counted)
    return sum(weight * worth for weight, worth in counted) / whole if whole else 0.0


# --- numbers that differ ----------------------------------------------------------------------------------------------


def _differences(text: str, passage: str) -> Iterator[Difference]:
    """Each number of a statement that a passage does not state, with the one that the passage has in its place."""
    stated = frozenset(value for number in numbers(text) for value in number.values)
    for number in numbers_missing(text, [passage]):
        others = [other for other in numbers(passage) if counts(other) and _may_stand_for(other, number, stated)]
        difference = _beside_same_words(number, text, others, passage) or _of_same_unit(number, others)
        if difference:
            yield difference


def _may_stand_for(other: Number, number: Number, stated: frozenset[Fraction]) -> bool:
    """Whether a number measures the same kind of thing as another, and is none that the statement has as well."""
    return other.measure == number.measure and other.values.isdisjoint(stated) and other.value() != Fraction(0)


def _beside_same_words(number: Number, text: str, others: Sequence[Number], passage: str) -> Difference | None:
    """The number that shares most of the words for what another one counts; where there are none, those before it."""
    beside = _following if _following(text, number) else _preceding
    words = beside(text, number)
    shared = [(_common(words, beside(passage, other)), other) for other in others]
    common, other = max(shared, key=lambda it: len(it[0]), default=([], number))
    if not common:
        return None
    start = min(number.start, *(word.start() for word in common))
    end = max(number.end, *(word.end() for word in common))
    return Difference(stated=number.text, found=other.text, counted=common[0][0], words=text[start:end])


def _common(words: Sequence[re.Match[str]], others: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """Those of some words that have a root of the others."""
    known = {root for other in others for root in roots(other[0])}
    return [word for word in words if not known.isdisjoint(roots(word[0]))]


def _of_same_unit(number: Number, others: Sequence[Number]) -> Difference | None:
    """The first number with the unit of another one, such as percent."""
    if not number.measure or not others:
        return None
    return Difference(stated=number.text, found=others[0].text, counted=number.measure, words=number.text)


def _following(text: str, number: Number) -> list[re.Match[str]]:
    """The words right after a number, which say what it counts, nearest first."""
    end = min((other.start for other in numbers(text) if other.start >= number.end), default=len(text))
    stop = _STOP.search(text, number.end, end)
    near = islice(WORD.finditer(text, number.end, stop.start() if stop else end), REACH)
    return list(takewhile(lambda word: roots(word[0]), near))


def _preceding(text: str, number: Number) -> list[re.Match[str]]:
    """The words with content before a number, which may name it, nearest first; just one where it counts something."""
    start = max((other.end for other in numbers(text) if other.end <= number.start), default=0)
    clause = max((stop.end() for stop in _STOP.finditer(text, start, number.start)), default=start)
    named = [word for word in WORD.finditer(text, clause, number.start) if not _OF_VALUES.issuperset(roots(word[0]))]
    return named[::-1][: 1 if _following(text, number) else REACH]
