"""The options that several commands have: where sources are and how they are read, and where a result goes."""

from pathlib import Path
from typing import Annotated

import typer


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
