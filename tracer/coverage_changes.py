"""Two coverages of one ledger, before and after, to what has changed."""

from collections.abc import Mapping
from dataclasses import dataclass

from tracer.coverage import Cell, Coverage
from tracer.model import Claim, ClaimReport, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What differs between two coverages of one ledger; pairs are (before, after)."""

    answered: tuple[Cell, ...]
    blank: tuple[Cell, ...]
    restated: tuple[tuple[Cell, Cell], ...]
    flagged: tuple[ClaimReport, ...]
    revalued: tuple[tuple[Claim, Claim], ...]


def changes(before: Coverage, after: Coverage) -> Changes:
    """What is answered, blank, grounded otherwise or flagged only now, and new values without new evidence."""
    old = {cell.key: cell for cell in before.cells if not cell.is_blank}
    new = {cell.key: cell for cell in after.cells if not cell.is_blank}
    then, now = _by_id(before), _by_id(after)
    was_flagged = {name for name, claim in then.items() if claim.verdict is Verdict.FLAGGED}
    both = [(then[name].claim, claim.claim) for name, claim in now.items() if name in then]
    return Changes(
        answered=tuple(cell for key, cell in new.items() if key not in old),
        blank=tuple(cell for cell in after.cells if cell.is_blank and cell.key in old),
        restated=tuple((old[key], cell) for key, cell in new.items() if key in old and old[key].status != cell.status),
        flagged=tuple(
            claim for name, claim in now.items() if claim.verdict is Verdict.FLAGGED and name not in was_flagged
        ),
        revalued=tuple(pair for pair in both if _value(pair[0]) != _value(pair[1]) and _same_evidence(*pair)),
    )


def _by_id(coverage: Coverage) -> Mapping[str, ClaimReport]:
    """The claims by id, the first of each."""
    found: dict[str, ClaimReport] = {}
    for claim in coverage.claims:
        found.setdefault(claim.claim.id, claim)
    return found


def _value(claim: Claim) -> tuple[str | None, str | None]:
    return claim.value, claim.unit


def _same_evidence(before: Claim, after: Claim) -> bool:
    """Whether all that two versions of a claim rest on is the same."""
    parts = [
        (claim.cite, claim.formula, dict(claim.inputs), claim.because, claim.leans_on, claim.searched)
        for claim in (before, after)
    ]
    return parts[0] == parts[1]
