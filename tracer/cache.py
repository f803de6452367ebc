"""What was read, kept by the sha256 of its bytes and the versions that read it, in one SQLite file.

A cache that cannot be used is done without: every fault is said once in `warnings` and the work goes on.
"""

import hashlib
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from tracer import text
from tracer.releases import release

Result = TypeVar("Result")

CACHE_VARIABLE = "TRACER_CACHE"

SCHEMA = 2
"""The version of the tables; a file of another version is left alone."""

SECONDS = 10
"""How long another audit may keep the cache to itself."""

_TABLES = """
CREATE TABLE document (key TEXT PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE page (key TEXT, sheet INTEGER, record BLOB NOT NULL, PRIMARY KEY (key, sheet));
CREATE TABLE ledger (key TEXT PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE file (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID;
"""


def cache_folder() -> Path:
    """Where what was read is kept: `TRACER_CACHE`, else the platform's folder for it."""
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named).expanduser()
    import platformdirs

    return platformdirs.user_cache_path("tracer", appauthor=False)


class Cache:
    """A connection to the cache, opened when first used; `folder=None` means no cache at all."""

    def __init__(self, folder: Path | None) -> None:
        self.path = folder / f"readings-{SCHEMA}.sqlite" if folder else None
        self.warnings: list[str] = []
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def document(self, key: str) -> tuple[bytes, tuple[bytes, ...]] | None:
        """A packed document and its packed pages, or None."""

        def find(connection: sqlite3.Connection) -> tuple[bytes, tuple[bytes, ...]] | None:
            row = connection.execute("SELECT record FROM document WHERE key = ?", (key,)).fetchone()
            return (_unsealed(row[0]), _pages(connection, key)) if row else None

        return self._run(find, None)

    def has_document(self, key: str) -> bool:
        """Whether a document is kept."""
        query = "SELECT 1 FROM document WHERE key = ?"
        return self._run(lambda connection: connection.execute(query, (key,)).fetchone(), None) is not None

    def has_documents(self) -> bool:
        """Whether any document is kept."""
        query = "SELECT 1 FROM document LIMIT 1"
        return self._run(lambda connection: connection.execute(query).fetchone(), None) is not None

    def pages(self, key: str) -> tuple[bytes, ...]:
        """The packed pages that are kept under a key, by sheet."""
        return self._run(lambda connection: _pages(connection, key), ())

    def page(self, key: str, sheet: int) -> bytes | None:
        """What is kept of one sheet under a key."""
        return self._record("SELECT record FROM page WHERE key = ? AND sheet = ?", key, sheet)

    def keep(self, key: str, document: bytes, pages: Sequence[tuple[int, bytes]]) -> None:
        """Keep a packed document and its packed pages."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO document VALUES (?, ?)", (key, _sealed(document)))
            _keep_pages(connection, key, pages)

        self._run(write, None)

    def keep_pages(self, key: str, pages: Sequence[tuple[int, bytes]]) -> None:
        """Keep packed pages alone."""
        self._run(lambda connection: _keep_pages(connection, key, pages), None)

    def ledger_file(self, key: str) -> bytes | None:
        """What is kept of a file of a ledger."""
        return self._record("SELECT record FROM ledger WHERE key = ?", key)

    def keep_ledger_files(self, records: Mapping[str, bytes]) -> None:
        """Keep files of a ledger, packed, by their keys."""
        rows = [(key, _sealed(record)) for key, record in records.items()]
        statement = "INSERT OR REPLACE INTO ledger VALUES (?, ?)"
        self._run(lambda connection: connection.executemany(statement, rows), None)

    def sha256(self, path: str, stamp: str) -> str | None:
        """The sha256 of a file whose path, size and times are those seen before."""
        query = "SELECT sha256 FROM file WHERE path = ? AND stamp = ?"
        row = self._run(lambda connection: connection.execute(query, (path, stamp)).fetchone(), None)
        return str(row[0]) if row else None

    def keep_sha256(self, path: str, stamp: str, sha256: str) -> None:
        """Keep a file's sha256 under its path, size and times."""
        statement = "INSERT OR REPLACE INTO file VALUES (?, ?, ?)"
        self._run(lambda connection: connection.execute(statement, (path, stamp, sha256)), None)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    def _record(self, query: str, *key: object) -> bytes | None:
        """The one record that a query finds."""

        def find(connection: sqlite3.Connection) -> bytes | None:
            row = connection.execute(query, key).fetchone()
            return _unsealed(row[0]) if row else None

        return self._run(find, None)

    def _run(self, work: Callable[[sqlite3.Connection], Result], otherwise: Result) -> Result:
        """Do one piece of work in a transaction; a cache that fails is given up for this run."""
        with self._lock:
            connection = self._connection or self._open()
            try:
                with connection:
                    return work(connection)
            except sqlite3.Error as error:
                self._give_up(error)
                return otherwise

    def _open(self) -> sqlite3.Connection:
        try:
            self._connection = _connect(self.path)
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
        return self._connection or self._without()

    def _without(self) -> sqlite3.Connection:
        if self._connection:
            self._connection.close()
        self.path = None
        self._connection = _connect(None)
        return self._connection

    def _give_up(self, error: Exception) -> None:
        if self.path:
            is_damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
            hint = "; delete it to start a new one" if is_damaged else ""
            self.warnings.append(f"the cache {self.path} is not used: {error}{hint}")
        self._without()


def _sealed(record: bytes) -> bytes:
    """A record behind its checksum: a disk that loses a bit must not change what a source says."""
    return zlib.crc32(record).to_bytes(4, "big") + record


def _unsealed(sealed: bytes) -> bytes:
    record = sealed[4:]
    if sealed[:4] != zlib.crc32(record).to_bytes(4, "big"):
        raise sqlite3.DatabaseError("a record in it is damaged")
    return record


def _pages(connection: sqlite3.Connection, key: str) -> tuple[bytes, ...]:
    rows = connection.execute("SELECT record FROM page WHERE key = ? ORDER BY sheet", (key,))
    return tuple(_unsealed(record) for (record,) in rows)


def _keep_pages(connection: sqlite3.Connection, key: str, pages: Sequence[tuple[int, bytes]]) -> None:
    rows = [(key, sheet, _sealed(record)) for sheet, record in pages]
    connection.executemany("INSERT OR REPLACE INTO page VALUES (?, ?, ?)", rows)


def _connect(path: Path | None) -> sqlite3.Connection:
    """The cache's file, or one of this process alone that is gone with it: in memory while small, then on disk."""
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path or "", timeout=SECONDS, check_same_thread=False)
    try:
        _prepare(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found == 0:
        _make_tables(connection)
    elif found != SCHEMA:
        raise sqlite3.DatabaseError(f"it is of version {found}, this is version {SCHEMA}")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Readers beside a writer; two that ask for it on a new file refuse each other at once, so they ask again."""
    until = time.monotonic() + SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _make_tables(connection: sqlite3.Connection) -> None:
    """The tables, made once: of two that begin at the same moment, the second finds them made."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")


def ledger_key(sha256: str) -> str:
    """The key of a file of a ledger that holds no mistake: its bytes, and what says what a mistake is."""
    return f"{sha256} {_ledger_rules()}"


@cache
def _ledger_rules() -> str:
    digest = hashlib.sha256()
    for name in ("yamlfile", "written", "shapes", "mistakes"):
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return digest.hexdigest()


def reading_key(sha256: str, kind: str, *, depth: str = "plain") -> str:
    """The key of a reading: the bytes, how they were read, and by which versions of what."""
    libraries = " ".join(map(release, _LIBRARIES.get(kind, ()))) or "-"
    return f"{sha256} {kind} {depth} {libraries} {READERS} {text.VERSION}"


_LIBRARIES = {
    "pdf": ("pypdfium2", "pypdf"),
    "html": ("selectolax",),
    "markdown": ("markdown-it-py",),
    "picture": ("pypdfium2", "pillow"),
}


READERS = 18
"""Raised whenever a reader changes what it reads from the same bytes."""
