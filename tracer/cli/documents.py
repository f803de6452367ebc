"""A file that a command names to the document in it, and to the source of the ledger that has its bytes."""

from pathlib import Path

from tracer.cli.project import Project
from tracer.model import Document, Failure, Source, Unread

BEGINNING = 20
"""Comparable characters by which a sentence is known again in its file."""


def document(project: Project, file: Path) -> Document:
    """A file as read; one that is not there or cannot be read is a Failure."""
    path = project.here / file
    if path.is_dir():
        raise Failure(f"{file} is a folder: name a text, a Markdown or HTML page, or a PDF in it")
    if not path.is_file():
        raise Failure(f"there is no file {file}: name a text, a Markdown or HTML page, or a PDF")
    with project.library() as library:
        found = library.read(path)
    if isinstance(found, Unread):
        raise Failure(f"{file} cannot be read: {found.reason}")
    return found


def text(project: Project, file: Path) -> str:
    """The text of a file in UTF-8."""
    from tracer.readers import Unreadable
    from tracer.readers.text import decoded

    try:
        return decoded((project.here / file).read_bytes())[0]
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}") from error
    except Unreadable as unreadable:
        raise Failure(f"{file} cannot be read: {unreadable}") from unreadable


def line_of(sentence: str, written: str, otherwise: int) -> int:
    """The line of a file, counted from 1, on which a sentence begins; a reader may have laid its text out anew."""
    from tracer.text import comparable

    beginning = comparable(sentence)[:BEGINNING]
    lines = (number for number, line in enumerate(written.splitlines(), start=1) if beginning in comparable(line))
    return next(lines, otherwise)


def source_of(project: Project, found: Document) -> Source | None:
    """The source of the ledger that has the bytes of a document."""
    return next((source for source in project.ledger.sources.values() if source.sha256 == found.sha256), None)
