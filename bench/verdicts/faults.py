"""True quotes to false ones: each way of changing a quote that must never be verified."""

# ruff: noqa: SIM905 -- lists of words are read more easily as running text

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from bench.verdicts.languages import all_pairs, others

Words = tuple[str, ...]
Fault = Callable[[Words, Random], Iterator[Words]]
"""The changed forms of a quote's words; none where the fault does not apply."""

_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_UNITS = {
    "tokens": "hours", "hours": "days", "days": "hours", "GB": "MB", "MB": "GB", "TB": "GB", "ms": "s",
    "steps": "epochs", "samples": "tokens", "layers": "heads", "epochs": "steps", "GPU-hours": "GPU-days",
    "experts": "layers", "parameters": "tokens", "points": "percent", "percent": "points", "billion": "million",
    "million": "billion", "trillion": "billion", "languages": "documents",
}  # fmt: skip
_UNITS |= {one: other for (one,), (other,) in all_pairs("units") if not one.isascii()}
_ATTACHED = {"M": "B", "B": "M", "K": "M", "T": "B", "%": "x", "k": "M", "x": "%", "×": "%"}
_TURNED = {
    ("at", "least"): ("at", "most"), ("at", "most"): ("at", "least"), ("more", "than"): ("less", "than"),
    ("less", "than"): ("more", "than"), ("fewer", "than"): ("more", "than"), ("up", "to"): ("at", "least"),
    ("is", "above"): ("is", "below"), ("its", "below"): ("its", "above"), ("higher", "than"): ("lower", "than"),
    ("lower", "than"): ("higher", "than"), ("greater", "than"): ("less", "than"), ("better", "than"): ("worse", "than"),
}  # fmt: skip
_COMPARED = {one: other for (one,), (other,) in all_pairs("compared")}
_SIGNS = {">": "<", "<": ">", "≥": "≤", "≤": "≥"}
_VERBS = {"is", "are", "was", "were", "can", "may", "will", "has", "have", "does", "do"}
_NEGATIONS = {"not", "no", "never", "without", "nor", "cannot"}
_OTHERS = "model later rarely green former garden seldom outer remote winter".split()

_DENIED = {"不", "没有", "未", "לא", "אינו", "لا"}
"""Words of other languages that negate what follows."""

_DENYING = {"ない", "なかった", "않았다.", "않는다."}
"""Those that negate what they follow."""

_UNPARTED = re.compile("[\u3041-\u3096\u4e00-\u9fff]")
"""Characters of languages that part no words, where a word that is cut is no fault."""

_REFERENCE_MARK = re.compile(r"\[\d+(?:[,;–-]\d+)*\][.,;:]?")


def digit_changed(words: Words, random: Random) -> Iterator[Words]:
    for index, match in _numbers(words, random):
        at = random.choice([at for at in range(*match.span()) if words[index][at].isdigit()])
        digit = words[index][at]
        zero = ord(digit) - int(digit)
        other = random.choice([sign for value in range(1, 10) if (sign := chr(zero + value)) != digit])
        yield _with(words, index, words[index][:at] + other + words[index][at + 1 :])


def digit_dropped(words: Words, random: Random) -> Iterator[Words]:
    for index, match in _numbers(words, random):
        digits = [at for at in range(*match.span()) if words[index][at].isdigit()]
        if len(digits) > 1:
            at = random.choice([digits[0], digits[-1]])
            yield _with(words, index, words[index][:at] + words[index][at + 1 :])


def digit_added(words: Words, random: Random) -> Iterator[Words]:
    for index, match in _numbers(words, random):
        at = random.choice(match.span())
        yield _with(words, index, words[index][:at] + random.choice("123456789") + words[index][at:])


def point_lost(words: Words, random: Random) -> Iterator[Words]:
    for index, match in _numbers(words, random):
        if "." in match.group():
            yield _with(words, index, words[index].replace(".", "", 1))


def word_replaced(words: Words, random: Random) -> Iterator[Words]:
    for index in _inner(words, random):
        if _is_word(words[index]):
            choice = others(words[index]) or _OTHERS
            other = random.choice([word for word in choice if word != words[index].casefold()])
            yield _with(words, index, re.sub(r"[^\W\d_]+", other, words[index], count=1))


def word_dropped(words: Words, random: Random) -> Iterator[Words]:
    """A word left out; a bracketed reference number alone is none, for a quote may leave those out (decision 3)."""
    for index in _inner(words, random):
        if any(map(str.isalnum, words[index])) and not _REFERENCE_MARK.fullmatch(words[index]):
            yield (*words[:index], *words[index + 1 :])


def word_added(words: Words, random: Random) -> Iterator[Words]:
    for index in _inner(words, random):
        yield (*words[:index], random.choice(others(words[index]) or _OTHERS), *words[index:])


def words_swapped(words: Words, random: Random) -> Iterator[Words]:
    for index in _inner(words, random):
        one, other = words[index - 1 : index + 1]
        if any(map(str.isalnum, one)) and any(map(str.isalnum, other)):
            yield (*words[: index - 1], other, one, *words[index + 1 :])


def unit_changed(words: Words, random: Random) -> Iterator[Words]:
    for index in _shuffled(range(len(words)), random):
        word = words[index]
        bare = word.rstrip(".,;:)")
        if bare in _UNITS:
            yield _with(words, index, _UNITS[bare] + word[len(bare) :])
        match = re.fullmatch(r"(\(?[\d.,]*\d)([MBKTkx×%])(\W*)", word)
        if match:
            yield _with(words, index, f"{match.group(1)}{_ATTACHED[match.group(2)]}{match.group(3)}")


def negation_put_in(words: Words, random: Random) -> Iterator[Words]:
    for index in _inner(words, random):
        if words[index - 1] in _VERBS and words[index] not in _NEGATIONS:
            yield (*words[:index], "not", *words[index:])
    for index in _inner(words, random):
        if len(words[index]) > 5 and words[index].isalpha() and words[index].islower():
            yield _with(words, index, random.choice(("un", "non-", "not ")) + words[index])

    yield from _with_runs(words, [(one, other) for one, other in all_pairs("turned")])


def negation_taken_out(words: Words, random: Random) -> Iterator[Words]:
    yield from _with_runs(words, [(other, one) for one, other in all_pairs("turned")])
    for index in _inner(words, random):
        word = words[index]
        if word in _NEGATIONS:
            yield (*words[:index], *words[index + 1 :])
        if re.match(r"un(?:supervised|biased|finished|used|changed|seen)|non-", word):
            yield _with(words, index, re.sub(r"^(?:un|non-)", "", word))


def comparison_turned(words: Words, random: Random) -> Iterator[Words]:
    for index in _shuffled(range(len(words)), random):
        if words[index] in _COMPARED:
            yield _with(words, index, _COMPARED[words[index]])
        if words[index] in _SIGNS:
            yield _with(words, index, _SIGNS[words[index]])
        pair = tuple(word.casefold() for word in words[index : index + 2])
        if pair in _TURNED:
            yield (*words[:index], *_TURNED[pair], *words[index + 2 :])


def sign_changed(words: Words, random: Random) -> Iterator[Words]:
    for index in _shuffled(range(len(words)), random):
        match = re.fullmatch(r"([+−-])(\d.*)", words[index])
        if match:
            other = {"+": ("−", "-"), "−": ("+", ""), "-": ("+", "")}[match.group(1)]
            yield _with(words, index, random.choice(other) + match.group(2))


def cut_at_an_end(words: Words, _: Random) -> Iterator[Words]:
    """The first or last letter or digit lost."""
    first, last = words[0], words[-1].rstrip(".,;:")
    if len(last) > 3 and last.isalnum() and not _UNPARTED.search(last):
        yield (*words[:-1], last[:-1])
    if len(first) > 3 and first.isalnum() and not _UNPARTED.search(first):
        yield (first[1:], *words[1:])
    if re.fullmatch(r"\d[\d.,]*\d", last):
        yield (*words[:-1], last[:-1])
    if re.fullmatch(r"\d[\d.,]*\d", first):
        yield (first[1:], *words[1:])


def spliced(words: Words, random: Random) -> Iterator[Words]:
    """Two pieces put together without a sign of what was left out between them."""
    if len(words) >= 10:
        gap = random.randint(2, len(words) - 8)
        at = random.randint(4, len(words) - gap - 4)
        yield (*words[:at], *words[at + gap :])


def negation_left_out(words: Words, random: Random) -> Iterator[Words]:
    """A negation that `…` hides."""
    for index in _inner(words, random):
        if words[index] in _NEGATIONS | _DENIED | _DENYING and 3 <= index < len(words) - 3:
            yield (*words[:index], "…", *words[index + 1 :])


def begun_after_negation(words: Words, random: Random) -> Iterator[Words]:
    for index in _inner(words, random):
        if words[index] in _NEGATIONS | _DENIED and len(words) - index > 4:
            yield words[index + 1 :]


def ended_before_negation(words: Words, random: Random) -> Iterator[Words]:
    """In languages that negate a verb at its end."""
    for index in _inner(words, random):
        if words[index] in _DENYING and index > 4:
            yield words[:index]
    if words[-1] in _DENYING and len(words) > 5:
        yield words[:-1]


def power_flattened(words: Words, random: Random) -> Iterator[Words]:
    for index in _shuffled(range(len(words)), random):
        flat = words[index].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))
        if flat != words[index]:
            yield _with(words, index, flat)


FAULTS: Mapping[str, Fault] = {
    "digit changed": digit_changed,
    "digit dropped": digit_dropped,
    "digit added": digit_added,
    "decimal point lost": point_lost,
    "word replaced": word_replaced,
    "word dropped": word_dropped,
    "word added": word_added,
    "words swapped": words_swapped,
    "unit changed": unit_changed,
    "negation put in": negation_put_in,
    "negation taken out": negation_taken_out,
    "comparison turned": comparison_turned,
    "sign changed": sign_changed,
    "word or number cut": cut_at_an_end,
    "pieces without …": spliced,
    "negation left out by …": negation_left_out,
    "begun after a negation": begun_after_negation,
    "ended before a negation": ended_before_negation,
    "power flattened": power_flattened,
}


def _numbers(words: Words, random: Random) -> Iterator[tuple[int, re.Match[str]]]:
    """The plain numbers of a quote; bracketed reference numbers are another matter."""
    for index in _shuffled(range(len(words)), random):
        match = _NUMBER.search(words[index])
        if match and not words[index].startswith("[") and not words[index].endswith(("]", "],", "].")):
            yield index, match


def _inner(words: Words, random: Random) -> list[int]:
    return _shuffled(range(1, len(words) - 1), random)


def _shuffled(indices: range, random: Random) -> list[int]:
    return random.sample(indices, len(indices))


def _is_word(word: str) -> bool:
    return (len(word) > 3 or (len(word) > 1 and not word.isascii())) and word.strip(".,;:").isalpha()


def _with_runs(words: Words, pairs: Sequence[tuple[Words, Words]]) -> Iterator[Words]:
    """The words with a run of them replaced by another one."""
    for run, other in pairs:
        for at in range(len(words) - len(run) + 1):
            if words[at : at + len(run)] == run and words[at - 1 : at] not in {other[:1], run[:1]}:
                yield (*words[:at], *other, *words[at + len(run) :])


def _with(words: Sequence[str], index: int, word: str) -> Words:
    return (*words[:index], word, *words[index + 1 :])
