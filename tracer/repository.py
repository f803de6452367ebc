"""A folder to the git repository around it: its commits, what each file held in them, and what has changed since.

Git is asked with lists of words, never through a shell, and with nothing that a repository could make it run.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tracer.model import Failure

_REGULAR = frozenset({"100644", "100755"})
"""The modes of plain files; what else git keeps (links, submodules) is no file of a ledger."""

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
    """A repository of git around a project: the folder of its work tree, the project's, and the way to it inside."""

    top: Path
    root: Path
    prefix: str

    @classmethod
    def around(cls, root: Path) -> "Repository":
        """The repository that a folder lies in, with a work tree and a commit."""
        if _git(root, "rev-parse", "--git-dir") is None:
            raise Failure(f"revisions are kept by git, and {root} lies in no repository of git: put it under git first")
        top = _git(root, "rev-parse", "--show-toplevel")
        if top is None:
            raise Failure(f"{root} lies in a repository of git without a work tree: use a clone that has one")
        if _git(root, "rev-parse", "--verify", "--quiet", "HEAD") is None:
            raise Failure(f"the repository of {root} has no commit yet: there is no history to read")
        prefix = _git(root, "rev-parse", "--show-prefix") or b""
        return cls(top=Path(_text(top).rstrip("\n")).resolve(), root=root, prefix=_text(prefix).rstrip("\n"))

    def commit(self, revision: str) -> str:
        """The full name of the commit that a revision means."""
        if revision.startswith("-"):
            raise Failure(f"{revision} is no revision of git: name a commit, a branch or a tag")
        found = _git(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if found is None:
            raise Failure(f"git knows no revision {revision}: name a commit, a branch or a tag that has been fetched")
        return found.decode().strip()

    def changed_files(self, commit: str) -> Iterator[Path]:
        """The files that are other than in a commit now, gone ones and those that git does not track yet too."""
        options = ("--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
        for words in (("diff", *options, commit, "--"), ("ls-files", "--others", "--exclude-standard", "-z")):
            listed = _git(self.top, *words)
            if listed is None:
                raise Failure(f"git cannot list what has changed in {self.top}: try `git status` there")
            yield from (self.top / name for name in _text(listed).split("\0") if name)

    def content(self, commit: str, path: Path) -> bytes | None:
        """What a file held in a commit; None where there was no such file."""
        return _git(self.top, "cat-file", "blob", f"{commit}:{path.relative_to(self.top).as_posix()}")

    def files(self, commit: str, folder: str) -> Mapping[str, bytes]:
        """The plain files below a folder of the project in a commit, by their path in the project."""
        found: dict[str, bytes] = {}
        with self.blobs() as blobs:
            for path, name in self._listed(commit, folder):
                content = blobs.read(name)
                if content is None:
                    raise Failure(f"git cannot read {path} at {commit}: try `git fsck` in {self.top}")
                found[path] = content
        return found

    def _listed(self, commit: str, folder: str) -> Iterator[tuple[str, str]]:
        """The paths of the plain files below a folder, each with the name of its content."""
        tree = _text(_git(self.root, "ls-tree", "-r", "-z", commit) or b"")
        for entry in filter(None, tree.split("\0")):
            head, _, path = entry.partition("\t")
            mode, _, name = head.split(" ")[:3]
            if mode in _REGULAR and PurePosixPath(path).is_relative_to(folder):
                yield path, name

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
    """A process of git that answers what a file held."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def read(self, name: str) -> bytes | None:
        """The content of a file by its git name, such as `COMMIT:PATH`; None where there is no such file."""
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
        raise Failure("revisions are kept by git, which is not installed: install it first") from error
    return None if done.returncode else done.stdout


def _text(told: bytes) -> str:
    return os.fsdecode(told)
