"""`tracer coverage` from the words that are typed to what is printed, written and returned."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from coverage_ledger import CLAIMS, FILES, OTHER
from running import Tracer, git, ran

Write = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Tracer:
    return lambda *words: ran(capsys, "coverage", *words)


@pytest.fixture
def wren(project: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = project(FILES)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def repository(wren: Path) -> Path:
    """The project as a repository with one commit."""
    git(wren, "init", "-q", "-b", "main")
    git(wren, "add", "-A")
    git(wren, "commit", "-q", "-m", "A commit")
    return wren


# --- what is shown ------------------------------------------------------------------------------------------------


def test_the_table_is_shown_and_nothing_is_written(wren: Path, run: Tracer) -> None:
    before = {path: path.read_bytes() for path in wren.rglob("*") if path.is_file()}
    done = run("wren")
    assert done.code == 0
    assert "cells of the profile answered: 4 of 6 (66.7 %)" in done.out
    assert {path: path.read_bytes() for path in wren.rglob("*") if path.is_file()} == before


def test_pipelines_that_are_named_stand_side_by_side_in_their_order(wren: Path, run: Tracer) -> None:
    (wren / "claims" / "teal.yaml").write_text(OTHER)
    rows = [line.split() for line in run("teal", "wren").out.splitlines()]
    assert ["teal", "wren"] in rows
    assert ["optimiser", "S1", ".1"] in rows


def test_a_result_goes_into_a_file_without_colour(wren: Path, run: Tracer) -> None:
    done = run("--format", "json", "--output", "coverage.json")
    assert (done.code, done.out) == (0, "")
    assert json.loads((wren / "coverage.json").read_text())["counts"]["blank"] == 2


def test_a_list_and_a_letter_take_the_place_of_the_table(wren: Path, run: Tracer) -> None:
    assert run("--list", "blank", "--format", "csv").out.splitlines()[1:] == [
        "wren/pretrain,optimiser,claims/pipeline.yaml:6:14,The optimiser by name.",
        "wren/pretrain,hardware,claims/pipeline.yaml:6:14,The kind of accelerator.",
    ]
    assert run("--requests").out.startswith("# Questions about the training of Wren\n")


def test_an_audited_document_is_covered_by_its_name(wren: Path, run: Tracer) -> None:
    counts = json.loads(run("--made-in", "article", "--format", "json").out)["counts"]
    assert (counts["answered"], counts["asked"]) == (1, 6)


# --- exit codes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("percent", "code"), [("66", 0), ("66.6", 0), ("66.7", 1), ("90", 1), ("0", 0)])
def test_too_few_answers_end_in_1_and_are_said(wren: Path, run: Tracer, percent: str, code: int) -> None:
    done = run("--fail-under", percent)
    assert done.code == code
    said = f"tracer: answered, not blank, are 4 of 6 (66.7 %) of the cells that profiles ask for, below {percent} %\n"
    assert done.err == (said if code else "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("wrem",), "the ledger has no pipeline wrem: did you mean `wren`?"),
        (("--made-in", "artcle"), "the ledger has no source artcle: did you mean `article`?"),
        (("--made-in", "supplement"), "no claim of the ledger is made in supplement"),
        (("--list", "blank", "--requests"), "--list, --requests and --since show different things: give one of them"),
        (("--requests", "--format", "json"), "--requests writes Markdown: leave --format json out"),
        (("--since", "HEAD"), "lies in no repository of git"),
    ],
)
def test_what_cannot_be_done_ends_in_2_and_says_what_to_do(
    wren: Path, run: Tracer, words: tuple[str, ...], said: str
) -> None:
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_without_a_profile_there_is_no_share_to_fall_below(wren: Path, run: Tracer) -> None:
    (wren / "claims" / "pipeline.yaml").write_text("pipelines: {wren: {stages: [{id: pretrain}, {id: tune}]}}\n")
    done = run("--fail-under", "1")
    assert done.code == 2
    assert "write `profile: llm-training` in the pipeline" in done.err


def test_a_ledger_without_pipelines_has_nothing_to_cover(
    project: Write, run: Tracer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project({"claims/none.yaml": "claims: []\n"}))
    done = run()
    assert done.code == 2
    assert "claims holds no pipeline" in done.err


# --- since --------------------------------------------------------------------------------------------------------


def test_what_has_changed_since_a_commit_is_told(repository: Path, run: Tracer) -> None:
    claims = CLAIMS.replace("field: licence", "field: optimiser").replace(
        "stage: wren/tune\n    field: optim", "stage: wren/pretrain\n    field: optim"
    )
    (repository / "claims" / "wren.yaml").write_text(claims.replace("value: 40B", "value: 41B"))
    found = json.loads(run("--since", "HEAD", "--format", "json").out)["changes"]
    assert found["answered"] == [{"stage": "wren/pretrain", "field": "optimiser"}]
    assert found["revalued"] == [
        {
            "claim": "wren.tokens",
            "before": {"value": "40B", "unit": "tokens"},
            "now": {"value": "41B", "unit": "tokens"},
        }
    ]
    assert "wren.tokens" in found["flagged"]


def test_files_that_are_gone_moved_or_new_since_are_compared_by_what_they_say(repository: Path, run: Tracer) -> None:
    (repository / "claims" / "deep").mkdir()
    (repository / "claims" / "wren.yaml").rename(repository / "claims" / "deep" / "moved.yml")
    assert "what has changed: 0" in run("--since", "main").out


def test_a_pipeline_that_was_not_there_before_is_newly_answered(repository: Path, run: Tracer) -> None:
    (repository / "claims" / "teal.yaml").write_text(OTHER)
    found = json.loads(run("teal", "--since", "HEAD", "--format", "json").out)["changes"]
    assert found["answered"] == [{"stage": "teal/pretrain", "field": "optimiser"}]


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "HEAD:claims", ""])
def test_a_revision_that_git_does_not_know_is_a_failure(repository: Path, run: Tracer, revision: str) -> None:
    done = run(f"--since={revision}")
    assert done.code == 2
    assert revision in done.err
    assert not (repository / "x").exists()


def test_the_ledger_of_a_revision_is_that_of_its_folder_in_a_larger_repository(
    wren: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(wren.parent, "init", "-q", "-b", "main")
    git(wren.parent, "add", "-A")
    git(wren.parent, "commit", "-q", "-m", "A commit")
    monkeypatch.chdir(wren / "claims")
    assert "what has changed: 0" in run("--since", "HEAD").out
