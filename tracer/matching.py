"""A quote and a reading of a page to the places where the one stands in the other, equal but for named foldings."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tracer.model import Folded, Page, Reading, Span, Tier
from tracer.negations import COMPARISONS, negations
from tracer.readers.marks import AS_IT_IS, BODY, COLUMNS, NUMBERS_FIRST, NUMBERS_LAST, ROWS, WITH_POWERS, WITHOUT_MARKS
from tracer.text import LINE_HYPHENS, LINE_JOINT, are_one_word, dashes_within

_SOFT = LINE_HYPHENS + "\u00ad"
_LEAST_LEFT_OUT = 12
"""Characters between two neighbours of a reading from which on they are two runs and no note mark stands between."""

_SPACE = re.compile(r"\s+")
_LINE_END_HYPHEN = re.compile(r"[-‐‑]\s*[\r\n]")

_NEARBY = 40
"""Comparable characters around a hit that are looked at for what it cuts off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A quote in one reading of one page: the run of its comparable text, and of the page's own."""

    page: Page
    reading: Reading
    start: int
    end: int

    @property
    def spans(self) -> tuple[Span, ...]:
        """The runs of the page's text, several where the reading leaves something out or goes another way."""
        return tuple(_spans(self.page, self.reading.folded, self.start, self.end))

    @property
    def raw(self) -> str:
        """The page's own text of the hit, from its first to its last character where it is one run."""
        return " ".join(self.page.text[span.start : span.end] for span in self.spans)

    @property
    def is_in_file_order(self) -> bool:
        """Whether the page's own text between the ends of the hit is what the hit reads."""
        return self.reading.name.removesuffix(f", {COLUMNS}") in {AS_IT_IS, WITHOUT_MARKS, WITH_POWERS}

    @property
    def words(self) -> str:
        """The hit in words, as the reading has them."""
        return words(self.page.text, self.reading.folded, self.start, self.end)

    @property
    def before(self) -> str:
        """The words before the hit, as the reading has them."""
        if self.is_in_file_order:
            start = self.reading.folded.offsets[self.start]
            return _plain_words(self.page.text[max(0, start - _NEARBY) : start])
        return words(self.page.text, self.reading.folded, self.start - _NEARBY, self.start)

    @property
    def after(self) -> str:
        """The words after the hit, as the reading has them."""
        if self.is_in_file_order:
            end = self.reading.folded.offsets[self.end - 1] + 1
            return _plain_words(self.page.text[end : end + _NEARBY])
        return words(self.page.text, self.reading.folded, self.end, self.end + _NEARBY)


def _plain_words(text: str) -> str:
    """A piece of a page's text with single spaces and without line-end hyphens, in lower case."""
    return _SPACE.sub(" ", LINE_JOINT.sub("", text)).replace("’", "'").casefold()


def words(text: str, folded: Folded, start: int, end: int) -> str:
    """A run of a reading in words again: its comparable characters, parted where the page parts them.

    A hyphen at a line end parts nothing; white space, and a jump to another place of the page, do.
    """
    start, end = max(start, 0), min(end, len(folded.text))
    pieces: list[str] = []
    previous: int | None = None
    for position in range(start, end):
        offset = folded.offsets[position]
        if previous is not None and offset != previous + 1:
            pieces.append(_gap(text, previous, offset))
        pieces.append(folded.text[position])
        previous = offset
    return "".join(pieces)


def _gap(text: str, previous: int, offset: int) -> str:
    if offset == previous:
        return ""
    if offset < previous:
        return " "
    between = text[previous + 1 : offset]
    if between[:1] in _SOFT or _LINE_END_HYPHEN.match(between):
        return ""
    return " " if any(character.isspace() for character in between) else between[:1] if between[0] in "-‐‑–" else ""


def hits(quote: str, wanted: Folded, page: Page, reading: Reading, is_written: Callable[[str], bool]) -> Iterator[Hit]:
    """Every place where a quote, folded as `wanted`, stands in a reading without cutting a word or a number.

    A quote may begin or end at a line-end hyphen if that is a real one: if the document elsewhere writes the word with
    its hyphen, as `is_written` tells. pdfium gives the same sign for both kinds.
    """
    text = reading.folded.text
    start = text.find(wanted.text) if wanted.text else -1
    while start >= 0:
        hit = Hit(page=page, reading=reading, start=start, end=start + len(wanted.text))
        if _is_uncut(hit, is_written) and is_same(quote, wanted, hit):
            yield hit
        start = text.find(wanted.text, start + 1)


def is_same(quote: str, wanted: Folded, hit: Hit) -> bool:
    """Whether nothing that carries meaning was lost between a quote and a hit whose comparable forms are equal.

    An operator between letters must have met a dash, and no white space that makes or unmakes a negation may differ:
    `x − y` is not `xy`, `not able` is not `notable`.
    """
    ours = dict(dashes_within(wanted, 0, len(wanted.text)))
    theirs = dict(dashes_within(hit.reading.folded, hit.start, hit.end))
    lost = [at for at, is_operator in ours.items() if is_operator and at not in theirs]
    lost += [at for at, is_operator in theirs.items() if is_operator and at not in ours]
    there = hit.raw if hit.is_in_file_order else hit.words
    return not lost and (quote == there or negations(quote) == negations(there))


def _is_uncut(hit: Hit, is_written: Callable[[str], bool]) -> bool:
    text, folded = hit.page.text, hit.reading.folded
    is_moved = NUMBERS_FIRST in hit.reading.name or NUMBERS_LAST in hit.reading.name
    if is_moved and any(_turns_back(folded, at) for at in (hit.start, hit.end)):
        return False
    if _is_cut_before(text, folded, hit.start):
        compound = _compound(text, folded.offsets[hit.start] - 1)
        if not compound or not is_written(compound):
            return False
    if _is_cut_after(text, folded, hit.end):
        compound = _compound(text, folded.offsets[hit.end - 1] + 1)
        return compound is not None and is_written(compound)
    return True


def _turns_back(folded: Folded, at: int) -> bool:
    """Whether a reading goes back in the text at a place: between a number and the words that changed places."""
    return 0 < at < len(folded.text) and folded.offsets[at] < folded.offsets[at - 1]


def _is_cut_before(text: str, folded: Folded, start: int) -> bool:
    first = folded.text[start]
    between = _between(text, folded, start - 1, start)
    if between is None:
        return False
    before, further = folded.text[start - 1], folded.text[max(start - 2, 0) : start - 1]
    if not between and first in ".,/" and before.isdigit() and folded.text[start + 1 : start + 2].isdigit():
        return True
    if not between and first.isdigit():
        is_signed = text[folded.offsets[start - 1]] in "-−+±" + COMPARISONS and not further.isalpha()
        if is_signed or (before in ".,/" and further.isdigit()):
            return True
    return are_one_word(before, first) and not _is_boundary(between)


def _is_cut_after(text: str, folded: Folded, end: int) -> bool:
    last = folded.text[end - 1]
    between = _between(text, folded, end - 1, end)
    if between is None:
        return False
    after, further = folded.text[end], folded.text[end + 1 : end + 2]
    if not between and last in ".,/" and after.isdigit() and folded.text[max(end - 2, 0) : end - 1].isdigit():
        return True
    if not between and last.isdigit() and (after in "×°" or (after in ".,/-" and further.isdigit())):
        return True
    return are_one_word(last, after) and not _is_boundary(between)


def _between(text: str, folded: Folded, left: int, right: int) -> str | None:
    """The page's own text between two neighbours of a reading, or None at its edge or where the reading jumps."""
    if left < 0 or right >= len(folded.text):
        return None
    start, end = folded.offsets[left] + 1, folded.offsets[right]
    return text[start:end] if start <= end else (None if end < start - 1 else "")


def _is_boundary(between: str) -> bool:
    """Whether what stands between two letters parts two words: white space, a dash, but no soft or line-end hyphen."""
    return any(character.isspace() or (not character.isalnum() and not _is_soft(character)) for character in between)


def _is_soft(character: str) -> bool:
    return character in _SOFT or unicodedata.category(character) in {"Cf", "Mn"}


def _compound(text: str, hyphen: int) -> str | None:
    """The word around a line-end hyphen, written with a hyphen; None where there is no such sign."""
    if text[hyphen : hyphen + 1] not in tuple(LINE_HYPHENS):
        return None
    left = re.search(r"[^\W\d_]+$", text[:hyphen])
    right = re.match(r"[^\W\d_]+", text[hyphen + 1 :].lstrip())
    return f"{left.group()}-{right.group()}".casefold() if left and right else None


def _spans(page: Page, folded: Folded, start: int, end: int) -> Iterator[Span]:
    first = previous = folded.offsets[start]
    last = folded.offsets[end - 1]
    if 0 <= last - first < (end - start) + _LEAST_LEFT_OUT:  # too close together for anything to be left out
        yield Span(sheet=page.sheet, start=first, end=last + 1)
        return
    for offset in folded.offsets[start + 1 : end]:
        if offset < previous or (offset - previous > 1 and _leaves_out(page.text[previous + 1 : offset])):
            yield Span(sheet=page.sheet, start=first, end=previous + 1)
            first = offset
        previous = offset
    yield Span(sheet=page.sheet, start=first, end=previous + 1)


def _leaves_out(between: str) -> bool:
    """Whether text between two neighbours of a reading is more than a note mark."""
    return len(between) > _LEAST_LEFT_OUT and any(character.isalnum() for character in between)


# --- naming the foldings ------------------------------------------------------------------------------------------

_QUOTES = str.maketrans("‘’‚‛′´`׳“”„‟″«»״‐‑‒–—―−־〜", "''''''''\"\"\"\"\"\"\"\"--------~")


def _without_space(text: str) -> str:
    return "".join(text.split())


def _without_line_hyphens(text: str) -> str:
    return re.sub(rf"(?<=[^\W\d_])(?:[{LINE_HYPHENS}]|-\s*[\r\n]+\s*)(?=[^\W\d_])", "", text)


def _without_hyphens(text: str) -> str:
    return re.sub(r"(?<=[^\W\d_])\s*[-‐‑‒–—―−]+\s*(?=[^\W\d_])", "", text)


def _without_invisible(text: str) -> str:
    return "".join(character for character in text if unicodedata.category(character) != "Cf")


_LAYOUT = ("white space", "line-end hyphen", "hyphen")
_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("invisible characters", _without_invisible),
    ("line-end hyphen", _without_line_hyphens),
    ("hyphen", _without_hyphens),
    ("quotes and dashes", lambda text: text.translate(_QUOTES)),
    ("kashida", lambda text: text.replace("\u0640", "")),
    ("letter forms", lambda text: unicodedata.normalize("NFKC", text)),
    ("accents", lambda text: unicodedata.normalize("NFC", text)),
    ("case", str.casefold),
    ("white space", _without_space),
)


def foldings(quote: str, found: str) -> tuple[str, ...]:
    """The names of the foldings without which a quote would not equal what was found, in the order of the steps."""
    if quote == found:
        return ()
    needed = [name for name, _ in _STEPS if _folded_but(name, quote) != _folded_but(name, found)]
    if _folded_but("", quote) != _folded_but("", found):
        return tuple(name for name, step in _STEPS if step(quote) != quote or step(found) != found)
    return tuple(needed) or ("white space",)


def _folded_but(left_out: str, text: str) -> str:
    for name, step in _STEPS:
        if name != left_out:
            text = step(text)
    return text


def tier_of(reading: str, names: tuple[str, ...]) -> Tier:
    """The tier of a hit, from the reading that holds it and the foldings that it took."""
    if BODY in reading:
        return Tier.JOIN
    is_of_layout = reading == WITHOUT_MARKS or any(name in reading for name in (COLUMNS, ROWS, "type"))
    if is_of_layout or any(name in _LAYOUT for name in names):
        return Tier.LAYOUT
    return Tier.TYPOGRAPHY if names else Tier.EXACT
