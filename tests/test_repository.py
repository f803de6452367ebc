"""A repository of git tells its commits, what files held in them, and what has changed since."""

import subprocess
from pathlib import Path

import pytest

from tracer.model import Failure
from tracer.repository import Repository


def git(folder: Path, *words: str) -> None:
    names = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", str(folder), *names, *words], check=True, capture_output=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project in a folder of its repository, with one commit; its name and that of a file have spaces and accents."""
    root = tmp_path.resolve() / "the project"
    (root / "claims" / "deep").mkdir(parents=True)
    (root / "claims" / "été a.yaml").write_bytes(b"claims: []\n")
    (root / "claims" / "deep" / "b.yaml").write_bytes(b"\x00\r\n")
    (root / "claims" / "link.yaml").symlink_to("deep/b.yaml")
    (root / "claims.yaml").write_bytes(b"beside\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "First")
    return root


def test_the_plain_files_below_a_folder_are_told_with_their_bytes(root: Path) -> None:
    repository = Repository.around(root)
    files = repository.files(repository.commit("HEAD"), "claims")
    assert files == {"claims/été a.yaml": b"claims: []\n", "claims/deep/b.yaml": b"\x00\r\n"}


def test_what_a_file_held_is_told_and_none_where_there_was_none(root: Path) -> None:
    repository = Repository.around(root)
    commit = repository.commit("main")
    (root / "claims.yaml").write_bytes(b"now\n")
    assert repository.content(commit, root / "claims.yaml") == b"beside\n"
    assert repository.content(commit, root / "claims" / "c.yaml") is None


def test_changed_new_and_removed_files_are_told_and_ignored_ones_are_not(root: Path) -> None:
    repository = Repository.around(root)
    commit = repository.commit("HEAD")
    assert list(repository.changed_files(commit)) == []
    (root / "claims.yaml").write_bytes(b"now\n")
    (root / "claims" / "deep" / "b.yaml").unlink()
    (root / ".gitignore").write_text("*.tmp\n")
    (root / "x.tmp").write_text("x")
    expected = {root / "claims.yaml", root / "claims" / "deep" / "b.yaml", root / ".gitignore"}
    assert set(repository.changed_files(commit)) == expected


@pytest.mark.parametrize(
    ("revision", "said"), [("--all", "is no revision of git"), ("nowhere", "git knows no revision nowhere")]
)
def test_what_names_no_commit_is_a_failure(root: Path, revision: str, said: str) -> None:
    with pytest.raises(Failure, match=said):
        Repository.around(root).commit(revision)


def test_a_repository_without_a_work_tree_is_said(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare")
    with pytest.raises(Failure, match="without a work tree: use a clone that has one"):
        Repository.around(tmp_path)
