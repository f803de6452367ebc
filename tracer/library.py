"""Pinned sources to documents: found by `file` or by sha256, read once per bytes, several side by side."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath

from tracer.cache import Cache, cache_folder, reading_key
from tracer.model import Document, Page, Source, Unread
from tracer.progress import Progress
from tracer.readers import Unreadable, apart, kind_of, packing, reader_of
from tracer.settings import Settings

SOURCES_VARIABLE = "TRACER_SOURCES"

LARGEST = 1 << 29
"""The most bytes of a file that is read or looked at for its sha256 (512 MiB)."""

FEWEST_SHEETS = 8
"""How many sheets are worth a reading process of their own."""

MOST_CLOSE_PAGES = 400
"""Documents of more pages are not read closely throughout."""

ZIP, OLE = b"PK\x03\x04", bytes.fromhex("d0cf11e0a1b11ae1")
"""How the files of office programs begin, new and old ones."""

OFFICE = (".doc", ".docx", ".odt", ".ppt", ".pptx", ".odp", ".xls", ".xlsx", ".ods", ".epub", ".pages", ".key")

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A source's file on disk and the sha256 of its bytes."""

    path: Path
    sha256: str


_Read = tuple[str, Document | Unread]
_Begun = tuple[str, "Future[Document | Unread]"]


class Library:
    """The sources of one project; `jobs` of them are read side by side (default: one for each core)."""

    def __init__(
        self,
        settings: Settings,
        *,
        folders: Sequence[Path] = (),
        jobs: int | None = None,
        is_cached: bool = True,
        cache: Cache | None = None,
    ) -> None:
        self.settings = settings
        self.store = cache_folder() / "sources"
        self.folders = (*folders, *settings.sources, *_named_folders(), self.store)
        self.jobs = jobs or os.cpu_count() or 1
        self.cache = cache or Cache(cache_folder() if is_cached else None)
        self._by_sha256: dict[str, Path] = {}
        self._unhashed: Iterator[Path] | None = None
        self._pools: list[ThreadPoolExecutor] = []

    def get_ready(self) -> None:
        """Start what reads PDFs, before the sources are known, where nothing was kept and so all will be read."""
        if not self.cache.has_documents():
            apart.processes.get_ready()

    def documents(self, sources: Iterable[Source]) -> Iterator[_Read]:
        """Every source as read, in the order given; at most `jobs` are read at a time, and few wait to be taken.

        Reading begins at once, before the first is asked for. Several processes share a large file when no others wait.
        """
        return self._taken(sources, _first)

    def documents_as_read(self, sources: Iterable[Source]) -> Iterator[_Read]:
        """The same, each source as soon as it was read."""
        return self._taken(sources, _first_done)

    def _taken(self, sources: Iterable[Source], choice: Callable[[Sequence[_Begun]], int]) -> Iterator[_Read]:
        found = [(source, self.find(source)) for source in sources]
        last = [source.id for source, there in found if self._is_to_be_read(there)][-self.jobs :]
        self._pools.append(pool := ThreadPoolExecutor(max_workers=self.jobs))
        begun = (
            (source.id, self._begin(pool, source, there, self.jobs if source.id in last else 1))
            for source, there in found
        )
        return self._chosen(pool, list(islice(begun, 2 * self.jobs)), begun, choice)

    def _chosen(
        self,
        pool: ThreadPoolExecutor,
        waiting: list[_Begun],
        begun: Iterator[_Begun],
        choice: Callable[[Sequence[_Begun]], int],
    ) -> Iterator[_Read]:
        with pool:
            try:
                while waiting:
                    name, future = waiting.pop(choice(waiting))
                    yield name, future.result()
                    waiting.extend(islice(begun, 1))
            except KeyboardInterrupt:
                self.stop()
                raise

    def document(self, source: Source) -> Document | Unread:
        """One source as read."""
        return next(iter(self.documents([source])))[1]

    def read(self, path: Path) -> Document | Unread:
        """Any file as read; a source with its sha256 and without a `file` is found there from then on."""
        try:
            found = self._there(path)
        except OSError as error:
            return Unread(kind="broken", reason=f"the file {path.name} cannot be read: {_said(error)}")
        if isinstance(found, Unread):
            return found
        self._by_sha256[found.sha256] = path
        return self._kept(found) or self._read(found, self.jobs)

    def _is_to_be_read(self, found: Found | Unread) -> bool:
        """Whether a PDF is not kept: it will take a process of its own."""
        if isinstance(found, Unread) or found.path.suffix.lower() != ".pdf":
            return False
        return not self.cache.has_document(reading_key(found.sha256, "pdf"))

    def _begin(
        self, pool: ThreadPoolExecutor, source: Source, found: Found | Unread, processes: int
    ) -> "Future[Document | Unread]":
        known = found if isinstance(found, Unread) else self._kept(found)
        if known is None and isinstance(found, Found):
            return pool.submit(self._read, found, processes)
        future: Future[Document | Unread] = Future()
        future.set_result(known or _absent(source))
        return future

    # --- finding ------------------------------------------------------------------------------------------------

    def find(self, source: Source) -> Found | Unread:
        """The file of a source: the one that `file` names, else one with its sha256 in the source folders."""
        if source.file:
            return self._named(source, source.file)
        if not source.sha256:
            return Unread(
                kind="absent", reason="it names neither a file nor a sha256", hint=f"tracer pin {source.id} FILE"
            )
        path = self._by_hash(source.sha256)
        return Found(path=path, sha256=source.sha256) if path else _absent(source)

    def _named(self, source: Source, name: str) -> Found | Unread:
        path = self.settings.root / name
        try:
            if not self.settings.allows(path):
                reason = f"its file {name} is outside of the project"
                return Unread(kind="refused", reason=reason, hint="name its folder under `allow` in tracer.toml")
            if path.is_file():
                return self._there(path)
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links that lead to each other
            return Unread(kind="broken", reason=f"its file {name} cannot be read: {_said(error)}")
        other = self._by_hash(source.sha256) if source.sha256 else None
        return Found(path=other, sha256=source.sha256) if other and source.sha256 else _misnamed(source, path, name)

    def _there(self, path: Path) -> Found | Unread:
        if path.stat().st_size > LARGEST:
            return Unread(kind="limit", reason=f"it has more than {LARGEST >> 20} MiB")
        return Found(path=path, sha256=self._sha256(path))

    def _by_hash(self, sha256: str) -> Path | None:
        """The first file of the source folders with these bytes; each file is looked at once."""
        if self._unhashed is None:
            self._unhashed = iter(sorted(_files(self.folders), key=lambda path: sha256[:16] not in path.name))
        while sha256 not in self._by_sha256:
            path = next(self._unhashed, None)
            if path is None:
                return None
            try:
                self._by_sha256.setdefault(self._sha256(path), path)
            except OSError:
                continue
        return self._by_sha256[sha256]

    def _sha256(self, path: Path) -> str:
        """The sha256 of a file; one whose path, size and times were seen before is not read again."""
        status = path.stat()
        stamp = f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
        key = str(path.absolute())
        known = self.cache.sha256(key, stamp)
        if known:
            return known
        sha256 = sha256_of(path)
        self.cache.keep_sha256(key, stamp, sha256)
        return sha256

    # --- reading ------------------------------------------------------------------------------------------------

    def _kept(self, found: Found) -> Document | Unread | None:
        try:
            kept = self.cache.document(reading_key(found.sha256, _kind(found.path)))
        except OSError as error:
            return Unread(kind="broken", reason=f"its file cannot be read: {_said(error)}")
        document = packing.unpack_document(kept[0], tuple(map(packing.unpack_page, kept[1]))) if kept else None
        return document if document and document.sha256 == found.sha256 else None

    def _read(self, found: Found, processes: int) -> Document | Unread:
        """What is read is kept under the sha256 of the bytes that were read: a file may change under our hands."""
        try:
            kind = _kind(found.path)
            packed, pages = _packed(found.path, kind, processes)
        except Unreadable as unreadable:
            return unreadable.unread
        except OSError as error:
            return Unread(kind="broken", reason=f"its file cannot be read: {_said(error)}")
        document = packing.unpack_document(packed, tuple(map(packing.unpack_page, pages)))
        self.cache.keep(reading_key(document.sha256, kind), packed, list(enumerate(pages, start=1)))
        return document

    def closer(self, source: Source, document: Document, sheets: Iterable[int]) -> Document:
        """The document with the readings of some pages that need the place of every glyph; it is read when not kept."""
        found = self.find(source)
        wanted = {page.sheet for page in document.pages} & set(sheets)
        if document.kind != "pdf" or isinstance(found, Unread) or not wanted:
            return document
        key = reading_key(found.sha256, "pdf", depth="closer")
        kept = {page.sheet: page for page in map(packing.unpack_page, self.cache.pages(key)) if page.sheet in wanted}
        missing = sorted(wanted - kept.keys())
        if missing:
            kept |= self._read_closer(found, key, missing)
        return replace(document, pages=tuple(_joined(page, kept.get(page.sheet)) for page in document.pages))

    def closer_throughout(self, source: Source, document: Document) -> Document:
        """The document with the closer readings of all its pages, unless they are too many."""
        if len(document.pages) > MOST_CLOSE_PAGES:
            return document
        return self.closer(source, document, range(1, len(document.pages) + 1))

    def _read_closer(self, found: Found, key: str, sheets: Sequence[int]) -> Mapping[int, Page]:
        """The closer readings of some sheets; a file that cannot be read so says why, on each of them."""
        try:
            packed = self._closer(found.path, sheets)
        except Unreadable as unreadable:
            reason = f"it could not be read closely: {unreadable}"
            return {sheet: Page(sheet=sheet, label=None, text="", unreadable=reason) for sheet in sheets}
        pages = [packing.unpack_page(record) for record in packed]
        self.cache.keep_pages(key, [(page.sheet, record) for page, record in zip(pages, packed, strict=True)])
        return {page.sheet: page for page in pages}

    def _closer(self, path: Path, sheets: Sequence[int]) -> tuple[bytes, ...]:
        """Sheets read closely, by several processes where they are many: it takes thrice as long as plain reading."""
        share = max(FEWEST_SHEETS, -(-len(sheets) // self.jobs))
        shares = [sheets[first : first + share] for first in range(0, len(sheets), share)]
        with ThreadPoolExecutor(max_workers=self.jobs) as pool:
            return tuple(record for records in pool.map(partial(apart.closer, path), shares) for record in records)

    # --- fetching -----------------------------------------------------------------------------------------------

    def fetch(self, source: Source, *, progress: Progress | None = None) -> Path:
        """Download a pinned source into the cache, unless its bytes are on disk; raises `Failure`."""
        found = self.find(source)
        if isinstance(found, Found) and found.sha256 == source.sha256:
            return found.path
        from tracer.fetching import fetch

        path = fetch(source, self.store, progress=progress)
        self._by_sha256[source.sha256 or ""] = path
        return path

    def stop(self) -> None:
        """Give up all reading at once, for the run was interrupted."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        apart.processes.stop()

    def close(self) -> None:
        """Let go of the cache."""
        self.cache.close()


def _first(_: Sequence[_Begun]) -> int:
    return 0


def _first_done(waiting: Sequence[_Begun]) -> int:
    """The place of the first one that was read, which is waited for."""
    done = wait([future for _, future in waiting], return_when=FIRST_COMPLETED).done
    return next(place for place, (_, future) in enumerate(waiting) if future in done)


def sha256_of(path: Path) -> str:
    """The sha256 of a file's bytes, as 64 hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _named_folders() -> Iterator[Path]:
    for name in os.environ.get(SOURCES_VARIABLE, "").split(os.pathsep):
        if name:
            yield Path(name).expanduser()


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    """The files below some folders that may be sources; hidden ones and links to folders are passed over."""
    for folder in folders:
        for parent, children, names in os.walk(folder):
            children[:] = sorted(child for child in children if not child.startswith("."))
            for name in sorted(names):
                path = Path(parent, name)
                if not name.startswith(".") and _may_be_source(path):
                    yield path


def _may_be_source(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST


def _said(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _absent(source: Source) -> Unread:
    hint = f"tracer fetch {source.id}" if source.url else "name the folder of its file with --sources or TRACER_SOURCES"
    return Unread(kind="absent", reason="it is not on disk", hint=hint)


def _misnamed(source: Source, path: Path, name: str) -> Unread:
    """What is said of a file that is not there, with the one whose name differs in case only, if there is one."""
    if path.is_dir():
        return Unread(kind="absent", reason=f"its file {name} is a folder", hint="name a file in it")
    alike = _but_for_case(name, path)
    if alike:
        return Unread(kind="absent", reason=f"there is no file {name}, but one named {alike}", hint=f"file: {alike}")
    return replace(_absent(source), reason=f"its file {name} is not on disk")


def _but_for_case(name: str, path: Path) -> str | None:
    """The name under which a file is there, each part of it compared without its case."""
    parts = PurePosixPath(name).parts
    folder = path.parents[len(parts) - 1]
    found: list[str] = []
    for part in parts:
        try:
            names = sorted(sibling.name for sibling in folder.iterdir())
        except OSError:
            return None
        right = part if part in {*names, ".."} else _alike(part, names)
        if right is None:
            return None
        folder /= right
        found.append(right)
    return "/".join(found) if folder.is_file() else None


def _alike(part: str, names: Iterable[str]) -> str | None:
    return next((name for name in names if name.casefold() == part.casefold()), None)


def _packed(path: Path, kind: str, processes: int) -> tuple[bytes, tuple[bytes, ...]]:
    """A file read, packed; a PDF in processes of its own."""
    if kind == "pdf" and not path.stat().st_size:
        raise Unreadable("broken", "it is empty", "copy or fetch it again")
    if kind == "pdf":
        return apart.read(path, processes)
    data = path.read_bytes()
    refuse_office(path, data)
    document = replace(reader_of(kind).read(data), sha256=hashlib.sha256(data).hexdigest())
    return packing.pack_document(document), tuple(packing.pack_page(_with_readings(page)) for page in document.pages)


def refuse_office(path: Path, data: bytes) -> None:
    """Raises `Unreadable` for the files of office programs and for archives, which no reader would make sense of."""
    if not data.startswith((ZIP, OLE)):
        return
    suffix = path.suffix.lower()
    is_word = suffix in (".doc", ".docx") or (suffix not in OFFICE and b"word/document.xml" in data)
    what = "Word files" if is_word else f"{suffix} files" if suffix in OFFICE else "archives"
    hint = "unpack it" if what == "archives" else "export it as PDF"
    raise Unreadable("broken", f"{what} are not read", hint)


def _kind(path: Path) -> str:
    """How a file is read: by its name, else by its first bytes; a PDF that is kept is not even opened."""
    if path.suffix.lower() == ".pdf":
        return "pdf"
    with path.open("rb") as file:
        head = file.read(1024)
    return kind_of(path.name, head)


def _with_readings(page: Page) -> Page:
    from tracer.readers.marks import flowing_readings

    return replace(page, readings=tuple(flowing_readings(page.text)))


def _joined(page: Page, closer: Page | None) -> Page:
    if closer is None:
        return page
    from tracer.readers.marks import with_bodies

    readings = tuple(with_bodies(page.readings, closer.readings, page.text))
    return replace(page, readings=readings, unreadable=page.unreadable or closer.unreadable)
