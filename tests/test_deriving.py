"""What formulas give, held against what claims say; and the circles of claims that rest on each other."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tracer import loading, settings
from tracer.deriving import derive
from tracer.model import Claim, Computation, Ledger, Places, Status

PLACES = Places(path="claims/a.yaml", positions={"": (1, 1)})
Project = Callable[[Mapping[str, str | bytes]], Path]


def ledger(*claims: Claim) -> Ledger:
    return Ledger(root=".", sources={}, pipelines={}, profiles={}, claims=claims)


def stated(id_: str, value: str | None, unit: str | None = None) -> Claim:
    return Claim(id=id_, value=value, unit=unit, status=Status.STATED, places=PLACES)


def resting(id_: str, *grounds: str) -> Claim:
    return Claim(id=id_, status=Status.CONCLUDED, leans_on=grounds, places=PLACES)


def computed(
    formula: str | None, value: str | None, unit: str | None = None, tolerance: str | None = None, **inputs: str
) -> Computation:
    """What comes of a formula whose inputs are values with a unit behind a space, as in `3 tokens`."""
    written = {name: text.partition(" ") for name, text in inputs.items()}
    claims = [stated(f"in.{name}", value or None, unit or None) for name, (value, _, unit) in written.items()]
    claim = Claim(
        id="out",
        value=value,
        unit=unit,
        formula=formula,
        inputs={name: f"in.{name}" for name in inputs},
        tolerance=tolerance,
        status=Status.DERIVED,
        places=PLACES,
    )
    computations, cycles = derive(ledger(*claims, claim))
    assert cycles == ()
    return computations[len(claims)]


# --- the derived rows of a real ledger ------------------------------------------------------------------------------

K3 = """
    claims:
      - {id: domains, value: 3, unit: domains, status: stated}
      - {id: efforts, value: 3, unit: efforts, status: stated}
      - {id: routed, value: 896, unit: experts, status: stated}
      - {id: active, value: 16, unit: experts, status: stated}
      - {id: kda, value: 69, unit: KDA layers, status: stated}
      - {id: mla, value: 24, unit: MLA layers, status: stated}
      - {id: layers, value: 93, unit: layers, status: stated}
      - {id: total, value: 2.78T, unit: parameters, status: stated}
      - {id: total-k2, value: 1.04T, unit: parameters, status: stated}
      - {id: activated, value: 104.2B, unit: parameters, status: stated}
      - {id: activated-k2, value: 32.6B, unit: parameters, status: stated}
      - {id: context, value: 1M, unit: tokens, status: stated}
      - {id: context-k2, value: 128K, unit: tokens, status: stated}
      - {id: k3-018, value: 9, unit: experts, status: derived, formula: a * b, inputs: {a: domains, b: efforts}}
      - {id: k3-139, value: 56, status: derived, formula: a / b, inputs: {a: routed, b: active}}
      - {id: k3-140, value: 93, unit: layers, status: derived, formula: a + b, inputs: {a: kda, b: mla}}
      - {id: k3-141, value: 8, unit: blocks, status: derived, formula: ceil(a / 12), inputs: {a: layers}}
      - {id: k3-142, value: 167, unit: percent, status: derived, formula: a / b - 1, inputs: {a: total, b: total-k2}}
      - {id: k3-143, value: 220%, status: derived, formula: a / b - 1, inputs: {a: activated, b: activated-k2}}
      - {id: k3-144, value: 8x, status: derived, formula: a / b, inputs: {a: context, b: context-k2}}
"""


def derived(project: Project, yaml: str) -> dict[str, Computation]:
    read = loading.load(settings.find(project({"claims/k3.yaml": yaml})))
    computations, _ = derive(read)
    return {read.claims[index].id: found for index, found in computations.items()}


def test_the_derived_rows_of_the_k3_ledger_recompute(project: Project) -> None:
    found = derived(project, K3)
    assert sorted(found) == ["k3-018", "k3-139", "k3-140", "k3-141", "k3-142", "k3-143", "k3-144"]
    assert {id_: (it.agrees, it.fault, it.unit_problem) for id_, it in found.items()} == dict.fromkeys(
        found, (True, None, None)
    )
    assert found["k3-144"].reading == "K and M read as 1,024s"
    assert found["k3-142"].computed == "167.3076…"


@pytest.mark.parametrize(
    ("before", "after", "id_", "value"),
    [
        ("value: 896", "value: 897", "k3-139", "56.0625"),
        ("value: 69", "value: 68", "k3-140", "92"),
        ("value: 1.04T", "value: 1.14T", "k3-142", "143.8596…"),
        ("value: 128K", "value: 256K", "k3-144", "3.9062…x"),
    ],
)
def test_a_changed_input_is_told_with_what_the_formula_gives(
    project: Project, before: str, after: str, id_: str, value: str
) -> None:
    found = derived(project, K3.replace(before, after))[id_]
    if id_ == "k3-139":  # 56.0625 is still 56 at the precision of the claim
        assert (found.agrees, found.rounding, found.computed) == (True, "rounded to 1", value)
    else:
        assert (found.agrees, found.computed) == (False, value)


# --- exact arithmetic -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("0.1 + 0.2", "0.3"),
        ("2 ** 10", "1024"),
        ("2**10", "1024"),
        ("2 ** -2", "0.25"),
        ("-3 + +5", "2"),
        ("(1 + 2) * 3", "9"),
        ("7 × 8 ÷ 2 − 1", "27"),
        ("min(3, 1, 2)", "1"),
        ("max(3, 1, 2)", "3"),
        ("sum(1, 2, 3)", "6"),
        ("round(2.5)", "3"),
        ("round(1 / 3, 2)", "0.33"),
        ("ceil(93 / 12)", "8"),
        ("floor(93 / 12)", "7"),
        ("sqrt(2.25)", "1.5"),
        ("sqrt(2) ** 2", "2"),
        ("8 ** (2 / 3)", "4"),
        ("log2(1024)", "10"),
        ("log10(0.001)", "-3"),
        ("5% * 200", "10"),
        ("2.8T / 1.4B", "2000"),
        ("1_000 + 1e3", "2000"),
    ],
)
def test_a_formula_is_computed(formula: str, value: str) -> None:
    found = computed(formula, value)
    assert (found.agrees, found.fault) == (True, None)


NUMERALS = st.decimals(min_value=0, max_value=10**6, places=3, allow_nan=False, allow_infinity=False)


@given(st.lists(NUMERALS, min_size=4, max_size=4), st.lists(st.sampled_from("+-*/"), min_size=3, max_size=3))
def test_arithmetic_is_that_of_fractions(numerals: list[object], signs: list[str]) -> None:
    first, second, third, fourth = (Fraction(str(numeral)) for numeral in numerals)
    operators = {
        "+": Fraction.__add__,
        "-": Fraction.__sub__,
        "*": Fraction.__mul__,
        "/": Fraction.__truediv__,
    }
    assume(not (signs[0] == "/" and second == 0) and not (signs[2] == "/" and fourth == 0))
    left, right = operators[signs[0]](first, second), operators[signs[2]](third, fourth)
    assume(not (signs[1] == "/" and right == 0))
    expected = operators[signs[1]](left, right)
    a, b, c, d = numerals
    formula = f"(({a} {signs[0]} b) {signs[1]} ({c} {signs[2]} d)) * {expected.denominator}"
    found = computed(formula, str(expected.numerator), b=str(b), d=str(d))
    assert (found.agrees, found.rounding) == (True, "exact")


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(0, 6))
def test_a_changed_last_digit_never_agrees(above: int, below: int, places: int) -> None:
    scaled = Fraction(above, below) * 10**places
    assume(scaled % 1 != Fraction(1, 2))  # at a tie both neighbours are rounded values
    right = round(scaled)

    def written(whole: int) -> str:
        digits = f"{whole:0{places + 1}}"
        return f"{digits[:-places]}.{digits[-places:]}" if places else digits

    assert computed("a / b", written(right), a=str(above), b=str(below)).agrees is True
    assert computed("a / b", written(right + 1), a=str(above), b=str(below)).agrees is False
    if right:
        assert computed("a / b", written(right - 1), a=str(above), b=str(below)).agrees is False


# --- comparing ------------------------------------------------------------------------------------------------------


def test_a_value_is_compared_at_its_own_precision_and_the_figures_are_said() -> None:
    right = computed("active / routed", "1.79", "percent", active="16 experts", routed="896 experts")
    assert (right.agrees, right.rounding) == (True, "rounded to 0.01")
    wrong = computed("active / routed", "1.78", "percent", active="16 experts", routed="896 experts")
    assert (wrong.agrees, wrong.expected, wrong.rounded) == (False, "1.78", "1.79")
    assert wrong.computed == "1.785714…"
    assert wrong.difference == "0.005714…"


def test_figures_are_shown_in_the_notation_of_the_value() -> None:
    found = computed("base + more", "3.8T", "tokens", base="3.2T tokens", more="0.4T tokens")
    assert (found.agrees, found.computed, found.difference, found.rounding) == (
        False,
        "3.6T",
        "0.2T",
        "rounded to 0.1T",
    )
    assert computed("a", "1,000,000", a="1,234,567").computed == "1,234,567"


@pytest.mark.parametrize(
    ("value", "tolerance", "agrees"),
    [
        ("1.80", None, False),
        ("1.80", "1%", True),
        ("1.80", "0.5%", False),
        ("1.80", "0.01", True),
        ("1.80", "0.001", False),
        ("1.79", "0.000001", True),
    ],
)
def test_a_tolerance_widens_and_never_narrows(value: str, tolerance: str | None, agrees: bool) -> None:
    assert computed("a", value, tolerance=tolerance, a="1.79").agrees is agrees


@pytest.mark.parametrize(("value", "agrees"), [(">50", True), ("<50", False), ("up to 56", True), ("over 56", False)])
def test_a_bound_is_kept_or_broken(value: str, agrees: bool) -> None:
    assert computed("a * 2", value, a="28").agrees is agrees


def test_one_base_holds_for_every_k_and_m_of_a_claim() -> None:
    assert computed("a / b", "8.00", a="1M", b="128K").reading == "K and M read as 1,024s"
    assert computed("a / b", "7.81", a="1M", b="128K").reading == "K and M read as 1,000s"
    assert computed("a * 2", "16384", a="8K").agrees is True
    assert computed("a + b", "16192", a="8K", b="8K").agrees is False
    neither = computed("a / b", "9", a="1M", b="128K")
    assert (neither.agrees, neither.reading) == (False, "K and M tried as 1,000s and as 1,024s")


def test_the_reading_is_not_said_where_it_makes_no_difference() -> None:
    assert computed("b / a", "8", a="8K", b="64K").reading is None


# --- units ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "value", "unit", "inputs"),
    [
        ("power * time", "90.7", "MWh", {"power": "180 kW", "time": "21 days"}),
        ("gpus * time", "504", "GPU-hours", {"gpus": "1 GPU", "time": "21 days"}),
        ("gpus * 24 hours", "48", "H800 GPU hours", {"gpus": "2 GPUs"}),
        ("6 FLOP/parameter/token * n * d", "1.7e25", "FLOP", {"n": "104.2B parameters", "d": "27T tokens"}),
        ("6 * n * d", "1.7e25", "FLOP", {"n": "104.2B parameters", "d": "27T tokens"}),
        ("d / t", "2", "tokens per second", {"d": "120 tokens", "t": "1 minute"}),
        ("a + b", "5", "policies", {"a": "3 policies", "b": "2 policies"}),
        ("a / b", "56", None, {"a": "896 experts", "b": "16 experts"}),
        ("a + 1", "9", "blocks", {"a": "8 blocks"}),
        ("a + b", "9", "blocks", {"a": "8 blocks", "b": "1"}),
        ("a + b", "90", "minutes", {"a": "1 hour", "b": "1800 seconds"}),
        ("batch * steps", "4M", "tokens", {"batch": "4000 tokens", "steps": "1000 steps"}),
        ("a + b", "3.0", "TB", {"a": "1 TB", "b": "2000 GB"}),
        ("a", "2.8T", "parameters", {"a": "2.8 trillion parameters"}),
    ],
)
def test_units_that_fit_are_converted(formula: str, value: str, unit: str | None, inputs: dict[str, str]) -> None:
    found = computed(formula, value, unit, **inputs)
    assert (found.agrees, found.unit_problem, found.fault) == (True, None, None)


@pytest.mark.parametrize(
    ("formula", "unit", "inputs", "problem"),
    [
        ("a + b", "tokens", {"a": "3 tokens", "b": "2 hours"}, "tokens and hours cannot be added"),
        ("a - b", "layers", {"a": "3 layers", "b": "2 experts"}, "layers and experts cannot be subtracted"),
        ("max(a, b)", "steps", {"a": "3 tokens", "b": "2 steps"}, "tokens and steps cannot be compared"),
        ("a * b", "MW", {"a": "3 kW", "b": "2 days"}, "the formula gives energy, the claim is in MW"),
        (
            "a / b",
            "tokens",
            {"a": "3 tokens", "b": "2 hours"},
            "the formula gives token / time, the claim is in tokens",
        ),
        ("a", "parameters", {"a": "5 tokens"}, "the formula gives tokens, the claim is in parameters"),
        ("a + b", "polices", {"a": "3 policies", "b": "2 policies"}, "gives policies, the claim is in polices"),
        ("2 ** a", "tokens", {"a": "3 tokens"}, "an exponent is a pure number, not tokens"),
    ],
)
def test_units_that_do_not_fit_are_told(formula: str, unit: str, inputs: dict[str, str], problem: str) -> None:
    found = computed(formula, "5", unit, **inputs)
    assert found.agrees is None
    assert problem in (found.unit_problem or "")


# --- faults ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "fault"),
    [
        ("active / routed", "`routed` is no input of the claim"),
        ("activ", "`activ` is no input of the claim; did you mean `active`?"),
        ("active / 0", "divides by zero"),
        ("active / (active - active)", "divides by zero"),
        ("0 ** -1", "divides by zero"),
        ("9**9**9", "grow too large"),
        ("10 ** 999999.5", "grow too large"),
        ("1e999", "is no number that can be computed with"),
        ("9" * 1_000, "is no number that can be computed with"),
        ("1" + " + 1" * 300, "too many parts"),
        ("1 + " * 600 + "1", "longer than 2,000 characters"),
        ("-" * 1_500 + "1", "too many parts"),
        ("(" * 300 + "1" + ")" * 300, "cannot be read"),
        ("active active", "cannot be read"),
        ("", "no formula"),
        ("   ", "cannot be read"),
        ("active < 3", "`<` has no meaning"),
        ("2 ^ 3", "written `**`"),
        ("active * * active", "cannot be read"),
        ("active ×× active", "cannot be read"),
        ("active *** active", "cannot be read"),
        ("'text'", "has no meaning"),
        ("active.real", "`.` has no meaning"),
        ("[1, 2]", "`[` has no meaning"),
        ("1, 2", "nothing else"),
        ("max(*active)", "nothing else"),
        ("__import__('os')", "is no function"),
        ("eval(1)", "is no function"),
        ("active(1)", "is no function"),
        ("2 (3)", "sign is missing"),
        ("max", "is no input"),
        ("max()", "given 0 amounts"),
        ("sqrt(1, 2)", "given 2 amounts"),
        ("sqrt(0 - 1)", "root of a negative number"),
        ("log2(0)", "logarithm of zero"),
        ("round(1, 0.5)", "whole number of decimals"),
        ("\0", "has no meaning"),
    ],
)
def test_a_formula_that_cannot_be_computed_is_a_fault(formula: str, fault: str) -> None:
    found = computed(formula, "3", active="2")
    assert found.agrees is None
    assert fault in (found.fault or "")
    assert found.at_field == "formula"


@given(st.text(alphabet="ab0123456789.+-*/(), KMeE%^_<>='[]{}:\n", max_size=40))
def test_any_formula_gets_an_answer(formula: str) -> None:
    found = computed(formula, "3", a="2", b="0.5")
    assert (found.fault is None) != (found.computed is None)


@pytest.mark.parametrize(
    ("value", "tolerance", "given_value", "at_field", "fault"),
    [
        (None, None, "2", "value", "no value"),
        ("many", None, "2", "value", "`many` is no single number"),
        ("8K-64K", None, "2", "value", "is no single number"),
        ("2", "wide", "2", "tolerance", "`wide` is no tolerance"),
        ("2", "-1%", "2", "tolerance", "is no tolerance"),
        ("2", None, "", "inputs.a", "the input `a`, in.a, has no value"),
        ("2", None, "MXFP4", "inputs.a", "the value of in.a, `MXFP4`, is no single number"),
        ("2", None, "8K-64K", "inputs.a", "is no single number"),
    ],
)
def test_a_fault_names_the_field_to_edit(
    value: str | None, tolerance: str | None, given_value: str, at_field: str, fault: str
) -> None:
    found = computed("a", value, tolerance=tolerance, a=given_value)
    assert found.at_field == at_field
    assert fault in (found.fault or "")


def test_an_input_may_have_any_name() -> None:
    claims = [stated("x.a", "3"), stated("x.b", "4"), stated("x.c", "5")]
    claim = Claim(
        id="out",
        value="12",
        formula="active-experts + lambda + max(max, 1)",
        inputs={"active-experts": "x.a", "lambda": "x.b", "max": "x.c"},
        places=PLACES,
    )
    assert derive(ledger(*claims, claim))[0][3].agrees is True


def test_an_input_that_is_broken_or_not_there_leaves_the_formula_unchecked() -> None:
    broken = Claim(id="broken", value="3", places=PLACES, broken=True)
    claims = [
        Claim(id=name, value="3", formula="a", inputs={"a": ground}, status=Status.DERIVED, places=PLACES)
        for name, ground in (("one", "broken"), ("two", "nowhere"))
    ]
    found, _ = derive(ledger(broken, *claims))
    assert sorted(found) == [1, 2]
    assert [(found[index].fault, found[index].agrees) for index in (1, 2)] == [(None, None), (None, None)]
    assert found[1].unchecked == "the input `a`, broken, is broken"
    assert found[2].unchecked == "there is no claim `nowhere` for the input `a`"


def test_each_step_is_computed_from_the_written_value_of_the_one_before() -> None:
    first = Claim(id="first", value="5", formula="2 + 2", status=Status.DERIVED, places=PLACES)
    second = Claim(id="second", value="6", formula="a + 1", inputs={"a": "first"}, status=Status.DERIVED, places=PLACES)
    found, _ = derive(ledger(first, second))
    assert (found[0].agrees, found[1].agrees) == (False, True)


# --- circles --------------------------------------------------------------------------------------------------------


def test_a_circle_is_a_chain_that_ends_where_it_began() -> None:
    claims = [resting("k.a", "k.b"), resting("k.b", "k.c"), resting("k.c", "k.a"), resting("k.d", "k.a")]
    assert derive(ledger(*claims))[1] == (("k.a", "k.b", "k.c", "k.a"),)


def test_a_claim_that_rests_on_itself_is_a_circle() -> None:
    assert derive(ledger(resting("k.a", "k.a")))[1] == (("k.a", "k.a"),)


def test_inputs_and_leans_on_form_circles_together() -> None:
    claim = Claim(id="k.a", value="1", formula="b", inputs={"b": "k.b"}, status=Status.DERIVED, places=PLACES)
    assert derive(ledger(claim, resting("k.b", "k.a")))[1] == (("k.a", "k.b", "k.a"),)


def test_every_knot_shows_one_shortest_circle_in_the_order_of_the_ledger() -> None:
    knot = [resting("z", "y", "x"), resting("y", "x"), resting("x", "z"), resting("b", "a"), resting("a", "b")]
    assert derive(ledger(*knot))[1] == (("z", "x", "z"), ("b", "a", "b"))


def test_broken_claims_and_unknown_grounds_form_no_circle() -> None:
    broken = Claim(id="k.b", leans_on=("k.a",), places=PLACES, broken=True)
    assert derive(ledger(resting("k.a", "k.b", "k.z"), broken))[1] == ()


def test_a_chain_of_ten_thousand_claims_is_walked_without_recursion() -> None:
    chain = [resting(f"c{i}", f"c{i + 1}") for i in range(10_000)]
    assert derive(ledger(*chain, resting("c10000")))[1] == ()
    (circle,) = derive(ledger(*chain, resting("c10000", "c0")))[1]
    assert len(circle) == 10_002


def test_a_ladder_of_sixty_diamonds_is_walked_once() -> None:
    """Its 2⁶⁰ ways would not end."""
    steps = [
        claim
        for i in range(60)
        for claim in (resting(f"t{i}", f"l{i}", f"r{i}"), resting(f"l{i}", f"t{i + 1}"), resting(f"r{i}", f"t{i + 1}"))
    ]
    assert derive(ledger(*steps, resting("t60")))[1] == ()
