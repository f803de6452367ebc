"""The words that negate or compare: those in a text, and those just around a quote that may not be cut off from it.

In Chinese and Japanese, which part no words, and in Korean verbs, a negation is a character before a verb or the end of
the verb itself; there patterns take the place of words.
"""

import re

from tracer.text import LINE_JOINT

_ENGLISH = {"no", "not", "non", "nor", "never", "none", "neither", "without", "cannot", "un", "nothing"}
_HEBREW = {"לא", "ולא", "שלא", "אין", "ואין", "אינו", "אינה", "אינם", "אינן", "ללא", "בלי"}
_ARABIC = {"لا", "ولا", "لم", "ولم", "لن", "ولن", "ليس", "ليست", "وليس", "غير", "دون", "بدون", "بلا"}
_KOREAN = {"안", "못"}
NEGATIONS = frozenset(_ENGLISH | _HEBREW | _ARABIC | _KOREAN)
"""Words that negate what follows them, in English, Hebrew, Arabic and Korean."""

COMPARISONS = "<>≤≥≈≪≫±"

_COMPOUND = re.compile(r"[^\W\d_]+(?:[-‐‑–'][^\W\d_]+)*")
_WITH_MARK = re.compile(r"\b(?:(?:without|cannot)\w+|(?:neither|never|none|nothing)\w{1,2})\b")
"""A negation that an index or a note mark is set at."""

_SIGNS = r"[\d⁰¹²³⁴-⁹†‡∗*¶§]{1,3}"
_REFERENCE = r"\s*\[\d[\d\s,;–-]*\]"
_MARK_AT_END = re.compile(rf"(?:{_REFERENCE}|(?<=[^\W\d_]){_SIGNS})[\s,;:]*$")
_MARK_AT_START = re.compile(rf"{_REFERENCE}|{_SIGNS}(?=[\s,;:])")
"""The mark of a note or a reference after a word, which stands between the word and what it negates."""

_UNPARTED = re.compile(
    r"没有|沒有|并非|並非|不(?![断斷同仅僅但过過久少])|未(?![来來])|ない|なかっ|ません|ず(?=[にとも、。])|않|못하|못했|없|아니"
)
"""Negations within words; characters that make another word with the next one are none."""

_BEFORE = (NEGATIONS - {"un"}) | {"rather", "instead"}
_TWO_BEFORE = frozenset({"rather than", "instead of", "other than"})
_TWO_BEFORE_NUMBER = frozenset({"up to", "at most", "at least", "less than", "more than", "fewer than"})
_AFTER = ("but", "unless", "except", "only if", "only when", "up to", "provided that")
_FORMS = "am are be been being can could did do does had has have is may might must shall should was were will would"
_VERBS = frozenset(_FORMS.split())

_UNPARTED_BEFORE = re.compile(r"(?:没有|沒有|并非|並非|绝不|絕不|不|未|非|無|无|没|沒|勿)$")
_UNPARTED_BEFORE_NUMBER = re.compile(
    r"(?:至少|至多|最多|最少|超过|超過|不足|不到|少于|少於|多于|多於|低于|低於|高于|高於)$"
)
_UNPARTED_AFTER = re.compile(
    r"ない|なかった|なく|なけれ|なし|無し|ません|ませんでした|ず(?=[にとも、。])"
    r"|以上|以下|未満|以内|以外|を除|を超え|を下回"
    r"|지?않|못하|못했|없|아니|이상(?![한하])|이하|미만|초과"
)


def negations(text: str) -> list[str]:
    """The words that negate, in order; what is joined by a hyphen is one word, as it is without it."""
    joined = LINE_JOINT.sub("", text.casefold().replace("’", "'"))
    found = _COMPOUND.findall(joined)
    return [word for word in found if word in NEGATIONS or word.endswith("n't")]


def first_negation(text: str) -> str | None:
    """The first negation in a text of any script, one with an index or a note mark set at it included."""
    found = negations(text) or _WITH_MARK.findall(text) or _UNPARTED.findall(_unparted(text))
    return found[0] if found else None


def cut_before(before: str, *, is_number: bool) -> str | None:
    """The negation or comparison that the words before a quote end with; some count only before a number."""
    sign = before.rstrip(" (,;:\"'")[-1:]
    if is_number and sign and sign in COMPARISONS:
        return sign
    if not before.rstrip(" ,;:")[-1:].isalpha():
        before = _MARK_AT_END.sub("", before)
    words = re.sub(r"\W+$", "", before).split()
    last = words[-1].lstrip("(,;:\"'") if words else ""
    if last in _BEFORE or last.endswith("n't"):
        return last
    two = " ".join(words[-2:])
    if two in _TWO_BEFORE or (is_number and two in _TWO_BEFORE_NUMBER):
        return two
    text = _unparted(before)
    found = _UNPARTED_BEFORE.search(text) or (_UNPARTED_BEFORE_NUMBER.search(text) if is_number else None)
    return found.group() if found else None


def cut_after(after: str) -> str | None:
    """The qualifier that the words after a quote begin with."""
    if found := _UNPARTED_AFTER.match(_unparted(after)):
        return found.group()
    following = _without_mark(after).lstrip(" ,")
    if not following.startswith(_AFTER):
        return None
    return next((words for words in _AFTER if following.startswith(f"{words} ")), None)


def negation_after(after: str) -> str | None:
    """The negation that the words after a quote begin with."""
    first = _without_mark(after).split(maxsplit=1)[:1]
    word = first[0].rstrip(".,;:") if first else ""
    return word if word in NEGATIONS else None


def takes_negation(word: str) -> bool:
    """Whether a word is a verb that a negation follows: `is`, `do`, `can`."""
    return word.casefold() in _VERBS


def _without_mark(after: str) -> str:
    mark = _MARK_AT_START.match(after)
    return after[mark.end() :] if mark else after


def _unparted(text: str) -> str:
    """A text without white space, for scripts in which that parts no words; nothing of an English one."""
    return "" if text.isascii() else "".join(text.split())
