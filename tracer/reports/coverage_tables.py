"""Coverage to tables of words: the grid of a pipeline, models side by side, totals, lists, changes, sources.

Every format shows these; what a table says is the same in all of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from tracer.coverage import STRONGEST_FIRST, Cell, Coverage, PipelineCoverage, fields, tally
from tracer.coverage_changes import Changes
from tracer.model import ClaimReport, Document, Heading, Status, Unread, Verdict
from tracer.uses import SourceUse
from tracer.wording import label, value_words

LETTERS: Mapping[Status | None, str] = MappingProxyType(
    {Status.STATED: "S", Status.DERIVED: "D", Status.CONCLUDED: "C", Status.NOT_STATED: "N", None: "."}
)
MARKS: Mapping[Verdict | None, str] = MappingProxyType({Verdict.FLAGGED: "!", Verdict.UNCHECKED: "?"})
BLANK = "blank"

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Words in rows and columns; `joint` stands between the last words of a row where they share a line."""

    title: str
    columns: Row
    rows: tuple[Row, ...]
    joint: str = "; "


def tables(coverage: Coverage, changed: Changes | None = None) -> Iterator[Table]:
    """All that is to be shown of a coverage, in the order in which one reads it."""
    for pipeline in coverage.pipelines:
        yield from pipeline_tables(pipeline)
    if len(coverage.pipelines) > 1:
        yield side_by_side(coverage)
    yield use_table(coverage)
    if changed is not None:
        yield change_table(changed)


def pipeline_tables(pipeline: PipelineCoverage) -> Iterator[Table]:
    """The grid of a pipeline and its totals, without those that are empty."""
    title = pipeline_title(pipeline)
    made = (
        grid(pipeline, pipeline.asked, title),
        grid(pipeline, pipeline.beyond, f"{title}: beyond the profile" if pipeline.asked else title),
        stage_totals(pipeline),
        field_totals(pipeline.cells, f"{title}: fields"),
        ends_table(pipeline.cells, f"{title}: how the cells end"),
    )
    return (table for table in made if table.rows)


def pipeline_title(pipeline: PipelineCoverage) -> str:
    """What people call a pipeline, and its id."""
    named = pipeline.pipeline
    return f"{named.title} ({named.id})" if named.title and named.title != named.id else named.id


# --- words --------------------------------------------------------------------------------------------------------


def symbol(cell: Cell | None) -> tuple[str, str]:
    """The letter of a cell and its mark; nothing for a field that is neither asked for nor answered."""
    return ("", "") if cell is None else (LETTERS[cell.status], MARKS.get(cell.verdict, ""))


def cell_words(cell: Cell | None) -> str:
    """How a cell is answered and whether something is the matter with it: `stated, flagged`."""
    if cell is None:
        return ""
    status = str(cell.status or BLANK)
    return f"{status}, {cell.verdict}" if MARKS.get(cell.verdict) else status


def share(part: int, whole: int) -> str:
    """A part of a whole with its percentage."""
    return f"{part:,} of {whole:,} ({percent(part, whole)} %)" if whole else f"{part:,} of 0"


def percent(part: int, whole: int) -> str:
    """The percentage of a part to one decimal, rounded half up; 0 and 100 are none and all, and never rounded to."""
    if part in (0, whole):
        return "100" if part else "0"
    tenths = (part * 2000 + whole) // (whole * 2)
    return f"{min(max(tenths, 1), 999) / 10:.1f}"


def cell_name(cell: Cell) -> str:
    """A cell as people name it: `kimi-k3/mopd, learning rate`."""
    return f"{cell.stage}, {cell.field}"


# --- grids --------------------------------------------------------------------------------------------------------


def grid(pipeline: PipelineCoverage, names: Sequence[str], title: str) -> Table:
    """Fields as rows, stages as columns."""
    by_field = fields(pipeline.cells)
    stages = [stage.name for stage in pipeline.stages]
    rows = []
    for name in names:
        cells = {cell.stage: cell for cell in by_field[name]}
        rows.append((name, *(cell_words(cells.get(stage)) for stage in stages)))
    return Table(title=title, columns=("field", *(stage.stage.id for stage in pipeline.stages)), rows=tuple(rows))


def side_by_side(coverage: Coverage) -> Table:
    """Fields as rows, pipelines as columns: how many stages of each are answered in which way."""
    columns = [fields(pipeline.cells) for pipeline in coverage.pipelines]
    asked = dict.fromkeys(name for pipeline in coverage.pipelines for name in pipeline.asked)
    beyond = dict.fromkeys(name for column in columns for name in column if sum(name in each for each in columns) > 1)
    return Table(
        title="side by side: stages per status",
        columns=("field", *(pipeline.pipeline.id for pipeline in coverage.pipelines)),
        rows=tuple((name, *(summary(column.get(name, ())) for column in columns)) for name in {**asked, **beyond}),
    )


def summary(cells: Sequence[Cell]) -> str:
    """How many cells have which letter, and the worst mark of all: `S5 N2 .1!`."""
    counts = Counter(cell.status for cell in cells)
    marks = {MARKS.get(cell.verdict, "") for cell in cells}
    letters = (f"{letter}{counts[status]}" for status, letter in LETTERS.items() if counts[status])
    return " ".join(letters) + next((mark for mark in MARKS.values() if mark in marks), "")


# --- totals -------------------------------------------------------------------------------------------------------


def stage_totals(pipeline: PipelineCoverage) -> Table:
    """Per stage: asked, answered, sourced, blank, and what is answered beyond."""
    rows = [(stage.stage.id, *_counts(stage.cells.values())) for stage in pipeline.stages]
    if rows:
        rows.append(("all", *_counts(pipeline.cells)))
    return Table(
        title=f"{pipeline_title(pipeline)}: stages",
        columns=("stage", "asked", "answered", "sourced", "blank", "beyond"),
        rows=tuple(rows),
    )


def field_totals(cells: Sequence[Cell], title: str) -> Table:
    """The same per field, where a profile asks for it."""
    rows = [(name, *_counts(of_field)[:4]) for name, of_field in fields(cells).items() if tally(of_field).asked]
    return Table(title=title, columns=("field", "asked", "answered", "sourced", "blank"), rows=tuple(rows))


def _counts(cells: Iterable[Cell]) -> Row:
    total = tally(cells)
    return tuple(map(str, (total.asked, total.answered, total.sourced, total.blank, total.beyond)))


def ends_table(cells: Sequence[Cell], title: str) -> Table:
    """Per status: how many cells ended in which verdict."""
    ends = tally(cells).ends
    rows = [(str(status), *(str(ends.get((status, verdict), 0)) for verdict in Verdict)) for status in STRONGEST_FIRST]
    totals = (str(sum(count for end, count in ends.items() if end[1] is verdict)) for verdict in Verdict)
    return Table(title=title, columns=("cells", *Verdict), rows=(*rows, ("all", *totals)) if cells else ())


# --- sources ------------------------------------------------------------------------------------------------------


def use_table(coverage: Coverage) -> Table:
    """Per source: the pages and sections that are cited, and those that never are."""
    rows = [
        (use.source, str(use.quotes), *(_listed(part) for part in (*pages_of(use), *sections_of(use))))
        for use in coverage.sources
    ]
    columns = ("source", "quotes", "pages cited", "pages never cited", "sections cited", "sections never cited")
    return Table(title="what is cited of each source", columns=columns, rows=tuple(rows))


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts)


def pages_of(use: SourceUse) -> tuple[Sequence[str], Sequence[str]]:
    """The pages that are cited and those that are not, as short ranges; an unread source and a web page have none."""
    if isinstance(use.read, Unread):
        return (f"not read: {use.read.reason}",), ()
    if use.read.kind != "pdf" and len(use.read.pages) < 2:
        return (), ()
    return ranges(use.used_sheets, use.read), ranges(use.unused_sheets, use.read)


def ranges(sheets: Sequence[int], document: Document) -> tuple[str, ...]:
    """Pages that follow each other as one range, by their printed numbers: `i–iv`, `3`, `7–12`."""
    runs = [[sheet for _, sheet in run] for _, run in groupby(enumerate(sheets), key=lambda pair: pair[1] - pair[0])]
    labels = [(label(document, run[0]) or str(run[0]), label(document, run[-1]) or str(run[-1])) for run in runs]
    return tuple(first if first == last else f"{first}–{last}" for first, last in labels)


def sections_of(use: SourceUse) -> tuple[Sequence[str], Sequence[str]]:
    """The sections that are cited and the outermost that are not, by number or title."""
    return tuple(map(str, use.used_sections)), tuple(map(str, use.unused_sections))


def section_title(heading: Heading) -> str:
    """The number and the title of a section."""
    return f"{heading.number} {heading.title}" if heading.number else heading.title


# --- the list behind a count --------------------------------------------------------------------------------------

UNCITED = "uncited-pages"

Wanted = Callable[[Cell, ClaimReport], bool]
"""Whether a claim of a cell is wanted in a list."""


def _of_status(status: Status) -> Wanted:
    return lambda _, claim: claim.claim.status is status


def _of_verdict(verdict: Verdict) -> Wanted:
    return lambda _, claim: claim.verdict is verdict


LISTS: Mapping[str, Wanted] = MappingProxyType(
    {
        **{str(verdict): _of_verdict(verdict) for verdict in (Verdict.FLAGGED, Verdict.UNCHECKED)},
        **{str(status): _of_status(status) for status in STRONGEST_FIRST},
    }
)


def listing(coverage: Coverage, name: str) -> Table:
    """What is behind a count: the blank cells, the claims of a status or verdict, or what is never cited."""
    if name == BLANK:
        return blank_list(coverage)
    if name == UNCITED:
        return uncited_list(coverage)
    return claim_list(coverage, name)


def blank_list(coverage: Coverage) -> Table:
    """The cells that are asked for and blank, with what would be an answer."""
    cells = [cell for cell in coverage.cells if cell.is_blank]
    rows = tuple((cell.stage, cell.field, str(cell.at), cell.answer or "") for cell in cells)
    return Table(title="blank cells", columns=("stage", "field", "written at", "what counts as an answer"), rows=rows)


def claim_list(coverage: Coverage, name: str) -> Table:
    """The claims of a status or of a verdict."""
    wanted = LISTS[name]
    rows = [
        (claim.claim.id, cell.stage, cell.field, str(claim.claim.places.of("")), str(claim.verdict), says(claim))
        for cell in coverage.cells
        for claim in cell.claims
        if wanted(cell, claim)
    ]
    columns = ("claim", "stage", "field", "written at", "verdict", "says")
    return Table(title=f"{name} claims", columns=columns, rows=tuple(rows))


def says(claim: ClaimReport) -> str:
    """The sentence of a claim, else its value."""
    return claim.claim.text or value_words(claim.claim)


def uncited_list(coverage: Coverage) -> Table:
    """Pages and sections that no quote stands in."""
    rows: list[Row] = []
    for use in coverage.sources:
        rows += ((use.source, "pages", pages) for pages in pages_of(use)[1])
        rows += ((use.source, "section", section_title(heading)) for heading in use.unused_sections)
        if isinstance(use.read, Unread):
            rows.append((use.source, "all", f"not read: {use.read.reason}"))
    title = "pages and sections that are never cited"
    return Table(title=title, columns=("source", "what", "which"), rows=tuple(rows))


# --- all cells, and changes ---------------------------------------------------------------------------------------


def cell_table(coverage: Coverage) -> Table:
    """A row per cell, for programs and spreadsheets."""
    columns = ("stage", "field", "asked", "status", "verdict", "sourced", "claims", "file", "line")
    rows = [
        (
            cell.stage,
            cell.field,
            yes_or_no(cell.is_asked),
            str(cell.status or BLANK),
            str(cell.verdict or ""),
            yes_or_no(cell.is_sourced),
            " ".join(claim.claim.id for claim in cell.claims),
            cell.at.path,
            str(cell.at.line),
        )
        for cell in coverage.cells
    ]
    return Table(title="cells", columns=columns, rows=tuple(rows))


def yes_or_no(is_so: bool) -> str:
    """A truth as a word."""
    return "yes" if is_so else "no"


def change_table(changed: Changes) -> Table:
    """What is so now and was not before, a row for each."""
    return Table(
        title="what has changed", columns=("change", "what", "before", "now"), rows=tuple(change_rows(changed))
    )


def change_rows(changed: Changes) -> Iterator[Row]:
    """The rows of the changes, kind by kind."""
    for cell in changed.answered:
        yield "newly answered", cell_name(cell), BLANK, cell_words(cell)
    for cell in changed.blank:
        yield "no longer answered", cell_name(cell), "answered", BLANK
    for before, after in changed.restated:
        yield "other status", cell_name(after), cell_words(before), cell_words(after)
    for claim in changed.flagged:
        yield "newly flagged", claim.claim.id, "", str(claim.verdict)
    for old, new in changed.revalued:
        yield "other value, same evidence", new.id, value_words(old), value_words(new)
