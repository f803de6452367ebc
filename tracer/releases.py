"""The name of an installed library to its version."""

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def release(library: str) -> str:
    """The version of a library; raises `PackageNotFoundError` for one that is not installed."""
    known = _beside_libraries().get(library.replace("-", "_"))
    if known:
        return known
    import importlib.metadata

    return importlib.metadata.version(library)


@cache
def _beside_libraries() -> Mapping[str, str]:
    """The versions by the folders that installers leave beside libraries.

    A warm audit asks for nothing else of `importlib.metadata`, whose import takes ten milliseconds.
    """
    found: dict[str, str] = {}
    for folder in reversed(sys.path):
        for path in Path(folder).glob("*.dist-info"):
            project, _, version = path.stem.partition("-")
            found[project.lower()] = version
    return found
