"""From prose to sourced claims on the command line: find, add, suggest, import, unsourced."""

import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml
from running import OWL, Tracer, edit

Write = Callable[[Mapping[str, str | bytes]], Path]

ARTICLE = """\
# About Owl

Owl reads 40 billion tokens. Its batch holds 256 sequences. It was named after a poem by Lear.
"""


@pytest.fixture
def owl(project: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two sources, in whose folder the commands done."""
    folder = project({**OWL, "article.md": ARTICLE})
    monkeypatch.chdir(folder)
    return folder


def claims(path: Path) -> list[dict[str, object]]:
    """The claims of a file, every scalar as typed."""
    loaded: dict[str, list[dict[str, object]]] = yaml.load(path.read_text(), Loader=yaml.BaseLoader)  # noqa: S506
    return loaded["claims"]


# --- find -------------------------------------------------------------------------------------------------------------


def test_a_statement_is_found_with_a_citation_to_paste(owl: Path, run: Tracer) -> None:
    done = run("find", "40B tokens are read")
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("1  notes, Pre-training")
    assert '- {source: notes, section: Pre-training, quote: "Owl reads 40 billion tokens once"}' in " ".join(
        done.out.split()
    )


def test_what_is_pasted_passes_the_audit(owl: Path, run: Tracer) -> None:
    cite = yaml.load(run("find", "512 sequences", "-f", "yaml").out, Loader=yaml.BaseLoader)  # noqa: S506
    pasted = {"claims": [{"id": "new", "text": "A batch has 512 sequences.", "status": "stated", "cite": cite[:1]}]}
    (owl / "claims" / "new.yaml").write_text(yaml.safe_dump(pasted), encoding="utf-8")
    assert run("audit", "new").code == 0


def test_one_source_can_be_looked_in_alone(owl: Path, run: Tracer) -> None:
    found = json.loads(run("find", "Owl", "--source", "card", "-f", "json").out)
    assert {passage["source"] for passage in found["passages"]} == {"card"}


def test_nothing_found_ends_in_one_and_nothing_asked_in_two(owl: Path, run: Tracer) -> None:
    assert (run("find", "zebra").code, run("find", " … ").code) == (1, 2)
    done = run("find", "zebra", "--source", "card2")
    assert (done.code, "did you mean `card`" in done.err) == (2, True)


def test_nothing_found_says_what_to_try(owl: Path, run: Tracer) -> None:
    done = run("find", "zebra")
    assert done.out == "no source says so\n"
    looked = "tracer: nothing in notes and card shares a word with it"
    assert done.err == f"{looked}: try other words, or name a folder with more sources by --sources\n"
    done = run("find", "512 sequences", "--source", "card", "--format", "yaml")
    assert (done.out, done.err) == (
        "",
        "tracer: nothing in card shares a word with it: try other words, or look in all sources, without --source\n",
    )


def test_the_words_around_a_text_say_which_of_its_places_is_meant(project: Write, run: Tracer) -> None:
    notes = "# Base\n\nIt reads 512 sequences.\n\n# Extension\n\nIt reads 512 sequences.\n"
    folder = project({**OWL, "sources/card.md": notes})
    for stage in ("Base", "Extension"):
        done = run("-C", str(folder), "find", "512 of them", "--context", stage, "--source", "card", "--format", "json")
        assert json.loads(done.out)["passages"][0]["section"] == stage


def test_meaning_is_compared_only_where_its_packages_are_installed(
    owl: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    for words in (("find", "512 sequences"), ("suggest", "article.md")):
        done = run(*words, "--semantic")
        assert (done.code, "pip install 'tracer-audit[semantic]'" in done.err) == (2, True)
        assert run(*words).code == 0


def test_a_source_that_cannot_be_read_is_said(owl: Path, run: Tracer) -> None:
    (owl / "sources" / "card.md").unlink()
    done = run("find", "512 sequences")
    assert done.code == 0
    assert "card is not searched: its file sources/card.md is not on disk" in done.err


# --- add --------------------------------------------------------------------------------------------------------------


def test_a_claim_is_added_with_its_place_to_the_file_of_its_stage(owl: Path, run: Tracer) -> None:
    before = (owl / "claims" / "pretrain.yaml").read_text()
    done = run(
        "add",
        "--text",
        "It reads its tokens once.",
        "--stage",
        "owl/pretrain",
        "--field",
        "epochs",
        "--quote",
        "tokens once",
    )
    assert done.code == 0, done.err
    assert (owl / "claims" / "pretrain.yaml").read_text() == before + (
        "  - id: owl.epochs\n"
        "    stage: owl/pretrain\n"
        "    field: epochs\n"
        "    text: It reads its tokens once.\n"
        "    status: stated\n"
        "    cite:\n"
        '      - {source: notes, section: Pre-training, quote: "tokens once"}\n'
    )
    assert "found: notes, Pre-training, exact" in done.out
    assert run("audit", "owl.epochs").code == 0


@pytest.mark.parametrize(
    ("declared", "stage", "file"),
    [
        ("      - {id: rl, after: tune}\n", "owl/rl", "pretrain.yaml"),
        ("  ibis:\n    stages: [{id: base}]\n", "ibis/base", "sources.yaml"),
    ],
)
def test_the_first_claim_of_a_stage_goes_where_its_pipeline_stands(
    declared: str, stage: str, file: str, owl: Path, run: Tracer
) -> None:
    with (owl / "claims" / "sources.yaml").open("a") as sources:
        sources.write(declared)
    done = run("add", "--text", "It has dialogues.", "--stage", stage, "--quote", "tuned on 3,000 dialogues")
    assert done.code == 0, done.err
    assert claims(owl / "claims" / file)[-1]["stage"] == stage


def test_a_passage_can_be_searched_for_instead_of_quoted(owl: Path, run: Tracer) -> None:
    words = (
        "--text",
        "There are 3,000 dialogues.",
        "--stage",
        "owl/tune",
        "--search",
        "how many dialogues",
        "--id",
        "d",
    )
    assert run("add", *words).code == 0
    assert claims(owl / "claims" / "tune.yaml")[-1]["cite"] == [
        {"source": "notes", "section": "Fine-tuning", "quote": "The model is tuned on 3,000 dialogues"}
    ]


def test_a_quote_can_come_from_standard_input(owl: Path, run: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("The batch holds\n  512 sequences\n"))
    assert run("add", "--text", "512.", "--stage", "owl/pretrain", "--quote", "-", "--id", "b").code == 0
    (cite,) = claims(owl / "claims" / "pretrain.yaml")[-1]["cite"]  # type: ignore[misc] -- a claim as it was typed
    assert cite["quote"] == "The batch holds 512 sequences"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--quote", "The batch holds 256 sequences"), "the quote is in no source that was searched"),
        (("--quote", "batch holds 512 sequences", "--status", "sttated"), "did you mean `stated`"),
        (("--quote", "batch holds 512 sequences", "--id", "owl.batch"), "has a claim owl.batch already"),
        ((), "a stated claim cites a source"),
        (("--search", "zebra"), "no source says `zebra`"),
        (("--search", "batch", "--pick", "9"), "pick one of them"),
        (("--quote", "batch holds 512 sequences", "--file", "x.yaml"), "no file of the ledger"),
        (("--quote", "x", "--search", "y"), "give one of them"),
        (("--status", "not-stated", "--term", "experts", "--source", "card2"), "did you mean `card`"),
    ],
)
def test_what_does_not_hold_is_refused_and_nothing_is_written(
    owl: Path, run: Tracer, words: tuple[str, ...], said: str
) -> None:
    before = {path: path.read_bytes() for path in (owl / "claims").iterdir()}
    done = run("add", "--text", "It has batches.", "--stage", "owl/pretrain", *words)
    assert (done.code, said in done.err) == (2, True), done.err
    assert {path: path.read_bytes() for path in (owl / "claims").iterdir()} == before


def test_a_stage_that_the_ledger_has_not_is_refused(owl: Path, run: Tracer) -> None:
    done = run("add", "--text", "a", "--stage", "owl/pretrian", "--quote", "batch holds 512")
    assert (done.code, "did you mean `owl/pretrain`" in done.err) == (2, True)


def test_a_quote_that_stands_nowhere_is_written_as_it_is_if_asked_to(owl: Path, run: Tracer) -> None:
    words = ("--text", "a", "--stage", "owl/pretrain", "--quote", "holds 256 sequences", "--as-is", "--id", "w")
    assert run("add", *words).code == 2
    assert run("add", *words, "--source", "notes").code == 0
    assert claims(owl / "claims" / "pretrain.yaml")[-1]["cite"] == [{"source": "notes", "quote": "holds 256 sequences"}]
    assert run("audit", "w").code == 1


def test_a_claim_that_is_not_stated_is_added_with_its_search(owl: Path, run: Tracer) -> None:
    words = ("--text", "No rate.", "--stage", "owl/tune", "--field", "learning rate", "--status", "not-stated")
    assert run("add", *words, "--source", "notes", "--term", "learning rate").code == 0
    added = claims(owl / "claims" / "tune.yaml")[-1]
    assert added["id"] == "owl.learning-rate"
    assert added["searched"] == [{"source": "notes", "terms": ["learning rate"]}]
    assert run("audit", "owl.learning-rate").code == 0


def test_terms_are_looked_for_in_every_source_that_is_evidence_unless_one_is_named(owl: Path, run: Tracer) -> None:
    old = f"file: sources/notes.md\n    revisions: [{{name: v1, sha256: {'0' * 64}}}]"
    edit(owl / "claims" / "sources.yaml", "file: sources/notes.md", old)
    (owl / "claims" / "article.yaml").write_text(
        "sources: {article: {file: article.md}}\n"
        "claims:\n"
        "  - {id: said, text: a, status: stated, made-in: {source: article, quote: About Owl}}\n"
        "  - {id: before, text: b, status: not-stated, searched: [{source: notes@v1, terms: [expert]}]}\n"
    )
    words = ("--text", "No experts.", "--stage", "owl/tune", "--status", "not-stated", "--id", "n")
    assert run("add", *words, "--term", "mixture of experts", "--term", "expert").code == 0
    terms = ["mixture of experts", "expert"]
    assert claims(owl / "claims" / "tune.yaml")[-1]["searched"] == [
        {"source": "notes", "terms": terms},
        {"source": "card", "terms": terms},
    ]
    assert run("audit", "n").code == 0


@pytest.mark.parametrize(
    ("words", "lacks"),
    [
        (("--status", "derived"), "a derived claim needs `formula` and `inputs` too"),
        (("--status", "derived", "--quote", "batch holds 512 sequences"), "a derived claim needs `formula` too"),
        (("--status", "concluded", "--because", "No other."), "a concluded claim needs `leans-on` too"),
        (("--status", "not-stated"), "a not-stated claim needs `searched` too"),
    ],
)
def test_what_a_claim_still_needs_is_said_with_the_line_to_write_it_at(
    words: tuple[str, ...], lacks: str, owl: Path, run: Tracer
) -> None:
    done = run("add", "--text", "It has batches.", "--stage", "owl/pretrain", "--id", "b", *words)
    lines = (owl / "claims" / "pretrain.yaml").read_text().splitlines()
    at = f"claims/pretrain.yaml:{lines.index('  - id: b') + 1}"
    assert (done.code, done.err) == (0, f"tracer: {lacks}: write that by hand at {at}\n")
    assert run("audit", "b").code == 1


def test_a_claim_that_has_all_that_it_needs_is_written_without_a_word_on_stderr(owl: Path, run: Tracer) -> None:
    words = ("--status", "concluded", "--because", "No other.", "--leans-on", "owl.tokens")
    done = run("add", "--text", "It has batches.", "--stage", "owl/pretrain", *words)
    assert (done.code, done.err) == (0, "")


def test_a_number_that_the_quote_lacks_is_said_at_once(owl: Path, run: Tracer) -> None:
    words = ("--text", "It holds 256.", "--value", "256", "--stage", "owl/pretrain", "--quote", "holds 512 sequences")
    done = run("add", *words)
    assert done.code == 0
    assert "does not hold the value 256" in done.err


def test_a_new_file_can_be_named(owl: Path, run: Tracer) -> None:
    words = (
        "--text",
        "MIT.",
        "--stage",
        "owl/tune",
        "--quote",
        "under the MIT licence",
        "--file",
        "claims/new/mit.yaml",
    )
    assert run("add", *words, "--id", "m").code == 2
    (owl / "claims" / "new").mkdir()
    assert run("add", *words, "--id", "m").code == 0
    assert [claim["id"] for claim in claims(owl / "claims" / "new" / "mit.yaml")] == ["m"]


# --- suggest ----------------------------------------------------------------------------------------------------------


def test_the_statements_of_an_article_are_matched(owl: Path, run: Tracer) -> None:
    done = run("suggest", "article.md", "-f", "json")
    found = {each["text"]: each["verdict"] for each in json.loads(done.out)["statements"]}
    assert found == {
        "Owl reads 40 billion tokens": "supported by",
        "Its batch holds 256 sequences": "number differs",
        "It was named after a poem by Lear": "no support found",
    }


def test_a_draft_is_flagged_until_a_person_gives_a_status(owl: Path, run: Tracer) -> None:
    assert run("suggest", "article.md", "--write", "claims/draft.yaml").code == 0
    first, *_ = claims(owl / "claims" / "draft.yaml")
    assert first["made-in"] == {"source": "article", "quote": "Owl reads 40 billion tokens"}
    assert "status" not in first
    done = run("audit", "article.001")
    assert (done.code, "a claim has no `status`" in done.out) == (1, True)
    path = owl / "claims" / "draft.yaml"
    path.write_text(path.read_text().replace("40 billion tokens\n", "40 billion tokens\n    status: stated\n", 1))
    assert run("audit", "article.001").code == 0


def test_a_draft_never_takes_the_place_of_a_file(owl: Path, run: Tracer) -> None:
    done = run("suggest", "article.md", "--write", "claims/tune.yaml")
    assert (done.code, "is there already" in done.err) == (2, True)


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_a_result_can_go_to_a_file(owl: Path, run: Tracer, form: str) -> None:
    assert run("suggest", "article.md", "-f", form, "-o", "out").out == ""
    assert "number differs" in (owl / "out").read_text()


def test_a_file_without_statements_is_refused(owl: Path, run: Tracer) -> None:
    (owl / "empty.md").write_text("# Owl\n")
    assert run("suggest", "empty.md").code == 2
    assert run("suggest", "absent.md").code == 2


def test_a_folder_is_no_file_to_cut_up(owl: Path, run: Tracer) -> None:
    for verb in ("suggest", "unsourced"):
        done = run(verb, "claims")
        assert (done.code, done.out) == (2, "")
        assert done.err == "tracer: claims is a folder: name a text, a Markdown or HTML page, or a PDF in it\n"


# --- import and unsourced ---------------------------------------------------------------------------------------------


def test_a_table_is_taken_over_as_a_draft(owl: Path, run: Tracer) -> None:
    (owl / "table.csv").write_text("what,where\nOwl reads 40B tokens,Pre-training\n")
    words = ("import", "table.csv", "--map", "text=what,section=where", "--source", "notes")
    done = run(*words)
    assert (done.code, done.err) == (0, "")
    assert "- {source: notes, section: Pre-training}" in done.out
    assert run(*words, "--write", "claims/table.yaml").code == 0
    assert [claim["text"] for claim in claims(owl / "claims" / "table.yaml")] == ["Owl reads 40B tokens"]


def test_what_is_left_behind_is_said_with_its_line_and_ends_in_one(owl: Path, run: Tracer) -> None:
    (owl / "post.md").write_text("Owl reads [notes, §Pre-training].\n\nOwl flies [nots, p. 2].\n")
    done = run("import", "post.md")
    assert done.code == 1
    assert "post.md:3: the ledger has no source nots: did you mean `notes`" in done.err


def test_a_file_of_no_format_is_refused(owl: Path, run: Tracer) -> None:
    (owl / "a.odt").write_text("x")
    assert run("import", "a.odt").code == 2
    (owl / "b.bib").write_text("@article{k, title={T}}\n")
    assert run("import", "b.bib").code == 0
    assert run("import", "b.bib", "--from", "csl").code == 2


def test_sentences_with_numbers_that_no_claim_covers_are_listed(owl: Path, run: Tracer) -> None:
    done = run("unsourced", "article.md")
    assert done.code == 1
    assert (
        done.out
        == "article.md:3: Its batch holds 256 sequences. [256]\n1 sentence with numbers covered by claims, 1 not\n"
    )
    (owl / "fine.md").write_text("Owl reads 40 billion tokens.\n")
    assert run("unsourced", "fine.md").code == 0
