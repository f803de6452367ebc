"""A stage to its page: what it is, its settings, what is not disclosed, and the words of the sources."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tracer import profiles
from tracer.coverage import Cell, PipelineCoverage, StageCoverage
from tracer.model import ClaimReport, Status
from tracer.reports.site import addresses
from tracer.reports.site.evidence import place_words
from tracer.reports.site.material import Material, grouped, sources_of
from tracer.wording import citations

LEADS = ("purpose", "objective", "algorithm", "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What one place of a source says: its quotes, each with the claims that rest on it."""

    source: str
    place: str
    quotes: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One field of the stage with the claims that answer it."""

    field: str
    claims: tuple[tuple[ClaimReport, str], ...]


def pages(material: Material) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """A page for each stage, and for what is said of a pipeline as a whole."""
    for pipeline, stage in material.stages.values():
        yield addresses.stage(stage.name), "stage.html", values(material, pipeline, stage)


def values(material: Material, pipeline: PipelineCoverage, stage: StageCoverage) -> Mapping[str, object]:
    """What the page of a stage shows."""
    cells = list(stage.cells.values())
    claims = material.by_stage.get(stage.name, ())
    audited = [claim for claim in claims if claim.claim.made_in]
    record = [claim for claim in claims if not claim.claim.made_in]
    in_cells = [claim for cell in cells for claim in cell.claims]
    siblings = [each for each in pipeline.stages if each.name != pipeline.pipeline.id]
    return {
        "pipeline": pipeline,
        "stage": stage,
        "title": stage.stage.title or stage.stage.id,
        "lead": lead(cells),
        "position": siblings.index(stage) + 1 if stage in siblings else None,
        "number": len(siblings),
        "before": neighbour(siblings, stage.stage.after),
        "after": [each for each in siblings if each.stage.after == stage.stage.id],
        "previous": beside(siblings, stage, -1),
        "next": beside(siblings, stage, +1),
        "settings": tuple(settings(material, cells)),
        "undisclosed": tuple(undisclosed(cells)),
        "blank": tuple(cell for cell in cells if cell.is_blank),
        "quotes": tuple(passages(in_cells)),
        "audited": grouped((claim.claim.made_in.source, claim) for claim in audited if claim.claim.made_in),
        "findings": tuple(
            finding for claim in {c.claim.id: c for c in claims} for finding in material.findings.get(claim, ())
        ),
        "sources": tuple(dict.fromkeys(source for claim in record for source in sources_of(claim))),
    }


def lead(cells: Sequence[Cell]) -> ClaimReport | None:
    """The claim that says in a sentence what a stage is: its purpose, else its objective."""
    for field in LEADS:
        for cell in cells:
            if profiles.folded(cell.field) == field and cell.status not in (None, Status.NOT_STATED):
                return next(claim for claim in cell.claims if claim.claim.status is cell.status)
    return None


def neighbour(stages: Iterable[StageCoverage], name: str | None) -> StageCoverage | None:
    """The stage of that id."""
    return next((stage for stage in stages if stage.stage.id == name), None)


def beside(stages: Sequence[StageCoverage], stage: StageCoverage, step: int) -> StageCoverage | None:
    """The stage that is written before or after another."""
    if stage not in stages:
        return None
    position = stages.index(stage) + step
    return stages[position] if 0 <= position < len(stages) else None


def settings(material: Material, cells: Iterable[Cell]) -> Iterator[Setting]:
    """The fields that are answered by something else than `not stated`."""
    for cell in cells:
        claims = [claim for claim in cell.claims if claim.claim.status is not Status.NOT_STATED]
        if claims:
            yield Setting(field=cell.field, claims=tuple((claim, where(material, claim)) for claim in claims))


def where(material: Material, claim: ClaimReport) -> str:
    """The first place that a claim cites, with its source."""
    for citation in claim.claim.cite:
        return " ".join(filter(None, (material.title(citation.source), place_words(citation))))
    return ""


def undisclosed(cells: Iterable[Cell]) -> Iterator[ClaimReport]:
    """The claims that something is not stated; their searches tell where it was looked for."""
    return (claim for cell in cells for claim in cell.claims if claim.claim.status is Status.NOT_STATED)


def passages(claims: Iterable[ClaimReport]) -> Iterator[Passage]:
    """The quotes of the record by the place that they are cited from, in the order of the claims."""
    by_place = grouped(
        ((each.citation.source, place_words(each.citation)), (each.citation.quote, claim.claim.id))
        for claim in claims
        for each in citations(claim)
        if each.citation.role == "cite" and each.citation.quote
    )
    for (source, place), found in by_place.items():
        by_words = grouped((words or "", claim) for words, claim in found)
        quotes = tuple((words, tuple(dict.fromkeys(names))) for words, names in by_words.items())
        yield Passage(source=source, place=place, quotes=quotes)
