"""A text to its terms: the roots of its words and its numbers, each with the other ways to write it.

Roots are rougher than stems: `prediction` is `predict`, `textual` is `text`. They rank passages and decide nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files

from tracer.numerals import Number, numbers
from tracer.sentences import stems

VERSION = 3
"""Raised whenever a text gives other tokens, so that indexes of an older kind are not used."""

SYNONYMS = "synonyms.yaml"
NUMBER_WEIGHT, PART_WEIGHT = 1.6, 0.3
"""What a number and a part of a compound weigh beside a word."""

Run = tuple[str, ...]
"""Tokens that stand one after the other."""

Slot = frozenset[str]
"""The tokens of one word of a text: its root, the whole of a compound that begins there, the values of a number."""

WORD = re.compile(r"[^\W_]+(?:[-‐‑–'’._][^\W_]+)*")
_ENDING = re.compile(
    r"(?<=.{4})(?:[iy][sz]ation|ation|ition|ual|ist|ion|ness|ment|ive|ity|ic|er|or|iz|at|ly)$|(?<=.{6})(?:al|is)$"
)
_SMALL = (Fraction(1), Fraction(1, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """What is looked for: any of some runs of tokens; `written` is how the text has it, `factor` what it counts."""

    written: str
    runs: tuple[Run, ...]
    factor: float = 1.0
    is_number: bool = False
    is_part: bool = False


@lru_cache(maxsize=8192)
def roots(written: str) -> tuple[str, ...]:
    """The root of a word as if written in one, then those of the parts of a compound; none for function words.

    An underscore joins as a hyphen does: `R_max` is how a subscript is typed, and `Rmax` how a page has it.
    """
    return tuple(_ENDING.sub("", stem) for stem in stems(written.replace("_", "-")))


def tokens(number: Number) -> Slot:
    """A token for each value that a number may have."""
    return frozenset(f"n{value}".replace("/", "d").replace("-", "m") for value in number.values)


def counts(number: Number) -> bool:
    """Whether a number says something: `one` and `half` in words mostly do not."""
    return not (number.is_word and number.mantissa in _SMALL)


def slots(text: str) -> tuple[Slot, ...]:
    """The words and numbers of a text in order, as tokens."""
    found = [*_word_slots(text), *((number.start, tokens(number)) for number in filter(counts, numbers(text)))]
    found.sort(key=lambda item: item[0])
    return tuple(slot for _, slot in found)


def _word_slots(text: str) -> Iterator[tuple[int, Slot]]:
    for word in WORD.finditer(text):
        found = roots(word[0])
        if len(found) < 2:
            yield from ((word.start(), frozenset({root})) for root in found)
            continue
        whole, *parts = found
        yield word.start(), frozenset({whole, parts[0]})
        yield from ((word.start(), frozenset({part})) for part in parts[1:])


# --- what is looked for -------------------------------------------------------------------------------------------


def terms(text: str) -> tuple[Term, ...]:
    """The terms of a text in order, each with its synonyms."""
    return tuple(_with_synonyms(list(_plain_terms(text))))


def _plain_terms(text: str) -> Iterator[Term]:
    found, rest = [], text
    for number in numbers(text):
        rest = f"{rest[: number.start]}{' ' * (number.end - number.start)}{rest[number.end :]}"
        if counts(number):
            found.append((number.start, _number_term(number)))
    for word in WORD.finditer(rest):
        found += [(word.start(), term) for term in _word_terms(word[0])]
    yield from (term for _, term in sorted(found, key=lambda item: item[0]))


def _number_term(number: Number) -> Term:
    runs = tuple((token,) for token in sorted(tokens(number)))
    return Term(written=number.text, runs=runs, factor=NUMBER_WEIGHT, is_number=True)


def _word_terms(written: str) -> Iterator[Term]:
    found = roots(written)
    if len(found) < 2:
        yield from (Term(written=written, runs=((root,),)) for root in found)
        return
    yield Term(written=written, runs=((found[0],), found[1:]))
    for part in found[1:]:
        yield Term(written=written, runs=((part,),), factor=PART_WEIGHT, is_part=True)


def _with_synonyms(found: Sequence[Term]) -> Iterator[Term]:
    """Terms of which those that are written as one of some equals become one term with all of them."""
    position = 0
    while position < len(found):
        length, equals = _longest(found, position)
        if not equals:
            yield found[position]
            position += 1
            continue
        members = found[position : position + length]
        written = " ".join(term.written for term in members if not term.is_part)
        runs = dict.fromkeys((*(run for run in members[0].runs if length == 1), *equals))
        yield Term(written=written, runs=tuple(runs), factor=max(term.factor for term in members))
        position += length


def _longest(found: Sequence[Term], position: int) -> tuple[int, tuple[Run, ...]]:
    """How many terms from a position on are the longest way of writing that has equals, and all of these."""
    best: tuple[int, tuple[Run, ...]] = (0, ())
    if found[position].is_part:
        return best
    for first in {run[0] for run in found[position].runs}:
        for written, equals in _synonyms().get(first, ()):
            length = _length(found, position, written)
            if length > best[0]:
                best = (length, equals)
    return best


def _length(found: Sequence[Term], position: int, written: Run) -> int:
    """How many terms from a position on write this run, the parts of their compounds included; 0 if they do not."""
    at, left = position, written
    while left and at < len(found):
        run = next((run for run in found[at].runs if run == left[: len(run)]), None)
        if run is None or found[at].is_number:
            return 0
        left, at = left[len(run) :], at + 1
        while at < len(found) and found[at].is_part:
            at += 1
    return 0 if left else at - position


@cache
def _synonyms() -> dict[str, list[tuple[Run, tuple[Run, ...]]]]:
    """The shipped equals by the first token of each way to write one."""
    known: dict[str, list[tuple[Run, tuple[Run, ...]]]] = {}
    for names in synonyms():
        runs = tuple(dict.fromkeys(run for name in names for run in _runs(name)))
        for run in runs:
            known.setdefault(run[0], []).append((run, runs))
    return known


def synonyms() -> tuple[tuple[str, ...], ...]:
    """The shipped lists of equals, as they are written."""
    import yaml

    loaded = yaml.load(files("tracer").joinpath(SYNONYMS).read_bytes(), Loader=yaml.BaseLoader)  # noqa: S506 -- texts alone
    return tuple(tuple(map(str, names)) for names in loaded)


def _runs(name: str) -> Iterator[Run]:
    """A name as tokens, its compounds in parts and in one."""
    words = [roots(word) for word in WORD.findall(name)]
    yield tuple(root for found in words for root in (found[1:] or found))
    yield tuple(found[0] for found in words if found)
