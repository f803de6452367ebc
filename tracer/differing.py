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
from tracer.differences import Changed, Difference, Reordered, Side
from tracer.model import Document, Passage
from tracer.nearness import changed
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


def difference(old: Document, new: Document, *, names: tuple[str, str]) -> Difference:
    """How a document differs from an older one; the names are shown as theirs."""
    ours, theirs = sections(old), sections(new)
    pairs = aligned(ours, theirs)
    before, after = _Text(old, names[0], ours), _Text(new, names[1], theirs)
    is_data = old.kind == new.kind == "data"
    found = _values(before, after) if is_data else _Comparison(old=before, new=after, pairs=pairs).sentences()
    return replace(found, sections=tuple(pair for pair in pairs if pair.change))


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

    def value(self, path: str) -> Passage:
        """A value of a data file as a passage under its path."""
        return Passage(source=self.name, page=None, sheet=1, section=path, text=self.document.values[path])


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
Twin = tuple[_Unit, _Unit]


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """Two documents, section by section."""

    old: _Text
    new: _Text
    pairs: tuple[Pair, ...]

    def sentences(self) -> Difference:
        """The sentences that changed, came and went."""
        twins, gaps = self._split()
        moved = _moved(gaps)
        twins += moved
        alike, reordered, (removed, added) = self._apart(self._without_elsewhere(gaps, moved))
        return Difference(
            old=self.old.side,
            new=self.new.side,
            sections=(),
            changed=tuple(sorted(self._changes(alike), key=lambda change: (change.weight, change.new.sheet))),
            added=tuple(map(self.new.passage, added)),
            removed=tuple(map(self.old.passage, removed)),
            reordered=tuple(reordered),
            same=len(twins),
            marks=sum(_marks(old) != _marks(new) for old, new in twins),
            cited=tuple(self.new.passage(new) for old, new in twins if _references(old) != _references(new)),
            typography=sum(_as_set(old) != _as_set(new) for old, new in twins),
            pages=tuple(_page_moves(twins, self.old.document, self.new.document)),
        )

    def _split(self) -> tuple[list[Twin], list[Gap]]:
        """The sentences that are equal, in order, and what stands between them."""
        twins: list[Twin] = []
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

    def _without_elsewhere(self, gaps: Iterable[Gap], moved: Iterable[Twin]) -> Iterator[Gap]:
        """The gaps without what stands in the other document after all: at another place, or cut otherwise."""
        there = {id(unit) for twin in moved for unit in twin}
        for gap in gaps:
            old, new = (tuple(unit for unit in side if id(unit) not in there) for side in gap)
            if "".join(unit.key for unit in old) != "".join(unit.key for unit in new):
                yield (
                    tuple(unit for unit in old if unit.key in self.new.keys or not self.new.holds(unit.text)),
                    tuple(unit for unit in new if unit.key in self.old.keys or not self.old.holds(unit.text)),
                )

    def _apart(self, gaps: Iterable[Gap]) -> tuple[list[Twin], list[Reordered], Gap]:
        """The sentences of gaps that are alike, what stands in another order, and the sentences that are left."""
        alike: list[Twin] = []
        reordered: list[Reordered] = []
        rest: list[Gap] = []
        for gap in gaps:
            if one := self._in_another_order(*gap):
                reordered.append(one)
                continue
            near, left = _alike(gap, LEAST_ALIKE)
            alike += near
            rest.append(left)
        far, left = _alike(_joined(rest), LEAST_ALIKE_FAR)
        further, left = self._reordered(left)
        return [*alike, *far], [*reordered, *further], left

    def _changes(self, alike: Iterable[Twin]) -> Iterator[Changed]:
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
        rest: list[Gap] = []
        ours, theirs = map(_by_section, whole)
        for section in dict.fromkeys((*ours, *theirs)):
            gap = tuple(ours.get(section, ())), tuple(theirs.get(section, ()))
            one = self._in_another_order(*gap)
            if one:
                found.append(one)
            else:
                rest.append(gap)
        return found, _joined(rest)

    def _in_another_order(self, old: Sequence[_Unit], new: Sequence[_Unit]) -> Reordered | None:
        before, after = ([word for unit in side for word in _words_of(unit)] for side in (old, new))
        count = _shared_in_another_order(before, after)
        if not count:
            return None
        ours, theirs = Counter(before), Counter(after)
        all_ours, all_theirs = self.old.words(old[0].section), self.new.words(new[0].section)
        return Reordered(
            old=self.old.passage(old[0]),
            new=self.new.passage(new[0]),
            words=count,
            only_old=tuple((ours & (all_ours - all_theirs)).elements()),
            only_new=tuple((theirs & (all_theirs - all_ours)).elements()),
        )


def _moved(gaps: Iterable[Gap]) -> list[Twin]:
    """The sentences that gaps have in both documents, at different places."""
    waiting: dict[str, deque[_Unit]] = {}
    for _, new in gaps:
        for unit in new:
            waiting.setdefault(unit.key, deque()).append(unit)
    return [(unit, waiting[unit.key].popleft()) for old, _ in gaps for unit in old if waiting.get(unit.key)]


def _joined(gaps: Sequence[Gap]) -> Gap:
    return tuple(unit for old, _ in gaps for unit in old), tuple(unit for _, new in gaps for unit in new)


def _shared_in_another_order(before: Sequence[str], after: Sequence[str]) -> int:
    """How many words two texts share, if these are most of one of them and stand in another order; else 0."""
    count = (Counter(before) & Counter(after)).total()
    is_enough = count >= LEAST_SHARE * min(len(before), len(after))
    if not (is_enough and LEAST_WORDS <= count <= MOST_WORDS):
        return 0
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return 0 if sum(block.size for block in blocks) > MOST_IN_ORDER * count else count


def _page_moves(twins: Iterable[Twin], old: Document, new: Document) -> Iterator[tuple[str, str, int]]:
    """From which page to which other one sentences went, and how many."""
    moves = Counter((ours.sentence.page.sheet, theirs.sentence.page.sheet) for ours, theirs in twins)
    for (ours, theirs), count in sorted(moves.items()):
        before, after = page_label(old, ours), page_label(new, theirs)
        if before != after:
            yield before, after, count


# --- sentences that are alike ---------------------------------------------------------------------------------------


def _alike(gap: Gap, least: float) -> tuple[list[Twin], Gap]:
    """The sentences of a gap that are alike, those that are most alike first, and those that are left."""
    scored = sorted(_scores(gap, least), key=lambda score: -score[0])
    taken: set[int] = set()
    twins: list[Twin] = []
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


# --- data files -----------------------------------------------------------------------------------------------------


def _values(ours: _Text, theirs: _Text) -> Difference:
    """The values of a data file that changed, came and went, each under its path."""
    old, new = ours.document.values, theirs.document.values
    both = [path for path in old if path in new]
    altered = [path for path in both if comparable(old[path]) != comparable(new[path])]
    return Difference(
        old=ours.side,
        new=theirs.side,
        sections=(),
        changed=tuple(
            Changed(old=ours.value(path), new=theirs.value(path), words=((old[path], new[path]),)) for path in altered
        ),
        added=tuple(theirs.value(path) for path in new if path not in old),
        removed=tuple(ours.value(path) for path in old if path not in new),
        same=len(both) - len(altered),
    )
