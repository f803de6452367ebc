"""A source to its page: its pin, its revisions, the pages that are cited and what rests on them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tracer.model import Document, Heading, Source
from tracer.reports.site import addresses
from tracer.reports.site.evidence import place_words
from tracer.reports.site.material import Material, grouped
from tracer.wording import Followed, citations, label, page_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """A cited page with the quotes on it: each with its claim."""

    page: str
    sheet: int
    link: str | None
    quotes: tuple[tuple[str, Followed], ...]


def pages(material: Material) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """A page for each source."""
    uses = {use.source: use for use in material.covered.sources}
    for source in material.report.ledger.sources.values():
        read = material.report.documents.get(source.id)
        yield (
            addresses.source(source.id),
            "source.html",
            {
                "source": source,
                "url": addresses.web(source.url),
                "read": read,
                "is_read": isinstance(read, Document),
                "used": tuple(used(material, source)),
                "unplaced": tuple(unplaced(material, source)),
                "use": uses.get(source.id),
                "siblings": siblings(material, source),
                "headings": top_headings(read),
            },
        )


def followed(material: Material, source: Source) -> Iterator[tuple[str, Followed]]:
    """Every citation into a source, with the id of its claim."""
    for claim in material.by_source.get(source.id, ()):
        for each in citations(claim):
            if each.citation.source == source.id:
                yield claim.claim.id, each


def used(material: Material, source: Source) -> Iterator[Used]:
    """The pages on which quotes were found, first to last."""
    read = material.report.documents.get(source.id)
    is_pdf = isinstance(read, Document) and read.kind == "pdf"
    by_sheet = grouped(
        (each.trace.anchors[0].spans[0].sheet, (name, each))
        for name, each in followed(material, source)
        if each.trace and each.trace.anchors
    )
    for sheet in sorted(by_sheet):
        yield Used(
            page=page_words(label(read, sheet), sheet) if is_pdf else "",
            sheet=sheet,
            link=addresses.at_sheet(source.url, sheet) if is_pdf else addresses.web(source.url),
            quotes=by_sheet[sheet],
        )


def unplaced(material: Material, source: Source) -> Iterator[tuple[str, Followed, str]]:
    """The citations whose quote stands nowhere, or was not looked up."""
    for name, each in followed(material, source):
        if not (each.trace and each.trace.anchors):
            yield name, each, place_words(each.citation)


def siblings(material: Material, source: Source) -> tuple[Source, ...]:
    """The other revisions of a source that the ledger cites, and the source that this is a revision of."""
    root = source.revision_of or source.id
    return tuple(
        other
        for other in material.report.ledger.sources.values()
        if other.id != source.id and root in (other.id, other.revision_of)
    )


def top_headings(read: object) -> tuple[Heading, ...]:
    """The outermost sections of a document."""
    if not isinstance(read, Document):
        return ()
    highest = min((heading.level for heading in read.headings), default=1)
    return tuple(heading for heading in read.headings if heading.level == highest)
