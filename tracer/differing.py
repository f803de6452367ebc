"""Two documents to how they differ: sections, sentences with their numbers first, and pages, reference marks apart.

Sentences are held against each other by their comparable form, section by section. What is equal but for its place, its
line breaks, its signs or its reference marks is counted and not listed; likeness only decides what is shown together.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property

from tracer.aligning import Pair, Section, aligned, sections
from tracer.anchoring import anchor
from tracer.model import Document, Passage
from tracer.nearness import changed, weight
from tracer.readers.marks import REFERENCE_MARK
from tracer.searching import unread_pages
from tracer.sentences import Sentence
from tracer.text import comparable
from tracer.wording import page_label

LEAST_ALIKE = 55
"""How alike (of 100, RapidFuzz's ratio) two sentences between the same neighbours are to be shown as one."""

LEAST_ALIKE_FAR = 75
"""How alike two sentences of different places are to be shown as one that changed."""

MOST_PAIRS = 100_000
"""How many pairs of sentences are held against each other at once; a page or two of text was rewritten beyond that."""

MOST_SOUGHT = 2_000
"""How many sentences are looked for in the whole of the other document."""

LEAST_WORDS, LEAST_SHARE, MOST_IN_ORDER = 12, 0.8, 0.7
"""How many words, and what part of the smaller side's, are the same where text is only in another order, and what part
of these may follow one another as before.
"""

MOST_WORDS = 4_000
"""More words between two equal sentences are no figure that was drawn anew."""

LEAST_SOLID = 20
"""Comparable characters from which a piece of text that stands in the other document, too, is no change of it."""


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


def difference(old: Document, new: Document, *, names: tuple[str, str]) -> Difference:
    """How a document differs from an older one; the names are shown as theirs."""
    ours, theirs = sections(old), sections(new)
    pairs = aligned(ours, theirs)
    comparison = _Comparison(old=_Text(old, names[0], ours), new=_Text(new, names[1], theirs), pairs=pairs)
    found = comparison.values if old.kind == new.kind == "data" else comparison.sentences
    return replace(found(), sections=tuple(pair for pair in pairs if pair.change))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    """A sentence with the comparable form that it is held against others by, and its section."""

    sentence: Sentence
    key: str
    section: str | None

    @property
    def text(self) -> str:
        """Its words on one line."""
        return self.sentence.text.strip()


class _Text:
    """One document as sentences, with what is asked of it as a whole."""

    def __init__(self, document: Document, name: str, its_sections: Sequence[Section]) -> None:
        self.document = document
        self.name = name
        self.units = {id(section): _units(section) for section in its_sections}
        self.sought = 0

    @property
    def side(self) -> Side:
        """What is said of the document."""
        document = self.document
        count = sum(map(len, self.units.values()))
        unread = unread_pages(document)
        return Side(name=self.name, sha256=document.sha256, pages=len(document.pages), sentences=count, unread=unread)

    @cached_property
    def keys(self) -> Counter[str]:
        """How often each sentence stands in it."""
        return Counter(unit.key for units in self.units.values() for unit in units)

    def words(self, section: str | None) -> Counter[str]:
        """The words of its sections of one name."""
        return Counter(word for unit in self._by_section[section] for word in _words_of(unit))

    @cached_property
    def _by_section(self) -> Mapping[str | None, Sequence[_Unit]]:
        return _by_section(unit for units in self.units.values() for unit in units)

    def holds(self, text: str) -> bool:
        """Whether a piece of the other document stands here, whole, in any reading; only long pieces are asked for."""
        bare = REFERENCE_MARK.sub("", text)
        if len(comparable(bare)) < LEAST_SOLID or self.sought >= MOST_SOUGHT:
            return False
        self.sought += 1
        return next(anchor(bare, self.document), None) is not None

    def passage(self, unit: _Unit) -> Passage:
        """A sentence with its page and section."""
        page = unit.sentence.page
        label = page_label(self.document, page.sheet)
        return Passage(source=self.name, page=label, sheet=page.sheet, section=unit.section, text=unit.text)


def _by_section(units: Iterable[_Unit]) -> Mapping[str | None, Sequence[_Unit]]:
    """Sentences by the name of their section."""
    named: dict[str | None, list[_Unit]] = {}
    for unit in units:
        named.setdefault(unit.section, []).append(unit)
    return named


def _units(section: Section) -> tuple[_Unit, ...]:
    name = str(section.heading) if section.heading else None
    both = zip(section.sentences, section.keys, strict=True)
    return tuple(_Unit(sentence=sentence, key=key, section=name) for sentence, key in both if key)


Gap = tuple[tuple[_Unit, ...], tuple[_Unit, ...]]
Twins = list[tuple[_Unit, _Unit]]


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """Two documents, section by section."""

    old: _Text
    new: _Text
    pairs: tuple[Pair, ...]

    def sentences(self) -> Difference:
        """The sentences that changed, came and went."""
        twins, gaps = self._split()
        gaps = list(self._without_elsewhere(gaps, twins))
        found: list[Changed] = []
        rest: list[Gap] = []
        reordered: list[Reordered] = []
        for gap in gaps:
            if one := self._in_another_order(*gap):
                reordered.append(one)
                continue
            alike, left = _alike(gap, LEAST_ALIKE)
            found.extend(self._changes(alike))
            rest.append(left)
        whole = tuple(u for old, _ in rest for u in old), tuple(u for _, new in rest for u in new)
        alike, whole = _alike(whole, LEAST_ALIKE_FAR)
        found.extend(self._changes(alike))
        further, (removed, added) = self._reordered(whole)
        return Difference(
            old=self.old.side,
            new=self.new.side,
            sections=(),
            changed=tuple(sorted(found, key=lambda change: (change.weight, change.new.sheet))),
            added=tuple(map(self.new.passage, added)),
            removed=tuple(map(self.old.passage, removed)),
            reordered=(*reordered, *further),
            same=len(twins),
            marks=sum(_marks(old) != _marks(new) for old, new in twins),
            cited=tuple(self.new.passage(new) for old, new in twins if _references(old) != _references(new)),
            typography=sum(_as_set(old) != _as_set(new) for old, new in twins),
            pages=self._pages(twins),
        )

    def _split(self) -> tuple[Twins, list[Gap]]:
        """The sentences that are equal, in order, and what stands between them."""
        twins: Twins = []
        gaps: list[Gap] = []
        for pair in self.pairs:
            old = self.old.units[id(pair.old)] if pair.old else ()
            new = self.new.units[id(pair.new)] if pair.new else ()
            matcher = SequenceMatcher(None, [unit.key for unit in old], [unit.key for unit in new], autojunk=False)
            for kind, a, b, c, d in matcher.get_opcodes():
                if kind == "equal":
                    twins.extend(zip(old[a:b], new[c:d], strict=True))
                else:
                    gaps.append((old[a:b], new[c:d]))
        return twins, gaps

    def _without_elsewhere(self, gaps: Sequence[Gap], twins: Twins) -> Iterator[Gap]:
        """The gaps without what stands in the other document after all: at another place, or cut otherwise."""
        waiting: dict[str, deque[_Unit]] = {}
        for _, new in gaps:
            for unit in new:
                waiting.setdefault(unit.key, deque()).append(unit)
        moved: set[int] = set()
        for old, _ in gaps:
            for unit in old:
                if waiting.get(unit.key):
                    twin = waiting[unit.key].popleft()
                    twins.append((unit, twin))
                    moved |= {id(unit), id(twin)}
        for gap in gaps:
            old, new = (tuple(unit for unit in side if id(unit) not in moved) for side in gap)
            if "".join(unit.key for unit in old) != "".join(unit.key for unit in new):
                yield (
                    tuple(unit for unit in old if unit.key in self.new.keys or not self.new.holds(unit.text)),
                    tuple(unit for unit in new if unit.key in self.old.keys or not self.old.holds(unit.text)),
                )

    def _changes(self, alike: Twins) -> Iterator[Changed]:
        for old, new in alike:
            words = tuple(self._words(old.text, new.text))
            if words:
                yield Changed(old=self.old.passage(old), new=self.new.passage(new), words=words)

    def _words(self, old: str, new: str) -> Iterator[tuple[str, str]]:
        """The words that differ, without reference marks and without what only interrupts one of the two."""
        for before, after in changed(REFERENCE_MARK.sub("", old), REFERENCE_MARK.sub("", new)):
            is_same = comparable(before) == comparable(after)
            is_inserted = not before and self.old.holds(after)
            is_taken_out = not after and self.new.holds(before)
            if not (is_same or is_inserted or is_taken_out):
                yield before, after

    def _reordered(self, whole: Gap) -> tuple[list[Reordered], Gap]:
        """What one section has in both documents in another order, and the sentences that are left."""
        found: list[Reordered] = []
        left: tuple[list[_Unit], list[_Unit]] = ([], [])
        ours, theirs = map(_by_section, whole)
        for section in dict.fromkeys((*ours, *theirs)):
            old, new = ours.get(section, ()), theirs.get(section, ())
            one = self._in_another_order(old, new)
            if one:
                found.append(one)
            else:
                left[0].extend(old)
                left[1].extend(new)
        return found, (tuple(left[0]), tuple(left[1]))

    def _in_another_order(self, old: Sequence[_Unit], new: Sequence[_Unit]) -> Reordered | None:
        before, after = ([word for unit in side for word in _words_of(unit)] for side in (old, new))
        ours, theirs = Counter(before), Counter(after)
        count = (ours & theirs).total()
        is_enough = count >= LEAST_SHARE * min(len(before), len(after))
        if not (is_enough and LEAST_WORDS <= count <= MOST_WORDS):
            return None
        blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
        if sum(block.size for block in blocks) > MOST_IN_ORDER * count:
            return None
        all_ours, all_theirs = self.old.words(old[0].section), self.new.words(new[0].section)
        return Reordered(
            old=self.old.passage(old[0]),
            new=self.new.passage(new[0]),
            words=count,
            only_old=tuple((ours & (all_ours - all_theirs)).elements()),
            only_new=tuple((theirs & (all_theirs - all_ours)).elements()),
        )

    def _pages(self, twins: Iterable[tuple[_Unit, _Unit]]) -> tuple[tuple[str, str, int], ...]:
        """From which page to which other one sentences went, and how many."""
        moves = Counter((old.sentence.page.sheet, new.sentence.page.sheet) for old, new in twins)
        labels = (self.old.document, self.new.document)
        shown = (((page_label(labels[0], a), page_label(labels[1], b)), n) for (a, b), n in sorted(moves.items()))
        return tuple((before, after, count) for (before, after), count in shown if before != after)

    # --- data files -----------------------------------------------------------------------------------------------

    def values(self) -> Difference:
        """The values of a data file that changed, came and went, each under its path."""
        old, new = self.old.document.values, self.new.document.values
        both = [path for path in old if path in new]
        found = (
            Changed(old=_value(self.old.name, old, p), new=_value(self.new.name, new, p), words=((old[p], new[p]),))
            for p in both
            if comparable(old[p]) != comparable(new[p])
        )
        return Difference(
            old=self.old.side,
            new=self.new.side,
            sections=(),
            changed=tuple(found),
            added=tuple(_value(self.new.name, new, path) for path in new if path not in old),
            removed=tuple(_value(self.old.name, old, path) for path in old if path not in new),
            same=sum(comparable(old[path]) == comparable(new[path]) for path in both),
        )


def _value(name: str, values: Mapping[str, str], path: str) -> Passage:
    return Passage(source=name, page=None, sheet=1, section=path, text=values[path])


# --- sentences that are alike ---------------------------------------------------------------------------------------


def _alike(gap: Gap, least: float) -> tuple[Twins, Gap]:
    """The sentences of a gap that are alike, those that are most alike first, and those that are left."""
    scored = sorted(_scores(gap, least), key=lambda score: -score[0])
    taken: set[int] = set()
    twins: Twins = []
    for _, old, new in scored:
        if id(old) not in taken and id(new) not in taken:
            taken |= {id(old), id(new)}
            twins.append((old, new))
    rest = (tuple(unit for unit in side if id(unit) not in taken) for side in gap)
    return twins, (next(rest), next(rest))


def _scores(gap: Gap, least: float) -> Iterator[tuple[float, _Unit, _Unit]]:
    from rapidfuzz import fuzz

    old, new = gap
    reach = max(1, MOST_PAIRS // max(1, len(old)))
    for position, unit in enumerate(old):
        middle = position * len(new) // len(old)
        for other in new[max(0, middle - reach // 2) : middle + reach // 2 + 1]:
            score = fuzz.ratio(unit.key, other.key, score_cutoff=least)
            if score:
                yield score, unit, other


def _words_of(unit: _Unit) -> list[str]:
    return REFERENCE_MARK.sub("", unit.text).split()


def _marks(unit: _Unit) -> list[str]:
    return ["".join(mark.split()) for mark in REFERENCE_MARK.findall(unit.text)]


def _references(unit: _Unit) -> int:
    """How many references a sentence names."""
    return sum(len(re.findall(r"\d+", mark)) for mark in _marks(unit))


def _as_set(unit: _Unit) -> str:
    """The signs of a sentence as they are set, without what line breaks and reference marks change."""
    return re.sub(r"[\s\-‐‑\u00ad]", "", REFERENCE_MARK.sub("", unit.text))
