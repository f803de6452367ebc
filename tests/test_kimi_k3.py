"""The shipped record of Kimi K3 against the real report: all of it stands, and what moved is told."""

import shutil
from pathlib import Path

from conftest import ROOT

from tracer.checking import check
from tracer.library import Library
from tracer.loading import load
from tracer.model import Report, Severity, Verdict
from tracer.settings import Settings
from tracer.tracing import trace

NEWEST = "86fb82a63ced501f0c3f4f404c0c6fa88a7a6cfac17aae81fd1a8f455998067c"
OLDEST = "38621eb5be601a5dcd5c795fc10b692d124430014ff9eb035b0ce38c72ec2eaf"
OLDEST_FILE = "kimi-k3-521359a.pdf"


def audited(root: Path, folder: Path, stage_prefix: str = "kimi-k3/") -> Report:
    settings = Settings(root=root, ledger=root / "claims", sources=(folder,))
    ledger = load(settings)
    library = Library(settings)
    ids = {claim.id for claim in ledger.claims if claim.places.path.startswith(f"claims/{stage_prefix}")}
    report = check(trace(ledger, library), selected=ids)
    library.close()
    return report


def standing(report: Report) -> list[str]:
    return [
        f"{finding.problem.at}: {finding.rule}: {finding.problem.message}"
        for finding in report.findings
        if finding.accepted is None and finding.severity is not Severity.NOTE
    ]


def test_the_record_audits_clean(report_folder: Path) -> None:
    report = audited(ROOT, report_folder)
    assert standing(report) == []
    assert report.count(Verdict.VERIFIED) == len(report.claims) > 150


def repinned(tmp_path: Path, sha256: str, *, file: str | None = None) -> Path:
    """A copy of the ledger with the report pinned to other bytes, read from a file of the project if one is named."""
    shutil.copytree(ROOT / "claims" / "kimi-k3", tmp_path / "claims" / "kimi-k3")
    path = tmp_path / "claims" / "kimi-k3" / "sources.yaml"
    text = path.read_text().replace(NEWEST, sha256)
    path.write_text(text.replace("    revision: 3cb39df\n", f"    file: {file}\n", 1) if file else text)
    return tmp_path


def test_other_bytes_than_the_pin_are_said_first_and_verify_nothing(tmp_path: Path, report_folder: Path) -> None:
    shutil.copy(report_folder / OLDEST_FILE, tmp_path / "report.pdf")
    report = audited(repinned(tmp_path, NEWEST, file="report.pdf"), tmp_path)
    assert report.findings[0].rule == "source-changed"
    into_report = [
        verdict
        for claim in report.claims
        for citation, verdict in zip(claim.claim.citations, claim.verdicts, strict=True)
        if citation.source == "k3-report"
    ]
    assert into_report
    assert Verdict.VERIFIED not in into_report


def test_pinned_to_the_oldest_revision_only_what_moved_or_is_gone_is_flagged(
    tmp_path: Path, report_folder: Path
) -> None:
    """Page 37 of the newest revision is page 36 of the oldest; four quotes hold reference numbers that shifted."""
    report = audited(repinned(tmp_path, OLDEST), report_folder)
    flagged = {
        finding.problem.message
        for finding in report.findings
        if finding.rule in {"quote-altered", "quote-missing", "page-wrong", "section-wrong", "quote-ambiguous"}
    }
    assert flagged
    assert all("only the reference numbers differ" in said or "page 36" in said for said in flagged), flagged
