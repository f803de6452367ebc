"""Evidence to the claims, traces and searches that rules ask: those whose record stands."""

import re
from collections.abc import Iterator

from tracer.model import Document, Evidence, Passage, Place, Problem, SearchTrace, Severity, Source, Trace
from tracer.wording import counted, is_paged


def placed(evidence: Evidence) -> Iterator[Trace]:
    """The traces whose quote was found, in a file that is the pinned one or could not be held against a pin."""
    return (trace for trace in evidence.followed if trace.anchors and trace.unchecked is None)


def searches(evidence: Evidence) -> Iterator[SearchTrace]:
    """Every search of those claims."""
    for index, _ in evidence.sound_claims:
        yield from evidence.searches.get(index, ())


def sources(evidence: Evidence) -> Iterator[Source]:
    """The sources whose record stands."""
    return (source for source in evidence.ledger.sources.values() if not source.broken)


def document(evidence: Evidence, source: str) -> Document | None:
    """A source as read, or None where it was not."""
    read = evidence.documents.get(source)
    return read if isinstance(read, Document) else None


def at(trace: Trace, field: str = "") -> Place:
    """Where a field of the citation stands in the ledger."""
    return trace.claim.places.of(f"{trace.citation.at_path}.{field}".rstrip("."))


def problem(
    trace: Trace,
    field: str,
    message: str,
    *,
    hint: str | None = None,
    see: tuple[Passage, ...] = (),
    severity: Severity | None = None,
    unchecks: bool = False,
) -> Problem:
    """What is wrong with one field of a citation."""
    return Problem(
        message=message,
        at=at(trace, field),
        claim=trace.claim.id,
        hint=hint,
        see=see,
        severity=severity,
        unchecks=unchecks,
    )


def beyond(trace: Trace, document: Document | None) -> str:
    """What is added to a message where the cited page lies behind the last one: `; report has only 3 pages`."""
    numbers = re.findall(r"[0-9]+", trace.citation.page or trace.citation.sheet or "")
    if document is None or not is_paged(document) or not numbers:
        return ""
    labels = (page.label or "" for page in document.pages)
    printed = (int(label) for label in labels if re.fullmatch(r"[0-9]+", label))
    if int(numbers[-1]) <= max(len(document.pages), *printed, 0):
        return ""
    return f"; {trace.citation.source} has only {counted(len(document.pages), 'page')}"
