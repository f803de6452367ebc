"""A pinned source's url to its verified bytes on disk: nothing that does not match the pin is kept."""

import hashlib
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage, HTTPResponse, IncompleteRead
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import quote, urlsplit

from tracer.model import Failure, Source
from tracer.progress import Progress
from tracer.writing import replacing

LARGEST = 1 << 30
"""The most bytes that a source may have (1 GiB)."""

SECONDS = 30
"""How long the other side may stay silent."""

_BLOCK = 1 << 16


def fetch(
    source: Source,
    folder: Path,
    *,
    progress: Progress | None = None,
    largest: int = LARGEST,
    seconds: float = SECONDS,
) -> Path:
    """The downloaded file, named by its sha256; raises `Failure` where it cannot be had or is not what was pinned.

    `progress` is called after each block with the bytes so far, and all that are to come where the server says so.
    """
    if not source.url:
        raise Failure(f"source {source.id} has no url to fetch it from")
    if not source.sha256:
        raise Failure(f"source {source.id} is not pinned: download it, then run `tracer pin {source.id} FILE`")
    if not _is_of_the_web(source.url):
        raise Failure(f"source {source.id} has a url that is neither http nor https: {source.url}")
    wanted = _Wanted(name=source.id, url=source.url, sha256=source.sha256, largest=largest)
    target = folder / f"{source.sha256}{suffix_of(source.url)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _download(wanted, target, progress or _silent, seconds)
    except urllib.error.HTTPError as error:
        error.close()
        said = f"the server answers {error.code} {error.reason}"
        raise Failure(f"source {source.id} cannot be fetched from {source.url}: {said}") from error
    except (urllib.error.URLError, HTTPException, OSError, ValueError) as error:
        raise Failure(f"source {source.id} cannot be fetched from {source.url}: {_said(error, seconds)}") from error
    return target


def suffix_of(url: str) -> str:
    """The ending of the file that a url names, where it is a short plain one."""
    suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
    return suffix if suffix[1:].isalnum() and len(suffix) <= 10 else ""


def _is_of_the_web(url: str) -> bool:
    try:
        return urlsplit(url).scheme in {"http", "https"}
    except ValueError:
        return False


def _silent(what: str, done: int, of: int | None) -> None:
    """No progress is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is to be had: the source's id and url, the pin of its bytes, and the most bytes that are taken."""

    name: str
    url: str
    sha256: str
    largest: int


class _WebAlone(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but to no file of this machine and to no other kind of server."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        if not _is_of_the_web(newurl):
            fp.close()
            raise urllib.error.URLError(f"it redirects to {newurl}, which is neither http nor https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _download(wanted: _Wanted, target: Path, progress: Progress, seconds: float) -> None:
    opener = urllib.request.build_opener(_WebAlone)
    address = quote(wanted.url, safe="%/:?#[]@!$&'()*+,;=~")
    request = urllib.request.Request(address, headers={"User-Agent": "tracer", "Accept": "*/*"})  # noqa: S310 -- checked
    with replacing(target) as part:
        with part.open("wb") as file, opener.open(request, timeout=seconds) as response:
            found = _copy(wanted, response, file, progress)
            file.flush()
            os.fsync(file.fileno())
        if found != wanted.sha256:
            raise Failure(
                f"source {wanted.name}: the bytes at {wanted.url} have sha256 {found}, the pin is {wanted.sha256}; "
                "nothing is kept"
            )


def _copy(wanted: _Wanted, response: HTTPResponse, file: IO[bytes], progress: Progress) -> str:
    """Stream the body to the file; its sha256."""
    digest = hashlib.sha256()
    received, total = 0, _length(response)
    if total is not None and total > wanted.largest:
        raise Failure(
            f"source {wanted.name} has {total:,} bytes, more than the limit of {wanted.largest:,}; nothing is kept"
        )
    while block := response.read(_BLOCK):
        received += len(block)
        if received > wanted.largest:
            raise Failure(f"source {wanted.name} has more than the limit of {wanted.largest:,} bytes; nothing is kept")
        digest.update(block)
        file.write(block)
        progress("", received, total)
    if total is not None and received < total:
        raise Failure(
            f"source {wanted.name}: the connection was cut after {received:,} of {total:,} bytes; nothing is kept"
        )
    return digest.hexdigest()


def _length(response: HTTPResponse) -> int | None:
    """How many bytes the server says that it sends."""
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else None


def _said(error: Exception, seconds: float) -> str:
    reason = getattr(error, "reason", None)
    if isinstance(error, TimeoutError) or isinstance(reason, TimeoutError):
        return f"the server is silent for {seconds:g} seconds"
    if isinstance(error, IncompleteRead):
        return "the connection was cut; nothing is kept"
    return str(reason or error)
