"""What following a ledger gives: anchors, traces of citations and of searches, computations, and all as evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default
from functools import cached_property
from types import MappingProxyType

from tracer.model.documents import Document, Heading, Passage, Span, Unread
from tracer.model.kinds import Tier
from tracer.model.ledger import Citation, Claim, Ledger, Search


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Where a quote was found: spans in reading order, and the foldings it took (`case`, `line-end hyphen`, ...).

    `before` and `after` are the comparable words around it; `skips` is a negation that its `…` leaves out.
    """

    spans: tuple[Span, ...]
    tier: Tier
    foldings: tuple[str, ...] = ()
    page: str | None = None
    section: Heading | None = None
    reading: str = "as it is"
    before: str = ""
    after: str = ""
    skips: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """The nearest passage to a quote that was not found, and how alike they are (0 to 100); a proposal, never a pass.

    `changes` are (quoted, in the source) pairs of differing words, numbers, units, negations and comparisons first.
    """

    passage: Passage
    score: float
    changes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A citation followed to its source.

    `anchors` is one place when the quote is found, several when nothing decides, none when it is not there.
    `page_agrees` and `section_agrees` are None where the citation names none, or where the source does not tell
    (then `section_unread` says why). `unchecked` is the reason why nothing could be said.
    """

    claim: Claim
    citation: Citation
    anchors: tuple[Anchor, ...] = ()
    page_agrees: bool | None = None
    section_agrees: bool | None = None
    section_unread: str | None = None
    page_read_as_sheet: bool = False
    near: Near | None = None
    cut: str | None = None
    left_out: str | None = None
    value_found: str | None = None
    unchecked: str | None = None

    @property
    def is_decided(self) -> bool:
        """Whether the quote stands at exactly one place, on the page and in the section that are cited."""
        return len(self.anchors) == 1 and self.page_agrees is not False and self.section_agrees is not False


@dataclass(frozen=True, slots=True, kw_only=True)
class TermHit:
    """A search term on a page: the term, the span, and whether the claim has answered for it."""

    term: str
    span: Span
    page: str | None
    section: str | None
    passage: Passage
    answered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTrace:
    """A search of a `not-stated` claim, done again: its hits, and the pages that could not be read."""

    claim: Claim
    search: Search
    hits: tuple[TermHit, ...] = ()
    pages: int = 0
    unread_pages: tuple[str, ...] = ()
    unchecked: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Computation:
    """What a derived claim's formula gives: shown as text, with the rounding used, or the problems that stopped it.

    `rounded` is the computed value in the form of the written one; `unchecked` says that an input is broken or missing,
    which is another rule's finding.
    """

    expected: str | None = None
    computed: str | None = None
    agrees: bool | None = None
    rounded: str | None = None
    difference: str | None = None
    rounding: str | None = None
    reading: str | None = None
    unit_problem: str | None = None
    fault: str | None = None
    unchecked: str | None = None
    at_field: str = "formula"


@dataclass(frozen=True, kw_only=True)  # no slots: what every rule asks for is computed once and kept
class Evidence:
    """A ledger with everything that its sources and formulas say of it; what the rules look at.

    `documents` has an entry for every source that a claim cites; `traces`, `searches`, `computations` and what follows
    them are keyed by the index of the claim in `ledger.claims`. `cycles` are chains of claim ids that end where they
    began. The pages of `documents` come without their text: it is looked up again where a passage is shown.
    """

    ledger: Ledger
    documents: Mapping[str, Document | Unread]
    traces: Mapping[int, tuple[Trace, ...]]
    searches: Mapping[int, tuple[SearchTrace, ...]]
    computations: Mapping[int, Computation]
    cycles: tuple[tuple[str, ...], ...] = ()
    suggestions: Mapping[int, tuple[Passage, ...]] = default(default_factory=lambda: MappingProxyType({}))
    review_changes: Mapping[int, str] = default(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def sound_claims(self) -> tuple[tuple[int, Claim], ...]:
        """The claims whose record stands, by their index."""
        claims = enumerate(self.ledger.claims)
        return tuple((index, claim) for index, claim in claims if not claim.broken and claim.status is not None)

    @cached_property
    def followed(self) -> tuple[Trace, ...]:
        """Every citation of those claims that reached a document which was read."""
        read = {name for name, document in self.documents.items() if isinstance(document, Document)}
        traces = (trace for index, _ in self.sound_claims for trace in self.traces.get(index, ()))
        return tuple(trace for trace in traces if trace.citation.source in read)
