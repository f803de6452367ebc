"""Small reports for the tests of the report formats: one claim `k.one` in `claims/one.yaml`, one source `rep`."""

from collections.abc import Mapping, Sequence

from tracer.model import (
    Anchor,
    Citation,
    Claim,
    ClaimReport,
    Document,
    Finding,
    Ledger,
    Page,
    Passage,
    Place,
    Places,
    Problem,
    Report,
    Severity,
    Source,
    Span,
    Status,
    Tier,
    Trace,
    Unread,
    Verdict,
)

TEXT = "We distil. The corresponding teacher model is one among the nine experts. Then we stop."


def places(path: str = "claims/one.yaml") -> Places:
    return Places(path=path, positions={"": (2, 5), "id": (2, 9), "cite.0": (4, 9), "cite.0.quote": (4, 40)})


def citation(quote: str = "one among the nine experts", *, role: str = "cite", page: str | None = "13") -> Citation:
    return Citation(source="rep", section="4.1.3", page=page, quote=quote, role=role, at_path="cite.0")


def document(*texts: str, kind: str = "pdf", first_label: int = 13) -> Document:
    pages = [
        Page(sheet=number, label=str(first_label + number - 1), text=text) for number, text in enumerate(texts, start=1)
    ]
    return Document(kind=kind, sha256="0" * 64, pages=tuple(pages))


def traced(cited: Citation, *, anchors: Sequence[Anchor] = (), unchecked: str | None = None) -> Trace:
    return Trace(claim=plain_claim("k.one"), citation=cited, anchors=tuple(anchors), unchecked=unchecked)


def anchor(quote: str = "one among the nine experts", *, text: str = TEXT) -> Anchor:
    start = text.index(quote)
    return Anchor(spans=(Span(sheet=1, start=start, end=start + len(quote)),), tier=Tier.EXACT, page="13")


def plain_claim(claim_id: str, status: Status | None = Status.STATED, **fields: object) -> Claim:
    return Claim(id=claim_id, status=status, places=places(), **fields)  # type: ignore[arg-type] -- fields of the test


def claim(
    claim_id: str,
    verdict: Verdict,
    *,
    status: Status | None = Status.STATED,
    traces: Sequence[Trace] = (),
    is_disputed: bool = False,
    **fields: object,
) -> ClaimReport:
    cite = tuple(trace.citation for trace in traces)
    return ClaimReport(
        claim=plain_claim(claim_id, status, cite=cite, **fields),
        verdict=verdict,
        traces=tuple(traces),
        verdicts=(verdict,) * len(traces),
        is_disputed=is_disputed,
    )


def finding(
    *,
    rule: str = "page-wrong",
    severity: Severity = Severity.ERROR,
    message: str = "the quote is on page 14",
    hint: str | None = None,
    path: str = "claims/one.yaml",
    line: int = 4,
    column: int = 7,
    claim: str | None = "k.one",
    see: tuple[Passage, ...] = (),
    accepted: str | None = None,
    unchecks: bool = False,
) -> Finding:
    at = Place(path=path, line=line, column=column)
    problem = Problem(message=message, at=at, claim=claim, hint=hint, see=see, unchecks=unchecks)
    return Finding(rule=rule, severity=severity, problem=problem, accepted=accepted)


def report(
    *,
    claims: Sequence[ClaimReport] | None = None,
    findings: Sequence[Finding] = (),
    documents: Mapping[str, Document | Unread] | None = None,
    url: str | None = "https://example.invalid/rep.pdf",
) -> Report:
    listed = (claim("k.one", Verdict.VERIFIED),) if claims is None else tuple(claims)
    source = Source(id="rep", url=url, sha256="0" * 64, places=places("claims/sources.yaml"))
    ledger = Ledger(
        root="claims", sources={"rep": source}, pipelines={}, profiles={}, claims=tuple(each.claim for each in listed)
    )
    return Report(ledger=ledger, claims=listed, findings=tuple(findings), documents=documents or {})


def unread_report(*, citations: int, url: str | None = "https://example.invalid/rep.pdf") -> Report:
    absent = Unread(kind="absent", reason="not on disk")
    traces = [traced(citation(), unchecked="not on disk") for _ in range(citations)]
    unchecked = claim("k.one", Verdict.UNCHECKED, traces=traces)
    return report(claims=[unchecked], documents={"rep": absent}, url=url)
