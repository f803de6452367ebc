"""Designs to materials: PDFs that the benchmark makes, with what it set in them, confirmed by poppler."""

# ruff: noqa: SIM905 -- lists of words are read more easily as running text

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from bench.verdicts import truth
from bench.verdicts.composing import Composed, Composer, Sentence, Spot
from bench.verdicts.model import Design, Material, Passage, Section
from bench.verdicts.typesetters import typeset, widths

LONGEST, SHORTEST = 22, 5
NEGATIONS = frozenset("no not non nor never none neither without cannot nothing".split())
COMPARISONS = frozenset("least most than above below over under up to rather instead".split()) | set("<>≤≥")
QUALIFIERS = frozenset("but unless except only up provided".split())

DESIGNS = (
    Design(name="plain", typesetter="reportlab", font="standard", accents="none", notes=0.15),
    Design(name="words", typesetter="reportlab", emission="words", notes=0.15, floats=1),
    Design(name="plain-fpdf", typesetter="fpdf2", font="liberation", notes=0.15, floats=1),
    Design(name="words-fpdf", typesetter="fpdf2", emission="words", font="serif", headings="numbers", floats=1),
    Design(name="two-columns", typesetter="reportlab", columns=2, font="liberation", notes=0.2, floats=1, size=9),
    Design(name="two-columns-words", typesetter="fpdf2", columns=2, emission="words", notes=0.2, floats=1, size=8.5),
    Design(name="two-columns-by-row", typesetter="reportlab", columns=2, order="rows", font="liberation", size=9),
    Design(name="two-by-row-words", typesetter="fpdf2", columns=2, order="rows", emission="words", size=8.5),
    Design(name="three-columns", typesetter="reportlab", columns=3, font="liberation", size=8, headings="numbers"),
    Design(name="three-columns-fpdf", typesetter="fpdf2", columns=3, font="liberation", size=8, notes=0.1),
    Design(name="roman-front", typesetter="reportlab", labels="roman", notes=0.15, font="liberation"),
    Design(name="roman-front-fpdf", typesetter="fpdf2", labels="roman", font="liberation", headings="numbers"),
    Design(name="printed-numbers", typesetter="reportlab", labels="printed", folio="head", headings="numbers"),
    Design(name="printed-numbers-fpdf", typesetter="fpdf2", labels="printed", font="liberation", headings="type"),
    Design(name="typed-headings", typesetter="reportlab", font="standard", accents="none", headings="type"),
    Design(name="no-headings", typesetter="fpdf2", font="serif", headings="none", notes=0.2),
    Design(name="decomposed", typesetter="reportlab", font="serif", accents="decomposed"),
    Design(name="decomposed-fpdf", typesetter="fpdf2", font="sans", accents="decomposed", emission="words"),
    Design(name="soft-hyphens", typesetter="reportlab", font="serif", hyphen="\u00ad"),
    Design(name="true-hyphens", typesetter="fpdf2", font="serif", hyphen="\u2010", columns=2, size=9),
    Design(
        name="beside-words",
        typesetter="reportlab",
        font="serif",
        traits={"index": 0.03, "power": 0.02, "subscript": 0.02, "fraction": 0.02, "thin space": 0.02},
    ),
    Design(
        name="beside-words-fpdf",
        typesetter="fpdf2",
        font="serif",
        emission="words",
        traits={"index": 0.03, "power": 0.02, "subscript": 0.02, "fraction": 0.02, "thin space": 0.02},
    ),
    Design(
        name="forms",
        typesetter="reportlab",
        font="serif",
        traits={"small capitals": 0.04, "ligature": 0.5, "italic": 0.03},
    ),
    Design(
        name="forms-fpdf",
        typesetter="fpdf2",
        font="serif",
        traits={"small capitals": 0.04, "ligature": 0.5, "italic": 0.03},
        columns=2,
        size=9,
    ),
    Design(name="rotated", typesetter="reportlab", font="liberation", rotation=90, notes=0.1),
    Design(name="rotated-left", typesetter="reportlab", font="liberation", rotation=270, columns=2, size=9),
    Design(name="upside-down", typesetter="reportlab", font="liberation", rotation=180, emission="words"),
    Design(name="cropped", typesetter="reportlab", font="serif", is_cropped=True, notes=0.1, floats=1),
    Design(name="doubled", typesetter="reportlab", font="liberation", is_doubled=True, headings="numbers"),
)


def make(design: Design, folder: Path, seed: int) -> Material:
    """A PDF of a design, and the passages of it that poppler sees as well."""
    composed = Composer(design, f"{seed} {design.name}", widths(design)).composed()
    path = folder / f"{design.name}.pdf"
    typeset(composed, path)
    texts = truth.pages(path)
    raw = truth.pages(path, "-raw")
    layout = truth.pages(path, "-layout")
    seen = [tuple(truth.loose(text) for text in page) for page in zip(texts, raw, layout, strict=True)]
    passages = _passages(composed, Random(f"{seed} {design.name} passages"))
    return Material(
        name=design.name,
        path=path,
        labels=composed.labels,
        sections=tuple(sections([(heading.number, heading.title, heading.level) for heading in composed.headings])),
        passages=tuple(passage for passage in passages if _is_confirmed(passage, seen)),
        pages=truth.readings(texts, raw),
    )


def sections(headings: Sequence[tuple[str | None, str, int]]) -> Iterator[Section]:
    """Headings (number, title, level) as sections, each with those around it."""
    above: list[tuple[int, str]] = []
    for number, title, level in headings:
        above = [item for item in above if item[0] < level]
        yield Section(name=number or title, title=title, within=tuple(name for _, name in above))
        above.append((level, number or title))


def _is_confirmed(passage: Passage, seen: Sequence[tuple[str, ...]]) -> bool:
    """Whether poppler sees a passage; what runs over an end must stand whole nowhere else."""
    if passage.kind in RARE and any(truth.stands(passage.words, page) for sheet in seen for page in sheet[1:2]):
        return passage.kind == "over a column end"
    first, last = seen[passage.sheet - 1], seen[passage.sheets[-1] - 1]
    if any(truth.stands(passage.words, page) for page in first):
        return True
    return any(truth.stands_in_pieces(passage.words, one, other) for one, other in zip(first, last, strict=True))


# --- passages -----------------------------------------------------------------------------------------------------


def _passages(document: Composed, random: Random) -> Iterator[Passage]:
    for sentence in document.sentences:
        if sentence.kind != "text":
            yield _passage(sentence, 0, len(sentence.words), sentence.kind)
            continue
        kinds = [_join(document, sentence, index) for index in range(len(sentence.words))]
        for kind in sorted({kind for pair in kinds for kind in pair}):
            windows = {_window(sentence, kinds, kind, at, random) for at in _places(kinds, kind, random)}
            yield from (_passage(sentence, *window, kind) for window in sorted(filter(None, windows)))


def _places(kinds: Sequence[set[str]], kind: str, random: Random) -> list[int]:
    """Where to take a passage of a kind: once, and several times where a kind is rare."""
    places = [index for index, found in enumerate(kinds) if kind in found]
    return random.choices(places, k=5 if kind in RARE else 1)


RARE = frozenset({"foot note between", "over a page end", "caption between", "over a column end"})
RANKS = (
    "foot note between",
    "over a page end",
    "caption between",
    "over a column end",
    "note mark after a number",
    "note mark inside",
    "index beside a word",
    "power",
    "subscript",
    "fraction",
    "thin space in a number",
    "small capitals",
    "ligature",
    "over a line-end hyphen",
    "over a line end",
    "verbatim",
)
TRAITS = {
    "note mark": "note mark inside",
    "index": "index beside a word",
    "thin space": "thin space in a number",
}
"""The kinds of passages, what interrupts them most first."""


def _join(document: Composed, sentence: Sentence, index: int) -> set[str]:
    """What stands at a word, or between it and the next one."""
    word, spot = sentence.words[index], sentence.spots[index]
    found = {TRAITS.get(word.trait, word.trait)} if word.trait else set()
    if spot.cut:
        found |= {"over a line-end hyphen", _break(document, (spot.sheet, spot.column, spot.line), spot.cut)}
    if index + 1 < len(sentence.words):
        after = sentence.spots[index + 1]
        end = spot.cut or (spot.sheet, spot.column, spot.line)
        found.add(_break(document, end, (after.sheet, after.column, after.line)))
    return found


def _break(document: Composed, here: tuple[int, int, int], there: tuple[int, int, int]) -> str:
    if here == there:
        return "verbatim"
    if here[:2] == there[:2]:
        is_parted = (here[1], there[2]) in document.sheets[here[0] - 1].floats
        return "caption between" if is_parted else "over a line end"
    if here[1] in document.sheets[here[0] - 1].notes:
        return "foot note between"
    if (there[1], there[2]) in document.sheets[there[0] - 1].floats or (there[1], 0) in document.sheets[
        there[0] - 1
    ].floats:
        return "caption between"
    return "over a page end" if here[0] != there[0] else "over a column end"


def _window(
    sentence: Sentence, kinds: Sequence[set[str]], kind: str, at: int, random: Random
) -> tuple[int, int] | None:
    """Words around a place that hold its kind and nothing that ranks higher, cut where a careful person cuts."""
    higher = set(RANKS[: RANKS.index(kind)])
    start = end = at
    if kinds[at] & higher:
        return None
    length = random.randint(SHORTEST, LONGEST)
    count = len(sentence.words)
    while end - start + 1 < length:
        grows_left = start > 0 and not kinds[start - 1] & higher
        grows_right = end + 1 < count and not (kinds[end] | _own(kinds[end + 1], sentence, end + 1)) & higher
        if not grows_left and not grows_right:
            break
        if grows_left and (not grows_right or random.random() < 0.5):
            start -= 1
        else:
            end += 1
    while start < at and is_cut_before(sentence.words[start - 1].quoted if start else ""):
        start += 1
    stop = end + 1
    while stop > at + 1 and is_cut_after(sentence.words[stop].quoted if stop < count else ""):
        stop -= 1
    if is_cut_before(sentence.words[start - 1].quoted if start else "") or stop - start < 3:
        return None
    is_at_join = kind.startswith(("over", "foot", "caption"))
    if is_at_join and stop <= at + 1 and not sentence.spots[at].cut:
        return None
    return start, stop


def _own(kinds: set[str], sentence: Sentence, index: int) -> set[str]:
    """The kinds of a word itself, without those of the join after it."""
    return kinds if sentence.spots[index].cut else kinds & set(RANKS[4:13])


def is_cut_before(word: str) -> bool:
    """Whether a quote that begins after this word may say something else than the sentence."""
    return word.strip(".,;:“”—").casefold() in NEGATIONS | COMPARISONS


def is_cut_after(word: str) -> bool:
    """Whether a quote that ends before this word may say something else than the sentence."""
    return word.strip(".,;:“”—").casefold() in QUALIFIERS | NEGATIONS


def _passage(sentence: Sentence, start: int, stop: int, kind: str) -> Passage:
    spots = sentence.spots[start:stop]
    return Passage(
        words=tuple(word.quoted for word in sentence.words[start:stop]),
        sheet=spots[0].sheet,
        last_sheet=_last(spots),
        section=sentence.section,
        kind=kind,
    )


def _last(spots: Sequence[Spot]) -> int:
    return spots[-1].cut[0] if spots[-1].cut else spots[-1].sheet
