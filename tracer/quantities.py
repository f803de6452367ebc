"""A value and a text to the place where the text states it, in any notation; pure, exact, never rounding.

`2.8T` is stated by `2.8 trillion` and `2,800B`, `9` by `nine`, `8192` by `8K`, but no number by a part of a name.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from tracer.numerals import COMPARED, LONGEST, Number, may_have_words, numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Where a text states a value: the span from its first to its last part."""

    start: int
    end: int
    text: str


def states(value: str, text: str, unit: str | None = None) -> Mention | None:
    """Where the text states the value, in any notation; equality is exact, never rounding.

    A range or a list needs all of its numbers in the text, a value in words its words in order, a date that date.
    """
    if typed := _as_typed(value, text, unit):
        return typed
    if _ISO_DATE.fullmatch(value.strip()):
        return _covering(text, [span for span, date in _dates(text) if date.startswith(value.strip())][:1])
    claimed = _claimed(value, unit)
    if not claimed:
        return _phrase(value, text)
    found = _every_reading(text)
    is_counted = unit is not None
    spans = [_first(claim, found, is_counted) for claim in claimed]
    spans += [_word(word, text) for word in _words(_without(value, claimed)) if word[0] not in _CONNECTORS]
    known = [span for span in spans if span is not None]
    return _covering(text, known) if len(known) == len(spans) else None


def numbers_missing(text: str, quotes: Sequence[str]) -> tuple[Number, ...]:
    """The numbers of a claim's prose that no quote states, in any notation.

    `one`, `half`, numbers of names (`top-8`, `Llama 3`) and labels (`stage 2`) do not count; a date counts as a whole.
    In prose `over 1 %` need not compare.
    """
    if _is_all_typed(text, quotes):
        return ()
    dates = [span for span, date in _dates(text) if any(states(date, quote) for quote in quotes)]
    found = [reading for quote in quotes for reading in _every_reading(quote)]
    claims = (replace(claim, comparison=None) for claim in _every_reading(text))
    stated = [(claim.start, claim.end) for claim in claims if _first(claim, found, False)]
    covered = dates + stated
    return tuple(
        number
        for number in numbers(text)
        if _counts_in_prose(number, text)
        and not any(start <= number.start and number.end <= end for start, end in covered)
    )


def _as_typed(value: str, text: str, unit: str | None) -> Mention | None:
    """A plain count of usual things that stands in the text as it was typed."""
    if not _COUNT.fullmatch(value) or (unit is not None and not _THINGS.fullmatch(unit)) or _LABELS.search(text):
        return None
    start = text.find(f"{value} ")
    end = start + len(value)
    is_word = start == 0 or (start > 1 and text[start - 1] == " " and text[start - 2].isalpha())
    is_counting = is_word and _THINGS.match(text, end + 1) is not None
    return Mention(start=start, end=end, text=value) if is_counting else None


def _is_all_typed(text: str, quotes: Sequence[str]) -> bool:
    """Whether the text has no number in words and each of its words with a digit stands in a quote as it is.

    Quotes that may hold numbers which count for nothing, of tables or sections, are left to the long way.
    """
    if may_have_words(text):
        return False
    typed = {word for word in text.split() if _HAS_DIGIT.search(word)} if _HAS_DIGIT.search(text) else set()
    if not typed:
        return True
    if any(_LABELS.search(quote) for quote in quotes):
        return False
    return typed <= {word for quote in quotes for word in quote.split()}


# --- readings that only another text can decide ---------------------------------------------------------------------

_LABELS = re.compile(r"[\[§]|://|\b(?:tab|fig|eq|sec|app|chap|alg|page|p\.|pp\.|line|sheet|foot|arxiv)", re.IGNORECASE)
_COUNT = re.compile(r"\d+(?:\.\d+)?")
_THINGS = re.compile(r"(?:tokens|parameters|experts|layers|steps|stages|levels|heads|epochs)")
_HAS_DIGIT = re.compile(r"[\d¼-¾⅐-⅞]")
_FLAT_POWER = re.compile(r"(?<![\w.])([0-9]+(?:\.[0-9]+)?)\s?[×·⋅]\s?10([1-9][0-9]?)(?!\w|\.[0-9])")
_SPACED = re.compile(r"(?<![\w.,])[0-9]{1,3}(?: [0-9]{3})+(?![\w])")
_RANGE = re.compile(r"\s?(?:[-–—−]|to|and|or)\s?")
_SIMPLE_BELOW = 12


@lru_cache(maxsize=4096)
def _every_reading(text: str) -> tuple[Number, ...]:
    """The numbers, and the other readings that a lost raised digit, a space or a range leaves open."""
    found = numbers(text)
    return (*found, *_flattened(text), *_spaced(text), *_scaled_by_range(text, found), *_of_fractions(text, found))


def _flattened(text: str) -> Iterator[Number]:
    """Text layers of PDFs write 7×10⁶ as `7×106`."""
    for found in _FLAT_POWER.finditer(text):
        scale = Fraction(10) ** int(found[2])
        yield Number(start=found.start(), end=found.end(), text=found[0], mantissa=Fraction(found[1]), scale=scale)


def _spaced(text: str) -> Iterator[Number]:
    """`4 096` may be one number, or two cells of a table."""
    for found in _SPACED.finditer(text):
        digits = found[0].replace(" ", "")
        if len(digits) <= LONGEST:
            yield Number(start=found.start(), end=found.end(), text=found[0], mantissa=Fraction(digits))


def _scaled_by_range(text: str, found: Sequence[Number]) -> Iterator[Number]:
    """In `8-64K` the 8 may be 8K."""
    for first, last in pairwise(found):
        is_open = first.scale == 1 and not first.suffix and (last.scale != 1 or last.measure)
        if is_open and _RANGE.fullmatch(text, first.end, last.start):
            yield replace(first, scale=last.scale, binary=last.binary, measure=last.measure)


def _of_fractions(text: str, found: Sequence[Number]) -> Iterator[Number]:
    """`16/896` is a share and also its two numbers; `1/3` is no 3."""
    for number in found:
        above, slash, below = text[number.start : number.end].partition("/")
        if slash and below.isdigit() and int(below) > _SIMPLE_BELOW:
            yield replace(number, text=above, mantissa=Fraction(above), step=Fraction(1))
            yield replace(number, text=below, mantissa=Fraction(below), step=Fraction(1))


# --- comparing ------------------------------------------------------------------------------------------------------

_JOINING = "to and or then from between of in per the a an x"
_CONNECTORS = frozenset(f"{_JOINING} {' '.join(COMPARED)}".split())


def _claimed(value: str, unit: str | None) -> tuple[Number, ...]:
    """The numbers of a value; a unit such as `percent` or `trillion parameters` belongs to the last of them."""
    claimed = numbers(value)
    if not claimed or unit is None:
        return claimed
    return numbers(f"{value} {unit}")[: len(claimed)]


def _first(claim: Number, found: Sequence[Number], is_counted: bool) -> tuple[int, int] | None:
    return next(((number.start, number.end) for number in found if _agree(claim, number, is_counted)), None)


def _agree(claim: Number, found: Number, is_counted: bool) -> bool:
    """Whether two numbers are equal in some reading; one without a measure may be of any, unless it counts things."""
    if claim.comparison in (">", "<", "≥", "≤") and claim.comparison != found.comparison:
        return False
    if claim.measure == found.measure:
        return _are_equal(claim, found)
    if claim.measure and found.measure:
        return False
    if not _plain(claim).isdisjoint(_plain(found)):
        return True
    bare, measured = (found, claim) if claim.measure else (claim, found)
    return not (is_counted and bare is claim) and measured.mantissa in bare.values


def _are_equal(claim: Number, found: Number) -> bool:
    if claim.binary is None and found.binary is None:
        return claim.value() == found.value()
    return not claim.values.isdisjoint(found.values)


def _plain(number: Number) -> frozenset[Fraction]:
    if number.measure == "percent":
        return frozenset(value / 100 for value in number.values)
    return frozenset() if number.measure else number.values


def _without(value: str, claimed: Sequence[Number]) -> str:
    for number in reversed(claimed):
        value = f"{value[: number.start]} {value[number.end :]}"
    return value


def _covering(text: str, spans: Sequence[tuple[int, int]]) -> Mention | None:
    if not spans:
        return None
    start, end = min(start for start, _ in spans), max(end for _, end in spans)
    return Mention(start=start, end=end, text=text[start:end])


# --- words and dates ------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")
_HYPHENED = re.compile(r"[^\W_]+(?:(?:[-‐‑\u00ad]\s*|[.'’])[^\W_]+)*")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH = re.compile(_MONTHS, re.IGNORECASE)
_ISO_DATE = re.compile(r"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])(?:-[0-3][0-9])?")
_DATE = re.compile(
    rf"\b(?P<iso>{_ISO_DATE.pattern})\b"
    r"|(?:\b(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?\s)?"
    rf"\b(?P<month>{_MONTHS})[a-z]*\.?\s(?:(?P<day_after>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s)?"
    r"(?P<year>(?:19|20)[0-9]{2})\b",
    re.IGNORECASE,
)


def _words(text: str, pattern: re.Pattern[str] = _WORD) -> list[tuple[str, int, int]]:
    """The words of a text, folded, with their spans."""
    return [(re.sub(r"[-‐‑\u00ad\s]", "", _fold(found[0])), *found.span()) for found in pattern.finditer(text)]


def _fold(word: str) -> str:
    return unicodedata.normalize("NFC", word).replace("’", "'").casefold()


def _phrase(wanted: str, text: str) -> Mention | None:
    """Where the words stand in the text, one after the other; a hyphen parts two words or joins them."""
    for pattern in (_WORD, _HYPHENED):
        phrase = [word for word, _, _ in _words(wanted, pattern)]
        words = _words(text, pattern)
        for i in range(len(words) - len(phrase) + 1):
            if phrase and [word for word, _, _ in words[i : i + len(phrase)]] == phrase:
                return _covering(text, [(start, end) for _, start, end in words[i : i + len(phrase)]])
    return None


def _word(wanted: tuple[str, int, int], text: str) -> tuple[int, int] | None:
    """Where the text has the word, in the singular or the plural."""
    singular = wanted[0].removesuffix("s")
    return next(((start, end) for word, start, end in _words(text) if word.removesuffix("s") == singular), None)


def _dates(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The dates of a text with their spans, as `2026-07-16` or `2026-07`."""
    for found in _DATE.finditer(text):
        if found["iso"]:
            yield found.span(), found["iso"]
            continue
        month = _MONTHS.split("|").index(found["month"].lower()) + 1
        day = found["day"] or found["day_after"]
        yield found.span(), f"{found['year']}-{month:02}" + (f"-{int(day):02}" if day else "")


# --- what counts in prose -------------------------------------------------------------------------------------------

_LABEL_BEFORE = re.compile(
    r"\b(?:stage|phase|step|level|version|revision|round|part|group|epoch|layer|week|day|option|note)\s$", re.IGNORECASE
)
_NAME_BEFORE = re.compile(r"(?:^|(?P<sentence>[.:;!?]\s+)|[\s(])(?P<name>[A-Z][\w-]*)\s$")
_BEGINS_SENTENCE = re.compile(
    r"\w+(?:s|ed|ing)|The|A|An|In|On|At|Of|For|From|With|To|By|All|Only|About|Over|Under|Between|Each|Every|Both|And|Or|But"
    r"|Up|It|Its|Has|Have|Around|Roughly|Nearly|Some|Another|Then|Than|Per|No|Not|More|Fewer"
)


def _counts_in_prose(number: Number, text: str) -> bool:
    if number.is_attached or (number.is_word and number.mantissa in (1, Fraction(1, 2))):
        return False
    if number.suffix or number.is_word:
        return True
    before = text[max(0, number.start - 40) : number.start]
    return not _LABEL_BEFORE.search(before) and not _ends_in_name(before)


def _ends_in_name(before: str) -> bool:
    """Whether a name stands before, as in `Llama 3`; a month is none, and a word that opens a sentence may be any."""
    found = _NAME_BEFORE.search(before)
    return bool(found and not _BEGINS_SENTENCE.fullmatch(found["name"]) and not _MONTH.match(found["name"]))
