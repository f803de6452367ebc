"""A text to the passages of a project's sources that state it, on stdout or in a file."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.cli.console import CLEAN, FINDINGS, deliver
from tracer.cli.project import Project
from tracer.model import Document, Failure, Source

if TYPE_CHECKING:
    from tracer.finding import Finder
    from tracer.reranking import Embedder

TERMINAL, YAML, JSON = "terminal", "yaml", "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Where to look: in which sources (all if none is named), with which words around, by meaning as well or not."""

    sources: tuple[str, ...] = ()
    context: str = ""
    is_semantic: bool = False


def find(project: Project, text: str, asked: Asked, *, most: int, form: StrEnum, output: Path | None) -> int:
    """Shows where the sources say a text; returns the exit code."""
    from tracer.reports import passages

    if not any(map(str.isalnum, text)):
        raise Failure("there is nothing to look for: write a statement, a quote or a few words")
    with finder(project, asked.sources, is_semantic=asked.is_semantic) as found_in:
        hits = found_in.find(text, context=asked.context, most=most)
    if not hits:
        console.complain(nothing_found(found_in.documents, asked))
    if form == JSON:
        deliver(passages.as_json(text, hits), output)
    elif form == YAML:
        deliver(passages.as_yaml(hits), output)
    elif output is not None:
        deliver(passages.render(hits), output)
    else:
        deliver(passages.render(hits, width=console.width(), colour=console.has_colour()), None)
    return CLEAN if hits else FINDINGS


def nothing_found(searched: Iterable[str], asked: Asked) -> str:
    """Where a text was looked for in vain, and what to try."""
    from tracer.wording import listed

    wider = "look in all sources, without --source" if asked.sources else "name a folder with more sources by --sources"
    return f"nothing in {listed(searched, most=4)} shares a word with it: try other words, or {wider}"


@contextmanager
def finder(project: Project, names: Sequence[str], *, is_semantic: bool = False) -> "Iterator[Finder]":
    """The sources to look in, each with its index; one that cannot be read is said on stderr."""
    from tracer.cache import cache_folder
    from tracer.finding import Finder

    wanted, embedder = searched(project, names), model() if is_semantic else None
    with project.library() as library, console.progress("reading") as step:
        documents = {}
        for done, (name, document) in enumerate(library.documents(wanted), start=1):
            if isinstance(document, Document):
                documents[name] = document
            else:
                console.complain(f"{name} is not searched: {document.reason}")
            if step:
                step(name, done, len(wanted))
    if not documents:
        raise Failure("no source can be searched: `tracer fetch` downloads those that are pinned")
    folder = cache_folder() if project.wishes.has_cache else None
    opened = Finder(documents, project.ledger.sources, folder, embedder)
    try:
        yield opened
    finally:
        opened.close()


def model() -> "Embedder":
    """The model that compares meaning; a Failure where it is not installed."""
    from tracer.embedding import MiniLM

    return MiniLM()


def searched(project: Project, names: Sequence[str]) -> list[Source]:
    """The sources by these ids; all that are evidence where none is named.

    A document that is audited itself is no evidence for what it says, and an older revision is none for the present.
    """
    if names:
        return [project.source(name) for name in dict.fromkeys(names)]
    audited = {claim.made_in.source for claim in project.ledger.claims if claim.made_in}
    cited = {citation.source for claim in project.ledger.claims for citation in claim.cite}
    return [
        source
        for source in project.ledger.sources.values()
        if source.revision_of is None and (source.id in cited or source.id not in audited)
    ]
