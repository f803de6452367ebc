"""A source and the file of its new revision to proposals on stdout, and those that are accepted to the ledger."""

import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.cli.console import CLEAN, FINDINGS, deliver
from tracer.cli.pinning import is_at_hand, lost, new_pin, pin_changes
from tracer.cli.project import Project
from tracer.library import Library
from tracer.model import Document, Failure, Source, Unread
from tracer.wording import counted

if TYPE_CHECKING:
    from tracer.editing import Change
    from tracer.proposals import Kind, Proposal, Proposals


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
    written = kinds if wanted.is_applied else ()
    if wanted.is_applied:
        rows = [row for row in proposals.rows if row.kind in kinds and row.edits]
        outcome = write(project, source, proposals, rows, project.here / file)
    else:
        outcome = unwritten_words(project, source, proposals, project.here / file)
    show(proposals, written, wanted)
    if wanted.form == "terminal":
        console.say("" if wanted.output else "\n")
        console.tell(outcome)
    return FINDINGS if revision.left_to_do(proposals, written) else CLEAN


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
        if any(row.may_be_closer for row in proposals.rows):
            pinned = replace(source, file=None)
            old = old and library.closer_throughout(pinned, old)
            new = library.closer_throughout(replace(pinned, sha256=new.sha256), new)
            proposals = revise(claims, source.id, old, new)
    return replace(proposals, old=source.pin, new=new_pin(source, new.sha256, revision))


def read(library: Library, file: Path) -> Document:
    """A file's document; a file that cannot be read is a Failure."""
    if not file.is_file():
        raise Failure(f"there is no file {file}: name the file of the new revision")
    document = library.read(file)
    if isinstance(document, Unread):
        raise Failure(f"{file} cannot be read: {document.reason}" + (f"; {document.hint}" if document.hint else ""))
    return document


def old_reading(library: Library, source: Source) -> Document | None:
    """The bytes of the present pin as read, wherever they are; None where they are not at hand."""
    if source.sha256 is None:
        return None
    document = library.document(replace(source, file=None))
    return document if isinstance(document, Document) else None


# --- writing --------------------------------------------------------------------------------------------------------


def planned(
    project: Project, source: Source, proposals: "Proposals", rows: "Iterable[Proposal]", file: Path
) -> Mapping[str, "Sequence[Change]"]:
    """The changes to each file of the ledger; last the pin, so that a run that is stopped can be repeated."""
    assert proposals.new is not None, "proposals of a file have its pin"  # noqa: S101 -- it tells the type checker
    changes: dict[str, list[Change]] = defaultdict(list)
    for row in rows:
        changes[row.claim.places.path].extend(edits(row))
    own = changes.pop(source.places.path, [])
    pins = pin_changes(project, source, proposals.new, file)
    by_path: Mapping[str, Sequence[Change]] = {**changes, source.places.path: [*own, *pins]}
    return {path: made for path, made in by_path.items() if made}


def write(project: Project, source: Source, proposals: "Proposals", rows: "Sequence[Proposal]", file: Path) -> str:
    """Writes the edits of the rows and the pin; returns what was written into which file."""
    from tracer.editing import edited

    todo = planned(project, source, proposals, rows, file)
    for path, made in todo.items():
        edited((project.settings.root / path).read_bytes(), made, path)
    for path, made in todo.items():
        project.edit(path, *made)
    if source.file is None and proposals.new and not is_at_hand(project, source, proposals.new.sha256):
        console.complain(lost(file))
    return written_words(todo, rows)


def written_words(todo: Mapping[str, "Sequence[Change]"], rows: "Sequence[Proposal]") -> str:
    """What was written: `wrote claims/a.yaml: 2 rows`, `wrote claims/b.yaml: new pin`."""
    if not todo:
        return "nothing was written: there is nothing to write"
    lines = []
    for path, made in todo.items():
        count = sum(row.claim.places.path == path for row in rows)
        pin = ["new pin"] if any(change.key == "sources" for change in made) else []
        lines.append(f"wrote {path}: {', '.join([*pin, *([counted(count, 'row')] if count else [])])}")
    return "\n".join(lines)


def unwritten_words(project: Project, source: Source, proposals: "Proposals", file: Path) -> str:
    """That nothing was written, and what would write it, or what is in the way."""
    from tracer.proposals import ACCEPTABLE
    from tracer.reports import revision

    rows = [row for row in proposals.rows if row.kind in ACCEPTABLE and row.edits]
    try:
        todo = planned(project, source, proposals, rows, file)
    except Failure as failure:
        return f"nothing was written, and --apply cannot write it: {failure}"
    if not todo:
        return "nothing was written: there is nothing to write"
    parts = [counted(len(rows), "row")] if rows else []
    parts += ["the new pin"] if any(change.key == "sources" for changes in todo.values() for change in changes) else []
    return f"nothing was written; {revision.next_words(proposals)} writes {' and '.join(parts)}"


def edits(row: "Proposal") -> "Iterator[Change]":
    """The changes to the record of a row's claim."""
    from tracer.editing import Change

    for edit in row.edits:
        yield Change(key="claims", id=row.claim.id, field=edit.field, value=edit.new, appends=edit.appends)


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
    outcome = write(project, source, proposals, answers["a"], file)
    console.say("\n")
    console.tell(outcome)
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
