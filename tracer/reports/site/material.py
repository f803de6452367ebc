"""A Report to what its pages look up: claims by id, by stage and by source, who rests on whom, findings by claim.

Built once, so that a page costs what it shows and not what the ledger holds.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from tracer.carrying import Step
from tracer.coverage import Coverage, PipelineCoverage, StageCoverage
from tracer.model import ClaimReport, Document, Finding, Report, Source, Unread
from tracer.picturing import Box, Cited, Picture
from tracer.reports import grounds

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A picture as one citation needs it: where its file is, whether it is a whole page, and the boxes of the quote."""

    path: str
    source: str
    sheet: int
    width: int
    height: int
    is_page: bool
    boxes: tuple[Box, ...]

    @property
    def rectangles(self) -> tuple[Box, ...]:
        """Left, top, width and height of each box, in pixels of the image."""
        width, height = self.width, self.height
        return tuple(
            (left * width, top * height, (right - left) * width, (bottom - top) * height)
            for left, top, right, bottom in self.boxes
        )

    @property
    def strip(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the part of the image that is shown at first, in pixels.

        Of a page that is the quote in its surroundings; a strip holds no more than these.
        """
        if not (self.is_page and self.boxes):
            return 0, 0, self.width, self.height
        lefts, tops, rights, bottoms = zip(*self.boxes, strict=True)
        left, width = stretch(min(lefts), max(rights), self.width, around=AROUND, least=LEAST_WIDTH)
        around = AROUND * self.width / self.height
        top, height = stretch(min(tops), max(bottoms), self.height, around=around, least=0)
        return left, top, width, height


def stretch(first: float, last: float, size: int, *, around: float, least: float) -> tuple[int, int]:
    """Where a part of a line begins and how long it is with what is around it, in pixels of a line of that size."""
    missing = max(0.0, least - (last - first) - 2 * around) / 2
    begin, end = first - around - missing, last + around + missing
    shift = max(0.0, -begin) - max(0.0, end - 1)
    begin, end = max(0.0, begin + shift), min(1.0, end + shift)
    return round(begin * size), max(1, round((end - begin) * size))


AROUND = 0.06
"""What is seen of a page around a quote at first, in parts of its width."""

LEAST_WIDTH = 0.8
"""How much of a page's width is seen at the least."""

Sights = Mapping[Cited, tuple[Sight, ...]]
NO_SIGHTS: Sights = MappingProxyType({})
NO_STEPS: Mapping[str, tuple[Step, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that pages are made of. `document` gives a source with its text, which the report leaves out."""

    report: Report
    covered: Coverage
    document: Callable[[str], Document | Unread | None]
    sights: Sights = field(default_factory=lambda: NO_SIGHTS)
    steps: Mapping[str, tuple[Step, ...]] = field(default_factory=lambda: NO_STEPS)
    base_url: str | None = None
    by_id: Mapping[str, tuple[ClaimReport, ...]]
    by_stage: Mapping[str, tuple[ClaimReport, ...]]
    by_source: Mapping[str, tuple[ClaimReport, ...]]
    users: Mapping[str, tuple[grounds.Step, ...]]
    findings: Mapping[str | None, tuple[Finding, ...]]
    first: Mapping[str, ClaimReport]
    stages: Mapping[str, tuple[PipelineCoverage, StageCoverage]]

    def source(self, name: str) -> Source | None:
        """A source of the ledger."""
        return self.report.ledger.sources.get(name)

    def title(self, name: str) -> str:
        """What a reader calls a source."""
        source = self.source(name)
        return source.title or source.id if source else name


def material(
    report: Report,
    covered: Coverage,
    document: Callable[[str], Document | Unread | None],
    *,
    sights: Sights = NO_SIGHTS,
    steps: Mapping[str, tuple[Step, ...]] = NO_STEPS,
    base_url: str | None = None,
) -> Material:
    """A report with its indices."""
    claims = report.claims
    return Material(
        report=report,
        covered=covered,
        document=document,
        sights=sights,
        steps=steps,
        base_url=base_url,
        by_id=grouped((each.claim.id, each) for each in claims),
        by_stage=grouped((each.claim.stage or "", each) for each in claims),
        by_source=grouped((name, each) for each in claims for name in sources_of(each)),
        users=grouped((ground, (tie, each.claim.id)) for each in claims for tie, ground in grounds.steps(each.claim)),
        findings=grouped((finding.problem.claim, finding) for finding in report.findings),
        first=grounds.by_id(report),
        stages={stage.name: (pipeline, stage) for pipeline in covered.pipelines for stage in pipeline.stages},
    )


def grouped(pairs: Iterable[tuple[Key, Value]]) -> Mapping[Key, tuple[Value, ...]]:
    """Values by key, in their order."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}


def sources_of(claim: ClaimReport) -> tuple[str, ...]:
    """The sources that a claim cites or searches, each once."""
    cited = (citation.source for citation in claim.claim.citations)
    searched = (search.source for search in claim.claim.searched)
    return tuple(dict.fromkeys((*cited, *searched)))


def path_of(name: str) -> str:
    """Where the file of a picture is."""
    return f"evidence/{name}"


def sights(pictures: Iterable[Picture]) -> Sights:
    """Pictures by the citations whose quotes are lit on them; the bytes of the images are not kept."""
    return grouped(
        (
            cited,
            Sight(
                path=path_of(picture.name),
                source=picture.source,
                sheet=picture.sheet,
                width=picture.width,
                height=picture.height,
                is_page=picture.is_page,
                boxes=boxes,
            ),
        )
        for picture in pictures
        for cited, boxes in picture.boxes.items()
    )
