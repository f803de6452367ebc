"""The version of a library is told as its metadata tells it."""

import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tracer import releases
from tracer.releases import release


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    forget = (release.cache_clear, releases._beside_libraries.cache_clear)
    for one in forget:
        one()
    yield
    for one in forget:
        one()


@pytest.mark.parametrize("library", ["pypdfium2", "pypdf", "selectolax", "markdown-it-py", "pillow"])
def test_the_version_is_that_of_the_metadata(library: str) -> None:
    assert release(library) == importlib.metadata.version(library)


def test_the_first_folder_in_which_python_looks_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Pypdf-99.1.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert release("pypdf") == "99.1"


def test_without_such_folders_the_metadata_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(releases, "_beside_libraries", dict)
    assert release("pypdf") == importlib.metadata.version("pypdf")


def test_a_library_that_is_not_installed_is_an_error() -> None:
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        release("no-such-library")
