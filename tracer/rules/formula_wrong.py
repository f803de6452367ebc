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

from tracer.model import Claim, Computation, Evidence, Problem, Severity

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per claim whose formula cannot be computed or gives another value."""
    for index, claim in evidence.sound_claims:
        computation = evidence.computations.get(index)
        if computation is None or not claim.formula:
            continue
        if computation.fault is not None:
            yield Problem(message=computation.fault, at=claim.places.of(computation.at_field), claim=claim.id)
        elif computation.agrees is False:
            yield _difference(claim, computation)


def _difference(claim: Claim, computation: Computation) -> Problem:
    message = f"the formula gives {computation.computed}, the claim says {claim.value}"
    details = "; ".join(filter(None, (_distance(computation), computation.reading)))
    right = computation.rounded or computation.computed
    return Problem(
        message=f"{message} ({details})" if details else message,
        at=claim.places.of("value"),
        claim=claim.id,
        hint=None if right is None or "…" in right else f"value: {right}",
    )


def _distance(computation: Computation) -> str | None:
    """How far off the value is, and how far it may be."""
    if computation.difference is None or computation.rounding is None:
        return computation.rounding
    is_tolerance = computation.rounding.startswith("within")
    return f"off by {computation.difference}, {'not ' if is_tolerance else ''}{computation.rounding}"
