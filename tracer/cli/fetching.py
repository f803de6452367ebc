"""Sources of a ledger to their bytes on disk, and bytes on disk to the pin of a source."""

from collections.abc import Callable, Iterator, Sequence

from tracer.cli import console
from tracer.cli.project import Project
from tracer.model import Failure, Source, Unread

DONE, FAILED = 0, 2


def fetch(project: Project, names: Sequence[str]) -> int:
    """Downloads the sources of these names, or all that are missing; goes on when one cannot be had."""
    library = project.library()
    sources = [project.source(name) for name in names] or list(missing(project))
    failed = 0
    for source in sources:
        try:
            with console.progress(f"fetching {source.id}", unit="bytes") as step:
                path = library.fetch(source, progress=step and counting(step))
        except Failure as failure:
            failed += 1
            console.complain(str(failure))
        else:
            console.say(f"{source.id}: {path}\n")
    if not sources:
        console.say("nothing is missing: every pinned source with a url is on disk\n")
    library.close()
    return FAILED if failed else DONE


def missing(project: Project) -> Iterator[Source]:
    """The pinned sources that are not on disk and can be downloaded."""
    library = project.library()
    for source in project.ledger.sources.values():
        if source.url and source.sha256 and not source.broken and isinstance(library.find(source), Unread):
            yield source
    library.close()


def counting(step: console.Step) -> Callable[[int, int | None], None]:
    """A watcher of bytes that moves the bar."""
    return lambda received, total: step("", received, total)
