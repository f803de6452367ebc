"""Names of the ledger to the paths of their pages, to links between these, and to links that a page may offer.

A name becomes a file name as it is where every file system can hold it; else a short part of its sha256 tells it from
others that would look alike.
"""

import hashlib
import re
from functools import lru_cache
from posixpath import dirname, relpath
from urllib.parse import quote, urlsplit

PLAIN = re.compile(r"(?!(?:aux|con|nul|prn|com\d|lpt\d)(?:\.|$))[a-z0-9][a-z0-9._@-]{0,118}[a-z0-9]|[a-z0-9]")
OTHER = re.compile(r"[^a-z0-9._@-]+")
LONGEST = 60
DIGITS = 12

HOME, FINDINGS, COVERAGE, CLAIMS, READING = (
    "index.html",
    "findings.html",
    "coverage.html",
    "claims.html",
    "how-to-read.html",
)
STYLE, SCRIPT, ICON = "assets/style.css", "assets/site.js", "assets/icon.svg"


def file_name(name: str) -> str:
    """A name as a part of a path, the same for the same name and for no other, whatever case a file system keeps."""
    if PLAIN.fullmatch(name):
        return name
    readable = OTHER.sub("-", name.lower()).strip("-.")[:LONGEST]
    return f"{readable}~{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:DIGITS]}"


def pipeline(name: str) -> str:
    """The page of a pipeline."""
    return f"pipeline/{file_name(name)}.html"


def stage(name: str) -> str:
    """The page of a stage, named `pipeline/stage`; what holds for a whole pipeline is on a page of its own."""
    above, slash, below = name.partition("/")
    return f"stage/{file_name(above)}/{file_name(below)}.html" if slash else f"stage/{file_name(above)}~whole.html"


def claim(name: str) -> str:
    """The page of a claim."""
    return f"claim/{file_name(name)}.html"


def source(name: str) -> str:
    """The page of a source."""
    return f"source/{file_name(name)}.html"


def link(here: str, there: str) -> str:
    """A relative link from one page to another page, or to a place on it."""
    path, mark, place = there.partition("#")
    return f"{_way(dirname(here), path)}{mark}{place}"


@lru_cache(maxsize=4096)
def _way(folder: str, path: str) -> str:
    return quote(relpath(path, folder or "."), safe="/~@")


def web(url: str | None) -> str | None:
    """An address that a page may link to: one of the web; anything else, `javascript:` above all, is None."""
    if not url or not url.isprintable() or any(letter in url for letter in " \\\"'<>`"):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme.lower() in ("http", "https") and parts.netloc else None


def at_sheet(url: str | None, sheet: int | None) -> str | None:
    """The address of a page of a PDF on the web."""
    safe = web(url)
    if safe is None or sheet is None:
        return safe
    return f"{safe.partition('#')[0]}#page={sheet}"
