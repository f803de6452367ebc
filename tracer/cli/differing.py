"""Two files of sources to what differs between them, on stdout or in a file."""

from enum import StrEnum
from pathlib import Path

from tracer.cli import console
from tracer.cli.console import CLEAN, FINDINGS, deliver
from tracer.cli.revising import read
from tracer.library import Library
from tracer.model import Document, Places, Source
from tracer.settings import Settings


def diff(here: Path, old: Path, new: Path, *, form: StrEnum, output: Path | None, is_cached: bool) -> int:
    """Shows how a file differs from an older one; no ledger is needed."""
    from tracer.differing import difference
    from tracer.reports import difference as report

    library = Library(Settings(root=here, ledger=here), is_cached=is_cached)
    try:
        before, after = (closely_read(library, here / file) for file in (old, new))
    finally:
        library.close()
    found = difference(before, after, names=names(old, new))
    if form == "terminal":
        deliver(report.render(found, **console.look(output)), output)
    else:
        deliver(report.FORMATS[form](found), output)
    return CLEAN if found.is_none else FINDINGS


def closely_read(library: Library, file: Path) -> Document:
    """A file with all the readings of its pages, so that what one of them holds is not said to be gone."""
    document = read(library, file)
    source = Source(id=file.name, sha256=document.sha256, places=Places(path="", positions={}))
    return library.closer_throughout(source, document)


def names(old: Path, new: Path) -> tuple[str, str]:
    """How the files are called: by their own names where these differ."""
    return (old.name, new.name) if old.name != new.name else (str(old), str(new))
