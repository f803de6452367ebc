"""The nouns of the benchmark: a PDF with what truly stands in it, and the cases that are made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Running words of a PDF as a reader sees them, without note marks, and what interrupts them there.

    `joint` is what stands between two words of the language.
    """

    words: tuple[str, ...]
    sheet: int
    section: str | None
    kind: str
    last_sheet: int = 0
    joint: str = " "
    language: str = "en"

    @property
    def text(self) -> str:
        return self.joint.join(self.words)

    @property
    def sheets(self) -> tuple[int, ...]:
        return tuple(range(self.sheet, max(self.sheet, self.last_sheet) + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section as a citation names it, with the names of those that it lies in."""

    name: str
    title: str
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A PDF, its printed page labels, its sections in reading order, and its passages.

    `pages` is the text of each sheet by poppler, in the form of `truth.strict`.
    """

    name: str
    path: Path
    labels: tuple[str, ...]
    sections: tuple[Section, ...]
    passages: tuple[Passage, ...]
    pages: tuple[str, ...]

    def label(self, sheet: int) -> str:
        return self.labels[sheet - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A quote to be audited, the place that is cited for it, and whether it truly stands there."""

    material: str
    kind: str
    is_true: bool
    quote: str
    page: str
    section: str | None
    origin: str
    sheet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the product said of a case: its verdict, the rules that spoke, and where it found the quote."""

    case: Case
    verdict: str
    rules: tuple[str, ...] = ()
    said: str = ""
    tier: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of letters in one style: `roman`, `italic`, `bold`, `raised`, `lowered` or `small capitals`."""

    text: str
    style: str = "roman"


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What stands between two spaces: the pieces that are drawn, and the word as a person quotes it.

    `note` is the text of the foot note whose mark follows; `trait` names what is special about it.
    """

    pieces: tuple[Piece, ...]
    quoted: str
    note: str | None = None
    trait: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How a PDF is laid out, and by which typesetter."""

    name: str
    typesetter: str
    columns: int = 1
    order: str = "columns"
    font: str = "serif"
    emission: str = "lines"
    hyphen: str = "-"
    hyphenates: bool = True
    headings: str = "outline"
    labels: str = "none"
    notes: float = 0.0
    floats: int = 0
    traits: Mapping[str, float] = field(default_factory=dict)
    accents: str = "composed"
    size: float = 10.0
    rotation: int = 0
    is_cropped: bool = False
    is_doubled: bool = False
    pages: int = 5
    folio: str = "foot"
