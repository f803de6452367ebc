"""A pinned source to its file on disk: by the name in `file`, else by its sha256 in the source folders."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from tracer.cache import Cache
from tracer.model import Source, Unread
from tracer.settings import Settings

SOURCES_VARIABLE = "TRACER_SOURCES"

LARGEST = 1 << 29
"""The most bytes of a file that is read or looked at for its sha256 (512 MiB)."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A source's file on disk and the sha256 of its bytes."""

    path: Path
    sha256: str


class Shelf:
    """The files of a project's sources: those in the project, and those in some folders, each looked at once."""

    def __init__(self, settings: Settings, folders: Sequence[Path], cache: Cache) -> None:
        self._settings = settings
        self._folders = folders
        self._cache = cache
        self._by_sha256: dict[str, Path] = {}
        self._unhashed: Iterator[Path] | None = None

    def add(self, found: Found) -> None:
        """A file that is found by its sha256 from now on."""
        self._by_sha256[found.sha256] = found.path

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
        path = self._settings.root / name
        try:
            if not self._settings.allows(path):
                reason = f"its file {name} is outside of the project"
                return Unread(kind="refused", reason=reason, hint="name its folder under `allow` in tracer.toml")
            if path.is_file():
                return self.there(path)
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links that lead to each other
            return Unread(kind="broken", reason=f"its file {name} cannot be read: {said(error)}")
        other = self._by_hash(source.sha256) if source.sha256 else None
        return Found(path=other, sha256=source.sha256) if other and source.sha256 else _misnamed(source, path, name)

    def there(self, path: Path) -> Found | Unread:
        """A file with its sha256, unless it is too large; raises `OSError`."""
        if path.stat().st_size > LARGEST:
            return Unread(kind="limit", reason=f"it has more than {LARGEST >> 20} MiB")
        return Found(path=path, sha256=self._sha256(path))

    def _by_hash(self, sha256: str) -> Path | None:
        """The first file of the source folders with these bytes; each file is looked at once."""
        if self._unhashed is None:
            self._unhashed = iter(sorted(_files(self._folders), key=lambda path: sha256[:16] not in path.name))
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
        known = self._cache.sha256(key, stamp)
        if known:
            return known
        sha256 = sha256_of(path)
        self._cache.keep_sha256(key, stamp, sha256)
        return sha256


def sha256_of(path: Path) -> str:
    """The sha256 of a file's bytes, as 64 hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def named_folders() -> Iterator[Path]:
    """The folders that `TRACER_SOURCES` names."""
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


def said(error: Exception) -> str:
    """What an error says of a file, in words."""
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
