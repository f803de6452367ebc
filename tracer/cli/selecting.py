"""Words typed after a command to the claims that they mean: paths, stages, pipelines, ids and beginnings of ids."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tracer.model import Claim, Failure, Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Claims by their index in the ledger, and the ledger files that were named."""

    claims: frozenset[int]
    files: frozenset[str] = frozenset()

    def __or__(self, other: "Selection") -> "Selection":
        return Selection(claims=self.claims | other.claims, files=self.files | other.files)

    def __and__(self, other: "Selection") -> "Selection":
        return Selection(claims=self.claims & other.claims, files=self.files & other.files)


def selected(ledger: Ledger, words: Sequence[str], project: Path, here: Path) -> Selection:
    """What the words mean together; a word that means nothing is a Failure."""
    whole = Selection(claims=frozenset())
    for word in words:
        whole |= meant(ledger, word, project, here)
    return whole


def meant(ledger: Ledger, word: str, project: Path, here: Path) -> Selection:
    """What one word means: a claim, a stage, a pipeline, a file or folder, or the beginning of ids, in this order."""
    stage = word.rstrip("/")
    for found in (claims(ledger, lambda claim: claim.id == word), claims(ledger, lambda claim: in_stage(claim, stage))):
        if found:
            return Selection(claims=found)
    path = ledger_path(word, project, here)
    within = frozenset(file for file in ledger.fingerprints if path is not None and lies_in(file, path))
    if within:
        return Selection(claims=claims(ledger, lambda claim: claim.places.path in within), files=within)
    beginning = claims(ledger, lambda claim: claim.id.startswith(word.rstrip(".") + "."))
    if not beginning and stage not in stages(ledger):
        raise Failure(unknown(ledger, word))
    return Selection(claims=beginning)


def claims(ledger: Ledger, is_meant: Callable[[Claim], bool]) -> frozenset[int]:
    """The claims of which something holds, by their index."""
    return frozenset(index for index, claim in enumerate(ledger.claims) if is_meant(claim))


def in_stage(claim: Claim, name: str) -> bool:
    """Whether a claim belongs to a stage, or to a stage of a pipeline."""
    return claim.stage is not None and (claim.stage == name or claim.stage.startswith(f"{name}/"))


def stages(ledger: Ledger) -> frozenset[str]:
    """The names of all pipelines and stages, those without claims too."""
    names = {f"{pipeline.id}/{stage.id}" for pipeline in ledger.pipelines.values() for stage in pipeline.stages}
    return frozenset(names | set(ledger.pipelines))


def ledger_path(word: str, project: Path, here: Path) -> str | None:
    """A path as the ledger writes it: relative to the project, with `/`; None for what lies outside."""
    path = Path(here, word).resolve()
    return path.relative_to(project.resolve()).as_posix() if path.is_relative_to(project.resolve()) else None


def lies_in(file: str, path: str) -> bool:
    """Whether a ledger file is the one of that path, or below it."""
    return path == "." or file == path or file.startswith(f"{path}/")


def unknown(ledger: Ledger, word: str) -> str:
    """The sentence for a word that means nothing."""
    from tracer.spelling import did_you_mean
    from tracer.wording import listed

    names = {claim.id for claim in ledger.claims} | stages(ledger) | set(ledger.fingerprints)
    hint = did_you_mean(word, sorted(names))
    said = f"nothing in the ledger is called {word}: {hint or 'name a file, a stage, a claim or the beginning of ids'}"
    unread = listed(ledger.incomplete, most=4)
    return f"{said}; {unread} could not be read whole, and it may stand there" if unread else said
