"""The commands for GitHub say each finding at its line, and no text of others becomes a command."""

import re
from collections.abc import Callable
from dataclasses import replace

from hostile import TEXTS, hostile_report
from hypothesis import given
from reporting import finding, report

from tracer.model import Passage, Severity
from tracer.reports import github, markdown

COMMAND = re.compile(r"::(error|warning|notice) file=([^,:]*),line=(\d+),col=(\d+),title=([^,:]*)::([^\r\n]*)")


def decoded(text: str) -> str:
    """What GitHub makes of a value."""
    for code, letter in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, letter)
    return text


def test_the_commands_are_as_they_were_read_and_approved(golden: Callable[[str, str], None]) -> None:
    passage = Passage(source="rep", page="14", sheet=17, section="4.1.4", text="100 % of nine", marked=None)
    findings = [
        finding(rule="quote-short", severity=Severity.WARNING, message="the quote has one word"),
        finding(hint="page: 14", see=(passage,), path="claims/a,b: 100%.yaml"),
        finding(rule="source-unread", severity=Severity.NOTE, claim=None, unchecks=True),
        finding(rule="number-absent", accepted="a talk says so"),
    ]
    golden("audit.github.txt", github.render(report(findings=findings), folder="data/"))


def test_the_gravest_come_first_and_the_last_line_counts() -> None:
    findings = [finding(severity=severity) for severity in (Severity.NOTE, Severity.ERROR, Severity.WARNING)]
    *commands, last = github.render(report(findings=findings)).splitlines()
    assert [line.split()[0] for line in commands] == ["::error", "::warning", "::notice"]
    assert last == "1 error, 1 warning, 1 note"


def test_a_message_and_a_property_have_escapes_of_their_own() -> None:
    made = report(findings=[finding(message="a: b, 100 %", claim="k:1,2%", hint="page: 14")])
    line = github.render(made).splitlines()[0]
    assert line == (
        "::error file=claims/one.yaml,line=4,col=7,title=page-wrong k%3A1%2C2%25::a: b, 100 %25%0Ahint: page: 14"
    )


def test_the_path_begins_at_the_root_of_the_repository() -> None:
    assert "file=data/claims/one.yaml," in github.render(report(findings=[finding()]), folder="data/")


def test_what_is_accepted_or_known_is_no_command() -> None:
    findings = [finding(accepted="a reason"), replace(finding(), known=True)]
    assert github.render(report(findings=findings)).startswith("0 errors, 0 warnings, 0 notes; ")


def test_the_summary_is_the_comment() -> None:
    made = report(findings=[finding()])
    assert github.summary(made) == markdown.render(made)


@given(TEXTS)
def test_no_text_of_others_ends_a_command_or_begins_one(text: str) -> None:
    lines = github.render(hostile_report(text)).split("\n")
    *commands, last, end = lines
    assert (last, end) == ("1 error, 0 warnings, 1 note; 1 finding accepted with a reason", "")
    assert len(commands) == 2
    for command in commands:
        found = COMMAND.fullmatch(command)
        assert found is not None
        assert decoded(found[2]) == "claims/one.yaml"
