"""A quote that is not in a source to the passage that is nearest to it, and what differs; a proposal, never a pass."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from tracer.model import Document, Near, Page, Passage, Span
from tracer.negations import NEGATIONS
from tracer.sections import section_at
from tracer.text import LINE_HYPHENS, are_one_word, comparable, fold, original

LEAST_SCORE = 40
"""Below this nothing is worth showing (of 100, RapidFuzz's partial ratio)."""

_WORD = re.compile(r"\w+(?:[.,:'’-]\w+)*%?|[^\w\s]")
_COMPARISONS = frozenset("<>≤≥=≈±+-−") | {"less", "more", "fewer", "least", "most", "below", "above", "over", "under"}
_LEAST_PIECE = 12
"""Letters that a piece of a quote must have to be taken for one that was put together with another."""

_UNIT_WORDS = (
    "% percent kb mb gb tb kib mib gib tib bits bytes tokens token hours hour days day weeks months minutes seconds ms"
    " gpus gpu nodes steps step epochs layers experts heads parameters flops examples samples thousand million billion"
    " trillion times fold"
)
_UNITS = frozenset(_UNIT_WORDS.split())
_LINE_HYPHEN = re.compile(rf"[{LINE_HYPHENS}\u00ad]\s*")
_SPACE = re.compile(r"\s+")
_AROUND = 80
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾")


def nearest(quote: str, document: Document, source: str, preferred: Sequence[int]) -> Near | None:
    """The nearest passage, one on the preferred sheets if it is about as near as the best."""
    from rapidfuzz import fuzz

    wanted = comparable(quote)
    best: tuple[float, Page, int, int] | None = None
    for page in sorted(document.pages, key=lambda page: page.sheet not in preferred):
        if not page.readings:
            continue
        text = page.readings[0].folded.text
        cutoff = best[0] + 3 if best else LEAST_SCORE
        found = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=cutoff) if wanted and text else None
        if found and found.score >= cutoff and found.dest_end > found.dest_start:
            best = (found.score, page, found.dest_start, found.dest_end)
    return _near(quote, document, source, *best) if best else None


def _near(quote: str, document: Document, source: str, score: float, page: Page, first: int, last: int) -> Near:
    start, end = original(page.readings[0].folded, first, last)
    start, end = whole_words(page.text, start, end)
    changes = tuple(changed(quote, _with_powers(page, start, end)))
    return Near(passage=passage(document, source, page, start, end, around=0), score=score, changes=changes)


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """A run of text widened to the ends of its words and numbers, line-end hyphens included."""
    while start and _is_inside_word(text, start):
        start -= 1
    while end < len(text) and _is_inside_word(text, end):
        end += 1
    return start, end


def _is_inside_word(text: str, position: int) -> bool:
    before, after = text[position - 1], text[position]
    joined = LINE_HYPHENS + "\u00ad"
    if (before in joined or after in joined) or are_one_word(before, after):
        return True
    is_point = before.isdigit() and after in ".,/" and text[position + 1 : position + 2].isdigit()
    return is_point or (before in ".,/-−" and after.isdigit() and text[position - 2 : position - 1].isdigit())


def passage(document: Document, source: str, page: Page, start: int, end: int, *, around: int = _AROUND) -> Passage:
    """A piece of a page for a person: white space as single spaces, line-end hyphens joined, the marked part told."""
    heading = section_at(document.headings, Span(sheet=page.sheet, start=start, end=end))
    first = max(0, start - around)
    text = _with_powers(page, first, end + around)
    before = readable(text[: start - first])
    marked = readable(text[start - first : end - first]).strip()
    after = readable(text[end - first :])
    return Passage(
        source=source,
        page=page.label,
        sheet=page.sheet,
        section=str(heading) if heading else None,
        text=f"{before}{marked}{after}",
        marked=(len(before), len(before) + len(marked)),
    )


def _with_powers(page: Page, start: int, end: int) -> str:
    """A run of a page's text, figures that are raised above a number as superscript signs, as they are to be quoted."""
    text = page.text[start:end]
    if not page.readings:
        return text
    folded = page.readings[0].folded
    places = range(bisect_left(folded.offsets, start), bisect_left(folded.offsets, end))
    if _RAISED.isdisjoint(folded.text[places.start : places.stop]):
        return text
    characters = list(text)
    for place in places:
        if folded.text[place] in _RAISED:
            characters[folded.offsets[place] - start] = folded.text[place]
    return "".join(characters)


def readable(text: str) -> str:
    """Text of a page on one line: lines joined, line-end hyphens as soft ones that do not show."""
    return _SPACE.sub(" ", _LINE_HYPHEN.sub("", text))


def changed(quote: str, found: str) -> Iterator[tuple[str, str]]:
    """The (quoted, in the source) pairs of words that differ: numbers, negations, comparisons and units first."""
    ours, theirs = _WORD.findall(readable(quote)), _WORD.findall(readable(found))
    keys = [comparable(word) or word for word in ours], [comparable(word) or word for word in theirs]
    pairs = [
        (" ".join(ours[a:b]), " ".join(theirs[c:d]))
        for kind, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    yield from sorted(pairs, key=weight)


def weight(pair: tuple[str, str]) -> int:
    """How soon a pair of differing words is to be read: 0 for numbers, then negations, comparisons, units, the rest."""
    words = {word for side in pair for word in side.casefold().split()}
    if any(character.isnumeric() for word in words for character in word):
        return 0
    if words & NEGATIONS:
        return 1
    if words & _COMPARISONS:
        return 2
    return 3 if words & _UNITS else 4


def left_out(quote: str, document: Document, sheets: Sequence[int]) -> str | None:
    """What stands between two pieces of a quote that were put together without `…`; None for any other quote."""
    wanted = fold(quote)
    ends = [
        position
        for position in range(_LEAST_PIECE, len(wanted.text) - _LEAST_PIECE + 1)
        if wanted.offsets[position] - wanted.offsets[position - 1] > 1
    ]
    for page in document.pages:
        if ends and page.sheet in sheets and page.readings:
            gap = _gap(wanted.text, ends, page)
            if gap:
                return gap
    return None


def _gap(wanted: str, ends: Sequence[int], page: Page) -> str | None:
    """The text between the longest first piece of a quote, ending at one of its word ends, and the rest of it."""
    folded = page.readings[0].folded
    text = folded.text
    start = text.find(wanted[: ends[0]])
    while start >= 0:
        common = _common(text, start, wanted)
        for length in reversed([end for end in ends if end <= common]):
            second = text.find(wanted[length:], start + length)
            if second >= 0:
                between = page.text[folded.offsets[start + length - 1] + 1 : folded.offsets[second]]
                return readable(between).strip() or None
        start = text.find(wanted[: ends[0]], start + 1)
    return None


def _common(text: str, start: int, wanted: str) -> int:
    length = 0
    while length < len(wanted) and text[start + length : start + length + 1] == wanted[length]:
        length += 1
    return length
