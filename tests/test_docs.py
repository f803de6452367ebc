"""The documentation and the example against the program."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import typer
from conftest import sha256_of
from typer.testing import CliRunner

from tracer import rules
from tracer.cli import app

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "claims" / "example"
README = ROOT / "README.md"
PAGES = (README, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
SHIPPED = (
    "tracer",
    "tests",
    "docs",
    "claims",
    "bench",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "pyproject.toml",
)
WRITTEN = {".md", ".py", ".toml", ".yaml", ".json", ".txt", ".html"}
NOT_IN_THE_EXAMPLE = {"file-invalid", "page-unreadable"}
"""What only a file that is not a ledger, or a page without text, can show."""

Json = dict[str, Any]
COMMANDS = typer.main.get_command(app).commands


# --- commands ---------------------------------------------------------------------------------------------------


def shown_commands() -> Iterator[tuple[str, list[str]]]:
    """Every `tracer …` in a block or a span of code of a page: the page's name and the words."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        spans = re.findall(r"(?<!`)`(?:\$ )?(?:uv run )?(tracer(?: [^`\n]*)?)`", text)
        lines = re.findall(r"^(?:\$ |.*&& \.venv/bin/)(tracer .*)$", text, flags=re.MULTILINE)
        yield from ((page.name, shlex.split(line)) for line in (*spans, *lines))


SHOWN = sorted({(page, " ".join(words)) for page, words in shown_commands()})


@pytest.mark.parametrize(("page", "line"), SHOWN)
def test_a_command_that_a_page_shows_exists_with_its_options(page: str, line: str) -> None:
    words = [word for word in line.split()[1:] if word != "COMMAND"]
    verb = next((word for word in words if not word.startswith("-")), None)
    assert verb is None or verb in COMMANDS
    options = {name for parameter in COMMANDS[verb].params for name in parameter.opts} if verb else {"--version"}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= options | {"--help"}


@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_every_command_has_help_and_stands_in_the_readme(verb: str) -> None:
    result = CliRunner().invoke(app, [verb, "--help"])
    assert result.exit_code == 0
    assert COMMANDS[verb].help
    assert f"| `tracer {verb}` |" in README.read_text(encoding="utf-8")


def said(line: str) -> str:
    """What a command of the README prints at the root of the project, 80 columns wide."""
    surroundings = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", *shlex.split(line)]
    run = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode in (0, 1), run.stderr
    return "\n".join(line.rstrip() for line in run.stdout.strip("\n").splitlines())


def test_the_transcript_of_the_readme_is_what_the_commands_print(update: bool) -> None:
    written = README.read_text(encoding="utf-8")
    blocks = re.compile(r"```console\n\$ (?P<line>[^\n]*)\n.*?```", flags=re.DOTALL)
    made = blocks.sub(lambda block: f"```console\n$ {block['line']}\n{said(block['line'])}\n```", written)
    if update:
        README.write_text(made, encoding="utf-8", newline="\n")
    assert blocks.search(written)
    assert README.read_text(encoding="utf-8") == made


# --- pages ------------------------------------------------------------------------------------------------------


def test_the_page_of_the_rules_is_made_from_the_rules(update: bool) -> None:
    page = ROOT / "docs" / "rules.md"
    if update:
        page.write_text(rules.documentation(), encoding="utf-8", newline="\n")
    assert page.read_text(encoding="utf-8") == rules.documentation()


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the common renderers make them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    for link in (link for link in links if "://" not in link):
        target, _, anchor = link.partition("#")
        path = (page.parent / target) if target else page
        assert path.exists(), link
        assert not anchor or anchor in anchors(path), link


def shipped_files() -> Iterator[Path]:
    for name in SHIPPED:
        path = ROOT / name
        yield from [path] if path.is_file() else (file for file in path.rglob("*") if file.suffix in WRITTEN)


def test_no_file_speaks_of_the_machine_that_it_was_written_on() -> None:
    words = re.compile(r"(?<![\w.])/" + r"work/|shared/" + r"(reports|seeds|cases)\b")
    found = [file.relative_to(ROOT) for file in shipped_files() if words.search(file.read_text(encoding="utf-8"))]
    assert found == []


def test_the_licence_is_the_whole_text_that_the_project_names() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


# --- the example ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example() -> Json:
    """The audit of the example, as programs see it."""
    run = [sys.executable, "-m", "tracer", "audit", "claims/example", "--format", "json"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1, done.stderr
    return json.loads(done.stdout)


def announced() -> Iterator[tuple[str, str]]:
    """The record after each comment of the faulty files, with each rule that the comment names at its end."""
    for file in ("faulty-sources.yaml", "faulty-pipeline.yaml", "faults.yaml"):
        for comment, record in pairwise((EXAMPLE / file).read_text(encoding="utf-8").splitlines()):
            names = re.fullmatch(r" +# .*\. ([a-z-]+(?:, [a-z-]+)*)", comment)
            for rule in names[1].split(", ") if names else ():
                if rule != "accepted":
                    yield record.removeprefix("  - id:").strip().rstrip(":"), rule


def record_of(finding: Json) -> str:
    """The claim that a finding is about, or the source in whose lines it stands."""
    if finding["claim"]:
        return finding["claim"]
    lines = (ROOT / finding["at"]["path"]).read_text(encoding="utf-8").splitlines()[: finding["at"]["line"]]
    return next(line.strip().rstrip(":") for line in reversed(lines) if re.fullmatch(r"  \S+:", line))


@pytest.mark.parametrize(("record", "rule"), sorted(announced()))
def test_a_fault_of_the_example_is_found_by_the_rule_that_its_comment_names(
    example: Json, record: str, rule: str
) -> None:
    assert record in {record_of(finding) for finding in example["findings"] if finding["rule"] == rule}


def test_a_fault_of_the_example_is_flagged_for_no_other_reason(example: Json) -> None:
    expected = {(record, rule) for record, rule in announced() if record.startswith("heron.fault.")}
    others = [
        (finding["claim"], finding["rule"], finding["message"])
        for finding in example["findings"]
        if finding["severity"] != "note" and finding["claim"] and (finding["claim"], finding["rule"]) not in expected
    ]
    assert others == []


def test_the_example_has_a_fault_for_every_rule() -> None:
    assert {rule for _, rule in announced()} == set(rules.RULES) - NOT_IN_THE_EXAMPLE


def test_every_fine_claim_of_the_example_is_verified(example: Json) -> None:
    ended = {
        claim["id"]: claim["verdict"] for claim in example["claims"] if not str(claim["id"]).startswith("heron.fault.")
    }
    assert ended
    assert {name: verdict for name, verdict in ended.items() if verdict != "verified"} == {}


def page_texts(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as document:
        return [page.get_textpage().get_text_range() for page in document]


def test_the_report_of_the_example_is_what_its_script_makes(tmp_path: Path) -> None:
    made = tmp_path / "report.pdf"
    subprocess.run([sys.executable, EXAMPLE / "make_report.py", made], check=True, capture_output=True)
    assert page_texts(made) == page_texts(EXAMPLE / "heron-1-report.pdf")


def test_the_sources_of_the_example_are_the_pinned_bytes() -> None:
    pins = (EXAMPLE / "sources.yaml").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"sha256: (\w+)\n +file: (\S+)", pins))
    assert len(pinned) == 4
    assert {sha256_of((ROOT / file).read_bytes()): file for file in pinned.values()} == pinned
