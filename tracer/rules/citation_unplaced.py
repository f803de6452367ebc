"""A citation names neither a section nor a page, nor another place in the source.

The quote can be searched for, but a reader with the report in hand wants to turn to it, and the same words may stand
elsewhere in the next revision. What an audited document says (`made-in`) needs no place.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, quote: a total of nine expert models}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
"""

from collections.abc import Iterator

from tracer.model import Citation, Document, Evidence, Problem, Severity, Trace
from tracer.rules import _asking
from tracer.wording import locator

severity = Severity.WARNING


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per citation without a place; where the quote was found, the hint writes it."""
    found = {(trace.claim.id, trace.citation.at_path): trace for trace in evidence.followed}
    for _, claim in evidence.sound_claims:
        for citation in claim.citations:
            if citation.role == "made-in" or citation.is_placed:
                continue
            trace = found.get((claim.id, citation.at_path))
            yield Problem(
                message=f"no section and no page of {citation.source} is given",
                at=claim.places.of(citation.at_path),
                claim=claim.id,
                hint=_hint(citation, trace, _asking.document(evidence, citation.source)),
            )


def _hint(citation: Citation, trace: Trace | None, document: Document | None) -> str:
    if trace is not None and len(trace.anchors) == 1 and trace.citation == citation:
        return locator(trace.anchors[0], document)
    return "section: …, page: …"
