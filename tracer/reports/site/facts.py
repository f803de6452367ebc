"""The claims of a stage to what the path shows of it: one fact per column, each with its status.

A fact is blank where no claim answers it. Blank is not `not stated`: that was looked for.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tracer import profiles, wording
from tracer.coverage import STRONGEST_FIRST, PipelineCoverage, StageCoverage
from tracer.model import Claim, ClaimReport, Stage, Status

MOST_ITEMS = 2
CHECKPOINTS = frozenset({"checkpoint", "model"})


class Column(StrEnum):
    """What the path shows of a stage."""

    CONTEXT = "context length"
    TOKENS = "tokens"
    OBJECTIVE = "objective"
    MODALITY = "modality"
    TRAINS = "what trains"
    ARCHITECTURE = "architecture change"


SCALED = frozenset({Column.CONTEXT, Column.TOKENS})
START, PUBLISHED = "starts from", "published"
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    Column.CONTEXT: ("context", "context window", "sequence length"),
    Column.TOKENS: ("training tokens",),
    Column.OBJECTIVE: ("loss", "algorithm"),
    Column.TRAINS: ("trainable parameters",),
}


class Part(StrEnum):
    """How much of the parameters train."""

    ALL = "all parameters train"
    SOME = "a part trains"
    REST = "all but a part trains"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One claim on the path: its words, and its size where the column has a scale."""

    claim: str
    status: Status | None
    words: str
    full: str
    size: float | None = None
    part: Part | None = None
    is_change: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One column of one stage; without items it is blank if it `is_asked`, and no matter of this stage if not."""

    column: str
    items: tuple[Item, ...] = ()
    others: int = 0
    is_asked: bool = False

    @property
    def status(self) -> Status | None:
        """The status of its first item, the strongest."""
        return self.items[0].status if self.items else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A stage on the path; `after` is the number of the step that it follows, None where it begins something."""

    name: str
    stage: Stage
    facts: Mapping[str, Fact]
    after: int | None

    @property
    def is_checkpoint(self) -> bool:
        """Whether it is a state of the weights rather than work on them."""
        return self.stage.kind in CHECKPOINTS

    @property
    def is_side(self) -> bool:
        """Whether it lies off the main path."""
        return self.stage.path == "side"

    @property
    def title(self) -> str:
        """What a reader calls it."""
        return self.stage.title or self.stage.id

    @property
    def is_published(self) -> bool:
        """Whether its weights can be had."""
        return bool(self.stage.published)

    @property
    def is_unexplained(self) -> bool:
        """Whether the sources were searched for what it starts from, and do not say."""
        return self.facts[START].status is Status.NOT_STATED

    @property
    def has_broken_join(self) -> bool:
        """Whether that leaves the join to the step before unexplained."""
        return self.is_unexplained and self.after is not None


def steps(pipeline: PipelineCoverage) -> tuple[Step, ...]:
    """The stages of a pipeline such that each stands below the one that it follows."""
    stages = in_order([stage for stage in pipeline.stages if stage.name != pipeline.pipeline.id])
    numbers = {stage.stage.id: number for number, stage in enumerate(stages)}
    found = []
    for number, stage in enumerate(stages):
        after = numbers.get(stage.stage.after or "")
        found.append(
            Step(
                name=stage.name,
                stage=stage.stage,
                facts=facts(stage),
                after=after if after is not None and after < number else None,
            )
        )
    return tuple(found)


def in_order(stages: Sequence[StageCoverage]) -> list[StageCoverage]:
    """Stages in the order written, but none above the one that it follows; a circle is cut where it is met."""
    waiting = list(stages)
    written = {stage.stage.id for stage in stages}
    placed: dict[str, StageCoverage] = {}
    while waiting:
        ready = (stage for stage in waiting if stage.stage.after not in written or stage.stage.after in placed)
        first = next(ready, waiting[0])
        waiting.remove(first)
        placed.setdefault(first.stage.id, first)
    return list(placed.values())


def facts(stage: StageCoverage) -> Mapping[str, Fact]:
    """All that the path shows of a stage, by column."""
    return {column: fact(stage, column) for column in (*Column, START, PUBLISHED)}


def fact(stage: StageCoverage, column: str) -> Fact:
    """One column of a stage, answered by the strongest claims."""
    names = [profiles.folded(name) for name in (column, *OTHER_NAMES.get(column, ()))]
    cells = [stage.cells[name] for name in names if name in stage.cells]
    claims = strongest_first(claim for cell in cells for claim in cell.claims)
    items = [item(claim.claim, column) for claim in claims]
    if column in SCALED:
        items.sort(key=lambda each: (STRONGEST_FIRST.index(each.status) if each.status else 9, each.size is None))
    most = 1 if column in SCALED else MOST_ITEMS
    shown = [each for each in items[:most] if each.status is not Status.NOT_STATED or each is items[0]]
    return Fact(
        column=str(column),
        items=tuple(shown),
        others=len(items) - len(shown),
        is_asked=any(cell.is_asked for cell in cells),
    )


def strongest_first(claims: Iterable[ClaimReport]) -> list[ClaimReport]:
    """Claims by their status, those of one status as they were."""
    order = {status: number for number, status in enumerate(STRONGEST_FIRST)}
    return sorted(claims, key=lambda claim: order.get(claim.claim.status or Status.NOT_STATED, len(order)))


def item(claim: Claim, column: str) -> Item:
    """A claim as the path shows it."""
    text = wording.flowing(claim.text or wording.value_words(claim) or claim.id)
    is_scaled = column in SCALED and claim.status is not Status.NOT_STATED
    return Item(
        claim=claim.id,
        status=claim.status,
        words=words(claim, text, is_scaled=is_scaled),
        full=text,
        size=size(claim) if is_scaled else None,
        part=part(claim, text) if column == Column.TRAINS else None,
        is_change=column == Column.ARCHITECTURE and changes(claim, text),
    )


def words(claim: Claim, text: str, *, is_scaled: bool) -> str:
    """The few words for a claim: its value where the column has a scale, else what it says."""
    if claim.status is Status.NOT_STATED:
        return "not stated"
    return wording.flowing(claim.value) if is_scaled and claim.value else text.removesuffix(".")


def size(claim: Claim) -> float | None:
    """The value of a claim as a number of tokens, where it is one."""
    from tracer.numerals import number

    found = number(claim.value) if claim.value else None
    return float(found.value()) if found and found.value() > 0 else None


UNCHANGED = re.compile(r"(no|none|not|nothing(?! but| except)|unchanged|the same)\b", re.IGNORECASE)


def changes(claim: Claim, text: str) -> bool:
    """Whether an answer to what changes is more than that nothing does."""
    return claim.status is not Status.NOT_STATED and not UNCHANGED.match(claim.value or text)


ALL = re.compile(r"\b(all|every|whole|full)\b", re.IGNORECASE)
REST = re.compile(r"\b(but|except|save|apart from|other than|frozen|fixed)\b", re.IGNORECASE)


def part(claim: Claim, text: str) -> Part | None:
    """How much trains, by the words of the claim; None where the sources do not say."""
    if claim.status in (Status.NOT_STATED, None):
        return None
    said = claim.value or text
    if not ALL.search(said):
        return Part.SOME
    return Part.REST if REST.search(said) else Part.ALL
