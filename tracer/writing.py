"""A path and its new bytes to a file that holds them whole: a run that is cut short leaves what was there before."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def replace(path: Path, data: bytes) -> None:
    """Puts bytes into a file in the place of what it held; an OSError leaves the old file and nothing beside it."""
    with replacing(path) as part:
        part.write_bytes(data)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """An empty file beside a path, to be filled; it takes its place in one step unless something is raised."""
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
