"""The claim or one of its sources has changed since a person signed it off.

The fingerprint in `review.seen` covers what the claim means and the bytes of its sources. What has changed is named;
a new review writes a new fingerprint.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
        review: {by: Ada, on: 2026-11-02, seen: "1:00000000:00000000"}

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity

severity = Severity.WARNING


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per sign-off that no longer fits."""
    for index, claim in evidence.sound_claims:
        change = evidence.review_changes.get(index)
        if change is not None:
            yield Problem(
                message=f"the review no longer holds: {change}",
                at=claim.places.of("review.seen"),
                claim=claim.id,
                hint=f"read it again, then tracer review {claim.id} --by NAME",
            )
