"""PDFs to what truly stands in them, by poppler's pdftotext, which the product does not use."""

import html
import re
import subprocess
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
_QUOTES = {**dict.fromkeys("'‘’‚‛′", "'"), **dict.fromkeys('"“”„‟″', '"')}
_DASHES = dict.fromkeys("‐‑‒–—―−", "-")
_TABLE = str.maketrans({**_LIGATURES, **_QUOTES, **_DASHES, "\u00ad": "-"})
SEPARATOR = "‖"
"""What stands between two readings of a page."""


@lru_cache(maxsize=200_000)
def strict(text: str) -> str:
    """Text without white space and the kinds of quotes, dashes, ligatures and case; signs and digits stay."""
    plain = unicodedata.normalize("NFC", text).translate(_TABLE).casefold()
    plain = "".join(sign for sign in plain if not sign.isspace() and unicodedata.category(sign) not in {"Cf", "Cc"})
    return re.sub(r"(?<=[^\W\d_])-+(?=[^\W\d_])", "", plain)


@lru_cache(maxsize=200_000)
def loose(text: str) -> str:
    """The letters and digits alone, without accents: for finding again what is known to have been set."""
    plain = unicodedata.normalize("NFKD", text.translate(_TABLE)).casefold().replace("ı", "i")
    return "".join(sign for sign in plain if sign.isalnum())


def pages(path: Path, *options: str) -> tuple[str, ...]:
    """The text of each page."""
    done = subprocess.run(["pdftotext", *options, str(path), "-"], capture_output=True, check=True)
    return tuple(done.stdout.decode("utf-8", "replace").split("\f")[:-1])


def readings(*texts: Sequence[str]) -> tuple[str, ...]:
    """The `strict` text of each page in every order that poppler reads it in."""
    return tuple(SEPARATOR.join(map(strict, page)) for page in zip(*texts, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a page in poppler's reading order; the block it belongs to, and its place (points from the top)."""

    words: tuple[str, ...]
    block: int
    left: float
    top: float
    right: float
    bottom: float


_TAG = re.compile(r"<(page|block|line|word)\b([^>]*)>(?:([^<]*)</word>)?|</(line|page)>")
_NUMBER = re.compile(r'(\w+)="([\d.-]+)"')


def lines(path: Path) -> tuple[tuple[Line, ...], ...]:
    """The lines of each page."""
    done = subprocess.run(["pdftotext", "-bbox-layout", str(path), "-"], capture_output=True, check=True)
    found: list[tuple[Line, ...]] = []
    page: list[Line] = []
    words: list[str] = []
    box: dict[str, float] = {}
    block = 0
    for match in _TAG.finditer(done.stdout.decode("utf-8", "replace")):
        tag, fields, text, closing = match.groups()
        if tag == "block":
            block += 1
        elif tag == "line":
            words, box = [], {name: float(value) for name, value in _NUMBER.findall(fields)}
        elif tag == "word":
            words.append(html.unescape(text or ""))
        elif closing == "line" and words:
            sides = {"left": box["xMin"], "top": box["yMin"], "right": box["xMax"], "bottom": box["yMax"]}
            page.append(Line(words=tuple(words), block=block, **sides))
        elif closing == "page":
            found.append(tuple(page))
            page = []
    return tuple(found)


def stands(words: Sequence[str], page: str) -> bool:
    """Whether running words stand on a page, the page given as `loose` text."""
    return loose(" ".join(words)) in page


def stands_in_pieces(words: Sequence[str], first: str, last: str, *, pieces: int = 3) -> bool:
    """Whether running words stand on one page and on to another one, interrupted `pieces - 1` times at most."""
    text = loose(" ".join(words))
    start = 0
    for piece in range(pieces):
        end = _longest(text, start, first if piece == 0 else f"{first}|{last}")
        if end == len(text):
            return True
        if end - start < 2:
            return False
        start = end
    return False


def _longest(text: str, start: int, page: str) -> int:
    end = start
    while end < len(text) and text[start : end + 1] in page:
        end += 1
    return end
