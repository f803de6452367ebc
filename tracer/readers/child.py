"""The process in which a PDF is read: a path and a part in, frames of packed pages on standard output.

It limits its own memory and time before it touches the file, for a small file can unpack to gigabytes or never end.
Where processes can be forked, one reads what the file says of itself, so that the text is not lost with it, and the
pages of a large file are shared out among several.
"""

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NoReturn

from tracer.readers import Unreadable, frames, packing, pdf, pdfium, pictures
from tracer.readers.headings import Entry, SelfDescription
from tracer.readers.layout import RawPage

MEMORY = 1 << 30
SECONDS = 25
DESCRIBING_SECONDS = 12
"""What a file says of itself counts less than its text: it gets half the time."""

CAN_FORK = sys.platform == "linux"
"""Elsewhere there is no fork, or libraries of the system do not survive it."""

MOST_HANDED_ON = 64 << 20
"""How many bytes a page that is handed on may take."""


def main(arguments: Sequence[str]) -> None:
    """Run one part: `read PATH PROCESSES` or `closer PATH SHEETS`.

    The parts of `pictures` take the sha256 that the bytes must have, and what is wanted of them.
    """
    part, path, wanted = arguments[0], Path(arguments[1]), arguments[2:]
    limit(SECONDS)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 -- what the libraries print is not ours
    with out:
        _answering(out, partial(_do, part, path, wanted))


def _answering(out: BinaryIO, work: Callable[[BinaryIO], None]) -> None:
    """Do some work, and say why where it cannot be done."""
    try:
        work(out)
    except Unreadable as unreadable:
        frames.write(out, frames.REFUSAL, json.dumps([unreadable.unread.kind, unreadable.unread.reason]).encode())
    except MemoryError:
        frames.write(out, frames.REFUSAL, json.dumps(["limit", memory_reason()]).encode())


def _do(part: str, path: Path, wanted: Sequence[str], out: BinaryIO) -> None:
    if part == "read":
        _read(out, path.read_bytes(), wanted[0])
    elif part == "closer":
        _closer(out, path.read_bytes(), wanted[0])
    else:
        _picture(out, part, _pinned(path, wanted[0]), wanted[1:])


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


def _read(out: BinaryIO, data: bytes, processes: str) -> None:
    shares = int(processes) if CAN_FORK else 1
    describing = _Beside(partial(_describe, data))
    reading = [_Beside(partial(_read_share, data, share, shares)) for share in range(1, shares)]
    pages = pdf.pages_of(data, shares, chain.from_iterable(map(_handed_on, reading)))
    document = pdf.assembled(pages, _description(describing))
    for page in document.pages:
        frames.write(out, frames.PAGE, packing.pack_page(page))
    document = replace(document, sha256=hashlib.sha256(data).hexdigest())
    frames.write(out, frames.DOCUMENT, packing.pack_document(document))


class _Beside:
    """Work that a forked process does while this one goes on; without forks it is done when it is asked for."""

    def __init__(self, work: Callable[[BinaryIO], None]) -> None:
        self.work = work
        self.process = 0
        if CAN_FORK:
            source, target = os.pipe()
            self.process = os.fork()
            if not self.process:
                _run(work, target)
            os.close(target)
            self.answer: BinaryIO = os.fdopen(source, "rb")

    def frames(self) -> Iterator[tuple[bytes, bytes]]:
        """What the work wrote, as far as it came."""
        if not self.process:
            self.answer = BytesIO()
            self.work(self.answer)
            self.answer.seek(0)
        with self.answer:
            yield from frames.read(self.answer, MOST_HANDED_ON)

    def end(self) -> int:
        """The exit code of the process, negative for a signal."""
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1]) if self.process else 0


def _run(work: Callable[[BinaryIO], None], target: int) -> NoReturn:
    """All that a forked process does: it must not come back into what its parent was about to do."""
    code = 1
    try:
        with os.fdopen(target, "wb") as out:
            _answering(out, work)
        code = 0
    finally:
        os._exit(code)


def _read_share(data: bytes, share: int, shares: int, out: BinaryIO) -> None:
    with pdfium.opened(data) as document:
        pages = [packing.pack_raw(page) for page in pdfium.pages(document, share, shares)]
    for page in pages:
        frames.write(out, frames.PAGE, page)
    frames.write(out, frames.DOCUMENT)


def _handed_on(reading: _Beside) -> Iterator[RawPage]:
    """The pages of one share; where its process died, this one dies as it did."""
    for kind, payload in reading.frames():
        if kind == frames.REFUSAL:
            raise Unreadable(*json.loads(payload))
        if kind == frames.DOCUMENT:
            return
        yield packing.unpack_raw(payload)
    code = reading.end()
    if code < 0:
        os.kill(os.getpid(), -code)
    sys.exit(code)


def _describe(data: bytes, out: BinaryIO) -> None:
    limit(DESCRIBING_SECONDS)
    frames.write(out, frames.DOCUMENT, json.dumps(asdict(pdf.description_of(data))).encode())


def _description(describing: _Beside) -> SelfDescription:
    """What the describing process said; one that died said nothing."""
    fields = next((json.loads(payload) for kind, payload in describing.frames() if kind == frames.DOCUMENT), None)
    if fields is None:
        return SelfDescription(warnings=("its outline and page labels cannot be read",))
    return SelfDescription(
        labels=None if fields["labels"] is None else tuple(fields["labels"]),
        outline=tuple(Entry(**entry) for entry in fields["outline"]),
        title=fields["title"],
        warnings=tuple(fields["warnings"]),
    )


def _closer(out: BinaryIO, data: bytes, sheets: str) -> None:
    for page in pdf.closer(data, [int(sheet) for sheet in sheets.split(",")]):
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


if __name__ == "__main__":
    main(sys.argv[1:])
