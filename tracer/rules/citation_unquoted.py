"""A citation has no quote, so nothing can be compared with the source.

A page alone makes the reader search it, and cannot be checked by a program. The quote may be short: what is needed to
find the place. A citation that points into a data file with `at:` needs none.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per citation without words of the source."""
    for _, claim in evidence.sound_claims:
        for citation in claim.citations:
            if citation.at or (citation.quote or "").strip(" \t\n…"):
                continue
            yield Problem(
                message=f"nothing is quoted from {citation.source}",
                at=claim.places.of(f"{citation.at_path}.quote"),
                claim=claim.id,
                hint='quote: "…", the words of the source that say it',
            )
