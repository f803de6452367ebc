"""A Report to the text of a terminal: findings by file, then what was verified, flagged and left unchecked.

Severity and verdict are words as well as colours, so that nothing is lost without colour or in 80 columns.
"""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tracer import wording
from tracer.model import Document, Finding, Passage, Problem, Report, Severity, Status, Unread, Verdict
from tracer.reports.lines import BLANK, Line, Part, line, printed

WIDTH = 80
SEVERITY_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
SHOWN_IDS = 5
INDENT = 11


def render(report: Report, *, width: int = WIDTH, colour: bool = False) -> str:
    """The findings that stand, then the summary, then what to do next."""
    lines = (*finding_lines(report), *summary_lines(report), *next_lines(report))
    return printed(lines, width=width, colour=colour)


# --- findings ---------------------------------------------------------------------------------------------------


def standing(report: Report) -> list[Finding]:
    """The findings that are neither accepted nor known from an earlier report."""
    return [finding for finding in report.findings if finding.accepted is None and not finding.known]


def finding_lines(report: Report) -> Iterator[Line]:
    """Each file with its findings, in the order of the report."""
    by_path: dict[str, list[Finding]] = {}
    for finding in standing(report):
        if is_passed_on(finding):
            continue
        by_path.setdefault(finding.problem.at.path, []).append(finding)
    for path, findings in by_path.items():
        yield line((wording.flowing(path), "bold"))
        for alike in gathered(findings):
            yield from one_finding(alike, report)
        yield BLANK


def is_passed_on(finding: Finding) -> bool:
    """Whether a finding only says that a ground could not be checked, which is said where that ground stands."""
    return finding.rule == "ground-flagged" and finding.problem.unchecks


def gathered(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings one by one, but what is unchecked for the same reason together: it is one thing to mend."""
    groups: dict[object, list[Finding]] = {}
    for index, finding in enumerate(findings):
        key = (finding.rule, finding.problem.message) if finding.problem.unchecks else index
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def one_finding(alike: Sequence[Finding], report: Report) -> Iterator[Line]:
    """Where, how grave, by which rule and of which claim; what is the case; what to write instead; what to look at."""
    finding = alike[0]
    problem = finding.problem
    where = f"  {problem.at.line}:{problem.at.column}".ljust(INDENT - 1)
    severity = (f"{finding.severity}  ", SEVERITY_STYLES[finding.severity])
    claim = f"  {wording.flowing(problem.claim)}" if problem.claim else ""
    yield line((where + " ", "dim"), severity, (finding.rule, "bold"), claim, hang=INDENT)
    yield line(wording.flowing(problem.message), indent=INDENT, hang=2)
    if problem.hint:
        yield line(("hint: ", "cyan"), wording.flowing(problem.hint), indent=INDENT, hang=2)
    for passage in problem.see:
        if not is_said(passage, problem):
            yield from passage_lines(passage, report.documents.get(passage.source))
    if problem.related:
        places = ", ".join(wording.flowing(str(place)) for place in problem.related)
        yield line(f"see also {places}", indent=INDENT, hang=2)
    if len(alike) > 1:
        yield line(others(alike[1:]), indent=INDENT, hang=2)


def is_said(passage: Passage, problem: Problem) -> bool:
    """Whether the message or the hint has all words of a passage already."""
    words = wording.flowing(passage.text)
    return words in wording.flowing(problem.message) or words in wording.flowing(problem.hint or "")


def others(alike: Sequence[Finding]) -> str:
    """How often the same is the case elsewhere in the file."""
    places = [f"{finding.problem.at.line}" for finding in alike]
    shown = ", ".join(places[:SHOWN_IDS]) + (", …" if len(places) > SHOWN_IDS else "")
    return f"the same {'on line' if len(places) == 1 else f'{len(places):,} more times, on lines'} {shown}"


def passage_lines(passage: Passage, document: Document | Unread | None, *, indent: int = INDENT) -> Iterator[Line]:
    """A piece of a source under its place, the part that matters between marks."""
    yield line((f"{wording.passage_words(passage, document)}:", "dim"), indent=indent, hang=2)
    yield line(*marked_parts(wording.marked(passage)), indent=indent + 2)


def marked_parts(pieces: tuple[str, str, str]) -> tuple[Part, ...]:
    """Words before, within and after a mark, the mark written as well as coloured."""
    before, within, after = pieces
    if not within:
        return ((before, ""),)
    return (before, ""), (f"{wording.OPEN_MARK}{within}{wording.CLOSE_MARK}", "bold underline"), (after, "")


# --- summary ----------------------------------------------------------------------------------------------------


def summary_lines(report: Report) -> Iterator[Line]:
    """What was verified, flagged and left unchecked, side by side; then findings, sources and disputes."""
    yield from table_lines(report)
    yield BLANK
    yield line(finding_counts(report))
    yield from source_lines(report)
    doubted = sum(map(is_passed_on, standing(report)))
    if doubted:
        said = "on what could not be checked; `tracer show` says on what"
        yield line(f"{wording.counted(doubted, 'claim')} {'rests' if doubted == 1 else 'rest'} {said}")
    disputed = [wording.flowing(claim.claim.id) for claim in report.claims if claim.is_disputed]
    if disputed:
        more = ", …" if len(disputed) > SHOWN_IDS else ""
        names = ", ".join(disputed[:SHOWN_IDS]) + more
        yield line(f"sources disagree on {wording.counted(len(disputed), 'claim')}: {names}", hang=2)


def table_lines(report: Report) -> Iterator[Line]:
    """Claims by status and verdict; a row only for a status that occurs."""
    cells = Counter((claim.claim.status, claim.verdict) for claim in report.claims)
    yield line(
        (f"{'claims':<12}", "bold"), *((f"{verdict:>11}", wording.VERDICT_STYLES[verdict]) for verdict in Verdict)
    )
    for status in (*Status, None):
        row = [cells[status, verdict] for verdict in Verdict]
        if any(row):
            yield line(f"{status or 'no status':<12}", *(f"{number:>11,}" for number in row))
    yield line((f"{'all':<12}", "bold"), *((f"{report.count(verdict):>11,}", "bold") for verdict in Verdict))


def finding_counts(report: Report) -> str:
    """How many findings of each severity stand, how many were accepted, and how many are known."""
    severities = Counter(finding.severity for finding in standing(report))
    words = ", ".join(wording.counted(severities[severity], severity) for severity in Severity)
    unlisted = sum(map(is_passed_on, standing(report)))
    words += f", {unlisted:,} of them not listed" if unlisted else ""
    accepted = sum(finding.accepted is not None for finding in report.findings)
    known = sum(finding.known for finding in report.findings)
    words += f"; {wording.counted(accepted, 'finding')} accepted with a reason" if accepted else ""
    return words + (f"; {wording.counted(known, 'finding')} known from the baseline" if known else "")


def source_lines(report: Report) -> Iterator[Line]:
    """How many sources were read; of each that was not: why, what stays unchecked, and how to get it."""
    documents = cited(report)
    unread = {source: document for source, document in documents.items() if isinstance(document, Unread)}
    yield line(f"{wording.counted(len(documents) - len(unread), 'source')} read, {len(unread):,} not read")
    citations, searches = waiting(report)
    for source, document in unread.items():
        reason = f"{wording.flowing(source)}: {wording.flowing(document.reason)}"
        yield line(f"{reason}; {stays(citations[source], searches[source])} unchecked", indent=2, hang=2)
        yield line((remedy(report, source, document), "bold"), indent=4, hang=2)


def waiting(report: Report) -> tuple[Counter[str], Counter[str]]:
    """How many citations, and how many searches, could not be checked, by source."""
    followed = (each for claim in report.claims for each in wording.citations(claim))
    citations = Counter(each.citation.source for each in followed if each.verdict is Verdict.UNCHECKED)
    return citations, Counter(search.source for claim in report.claims for search in claim.claim.searched)


def stays(citations: int, searches: int) -> str:
    """What stays as it is, in words: `1 citation stays`, `2 citations and 1 search stay`."""
    parts = [wording.counted(citations, "citation")] if citations or not searches else []
    parts += [wording.counted(searches, "search", "searches")] if searches else []
    return f"{' and '.join(parts)} {'stays' if citations + searches == 1 else 'stay'}"


def cited(report: Report) -> Mapping[str, Document | Unread]:
    """The sources that the reported claims need, in the order of the report."""
    claims = [claim.claim for claim in report.claims]
    names = {citation.source for claim in claims for citation in claim.citations}
    names |= {search.source for claim in claims for search in claim.searched}
    return {source: document for source, document in report.documents.items() if source in names}


def remedy(report: Report, source_id: str, unread: Unread) -> str:
    """What makes an unread source readable."""
    source = report.ledger.sources.get(source_id)
    if unread.kind == "absent" and source and source.url and source.sha256:
        return f"tracer fetch {command_word(source_id)}"
    if unread.hint:
        return wording.flowing(unread.hint)
    return (
        "name the folder that holds the file with --sources DIR" if unread.kind == "absent" else "use a readable copy"
    )


def command_word(name: str) -> str:
    """A name as it is typed in a shell."""
    return shlex.quote(wording.flowing(name))


# --- what to do next --------------------------------------------------------------------------------------------


def next_lines(report: Report) -> Iterator[Line]:
    """The commands that help with the gravest finding that stands."""
    grave = [finding for finding in standing(report) if finding.severity is not Severity.NOTE]
    if not grave:
        return
    first = min(grave, key=lambda finding: finding.severity is not Severity.ERROR)
    commands = [f"tracer explain {first.rule}"]
    if first.problem.claim:
        commands.insert(0, f"tracer show {command_word(first.problem.claim)}")
    yield BLANK
    yield line(f"next: {', '.join(commands)}", hang=6)
