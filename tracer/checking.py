"""Evidence to a Report: every rule is asked, what claims accept is set apart, and each claim gets its verdict."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tracer.grounds import doubts
from tracer.model import (
    Claim,
    ClaimReport,
    Evidence,
    Failure,
    Finding,
    Ledger,
    Place,
    Places,
    Problem,
    Report,
    Severity,
)
from tracer.rules import RULES, Rule
from tracer.rules import load as load_rule
from tracer.settings import OFF
from tracer.spelling import did_you_mean
from tracer.verdicts import Ending, endings

NO_SEVERITIES: Mapping[str, str | None] = MappingProxyType({})
WEIGHTS = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}
ORDER = {name: position for position, name in enumerate(RULES)}


def check(
    evidence: Evidence,
    *,
    severities: Mapping[str, str | None] = NO_SEVERITIES,
    selected: Collection[str] | None = None,
    paths: Collection[str] = (),
) -> Report:
    """Ask all rules; report the claims whose ids are `selected` (all, if None) and what concerns them.

    `severities` gives rules another weight; `off`, or None, silences one. `paths` names ledger files whose own findings
    are wanted as well. A rule or severity that does not exist is a Failure.
    """
    rules = _rules(severities)
    findings = _findings(evidence, rules, severities)
    ends = endings(evidence, findings, unsettled=_unsettled(evidence.ledger))
    claims = evidence.ledger.claims
    kept = [index for index, claim in enumerate(claims) if selected is None or claim.id in selected]
    if selected is not None:
        scope = _scope(evidence.ledger, [claims[index] for index in kept], paths)
        findings = [finding for finding in findings if scope.holds(finding)]
    return Report(
        ledger=evidence.ledger,
        claims=tuple(_claim_report(evidence, index, ends[index]) for index in kept),
        findings=tuple(sorted(findings, key=_rank)),
        documents=evidence.documents,
    )


def _rules(severities: Mapping[str, str | None]) -> Sequence[Rule]:
    for name, level in severities.items():
        if name not in RULES:
            hint = did_you_mean(name, RULES) or "`tracer explain` lists all"
            raise Failure(f"the settings give a severity to {name}, which is no rule: {hint}")
        if level not in (None, OFF, *Severity):
            raise Failure(f"the settings give {name} the severity {level}: write error, warning, note or off")
    off = {name for name, level in severities.items() if level in (None, OFF)}
    return [load_rule(name) for name in RULES if name not in off]


def _findings(evidence: Evidence, rules: Sequence[Rule], severities: Mapping[str, str | None]) -> list[Finding]:
    """Every finding; rules that look at the findings of others are asked last, in their order."""
    accepted = _accepted(evidence.ledger)
    found: list[Finding] = []
    for rule in rules:
        if rule.check is not None:
            found.extend(_named(rule, rule.check(evidence), severities, accepted))
    for rule in rules:
        if rule.follow is not None:
            found.extend(_named(rule, rule.follow(evidence, tuple(found)), severities, accepted))
    return found


def _accepted(ledger: Ledger) -> Mapping[tuple[str, str], str]:
    """The reasons by claim and rule; a blank one accepts nothing."""
    return {
        (claim.id, rule): reason
        for claim in ledger.claims
        for rule, reason in claim.accept.items()
        if reason.strip() and not claim.broken
    }


def _named(
    rule: Rule,
    problems: Iterable[Problem],
    severities: Mapping[str, str | None],
    accepted: Mapping[tuple[str, str], str],
) -> Iterator[Finding]:
    level = severities.get(rule.name)
    for problem in problems:
        reason = None if problem.claim is None else accepted.get((problem.claim, rule.name))
        yield Finding(rule=rule.name, severity=_weight(rule, problem, level), problem=problem, accepted=reason)


def _weight(rule: Rule, problem: Problem, level: str | None) -> Severity:
    """The severity of a finding: the problem's own before the rule's; no setting makes a lighter problem heavier."""
    own = problem.severity or rule.severity
    if level is None:
        return own
    if problem.severity is None:
        return Severity(level)
    return min(Severity(level), own, key=WEIGHTS.__getitem__)


def _unsettled(ledger: Ledger) -> Collection[str]:
    """The claims that rest on one whose record is broken: they get no finding of it, and no clean verdict either."""
    broken = [claim.id for claim in ledger.claims if claim.broken or claim.status is None]
    return doubts(ledger.claims, broken).steps if broken else ()


def _claim_report(evidence: Evidence, index: int, ending: Ending) -> ClaimReport:
    claim, traces = evidence.ledger.claims[index], evidence.traces.get(index, ())
    return ClaimReport(
        claim=claim,
        verdict=ending.verdict,
        traces=traces,
        verdicts=ending.citations,
        searches=evidence.searches.get(index, ()),
        computation=evidence.computations.get(index),
        is_disputed=any(trace.citation.role == "disputes" and trace.anchors for trace in traces),
    )


def _rank(finding: Finding) -> tuple[bool, int, str, int, int, int, str]:
    """What concerns files and sources first, by rule; then the claims in the order of the files."""
    problem, at = finding.problem, finding.problem.at
    is_of_claim = problem.claim is not None
    rule = ORDER[finding.rule]
    return is_of_claim, 0 if is_of_claim else rule, at.path, at.line, at.column, rule, problem.message


# --- selection --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope:
    """What a selection of claims concerns: their ids, the records that they name, and their files."""

    claims: Collection[str]
    paths: Collection[str]
    named: Collection[Place]
    others: Collection[Place]

    def holds(self, finding: Finding) -> bool:
        """Whether a finding is about the selection."""
        problem = finding.problem
        if problem.claim is not None:
            return problem.claim in self.claims
        if problem.at in self.named:
            return True
        return problem.at.path in self.paths and problem.at not in self.others


def _scope(ledger: Ledger, claims: Sequence[Claim], paths: Collection[str]) -> _Scope:
    names = _named_records(claims)
    records = [
        *((record.places, record.id in names) for record in ledger.sources.values()),
        *((record.places, record.id in names) for record in ledger.pipelines.values()),
    ]
    wanted = set(paths) | {claim.places.path for claim in claims}
    files = wanted | {places.path for places, is_named in records if is_named}
    return _Scope(
        claims={claim.id for claim in claims},
        paths=files,
        named={place for places, is_named in records if is_named for place in _positions(places)},
        others={
            place
            for places, is_named in records
            if not is_named and places.path not in wanted
            for place in _positions(places)
        },
    )


def _named_records(claims: Iterable[Claim]) -> Collection[str]:
    """The sources and pipelines that claims name."""
    return {
        name
        for claim in claims
        for name in (
            *(citation.source for citation in claim.citations),
            *(search.source for search in claim.searched),
            (claim.stage or "").partition("/")[0],
        )
    }


def _positions(places: Places) -> Iterator[Place]:
    for line, column in places.positions.values():
        yield Place(path=places.path, line=line, column=column)
