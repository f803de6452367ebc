"""A pipeline to its page: the path, and field by stage as a table."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from tracer import profiles
from tracer.coverage import Cell, PipelineCoverage, tally
from tracer.reports.site import addresses, facts, path
from tracer.reports.site.material import Material


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
                "tally": tally(pipeline.cells),
            },
        )


def rows(pipeline: PipelineCoverage) -> Iterator[tuple[str, tuple[Cell | None, ...]]]:
    """Each field that the profile asks for, with the cell of every stage that has one."""
    for field in pipeline.asked:
        key = profiles.folded(field)
        yield field, tuple(stage.cells.get(key) for stage in pipeline.stages)


def _linked(here: str, address: Callable[[str], str], name: str) -> str:
    """The link from a page to the page of a name."""
    return addresses.link(here, address(name))
