"""The words of a unit to what they count: `GPU-hours`, `tokens per second`, `routed experts`, `MWh`.

Words are read by pint, from a registry of what reports count and measure. A word that it does not know is a thing of
its own: policies add to policies and not to tokens.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pint import UnitRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What a value counts: powers of things, how many base units one of it is, and the words where it was written."""

    factor: Fraction = Fraction(1)
    powers: Mapping[str, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    words: str = field(default="", compare=False)

    def __str__(self) -> str:
        if self.words:
            return self.words
        above = [_raised(name, power) for name, power in sorted(self.powers.items()) if power > 0]
        below = [_raised(name, -power) for name, power in sorted(self.powers.items()) if power < 0]
        return " / ".join((" · ".join(above) or "1", *below)) if self.powers else "a pure number"


PURE = Unit()

_PURE_WORDS = re.compile(r"x|×|times|fold|ratio|factor|fraction|share|1|dimensionless", re.IGNORECASE)
_PERCENT = re.compile(r"%|percent|percentage|per cent|(?:percentage )?points?|pp", re.IGNORECASE)
_GPU_MODEL = re.compile(r"[ABHV][0-9]{2,4}")
_MEASURES = frozenset(("time", "information", "energy", "mass", "length", "currency"))
_UNITS = """
nano- = 1/1000000000 = n-
micro- = 1/1000000 = u- = µ- = μ-
milli- = 1/1000 = m-
kilo- = 1000 = k- = K-
mega- = 1000000 = M-
giga- = 1000000000 = G-
tera- = 1000000000000 = T-
peta- = 1000000000000000 = P-
exa- = 1000000000000000000 = E-
zetta- = 1000000000000000000000 = Z-
yotta- = 1000000000000000000000000 = Y-
kibi- = 1024 = Ki-
mebi- = 1048576 = Mi-
gibi- = 1073741824 = Gi-
tebi- = 1099511627776 = Ti-
second = [time] = s = sec
minute = 60 * second = min
hour = 60 * minute = h = hr
day = 24 * hour = d
week = 7 * day
hertz = 1 / second = Hz
bit = [information]
byte = 8 * bit = B
joule = [energy] = J
watt = joule / second = W
watt_hour = watt * hour = Wh
gram = [mass] = g
tonne = 1000000 * gram = t
metre = [length] = m = meter
dollar = [currency] = USD
FLOP = [FLOP] = FLOP = flop
FLOPS = FLOP / second = FLOPS
"""
_COMPUTERS = "GPU|TPU|NPU|CPU|node|chip|device|accelerator|core"
_COUNTS = (
    "token|parameter|param|step|layer|expert|sample|sequence|example|epoch|head|block|image|document|word|embedding|batch"
    "|model|stage|task|domain|language|prompt|rollout|iteration|update|checkpoint|neuron|character|page|person"
)


@cache
def _registry() -> "UnitRegistry[Fraction]":
    """Built once, and only when a ledger names a unit: pint takes a tenth of a second to come in."""
    from pint import UnitRegistry

    registry: UnitRegistry[Fraction] = UnitRegistry(None, non_int_type=Fraction)
    counts = (f"{word} = [{word}]" for word in f"{_COMPUTERS}|{_COUNTS}".split("|") if word != "param")
    registry.load_definitions([*_UNITS.split("\n"), *counts, "@alias parameter = param"])
    return registry


@lru_cache(maxsize=1024)
def unit_named(text: str) -> Unit:
    """The unit that words name: `GPU-hours`, `tokens per second`, `routed experts`."""
    return replace(_read(text.partition(" of ")[0].strip()), words=text)


def _read(text: str) -> Unit:
    if _PERCENT.fullmatch(text):
        return Unit(factor=Fraction(1, 100))
    above, *below = re.split(r"\s*/\s*|\s+per\s+|^per\s+", text)
    result = _product(above)
    for part in below:
        result = combined(result, _product(part), -1)
    return result


def _product(text: str) -> Unit:
    """The unit of words in a row; an unknown word before a known one is an adjective, as in `routed experts`."""
    words = [word for word in re.split(r"[\s·⋅*×-]+", text) if word and not _PURE_WORDS.fullmatch(word)]
    units = [(word, known(word)) for word in words]
    measures = [unit for _, unit in units if unit and not is_count(unit)]
    counts = [unit for _, unit in units if unit and is_count(unit)]
    if not measures and not counts:
        return Unit(powers={_singular(words[-1]): Fraction(1)}) if words else PURE
    computers = [unit for unit in counts if set(unit.powers) <= set(_COMPUTERS.split("|"))]
    result = PURE
    for unit in (*measures, *(computers if measures else counts)[-1:]):
        result = combined(result, unit)
    return result


@lru_cache(maxsize=1024)
def known(word: str) -> Unit | None:
    """The unit of one word, None where the registry has none."""
    from pint import UndefinedUnitError

    if _GPU_MODEL.fullmatch(word):
        word = "GPU"
    registry = _registry()
    for spelling in dict.fromkeys((word, word.lower())):
        if not re.fullmatch(r"[^\W\d_]+", spelling):
            continue
        try:
            quantity = registry.Quantity(Fraction(1), registry.parse_units(spelling)).to_root_units()
        except UndefinedUnitError:
            continue
        powers = {name.strip("[]"): Fraction(str(power)) for name, power in quantity.dimensionality.items()}
        return Unit(factor=Fraction(str(quantity.magnitude)), powers=powers)
    return None


def _singular(word: str) -> str:
    for ending, replacement in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss"), ("s", "")):
        if word.casefold().endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + replacement
    return word


def is_count(unit: Unit) -> bool:
    """Whether the unit is of things that are counted, not measured."""
    return bool(unit.powers) and _MEASURES.isdisjoint(unit.powers)


def combined(left: Unit, right: Unit, sign: int = 1) -> Unit:
    """The product of two units, or their quotient where the sign is -1."""
    names = dict.fromkeys((*left.powers, *right.powers))
    powers = {name: left.powers.get(name, Fraction(0)) + sign * right.powers.get(name, Fraction(0)) for name in names}
    return Unit(
        factor=left.factor * right.factor**sign, powers={name: power for name, power in powers.items() if power}
    )


def _raised(name: str, power: Fraction) -> str:
    return name if power == 1 else f"{name}^{power}"
