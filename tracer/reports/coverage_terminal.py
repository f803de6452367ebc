"""Coverage to the text of a terminal: fields down, stages across under numbers, then totals, sources and changes.

Status is a letter and verdict a mark, so that nothing is lost without colour or in 80 columns.
"""

from collections.abc import Iterator, Sequence

from tracer.coverage import Cell, Coverage, PipelineCoverage, StageCoverage, fields, tally
from tracer.coverage_changes import Changes
from tracer.model import Unread, Verdict
from tracer.reports import coverage_tables
from tracer.reports.coverage_tables import Table
from tracer.reports.lines import BLANK, Line, Part, line, printed
from tracer.uses import SourceUse
from tracer.wording import VERDICT_STYLES, counted, flowing

WIDTH = 80
MOST_LABEL = 20
COLUMN = 4
TOTAL = 7
MOST_SECTIONS = 24
TOTALS = ("answered", "sourced", "asked")
LEGEND = "S stated  D derived  C concluded  N not stated  . blank  ! flagged  ? unchecked"
"""The letters and marks of a cell; an empty one is neither asked for nor answered."""
COUNTED = "side by side a number counts stages: C1 is one that is concluded, .3 are three that are blank"
SOURCED = "sourced: answered with a citation that is verified"


def render(coverage: Coverage, changed: Changes | None = None, *, width: int = WIDTH, colour: bool = False) -> str:
    """Every pipeline, all side by side, then the sources and what has changed."""
    return printed(lines(coverage, changed, width), width=width, colour=colour)


def render_table(table: Table, *, width: int = WIDTH, colour: bool = False) -> str:
    """A single list."""
    return printed(table_lines(table, width), width=width, colour=colour)


def lines(coverage: Coverage, changed: Changes | None, width: int) -> Iterator[Line]:
    """All lines in their order."""
    for pipeline in coverage.pipelines:
        yield from pipeline_lines(pipeline, width)
        yield BLANK
    together = coverage_tables.side_by_side(coverage)
    if len(coverage.pipelines) > 1 and together.rows:
        yield from narrow_lines(together, width)
        yield BLANK
    for use in coverage.sources:
        yield from source_lines(use)
    if changed is not None:
        yield BLANK
        yield from table_lines(coverage_tables.change_table(changed), width)
    yield BLANK
    yield from closing_lines(coverage)


# --- a pipeline ---------------------------------------------------------------------------------------------------


def pipeline_lines(pipeline: PipelineCoverage, width: int) -> Iterator[Line]:
    """The grid in as many parts as the width asks for, then how its cells end."""
    profile = pipeline.pipeline.profile
    named = f", profile {profile}" if profile else ", no profile"
    yield line((flowing(coverage_tables.pipeline_title(pipeline)), "bold"), flowing(named))
    if not pipeline.cells:
        yield line("no field is asked for or answered")
        return
    numbered = list(enumerate(pipeline.stages, start=1))
    room = label_width(pipeline)
    for part in parts(numbered, (width - room - TOTAL) // COLUMN):
        yield from legend_lines(part, width)
        yield BLANK
        yield from grid_lines(pipeline, part, room)
        yield BLANK
    yield from end_lines(pipeline)


Numbered = tuple[int, StageCoverage]
"""A stage and the number that stands for it in a heading."""


def parts(numbered: Sequence[Numbered], most: int) -> Iterator[Sequence[Numbered]]:
    """The stages in runs of nearly equal length, none above `most`."""
    runs = -(-len(numbered) // max(1, most))
    size = -(-len(numbered) // max(1, runs))
    for start in range(0, len(numbered), max(1, size)):
        yield numbered[start : start + size]


def legend_lines(part: Sequence[Numbered], width: int) -> Iterator[Line]:
    """Which number stands for which stage, in columns."""
    names = [f"{number} {flowing(stage.stage.id)}" for number, stage in part]
    column = max(map(len, names)) + 2
    fitting = max(1, width // column)
    for start in range(0, len(names), fitting):
        yield line("".join(f"{name:<{column}}" for name in names[start : start + fitting]).rstrip())


def label_width(pipeline: PipelineCoverage) -> int:
    """The columns that the names of fields take; a longer name has a line of its own."""
    lengths = [len(flowing(name)) for name in (*pipeline.asked, *pipeline.beyond, *TOTALS)]
    return max(length for length in lengths if length <= MOST_LABEL)


def grid_lines(pipeline: PipelineCoverage, part: Sequence[Numbered], room: int) -> Iterator[Line]:
    """Some stages of a pipeline: what is asked with its totals, then what is answered beyond."""
    numbers = "".join(f"{number:>3} " for number, _ in part)
    yield line((f"{'':<{room}}{numbers}", "bold"), " of all")
    by_field = fields(pipeline.cells)
    for name in pipeline.asked:
        yield from row_lines(name, by_field[name], part, room)
    if pipeline.asked:
        yield from total_lines(part, room)
    further = [name for name in pipeline.beyond if any(cell_of(by_field[name], stage) for _, stage in part)]
    if further and pipeline.asked:
        yield line(("beyond the profile", "bold"))
    for name in further:
        yield from row_lines(name, by_field[name], part, room)


def row_lines(name: str, cells: Sequence[Cell], part: Sequence[Numbered], room: int) -> Iterator[Line]:
    """A field: a letter and a mark per stage, and how many of all stages that ask for it are answered."""
    total = tally(cells)
    label = flowing(name)
    if len(label) > room:
        yield line(label)
        label = ""
    letters = [cell_part(cell_of(cells, stage)) for _, stage in part]
    asked = f"{f'{total.answered}/{total.asked}':>{TOTAL}}" if total.asked else ""
    yield line(*trimmed((f"{label:<{room}}", ""), *(piece for pieces in letters for piece in pieces), (asked, "")))


def trimmed(*pieces: Part) -> Sequence[Part]:
    """Pieces of a line without the white space at its end."""
    end = len(pieces)
    while end and not pieces[end - 1][0].strip():
        end -= 1
    return pieces[:end]


def cell_of(cells: Sequence[Cell], stage: StageCoverage) -> Cell | None:
    """The cell of a stage among those of a field."""
    return next((cell for cell in cells if cell.stage == stage.name), None)


def cell_part(cell: Cell | None) -> tuple[Part, Part]:
    """The letter and the mark of a cell, in their colours."""
    letter, mark = coverage_tables.symbol(cell)
    style = "dim" if cell is None or cell.verdict is None else VERDICT_STYLES[cell.verdict]
    return (f"{letter:>3}", style), (mark or " ", style)


def total_lines(part: Sequence[Numbered], room: int) -> Iterator[Line]:
    """Per stage: how many fields are asked for, answered and sourced."""
    totals = [tally(stage.cells.values()) for _, stage in part]
    rows = ([total.answered, total.sourced, total.asked] for total in totals)
    for name, numbers in zip(TOTALS, zip(*rows, strict=True), strict=True):
        yield line((f"{name:<{room}}", "bold"), "".join(f"{number:>3} " for number in numbers).rstrip())


def end_lines(pipeline: PipelineCoverage) -> Iterator[Line]:
    """How the cells end by status and verdict, how many are blank, and the shares."""
    table = coverage_tables.ends_table(pipeline.cells, "")
    total = tally(pipeline.cells)
    yield line(("cells       ", "bold"), *((f"{verdict:>11}", VERDICT_STYLES[verdict]) for verdict in Verdict))
    for name, *numbers in table.rows:
        if any(number != "0" for number in numbers):
            yield line(f"{name:<12}", "".join(f"{number:>11}" for number in numbers))
    if total.asked:
        yield line(f"cells of the profile answered: {coverage_tables.share(total.answered, total.asked)}", hang=2)
        yield line(f"with a verified citation: {coverage_tables.share(total.sourced, total.asked)}", hang=2)
        yield line(f"blank: {total.blank:,}; beyond the profile: {total.beyond:,}", hang=2)


# --- sources, tables, the end ---------------------------------------------------------------------------------------


def source_lines(use: SourceUse) -> Iterator[Line]:
    """How much of a source is cited, and what never is."""
    if isinstance(use.read, Unread):
        yield line((flowing(use.source), "bold"), f": not read, {flowing(use.read.reason)}", hang=2)
        return
    cited, never = coverage_tables.pages_of(use)
    on = f" on {len(use.used_sheets)} of {counted(len(use.read.pages), 'page')}" if cited or never else ""
    yield line((flowing(use.source), "bold"), f": {counted(use.quotes, 'quote')}{on}", hang=2)
    if cited:
        yield line(f"pages cited: {flowing(', '.join(cited))}", indent=2, hang=2)
    if never:
        yield line(f"pages never cited: {flowing(', '.join(never))}", indent=2, hang=2)
    for title, names in zip(("sections cited", "sections never cited"), coverage_tables.sections_of(use), strict=True):
        if names:
            yield line(f"{title}: {shortened(names)}", indent=2, hang=2)


def shortened(names: Sequence[str]) -> str:
    """Names in a row; what is too many is counted."""
    left = len(names) - MOST_SECTIONS
    return ", ".join(flowing(name) for name in names[:MOST_SECTIONS]) + (f" and {left:,} more" if left > 0 else "")


def narrow_lines(table: Table, width: int) -> Iterator[Line]:
    """A table of short words, in as many parts as the width asks for."""
    room = min(MOST_LABEL + 4, max((len(flowing(row[0])) for row in table.rows), default=0))
    column = max((len(flowing(word)) for row in (table.columns, *table.rows) for word in row[1:]), default=0) + 2
    fitting = max(1, (width - room) // column)
    yield line((table.title, "bold"))
    for start in range(1, len(table.columns), fitting):
        yield line((narrow_row(("", *table.columns[start : start + fitting]), room, column), "bold"))
        for row in table.rows:
            yield line(narrow_row((row[0], *row[start : start + fitting]), room, column))
        if start + fitting < len(table.columns):
            yield BLANK


def narrow_row(words: Sequence[str], room: int, column: int) -> str:
    """A name and short words, each in its column; a name that is too long is cut."""
    name, *others = map(flowing, words)
    label = name if len(name) <= room else f"{name[: room - 1]}…"
    return (f"{label:<{room}}" + "".join(f"{word:>{column}}" for word in others)).rstrip()


def table_lines(table: Table, width: int) -> Iterator[Line]:
    """A list: the first two words of a row, and the rest beside them where all fits, else below."""
    yield line((f"{table.title}: {len(table.rows):,}", "bold"))
    for first, second, *rest in table.rows:
        head = (f"{flowing(first)}  ", ""), (flowing(second), "bold")
        further = table.joint.join(flowing(word) for word in rest if word)
        if len(first) + len(second) + len(further) + 6 <= width:
            yield line(*trimmed(*head, (f"  {further}", "")), indent=2)
            continue
        yield line(*head, indent=2, hang=2)
        yield line(further, indent=6, hang=2)


def closing_lines(coverage: Coverage) -> Iterator[Line]:
    """What the letters mean, what is left out, and how to see the list behind a number."""
    yield line(LEGEND, hang=2)
    if len(coverage.pipelines) > 1:
        yield line(COUNTED, hang=2)
    if any(pipeline.asked for pipeline in coverage.pipelines):
        yield line(SOURCED, hang=2)
    left_out = [f"{counted(count, 'claim')} {why}" for why, count in coverage.left_out.items()]
    if left_out:
        yield line(f"left out: {', '.join(left_out)}", hang=2)
    yield line("next: tracer coverage --list blank, tracer coverage --requests")
