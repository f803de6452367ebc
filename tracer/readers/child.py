"""The process in which a PDF is read: a part, a path and what is wanted in, frames on standard output.

It limits its own memory and time before it touches the file, for a small file can unpack to gigabytes or never end.
"""

import hashlib
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from tracer.readers import Unreadable, forkserver, frames, packing, pdf, pictures, sharing
from tracer.readers.limits import SECONDS, end_with_parent, limit


def main(arguments: Sequence[str]) -> None:
    """Do one part and answer on standard output, or `serve`: do the parts that are asked for on standard input."""
    if arguments[0] == "serve":
        _preload()
        forkserver.serve(0, _answer)
        return
    end_with_parent()
    if hasattr(signal, "SIGCHLD"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # what began this process may let it be ignored
    out = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 -- what the libraries print is not ours
        os.dup2(nowhere.fileno(), 1)
    with out:
        frames.answer(out, partial(_answer, arguments))


def _preload() -> None:
    """Import what nearly every PDF needs, once for all that are forked."""
    import pypdfium2  # noqa: F401 -- for those that are forked

    from tracer.readers import glyphs, order  # noqa: F401 -- for those that are forked


def _answer(arguments: Sequence[str], out: BinaryIO) -> None:
    """One part: `read PATH PROCESSES` or `closer PATH SHEETS`.

    The parts of `pictures` take the sha256 that the bytes must have, and what is wanted of them.
    """
    part, path, wanted = arguments[0], Path(arguments[1]), arguments[2:]
    limit(SECONDS)
    if part == "read":
        _read(out, path.read_bytes(), int(wanted[0]))
    elif part == "closer":
        _closer(out, path.read_bytes(), [int(sheet) for sheet in wanted[0].split(",")])
    else:
        _picture(out, part, _pinned(path, wanted[0]), wanted[1:])


def _read(out: BinaryIO, data: bytes, processes: int) -> None:
    document = replace(sharing.read(data, processes), sha256=hashlib.sha256(data).hexdigest())
    for page in document.pages:
        frames.write(out, frames.PAGE, packing.pack_page(page))
    frames.write(out, frames.DOCUMENT, packing.pack_document(document))


def _closer(out: BinaryIO, data: bytes, sheets: Sequence[int]) -> None:
    for page in pdf.closer(data, sheets):
        frames.write(out, frames.PAGE, packing.pack_page(page))
    frames.write(out, frames.DOCUMENT)


def _picture(out: BinaryIO, part: str, data: bytes, wanted: Sequence[str]) -> None:
    for record in pictures.records(part, data, wanted):
        frames.write(out, frames.PAGE, record)
    frames.write(out, frames.DOCUMENT)


def _pinned(path: Path, sha256: str) -> bytes:
    """A file's bytes, if they still are those in which the places were found."""
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Unreadable("broken", "it has changed since it was read")
    return data
