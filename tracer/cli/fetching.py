"""Sources of a ledger to their bytes on disk, and bytes on disk to the pin of a source."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.cli.console import CLEAN, NOTHING
from tracer.cli.pinning import doubts, new_pin, pin_changes
from tracer.cli.project import Project
from tracer.library import Library
from tracer.locating import sha256_of
from tracer.model import Failure, Ledger, Source, Unread

if TYPE_CHECKING:
    from tracer.editing import Change


def fetch(project: Project, names: Sequence[str]) -> int:
    """Downloads the sources of these names, or all that are missing; goes on when one cannot be had."""
    with project.library() as library:
        sources = [project.source(name) for name in names] or list(missing(project.ledger, library))
        had = [fetch_one(library, source) for source in sources]
    if not sources:
        console.say("nothing is missing: every pinned source with a url is on disk\n")
    return CLEAN if all(had) else NOTHING


def fetch_one(library: Library, source: Source) -> bool:
    """Downloads one source and says where it is, or says why it cannot be had."""
    try:
        with console.progress(f"fetching {source.id}", unit="bytes") as step:
            path = library.fetch(source, progress=step)
    except Failure as failure:
        console.complain(str(failure))
        return False
    console.say(f"{source.id}: {path}\n")
    return True


def missing(ledger: Ledger, library: Library) -> Iterator[Source]:
    """The pinned sources that are not on disk and can be downloaded."""
    for source in ledger.sources.values():
        if source.url and source.sha256 and not source.broken and isinstance(library.find(source), Unread):
            yield source


def pin(project: Project, name: str, file: Path | None) -> None:
    """Writes the sha256 of a source's bytes into the ledger, and the path of its file; a pin that it had is kept.

    Any bytes can be pinned; what will keep an audit from reading them is said.
    """
    source = project.source(name)
    path = bytes_of(project, source, file)
    try:
        sha256 = sha256_of(path)
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}") from error
    new = new_pin(source, sha256, None if source.sha256 else source.revision)
    changes = list(pin_changes(project, source, new, path))
    if changes:
        project.edit(source.places.path, *changes)
        console.say(f"{name}: sha256 {sha256} of {path}, written to {source.places.path}\n")
        console.say("".join(f"  {beside}\n" for beside in map(besides, changes) if beside))
    else:
        console.say(f"{name} is pinned to these bytes already\n")
    for doubt in doubts(project, source, sha256, path):
        console.complain(doubt)


def besides(change: "Change") -> str | None:
    """What a pin changed beside the sha256."""
    if isinstance(change.value, str):
        return f"{change.field}: {change.value}" if change.field != "sha256" else None
    return f"{change.field}: the pin it had, {change.value['name']}, is kept"


def bytes_of(project: Project, source: Source, file: Path | None) -> Path:
    """The file to pin a source to: the one that is named, else the `file` of the source."""
    if file is None and source.file is None:
        raise Failure(f"source {source.id} names no file: write `tracer pin {source.id} FILE`")
    path = project.here / file if file is not None else project.settings.root / str(source.file)
    if file is None and not project.settings.allows(path):
        raise Failure(f"the file of {source.id}, {source.file}, is outside of the project: name it after the source")
    if not path.is_file():
        raise Failure(f"there is no file {path}: name the file that holds the source's bytes")
    return path
