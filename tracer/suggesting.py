"""Statements and the passages of sources to what seems to support each: found, found with another number, or not found.

It is arithmetic over words and numbers, the same every time; what supports a statement a person must say. Where the
finder has an embedder, it has a say in which passages come first, and none in the verdict on any.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tracer.finding import Finder, Hit, Ranked, Wanted
from tracer.numerals import Number, numbers
from tracer.quantities import numbers_missing
from tracer.statements import Statement
from tracer.terms import counts, roots, slots

LEAST_SHARE = 0.45
"""What part of a statement's own weight a passage and its surroundings hold to be called support.

On 58 statements about one report, of which 9 have no support in it, 8 of these stay below, and 5 of the 49 others do.
"""

LEAST_OTHERWISE = 0.6
"""What part of the weight but for its numbers a passage holds that says another number."""

FROM_CONTEXT, FROM_HEADS = 0.25, 0.5
"""What the words around a statement count beside its own: those around a sentence, and what a value stands under."""

LEAST_TERMS = 2
"""With fewer terms a statement says little by itself, and the words around it must be there as well."""

MOST = 3
"""Passages shown for a statement."""

REACH = 3
"""Words after a number in which stands what it counts."""


class Verdict(StrEnum):
    """What became of a statement."""

    SUPPORTED = "supported by"
    DIFFERS = "number differs"
    NOT_FOUND = "no support found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A number of a statement, and what a passage has in its place before the same word."""

    stated: str
    found: str
    counted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A statement with its verdict and the best passages; `why` says it in words, `share` in one number (0 to 1)."""

    statement: Statement
    verdict: Verdict
    hits: tuple[Hit, ...]
    share: float
    why: str
    differences: tuple[Difference, ...] = ()


def suggest(statements: Iterable[Statement], finder: Finder, *, most: int = MOST) -> Iterator[Suggestion]:
    """What the sources say to each statement, in order."""
    for statement in statements:
        lent = FROM_HEADS if statement.is_value else FROM_CONTEXT
        wanted = finder.wanted(statement.text, statement.context, lent=lent)
        ranked = list(finder.ranked(statement.text, wanted, most))
        hits = tuple(finder.hit(each, wanted, others) for each, others in ranked)
        yield _judged(statement, wanted, [each for each, _ in ranked], hits)


def _judged(
    statement: Statement, wanted: Sequence[Wanted], ranked: Sequence[Ranked], hits: tuple[Hit, ...]
) -> Suggestion:
    """The verdict by the first passage that gives one; where none does, the passages are shown all the same."""
    shares = [_share(wanted, each) for each in ranked]
    missing = [numbers_missing(statement.text, [each.around]) for each in ranked]
    for position, share in enumerate(shares):
        if share >= LEAST_SHARE and not missing[position] and hits[position].shared:
            return _made(statement, Verdict.SUPPORTED, hits, position, share)
    for position, share in enumerate(_share(wanted, each, with_numbers=False) for each in ranked):
        differences = tuple(_differences(missing[position], statement.text, hits[position].passage.text))
        if share >= LEAST_OTHERWISE and differences:
            return _made(statement, Verdict.DIFFERS, hits, position, share, differences)
    return _made(statement, Verdict.NOT_FOUND, hits, 0, max(shares, default=0.0))


def _made(
    statement: Statement,
    verdict: Verdict,
    hits: tuple[Hit, ...],
    position: int,
    share: float,
    differences: tuple[Difference, ...] = (),
) -> Suggestion:
    """A suggestion whose first passage is the one that decided."""
    ordered = (*hits[position : position + 1], *hits[:position], *hits[position + 1 :])
    return Suggestion(
        statement=statement,
        verdict=verdict,
        hits=ordered,
        share=min(share, 1.0),
        why=_why(ordered, differences),
        differences=differences,
    )


def _why(hits: Sequence[Hit], differences: Sequence[Difference]) -> str:
    """What the first passage shares with the statement and what it lacks."""
    if not hits:
        return "no word of it stands in the sources"
    said = [f"{each.stated} {each.counted}, where the source has {each.found}" for each in differences]
    said += [f"shares {', '.join(hits[0].shared)}"] if hits[0].shared else []
    said += [f"lacks {', '.join(hits[0].lacking)}"] if hits[0].lacking else []
    return "; ".join(said)


def _share(wanted: Sequence[Wanted], ranked: Ranked, *, with_numbers: bool = True) -> float:
    """The share of a statement's own weight that a passage and its surroundings hold, as far as they are trusted."""
    is_short = sum(not each.is_context and not each.term.is_part for each in wanted) < LEAST_TERMS
    counted = [
        (each.weight, worth)
        for each, worth in zip(wanted, ranked.worths, strict=True)
        if (is_short or not each.is_context) and (with_numbers or not each.term.is_number)
    ]
    whole = sum(weight for weight, _ in counted)
    return sum(weight * worth for weight, worth in counted) / whole if whole else 0.0


# --- numbers that differ ----------------------------------------------------------------------------------------------


def _differences(missing: Iterable[Number], text: str, passage: str) -> Iterator[Difference]:
    """For each number that a passage lacks, the number that it has before the same word."""
    there = [(number, frozenset(_counted(passage, number))) for number in numbers(passage) if counts(number)]
    for number in missing:
        for word in _counted(text, number):
            found = next((other for other, words in there if word in words and _may_stand_for(other, number)), None)
            if found:
                yield Difference(stated=number.text, found=found.text, counted=_written(text, number, word))
                break


def _may_stand_for(other: Number, number: Number) -> bool:
    """Whether two numbers differ and measure the same kind of thing."""
    return other.measure == number.measure and other.values.isdisjoint(number.values) and other.value() != Fraction(0)


def _counted(text: str, number: Number) -> list[str]:
    """The roots of the words after a number, up to the next number."""
    following = text[number.end :]
    another = next(iter(numbers(following)), None)
    near = following[: another.start] if another else following
    return [root for slot in slots(near)[:REACH] for root in sorted(slot)]


def _written(text: str, number: Number, root: str) -> str:
    """The word of a text after a number that has this root."""
    return next((word for word in text[number.end :].split() if root in roots(word.strip(".,;:()"))), root)
