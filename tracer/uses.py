"""A report and claims of it to what they use of each source: the sheets and sections in which their quotes stand."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tracer.model import ClaimReport, Document, Heading, Report, Trace, Unread
from tracer.sections import lineage


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceUse:
    """Which sheets and sections of a source have a quote of the record in them.

    `unused_sections` names the outermost ones: what lies in them is unused as well.
    """

    source: str
    read: Document | Unread
    quotes: int
    used_sheets: tuple[int, ...] = ()
    unused_sheets: tuple[int, ...] = ()
    used_sections: tuple[Heading, ...] = ()
    unused_sections: tuple[Heading, ...] = ()


def uses(report: Report, claims: Iterable[ClaimReport]) -> Iterator[SourceUse]:
    """The use of each source that these claims cite or search, in the order of the ledger."""
    traces = _traces(claims)
    for source in report.ledger.sources:
        if source in traces and source in report.documents:
            yield _use(source, report.documents[source], traces[source])


def _traces(claims: Iterable[ClaimReport]) -> Mapping[str, Sequence[Trace]]:
    """The traces of the quotes that were found, by their source; those that are searched alone have none."""
    found: dict[str, list[Trace]] = {}
    for claim in claims:
        for search in claim.claim.searched:
            found.setdefault(search.source, [])
        for citation in claim.claim.citations:
            if citation.role != "made-in":
                found.setdefault(citation.source, [])
        for trace in claim.traces:
            if trace.citation.role != "made-in" and trace.anchors:
                found[trace.citation.source].append(trace)
    return found


def _use(source: str, read: Document | Unread, traces: Sequence[Trace]) -> SourceUse:
    if isinstance(read, Unread):
        return SourceUse(source=source, read=read, quotes=0)
    anchors = [trace.anchors[0] for trace in traces if len(trace.anchors) == 1]
    sheets = {span.sheet for anchor in anchors for span in anchor.spans}
    direct = {anchor.section for anchor in anchors if anchor.section}
    sections = {above for heading in direct for above in lineage(read.headings, heading)}
    return SourceUse(
        source=source,
        read=read,
        quotes=len(anchors),
        used_sheets=tuple(page.sheet for page in read.pages if page.sheet in sheets),
        unused_sheets=tuple(page.sheet for page in read.pages if page.sheet not in sheets),
        used_sections=tuple(heading for heading in read.headings if heading in sections),
        unused_sections=tuple(_outermost(read.headings, lambda heading: heading not in sections)),
    )


def _outermost(headings: Sequence[Heading], is_meant: Callable[[Heading], bool]) -> Iterator[Heading]:
    """The sections of which something holds, without those that lie in one of them."""
    around: int | None = None
    for heading in headings:
        if around is not None and heading.level > around:
            continue
        around = heading.level if is_meant(heading) else None
        if around is not None:
            yield heading
