"""A source is revised on the command line: what is printed, and which lines of the ledger are written."""

import difflib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conftest import ROOT, pdf_of, sha256_of
from running import ran
from typer.testing import CliRunner, Result

from tracer import run
from tracer.cli import app
from tracer.loading import load
from tracer.settings import find

Project = Callable[[Mapping[str, str | bytes]], Path]

TOKENS = "The corpus holds 36 trillion tokens of text and code."
RATE = "We train with Muon, as others do [12], at a peak rate of 0.0002."
BATCH = "The batch grows to 4,096 sequences in the second stage."
LIMIT = "The model reads at most 64K tokens at once."

OLD = pdf_of([f"{TOKENS}\n{RATE}", f"{BATCH}\n{LIMIT}"])
NEW = pdf_of(["A new first page.", f"{TOKENS}\n{RATE.replace('[12]', '[13]')}", f"{BATCH.replace('4,096', '8,192')}"])

SOURCES = """\
# Where it all comes from.
sources:
  report:
    title: A report   # the only one
    revision: v1
    sha256: {sha256 of sources/old.pdf}
    note: >-
      It is revised in silence.

  other: {title: Another, sha256: {sha256 of sources/old.pdf}}
"""
CLAIMS = """\
claims:
  - id: tokens      # how many
    text: It has seen 36 trillion tokens.
    status: stated
    cite:
      - {source: report, page: 1, quote: "holds 36 trillion tokens of text"}   # the first page

  - id: rate
    text: The peak rate is 0.0002.
    status: stated
    cite: [{source: report, page: 1, quote: "as others do [12], at a peak rate of 0.0002"}]

  - id: batch
    text: The batch grows to 4,096 sequences.
    status: stated
    cite: [{source: report, page: 2, quote: "The batch grows to 4,096 sequences in the second stage"}]

  - id: limit
    text: It reads 64K tokens.
    status: stated
    cite: [{source: report, page: 2, quote: "The model reads at most 64K tokens at once"}]
"""


@pytest.fixture
def root(project: Project) -> Path:
    return project(
        {
            "tracer.toml": 'ledger = "claims"\nsources = ["sources"]\n',
            "sources/old.pdf": OLD,
            "sources/new.pdf": NEW,
            "claims/sources.yaml": SOURCES,
            "claims/claims.yaml": CLAIMS,
        }
    )


def revise(root: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["-C", str(root), "revise", "report", "sources/new.pdf", *words])


def ledger(root: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted((root / "claims").iterdir())}


def changed_lines(before: str, after: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def test_without_apply_nothing_is_written(root: Path) -> None:
    before = ledger(root)
    result = revise(root)
    assert (result.exit_code, ledger(root)) == (1, before)
    assert "nothing was written; --apply --accept moved,reference-marks writes 2 rows and" in result.stdout


def test_apply_says_what_it_wrote_into_which_file(root: Path) -> None:
    assert "wrote claims/claims.yaml: 1 row\nwrote claims/sources.yaml: new pin\n" in revise(root, "--apply").stdout
    assert "nothing was written: there is nothing to write" in revise(root, "--apply").stdout
    assert "nothing was written; --apply --accept reference-marks writes 1 row" in revise(root).stdout


def test_without_rows_the_new_pin_alone_is_offered_and_written(root: Path) -> None:
    (root / "claims" / "claims.yaml").unlink()
    assert "nothing was written; --apply writes the new pin\n" in revise(root).stdout
    assert "wrote claims/sources.yaml: new pin\n" in revise(root, "--apply").stdout


def outside(root: Path, setting: str = "") -> tuple[Path, str]:
    """A new revision beside the project, whose source names a file, and how the command line names it."""
    sources = root / "claims" / "sources.yaml"
    sources.write_text(sources.read_text().replace("    note: >-", "    file: sources/old.pdf\n    note: >-"))
    (root / "tracer.toml").write_text('ledger = "claims"\nsources = ["sources"]\n' + setting)
    folder = root.parent / "papers"
    folder.mkdir()
    (folder / "new.pdf").write_bytes(NEW)
    (root / "sources" / "new.pdf").unlink()
    return sources, "../papers/new.pdf"


def test_a_file_outside_of_the_project_is_advised_on_before_anything_is_written(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources, file = outside(root)
    before = sources.read_bytes()
    dry = ran(capsys, "-C", str(root), "revise", "report", file)
    assert "copy it to sources/new.pdf and name that file" in " ".join(dry.out.split())
    wet = ran(capsys, "-C", str(root), "revise", "report", file, "--apply")
    assert wet.code == 2
    assert "name its folder under `allow`" in " ".join(wet.err.split())
    assert sources.read_bytes() == before


def test_the_advice_never_takes_the_place_of_the_old_file(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, file = outside(root)
    (root / "sources" / "new.pdf").write_bytes(OLD)
    dry = ran(capsys, "-C", str(root), "revise", "report", file)
    assert f"copy it to sources/new-{sha256_of(NEW)[:12]}.pdf" in " ".join(dry.out.split())


def test_a_file_in_a_folder_that_is_allowed_is_named_by_its_way_from_the_project(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, file = outside(root, 'allow = ["../papers"]\n')
    ran(capsys, "-C", str(root), "revise", "report", file, "--apply")
    assert load(find(root)).sources["report"].file == "../papers/new.pdf"


def test_the_rows_are_printed_by_kind_with_their_lines(root: Path) -> None:
    said = revise(root).stdout
    assert "claims/claims.yaml:6  tokens  page 1 → 2" in said
    assert "rate  [12] → [13]; page 1 → 2" in said
    assert "“4,096” → “8,192”" in said
    assert said.index("altered") < said.index("gone")


def test_apply_writes_the_pin_its_history_and_what_moved_and_no_other_line(root: Path) -> None:
    before = ledger(root)
    revise(root, "--apply", "--revision", "v2")
    after = ledger(root)
    pins = changed_lines(before["sources.yaml"], after["sources.yaml"])
    assert [line.split(", seen: ")[0] for line in pins] == [
        "-    revision: v1",
        f"-    sha256: {sha256_of(OLD)}",
        "+    revision: v2",
        f"+    sha256: {sha256_of(NEW)}",
        "+    revisions:",
        f"+      - {{name: v1, sha256: {sha256_of(OLD)}",
    ]
    assert changed_lines(before["claims.yaml"], after["claims.yaml"]) == [
        '-      - {source: report, page: 1, quote: "holds 36 trillion tokens of text"}   # the first page',
        '+      - {source: report, page: 2, quote: "holds 36 trillion tokens of text"}   # the first page',
    ]


def test_accepted_reference_marks_are_written_with_their_page(root: Path) -> None:
    before = ledger(root)["claims.yaml"]
    revise(root, "--apply", "--accept", "reference-marks")
    assert changed_lines(before, ledger(root)["claims.yaml"]) == [
        '-    cite: [{source: report, page: 1, quote: "as others do [12], at a peak rate of 0.0002"}]',
        '+    cite: [{source: report, page: 2, quote: "as others do [13], at a peak rate of 0.0002"}]',
    ]


def test_after_apply_the_audit_flags_what_was_altered_and_what_is_gone_and_nothing_else(root: Path) -> None:
    revise(root, "--apply", "--accept", "moved,reference-marks", "--revision", "v2")
    flagged = [(finding.problem.claim, finding.rule) for finding in run(root).findings]
    assert flagged == [("batch", "quote-altered"), ("limit", "quote-missing")]


def test_the_old_pin_can_be_cited_afterwards(root: Path) -> None:
    revise(root, "--apply", "--accept", "moved,reference-marks")
    claims = root / "claims" / "claims.yaml"
    claims.write_text(claims.read_text().replace('report, page: 2, quote: "The', 'report@v1, page: 2, quote: "The'))
    assert [(finding.rule, finding.problem.message) for finding in run(root).findings] == []


def test_a_revision_without_a_name_is_called_by_its_hash(root: Path) -> None:
    revise(root, "--apply")
    assert load(find(root)).sources["report"].revision == sha256_of(NEW)[:12]


def test_going_back_takes_the_name_that_the_pin_had_and_keeps_the_history(root: Path) -> None:
    revise(root, "--apply", "--accept", "moved,reference-marks", "--revision", "v2")
    CliRunner().invoke(
        app, ["-C", str(root), "revise", "report", "sources/old.pdf", "--apply", "--accept", "moved,reference-marks"]
    )
    source = load(find(root)).sources["report"]
    assert (source.revision, source.sha256) == ("v1", sha256_of(OLD))
    assert [revision.name for revision in source.revisions] == ["v1", "v2"]
    assert ledger(root)["claims.yaml"] == CLAIMS


def test_a_second_run_finds_nothing_to_write(root: Path) -> None:
    revise(root, "--apply", "--accept", "moved,reference-marks")
    before = ledger(root)
    revise(root, "--apply", "--accept", "moved,reference-marks")
    assert ledger(root) == before


def test_the_quotes_of_the_ledger_serve_where_the_old_bytes_are_lost(root: Path) -> None:
    (root / "sources" / "old.pdf").unlink()
    result = revise(root, "--format", "json")
    found = json.loads(result.stdout)
    assert found["old-read"] is False
    assert {row["claim"]: row["kind"] for row in found["rows"]} == {
        "tokens": "moved",
        "rate": "reference-marks",
        "batch": "altered",
        "limit": "gone",
    }


def test_json_holds_every_row_with_its_edits_and_line(root: Path) -> None:
    found = json.loads(revise(root, "--format", "json").stdout)
    assert found["counts"]["moved"] == found["counts"]["altered"] == 1
    assert found["rows"][0]["edits"] == [{"field": "cite.0.page", "old": "1", "new": "2", "appends": False}]
    assert found["rows"][0]["at"] == {"path": "claims/claims.yaml", "line": 6, "column": 9}


def test_a_source_that_names_its_file_names_the_new_one_afterwards(root: Path) -> None:
    sources = root / "claims" / "sources.yaml"
    sources.write_text(sources.read_text().replace("    note: >-", "    file: sources/old.pdf\n    note: >-"))
    revise(root, "--apply")
    assert load(find(root)).sources["report"].file == "sources/new.pdf"


def test_a_file_that_was_replaced_in_place_keeps_its_name(root: Path) -> None:
    sources = root / "claims" / "sources.yaml"
    sources.write_text(sources.read_text().replace("    note: >-", "    file: sources/new.pdf\n    note: >-"))
    revise(root, "--apply")
    assert load(find(root)).sources["report"].file == "sources/new.pdf"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--apply", "--accept", "altered"), "--accept altered is nothing that can be written"),
        (("--accept", "moved"), "add --apply"),
        (("--interactive",), "asks on a terminal"),
    ],
)
def test_what_cannot_be_done_is_said_and_writes_nothing(root: Path, words: tuple[str, ...], said: str) -> None:
    before = ledger(root)
    result = revise(root, *words)
    assert said in str(result.exception)
    assert ledger(root) == before


def test_new_bytes_that_no_audit_would_find_are_said(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "sources" / "new.pdf").rename(root / "new.pdf")
    words = ("-C", str(root), "revise", "report", "new.pdf", "--apply")
    assert "new.pdf is in none of the source folders" in ran(capsys, *words).err


def test_a_file_that_is_not_there_is_said(root: Path) -> None:
    result = CliRunner().invoke(app, ["-C", str(root), "revise", "report", "sources/newer.pdf"])
    assert "name the file of the new revision" in str(result.exception)


def answered(root: Path, answers: str) -> tuple[str, int]:
    """What `--interactive` prints on a terminal where these answers are typed, and its exit code."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tracer", "-C", str(root), "revise", "report", "sources/new.pdf", "--interactive"]
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    process = subprocess.Popen(command, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    os.write(ours, answers.encode())
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:  # the terminal was closed at the other end
        pass
    os.close(ours)
    return said.decode(), process.wait(timeout=60)


def test_interactive_writes_the_rows_that_are_accepted_and_names_those_that_are_flagged(root: Path) -> None:
    before = ledger(root)
    said, code = answered(root, "a\ns\nf\ns\n")
    assert "│" in said
    assert "wrote claims/claims.yaml: 1 row\r\nwrote claims/sources.yaml: new pin" in said
    assert "to look at: claims/claims.yaml:16:12 batch, altered" in said
    assert code == 1
    after = ledger(root)
    assert [line[:40] for line in changed_lines(before["claims.yaml"], after["claims.yaml"])] == [
        "-      - {source: report, page: 1, quote",
        "+      - {source: report, page: 2, quote",
    ]
    assert sha256_of(NEW) in after["sources.yaml"]


def test_interactive_that_is_quit_writes_nothing(root: Path) -> None:
    before = ledger(root)
    said, code = answered(root, "a\nq\n")
    assert ("nothing was written" in said, code, ledger(root)) == (True, 1, before)


def test_a_row_that_was_altered_cannot_be_accepted(root: Path) -> None:
    before = ledger(root)["claims.yaml"]
    said, _ = answered(root, "s\ns\na\ns\ns\n")
    assert said.count("3 of 4 [s]kip, [f]lag, [q]uit") == 2
    assert ledger(root)["claims.yaml"] == before
