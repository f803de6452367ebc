"""`--changed-since` audits the claims whose files or sources have changed in git, and what rests on them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conftest import sha256_of
from running import OWL, OWL_CARD, OWL_NOTES, Tracer, edit, git

Write = Callable[[Mapping[str, str | bytes]], Path]
ALL = {"owl.tokens", "owl.batch", "owl.licence", "owl.start"}


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "A commit")


@pytest.fixture
def owl(project: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project as a repository with one commit."""
    folder = project(OWL)
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def selected(run: Tracer) -> Callable[..., set[str]]:
    """A function that gives the claims that are audited since a revision."""

    def claims(*words: str, since: str = "HEAD") -> set[str]:
        done = run("audit", *words, "--changed-since", since, "--format", "json")
        return {claim["id"] for claim in json.loads(done.out)["claims"]}

    return claims


def test_a_changed_file_selects_its_claims_and_what_rests_on_them(owl: Path, selected: Callable[..., set[str]]) -> None:
    edit(owl / "claims" / "pretrain.yaml", "Owl reads 40 billion tokens.", "Owl reads forty billion tokens.")
    assert selected() == {"owl.tokens", "owl.batch", "owl.start"}
    edit(owl / "claims" / "pretrain.yaml", "Owl reads forty billion tokens.", "Owl reads 40 billion tokens.")
    edit(owl / "claims" / "tune.yaml", "There is no other model.", "No other model is named.")
    assert selected() == {"owl.licence", "owl.start"}


def test_the_exit_code_is_that_of_what_was_selected(owl: Path, run: Tracer) -> None:
    edit(owl / "claims" / "tune.yaml", "There is no other model.", "No other model is named.")
    assert run("audit", "--changed-since", "HEAD").code == 0
    edit(owl / "claims" / "pretrain.yaml", "The batch holds 512 sequences.", "A batch holds 512 sequences.")
    assert run("audit", "--changed-since", "HEAD").code == 1


def test_nothing_changed_ends_in_2_and_says_so(owl: Path, run: Tracer) -> None:
    done = run("audit", "--changed-since", "HEAD")
    assert done.code == 2
    assert done.err == "tracer: nothing was checked: no claim that was asked for has changed since HEAD\n"


def test_what_is_committed_since_counts_as_well(owl: Path, selected: Callable[..., set[str]]) -> None:
    edit(owl / "claims" / "tune.yaml", "There is no other model.", "No other model is named.")
    commit(owl)
    assert selected(since="HEAD~1") == {"owl.licence", "owl.start"}
    assert selected(since="HEAD") == set()


def test_a_changed_pin_selects_the_claims_that_cite_the_source(owl: Path, selected: Callable[..., set[str]]) -> None:
    edit(owl / "claims" / "sources.yaml", sha256_of(OWL_CARD), "0" * 64)
    assert selected() == {"owl.licence"}


def test_a_source_that_only_moves_in_its_file_selects_nothing(owl: Path, selected: Callable[..., set[str]]) -> None:
    edit(owl / "claims" / "sources.yaml", "sources:\n", "# A comment.\nsources:\n")
    assert selected() == set()


def test_a_source_that_moves_to_another_file_selects_nothing(owl: Path, selected: Callable[..., set[str]]) -> None:
    text = (owl / "claims" / "sources.yaml").read_text()
    begin, end = text.index("  card:"), text.index("pipelines:")
    (owl / "claims" / "sources.yaml").write_text(text[:begin] + text[end:])
    (owl / "claims" / "more.yaml").write_text("sources:\n" + text[begin:end])
    assert selected() == set()


def test_a_source_that_is_gone_selects_the_claims_that_cite_it(owl: Path, selected: Callable[..., set[str]]) -> None:
    edit(owl / "claims" / "sources.yaml", "  card:", "  other-card:")
    assert selected() == {"owl.licence"}


def test_the_changed_bytes_of_a_source_select_its_claims(owl: Path, selected: Callable[..., set[str]]) -> None:
    (owl / "sources" / "notes.md").write_text(OWL_NOTES + "More.\n")
    assert selected() == {"owl.tokens", "owl.batch", "owl.start"}


def test_a_source_that_is_found_by_its_bytes_selects_its_claims_when_it_comes_or_goes(
    owl: Path, selected: Callable[..., set[str]]
) -> None:
    edit(owl / "claims" / "sources.yaml", "    file: sources/card.md\n", "")
    (owl / "tracer.toml").write_text('ledger = "claims"\nsources = ["sources"]\n')
    commit(owl)
    card = owl / "sources" / "card.md"
    card.write_text("other bytes")
    assert selected() == {"owl.licence"}
    commit(owl)
    card.write_text(OWL_CARD)
    assert selected() == {"owl.licence"}


def test_a_changed_pipeline_selects_the_claims_of_its_stages(owl: Path, selected: Callable[..., set[str]]) -> None:
    edit(owl / "claims" / "sources.yaml", "{id: tune,", "{id: tuning,")
    assert selected() == ALL


def test_changed_settings_select_everything(owl: Path, selected: Callable[..., set[str]]) -> None:
    edit(owl / "tracer.toml", 'ledger = "claims"\n', 'ledger = "claims"\n[rules]\nsection-wrong = "warning"\n')
    assert selected() == ALL


def test_a_file_that_git_does_not_track_yet_counts(owl: Path, selected: Callable[..., set[str]]) -> None:
    new = "claims:\n  - {id: owl.new, text: Owl sees at night., status: stated}\n"
    (owl / "claims" / "grüße & more.yaml").write_text(new)
    assert selected() == {"owl.new"}


def test_a_claim_whose_ground_is_gone_is_selected(owl: Path, selected: Callable[..., set[str]]) -> None:
    (owl / "claims" / "pretrain.yaml").unlink()
    assert selected() == {"owl.start"}


def test_words_select_among_what_has_changed(owl: Path, selected: Callable[..., set[str]]) -> None:
    edit(owl / "claims" / "pretrain.yaml", "Owl reads 40 billion tokens.", "Owl reads forty billion tokens.")
    assert selected("owl/tune") == {"owl.start"}


def test_a_project_in_a_folder_of_a_repository_is_found(
    owl: Path, run: Tracer, selected: Callable[..., set[str]]
) -> None:
    """The repository begins above the project, and what changes beside the project selects nothing."""
    (owl / ".git").rename(owl.parent / ".git")
    commit(owl.parent)
    (owl.parent / "claims").mkdir()
    (owl.parent / "claims" / "tune.yaml").write_text("claims: []\n")
    assert selected() == set()
    edit(owl / "claims" / "tune.yaml", "There is no other model.", "No other model is named.")
    assert selected() == {"owl.licence", "owl.start"}


def test_an_audit_since_a_revision_changes_no_file(owl: Path, run: Tracer) -> None:
    edit(owl / "claims" / "tune.yaml", "There is no other model.", "No other model is named.")
    before = {path: path.read_bytes() for path in owl.rglob("*") if path.is_file()}
    run("audit", "--changed-since", "HEAD")
    assert {path: path.read_bytes() for path in owl.rglob("*") if path.is_file()} == before


# --- failures ---------------------------------------------------------------------------------------------------


def test_outside_of_git_it_cannot_be_done(project: Write, run: Tracer) -> None:
    done = run("-C", str(project(OWL)), "audit", "--changed-since", "HEAD")
    assert (done.code, done.out) == (2, "")
    assert "lies in no repository of git" in done.err


@pytest.mark.parametrize("revision", ["-p", "--output=x", "--all"])
def test_a_revision_that_could_be_an_option_is_refused(owl: Path, run: Tracer, revision: str) -> None:
    done = run("audit", f"--changed-since={revision}")
    assert done.code == 2
    assert f"{revision} is no revision of git" in done.err


@pytest.mark.parametrize("revision", ["nowhere", "HEAD:claims", "", "main..main", "HEAD\n"])
def test_what_names_no_commit_is_said(owl: Path, run: Tracer, revision: str) -> None:
    done = run("audit", "--changed-since", revision)
    assert (done.code, done.out) == (2, "")
    assert "git knows no revision" in done.err


def test_without_git_it_is_said(owl: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    done = run("audit", "--changed-since", "HEAD")
    assert done.code == 2
    assert "which is not installed" in done.err


def test_a_program_that_the_repository_names_for_diffs_is_not_run(owl: Path, run: Tracer) -> None:
    git(owl, "config", "diff.external", f"touch {owl}/ran")
    git(owl, "config", "core.fsmonitor", f"touch {owl}/ran")
    edit(owl / "claims" / "tune.yaml", "There is no other model.", "No other model is named.")
    assert run("audit", "--changed-since", "HEAD").code == 0
    assert not (owl / "ran").exists()
