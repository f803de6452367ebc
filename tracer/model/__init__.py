"""The nouns of the ledger, of the sources and of what an audit finds; all frozen, importing nothing of the rest.

They stand in modules of which each imports only those before it: `kinds`, `places`, `documents`, `problems`, `ledger`,
`evidence`, `reports`. Positions inside page text are 0-based and half-open; sheets, lines and columns are 1-based, as
people count them.
"""

from tracer.model.documents import Document, Folded, Heading, Page, Passage, Reading, Span, Unread
from tracer.model.evidence import Anchor, Computation, Evidence, Near, SearchTrace, TermHit, Trace
from tracer.model.kinds import NOTHING, Failure, Severity, Status, Tier, Verdict
from tracer.model.ledger import (
    SHORT,
    Citation,
    Claim,
    Ledger,
    Pipeline,
    Profile,
    Review,
    Revision,
    Search,
    Seen,
    Source,
    Stage,
)
from tracer.model.places import Place, Places
from tracer.model.problems import Finding, Problem
from tracer.model.reports import ClaimReport, Report

__all__ = [
    "NOTHING",
    "SHORT",
    "Anchor",
    "Citation",
    "Claim",
    "ClaimReport",
    "Computation",
    "Document",
    "Evidence",
    "Failure",
    "Finding",
    "Folded",
    "Heading",
    "Ledger",
    "Near",
    "Page",
    "Passage",
    "Pipeline",
    "Place",
    "Places",
    "Problem",
    "Profile",
    "Reading",
    "Report",
    "Review",
    "Revision",
    "Search",
    "SearchTrace",
    "Seen",
    "Severity",
    "Source",
    "Span",
    "Stage",
    "Status",
    "TermHit",
    "Tier",
    "Trace",
    "Unread",
    "Verdict",
]
