"""Evidence and findings to verdicts: of every claim, and of each of its citations.

What a finding says decides a claim, what the trace says decides a citation. A claim whose citation does not stand is
not verified even where the rule that would say so is switched off; an accepted finding lets its claim pass, never its
citation.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tracer.model import Citation, Claim, Document, Evidence, Finding, Severity, Status, Trace, Verdict

FLAGGING = (Severity.ERROR, Severity.WARNING)

FORMULA_RULES = frozenset(("formula-wrong", "formula-cycle", "unit-wrong", "claim-unsourced"))
"""Rules whose acceptance lets a value stand that its formula does not give."""

CITATION_FIELDS = ("", ".source", ".section", ".page", ".sheet", ".at", ".lines", ".quote", ".because")


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
    return _is_fault(finding) and finding.accepted is None


def _is_fault(finding: Finding) -> bool:
    """Whether a finding says that something is wrong, accepted or not."""
    return finding.severity in FLAGGING and not finding.problem.unchecks


def endings(evidence: Evidence, findings: Iterable[Finding], *, unsettled: Collection[str] = ()) -> tuple[Ending, ...]:
    """The end of every claim, in the ledger's order; `unsettled` rest on what cannot be asked."""
    found = by_claim(findings)
    return tuple(
        _ending(evidence, index, claim, found.get(claim.id, ()), is_unsettled=claim.id in unsettled)
        for index, claim in enumerate(evidence.ledger.claims)
    )


def _ending(evidence: Evidence, index: int, claim: Claim, found: Sequence[Finding], *, is_unsettled: bool) -> Ending:
    citations = _citations(evidence, index, claim, [finding for finding in found if _is_fault(finding)])
    if claim.broken or claim.status is None or any(map(flags, found)):
        return Ending(verdict=Verdict.FLAGGED, citations=citations)
    accepted = [finding for finding in found if finding.accepted is not None]
    is_checked = (
        not is_unsettled
        and not any(finding.problem.unchecks for finding in found)
        and _all_stand(claim, citations, accepted)
        and _is_answered(evidence, index, claim, {finding.rule for finding in accepted})
    )
    return Ending(verdict=Verdict.VERIFIED if is_checked else Verdict.UNCHECKED, citations=citations)


# --- citations --------------------------------------------------------------------------------------------------


def _citations(evidence: Evidence, index: int, claim: Claim, faults: Sequence[Finding]) -> tuple[Verdict, ...]:
    traces = {trace.citation.at_path: trace for trace in evidence.traces.get(index, ())}
    return tuple(
        Verdict.FLAGGED
        if any(_concerns(finding, claim, citation) for finding in faults)
        else _traced(evidence, traces.get(citation.at_path))
        for citation in claim.citations
    )


def _concerns(finding: Finding, claim: Claim, citation: Citation) -> bool:
    """Whether a finding stands at a citation or at one of its fields."""
    at, places = finding.problem.at, claim.places
    spots = (places.positions.get(citation.at_path + field) for field in CITATION_FIELDS)
    return at.path == places.path and (at.line, at.column) in spots


def _traced(evidence: Evidence, trace: Trace | None) -> Verdict:
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
    return read.sha256 == source.sha256.lower()


# --- claims -----------------------------------------------------------------------------------------------------


def _all_stand(claim: Claim, verdicts: Sequence[Verdict], accepted: Sequence[Finding]) -> bool:
    """Whether every citation is verified, or has a fault that the claim accepts."""
    return all(
        verdict is Verdict.VERIFIED
        or (verdict is Verdict.FLAGGED and any(_concerns(finding, claim, citation) for finding in accepted))
        for citation, verdict in zip(claim.citations, verdicts, strict=True)
    )


def _is_answered(evidence: Evidence, index: int, claim: Claim, accepted: Collection[str]) -> bool:
    """Whether what a status asks for beside citations was done: the formula computed, the searches repeated."""
    if claim.status is Status.DERIVED:
        computation = evidence.computations.get(index)
        is_right = computation is not None and computation.agrees is True
        return is_right or not FORMULA_RULES.isdisjoint(accepted)
    if claim.status is Status.NOT_STATED:
        return _is_searched(evidence, index, claim) or (not claim.searched and "search-missing" in accepted)
    return True


def _is_searched(evidence: Evidence, index: int, claim: Claim) -> bool:
    """Whether every search was done again on all pages of a pinned source."""
    searches = evidence.searches.get(index, ())
    is_whole = all(search.unchecked is None and not search.unread_pages for search in searches)
    is_pinned = all(_is_pinned(evidence, search.source) for search in claim.searched)
    return len(searches) == len(claim.searched) > 0 and is_whole and is_pinned
