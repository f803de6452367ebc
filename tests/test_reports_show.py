"""What `show` prints of a claim: its quotes in their surroundings, its numbers, its searches, and what it rests on."""

import json
from dataclasses import replace

import pytest
from reporting import TEXT, anchor, citation, claim, document, finding, plain_claim, report, traced

from tracer.model import (
    Anchor,
    ClaimReport,
    Computation,
    Near,
    Passage,
    Report,
    Search,
    SearchTrace,
    Seen,
    Span,
    Status,
    TermHit,
    Tier,
    Verdict,
)
from tracer.reports import show
from tracer.reports.grounds import rests_on, used_by


def shown(whole: Report, claim_id: str = "k.one") -> str:
    return show.render(whole, claim_id, rests_on(whole, claim_id))


def derived(claim_id: str, verdict: Verdict = Verdict.VERIFIED, **inputs: str) -> ClaimReport:
    formula = " + ".join(inputs)
    return claim(claim_id, verdict, status=Status.DERIVED, inputs=inputs, formula=formula, value="1")


def test_the_quote_is_marked_in_the_passage_around_it() -> None:
    trace = traced(citation(), anchors=[anchor()])
    whole = report(claims=[claim("k.one", Verdict.VERIFIED, traces=[trace])], documents={"rep": document(TEXT)})
    text = " ".join(shown(whole).split())
    assert "verified rep, p. 13, section 4.1.3" in text
    assert "found: p. 13 (sheet 1); equal to the letter" in text
    assert "teacher model is «one among the nine experts». Then we stop." in text


def test_foldings_are_named_in_words() -> None:
    folded = replace(anchor(), tier=Tier.LAYOUT, foldings=("line-end hyphen", "case"), reading="by column")
    trace = traced(citation(), anchors=[folded])
    whole = report(claims=[claim("k.one", Verdict.VERIFIED, traces=[trace])], documents={"rep": document(TEXT)})
    words = "equal but for the layout of lines (line-end hyphen, case); reading: by column"
    assert words in " ".join(shown(whole).split())


def test_a_quote_over_a_page_end_is_shown_in_its_two_pieces() -> None:
    first, second = "It ends with the corresponding teacher", "model of the domain. And so on."
    spans = (Span(sheet=1, start=13, end=38), Span(sheet=2, start=0, end=5))
    joined = Anchor(spans=spans, tier=Tier.JOIN, foldings=("page end",), page="13")
    trace = traced(citation(), anchors=[joined])
    documents = {"rep": document(first, second)}
    text = shown(report(claims=[claim("k.one", Verdict.VERIFIED, traces=[trace])], documents=documents))
    assert "found: p. 13 (sheet 1) to p. 14 (sheet 2); equal when joined (page end)" in text
    assert "It ends with «the corresponding teacher»\n" in text
    assert "      «model» of the domain. And so on.\n" in text


def test_a_long_page_is_cut_at_words_around_the_quote() -> None:
    page = "alpha " * 100 + "one among the nine experts" + " omega" * 100
    trace = traced(citation(), anchors=[anchor(text=page)])
    text = shown(report(claims=[claim("k.one", Verdict.VERIFIED, traces=[trace])], documents={"rep": document(page)}))
    passage = " ".join(text.partition("letter")[2].partition("written")[0].split())
    # 150 characters before the quote are 25 words of six characters, of which the first may be cut off
    assert passage.startswith("… alpha alpha")
    assert passage.count("alpha") == 24
    assert passage.endswith("omega …")


def test_a_quote_that_is_not_there_shows_the_nearest_passage() -> None:
    passage = Passage(source="rep", page="13", sheet=1, section="4.1.3", text="among the ten experts", marked=(10, 13))
    trace = replace(traced(citation()), near=Near(passage=passage, score=93.4, changes=(("nine", "ten"),)))
    text = shown(report(claims=[claim("k.one", Verdict.FLAGGED, traces=[trace])], documents={"rep": document(TEXT)}))
    assert "not found; the nearest passage, 93 % alike:" in text
    assert "among the «ten» experts" in text
    assert "quoted “nine”, in the source “ten”" in text


def test_a_formula_is_shown_with_the_values_of_its_inputs() -> None:
    root = claim(
        "k.one",
        Verdict.FLAGGED,
        status=Status.DERIVED,
        formula="active / routed",
        inputs={"active": "k.active", "routed": "k.routed"},
        value="1.8",
        unit="percent",
    )
    computation = Computation(computed="1.7857142", expected="1.8", rounding="to 2 decimals", agrees=False)
    whole = report(
        claims=[
            replace(root, computation=computation),
            claim("k.active", Verdict.VERIFIED, value="16", unit="experts"),
            claim("k.routed", Verdict.VERIFIED, value="896", unit="experts"),
        ]
    )
    lines = shown(whole).splitlines()
    start = lines.index("is computed")
    assert lines[start + 1 : start + 6] == [
        "  active / routed",
        "  = 16 experts / 896 experts",
        "  = 1.7857142",
        "  written: 1.8 percent",
        "  rounding: to 2 decimals",
    ]


@pytest.mark.parametrize(
    ("formula", "numbers"),
    [
        ("active-experts / moe.routed * 100", "16 / 896 * 100"),
        ("a * active-experts", "a * 16"),
        ("active-experts ^ moe.routed", "active-experts ^ moe.routed"),
    ],
)
def test_an_input_is_shown_by_its_value_however_it_is_named(formula: str, numbers: str) -> None:
    inputs = {"active-experts": "k.active", "moe.routed": "k.routed", "a": "k.a"}
    root = claim("k.one", Verdict.FLAGGED, status=Status.DERIVED, formula=formula, inputs=inputs)
    grounds = [claim("k.active", Verdict.VERIFIED, value="16"), claim("k.routed", Verdict.VERIFIED, value="896")]
    lines = shown(report(claims=[root, *grounds])).splitlines()
    assert lines[lines.index("is computed") + 2] == f"  = {numbers}"


def test_a_search_shows_every_hit_and_its_answer() -> None:
    passage = Passage(source="rep", page="10", sheet=10, section="3.1", text="a learning rate of", marked=(2, 15))
    hits = [
        TermHit(
            term="lr",
            span=Span(sheet=10, start=2, end=15),
            page="10",
            section="3.1",
            passage=passage,
            answered=answered,
        )
        for answered in (True, False)
    ]
    seen = Seen(page="10", because="the schedule of another stage")
    search = Search(source="rep", terms=("learning rate", "lr"), seen=(seen,))
    silent = claim("k.one", Verdict.FLAGGED, status=Status.NOT_STATED)
    traced_search = SearchTrace(claim=plain_claim("k.one"), search=search, hits=tuple(hits), pages=47)
    text = shown(report(claims=[replace(silent, searches=(traced_search,))]))
    assert "rep: “learning rate”, “lr”" in text
    assert "47 pages searched, 2 hits" in text
    assert "rep, p. 10, section 3.1: answered\n" in text
    assert "rep, p. 10, section 3.1: not answered\n" in text
    assert "a «learning rate» of" in text
    assert "answer: p. 10: the schedule of another stage" in text


def test_the_tree_goes_down_to_quotes_with_page_and_section() -> None:
    leaf = claim("k.leaf", Verdict.VERIFIED, traces=[traced(citation())], value="9", unit="experts")
    whole = report(claims=[derived("k.one", a="k.mid"), derived("k.mid", b="k.leaf"), leaf])
    tree = shown(whole).partition("rests on\n")[2]
    assert tree.splitlines() == [
        "  a = k.mid  verified  derived, 1",
        "      = b",
        "    b = k.leaf  verified  stated, 9 experts",
        "        rep, p. 13, section 4.1.3: “one among the nine experts”",
    ]


def test_a_claim_reached_twice_is_opened_once() -> None:
    whole = report(
        claims=[
            derived("k.one", left="k.left", right="k.right"),
            derived("k.left", base="k.base"),
            derived("k.right", base="k.base"),
            claim("k.base", Verdict.VERIFIED),
        ]
    )
    branches = rests_on(whole, "k.one").branches
    assert [(branch.id, branch.is_repeated) for branch in branches] == [
        ("k.left", False),
        ("k.base", False),
        ("k.right", False),
        ("k.base", True),
    ]
    assert "base = k.base  shown above" in shown(whole)


def test_a_cycle_ends_where_it_began_and_an_unknown_ground_is_said() -> None:
    whole = report(claims=[derived("k.one", a="k.two", b="k.none"), derived("k.two", a="k.one")])
    assert [branch.id for branch in rests_on(whole, "k.one").branches] == ["k.two", "k.one", "k.none"]
    assert "a = k.one  shown above" in shown(whole)
    assert "b = k.none  there is no such claim" in shown(whole)


def test_used_by_goes_the_other_way() -> None:
    whole = report(
        claims=[derived("k.one", a="k.base"), derived("k.two", b="k.one"), claim("k.base", Verdict.VERIFIED)]
    )
    tree = used_by(whole, "k.base")
    assert [(branch.depth, branch.tie, branch.id) for branch in tree.branches] == [(1, "a", "k.one"), (2, "b", "k.two")]
    assert "used by\n" in show.render(whole, "k.base", tree)


def test_a_chain_of_ten_thousand_and_a_ladder_of_sixty_diamonds_are_walked() -> None:
    chain = [derived(f"k.{number}", a=f"k.{number + 1}") for number in range(10_000)]
    branches = rests_on(report(claims=chain), "k.0").branches
    assert branches[-1].depth == 10_000
    ladder = [derived(f"k.{number}", a=f"k.{number + 1}", b=f"k.{number + 1}") for number in range(60)]
    # each of the 60 steps is reached twice and opened once
    assert len(rests_on(report(claims=ladder), "k.0").branches) == 120


def test_a_deep_tree_stays_within_the_width() -> None:
    chain = [derived(f"k.{number}", a=f"k.{number + 1}") for number in range(50)]
    whole = report(claims=chain)
    lines = show.render(whole, "k.0", rests_on(whole, "k.0")).splitlines()
    assert max(map(len, lines)) <= 80
    assert any("(49) a = k.49" in line for line in lines)


def test_findings_of_the_claim_are_listed_with_their_acceptance() -> None:
    whole = report(findings=[finding(hint="page: 14", accepted="two numbers are printed"), finding(claim="k.two")])
    text = shown(whole)
    assert text.count("page-wrong: the quote is on page 14") == 1
    assert "accepted: two numbers are printed" in text


def test_json_holds_claim_passages_and_tree() -> None:
    trace = traced(citation(), anchors=[anchor()])
    leaf = claim("k.leaf", Verdict.VERIFIED, traces=[trace])
    whole = report(claims=[derived("k.one", a="k.leaf", b="k.leaf"), leaf], documents={"rep": document(TEXT)})
    tree = json.loads(show.as_json(whole, "k.one", rests_on(whole, "k.one")))["rests_on"]
    assert [(each["by"], each["depth"], each.get("repeated", False)) for each in tree] == [
        ("a", 1, False),
        ("b", 1, True),
    ]
    passages = json.loads(show.as_json(whole, "k.leaf", rests_on(whole, "k.leaf")))["passages"]
    assert passages[0][0][0]["quote"] == "one among the nine experts"
    assert passages[0][0][0]["after"] == ". Then we stop."
