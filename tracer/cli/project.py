"""A folder and the wishes of a command to the project that it belongs to: its settings, ledger, sources and report."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.cache import Cache, cache_folder
from tracer.cli.console import complain, progress
from tracer.library import Library
from tracer.model import Failure, Ledger, Report, Source
from tracer.settings import Settings

if TYPE_CHECKING:
    from tracer.editing import Change


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

        with self._cached():
            return load(self.settings, self.cache)

    @cached_property
    def cache(self) -> Cache:
        """What was read before."""
        return Cache(cache_folder() if self.wishes.has_cache else None)

    @contextmanager
    def _cached(self) -> Iterator[None]:
        """The cache, as long as it is needed; what is wrong with it is said once."""
        try:
            yield
        finally:
            self.cache.close()
            for warning in dict.fromkeys(self.cache.warnings):
                complain(warning)
            self.cache.warnings.clear()

    @contextmanager
    def library(self) -> Iterator[Library]:
        """The sources, as long as they are needed."""
        folders, wishes = [self.here / folder for folder in self.wishes.sources], self.wishes
        with self._cached():
            library = Library(self.settings, folders=folders, jobs=wishes.jobs, cache=self.cache)
            try:
                yield library
            except KeyboardInterrupt:
                library.stop()
                raise

    def report(
        self, *, claims: Collection[str] | None = None, paths: Collection[str] = (), ledger: Ledger | None = None
    ) -> Report:
        """The audit of the ledger, or of an earlier one, for the claims of these ids (all, if None) and these files."""
        from tracer.tracing import trace

        with self.library() as library, progress("reading") as step:
            library.get_ready()
            evidence = trace(ledger or self.ledger, library, only=claims, progress=step, meanwhile=_import_rules)
        from tracer.checking import check

        return check(evidence, severities=self.settings.severities, selected=claims, paths=paths)

    def texts(self, report: Report, claim_id: str) -> Report:
        """The report with the text of the sources that one claim points into, for its passages."""
        claims = [claim.claim for claim in report.claims if claim.claim.id == claim_id]
        names = {citation.source for claim in claims for citation in claim.citations} & self.ledger.sources.keys()
        with self.library() as library:
            read = dict(library.documents(self.ledger.sources[name] for name in sorted(names)))
        return replace(report, documents={**report.documents, **read})

    @cached_property
    def versions(self) -> dict[str, str]:
        """The sha256 that each file of the ledger has on disk, unless someone else writes to it."""
        return dict(self.ledger.fingerprints)

    def edit(self, path: str, *changes: "Change") -> None:
        """Makes changes to a file of the ledger, if it still is as it was when it was loaded."""
        from tracer.editing import edited, write
        from tracer.written import fingerprint

        file = self.settings.root / path
        try:
            data = edited(file.read_bytes(), changes, path)
        except OSError as error:
            raise Failure(f"{path} cannot be read: {error.strerror}") from error
        write(file, data, self.versions[path], inside=self.settings.root)
        self.versions[path] = fingerprint(data)

    def source(self, source_id: str) -> Source:
        """A source of the ledger; an unknown one is a Failure."""
        from tracer.spelling import did_you_mean

        if source_id not in self.ledger.sources:
            names = [name for name, source in self.ledger.sources.items() if source.revision_of is None]
            hint = did_you_mean(source_id, names) or f"it has {', '.join(names) or 'none at all'}"
            raise Failure(f"the ledger has no source {source_id}: {hint}")
        return self.ledger.sources[source_id]


def _import_rules() -> None:
    from tracer import rules

    for name in rules.RULES:
        rules.load(name)


def opened(here: Path, wishes: Wishes) -> Project:
    """The project of a folder; a folder of sources that is not there is a Failure."""
    from tracer.settings import find

    for folder in wishes.sources:
        if not (here / folder).is_dir():
            raise Failure(f"there is no folder {folder}: give --sources a folder that holds source files")
    settings = find(here)
    refuse_unknown_rules(settings)
    return Project(here=here, settings=settings, wishes=wishes)


def refuse_unknown_rules(settings: Settings) -> None:
    """A Failure at the line of the settings that weighs a rule which does not exist."""
    from tracer.rules import RULES
    from tracer.spelling import did_you_mean

    for name in settings.severities:
        if name not in RULES:
            hint = did_you_mean(name, RULES) or "`tracer explain` lists all"
            raise Failure(f"{settings.file}:{settings.rule_lines.get(name, 1)}: there is no rule {name}: {hint}")
