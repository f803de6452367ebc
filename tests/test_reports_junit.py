"""The JUnit report is XML that any reader takes, with a case per claim."""

from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

from hostile import TEXTS, hostile_report
from hypothesis import given
from reporting import citation, claim, finding, plain_claim, report, traced, unread_report

from tracer.model import Passage, Report, Severity, Verdict
from tracer.reports import junit


def read(made: Report) -> ElementTree.Element:
    return ElementTree.fromstring(junit.render(made))  # noqa: S314 -- XML of our own


def case_of(made: Report, name: str = "k.one") -> ElementTree.Element:
    (case,) = [case for case in read(made).iter("testcase") if case.get("name") == name]
    return case


def full_report() -> Report:
    passage = Passage(
        source="rep", page="13", sheet=16, section="4.1.3", text="among the nine experts", marked=(10, 14)
    )
    claims = [
        claim("k.one", Verdict.FLAGGED, stage="k/mopd"),
        claim("k.two", Verdict.VERIFIED, stage="k/mopd"),
        claim("k.three", Verdict.UNCHECKED, traces=[traced(citation(), unchecked="not on disk")]),
    ]
    findings = [
        finding(rule="file-invalid", claim=None, message="`claimes` is no part of a ledger file", line=1, column=1),
        finding(hint="page: 14", see=(passage,)),
        finding(rule="quote-short", severity=Severity.WARNING, message="the quote has one word", line=5),
        finding(rule="number-absent", claim="k.two", accepted="a talk says so", message="9 is not in the quotes"),
    ]
    return report(claims=claims, findings=findings)


def test_the_report_is_as_it_was_read_and_approved(golden: Callable[[str, str], None]) -> None:
    golden("audit.junit.xml", junit.render(full_report()))


def test_there_is_one_case_per_claim_and_one_per_finding_of_a_file() -> None:
    names = [case.get("name") for case in read(full_report()).iter("testcase")]
    assert names == ["file-invalid on line 1, column 1", "k.one", "k.two", "k.three"]


def test_the_totals_are_those_of_the_cases() -> None:
    root = read(full_report())
    (suite,) = root
    expected = {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    for element in (root, suite):
        assert {name: element.get(name) for name in expected} == expected


def test_a_flagged_claim_fails_with_all_that_stands_against_it() -> None:
    (failure,) = case_of(full_report()).findall("failure")
    assert (failure.get("type"), failure.get("message")) == ("page-wrong", "page-wrong: the quote is on page 14")
    assert failure.text is not None
    assert failure.text.splitlines() == [
        "claims/one.yaml:4:7: error: page-wrong: the quote is on page 14",
        "  hint: page: 14",
        "  rep, p. 13 (sheet 16), section 4.1.3: among the «nine» experts",
        "claims/one.yaml:5:7: warning: quote-short: the quote has one word",
    ]


def test_an_unchecked_claim_is_skipped_with_its_reason() -> None:
    (skipped,) = case_of(unread_report(citations=2)).findall("skipped")
    assert skipped.get("message") == "rep: not on disk"


def test_a_broken_record_is_an_error() -> None:
    broken = replace(claim("k.one", Verdict.FLAGGED), claim=replace(plain_claim("k.one"), broken=True))
    assert [each.tag for each in case_of(report(claims=[broken], findings=[finding()]))] == ["error"]


def test_an_accepted_finding_passes_and_is_told() -> None:
    case = case_of(full_report(), "k.two")
    assert [each.tag for each in case] == ["system-out"]
    assert "accepted: a talk says so" in (case[0].text or "")


def test_a_known_finding_fails_nothing() -> None:
    known = report(claims=[claim("k.one", Verdict.FLAGGED)], findings=[replace(finding(), known=True)])
    case = case_of(known)
    assert [each.tag for each in case] == ["system-out"]
    assert "known from the baseline" in (case[0].text or "")


def test_a_flagged_claim_never_passes_for_want_of_a_finding() -> None:
    assert [each.tag for each in case_of(report(claims=[claim("k.one", Verdict.FLAGGED)]))] == ["failure"]


def test_a_case_says_where_to_edit() -> None:
    case = case_of(full_report())
    assert (case.get("classname"), case.get("file"), case.get("line")) == ("k.mopd", "claims/one.yaml", "2")


@given(TEXTS)
def test_whatever_a_ledger_or_a_source_holds_the_xml_is_well_formed(text: str) -> None:
    written = junit.render(hostile_report(text))
    assert written.isascii()
    assert len(list(ElementTree.fromstring(written).iter("testcase"))) == 3  # noqa: S314 -- XML of our own
