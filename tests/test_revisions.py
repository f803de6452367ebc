"""A citation may name an older revision of its source on purpose, and is then held to the bytes of that one."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tracer import run
from tracer.loading import load
from tracer.model import Report, Verdict
from tracer.settings import find

Project = Callable[[Mapping[str, str | bytes]], Path]

OLD = "# Data\n\nThe model has seen 30 trillion tokens.\n"
NEW = "# Data\n\nThe model has seen 36 trillion tokens.\n"
SOURCES = """
    sources:
      report:
        title: A report
        revision: v2
        sha256: {sha256 of sources/new.md}
        revisions:
          - {name: v1, sha256: "{sha256 of sources/old.md}", seen: 2026-05-01}
    """
CLAIM = """
    claims:
      - id: tokens
        text: It has seen 30 trillion tokens.
        status: stated
        cite: [{source: %s, section: Data, quote: has seen 30 trillion tokens}]
    """


def files(source: str) -> dict[str, str | bytes]:
    return {
        "tracer.toml": 'ledger = "claims"\nsources = ["sources"]\n',
        "sources/old.md": OLD,
        "sources/new.md": NEW,
        "claims/sources.yaml": SOURCES,
        "claims/claims.yaml": CLAIM % f'"{source}"',
    }


def audited(project: Project, source: str) -> Report:
    return run(project(files(source)))


def said(report: Report) -> list[tuple[str, str, str | None]]:
    return [(finding.rule, finding.problem.message, finding.problem.hint) for finding in report.findings]


def test_a_citation_of_an_older_revision_is_held_to_its_bytes(project: Project) -> None:
    assert audited(project, "report@v1").claims[0].verdict is Verdict.VERIFIED


def test_a_citation_of_the_source_is_held_to_the_present_pin(project: Project) -> None:
    assert {rule for rule, _, _ in said(audited(project, "report"))} == {"quote-altered"}


def test_the_present_revision_may_be_named_too(project: Project) -> None:
    assert {rule for rule, _, _ in said(audited(project, "report@v2"))} == {"quote-altered"}


def test_a_mistyped_revision_is_reported_with_the_one_that_was_meant(project: Project) -> None:
    assert said(audited(project, "report@v11")) == [
        ("reference-unknown", "there is no source “report@v11”", "did you mean `report@v1`?")
    ]


def test_an_unknown_revision_is_reported_with_those_that_there_are(project: Project) -> None:
    assert said(audited(project, "report@2026-06")) == [
        ("reference-unknown", "there is no source “report@2026-06”", "the ledger has report@v2 and report@v1")
    ]


def test_an_older_revision_that_is_not_on_disk_is_unchecked_and_named(project: Project) -> None:
    root = project(files("report@v1"))
    (root / "sources" / "old.md").unlink()
    report = run(root)
    assert report.claims[0].verdict is Verdict.UNCHECKED
    assert [rule for rule, _, _ in said(report)] == ["source-unread"]
    assert "report@v1" in said(report)[0][1]


def test_the_place_of_an_older_revision_is_the_line_of_its_pin(project: Project) -> None:
    ledger = load(find(project(files("report@v1"))))
    assert ledger.sources["report@v1"].places.of("sha256").line == 7
    assert ledger.sources["report@v1"].revision_of == "report"


@pytest.mark.parametrize("name", ["report@", "@v1", "other@v1"])
def test_a_name_that_is_no_source_and_revision_adds_no_source(project: Project, name: str) -> None:
    ledger = load(find(project(files(name))))
    assert set(ledger.sources) == {"report"}
