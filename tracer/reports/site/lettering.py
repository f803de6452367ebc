"""A text and a width to the lines that fit into it, for drawings that cannot ask the font.

The widths are those of a wide sans serif in parts of its size, so that every system font fits.
"""

from collections.abc import Iterator
from unicodedata import east_asian_width

NARROW, WIDE = frozenset("iljtfrI.,:;'|!()[]{}/’‘ -"), frozenset("mwMW@%—…→")
ELLIPSIS = "…"


def width(text: str, size: float) -> float:
    """How wide a line is at most, in the units of `size`."""
    return size * sum(map(advance, text))


def advance(letter: str) -> float:
    """The width of a letter, in parts of the size of the type."""
    if letter in NARROW:
        return 0.4
    if letter in WIDE:
        return 0.95
    if east_asian_width(letter) in "WF":
        return 1.0
    return 0.72 if letter.isupper() else 0.6


def lines(text: str, *, within: float, size: float, most: int) -> tuple[str, ...]:
    """The text broken between words, and within words that are too long; cut with `…` after `most` lines."""
    found = list(broken(text, within, size))
    if len(found) <= most:
        return tuple(found)
    last = found[most - 1]
    while last and width(last + ELLIPSIS, size) > within:
        last = last[:-1]
    return (*found[: most - 1], last.rstrip(" ,;:") + ELLIPSIS)


def broken(text: str, within: float, size: float) -> Iterator[str]:
    """The lines of a text, none wider than it may be."""
    line = ""
    for word in text.split():
        for piece in pieces(word, within, size):
            if line and width(f"{line} {piece}", size) > within:
                yield line
                line = ""
            line = f"{line} {piece}" if line else piece
    if line:
        yield line


def pieces(word: str, within: float, size: float) -> Iterator[str]:
    """A word whole where it fits, else cut."""
    piece = ""
    for letter in word:
        if piece and width(piece + letter, size) > within:
            yield piece
            piece = ""
        piece += letter
    yield piece
