"""Written values with units to exact amounts, and amounts to amounts: arithmetic that knows what is counted.

An amount without a unit fits every other.
"""

import re
from dataclasses import dataclass, replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import ceil, floor, isqrt
from types import MappingProxyType

from tracer.numerals import Number, number
from tracer.units import PURE, Unit, combined, is_count, known, unit_named

LARGEST = 10_000
"""Bits of a numerator or denominator beyond which nothing is computed."""

PRECISION = 60
"""Decimal digits of what is not rational: roots, logarithms, powers with a broken exponent."""


class UnworkableError(ValueError):
    """Why a formula gives no value, and the field of the claim where that can be mended."""

    def __init__(self, reason: str, *, at_field: str = "formula") -> None:
        super().__init__(reason)
        self.at_field = at_field


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A value in a unit, None where none is given; a bare one is a number written in a formula.

    One that a bare number has multiplied is scaled: 12 may be layers per block, so layers / 12 may be blocks. `problem`
    says where units did not fit on the way here; the values were computed all the same.
    """

    value: Fraction
    unit: Unit | None = None
    is_bare: bool = False
    is_scaled: bool = False
    problem: str | None = None


# --- what is written ------------------------------------------------------------------------------------------------

_SCALED_UNIT = re.compile(r"\s*(?P<scale>thousand|million|billion|trillion|quadrillion|[KMBT])(?:\s+(?P<rest>.*)|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A value as written: its number, and its unit, None where none is given."""

    number: Number
    unit: Unit | None

    def amount(self, base: int) -> Amount:
        """The amount when K and M count in `base`s."""
        value = self.number.value(base)
        if self.unit is not None and not self.unit.powers:
            return Amount(value=value * self.unit.factor, unit=PURE)
        return Amount(value=value, unit=self.unit)


def written(value: str, unit: str | None) -> Written | None:
    """The one number of a value, with its unit; None where the value is no single number.

    A unit may begin with a multiple (`trillion parameters`); where none is given, the value may name it (`64k tokens`).
    """
    found = number(value)
    scaled = _SCALED_UNIT.fullmatch(unit or "")
    if found is not None and scaled:
        found, unit = number(f"{value} {scaled['scale']}"), scaled["rest"]
    if found is None:
        return None
    if found.measure:
        return Written(number=found, unit=unit_named(found.measure))
    if unit:
        return Written(number=found, unit=unit_named(unit))
    words = value[found.end :].strip(" -") if not scaled else ""
    return Written(number=found, unit=unit_named(words) if words and known(words) else None)


def mismatch(computed: Amount, claimed: Unit | None) -> str | None:
    """What is wrong where a formula's unit is not the claimed one; counted things multiply to a count of anything."""
    if computed.is_bare or computed.unit is None or claimed is None or computed.unit.powers == claimed.powers:
        return None
    is_one_count = is_count(claimed) and list(claimed.powers.values()) == [1]
    if is_one_count and (_is_tally(computed.unit) or (computed.is_scaled and is_count(computed.unit))):
        return None
    return f"the formula gives {computed.unit}, the claim is in {claimed}"


def _is_tally(unit: Unit) -> bool:
    """Whether a unit is pure, or of several counts: domains times efforts may be a number of experts."""
    powers = unit.powers.values()
    return not powers or (is_count(unit) and min(powers) > 0 and sum(powers) > 1)


def in_unit(computed: Amount, claimed: Unit | None) -> Fraction:
    """The computed value as counted in the claimed unit, or in its own where none is claimed."""
    if claimed is None:
        return computed.value
    if not claimed.powers:
        return computed.value / claimed.factor
    if computed.is_bare or computed.unit is None or not computed.unit.powers:
        return computed.value
    return computed.value * computed.unit.factor / claimed.factor


# --- arithmetic -----------------------------------------------------------------------------------------------------


def add(left: Amount, right: Amount) -> Amount:
    """The sum; what is counted must be the same."""
    left, right = _alike(left, right, "added")
    return _like(left, right, left.value + right.value)


def subtract(left: Amount, right: Amount) -> Amount:
    """The difference; what is counted must be the same."""
    left, right = _alike(left, right, "subtracted")
    return _like(left, right, left.value - right.value)


def multiply(left: Amount, right: Amount) -> Amount:
    """The product, of values and of units."""
    return _combined(left, right, left.value * right.value, 1)


def divide(left: Amount, right: Amount) -> Amount:
    """The quotient, of values and of units."""
    if right.value == 0:
        raise UnworkableError("the formula divides by zero")
    return _combined(left, right, left.value / right.value, -1)


def power(left: Amount, right: Amount) -> Amount:
    """The power; the exponent must be a pure number."""
    problem = left.problem or right.problem
    if right.unit is not None and right.unit.powers:
        problem = problem or f"an exponent is a pure number, not {right.unit}"
    value = _power(left.value, right.value)
    if left.unit is None or left.is_bare:
        return replace(left, value=value, problem=problem)
    unit = Unit(
        factor=_power(left.unit.factor, right.value),
        powers={name: known * right.value for name, known in left.unit.powers.items() if right.value},
    )
    return Amount(value=value, unit=unit, problem=problem)


def negate(amount: Amount) -> Amount:
    """The amount with the other sign."""
    return replace(amount, value=-amount.value)


def positive(amount: Amount) -> Amount:
    """The amount itself."""
    return amount


def smallest(*amounts: Amount) -> Amount:
    """The least of the amounts."""
    return min(_all_alike(amounts), key=lambda amount: amount.value)


def largest(*amounts: Amount) -> Amount:
    """The greatest of the amounts."""
    return max(_all_alike(amounts), key=lambda amount: amount.value)


def total(*amounts: Amount) -> Amount:
    """The sum of the amounts."""
    result, *others = amounts
    for amount in others:
        result = add(result, amount)
    return result


def rounded(amount: Amount, digits: Amount | None = None) -> Amount:
    """The amount to so many decimals, a half away from zero, as reports round."""
    places = digits.value if digits else Fraction(0)
    if places.denominator != 1 or abs(places) > LARGEST // 10:
        raise UnworkableError("round() takes a whole number of decimals")
    return replace(amount, value=round_half_away(amount.value, Fraction(1, 10) ** int(places)))


def round_half_away(value: Fraction, step: Fraction) -> Fraction:
    """The multiple of `step` next to the value, a half away from zero."""
    sign = -1 if value < 0 else 1
    return sign * floor(abs(value) / step + Fraction(1, 2)) * step


def rounded_up(amount: Amount) -> Amount:
    """The whole number at or above."""
    return replace(amount, value=Fraction(ceil(amount.value)))


def rounded_down(amount: Amount) -> Amount:
    """The whole number at or below."""
    return replace(amount, value=Fraction(floor(amount.value)))


def square_root(amount: Amount) -> Amount:
    """The root, of value and of unit."""
    return power(amount, Amount(value=Fraction(1, 2), is_bare=True))


def binary_logarithm(amount: Amount) -> Amount:
    """The logarithm to the base 2, a pure number; exact for powers of 2."""
    return _logarithm(amount, 2)


def decimal_logarithm(amount: Amount) -> Amount:
    """The logarithm to the base 10, a pure number; exact for powers of 10."""
    return _logarithm(amount, 10)


FUNCTIONS = MappingProxyType(
    {
        "min": smallest,
        "max": largest,
        "sum": total,
        "round": rounded,
        "ceil": rounded_up,
        "floor": rounded_down,
        "sqrt": square_root,
        "log2": binary_logarithm,
        "log10": decimal_logarithm,
    }
)


def _all_alike(amounts: tuple[Amount, ...]) -> list[Amount]:
    first, *others = amounts
    pairs = [_alike(first, other, "compared") for other in others]
    problem = next((left.problem for left, _ in pairs if left.problem), first.problem)
    return [replace(amount, problem=problem) for amount in (first, *(right for _, right in pairs))]


def _alike(left: Amount, right: Amount, done: str) -> tuple[Amount, Amount]:
    """Both in the unit of the one that has any, with what is wrong where the units do not fit."""
    problem = left.problem or right.problem
    if left.unit is None or left.is_bare or right.unit is None or right.is_bare:
        has_unit = left if right.unit is None or right.is_bare else right
        return replace(left, problem=problem, unit=left.unit or has_unit.unit), replace(right, problem=problem)
    is_counting = (left.is_scaled or right.is_scaled) and is_count(left.unit) and is_count(right.unit)
    if left.unit.powers != right.unit.powers and not is_counting:
        problem = problem or f"{left.unit} and {right.unit} cannot be {done}"
        return replace(left, problem=problem), replace(right, problem=problem)
    value = right.value * right.unit.factor / left.unit.factor
    return replace(left, problem=problem), replace(right, value=value, unit=left.unit, problem=problem)


def _like(left: Amount, right: Amount, value: Fraction) -> Amount:
    """A result that is counted as the one of the two that says more."""
    model = right if left.is_bare or (left.unit is None and not right.is_bare) else left
    is_bare, is_scaled = left.is_bare and right.is_bare, left.is_scaled or right.is_scaled
    return replace(model, value=_held(value), is_bare=is_bare, is_scaled=is_scaled, problem=left.problem)


def _combined(left: Amount, right: Amount, value: Fraction, sign: int) -> Amount:
    problem, is_bare = left.problem or right.problem, left.is_bare and right.is_bare
    if (left.unit is None and not left.is_bare) or (right.unit is None and not right.is_bare):
        return Amount(value=_held(value), problem=problem)
    unit = combined(left.unit or PURE, right.unit or PURE, sign)
    if not unit.powers:
        value, unit = value * unit.factor, PURE
    is_scaled = left.is_bare != right.is_bare or left.is_scaled or right.is_scaled
    return Amount(value=_held(value), unit=unit, is_bare=is_bare, is_scaled=is_scaled, problem=problem)


def _held(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LARGEST:
        raise UnworkableError("the numbers of the formula grow too large")
    return value


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if base == 0 and exponent < 0:
        raise UnworkableError("the formula divides by zero")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    if bits * abs(exponent) > LARGEST:
        raise UnworkableError("the numbers of the formula grow too large")
    if exponent.denominator == 1:
        return _held(base ** int(exponent))
    if base < 0:
        raise UnworkableError("the formula takes a root of a negative number")
    return _root(base, exponent)


def _root(base: Fraction, exponent: Fraction) -> Fraction:
    """An exact root where there is one, else one to `PRECISION` digits."""
    if exponent.denominator == 2:
        above, below = isqrt(base.numerator), isqrt(base.denominator)
        if above * above == base.numerator and below * below == base.denominator:
            return Fraction(above, below) ** exponent.numerator
    if base == 0:
        return Fraction(0)
    with localcontext(Context(prec=PRECISION)):
        return Fraction(_decimal(base) ** _decimal(exponent))


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _logarithm(amount: Amount, base: int) -> Amount:
    if amount.value <= 0:
        raise UnworkableError("the formula takes a logarithm of zero or less")
    with localcontext(Context(prec=PRECISION)):
        found = Fraction(_decimal(amount.value).ln() / Decimal(base).ln())
    whole = round(found)
    exact = Fraction(whole) if Fraction(base) ** whole == amount.value else found
    return Amount(value=exact, unit=PURE, is_bare=amount.is_bare, problem=amount.problem)
