"""A Report to the text of one format: the shelf of formats, each module with `render(report) -> str`.

A format is imported when it is asked for. To add one: a module with `render`, and its name in `FORMATS`.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from tracer.model import Failure, Report

FORMATS: Mapping[str, str] = MappingProxyType({"terminal": "terminal", "json": "json_"})


def render(name: str, report: Report) -> str:
    """The report in the named format, as plain text without colour."""
    if name not in FORMATS:
        raise Failure(f"there is no format {name!r}: use one of {', '.join(FORMATS)}")
    text: str = import_module(f"{__name__}.{FORMATS[name]}").render(report)
    return text
