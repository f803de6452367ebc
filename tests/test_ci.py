"""The hook, the action and the example workflow: they are what their readers take, and they audit."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from running import OWL

from tracer.reports import FORMATS

ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOW = yaml.load((ROOT / "docs" / "audit-workflow.yml").read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

Write = Callable[[Mapping[str, str | bytes]], Path]
Step = Mapping[str, Any]
Done = subprocess.CompletedProcess[str]


@pytest.fixture
def owl(project: Write) -> Path:
    return project(OWL)


def mended(folder: Path) -> None:
    """Takes the one finding of the project away."""
    path = folder / "claims" / "pretrain.yaml"
    path.write_text(path.read_text().replace("section: Fine-tuning", "section: Pre-training"))


# --- pre-commit -------------------------------------------------------------------------------------------------


def test_the_hook_has_the_keys_that_pre_commit_asks_for() -> None:
    assert {"id", "name", "entry", "language"} <= HOOK.keys()
    assert (HOOK["id"], HOOK["language"], HOOK["pass_filenames"]) == ("tracer-audit", "python", False)


@pytest.mark.parametrize(
    ("path", "is_meant"),
    [
        ("claims/a.yaml", True),
        ("claims/b/a.yml", True),
        ("tracer.toml", True),
        ("data/tracer.toml", True),
        ("README.md", False),
        ("not-tracer.toml", False),
        ("yaml", False),
    ],
)
def test_the_hook_runs_for_yaml_and_settings(path: str, is_meant: bool) -> None:
    assert (re.search(HOOK["files"], path) is not None) is is_meant


def hooked(folder: Path) -> Done:
    """The hook as pre-commit runs it, with the script that the package installs."""
    script, *words = shlex.split(HOOK["entry"])
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts[script] == "tracer.__main__:main"
    command = [sys.executable, "-m", script, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


def test_the_hook_fails_on_a_finding_and_passes_without_one(owl: Path) -> None:
    found = hooked(owl)
    assert found.returncode == 1
    assert "section-wrong" in found.stdout
    mended(owl)
    assert hooked(owl).returncode == 0


# --- the action -------------------------------------------------------------------------------------------------


def test_the_action_has_the_keys_that_github_asks_for() -> None:
    assert {"name", "description", "inputs", "runs"} <= ACTION.keys()
    assert ACTION["runs"]["using"] == "composite"
    assert all({"description", "default"} <= declared.keys() for declared in ACTION["inputs"].values())
    assert all(step["shell"] == "bash" for step in ACTION["runs"]["steps"])


def test_the_action_uses_nothing_of_others() -> None:
    assert all("uses" not in step for step in ACTION["runs"]["steps"])
    install = step_of("Install tracer")
    assert install["env"]["CHECKOUT"] == "${{ github.action_path }}"
    assert install["run"].count("pip install") == 1
    assert install["run"].rstrip().endswith('"$CHECKOUT"')


def test_no_input_is_written_into_a_script() -> None:
    assert [step["name"] for step in ACTION["runs"]["steps"] if "${{" in step["run"]] == []


def test_every_input_is_used_and_stands_in_the_documentation() -> None:
    used = {value for step in ACTION["runs"]["steps"] for value in step["env"].values()}
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    for name in ACTION["inputs"]:
        assert f"${{{{ inputs.{name} }}}}" in used
        assert f"| `{name}` |" in page


def test_every_format_stands_in_the_documentation() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"| `{name}` |" not in page] == []


def step_of(name: str) -> Step:
    (step,) = [step for step in ACTION["runs"]["steps"] if step["name"] == name]
    return step


def acted(folder: Path, runner: Path, **inputs: str) -> Done:
    """The step that audits, run by bash as the runner runs it; the program is the one under test."""
    script = runner / "tracer-audit" / "bin" / "tracer"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tracer "$@"\n')
    script.chmod(0o755)
    given = {name: declared["default"] for name, declared in ACTION["inputs"].items()} | {
        name.replace("_", "-"): value for name, value in inputs.items()
    }
    step = step_of("Audit")
    surroundings = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    runners = {
        "RUNNER_TEMP": str(runner),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
        "GITHUB_WORKSPACE": str(folder),
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **surroundings, **runners},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_action_shows_findings_at_their_lines_and_fails(owl: Path, tmp_path: Path) -> None:
    done = acted(owl, tmp_path / "runner")
    assert (done.returncode, done.stderr) == (1, "")
    assert "::error file=claims/pretrain.yaml,line=" in done.stdout
    assert (tmp_path / "runner" / "output").read_text() == "exit-code=1\n"
    assert "### tracer: 1 error" in (tmp_path / "runner" / "summary.md").read_text()


def test_the_action_passes_where_nothing_is_found(owl: Path, tmp_path: Path) -> None:
    mended(owl)
    done = acted(owl, tmp_path / "runner")
    assert done.returncode == 0
    assert (tmp_path / "runner" / "output").read_text() == "exit-code=0\n"


def test_fail_on_says_what_fails_the_step(owl: Path, tmp_path: Path) -> None:
    assert acted(owl, tmp_path, fail_on="never").returncode == 0
    mended(owl)
    (owl / "sources" / "card.md").unlink()
    assert acted(owl, tmp_path, fail_on="findings").returncode == 0
    assert acted(owl, tmp_path, fail_on="unchecked").returncode == 1
    wrong = acted(owl, tmp_path, fail_on="warnings")
    assert (wrong.returncode, wrong.stderr) == (2, "fail-on is findings, unchecked or never, not warnings\n")


def test_what_cannot_be_done_fails_the_step_in_any_case(owl: Path, tmp_path: Path) -> None:
    assert acted(owl, tmp_path, fail_on="never", args="owl.nothing").returncode == 2


def test_args_are_words_and_never_commands(owl: Path, tmp_path: Path) -> None:
    done = acted(owl, tmp_path, args="owl.tokens\nowl.licence  --strict")
    assert done.returncode == 0
    evil = acted(owl, tmp_path, args='$(touch ran); touch ran "`touch ran`"', sources="$(touch ran)")
    assert evil.returncode == 2
    assert not (owl / "ran").exists()


def test_sources_are_folders_and_output_is_a_file(owl: Path, tmp_path: Path) -> None:
    mended(owl)
    sources = owl / "claims" / "sources.yaml"
    sources.write_text(re.sub(r" +file: .*\n", "", sources.read_text()))
    moved = tmp_path / "two words"
    (owl / "sources").rename(moved)
    assert acted(owl, tmp_path, fail_on="unchecked").returncode == 2
    done = acted(owl, tmp_path, fail_on="unchecked", sources=f"{moved}\n", format="sarif", output="tracer.sarif")
    assert (done.returncode, done.stdout) == (0, "")
    assert '"version": "2.1.0"' in (owl / "tracer.sarif").read_text()


# --- the example workflow ---------------------------------------------------------------------------------------


def test_the_workflow_gives_the_action_only_inputs_that_it_has() -> None:
    steps = [step for job in WORKFLOW["jobs"].values() for step in job["steps"] if "tracer@" in step["uses"]]
    assert len(steps) == 2
    for step in steps:
        assert step["with"].keys() <= ACTION["inputs"].keys()
        assert step["with"].get("format", "github") in FORMATS


def test_the_workflow_has_the_keys_that_github_asks_for_and_few_rights() -> None:
    assert {"name", "on", "jobs", "permissions"} <= WORKFLOW.keys()
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert all({"runs-on", "steps"} <= job.keys() for job in WORKFLOW["jobs"].values())
