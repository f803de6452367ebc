"""A ledger to a folder of pages: what is written, what is removed, what is escaped, and where every link leads."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from conftest import ROOT
from running import OWL
from selectolax.lexbor import LexborHTMLParser as HTMLParser
from typer.testing import CliRunner, Result

from tracer.cli import app
from tracer.cli.siting import Folder, opened

Write = Callable[[Mapping[str, str | bytes]], Path]

SOURCES = """
    sources:
      report:
        title: The report
        url: https://example.org/report.pdf
        file: claims/report.pdf
        sha256: {sha256 of claims/report.pdf}
"""
PIPELINE = """
    pipelines:
      owl:
        title: Owl
        profile: short
        stages:
          - {id: begin, title: Start, kind: start}
          - {id: first, title: First stage, kind: training, after: begin}
          - {id: aside, title: Draft, kind: training, after: first, path: side}
          - {id: second, title: Second stage, kind: training, after: first}
          - {id: owl, title: Owl, kind: checkpoint, published: weights, after: second}
    profiles:
      short:
        kinds:
          training:
            context length: In tokens.
            tokens: How many.
            objective: The loss.
"""
CLAIMS = """
    claims:
      - id: first.context
        stage: owl/first
        field: context length
        text: Sequences of 8K tokens.
        value: 8K
        unit: tokens
        status: stated
        cite:
          - {source: report, page: 1, quote: "sequences of 8K tokens"}
      - id: first.more
        stage: owl/first
        field: share
        text: Half of it.
        value: 4K
        status: derived
        formula: all / 2
        inputs: {all: first.context}
      - id: second.objective
        stage: owl/second
        field: objective
        text: The same.
        status: concluded
        because: No other is named.
        leans-on: [first.context]
      - id: second.start
        stage: owl/second
        field: starts from
        text: Which weights it starts from.
        status: not-stated
        searched:
          - {source: report, terms: [initialised]}
"""
TEXT = "We train on sequences of 8K tokens in the first stage of all."


@pytest.fixture
def owl(project: Write, pdf_of: Callable[..., bytes]) -> Path:
    """A small project with a pipeline, claims of every status and a report."""
    report = pdf_of([TEXT])
    return project(
        {
            "claims/report.pdf": report,
            "claims/sources.yaml": SOURCES,
            "claims/pipeline.yaml": PIPELINE,
            "claims/claims.yaml": CLAIMS,
        }
    )


def made(root: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["-C", str(root), "site", "site", *options], catch_exceptions=False)


def files(root: Path) -> dict[str, bytes]:
    folder = root / "site"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def page(root: Path, path: str) -> HTMLParser:
    return HTMLParser((root / "site" / path).read_text(encoding="utf-8"))


def words(tree: HTMLParser) -> str:
    assert tree.body is not None
    return " ".join(tree.body.text(separator=" ").split())


def rows_of(tree: HTMLParser, selector: str) -> list[str]:
    return [" ".join(node.text(separator=" ").split()) for node in tree.css(selector)]


# --- the folder -------------------------------------------------------------------------------------------------


def test_a_site_has_a_page_for_everything(owl: Path) -> None:
    assert made(owl).exit_code == 0
    expected = {
        "index.html",
        "pipeline/owl.html",
        *(f"stage/owl/{stage}.html" for stage in ("begin", "first", "aside", "second", "owl")),
        *(f"claim/{claim}.html" for claim in ("first.context", "first.more", "second.objective", "second.start")),
        "source/report.html",
        "findings.html",
        "coverage.html",
        "claims.html",
        "how-to-read.html",
    }
    assert {path for path in files(owl) if path.endswith(".html")} == expected


def test_the_same_ledger_gives_the_same_bytes(owl: Path, tmp_path: Path) -> None:
    made(owl)
    first = files(owl)
    for path in sorted((owl / "site").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    made(owl)
    assert files(owl) == first


def test_only_changed_files_are_written(owl: Path) -> None:
    made(owl)
    before = {path: path.stat().st_mtime_ns for path in (owl / "site").rglob("*.html")}
    assert ", 0 written" in made(owl).stdout
    claims = owl / "claims" / "claims.yaml"
    claims.write_text(claims.read_text().replace("No other is named.", "No other is told."))
    made(owl)
    changed = {path.name for path, time in before.items() if path.stat().st_mtime_ns != time}
    assert changed == {"second.objective.html"}


def test_a_page_whose_claim_is_gone_is_removed(owl: Path) -> None:
    made(owl)
    claims = owl / "claims" / "claims.yaml"
    claims.write_text(claims.read_text().partition("  - id: second.start")[0])
    assert "1 removed" in made(owl).stdout
    assert "claim/second.start.html" not in files(owl)


def test_what_the_site_did_not_make_is_never_removed(owl: Path) -> None:
    made(owl)
    (owl / "site" / "CNAME").write_text("example.org")
    outside = owl / "outside.html"
    outside.write_text("mine")
    listed = owl / "site" / "tracer-site.json"
    known = json.loads(listed.read_text())
    known["files"]["../outside.html"] = hashlib.sha256(b"mine").hexdigest()
    listed.write_text(json.dumps(known))
    edited = owl / "site" / "claim" / "second.start.html"
    edited.write_text("edited by hand")
    claims = owl / "claims" / "claims.yaml"
    claims.write_text(claims.read_text().partition("  - id: second.start")[0])
    made(owl)
    assert outside.read_text() == "mine"
    assert files(owl)["CNAME"] == b"example.org"
    assert edited.read_text() == "edited by hand"


def test_a_folder_with_other_files_is_refused(owl: Path) -> None:
    (owl / "site").mkdir()
    (owl / "site" / "thesis.tex").write_text("years of work")
    with pytest.raises(Exception, match="holds other files and no site of tracer"):
        made(owl)
    assert files(owl) == {"thesis.tex": b"years of work"}


def test_a_full_disk_is_said_with_the_file_that_did_not_fit(project: Write) -> None:
    folder = project(OWL)
    limited = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "from tracer.__main__ import main\n"
        "main(sys.argv[1:])\n"
    )
    words = ("-C", str(folder), "site", "pages", "--no-cache")
    surroundings = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}  # what is imported below the limit would be cut off
    done = subprocess.run([sys.executable, "-c", limited, *words], capture_output=True, text=True, env=surroundings)
    assert (done.returncode, done.stdout) == (2, "")
    said = re.fullmatch(r"tracer: cannot write (.+): File too large\n", done.stderr)
    assert said, done.stderr
    assert Path(said[1]).is_relative_to(folder / "pages")
    assert not list(folder.rglob("*.part"))


def half_a_run(folder: Folder) -> None:
    with folder.kept():
        folder.put("claim/half.html", b"the run ends here")
        raise KeyboardInterrupt


def test_an_interrupted_run_can_be_done_again(owl: Path) -> None:
    folder = opened(owl / "site")
    with pytest.raises(KeyboardInterrupt):
        half_a_run(folder)
    assert "1 removed" in made(owl).stdout
    assert set(json.loads(files(owl)["tracer-site.json"])["files"]) == set(files(owl)) - {"tracer-site.json"}


def test_a_base_url_makes_canonical_links(owl: Path) -> None:
    made(owl, "--base-url", "https://example.org/atlas")
    link = page(owl, "stage/owl/first.html").css_first('link[rel="canonical"]')
    assert link is not None
    assert link.attributes["href"] == "https://example.org/atlas/stage/owl/first.html"


def test_a_base_url_that_is_none_is_refused(owl: Path) -> None:
    with pytest.raises(Exception, match="no address of a site"):
        made(owl, "--base-url", "javascript:alert(1)")


def test_what_helps_with_a_finding_is_called_a_hint(owl: Path) -> None:
    claims = owl / "claims" / "claims.yaml"
    claims.write_text(claims.read_text().replace('8K tokens"}', '8K"}').replace("of 8K tokens.", "of 9K tokens."))
    made(owl)
    hints = [node.text() for node in page(owl, "findings.html").css(".finding .hint")]
    assert "Hint: cite the words that say it, or leave it out" in hints


# --- links ------------------------------------------------------------------------------------------------------


def broken_links(folder: Path) -> list[str]:
    """Every link and every reference of the pages of a folder that leads nowhere."""
    trees = {path: HTMLParser(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    anchors = {path: {node.attributes["id"] for node in tree.css("[id]")} for path, tree in trees.items()}
    found = []
    for path, tree in trees.items():
        for node in tree.css("[href], [src]"):
            target = urlsplit(node.attributes.get("href") or node.attributes.get("src") or "")
            if target.scheme:
                assert target.scheme in ("http", "https"), target.geturl()
                continue
            there = (path.parent / unquote(target.path)).resolve() if target.path else path
            if not there.is_file() or (target.fragment and target.fragment not in anchors[there]):
                found.append(f"{path.relative_to(folder)}: {target.geturl()}")
    return found


def test_every_link_of_a_small_site_leads_somewhere(owl: Path) -> None:
    made(owl)
    assert broken_links(owl / "site") == []


def test_no_id_stands_twice_on_a_page(owl: Path) -> None:
    made(owl)
    for path in (owl / "site").rglob("*.html"):
        ids = [node.attributes["id"] for node in HTMLParser(path.read_text(encoding="utf-8")).css("[id]")]
        assert len(ids) == len(set(ids)), path.name


# --- what pages say ---------------------------------------------------------------------------------------------


def test_a_stage_says_its_settings_and_what_is_not_disclosed(owl: Path) -> None:
    made(owl)
    first, second = words(page(owl, "stage/owl/first.html")), words(page(owl, "stage/owl/second.html"))
    assert "8K tokens Sequences of 8K tokens. stated The report p. 1" in first
    assert "Not disclosed starts from Which weights it starts from. Looked for initialised in The report" in (
        second.replace("starts from starts from", "starts from")
    )
    assert "A complete record answers these, and no claim does: context length tokens" in second


def test_a_claim_shows_its_quote_in_its_passage_and_links_to_the_page(owl: Path) -> None:
    made(owl)
    tree = page(owl, "claim/first.context.html")
    mark = tree.css_first("mark")
    assert mark is not None
    assert mark.text() == "sequences of 8K tokens"
    hrefs = [node.attributes["href"] for node in tree.css("a[href]")]
    assert "https://example.org/report.pdf#page=1" in hrefs
    assert "equal to the letter" in words(tree)
    assert tree.css_first("svg.sheet .lights rect") is not None


def test_without_evidence_no_picture_is_made(owl: Path) -> None:
    made(owl, "--evidence", "none")
    assert not [path for path in files(owl) if path.startswith("evidence/")]
    assert page(owl, "claim/first.context.html").css_first("image, img") is None


def test_a_derived_claim_shows_its_formula_with_numbers_and_its_grounds(owl: Path) -> None:
    made(owl)
    said = words(page(owl, "claim/first.more.html"))
    assert "all / 2 = 8K tokens / 2" in said
    assert "all = first.context stated 8K tokens" in said
    assert "leans on second.objective" in words(page(owl, "claim/first.context.html"))


def test_the_path_breaks_where_the_sources_leave_a_join_unexplained(owl: Path) -> None:
    made(owl)
    tree = page(owl, "pipeline/owl.html")
    for layout in ("narrow", "medium", "wide"):
        assert len(tree.css(f"svg.{layout} .break")) == 2
        titles = [node.text() for node in tree.css(f"svg.{layout} .title")]
        assert titles == ["Start", "First stage", "Draft", "Second stage", "Owl"]
    assert "1 join the sources leave unexplained" in words(tree)


RELEASE = """\
claims:
  - {id: owl.licence, stage: owl/owl, field: Licence, text: MIT., status: stated, cite: [{source: report, quote: MIT}]}
  - {id: owl.size, stage: owl/owl, field: total parameters, text: "7B in all.", value: 7B, status: stated}
  - {id: owl.mood, stage: owl/owl, field: mood, text: Good., status: stated}
  - {id: first.code, stage: owl/first, field: code, text: None., status: stated}
"""


def test_a_pipeline_tells_what_was_released_and_by_which_sources(owl: Path) -> None:
    (owl / "claims" / "release.yaml").write_text(RELEASE)
    made(owl)
    tree = page(owl, "pipeline/owl.html")
    assert rows_of(tree, ".settings dt") == ["total parameters", "Licence"]
    assert rows_of(tree, ".settings dd a") == ["7B in all.", "MIT."]
    assert rows_of(tree, ".plain li") == ["The report"]
    assert broken_links(owl / "site") == []


# --- revisions --------------------------------------------------------------------------------------------------

REVISED_CLAIMS = """
    claims:
      - id: context
        status: stated
        text: Sequences of 8K tokens.
        cite: [{source: report, page: 2, quote: "sequences of 8K tokens"}]
      - id: rate
        status: stated
        text: The rate is 2e-4.
        cite: [{source: report, page: 2, quote: "at a peak rate of 2e-4, as others do [13]"}]
      - id: batch
        status: stated
        text: The batch holds 512 sequences.
        cite: [{source: report, page: 2, quote: "A batch of the second stage holds 512 sequences"}]
"""


@pytest.fixture
def revised(project: Write, pdf_of: Callable[..., bytes]) -> Path:
    """A project whose report was revised: a page came before the others, and a number and a reference are others."""
    old = (
        f"{TEXT}\nWe go on at a peak rate of 2e-4, as others do [12].\nA batch of the second stage holds 256 sequences."
    )
    return project(
        {
            "tracer.toml": 'ledger = "claims"\nsources = ["sources"]\n',
            "sources/old.pdf": pdf_of([old]),
            "sources/new.pdf": pdf_of(["Foreword.", old.replace("[12]", "[13]").replace("256", "512")]),
            "claims/sources.yaml": """
            sources:
              report:
                url: https://example.org/report.pdf
                revision: v2
                sha256: {sha256 of sources/new.pdf}
                revisions: [{name: v1, sha256: "{sha256 of sources/old.pdf}", seen: 2026-05-01}]
            """,
            "claims/claims.yaml": REVISED_CLAIMS,
        }
    )


def test_a_source_tells_what_moved_between_its_revisions(revised: Path) -> None:
    made(revised)
    tree = page(revised, "source/report.html")
    assert rows_of(tree, "table.counts tr") == ["Step unchanged moved references changed", "v1 → v2 0 1 1 1"]
    assert rows_of(tree, ".befallen") == [
        "moved page 1 → 2 context",
        "references [12] → [13]; page 1 → 2 rate",
        "changed A batch of the second stage holds 512 sequences “256” → “512” batch",
    ]
    links = [node.attributes["href"] for node in tree.css(".befallen a")]
    assert links == [f"../claim/{claim}.html" for claim in ("context", "rate", "batch")]
    assert broken_links(revised / "site") == []


def test_a_revision_that_is_not_on_disk_is_said_with_what_is_to_be_done(revised: Path) -> None:
    (revised / "sources" / "old.pdf").unlink()
    assert made(revised).exit_code == 0
    tree = page(revised, "source/report.html")
    assert rows_of(tree, "table.counts tr")[1:] == ["v1 → v2 not compared"]
    assert (
        "Not compared: v1 is not read, it is not on disk; to have it read: "
        "name the folder of its file with --sources or TRACER_SOURCES."
    ) in words(tree)
    assert broken_links(revised / "site") == []


def test_a_source_that_is_not_on_disk_names_the_command_that_fetches_it(revised: Path) -> None:
    (revised / "sources" / "new.pdf").unlink()
    assert made(revised).exit_code == 0
    said = words(page(revised, "source/report.html"))
    assert "v2 is not read, it is not on disk; to have it read: tracer fetch report" in said
    assert "Read no: it is not on disk; to have it read: tracer fetch report" in said


def test_a_source_with_one_pin_has_no_table_of_steps(owl: Path) -> None:
    made(owl)
    assert page(owl, "source/report.html").css_first("table") is None


# --- what is hostile --------------------------------------------------------------------------------------------

HOSTILE = "</title><script>alert(1)</script>\u202e\" onload='x' {{ 7 * 7 }}"


@pytest.fixture
def hostile(project: Write) -> Path:
    """A project whose every text tries to be more than text."""
    said = json.dumps(HOSTILE)
    return project(
        {
            "claims/a.txt": f"{HOSTILE} and so on and on",
            "claims/all.yaml": f"""
            sources:
              "../../<b>":
                title: {said}
                publisher: {said}
                url: "javascript:alert(1)//https://example.org"
                note: {said}
                file: claims/a.txt
                sha256: {{sha256 of claims/a.txt}}
            pipelines:
              "..":
                title: {said}
                stages:
                  - {{id: "<i>", title: {said}, kind: {said}, note: {said}, published: {said}}}
                  - {{id: ".", title: {said}, after: "<i>"}}
            claims:
              - id: "../../x\\"><script>"
                stage: "../<i>"
                field: context length
                text: {said}
                value: {said}
                unit: {said}
                status: stated
                note: {said}
                cite: [{{source: "../../<b>", section: {said}, quote: {said}, because: {said}}}]
              - id: CON
                stage: "../<i>"
                field: {said}
                text: {said}
                status: not-stated
                searched: [{{source: "../../<b>", terms: [{said}], seen: [{{section: {said}, because: {said}}}]}}]
              - id: con
                stage: "../<i>"
                field: starts from
                text: {said}
                status: derived
                formula: {said}
                inputs: {{a: CON}}
                accept: {{formula-wrong: {said}}}
            """,
        }
    )


def test_no_text_of_a_ledger_becomes_more_than_text(hostile: Path) -> None:
    made(hostile)
    pages = {path: data.decode() for path, data in files(hostile).items() if path.endswith(".html")}
    assert pages
    for path, text in pages.items():
        tree = HTMLParser(text)
        assert [node.attributes.get("src", "").rpartition("/")[2] for node in tree.css("script")] == ["site.js"], path
        assert "\u202e" not in text, path
        names = {name for node in tree.css("*") for name in node.attributes}
        assert not {name for name in names if name.startswith("on") or name == "style"}, path
        assert not [
            node.attributes["href"]
            for node in tree.css("[href]")
            if (node.attributes["href"] or "").strip().lower().startswith(("javascript:", "data:", "//"))
        ], path
    assert any("&lt;U+202E&gt;" in text for text in pages.values())
    assert all("{{ 7 * 7 }}" in text for path, text in pages.items() if path.startswith("stage/"))


def test_no_name_of_a_ledger_leaves_the_folder(hostile: Path) -> None:
    before = {path for path in hostile.rglob("*") if path.is_file()}
    made(hostile)
    after = {path for path in hostile.rglob("*") if path.is_file()} - before
    assert all(path.is_relative_to(hostile / "site") for path in after)
    assert broken_links(hostile / "site") == []
    names = [path.relative_to(hostile).as_posix().lower() for path in after]
    assert len(names) == len(set(names))


def test_an_address_that_is_no_web_address_is_shown_and_not_linked(hostile: Path) -> None:
    made(hostile)
    texts = [data.decode() for path, data in files(hostile).items() if path.startswith("source/")]
    assert any("javascript:alert(1)//https://example.org" in text for text in texts)
    assert any("no address of the web" in text for text in texts)


def test_every_page_allows_only_files_of_the_site(owl: Path) -> None:
    made(owl)
    ours = {"style-src 'self'", "img-src 'self'", "script-src 'self'"}
    policy = {"default-src 'none'", *ours, "base-uri 'none'", "form-action 'none'"}
    for path in (owl / "site").rglob("*.html"):
        meta = HTMLParser(path.read_text(encoding="utf-8")).css_first('meta[http-equiv="Content-Security-Policy"]')
        assert meta is not None
        assert set((meta.attributes["content"] or "").split("; ")) == policy


# --- size -------------------------------------------------------------------------------------------------------


def chain(number: int) -> str:
    """So many claims, each resting on the one before."""
    rows = ["claims:", "  - {id: c0, text: The first., status: concluded, because: It is so., leans-on: [c1]}"]
    rows += [
        f"  - {{id: c{index}, text: Claim {index}., status: concluded, because: It follows., leans-on: [c{index + 1}]}}"
        for index in range(1, number)
    ]
    return "\n".join(rows)


def test_a_page_does_not_grow_with_the_ledger(project: Write) -> None:
    sizes = []
    for number in (80, 240):
        root = project({"claims/chain.yaml": chain(number)})
        made(root)
        sizes.append(max(len(data) for path, data in files(root).items() if path.startswith("claim/")))
    assert sizes[1] < 1.1 * sizes[0]


def test_a_ledger_without_pipelines_has_a_site(project: Write) -> None:
    root = project({"claims/one.yaml": "claims:\n  - {id: a, text: A., status: stated}\n"})
    made(root)
    assert "The ledger has no pipeline." in words(page(root, "index.html"))
    assert broken_links(root / "site") == []


def test_the_shipped_example_has_no_broken_link(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["-C", str(ROOT), "site", str(tmp_path / "site")], catch_exceptions=False)
    assert result.exit_code == 0
    assert broken_links(tmp_path / "site") == []


def test_no_page_names_a_place_on_this_machine(owl: Path) -> None:
    made(owl)
    for path, data in files(owl).items():
        assert re.search(rb"/(?:root|home|tmp|work)/", data) is None or path.endswith(".webp"), path
