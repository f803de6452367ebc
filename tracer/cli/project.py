"""A folder and the wishes of a command to the project that it belongs to: its settings, ledger, sources and report."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tracer.cli.console import Step, progress
from tracer.library import Library
from tracer.model import Document, Failure, Ledger, Report, Source, Unread
from tracer.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a command says of how sources are found and read."""

    sources: tuple[Path, ...] = ()
    jobs: int | None = None
    has_cache: bool = True


@dataclass(frozen=True, kw_only=True)
class Project:
    """A ledger with its settings, seen from the folder `here`."""

    here: Path
    settings: Settings
    wishes: Wishes

    @cached_property
    def ledger(self) -> Ledger:
        """The whole ledger, loaded once."""
        from tracer.loading import load

        return load(self.settings)

    def library(self, step: Step | None = None) -> Library:
        """The sources, read with a bar on stderr where `step` is given."""
        folders, wishes = [self.here / folder for folder in self.wishes.sources], self.wishes
        return Watched(self.settings, folders=folders, jobs=wishes.jobs, is_cached=wishes.has_cache, step=step)

    def report(self, *, claims: Collection[str] | None = None, paths: Collection[str] = ()) -> Report:
        """The audit of the ledger, reported for the claims of these ids (all, if None) and these files."""
        from tracer.checking import OFF, check
        from tracer.tracing import trace

        severities = {rule: OFF if level is None else str(level) for rule, level in self.settings.severities.items()}
        with progress("reading") as step:
            library = self.library(step)
            try:
                evidence = trace(self.ledger, library)
            finally:
                library.close()
        return check(evidence, severities=severities, selected=claims, paths=paths)

    def source(self, source_id: str) -> Source:
        """A source of the ledger; an unknown one is a Failure."""
        from tracer.spelling import did_you_mean

        if source_id not in self.ledger.sources:
            hint = did_you_mean(source_id, self.ledger.sources) or f"it has {len(self.ledger.sources)} others"
            raise Failure(f"the ledger has no source {source_id}: {hint}")
        return self.ledger.sources[source_id]


class Watched(Library):
    """A library that tells how many of the sources it was asked for are read."""

    def __init__(
        self,
        settings: Settings,
        *,
        folders: Collection[Path],
        jobs: int | None,
        is_cached: bool,
        step: Step | None,
    ) -> None:
        super().__init__(settings, folders=tuple(folders), jobs=jobs, is_cached=is_cached)
        self.step = step

    def documents(self, sources: Iterable[Source]) -> Iterator[tuple[str, Document | Unread]]:
        """Every source as read, in the order given."""
        asked = tuple(sources)
        for number, (name, document) in enumerate(super().documents(asked), start=1):
            if self.step is not None:
                self.step(name, number, len(asked))
            yield name, document


def opened(here: Path, wishes: Wishes) -> Project:
    """The project of a folder; a folder of sources that is not there is a Failure."""
    from tracer.settings import find

    for folder in wishes.sources:
        if not (here / folder).is_dir():
            raise Failure(f"there is no folder {folder}: give --sources a folder that holds source files")
    return Project(here=here, settings=find(here), wishes=wishes)
