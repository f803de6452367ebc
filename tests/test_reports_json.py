"""The JSON report holds to its schema, says the same in the same bytes, and says nothing it has no word for."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from reporting import anchor, citation, claim, finding, plain_claim, report, traced, unread_report

import tracer
from tracer.model import (
    Computation,
    Failure,
    Passage,
    Place,
    Report,
    Search,
    SearchTrace,
    Severity,
    Span,
    Status,
    TermHit,
    Verdict,
)
from tracer.reports import FORMATS, json_, render

SCHEMA = json.loads((Path(tracer.__file__).parent / "reports" / "audit.schema.json").read_text())


def closed(schema: object) -> object:
    """The schema with no key allowed that it does not describe."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(each) for key, each in schema.items()}
    return {**inner, "additionalProperties": False} if inner.get("type") == "object" else inner


def rich_report() -> Report:
    passage = Passage(source="rep", page="10", sheet=12, section=None, text="the learning rate is", marked=(4, 17))
    hit = TermHit(
        term="learning rate",
        span=Span(sheet=12, start=4, end=17),
        page="10",
        section="3.1",
        passage=passage,
        answered=True,
    )
    search = Search(source="rep", terms=("learning rate",))
    quote = "one among the nine experts"
    joined = replace(
        anchor(), foldings=("line-end hyphen",), spans=(Span(sheet=1, start=5, end=9), Span(sheet=2, start=0, end=4))
    )
    claims = [
        claim("k.one", Verdict.VERIFIED, traces=[traced(citation(quote), anchors=[anchor()])], value="9"),
        claim("k.two", Verdict.VERIFIED, traces=[traced(citation(quote, role="disputes"), anchors=[joined])]),
        claim("k.three", Verdict.UNCHECKED, traces=[traced(citation(page=None), unchecked="not on disk")]),
        replace(
            claim("k.four", Verdict.VERIFIED, status=Status.NOT_STATED),
            searches=(SearchTrace(claim=plain_claim("k.four"), search=search, hits=(hit,), pages=47),),
        ),
        replace(
            claim("k.five", Verdict.FLAGGED, status=Status.DERIVED),
            computation=Computation(expected="1.8", computed="1.7857", agrees=False),
        ),
        claim("k.six", Verdict.FLAGGED, status=None),
    ]
    related = Place(path="claims/two.yaml", line=1, column=1)
    first = finding(hint="page: 14", see=(passage,), accepted="it is printed twice")
    findings = [
        first,
        replace(first, accepted=None, problem=replace(first.problem, related=(related,), claim=None)),
        finding(rule="source-unread", severity=Severity.NOTE, unchecks=True),
    ]
    return report(claims=claims, findings=findings)


@pytest.mark.parametrize("made", [report(), unread_report(citations=2), rich_report()])
def test_every_key_is_described_by_the_shipped_schema(made: Report) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(json.loads(json_.render(made)), closed(SCHEMA))


def test_a_later_version_may_add_keys() -> None:
    jsonschema.validate({**json.loads(json_.render(report())), "coverage": {}}, SCHEMA)


def test_the_contract_of_the_design_is_kept() -> None:
    one = json.loads(json_.render(rich_report()))["claims"][0]
    # TEXT begins "We distil. The corresponding teacher model is " (46 characters); the quote has 26
    assert one == {
        "id": "k.one",
        "status": "stated",
        "verdict": "verified",
        "stage": None,
        "field": None,
        "value": "9",
        "citations": [
            {
                "source": "rep",
                "section": "4.1.3",
                "page": "13",
                "quote": "one among the nine experts",
                "verdict": "verified",
                "found": [{"page": "13", "sheet": 1, "section": None, "tier": "exact", "start": 46, "end": 72}],
            }
        ],
    }


def test_counts_hold_accepted_findings_apart() -> None:
    assert json.loads(json_.render(rich_report()))["counts"] == {
        "claims": 6,
        "verified": 3,
        "flagged": 2,
        "unchecked": 1,
        "errors": 1,
        "warnings": 0,
        "notes": 1,
        "accepted": 1,
    }


def test_a_quote_in_pieces_lists_them_all() -> None:
    two = json.loads(json_.render(rich_report()))["claims"][1]["citations"][0]
    assert two["role"] == "disputes"
    assert two["found"][0]["spans"] == [{"sheet": 1, "start": 5, "end": 9}, {"sheet": 2, "start": 0, "end": 4}]
    assert two["found"][0]["foldings"] == ["line-end hyphen"]


def test_searches_computations_and_reasons_are_told() -> None:
    claims: Mapping[str, dict] = {each["id"]: each for each in json.loads(json_.render(rich_report()))["claims"]}
    assert claims["k.three"]["citations"][0]["unchecked"] == "not on disk"
    assert claims["k.four"]["searches"][0]["hits"][0]["answered"] is True
    assert claims["k.four"]["searches"][0]["pages"] == 47
    assert claims["k.five"]["computation"] == {"expected": "1.8", "computed": "1.7857", "agrees": False}
    assert claims["k.six"]["status"] is None


def test_a_known_finding_is_marked_and_counted_apart() -> None:
    made = json.loads(json_.render(report(findings=[replace(finding(), known=True), finding(rule="quote-short")])))
    assert [each.get("known") for each in made["findings"]] == [True, None]
    assert (made["counts"]["errors"], made["counts"]["known"]) == (1, 1)
    jsonschema.validate(made, closed(SCHEMA))


def test_every_finding_has_a_fingerprint_of_its_own() -> None:
    fingerprints = [each["fingerprint"] for each in json.loads(json_.render(rich_report()))["findings"]]
    assert len(set(fingerprints)) == len(fingerprints) == 3


def test_keys_are_sorted_and_only_ascii_is_written_one_claim_or_finding_on_a_line() -> None:
    text = json_.render(report(findings=[finding(message="\u202ex \x1b[31m …"), finding()]))
    assert text.isascii()
    assert "\x1b" not in text
    made, written = json.loads(text), text.splitlines()
    assert [list(made), list(made["findings"][0])] == [sorted(made), sorted(made["findings"][0])]
    assert written.count(json.dumps(made["claims"][0], sort_keys=True)) == 1
    assert [json.loads(line.rstrip(",")) for line in written if '"rule"' in line] == made["findings"]


def test_the_shelf_renders_each_of_its_formats_and_refuses_others() -> None:
    assert all(render(name, report()) for name in FORMATS)
    assert set(FORMATS) == {"terminal", "json", "sarif", "junit", "github", "markdown", "csv"}
    with pytest.raises(Failure, match="there is no format 'xml': use one of terminal, json, sarif"):
        render("xml", report())
