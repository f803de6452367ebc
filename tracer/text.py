"""Text to comparable text: what typesetting changes is folded away, what carries meaning is kept.

Two texts are equal for `tracer` when their folded forms are. Never folded: digits and the white space between them,
signs, inequalities, decimal points, accents, and the kind of a number (`10²` is not `102`, `½` is not `1/2`).
"""

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tracer.model import Folded

VERSION = 5
"""Raised whenever the folding changes, so that cached readings of an older folding are not used."""

LINE_HYPHENS = "\x02\ufffe"
"""What pdfium writes for a hyphen at a line end, whose line break it drops."""

LINE_JOINT = re.compile(rf"[{LINE_HYPHENS}\u00ad]\s*|[-‐‑]\s*[\r\n]+\s*")
"""A hyphen at a line end with what parts it from the rest of its word; leaving it out makes the word whole."""

SUPERSCRIPTS = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")

_MINUS = "−"
_EM_DASHES = "—―⸺⸻︱"
_HYPHENS = "-‐‑‒–⁃﹣－︲﹘\u05be" + _EM_DASHES + _MINUS + LINE_HYPHENS
_SINGLE_QUOTES = "'‘’‚‛′´＇ʼ`\u05f3"
_DOUBLE_QUOTES = '"“”„‟″«»＂\u05f4'
_ONE_FOR_ONE = {
    **dict.fromkeys(_SINGLE_QUOTES, "'"),
    **dict.fromkeys(_DOUBLE_QUOTES, '"'),
    "∗": "*",
    "∼": "~",
    "∣": "|",
    "⋅": "·",
    "⁄": "/",
    "∕": "/",
    "＾": "＾",
    "〜": "~",
    "\u0640": "",
    "\x00": "\ufffd",
}
SPACING_ACCENTS = {
    "´": "\u0301",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "ˇ": "\u030c",
    "˚": "\u030a",
    "˝": "\u030b",
    "`": "\u0300",
}
"""Accents that are set as signs of their own, and the marks that they stand for."""

_SPACING_TAILS = {"¸": "\u0327", "˛": "\u0328"}
_ACCENTS = SPACING_ACCENTS | _SPACING_TAILS
_USUAL_BELOW = "cCsStT"
_DOTTED = {"ı": "i", "ȷ": "j"}
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>")

_LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_PLAIN = re.compile(r"[!#-&(-,./0-9:-\]_a-z{-~ ]*")
# Compiled when first asked for, which most sources never do: it takes as long as all other patterns together.
_KATAKANA = "[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]"
_HANGUL = "[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]"
_EAST_ASIAN = (
    "[\u1100-\u11ff\u3005-\u3007\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)
_SYLLABLE_REST = "[々〻ーゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]"
_NUMERAL = r"[\d%‰〇零一二三四五六七八九十百千万萬亿億兆京两兩半割倍成折分点點負负천만억조백십배할]"
"""Digits and the signs of Chinese, Japanese and Korean that make another number of the one that they stand at."""

_SPACED_DIGITS = re.compile(r"\d[.,]? +[.,]?\d")
_SHORT = 500
"""The length up to which what was folded is kept for the next time."""

_TOKEN = re.compile(
    r"(?P<words>[A-Za-z][A-Za-z!,.:;]*(?: [A-Za-z][A-Za-z!,.:;]*)+)"
    r"|(?P<plain>[!#-&(-,./0-9:-\]_a-z{-~]+)"
    r"|(?P<space>\s+)"
    rf"|(?P<dash>[{re.escape(_HYPHENS)}]+)"
    r"|(?P<raised>[\^ˆ]\s*\{?\s*[-+−]?\d+\}?)"
    r"|(?P<accent>[´¨ˆ˜ˇ˚˝]|(?<=[^\W\d_])`(?=[aeiouAEIOU])|(?<=[^\W\d_]\s)`(?=\s[aeiouAEIOU]))"
    r"|(?P<tail>[¸˛])"
    r"|(?P<other>\S)"
)


def fold(text: str, replaced: Mapping[int, str] | None = None) -> Folded:
    """The comparable form of a text, with the way back; folding a folded text changes nothing.

    `replaced` gives other characters for single positions of the text, `""` to leave them out: raised digits, as
    superscript signs or dropped as note marks.
    """
    if not replaced and len(text) <= _SHORT:
        return _fold_short(text)
    return _Folding(text).folded(replaced or {})


@lru_cache(maxsize=4096)
def _fold_short(text: str) -> Folded:
    """The form of a quote, a title or a word, which is asked for again and again; most are of plain characters."""
    if _PLAIN.fullmatch(text) and not _SPACED_DIGITS.search(text):
        offsets, start = array("I"), 0
        for word in text.split(" "):
            offsets.extend(range(start, start + len(word)))
            start += len(word) + 1
        return Folded(text=text.lower().replace(" ", ""), offsets=offsets)
    return _Folding(text).folded({})


def comparable(text: str) -> str:
    """The comparable form alone."""
    return fold(text).text


def has_leftward(text: str) -> bool:
    """Whether letters of a text are written from right to left, as Hebrew and Arabic are."""
    return _LEFTWARD.search(text) is not None


def reads_leftward(text: str) -> bool:
    """Whether more letters of a text are written from right to left than from left to right."""
    directions = [unicodedata.bidirectional(character) for character in text]
    return sum(one in {"R", "AL"} for one in directions) > directions.count("L")


def is_word_character(character: str) -> bool:
    """Whether a character continues a word or a number: letters, digits of all kinds, marks, percent signs."""
    return character.isalnum() or character in "%‰_" or unicodedata.category(character) in {"Mn", "Mc"}


def are_one_word(left: str, right: str) -> bool:
    """Whether two neighbouring characters of a comparable text belong to one word or number.

    Chinese and Japanese part no words: there a text may be cut between any two characters, but not inside a number,
    a run of katakana or a syllable. Letters of different scripts are of different words, `GPT` and `は` in `GPTは`.
    """
    if not (is_word_character(left) and is_word_character(right)):
        return False
    if left.isascii() and right.isascii():
        return True
    if re.match(_SYLLABLE_REST, right) or unicodedata.combining(right):
        return True
    if re.match(_EAST_ASIAN, left) or re.match(_EAST_ASIAN, right):
        return any(re.match(script, left) and re.match(script, right) for script in (_KATAKANA, _HANGUL, _NUMERAL))
    return True


def original(folded: Folded, start: int, end: int) -> tuple[int, int]:
    """The run of the original text that a run of comparable characters stands for."""
    return folded.offsets[start], folded.offsets[end - 1] + 1


def dashes_within(folded: Folded, start: int, end: int) -> Iterator[tuple[int, bool]]:
    """The dashes dropped strictly inside a run, as (distance from its start, is an operator)."""
    first = bisect_right(folded.dashes, (start, True))
    last = bisect_left(folded.dashes, (end, False))
    return ((position - start, is_operator) for position, is_operator in folded.dashes[first:last])


class _Folding:
    """One pass over a text; what it gathered so far decides what the next token becomes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.offsets = array("I")
        self.dashes: list[tuple[int, bool]] = []
        self.tail = ""
        self.accent: tuple[str, int] | None = None

    def folded(self, replaced: Mapping[int, str]) -> Folded:
        """The whole text folded, single positions replaced."""
        begin = 0
        for position in sorted(replaced):
            self._run(begin, position)
            self._put(replaced[position], position)
            begin = position + 1
        self._run(begin, len(self.text))
        self._put_accent()
        return Folded(text="".join(self.pieces), offsets=self.offsets, dashes=tuple(self.dashes))

    def _run(self, begin: int, end: int) -> None:
        for match in _TOKEN.finditer(self.text, begin, end):
            kind, token, start = match.lastgroup, match.group(), match.start()
            if kind == "words":
                self._words(token.lower(), start)
            elif kind == "plain":
                self._plain(token.lower(), start)
            elif kind == "space":
                self._space(start, match.end())
            elif kind == "dash":
                self._dash(token, start, match.end())
            elif kind == "raised":
                self._put("".join(token.split()).strip("^ˆ{}").translate(SUPERSCRIPTS), start)
            elif kind == "accent":
                self._put_accent()
                self.accent = (token, start)
            elif kind == "tail":
                self._tail(token, start)
            else:
                self._other(token, start)

    def _words(self, token: str, start: int) -> None:
        """Plain words with a space between two of them, which counts for nothing there."""
        first, *others = token.split(" ")
        self._plain(first, start)
        self.pieces.extend(others)
        start += len(first) + 1
        for word in others:
            self.offsets.extend(range(start, start + len(word)))
            start += len(word) + 1
        self.tail = (token[-3:].replace(" ", ""))[-2:]

    def _plain(self, token: str, start: int) -> None:
        if self.accent:
            self._put(token[0], start)
            token, start = token[1:], start + 1
        if token:
            self.pieces.append(token)
        self.offsets.extend(range(start, start + len(token)))
        self.tail = (self.tail + token)[-2:]

    def _put(self, characters: str, start: int) -> None:
        """Add what one place of the text stands for, a waiting accent composed with it if it is a letter."""
        if not characters:
            return
        if self.accent and characters[0].isalpha():
            letter = _DOTTED.get(characters[0], characters[0])
            characters = unicodedata.normalize("NFC", letter + _ACCENTS[self.accent[0]]) + characters[1:]
            self.accent = None
        self._put_accent()
        self.pieces.append(characters)
        self.offsets.extend([start] * len(characters))
        self.tail = (self.tail + characters)[-2:]

    def _tail(self, token: str, start: int) -> None:
        """A cedilla or an ogonek set beside its letter: below the next one if that is usual, else the one before."""
        if _visible(self.text, start + 1) in tuple(_USUAL_BELOW):
            self._put_accent()
            self.accent = (token, start)
        else:
            self._other(_SPACING_TAILS[token], start)

    def _put_accent(self) -> None:
        """Let go of an accent that no letter followed, which is debris of typesetting; a tilde may say `about`."""
        if self.accent:
            (character, start), self.accent = self.accent, None
            self._put("~" if character == "˜" else "", start)

    def _space(self, start: int, end: int) -> None:
        """White space counts between two digits, also around a decimal point, and between two dashes."""
        following = self.text[end : end + 2]
        if self.tail[-1:] == "-" and following[:1] in tuple(_HYPHENS):
            self._put(" ", start)
            return
        left = self.tail.rstrip(".,") if len(self.tail) == 2 else self.tail
        if left[-1:].isdigit() and following.lstrip(".,")[:1].isdigit() and len(left) + len(following) > 1:
            self._put(" ", start)

    def _dash(self, token: str, start: int, end: int) -> None:
        """A dash between letters is dropped, and remembered; any other one is a hyphen-minus."""
        following = _form(_visible(self.text, end))[:1]
        if not (self.tail[-1:].isalpha() and following.isalpha()):
            if self.tail[-1:] != "-":
                self._put("-", start)
            return
        is_spaced = self.text[start - 1 : start] in " \t\xa0" and self.text[end : end + 1] in " \t\xa0"
        is_operator = is_spaced or len(token) > 1 or token in _EM_DASHES + _MINUS
        self.dashes.append((len(self.offsets), is_operator))

    def _other(self, character: str, start: int) -> None:
        form = _form(character)
        if "'" in form:
            self._quotes(form, start)
        elif any(map(_joins_last, form)):
            for one in form:
                (self._combine if _joins_last(one) else self._put)(one, start)
        else:
            self._put(form, start)

    def _quotes(self, form: str, start: int) -> None:
        """Two single quotes in a row are a double one, as they are typed in TeX."""
        for one in form:
            if one == "'" and self.tail[-1:] == "'":
                self._replace_last('"')
            else:
                self._put(one, start)

    def _combine(self, mark: str, start: int) -> None:
        """Add a mark to the letter before it, composed with it if Unicode has both as one, else in canonical order."""
        self._put_accent()
        marks = ""
        while self.pieces and len(self.pieces[-1]) == 1 and unicodedata.combining(self.pieces[-1]):
            marks = self.pieces.pop() + marks
        letter = self.pieces[-1][-1:] if self.pieces else ""
        composed = unicodedata.normalize("NFC", _DOTTED.get(letter, letter) + marks + mark)
        if len(composed) > len(letter + marks):
            composed = letter + composed[len(letter) :]
            self.offsets.append(start)
        if letter:
            self.pieces[-1] = self.pieces[-1][:-1] + composed[0]
        self.pieces.extend(composed[len(letter) :])
        self.tail = (self.tail[: max(0, len(self.tail) - len(letter + marks))] + composed)[-2:]

    def _replace_last(self, character: str) -> None:
        self.pieces[-1] = self.pieces[-1][:-1] + character
        self.tail = self.tail[:-1] + character


def _joins_last(character: str) -> bool:
    """Whether a character is a part of the one before: a mark, or the rest of a Korean syllable written in parts."""
    return unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"


@lru_cache(maxsize=4096)
def _form(character: str) -> str:
    """What one character stands for; `""` for what is invisible."""
    if character.isascii() and character.isalnum():
        return character.lower()
    if not character:
        return ""
    if character in _ONE_FOR_ONE:
        return _ONE_FOR_ONE[character]
    category = unicodedata.category(character)
    if category == "Cf" or "\ufe00" <= character <= "\ufe0f" or character == "\u034f":
        return ""
    if category == "Cc":
        return "\ufffd"
    if category in {"No", "Nl"} or unicodedata.decomposition(character).startswith(_KEPT_FORMS):
        return character
    form = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
    if " " in form or (category != "Nd" and any(map(str.isdigit, form))):
        return character
    return "".join(_ONE_FOR_ONE.get(one, "-" if one in _HYPHENS else one) for one in form)


def _visible(text: str, position: int) -> str:
    """The first character from a position on that is neither white space nor invisible nor an accent, or `""`."""
    for character in text[position : position + 64]:
        if not character.isspace() and unicodedata.category(character) != "Cf" and character not in SPACING_ACCENTS:
            return character
    return ""
