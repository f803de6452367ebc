"""A Report and profiles to its coverage: how each field of each stage is answered, and what of each source is cited.

A cell is one field of one stage. It is blank where a profile asks for it and no claim answers; that is never `not
stated`, which is an answer that was looked for. What audited documents say (`made-in`) is no answer of the record,
unless one of these documents is what is covered.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tracer import profiles
from tracer.model import Claim, ClaimReport, Pipeline, Place, Profile, Report, Source, Stage, Status, Verdict
from tracer.uses import SourceUse, uses

STRONGEST_FIRST = (Status.STATED, Status.DERIVED, Status.CONCLUDED, Status.NOT_STATED)
WORST_FIRST = (Verdict.FLAGGED, Verdict.UNCHECKED, Verdict.VERIFIED)

Key = tuple[str, str]
"""A stage, as `pipeline/stage`, and a field in its comparable form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One field of one stage, with the claims that answer it.

    `answer` is what counts as one, None where no profile asks for the field; `at` is where the stage stands.
    """

    stage: str
    field: str
    answer: str | None = None
    claims: tuple[ClaimReport, ...] = ()
    at: Place

    @property
    def key(self) -> Key:
        return self.stage, profiles.folded(self.field)

    @property
    def is_asked(self) -> bool:
        """Whether the profile asks for it."""
        return self.answer is not None

    @property
    def is_blank(self) -> bool:
        """Whether no claim answers it."""
        return not self.claims

    @property
    def status(self) -> Status | None:
        """The strongest status of its claims; None where it is blank."""
        found = {claim.claim.status for claim in self.claims}
        return next((status for status in STRONGEST_FIRST if status in found), None)

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict of its claims: one that is flagged or unchecked marks the cell."""
        found = {claim.verdict for claim in self.claims}
        return next((verdict for verdict in WORST_FIRST if verdict in found), None)

    @property
    def is_sourced(self) -> bool:
        """Whether a verified citation supports one of its claims."""
        return any(
            citation.role == "cite" and verdict is Verdict.VERIFIED
            for claim in self.claims
            for citation, verdict in zip(claim.claim.citations, claim.verdicts, strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCoverage:
    """One stage and its cells by comparable field: what is asked first, then what is answered beyond that."""

    name: str
    stage: Stage
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineCoverage:
    """One pipeline; `asked` and `beyond` are the names of its fields, each in the order in which they first occur."""

    pipeline: Pipeline
    stages: tuple[StageCoverage, ...]
    asked: tuple[str, ...]
    beyond: tuple[str, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells stage by stage."""
        return tuple(cell for stage in self.stages for cell in stage.cells.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """All of it; `left_out` counts, per reason, the claims of these pipelines that are in no cell."""

    pipelines: tuple[PipelineCoverage, ...]
    sources: tuple[SourceUse, ...]
    named_sources: Mapping[str, Source]
    left_out: Mapping[str, int]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of all pipelines."""
        return tuple(cell for pipeline in self.pipelines for cell in pipeline.cells)

    @property
    def claims(self) -> tuple[ClaimReport, ...]:
        """The claims in the cells, in their order."""
        return tuple(claim for cell in self.cells for claim in cell.claims)


def cover(
    report: Report, known: Mapping[str, Profile], *, pipelines: Sequence[str] | None = None, made_in: str | None = None
) -> Coverage:
    """The coverage of these pipelines (all, if None), by the record or by what one audited document says."""
    ledger = report.ledger
    chosen = [ledger.pipelines[name] for name in (ledger.pipelines if pipelines is None else pipelines)]
    of_these = _by_stage(report.claims, {pipeline.id for pipeline in chosen})
    placed = {stage: [claim for claim in claims if _is_in(claim.claim, made_in)] for stage, claims in of_these.items()}
    covered = tuple(_pipeline(pipeline, known, placed) for pipeline in chosen)
    claims = tuple(claim for pipeline in covered for cell in pipeline.cells for claim in cell.claims)
    return Coverage(
        pipelines=covered,
        sources=tuple(uses(report, claims)),
        named_sources=ledger.sources,
        left_out=_left_out((claim.claim for stage in of_these.values() for claim in stage), made_in),
    )


def _by_stage(claims: Iterable[ClaimReport], pipelines: set[str]) -> Mapping[str, list[ClaimReport]]:
    found: dict[str, list[ClaimReport]] = {}
    for claim in claims:
        stage = claim.claim.stage or ""
        if stage.partition("/")[0] in pipelines:
            found.setdefault(stage, []).append(claim)
    return found


def _is_in(claim: Claim, made_in: str | None) -> bool:
    """Whether a claim answers a field, for the record or for the document that is covered."""
    document = claim.made_in.source if claim.made_in else None
    return document == made_in and bool(claim.field) and claim.status is not None


def _left_out(claims: Iterable[Claim], made_in: str | None) -> Mapping[str, int]:
    """The claims in no cell, counted by the reason."""
    counts: Counter[str] = Counter()
    for claim in claims:
        document = claim.made_in.source if claim.made_in else None
        if document != made_in:
            counts["made by an audited document" if document else "made by the record"] += 1
        elif not claim.field:
            counts["without a field"] += 1
        elif claim.status is None:
            counts["without a status"] += 1
    return counts


# --- stages and cells ---------------------------------------------------------------------------------------------


def _pipeline(
    pipeline: Pipeline, known: Mapping[str, Profile], placed: Mapping[str, Sequence[ClaimReport]]
) -> PipelineCoverage:
    stages = [
        _stage(f"{pipeline.id}/{stage.id}", stage, at, profiles.asked(pipeline.profile, stage.kind, known), placed)
        for stage, at in profiles.stages(pipeline)
    ]
    if placed.get(pipeline.id):
        whole = Stage(id=pipeline.id, title="the pipeline as a whole")
        stages.append(_stage(pipeline.id, whole, pipeline.places.of(""), (), placed))
    cells = [cell for stage in stages for cell in stage.cells.values()]
    asked = _names(cell for cell in cells if cell.is_asked)
    return PipelineCoverage(
        pipeline=pipeline,
        stages=tuple(stages),
        asked=tuple(asked.values()),
        beyond=tuple(name for field, name in _names(cells).items() if field not in asked),
    )


def _names(cells: Iterable[Cell]) -> Mapping[str, str]:
    """Comparable field -> its name where it first occurs."""
    found: dict[str, str] = {}
    for cell in cells:
        found.setdefault(profiles.folded(cell.field), cell.field)
    return found


def _stage(
    name: str,
    stage: Stage,
    at: Place,
    asked: Sequence[profiles.Expected],
    placed: Mapping[str, Sequence[ClaimReport]],
) -> StageCoverage:
    answers: dict[str, list[ClaimReport]] = {}
    for claim in placed.get(name, ()):
        answers.setdefault(profiles.folded(claim.claim.field or ""), []).append(claim)
    cells = {
        profiles.folded(expected.field): Cell(
            stage=name,
            field=expected.field,
            answer=expected.answer,
            claims=tuple(answers.pop(profiles.folded(expected.field), ())),
            at=at,
        )
        for expected in asked
    }
    for field, claims in answers.items():
        cells[field] = Cell(stage=name, field=claims[0].claim.field or "", claims=tuple(claims), at=at)
    return StageCoverage(name=name, stage=stage, cells=cells)


# --- totals -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many cells a profile asks for, how many of these are answered and sourced, and how all cells end.

    `ends` counts the answered cells by status and verdict, those beyond the profile included.
    """

    asked: int
    answered: int
    sourced: int
    beyond: int
    ends: Mapping[tuple[Status | None, Verdict | None], int]

    @property
    def blank(self) -> int:
        """The cells that are asked for and not answered."""
        return self.asked - self.answered


def tally(cells: Iterable[Cell]) -> Tally:
    """The totals over some cells."""
    listed = list(cells)
    asked = [cell for cell in listed if cell.is_asked]
    return Tally(
        asked=len(asked),
        answered=sum(not cell.is_blank for cell in asked),
        sourced=sum(cell.is_sourced for cell in asked),
        beyond=len(listed) - len(asked),
        ends=Counter((cell.status, cell.verdict) for cell in listed if not cell.is_blank),
    )


def fields(cells: Iterable[Cell]) -> Mapping[str, tuple[Cell, ...]]:
    """The cells by the name of their field, which is that of the first."""
    found: dict[str, list[Cell]] = {}
    listed = list(cells)
    names = _names(listed)
    for cell in listed:
        found.setdefault(names[profiles.folded(cell.field)], []).append(cell)
    return {name: tuple(cells) for name, cells in found.items()}
