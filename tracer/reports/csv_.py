"""A Report to a table for spreadsheets, a row per claim; and such a table back to the text that was written.

No cell is a formula: text that a spreadsheet would compute begins with an apostrophe, which `read` takes off again.
Characters that a file or a terminal cannot take are written out as `<U+001B>`.
"""

import csv
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from tracer.model import Claim, ClaimReport, Finding, Place, Report
from tracer.wording import Followed, citation_words, citations, visible

COLUMNS = (
    "claim",
    "stage",
    "field",
    "status",
    "verdict",
    "text",
    "value",
    "unit",
    "citations",
    "findings",
    "accepted",
    "file",
    "line",
)
COMPUTED = re.compile("[=+\\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
WRITTEN = "\t\r\n"
APOSTROPHE = "'"
LINE_END = "\r\n"
"""As RFC 4180 has it; the writer puts quotes around a cell with either half of it."""

Row = Mapping[str, str]


def render(report: Report) -> str:
    """A row per claim; findings of files and sources, which are no claim's own, follow in rows without a claim."""
    paper = StringIO()
    writer = csv.DictWriter(paper, COLUMNS, restval="", lineterminator=LINE_END)
    writer.writeheader()
    for row in rows(report):
        writer.writerow({column: safe(shown(text)) for column, text in row.items()})
    return paper.getvalue()


def read(table: str) -> tuple[Row, ...]:
    """The rows of a table that `render` made, with the text as it was before it was made safe."""
    reader = csv.DictReader(StringIO(table, newline=""))
    return tuple({column: plain(text) for column, text in row.items()} for row in reader)


# --- cells ------------------------------------------------------------------------------------------------------


def safe(text: str) -> str:
    """Text that no spreadsheet computes; a plain number such as -5 stays one."""
    return APOSTROPHE + text if is_computed(text) else text


def plain(cell: str) -> str:
    """The text that a safe cell was made of."""
    return cell[1:] if cell.startswith(APOSTROPHE) and is_computed(cell[1:]) else cell


def is_computed(text: str) -> bool:
    """Whether text would be a formula; apostrophes before one are looked through, so that each can be taken off."""
    bare = text.lstrip(APOSTROPHE)
    return COMPUTED.match(bare) is not None and not NUMBER.fullmatch(bare)


def shown(text: str) -> str:
    """Text with what neither a file nor a terminal should take written out."""
    return "".join(visible(letter) if is_hidden(letter) else letter for letter in text)


def is_hidden(letter: str) -> bool:
    """Whether a character is a control character other than white space, or half of one."""
    return letter not in WRITTEN and unicodedata.category(letter) in ("Cc", "Cs")


# --- rows -------------------------------------------------------------------------------------------------------


def rows(report: Report) -> Iterator[Row]:
    """Claims in the order of the report, then what is no claim's own."""
    findings: dict[str | None, list[Finding]] = {}
    for finding in report.findings:
        findings.setdefault(finding.problem.claim, []).append(finding)
    for claim in report.claims:
        yield claim_row(claim, findings.get(claim.claim.id, ()))
    for finding in findings.get(None, ()):
        yield {**finding_cells([finding]), **place_cells(finding.problem.at)}


def claim_row(report: ClaimReport, findings: Sequence[Finding]) -> Row:
    """A claim as written, how it and its citations ended, and what was found."""
    return {
        **written_cells(report.claim),
        "verdict": str(report.verdict),
        "citations": "\n".join(map(citation_line, citations(report))),
        **finding_cells(findings),
        **place_cells(report.claim.places.of("")),
    }


def written_cells(claim: Claim) -> Row:
    """What the ledger says."""
    return {
        "claim": claim.id,
        "stage": claim.stage or "",
        "field": claim.field or "",
        "status": str(claim.status or ""),
        "text": claim.text or "",
        "value": claim.value or "",
        "unit": claim.unit or "",
    }


def citation_line(followed: Followed) -> str:
    """A citation in a line: how it ended, where it points, what it quotes."""
    citation = followed.citation
    role = "" if citation.role == "cite" else f" ({citation.role})"
    quote = f": “{' '.join(citation.quote.split())}”" if citation.quote else ""
    return f"{followed.verdict}{role}: {citation_words(citation)}{quote}"


def finding_cells(findings: Sequence[Finding]) -> Row:
    """Findings that stand, and those that are accepted, a line for each."""
    return {
        "findings": "\n".join(finding_line(finding) for finding in findings if finding.accepted is None),
        "accepted": "\n".join(finding_line(finding) for finding in findings if finding.accepted is not None),
    }


def finding_line(finding: Finding) -> str:
    """A finding in a line."""
    reason = f" (accepted: {finding.accepted})" if finding.accepted else " (known)" if finding.known else ""
    return " ".join(f"{finding.severity}: {finding.rule}: {finding.problem.message}{reason}".split())


def place_cells(place: Place) -> Row:
    """Where to edit."""
    return {"file": place.path, "line": str(place.line)}
