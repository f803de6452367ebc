"""Two claims have the same id, or ids that differ only in case.

Other claims name their grounds by id, and people name claims by id in issues and reviews: an id must mean one claim.
Ids that differ only in case are a warning, as people and some file systems do not tell them apart.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
      - id: experts
        text: The experts are not released.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: The experts are not released}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
      - id: experts.release
        text: The experts are not released.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: The experts are not released}]
"""

from collections.abc import Iterator

from tracer.model import Claim, Evidence, Place, Problem, Severity

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per claim whose id was taken before, at its id; the earlier place is related."""
    firsts: dict[str, Claim] = {}
    spellings: dict[str, Claim] = {}
    for claim in evidence.ledger.claims:
        if not claim.id:
            continue
        first, alike = firsts.setdefault(claim.id, claim), spellings.setdefault(claim.id.casefold(), claim)
        earlier = alike if first is claim else first
        if earlier is not claim:
            yield _taken(earlier, claim)


def _taken(earlier: Claim, claim: Claim) -> Problem:
    """The problem of a claim whose id an earlier one has, in the same letters or in others."""
    before, here = earlier.places.of("id"), claim.places.of("id")
    is_same = earlier.id == claim.id
    same = f"the id {claim.id} is used in {_line(before)} and {_line(here)}"
    alike = f"the id {claim.id} in {_line(here)} differs from {earlier.id} in {_line(before)} only in case"
    return Problem(
        message=same if is_same else alike,
        at=here,
        claim=claim.id,
        hint="give one of them another id",
        related=(before,),
        severity=None if is_same else Severity.WARNING,
    )


def _line(place: Place) -> str:
    return f"{place.path}:{place.line}"
