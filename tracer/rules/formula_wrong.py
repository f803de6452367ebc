"""The value of a derived claim is not what its formula gives, or the formula gives none.

The formula is computed exactly, and the value compared at the precision in which it is written: 1.79 is right for
1.7857…; `tolerance: 0.5%` widens that. `K` and `M` are tried as 1,000 and as 1,024.

Flagged:

    claims:
      - id: experts.routed
        text: There are 896 experts.
        value: 896
        status: stated
        cite: [{source: config, at: model.num_experts}]
      - id: experts.active
        text: Sixteen of them work on a token.
        value: 16
        status: stated
        cite: [{source: config, at: model.active_experts}]
      - id: experts.ratio
        text: One in 65 works on a token.
        value: 65
        status: derived
        formula: routed / active
        inputs: {routed: experts.routed, active: experts.active}

Fine:

    claims:
      - id: experts.routed
        text: There are 896 experts.
        value: 896
        status: stated
        cite: [{source: config, at: model.num_experts}]
      - id: experts.active
        text: Sixteen of them work on a token.
        value: 16
        status: stated
        cite: [{source: config, at: model.active_experts}]
      - id: experts.ratio
        text: One in 56 works on a token.
        value: 56
        status: derived
        formula: routed / active
        inputs: {routed: experts.routed, active: experts.active}
"""

from collections.abc import Iterator

from tracer.model import Claim, Computation, Evidence, Problem, Severity, Status
from tracer.rules import _asking

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per derived claim whose formula cannot be computed or gives another value."""
    for index, claim in _asking.claims(evidence):
        computation = evidence.computations.get(index)
        if claim.status is not Status.DERIVED or computation is None:
            continue
        if computation.fault is not None:
            yield _fault(claim, computation)
        elif computation.agrees is False:
            yield _difference(claim, computation)


def _fault(claim: Claim, computation: Computation) -> Problem:
    return Problem(message=computation.fault or "", at=claim.places.of(computation.at_field), claim=claim.id)


def _difference(claim: Claim, computation: Computation) -> Problem:
    details = (
        f"off by {computation.difference}" if computation.difference else None,
        computation.rounding,
        computation.reading,
    )
    said = ", ".join(filter(None, details))
    message = f"the formula gives {computation.computed}, the claim says {computation.expected or claim.value}"
    return Problem(
        message=f"{message} ({said})" if said else message,
        at=claim.places.of("value"),
        claim=claim.id,
        hint=f"value: {computation.computed}",
    )
