"""A folder to the git repository around it: the commits of a file, its names before, and what it held in each.

Git is asked with lists of words, never through a shell, and with nothing that a repository could make it run.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tracer.model import Failure

_FIELDS = 7
_START = "\x01"
_FORMAT = f"{_START}%H%x1f%P%x1f%h%x1f%as%x1f%an%x1f%s%x1f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit of git: its names, the day and the author as it gives them, and the first line of its message."""

    id: str
    short: str
    date: str
    author: str
    subject: str
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository of git around a project: its own folder, and the project's path in it."""

    top: Path
    root: Path
    prefix: str

    @classmethod
    def around(cls, root: Path) -> "Repository":
        """The repository that a folder lies in."""
        top = _git(root, "rev-parse", "--show-toplevel")
        if top is None:
            raise Failure(f"{root} lies in no repository of git, where the history of a claim is read from")
        if _git(root, "rev-parse", "--verify", "--quiet", "HEAD") is None:
            raise Failure(f"the repository of {root} has no commit yet: there is no history to read")
        prefix = _git(root, "rev-parse", "--show-prefix") or b""
        return cls(top=Path(_text(top).rstrip("\n")), root=root, prefix=_text(prefix).rstrip("\n"))

    def path(self, path: str) -> str:
        """A path of the project as the repository has it."""
        found = str(PurePosixPath(self.prefix) / path)
        if "\n" in found:
            raise Failure(f"the history of {path!r} cannot be read: a line end stands in its name")
        return found

    def log(self, start: str, path: str) -> Iterator[tuple[Commit, str, str]]:
        """The commits of a file with its path after and before each, its renames followed."""
        options = ("--follow", "-M", "-c", "--no-ext-diff", "--no-textconv", "--name-status", "-z")
        told = _git(self.top, "log", f"--format={_FORMAT}", *options, start, "--", path) or b""
        for part in _text(told).split(_START)[1:]:
            fields = part.split("\x1f")
            if len(fields) < _FIELDS:
                continue
            commit = _commit(fields)
            status, *paths = fields[-1].strip("\0\n").split("\0")
            if status and paths:
                yield commit, paths[-1], paths[0] if status.startswith(("R", "C")) else paths[-1]

    def holding(self, commit: str, name: str, folder: str) -> Iterator[str]:
        """The files below a folder that held a text in a commit."""
        told = _git(self.top, "grep", "-l", "-z", "-F", "-e", name, commit, "--", folder) or b""
        yield from (path.partition(":")[2] for path in _text(told).split("\0") if path)

    @contextmanager
    def blobs(self) -> "Iterator[Blobs]":
        """The contents of files, as long as they are asked for."""
        command = [*_command(self.top), "cat-file", "--batch"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 -- no shell
        try:
            yield Blobs(process)
        finally:
            process.kill()
            process.communicate()


def _commit(fields: Sequence[str]) -> Commit:
    return Commit(
        id=fields[0],
        parents=tuple(fields[1].split()),
        short=fields[2],
        date=fields[3],
        author=fields[4],
        subject="\x1f".join(fields[5:-1]),
    )


class Blobs:
    """A process of git that answers what a file held in a commit."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def read(self, name: str) -> bytes | None:
        """The content of `COMMIT:PATH`; None where there is no such file."""
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None, "the process was started with pipes"  # noqa: S101 -- it tells the type checker
        assert answered is not None, "the process was started with pipes"  # noqa: S101 -- it tells the type checker
        asked.write(os.fsencode(name) + b"\n")
        asked.flush()
        head = answered.readline().split()
        if len(head) < 3 or not head[-1].isdigit():
            return None
        content = answered.read(int(head[-1]) + 1)[:-1]
        return content if head[-2] == b"blob" else None


def _command(folder: Path) -> list[str]:
    quiet = ("core.fsmonitor=false", "core.quotepath=false", "log.showSignature=false")
    return ["git", "-C", str(folder), "--no-pager", *(word for setting in quiet for word in ("-c", setting))]


def _git(folder: Path, *words: str) -> bytes | None:
    """What git says; None where it refuses."""
    command = [*_command(folder), *words]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 -- a list of words, no shell
    except FileNotFoundError as error:
        raise Failure("git is not installed, and the history of a claim is read from it") from error
    return None if done.returncode else done.stdout


def _text(told: bytes) -> str:
    return os.fsdecode(told)
