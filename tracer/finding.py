"""A text to the passages of the sources that state it: exact places first, then the best by words and numbers.

With an embedder, the meaning of the first passages has a say in their order; in what is found and shown it has none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tracer import anchoring, quoting
from tracer.indexing import Index
from tracer.model import Anchor, Citation, Document, Heading, Passage, Source, Span, Tier
from tracer.nearness import passage as shown
from tracer.ranking import Ranked, Wanted, scored, token_weights, weighed
from tracer.reranking import Candidate, Embedder, order
from tracer.sections import section_at
from tracer.terms import terms
from tracer.text import comparable

MOST = 5
FROM_CONTEXT = 0.5
"""What the words around a text, such as its stage and field, count beside its own."""

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
        return weighed(terms(text), terms(context), tuple(self._indexes.values()), lent=lent)

    def ranked(self, text: str, wanted: Sequence[Wanted], most: int) -> Iterator[tuple[Ranked, int]]:
        """The best passages, best first: one for each page and section, and how many others are there."""
        everything = [ranked for name, index in self._indexes.items() for ranked in scored(name, index, wanted)]
        everything.sort(key=lambda it: (-it.score, it.source, it.passage.id))
        everything = _as_written_first(everything, comparable(text))
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
        quoted = quoting.of_passage(ranked.passage, token_weights(wanted), source, document)
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


def _may_stand(text: str, document: Document) -> bool:
    """Whether the beginning or the end of a text stands in some page; a page end may part one of them, not both."""
    wanted = comparable(text)
    begins, ends = wanted[:LEAST_EXACT], wanted[-LEAST_EXACT:]
    texts = (reading.folded.text for page in document.pages for reading in page.readings)
    return any(begins in text or ends in text for text in texts)


def _as_written_first(ranked: Sequence[Ranked], text: str) -> list[Ranked]:
    """Of the best, where several are as good, those first that hold the text itself: `warmup` before `warmly`."""
    best = [one for one in ranked if text and one.score == ranked[0].score]
    return [*sorted(best, key=lambda one: text not in comparable(one.passage.text)), *ranked[len(best) :]]


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
