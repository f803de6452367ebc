"""The processes that read: forked from a server where the system can, else each with an interpreter of its own."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from tracer.readers.forking import CAN_FORK

if TYPE_CHECKING:
    from tracer.readers.forkserver import ForkServer


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


class Interrupted(Exception):  # noqa: N818 -- it says what happened to the run, no error of the program
    """The run was interrupted while a process was begun."""


class Processes:
    """Those that run, and the server that forks them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Child] = set()
        self._server: ForkServer | None = None
        self._stops = 0

    def get_ready(self) -> None:
        """Start the server, for it takes a moment until it can fork: a PDF will have to be read soon."""
        if CAN_FORK:
            with contextlib.suppress(OSError):  # who reads will be told
                self._ready_server()

    @contextmanager
    def child(self, *arguments: str) -> Iterator[Child]:
        """A process that answers to some arguments, ended at the end; raises `Interrupted` or `OSError`."""
        stops = self._stops
        child = self.begin(arguments, stops)
        try:
            with self._lock:
                if self._stops != stops:
                    raise Interrupted
                self._running.add(child)
            yield child
        finally:
            self._running.discard(child)
            child.close()

    def begin(self, arguments: Sequence[str], stops: int) -> Child:
        """A new process, unless all were stopped more than so many times; raises `OSError` where none can be begun."""
        forked = self._forked(arguments) if CAN_FORK else None
        if forked is None and self._stops != stops:
            raise Interrupted
        return forked or Started(arguments)

    def _forked(self, arguments: Sequence[str]) -> Child | None:
        """A process that the server has forked, or None where it could not."""
        server: ForkServer | None = None
        try:
            server = self._ready_server()
            return server.begin(arguments)
        except OSError:
            if server and server.has_ended:
                self._let_go(server)
        return None

    def stop(self) -> None:
        """End every process, those too that are just begun."""
        with self._lock:
            self._stops += 1
            server, running = self._server, tuple(self._running)
        for child in running:
            child.kill()
        if server:
            self._let_go(server)

    def _ready_server(self) -> "ForkServer":
        from tracer.readers.forkserver import ForkServer

        with self._lock:
            if self._server is None:
                self._server = ForkServer(_command("serve"))
            return self._server

    def _let_go(self, server: "ForkServer") -> None:
        """End one server: another thread may have begun the next."""
        with self._lock:
            if self._server is server:
                self._server = None
        server.end()


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
                os.killpg(self.number, signal.SIGKILL)
        self._process.kill()

    def close(self) -> None:
        """End the process, and let go of what it wrote on."""
        self.kill()
        self._process.wait()
        self.answer.close()


def _command(*arguments: str) -> list[str]:
    code = "import sys; sys.path.insert(0, sys.argv[1]); from tracer.readers.child import main; main(sys.argv[2:])"
    return [sys.executable, "-c", code, str(Path(__file__).parents[2]), *arguments]
