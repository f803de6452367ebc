"""What people write down: sources, pipelines, profiles and claims with their citations, and the ledger of them all."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default
from types import MappingProxyType

from tracer.model.kinds import Status, nothing
from tracer.model.places import Places
from tracer.model.problems import Problem

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
    inputs: Mapping[str, str] = default(default_factory=nothing)
    tolerance: str | None = None
    because: str | None = None
    leans_on: tuple[str, ...] = ()
    searched: tuple[Search, ...] = ()
    disputes: tuple[Citation, ...] = ()
    accept: Mapping[str, str] = default(default_factory=nothing)
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
    problems: tuple[Problem, ...] = ()
    fingerprints: Mapping[str, str] = default(default_factory=nothing)
    incomplete: tuple[str, ...] = ()
    folder: str = "claims"
