"""Coverage to a letter in Markdown: what the sources do not say and nobody has answered, as questions per stage."""

from collections.abc import Iterator

from tracer.coverage import Cell, Coverage, PipelineCoverage, StageCoverage
from tracer.model import Claim, Search, Source, Status
from tracer.reports.markdown import escaped
from tracer.wording import counted

NOT_SOUGHT = "Of the following we have no record, neither of an answer nor of a search; it may well be published:"


def render(coverage: Coverage) -> str:
    """One letter per pipeline that has an open question."""
    letters = ["\n\n".join(letter(pipeline, coverage)) for pipeline in coverage.pipelines if questions(pipeline)]
    return "\n\n".join(letters or ["Every field is answered: there is nothing to ask."]) + "\n"


def letter(pipeline: PipelineCoverage, coverage: Coverage) -> Iterator[str]:
    """The heading, the reason for writing, and the questions of each stage."""
    title = pipeline.pipeline.title or pipeline.pipeline.id
    yield f"# Questions about the training of {escaped(title)}"
    yield greeting(pipeline, coverage)
    for stage in pipeline.stages:
        yield from stage_parts(stage, coverage)
    yield "Thank you. An answer that can be cited, in a report, a model card or a configuration file, helps most."


def stage_parts(stage: StageCoverage, coverage: Coverage) -> Iterator[str]:
    """The questions of a stage: first what was looked for in vain, then what nobody has looked for."""
    cells = [cell for cell in stage.cells.values() if is_open(cell)]
    silent, blank = [cell for cell in cells if not cell.is_blank], [cell for cell in cells if cell.is_blank]
    if cells:
        yield f"## {escaped(stage.stage.title or stage.stage.id)}"
    if silent:
        yield "\n".join(question(cell, coverage) for cell in silent)
    if blank:
        yield NOT_SOUGHT
        yield "\n".join(question(cell, coverage) for cell in blank)


def greeting(pipeline: PipelineCoverage, coverage: Coverage) -> str:
    """Who is asked, and what for."""
    names = dict.fromkeys(
        source.publisher
        for cell in pipeline.cells
        for claim in cell.claims
        for source in sources(claim.claim, coverage)
        if source.publisher
    )
    to = f"To {escaped(' and '.join(names))}. " if names else ""
    number = counted(len(questions(pipeline)), "question")
    return (
        f"{to}We keep a record of how models were trained, in which each statement cites the page that it rests on. "
        f"For this model {number} {'is' if number.startswith('1 ') else 'are'} open. Could you answer any of them, "
        "or point us to where the answer is published?"
    )


def sources(claim: Claim, coverage: Coverage) -> Iterator[Source]:
    """The sources that a claim cites or has searched."""
    names = [citation.source for citation in claim.cite] + [search.source for search in claim.searched]
    return (coverage.named_sources[name] for name in names if name in coverage.named_sources)


def questions(pipeline: PipelineCoverage) -> list[Cell]:
    """The cells of a pipeline that are open."""
    return [cell for cell in pipeline.cells if is_open(cell)]


def is_open(cell: Cell) -> bool:
    """Whether nothing but silence answers a cell."""
    return cell.status in (None, Status.NOT_STATED)


def question(cell: Cell, coverage: Coverage) -> str:
    """What is asked, and where it was looked for."""
    lines = [f"- **{escaped(cell.field)}**: {escaped(asked(cell))}"]
    sought = [line for claim in cell.claims for line in searches(claim.claim, coverage)]
    lines += [f"  {line}" for line in dict.fromkeys(sought)]
    return "\n".join(lines)


def asked(cell: Cell) -> str:
    """What counts as an answer, else what the claim says is missing."""
    return cell.answer or " ".join(claim.claim.text or "" for claim in cell.claims) or "Any answer helps."


def searches(claim: Claim, coverage: Coverage) -> Iterator[str]:
    """Where a claim has looked, and for which words."""
    for search in claim.searched:
        terms = ", ".join(f"“{escaped(term)}”" for term in search.terms)
        yield f"We looked in {source_words(search, coverage)} for {terms or 'it'}."


def source_words(search: Search, coverage: Coverage) -> str:
    """The title of a source and its revision."""
    source = coverage.named_sources.get(search.source)
    if source is None:
        return escaped(search.source)
    revision = f" (revision {escaped(source.revision)})" if source.revision else ""
    return f"*{escaped(source.title or source.id)}*{revision}"
