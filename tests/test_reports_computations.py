"""What is shown of a computation says which numbers went in and what is to be known of what came out."""

from reporting import claim, plain_claim

from tracer.model import Computation, Verdict
from tracer.reports.computations import facts, with_numbers

SHARE = plain_claim(
    "share",
    formula="active / total",
    inputs={"active": "k.active", "total": "k.total"},
    value="1.8",
    unit="%",
)


def test_the_values_of_the_inputs_stand_in_the_place_of_their_names() -> None:
    claims = {
        "k.active": claim("k.active", Verdict.VERIFIED, value="16"),
        "k.total": claim("k.total", Verdict.VERIFIED, value="896", unit="experts"),
    }
    assert with_numbers(SHARE, claims) == "16 / 896 experts"


def test_an_input_that_no_claim_gives_or_that_has_no_value_keeps_its_name() -> None:
    assert with_numbers(SHARE, {"k.total": claim("k.total", Verdict.VERIFIED)}) == "active / total"


def test_only_what_there_is_to_know_of_a_computation_is_named() -> None:
    computation = Computation(computed="1.7857142", difference="0.01", rounding="to 1 decimal", agrees=True)
    assert list(facts(SHARE, computation).items()) == [
        ("written", "1.8 %"),
        ("difference", "0.01"),
        ("rounding", "to 1 decimal"),
    ]


def test_nothing_is_known_of_what_was_not_computed() -> None:
    assert facts(SHARE, None) == {}
