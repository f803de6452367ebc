"""A report and an earlier one to the findings that are new, those that are known, and those that are gone.

A finding is known again by its fingerprint: its rule, its claim, and the field and the citation that it speaks of. Its
words and its line are left out, so that it stays the same when lines move or a message is put better.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tracer.model import Claim, Failure, Finding, Ledger, Place, Places, Report, Severity

SCHEMA = 1
DIGITS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A finding of an earlier report: what is needed to speak of it."""

    rule: str
    claim: str | None
    path: str

    def __str__(self) -> str:
        return f"{self.rule} of {self.claim or self.path}"


Baseline = Mapping[str, Known]
"""The errors and warnings of an earlier report by their fingerprint; what was accepted or only noted is none of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A report whose findings say whether they are known, and what an earlier one had and this one has not."""

    report: Report
    gone: tuple[Known, ...]


def compared(report: Report, baseline: Baseline, *, is_whole: bool = True) -> Comparison:
    """The report held against an earlier one; if it `is_whole`, findings of claims that it has not are gone, too."""
    names = fingerprints(report)
    findings = tuple(
        replace(finding, known=weighs(finding) and name in baseline)
        for name, finding in zip(names, report.findings, strict=True)
    )
    claims = {claim.claim.id for claim in report.claims}
    present = set(names)
    missing = (known for name, known in baseline.items() if name not in present)
    gone = tuple(known for known in missing if is_whole or known.claim in claims)
    return Comparison(report=replace(report, findings=findings), gone=gone)


def weighs(finding: Finding) -> bool:
    """Whether a finding fails a run."""
    return finding.accepted is None and finding.severity is not Severity.NOTE


# --- an earlier report ------------------------------------------------------------------------------------------


def read(text: str, name: str) -> Baseline:
    """The baseline that a JSON report holds; anything else in the file `name` is a Failure."""
    try:
        report = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{name} is no JSON: write it anew with --write-baseline {name}") from error
    findings = report.get("findings") if isinstance(report, dict) and report.get("schema") == SCHEMA else None
    if not isinstance(findings, list):
        raise Failure(f"{name} is no report of `tracer audit`: write it anew with --write-baseline {name}")
    return dict(_known(findings, name))


def _known(findings: Sequence[object], name: str) -> Iterator[tuple[str, Known]]:
    for number, finding in enumerate(findings, start=1):
        record = finding if isinstance(finding, dict) else {}
        at = record.get("at")
        path = at.get("path") if isinstance(at, dict) else None
        fingerprint, rule, claim = record.get("fingerprint"), record.get("rule"), record.get("claim")
        is_named = isinstance(fingerprint, str) and isinstance(rule, str) and isinstance(path, str)
        if not is_named or not isinstance(claim, str | None):
            raise Failure(
                f"finding {number} of {name} lacks its fingerprint: write it anew with --write-baseline {name}"
            )
        if record.get("accepted") is None and record.get("severity") != Severity.NOTE:
            yield str(fingerprint), Known(rule=str(rule), claim=claim, path=str(path))


# --- fingerprints -----------------------------------------------------------------------------------------------


def fingerprints(report: Report) -> tuple[str, ...]:
    """The fingerprint of each finding, in their order; no two of a report are equal."""
    subjects = _Subjects(report.ledger)
    alike: Counter[tuple[str, ...]] = Counter()
    made = []
    for finding in report.findings:
        key = (finding.rule, *subjects.of(finding))
        alike[key] += 1
        made.append(_digest((*key, str(alike[key]))))
    return tuple(made)


def _digest(parts: Sequence[str]) -> str:
    text = json.dumps(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


class _Subjects:
    """What findings speak of, told by the places of a ledger's records."""

    def __init__(self, ledger: Ledger) -> None:
        self.claims: dict[str, list[Claim]] = {}
        for claim in ledger.claims:
            self.claims.setdefault(claim.id, []).append(claim)
        self.records = {
            Place(path=places.path, line=line, column=column): (name, field)
            for name, places in _named_records(ledger)
            for field, (line, column) in sorted(places.positions.items(), key=lambda item: len(item[0]))
        }

    def of(self, finding: Finding) -> tuple[str, ...]:
        """The claim with the field and the citation; else the source or pipeline with the field; else the file."""
        problem = finding.problem
        if problem.claim is None:
            return self.records.get(problem.at, (problem.at.path, ""))
        for claim in self.claims.get(problem.claim, ()):
            field = _field(claim.places, problem.at)
            if field is not None:
                return ("claim", claim.id, *_detail(claim, field))
        return ("claim", problem.claim)


def _named_records(ledger: Ledger) -> Iterator[tuple[str, Places]]:
    """The sources and pipelines; a revision of a source is written where the source is."""
    for source in ledger.sources.values():
        yield f"source {source.revision_of or source.id}", source.places
    for pipeline in ledger.pipelines.values():
        yield f"pipeline {pipeline.id}", pipeline.places


def _field(places: Places, at: Place) -> str | None:
    """The field that is written at a place; of two that begin there, the inner one."""
    if places.path != at.path:
        return None
    here = (at.line, at.column)
    return max((field for field, position in places.positions.items() if position == here), key=len, default=None)


def _detail(claim: Claim, field: str) -> tuple[str, ...]:
    """The field without its number in a list, and what is cited or searched there, which says which one it is."""
    kind = ".".join(part for part in field.split(".") if not part.isdigit())
    for citation in claim.citations:
        if _is_within(field, citation.at_path):
            return kind, citation.source, " ".join((citation.quote or "").split())
    for search in claim.searched:
        if _is_within(field, search.at_path):
            return kind, search.source
    return (kind,)


def _is_within(field: str, record: str) -> bool:
    return field == record or field.startswith(f"{record}.")
