"""A PDF's path to its packed pages, read in processes of their own: their death or delay is an answer, not a crash."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tracer.readers import Unreadable, frames

SECONDS = 28
"""How long a source may take by the clock; the child's own limit on processor time is a little lower."""

MOST_BYTES = 64 << 20
"""How much a child may answer: the text of some 1,500 full pages, each read in several ways."""

SHARE_BYTES = 1 << 18
"""How many bytes of a file are worth a reading process of their own."""

MOST_SHARES = 4

_running: set[subprocess.Popen[bytes]] = set()


def stop() -> None:
    """End every process that reads: the run was interrupted."""
    for process in tuple(_running):
        _kill(process)


def read(path: Path, processes: int = 1) -> tuple[bytes, tuple[bytes, ...]]:
    """The packed document and its packed pages, which up to so many processes read; raises `Unreadable`."""
    with contextlib.suppress(OSError):  # a file that is not there has its answer from the process
        processes = max(1, min(processes, path.stat().st_size // SHARE_BYTES, MOST_SHARES))
    with _process("read", path, str(processes)) as process:
        return _answer(process)


def closer(path: Path, sheets: Sequence[int]) -> tuple[bytes, ...]:
    """The packed pages of some sheets, with the readings that need the place of every glyph; raises `Unreadable`."""
    with _process("closer", path, ",".join(map(str, sheets))) as process:
        return _answer(process)[1]


def pictured(part: str, path: Path, sha256: str, wanted: Sequence[str]) -> tuple[bytes, ...]:
    """What a part of `pictures` makes of each thing wanted; raises `Unreadable`, also for bytes of another sha256."""
    with _process(part, path, sha256, *wanted) as process:
        records = _answer(process)[1]
    if len(records) != len(wanted):
        raise Unreadable("broken", "not all of it can be drawn")
    return records


@contextmanager
def _process(*arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    package = Path(__file__).parents[1]
    code = "import sys; sys.path.insert(0, sys.argv[1]); from tracer.readers.child import main; main(sys.argv[2:])"
    process = subprocess.Popen(  # noqa: S603 -- our own interpreter and code; the path is an argument, not a command
        [sys.executable, "-c", code, str(package.parent), *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    _running.add(process)
    try:
        yield process
    finally:
        _running.discard(process)
        _kill(process)
        process.wait()
        if process.stdout:
            process.stdout.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it forked, which are of its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended, and they with it
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _answer(process: subprocess.Popen[bytes]) -> tuple[bytes, tuple[bytes, ...]]:
    assert process.stdout is not None  # noqa: S101 -- it was opened with a pipe
    clock = threading.Timer(SECONDS, _kill, [process])
    clock.start()
    try:
        pages: list[bytes] = []
        size = 0
        for kind, payload in frames.read(process.stdout, MOST_BYTES):
            size += len(payload)
            if size > MOST_BYTES:
                raise Unreadable("limit", f"its text takes more than {MOST_BYTES >> 20} MiB")
            if kind == frames.PAGE:
                pages.append(payload)
            elif kind == frames.DOCUMENT:
                return payload, tuple(pages)
            else:
                raise Unreadable(*json.loads(payload))
        raise Unreadable(*_cause_of_death(process, was_late=not clock.is_alive()))
    finally:
        clock.cancel()


def _cause_of_death(process: subprocess.Popen[bytes], *, was_late: bool) -> tuple[str, str]:
    code = process.wait()
    if was_late or code == -getattr(signal, "SIGXCPU", 24):
        return "limit", f"reading it takes more than {SECONDS} seconds"
    if code in {-signal.SIGABRT, -signal.SIGSEGV}:
        return "limit", "reading it ends the reading process (too much memory, or a broken file)"
    if code == -getattr(signal, "SIGKILL", 9):
        return "limit", "the reading process was killed, as a system does that runs out of memory"
    return "broken", f"reading it fails (exit code {code})"
