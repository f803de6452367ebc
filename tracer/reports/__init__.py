"""A Report to the text of one format: the shelf of formats, each module with `render(report) -> str`.

A format is imported when it is asked for. To add one: a module with `render`, and its name in `Format`, which is what
the command line offers.
"""

from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from types import MappingProxyType

from tracer.model import Failure, Report


class Format(StrEnum):
    """The formats of an audit."""

    TERMINAL = "terminal"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    MARKDOWN = "markdown"
    CSV = "csv"

    @property
    def module(self) -> str:
        """Its module on this shelf; a name that the standard library has, too, ends with `_`."""
        return f"{self}_" if self in {"json", "csv"} else str(self)


FORMATS: Mapping[str, str] = MappingProxyType({str(form): form.module for form in Format})
OF_REPOSITORIES = frozenset({"sarif", "github"})
"""The formats whose readers know files by their path from the root of a repository."""


def render(name: str, report: Report, *, folder: str = "") -> str:
    """The report in the named format, as plain text without colour.

    `folder` is the way from the root of the repository to the project, ended by `/`.
    """
    if name not in FORMATS:
        raise Failure(f"there is no format {name!r}: use one of {', '.join(FORMATS)}")
    module = import_module(f"{__name__}.{FORMATS[name]}")
    text: str = module.render(report, folder=folder) if name in OF_REPOSITORIES else module.render(report)
    return text
