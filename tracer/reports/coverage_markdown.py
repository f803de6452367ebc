"""Coverage to Markdown: a heading and a table for each thing that is shown; text of a ledger is never markup."""

from collections.abc import Iterator

from tracer.coverage import Coverage, tally
from tracer.coverage_changes import Changes
from tracer.reports.coverage_tables import Row, Table, share, tables
from tracer.reports.markdown import escaped


def render(coverage: Coverage, changed: Changes | None = None) -> str:
    """The shares in a line, then every table."""
    parts = ["# Coverage", *sentences(coverage), *(table_text(table) for table in tables(coverage, changed))]
    return "\n\n".join(parts) + "\n"


def render_table(table: Table) -> str:
    """One list under its heading."""
    return table_text(table) + "\n"


def sentences(coverage: Coverage) -> Iterator[str]:
    """What share of the cells is answered and sourced, where a profile asks for any."""
    total = tally(coverage.cells)
    if total.asked:
        answered, sourced = share(total.answered, total.asked), share(total.sourced, total.asked)
        yield f"Cells of the profile that are answered: {answered}; with a verified citation: {sourced}."


def table_text(table: Table) -> str:
    """A heading and a table."""
    lines = (f"## {escaped(table.title)}", "", row_text(table.columns), "|---" * len(table.columns) + "|")
    return "\n".join((*lines, *map(row_text, table.rows)))


def row_text(row: Row) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(escaped, row))} |"
