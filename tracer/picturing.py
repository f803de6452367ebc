"""A report and its library to pictures: the pages of PDFs that its citations stand on, and where on them the quotes do.

Pages are drawn in the reading process and kept in the cache; the boxes are told from the places of the glyphs, so a
quote that changes costs no drawing.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Literal

from tracer.cache import reading_key
from tracer.library import Library
from tracer.locating import Found
from tracer.model import Document, Report, Source, Span, Trace
from tracer.progress import Progress
from tracer.readers import Unreadable, apart
from tracer.readers.lighting import lit
from tracer.readers.pictures import GlyphPlaces, Rectangle, pixels, unpack_places

VERSION = 1
"""Raised whenever a page is drawn otherwise, or its glyphs are placed otherwise."""

SCALE = 2.0
"""Pixels for each point of a page: a page of A4 fills a screen of 1,200 pixels."""

AROUND = 4.5
"""What a strip shows above and below a quote, in heights of its lines."""

MOST_PLACES = 3
"""Of a quote that stands in many places, and nothing says which, so many are shown."""

AT_ONCE = 12
"""Sheets of one batch."""

MOST_DRAWN = 60
"""Strips of these sheets that one process draws."""

MOST_FAILURES = 2
"""Sheets of one batch that may end the process that draws them before the rest of the batch is given up."""

Kind = Literal["page", "crop"]
Cited = tuple[str, str]
"""The id of a claim and the `at_path` of its citation."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in fractions of a picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A page, or a strip of it, as WebP; `boxes` has a box for each line of each quote that stands on it."""

    source: str
    sheet: int
    name: str
    data: bytes
    width: int
    height: int
    is_page: bool
    boxes: Mapping[Cited, tuple[Box, ...]]


def pictures(
    report: Report, library: Library, *, kind: Kind = "page", scale: float = SCALE, progress: Progress | None = None
) -> Iterator[Picture]:
    """Pictures of all cited pages, source by source and sheet by sheet; few of them are held at a time.

    A `page` shows all quotes that stand on it, a `crop` the lines around one quote. There is none of a source that is
    not a PDF, is not on disk, or has other bytes than when it was audited. What cannot be drawn is said in the
    warnings of the library's cache. `progress` is called with the source of each batch, and counts cited pages.
    """
    batches = list(_batches(report, library))
    total, done = sum(len(batch.quotes) for batch in batches), 0
    for batch, drawn in _side_by_side(batches, lambda batch: _drawn(batch, library, kind, scale), library.jobs):
        yield from drawn
        done += len(batch.quotes)
        if progress:
            progress(batch.source, done, total)


Quotes = Mapping[Cited, Sequence[Span]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Some cited sheets of one source, each with the runs of its text that are cited."""

    source: str
    found: Found
    quotes: Mapping[int, Quotes]


def _batches(report: Report, library: Library) -> Iterator[_Batch]:
    cited = _cited(report)
    for name in sorted(cited):
        found = _file(report.ledger.sources.get(name), report, library)
        sheets = sorted(cited[name]) if found else []
        for start in range(0, len(sheets), AT_ONCE):
            some = {sheet: cited[name][sheet] for sheet in sheets[start : start + AT_ONCE]}
            if found:
                yield _Batch(source=name, found=found, quotes=some)


def _cited(report: Report) -> Mapping[str, Mapping[int, Quotes]]:
    """The spans of all quotes, by source and sheet."""
    cited: dict[str, dict[int, dict[Cited, list[Span]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for trace in (trace for claim in report.claims for trace in claim.traces):
        for span in _spans(trace):
            cited[trace.citation.source][span.sheet][trace.claim.id, trace.citation.at_path].append(span)
    return cited


def _spans(trace: Trace) -> Iterator[Span]:
    return (span for anchor in trace.anchors[:MOST_PLACES] for span in anchor.spans)


def _file(source: Source | None, report: Report, library: Library) -> Found | None:
    """The file of a PDF, if it still has the bytes in which the quotes were found."""
    document = report.documents.get(source.id) if source else None
    if source is None or not isinstance(document, Document) or document.kind != "pdf":
        return None
    found = library.find(source)
    return found if isinstance(found, Found) and found.sha256 == document.sha256 else None


Work = Callable[[_Batch], Sequence[Picture]]


def _side_by_side(batches: Iterable[_Batch], work: Work, jobs: int) -> Iterator[tuple[_Batch, Sequence[Picture]]]:
    """The pictures of each batch in order; no more batches are begun than can be worked on, and one that waits."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        waiting: list[tuple[_Batch, Future[Sequence[Picture]]]] = []
        for batch in batches:
            waiting.append((batch, pool.submit(work, batch)))
            if len(waiting) > jobs:
                first, future = waiting.pop(0)
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()


# --- one batch --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Strip:
    """The pixel rows from `top` to `bottom` of a page that has `width` by `height` pixels, and what is lit there."""

    sheet: int
    width: int
    height: int
    top: int
    bottom: int
    boxes: Mapping[Cited, tuple[Box, ...]]

    @property
    def wanted(self) -> "_Wanted":
        """What is asked of the drawing process, and where it is kept."""
        rows = f"{self.width}:{self.height}:{self.top}:{self.bottom}"
        return _Wanted(part="draw", sheet=self.sheet, depth=f"drawing {VERSION} {rows}", words=f"{self.sheet}:{rows}")

    @property
    def is_page(self) -> bool:
        """Whether it is all of its page."""
        return (self.top, self.bottom) == (0, self.height)

    @property
    def name(self) -> str:
        """How its file is told from others of the same source."""
        return f"{self.sheet}-page" if self.is_page else f"{self.sheet}-crop-{self.top}-{self.bottom}"


def _drawn(batch: _Batch, library: Library, kind: Kind, scale: float) -> Sequence[Picture]:
    strips = [strip for places in _places(batch, library) for strip in _strips(places, batch, kind, scale)]
    records = _records(library, batch.found, [strip.wanted for strip in strips])
    return [_picture(batch, strip, records[strip.wanted]) for strip in strips if strip.wanted in records]


def _picture(batch: _Batch, strip: _Strip, record: bytes) -> Picture:
    return Picture(
        source=batch.source,
        sheet=strip.sheet,
        name=f"{batch.found.sha256[:12]}-{strip.name}.webp",
        data=record,
        width=strip.width,
        height=strip.bottom - strip.top,
        is_page=strip.is_page,
        boxes=strip.boxes,
    )


def _places(batch: _Batch, library: Library) -> Iterator[GlyphPlaces]:
    wanted = [
        _Wanted(part="glyphs", sheet=sheet, depth=f"glyphs {VERSION}", words=str(sheet)) for sheet in batch.quotes
    ]
    records = _records(library, batch.found, wanted)
    return (unpack_places(records[one]) for one in wanted if one in records)


def _strips(places: GlyphPlaces, batch: _Batch, kind: Kind, scale: float) -> Iterator[_Strip]:
    """The strips of one page that are drawn: all of it, or one for each quote; equal ones are one."""
    width, height = pixels(places.width, places.height, scale)
    lines = {cited: lit(places, spans) for cited, spans in batch.quotes[places.sheet].items()}
    by_rows: dict[tuple[int, int], dict[Cited, tuple[Box, ...]]] = defaultdict(dict)
    for cited, found in lines.items():
        rows = (0, height) if kind == "page" else _rows(found, height / places.height, height)
        if rows:
            by_rows[rows][cited] = tuple(_boxes(found, places, *(row / height for row in rows)))
    for (top, bottom), boxes in sorted(by_rows.items()):
        yield _Strip(sheet=places.sheet, width=width, height=height, top=top, bottom=bottom, boxes=boxes)


def _rows(lines: Sequence[Rectangle], scale: float, height: int) -> tuple[int, int] | None:
    """The pixel rows of some lines and of what stands around them."""
    if not lines:
        return None
    around = AROUND * max(min(line.height, line.turned.height) for line in lines)
    top = math.floor(scale * (min(line.top for line in lines) - around))
    bottom = math.ceil(scale * (max(line.bottom for line in lines) + around))
    return max(0, top), min(height, bottom)


def _boxes(lines: Iterable[Rectangle], places: GlyphPlaces, top: float, bottom: float) -> Iterator[Box]:
    """Lines in fractions of the part of the page between two fractions of its height."""
    for line in lines:
        across = line.left / places.width, line.right / places.width
        down = ((edge / places.height - top) / (bottom - top) for edge in (line.top, line.bottom))
        left, upper, right, lower = (round(min(max(edge, 0.0), 1.0), 5) for edge in (across[0], *down, across[1]))
        yield left, upper, lower, right


# --- kept, or made in the reading process -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A record of a sheet: which part of the reading process makes it, told in which words, and how it is kept."""

    part: str
    sheet: int
    depth: str
    words: str


def _records(library: Library, found: Found, wanted: Sequence[_Wanted]) -> Mapping[_Wanted, bytes]:
    """The records that are wanted, as far as they can be made; what is not kept yet is made and kept."""
    records: dict[_Wanted, bytes] = {}
    for one in wanted:
        kept = library.cache.page(_key(found, one), one.sheet)
        if kept is not None:
            records[one] = kept
    missing = [one for one in wanted if one not in records]
    for start in range(0, len(missing), MOST_DRAWN):
        for one, record in _made(library, found, missing[start : start + MOST_DRAWN]):
            library.cache.keep_pages(_key(found, one), [(one.sheet, record)])
            records[one] = record
    return records


def _key(found: Found, one: _Wanted) -> str:
    return reading_key(found.sha256, "picture", depth=one.depth)


def _made(library: Library, found: Found, wanted: Sequence[_Wanted]) -> Iterator[tuple[_Wanted, bytes]]:
    """Records made by one process, or sheet by sheet where that fails, so that one sheet takes no other with it."""
    try:
        records = _asked(found, wanted)
    except Unreadable:
        yield from _made_by_sheet(library, found, wanted)
    else:
        yield from zip(wanted, records, strict=True)


def _made_by_sheet(library: Library, found: Found, wanted: Sequence[_Wanted]) -> Iterator[tuple[_Wanted, bytes]]:
    failures = 0
    for sheet, group in groupby(wanted, key=attrgetter("sheet")):
        some = list(group)
        try:
            records = _asked(found, some)
        except Unreadable as unreadable:
            library.cache.warnings.append(f"sheet {sheet} of {found.path.name} is not drawn: {unreadable}")
            failures += 1
            if failures == MOST_FAILURES:
                return
        else:
            yield from zip(some, records, strict=True)


def _asked(found: Found, wanted: Sequence[_Wanted]) -> Sequence[bytes]:
    return apart.pictured(wanted[0].part, found.path, found.sha256, [one.words for one in wanted])
