"""Evidence and findings to verdicts: of every claim, and of each of its citations.

What a finding says decides a claim, what the trace says decides a citation; and a claim whose citation does not stand
is not verified even where the rule that would say so is switched off. An accepted finding lets its claim pass, never
its citation.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tracer.model import Citation, Claim, Document, Evidence, Finding, Severity, Status, Trace, Verdict

FLAGGING = (Severity.ERROR, Severity.WARNING)

FORMULA_RULES = frozenset(("formula-wrong", "formula-cycle", "unit-wrong", "claim-unsourced"))
"""Rules whose acceptance lets a value stand that its formula does not give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a claim and its citations end."""

    verdict: Verdict
    citations: tuple[Verdict, ...]


def by_claim(findings: Iterable[Finding]) -> Mapping[str, list[Finding]]:
    """The findings of each claim, by its id."""
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.problem.claim is not None:
            found.setdefault(finding.problem.claim, []).append(finding)
    return found


def flags(finding: Finding) -> bool:
    """Whether a finding flags its claim."""
    return is_fault(finding) and finding.accepted is None


def is_fault(finding: Finding) -> bool:
    """Whether a finding says that something is wrong, accepted or not."""
    return finding.severity in FLAGGING and not finding.problem.unchecks


def endings(evidence: Evidence, findings: Iterable[Finding], *, unsettled: Collection[str] = ()) -> tuple[Ending, ...]:
    """The end of every claim, in the ledger's order; `unsettled` rest on what cannot be asked."""
    found = by_claim(findings)
    return tuple(
        _ending(evidence, index, claim, found.get(claim.id, ()), claim.id in unsettled)
        for index, claim in enumerate(evidence.ledger.claims)
    )


def _ending(evidence: Evidence, index: int, claim: Claim, findings: Sequence[Finding], is_unsettled: bool) -> Ending:
    faults = [finding for finding in findings if is_fault(finding)]
    citations = tuple(
        _citation(evidence, trace, [it for it in faults if _concerns(it, claim, citation)])
        for citation, trace in _followed(claim, evidence.traces.get(index, ()))
    )
    return Ending(verdict=_claim(evidence, index, claim, findings, citations, is_unsettled), citations=citations)


def _claim(
    evidence: Evidence,
    index: int,
    claim: Claim,
    findings: Sequence[Finding],
    citations: Sequence[Verdict],
    is_unsettled: bool,
) -> Verdict:
    if claim.broken or claim.status is None or any(map(flags, findings)):
        return Verdict.FLAGGED
    if is_unsettled or any(finding.problem.unchecks for finding in findings):
        return Verdict.UNCHECKED
    accepted = [finding for finding in findings if finding.accepted is not None]
    if not all(map(_stands, citations, _accepted_faults(accepted, claim))):
        return Verdict.UNCHECKED
    return Verdict.VERIFIED if _is_answered(evidence, index, claim, accepted) else Verdict.UNCHECKED


def _accepted_faults(accepted: Sequence[Finding], claim: Claim) -> list[bool]:
    """For each citation, whether a fault of it is accepted."""
    return [any(_concerns(it, claim, citation) for it in accepted) for citation in claim.citations]


def _stands(verdict: Verdict, is_accepted: bool) -> bool:
    return verdict is Verdict.VERIFIED or (verdict is Verdict.FLAGGED and is_accepted)


def _is_answered(evidence: Evidence, index: int, claim: Claim, accepted: Sequence[Finding]) -> bool:
    """Whether what its status asks for beside citations was done: a formula computed, a search repeated."""
    rules = {finding.rule for finding in accepted}
    if claim.status is Status.DERIVED:
        computation = evidence.computations.get(index)
        return bool(rules & FORMULA_RULES) or (computation is not None and computation.agrees is True)
    if claim.status is Status.NOT_STATED:
        searches = evidence.searches.get(index, ())
        is_read = all(it.unchecked is None and not it.unread_pages for it in searches)
        is_pinned = all(_is_pinned(evidence, search.source) for search in claim.searched)
        return is_read and is_pinned and ("search-missing" in rules or len(searches) == len(claim.searched) > 0)
    return True


def _followed(claim: Claim, traces: Sequence[Trace]) -> list[tuple[Citation, Trace | None]]:
    by_path = {trace.citation.at_path: trace for trace in traces}
    return [(citation, by_path.get(citation.at_path)) for citation in claim.citations]


def _citation(evidence: Evidence, trace: Trace | None, faults: Sequence[Finding]) -> Verdict:
    if faults:
        return Verdict.FLAGGED
    if trace is None or trace.unchecked is not None:
        return Verdict.UNCHECKED
    if not _is_there(trace):
        return Verdict.FLAGGED
    is_told = trace.section_unread is None and _is_pinned(evidence, trace.citation.source)
    return Verdict.VERIFIED if is_told else Verdict.UNCHECKED


def _is_there(trace: Trace) -> bool:
    if trace.citation.at and not trace.citation.quote:
        return trace.value_found is not None
    return trace.is_decided


def _is_pinned(evidence: Evidence, name: str) -> bool:
    """Whether the bytes that were read are those that the ledger pins."""
    source, read = evidence.ledger.sources.get(name), evidence.documents.get(name)
    if source is None or not source.sha256 or not isinstance(read, Document):
        return False
    return not read.sha256 or read.sha256 == source.sha256.lower()


def _concerns(finding: Finding, claim: Claim, citation: Citation) -> bool:
    """Whether a finding stands at a citation or at one of its fields."""
    at, places = finding.problem.at, claim.places
    if at.path != places.path:
        return False
    fields = ("", ".source", ".section", ".page", ".sheet", ".at", ".lines", ".quote", ".because")
    return any(places.positions.get(citation.at_path + field) == (at.line, at.column) for field in fields)
