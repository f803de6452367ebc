"""A source as read: documents, their pages, readings and headings, and the spans and passages of these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as default

from tracer.model.kinds import nothing


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
    values: Mapping[str, str] = default(default_factory=nothing)
    title: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Why a source could not be read. `kind`: `absent`, `locked`, `broken`, `limit` or `refused`."""

    kind: str
    reason: str
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of a page's text."""

    sheet: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a source shown to a person; `marked` is the part of `text` (start, end) that it is shown for."""

    source: str
    page: str | None
    sheet: int
    section: str | None
    text: str
    marked: tuple[int, int] | None = None
