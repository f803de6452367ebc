"""A text to the numbers in it, as reports write them: `2.8T`, `nine`, `8K`, `7.0 × 10^-4`, `2¾`, `1,048,576`.

Values are exact. A number may have two readings: `8K` is 8,000 or 8,192. What belongs to a name (`MXFP4`, `K2.5`,
`GPT-4`), to a reference (`§4.1.3`, `[57]`, `Table 1`) or is an ordinal is no number here.
"""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

LONGEST = 400
"""Digits, and powers of ten, beyond which a run of digits is nothing that a report states."""

_ONE = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number in a text: `mantissa` times `scale`, or times `binary` where its suffix may count in 1024s.

    `step` is the unit in the mantissa's last written place, 0 where the notation is exact. `suffix` is what was written
    after the mantissa; `measure` (`percent`, `byte`, `FLOP`, `FLOP/s`) is what the suffix says is measured.
    """

    start: int
    end: int
    text: str
    mantissa: Fraction
    step: Fraction = _ONE
    scale: Fraction = _ONE
    binary: Fraction | None = None
    suffix: str = ""
    measure: str | None = None
    comparison: str | None = None
    is_word: bool = False
    is_attached: bool = False

    def factor(self, base: int = 1000) -> Fraction:
        """What the mantissa is multiplied by when K and M count in `base`s."""
        return self.binary if base == 1024 and self.binary is not None else self.scale

    def value(self, base: int = 1000) -> Fraction:
        """The number when K and M count in `base`s."""
        factor = self.factor(base)
        return self.mantissa if factor is _ONE else self.mantissa * factor

    @property
    def values(self) -> frozenset[Fraction]:
        """The number in every reading."""
        return frozenset((self.value(),) if self.binary is None else (self.value(1000), self.value(1024)))


@lru_cache(maxsize=4096)
def numbers(text: str) -> tuple[Number, ...]:
    """Every number of the text, in order."""
    lower = _lowered(text)  # four times faster than patterns that ignore case
    open_text = _opened(text, lower)
    digits = (_from_digits(open_text, found) for found in _DIGIT_NUMBER.finditer(open_text))
    words = (_from_words(open_text, found) for found in _WORD_NUMBER.finditer(lower))
    found = (number for numbers in (digits, words) for number in numbers if number is not None)
    return tuple(sorted(found, key=lambda number: number.start))


def may_have_words(text: str) -> bool:
    """Whether the text may hold a number in words."""
    return _WORD_NUMBER.search(_lowered(text)) is not None


def _opened(text: str, lower: str) -> str:
    """The text with what looks like a number and is none blanked out."""
    if not _DIGIT.search(text):
        return text
    parts, end = [], 0
    for hidden in _NO_NUMBERS.finditer(lower):
        parts += [text[end : hidden.start()], "\0" * len(hidden[0])]
        end = hidden.end()
    return "".join((*parts, text[end:]))


def _lowered(text: str) -> str:
    """The text in lower case, character by character where some letter would become two."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(character.lower() if len(character.lower()) == 1 else character for character in text)


def number(text: str) -> Number | None:
    """The one number that the text holds; None where it holds none or several."""
    found = numbers(text)
    return found[0] if len(found) == 1 else None


# --- the ways to write a number ------------------------------------------------------------------------------------

_DIGIT_WORDS = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SMALL = {word: i for i, word in enumerate(f"zero|{_DIGIT_WORDS}|{_TEENS}".split("|"))} | {"single": 1}
_SMALL |= {word: 10 * i for i, word in enumerate(_TENS.split("|"), 2)}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "quadrillion": 10**15}
_ORDINALS = "third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
_PARTS = {"half": 2, "quarter": 4} | {word: i for i, word in enumerate(_ORDINALS.split("|"), 3)}
_PREFIXES = {prefix: power for power, prefix in enumerate("KMGTPEZ", 1)}
_SUFFIXES = {"k": 1, "m": 2, "b": 3, "g": 3, "bn": 3, "t": 4}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−", "0123456789+--")

_LETTER = r"A-Za-z_À-ÖØ-öø-ɏͰ-ϿЀ-ӿ"
_EXPONENT = r"(?:(?:\^|\*\*)\{?[-−+]?[0-9]{1,3}\}?|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
_WORD_END = r"(?![^\W²-¹⁰-⁹])"
"""Where a word ends, be it before a footnote mark; two ranges compile six times faster than the ten raised digits."""
_DIGIT_NUMBER = re.compile(
    rf"""
    (?:(?<![{_LETTER}0-9@#^\\])|(?<=[1-9]x)) (?<![0-9]\.) (?<![0-9][eE][-−+])
    (?P<digits> (?:[0-9]{{1,3}}(?:[,\u2009\u202f\u00a0][0-9]{{3}})+(?![0-9])|[0-9]+)(?:\.[0-9]+)? | (?<![\w.])\.[0-9]+
      | (?=[¼-¾⅐-⅞]) ) (?!\.?[0-9])
    (?: (?P<vulgar>[¼-¾⅐-⅞])
      | /(?P<below>[0-9]{{1,6}})(?![\w/])(?!\.[0-9])
      | [eE](?P<e>[-−+]?[0-9]{{1,3}}){_WORD_END}(?!\.[0-9])
      | (?P<power>{_EXPONENT})
      | \s?[×x·⋅*]\s?10(?P<ten>{_EXPONENT}|[-−][0-9]{{1,2}}(?![0-9])) )?
    (?: \s?(?P<percent>%|(?:percent|per\scent|percentage\spoints?){_WORD_END})
      | (?:\s{{1,2}}|-)?(?P<large>hundred|{"|".join(_LARGE)})s?{_WORD_END}
      | \s?(?:(?P<prefix>[kKMGTPEZ])?(?P<i>i)?(?P<measure>FLOP(?:s/s|/s|[sS])?|bytes?){_WORD_END}
             |(?P<prefix_b>[kKMGTPEZ])(?P<i_b>i)?B{_WORD_END})
      | (?P<glued>bn|[KkMmGBbTt])(?![{_LETTER}0-9])
      | [ ](?P<apart>[KkMBT]){_WORD_END}(?!-|['’]\w) )?
    (?P<rest>x(?=[0-9])|[{_LETTER}][{_LETTER}0-9]*)?
    """,
    re.VERBOSE,
)
_LARGE_WORDS = "|".join(_LARGE)
_SMALL_WORDS = rf"(?:(?:{_TENS})(?:[\s-](?:{_DIGIT_WORDS})\b)?|{_TEENS}|{_DIGIT_WORDS}|zero|single)"
_HUNDREDS = rf"(?:(?:{_SMALL_WORDS}|an?)[\s-]hundred(?:\s(?:and\s)?{_SMALL_WORDS})?|{_SMALL_WORDS})"
_WORD_NUMBER = re.compile(
    rf"""
    (?<![\w-])
    (?: (?P<over>{_SMALL_WORDS})[\s-](?P<part>{"|".join(_PARTS)})s? | an?\s(?P<a_part>{"|".join(_PARTS)})(?=\sof)
      | (?P<count> (?:{_HUNDREDS}(?:\sand\sa\shalf)?|an?|half\san?)[\s-](?:{_LARGE_WORDS})
            (?:\s(?:and\s)?{_HUNDREDS}(?:\s(?:{_LARGE_WORDS}))?)*
          | {_HUNDREDS}(?:\sand\sa\shalf)? | half ) (?:fold)? )
    {_WORD_END} (?!-(?:first|second|{_ORDINALS})\b)
    (?P<percent>\s(?:percent|per\scent){_WORD_END}|\s?%)?
    """,
    re.VERBOSE,
)

_ITEM = r"\(?(?:[a-z]\.?)?[0-9]+(?:\.[0-9]+)*[a-z]?\)?"
_PLURAL = r"tables|figures|figs\.|equations|eqs\.|sections|secs\.|appendices|chapters|algorithms|pages|pp\.|lines"
_SINGULAR = (
    r"table|tab\.|figure|fig\.?|equation|eq\.|section|sect?\.|appendix|chapter|algorithm|page|p\.|line|sheet|footnote"
)
_NO_NUMBERS = re.compile(
    rf"""
      https?://\S+ | \barxiv:\s?[0-9.v]+
    | \b0x[0-9a-f]+\b
    | §+\s?[0-9]+(?:\.[0-9]+)*(?:[-–][0-9.]+)?
    | \[[1-9][0-9]{{0,2}}(?:\s?[,;–-]\s?[1-9][0-9]{{0,2}})*\]
    | \b(?:{_PLURAL})\s?{_ITEM}(?:\s?(?:[-–,&]|and|to)\s?{_ITEM}(?![\w%]))*
    | \b(?:{_SINGULAR})\s?{_ITEM}(?:[-–]{_ITEM})?(?![\w%])
    | \b(?:19|20)[0-9]{{2}}-(?:0[1-9]|1[0-2])(?:-[0-3][0-9])?\b
    | \b[0-9]{{1,2}}/[0-9]{{1,2}}/[0-9]{{2,4}}\b
    | \b(?<![0-9]\.)(?![0-9]{{1,4}}e[0-9]{{1,3}}\b)(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{{7,}}\b
    """,
    re.VERBOSE,
)
_GLUED_UNIT = re.compile(r"[xX]|[mun]?s|h|hrs?|min|d|px|fps|[kMG]?Hz|[kMG]?Wh?|[nmck]?m|[kMG]?bits?|[a-z]{3,}")
_DIGIT = re.compile(r"[0-9]")
_GROUPING = re.compile(r"[,\s]")
_ORDINAL = re.compile(r"st|nd|rd|th")
_NAME_BEFORE_HYPHEN = re.compile(rf"(?<![\w.])([{_LETTER}][{_LETTER}0-9.]*)[-‐‑–]$")


def _from_digits(text: str, found: re.Match[str]) -> Number | None:
    """The number of a match; None where letters around it make it a name or an ordinal."""
    rest = found["rest"] or ""
    if rest and (_ORDINAL.fullmatch(rest) or not _GLUED_UNIT.fullmatch(rest)):
        return None
    start, end = found.start(), found.end() - len(rest) + (rest in ("x", "X"))
    before = _NAME_BEFORE_HYPHEN.search(text, max(0, start - 40), start)
    if before and before[1] != before[1].lower():
        return None
    mantissa = _mantissa(found)
    power = _power_of_ten(found)
    if mantissa is None or power is None:
        return None
    scale, binary, measure = _suffix(found)
    sign = _sign(text, start)
    start -= sign < 0
    return Number(
        start=start,
        end=end,
        text=text[start:end],
        mantissa=mantissa if sign > 0 else -mantissa,
        step=_step(found),
        scale=scale if power is _ONE else scale * power,
        binary=binary and binary * power,
        suffix=text[_mantissa_end(found) : end],
        measure=measure,
        comparison=_comparison(text, start),
        is_attached=before is not None,
    )


def _mantissa(found: re.Match[str]) -> Fraction | None:
    digits = _GROUPING.sub("", found["digits"])
    if len(digits) > LONGEST:
        return None
    units, _, decimals = digits.partition(".")
    whole = Fraction(int(f"0{units}{decimals}"), 10 ** len(decimals))
    if found["vulgar"]:
        above, _, below = unicodedata.normalize("NFKC", found["vulgar"]).partition("⁄")
        return whole + Fraction(int(above), int(below))
    if found["below"]:
        return whole / int(found["below"]) if int(found["below"]) and whole.denominator == 1 else None
    if found["power"]:
        return _raised(whole, _exponent(found["power"]))
    return whole


def _raised(base: Fraction, exponent: int) -> Fraction | None:
    is_small = abs(exponent) * base.numerator.bit_length() <= 4 * LONGEST
    return base**exponent if is_small and (base or exponent > 0) else None


def _step(found: re.Match[str]) -> Fraction:
    if found["vulgar"] or found["below"] or found["power"]:
        return Fraction(0)
    places = len(found["digits"].partition(".")[2])
    return Fraction(1, 10**places) if places else _ONE


def _mantissa_end(found: re.Match[str]) -> int:
    return max(found.end(part) for part in ("digits", "vulgar", "below", "power"))


def _power_of_ten(found: re.Match[str]) -> Fraction | None:
    written = found["e"] or found["ten"]
    if not written:
        return _ONE
    exponent = _exponent(written)
    return Fraction(10) ** exponent if abs(exponent) <= LONGEST else None


def _exponent(written: str) -> int:
    return int(re.sub(r"[\^*{}]", "", written).translate(_RAISED))


def _suffix(found: re.Match[str]) -> tuple[Fraction, Fraction | None, str | None]:
    """The scale, the scale where the suffix may count in 1024s, and the measure of a number."""
    if found["percent"]:
        return _ONE, None, "percent"
    if found["large"]:
        return Fraction(_LARGE.get(found["large"], 100)), None, None
    letter = found["glued"] or found["apart"]
    if letter:
        power = _SUFFIXES[letter.lower()]
        return Fraction(1000**power), Fraction(1024**power) if letter in "KkM" else None, None
    return _measured(found)


def _measured(found: re.Match[str]) -> tuple[Fraction, Fraction | None, str | None]:
    prefix = found["prefix"] or found["prefix_b"] or ""
    power = _PREFIXES.get(prefix.upper(), 0)
    measure = "FLOP" if (found["measure"] or "").startswith("FLOP") else "byte"
    if measure == "FLOP" and "/" in found["measure"]:
        measure = "FLOP/s"
    if not prefix and not found["measure"]:
        return _ONE, None, None
    if found["i"] or found["i_b"]:
        return Fraction(1024**power), None, measure
    return Fraction(1000**power), Fraction(1024**power) if measure == "byte" and power else None, measure


def _sign(text: str, start: int) -> int:
    """-1 after a minus; a hyphen or dash after a letter or between two numbers is none."""
    if start == 0 or text[start - 1] not in "-−–‒":
        return 1
    before = text[: start - 1]
    if not before or before[-1] in "([{=<>≤≥≈~,;:×·*/|$^":
        return -1
    ends_number = before.rstrip()[-1:] in set("0123456789KMBT%") and text[start - 1] != "−"
    return -1 if before[-1].isspace() and not ends_number else 1


def _from_words(text: str, found: re.Match[str]) -> Number:
    part = found["part"] or found["a_part"]
    if part:
        value = Fraction(_counted(found["over"]) if found["over"] else 1, _PARTS[part])
    else:
        value = _counted(found["count"])
    start, end = found.span()
    return Number(
        start=start,
        end=end,
        text=text[start:end],
        mantissa=value,
        step=Fraction(0) if part else _ONE,
        suffix=found["percent"] or "",
        measure="percent" if found["percent"] else None,
        comparison=_comparison(text, start),
        is_word=True,
    )


def _counted(words: str) -> Fraction:
    """The value of number words: each large word multiplies what was counted since the last one."""
    total = current = Fraction(0)
    for word in re.findall(r"[a-z]+", words):
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "half":
            current += Fraction(1, 2)
        elif word == "hundred":
            current = (current or 1) * Fraction(100)
        elif word in _LARGE:
            total, current = total + (current or 1) * _LARGE[word], Fraction(0)
    return total + current


_COMPARISONS = {
    ">": (">", "more than", "over", "above", "greater than", "exceeding", "exceeds"),
    "<": ("<", "less than", "fewer than", "under", "below"),
    "≥": ("≥", "⩾", ">=", "at least", "no less than", "no fewer than"),
    "≤": ("≤", "⩽", "<=", "at most", "up to", "no more than"),
    "~": ("~", "∼", "≈", "about", "approximately", "around", "roughly", "nearly", "almost"),
}
COMPARED = {phrase: sign for sign, phrases in _COMPARISONS.items() for phrase in phrases}
_LONGEST_FIRST = tuple(sorted(COMPARED, key=len, reverse=True))


def _comparison(text: str, start: int) -> str | None:
    before = text[max(0, start - 20) : start].rstrip().lower()
    if not before.endswith(_LONGEST_FIRST):
        return None
    phrase = next(phrase for phrase in _LONGEST_FIRST if before.endswith(phrase))
    is_part = phrase[0].isalpha() and before[: -len(phrase)][-1:].isalnum()
    return None if is_part else COMPARED[phrase]
