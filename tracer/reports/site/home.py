"""The whole report to the first page, and to the page of coverage."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tracer import profiles
from tracer.coverage import Cell, PipelineCoverage, Tally, tally
from tracer.model import Document, Heading, Verdict
from tracer.reports.site import addresses
from tracer.reports.site.material import Material
from tracer.uses import SourceUse

MOST_HEADINGS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A pipeline with its totals and its claims by verdict."""

    covered: PipelineCoverage
    tally: Tally
    verdicts: Mapping[Verdict, int]
    claims: int


def pages(material: Material) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """The first page and the page of coverage."""
    parts = tuple(part(material, pipeline) for pipeline in material.covered.pipelines)
    common = {"parts": parts, "rows": tuple(rows(material))}
    yield (
        addresses.HOME,
        "home.html",
        {
            **common,
            "outside": outside(material),
            "totals": {verdict: material.report.count(verdict) for verdict in Verdict},
        },
    )
    uses = tuple(use for use in material.covered.sources)
    yield (
        addresses.COVERAGE,
        "coverage.html",
        {**common, "uses": uses, "unused": {use.source: unused(use) for use in uses}},
    )


def totals(material: Material) -> Mapping[Verdict, int]:
    """How many claims ended in which way."""
    return {verdict: material.report.count(verdict) for verdict in Verdict}


def part(material: Material, pipeline: PipelineCoverage) -> Part:
    """A pipeline in numbers."""
    name = pipeline.pipeline.id
    claims = [
        claim
        for stage, found in material.by_stage.items()
        if stage == name or stage.startswith(f"{name}/")
        for claim in found
    ]
    return Part(
        covered=pipeline,
        tally=tally(pipeline.cells),
        verdicts={verdict: sum(claim.verdict is verdict for claim in claims) for verdict in Verdict},
        claims=len(claims),
    )


def rows(material: Material) -> Iterator[tuple[str, tuple[tuple[Cell, ...], ...]]]:
    """Each field that a profile asks for, with its cells of every pipeline."""
    names: dict[str, str] = {}
    for pipeline in material.covered.pipelines:
        for field in pipeline.asked:
            names.setdefault(profiles.folded(field), field)
    for key, name in names.items():
        yield (
            name,
            tuple(
                tuple(stage.cells[key] for stage in pipeline.stages if key in stage.cells)
                for pipeline in material.covered.pipelines
            ),
        )


def outside(material: Material) -> int:
    """How many claims belong to no stage of a pipeline."""
    return sum(len(claims) for stage, claims in material.by_stage.items() if stage not in material.stages)


def unused(use: SourceUse) -> tuple[Heading, ...]:
    """The sections of a source that no quote of the record stands in, as many as a page can show."""
    return use.unused_sections[:MOST_HEADINGS] if isinstance(use.read, Document) else ()
