"""A text to its sentences with numbers that no claim covers, as lines that an editor can jump to."""

from pathlib import Path

from tracer.cli import console
from tracer.cli.console import CLEAN, FINDINGS
from tracer.cli.documents import document, line_of, source_of, text
from tracer.cli.project import Project


def unsourced(project: Project, file: Path) -> int:
    """Lists the sentences with numbers that no claim covers; returns the exit code."""
    from tracer.uncovered import uncovered
    from tracer.wording import counted, flowing

    found = document(project, file)
    known = source_of(project, found)
    total, open_ones = uncovered(found, project.ledger.claims, known.id if known else None)
    written = "" if found.kind == "pdf" else text(project, file)
    for each in open_ones:
        place = f"p. {each.page}" if each.page else str(line_of(each.text, written, each.line))
        console.say(f"{file}:{place}: {flowing(each.text)} [{', '.join(map(flowing, each.numbers))}]\n")
    covered = counted(total - len(open_ones), "sentence")
    console.say(f"{covered} with numbers covered by claims, {len(open_ones)} not\n")
    return FINDINGS if open_ones else CLEAN
