"""A line of Arabic or Hebrew to what is drawn of it: letters joined, and all in the order in which they are seen."""

import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

TATWEEL = "\u0640"
MIRRORED = str.maketrans("()[]{}<>≤≥«»", ")(][}{><≥≤»«")
FORMS = ("isolated", "final", "initial", "medial")


class Seen(NamedTuple):
    """A drawn character and where it stands in the text that it is drawn of."""

    character: str
    index: int


def seen(text: str) -> list[Seen]:
    """The characters of a line from left to right, brackets as they are drawn (UAX 9)."""
    from fpdf.bidi import BidiParagraph
    from fpdf.enums import TextDirection

    found = BidiParagraph(text, TextDirection.RTL).get_reordered_characters()
    return [
        Seen(one.character.translate(MIRRORED) if one.embedding_level % 2 else one.character, one.character_index)
        for one in found
    ]


def joined(text: str) -> str:
    """Arabic letters as the presentation forms in which they join, lam and alef as one."""
    return "".join(_joined(list(text.replace("لا", "\ufefb").replace("لأ", "\ufef7").replace("لإ", "\ufef9"))))


def _joined(letters: list[str]) -> Iterator[str]:
    for at, letter in enumerate(letters):
        base = unicodedata.normalize("NFKC", letter)[-1] if "\ufef5" <= letter <= "\ufefc" else letter
        takes = at > 0 and _joins_next(letters[at - 1]) and _joins_before(base)
        gives = at + 1 < len(letters) and _joins_next(letter) and _joins_before(letters[at + 1])
        if "\ufef5" <= letter <= "\ufefc":
            yield chr(ord(letter) + takes)
        else:
            form = FORMS[takes + 2 * gives]
            yield _forms().get((letter, form), letter)


def _joins_next(letter: str) -> bool:
    return letter == TATWEEL or (letter, "initial") in _forms()


def _joins_before(letter: str) -> bool:
    return letter == TATWEEL or "\ufef5" <= letter <= "\ufefc" or (letter, "final") in _forms()


@cache
def _forms() -> dict[tuple[str, str], str]:
    """The presentation form of each letter in each place, as Unicode's decompositions tell it."""
    found = {}
    for code in range(0xFE70, 0xFEFD):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2:
            found[(chr(int(parts[1], 16)), parts[0].strip("<>"))] = chr(code)
    return found
