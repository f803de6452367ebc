"""The comment for a pull request shows text as it is, and none of it does anything."""

import re
from collections.abc import Callable
from dataclasses import replace

from hostile import TEXTS, hostile_report
from hypothesis import given
from markdown_it import MarkdownIt
from reporting import claim, finding, report, unread_report
from selectolax.lexbor import LexborHTMLParser

from tracer import wording
from tracer.model import Passage, Report, Severity, Verdict
from tracer.reports import markdown

ALLOWED = {
    *("html", "head", "body", "h3", "h4", "table", "thead", "tbody", "tr", "th", "td", "code", "p", "ul", "li"),
    *("details", "summary", "-text", "_comment", "-comment"),
}


def page_of(written: str) -> LexborHTMLParser:
    """The comment as a browser has it: HTML is let through, as GitHub does before it cleans."""
    return LexborHTMLParser(
        MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough").render(written)
    )


def full_report() -> Report:
    passage = Passage(source="rep", page="14", sheet=17, section="4.1.4", text="a | b of nine", marked=(9, 13))
    claims = [claim("k.one", Verdict.FLAGGED), claim("k.two", Verdict.VERIFIED), claim("k.three", Verdict.UNCHECKED)]
    findings = [
        finding(hint="page: 14", see=(passage,)),
        finding(rule="quote-short", severity=Severity.WARNING, message="“@nine” has one word", line=9, claim="k.three"),
        finding(path="claims/two_x.yaml", rule="file-invalid", claim=None, message="`a|b` is no <key>", line=1),
        finding(rule="number-absent", claim="k.two", accepted="a talk says so"),
    ]
    unread = unread_report(citations=1)
    return replace(unread, claims=tuple(claims), findings=tuple(findings))


def test_the_comment_is_as_it_was_read_and_approved(golden: Callable[[str, str], None]) -> None:
    golden("audit.md", markdown.render(full_report()))


def test_findings_stand_in_a_table_for_each_file_and_details_are_folded() -> None:
    page = page_of(markdown.render(full_report()))
    assert [title.text() for title in page.css("h4")] == ["claims/one.yaml", "claims/two_x.yaml"]
    rows = [[cell.text() for cell in row.css("td")] for row in page.css("table")[1].css("tbody tr")]
    assert rows == [
        ["4", "error", "page-wrong", "k.one", "the quote is on page 14"],
        ["9", "warning", "quote-short", "k.three", "“@\u200bnine” has one word"],
    ]
    details = page.css_first("details")
    assert details.css_first("summary").text() == "what to write instead, and what the sources say"
    assert [item.text() for item in details.css("li li")] == [
        "hint: page: 14",
        "rep, p. 14 (sheet 17), section 4.1.4: a | b of «nine»",
    ]


def test_the_first_line_lets_a_bot_find_its_comment() -> None:
    assert markdown.render(report()).startswith("<!-- tracer audit -->\n### tracer: 0 errors, 0 warnings, 0 notes\n")


def test_a_source_that_was_not_read_is_said() -> None:
    assert "- <code>rep</code>: not on disk" in markdown.render(unread_report(citations=1))


def test_a_comment_fits_into_what_github_takes_and_says_what_does_not() -> None:
    findings = [finding(message=f"number {line} " + "long " * 40, line=line) for line in range(1, 1001)]
    many_files = [finding(message="short", hint="x", path=f"claims/{number}.yaml") for number in range(1000)]
    for made in (findings, many_files):
        written = markdown.render(report(findings=made))
        assert len(written) < 65_536
        shown = sum(len(table.css("tbody tr")) for table in page_of(written).css("table")[1:])
        assert 0 < shown < 1000
        assert written.endswith(f"\n\n{1000 - shown} more findings: `tracer audit` lists them all.\n")


@given(TEXTS)
def test_text_of_others_is_shown_and_does_nothing(text: str) -> None:
    written = markdown.render(hostile_report(text))
    page = page_of(written)
    assert {node.tag for node in page.root.traverse(include_text=True)} <= ALLOWED
    message = page.css("table")[1].css("tbody tr")[0].css("td")[4].text()
    assert " ".join(message.replace("\u200b", "").split()) == " ".join(wording.flowing(text).split())
    assert not re.search(r"://|www\.", written)
    shown = page_of(re.sub(r"<code>.*?</code>", "", written)).body
    assert shown is not None
    assert not re.search(r"@\w|#\d", shown.text())
