"""A text to the passages of the sources that state it: exact places first, then the best by words and numbers.

The full-text index proposes; what is shown first is decided by the share of the text's weight that a passage holds,
where a term weighs more the fewer passages have it. What a passage lacks its neighbours and titles may lend in part.
With an embedder, the meaning of the first passages has a say in their order; in what is found and shown it has none.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tracer import anchoring, quoting
from tracer.indexing import Index, Indexed
from tracer.model import Anchor, Citation, Document, Heading, Passage, Source, Span, Tier
from tracer.nearness import passage as shown
from tracer.reranking import Candidate, Embedder, order
from tracer.sections import section_at
from tracer.terms import Slot, Term, terms
from tracer.text import comparable

MOST = 5
CANDIDATES = 60
"""How many passages of each document are looked at closely."""

LENT = ((1, 0.35), (2, 0.2))
"""What a term is worth that stands so many sentences away, in the same section."""

FROM_TITLE = 0.6
"""What a term is worth that stands in the title of a section around, or at the head of the table."""

IN_ORDER = 0.35
"""What is added, of the lighter of two terms, where they follow each other as they do in the text."""

FROM_CONTEXT = 0.5
"""What the words around a text, such as its stage and field, count beside its own."""

LENGTH = 0.25
"""How far a passage longer than most is marked down."""

OF_REFERENCES = 0.5
"""What a passage of a list of references is worth."""

MOST_TERMS = 100
"""Of a long text the heaviest terms are looked for, in the order of the text."""

OF_BARE_NUMBERS = 0.6
"""What a passage is worth that shares numbers alone with a text that has words: the row of some table."""

LEAST_EXACT = 8
"""Comparable characters below which a text is no quote: it stands everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A place that a text was found at: with the `tier` of an exact one, or the share of its weight that is there.

    `shared` and `lacking` are its terms as the text writes them; `citation` is None where no quote of it verifies.
    `at` is a path in a data file. `others` counts further passages of the same page and section.
    """

    source: str
    passage: Passage
    score: float
    tier: Tier | None = None
    citation: Citation | None = None
    shared: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    at: str | None = None
    others: int = 0


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


class Finder:
    """Documents by the id of their source, with an index of each; `folder` is where the indexes are kept."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        sources: Mapping[str, Source],
        folder: Path | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.documents = documents
        self.sources = sources
        self.embedder = embedder
        self._indexes = {name: Index(document, folder) for name, document in documents.items()}

    def find(self, text: str, *, context: str = "", most: int = MOST) -> tuple[Hit, ...]:
        """The places of a text, exact ones first, each page and section once."""
        exact = sorted(self._exact(text), key=lambda hit: list(Tier).index(hit.tier or Tier.NEAR))
        taken = {_place(hit.source, hit.passage.sheet, hit.passage.section, hit.at) for hit in exact}
        wanted = self.wanted(text, context)
        passages = (self.hit(ranked, wanted, others) for ranked, others in self.ranked(text, wanted, most + len(taken)))
        near = [
            hit for hit in passages if _place(hit.source, hit.passage.sheet, hit.passage.section, hit.at) not in taken
        ]
        return tuple([*exact, *near][:most])

    # --- exact places ---------------------------------------------------------------------------------------------

    def _exact(self, text: str) -> Iterator[Hit]:
        if len(comparable(text)) < LEAST_EXACT:
            return
        for name, document in self.documents.items():
            if not _may_stand(text, document):
                continue
            taken: set[tuple[int, Heading | None]] = set()
            for anchor in anchoring.anchor(text, document):
                place = (anchor.spans[0].sheet, anchor.section)
                if place not in taken:
                    taken.add(place)
                    yield self._exact_hit(text, name, document, anchor)

    def _exact_hit(self, text: str, name: str, document: Document, anchor: Anchor) -> Hit:
        span = anchor.spans[0]
        page = document.pages[span.sheet - 1]
        return Hit(
            source=name,
            passage=shown(document, name, page, span.start, span.end),
            score=1.0,
            tier=anchor.tier,
            citation=quoting.of_quote(text, self.sources[name], document, anchor),
        )

    # --- passages -------------------------------------------------------------------------------------------------

    def wanted(self, text: str, context: str = "", *, lent: float = FROM_CONTEXT) -> tuple[Wanted, ...]:
        """The terms of a text and of what stands around it, which count `lent`, weighed over all documents."""
        own, around = terms(text), terms(context)
        known = {run for term in own for run in term.runs}
        both = (*own, *(term for term in around if known.isdisjoint(term.runs)))
        size, count = self._counts(both)
        weighed = [
            Wanted(term=term, weight=weight if position < len(own) else lent * weight, is_context=position >= len(own))
            for position, term in enumerate(both)
            for weight in (_weight(term, size, count),)
        ]
        heaviest = set(sorted(range(len(weighed)), key=lambda at: (-weighed[at].weight, at))[:MOST_TERMS])
        return tuple(each for at, each in enumerate(weighed) if at in heaviest)

    def _counts(self, found: Iterable[Term]) -> tuple[int, Mapping[str, int]]:
        tokens = [token for term in found for run in term.runs for token in run]
        total: dict[str, int] = {}
        for index in self._indexes.values():
            for token, count in index.counts(tokens).items():
                total[token] = total.get(token, 0) + count
        return sum(index.size for index in self._indexes.values()), total

    def ranked(self, text: str, wanted: Sequence[Wanted], most: int) -> Iterator[tuple[Ranked, int]]:
        """The best passages, best first: one for each page and section, and how many others are there."""
        everything = [ranked for name, index in self._indexes.items() for ranked in _scored(name, index, wanted)]
        everything.sort(key=lambda it: (-it.score, it.source, it.passage.id))
        best: dict[tuple[object, ...], list[Ranked]] = {}
        for ranked in everything:
            best.setdefault(
                _place(ranked.source, ranked.passage.sheet, ranked.passage.section, ranked.passage.at), []
            ).append(ranked)
        groups = [(group[0], len(group) - 1) for group in best.values()]
        for position in self._order(text, [ranked for ranked, _ in groups])[:most]:
            yield groups[position]

    def _order(self, text: str, best: Sequence[Ranked]) -> Sequence[int]:
        if self.embedder is None or not best or not text.strip():
            return range(len(best))
        candidates = [Candidate(text=self._titled(ranked), score=ranked.score) for ranked in best]
        return order(text, candidates, self.embedder)

    def _titled(self, ranked: Ranked) -> str:
        """The text of a passage below the title of its section."""
        headings, passage = self.documents[ranked.source].headings, ranked.passage
        is_below = passage.at is None and passage.section >= 0
        return f"{headings[passage.section].title}. {passage.text}" if is_below else passage.text

    def hit(self, ranked: Ranked, wanted: Sequence[Wanted], others: int = 0) -> Hit:
        """A passage as it is shown, with a quote that verifies where it has one."""
        document, source = self.documents[ranked.source], self.sources[ranked.source]
        own = [(each, worth) for each, worth in zip(wanted, ranked.worths, strict=True) if not each.is_context]
        named = [(each.term.written, worth) for each, worth in own if not each.term.is_part]
        quoted = quoting.of_passage(ranked.passage, _weights(wanted), source, document)
        return Hit(
            source=ranked.source,
            passage=_passage(ranked, document, quoted.sheet if quoted else ranked.passage.sheet),
            score=ranked.score,
            citation=quoted.citation if quoted else None,
            shared=tuple(dict.fromkeys(written for written, worth in named if worth == 1)),
            lacking=tuple(dict.fromkeys(written for written, worth in named if worth < 1)),
            at=ranked.passage.at,
            others=others,
        )

    def verifies(self, citation: Citation) -> bool:
        """Whether a citation would pass an audit."""
        name = citation.source
        return name in self.documents and quoting.verifies(citation, self.sources[name], self.documents[name])

    def close(self) -> None:
        """Let go of the indexes."""
        for index in self._indexes.values():
            index.close()


def _weights(wanted: Sequence[Wanted]) -> Mapping[str, float]:
    """What each token of the terms weighs, the most where several have it."""
    found: dict[str, float] = {}
    for each in wanted:
        for token in {token for run in each.term.runs for token in run}:
            found[token] = max(found.get(token, 0.0), each.weight)
    return found


def _may_stand(text: str, document: Document) -> bool:
    """Whether the beginning or the end of a text stands in some page; a page end may part one of them, not both."""
    wanted = comparable(text)
    begins, ends = wanted[:LEAST_EXACT], wanted[-LEAST_EXACT:]
    texts = (reading.folded.text for page in document.pages for reading in page.readings)
    return any(begins in text or ends in text for text in texts)


def _place(source: str, sheet: int, section: object, at: str | None) -> tuple[object, ...]:
    return source, sheet, section, at


def _passage(ranked: Ranked, document: Document, sheet: int) -> Passage:
    """A passage with the page of its quote, which may be the one after that on which it begins."""
    found = ranked.passage
    heading = section_at(document.headings, Span(sheet=found.sheet, start=found.start, end=found.start + 1))
    return Passage(
        source=ranked.source,
        page=document.pages[sheet - 1].label,
        sheet=sheet,
        section=str(heading) if heading else None,
        text=found.text,
    )


# --- what a passage is worth ----------------------------------------------------------------------------------------


def _weight(term: Term, size: int, counts: Mapping[str, int]) -> float:
    """The logarithm of how rare a term is (the idf of BM25), by the commonest of its ways to be written."""
    held = max(min(counts.get(token, 0) for token in run) for run in term.runs)
    rarity = math.log(1 + (size - held + 0.5) / (held + 0.5))
    return rarity * term.factor


def _scored(name: str, index: Index, wanted: Sequence[Wanted]) -> Iterator[Ranked]:
    """The passages that the full-text index proposes, each with its share of the weight."""
    ids = index.candidates((run for each in wanted for run in each.term.runs), CANDIDATES)
    reach = max(distance for distance, _ in LENT)
    known = index.passages(each + step for each in ids for step in range(-reach, reach + 1))
    own = [position for position, each in enumerate(wanted) if not each.is_context]
    for each in ids:
        score, worths = _judged(known[each], known, wanted, index.usual_length)
        if not own or any(worths[position] == 1 for position in own):
            yield Ranked(
                source=name, passage=known[each], score=score, worths=worths, around=_around(known[each], known)
            )


def _around(passage: Indexed, known: Mapping[int, Indexed]) -> str:
    near = (known.get(passage.id + step) for step in (-1, 0, 1))
    return " ".join(each.text for each in near if each is not None and each.section == passage.section)


def _judged(
    passage: Indexed, known: Mapping[int, Indexed], wanted: Sequence[Wanted], usual: float
) -> tuple[float, tuple[float, ...]]:
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
