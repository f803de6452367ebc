"""A git revision to the ledger as it was then, and to its audit against the sources as they are now."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from tracer.cli.project import Project
from tracer.model import Failure, Ledger, Report

REGULAR = (b"100644", b"100755")
"""The modes of plain files; what else git keeps (links, submodules) is no file of a ledger."""


def earlier_report(project: Project, revision: str) -> Report:
    """The audit of the ledger at a revision; a Failure where git does not know it."""
    return project.report(ledger=earlier_ledger(project, revision))


def earlier_ledger(project: Project, revision: str) -> Ledger:
    """The ledger at a revision, read from a folder that is gone afterwards."""
    from tracer.loading import load

    contents = earlier_files(project, revision)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        ledger = root / project.ledger.folder
        ledger.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        anywhere = (Path(root.anchor),)
        return load(replace(project.settings, root=root, ledger=ledger, allow=anywhere))


def earlier_files(project: Project, revision: str) -> Mapping[str, bytes]:
    """Path -> bytes of the ledger's files at a revision; paths are relative to the project."""
    root = project.settings.root
    commit = resolved(root, revision)
    objects = dict(listed(git(root, "ls-tree", "-r", "-z", commit) or b"", project.ledger.folder))
    asked = b"".join(name + b"\n" for name in objects.values())
    answer = git(root, "cat-file", "--batch", told=asked)
    if answer is None:
        raise Failure(f"git cannot read the ledger at {revision}: try `git show {revision}` in {root}")
    return dict(zip(objects, blobs(answer), strict=True))


def resolved(root: Path, revision: str) -> str:
    """The commit that a revision names."""
    if revision.startswith("-"):
        raise Failure(f"{revision} is no revision of git: name a commit, a branch or a tag")
    if git(root, "rev-parse", "--git-dir") is None:
        raise Failure(f"revisions are known to git, and {root} lies in no repository of git: leave the option out")
    commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        raise Failure(f"git knows no revision {revision}: name a commit, a branch or a tag that has been fetched")
    return commit.decode().strip()


def listed(tree: bytes, folder: str) -> Iterator[tuple[str, bytes]]:
    """The plain files below a folder in what `git ls-tree -r -z` prints, each with the name of its object."""
    for entry in filter(None, tree.split(b"\0")):
        head, _, path = entry.partition(b"\t")
        mode, _, name = head.split(b" ")[:3]
        file = os.fsdecode(path)
        if mode in REGULAR and PurePosixPath(file).is_relative_to(folder):
            yield file, name


def blobs(answer: bytes) -> Iterator[bytes]:
    """The contents in what `git cat-file --batch` prints: a line that ends with the length, then so many bytes."""
    start = 0
    while start < len(answer):
        end = answer.index(b"\n", start)
        length = int(answer[start:end].rpartition(b" ")[2])
        yield answer[end + 1 : end + 1 + length]
        start = end + 1 + length + 1


def git(folder: Path, *words: str, told: bytes = b"") -> bytes | None:
    """What git says when it is told something; None where it refuses."""
    command = ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *words]
    try:
        done = subprocess.run(command, input=told, capture_output=True, check=False)  # noqa: S603 -- words, no shell
    except FileNotFoundError as error:
        raise Failure("revisions are known to git, which is not installed: leave the option out") from error
    return None if done.returncode else done.stdout
