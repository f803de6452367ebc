"""Coverage to a table for spreadsheets: a row per cell; with changes, or for a list, the rows of these alone.

No cell of it is a formula.
"""

import csv
from io import StringIO

from tracer.coverage import Coverage
from tracer.coverage_changes import Changes
from tracer.reports.coverage_tables import Table, cell_table, change_table
from tracer.reports.csv_ import safe, shown


def render(coverage: Coverage, changed: Changes | None = None) -> str:
    """Every cell of every stage, or what has changed."""
    return render_table(cell_table(coverage) if changed is None else change_table(changed))


def render_table(table: Table) -> str:
    """The columns and rows of a table."""
    paper = StringIO()
    writer = csv.writer(paper, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([safe(shown(word)) for word in row] for row in table.rows)
    return paper.getvalue()
