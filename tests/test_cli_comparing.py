"""An audit that is held against an earlier one fails only by what is new."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from running import OWL, Tracer, edit

Write = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def owl(project: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = project(OWL)
    monkeypatch.chdir(folder)
    return folder


def test_what_is_found_can_be_written_as_a_baseline_and_fails_no_run_then(owl: Path, run: Tracer) -> None:
    assert run("audit").code == 1
    written = run("audit", "--write-baseline", "base.json")
    assert (written.code, written.err) == (0, "")
    assert "0 errors, 0 warnings, 0 notes; 1 finding known from the baseline" in written.out
    assert run("audit", "--baseline", "base.json").code == 0
    assert run("audit", "--format", "json", "--baseline", "base.json").code == 0


def test_an_audit_in_json_is_a_baseline(owl: Path, run: Tracer) -> None:
    (owl / "base.json").write_text(run("audit", "--format", "json").out)
    assert run("audit", "--baseline", "base.json").code == 0


def test_a_known_finding_stays_known_when_lines_move(owl: Path, run: Tracer) -> None:
    run("audit", "--write-baseline", "base.json")
    edit(owl / "claims" / "pretrain.yaml", "claims:\n", "# A comment\n# of two lines.\nclaims:\n")
    assert run("audit", "--baseline", "base.json").code == 0


def test_a_new_finding_fails_the_run_and_only_it_is_shown(owl: Path, run: Tracer) -> None:
    run("audit", "--write-baseline", "base.json")
    edit(owl / "claims" / "tune.yaml", 'under the MIT licence"', 'under the BSD licence"')
    done = run("audit", "--baseline", "base.json")
    assert done.code == 1
    assert "owl.licence" in done.out
    assert "owl.batch" not in done.out


def test_findings_that_are_gone_are_said_and_can_be_taken_out(owl: Path, run: Tracer) -> None:
    run("audit", "--write-baseline", "base.json")
    edit(owl / "claims" / "pretrain.yaml", "section: Fine-tuning", "section: Pre-training")
    done = run("audit", "--baseline", "base.json")
    assert done.code == 0
    assert done.err == (
        "tracer: 1 finding of base.json gone: section-wrong of owl.batch; "
        "`tracer audit --write-baseline base.json` takes them out\n"
    )
    assert run("audit", "--baseline", "base.json", "--write-baseline", "base.json").code == 0
    assert json.loads((owl / "base.json").read_text())["findings"] == []
    assert run("audit", "--baseline", "base.json").err == ""


def test_a_part_says_nothing_of_the_findings_of_the_rest(owl: Path, run: Tracer) -> None:
    run("audit", "--write-baseline", "base.json")
    done = run("audit", "owl.tokens", "--baseline", "base.json")
    assert (done.code, done.err) == (0, "")


def test_strict_still_counts_what_is_unchecked(owl: Path, run: Tracer) -> None:
    (owl / "sources" / "card.md").unlink()
    run("audit", "--write-baseline", "base.json")
    assert run("audit", "--baseline", "base.json").code == 0
    assert run("audit", "--baseline", "base.json", "--strict").code == 1


def test_a_baseline_makes_no_audit_clean_that_checked_nothing(owl: Path, run: Tracer) -> None:
    edit(owl / "claims" / "pretrain.yaml", "section: Fine-tuning", "section: Pre-training")
    sources = owl / "claims" / "sources.yaml"
    sources.write_text(re.sub(r" +sha256: .*\n", "", sources.read_text()))
    assert run("audit").code == 1
    done = run("audit", "--write-baseline", "base.json")
    assert done.code == 2
    assert "nothing was checked" in done.err


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff\xfe", b"[[[["])
def test_a_broken_baseline_ends_in_2_before_anything_is_audited(owl: Path, run: Tracer, content: bytes | None) -> None:
    if content is not None:
        (owl / "base.json").write_bytes(content)
    done = run("audit", "--baseline", "base.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("tracer: base.json ")
    assert "--write-baseline base.json" in done.err


def test_a_baseline_of_a_part_is_refused(owl: Path, run: Tracer) -> None:
    done = run("audit", "owl.tokens", "--write-baseline", "base.json")
    assert done.code == 2
    assert "a baseline holds the whole ledger" in done.err
    assert not (owl / "base.json").exists()


def test_the_file_is_named_from_the_folder_of_the_run(owl: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert run("-C", str(owl), "audit", "--write-baseline", "base.json").code == 0
    assert run("-C", str(owl), "audit", "--baseline", "base.json").code == 0
    assert (owl / "base.json").is_file()


# --- formats ----------------------------------------------------------------------------------------------------


def test_known_findings_fail_no_reader_of_another_format(owl: Path, run: Tracer) -> None:
    run("audit", "--write-baseline", "base.json")
    assert "<failure" in run("audit", "--format", "junit").out
    assert "<failure" not in run("audit", "--format", "junit", "--baseline", "base.json").out
    assert "::error" in run("audit", "--format", "github").out
    assert "::error" not in run("audit", "--format", "github", "--baseline", "base.json").out


def test_on_github_the_page_of_the_job_gets_a_summary(
    owl: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    assert run("audit", "--format", "json").code == 1
    assert page.read_text() == "before\n"
    assert run("audit", "--format", "github").code == 1
    assert page.read_text().startswith("before\n<!-- tracer audit -->\n### tracer: 1 error")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "summary.md"))
    done = run("audit", "--format", "github")
    assert done.code == 1
    assert "the summary of the job could not be written" in done.err


def test_paths_begin_at_the_root_of_the_repository(owl: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(owl.parent))
    assert "file=project/claims/pretrain.yaml," in run("audit", "--format", "github").out
    assert '"uri": "project/claims/pretrain.yaml"' in run("audit", "--format", "sarif").out
    (owl / ".git").mkdir()
    assert "file=claims/pretrain.yaml," in run("audit", "--format", "github").out


@pytest.mark.parametrize("form", ["sarif", "junit", "github", "markdown", "csv"])
def test_a_format_is_written_whole_to_a_file_and_ends_as_the_audit_does(owl: Path, run: Tracer, form: str) -> None:
    printed = run("audit", "--format", form)
    done = run("audit", "--format", form, "--output", "report")
    assert (printed.code, done.code, done.out) == (1, 1, "")
    assert (owl / "report").read_bytes().decode() == printed.out


def test_show_has_no_format_of_reports(owl: Path, run: Tracer) -> None:
    assert run("show", "owl.tokens", "--format", "sarif").code == 2
