"""A document to its passages, and a full-text index of them that is kept by the hash of its bytes and all versions.

A passage is a sentence, the row of a table, or a value of a data file. Each document has an index of its own, so that
what is found in one source does not hang on which others were read before.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from tracer import terms, writing
from tracer.cache import READERS
from tracer.model import Document, Heading, Span
from tracer.sections import lineage, section_at
from tracer.sentences import are_mostly_figures, sentences
from tracer.terms import Run, Slot
from tracer.text import VERSION as FOLDING
from tracer.text import comparable

VERSION = 2
"""Raised whenever the tables change, or what is put into them."""

REFERENCES = frozenset({"references", "bibliography"})
MOST_NAMED = 500
"""How many values one question to the index names."""

Item = TypeVar("Item", str, int)

TITLES = 2
"""How many titles around a passage lend it their words. Kept indexes hold them: another number is a new `VERSION`."""

MOST_HEADS = 2
"""How many lines below the caption of a table name its columns."""

NEAR_WEIGHT, TITLE_WEIGHT = 0.3, 0.5
"""What a word of a neighbouring sentence, and one of a title, counts beside one of the passage itself."""

_LETTERS = re.compile(r"[^\W\d_]{2}")
_CAPTION = re.compile(r"tab(?:le|\.)\s*[A-Z]?\.?\d", re.IGNORECASE)

_TABLES = """
CREATE TABLE passage (id INTEGER PRIMARY KEY, sheet INTEGER, start INTEGER, at TEXT, section INTEGER,
    is_reference INTEGER, title TEXT, slots TEXT, text TEXT);
CREATE TABLE token (token TEXT PRIMARY KEY, passages INTEGER) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(slots, near, title, content='', tokenize="unicode61 remove_diacritics 0");
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """A passage: where it begins, the number of its section in its document, its words as tokens.

    `written` has the tokens of each word joined by `|`, and the words by spaces. `at` is the path of a value in a data
    file; `title` holds the tokens of the titles around it, those of a table's caption and column heads among them.
    """

    id: int
    sheet: int
    start: int
    at: str | None
    section: int
    is_reference: bool
    title: Slot
    written: str
    text: str

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The tokens of each word, in order."""
        return tuple(frozenset(slot.split("|")) for slot in self.written.split())

    @property
    def tokens(self) -> Slot:
        """All tokens of the passage."""
        return frozenset(self.written.replace("|", " ").split())

    @property
    def is_row(self) -> bool:
        """Whether it looks like the row of a table."""
        return are_mostly_figures(self.text.split())


# --- a document to passages ----------------------------------------------------------------------------------------


def passages(document: Document) -> tuple[Indexed, ...]:
    """The passages of a document in reading order; the values of a data file where it has any."""
    return tuple(_values(document) if document.values else _with_heads(_sentences(document)))


def _values(document: Document) -> Iterator[Indexed]:
    for position, (path, value) in enumerate(document.values.items()):
        text = f"{path.replace('.', ' ').replace('_', ' ')}: {value}"
        yield Indexed(
            id=position,
            sheet=1,
            start=0,
            at=path,
            section=position,
            is_reference=False,
            title=frozenset(),
            written=_written(terms.slots(text)),
            text=f"{path}: {value}",
        )


def _sentences(document: Document) -> Iterator[Indexed]:
    numbered = {heading: number for number, heading in enumerate(document.headings)}
    titles: dict[int, tuple[Slot, bool]] = {-1: (frozenset(), False)}
    worded = (sentence for sentence in sentences(document) if _LETTERS.search(sentence.text))
    for position, sentence in enumerate(worded):
        span = Span(sheet=sentence.page.sheet, start=sentence.start, end=sentence.start + 1)
        heading = section_at(document.headings, span)
        section = numbered[heading] if heading else -1
        if section not in titles:
            titles[section] = _titles(document, heading)
        title, is_reference = titles[section]
        yield Indexed(
            id=position,
            sheet=sentence.page.sheet,
            start=sentence.start,
            at=None,
            section=section,
            is_reference=is_reference,
            title=title,
            written=_written(terms.slots(sentence.text)),
            text=sentence.text,
        )


def _with_heads(found: Iterable[Indexed]) -> Iterator[Indexed]:
    """Passages, of which the rows below the caption of a table have its words and those of the column heads as titles.

    A table ends with the first passage below its rows that is none, or with the page.
    """
    head: Slot = frozenset()
    sheet, lines = 0, 0
    for passage in found:
        if _CAPTION.match(passage.text):
            head, sheet, lines = passage.tokens, passage.sheet, MOST_HEADS
        elif head and passage.sheet == sheet and passage.is_row:
            passage, lines = replace(passage, title=passage.title | head), 0
        elif passage.sheet == sheet and lines:
            head, lines = head | passage.tokens, lines - 1
        else:
            head = frozenset()
        yield passage


def _titles(document: Document, heading: Heading | None) -> tuple[Slot, bool]:
    """The tokens of the titles of a section and of those around it, and whether it is a list of references."""
    around = list(lineage(document.headings, heading))
    tokens = (slot for each in around[:TITLES] for slot in terms.slots(each.title))
    return frozenset(chain.from_iterable(tokens)), any(comparable(each.title) in REFERENCES for each in around)


# --- the index ----------------------------------------------------------------------------------------------------


class Index:
    """The passages of one document, in a file of the cache or, where there is none, in memory."""

    def __init__(self, document: Document, folder: Path | None) -> None:
        self.document = document
        self._connection = _opened(document, folder)

    @cached_property
    def size(self) -> int:
        """How many passages there are."""
        return int(self._connection.execute("SELECT count(*) FROM passage").fetchone()[0])

    @cached_property
    def usual_length(self) -> float:
        """How many words a passage has on average, at least one."""
        (words,) = self._connection.execute(
            "SELECT avg(length(slots) - length(replace(slots, ' ', ''))) FROM passage"
        ).fetchone()
        return max(1.0, float(words or 0) + 1)

    def counts(self, tokens: Iterable[str]) -> Mapping[str, int]:
        """How many passages hold each token."""
        found: dict[str, int] = {}
        for some in _batches(tokens):
            query = f"SELECT token, passages FROM token WHERE token IN ({_marks(some)})"  # noqa: S608 -- question marks alone
            found |= dict(self._connection.execute(query, some).fetchall())
        return found

    def candidates(self, runs: Iterable[Run], most: int) -> tuple[int, ...]:
        """The passages that BM25 puts first for any of the runs, its neighbours and titles counting less."""
        match = " OR ".join(dict.fromkeys(filter(None, map(_matching, runs))))
        if not match:
            return ()
        query = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 1, ?, ?), rowid LIMIT ?"
        rows = self._connection.execute(query, (match, NEAR_WEIGHT, TITLE_WEIGHT, most))
        return tuple(row[0] for row in rows)

    def passages(self, ids: Iterable[int]) -> Mapping[int, Indexed]:
        """Passages by their number; those that there are not are left out."""
        found: dict[int, Indexed] = {}
        for some in _batches(ids):
            query = f"SELECT * FROM passage WHERE id IN ({_marks(some)})"  # noqa: S608 -- question marks alone
            found |= {row[0]: _unpacked(row) for row in self._connection.execute(query, some)}
        return found

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _matching(run: Run) -> str:
    """A run in the language of the index, where a compound stands in one as well, and so between its parts."""
    words = [f'"{token}"' for token in (token.replace('"', "") for token in run) if token]
    return f"NEAR({' '.join(words)}, {2 * len(words)})" if len(words) > 1 else "".join(words)


def _batches(items: Iterable[Item]) -> Iterator[tuple[Item, ...]]:
    """Items, each once, in runs that one question may name."""
    waiting = iter(dict.fromkeys(items))
    while some := tuple(islice(waiting, MOST_NAMED)):
        yield some


def _marks(items: Sequence[object]) -> str:
    return ", ".join("?" * len(items))


def _unpacked(row: tuple[int, int, int, str | None, int, int, str, str, str]) -> Indexed:
    identity, sheet, start, at, section, is_reference, title, written, text = row
    return Indexed(
        id=identity,
        sheet=sheet,
        start=start,
        at=at,
        section=section,
        is_reference=bool(is_reference),
        title=frozenset(title.split()),
        written=written,
        text=text,
    )


def _opened(document: Document, folder: Path | None) -> sqlite3.Connection:
    """The index as it is kept, else made anew; one that cannot be kept is made in memory."""
    path = folder / "passages" / f"{_key(document)}.sqlite" if folder and document.sha256 else None
    if path is not None:
        with suppress(sqlite3.Error, OSError):
            return _kept(path) or _made(document, path)
    return _filled(sqlite3.connect(":memory:"), document)


def _key(document: Document) -> str:
    """The name of an index: the bytes, the reading of them, and the versions of all that makes it."""
    made_by = f"{document.kind} {document.headings_by} {READERS} {FOLDING} {terms.VERSION} {VERSION}"
    return f"{document.sha256}-{hashlib.sha256(made_by.encode()).hexdigest()[:12]}"


def _kept(path: Path) -> sqlite3.Connection | None:
    if not path.is_file():
        return None
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        (whole,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        whole = 0
    if whole == VERSION:
        return connection
    connection.close()
    return None


def _made(document: Document, path: Path) -> sqlite3.Connection:
    """An index that takes its place whole, so that two who make it do not meet, and that of other versions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing.replacing(path) as part:
        _filled(sqlite3.connect(part), document).close()
    for other in path.parent.glob(f"{document.sha256}-*.sqlite"):
        if other != path:
            with suppress(OSError):
                other.unlink()
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _filled(connection: sqlite3.Connection, document: Document) -> sqlite3.Connection:
    """An empty database with the passages of a document written into it."""
    found = passages(document)
    counted: dict[str, int] = {}
    for passage in found:
        for token in passage.tokens:
            counted[token] = counted.get(token, 0) + 1
    connection.executescript(_TABLES)
    connection.executemany("INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", map(_packed, found))
    connection.executemany("INSERT INTO token VALUES (?, ?)", sorted(counted.items()))
    connection.executemany("INSERT INTO words (rowid, slots, near, title) VALUES (?, ?, ?, ?)", _words(found))
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.commit()
    return connection


def _packed(passage: Indexed) -> tuple[object, ...]:
    return (
        passage.id,
        passage.sheet,
        passage.start,
        passage.at,
        passage.section,
        passage.is_reference,
        " ".join(sorted(passage.title)),
        passage.written,
        passage.text,
    )


def _written(slots: Iterable[Slot]) -> str:
    return " ".join("|".join(sorted(slot)) for slot in slots)


def _words(found: Sequence[Indexed]) -> Iterator[tuple[int, str, str, str]]:
    for position, passage in enumerate(found):
        beside = [each for each in found[max(0, position - 1) : position + 2] if each is not passage]
        near = " ".join(each.written for each in beside if each.section == passage.section)
        yield passage.id, passage.written, near, " ".join(sorted(passage.title))
