"""A PDF's path to its packed pages, read in processes of their own: their death or delay is an answer, not a crash."""

import atexit
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
from typing import IO, Protocol

from tracer.readers import Unreadable, frames
from tracer.readers.forking import CAN_FORK
from tracer.readers.forkserver import ForkServer

SECONDS = 28
"""How long a source may take by the clock; the child's own limit on processor time is a little lower."""

MOST_BYTES = 64 << 20
"""How much a child may answer: the text of some 1,500 full pages, each read in several ways."""

SHARE_BYTES = 1 << 18
"""How many bytes of a file are worth a reading process of their own."""

MOST_SHARES = 4

_running: set["Child"] = set()
_server: ForkServer | None = None
_starting = threading.Lock()


class Child(Protocol):
    """A process that reads."""

    @property
    def number(self) -> int:
        """Its number, which those that it forks have as that of their group."""

    @property
    def answer(self) -> IO[bytes]:
        """What it writes."""

    def code(self) -> int:
        """Its exit code, waited for; negative for a signal."""

    def kill(self) -> None:
        """End it and those that it forked."""

    def close(self) -> None:
        """End it, and let go of what it writes."""


def get_ready() -> None:
    """Start what reads, for it takes a moment until it can: a PDF will have to be read soon."""
    global _server
    with _starting:
        if CAN_FORK and _server is None:
            _server = ForkServer(_command("serve"))
            atexit.register(_let_go)


def stop() -> None:
    """End every process that reads: the run was interrupted."""
    for child in tuple(_running):
        child.kill()
    _let_go()


def _let_go() -> None:
    global _server
    with _starting:
        if _server:
            _server.end()
        _server = None


def read(path: Path, processes: int = 1) -> tuple[bytes, tuple[bytes, ...]]:
    """The packed document and its packed pages, which up to so many processes read; raises `Unreadable`."""
    with contextlib.suppress(OSError):  # a file that is not there has its answer from the process
        processes = max(1, min(processes, path.stat().st_size // SHARE_BYTES, MOST_SHARES))
    with _child("read", _named(path), str(processes)) as child:
        return _answer(child)


def closer(path: Path, sheets: Sequence[int]) -> tuple[bytes, ...]:
    """The packed pages of some sheets, with the readings that need the place of every glyph; raises `Unreadable`."""
    with _child("closer", _named(path), ",".join(map(str, sheets))) as child:
        return _answer(child)[1]


def pictured(part: str, path: Path, sha256: str, wanted: Sequence[str]) -> tuple[bytes, ...]:
    """What a part of `pictures` makes of each thing wanted; raises `Unreadable`, also for bytes of another sha256."""
    with _child(part, _named(path), sha256, *wanted) as child:
        records = _answer(child)[1]
    if len(records) != len(wanted):
        raise Unreadable("broken", "not all of it can be drawn")
    return records


def _named(path: Path) -> str:
    """A path that means the same in a process that was begun in another folder."""
    return str(path.absolute())


@contextmanager
def _child(*arguments: str) -> Iterator[Child]:
    child = begin(arguments)
    _running.add(child)
    try:
        yield child
    finally:
        _running.discard(child)
        child.close()


def begin(arguments: Sequence[str]) -> Child:
    """A new process that answers: forked from the server, else one with an interpreter of its own."""
    get_ready()
    if server := _server:
        try:
            return server.begin(arguments)
        except OSError:  # it has been killed
            _let_go()
    return Started(arguments)


def _command(*arguments: str) -> list[str]:
    code = "import sys; sys.path.insert(0, sys.argv[1]); from tracer.readers.child import main; main(sys.argv[2:])"
    return [sys.executable, "-c", code, str(Path(__file__).parents[2]), *arguments]


class Started:
    """A process with an interpreter of its own."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 -- our own interpreter and code; a path is an argument, no command
            _command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdout is not None  # noqa: S101 -- it was opened with a pipe
        self.number = self._process.pid
        self.answer: IO[bytes] = self._process.stdout

    def code(self) -> int:
        """The exit code, waited for; negative for a signal."""
        return self._process.wait()

    def kill(self) -> None:
        """End the process and those that it forked, which are of its session."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended, and they with it
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def close(self) -> None:
        """End the process, and let go of what it wrote on."""
        self.kill()
        self._process.wait()
        self.answer.close()


def _answer(child: Child) -> tuple[bytes, tuple[bytes, ...]]:
    clock = threading.Timer(SECONDS, child.kill)
    clock.start()
    try:
        pages: list[bytes] = []
        size = 0
        for kind, payload in frames.read(child.answer, MOST_BYTES):
            size += len(payload)
            if size > MOST_BYTES:
                raise Unreadable("limit", f"its text takes more than {MOST_BYTES >> 20} MiB")
            if kind == frames.PAGE:
                pages.append(payload)
            elif kind == frames.DOCUMENT:
                return payload, tuple(pages)
            else:
                raise Unreadable(*json.loads(payload))
        raise Unreadable(*_cause_of_death(child.code(), was_late=not clock.is_alive()))
    finally:
        clock.cancel()


def _cause_of_death(code: int, *, was_late: bool) -> tuple[str, str]:
    if was_late or code == -getattr(signal, "SIGXCPU", 24):
        return "limit", f"reading it takes more than {SECONDS} seconds"
    if code in {-signal.SIGABRT, -signal.SIGSEGV}:
        return "limit", "reading it ends the reading process (too much memory, or a broken file)"
    if code == -getattr(signal, "SIGKILL", 9):
        return "limit", "the reading process was killed, as a system does that runs out of memory"
    return "broken", f"reading it fails (exit code {code})"
