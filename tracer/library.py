"""Pinned sources to documents: read once per bytes, several side by side."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from tracer.cache import Cache, cache_folder, reading_key
from tracer.locating import Found, Shelf, named_folders, said
from tracer.model import Document, Page, Source, Unread
from tracer.progress import Progress
from tracer.readers import Unreadable, apart, kind_of, packing, reader_of
from tracer.settings import Settings

FEWEST_SHEETS = 8
"""How many sheets are worth a reading process of their own."""

MOST_CLOSE_PAGES = 400
"""Documents of more pages are not read closely throughout."""

ZIP, OLE = b"PK\x03\x04", bytes.fromhex("d0cf11e0a1b11ae1")
"""How the files of office programs begin, new and old ones."""

OFFICE = (".doc", ".docx", ".odt", ".ppt", ".pptx", ".odp", ".xls", ".xlsx", ".ods", ".epub", ".pages", ".key")

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
        self.store = cache_folder() / "sources"
        self.folders = (*folders, *settings.sources, *named_folders(), self.store)
        self.jobs = jobs or os.cpu_count() or 1
        self.cache = cache or Cache(cache_folder() if is_cached else None)
        self._shelf = Shelf(settings, self.folders, self.cache)
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
            (source.id, self._begin(pool, there, self.jobs if source.id in last else 1)) for source, there in found
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

    def find(self, source: Source) -> Found | Unread:
        """The file of a source: the one that `file` names, else one with its sha256 in the source folders."""
        return self._shelf.find(source)

    def read(self, path: Path) -> Document | Unread:
        """Any file as read; a source with its sha256 and without a `file` is found there from then on."""
        try:
            found = self._shelf.there(path)
        except OSError as error:
            return Unread(kind="broken", reason=f"the file {path.name} cannot be read: {said(error)}")
        if isinstance(found, Unread):
            return found
        self._shelf.add(found)
        return self._kept(found) or self._read(found, self.jobs)

    def _is_to_be_read(self, found: Found | Unread) -> bool:
        """Whether a PDF is not kept: it will take a process of its own."""
        if isinstance(found, Unread) or found.path.suffix.lower() != ".pdf":
            return False
        return not self.cache.has_document(reading_key(found.sha256, "pdf"))

    def _begin(self, pool: ThreadPoolExecutor, found: Found | Unread, processes: int) -> "Future[Document | Unread]":
        if isinstance(found, Unread):
            return _done(found)
        kept = self._kept(found)
        return _done(kept) if kept else pool.submit(self._read, found, processes)

    # --- reading ------------------------------------------------------------------------------------------------

    def _kept(self, found: Found) -> Document | Unread | None:
        try:
            kept = self.cache.document(reading_key(found.sha256, _kind(found.path)))
        except OSError as error:
            return Unread(kind="broken", reason=f"its file cannot be read: {said(error)}")
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
            return Unread(kind="broken", reason=f"its file cannot be read: {said(error)}")
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
        self._shelf.add(Found(path=path, sha256=source.sha256 or ""))
        return path

    def stop(self) -> None:
        """Give up all reading at once, for the run was interrupted."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        apart.processes.stop()

    def close(self) -> None:
        """Let go of the cache."""
        self.cache.close()


def _done(read: Document | Unread) -> "Future[Document | Unread]":
    future: Future[Document | Unread] = Future()
    future.set_result(read)
    return future


def _first(_: Sequence[_Begun]) -> int:
    return 0


def _first_done(waiting: Sequence[_Begun]) -> int:
    """The place of the first one that was read, which is waited for."""
    done = wait([future for _, future in waiting], return_when=FIRST_COMPLETED).done
    return next(place for place, (_, future) in enumerate(waiting) if future in done)


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
