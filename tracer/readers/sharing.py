"""The bytes of a PDF to its document, the work shared out among forked processes.

One reads what the file says of itself, so that the text is not lost with it; of a large file several read a share of
the pages each. Where nothing can be forked it is all done in this process.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from io import BytesIO
from itertools import chain
from typing import BinaryIO, NoReturn

from tracer.model import Document
from tracer.readers import Unreadable, frames, pdf, pdfium
from tracer.readers.drawings import PdfBytes
from tracer.readers.forking import CAN_FORK, forked
from tracer.readers.headings import Entry, SelfDescription
from tracer.readers.layout import Line, RawPage, Sheet
from tracer.readers.limits import DESCRIBING_SECONDS, MEMORY, limit

KILLED = -9
"""The exit code of a process that someone else ended, a system that runs out of memory above all."""


def read(data: bytes, processes: int) -> Document:
    """The whole document, by up to so many processes; raises `Unreadable`, and dies as any of them did."""
    shares = processes if CAN_FORK else 1
    describing = _Beside(partial(_describe, data))
    file = PdfBytes.of(data)
    reading = [_Beside(partial(_read_share, file, share, shares)) for share in range(1, shares)]
    pages = pdf.pages_of(file, shares, chain.from_iterable(map(_handed_on, reading)))
    return pdf.assembled(pages, _description(describing))


class _Beside:
    """Work that a forked process does while this one goes on; without forks it is done when it is asked for."""

    def __init__(self, work: Callable[[BinaryIO], None]) -> None:
        self.work = work
        self.process = self.source = 0
        if CAN_FORK:
            self.source, target = os.pipe()
            self.process = forked(work, target)
            os.close(target)

    def answer(self) -> Iterator[tuple[bytes, bytes]]:
        """What the work wrote, as far as it came."""
        with os.fdopen(self.source, "rb") if self.process else self._done_here() as written:
            yield from frames.read(written, MEMORY)

    def _done_here(self) -> BinaryIO:
        out = BytesIO()
        frames.answer(out, self.work)
        out.seek(0)
        return out

    def end(self) -> int:
        """The exit code of the process, negative for a signal."""
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1]) if self.process else 0


# --- pages ------------------------------------------------------------------------------------------------------


def _read_share(file: PdfBytes, share: int, shares: int, out: BinaryIO) -> None:
    pages = [_pack(page) for page in pdfium.pages(file, share, shares)]
    for page in pages:
        frames.write(out, frames.PAGE, page)
    frames.write(out, frames.DOCUMENT)


def _handed_on(reading: _Beside) -> Iterator[RawPage]:
    """The pages of one share; where its process died, this one dies as it did."""
    for kind, payload in reading.answer():
        if kind == frames.REFUSAL:
            raise Unreadable(*json.loads(payload))
        if kind == frames.DOCUMENT:
            return
        yield _unpack(payload)
    _die_of(reading.end())


def _die_of(code: int) -> NoReturn:
    """End as a forked process has ended, whose part is missing."""
    if code < 0:
        os.kill(os.getpid(), -code)
    sys.exit(code)


def _pack(page: RawPage) -> bytes:
    lines = [(line.start, line.end, line.size, line.weight, line.left, line.bottom) for line in page.sheet.lines]
    sheet = [page.sheet.text, lines, page.sheet.height]
    return json.dumps([sheet, page.raised, page.is_by_column, page.unreadable, page.warnings]).encode()


def _unpack(record: bytes) -> RawPage:
    (text, lines, height), raised, is_by_column, unreadable, warnings = json.loads(record)
    placed = tuple(
        Line(start=start, end=end, size=size, weight=weight, left=left, bottom=bottom)
        for start, end, size, weight, left, bottom in lines
    )
    return RawPage(
        sheet=Sheet(text=text, lines=placed, height=height),
        raised=tuple(raised),
        is_by_column=is_by_column,
        unreadable=unreadable,
        warnings=tuple(warnings),
    )


# --- what the file says of itself -------------------------------------------------------------------------------


def _describe(data: bytes, out: BinaryIO) -> None:
    if CAN_FORK:
        limit(DESCRIBING_SECONDS)
    frames.write(out, frames.DOCUMENT, json.dumps(asdict(pdf.description_of(data))).encode())


def _description(describing: _Beside) -> SelfDescription:
    """What the describing process said; one that the file brought down said nothing, one that was killed is missed."""
    fields = next((json.loads(payload) for kind, payload in describing.answer() if kind == frames.DOCUMENT), None)
    if fields is None:
        code = describing.end()
        if code == KILLED:
            _die_of(code)
        return SelfDescription(warnings=("its outline and page labels cannot be read",))
    return SelfDescription(
        labels=None if fields["labels"] is None else tuple(fields["labels"]),
        outline=tuple(Entry(**entry) for entry in fields["outline"]),
        title=fields["title"],
        warnings=tuple(fields["warnings"]),
    )
