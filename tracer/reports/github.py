"""A Report to the workflow commands of GitHub Actions, which show each finding at its line; and to a job summary.

A command is one line: `%`, line ends, and in its properties `:` and `,` are written as GitHub decodes them, so that no
text of a ledger or a source can end a command or begin another.
"""

from collections.abc import Iterator

from tracer.model import Finding, Report, Severity
from tracer.reports import markdown, telling
from tracer.reports.terminal import finding_counts, is_passed_on, standing
from tracer.wording import flowing

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report, *, folder: str = "") -> str:
    """A command per finding that stands, the gravest first, for GitHub shows ten of a kind; then a line that counts.

    `folder` is the way from the root of the repository to the project, ended by `/`.
    """
    shown = [finding for finding in standing(report) if not is_passed_on(finding)]
    gravest_first = (finding for severity in Severity for finding in shown if finding.severity is severity)
    commands = (command(finding, report, folder) for finding in gravest_first)
    return "".join(f"{line}\n" for line in (*commands, finding_counts(report)))


def summary(report: Report) -> str:
    """The Markdown of the job's page."""
    return markdown.render(report)


def command(finding: Finding, report: Report, folder: str) -> str:
    """`::error file=…,line=…,col=…,title=…::message`."""
    said = "\n".join(telling.lines(finding, report))
    properties = ",".join(f"{name}={in_property(value)}" for name, value in properties_of(finding, folder))
    return f"::{COMMANDS[finding.severity]} {properties}::{in_message(said)}"


def properties_of(finding: Finding, folder: str) -> Iterator[tuple[str, str]]:
    """Where a finding is shown, and under which title."""
    problem = finding.problem
    yield "file", folder + problem.at.path
    yield "line", str(problem.at.line)
    yield "col", str(problem.at.column)
    yield "title", " ".join(filter(None, (finding.rule, problem.claim)))


def in_message(text: str) -> str:
    """Text of several lines as the message of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def in_property(text: str) -> str:
    """Text as the value of a property of a command."""
    return in_message(flowing(text)).replace(":", "%3A").replace(",", "%2C")
