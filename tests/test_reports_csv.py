"""The table for spreadsheets holds no formula, and is read back as it was written."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import StringIO

import pytest
from hostile import TEXTS, hostile_report
from hypothesis import given, strategies
from reporting import anchor, citation, claim, finding, report, traced

from tracer.model import Report, Severity, Verdict
from tracer.reports import csv_


def cells(made: Report) -> list[Mapping[str, str]]:
    """What a spreadsheet gets."""
    return list(csv.DictReader(StringIO(csv_.render(made), newline="")))


def of_texts(*texts: str) -> Report:
    return report(claims=[claim(f"c{number}", Verdict.VERIFIED, text=text) for number, text in enumerate(texts, 1)])


def full_report() -> Report:
    claims = [
        claim(
            "k.one",
            Verdict.VERIFIED,
            traces=[traced(citation(), anchors=[anchor()])],
            stage="k/mopd",
            field="teachers",
            text="Nine experts teach.",
            value="9",
            unit="experts",
        ),
        claim("k.two", Verdict.FLAGGED, text="-5 is the lower bound", value="-5"),
    ]
    findings = [
        finding(rule="file-invalid", claim=None, message="`claimes` is no part of a ledger file", line=1, column=1),
        finding(claim="k.two"),
        finding(claim="k.two", rule="quote-short", severity=Severity.WARNING, message="the quote has one word"),
        finding(claim="k.one", rule="number-absent", accepted="a talk says so", message="9 is not in the quotes"),
    ]
    return report(claims=claims, findings=findings)


def test_the_table_is_as_it_was_read_and_approved(golden: Callable[[str, str], None]) -> None:
    golden("audit.csv", csv_.render(full_report()).replace("\r\n", "\n"))


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('=HYPERLINK("http://x.invalid","open")', '\'=HYPERLINK("http://x.invalid","open")'),
        ("-5 is the lower bound", "'-5 is the lower bound"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+1 (two words)", "'+1 (two words)"),
        ("\ttab first", "'\ttab first"),
        ("\rreturn first", "'\rreturn first"),
        ("-5", "-5"),
        ("-5.25e-3", "-5.25e-3"),
        ("-1,000", "-1,000"),
        ("-5+cmd|' /C calc'!A0", "'-5+cmd|' /C calc'!A0"),
        ('a, "b"\nnext line', 'a, "b"\nnext line'),
        ("'=1", "''=1"),
        ("'quoted'", "'quoted'"),
        ("8 - 5", "8 - 5"),
    ],
)
def test_text_that_would_be_computed_begins_with_an_apostrophe(text: str, cell: str) -> None:
    assert [row["text"] for row in cells(of_texts(text))] == [cell]
    assert [row["text"] for row in csv_.read(csv_.render(of_texts(text)))] == [text]


def test_a_row_is_a_claim_with_its_citations_and_findings() -> None:
    one, two, file = csv_.read(csv_.render(full_report()))
    assert one["citations"] == "verified: rep, p. 13, section 4.1.3: “one among the nine experts”"
    assert one["accepted"] == "error: number-absent: 9 is not in the quotes (accepted: a talk says so)"
    assert two["findings"].splitlines() == [
        "error: page-wrong: the quote is on page 14",
        "warning: quote-short: the quote has one word",
    ]
    assert (two["file"], two["line"], two["value"], two["verdict"]) == ("claims/one.yaml", "2", "-5", "flagged")
    assert (file["claim"], file["findings"]) == ("", "error: file-invalid: `claimes` is no part of a ledger file")


def test_a_known_finding_says_so() -> None:
    (row,) = csv_.read(csv_.render(report(findings=[replace(finding(), known=True)])))
    assert row["findings"] == "error: page-wrong: the quote is on page 14 (known)"


def test_lines_end_as_the_standard_says() -> None:
    assert csv_.render(of_texts("a\nb")).count("\r\n") == 2


@given(strategies.lists(TEXTS | strategies.text("'=\r\n\t,\" a", max_size=6), min_size=1, max_size=3))
def test_what_is_read_back_is_what_was_written(texts: list[str]) -> None:
    rows = csv_.read(csv_.render(of_texts(*texts)))
    assert [row["text"] for row in rows] == [csv_.shown(text) for text in texts]


@given(strategies.text(alphabet="'=+-@\t\r\n5,.e a", max_size=8))
def test_no_cell_is_computed_and_every_cell_is_undone(text: str) -> None:
    cell = csv_.safe(text)
    assert csv_.plain(cell) == text
    assert cell == "" or cell[0] not in "=+-@\t\r\n" or cell.lstrip("+-")[0].isdigit()


@given(TEXTS)
def test_whatever_a_ledger_or_a_source_holds_can_be_written_to_a_file(text: str) -> None:
    written = csv_.render(hostile_report(text))
    assert not set(written.encode().decode()) & set("\x00\x07\x1b\x7f\x85")
    rows = list(csv.reader(StringIO(written, newline="")))
    assert {len(row) for row in rows} == {len(csv_.COLUMNS)}
