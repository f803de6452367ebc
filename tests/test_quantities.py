"""Numbers as reports write them, and which texts state which values."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tracer.numerals import Number, number, numbers
from tracer.quantities import numbers_missing, states

TRILLION = 10**12


def value(text: str) -> Fraction:
    found = number(text)
    assert found is not None
    return found.value()


# --- reading --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("9", {9}),
        ("nine", {9}),
        ("twenty-five", {25}),
        ("two hundred and five", {205}),
        ("a million", {10**6}),
        ("two million five hundred thousand", {2_500_000}),
        ("two and a half", {Fraction(5, 2)}),
        ("half a million", {500_000}),
        ("two-thirds", {Fraction(2, 3)}),
        ("8K", {8_000, 8_192}),
        ("8k", {8_000, 8_192}),
        ("1M", {1_000_000, 1_048_576}),
        ("1 million", {1_000_000}),
        ("2.8T", {2_800_000_000_000}),
        ("2.8 trillion", {2_800_000_000_000}),
        ("2.8-trillion", {2_800_000_000_000}),
        ("2,800B", {2_800_000_000_000}),
        ("4B", {4 * 10**9}),
        ("4 B", {4 * 10**9}),
        ("1e-4", {Fraction(1, 10_000)}),
        ("1.123456e-5", {Fraction(1_123_456, 10**11)}),
        ("1.123456e5", {Fraction(1_123_456, 10)}),
        ("3×10^6", {3_000_000}),
        ("10⁻⁴", {Fraction(1, 10_000)}),
        ("10²", {100}),
        ("7.0 × 10^-4", {Fraction(7, 10_000)}),
        ("7.0 × 10−4", {Fraction(7, 10_000)}),
        ("2^20", {1_048_576}),
        ("2¾", {Fraction(11, 4)}),
        ("1/3", {Fraction(1, 3)}),
        ("4\u202f096", {4_096}),
        ("4\u2009096", {4_096}),
        ("1,048,576", {1_048_576}),
        ("−1", {-1}),
        ("-1", {-1}),
        (".5", {Fraction(1, 2)}),
        ("2.5×", {Fraction(5, 2)}),
        ("2.5x", {Fraction(5, 2)}),
        ("80 GB", {80 * 10**9, 80 * 2**30}),
        ("80 GiB", {80 * 2**30}),
        ("1.5 EFLOPs", {15 * 10**17}),
    ],
)
def test_a_number_has_the_values_that_its_notation_may_mean(text: str, readings: set[Fraction]) -> None:
    found = number(text)
    assert found is not None
    assert found.values == readings


@pytest.mark.parametrize(
    "text",
    [
        "MXFP4",
        "K2.5",
        "GPT-4",
        "EAGLE-3-style",
        "§4.1.3",
        "[57]",
        "[57, 58]",
        "Table 1",
        "Fig. 8",
        "eq. (15)",
        "pp. 12-14",
        "the third",
        "3rd",
        "thirty-second",
        "3D",
        "2.5.1",
        "arXiv:2501.12948",
        "3cb39df",
        "x^2",
        "pass@1",
        "a third expert",
        "everyone",
        "nineteenth",
        "1e999",
        "1e-1234",
        "1e-5.3",
        "2.5e-4.1",
        "1e5.0",
        "3E-4B",
        "9^9999",
        "9" * 500,
    ],
)
def test_names_references_ordinals_and_monsters_are_no_numbers(text: str) -> None:
    assert numbers(text) == ()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("10–20", [10, 20]),
        ("10-20", [10, 20]),
        ("8K-64K", [8_000, 64_000]),
        ("top-1 of 4", [1, 4]),
        ("69 KDA + 24 MLA = 93", [69, 24, 93]),
        ("ceil(93 / 12) = 8", [93, 12, 8]),
        ("14x14 patches", [14, 14]),
        ("the nine experts of 896 (16 active)", [9, 896, 16]),
        ("from −1 to 1", [-1, 1]),
        ("July 16, 2026", [16, 2026]),
        ("Nine of 896[57] experts", [9, 896]),
        ("İstanbul has 16", [16]),
        ("(1e-5.)", [Fraction(1, 100_000)]),
        ("from 1e4-1e5.", [10_000, 100_000]),
        ("between 1e-5..1e-3", [Fraction(1, 100_000), Fraction(1, 1_000)]),
        ("8 K's", [8]),
        ("8 K-means", [8]),
    ],
)
def test_all_numbers_of_a_text_are_found_in_order(text: str, values: list[Fraction]) -> None:
    assert [found.value() for found in numbers(text)] == values


STOPS = [".", "..", "...", "…", ".)", "].", "?", "!", ",", ";", ":", ".\n", "\n", ". Next", ".Next"]
QUOTES = ["'", "’", '"', "”", "»", ".'", ".’", '."', ".”", "’.", "”."]
MARKS = [".¹", ".⁴", "†", ".†", "*", ".*", "[5]", ".[5]", "[5]."]
RAISED_MARKS = ["¹", "²", "⁴.", "¹⁰"]
"""What may stand after a word; after plain digits, and after raised ones, a raised digit is a power."""


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1e-5", Fraction(1, 100_000)),
        ("2.5e-4", Fraction(1, 4_000)),
        ("3E-4", Fraction(3, 10_000)),
        ("1e+5", 100_000),
        ("1e−5", Fraction(1, 100_000)),
        ("1e5", 100_000),
        ("15k", 15_000),
        ("8 K", 8_000),
        ("2.8T", 2_800_000_000_000),
        ("2.8 trillion", 2_800_000_000_000),
        ("80 GB", 80 * 10**9),
        ("64 bytes", 64),
        ("3 TFLOP/s", 3 * 10**12),
        ("1%", 1),
        ("5 percent", 5),
        ("nine", 9),
        ("nine percent", 9),
        ("two-thirds", Fraction(2, 3)),
    ],
)
def test_a_stop_a_quote_or_a_footnote_mark_after_a_number_does_not_change_it(written: str, expected: Fraction) -> None:
    alone = number(written)
    assert alone is not None
    for mark in ("", *STOPS, *QUOTES, *MARKS, *RAISED_MARKS):
        found = number(f"it is ({written}{mark}")
        assert found is not None, mark
        assert (found.value(), found.measure, found.text) == (expected, alone.measure, written), mark


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1,000", 1_000),
        ("0.5", Fraction(1, 2)),
        ("½", Fraction(1, 2)),
        ("2¾", Fraction(11, 4)),
        ("1/3", Fraction(1, 3)),
        ("3 × 10^-4", Fraction(3, 10_000)),
        ("10^{-4}", Fraction(1, 10_000)),
        ("7.0 × 10−4", Fraction(7, 10_000)),
        ("10⁻⁴", Fraction(1, 10_000)),
    ],
)
def test_a_stop_or_a_quote_after_digits_does_not_change_them(written: str, expected: Fraction) -> None:
    for mark in ("", *STOPS, *QUOTES, *MARKS):
        found = number(f"it is ({written}{mark}")
        assert found is not None, mark
        assert (found.value(), found.text) == (expected, written), mark


def test_a_span_covers_the_number_and_its_suffix() -> None:
    text = "trained on 2.8 trillion tokens, at −0.5%."
    assert [text[found.start : found.end] for found in numbers(text)] == ["2.8 trillion", "−0.5%"]


@pytest.mark.parametrize(
    ("text", "step"), [("1.79", Fraction(1, 100)), ("8", 1), ("2.80T", Fraction(1, 100)), ("1/3", 0), ("2½", 0)]
)
def test_the_step_is_the_last_place_that_is_written(text: str, step: Fraction) -> None:
    found = number(text)
    assert found is not None
    assert found.step == step


@pytest.mark.parametrize(
    ("text", "comparison"),
    [
        ("> 5", ">"),
        ("at least 5", "≥"),
        ("no more than 5", "≤"),
        ("more than 5", ">"),
        ("about 5", "~"),
        ("is 5", None),
    ],
)
def test_a_comparison_before_a_number_is_told(text: str, comparison: str | None) -> None:
    found = number(text)
    assert found is not None
    assert found.comparison == comparison


@given(st.integers(min_value=0, max_value=10**15))
def test_digit_groups_do_not_change_a_number(whole: int) -> None:
    assert value(f"{whole:,}") == value(f"{whole:,}".replace(",", "\u202f")) == value(str(whole)) == whole


@given(st.integers(min_value=0, max_value=10**9), st.integers(min_value=0, max_value=9))
def test_decimals_are_exact(digits: int, places: int) -> None:
    text = f"{digits:0{places + 1}}"
    written = f"{text[:-places]}.{text[-places:]}" if places else text
    assert value(written) == Fraction(digits, 10**places)


@given(st.integers(min_value=-400, max_value=400), st.integers(min_value=1, max_value=999))
def test_powers_of_ten_are_exact(exponent: int, digits: int) -> None:
    expected = Fraction(digits) * Fraction(10) ** exponent
    assert value(f"{digits}e{exponent}") == value(f"{digits} × 10^{exponent}") == expected


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert all(isinstance(found, Number) and text[found.start : found.end] for found in numbers(text))


# --- stating --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claimed", "unit", "text"),
    [
        ("2.8T", None, "a model with 2.8 trillion parameters"),
        ("2.8T", "parameters", "2,800B parameters"),
        ("2800000000000", None, "a 2.8T parameter model"),
        ("2.8", "trillion parameters", "a 2.8T parameter model"),
        ("9", "experts", "among the nine experts"),
        ("nine", None, "a total of 9 expert models"),
        ("1.79", "percent", "that is 1.79% of them"),
        ("1.79", "%", "that is 1.79 percent of them"),
        ("0.5", None, "50% of the data"),
        ("8192", "tokens", "8K tokens"),
        ("8K", "tokens", "a context of 8,192 tokens"),
        ("8K", "tokens", "from 8-64K tokens"),
        ("8K-64K", "tokens", "grows from 8k to 64k tokens"),
        ("7e6", None, "a batch of 7×106\r\n"),
        ("7e6", None, "The batch is 7×106."),
        ("1e-5", None, "The rate is 1e-5."),
        ("1e-5", None, "The rate is 1e-5.¹"),
        ("4096", None, "4 096 tokens"),
        ("80", "GB", "with 80 GB of memory"),
        ("16", "experts", "16/896 experts"),
        ("weights", None, "We release the model Weights"),
        ("MXFP4", None, "with MXFP4 weights and MXFP8 activations"),
        ("pre-training", None, "during the pretraining of"),
        ("next-token prediction", None, "next token prediction"),
        ("9 experts", None, "nine expert models"),
        ("2026-07-16", None, "Moonshot AI. July 16, 2026. URL"),
        ("2026-07", None, "16 July 2026"),
        (">8K", None, "more than 8K tokens"),
        ("1.0", None, "exactly 1"),
    ],
)
def test_a_value_is_stated_in_any_notation(claimed: str, unit: str | None, text: str) -> None:
    assert states(claimed, text, unit) is not None


@pytest.mark.parametrize(
    ("claimed", "unit", "text"),
    [
        ("1.79", "percent", "1.8% of them"),
        ("9", None, "nineteen experts"),
        ("8", None, "18 of them, 0.8, 8.5 and 80"),
        ("4", None, "MXFP4, K2.5, GPT-4, §4, [4], Table 4 and 4.1.3"),
        ("2.5", None, "Kimi K2.5"),
        ("3", None, "the third expert"),
        ("3", None, "1/3 of them"),
        ("102", None, "10²"),
        ("5", None, "The rate is 1e-5."),
        ("7e6", None, "The batch is 7×106.5."),
        ("-1", None, "exactly 1"),
        ("1", None, "exactly −1"),
        ("8K-64K", None, "from 8k to 640k"),
        ("8K", None, "8 million"),
        ("50", "percent", "0.5% of them"),
        ("50", "percent", "50 GB"),
        ("3", "experts", "3% of them"),
        ("80 GB", None, "80 MB"),
        (">8K", None, "less than 8K"),
        ("MXFP4", None, "MXFP8"),
        ("weights", None, "weighted"),
        ("text and vision", None, "vision and text"),
        ("9 experts", None, "nine teachers"),
        ("2026-07-16", None, "July 17, 2026"),
        ("2026-07-16", None, "July 2026"),
        ("2.8T", None, "2.78T"),
        ("", None, "anything"),
    ],
)
def test_no_other_number_word_or_unit_states_a_value(claimed: str, unit: str | None, text: str) -> None:
    assert states(claimed, text, unit) is None


def test_a_mention_is_the_text_from_the_first_to_the_last_part() -> None:
    found = states("8K-64K", "The window grows from 8K to 64K tokens")
    assert found is not None
    assert (found.text, found.start, found.end) == ("8K to 64K", 22, 31)


@given(st.integers(min_value=0, max_value=10**12), st.integers(min_value=0, max_value=10**12))
def test_only_equal_numbers_state_each_other(claimed: int, other: int) -> None:
    assume(claimed != other)
    assert states(str(claimed), f"there are {claimed:,} of them") is not None
    assert states(str(claimed), f"there are {other:,} of them") is None


@given(st.text(), st.text())
def test_any_value_can_be_looked_for_in_any_text(claimed: str, text: str) -> None:
    found = states(claimed, text)
    assert found is None or text[found.start : found.end] == found.text


# --- prose ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("2.8-trillion-parameter model", "a 2.8T parameter Mixture-of-Experts model"),
        ("a million-token context window", "and a 1-million-token context window"),
        ("nine specialist RL policies", "yields a total of nine expert models"),
        ("three effort levels Low, High, Max", "with three reasoning effort levels"),
        ("finally 1M", "supports a context window of up to 1 million"),
        ("896 MoE experts", "896 routed experts with 16 active experts per token"),
        ("Kimi K2.5's algorithm", "which follows the algorithm"),
        ("within plus or minus R_max (eq. 15)", "is a clipping threshold"),
        ("one model (cited §4.1.3, p. 13)", "into a unified model"),
        ("top-k and top-8 routing after Llama 3 in stage 2", "routing"),
        ("hundreds-step trajectories", "dozens to hundreds of steps"),
        ("technical report @ 3cb39df", "the report"),
        ("released on 2026-07-16", "July 16, 2026"),
        ("released on July 16, 2026", "16 July 2026"),
        ("half of one of them", "nothing"),
        ("MXFP4 experts", "with weights"),
        ("The rate is 1e-5.", "a rate of 0.00001"),
        ("a linear warmup over 1 %", "a 1% linear warmup"),
    ],
)
def test_numbers_that_a_quote_states_and_numbers_of_names_are_not_missing(text: str, quote: str) -> None:
    assert numbers_missing(text, [quote]) == ()


@pytest.mark.parametrize(
    ("text", "quote", "missing"),
    [
        ("the nine RL policies are the teachers", "guided by the corresponding teacher model", ["nine"]),
        ("256K and 1M are two stages", "following a four-stage curriculum", ["256K", "1M", "two"]),
        ("Sixteen of 896 experts", "16 of 895 experts", ["896"]),
        ("Uses 8 experts", "9 experts", ["8"]),
        ("released on July 16, 2026", "July 17, 2026", ["16"]),
        ("at 0.5%", "at 0.6%", ["0.5%"]),
        ("The rate is 1e-5.", "a rate of 5e-5", ["1e-5"]),
    ],
)
def test_a_number_that_no_quote_states_is_missing(text: str, quote: str, missing: list[str]) -> None:
    assert [found.text for found in numbers_missing(text, [quote])] == missing


def test_numbers_may_be_spread_over_quotes() -> None:
    assert numbers_missing("16 of 896", ["896 routed experts", "sixteen work on a token"]) == ()
