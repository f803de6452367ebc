"""A derived claim and its computation to what is shown of them: the formula with its numbers, and the facts by name."""

from collections.abc import Mapping

from tracer import wording
from tracer.formulas import with_values
from tracer.model import Claim, ClaimReport, Computation

MOST_FORMULA = 400
"""A formula of more characters is not shown once more with its numbers."""


def with_numbers(claim: Claim, by_id: Mapping[str, ClaimReport]) -> str:
    """A formula with the values of its inputs in the place of their names."""
    grounds = {name: by_id[ground].claim for name, ground in claim.inputs.items() if ground in by_id}
    values = {name: wording.value_words(ground) or name for name, ground in grounds.items()}
    return with_values(claim.formula or "", claim.inputs, values)


def facts(claim: Claim, computation: Computation | None) -> Mapping[str, str]:
    """What is to be known of a computation beside its result, by name."""
    if computation is None:
        return {}
    found = {
        "written": wording.value_words(claim),
        "difference": computation.difference,
        "rounding": computation.rounding,
        "read as": computation.reading,
        "unit": computation.unit_problem,
        "cannot compute": computation.fault,
        "unchecked": computation.unchecked,
    }
    return {name: words for name, words in found.items() if words}
