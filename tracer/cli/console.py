"""Text to the terminal, the pipe or the file that it is meant for; what the run says of itself goes to stderr."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypedDict

from tracer.model import Failure
from tracer.progress import Progress

CLEAN, FINDINGS, NOTHING, BUG = 0, 1, 2, 3
"""How a run ends: nothing is left to do, something is, it could not be done, and tracer itself is at fault."""

WIDTH, WIDEST, NARROWEST = 80, 110, 40


class Look(TypedDict):
    """How a result is laid out: the columns of its lines, and whether it has colour."""

    width: int
    colour: bool


def look(output: Path | None) -> Look:
    """The look of a result for people: as the terminal takes it, or plain in a file."""
    return Look(width=width(), colour=has_colour()) if output is None else Look(width=WIDTH, colour=False)


def deliver(text: str, output: Path | None) -> None:
    """Puts a result where it was asked for: on stdout, or into a file."""
    if output is None:
        say(text)
    else:
        write(text, output)


def width(stream: TextIO | None = None) -> int:
    """The columns of the terminal within what reads well; 80 where there is none."""
    if not is_terminal(stream or sys.stdout):
        return WIDTH
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDTH, 24)).columns))


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches a stream; one that was closed before the run began is None."""
    return stream is not None and stream.isatty()


def has_colour(stream: TextIO | None = None) -> bool:
    """Whether a stream (stdout) takes colour: a terminal does, unless NO_COLOR or a dumb terminal says otherwise."""
    stream = stream or sys.stdout
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say(text: str) -> None:
    """Writes a result to stdout; a reader who went away is not an error."""
    if sys.stdout is None:
        raise Failure("stdout is closed: leave it open, or name a file with --output")
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
    except OSError as error:
        drop(sys.stdout)
        raise Failure(f"stdout cannot be written to: {error.strerror}") from error


def drop(stream: TextIO) -> None:
    """Lets what a stream still holds go nowhere, so that the end of the run does not stumble over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def tell(text: str) -> None:
    """Writes sentences to stdout, one a line, wrapped to its width."""
    from tracer.reports.lines import line, printed

    say(printed((line(each, hang=2) for each in text.splitlines()), **look(None)))


def complain(text: str) -> None:
    """Writes one sentence to stderr, with nothing in it that a terminal would obey, wrapped where one is."""
    from tracer.wording import flowing

    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "utf-8"
    said = f"tracer: {flowing(text)}\n"
    if is_terminal(sys.stderr):
        from tracer.reports.lines import line, printed

        said = printed((line(said.rstrip("\n"), hang=2),), width=width(sys.stderr), colour=False)
    try:
        sys.stderr.write(said.encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()
    except OSError:  # there is nowhere left to say it
        drop(sys.stderr)


def report_bug(bug: BaseException) -> None:
    """Says that the program is at fault, with all that a report of it needs."""
    import platform
    import traceback

    from tracer import __version__
    from tracer.reports.lines import line, printed

    system = f"tracer {__version__}, Python {platform.python_version()}, {platform.system()}"
    traced = "".join(traceback.format_exception(bug)).splitlines()
    sys.stderr.write(printed((line(each) for each in traced), width=10_000, colour=False))
    complain(f"this is a bug in tracer, not in your ledger; please report it with the lines above ({system})")


def write(text: str, path: Path) -> None:
    """Puts a result into a file, whole or not at all; a pipe or a device such as /dev/null is written to as it is."""
    from tracer.writing import replace

    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_text(text, encoding="utf-8")
            return
        if not path.parent.is_dir():
            raise Failure(f"there is no folder {path.parent} to write {path.name} into: create it first")
        if path.is_dir():
            raise Failure(f"{path} is a folder: name a file for --output")
        replace(path, text.encode())
    except PermissionError as error:
        raise Failure(f"cannot write {path}: choose a folder that you may write to") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from error


@contextmanager
def progress(title: str, unit: str = "") -> Iterator[Progress | None]:
    """A bar on stderr while something long is at work; nothing where nobody watches."""
    if not is_terminal(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    from tracer.wording import flowing

    console = Console(file=sys.stderr, no_color=not has_colour(sys.stderr))
    amount = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=24), amount)
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(flowing(title), total=None)

        def step(name: str, done: int, of: int | None) -> None:
            bar.update(task, description=flowing(f"{title} {name}"), completed=done, total=of)

        yield step
