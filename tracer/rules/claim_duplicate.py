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
        earlier = spellings.setdefault(claim.id.casefold(), claim)
        if claim.id in firsts:
            yield _same(firsts[claim.id], claim)
            continue
        firsts[claim.id] = claim
        if earlier.id != claim.id:
            yield _alike(earlier, claim)


def _same(first: Claim, second: Claim) -> Problem:
    places = f"{_line(_at(first))} and {_line(_at(second))}"
    return Problem(
        message=f"the id {second.id} is used in {places}",
        at=_at(second),
        claim=second.id,
        hint="give one of them another id",
        related=(_at(first),),
    )


def _alike(first: Claim, second: Claim) -> Problem:
    places = f"{_line(_at(second))} differs from {first.id} in {_line(_at(first))}"
    return Problem(
        message=f"the id {second.id} in {places} only in case",
        at=_at(second),
        claim=second.id,
        hint="give one of them another id",
        related=(_at(first),),
        severity=Severity.WARNING,
    )


def _at(claim: Claim) -> Place:
    return claim.places.of("id")


def _line(place: Place) -> str:
    return f"{place.path}:{place.line}"
