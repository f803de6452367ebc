"""A Report to SARIF 2.1.0, the format of code scanning (OASIS, Static Analysis Results Interchange Format).

Paths are relative to the root of the repository and percent-encoded, so that the same ledger gives the same bytes on
any machine. A finding that its claim accepts is a suppressed result; what could not be checked is a note.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote, urlsplit

from tracer import rules
from tracer.comparing import fingerprints
from tracer.model import Finding, Passage, Place, Report, Severity
from tracer.reports import telling
from tracer.reports.json_ import Record, given, text
from tracer.wording import counted, flowing

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
MOST_RESULTS = 25_000
"""What GitHub takes of one run."""
GRAVITY = {severity: weight for weight, severity in enumerate(Severity)}
LINK_TEXT = re.compile(r"\[(?=[^\[\]]*\]\()")


def render(report: Report, *, folder: str = "") -> str:
    """One run; `folder` is the way from the root of the repository to the project, ended by `/`."""
    return text({"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run_record(report, folder)]})


def run_record(report: Report, folder: str) -> Record:
    """The tool, the results and what had to be left out of them."""
    kept = kept_findings(report.findings)
    names = fingerprints(report)
    left_out = len(report.findings) - len(kept)
    is_compared = any(finding.known for finding in report.findings)
    return {
        "tool": {"driver": driver_record()},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [{"executionSuccessful": True, **given(toolExecutionNotifications=notifications(left_out))}],
        "results": [
            {
                **result_record(report.findings[index], report, folder),
                "partialFingerprints": {"ruleAndClaim/v1": names[index]},
                **given(baselineState=baseline_state(report.findings[index]) if is_compared else None),
            }
            for index in kept
        ],
    }


def kept_findings(findings: Sequence[Finding]) -> list[int]:
    """The findings by their index, in order; where they are too many, the gravest of them."""
    gravest = sorted(range(len(findings)), key=lambda index: weight(findings[index]))
    return sorted(gravest[:MOST_RESULTS])


def weight(finding: Finding) -> tuple[bool, int]:
    """Findings that stand come first, then by severity."""
    return finding.accepted is not None or finding.known, GRAVITY[finding.severity]


def notifications(left_out: int) -> list[Record]:
    """What a reader of the results has to know."""
    if not left_out:
        return []
    words = f"{counted(left_out, 'finding')} of the least weight left out, for a run may hold {MOST_RESULTS:,} results"
    return [{"level": "warning", "message": {"text": words}}]


def baseline_state(finding: Finding) -> str:
    """Whether an earlier report has the finding."""
    return "unchanged" if finding.known else "new"


# --- rules ------------------------------------------------------------------------------------------------------


def driver_record() -> Record:
    """The program with all its rules."""
    from tracer import __version__

    return {
        "name": "tracer",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [rule_record(rules.load(name)) for name in rules.RULES],
    }


def rule_record(rule: rules.Rule) -> Record:
    """A rule with its documentation; the help is no message, so that its braces stay as they are."""
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": message(rule.documentation.partition("\n\nFlagged:")[0])},
        "help": {"text": rule.documentation, "markdown": rules.markdown(rule)},
        "defaultConfiguration": {"level": str(rule.severity)},
    }


# --- results ----------------------------------------------------------------------------------------------------


def result_record(finding: Finding, report: Report, folder: str) -> Record:
    """A finding at its line, with the places that it speaks of."""
    problem = finding.problem
    words = "\n".join((flowing(problem.message), *telling.remedies(problem)))
    where: Record = {"physicalLocation": line_record(problem.at, folder)}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rules.RULES.index(finding.rule),
        "level": str(finding.severity),
        "message": {"text": message(words)},
        "locations": [{**where, **given(logicalLocations=claim_records(problem.claim))}],
        **given(relatedLocations=related_records(finding, report, folder), suppressions=suppressions(finding)),
        **given(properties={"unchecks": True} if problem.unchecks else None),
    }


def message(words: str) -> str:
    """Words as the text of a message (§3.11.5, §3.11.6): no brace begins a placeholder, no bracket a link."""
    return LINK_TEXT.sub(r"\\[", words.replace("{", "{{").replace("}", "}}"))


def claim_records(claim: str | None) -> list[Record]:
    """The claim as what the line belongs to."""
    return [{"fullyQualifiedName": flowing(claim), "kind": "claim"}] if claim else []


def suppressions(finding: Finding) -> list[Record]:
    """The reason for which a claim keeps a finding."""
    if finding.accepted is None:
        return []
    return [{"kind": "inSource", "status": "accepted", "justification": flowing(finding.accepted)}]


def related_records(finding: Finding, report: Report, folder: str) -> list[Record]:
    """The passages of the sources, then the other lines of the ledger."""
    problem = finding.problem
    passages = (passage_record(passage, report, folder) for passage in problem.see)
    lines = (
        {"physicalLocation": line_record(place, folder), "message": {"text": "see also"}} for place in problem.related
    )
    return [{"id": number, **record} for number, record in enumerate((*passages, *lines), start=1)]


def passage_record(passage: Passage, report: Report, folder: str) -> Record:
    """A passage: its page and its words in the message, for no region of SARIF is a page of a PDF."""
    words = f"{telling.passage_place(passage, report)}: {telling.passage_text(passage)}"
    locations = list(source_locations(passage.source, report, folder))
    return {"message": {"text": message(words)}, **given(physicalLocation=locations[0] if locations else None)}


def source_locations(source_id: str, report: Report, folder: str) -> Iterator[Record]:
    """Where a source is: its file in the repository, then its address."""
    source = report.ledger.sources.get(source_id)
    if source and source.file and not source.file.startswith(("/", "..")):
        yield {"artifactLocation": file_record(source.file, folder)}
    if source and source.url and urlsplit(source.url).scheme in {"http", "https"}:
        yield {"artifactLocation": {"uri": quote(source.url, safe=":/?#[]@!$&'()*+,;=%")}}


def line_record(place: Place, folder: str) -> Mapping[str, object]:
    """A line of a ledger file."""
    region = {"startLine": place.line, "startColumn": place.column}
    return {"artifactLocation": file_record(place.path, folder), "region": region}


def file_record(path: str, folder: str) -> Record:
    """A file of the project as a relative reference (RFC 3986)."""
    return {"uri": quote(os.fsencode(folder + path)), "uriBaseId": ROOT}
