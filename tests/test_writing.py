"""A file is written whole or not at all, and nothing stays beside it."""

import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tracer.writing import replace, replacing


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file of this process may grow beyond a size, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_gets_its_new_bytes_and_nothing_stays_beside_it(tmp_path: Path) -> None:
    replace(tmp_path / "result", b"old, and longer")
    replace(tmp_path / "result", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"result": b"new"}


def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    replace(tmp_path / "result", b"old")
    with pytest.raises(OSError, match="File too large"), files_of_at_most(10):
        replace(tmp_path / "result", b"new" * 10)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"result": b"old"}


def test_what_is_raised_while_a_file_is_filled_leaves_no_file(tmp_path: Path) -> None:
    with suppress(KeyboardInterrupt), replacing(tmp_path / "result") as part:
        part.write_bytes(b"half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_may_be_read_by_those_whom_the_user_lets_read(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace(tmp_path / "result", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "result").stat().st_mode) == 0o640


def test_a_name_as_long_as_the_disk_takes_is_written(tmp_path: Path) -> None:
    replace(tmp_path / ("r" * 255), b"new")
    assert (tmp_path / ("r" * 255)).read_bytes() == b"new"
