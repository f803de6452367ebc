"""The nouns of two documents that differ."""

from dataclasses import dataclass

from tracer.aligning import Pair
from tracer.model import Passage
from tracer.nearness import weight


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A sentence as it was and as it is; `words` are the (old, new) pairs that differ, numbers first."""

    old: Passage
    new: Passage
    words: tuple[tuple[str, str], ...]

    @property
    def weight(self) -> int:
        """How soon it is to be read: 0 where a number differs."""
        return min(map(weight, self.words))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordered:
    """Text of one section whose words stand in another order, as those of a figure that was drawn anew.

    `words` says how many they are, `only_old` and `only_new` which are in one of the two alone.
    """

    old: Passage
    new: Passage
    words: int
    only_old: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two documents: its name, the sha256 of its bytes, its pages, and those that cannot be compared."""

    name: str
    sha256: str
    pages: int
    sentences: int
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How two documents differ; `pages` are (old, new) printed pages with how many equal sentences went from one to the
    other, `marks` and `typography` count the sentences that differ in nothing else. `cited` are those of the `marks` to
    which a reference came or from which one went.
    """

    old: Side
    new: Side
    sections: tuple[Pair, ...]
    changed: tuple[Changed, ...]
    added: tuple[Passage, ...]
    removed: tuple[Passage, ...]
    reordered: tuple[Reordered, ...] = ()
    same: int = 0
    marks: int = 0
    cited: tuple[Passage, ...] = ()
    typography: int = 0
    pages: tuple[tuple[str, str, int], ...] = ()

    @property
    def is_none(self) -> bool:
        """Whether nothing that can be read differs and everything could be read."""
        is_read = not (self.old.unread or self.new.unread)
        return is_read and not (self.sections or self.changed or self.added or self.removed or self.reordered)
