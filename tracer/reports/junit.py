"""A Report to JUnit XML: a suite per ledger file, a test case per claim; what is unchecked is skipped.

Text reaches the file on harmless lines and in ASCII: no control character, no noncharacter and no lone surrogate, which
XML 1.0 forbids, and no dependence on the encoding of a stream.
"""

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from tracer.model import ClaimReport, Finding, Place, Report, Severity, Verdict
from tracer.reports import telling
from tracer.wording import citations, flowing

OUTCOMES = ("failure", "error", "skipped")


def render(report: Report) -> str:
    """All suites under one root; the totals stand at each of them."""
    root = Element("testsuites", name="tracer")
    by_claim = grouped(finding for finding in report.findings if finding.problem.claim is not None)
    suites: dict[str, Element] = {}
    for finding in report.findings:
        if finding.problem.claim is None and finding.accepted is None:
            add_file_case(suite(root, suites, finding.problem.at.path), finding, report)
    for claim in report.claims:
        findings = by_claim.get(claim.claim.id, [])
        add_claim_case(suite(root, suites, claim.claim.places.path), claim, findings, report)
    for each in (*suites.values(), root):
        count(each)
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="us-ascii", xml_declaration=True)
    return f"{written.decode()}\n"


def grouped(findings: Iterator[Finding]) -> dict[str, list[Finding]]:
    """Findings by their claim."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.problem.claim or "", []).append(finding)
    return groups


def suite(root: Element, suites: dict[str, Element], path: str) -> Element:
    """The suite of a ledger file, made at its first case."""
    if path not in suites:
        suites[path] = SubElement(root, "testsuite", name=flowing(path))
    return suites[path]


def count(suite: Element) -> None:
    """Writes how many cases a suite has, and how they ended."""
    suite.set("tests", str(sum(1 for _ in suite.iter("testcase"))))
    for name, outcome in zip(("failures", "errors", "skipped"), OUTCOMES, strict=True):
        suite.set(name, str(sum(1 for _ in suite.iter(outcome))))
    suite.set("time", "0")


# --- cases ------------------------------------------------------------------------------------------------------


def add_case(suite: Element, name: str, group: str, at: Place) -> Element:
    """A case under its group, at the line to edit."""
    names = {"name": flowing(name), "classname": flowing(group)}
    return SubElement(suite, "testcase", names, file=flowing(at.path), line=str(at.line), time="0")


def add_claim_case(suite: Element, claim: ClaimReport, findings: Sequence[Finding], report: Report) -> None:
    """A claim: it fails by what stands against it, errs if its record is broken, and is skipped if unchecked."""
    record = claim.claim
    case = add_case(suite, record.id, (record.stage or record.places.path).replace("/", "."), record.places.of(""))
    grave = [finding for finding in findings if fails(finding)]
    if grave:
        add_outcome(case, "error" if record.broken else "failure", grave, report)
    elif claim.verdict is Verdict.UNCHECKED:
        SubElement(case, "skipped", message="; ".join(reasons(claim, findings)))
    elif claim.verdict is Verdict.FLAGGED and not any(finding.known for finding in findings):
        SubElement(case, "failure", message="flagged by what is said elsewhere in this report")
    others = [finding for finding in findings if not fails(finding)]
    if others:
        SubElement(case, "system-out").text = told(others, report)


def add_file_case(suite: Element, finding: Finding, report: Report) -> None:
    """What is wrong with a file or a source, and no claim's own."""
    at = finding.problem.at
    case = add_case(suite, f"{finding.rule} on line {at.line}, column {at.column}", at.path, at)
    if fails(finding):
        add_outcome(case, "error", [finding], report)
    elif finding.problem.unchecks:
        SubElement(case, "skipped", message=flowing(finding.problem.message))
    else:
        SubElement(case, "system-out").text = told([finding], report)


def fails(finding: Finding) -> bool:
    """Whether a finding fails its case."""
    return finding.accepted is None and not finding.known and finding.severity is not Severity.NOTE


def add_outcome(case: Element, outcome: str, findings: Sequence[Finding], report: Report) -> None:
    """Why a case did not pass: the first finding in short, all of them in full."""
    first = findings[0]
    SubElement(case, outcome, type=first.rule, message=f"{first.rule}: {flowing(first.problem.message)}").text = told(
        findings, report
    )


def told(findings: Sequence[Finding], report: Report) -> str:
    """Findings in words, each with its place."""
    return "\n".join("\n".join(lines(finding, report)) for finding in findings)


def lines(finding: Finding, report: Report) -> Iterator[str]:
    """A finding in words; one that fails nothing says why it does not."""
    first, *rest = telling.lines(finding, report)
    yield f"{flowing(str(finding.problem.at))}: {finding.severity}: {finding.rule}: {first}"
    yield from (f"  {line}" for line in rest)
    if finding.accepted is not None:
        yield f"  accepted: {flowing(finding.accepted)}"
    elif finding.known:
        yield "  known from the baseline"


def reasons(claim: ClaimReport, findings: Sequence[Finding]) -> Sequence[str]:
    """Why a claim is unchecked, each reason once."""
    found = [finding.problem.message for finding in findings if finding.problem.unchecks]
    traces = [each.trace for each in citations(claim) if each.trace and each.verdict is Verdict.UNCHECKED]
    told = [f"{trace.citation.source}: {trace.unchecked}" for trace in traces if trace.unchecked]
    searched = [f"{search.search.source}: {search.unchecked}" for search in claim.searches if search.unchecked]
    return tuple(dict.fromkeys(flowing(reason) for reason in (*found, *told, *searched))) or (
        "it could not be checked",
    )
