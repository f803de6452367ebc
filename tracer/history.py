"""A claim and the git history of its file to what changed about it, commit by commit, the newest first.

A commit in which the value became another one while neither quotes nor grounds did is flagged: either the evidence does
not say the new value, or it never said the old one.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as default
from pathlib import Path
from types import MappingProxyType

from tracer.excerpts import claim_in, excerpts
from tracer.model import Claim
from tracer.numerals import numbers
from tracer.repository import Blobs, Commit, Repository
from tracer.text import comparable

MOST_FILES = 20
"""How many files a claim is followed through when it was moved from one to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What one commit did to a claim (None: what is not committed yet); `parts` names what changed.

    `before` is None where the claim begins, `after` where it was taken out. `old_path` is where it stood before.
    """

    commit: Commit | None
    path: str
    old_path: str
    before: Claim | None
    after: Claim | None
    parts: tuple[str, ...]
    changed_inputs: tuple[str, ...] = ()

    @property
    def is_flagged(self) -> bool:
        """Whether the value became another one while nothing that it rests on did."""
        is_both = self.before is not None and self.after is not None
        return is_both and "value" in self.parts and not self.changed_inputs and not {*self.parts} & GROUNDS


def history(claim: Claim, root: Path, folder: str, paths: Mapping[str, str]) -> tuple[Entry, ...]:
    """Every change of a claim in the repository around `root`, the newest first; a Failure where there is none.

    `folder` is the ledger's, `paths` the file of each claim, both relative to `root`.
    """
    repository = Repository.around(root)
    with repository.blobs() as blobs:
        walk = _Walk(claim=claim, repository=repository, blobs=blobs, folder=folder, paths=paths)
        return tuple(walk.entries())


# --- parts of a claim -----------------------------------------------------------------------------------------------


def _quotes(claim: Claim) -> object:
    return [(it.role, it.source, it.at, comparable(it.quote or "")) for it in claim.citations]


def _places(claim: Claim) -> object:
    return [(it.section, it.page, it.sheet, it.lines) for it in claim.citations]


PARTS: Mapping[str, Callable[[Claim], object]] = MappingProxyType(
    {
        "value": lambda claim: (claim.value, claim.unit),
        "status": lambda claim: claim.status,
        "text": lambda claim: claim.text,
        "quotes": _quotes,
        "places": _places,
        "grounds": lambda claim: (claim.formula, dict(claim.inputs), claim.tolerance, claim.because, claim.leans_on),
        "searches": lambda claim: claim.searched,
        "accepted": lambda claim: dict(claim.accept),
        "review": lambda claim: claim.review,
        "rest": lambda claim: (claim.stage, claim.field, claim.note),
    }
)
"""What is said to have changed, and what it is read from."""

GROUNDS = frozenset({"quotes", "grounds", "searches"})
"""The parts that give reason for another value."""


def changed_parts(before: Claim | None, after: Claim | None) -> tuple[str, ...]:
    """The names of the parts that differ between two versions of a claim."""
    if before is None or after is None:
        return ()
    found = (name for name, part in PARTS.items() if part(before) != part(after))
    return tuple("notation" if name == "value" and _is_same_value(before, after) else name for name in found)


def _is_same_value(before: Claim, after: Claim) -> bool:
    """Whether two values are one number in another notation: `64K` and `64,000`."""
    if before.unit != after.unit:
        return False
    old, new = (numbers(claim.value or "") for claim in (before, after))
    if not old or len(old) != len(new):
        return comparable(before.value or "") == comparable(after.value or "")
    return all(one.values & other.values for one, other in zip(old, new, strict=True))


# --- the walk -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Walk:
    """One claim followed back through the commits of its file, and from there to the file that it came from."""

    claim: Claim
    repository: Repository
    blobs: Blobs
    folder: str
    paths: Mapping[str, str]
    known: dict[tuple[str, str], Claim | None] = default(default_factory=dict)

    def entries(self) -> Iterator[Entry]:
        """The changes of the claim; what is not committed comes first."""
        path = self.repository.path(self.claim.places.path)
        committed = self._at("HEAD", path, self.claim.id)
        yield from self._compared(None, path, path, committed, self.claim)
        start = "HEAD"
        for _ in range(MOST_FILES):
            found = tuple(self._commits(start, path))
            yield from found[:-1]
            if not found:
                return
            first = found[-1]
            start = first.commit.parents[0] if first.commit and first.commit.parents else ""
            origin = self._origin(start, first.path) if start and not first.before else None
            if origin is None:
                yield first
                return
            before = self._at(start, origin, self.claim.id)
            yield from self._compared(first.commit, first.path, origin, before, first.after)
            path = origin

    def _commits(self, start: str, path: str) -> Iterator[Entry]:
        """The commits of one file that changed the claim, and the one that brought it there."""
        for commit, now, then in self.repository.log(start, path):
            after = self._at(commit.id, now, self.claim.id)
            befores = [self._at(parent, then, self.claim.id) for parent in commit.parents] or [None]
            if len(befores) > 1 and any(before and not changed_parts(before, after) for before in befores):
                continue
            yield from self._compared(commit, now, then, befores[0], after)

    def _compared(
        self,
        commit: Commit | None,
        path: str,
        old_path: str,
        before: Claim | None,
        after: Claim | None,
    ) -> Iterator[Entry]:
        parts = changed_parts(before, after)
        if before is None and after is None:
            return
        if parts or before is None or after is None or path != old_path:
            inputs = self._changed_inputs(commit, after) if "value" in parts and after else ()
            yield Entry(
                commit=commit,
                path=path,
                old_path=old_path,
                before=before,
                after=after,
                parts=parts,
                changed_inputs=tuple(inputs),
            )

    def _changed_inputs(self, commit: Commit | None, after: Claim) -> Iterator[str]:
        """The inputs of a derived value whose own values changed in the same commit."""
        new, old = ("", "HEAD") if commit is None else (commit.id, next(iter(commit.parents), ""))
        for name in dict.fromkeys(after.inputs.values()):
            if name in self.paths:
                path = self.repository.path(self.paths[name])
                now = self._at(new, path, name) if new else self._on_disk(self.paths[name], name)
                then = self._at(old, path, name) if old else None
                if then is not None and "value" in changed_parts(then, now):
                    yield name

    def _on_disk(self, path: str, name: str) -> Claim | None:
        return claim_in((self.repository.root / path).read_bytes(), name)

    def _at(self, commit: str, path: str, name: str) -> Claim | None:
        data = self.blobs.read(f"{commit}:{path}")
        return None if data is None else self._claim(data, name)

    def _claim(self, data: bytes, name: str) -> Claim | None:
        """A claim in the content of a file; what was read of the same lines before is not read again."""
        lines = "\n\n".join(excerpts(data.decode(errors="replace"), name))
        if not lines or "*" in lines or "<<" in lines:
            return claim_in(data, name)
        if (name, lines) not in self.known:
            self.known[name, lines] = claim_in(data, name)
        return self.known[name, lines]

    def _origin(self, commit: str, path: str) -> str | None:
        """The other file of the ledger that held the claim in a commit."""
        for candidate in self.repository.holding(commit, self.claim.id, self.repository.path(self.folder)):
            if candidate != path and self._at(commit, candidate, self.claim.id):
                return candidate
        return None
