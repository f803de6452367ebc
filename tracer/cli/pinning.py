"""A source and the bytes that it is to be pinned to, to the changes of its record: the old pin is never lost."""

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.cli.project import Project
from tracer.locating import sha256_of
from tracer.model import SHORT, Failure, Revision, Source, Unread

if TYPE_CHECKING:
    from tracer.editing import Change


def new_pin(source: Source, sha256: str, name: str | None) -> Revision:
    """The name of the new revision: the one that is given, the one it had before, else the start of its sha256."""
    pins = (Revision(name=source.revision or "", sha256=source.sha256 or ""), *source.revisions)
    known = next((pin.name for pin in pins if pin.sha256 == sha256 and pin.name), None)
    return Revision(name=name or known or sha256[:SHORT], sha256=sha256)


def pin_changes(project: Project, source: Source, new: Revision, file: Path) -> "Iterator[Change]":
    """The changes to the source: its pin, its file where it names one, and the pin that it had."""
    from tracer.editing import Change

    old = source.pin
    fields = {"revision": (source.revision, new.name), "sha256": (source.sha256, new.sha256)}
    if source.file:
        fields["file"] = (source.file, file_of(project, source, new.sha256, file))
    for field, (before, after) in fields.items():
        if before != after and not (field == "revision" and before is None and after == new.sha256[:SHORT]):
            yield Change(key="sources", id=source.id, field=field, value=after)
    kept = {revision.sha256 for revision in source.revisions}
    if old and old.sha256 != new.sha256 and old.sha256 not in kept:
        today = datetime.now(UTC).astimezone().date().isoformat()
        item = {"name": old.name, "sha256": old.sha256, "seen": today}
        yield Change(key="sources", id=source.id, field="revisions", value=item, appends=True)


def file_of(project: Project, source: Source, sha256: str, file: Path) -> str:
    """What `file` is to say: as it is where the new bytes are there, else the path of the new file."""
    present = project.settings.root / str(source.file)
    if present.is_file() and sha256_of(present) == sha256:
        return str(source.file)
    if project.settings.allows(file):
        return Path(os.path.relpath(file.resolve(), project.settings.root.resolve())).as_posix()
    beside = free_name(project.settings.root, PurePosixPath(str(source.file)).with_name(file.name), sha256)
    raise Failure(
        f"{file} is outside of the project, where the ledger cannot point: copy it to {beside} and name that file, "
        "or name its folder under `allow` in tracer.toml"
    )


def free_name(root: Path, name: PurePosixPath, sha256: str) -> PurePosixPath:
    """A path for a copy that takes no other file's place."""
    return name.with_stem(f"{name.stem}-{sha256[:SHORT]}") if (root / name).exists() else name


def doubts(project: Project, source: Source, sha256: str, file: Path) -> Iterator[str]:
    """What will keep an audit from the new bytes: that it does not find them, or cannot read them or some pages."""
    from tracer.rules.page_unreadable import without_text

    if source.file is None and not is_at_hand(project, source, sha256):
        yield lost(file)
    with project.library() as library, console.progress(f"reading {file.name}"):
        read = library.read(file)
    if isinstance(read, Unread):
        yield f"{file.name} cannot be read: {read.reason}" + (f"; {read.hint}" if read.hint else "")
    elif message := without_text(file.name, read):
        yield message


def is_at_hand(project: Project, source: Source, sha256: str) -> bool:
    """Whether an audit will find the new bytes."""
    with project.library() as library:
        return not isinstance(library.find(replace(source, sha256=sha256)), Unread)


def lost(file: Path) -> str:
    """The sentence for new bytes that no audit will find."""
    return f"{file.name} is in none of the source folders: put it into one, for the audit to find it"
