"""The process in which a PDF is read: a path and a part in, frames of packed pages on standard output.

It limits its own memory and time before it touches the file, for a small file can unpack to gigabytes or never end.
A frame is its kind (one byte), its length (four bytes) and its bytes; the last frame is a document or a refusal.
"""

import contextlib
import hashlib
import json
import os
import struct
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import BinaryIO

from tracer.readers import Unreadable, packing, pdf, pictures
from tracer.readers.headings import Entry

PAGE, DOCUMENT, REFUSAL = b"P", b"D", b"U"
HEADER = struct.Struct(">cI")

MEMORY = 1 << 30
SECONDS = 25
DESCRIBING_SECONDS = 12
"""What a file says of itself counts less than its text: it gets half the time, so that the text is not lost with it."""


def main(arguments: Sequence[str]) -> None:
    """Run one part: `describe PATH`, `read PATH` (a description comes in on standard input), `closer PATH SHEETS`.

    The parts of `pictures` take the sha256 that the bytes must have, and what is wanted of them.
    """
    part, path = arguments[0], Path(arguments[1])
    limit(DESCRIBING_SECONDS if part == "describe" else SECONDS)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 -- what the libraries print is not ours
    with out:
        if part == "describe":
            out.write(json.dumps(asdict(pdf.description_of(path.read_bytes()))).encode())
            return
        try:
            if part == "closer":
                _closer(out, path.read_bytes(), [int(sheet) for sheet in arguments[2].split(",")])
            elif part in pictures.PARTS:
                _picture(out, part, _pinned(path, arguments[2]), arguments[3:])
            else:
                _read(out, path.read_bytes())
        except Unreadable as unreadable:
            _write(out, REFUSAL, json.dumps([unreadable.unread.kind, unreadable.unread.reason]).encode())
        except MemoryError:
            _write(out, REFUSAL, json.dumps(["limit", memory_reason()]).encode())


def limit(seconds: int) -> None:
    """Hold this process to its memory and time; a system without such limits is left to the parent's clock."""
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))


def memory_reason() -> str:
    """What is said of a file that took too much memory."""
    return f"reading it takes more than {MEMORY >> 20:,} MiB of memory"


def _read(out: BinaryIO, data: bytes) -> None:
    read_text = pdf.text_of(data)
    document = pdf.described(read_text, _description(sys.stdin.buffer.read()))
    for page in document.pages:
        _write(out, PAGE, packing.pack_page(page))
    document = replace(document, sha256=hashlib.sha256(data).hexdigest())
    _write(out, DOCUMENT, packing.pack_document(document))


def _description(record: bytes) -> pdf.SelfDescription:
    """What the describing process said; one that died said nothing."""
    try:
        fields = json.loads(record)
    except ValueError:
        return pdf.SelfDescription(warnings=("its outline and page labels cannot be read",))
    return pdf.SelfDescription(
        labels=None if fields["labels"] is None else tuple(fields["labels"]),
        outline=tuple(Entry(**entry) for entry in fields["outline"]),
        title=fields["title"],
        warnings=tuple(fields["warnings"]),
    )


def _closer(out: BinaryIO, data: bytes, sheets: Sequence[int]) -> None:
    for page in pdf.closer(data, sheets):
        _write(out, PAGE, packing.pack_page(page))
    _write(out, DOCUMENT, b"")


def _picture(out: BinaryIO, part: str, data: bytes, wanted: Sequence[str]) -> None:
    for record in pictures.records(part, data, wanted):
        _write(out, PAGE, record)
    _write(out, DOCUMENT, b"")


def _pinned(path: Path, sha256: str) -> bytes:
    """A file's bytes, if they still are those in which the places were found."""
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Unreadable("broken", "it has changed since it was read")
    return data


def _write(out: BinaryIO, kind: bytes, payload: bytes) -> None:
    out.write(HEADER.pack(kind, len(payload)))
    out.write(payload)


if __name__ == "__main__":
    main(sys.argv[1:])
