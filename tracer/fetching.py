"""A pinned source's url to its verified bytes on disk: nothing that does not match the pin is kept."""

import hashlib
import os
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import urlsplit

from tracer.model import Failure, Source

LARGEST = 1 << 30
"""The most bytes that a source may have (1 GiB)."""

SECONDS = 30
"""How long the other side may stay silent."""

_BLOCK = 1 << 16

Progress = Callable[[int, int | None], None]
"""Told after each block: the bytes so far, and all that are to come where the server says so."""


def fetch(source: Source, folder: Path, *, progress: Progress | None = None, largest: int = LARGEST) -> Path:
    """The downloaded file, named by its sha256; raises `Failure` where it cannot be had or is not what was pinned."""
    if not source.url:
        raise Failure(f"source {source.id} has no url to fetch it from")
    if not source.sha256:
        raise Failure(f"source {source.id} is not pinned: download it, then run `tracer pin {source.id} FILE`")
    if urlsplit(source.url).scheme not in {"http", "https"}:
        raise Failure(f"source {source.id} has a url that is neither http nor https: {source.url}")
    target = folder / f"{source.sha256}{suffix_of(source.url)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _download(source.id, source.url, source.sha256, target, progress or _silent, largest)
    except (urllib.error.URLError, HTTPException, OSError, ValueError) as error:
        raise Failure(f"source {source.id} cannot be fetched from {source.url}: {_said(error)}") from error
    return target


def suffix_of(url: str) -> str:
    """The ending of the file that a url names, where it is a short plain one."""
    suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
    return suffix if suffix[1:].isalnum() and len(suffix) <= 10 else ""


def _silent(received: int, total: int | None) -> None:
    """No progress is shown."""


def _download(name: str, url: str, sha256: str, target: Path, progress: Progress, largest: int) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": "tracer", "Accept": "*/*"})  # noqa: S310 -- checked
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".fetch-")
    try:
        with os.fdopen(handle, "wb") as file, urllib.request.urlopen(request, timeout=SECONDS) as response:  # noqa: S310
            length = response.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() else None
            found = _copy(name, response, file, total, progress, largest)
            file.flush()
            os.fsync(file.fileno())
        if found != sha256:
            raise Failure(
                f"source {name}: the bytes at {url} have sha256 {found}, the pin is {sha256}; nothing is kept"
            )
        Path(temporary).replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _copy(name: str, response: IO[bytes], file: IO[bytes], total: int | None, progress: Progress, largest: int) -> str:
    """Stream the body to the file; its sha256."""
    digest = hashlib.sha256()
    received = 0
    if total is not None and total > largest:
        raise Failure(f"source {name} has {total:,} bytes, more than the limit of {largest:,}; nothing is kept")
    while block := response.read(_BLOCK):
        received += len(block)
        if received > largest:
            raise Failure(f"source {name} has more than the limit of {largest:,} bytes; nothing is kept")
        digest.update(block)
        file.write(block)
        progress(received, total)
    if total is not None and received < total:
        raise Failure(f"source {name}: the connection was cut after {received:,} of {total:,} bytes; nothing is kept")
    return digest.hexdigest()


def _said(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answers {error.code} {error.reason}"
    return str(getattr(error, "reason", None) or error)
