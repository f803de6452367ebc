"""A source to its page: its pin, its revisions, the pages that are cited and what rests on them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tracer.carrying import Fate, Row, Step
from tracer.model import Document, Heading, Source
from tracer.reports import revision
from tracer.reports.site import addresses
from tracer.reports.site.evidence import place_words
from tracer.reports.site.material import Material, grouped
from tracer.wording import Followed, citations, label, page_words

MOST_CHANGES = 4
"""Of the words that differ in a quote, so many are shown."""

COUNTED = (Fate.UNCHANGED, Fate.MOVED, Fate.CHANGED)
"""What the table of the steps always counts; anything else only where it is the case."""

TOLD_BY_PLACE = (Fate.MOVED, Fate.REFERENCES)
"""What is told without the quote, once for all the citations that it befell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """A cited page with the quotes on it: each with its claim."""

    page: str
    sheet: int
    link: str | None
    quotes: tuple[tuple[str, Followed], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Befallen:
    """What a step did to some citations alike, in words, with the quote where these need it, and their claims."""

    fate: Fate
    words: str
    quote: str | None
    claims: tuple[str, ...]


def pages(material: Material) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """A page for each source."""
    uses = {use.source: use for use in material.covered.sources}
    for source in material.report.ledger.sources.values():
        read = material.report.documents.get(source.id)
        steps = material.steps.get(source.id, ())
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
                "steps": tuple((step, tuple(befallen(step))) for step in steps),
                "fates": tuple(fate for fate in Fate if fate in COUNTED or any(step.count(fate) for step in steps)),
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


def befallen(step: Step) -> Iterator[Befallen]:
    """What a step did to the citations that it did not leave as they were."""
    alike = grouped(
        ((row.fate, row_words(row), None if row.fate in TOLD_BY_PLACE else row.quote), row.claim)
        for row in step.rows
        if row.fate is not Fate.UNCHANGED
    )
    fates = list(Fate)
    for (fate, words, quote), claims in sorted(alike.items(), key=lambda each: fates.index(each[0][0])):
        yield Befallen(fate=fate, words=words, quote=quote, claims=tuple(dict.fromkeys(claims)))


def row_words(row: Row) -> str:
    """What a step did to a citation, from the older revision to the newer; empty where its quote says it all."""
    changes = (revision.change_words(*pair) for pair in row.changes[:MOST_CHANGES])
    return "; ".join((*map(revision.edit_words, row.edits), *changes, *filter(None, (row.reason,))))


def top_headings(read: object) -> tuple[Heading, ...]:
    """The outermost sections of a document."""
    if not isinstance(read, Document):
        return ()
    highest = min((heading.level for heading in read.headings), default=1)
    return tuple(heading for heading in read.headings if heading.level == highest)
