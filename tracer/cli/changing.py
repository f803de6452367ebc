"""A git revision to the claims whose files or sources have changed since, and those that rest on them.

The work tree is held against the revision; files that git does not track yet count, files that it ignores do not. A
changed ledger file selects all its claims, and of its sources and pipelines only those whose record is another one now.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tracer.cli.history import earlier_ledger
from tracer.cli.project import Project
from tracer.cli.selecting import Selection, claims
from tracer.model import Claim, Ledger, Pipeline, Places, Source
from tracer.repository import Repository

NOWHERE = Places(path="", positions={})
Records = Mapping[str, Source | Pipeline]


def changed(project: Project, revision: str) -> Selection:
    """The claims to audit again since a revision, and the ledger files that have changed."""
    root, ledger = project.settings.root.resolve(), project.ledger
    repository = Repository.around(root)
    commit = repository.commit(revision)
    paths = frozenset(repository.changed_files(commit))
    if project.settings.file and project.settings.file.resolve() in paths:
        return Selection(claims=claims(ledger, lambda _: True), files=frozenset(ledger.fingerprints))
    files = {path.relative_to(root).as_posix() for path in paths if path.is_relative_to(root)}
    earlier = earlier_ledger(project, repository, commit)
    sources = changed_records(earlier.sources, ledger.sources) | read_sources(project, repository, commit, paths)
    sources |= {source.id for source in ledger.sources.values() if source.revision_of in sources}
    pipelines = changed_records(earlier.pipelines, ledger.pipelines)
    touched = {claim.id for claim in ledger.claims if concerns(claim, files, sources, pipelines)}
    gone = {claim.id for claim in earlier.claims if claim.places.path in files}
    reached = on_top(ledger, touched | gone)
    present = frozenset(ledger.fingerprints.keys() & files)
    return Selection(claims=claims(ledger, lambda claim: claim.id in reached), files=present)


# --- what has changed -------------------------------------------------------------------------------------------


def changed_records(before: Records, now: Records) -> frozenset[str]:
    """The ids of records that are new, gone or other than before; a named revision changes with its source."""
    names = {name for name in {*before, *now} if not is_named_revision(now.get(name) or before[name])}
    return frozenset(name for name in names if bare(before.get(name)) != bare(now.get(name)))


def is_named_revision(record: Source | Pipeline) -> bool:
    """Whether a record is only a revision of another, which claims name."""
    return isinstance(record, Source) and record.revision_of is not None


def bare(record: Source | Pipeline | None) -> Source | Pipeline | None:
    """A record without its place, which changes when lines above it do."""
    return record and replace(record, places=NOWHERE, broken=False)


def read_sources(project: Project, repository: Repository, commit: str, paths: Iterable[Path]) -> frozenset[str]:
    """The sources whose file has changed: the one that they name, or one in a source folder that has their bytes."""
    root = project.settings.root
    touched = set(paths)
    with project.library() as library:
        folders = [folder.resolve() for folder in library.folders]
    found = [path for path in touched if any(path.is_relative_to(folder) for folder in folders)]
    hashes = {sha256 for path in found for sha256 in hashes_of(path, repository, commit)}
    return frozenset(
        source.id
        for source in project.ledger.sources.values()
        if source.sha256 in hashes
        or (source.file and touched & {root.resolve() / source.file, (root / source.file).resolve()})
    )


def hashes_of(path: Path, repository: Repository, commit: str) -> Iterator[str]:
    """The sha256 of a file, as it is and as it was."""
    from tracer.locating import sha256_of

    if path.is_file():
        yield sha256_of(path)
    before = repository.content(commit, path)
    if before is not None:
        yield hashlib.sha256(before).hexdigest()


def concerns(claim: Claim, files: Collection[str], sources: Collection[str], pipelines: Collection[str]) -> bool:
    """Whether a change of these files, sources and pipelines can change what is found about a claim."""
    return (
        claim.places.path in files
        or (claim.stage or "").partition("/")[0] in pipelines
        or any(citation.source in sources for citation in claim.citations)
        or any(search.source in sources for search in claim.searched)
    )


def on_top(ledger: Ledger, ids: Iterable[str]) -> frozenset[str]:
    """These claims and all that rest on them, over any number of steps."""
    resting: dict[str, list[str]] = {}
    for claim in ledger.claims:
        for ground in claim.grounds:
            resting.setdefault(ground, []).append(claim.id)
    reached, waiting = set(ids), list(ids)
    while waiting:
        for claim_id in resting.get(waiting.pop(), ()):
            if claim_id not in reached:
                reached.add(claim_id)
                waiting.append(claim_id)
    return frozenset(reached)
