"""A source and the file of its new revision to proposals on stdout, and those that are accepted to the ledger."""

import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.cli.console import CLEAN, FINDINGS, deliver
from tracer.cli.project import Project
from tracer.library import Library
from tracer.model import Document, Failure, Revision, Source, Unread

if TYPE_CHECKING:
    from tracer.editing import Change
    from tracer.proposals import Kind, Proposal, Proposals

SHORT = 12
MOST_CLOSE_PAGES = 400
"""Documents of more pages are not read closely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be done with the proposals: written or not, which kinds of them, one by one or at once."""

    is_applied: bool
    accept: str | None = None
    is_interactive: bool = False
    revision: str | None = None
    form: StrEnum
    output: Path | None = None


def revise(project: Project, name: str, file: Path, wanted: Wanted) -> int:
    """Shows what the new bytes mean for the ledger and writes what is accepted; returns the exit code."""
    from tracer.reports import revision

    kinds, source = accepted_kinds(wanted), project.source(name)
    refuse(source, wanted)
    proposals = proposed(project, source, project.here / file, wanted.revision)
    if wanted.is_interactive:
        return interactive(project, source, proposals, project.here / file)
    if wanted.is_applied:
        rows = [row for row in proposals.rows if row.kind in kinds]
        write(project, source, proposals, rows, project.here / file)
    written = kinds if wanted.is_applied else ()
    show(proposals, written, wanted)
    left = revision.left_to_do(proposals, written)
    following = None if wanted.is_applied else revision.next_words(proposals)
    if following and wanted.form == "terminal" and wanted.output is None:
        console.say(f"\nnothing was written; {following} writes them and the new pin\n")
    return FINDINGS if left else CLEAN


def refuse(source: Source, wanted: Wanted) -> None:
    """A Failure for what cannot be done."""
    if source.broken:
        raise Failure(f"{source.id} cannot be revised as it is written: `tracer audit` says what is wrong")
    if source.revision_of:
        raise Failure(f"{source.id} is one revision of {source.revision_of}: revise that source")
    if wanted.is_interactive and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure("--interactive asks on a terminal: use --apply with --accept where there is none")


def accepted_kinds(wanted: Wanted) -> "Collection[Kind]":
    """The kinds that --accept names; moved ones where it is left out."""
    from tracer.proposals import ACCEPTABLE, Kind

    names = [name.strip() for name in (wanted.accept or Kind.MOVED).split(",") if name.strip()]
    unknown = next((name for name in names if name not in ACCEPTABLE), None)
    if unknown:
        raise Failure(f"--accept {unknown} is nothing that can be written: use {', '.join(ACCEPTABLE)}")
    if wanted.accept and not wanted.is_applied:
        raise Failure("--accept says what --apply writes: add --apply")
    return [Kind(name) for name in names]


def show(proposals: "Proposals", written: "Collection[Kind]", wanted: Wanted) -> None:
    """Prints the proposals in the format that is asked for."""
    from tracer.reports import revision

    if wanted.form == "json":
        deliver(revision.as_json(proposals, written=written), wanted.output)
    else:
        deliver(revision.render(proposals, written=written, **console.look(wanted.output)), wanted.output)


# --- proposals ------------------------------------------------------------------------------------------------------


def proposed(project: Project, source: Source, file: Path, revision: str | None) -> "Proposals":
    """What the bytes of a file mean for the claims that point into a source."""
    from tracer.revising import revise

    claims = project.ledger.claims
    with project.library() as library:
        new = read(library, file)
        old = old_reading(library, source)
        proposals = revise(claims, source.id, old, new)
        if any(map(may_be_closer, proposals.rows)):
            pinned = replace(source, file=None)
            old = old and whole(library, pinned, old)
            new = whole(library, replace(pinned, sha256=new.sha256), new)
            proposals = revise(claims, source.id, old, new)
    old_name = source.revision or (source.sha256 or "")[:SHORT]
    old_pin = Revision(name=old_name, sha256=source.sha256) if source.sha256 else None
    return replace(proposals, old=old_pin, new=new_pin(source, new.sha256, revision))


def read(library: Library, file: Path) -> Document:
    """A file's document; a file that cannot be read is a Failure."""
    if not file.is_file():
        raise Failure(f"there is no file {file}: name the file of the new revision")
    document = library.read(file)
    if isinstance(document, Unread):
        raise Failure(f"{file} cannot be read: {document.reason}")
    return document


def old_reading(library: Library, source: Source) -> Document | None:
    """The bytes of the present pin as read, wherever they are; None where they are not at hand."""
    if source.sha256 is None:
        return None
    document = library.document(replace(source, file=None))
    return document if isinstance(document, Document) else None


def may_be_closer(row: "Proposal") -> bool:
    """Whether closer readings of the pages could tell more of a row."""
    from tracer.proposals import Kind

    is_lost = row.kind in (Kind.ALTERED, Kind.GONE, Kind.AMBIGUOUS, Kind.MOVED) or row.was_lost
    return bool(row.quote) and is_lost


def whole(library: Library, source: Source, document: Document) -> Document:
    """A document with the closer readings of all its pages, unless they are too many."""
    if len(document.pages) > MOST_CLOSE_PAGES:
        return document
    return library.closer(source, document, range(1, len(document.pages) + 1))


def new_pin(source: Source, sha256: str, name: str | None) -> Revision:
    """The name of the new revision: the one that is given, the one it had before, else the start of its sha256."""
    pins = (Revision(name=source.revision or "", sha256=source.sha256 or ""), *source.revisions)
    known = next((pin.name for pin in pins if pin.sha256 == sha256 and pin.name), None)
    return Revision(name=name or known or sha256[:SHORT], sha256=sha256)


# --- writing --------------------------------------------------------------------------------------------------------


def write(project: Project, source: Source, proposals: "Proposals", rows: "Iterable[Proposal]", file: Path) -> None:
    """Writes the edits of the rows, and last the pin, so that a run that is stopped can be repeated."""
    from tracer.editing import edited

    changes: dict[str, list[Change]] = defaultdict(list)
    for row in rows:
        changes[row.claim.places.path].extend(edits(row))
    pins = list(pin_changes(project, source, proposals, file))
    own = changes.pop(source.places.path, [])
    by_path: Mapping[str, Sequence[Change]] = {**changes, source.places.path: [*own, *pins]}
    todo = {path: made for path, made in by_path.items() if made}
    for path, made in todo.items():
        edited((project.settings.root / path).read_bytes(), made, path)
    for path, made in todo.items():
        project.edit(path, *made)
    if source.file is None and proposals.new and not is_at_hand(project, source, proposals.new.sha256):
        console.complain(f"{file.name} is in none of the source folders: put it into one, for the audit to find it")


def is_at_hand(project: Project, source: Source, sha256: str) -> bool:
    """Whether an audit will find the new bytes."""
    with project.library() as library:
        return not isinstance(library.find(replace(source, sha256=sha256)), Unread)


def edits(row: "Proposal") -> "Iterator[Change]":
    """The changes to the record of a row's claim."""
    from tracer.editing import Change

    for edit in row.edits:
        yield Change(key="claims", id=row.claim.id, field=edit.field, value=edit.new, appends=edit.appends)


def pin_changes(project: Project, source: Source, proposals: "Proposals", file: Path) -> "Iterator[Change]":
    """The changes to the source: its pin, its file where it names one, and the pin that it had."""
    from tracer.editing import Change

    old, new = proposals.old, proposals.new
    assert new is not None, "proposals of a file have its pin"  # noqa: S101 -- it tells the type checker
    fields = {"revision": (source.revision, new.name), "sha256": (source.sha256, new.sha256)}
    if source.file and source.sha256 != new.sha256:
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
    from tracer.library import sha256_of

    root = project.settings.root
    present = root / str(source.file)
    if present.is_file() and sha256_of(present) == sha256:
        return str(source.file)
    if not project.settings.allows(file) or not file.resolve().is_relative_to(root.resolve()):
        raise Failure(f"{file} is outside of the project: put it where {source.id} has its file, {source.file}")
    return file.resolve().relative_to(root.resolve()).as_posix()


# --- asking ---------------------------------------------------------------------------------------------------------


def interactive(project: Project, source: Source, proposals: "Proposals", file: Path) -> int:
    """Shows each row that does not stand, old and new side by side, and writes those that are accepted, and the pin."""
    from tracer.proposals import SETTLED, Kind
    from tracer.reports import revision

    asked_for = [row for row in proposals.rows if row.kind not in SETTLED or row.edits]
    answers: dict[str, list[Proposal]] = {"a": [], "f": [], "s": []}
    for number, row in enumerate(asked_for, start=1):
        console.say("\n" + revision.side_by_side(row, **console.look(None)))
        answer = answered(f"{number} of {len(asked_for)}", can_accept=bool(row.edits))
        if answer == "q":
            console.say("nothing was written\n")
            return FINDINGS
        answers[answer].append(row)
    write(project, source, proposals, answers["a"], file)
    console.say(f"\nwrote the new pin and {len(answers['a'])} of {len(asked_for)} rows\n")
    for row in answers["f"]:
        console.say(f"to look at: {row.claim.places.of(row.at_path)} {row.claim.id}, {row.kind}\n")
    is_open = answers["f"] or any(row.kind is not Kind.TYPOGRAPHY for row in answers["s"])
    return FINDINGS if is_open else CLEAN


def answered(count: str, *, can_accept: bool) -> str:
    """The first letter of an answer, asked for until it is one of those that fit; the end of input is `q`."""
    choices = "asfq" if can_accept else "sfq"
    words = "[a]ccept, [s]kip, [f]lag, [q]uit" if can_accept else "[s]kip, [f]lag, [q]uit"
    while True:
        console.say(f"\n{count} {words}: ")
        typed = sys.stdin.readline()
        answer = typed.strip().casefold()[:1]
        if not typed:
            return "q"
        if answer and answer in choices:
            return answer
