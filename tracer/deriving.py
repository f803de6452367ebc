"""A ledger to what its formulas give, held against what its claims say, and to the circles in its grounds.

Each step is computed from the written values of its inputs, so that a fault is reported where it stands.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tracer import amounts
from tracer.amounts import Amount, UnworkableError, Written
from tracer.formulas import Formula, formula
from tracer.model import Claim, Computation, Ledger, Status
from tracer.numerals import Number, number

BASES = (1000, 1024)
"""What K and M may count in, in the order in which they are tried."""

MORE_DIGITS = 4
"""Decimals shown of a computed value beyond those of the written one."""

FINEST = 40
"""Decimals shown at most."""

LARGEST = 400
"""Bits of a number that is shown with all its digits."""


def derive(ledger: Ledger) -> tuple[Mapping[int, Computation], tuple[tuple[str, ...], ...]]:
    """What each formula gives, by its claim's index, and the circles as chains of ids that end where they began."""
    known = _known(ledger.claims)
    computations = {
        index: computation(claim, known)
        for index, claim in enumerate(ledger.claims)
        if not claim.broken and (claim.formula or claim.status is Status.DERIVED)
    }
    return computations, cycles(known)


def computation(claim: Claim, known: Mapping[str, Claim]) -> Computation:
    """What the formula of one claim gives and whether its value agrees, or what keeps that from being said."""
    if not claim.formula:
        return Computation(expected=claim.value, fault="no formula")
    unusable = _unusable_input(claim, known)
    if unusable:
        return Computation(expected=claim.value, unchecked=unusable)
    try:
        return _computed(claim, claim.formula, known)
    except UnworkableError as problem:
        return Computation(expected=claim.value, fault=str(problem), at_field=problem.at_field)


def _known(claims: Sequence[Claim]) -> dict[str, Claim]:
    """The first claim of each id, one that is not broken where there is any."""
    known: dict[str, Claim] = {}
    for claim in claims:
        if claim.id not in known or known[claim.id].broken:
            known[claim.id] = claim
    return known


def _unusable_input(claim: Claim, known: Mapping[str, Claim]) -> str | None:
    """An input that other rules report: it is not in the ledger, or broken."""
    for name, id_ in claim.inputs.items():
        if id_ not in known:
            return f"there is no claim `{id_}` for the input `{name}`"
        if known[id_].broken:
            return f"the input `{name}`, {id_}, is broken"
    return None


# --- computing ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claimed:
    """What a claim says its formula gives: the number, its unit, and how far off it may be."""

    written: Written
    tolerance: Number | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """A formula's value in the claim's unit under one reading of K and M, and how far the claim is from it."""

    base: int
    amount: Amount
    value: Fraction
    difference: Fraction
    agrees: bool

    @property
    def off(self) -> Fraction:
        """The difference as a share of the value, which does not depend on the base."""
        return self.difference / abs(self.value) if self.value else self.difference


def _computed(claim: Claim, text: str, known: Mapping[str, Claim]) -> Computation:
    ready = formula(text, claim.inputs)
    inputs = {name: _input(name, known[claim.inputs[name]]) for name in dict.fromkeys(ready.names.values())}
    claimed = _claimed(claim)
    outcomes = [_outcome(ready, inputs, claimed, base) for base in _bases(ready, inputs, claimed)]
    best = min(outcomes, key=lambda outcome: (not outcome.agrees, outcome.agrees and outcome.off))
    return _said(claim, claimed, best, _reading(outcomes, best))


def _input(name: str, claim: Claim) -> Written:
    """The value of an input, as it is written in its claim."""
    at_field = f"inputs.{name}"
    if not claim.value:
        raise UnworkableError(f"the input `{name}`, {claim.id}, has no value", at_field=at_field)
    found = amounts.written(claim.value, claim.unit)
    if found is None:
        raise UnworkableError(
            f"the value of {claim.id}, `{_short(claim.value)}`, is no single number", at_field=at_field
        )
    return found


def _claimed(claim: Claim) -> _Claimed:
    if not claim.value:
        raise UnworkableError("the claim has no value to hold against its formula", at_field="value")
    found = amounts.written(claim.value, claim.unit)
    if found is None:
        raise UnworkableError(f"the value `{_short(claim.value)}` is no single number", at_field="value")
    tolerance = number(claim.tolerance) if claim.tolerance else None
    if claim.tolerance and (tolerance is None or tolerance.mantissa < 0):
        raise UnworkableError(f"`{_short(claim.tolerance)}` is no tolerance", at_field="tolerance")
    return _Claimed(written=found, tolerance=tolerance)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def _bases(ready: Formula, inputs: Mapping[str, Written], claimed: _Claimed) -> tuple[int, ...]:
    """Both bases where any number of the claim may count in 1024s; one base holds for all of them."""
    all_written = (*ready.literals.values(), *inputs.values(), claimed.written)
    return BASES if any(it.number.binary is not None for it in all_written) else BASES[:1]


def _outcome(ready: Formula, inputs: Mapping[str, Written], claimed: _Claimed, base: int) -> _Outcome:
    amount = ready.amount(inputs, base)
    value = amounts.in_unit(amount, claimed.written.unit)
    said = claimed.written.number
    difference = abs(value - said.value(base))
    return _Outcome(
        base=base,
        amount=amount,
        value=value,
        difference=difference,
        agrees=_agrees(said, value, base, _leeway(claimed, value, base)),
    )


def _leeway(claimed: _Claimed, value: Fraction, base: int) -> Fraction:
    """How far the claim may be off: half of its last written place, or its tolerance where that is wider."""
    half = claimed.written.number.step * claimed.written.number.factor(base) / 2
    if claimed.tolerance is None:
        return half
    given = claimed.tolerance.value(base)
    return max(half, abs(value) * given / 100 if claimed.tolerance.measure == "percent" else given)


def _agrees(said: Number, value: Fraction, base: int, leeway: Fraction) -> bool:
    """Whether the value is the written one within the leeway, or on the side of it that `>` or `up to` says."""
    bound = said.value(base)
    if said.comparison in (">", "≥"):
        return value > bound or (value == bound and said.comparison == "≥")
    if said.comparison in ("<", "≤"):
        return value < bound or (value == bound and said.comparison == "≤")
    return abs(value - bound) <= leeway


def _reading(outcomes: Sequence[_Outcome], best: _Outcome) -> str | None:
    """How K and M were read, where that makes a difference: 1M / 128K is 8 in 1,024s, and near 8 in 1,000s."""
    if len({outcome.off for outcome in outcomes}) == 1:
        return None
    return f"K and M read as {best.base:,}s" if best.agrees else "K and M tried as 1,000s and as 1,024s"


# --- showing --------------------------------------------------------------------------------------------------------


def _said(claim: Claim, claimed: _Claimed, best: _Outcome, reading: str | None) -> Computation:
    said, factor = claimed.written.number, claimed.written.number.factor(best.base)
    unit_problem = best.amount.problem or amounts.mismatch(best.amount, claimed.written.unit)
    return Computation(
        expected=claim.value,
        computed=_shown(best.value / factor, said),
        agrees=None if unit_problem else best.agrees,
        rounded=_rounded(best.value / factor, said),
        difference=_shown(best.difference / factor, said) if best.difference else None,
        rounding=_rounding(claim, claimed, best),
        reading=reading,
        unit_problem=unit_problem,
    )


def _rounding(claim: Claim, claimed: _Claimed, best: _Outcome) -> str:
    said = claimed.written.number
    if best.difference == 0:
        return "exact"
    if claim.tolerance:
        return f"within {claim.tolerance}"
    if said.comparison not in (None, "~"):
        return f"as {said.comparison}"
    return (
        f"rounded to {_digits(1, _places(said), said, is_negative=False)}{said.suffix}" if said.step else "not rounded"
    )


def _rounded(value: Fraction, said: Number) -> str | None:
    if not said.step:
        return None
    whole = abs(int(amounts.round_half_away(value, said.step) / said.step))
    return _digits(whole, _places(said), said, is_negative=value < 0 and whole > 0) + said.suffix


def _shown(value: Fraction, said: Number) -> str:
    """A value with some decimals more than the written one has; `…` where it goes on."""
    places, above, below = _places(said) + MORE_DIGITS, abs(value.numerator), value.denominator
    while above and above * 10**places < below * 10 ** (MORE_DIGITS - 1) and places < FINEST:
        places += 1
    whole, rest = divmod(above * 10**places, below)
    digits = _digits(whole, places, said, is_negative=value < 0)
    if rest:
        return f"{digits}…{said.suffix}"
    return f"{digits.rstrip('0').rstrip('.')}{said.suffix}"


def _places(said: Number) -> int:
    return len(str(said.step.denominator)) - 1


def _digits(whole: int, places: int, said: Number, *, is_negative: bool) -> str:
    """The last `places` digits of a whole number as decimals, the others grouped as in what is said."""
    if whole.bit_length() > LARGEST:
        return f"a number of about {whole.bit_length() * 301 // 1000 - places:,} digits"
    before, after = divmod(whole, 10**places)
    sign, grouping = "-" if is_negative else "", "," if "," in said.text else ""
    return f"{sign}{before:{grouping}}" + (f".{after:0{places}}" if places else "")


# --- circles --------------------------------------------------------------------------------------------------------


def cycles(known: Mapping[str, Claim]) -> tuple[tuple[str, ...], ...]:
    """One shortest circle for each knot of claims that rest on each other, from the knot's first claim on."""
    grounds = {id_: _grounds(claim, known) for id_, claim in known.items() if not claim.broken}
    order = {id_: position for position, id_ in enumerate(grounds)}
    knots = [knot for knot in _knots(grounds) if len(knot) > 1 or knot[0] in grounds[knot[0]]]
    by_first = {min(knot, key=order.__getitem__): frozenset(knot) for knot in knots}
    return tuple(_circle(first, by_first[first], grounds) for first in sorted(by_first, key=order.__getitem__))


def _grounds(claim: Claim, known: Mapping[str, Claim]) -> tuple[str, ...]:
    return tuple(id_ for id_ in dict.fromkeys(claim.grounds) if id_ in known and not known[id_].broken)


def _knots(grounds: Mapping[str, tuple[str, ...]]) -> Iterator[list[str]]:
    """The strongly connected components (Tarjan 1972), with a stack of our own: chains are as long as a ledger."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for root in grounds:
        walk = [] if root in index else [(root, iter(grounds[root]))]
        while walk:
            node, rest = walk[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                path.append(node)
                on_path.add(node)
            step = next((ground for ground in rest if ground not in index or ground in on_path), None)
            if step is not None and step not in index:
                walk.append((step, iter(grounds[step])))
                continue
            if step is not None:
                low[node] = min(low[node], index[step])
                continue
            walk.pop()
            if walk:
                low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
            if low[node] == index[node]:
                knot = _taken(path, node)
                on_path.difference_update(knot)
                yield knot


def _taken(path: list[str], node: str) -> list[str]:
    """What stands on the path from the node on, taken off it."""
    knot = [path.pop()]
    while knot[-1] != node:
        knot.append(path.pop())
    return knot


def _circle(first: str, members: frozenset[str], grounds: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The shortest way from a claim back to it, found breadth first within its knot."""
    came_from: dict[str, str] = {}
    waiting = deque([first])
    while first not in came_from:
        node = waiting.popleft()
        for ground in grounds[node]:
            if ground in members and ground not in came_from:
                came_from[ground] = node
                waiting.append(ground)
    chain = [first, came_from[first]]
    while chain[-1] != first:
        chain.append(came_from[chain[-1]])
    return tuple(reversed(chain))
