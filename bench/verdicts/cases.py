"""Materials to cases: true quotes as people write them, and false ones whose falsity poppler confirms."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random

from bench.verdicts import truth
from bench.verdicts.faults import FAULTS
from bench.verdicts.making import NEGATIONS
from bench.verdicts.model import Case, Material, Passage, Section
from bench.verdicts.setting import typed

_STRAIGHT = str.maketrans({**dict.fromkeys("‘’", "'"), **dict.fromkeys("“”", '"'), "\u2009": " "})
_NUMBER_LAST = re.compile(r"([A-Za-z][\w.-]*) (\d[\d.,]*)")
PLACE_FAULTS = ("page one off", "section of a neighbour", "quote of another PDF")


def true_cases(materials: Sequence[Material], count: int, seed: int, only: str | None) -> list[Case]:
    """About `count` quotes that stand where they say, the kinds in equal shares as far as they go."""
    random = Random(f"{seed} true")
    by_kind: dict[str, list[Case]] = defaultdict(list)
    for material in materials:
        for passage in material.passages:
            for kind, quote in _spellings(passage, random):
                by_kind[kind].append(_case(material, passage, kind, quote, random))
    return _shares(by_kind, count, random, only)


def false_cases(materials: Sequence[Material], count: int, seed: int, only: str | None) -> list[Case]:
    """About `count` quotes that do not stand where they say."""
    random = Random(f"{seed} false")
    makers = _Makers(materials, random)
    wanted = [kind for kind in (*FAULTS, *PLACE_FAULTS) if only in (None, kind)]
    by_kind = {kind: list(islice(makers.of(kind), 3 * count // len(wanted))) for kind in wanted}
    return _shares(by_kind, count, random, only)


def _shares(by_kind: Mapping[str, list[Case]], count: int, random: Random, only: str | None) -> list[Case]:
    kinds = {kind: cases for kind, cases in by_kind.items() if only in (None, kind) and cases}
    chosen: list[Case] = []
    for left, (_, cases) in zip(range(len(kinds), 0, -1), sorted(kinds.items(), key=_by_size), strict=True):
        share = (count - len(chosen)) // left
        chosen.extend(random.sample(cases, min(share, len(cases))))
    return chosen


def _by_size(item: tuple[str, list[Case]]) -> tuple[int, str]:
    return len(item[1]), item[0]


def _case(material: Material, passage: Passage, kind: str, quote: str, random: Random, *, is_true: bool = True) -> Case:
    return Case(
        material=material.name,
        kind=kind,
        is_true=is_true,
        quote=quote,
        page=material.label(random.choice(passage.sheets) if is_true else passage.sheet),
        section=_cited(material, passage, random),
        origin=passage.text,
        sheet=passage.sheet,
    )


def _cited(material: Material, passage: Passage, random: Random) -> str | None:
    """The section of a passage, or one around it, by its number or its title."""
    found = _section(material, passage.section)
    if found is None or random.random() < 0.1:
        return None
    if found.within and random.random() < 0.2:
        return found.within[0]
    titles = [section.title for section in material.sections]
    return found.title if random.random() < 0.2 and titles.count(found.title) == 1 else found.name


def _section(material: Material, name: str | None) -> Section | None:
    return next((section for section in material.sections if section.name == name), None)


# --- true quotes --------------------------------------------------------------------------------------------------


def _spellings(passage: Passage, random: Random) -> Iterator[tuple[str, str]]:
    """A passage as it stands, or as somebody types it."""
    text = passage.text
    yield passage.kind, text
    if passage.language != "en":
        if random.random() < 0.3:
            yield f"typed by hand, {passage.language}", typed(text, passage.language, random)
        return
    if random.random() < 0.15 and passage.kind != "verbatim":
        yield passage.kind, _typed(text, random)
    if random.random() < 0.1 or re.search(r"[“”’—–éöüőŁ]", text):
        yield "typed by hand", _typed(text, random)
    if len(passage.words) >= 12 and random.random() < 0.2:
        yield "parts joined by …", _joined(passage.words, random)


def _typed(text: str, random: Random) -> str:
    """Straight quotes, a hyphen for each dash, another case, accents composed or not."""
    typed = text.translate(_STRAIGHT)
    typed = re.sub(r"\s—\s", random.choice((" - ", " -- ", " – ")), typed).replace("–", "-").replace("−", "-")
    typed = unicodedata.normalize(random.choice(("NFC", "NFD")), typed)
    return random.choice((typed, typed, typed[:1].lower() + typed[1:], typed.upper()))


def _joined(words: Sequence[str], random: Random) -> str:
    """Two parts of a sentence with `…` for what stands between, which holds nothing that turns them round."""
    at = random.randint(4, len(words) - 7)
    gap = random.randint(1, len(words) - at - 5)
    between = {word.strip(".,;:").casefold() for word in words[at : at + gap]}
    if between & NEGATIONS or any(word.startswith(("non-", "un")) for word in between):
        gap = 0
    mark = random.choice(("…", " … ", " ... ", " [...] ", " […] "))
    return " ".join(words[:at]) + mark + " ".join(words[at + gap :])


# --- false quotes -------------------------------------------------------------------------------------------------


class _Makers:
    """Makes false cases of one kind after another, each from a passage chosen at random."""

    def __init__(self, materials: Sequence[Material], random: Random) -> None:
        self.materials, self.random = materials, random
        self.sources = [(material, passage) for material in materials for passage in material.passages]
        self.said: dict[str, Sequence[str]] = {}
        self.whole = {material.name: "|".join(material.pages) for material in materials}

    def of(self, kind: str) -> Iterator[Case]:
        """The cases of a kind, as long as there are passages."""
        by_place = {
            "page one off": self._page_off,
            "section of a neighbour": self._other_section,
            "quote of another PDF": self._other_pdf,
        }
        for material, passage in self._by_turns():
            made = by_place[kind](material, passage) if kind in by_place else self._changed(kind, material, passage)
            if made:
                yield made

    def _by_turns(self) -> Iterator[tuple[Material, Passage]]:
        """The passages in a new order, one of each kind in turn, for the rare ones are the hard ones."""
        by_kind: dict[str, list[tuple[Material, Passage]]] = defaultdict(list)
        for material, passage in self.random.sample(self.sources, len(self.sources)):
            by_kind[passage.kind].append((material, passage))
        for turn in range(max(map(len, by_kind.values()))):
            yield from (sources[turn] for sources in by_kind.values() if turn < len(sources))

    def _changed(self, kind: str, material: Material, passage: Passage) -> Case | None:
        words = passage.words
        if kind == "pieces without …":
            words = self._with_more(material, passage)
        for changed in FAULTS[kind](words, self.random):
            quote = passage.joint.join(changed)
            if self._is_false(kind, quote, material, passage):
                return _case(material, passage, kind, quote, self.random, is_true=False)
        return None

    def _with_more(self, material: Material, passage: Passage) -> tuple[str, ...]:
        """The words of a passage, half of the time followed by those of another one of its page."""
        others = [
            other
            for other in material.passages
            if other.sheet == passage.sheet and other is not passage and len(other.words) > 1
        ]
        if others and self.random.random() < 0.5:
            return (*passage.words[:8], *self.random.choice(others).words[-8:])
        return passage.words

    def _is_false(self, kind: str, quote: str, material: Material, passage: Passage) -> bool:
        around = material.pages[max(0, passage.sheet - 2) : passage.sheets[-1] + 1]
        text = "|".join((*around, "".join(around)))
        if kind == "word or number cut":
            if passage.language == "ko" and not passage.kind.startswith("verbatim"):
                return False  # a line may end inside a word, without a hyphen
            return not _stands_whole(quote, passage.text)
        if kind == "words swapped" and passage.language != "en" and _is_seen_alike(quote, passage.text):
            return False
        if kind in ("begun after a negation", "ended before a negation"):
            return text.count(truth.strict(quote)) == text.count(truth.strict(passage.text))
        return truth.strict(quote) not in text and not self._is_in_a_passage(quote, material)

    def _is_in_a_passage(self, quote: str, material: Material) -> bool:
        """Whether a sentence has the quote in one piece, which a head or a foot at a page end parts in the PDF."""
        wanted = truth.strict(quote)
        return any(wanted in said for said in self._said(material))

    def _said(self, material: Material) -> Sequence[str]:
        if material.name not in self.said:
            self.said[material.name] = [truth.strict(passage.text) for passage in material.passages]
        return self.said[material.name]

    def _page_off(self, material: Material, passage: Passage) -> Case | None:
        for sheet in self.random.sample((passage.sheet - 1, passage.sheets[-1] + 1), 2):
            if 1 <= sheet <= len(material.pages) and not self._stands_at(passage, material, sheet):
                case = _case(material, passage, "page one off", passage.text, self.random, is_true=False)
                return _moved(case, page=material.label(sheet), section=case.section)
        return None

    def _stands_at(self, passage: Passage, material: Material, sheet: int) -> bool:
        return truth.strict(passage.text) in material.pages[sheet - 1]

    def _other_section(self, material: Material, passage: Passage) -> Case | None:
        names = [section.name for section in material.sections]
        if self._repeats(passage, material):
            return None
        if passage.section not in names or names.count(passage.section) > 1:
            return None
        at = names.index(passage.section)
        for other in self.random.sample((at - 1, at + 1), 2):
            if 0 <= other < len(names) and names[other] not in material.sections[at].within:
                case = _case(material, passage, "section of a neighbour", passage.text, self.random, is_true=False)
                return _moved(case, page=case.page, section=names[other])
        return None

    def _repeats(self, passage: Passage, material: Material) -> bool:
        """Whether a passage stands more than once in a PDF, or is too short to tell."""
        quote = truth.strict(passage.text)
        times = (sum(page.count(quote) for page in reading) for reading in _readings(material))
        return len(quote) < 24 or max(times) > 1

    def _other_pdf(self, material: Material, passage: Passage) -> Case | None:
        other = self.random.choice(self.materials)
        quote = truth.strict(passage.text)
        if other is material or quote in self.whole[other.name] or _is_revision(other, material):
            return None
        sheet = self.random.randint(1, len(other.pages))
        return Case(
            material=other.name,
            kind="quote of another PDF",
            is_true=False,
            quote=passage.text,
            page=other.label(sheet),
            section=None,
            origin=passage.text,
            sheet=sheet,
        )


def _readings(material: Material) -> Iterator[tuple[str, ...]]:
    """The pages of a PDF in each of poppler's orders."""
    yield from zip(*(page.split(truth.SEPARATOR) for page in material.pages), strict=True)


def _is_revision(one: Material, other: Material) -> bool:
    """Whether two PDFs may be revisions of one report, which share most of their sentences."""
    return one.name.split("-")[:2] == other.name.split("-")[:2]


def _is_seen_alike(one: str, other: str) -> bool:
    """Whether two texts differ in the order of a Latin word and a number alone, which a line from the right hides."""
    return _NUMBER_LAST.sub(r"\2 \1", one) == _NUMBER_LAST.sub(r"\2 \1", other)


def _stands_whole(quote: str, text: str) -> bool:
    """Whether a quote stands in a text without cutting a word."""
    return re.search(rf"(?<!\w){re.escape(quote)}(?!\w)", text) is not None


def _moved(case: Case, *, page: str, section: str | None) -> Case:
    from dataclasses import replace

    return replace(case, page=page, section=section)
