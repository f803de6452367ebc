"""What the processes that read a PDF answer: frames of a kind (one byte), a length (four bytes) and so many bytes.

An answer ends with a document or a refusal; an answer that does not was cut short by the end of its process.
"""

import contextlib
import json
import struct
from collections.abc import Callable, Iterator
from typing import IO, BinaryIO

from tracer.readers import Unreadable
from tracer.readers.limits import memory_reason

PAGE, DOCUMENT, REFUSAL = b"P", b"D", b"U"

_HEADER = struct.Struct(">cI")


def write(out: IO[bytes], kind: bytes, payload: bytes = b"") -> None:
    """One frame."""
    out.write(_HEADER.pack(kind, len(payload)))
    out.write(payload)


def answer(out: BinaryIO, work: Callable[[BinaryIO], None]) -> None:
    """Let some work write its frames, and a refusal where it cannot be done."""
    try:
        work(out)
    except Unreadable as unreadable:
        write(out, REFUSAL, json.dumps([unreadable.unread.kind, unreadable.unread.reason]).encode())
    except MemoryError:
        write(out, REFUSAL, json.dumps(["limit", memory_reason()]).encode())


def read(source: IO[bytes], most: int) -> Iterator[tuple[bytes, bytes]]:
    """The frames that came whole, by kind and payload; of one with more than so many bytes one more than that."""
    with contextlib.suppress(ConnectionResetError):  # it ended before it had read what it was asked
        while len(header := source.read(_HEADER.size)) == _HEADER.size:
            kind, length = _HEADER.unpack(header)
            payload = source.read(min(length, most + 1))
            if len(payload) < min(length, most + 1):
                return
            yield kind, payload
