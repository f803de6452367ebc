"""A ledger and the library of its sources to evidence: every citation, search and formula followed to its ground."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from tracer.library import Library
from tracer.model import (
    Citation,
    Claim,
    Computation,
    Document,
    Evidence,
    Ledger,
    Passage,
    Search,
    SearchTrace,
    Source,
    Status,
    Trace,
    Unread,
)
from tracer.progress import Progress
from tracer.reviewing import changes

Followed = TypeVar("Followed", Trace, SearchTrace)


def trace(
    ledger: Ledger,
    library: Library,
    *,
    only: Collection[str] | None = None,
    progress: Progress | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Evidence:
    """The evidence for a ledger, or for the claims of `only` these ids and all that they rest on.

    Sources are read side by side, each let go once its claims were traced. What is slow to import is imported while the
    first of them are read, and `meanwhile` is called then. `progress` is called with the id of each source.
    """
    work = _work(ledger, None if only is None else _resting_on(ledger, only))
    sources = [ledger.sources[name] for name in work if name in ledger.sources]
    reading = library.documents_as_read(sources)
    _import_steps(work.values())
    if meanwhile:
        meanwhile()
    from tracer.deriving import derive

    computations, cycles = derive(ledger)
    gathered = _Gathered(ledger=ledger, library=library, work=work)
    for done, (name, document) in enumerate(reading, start=1):
        gathered.add(name, document)
        if progress:
            progress(name, done, len(sources))
    return gathered.evidence(computations, cycles)


@dataclass(slots=True)
class _Job:
    """What is to be looked up in one source: citations, searches and conclusions by the index of their claim."""

    citations: list[tuple[int, Citation]]
    searches: list[tuple[int, Search]]
    conclusions: list[int]


@dataclass(slots=True, kw_only=True)
class _Gathered:
    """What was found so far, in whatever order the sources were read; citations and searches by their `at_path`."""

    ledger: Ledger
    library: Library
    work: Mapping[str, _Job]
    documents: dict[str, Document | Unread] = field(default_factory=dict)
    traces: dict[int, dict[str, Trace]] = field(default_factory=lambda: defaultdict(dict))
    searches: dict[int, dict[str, SearchTrace]] = field(default_factory=lambda: defaultdict(dict))
    suggestions: dict[str, dict[int, tuple[Passage, ...]]] = field(default_factory=dict)

    def add(self, name: str, document: Document | Unread) -> None:
        """Look up what is to be looked up in a source."""
        from tracer.following import followed

        job, source = self.work[name], self.ledger.sources[name]
        for index, found in followed(job.citations, self.ledger, source, document, self.library):
            self.traces[index][found.citation.at_path] = found
        for index, searched in _searched(job, self.ledger, source, document):
            self.searches[index][searched.search.at_path] = searched
        self.suggestions[name] = _suggestions(job, self.ledger, name, document)
        self.documents[name] = _without_text(document)

    def evidence(self, computations: Mapping[int, Computation], cycles: tuple[tuple[str, ...], ...]) -> Evidence:
        """All of it in the order in which the ledger asks for it, with what the formulas give."""
        claims = self.ledger.claims
        names = [name for name in self.work if name in self.ledger.sources]
        return Evidence(
            ledger=self.ledger,
            documents={name: self.documents[name] for name in names},
            traces={index: _in_order(claims[index].citations, self.traces[index]) for index in sorted(self.traces)},
            searches={
                index: _in_order(claims[index].searched, self.searches[index]) for index in sorted(self.searches)
            },
            computations=computations,
            cycles=cycles,
            suggestions={index: found for name in names for index, found in self.suggestions[name].items()},
            review_changes=dict(_review_changes(self.ledger)),
        )


def _import_steps(jobs: Collection[_Job]) -> None:
    """Import the steps that these jobs need; afterwards naming them costs nothing."""
    import tracer.deriving
    import tracer.following

    if any(job.searches for job in jobs):
        import tracer.searching
    if any(job.conclusions for job in jobs):
        import tracer.stating  # noqa: F401


def _resting_on(ledger: Ledger, ids: Collection[str]) -> set[str]:
    """The ids of some claims and of every claim that they rest on, near or far."""
    grounds = {claim.id: claim.grounds for claim in ledger.claims}
    waiting, found = list(ids), set(ids)
    while waiting:
        for name in grounds.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _work(ledger: Ledger, wanted: Collection[str] | None) -> dict[str, _Job]:
    """What is to be looked up in each source."""
    work: dict[str, _Job] = defaultdict(lambda: _Job([], [], []))
    by_id = {claim.id: claim for claim in reversed(ledger.claims)}
    for index, claim in enumerate(ledger.claims):
        if claim.broken or (wanted is not None and claim.id not in wanted):
            continue
        for citation in claim.citations:
            work[citation.source].citations.append((index, citation))
        for search in claim.searched:
            work[search.source].searches.append((index, search))
        if claim.status is Status.CONCLUDED:
            for name in _sources_of(claim, ledger, by_id):
                work[name].conclusions.append(index)
    return work


def _sources_of(claim: Claim, ledger: Ledger, by_id: Mapping[str, Claim]) -> Iterable[str]:
    """The sources that a conclusion cites, or that the claims it leans on cite."""
    leaned_on = [by_id[name] for name in claim.leans_on if name in by_id]
    cited = (citation.source for one in (claim, *leaned_on) for citation in one.cite)
    return dict.fromkeys(name for name in cited if name in ledger.sources)


def _in_order(written: Sequence[Citation | Search], found: Mapping[str, Followed]) -> tuple[Followed, ...]:
    return tuple(found[item.at_path] for item in written if item.at_path in found)


def _without_text(document: Document | Unread) -> Document | Unread:
    """A document whose pages keep their labels and faults only, for many of them are held at a time."""
    if isinstance(document, Unread):
        return document
    return replace(document, pages=tuple(replace(page, text="", readings=()) for page in document.pages))


def _review_changes(ledger: Ledger) -> Iterator[tuple[int, str]]:
    for index, claim in enumerate(ledger.claims):
        changed = changes(claim, ledger.sources)
        if changed and not claim.broken:
            yield index, changed


# --- searches and conclusions -------------------------------------------------------------------------------------


def _searched(
    job: _Job, ledger: Ledger, source: Source, document: Document | Unread
) -> Iterator[tuple[int, SearchTrace]]:
    """Every search of one source done again; a term that many claims ask for is looked up once."""
    if isinstance(document, Unread):
        for index, search in job.searches:
            yield index, SearchTrace(claim=ledger.claims[index], search=search, unchecked=document.reason)
        return
    if not job.searches:
        return
    from tracer.following import not_the_pin
    from tracer.searching import Terms, unread_pages

    terms, unread = Terms(document, source.id), unread_pages(document)
    for index, search in job.searches:
        yield (
            index,
            SearchTrace(
                claim=ledger.claims[index],
                search=search,
                hits=terms.hits(search),
                pages=len(document.pages),
                unread_pages=unread,
                unchecked=not_the_pin(source, document),
            ),
        )


def _suggestions(job: _Job, ledger: Ledger, name: str, document: Document | Unread) -> dict[int, tuple[Passage, ...]]:
    """Passages of one source that seem to state what its claims conclude."""
    if isinstance(document, Unread) or not job.conclusions:
        return {}
    from tracer.stating import stating

    found = stating([ledger.claims[index] for index in job.conclusions], name, document)
    return {index: passages for index, passages in zip(job.conclusions, found, strict=True) if passages}
