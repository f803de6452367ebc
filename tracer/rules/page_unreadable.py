"""A source has pages without text: scans, images, or glyphs that stand for no letters.

A quote that is not found may stand on such a page, and a term that is not found may occur on it. So a quote that the
rest of the source does not hold is unchecked, and no claim that the source is silent can be confirmed. The finding
names the pages, and says what the reader had to tell about others.

Flagged:

    claims:
      - id: license
        text: The license is not stated.
        status: not-stated
        searched: [{source: scan, terms: [license]}]

Fine:

    claims:
      - id: license
        text: The license is not stated.
        status: not-stated
        searched: [{source: report, terms: [license]}]
"""

from collections.abc import Iterator, Sequence

from tracer.model import Document, Evidence, Page, Problem, Severity, Source
from tracer.rules import _asking
from tracer.wording import counted, listed, pages_listed

severity = Severity.NOTE


def check(evidence: Evidence) -> Iterator[Problem]:
    """At most two problems per source: pages without text, and pages that were read with a warning."""
    for source in _asking.sources(evidence):
        document = _asking.document(evidence, source.id)
        if document is None:
            continue
        yield from _without_text(source, document)
        yield from _with_warnings(source, document)


def without_text(name: str, document: Document) -> str | None:
    """Which pages of a document that goes by this name have no text, and why; None where all have some."""
    pages = [page for page in document.pages if page.unreadable]
    if not pages:
        return None
    reasons = listed(dict.fromkeys(page.unreadable for page in pages if page.unreadable), most=3)
    return f"{counted(len(pages), 'page')} of {name} cannot be checked: {_named(pages)} ({reasons})"


def _without_text(source: Source, document: Document) -> Iterator[Problem]:
    message = without_text(source.id, document)
    if message:
        yield Problem(message=message, at=source.places.of("file" if source.file else ""), unchecks=True)


def _with_warnings(source: Source, document: Document) -> Iterator[Problem]:
    warnings = [f"{_named([page])}: {warning}" for page in document.pages for warning in page.warnings]
    warnings.extend(document.warnings)
    if warnings:
        yield Problem(
            message=f"{source.id} was read with difficulty: {listed(warnings, most=4)}",
            at=source.places.of("file" if source.file else ""),
        )


def _named(pages: Sequence[Page]) -> str:
    return pages_listed((page.label or str(page.sheet), page.sheet) for page in pages)
