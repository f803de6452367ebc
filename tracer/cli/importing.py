"""A table, Markdown or a bibliography to a draft ledger, and to what could not be taken over, line by line."""

from pathlib import Path

from tracer.cli import console
from tracer.cli.console import CLEAN, FINDINGS
from tracer.cli.documents import text
from tracer.cli.project import Project
from tracer.exchange import FORMATS, Imported, format_of
from tracer.model import Failure

COMMENT = "From {name}. No claim has a status yet: read its source, give one, or take the claim out."


def take_over(
    project: Project, file: Path, *, form: str | None, names: str, source: str | None, draft: Path | None
) -> int:
    """Writes a file's claims and sources as a draft, and says what was left behind; returns the exit code."""
    from tracer.exchange import drafts
    from tracer.wording import counted

    if draft is not None and (project.here / draft).exists():
        raise Failure(f"{draft} is there already: name a new file for the draft")
    found = imported(project, file, form or format_of(file.name), names, source)
    if not found.claims and not found.sources:
        complain(file, found)
        raise Failure(f"{file} holds nothing that can be taken over")
    ledger = drafts.ledger(found.claims, found.sources, COMMENT.format(name=file.name))
    if draft is not None:
        console.write(ledger, project.here / draft)
        said = f"{counted(len(found.claims), 'claim')} and {counted(len(found.sources), 'source')}"
        console.say(f"wrote {said} to {draft}\n")
    else:
        console.say(ledger)
    complain(file, found)
    return FINDINGS if found.left else CLEAN


def imported(project: Project, file: Path, form: str | None, names: str, source: str | None) -> Imported:
    """What a file of one of the formats holds."""
    from tracer.exchange import bibliographies, markdown, tables

    known = tuple(project.ledger.sources)
    if source is not None:
        project.source(source)
    if form == "csv":
        return tables.read(text(project, file), tables.mapping(names), source=source, known=known, name=file.stem)
    if form == "markdown":
        meant = dict(pair.split("=", 1) for pair in names.split(",") if "=" in pair)
        return markdown.read(text(project, file), meant, source=source, known=known, name=file.stem)
    if form == "bibtex":
        return bibliographies.bibtex(text(project, file))
    if form == "csl":
        return bibliographies.csl(text(project, file))
    raise Failure(f"the ending of {file.name} is of no format: say which with --from, one of {', '.join(FORMATS)}")


def complain(file: Path, found: Imported) -> None:
    """Says on stderr what was left behind."""
    for left in sorted(found.left, key=lambda left: left.line):
        console.complain(f"{file}:{left.line}: {left.reason}")
