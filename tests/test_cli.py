"""The command line from the words that are typed to what is printed, written and returned."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml
from conftest import pdf_of, sha256_of
from running import Tracer

import tracer
from tracer.cli.options import CoverageFormat, DifferenceFormat
from tracer.loading import load
from tracer.reports import coverage, difference
from tracer.settings import find

Write = Callable[[Mapping[str, str | bytes]], Path]

NOTES = """\
# Training of Wren

## Pre-training

Wren reads 40 billion tokens once. The batch holds 512 sequences.

## Fine-tuning

The model is tuned on 3,000 dialogues. It is not tuned on conversations of users.
"""

SOURCES = """\
sources:
  notes:
    title: Notes
    sha256: {sha256 of sources/notes.md}
    file: sources/notes.md
  supplement:
    title: Supplement
    url: https://example.invalid/supplement.pdf
    sha256: 9ccbf30becc0a3ab04e7c973bedd4f7bc6cc0ae4de4fdeea92dcf499076fe5e0
pipelines:
  wren:
    stages:
      - {id: pretrain, kind: pretraining}
      - {id: tune, kind: sft, after: pretrain}
      - {id: rest, kind: sft, after: tune}
"""

PRETRAIN = """\
claims:
  - id: wren.pretrain.tokens
    stage: wren/pretrain
    field: tokens
    text: Wren reads 40 billion tokens.
    value: 40B
    unit: tokens
    status: stated
    cite:
      - {source: notes, section: Pre-training, quote: "Wren reads 40 billion tokens once"}
  - id: wren.pretrain.batch
    stage: wren/pretrain
    field: batch size
    text: The batch holds 512 sequences.
    value: 512
    unit: sequences
    status: stated
    cite:
      - {source: notes, section: Fine-tuning, quote: "The batch holds 512 sequences"}
"""

TUNE = """\
claims:
  - id: wren.tune.dialogues
    stage: wren/tune
    field: examples
    text: The model is tuned on 3,000 dialogues.
    value: 3,000
    unit: dialogues
    status: stated
    cite:
      - {source: notes, section: Fine-tuning, quote: "The model is tuned on 3,000 dialogues"}
  - id: wren.tune.optimiser
    stage: wren/tune
    field: optimiser
    text: The optimiser is AdamW.
    status: stated
    cite:
      - {source: supplement, page: 3, quote: "we use AdamW with the settings above"}
  - id: wren.tune.learning-rate
    stage: wren/tune
    field: learning rate
    text: The notes do not give the learning rate.
    status: not-stated
    searched:
      - {source: notes, terms: [learning rate]}
"""

FILES: Mapping[str, str | bytes] = {
    "claims/sources.yaml": SOURCES,
    "claims/pretrain.yaml": PRETRAIN,
    "claims/tune.yaml": TUNE,
    "sources/notes.md": NOTES,
}


@pytest.fixture
def wren(project: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two sources, one of them not on disk, and five claims; the tests stand in its folder."""
    folder = project(FILES)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def served() -> Iterator[Callable[[bytes], str]]:
    """A function that serves bytes under every path of a server on this machine and returns its address."""
    servers = []

    def serve(content: bytes) -> str:
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Nothing is printed."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


# --- audit ------------------------------------------------------------------------------------------------------


def test_the_terminal_report_of_a_small_project(wren: Path, run: Tracer, golden: Callable[[str, str], None]) -> None:
    done = run("audit")
    assert (done.code, done.err) == (1, "")
    golden("audit.txt", done.out)


def test_the_json_report_of_a_small_project(wren: Path, run: Tracer, golden: Callable[[str, str], None]) -> None:
    done = run("audit", "--format", "json")
    assert (done.code, done.err) == (1, "")
    golden("audit.json", done.out)


def verdicts(text: str) -> dict[str, str]:
    return {claim["id"]: claim["verdict"] for claim in json.loads(text)["claims"]}


def test_each_claim_ends_as_it_should(wren: Path, run: Tracer) -> None:
    assert verdicts(run("audit", "--format", "json").out) == {
        "wren.pretrain.tokens": "verified",
        "wren.pretrain.batch": "flagged",
        "wren.tune.dialogues": "verified",
        "wren.tune.optimiser": "unchecked",
        "wren.tune.learning-rate": "verified",
    }


TUNED = {"wren.tune.dialogues", "wren.tune.optimiser", "wren.tune.learning-rate"}
PRETRAINED = {"wren.pretrain.tokens", "wren.pretrain.batch"}


@pytest.mark.parametrize(
    ("word", "claims"),
    [
        ("wren/tune", TUNED),
        ("wren", TUNED | PRETRAINED),
        ("claims/tune.yaml", TUNED),
        ("claims", TUNED | PRETRAINED),
        (".", TUNED | PRETRAINED),
        ("wren.tune.dialogues", {"wren.tune.dialogues"}),
        ("wren.tune", TUNED),
        ("wren.pretrain.", PRETRAINED),
    ],
)
def test_a_word_selects_by_stage_pipeline_path_id_or_beginning(
    wren: Path, run: Tracer, word: str, claims: set[str]
) -> None:
    assert set(verdicts(run("audit", word, "--format", "json").out)) == claims


def test_a_selection_reports_only_what_concerns_it_and_ends_accordingly(wren: Path, run: Tracer) -> None:
    tuned = run("audit", "wren/tune")
    assert tuned.code == 0
    assert "section-wrong" not in tuned.out
    assert "supplement" in tuned.out
    pretrained = run("audit", "wren.pretrain.batch")
    assert pretrained.code == 1
    assert "section-wrong" in pretrained.out
    assert "supplement" not in pretrained.out


def test_paths_count_from_the_folder_one_stands_in(wren: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(wren / "claims")
    assert set(verdicts(run("audit", "tune.yaml", "--format", "json").out)) == TUNED
    monkeypatch.chdir("/")
    assert set(verdicts(run("-C", str(wren), "audit", "claims/tune.yaml", "--format", "json").out)) == TUNED


def test_an_unknown_word_ends_in_2_with_a_proposal(wren: Path, run: Tracer) -> None:
    done = run("audit", "wren/tuen")
    assert (done.code, done.out) == (2, "")
    assert done.err == "tracer: nothing in the ledger is called wren/tuen: did you mean `wren/tune`?\n"


def test_strict_counts_unchecked_as_a_finding(wren: Path, run: Tracer) -> None:
    assert run("audit", "wren/tune", "--strict").code == 1
    assert run("audit", "wren.tune.dialogues", "--strict").code == 0


def test_an_audit_that_checked_nothing_ends_in_2_with_the_reason(wren: Path, run: Tracer) -> None:
    unchecked = run("audit", "wren.tune.optimiser")
    assert unchecked.code == 2
    assert "nothing was checked: every claim is unchecked, for supplement could not be read" in unchecked.err
    empty = run("audit", "wren/rest")
    assert (empty.code, empty.err) == (2, "tracer: nothing was checked: no claim was selected\n")


def test_a_ledger_without_claims_ends_in_2(project: Write, run: Tracer) -> None:
    folder = project({"claims/sources.yaml": SOURCES, "sources/notes.md": NOTES})
    done = run("-C", str(folder), "audit")
    assert done.code == 2
    assert "claims holds no claim" in done.err


def test_an_unread_source_counts_what_of_the_selection_it_leaves_unchecked(wren: Path, run: Tracer) -> None:
    tune = wren / "claims" / "tune.yaml"
    second = tune.read_text(encoding="utf-8").partition("  - id: wren.tune.optimiser\n")[2].partition("  - id: ")[0]
    with tune.open("a", encoding="utf-8") as file:
        file.write(f"  - id: wren.tune.schedule\n{second}")
    unread = "supplement could not be read: it is not on disk"
    assert f"{unread}; 2 citations unchecked" in " ".join(run("audit").out.split())
    assert f"{unread}; 1 citation unchecked" in " ".join(run("audit", "wren.tune.schedule").out.split())


def test_a_file_that_is_not_yaml_and_is_asked_for_ends_in_1(wren: Path, run: Tracer) -> None:
    (wren / "claims" / "broken.yaml").write_text("claims:\n  - id: [\n", encoding="utf-8")
    done = run("audit", "claims/broken.yaml")
    assert (done.code, done.err) == (1, "")
    assert "1 error, 0 warnings, 0 notes" in done.out


def test_a_selection_says_which_other_file_could_not_be_read(wren: Path, run: Tracer) -> None:
    (wren / "claims" / "broken.yaml").write_text("claims:\n  - id: [\n", encoding="utf-8")
    done = run("audit", "wren.tune.dialogues")
    assert (done.code, "0 errors" in done.out) == (0, True)
    said = "tracer: claims/broken.yaml could not be read whole, and is left out here"
    assert done.err == f"{said}: `tracer audit` says why\n"
    assert run("audit").err == ""
    unknown = run("audit", "wren.rest.weights")
    assert unknown.code == 2
    assert "; claims/broken.yaml could not be read whole, and it may stand there" in unknown.err


def test_a_folder_without_a_ledger_ends_in_2_and_names_init(tmp_path: Path, run: Tracer) -> None:
    done = run("-C", str(tmp_path), "audit")
    assert done.code == 2
    assert "tracer init" in done.err


def test_a_source_is_found_in_the_folders_that_are_named(project: Write, run: Tracer, tmp_path: Path) -> None:
    by_hash = {**FILES, "claims/sources.yaml": SOURCES.replace("    file: sources/notes.md\n", "")}
    folder = project(by_hash)
    (folder / "sources").rename(tmp_path / "elsewhere")
    # the file is gone from the project, so the hash has to be written out
    words = ("-C", str(folder), "audit", "wren.tune.dialogues")
    assert run(*words).code == 2
    assert run(*words, "--sources", str(tmp_path / "elsewhere")).code == 0
    missing = run(*words, "--sources", str(tmp_path / "nowhere"))
    assert missing.code == 2
    assert "there is no folder" in missing.err


def test_output_goes_to_a_file_whole(wren: Path, run: Tracer) -> None:
    done = run("audit", "--format", "json", "--output", "audit.json")
    assert (done.code, done.out) == (1, "")
    assert json.loads((wren / "audit.json").read_text())["counts"]["claims"] == 5
    assert sorted(path.name for path in wren.iterdir()) == ["audit.json", "claims", "sources", "tracer.toml"]
    nowhere = run("audit", "--output", "no/where.txt")
    assert nowhere.code == 2
    assert "there is no folder no" in nowhere.err


def test_output_is_named_from_the_folder_that_is_run_in(
    wren: Path, run: Tracer, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = tmp_path_factory.mktemp("shell")
    monkeypatch.chdir(shell)
    run("-C", str(wren), "audit", "--format", "json", "--output", "audit.json", "--write-baseline", "baseline.json")
    run("-C", str(wren), "show", "wren.tune.dialogues", "--output", "claim.txt")
    run("-C", str(wren), "coverage", "--output", str(shell / "coverage.txt"))
    assert {"audit.json", "baseline.json", "claim.txt"} < {path.name for path in wren.iterdir()}
    assert [path.name for path in shell.iterdir()] == ["coverage.txt"]


def test_a_file_that_the_system_refuses_to_write_ends_in_2_with_its_reason(wren: Path, run: Tracer) -> None:
    done = run("audit", "--output", "r" * 300)
    assert (done.code, done.err) == (2, f"tracer: cannot write {'r' * 300}: File name too long\n")
    assert sorted(path.name for path in wren.iterdir()) == ["claims", "sources", "tracer.toml"]


def test_an_audit_changes_no_file(wren: Path, run: Tracer) -> None:
    before = {path: path.read_bytes() for path in wren.rglob("*") if path.is_file()}
    run("audit")
    run("show", "wren.tune.dialogues")
    assert {path: path.read_bytes() for path in wren.rglob("*") if path.is_file()} == before


def test_without_cache_nothing_is_kept(wren: Path, run: Tracer, empty_cache: Path) -> None:
    assert run("audit", "--no-cache", "--jobs", "1").code == 1
    assert not list(empty_cache.rglob("*.sqlite"))
    assert run("audit").code == 1
    assert list(empty_cache.rglob("*.sqlite"))


# --- show -------------------------------------------------------------------------------------------------------


def test_show_prints_the_quote_in_its_passage(wren: Path, run: Tracer) -> None:
    done = run("show", "wren.pretrain.tokens")
    assert done.code == 0
    assert "«Wren reads 40 billion tokens once». The batch holds" in " ".join(done.out.split())


def test_show_of_an_unknown_claim_ends_in_2_with_a_proposal(wren: Path, run: Tracer) -> None:
    done = run("show", "wren.tune.dialoges")
    assert done.code == 2
    assert "did you mean `wren.tune.dialogues`?" in done.err


def test_show_of_a_stage_a_pipeline_or_a_file_lists_its_claims(wren: Path, run: Tracer) -> None:
    of_the_file = run("show", "claims/pretrain.yaml")
    assert of_the_file.code == 0
    assert "wren.pretrain.tokens  stated  verified\nwren.pretrain.batch  stated  flagged\n" in of_the_file.out
    assert "tracer show ID" in of_the_file.out
    assert "wren.tune.dialogues  stated  verified\n" in run("show", "wren").out
    assert "wren.pretrain" not in run("show", "wren/tune").out
    assert "name one of its claims" in run("show", "wren", "--used-by").err


def test_show_writes_json(wren: Path, run: Tracer) -> None:
    shown = json.loads(run("show", "wren.pretrain.tokens", "--format", "json").out)
    assert shown["claim"]["verdict"] == "verified"
    assert shown["passages"][0][0][0]["quote"] == "Wren reads 40 billion tokens once"


# --- the small commands -----------------------------------------------------------------------------------------


def test_version_is_that_of_the_package(run: Tracer) -> None:
    assert run("--version").out == f"tracer {tracer.__version__}\n"


def test_explain_prints_a_rule_or_lists_all(run: Tracer) -> None:
    one = run("explain", "page-wrong")
    assert one.code == 0
    assert one.out.startswith("page-wrong (error)\n")
    everything = run("explain")
    assert {"page-wrong", "quote-altered", "claim-unsourced"} <= set(everything.out.split())
    unknown = run("explain", "page-wrogn")
    assert unknown.code == 2
    assert "page-wrong" in unknown.err


def test_init_writes_a_ledger_that_audits_clean(tmp_path: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("init", "wren").code == 0
    done = run("-C", "wren", "audit", "--strict")
    assert (done.code, done.err) == (0, "")
    assert re.search(r"^all +5 +0 +0$", done.out, flags=re.MULTILINE)


def test_the_first_line_of_a_new_ledger_names_the_schema(tmp_path: Path, run: Tracer) -> None:
    run("init", str(tmp_path))
    ledger = tmp_path / "claims" / "wren.yaml"
    named = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", ledger.read_text().splitlines()[0])
    assert named is not None
    schema = json.loads((ledger.parent / named[1]).read_text())
    assert schema == json.loads(run("schema").out)


def test_a_new_ledger_holds_to_the_schema(tmp_path: Path, run: Tracer) -> None:
    import jsonschema

    run("init", str(tmp_path))
    written = yaml.safe_load((tmp_path / "claims" / "wren.yaml").read_text())
    jsonschema.validate(written, json.loads(run("schema").out))


def test_init_touches_no_file_that_is_there(wren: Path, run: Tracer) -> None:
    before = (wren / "tracer.toml").read_text()
    done = run("init")
    assert done.code == 2
    assert "is there already" in done.err
    assert (wren / "tracer.toml").read_text() == before
    assert not (wren / "claims" / "wren.yaml").exists()


def test_fetch_of_an_unknown_source_ends_in_2_with_a_proposal(wren: Path, run: Tracer) -> None:
    done = run("fetch", "suplement")
    assert done.code == 2
    assert "did you mean `supplement`?" in done.err


def test_fetch_keeps_a_source_that_has_the_pinned_bytes(
    project: Write, run: Tracer, empty_cache: Path, served: Callable[[bytes], str]
) -> None:
    sources = SOURCES.replace("file: sources/notes.md", f"url: {served(NOTES.encode())}/notes.md")
    folder = project({**FILES, "claims/sources.yaml": sources})
    words = ("-C", str(folder), "audit", "wren.tune.dialogues")
    unread = run(*words)
    assert unread.code == 2
    assert "    tracer fetch notes\n" in unread.out
    assert run("-C", str(folder), "fetch", "notes").code == 0
    assert run(*words).code == 0
    assert run("-C", str(folder), "fetch", "notes").code == 0


def test_fetch_ends_in_2_when_the_bytes_are_others(
    project: Write, run: Tracer, empty_cache: Path, served: Callable[[bytes], str]
) -> None:
    sources = SOURCES.replace("file: sources/notes.md", f"url: {served(b'something else')}/notes.md")
    done = run("-C", str(project({**FILES, "claims/sources.yaml": sources})), "fetch", "notes")
    assert (done.code, done.out) == (2, "")
    assert "sha256" in done.err
    assert not list(empty_cache.rglob("*.md"))


def test_a_first_pin_writes_the_sha256_and_changes_no_other_line(wren: Path, run: Tracer) -> None:
    path = wren / "claims" / "sources.yaml"
    pinned = path.read_text().splitlines()
    path.write_text("\n".join([*pinned[:3], "    revision: v1", *pinned[4:], ""]))
    before = path.read_text().splitlines()
    assert run("pin", "notes").code == 0
    after = path.read_text().splitlines()
    assert [line for line in after if line not in before] == [f"    sha256: {sha256_of(NOTES)}"]
    assert [line for line in before if line not in after] == []
    assert "pinned to these bytes already" in run("pin", "notes").out


def test_a_pin_over_a_pin_keeps_the_old_one(wren: Path, run: Tracer) -> None:
    (wren / "sources" / "notes.md").write_text(NOTES + "\nMore.\n")
    said = run("pin", "notes").out
    source = load(find(wren)).sources["notes"]
    assert source.sha256 == sha256_of(NOTES + "\nMore.\n")
    assert [(pin.name, pin.sha256) for pin in source.revisions] == [(sha256_of(NOTES)[:12], sha256_of(NOTES))]
    assert f"revisions: the pin it had, {sha256_of(NOTES)[:12]}, is kept" in said


def test_a_pin_to_another_file_names_it(wren: Path, run: Tracer) -> None:
    (wren / "sources" / "notes-2.md").write_text(NOTES + "\nMore.\n")
    assert "file: sources/notes-2.md" in run("pin", "notes", "sources/notes-2.md").out
    source = load(find(wren)).sources["notes"]
    assert (source.sha256, source.file) == (sha256_of(NOTES + "\nMore.\n"), "sources/notes-2.md")


def test_a_pin_to_a_file_outside_of_the_project_is_refused_with_the_reason(wren: Path, run: Tracer) -> None:
    (wren.parent / "notes-2.md").write_text(NOTES + "\nMore.\n")
    before = (wren / "claims" / "sources.yaml").read_bytes()
    refused = run("pin", "notes", "../notes-2.md")
    assert refused.code == 2
    assert "copy it to sources/notes-2.md and name that file" in refused.err
    assert (wren / "claims" / "sources.yaml").read_bytes() == before


PDF = pdf_of(["The first page.", "The second page."])
HALF_A_PDF = PDF[: len(PDF) // 2]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("notes.pdf", b"", "tracer: notes.pdf cannot be read: it is empty; copy or fetch it again\n"),
        ("notes.pdf", b"<!doctype html><p>Moved.", "tracer: notes.pdf cannot be read: it cannot be opened as a PDF\n"),
        ("notes.pdf", HALF_A_PDF, "tracer: notes.pdf cannot be read: it cannot be opened as a PDF\n"),
        ("notes.json", b'{"rate": ', "tracer: notes.json cannot be read: it is neither JSON ("),
        ("notes-2.md", b"", "tracer: 1 page of notes-2.md cannot be checked: page 1 (there is no text in the file)\n"),
        ("notes-2.md", b"# Notes\nAll is well.\n", ""),
    ],
)
def test_a_pin_to_bytes_that_no_audit_can_read_is_written_and_says_why(
    name: str, data: bytes, said: str, wren: Path, run: Tracer
) -> None:
    (wren / "sources" / name).write_bytes(data)
    for _ in range(2):
        done = run("pin", "notes", f"sources/{name}")
        assert done.code == 0
        assert done.err.startswith(said) if said else done.err == ""
    assert load(find(wren)).sources["notes"].sha256 == sha256_of(data)


def test_pin_without_a_file_to_read_ends_in_2(wren: Path, run: Tracer) -> None:
    assert "tracer pin supplement FILE" in run("pin", "supplement").err
    assert run("pin", "supplement", "nowhere.pdf").code == 2
    assert "did you mean `notes`?" in run("pin", "nots").err
    assert "it has notes, supplement" in run("pin", "something-else").err


# --- review -----------------------------------------------------------------------------------------------------


def test_a_signed_claim_stands_until_its_meaning_changes(wren: Path, run: Tracer) -> None:
    path = wren / "claims" / "tune.yaml"
    assert run("review", "wren.tune.dialogues", "--by", "Ada").code == 0
    assert "by: Ada" in path.read_text()
    assert run("audit", "wren.tune.dialogues").code == 0
    path.write_text(path.read_text().replace("text: The model is tuned on 3,000", "text: Wren is tuned on 3,000"))
    changed = run("audit", "wren.tune.dialogues")
    assert changed.code == 1
    assert "review-stale" in changed.out


def test_a_stage_and_a_file_can_be_signed_but_not_everything(wren: Path, run: Tracer) -> None:
    assert "signed 3 of 3 claims" in run("review", "wren/tune", "--by", "Ada", "--yes").out
    assert "signed 2 of 2 claims" in run("review", "claims/pretrain.yaml", "--by", "Ada", "--yes").out
    for word in (".", "claims", "wren", "wren.tune"):
        refused = run("review", word, "--by", "Ada")
        assert refused.code == 2
        assert f"{word} is more than one reads at a time" in refused.err
    assert run("review", "wren/tuen", "--by", "Ada").code == 2
    assert run("review", "wren/tune", "--by", " ").code == 2
    assert run("review", "wren/tune").code == 2


def test_on_a_terminal_each_claim_is_shown_and_signed_only_after_a_yes(wren: Path) -> None:
    shown = on_a_terminal("review", "wren/tune", "--by", "Ada", typed="y\nn\nq\n")
    assert shown.index("The model is tuned on 3,000 dialogues") < shown.index("sign as Ada? 1 of 3")
    assert "signed 1 of 3 claims" in shown
    assert (wren / "claims" / "tune.yaml").read_text().count("by: Ada") == 1


def test_claims_are_asked_for_in_the_order_in_which_they_are_named(wren: Path) -> None:
    words = ("wren.tune.dialogues", "wren.pretrain.tokens")
    for first, second in (words, words[::-1]):
        shown = on_a_terminal("review", first, second, "--by", "Ada", typed="n\nn\n")
        assert shown.index(first) < shown.index("1 of 2") < shown.index(second)


def test_an_interrupt_between_two_questions_says_what_was_signed(wren: Path) -> None:
    shown = on_a_terminal("review", "wren/tune", "--by", "Ada", typed="y\n", interrupted_at="2 of 3")
    assert "signed 1 of 3 claims: wren.tune.dialogues" in shown
    assert (wren / "claims" / "tune.yaml").read_text().count("by: Ada") == 1


def test_off_a_terminal_what_is_not_verified_is_signed_only_if_one_is_sure(wren: Path, run: Tracer) -> None:
    path = wren / "claims" / "pretrain.yaml"
    before = path.read_bytes()
    refused = run("review", "claims/pretrain.yaml", "--by", "Ada")
    assert refused.code == 2
    assert "is not verified: " in refused.err
    assert "--yes" in refused.err
    assert path.read_bytes() == before


def test_a_signature_that_is_old_is_no_reason_to_refuse_a_new_one(wren: Path, run: Tracer) -> None:
    path = wren / "claims" / "tune.yaml"
    run("review", "wren.tune.dialogues", "--by", "Ada")
    path.write_text(path.read_text().replace("text: The model is tuned on 3,000", "text: Wren is tuned on 3,000"))
    assert run("review", "wren.tune.dialogues", "--by", "Ada").out == "signed 1 of 1 claim\n"
    assert run("audit", "wren.tune.dialogues").code == 0


def test_where_one_claim_cannot_be_signed_none_is(wren: Path, run: Tracer) -> None:
    path = wren / "claims" / "tune.yaml"
    path.write_text(path.read_text() + "  - {id: wren.twin, text: One., status: stated}\n" * 2)
    before = path.read_bytes()
    refused = run("review", "claims/tune.yaml", "--by", "Ada", "--yes")
    assert refused.code == 2
    assert "2 claims have the id wren.twin" in refused.err
    assert path.read_bytes() == before


# --- usage ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [["audti"], ["audit", "--fromat", "json"], ["show"], ["audit", "--format", "xml"], []]
)
def test_a_usage_error_ends_in_2_and_says_so_on_stderr(run: Tracer, words: list[str]) -> None:
    done = run(*words)
    assert done.code == 2
    assert "Usage: tracer" in done.out + done.err
    assert "Value error" not in done.err


# --- edges ------------------------------------------------------------------------------------------------------


def started(*words: str, **surroundings: str) -> subprocess.Popen[str]:
    environment = {**os.environ, **surroundings}
    command = [sys.executable, "-m", "tracer", *words]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="strict"
    )


def test_a_reader_that_goes_away_is_no_error(wren: Path) -> None:
    process = started("explain")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize("command", ["audit", "schema", "explain", "coverage", "--help", "--version"])
def test_a_full_disk_behind_stdout_is_said_in_a_sentence(wren: Path, command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "tracer", command], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "tracer: stdout cannot be written to: No space left on device\n")


@pytest.mark.parametrize("command", ["audit", "schema", "explain", "coverage"])
def test_a_closed_stdout_is_said_in_a_sentence(wren: Path, command: str) -> None:
    words = ["sh", "-c", f"{shlex.quote(sys.executable)} -m tracer {command} >&-"]
    done = subprocess.run(words, stderr=subprocess.PIPE, text=True)
    said = "tracer: stdout is closed: leave it open, or name a file with --output\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_a_failure_is_wrapped_on_a_terminal(wren: Path) -> None:
    shown = on_a_terminal("show", "x" * 30 + " " + "y" * 30)
    assert max(map(len, shown.splitlines())) <= 80
    assert "\r\n  " in shown


def test_an_interrupt_while_modules_are_imported_ends_in_130(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    surroundings = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", "from tracer.__main__ import main; main(['audit'])"], env=surroundings)
    assert done.returncode == 130


def test_a_bug_ends_in_3_with_the_traceback_and_asks_for_a_report(run: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a \x1b[31mred herring")

    monkeypatch.setattr("json.dumps", fail)
    done = run("schema")
    assert (done.code, done.out) == (3, "")
    assert "ZeroDivisionError: a <U+001B>[31mred herring" in done.err
    assert f"please report it with the lines above (tracer {tracer.__version__}" in done.err


def test_an_interrupt_ends_in_130(run: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("json.dumps", interrupt)
    assert run("schema").code == 130


def on_a_terminal(*words: str, typed: str = "", interrupted_at: str | None = None, **surroundings: str) -> str:
    """What a command prints on a terminal of 80 columns, its stderr included, while words are typed into it.

    It is interrupted as by Ctrl-C once it has printed certain words.
    """
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm", **surroundings}
    if "NO_COLOR" not in surroundings:
        environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "tracer", *words]
    process = subprocess.Popen(
        command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=_heed_interrupts
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    shown = b""
    while True:
        try:
            block = os.read(ours, 4096)
        except OSError:
            break
        if not block:
            break
        shown += block
        if interrupted_at is not None and interrupted_at.encode() in shown:
            process.send_signal(signal.SIGINT)
            interrupted_at = None
    os.close(ours)
    process.wait()
    return shown.decode()


def _heed_interrupts() -> None:
    """A shell lets what it runs in the background ignore Ctrl-C, and all that this begins in turn."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_terminal_gets_colour_and_no_color_takes_it_away(wren: Path) -> None:
    assert "\x1b[1;31merror" in on_a_terminal("audit")
    assert "\x1b[1;31m" not in on_a_terminal("audit", NO_COLOR="1")


# --- the package ------------------------------------------------------------------------------------------------


def test_a_run_from_python_is_the_audit_of_the_command_line(wren: Path, run: Tracer) -> None:
    report = tracer.run(wren / "claims")
    ended = {claim.claim.id: str(claim.verdict) for claim in report.claims}
    assert ended == verdicts(run("audit", "--format", "json").out)


def test_every_public_name_is_there_and_no_other() -> None:
    assert {name for name in tracer.__all__ if getattr(tracer, name) is None} == set()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tracer.nothing


def test_the_version_is_printed_without_importing_what_an_audit_needs() -> None:
    code = "import sys, tracer.cli; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout
    heavy = {"pydantic", "pypdfium2", "pypdf", "rapidfuzz", "rich", "yaml", "pint", "sqlite3", "tracer.tracing"}
    assert heavy & set(loaded.split()) == set()


def test_a_rule_that_is_mistyped_in_the_settings_is_named_with_its_line(wren: Path, run: Tracer) -> None:
    (wren / "tracer.toml").write_text('ledger = "claims"\n\n[rules]\nquote-short = "off"\npages-wrong = "off"\n')
    done = run("audit")
    assert (done.code, done.out) == (2, "")
    assert "tracer.toml:5: there is no rule pages-wrong: did you mean `page-wrong`?" in done.err


def test_settings_change_what_a_rule_weighs(wren: Path, run: Tracer) -> None:
    (wren / "tracer.toml").write_text('ledger = "claims"\n[rules]\nsection-wrong = "warning"\n')
    counts = json.loads(run("audit", "--format", "json").out)["counts"]
    assert (counts["errors"], counts["warnings"]) == (0, 1)


def test_the_formats_that_are_offered_are_those_that_can_be_written() -> None:
    assert list(CoverageFormat) == list(coverage.FORMATS)
    assert set(DifferenceFormat) == set(difference.FORMATS)
