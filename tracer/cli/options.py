"""What the options of commands take, and the project that they ask for: sources, how they are read, formats, files."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tracer.cli.project import Project


class ShowFormat(StrEnum):
    """The formats of a single claim."""

    TERMINAL = "terminal"
    JSON = "json"


class CoverageFormat(StrEnum):
    """The formats of a coverage."""

    TERMINAL = "terminal"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    HTML = "html"


class CoverageList(StrEnum):
    """The lists behind the numbers of a coverage."""

    BLANK = "blank"
    FLAGGED = "flagged"
    UNCHECKED = "unchecked"
    STATED = "stated"
    DERIVED = "derived"
    CONCLUDED = "concluded"
    NOT_STATED = "not-stated"
    UNCITED_PAGES = "uncited-pages"


class DifferenceFormat(StrEnum):
    """The formats of a difference between two documents."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


class Pictures(StrEnum):
    """What a site shows of a cited page."""

    PAGE = "page"
    CROP = "crop"
    NONE = "none"


def from_directory(context: typer.Context, path: Path | None) -> Path | None:
    """A path that was typed, from the folder that `--directory` names; as it is typed where that is the shell's own."""
    return path if path is None or context.obj in (None, Path.cwd()) else context.obj / path


Sources = Annotated[
    list[Path] | None,
    typer.Option("--sources", metavar="DIR", help="Another folder with source files; may be given several times."),
]
Jobs = Annotated[int | None, typer.Option(min=1, metavar="N", help="How many sources are read at once.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Read every source anew and keep nothing.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", callback=from_directory, help="Write to a file, not to stdout."),
]
Format = Annotated[ShowFormat, typer.Option("--format", "-f", help="How the result is written.")]


def project_of(
    context: typer.Context, sources: Sequence[Path] | None = None, *, jobs: int | None = None, no_cache: bool = False
) -> "Project":
    """The project of the folder in which a command runs, its sources found and read as the options say."""
    from tracer.cli.project import Wishes, opened

    return opened(context.obj, Wishes(sources=tuple(sources or ()), jobs=jobs, has_cache=not no_cache))
