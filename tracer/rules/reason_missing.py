"""A conclusion gives no reason, or leans on nothing.

What no source says in words needs `because`, and the claims or passages that it is drawn from. A hit that a
`not-stated` claim has `seen` needs a reason too.

Flagged:

    claims:
      - id: objective
        text: The cooldown uses the same objective.
        status: concluded
        cite: [{source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}]

Fine:

    claims:
      - id: objective
        text: The cooldown uses the same objective.
        status: concluded
        because: The report names one objective and no other.
        cite: [{source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}]
"""

from collections.abc import Iterator

from tracer.model import Claim, Evidence, Problem, Severity, Status

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per conclusion that lacks something, and one per answer without a reason."""
    for _, claim in evidence.sound_claims:
        if claim.status is Status.CONCLUDED:
            yield from _conclusion(claim)
        yield from _answers(claim)


def _conclusion(claim: Claim) -> Iterator[Problem]:
    has_reason = bool((claim.because or "").strip())
    leans = bool(claim.leans_on or claim.cite)
    if has_reason and leans:
        return
    lacks = {
        (False, False): ("gives no reason and leans on nothing", "because: …, and leans-on: [ID] or cite: […]"),
        (False, True): ("gives no reason", "because: …"),
        (True, False): ("leans on no claim and no source", "leans-on: [ID], or cite: […]"),
    }
    lack, hint = lacks[has_reason, leans]
    at = claim.places.of("because" if has_reason else "")
    yield Problem(message=f"the conclusion {lack}", at=at, claim=claim.id, hint=hint)


def _answers(claim: Claim) -> Iterator[Problem]:
    for search in claim.searched:
        for position, seen in enumerate(search.seen):
            if not (seen.because or "").strip():
                yield Problem(
                    message="a place is marked as seen without saying why it does not count",
                    at=claim.places.of(f"{search.at_path}.seen.{position}"),
                    claim=claim.id,
                    hint="because: …",
                )
