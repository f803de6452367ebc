"""A process that has imported all that reads and forks a reading process each time it is asked for one.

To begin from an interpreter of its own takes a tenth of a second, more than some files take to be read. The server is
asked over a socket, with the end of another one on which the request is written and the answer read, and with the end
of a pipe on which it says the number of the process that it forked and, when that has ended, its exit code. It ends
when the socket is closed, as it is however the run ends.
"""

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
from collections.abc import Callable, Sequence
from typing import IO, BinaryIO, NoReturn

from tracer.readers.forking import close_all_but, forked
from tracer.readers.limits import end_with_parent

_NUMBER = struct.Struct("i")

Work = Callable[[Sequence[str], BinaryIO], None]


class ForkServer:
    """The server as those see it who ask; `command` with the number of a socket as its last word runs `serve`."""

    def __init__(self, command: Sequence[str]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 -- our own interpreter and code
                [*command, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def begin(self, arguments: Sequence[str]) -> "Forked":
        """A new process that answers to these arguments; raises `OSError` where the server has ended."""
        ours, theirs = socket.socketpair()
        said, saying = os.pipe()
        try:
            with theirs:
                socket.send_fds(self._socket, [b"."], [theirs.fileno(), saying])
        except OSError:
            ours.close()
            os.close(said)
            raise
        finally:
            os.close(saying)
        return Forked(ours, os.fdopen(said, "rb"), json.dumps(arguments).encode())

    def end(self) -> None:
        """Let go of the server; what it has forked ends with it."""
        self._socket.close()
        self._process.kill()
        self._process.wait()


class Forked:
    """A forked process: its answer, its end."""

    def __init__(self, ours: socket.socket, said: IO[bytes], request: bytes) -> None:
        self._said = said
        with ours:
            self.answer: IO[bytes] = ours.makefile("rb")
            self.number = _next(said) or 0
            if not self.number:
                self.close()
                raise ConnectionError("no process was forked")
            with contextlib.suppress(OSError):  # it has ended, as its answer and its code will tell
                ours.sendall(request)
                ours.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """End the process and those that it forked, which are of its session."""
        if self.number:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended, and they with it
                os.killpg(self.number, signal.SIGKILL)

    def code(self) -> int:
        """The exit code, waited for; negative for a signal."""
        code = _next(self._said)
        return -signal.SIGKILL if code is None else code

    def close(self) -> None:
        """End the process, and let go of what it wrote on."""
        self.kill()
        self.answer.close()
        self._said.close()


def _next(said: IO[bytes]) -> int | None:
    """The next number that the server said, or None where it can say no more."""
    found = said.read(_NUMBER.size)
    return _NUMBER.unpack(found)[0] if len(found) == _NUMBER.size else None


# --- the server -------------------------------------------------------------------------------------------------


def serve(number: int, work: Work) -> None:
    """Fork for each request on a socket until it is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those that are forked are not waited for
    with socket.socket(fileno=number) as requests:
        while True:
            _, files, _, _ = socket.recv_fds(requests, 1, 2)
            if not files:
                return
            if not os.fork():
                _mind(work, *files)
            for file in files:
                os.close(file)


def _mind(work: Work, answering: int, saying: int) -> NoReturn:
    """Fork the process that does the work, and say how it ended: the server itself waits for nobody."""
    try:
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
