"""What git tells of a claim: when its value changed, whether its evidence did, and where it stood before."""

import json
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tracer.cli import app
from tracer.history import Entry, history
from tracer.loading import load
from tracer.model import Failure
from tracer.settings import find

Project = Callable[[Mapping[str, str | bytes]], Path]

CLAIM = """\
  - id: experts
    text: There are nine experts.
    value: 9
    unit: experts
    status: stated
    cite: [{source: report, page: 2, quote: "a total of nine experts"}]
"""
OTHER = """\
  - id: layers
    text: There are four layers.
    value: 4
    status: stated
    cite: [{source: report, page: 3, quote: "four layers"}]
"""
FILE = f"claims:\n{CLAIM}\n{OTHER}"


def git(root: Path, *words: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True, encoding="utf-8")
    return done.stdout


def commit(root: Path, message: str, **files: str) -> None:
    """Write files of the ledger (`a` is `claims/a.yaml`) and commit everything."""
    for name, content in files.items():
        (root / "claims" / f"{name}.yaml").write_text(content)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)


@pytest.fixture
def root(project: Project) -> Path:
    folder = project({"claims/a.yaml": FILE})
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "Begin")
    return folder


def entries(root: Path, name: str = "experts") -> tuple[Entry, ...]:
    ledger = load(find(root))
    claim = next(claim for claim in ledger.claims if claim.id == name)
    return history(claim, root, ledger.folder, {claim.id: claim.places.path for claim in ledger.claims})


def told(root: Path, name: str = "experts") -> list[tuple[str, tuple[str, ...], bool]]:
    return [(it.commit.subject if it.commit else "", it.parts, it.is_flagged) for it in entries(root, name)]


def log(root: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["-C", str(root), "log", *words])


# --- what changed ---------------------------------------------------------------------------------------------------


def test_a_claim_begins_where_it_was_first_committed(root: Path) -> None:
    assert told(root) == [("Begin", (), False)]


def test_commits_that_leave_the_claim_alone_are_not_told(root: Path) -> None:
    commit(root, "Another claim", a=FILE.replace("four layers", "four deep layers"))
    commit(root, "A line above", a=f"# A comment.\n{FILE}")
    assert [subject for subject, _, _ in told(root)] == ["Begin"]


def test_a_value_that_changed_with_its_quote_is_told_and_not_flagged(root: Path) -> None:
    commit(root, "Correct", a=FILE.replace("value: 9", "value: 12").replace("of nine experts", "of twelve experts"))
    assert told(root)[0] == ("Correct", ("value", "quotes"), False)
    assert log(root, "experts").exit_code == 0


def test_a_value_that_changed_without_its_evidence_is_flagged(root: Path) -> None:
    commit(root, "Tune", a=FILE.replace("value: 9", "value: 12"))
    assert told(root)[0] == ("Tune", ("value",), True)
    result = log(root, "experts")
    assert result.exit_code == 1
    assert "! the value changed, its evidence did not" in result.stdout
    assert "value: 9 experts → 12 experts" in result.stdout


@pytest.mark.parametrize("replaced", ["page: 2", "nine experts.\n"])
def test_another_page_or_text_is_no_evidence_for_another_value(root: Path, replaced: str) -> None:
    commit(
        root,
        "Tune",
        a=FILE.replace("value: 9", "value: 12").replace(replaced, replaced.replace("2", "4").replace("nine", "twelve")),
    )
    assert told(root)[0][2] is True


def test_another_unit_is_another_value(root: Path) -> None:
    commit(root, "Count", a=FILE.replace("unit: experts", "unit: layers"))
    assert told(root)[0] == ("Count", ("value",), True)


@pytest.mark.parametrize(("old", "new"), [("64K", "64,000"), ("1.5", "1.50"), ("nine", "9")])
def test_the_same_number_in_another_notation_is_not_flagged(root: Path, old: str, new: str) -> None:
    commit(root, "Old", a=FILE.replace("value: 9", f"value: '{old}'"))
    commit(root, "New", a=FILE.replace("value: 9", f"value: '{new}'"))
    assert told(root)[0] == ("New", ("notation",), False)


def test_a_status_that_changed_is_told(root: Path) -> None:
    commit(
        root,
        "Doubt",
        a=FILE.replace(
            "status: stated\n    cite: [{source: report, page: 2",
            "status: concluded\n    cite: [{source: report, page: 2",
        ),
    )
    assert told(root)[0] == ("Doubt", ("status",), False)


def test_what_is_not_committed_comes_first(root: Path) -> None:
    (root / "claims" / "a.yaml").write_text(FILE.replace("value: 9", "value: 12"))
    assert told(root)[0] == ("", ("value",), True)


def test_a_claim_that_was_taken_out_and_came_back_is_told_so(root: Path) -> None:
    commit(root, "Drop", a=f"claims:\n{OTHER}")
    commit(root, "Return", a=FILE)
    assert [(subject, parts) for subject, parts, _ in told(root)] == [("Return", ()), ("Drop", ()), ("Begin", ())]


DERIVED = """\
  - id: share
    text: Each has a share.
    value: %s
    status: derived
    formula: n / 18
    inputs: {n: experts}
"""


def test_a_derived_value_that_follows_its_input_is_not_flagged(root: Path) -> None:
    commit(root, "Derive", b=f"claims:\n{DERIVED % '0.5'}")
    commit(root, "Both", a=FILE.replace("value: 9", "value: 12"), b=f"claims:\n{DERIVED % '0.667'}")
    latest = entries(root, "share")[0]
    assert (latest.parts, latest.changed_inputs, latest.is_flagged) == (("value",), ("experts",), False)


def test_a_derived_value_that_changed_alone_is_flagged(root: Path) -> None:
    commit(root, "Derive", b=f"claims:\n{DERIVED % '0.5'}")
    commit(root, "Alone", b=f"claims:\n{DERIVED % '0.6'}")
    assert entries(root, "share")[0].is_flagged


# --- where it stood -------------------------------------------------------------------------------------------------


def test_a_renamed_file_is_followed(root: Path) -> None:
    commit(root, "Tune", a=FILE.replace("value: 9", "value: 12"))
    git(root, "mv", "claims/a.yaml", "claims/b.yaml")
    commit(root, "Rename")
    found = entries(root)
    assert [(it.commit.subject, it.old_path) for it in found if it.commit] == [
        ("Rename", "claims/a.yaml"),
        ("Tune", "claims/a.yaml"),
        ("Begin", "claims/a.yaml"),
    ]


def test_a_claim_that_was_moved_to_another_file_is_followed(root: Path) -> None:
    commit(root, "Tune", a=FILE.replace("value: 9", "value: 12"))
    commit(root, "Move", a=f"claims:\n{OTHER}", c=f"claims:\n{CLAIM.replace('value: 9', 'value: 12')}")
    found = entries(root)
    assert [(it.commit.subject, it.parts) for it in found if it.commit] == [
        ("Move", ()),
        ("Tune", ("value",)),
        ("Begin", ()),
    ]


def test_a_value_that_changed_while_the_claim_moved_is_flagged(root: Path) -> None:
    commit(root, "Move", a=f"claims:\n{OTHER}", c=f"claims:\n{CLAIM.replace('value: 9', 'value: 12')}")
    assert told(root)[0] == ("Move", ("value",), True)


def test_a_change_that_only_a_merge_makes_is_told(root: Path) -> None:
    git(root, "switch", "-q", "-c", "side")
    commit(root, "Side", a=FILE.replace("four layers", "four side layers"))
    git(root, "switch", "-q", "main")
    commit(root, "Main", a=f"# A comment.\n{FILE}")
    git(root, "merge", "-q", "--no-commit", "side")
    commit(root, "Merge", a=FILE.replace("value: 9", "value: 12"))
    assert told(root)[0] == ("Merge", ("value",), True)


def test_a_merge_that_brings_a_change_tells_it_once(root: Path) -> None:
    git(root, "switch", "-q", "-c", "side")
    commit(root, "Side", a=FILE.replace("value: 9", "value: 12"))
    git(root, "switch", "-q", "main")
    commit(root, "Main", a=f"# A comment.\n{FILE}")
    git(root, "merge", "-q", "-m", "Merge", "side")
    assert [subject for subject, _, _ in told(root)] == ["Side", "Begin"]


def test_a_project_in_a_folder_of_its_repository_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "repository" / "ledger"
    (folder / "claims").mkdir(parents=True)
    (folder / "claims" / "a.yaml").write_text(FILE)
    git(tmp_path / "repository", "init", "-q", "-b", "main")
    commit(folder, "Begin")
    assert told(folder) == [("Begin", (), False)]


# --- surroundings ---------------------------------------------------------------------------------------------------


def test_outside_of_git_it_says_so(project: Project) -> None:
    folder = project({"claims/a.yaml": FILE})
    with pytest.raises(Failure, match="lies in no repository of git"):
        entries(folder)


def test_a_repository_without_a_commit_is_said(project: Project) -> None:
    folder = project({"claims/a.yaml": FILE})
    git(folder, "init", "-q")
    with pytest.raises(Failure, match="has no commit yet"):
        entries(folder)


def test_an_unknown_claim_is_said_with_the_one_that_was_meant(root: Path) -> None:
    assert "did you mean `experts`?" in str(log(root, "expert").exception)


def test_json_holds_every_change(root: Path) -> None:
    commit(root, "Tune", a=FILE.replace("value: 9", "value: 12"))
    found = json.loads(log(root, "experts", "--format", "json").stdout)
    assert (found["flagged"], found["entries"][0]["changed"]) == (1, ["value"])
    assert (found["entries"][0]["before"]["value"], found["entries"][0]["after"]["value"]) == ("9", "12")


BASE = "from refs/heads/main^0\n"


def test_a_thousand_commits_take_seconds(root: Path) -> None:
    many = "".join(OTHER.replace("layers", f"layers-{number}") for number in range(100))
    told_to_git = [
        f"commit refs/heads/main\ncommitter Ada <ada@example.invalid> {1_700_000_000 + number} +0000\n"
        f"data 4\nTick\n{BASE if number == 0 else ''}M 100644 inline claims/a.yaml\n"
        f"data <<END\nclaims:\n{CLAIM.replace('value: 9', f'value: {number}')}{many}\nEND\n"
        for number in range(1000)
    ]
    subprocess.run(["git", "-C", str(root), "fast-import", "--quiet"], input="".join(told_to_git).encode(), check=True)
    git(root, "reset", "-q", "--hard")
    begun = time.perf_counter()
    found = entries(root)
    assert time.perf_counter() - begun < 20
    assert sum(entry.is_flagged for entry in found) == 1000


# --- claims in bytes ------------------------------------------------------------------------------------------------
