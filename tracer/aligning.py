"""Two documents to their sections side by side: which one became which, whatever its number and its title are now.

Sections are matched by their titles in order, then by titles that are told apart, then by the sentences that they
hold; what is left stands alone, as added or removed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tracer.model import Document, Heading, Span
from tracer.readers.marks import REFERENCE_MARK
from tracer.sections import lineages, section_at
from tracer.sentences import Sentence, sentences
from tracer.text import comparable

LEAST_SHARED = 0.4
"""What part of the smaller section's sentences two sections of other titles have in common."""

LEAST_ALIKE = 60
"""How alike (of 100, RapidFuzz's ratio) two titles between the same neighbours are."""

FURNITURE = 3
"""On how many pages a line stands again, its page number aside, before it is no sentence of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading (None before the first) with the sentences up to the next one; `path` is its title after those above.

    `keys` are the sentences in comparable form without reference marks.
    """

    heading: Heading | None
    path: tuple[str, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A section in both documents, or in one of them alone."""

    old: Section | None = None
    new: Section | None = None

    @property
    def headings(self) -> tuple[Heading | None, Heading | None]:
        """Its old and its new heading."""
        return self.old.heading if self.old else None, self.new.heading if self.new else None

    @property
    def change(self) -> str | None:
        """`added`, `removed`, `renamed`, `renumbered`, or None where its heading is the same."""
        if self.old is None or self.new is None:
            return "added" if self.old is None else "removed"
        old, new = self.headings
        if old is None or new is None:
            return None
        if comparable(old.title) != comparable(new.title):
            return "renamed"
        return None if old.number == new.number else "renumbered"


def sections(document: Document) -> tuple[Section, ...]:
    """What stands before the first heading, then each section, without headings, running heads and page numbers."""
    held: dict[Heading | None, list[Sentence]] = defaultdict(list)
    for sentence in _of_the_text(document):
        span = Span(sheet=sentence.page.sheet, start=sentence.start, end=sentence.start + 1)
        held[section_at(document.headings, _within(sentence, span))].append(sentence)
    above = lineages(document.headings)
    first = _section(None, (), held[None])
    return (first, *(_section(heading, next(above), held[heading]) for heading in document.headings))


def _section(heading: Heading | None, around: Sequence[Heading], held: Sequence[Sentence]) -> Section:
    titles = () if heading is None else (comparable(heading.title), comparable(f"{heading.number}{heading.title}"))
    own = next((sentence for sentence in held if key(sentence.text) in titles), None)
    kept = tuple(sentence for sentence in held if sentence is not own)
    return Section(
        heading=heading,
        path=tuple(comparable(above.title) for above in around),
        sentences=kept,
        keys=tuple(key(sentence.text) for sentence in kept),
    )


def _within(sentence: Sentence, span: Span) -> Span:
    """The place of a sentence's first visible character."""
    text = sentence.page.text
    blank = len(text) - len(text[span.start :].lstrip()) - span.start
    return Span(sheet=span.sheet, start=span.start + blank, end=span.end + blank)


def key(text: str) -> str:
    """What two sentences are compared by: the comparable form without bracketed reference numbers."""
    return comparable(REFERENCE_MARK.sub("", text))


def _of_the_text(document: Document) -> Iterator[Sentence]:
    found = list(sentences(document))
    pages: dict[str, set[int]] = defaultdict(set)
    for sentence in found:
        pages[_without_page_number(sentence)].add(sentence.page.sheet)
    for sentence in found:
        bare = _without_page_number(sentence)
        if bare and len(pages[bare]) < FURNITURE:
            yield sentence


def _without_page_number(sentence: Sentence) -> str:
    """A sentence without the number of its page at either end, as running heads and feet have it."""
    numbers = {re.escape(number) for number in (sentence.page.label, str(sentence.page.sheet)) if number}
    number = "|".join(sorted(numbers))
    return comparable(re.sub(rf"^(?:{number})(?=\s|$)|(?:^|(?<=\s))(?:{number})$", "", sentence.text.strip()))


# --- matching -------------------------------------------------------------------------------------------------------


def aligned(old: Sequence[Section], new: Sequence[Section]) -> tuple[Pair, ...]:
    """Every section of both documents once, in the order of the new one; removed ones follow what stood before them."""
    partner = {0: 0}
    _in_order(old, new, partner)
    _by_unique(old, new, partner, lambda section: section.path)
    _by_unique(old, new, partner, lambda section: section.path[:1])
    _by_content(old, new, partner)
    _by_neighbours(old, new, partner)
    return tuple(_ordered(old, new, partner))


def _in_order(old: Sequence[Section], new: Sequence[Section], partner: dict[int, int]) -> None:
    """Sections of the same titles from the top, in the same order."""
    matcher = SequenceMatcher(None, [s.path for s in old[1:]], [s.path for s in new[1:]], autojunk=False)
    for block in matcher.get_matching_blocks():
        partner.update((block.a + step + 1, block.b + step + 1) for step in range(block.size))


def _left(old: Sequence[Section], new: Sequence[Section], partner: Mapping[int, int]) -> tuple[list[int], list[int]]:
    taken = set(partner.values())
    return [i for i in range(len(old)) if i not in partner], [j for j in range(len(new)) if j not in taken]


def _by_unique(
    old: Sequence[Section],
    new: Sequence[Section],
    partner: dict[int, int],
    name: Callable[[Section], tuple[str, ...]],
) -> None:
    """Sections whose name occurs once among those that are left on each side."""
    ours, theirs = _left(old, new, partner)
    counts = Counter(name(old[i]) for i in ours), Counter(name(new[j]) for j in theirs)
    places = {name(new[j]): j for j in theirs}
    partner.update(
        (i, places[name(old[i])]) for i in ours if counts[0][name(old[i])] == 1 and counts[1][name(old[i])] == 1
    )


def _by_content(old: Sequence[Section], new: Sequence[Section], partner: dict[int, int]) -> None:
    """Sections that share sentences, those that share the most first."""
    left = _left(old, new, partner)
    ours, theirs = ({i: dict.fromkeys(side[i].keys) for i in its} for side, its in zip((old, new), left, strict=True))
    holders: dict[str, list[int]] = defaultdict(list)
    for j, keys in theirs.items():
        for sentence in keys:
            holders[sentence].append(j)
    shared = Counter((i, j) for i, keys in ours.items() for sentence in keys for j in holders.get(sentence, ()))
    taken: set[int] = set()
    for (i, j), count in shared.most_common():
        least = min(len(ours[i]), len(theirs[j]))
        if count >= LEAST_SHARED * least and i not in partner and j not in taken:
            partner[i] = j
            taken.add(j)


def _by_neighbours(old: Sequence[Section], new: Sequence[Section], partner: dict[int, int]) -> None:
    """Sections of alike titles that follow the partners of each other's neighbours."""
    from rapidfuzz import fuzz

    taken = set(partner.values())
    for i in range(1, len(old)):
        j = partner.get(i - 1, -2) + 1
        if i in partner or j in taken or not 0 < j < len(new):
            continue
        if fuzz.ratio(old[i].path[0], new[j].path[0]) >= LEAST_ALIKE:
            partner[i] = j
            taken.add(j)


def _ordered(old: Sequence[Section], new: Sequence[Section], partner: Mapping[int, int]) -> Iterator[Pair]:
    origin = {j: i for i, j in partner.items()}
    removed = [i for i in range(len(old)) if i not in partner]
    for j, section in enumerate(new):
        i = origin.get(j)
        yield Pair(old=None if i is None else old[i], new=section)
        while i is not None and removed and i + 1 == removed[0]:
            i = removed.pop(0)
            yield Pair(old=old[i])
    yield from (Pair(old=old[i]) for i in removed)
