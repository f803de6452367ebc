"""A report and the file of an earlier one to the report in which known findings are marked."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.model import Failure, Report

if TYPE_CHECKING:
    from tracer.comparing import Baseline, Known

SHOWN_GONE = 5


def baseline(here: Path, file: Path) -> "Baseline":
    """The earlier report in a file, named from the folder `here`; anything else is a Failure."""
    from tracer.comparing import read

    try:
        text = (here / file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise Failure(f"{file} cannot be read: {reason}; write it with --write-baseline {file}") from error
    return read(text, str(file))


def held_against(report: Report, earlier: "Baseline", file: Path, *, is_whole: bool) -> Report:
    """The report in which what is known is marked; what is gone is said."""
    from tracer.comparing import compared

    comparison = compared(report, earlier, is_whole=is_whole)
    if comparison.gone:
        console.complain(gone_words(comparison.gone, file))
    return comparison.report


def gone_words(gone: Sequence["Known"], file: Path) -> str:
    """Which findings of a baseline are gone."""
    shown = ", ".join(str(known) for known in gone[:SHOWN_GONE]) + (", …" if len(gone) > SHOWN_GONE else "")
    number = "1 finding" if len(gone) == 1 else f"{len(gone):,} findings"
    return f"{number} of {file} gone: {shown}; `tracer audit --write-baseline {file}` takes them out"


def write(report: Report, here: Path, file: Path) -> "Baseline":
    """Writes a report as a baseline, whole or not at all, and returns what it holds."""
    from tracer.comparing import read
    from tracer.reports import json_

    text = json_.render(report)
    console.write(text, here / file)
    return read(text, str(file))
