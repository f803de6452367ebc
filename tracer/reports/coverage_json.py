"""Coverage to the JSON that other programs build on: keys sorted, ASCII, equal bytes for equal coverages."""

from collections.abc import Iterable, Mapping

from tracer.coverage import Cell, Coverage, PipelineCoverage, tally
from tracer.coverage_changes import Changes
from tracer.model import Heading, Unread
from tracer.reports import json_
from tracer.reports.coverage_tables import Table
from tracer.uses import SourceUse
from tracer.wording import label

SCHEMA = 1
Record = Mapping[str, object]


def render(coverage: Coverage, changed: Changes | None = None) -> str:
    """Every cell of every stage with its counts, what is cited of each source, and what has changed."""
    from tracer import __version__

    record = {
        "schema": SCHEMA,
        "tracer": __version__,
        "counts": counts(coverage.cells),
        "pipelines": [pipeline_record(pipeline) for pipeline in coverage.pipelines],
        "sources": [use_record(use) for use in coverage.sources],
        "left_out": dict(coverage.left_out),
    }
    return json_.text(record if changed is None else {**record, "changes": change_record(changed)})


def render_table(table: Table) -> str:
    """A list as records, one per row."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return json_.text({"schema": SCHEMA, "list": table.title, "rows": rows})


def counts(cells: Iterable[Cell]) -> Record:
    """How many cells are asked for, answered, sourced, blank and beyond; `ends` counts by status, then by verdict."""
    total = tally(cells)
    ends: dict[str, dict[str, int]] = {}
    for (status, verdict), count in total.ends.items():
        ends.setdefault(str(status), {})[str(verdict)] = count
    return {
        "asked": total.asked,
        "answered": total.answered,
        "sourced": total.sourced,
        "blank": total.blank,
        "beyond": total.beyond,
        "ends": ends,
    }


def pipeline_record(pipeline: PipelineCoverage) -> Record:
    """A pipeline, stage by stage."""
    stages = [
        {
            "id": stage.stage.id,
            "title": stage.stage.title,
            "kind": stage.stage.kind,
            "counts": counts(stage.cells.values()),
            "cells": [cell_record(cell) for cell in stage.cells.values()],
        }
        for stage in pipeline.stages
    ]
    named = pipeline.pipeline
    return {
        "id": named.id,
        "title": named.title,
        "profile": named.profile,
        "counts": counts(pipeline.cells),
        "stages": stages,
    }


def cell_record(cell: Cell) -> Record:
    """A cell: whether it is asked for, how it is answered, and by which claims; a blank one has no status."""
    return {
        "field": cell.field,
        "asked": cell.is_asked,
        "status": cell.status and str(cell.status),
        "verdict": cell.verdict and str(cell.verdict),
        "sourced": cell.is_sourced,
        "claims": [claim.claim.id for claim in cell.claims],
    }


def use_record(use: SourceUse) -> Record:
    """What of a source is cited; pages by their printed number, else that of the sheet."""
    if isinstance(use.read, Unread):
        return {"id": use.source, "unread": use.read.reason}
    labels = {page.sheet: label(use.read, page.sheet) or str(page.sheet) for page in use.read.pages}
    return {
        "id": use.source,
        "quotes": use.quotes,
        "pages": {
            "cited": [labels[sheet] for sheet in use.used_sheets],
            "never": [labels[sheet] for sheet in use.unused_sheets],
        },
        "sections": {"cited": headings(use.used_sections), "never": headings(use.unused_sections)},
    }


def headings(sections: Iterable[Heading]) -> list[Record]:
    """Sections by number and title."""
    return [{"number": heading.number, "title": heading.title} for heading in sections]


def change_record(changed: Changes) -> Record:
    """What is so now and was not before."""
    return {
        "answered": [place(cell) for cell in changed.answered],
        "blank": [place(cell) for cell in changed.blank],
        "restated": [
            {**place(after), "before": before.status and str(before.status), "now": after.status and str(after.status)}
            for before, after in changed.restated
        ],
        "flagged": [claim.claim.id for claim in changed.flagged],
        "revalued": [
            {
                "claim": new.id,
                "before": {"value": old.value, "unit": old.unit},
                "now": {"value": new.value, "unit": new.unit},
            }
            for old, new in changed.revalued
        ],
    }


def place(cell: Cell) -> Record:
    """Which cell."""
    return {"stage": cell.stage, "field": cell.field}
