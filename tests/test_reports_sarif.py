"""The SARIF report holds to the schema of SARIF 2.1.0 and to what code scanning asks for."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hostile import TEXTS, hostile_report
from hypothesis import given
from reporting import finding, report

from tracer import rules
from tracer.model import Passage, Place, Report, Severity
from tracer.reports import render, sarif
from tracer.reports.json_ import text

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)
PASSAGE = Passage(source="rep", page="13", sheet=16, section="4.1.3", text="among the nine experts", marked=(10, 14))

Json = dict[str, Any]


def run_of(made: Report, *, folder: str = "") -> Json:
    """The run of a report, which holds to the schema."""
    log = json.loads(sarif.render(made, folder=folder))
    VALIDATOR.validate(log)
    (run,) = log["runs"]
    return run


def result_of(made: Report) -> Json:
    (result,) = run_of(made)["results"]
    return result


def titled(made: Report, **fields: str) -> Report:
    source = replace(made.ledger.sources["rep"], **fields)
    return replace(made, ledger=replace(made.ledger, sources={"rep": source}))


def full_report() -> Report:
    related = Place(path="claims/two.yaml", line=1, column=1)
    first = finding(hint="page: 14", see=(PASSAGE,))
    findings = [
        replace(first, problem=replace(first.problem, related=(related,))),
        finding(rule="quote-short", severity=Severity.WARNING, accepted="it is the name of a table"),
        finding(rule="source-unread", severity=Severity.NOTE, claim=None, unchecks=True),
    ]
    return titled(report(findings=findings), title="Kimi K3 report", file="reports/k3 #1.pdf")


def test_the_run_is_as_it_was_read_and_approved(golden: Callable[[str, str], None]) -> None:
    run = run_of(full_report())
    results = [{key: value for key, value in result.items() if key != "ruleIndex"} for result in run["results"]]
    golden("audit.sarif.json", text({**run, "results": results, "tool": "with the documentation of all rules"}))


def test_a_report_without_findings_holds_to_the_schema() -> None:
    assert run_of(report())["results"] == []


def test_every_rule_is_described_with_its_documentation() -> None:
    described = run_of(report())["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in described] == list(rules.RULES)
    page_wrong = next(rule for rule in described if rule["id"] == "page-wrong")
    assert page_wrong["shortDescription"]["text"] == "The quote stands on another page than the one that is cited."
    assert page_wrong["defaultConfiguration"] == {"level": "error"}
    assert "```yaml\nclaims:\n" in page_wrong["help"]["markdown"]
    assert all(rule["fullDescription"]["text"] and rule["help"]["text"] for rule in described)
    assert all(len(rule["shortDescription"]["text"]) <= 1024 for rule in described)


def test_a_result_names_its_rule_by_id_and_index() -> None:
    run = run_of(full_report())
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_severities_are_levels() -> None:
    assert [result["level"] for result in run_of(full_report())["results"]] == ["error", "warning", "note"]


def test_a_result_stands_at_the_line_to_edit() -> None:
    (location,) = result_of(report(findings=[finding(line=12, column=37)]))["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "claims/one.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 12, "startColumn": 37},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "k.one", "kind": "claim"}]


def test_a_path_is_a_relative_percent_encoded_reference() -> None:
    made = report(findings=[finding(path="claims/Qwen 3: größe#1%.yaml")])
    (result,) = run_of(made, folder="data/")["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    # RFC 3986: space 20, colon 3A, ö C3 B6, ß C3 9F, # 23, % 25
    assert uri == "data/claims/Qwen%203%3A%20gr%C3%B6%C3%9Fe%231%25.yaml"


def test_a_related_location_says_source_page_section_and_words() -> None:
    passage, line = result_of(replace(full_report(), findings=full_report().findings[:1]))["relatedLocations"]
    assert passage["message"]["text"] == "Kimi K3 report, p. 13 (sheet 16), section 4.1.3: among the «nine» experts"
    assert passage["physicalLocation"]["artifactLocation"]["uri"] == "reports/k3%20%231.pdf"
    assert line["physicalLocation"]["artifactLocation"]["uri"] == "claims/two.yaml"
    assert [passage["id"], line["id"]] == [1, 2]


def test_a_source_without_a_file_is_named_by_its_address() -> None:
    (passage,) = result_of(report(findings=[finding(see=(PASSAGE,))]))["relatedLocations"]
    assert passage["physicalLocation"]["artifactLocation"] == {"uri": "https://example.invalid/rep.pdf"}
    nowhere = titled(report(findings=[finding(see=(PASSAGE,))], url="javascript:alert(1)"), title="T")
    assert "physicalLocation" not in result_of(nowhere)["relatedLocations"][0]


def test_an_accepted_finding_is_suppressed_with_its_reason() -> None:
    assert result_of(report(findings=[finding(accepted="it is printed twice")]))["suppressions"] == [
        {"kind": "inSource", "status": "accepted", "justification": "it is printed twice"}
    ]


def test_fingerprints_stay_when_lines_move() -> None:
    before, after = (result_of(report(findings=[finding(line=line)])) for line in (4, 400))
    assert before["partialFingerprints"] == after["partialFingerprints"]
    other = result_of(report(findings=[finding(claim="k.two")]))
    assert other["partialFingerprints"] != before["partialFingerprints"]


def test_every_result_has_a_baseline_state_or_none_has() -> None:
    known, new = replace(finding(), known=True), finding(rule="quote-missing")
    compared = run_of(report(findings=[known, new]))["results"]
    assert [result["baselineState"] for result in compared] == ["unchanged", "new"]
    assert "baselineState" not in result_of(report(findings=[new]))


def test_braces_are_no_placeholders_and_brackets_no_links() -> None:
    text = result_of(report(findings=[finding(message="write {0} as [6](1) or [7]")]))["message"]["text"]
    assert text == "write {{0}} as \\[6](1) or [7]"


def test_more_results_than_code_scanning_takes_are_cut_and_the_cut_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sarif.MOST_RESULTS == 25_000  # GitHub documents it as the most results of one run
    monkeypatch.setattr(sarif, "MOST_RESULTS", 250)
    notes = [finding(severity=Severity.NOTE, line=line) for line in range(1, 251)]
    run = run_of(report(findings=[*notes, finding(rule="quote-missing", line=300)]))
    assert len(run["results"]) == 250
    assert run["results"][-1]["ruleId"] == "quote-missing"
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("1 finding of the least weight left out")


def test_the_shelf_passes_the_folder_on() -> None:
    assert '"uri": "data/claims/one.yaml"' in render("sarif", report(findings=[finding()]), folder="data/")


@given(TEXTS)
def test_whatever_a_ledger_or_a_source_holds_the_log_is_valid_and_harmless(words: str) -> None:
    written = sarif.render(hostile_report(words))
    assert written.isascii()
    VALIDATOR.validate(json.loads(written))
    assert not set(json.loads(written)["runs"][0]["results"][0]["message"]["text"]) & set("\x00\x1b\ud800\u202e\ufffe")
