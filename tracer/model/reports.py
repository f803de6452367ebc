"""How an audit ends: the reports of the claims, and the report of the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass

from tracer.model.documents import Document, Unread
from tracer.model.evidence import Computation, SearchTrace, Trace
from tracer.model.kinds import Verdict
from tracer.model.ledger import Claim, Ledger
from tracer.model.problems import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReport:
    """How one claim ended, and how each of its citations did (in the order of `Claim.citations`)."""

    claim: Claim
    verdict: Verdict
    traces: tuple[Trace, ...]
    verdicts: tuple[Verdict, ...]
    searches: tuple[SearchTrace, ...] = ()
    computation: Computation | None = None
    is_disputed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """An audit's result: every selected claim and every finding, accepted ones included, in file order."""

    ledger: Ledger
    claims: tuple[ClaimReport, ...]
    findings: tuple[Finding, ...]
    documents: Mapping[str, Document | Unread]

    def count(self, verdict: Verdict) -> int:
        """How many claims ended so."""
        return sum(claim.verdict is verdict for claim in self.claims)
