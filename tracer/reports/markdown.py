"""A Report to a comment on a pull request: what was counted, the findings by file, and details that unfold.

Text of ledgers and sources is shown as it is and does nothing: what could be markup, HTML, a cell of a table, a link or
the name of a person who would be told is written as a character reference.
"""

import re
from collections.abc import Iterator, Sequence

from tracer.model import Finding, Report, Unread, Verdict
from tracer.reports import telling
from tracer.reports.terminal import cited, finding_counts, is_passed_on, standing
from tracer.wording import counted, flowing

MARK = "<!-- tracer audit -->"
"""The first line, by which a bot finds the comment that it wrote before."""
MOST_CHARACTERS = 60_000
"""GitHub takes 65,536."""
SPECIAL = re.compile(r"[&<>|\\`*_\[\]~#@$]|(?<=[a-z]):(?=//)|(?<=www)\.|(?<=xmpp):|(?<=mailto):", re.IGNORECASE)
UNFOLDING = "<details><summary>what to write instead, and what the sources say</summary>"
FOLDED = "</details>"
NOTHING_BETWEEN = "&#8203;"


def render(report: Report) -> str:
    """The comment; findings that do not fit are counted."""
    head = "\n".join((MARK, *head_lines(report)))
    findings = [finding for finding in standing(report) if not is_passed_on(finding)]
    parts, shown, room = [head], 0, MOST_CHARACTERS - len(head)
    for path, of_file in by_file(findings).items():
        if fitting := fitted(path, of_file, report, room):
            part = file_part(path, fitting, report)
            parts.append(part)
            shown, room = shown + len(fitting), room - len(part)
    left_out = len(findings) - shown
    parts += [f"{counted(left_out, 'more finding')}: `tracer audit` lists them all."] if left_out else []
    return "\n\n".join(parts) + "\n"


def by_file(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    """Findings by the file that they stand in."""
    files: dict[str, list[Finding]] = {}
    for finding in findings:
        files.setdefault(finding.problem.at.path, []).append(finding)
    return files


def fitted(path: str, findings: Sequence[Finding], report: Report, room: int) -> Sequence[Finding]:
    """The first findings of a file that fit into so many characters."""
    room -= len(file_part(path, (), report)) + len(UNFOLDING) + len(FOLDED) + 8
    for number, finding in enumerate(findings):
        room -= len(row(finding)) + 1 + len("\n".join(detail_lines(finding, report))) + 1
        if room < 0:
            return findings[:number]
    return findings


# --- what was counted -------------------------------------------------------------------------------------------


def head_lines(report: Report) -> Iterator[str]:
    """The findings in a line, the claims in a table, the sources in a line."""
    yield f"### tracer: {finding_counts(report)}"
    yield ""
    yield f"| claims | {' | '.join(Verdict)} |"
    yield "|--:|--:|--:|--:|"
    yield f"| {len(report.claims):,} | {' | '.join(f'{report.count(verdict):,}' for verdict in Verdict)} |"
    unread = {name: source for name, source in cited(report).items() if isinstance(source, Unread)}
    if unread:
        yield ""
        yield f"{counted(len(unread), 'source')} not read, and what cites them is unchecked:"
        yield ""
    yield from (f"- {code(name)}: {escaped(source.reason)}" for name, source in unread.items())


# --- a file -----------------------------------------------------------------------------------------------------


def file_part(path: str, findings: Sequence[Finding], report: Report) -> str:
    """The findings of a file in a table, and under it what each of them says beside."""
    lines = [f"#### {code(path)}", "", "| line | | rule | claim | |", "|--:|---|---|---|---|", *map(row, findings)]
    details = [line for finding in findings for line in detail_lines(finding, report)]
    if details:
        lines += ["", UNFOLDING, "", *details, "", FOLDED]
    return "\n".join(lines)


def row(finding: Finding) -> str:
    """A finding in a table."""
    problem = finding.problem
    claim = code(problem.claim) if problem.claim else ""
    cells = (str(problem.at.line), str(finding.severity), code(finding.rule), claim, escaped(problem.message))
    return f"| {' | '.join(cells)} |"


def detail_lines(finding: Finding, report: Report) -> list[str]:
    """The hint and the passages of a finding under its line; nothing where there are none."""
    problem = finding.problem
    lines = [*telling.remedies(problem), *telling.passages(problem, report)]
    if not lines:
        return []
    about = f" of {code(problem.claim)}" if problem.claim else ""
    return [f"- line {problem.at.line}, {code(finding.rule)}{about}", *(f"  - {escaped(line)}" for line in lines)]


# --- text of others ---------------------------------------------------------------------------------------------


def referenced(text: str) -> str:
    """Text in which every character that could be markup is a character reference."""
    return SPECIAL.sub(lambda found: f"&#{ord(found[0])};", flowing(text))


def escaped(text: str) -> str:
    """Text that is shown as it is; a space of no width after `@` and `#` keeps names and issues from being meant."""
    return re.sub(r"(&#(?:64|35);)", rf"\1{NOTHING_BETWEEN}", referenced(text))


def code(text: str) -> str:
    """A name as code, in which GitHub looks for no names of people."""
    return f"<code>{referenced(text)}</code>"
