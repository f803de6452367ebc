"""The nouns of a revised source: what became of each pointer into it, and the edits that carry it over; all frozen."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tracer.aligning import Pair
from tracer.model import Claim, Passage, Revision


class Kind(StrEnum):
    """What became of a pointer into a source."""

    STANDS = "stands"
    MOVED = "moved"
    REFERENCE_MARKS = "reference-marks"
    TYPOGRAPHY = "typography"
    ALTERED = "altered"
    GONE = "gone"
    AMBIGUOUS = "ambiguous"
    NEW_HITS = "new-hits"
    VANISHED_HITS = "vanished-hits"
    NOW_STATED = "now-stated"
    UNCHECKED = "unchecked"


SETTLED = frozenset({Kind.STANDS, Kind.TYPOGRAPHY, Kind.VANISHED_HITS, Kind.NOW_STATED})
"""Kinds that leave nothing to do."""

ACCEPTABLE = (Kind.MOVED, Kind.REFERENCE_MARKS, Kind.TYPOGRAPHY)
"""Kinds whose edits may be written, for the quote stands in the new reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A field of a claim that is to be set, or with `appends` an item for the list there; `old` is what it says now."""

    field: str
    old: str | None
    new: str | Mapping[str, str]
    appends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What became of one citation or search of a claim, and the edits that carry it over.

    `old` and `new` are the passages; `others` the places that are as good, or the hits. `changes` are (quoted, in the
    new text) pairs of words, numbers first. `was_lost` says that the old reading did not hold the quote either.
    """

    claim: Claim
    at_path: str
    kind: Kind
    edits: tuple[Edit, ...] = ()
    quote: str | None = None
    old: Passage | None = None
    new: Passage | None = None
    others: tuple[Passage, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    reason: str | None = None
    was_lost: bool = False

    @property
    def may_be_closer(self) -> bool:
        """Whether closer readings of the pages could tell more."""
        is_lost = self.kind in (Kind.ALTERED, Kind.GONE, Kind.AMBIGUOUS, Kind.MOVED) or self.was_lost
        return bool(self.quote) and is_lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """All that a source's new bytes mean for a ledger; `sections` are those that were added, removed or renamed.

    `old` is the pin that the ledger has, None where there is none, `new` the one to come; `is_old_read` says whether
    the old bytes were at hand.
    """

    source: str
    rows: tuple[Proposal, ...]
    sections: tuple[Pair, ...] = ()
    old: Revision | None = None
    new: Revision | None = None
    is_old_read: bool = False

    def count(self, kind: Kind) -> int:
        """How many rows are of a kind."""
        return sum(row.kind is kind for row in self.rows)
