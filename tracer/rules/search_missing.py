"""A claim says that the sources are silent, and not what was looked for in which of them.

Not found, not checked and not stated are three things. `searched` names the source and the terms, so that the search
can be done again, also on the next revision.

Flagged:

    claims:
      - id: license
        text: The license is not stated.
        status: not-stated

Fine:

    claims:
      - id: license
        text: The license is not stated.
        status: not-stated
        searched: [{source: report, terms: [license, licence]}]
"""

from collections.abc import Iterator

from tracer.model import Claim, Evidence, Problem, Severity, Status

severity = Severity.WARNING


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per claim without a search, and one per search without terms."""
    for _, claim in evidence.sound_claims:
        if claim.status is Status.NOT_STATED:
            yield from _lacks(claim)


def _lacks(claim: Claim) -> Iterator[Problem]:
    if not claim.searched:
        hint = "searched: [{source: …, terms: [word, other word]}]"
        yield Problem(message="no search is recorded", at=claim.places.of(""), claim=claim.id, hint=hint)
    for search in claim.searched:
        if not any(term.strip() for term in search.terms):
            yield Problem(
                message=f"no terms say what was looked for in {search.source}",
                at=claim.places.of(f"{search.at_path}.terms"),
                claim=claim.id,
                hint="terms: [word, other word]",
            )
