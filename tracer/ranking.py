"""Terms and the passages of an index to the share of the terms' weight that each of these holds.

The full-text index proposes; a term weighs more the fewer passages have it. What a passage lacks its neighbours and
titles may lend in part.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tracer.indexing import Index, Indexed
from tracer.terms import Slot, Term

CANDIDATES = 60
"""How many passages of each document are looked at closely."""

LENT = ((1, 0.35), (2, 0.2))
"""What a term is worth that stands so many sentences away, in the same section."""

FROM_TITLE = 0.6
"""What a term is worth that stands in the title of a section around, or at the head of the table."""

IN_ORDER = 0.35
"""What is added, of the lighter of two terms, where they follow each other as they do in the text."""

LENGTH = 0.25
"""How far a passage longer than most is marked down."""

OF_REFERENCES = 0.5
"""What a passage of a list of references is worth."""

MOST_TERMS = 100
"""Of a long text the heaviest terms are looked for, in the order of the text."""

OF_BARE_NUMBERS = 0.6
"""What a passage is worth that shares numbers alone with a text that has words: the row of some table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A term and what it weighs in the sources that are searched."""

    term: Term
    weight: float
    is_context: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A passage of one source, its share of the weight, and what each wanted term is worth there (0 to 1).

    `around` is its text with that of the sentences before and after it in its section.
    """

    source: str
    passage: Indexed
    score: float
    worths: tuple[float, ...]
    around: str


# --- what a term weighs ---------------------------------------------------------------------------------------------


def weighed(
    own: Sequence[Term], around: Sequence[Term], indexes: Sequence[Index], *, lent: float
) -> tuple[Wanted, ...]:
    """The terms of a text and of what stands around it, which count `lent`, weighed over all indexes."""
    known = {run for term in own for run in term.runs}
    further = [term for term in around if known.isdisjoint(term.runs)]
    size, counts = sum(index.size for index in indexes), _counts((*own, *further), indexes)
    found = [Wanted(term=term, weight=_weight(term, size, counts)) for term in own]
    found += [Wanted(term=term, weight=lent * _weight(term, size, counts), is_context=True) for term in further]
    heaviest = set(sorted(range(len(found)), key=lambda at: (-found[at].weight, at))[:MOST_TERMS])
    return tuple(each for at, each in enumerate(found) if at in heaviest)


def _counts(found: Iterable[Term], indexes: Iterable[Index]) -> Mapping[str, int]:
    """How many passages of all indexes hold each token of some terms."""
    tokens = [token for term in found for run in term.runs for token in run]
    total: dict[str, int] = {}
    for index in indexes:
        for token, count in index.counts(tokens).items():
            total[token] = total.get(token, 0) + count
    return total


def _weight(term: Term, size: int, counts: Mapping[str, int]) -> float:
    """The logarithm of how rare a term is (the idf of BM25), by the commonest of its ways to be written."""
    held = max(min(counts.get(token, 0) for token in run) for run in term.runs)
    rarity = math.log(1 + (size - held + 0.5) / (held + 0.5))
    return rarity * term.factor


def token_weights(wanted: Sequence[Wanted]) -> Mapping[str, float]:
    """What each token of the terms weighs, the most where several have it."""
    found: dict[str, float] = {}
    for each in wanted:
        for token in {token for run in each.term.runs for token in run}:
            found[token] = max(found.get(token, 0.0), each.weight)
    return found


# --- what a passage is worth ----------------------------------------------------------------------------------------


def scored(source: str, index: Index, wanted: Sequence[Wanted]) -> Iterator[Ranked]:
    """The passages that the full-text index proposes, each with its share of the weight."""
    ids = index.candidates((run for each in wanted for run in each.term.runs), CANDIDATES)
    reach = max(distance for distance, _ in LENT)
    known = index.passages(each + step for each in ids for step in range(-reach, reach + 1))
    own = [position for position, each in enumerate(wanted) if not each.is_context]
    for each in ids:
        score, worths = _judged(known[each], known, wanted, index.usual_length)
        if not own or any(worths[position] == 1 for position in own):
            yield Ranked(
                source=source, passage=known[each], score=score, worths=worths, around=_around(known[each], known)
            )


def _around(passage: Indexed, known: Mapping[int, Indexed]) -> str:
    near = (known.get(passage.id + step) for step in (-1, 0, 1))
    return " ".join(each.text for each in near if each is not None and each.section == passage.section)


def _judged(
    passage: Indexed, known: Mapping[int, Indexed], wanted: Sequence[Wanted], usual: float
) -> tuple[float, tuple[float, ...]]:
    """The share of the weight that a passage holds, and what each term is worth there."""
    whole = sum(each.weight for each in wanted)
    slots, tokens = passage.slots, passage.tokens
    lenders = tuple(_lenders(passage, known))
    worths = tuple(_worth(each.term, slots, tokens, lenders) for each in wanted)
    found = sum(each.weight * worth for each, worth in zip(wanted, worths, strict=True))
    found += IN_ORDER * sum(_in_order(slots, wanted, worths))
    length = 1 + LENGTH * max(0.0, len(slots) / usual - 1)
    kind = (OF_REFERENCES if passage.is_reference else 1) * (OF_BARE_NUMBERS if _is_bare(slots, wanted, worths) else 1)
    return found / whole / length * kind, worths


def _is_bare(slots: Sequence[Slot], wanted: Sequence[Wanted], worths: Sequence[float]) -> bool:
    """Whether a passage is the row of a table that holds no word of a text that has any."""
    words = [worth for each, worth in zip(wanted, worths, strict=True) if not each.term.is_number]
    is_row = 2 * sum(any(token[0].isdigit() for token in slot) for slot in slots) >= len(slots)
    return is_row and bool(words) and max(words) < 1


def _lenders(passage: Indexed, known: Mapping[int, Indexed]) -> Iterator[tuple[Slot, float]]:
    """What may stand in for a word that the passage does not have, most valuable first."""
    around = [(FROM_TITLE, passage.title)]
    for distance, worth in LENT:
        for step in (-distance, distance):
            other = known.get(passage.id + step)
            if other is not None and other.section == passage.section:
                around.append((worth, other.tokens))
    yield from ((tokens, worth) for worth, tokens in sorted(around, key=lambda it: -it[0]))


def _worth(term: Term, slots: Sequence[Slot], tokens: Slot, lenders: Sequence[tuple[Slot, float]]) -> float:
    if any(_runs_in(run, slots, tokens) for run in term.runs):
        return 1.0
    return next((worth for lent, worth in lenders if any(lent.issuperset(run) for run in term.runs)), 0.0)


def _runs_in(run: Sequence[str], slots: Sequence[Slot], tokens: Slot) -> bool:
    """Whether tokens stand one after the other in a passage."""
    if not tokens.issuperset(run):
        return False
    return len(run) == 1 or any(
        all(token in slot for token, slot in zip(run, slots[start:], strict=False))
        for start in range(len(slots) - len(run) + 1)
    )


def _in_order(slots: Sequence[Slot], wanted: Sequence[Wanted], worths: Sequence[float]) -> Iterator[float]:
    """The lighter weight of each two terms that follow each other in the text and in the passage."""
    followed = {(left, right) for before, after in pairwise(slots) for left in before for right in after}
    for (one, worth), (two, other) in pairwise(zip(wanted, worths, strict=True)):
        if worth == other == 1 and one.is_context == two.is_context and not (one.term.is_part or two.term.is_part):
            ends, begins = {run[-1] for run in one.term.runs}, {run[0] for run in two.term.runs}
            if any((left, right) in followed for left in ends for right in begins):
                yield min(one.weight, two.weight)
