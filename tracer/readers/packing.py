"""Documents and pages to bytes and back, for the way out of the reading process and for the cache.

A record is one line of JSON, then the offsets of its readings as unsigned 32-bit numbers in the order of the machine.
Nothing that is unpacked can run: the reading process may have been taken over by what it read.
"""

import json
from array import array
from collections.abc import Iterator, Sequence

from tracer.model import Document, Folded, Heading, Page, Reading

_WIDTH = array("I").itemsize


def pack_page(page: Page) -> bytes:
    """A page with its readings."""
    head = {
        "sheet": page.sheet,
        "label": page.label,
        "text": page.text,
        "unreadable": page.unreadable,
        "warnings": page.warnings,
        "readings": [[reading.name, reading.folded.text, reading.folded.dashes] for reading in page.readings],
    }
    offsets = b"".join(array("I", reading.folded.offsets).tobytes() for reading in page.readings)
    return json.dumps(head).encode() + b"\n" + offsets


def unpack_page(record: bytes) -> Page:
    """The page that was packed."""
    line, _, offsets = record.partition(b"\n")
    head = json.loads(line)
    return Page(
        sheet=head["sheet"],
        label=head["label"],
        text=head["text"],
        unreadable=head["unreadable"],
        warnings=tuple(head["warnings"]),
        readings=tuple(_readings(head["readings"], memoryview(offsets))),
    )


def _readings(heads: Sequence[tuple[str, str, list[tuple[int, bool]]]], offsets: memoryview) -> Iterator[Reading]:
    start = 0
    for name, text, dashes in heads:
        end = start + len(text) * _WIDTH
        numbers = array("I")
        numbers.frombytes(offsets[start:end])
        start = end
        folded = Folded(text=text, offsets=numbers, dashes=tuple((at, strong) for at, strong in dashes))
        yield Reading(name=name, folded=folded)


def pack_document(document: Document) -> bytes:
    """A document without its pages."""
    head = {
        "kind": document.kind,
        "sha256": document.sha256,
        "headings": [[h.number, h.title, h.level, h.sheet, h.start] for h in document.headings],
        "headings_by": document.headings_by,
        "labels_by": document.labels_by,
        "values": dict(document.values),
        "title": document.title,
        "warnings": document.warnings,
    }
    return json.dumps(head).encode()


def unpack_document(record: bytes, pages: tuple[Page, ...]) -> Document:
    """The document that was packed, with its pages."""
    head = json.loads(record)
    return Document(
        kind=head["kind"],
        sha256=head["sha256"],
        pages=pages,
        headings=tuple(
            Heading(number=number, title=title, level=level, sheet=sheet, start=start)
            for number, title, level, sheet, start in head["headings"]
        ),
        headings_by=head["headings_by"],
        labels_by=head["labels_by"],
        values=head["values"],
        title=head["title"],
        warnings=tuple(head["warnings"]),
    )
