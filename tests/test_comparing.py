"""A finding is known again by its rule, its claim and what it speaks of, whatever its words and its line are."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from reporting import citation, claim, finding, places, report, traced

from tracer.comparing import Baseline, Known, compared, fingerprints, read
from tracer.model import Claim, Failure, Finding, Places, Problem, Report, Severity, Verdict
from tracer.reports import json_

QUOTES = ("one among the nine experts", "the corresponding teacher model")


def moved(positions: Places, lines: int) -> Places:
    return replace(positions, positions={field: (at[0] + lines, at[1]) for field, at in positions.positions.items()})


def two_citations(*, order: Sequence[int] = (0, 1), lines: int = 0) -> Report:
    """A claim with two citations, each with a wrong page, in this order and so many lines further down."""
    cited = [
        replace(citation(QUOTES[number]), at_path=f"cite.{index}", page=str(number + 3))
        for index, number in enumerate(order)
    ]
    positions = {"": (2, 5), "cite.0.page": (4, 20), "cite.1.page": (5, 20)}
    made = claim("k.one", Verdict.FLAGGED, traces=[traced(each) for each in cited])
    at = moved(Places(path="claims/one.yaml", positions=positions), lines)
    findings = [
        finding(line=4 + index + lines, column=20, message=f"the quote is on page {number + 9}")
        for index, number in enumerate(order)
    ]
    return report(claims=[replace(made, claim=replace(made.claim, places=at))], findings=findings)


def test_a_fingerprint_stays_when_lines_and_messages_change() -> None:
    before, after = two_citations(), two_citations(lines=40)
    reworded = replace(
        after,
        findings=tuple(
            replace(each, problem=replace(each.problem, message="it stands elsewhere")) for each in after.findings
        ),
    )
    assert fingerprints(before) == fingerprints(reworded)


def test_two_citations_keep_their_fingerprints_when_they_change_places() -> None:
    first, second = fingerprints(two_citations())
    assert fingerprints(two_citations(order=(1, 0))) == (second, first)
    assert first != second


def test_no_two_findings_share_a_fingerprint() -> None:
    same = [finding()] * 5 + [finding(claim=None)] * 3 + [finding(rule="quote-short")]
    assert len(set(fingerprints(report(findings=same)))) == 9


def test_another_quote_is_another_finding() -> None:
    first, second = fingerprints(two_citations())
    only_second = two_citations(order=(1,))
    assert fingerprints(only_second) == (second,)
    assert first not in fingerprints(only_second)


def test_a_finding_of_a_source_is_known_by_the_source_and_not_by_its_line() -> None:
    def at_the_source(lines: int) -> Report:
        made = report(findings=[finding(claim=None, rule="source-changed", path="claims/sources.yaml", line=2 + lines)])
        source = replace(made.ledger.sources["rep"], places=moved(places("claims/sources.yaml"), lines))
        return replace(made, ledger=replace(made.ledger, sources={"rep": source}))

    # the helper's source is written at 2:5
    shifted = [
        replace(each, findings=(replace(each.findings[0], problem=column_5(each.findings[0])),))
        for each in (at_the_source(0), at_the_source(7))
    ]
    assert fingerprints(shifted[0]) == fingerprints(shifted[1])


def column_5(found: Finding) -> Problem:
    return replace(found.problem, at=replace(found.problem.at, column=5))


# --- baselines --------------------------------------------------------------------------------------------------


def baseline_of(made: Report) -> Baseline:
    return read(json_.render(made), "base.json")


def test_what_a_baseline_has_is_known_and_what_it_has_not_is_new() -> None:
    old = finding(rule="page-wrong")
    new = finding(rule="quote-missing")
    comparison = compared(report(findings=[old, new]), baseline_of(report(findings=[old])))
    assert [(each.rule, each.known) for each in comparison.report.findings] == [
        ("page-wrong", True),
        ("quote-missing", False),
    ]
    assert comparison.gone == ()


def test_what_only_the_baseline_has_is_gone() -> None:
    comparison = compared(report(), baseline_of(report(findings=[finding()])))
    assert comparison.gone == (Known(rule="page-wrong", claim="k.one", path="claims/one.yaml"),)
    assert str(comparison.gone[0]) == "page-wrong of k.one"


def test_of_a_part_only_the_claims_in_it_can_lose_a_finding() -> None:
    known = baseline_of(report(findings=[finding(), finding(claim="k.two"), finding(claim=None)]))
    assert [each.claim for each in compared(report(), known, is_whole=False).gone] == ["k.one"]
    assert [each.claim for each in compared(report(), known, is_whole=True).gone] == ["k.one", "k.two", None]


def test_a_second_finding_of_the_same_kind_is_new() -> None:
    comparison = compared(report(findings=[finding(), finding()]), baseline_of(report(findings=[finding()])))
    assert [each.known for each in comparison.report.findings] == [True, False]


def test_a_note_or_an_accepted_finding_is_no_excuse_for_an_error() -> None:
    noted = baseline_of(report(findings=[finding(severity=Severity.NOTE)]))
    accepted = baseline_of(report(findings=[finding(accepted="a reason")]))
    for baseline in (noted, accepted):
        assert [each.known for each in compared(report(findings=[finding()]), baseline).report.findings] == [False]


def test_a_report_held_against_itself_has_nothing_new_and_nothing_gone() -> None:
    made = two_citations()
    comparison = compared(made, baseline_of(made))
    assert all(each.known for each in comparison.report.findings)
    assert comparison.gone == ()
    assert baseline_of(comparison.report) == baseline_of(made)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "base.json is no JSON"),
        ("{", "base.json is no JSON"),
        ("[" * 100_000, "base.json is no JSON"),
        ("[]", "base.json is no report of `tracer audit`"),
        ('{"schema": 2, "findings": []}', "base.json is no report"),
        ('{"schema": 1, "findings": {}}', "base.json is no report"),
        ('{"schema": 1, "findings": [3]}', "finding 1 of base.json lacks its fingerprint"),
        ('{"schema": 1, "findings": [{"rule": "page-wrong", "at": {"path": "x"}}]}', "finding 1 of base.json lacks"),
    ],
)
def test_a_file_that_is_no_baseline_is_said_to_be_none(text: str, said: str) -> None:
    with pytest.raises(Failure, match=said) as ended:
        read(text, "base.json")
    assert "write it anew with --write-baseline base.json" in str(ended.value)


def test_a_baseline_may_have_keys_of_a_later_version() -> None:
    later = {**json.loads(json_.render(report(findings=[finding()]))), "coverage": {}}
    assert len(read(json.dumps(later), "base.json")) == 1


def test_a_claim_that_is_written_twice_keeps_its_findings_apart() -> None:
    twin = claim("k.one", Verdict.FLAGGED)
    other: Claim = replace(twin.claim, places=replace(twin.claim.places, path="claims/two.yaml"))
    made = report(
        claims=[twin, replace(twin, claim=other)],
        findings=[finding(line=2, column=9), finding(path="claims/two.yaml", line=2, column=9)],
    )
    assert len(set(fingerprints(made))) == 2
