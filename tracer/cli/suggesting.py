"""An article to what the sources say to each of its statements, and to a draft ledger of them."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.cli.console import deliver
from tracer.cli.documents import document, source_of
from tracer.cli.finding import Asked, finder
from tracer.cli.project import Project
from tracer.model import Document, Failure

if TYPE_CHECKING:
    from tracer.appending import Node, Record
    from tracer.suggesting import Suggestion

COMMENT = """\
What {name} says, with a passage of the sources for each statement where one was found by its words and numbers.
No claim has a status yet. Read the passage, give one (stated, derived, concluded, not-stated), or take the claim out.\
"""


def suggest(
    project: Project, file: Path, asked: Asked, *, form: StrEnum, output: Path | None, draft: Path | None
) -> None:
    """Shows what the sources say to the statements of a file, and writes them as a draft ledger if asked to."""
    from tracer.statements import statements
    from tracer.suggesting import suggest as matched

    article = document(project, file)
    said = statements(article)
    if not said:
        raise Failure(f"{file} holds no statement: is there running text in it?")
    with finder(project, asked.sources, is_semantic=asked.is_semantic) as found_in:
        suggestions = tuple(matched(said, found_in))
    if draft is not None:
        write(project, file, article, suggestions, draft)
    else:
        show(suggestions, file, form=form, output=output)


def show(suggestions: "Sequence[Suggestion]", file: Path, *, form: StrEnum, output: Path | None) -> None:
    """Puts the suggestions where they were asked for."""
    from tracer.reports import suggestions as reporting
    from tracer.reports import suggestions_html

    if form == "json":
        deliver(reporting.as_json(suggestions, file.name), output)
    elif form == "markdown":
        deliver(reporting.as_markdown(suggestions, file.name), output)
    elif form == "html":
        deliver(suggestions_html.render(suggestions, file.name), output)
    elif output is not None:
        deliver(reporting.render(suggestions), output)
    else:
        deliver(reporting.render(suggestions, width=console.width(), colour=console.has_colour()), None)


def write(project: Project, file: Path, article: Document, suggestions: "Sequence[Suggestion]", draft: Path) -> None:
    """Writes a draft ledger into a new file."""
    from tracer.exchange import drafts
    from tracer.reports.suggestions import total_words

    target = project.here / draft
    if target.exists():
        raise Failure(f"{draft} is there already: name a new file for the draft")
    known = source_of(project, article)
    name = known.id if known else drafts.unique(drafts.slug(file.stem), project.ledger.sources)
    sources: dict[str, Record] = {} if known else {name: audited(project, file, article)}
    taken = {claim.id for claim in project.ledger.claims}
    claims = list(claims_of(suggestions, article, name, taken))
    console.write(drafts.ledger(claims, sources, COMMENT.format(name=name)), target)
    console.say(f"wrote {len(claims)} claims without a status to {draft} ({total_words(suggestions)})\n")


def audited(project: Project, file: Path, article: Document) -> "Record":
    """The record of an audited document; its file where that lies in the project."""
    root, path = project.settings.root.resolve(), (project.here / file).resolve()
    there = {"file": path.relative_to(root).as_posix()} if path.is_relative_to(root) else {}
    return {"title": article.title or file.name, "sha256": article.sha256, **there}


def claims_of(
    suggestions: "Sequence[Suggestion]", article: Document, source: str, taken: set[str]
) -> "Iterator[Record]":
    """A claim for each statement: what it says, a proposed citation, where it says it, and how that was found."""
    from tracer.exchange.drafts import unique
    from tracer.quoting import record
    from tracer.statements import quote
    from tracer.suggesting import Verdict

    for each in suggestions:
        name = unique(f"{source}.{each.statement.number:03}", taken)
        taken.add(name)
        made: dict[str, Node] = {"id": name, "text": each.statement.text}
        citation = each.hits[0].citation if each.hits and each.verdict is not Verdict.NOT_FOUND else None
        if citation is not None:
            made["cite"] = [record(citation)]
        page = {"page": each.statement.page} if each.statement.page else {}
        made["made-in"] = {"source": source, **page, "quote": quote(article, each.statement)}
        made["note"] = f"{each.verdict}: {each.why}"
        yield made
