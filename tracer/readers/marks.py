"""A page's text with its raised digits to its readings: as it is, without note marks, with powers, body text alone."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence

from tracer.model import Folded, Reading
from tracer.text import LINE_HYPHENS, SUPERSCRIPTS, fold

AS_IT_IS = "as it is"
WITHOUT_MARKS = "without note marks"
WITH_POWERS = "with raised digits as powers"
BODY = "body text"
COLUMNS = "in column order"
ROWS = "table by row"
NUMBERS_FIRST = "numbers before Latin words"
NUMBERS_LAST = "numbers after Latin words"
WITHOUT_REFERENCES = "without reference marks"
"""The names of the readings, as a trace gives them."""

REFERENCE_MARK = re.compile(r"(?<![∈=(<>≤≥\[])(?:\s+|(?<!\d))\[(?:[1-9]\d{0,3})(?:\s*[,;–-]\s*[1-9]\d{0,3})*\]")
"""Bracketed reference numbers; intervals and indices are none."""

_LINE_END_HYPHEN = re.compile(rf"[{LINE_HYPHENS}]|[-‐‑]\s*[\r\n]")
_DASH_BETWEEN = re.compile(r"[^\W\d_]-[^\W\d_]")
_AFTER_WORD = re.compile(r"[^\W\d_]{2}|[.,;:!?)\]”’\"']$")
_LONGEST_NUMBER = 30
_SUPERSCRIPT_NOTES = re.compile(r"(?<=[^\W\d_]{2})[⁰¹²³⁴-⁹]+")
_SYMBOL_MARKS = re.compile(r"(?<=[^\W_])[†‡∗¶]+(?=\W|$)|(?<=[.,;:)])[†‡∗¶]+(?=\W|$)")


def readings(
    text: str,
    raised: Collection[int],
    apart: Sequence[tuple[int, int]],
    *,
    notes: Collection[str] = (),
    is_by_column: bool = False,
) -> Iterator[Reading]:
    """The readings of a page in the order of its text; those that would say nothing new are left out.

    `raised` are the offsets of raised digits, `apart` the runs that are no body text, `notes` the numbers of the foot
    notes that stand on the page. Where the text is not in the
    order of the file but `is_by_column`, the names say so.
    """
    for reading in _in_order_of_text(text, raised, apart, notes):
        yield reading_by_column(reading) if is_by_column else reading


def reading_by_column(reading: Reading) -> Reading:
    """A reading of a text that was put in column order, which its name says."""
    return Reading(name=f"{reading.name}, {COLUMNS}", folded=reading.folded)


def _in_order_of_text(
    text: str, raised: Collection[int], apart: Sequence[tuple[int, int]], notes: Collection[str]
) -> Iterator[Reading]:
    powers, marks, exponents = _kinds(text, raised, notes)
    marks |= {offset for match in _SYMBOL_MARKS.finditer(text) for offset in range(*match.span())}
    as_it_is = fold(text, powers)
    yield Reading(name=AS_IT_IS, folded=as_it_is)
    without = without_runs(as_it_is, list(_runs(sorted(marks))), text) if marks else as_it_is
    if marks:
        yield Reading(name=WITHOUT_MARKS, folded=without)
    if exponents:
        yield Reading(name=WITH_POWERS, folded=fold(text, powers | exponents))
    if apart:
        yield Reading(name=BODY, folded=without_runs(without, apart, text))
    yield from _without_references(text, without)


def with_bodies(plain: Sequence[Reading], closer: Sequence[Reading], text: str) -> Iterator[Reading]:
    """The readings of a page, plain and closer, and each closer one with its body text alone."""
    yield from plain
    yield from closer
    body = next((reading.folded for reading in plain if BODY in reading.name), None)
    if body is None:
        return
    apart = set(plain[0].folded.offsets) - set(body.offsets)
    for reading in closer:
        folded = _but_for(reading.folded, apart, text)
        if folded.text not in {"", reading.folded.text}:
            yield Reading(name=f"{BODY}, {reading.name}", folded=folded)


def _but_for(folded: Folded, apart: Collection[int], text: str) -> Folded:
    pieces: list[tuple[int, int]] = []
    for position, offset in enumerate(folded.offsets):
        if offset in apart:
            continue
        if pieces and pieces[-1][1] == position:
            pieces[-1] = (pieces[-1][0], position + 1)
        else:
            pieces.append((position, position + 1))
    return rearranged(folded, pieces, text)


def flowing_readings(text: str) -> Iterator[Reading]:
    """The readings of a text that has no glyphs; its raised digits are superscript signs already."""
    as_it_is = fold(text)
    yield Reading(name=AS_IT_IS, folded=as_it_is)
    notes = [match.span() for match in _SUPERSCRIPT_NOTES.finditer(text)]
    without = without_runs(as_it_is, notes) if notes else as_it_is
    if notes:
        yield Reading(name=WITHOUT_MARKS, folded=without)
    yield from _without_references(text, without)


def _without_references(text: str, folded: Folded) -> Iterator[Reading]:
    references = [match.span() for match in REFERENCE_MARK.finditer(text)]
    if references:
        yield Reading(name=WITHOUT_REFERENCES, folded=without_runs(folded, references, text))


def _kinds(
    text: str, raised: Collection[int], notes: Collection[str]
) -> tuple[dict[int, str], set[int], dict[int, str]]:
    """Raised digits as powers of a number, as note marks to leave out, and as powers of a letter.

    A raised digit after a number is its power, and never read as one of its digits; it can be a note mark only where
    no power would stand: after a number of three figures or more that no sign multiplies, and other than 2 or 3; or
    where a foot note of that number stands on the page and has no other mark there.
    """
    used: set[str] = set()
    doubtful: list[tuple[int, int]] = []
    powers: dict[int, str] = {}
    marks: set[int] = set()
    exponents: dict[int, str] = {}
    for start, end in _runs(sorted(raised)):
        signs = {offset: text[offset].translate(SUPERSCRIPTS) for offset in range(start, end)}
        is_power = text[start - 1].isdigit()
        (powers if is_power else exponents).update(signs)
        is_mark = _is_note_after_number(text, start, end) if is_power else _AFTER_WORD.search(text, start - 2, start)
        if is_mark:
            marks.update(range(start, end))
            used.add(text[start:end])
        elif is_power and _may_be_note(text, start):
            doubtful.append((start, end))
    for start, end in doubtful:
        if text[start:end] in notes and text[start:end] not in used:
            marks.update(range(start, end))
    return powers, marks, exponents


def _is_note_after_number(text: str, start: int, end: int) -> bool:
    number = _number_before(text, start)
    return len(number) >= 3 and text[start:end] not in {"2", "3"}


def _may_be_note(text: str, start: int) -> bool:
    """Whether a raised digit after a number may be no power of it: powers are of ten, or of one figure."""
    number = _number_before(text, start)
    return len(number) >= 2 and number != "10"


def _number_before(text: str, end: int) -> str:
    """The number that ends at an offset; `""` where a sign multiplies it, or raises it already."""
    match = re.search(r"(?:([×·*^])\s*)?([\d.,]*\d)$", text[max(0, end - _LONGEST_NUMBER) : end])
    return match.group(2) if match and not match.group(1) else ""


def _runs(offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Offsets that follow on one another, as half-open runs."""
    start = previous = None
    for offset in offsets:
        if previous is not None and offset != previous + 1:
            yield start or 0, previous + 1
            start = offset
        start = offset if start is None else start
        previous = offset
    if previous is not None:
        yield start or 0, previous + 1


def without_runs(folded: Folded, runs: Sequence[tuple[int, int]], text: str = "") -> Folded:
    """Comparable text without some runs of the original; figures that meet keep a space between them.

    With the original `text`, a word that a hyphen cuts at what is left out is whole again.
    """
    kept: list[tuple[int, int]] = []
    position = 0
    for start, end in runs:
        first, last = bisect_left(folded.offsets, start), bisect_left(folded.offsets, end)
        if folded.text[max(first - 1, position) : first] == " ":
            first -= 1  # it parted a figure from what is left out
        kept.append((position, first))
        if folded.text[last : last + 1] == " " and not folded.text[max(first - 1, 0) : first].isdigit():
            last += 1
        position = last
    kept.append((position, len(folded.text)))
    return rearranged(folded, [piece for piece in kept if piece[0] < piece[1]], text)


def rearranged(folded: Folded, pieces: Sequence[tuple[int, int]], text: str = "") -> Folded:
    """Comparable text made of pieces of another one, in the order given.

    Figures that meet keep a space, a dash between letters that meet is dropped and remembered, as `fold` does.
    """
    texts: list[str] = []
    offsets = array("I")
    dashes: list[tuple[int, bool]] = []
    tail = ""
    for start, end in pieces:
        if tail[-1:].isdigit() and folded.text[start].isdigit():
            texts.append(" ")
            offsets.append(folded.offsets[start])
        elif text and _DASH_BETWEEN.match(tail + folded.text[start]):
            texts[-1] = texts[-1][:-1]
            dashes.append((len(offsets) - 1, not _LINE_END_HYPHEN.match(text, offsets.pop())))
        elif text and _DASH_BETWEEN.match(tail[-1:] + folded.text[start : min(start + 2, end)]):
            dashes.append((len(offsets), not _LINE_END_HYPHEN.match(text, folded.offsets[start])))
            start += 1
        moved = _moved(folded.dashes, start, end, len(offsets))
        dashes.extend(dash for dash in moved if not dashes or dash > dashes[-1])
        texts.append(folded.text[start:end])
        offsets.extend(folded.offsets[start:end])
        tail = (tail + texts[-1])[-2:]
    return Folded(text="".join(texts), offsets=offsets, dashes=tuple(dashes))


def _moved(dashes: Sequence[tuple[int, bool]], start: int, end: int, new_start: int) -> Iterator[tuple[int, bool]]:
    """The dashes of a piece in its new place, those at its ends too: a minus there is not lost with what follows it."""
    first = bisect_left(dashes, (start, False))
    last = bisect_right(dashes, (end, True))
    return ((position - start + new_start, strong) for position, strong in dashes[first:last])
