"""What the terminal report says, in what words, and that nothing of a source or a ledger can steer a terminal."""

import re

import pytest
from reporting import claim, document, finding, report, unread_report

from tracer.model import Passage, Search, Severity, Status, Verdict
from tracer.reports import terminal
from tracer.wording import flowing, visible

ESCAPE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]")


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_findings_stand_under_their_file_with_line_severity_rule_message_and_hint() -> None:
    text = terminal.render(report(findings=[finding(message="the quote is on page 14", hint="page: 14")]))
    assert text.splitlines()[:4] == [
        "claims/one.yaml",
        "  4:7      error  page-wrong  k.one",
        "           the quote is on page 14",
        "           hint: page: 14",
    ]


def test_two_findings_of_one_file_share_its_heading() -> None:
    findings = [finding(line=4), finding(line=9, rule="quote-short", severity=Severity.WARNING)]
    text = terminal.render(report(findings=findings))
    assert text.count("claims/one.yaml") == 1
    assert "  9:7      warning  quote-short  k.one" in text.splitlines()


def test_verdicts_stand_side_by_side_for_each_status_that_occurs() -> None:
    claims = [
        claim("k.a", Verdict.VERIFIED),
        claim("k.b", Verdict.VERIFIED),
        claim("k.c", Verdict.FLAGGED),
        claim("k.d", Verdict.UNCHECKED, status=Status.NOT_STATED),
        claim("k.e", Verdict.FLAGGED, status=None),
    ]
    table = rows(terminal.render(report(claims=claims)))
    assert ["claims", "verified", "flagged", "unchecked"] in table
    assert ["stated", "2", "1", "0"] in table
    assert ["not-stated", "0", "0", "1"] in table
    assert ["no", "status", "0", "1", "0"] in table
    assert ["all", "2", "2", "1"] in table
    assert "derived" not in [row[0] for row in table if row]


def test_an_accepted_finding_is_counted_and_not_listed() -> None:
    text = terminal.render(report(findings=[finding(accepted="the page has two numbers")]))
    assert "0 errors, 0 warnings, 0 notes; 1 finding accepted with a reason" in text
    assert "page-wrong" not in text


def test_findings_that_are_only_counted_are_said_to_be() -> None:
    alike = [finding(rule="ground-flagged", severity=Severity.NOTE, line=line, unchecks=True) for line in (4, 9)]
    text = terminal.render(report(findings=[finding(severity=Severity.NOTE), *alike]))
    assert "0 errors, 0 warnings, 3 notes, 2 of them not listed" in text.splitlines()


def test_an_unread_source_says_what_stays_unchecked_and_the_command_that_gets_it() -> None:
    text = terminal.render(unread_report(citations=3))
    assert "0 sources read, 1 not read" in text
    assert "  rep: not on disk; 3 citations stay unchecked\n    tracer fetch rep\n" in text


def test_searches_that_wait_for_a_source_are_counted_too() -> None:
    silent = claim("k.two", Verdict.UNCHECKED, status=Status.NOT_STATED, searched=(Search(source="rep"),))
    whole = unread_report(citations=2)
    text = terminal.render(report(claims=[*whole.claims, silent], documents=whole.documents))
    assert "2 citations and 1 search stay unchecked" in text


def test_a_source_without_url_cannot_be_fetched() -> None:
    text = terminal.render(unread_report(citations=1, url=None))
    assert "1 citation stays unchecked" in text
    assert "tracer fetch" not in text
    assert "--sources DIR" in text


def test_what_is_unchecked_for_one_reason_is_said_once_with_the_other_lines() -> None:
    notes = [
        finding(line=line, rule="source-unread", severity=Severity.NOTE, message="not on disk", unchecks=True)
        for line in (3, 8, 13)
    ]
    text = terminal.render(report(findings=notes))
    assert text.count("not on disk") == 1
    assert "the same 2 more times, on lines 8, 13" in text
    assert "0 errors, 0 warnings, 3 notes" in text


def test_the_passage_that_a_finding_speaks_of_is_shown_with_its_mark() -> None:
    passage = Passage(source="rep", page="3", sheet=5, section="2.1", text="we use ten experts here", marked=(7, 18))
    text = terminal.render(report(findings=[finding(rule="quote-altered", see=(passage,))]))
    assert "           rep, p. 3 (sheet 5), section 2.1:\n             we use «ten experts» here\n" in text


def test_a_passage_that_the_hint_has_already_is_not_repeated() -> None:
    passage = Passage(source="rep", page="3", sheet=5, section=None, text="ten experts")
    text = terminal.render(report(findings=[finding(hint="page 3 has quote: ten experts", see=(passage,))]))
    assert text.count("ten experts") == 1


def test_a_hash_in_a_hint_is_not_broken() -> None:
    assert f" {'a1' * 32}\n" in terminal.render(report(findings=[finding(hint=f"sha256: {'a1' * 32}")]))


def test_sources_that_the_reported_claims_do_not_need_are_not_counted() -> None:
    whole = report(claims=[claim("k.one", Verdict.VERIFIED)], documents={"rep": document("x")})
    assert "0 sources read, 0 not read" in terminal.render(whole)


def test_disputed_claims_are_named() -> None:
    text = terminal.render(report(claims=[claim("k.one", Verdict.VERIFIED, is_disputed=True)]))
    assert "sources disagree on 1 claim: k.one" in text


def test_a_finding_ends_in_the_next_commands_and_a_clean_run_does_not() -> None:
    assert terminal.render(report(findings=[finding()])).endswith(
        "next: tracer show k.one, tracer explain page-wrong\n"
    )
    assert "next:" not in terminal.render(report())


HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://example.invalid\x07link\x1b]8;;\x07",
    "\x9b2J",
    "abc\u202egnp.exe",
    "line\rover",
    "\u2066isolated\u2069",
    "bell\x07\x08\x08",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("colour", [False, True])
def test_no_control_character_of_a_user_reaches_the_terminal(text: str, colour: bool) -> None:
    passage = Passage(source=text, page=text, sheet=2, section=text, text=f"a {text} b", marked=(2, 2 + len(text)))
    hostile = finding(message=text, hint=text, path=f"claims/{text}.yaml", claim=text, see=(passage,))
    whole = report(claims=[claim(text, Verdict.FLAGGED, is_disputed=True)], findings=[hostile])
    shown = terminal.render(whole, colour=colour)
    if colour:
        shown = re.sub(r"\x1b\[[\d;]*m", "", shown.replace("\x1b[31mred", "MISSED"))
    assert ESCAPE.findall(shown) == []
    assert "MISSED" not in shown


@pytest.mark.parametrize(
    "text", ["[bold red]loud[/]", "[/nonsense]", "[link=http://example.invalid]x[/link]", ":smile:"]
)
@pytest.mark.parametrize("colour", [False, True])
def test_markup_of_a_user_is_text(text: str, colour: bool) -> None:
    shown = terminal.render(report(findings=[finding(message=text, hint=text)]), colour=colour)
    assert shown.count(text) == 2


def test_colour_adds_nothing_but_colour() -> None:
    whole = report(claims=[claim("k.one", Verdict.FLAGGED)], findings=[finding(hint="page: 14")])
    assert re.sub(r"\x1b\[[\d;]*m", "", terminal.render(whole, colour=True)) == terminal.render(whole)


def test_nothing_is_wider_than_the_terminal() -> None:
    long = "the quote is not in this source and neither is anything that is like it " * 4
    whole = report(findings=[finding(message=long, hint=long, claim="k." + "x" * 60, rule="section-unread")])
    assert max(map(len, terminal.render(whole, width=80).splitlines())) <= 80


def test_a_bidi_mark_is_written_out_and_a_line_end_hyphen_is_a_hyphen() -> None:
    assert visible("a\u202eb") == "a<U+202E>b"
    assert flowing("pre\u0002training\r\nof  it") == "pre-training of it"


def test_single_page_documents_have_no_page_to_name() -> None:
    passage = Passage(source="rep", page=None, sheet=1, section="Training", text="x")
    whole = report(findings=[finding(see=(passage,))], documents={"rep": document("x", kind="markdown")})
    assert "rep, Training:" in terminal.render(whole)
