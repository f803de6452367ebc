"""Evidence to a Report: verdicts, severities, accepted findings, doubts, order and selection.

The evidence is written by hand here, so that each test says exactly what the sources gave.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from tracer.checking import check
from tracer.model import (
    Anchor,
    Citation,
    Claim,
    Computation,
    Document,
    Evidence,
    Failure,
    Heading,
    Ledger,
    Page,
    Pipeline,
    Places,
    Problem,
    Report,
    Search,
    SearchTrace,
    Severity,
    Source,
    Span,
    Status,
    Tier,
    Trace,
    Unread,
    Verdict,
)

PIN = "ab" * 32
QUOTE = "a total of nine expert models"
TWO = Heading(number="2", title="Experts", level=1, sheet=2, start=0)
ANCHOR = Anchor(spans=(Span(sheet=2, start=10, end=40),), tier=Tier.EXACT, page="2", section=TWO)
DOCUMENT = Document(
    kind="pdf",
    sha256=PIN,
    pages=tuple(Page(sheet=sheet, label=str(sheet), text="") for sheet in (1, 2, 3)),
    headings=(TWO,),
)


def places(line: int, *fields: str, path: str = "claims/a.yaml") -> Places:
    """Each field on a line of its own below the record's."""
    positions = {"": (line, 5), "id": (line, 9)}
    positions.update({field: (line + row, 9) for row, field in enumerate(fields, start=1)})
    return Places(path=path, positions=positions)


FIELDS = ("value", "cite.0", "cite.0.page", "cite.0.section", "cite.0.quote", "accept.page-wrong", "inputs.x")


def stated(name: str, *, line: int = 1, path: str = "claims/a.yaml", accept: Mapping[str, str] | None = None) -> Claim:
    return Claim(
        id=name,
        text="There are nine experts.",
        status=Status.STATED,
        cite=(Citation(source="report", page="2", section="2", quote=QUOTE),),
        accept=accept or {},
        places=places(line, *FIELDS, path=path),
    )


def resting(name: str, *grounds: str, line: int = 1, accept: Mapping[str, str] | None = None) -> Claim:
    return Claim(
        id=name,
        status=Status.CONCLUDED,
        because="It follows.",
        leans_on=grounds,
        accept=accept or {},
        places=places(line, *(f"leans-on.{position}" for position in range(len(grounds)))),
    )


def good(claim: Claim) -> Trace:
    return Trace(claim=claim, citation=claim.cite[0], anchors=(ANCHOR,), page_agrees=True, section_agrees=True)


def misplaced(claim: Claim) -> Trace:
    return replace(good(claim), page_agrees=False)


def source(name: str = "report", *, pin: str | None = PIN, line: int = 1) -> Source:
    return Source(id=name, sha256=pin, places=places(line, "sha256", path="claims/sources.yaml"))


def evidence(
    traces: Iterable[Trace],
    *,
    also: Iterable[Claim] = (),
    sources: Iterable[Source] = (source(),),
    documents: Mapping[str, Document | Unread] | None = None,
    problems: tuple[Problem, ...] = (),
) -> Evidence:
    """What was found for claims with one citation each, and claims that cite nothing after them."""
    found = tuple(traces)
    ledger = Ledger(
        root="claims",
        sources={it.id: it for it in sources},
        pipelines={},
        profiles={},
        claims=(*(trace.claim for trace in found), *also),
        problems=problems,
    )
    return Evidence(
        ledger=ledger,
        documents={"report": DOCUMENT} if documents is None else documents,
        traces={index: (trace,) for index, trace in enumerate(found)},
        searches={},
        computations={},
    )


def said(report: Report) -> list[tuple[str, str | None]]:
    return [(finding.rule, finding.problem.claim) for finding in report.findings]


def verdicts(report: Report) -> dict[str, Verdict]:
    return {claim.claim.id: claim.verdict for claim in report.claims}


# --- verdicts ----------------------------------------------------------------------------------------------------


def test_a_quote_on_its_page_and_in_its_section_is_verified() -> None:
    report = check(evidence([good(stated("a"))]))
    assert report.findings == ()
    assert report.claims[0].verdict is Verdict.VERIFIED
    assert report.claims[0].verdicts == (Verdict.VERIFIED,)


def test_a_wrong_page_flags_the_claim_and_its_citation() -> None:
    report = check(evidence([misplaced(stated("a")), good(stated("b", line=20))]))
    assert said(report) == [("page-wrong", "a")]
    assert verdicts(report) == {"a": Verdict.FLAGGED, "b": Verdict.VERIFIED}
    assert report.claims[0].verdicts == (Verdict.FLAGGED,)


def test_only_the_citation_with_the_fault_is_flagged() -> None:
    claim = stated("a")
    second = Citation(source="report", page="2", section="2", quote=QUOTE, at_path="cite.1")
    claim = replace(claim, cite=(claim.cite[0], second), places=places(1, *FIELDS, "cite.1", "cite.1.page"))
    traces = (misplaced(claim), replace(good(claim), citation=second))
    given = evidence([], also=[claim])
    report = check(replace(given, traces={0: traces}))
    assert report.claims[0].verdicts == (Verdict.FLAGGED, Verdict.VERIFIED)


def test_an_unread_source_leaves_its_claims_unchecked_without_a_finding_of_theirs() -> None:
    claims = [stated("a"), stated("b", line=20)]
    traces = [Trace(claim=claim, citation=claim.cite[0], unchecked="not on disk") for claim in claims]
    report = check(evidence(traces, documents={"report": Unread(kind="absent", reason="it is not on disk")}))
    assert said(report) == [("source-unread", None)]
    assert set(verdicts(report).values()) == {Verdict.UNCHECKED}


def test_nothing_in_a_changed_file_is_verified_and_what_is_gone_is_flagged() -> None:
    kept, gone = stated("kept"), stated("gone", line=20)
    traces = [good(kept), Trace(claim=gone, citation=gone.cite[0])]
    report = check(evidence(traces, documents={"report": replace(DOCUMENT, sha256="cd" * 32)}))
    assert said(report) == [("source-changed", None), ("quote-missing", "gone")]
    assert verdicts(report) == {"kept": Verdict.UNCHECKED, "gone": Verdict.FLAGGED}


def test_nothing_in_an_unpinned_source_is_verified() -> None:
    report = check(evidence([good(stated("a"))], sources=[source(pin=None)]))
    assert said(report) == [("source-unpinned", None)]
    assert verdicts(report) == {"a": Verdict.UNCHECKED}


def test_a_section_that_cannot_be_told_is_unchecked_and_never_verified() -> None:
    trace = replace(good(stated("a")), section_agrees=None, section_unread="it has no headings")
    given = evidence([trace])
    for report in (check(given), check(given, severities={"section-unread": "off"})):
        assert verdicts(report) == {"a": Verdict.UNCHECKED}
        assert report.claims[0].verdicts == (Verdict.UNCHECKED,)
    assert [finding.severity for finding in check(given).findings] == [Severity.NOTE]


def test_a_rule_that_is_off_does_not_make_its_fault_pass() -> None:
    report = check(evidence([misplaced(stated("a"))]), severities={"page-wrong": None})
    assert report.findings == ()
    assert verdicts(report) == {"a": Verdict.UNCHECKED}
    assert report.claims[0].verdicts == (Verdict.FLAGGED,)


def test_a_broken_claim_is_flagged_and_asked_nothing_and_nothing_cascades_from_it() -> None:
    broken = replace(stated("a"), broken=True)
    problem = Problem(message="there is no key cites", at=broken.places.of("cite.0"), claim="a")
    given = evidence([misplaced(broken)], also=[resting("b", "a", line=20)], problems=(problem,))
    report = check(given)
    assert said(report) == [("file-invalid", "a")]
    assert verdicts(report) == {"a": Verdict.FLAGGED, "b": Verdict.UNCHECKED}


def test_a_derived_claim_that_was_not_computed_is_unchecked() -> None:
    claim = replace(stated("a"), status=Status.DERIVED, cite=(), text=None, value="9", formula="x", inputs={"x": "b"})
    other = stated("b", line=20)
    given = replace(evidence([], also=[claim, other]), traces={1: (good(other),)})
    assert verdicts(check(given)) == {"a": Verdict.UNCHECKED, "b": Verdict.VERIFIED}
    computed = replace(given, computations={0: Computation(expected="9", computed="9", agrees=True)})
    assert verdicts(check(computed)) == {"a": Verdict.VERIFIED, "b": Verdict.VERIFIED}
    wrong = Computation(expected="9", computed="8", agrees=False, difference="1", rounding="rounded to 1", rounded="8")
    report = check(replace(given, computations={0: wrong}))
    assert [finding.problem.message for finding in report.findings] == [
        "the formula gives 8, the claim says 9 (off by 1, rounded to 1)"
    ]
    assert report.findings[0].problem.at == claim.places.of("value")


def test_silence_is_verified_only_where_every_page_was_read() -> None:
    search = Search(source="report", terms=("license",))
    claim = Claim(id="a", status=Status.NOT_STATED, searched=(search,), places=places(1, "searched.0"))
    for unread, verdict in (((), Verdict.VERIFIED), (("3",), Verdict.UNCHECKED)):
        trace = SearchTrace(claim=claim, search=search, pages=3, unread_pages=unread)
        report = check(replace(evidence([], also=[claim]), searches={0: (trace,)}))
        assert (said(report), verdicts(report)) == ([], {"a": verdict})


def test_a_disputed_claim_stays_verified_with_a_note() -> None:
    claim = stated("a")
    other = replace(claim.cite[0], role="disputes", at_path="disputes.0", because="a draft")
    claim = replace(claim, disputes=(other,), places=places(1, *FIELDS, "disputes.0", "disputes.0.quote"))
    given = replace(evidence([], also=[claim]), traces={0: (good(claim), replace(good(claim), citation=other))})
    report = check(given)
    assert said(report) == [("disputed", "a")]
    assert report.claims[0].is_disputed
    assert verdicts(report) == {"a": Verdict.VERIFIED}


# --- severities and accepted findings ----------------------------------------------------------------------------


def test_an_accepted_finding_is_kept_with_its_reason_and_lets_its_claim_pass_but_not_its_citation() -> None:
    claim = stated("a", accept={"page-wrong": "the printed edition"})
    report = check(evidence([misplaced(claim)]))
    assert [(finding.rule, finding.accepted) for finding in report.findings] == [("page-wrong", "the printed edition")]
    assert report.claims[0].verdict is Verdict.VERIFIED
    assert report.claims[0].verdicts == (Verdict.FLAGGED,)


@pytest.mark.parametrize(
    ("accept", "message"),
    [
        ({"page-wrong": "a reason"}, "nothing to accept: the claim has no finding page-wrong"),
        ({"page-wrong": " "}, "page-wrong is accepted without a reason"),
        ({"pagewrong": "a reason"}, "there is no rule “pagewrong”"),
        ({"source-changed": "a reason"}, "nothing to accept: the claim has no finding source-changed"),
    ],
)
def test_a_line_of_accept_that_accepts_nothing_is_a_finding(accept: Mapping[str, str], message: str) -> None:
    report = check(evidence([good(stated("a", accept=accept))]))
    assert [(finding.rule, finding.problem.message) for finding in report.findings] == [("accept-unused", message)]


def test_a_blank_reason_accepts_nothing() -> None:
    report = check(evidence([misplaced(stated("a", accept={"page-wrong": ""}))]))
    assert said(report) == [("page-wrong", "a"), ("accept-unused", "a")]
    assert verdicts(report) == {"a": Verdict.FLAGGED}


def test_settings_weigh_a_rule_and_a_note_flags_no_claim_yet_does_not_verify_it() -> None:
    given = evidence([misplaced(stated("a"))])
    assert [finding.severity for finding in check(given, severities={"page-wrong": "warning"}).findings] == ["warning"]
    noted = check(given, severities={"page-wrong": Severity.NOTE})
    assert [finding.severity for finding in noted.findings] == [Severity.NOTE]
    assert verdicts(noted) == {"a": Verdict.UNCHECKED}


@pytest.mark.parametrize("severities", [{"pages-wrong": "off"}, {"page-wrong": "fatal"}])
def test_a_setting_that_means_nothing_is_a_failure(severities: Mapping[str, str]) -> None:
    with pytest.raises(Failure, match="page-wrong"):
        check(evidence([good(stated("a"))]), severities=severities)


# --- grounds -----------------------------------------------------------------------------------------------------


def test_a_doubt_is_named_once_on_every_claim_above_it_with_its_chain() -> None:
    given = evidence([misplaced(stated("c"))], also=[resting("b", "c", line=20), resting("a", "b", line=30)])
    report = check(given)
    assert [(finding.rule, finding.problem.message) for finding in report.findings[1:]] == [
        ("ground-flagged", "b rests on c, which is flagged: page-wrong"),
        ("ground-flagged", "a rests on b, which rests on c, which is flagged: page-wrong"),
    ]
    assert report.findings[2].problem.at.line == 31
    assert report.findings[2].problem.related == (report.findings[0].problem.at,)
    assert set(verdicts(report).values()) == {Verdict.FLAGGED}


def test_an_unchecked_ground_makes_a_claim_unchecked_and_not_flagged() -> None:
    claim = stated("b")
    trace = Trace(claim=claim, citation=claim.cite[0], unchecked="not on disk")
    absent = {"report": Unread(kind="absent", reason="it is not on disk")}
    report = check(evidence([trace], also=[resting("a", "b", line=20)], documents=absent))
    assert said(report) == [("source-unread", None), ("ground-flagged", "a")]
    assert report.findings[1].severity is Severity.NOTE
    assert verdicts(report) == {"a": Verdict.UNCHECKED, "b": Verdict.UNCHECKED}


def test_to_accept_a_doubt_keeps_it_from_the_claims_above() -> None:
    accepting = resting("b", "c", line=20, accept={"ground-flagged": "only the page is off"})
    report = check(evidence([misplaced(stated("c"))], also=[accepting, resting("a", "b", line=30)]))
    assert said(report) == [("page-wrong", "c"), ("ground-flagged", "b")]
    assert verdicts(report) == {"c": Verdict.FLAGGED, "b": Verdict.VERIFIED, "a": Verdict.VERIFIED}


def test_each_claim_of_a_circle_is_flagged_once_with_the_circle() -> None:
    claims = [resting("a", "b", line=10), resting("b", "c", line=20), resting("c", "a", line=30)]
    given = replace(evidence([], also=claims), cycles=(("a", "b", "c", "a"),))
    report = check(given)
    assert [finding.problem.message for finding in report.findings] == [
        "the claim rests on itself: a → b → c → a",
        "the claim rests on itself: b → c → a → b",
        "the claim rests on itself: c → a → b → c",
    ]
    assert [finding.problem.at.line for finding in report.findings] == [11, 21, 31]


def test_a_doubt_from_outside_of_a_circle_is_passed_on_to_what_rests_on_it() -> None:
    claims = [resting("a", "b", line=10), resting("b", "a", line=20), resting("above", "a", line=30)]
    report = check(replace(evidence([], also=claims), cycles=(("a", "b", "a"),)))
    assert said(report) == [("formula-cycle", "a"), ("formula-cycle", "b"), ("ground-flagged", "above")]


def chain(length: int) -> Evidence:
    claims = [resting(f"c{n}", f"c{n + 1}", line=10 * n + 10) for n in range(length)]
    root = stated(f"c{length}")
    return evidence([misplaced(root)], also=claims)


def ladder(steps: int) -> Evidence:
    """Diamonds on top of each other: 2 to the power of `steps` ways from top to bottom."""
    claims = []
    for n in range(steps):
        claims.append(resting(f"top{n}", f"left{n}", f"right{n}", line=100 * n + 10))
        claims.extend(
            resting(f"{side}{n}", f"top{n + 1}", line=100 * n + row) for row, side in ((20, "left"), (30, "right"))
        )
    return evidence([misplaced(stated(f"top{steps}"))], also=claims)


def test_a_ladder_of_diamonds_names_each_claim_once() -> None:
    report = check(ladder(60))
    assert len([finding for finding in report.findings if finding.rule == "ground-flagged"]) == 180


def work(given: Evidence) -> int:
    """Python calls that checking makes."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    check(given)
    sys.setprofile(count)
    try:
        report = check(given)
    finally:
        sys.setprofile(None)
    assert len(report.findings) == len(given.ledger.claims)
    return calls


def test_a_chain_of_five_times_the_length_takes_at_most_five_and_a_half_times_the_work() -> None:
    assert work(chain(10_000)) <= 5.5 * work(chain(2_000))


def test_the_message_of_a_long_chain_names_its_ends() -> None:
    report = check(chain(500))
    last = max(report.findings, key=lambda finding: len(finding.problem.message))
    assert len(last.problem.message) < 120
    message = next(it.problem.message for it in report.findings if it.problem.claim == "c0")
    assert message == "c0 rests on c1, and that on c500, 498 claims further down, which is flagged: page-wrong"


# --- order and selection -----------------------------------------------------------------------------------------


def test_what_concerns_sources_comes_first_and_then_the_claims_by_file_and_line() -> None:
    claims = [stated("b", line=40), stated("a", line=5), stated("z", line=1, path="claims/0.yaml")]
    broken = Problem(message="a tab", at=replace(claims[0].places.of(""), path="claims/z.yaml"))
    given = evidence(
        [Trace(claim=claim, citation=claim.cite[0]) for claim in claims],
        documents={"report": replace(DOCUMENT, sha256="cd" * 32)},
        problems=(broken,),
    )
    assert said(check(given)) == [
        ("file-invalid", None),
        ("source-changed", None),
        ("quote-missing", "z"),
        ("quote-missing", "a"),
        ("quote-missing", "b"),
    ]


def test_a_selection_reports_its_claims_and_the_sources_that_they_cite() -> None:
    chosen, other = stated("a"), stated("b", path="claims/b.yaml")
    other = replace(other, cite=(replace(other.cite[0], source="card"),))
    elsewhere = Problem(message="a tab", at=other.places.of(""))
    given = evidence(
        [misplaced(chosen), misplaced(other)],
        sources=[source(pin=None), source("card", pin=None, line=30)],
        documents={"report": DOCUMENT, "card": DOCUMENT},
        problems=(elsewhere,),
    )
    report = check(given, selected=["a"])
    assert [finding.problem.at.line for finding in report.findings if finding.rule == "source-unpinned"] == [2]
    assert said(report) == [("source-unpinned", None), ("page-wrong", "a")]
    assert verdicts(report) == {"a": Verdict.FLAGGED}
    assert ("file-invalid", None) in said(check(given, selected=["a"], paths=["claims/b.yaml"]))


def test_a_selection_still_sees_the_doubts_of_claims_outside_of_it() -> None:
    given = evidence([misplaced(stated("b"))], also=[resting("a", "b", line=20)])
    report = check(given, selected={"a"})
    assert said(report) == [("ground-flagged", "a")]


def test_a_pipeline_with_a_fault_concerns_the_claims_of_its_stages() -> None:
    pipeline = Pipeline(id="small", profile="none", places=places(3, "profile", path="claims/p.yaml"))
    claim = replace(stated("a"), stage="small")
    given = evidence([good(claim), good(stated("b", line=20))])
    given = replace(given, ledger=replace(given.ledger, pipelines={"small": pipeline}))
    assert said(check(given, selected=["a"])) == [("reference-unknown", None)]
    assert said(check(given, selected=["b"])) == []
