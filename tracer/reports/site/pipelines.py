"""A pipeline to its page: the path, and field by stage as a table."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from tracer import profiles
from tracer.coverage import Cell, PipelineCoverage, StageCoverage, tally
from tracer.reports.site import addresses, facts, path
from tracer.reports.site.material import Material, sources_of
from tracer.reports.site.stages import Setting, settings

RELEASE = tuple(
    map(
        profiles.folded,
        (
            "total parameters",
            "parameters",
            "activated parameters",
            "active parameters",
            "publisher",
            "release date",
            "licence",
            "line",
            "code",
        ),
    )
)
"""The fields of a published model that are shown beside its path."""


def pages(material: Material) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """A page for each pipeline."""
    for pipeline in material.covered.pipelines:
        here = addresses.pipeline(pipeline.pipeline.id)
        steps = facts.steps(pipeline)
        title = pipeline.pipeline.title or pipeline.pipeline.id
        stage, claim = (partial(_linked, here, address) for address in (addresses.stage, addresses.claim))
        yield (
            here,
            "pipeline.html",
            {
                "pipeline": pipeline,
                "title": title,
                "drawings": tuple(path.drawings(title, steps, stage=stage, claim=claim)),
                "pieces": path.pieces(steps, stage=stage, claim=claim),
                "unexplained": tuple(step for step in steps if step.has_broken_join),
                "rows": tuple(rows(pipeline)),
                "released": tuple(released(material, pipeline)),
                "sources": tuple(sources(material, pipeline)),
                "tally": tally(pipeline.cells),
            },
        )


def rows(pipeline: PipelineCoverage) -> Iterator[tuple[str, tuple[Cell | None, ...]]]:
    """Each field that the profile asks for, with the cell of every stage that has one."""
    for field in pipeline.asked:
        key = profiles.folded(field)
        yield field, tuple(stage.cells.get(key) for stage in pipeline.stages)


def released(material: Material, pipeline: PipelineCoverage) -> Iterator[tuple[StageCoverage, tuple[Setting, ...]]]:
    """What was published, each with the facts by which people know a model."""
    for stage in pipeline.stages:
        cells = (stage.cells[name] for name in RELEASE if name in stage.cells)
        found = tuple(settings(material, cells)) if stage.stage.published else ()
        if found:
            yield stage, found


def sources(material: Material, pipeline: PipelineCoverage) -> Iterable[str]:
    """The sources that the record of a pipeline cites or searches, each once."""
    claims = (claim for stage in pipeline.stages for claim in material.by_stage.get(stage.name, ()))
    return dict.fromkeys(source for claim in claims if not claim.claim.made_in for source in sources_of(claim))


def _linked(here: str, address: Callable[[str], str], name: str) -> str:
    """The link from a page to the page of a name."""
    return addresses.link(here, address(name))
