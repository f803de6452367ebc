"""Coverage, or one list of it, to the text of one format: json, csv, markdown or html; terminal without colour.

A format is imported when it is asked for, and has `render(coverage, changed)` and `render_table(table)`.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from tracer.coverage import Coverage
from tracer.coverage_changes import Changes
from tracer.model import Failure
from tracer.reports.coverage_tables import Table

FORMATS: Mapping[str, str] = MappingProxyType(
    {form: f"tracer.reports.coverage_{form}" for form in ("terminal", "json", "csv", "markdown", "html")}
)


def render(form: str, coverage: Coverage, changed: Changes | None = None) -> str:
    """A coverage in the named format, with what has changed where that was asked for."""
    text: str = import_module(_module(form)).render(coverage, changed)
    return text


def render_table(form: str, table: Table) -> str:
    """One list in the named format."""
    text: str = import_module(_module(form)).render_table(table)
    return text


def _module(form: str) -> str:
    if form not in FORMATS:
        raise Failure(f"there is no format {form!r} of a coverage: use one of {', '.join(FORMATS)}")
    return FORMATS[form]
