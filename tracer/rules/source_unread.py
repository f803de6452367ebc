"""A source is not on disk, is locked, or cannot be read, so nothing could be looked up in it.

What is not checked is not passed: the claims that cite it are unchecked, and counted so. One finding per source says
how many citations and searches that are; they have none of their own.

Flagged:

    sources:
      report:
        url: https://example.org/report.pdf
        sha256: 00000000000000000000000000000000000000000000000000000000000000ff
    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
"""

from collections import Counter
from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity, Source, Unread
from tracer.rules import _asking
from tracer.wording import counted, listed

severity = Severity.NOTE


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per source that was needed and could not be read."""
    citations, searches = _needs(evidence)
    for source in _asking.sources(evidence):
        read = evidence.documents.get(source.id)
        if isinstance(read, Unread):
            yield _problem(source, read, citations[source.id], searches[source.id])


def _needs(evidence: Evidence) -> tuple[Counter[str], Counter[str]]:
    """How many citations and searches were to be looked up in each source."""
    traces = (trace for index, _ in evidence.sound_claims for trace in evidence.traces.get(index, ()))
    citations = Counter(trace.citation.source for trace in traces)
    return citations, Counter(searched.search.source for searched in _asking.searches(evidence))


def _problem(source: Source, read: Unread, citations: int, searches: int) -> Problem:
    left = [counted(citations, "citation")] if citations or not searches else []
    left.extend([] if not searches else ["1 search" if searches == 1 else f"{searches:,} searches"])
    return Problem(
        message=f"{source.id} could not be read: {read.reason}; {listed(left)} unchecked",
        at=source.places.of("file" if source.file else ""),
        hint=read.hint or (f"tracer fetch {source.id}" if read.kind == "absent" and source.url else None),
        unchecks=True,
    )
