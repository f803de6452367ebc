"""Processes that are forked: each does one piece of work, writes its answer and ends."""

import os
import sys
from collections.abc import Callable, Collection
from typing import BinaryIO, NoReturn

from tracer.readers import frames
from tracer.readers.limits import end_with_parent

CAN_FORK = sys.platform == "linux"
"""Elsewhere there is no fork, or libraries of the system do not survive it."""

MOST_FILES = 256
"""More than the numbers of the files that a reading process has open."""


def forked(work: Callable[[BinaryIO], None], target: int) -> int:
    """The number of a new process that does the work; its answer goes to the open file `target` and nowhere else."""
    process = os.fork()
    if not process:
        _run(work, target)
    return process


def _run(work: Callable[[BinaryIO], None], target: int) -> NoReturn:
    """All that a forked process does: it must not come back into what its parent was about to do."""
    code = 1
    try:
        close_all_but([target])  # above all the pipes of other answers, whose end is waited for
        end_with_parent()
        with os.fdopen(target, "wb") as out:
            frames.answer(out, work)
        code = 0
    finally:
        os._exit(code)


def close_all_but(kept: Collection[int]) -> None:
    """Close every open file of this process but these, and the standard ones, lest another one take their numbers."""
    first = 3
    for number in sorted(kept):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, MOST_FILES)
