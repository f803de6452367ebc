"""A process that has imported all that reads and forks a reading process each time it is asked for one.

To begin from an interpreter of its own takes a tenth of a second, more than some files take to be read. The server is
asked over a socket, with the end of another one on which the request is written and the answer read, and with the end
of a pipe on which it says the number of the process that it forked and, when that has ended, its exit code. It ends
when the socket is closed, as it is however the run ends.
"""

import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
from collections.abc import Callable, Sequence
from typing import IO, BinaryIO, NoReturn

from tracer.readers.forking import close_all_but, forked
from tracer.readers.limits import end_with_parent

SECONDS = 5
"""How long the server may take to fork, or what it forked to take a request."""

_MOMENT = 0.2

_NUMBER = struct.Struct("i")

Work = Callable[[Sequence[str], BinaryIO], None]


class ForkServer:
    """The server as those see it who ask; `command` runs `serve` on its standard input."""

    def __init__(self, command: Sequence[str]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 -- our own interpreter and code
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def has_ended(self) -> bool:
        """Whether the server runs no more; of one that was killed that is known a moment after its socket is closed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_MOMENT)
        return self._process.returncode is not None

    def begin(self, arguments: Sequence[str]) -> "Forked":
        """A new process that answers to these arguments; raises `OSError` where none was forked."""
        ours, theirs = socket.socketpair()
        with contextlib.ExitStack() as stack:
            stack.callback(ours.close)
            with theirs:
                said, saying = os.pipe()
                stack.callback(os.close, said)
                try:
                    socket.send_fds(self._socket, [b"."], [theirs.fileno(), saying])
                finally:
                    os.close(saying)
            number = _first(said)
            _ask(ours, arguments)
            stack.pop_all()
        return Forked(number, ours, said)

    def end(self) -> None:
        """Let go of the server; what it has forked ends with it."""
        self._socket.close()
        self._process.kill()
        self._process.wait()


def _first(said: int) -> int:
    """The number of the process that was forked, as the server says it."""
    asking = select.poll()
    asking.register(said)
    number = _unpacked(os.read(said, _NUMBER.size)) if asking.poll(SECONDS * 1000) else None
    if number is None:
        raise ConnectionError("no process was forked")
    return number


def _ask(ours: socket.socket, arguments: Sequence[str]) -> None:
    ours.settimeout(SECONDS)
    with contextlib.suppress(ConnectionError):  # it has ended already, as its answer and its code will tell
        ours.sendall(json.dumps(arguments).encode())
        ours.shutdown(socket.SHUT_WR)
    ours.settimeout(None)


def _unpacked(said: bytes) -> int | None:
    return _NUMBER.unpack(said)[0] if len(said) == _NUMBER.size else None


class Forked:
    """A process that was forked: its number, which is that of its group, its answer, its end."""

    def __init__(self, number: int, ours: socket.socket, said: int) -> None:
        self.number = number
        self._said = os.fdopen(said, "rb")
        with ours:
            self.answer: IO[bytes] = ours.makefile("rb")

    def code(self) -> int:
        """The exit code, waited for; negative for a signal, also where it was killed together with who waits for it."""
        code = _unpacked(self._said.read(_NUMBER.size))
        return -signal.SIGKILL if code is None else code

    def kill(self) -> None:
        """End the process and those that it forked, which are of its session."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended, and they with it
            os.killpg(self.number, signal.SIGKILL)

    def close(self) -> None:
        """End the process, and let go of what it wrote on."""
        self.kill()
        self.answer.close()
        self._said.close()


# --- the server -------------------------------------------------------------------------------------------------


def serve(number: int, work: Work) -> None:
    """Fork for each request on a socket until it is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those that are forked are not waited for
    with socket.socket(fileno=number) as requests:
        while True:
            message, files, _, _ = socket.recv_fds(requests, 1, 2)
            if not message:
                return
            with contextlib.suppress(OSError):  # who asked sees the pipe closed
                if len(files) == 2 and not os.fork():
                    _supervise(work, *files)
            for file in files:
                os.close(file)


def _supervise(work: Work, answering: int, saying: int) -> NoReturn:
    """Fork the process that does the work, and say how it ended: the server itself waits for nobody."""
    try:
        os.dup2(1, 0)  # the socket of the server is none of theirs
        close_all_but([answering, saying])
        end_with_parent()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        process = forked(lambda out: work(_request(answering), out), answering)
        os.close(answering)
        os.write(saying, _NUMBER.pack(os.getpid()))
        os.write(saying, _NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])))
    finally:
        os._exit(0)


def _request(asked: int) -> list[str]:
    with os.fdopen(asked, "rb", closefd=False) as request:
        arguments: list[str] = json.loads(request.read())
    return arguments
