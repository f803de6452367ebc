"""The nouns of the ledger, of the sources and of what an audit finds; all frozen, importing nothing of the package.

Positions inside page text are 0-based and half-open; sheets, lines and columns are 1-based, as people count them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as default
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

NOTHING: Mapping[str, str] = MappingProxyType({})


def _nothing() -> Mapping[str, str]:
    return NOTHING


class Failure(Exception):  # noqa: N818 -- a Failure ends a run by design, it is no error of the program
    """What ends a run: one sentence that says what to do."""


class Status(StrEnum):
    """How a claim is grounded."""

    STATED = "stated"
    DERIVED = "derived"
    CONCLUDED = "concluded"
    NOT_STATED = "not-stated"


class Severity(StrEnum):
    """How much a finding weighs: errors and warnings flag their claim, notes do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Verdict(StrEnum):
    """How a claim or a citation ends."""

    VERIFIED = "verified"
    FLAGGED = "flagged"
    UNCHECKED = "unchecked"


class Tier(StrEnum):
    """The foldings under which a quote equals the source's text, strictest first."""

    EXACT = "exact"
    TYPOGRAPHY = "typography"
    LAYOUT = "layout"
    JOIN = "join"
    REFERENCE_MARKS = "reference marks"
    NEAR = "near"


# --- the ledger -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A position in a ledger file that a person can edit; `path` is relative to the project's root, with `/`."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where each field of one record stands; `cite.0.page` is the page of the first citation, `` the record itself."""

    path: str
    positions: Mapping[str, tuple[int, int]]

    def of(self, field_path: str) -> Place:
        """The place of a field, or of the nearest field around it that was written."""
        while field_path not in self.positions and field_path:
            field_path = field_path.rpartition(".")[0]
        line, column = self.positions.get(field_path, (1, 1))
        return Place(path=self.path, line=line, column=column)


SHORT = 12
"""So many digits tell a sha256 from others where people read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """An earlier pin of a source: what the publisher called it, its sha256, and the date it was seen."""

    name: str
    sha256: str
    seen: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document that claims cite; its sha256 is its identity.

    `revision_of` is the id of the source that this is one revision of, for a citation that names it as `id@revision`.
    """

    id: str
    title: str | None = None
    publisher: str | None = None
    url: str | None = None
    revision: str | None = None
    sha256: str | None = None
    file: str | None = None
    note: str | None = None
    quote_words: int | None = None
    revisions: tuple[Revision, ...] = ()
    revision_of: str | None = None
    places: Places
    broken: bool = False

    @property
    def pin(self) -> Revision | None:
        """The pin that it has, called as its publisher does, else by the start of its sha256."""
        return Revision(name=self.revision or self.sha256[:SHORT], sha256=self.sha256) if self.sha256 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step of a pipeline; `after` names the stage it follows, `path: side` takes it off the main path."""

    id: str
    title: str | None = None
    kind: str | None = None
    after: str | None = None
    path: str | None = None
    published: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """A model's training, as stages in the order they are written."""

    id: str
    title: str | None = None
    profile: str | None = None
    stages: tuple[Stage, ...] = ()
    places: Places
    broken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The fields that a complete record answers: kind of stage -> field -> what counts as an answer."""

    id: str
    title: str | None = None
    extends: str | None = None
    kinds: Mapping[str, Mapping[str, str]] = default(default_factory=lambda: MappingProxyType({}))
    places: Places
    broken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A pointer into a source, as written: `page` is the printed number, `sheet` the physical one.

    `role` is the field of the claim it stands in: `cite`, `disputes` or `made-in`; `at_path` is that field's path in
    the claim's `Places` (`cite.0`).
    """

    source: str
    section: str | None = None
    page: str | None = None
    sheet: str | None = None
    at: str | None = None
    lines: str | None = None
    quote: str | None = None
    because: str | None = None
    role: str = "cite"
    at_path: str = "cite.0"

    @property
    def is_placed(self) -> bool:
        """Whether anything says where in the source the quote stands."""
        return any((self.section, self.page, self.sheet, self.at, self.lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A page, or a section, whose hits a `not-stated` claim has answered for, with the reason."""

    page: str | None = None
    sheet: str | None = None
    section: str | None = None
    because: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What was looked for in which source before a claim said `not-stated`."""

    source: str
    terms: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
    at_path: str = "searched.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A person's sign-off; `seen` is the fingerprint of what was signed."""

    by: str | None = None
    on: str | None = None
    seen: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement about a pipeline, with its grounds; scalars are the text that was typed."""

    id: str
    stage: str | None = None
    field: str | None = None
    text: str | None = None
    value: str | None = None
    unit: str | None = None
    status: Status | None = None
    cite: tuple[Citation, ...] = ()
    formula: str | None = None
    inputs: Mapping[str, str] = default(default_factory=_nothing)
    tolerance: str | None = None
    because: str | None = None
    leans_on: tuple[str, ...] = ()
    searched: tuple[Search, ...] = ()
    disputes: tuple[Citation, ...] = ()
    accept: Mapping[str, str] = default(default_factory=_nothing)
    made_in: Citation | None = None
    review: Review | None = None
    note: str | None = None
    places: Places
    broken: bool = False

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every pointer into a source: the evidence, what disputes it, and the audited document that says it."""
        made_in = () if self.made_in is None else (self.made_in,)
        return (*self.cite, *self.disputes, *made_in)

    @property
    def grounds(self) -> tuple[str, ...]:
        """The ids of the claims that this one rests on."""
        return (*self.inputs.values(), *self.leans_on)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All records below one folder.

    `claims` keeps duplicates and broken claims; `problems` says what is wrong with the files themselves.
    `fingerprints` maps each file's path to the sha256 of its bytes when it was read. `incomplete` names the files that
    could not be read to their end: what seems unknown may stand there. `folder` is the ledger's, relative to `root`.
    `sources` holds, beside every source, each revision of one that a claim names as `source@revision`.
    """

    root: str
    sources: Mapping[str, Source]
    pipelines: Mapping[str, Pipeline]
    profiles: Mapping[str, Profile]
    claims: tuple[Claim, ...]
    problems: "tuple[Problem, ...]" = ()
    fingerprints: Mapping[str, str] = default(default_factory=_nothing)
    incomplete: tuple[str, ...] = ()
    folder: str = "claims"


# --- the sources ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Text made comparable: `offsets[i]` is the index in the original text of the i-th comparable character.

    `dashes` lists (index, is_operator) of each dash dropped before the comparable character at that index.
    """

    text: str
    offsets: Sequence[int]
    dashes: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read a page: `folded` points into the page's text, in the order that `name` says."""

    name: str
    folded: Folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page's text as read, its printed label, and the readings of it; `unreadable` says why there is no text."""

    sheet: int
    label: str | None
    text: str
    readings: tuple[Reading, ...] = ()
    unreadable: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Where a section begins: the offset of its title in the page's text; its level counts from 1."""

    number: str | None
    title: str
    level: int
    sheet: int
    start: int

    def __str__(self) -> str:
        return self.number or self.title


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A source as read; one without pages is a single page. `sha256` is that of the bytes that were read.

    `headings` stand in reading order; `headings_by` says how they were found (`outline`, `numbers`, `type`, `markup`),
    or None where nothing tells the sections. `labels_by` is `file`, `print` or None. `values` maps the paths of a data
    file (`model.num_experts`, `layers.0.kind`) to its scalars as typed.
    """

    kind: str
    sha256: str = ""
    pages: tuple[Page, ...]
    headings: tuple[Heading, ...] = ()
    headings_by: str | None = None
    labels_by: str | None = None
    values: Mapping[str, str] = default(default_factory=_nothing)
    title: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Why a source could not be read. `kind`: `absent`, `locked`, `broken`, `limit` or `refused`."""

    kind: str
    reason: str
    hint: str | None = None


# --- what an audit finds ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of a page's text."""

    sheet: int
    start: int
    end: int


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
class Passage:
    """A piece of a source shown to a person; `marked` is the part of `text` (start, end) that it is shown for."""

    source: str
    page: str | None
    sheet: int
    section: str | None
    text: str
    marked: tuple[int, int] | None = None


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
class Problem:
    """What is wrong and where to mend it, nameless until a rule claims it.

    `severity` overrides the rule's own; `unchecks` marks what could not be checked rather than what is wrong.
    """

    message: str
    at: Place
    claim: str | None = None
    hint: str | None = None
    see: tuple[Passage, ...] = ()
    related: tuple[Place, ...] = ()
    severity: Severity | None = None
    unchecks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem under its rule's name; `accepted` is the reason the claim gives for keeping it.

    `known` says that an earlier report, against which this one is held, has it as well.
    """

    rule: str
    severity: Severity
    problem: Problem
    accepted: str | None = None
    known: bool = False


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReport:
    """How one claim ended, and how each of its citations did (in the order of `Claim.citations`)."""

    claim: Claim
    verdict: Verdict
    traces: tuple[Trace, ...]
    verdicts: tuple[Verdict, ...]
    searches: tuple[SearchTrace, ...] = ()
    computation: Computation | None = None
    is_disputed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """An audit's result: every selected claim and every finding, accepted ones included, in file order."""

    ledger: Ledger
    claims: tuple[ClaimReport, ...]
    findings: tuple[Finding, ...]
    documents: Mapping[str, Document | Unread]

    def count(self, verdict: Verdict) -> int:
        """How many claims ended so."""
        return sum(claim.verdict is verdict for claim in self.claims)
