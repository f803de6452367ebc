"""From prose to sourced claims on the command line: find, add, suggest, import, unsourced."""

import io
import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
import yaml
from running import OWL, Tracer, ran

Write = Callable[[Mapping[str, str | bytes]], Path]

ARTICLE = """\
# About Owl

Owl reads 40 billion tokens. Its batch holds 256 sequences. It was named after a poem by Lear.
"""


@pytest.fixture
def tracer(capsys: pytest.CaptureFixture[str]) -> Tracer:
    return partial(ran, capsys)


@pytest.fixture
def owl(project: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two sources, in whose folder the commands run."""
    folder = project({**OWL, "article.md": ARTICLE})
    monkeypatch.chdir(folder)
    return folder


def claims(path: Path) -> list[dict[str, object]]:
    """The claims of a file, every scalar as typed."""
    loaded: dict[str, list[dict[str, object]]] = yaml.load(path.read_text(), Loader=yaml.BaseLoader)  # noqa: S506
    return loaded["claims"]


# --- find -------------------------------------------------------------------------------------------------------------


def test_a_statement_is_found_with_a_citation_to_paste(owl: Path, tracer: Tracer) -> None:
    run = tracer("find", "40B tokens are read")
    assert run.code == 0
    assert run.out.splitlines()[0].startswith("1  notes, Pre-training")
    assert '- {source: notes, section: Pre-training, quote: "Owl reads 40 billion tokens once"}' in " ".join(
        run.out.split()
    )


def test_what_is_pasted_passes_the_audit(owl: Path, tracer: Tracer) -> None:
    cite = yaml.load(tracer("find", "512 sequences", "-f", "yaml").out, Loader=yaml.BaseLoader)  # noqa: S506
    pasted = {"claims": [{"id": "new", "text": "A batch has 512 sequences.", "status": "stated", "cite": cite[:1]}]}
    (owl / "claims" / "new.yaml").write_text(yaml.safe_dump(pasted), encoding="utf-8")
    assert tracer("audit", "new").code == 0


def test_one_source_can_be_looked_in_alone(owl: Path, tracer: Tracer) -> None:
    found = json.loads(tracer("find", "Owl", "--source", "card", "-f", "json").out)
    assert {passage["source"] for passage in found["passages"]} == {"card"}


def test_nothing_found_ends_in_one_and_nothing_asked_in_two(owl: Path, tracer: Tracer) -> None:
    assert (tracer("find", "zebra").code, tracer("find", " … ").code) == (1, 2)
    run = tracer("find", "zebra", "--source", "card2")
    assert (run.code, "did you mean `card`" in run.err) == (2, True)


def test_nothing_found_says_what_to_try(owl: Path, tracer: Tracer) -> None:
    run = tracer("find", "zebra")
    assert run.out == "no source says so\n"
    looked = "tracer: nothing in notes and card shares a word with it"
    assert run.err == f"{looked}: try other words, or name a folder with more sources by --sources\n"
    run = tracer("find", "512 sequences", "--source", "card", "--format", "yaml")
    assert (run.out, run.err) == (
        "",
        "tracer: nothing in card shares a word with it: try other words, or look in all sources, without --source\n",
    )


def test_the_words_around_a_text_say_which_of_its_places_is_meant(project: Write, tracer: Tracer) -> None:
    notes = "# Base\n\nIt reads 512 sequences.\n\n# Extension\n\nIt reads 512 sequences.\n"
    folder = project({**OWL, "sources/card.md": notes})
    for stage in ("Base", "Extension"):
        run = tracer(
            "-C", str(folder), "find", "512 of them", "--context", stage, "--source", "card", "--format", "json"
        )
        assert json.loads(run.out)["passages"][0]["section"] == stage


def test_meaning_is_compared_only_where_its_packages_are_installed(
    owl: Path, tracer: Tracer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    for words in (("find", "512 sequences"), ("suggest", "article.md")):
        run = tracer(*words, "--semantic")
        assert (run.code, "pip install 'tracer-audit[semantic]'" in run.err) == (2, True)
        assert tracer(*words).code == 0


def test_a_source_that_cannot_be_read_is_said(owl: Path, tracer: Tracer) -> None:
    (owl / "sources" / "card.md").unlink()
    run = tracer("find", "512 sequences")
    assert run.code == 0
    assert "card is not searched: its file sources/card.md is not on disk" in run.err


# --- add --------------------------------------------------------------------------------------------------------------


def test_a_claim_is_added_with_its_place_to_the_file_of_its_stage(owl: Path, tracer: Tracer) -> None:
    before = (owl / "claims" / "pretrain.yaml").read_text()
    run = tracer(
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
    assert run.code == 0, run.err
    assert (owl / "claims" / "pretrain.yaml").read_text() == before + (
        "  - id: owl.epochs\n"
        "    stage: owl/pretrain\n"
        "    field: epochs\n"
        "    text: It reads its tokens once.\n"
        "    status: stated\n"
        "    cite:\n"
        '      - {source: notes, section: Pre-training, quote: "tokens once"}\n'
    )
    assert "found: notes, Pre-training, exact" in run.out
    assert tracer("audit", "owl.epochs").code == 0


@pytest.mark.parametrize(
    ("declared", "stage", "file"),
    [
        ("      - {id: rl, after: tune}\n", "owl/rl", "pretrain.yaml"),
        ("  ibis:\n    stages: [{id: base}]\n", "ibis/base", "sources.yaml"),
    ],
)
def test_the_first_claim_of_a_stage_goes_where_its_pipeline_stands(
    declared: str, stage: str, file: str, owl: Path, tracer: Tracer
) -> None:
    with (owl / "claims" / "sources.yaml").open("a") as sources:
        sources.write(declared)
    run = tracer("add", "--text", "It has dialogues.", "--stage", stage, "--quote", "tuned on 3,000 dialogues")
    assert run.code == 0, run.err
    assert claims(owl / "claims" / file)[-1]["stage"] == stage


def test_a_passage_can_be_searched_for_instead_of_quoted(owl: Path, tracer: Tracer) -> None:
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
    assert tracer("add", *words).code == 0
    assert claims(owl / "claims" / "tune.yaml")[-1]["cite"] == [
        {"source": "notes", "section": "Fine-tuning", "quote": "The model is tuned on 3,000 dialogues"}
    ]


def test_a_quote_can_come_from_standard_input(owl: Path, tracer: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("The batch holds\n  512 sequences\n"))
    assert tracer("add", "--text", "512.", "--stage", "owl/pretrain", "--quote", "-", "--id", "b").code == 0
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
    ],
)
def test_what_does_not_hold_is_refused_and_nothing_is_written(
    owl: Path, tracer: Tracer, words: tuple[str, ...], said: str
) -> None:
    before = {path: path.read_bytes() for path in (owl / "claims").iterdir()}
    run = tracer("add", "--text", "It has batches.", "--stage", "owl/pretrain", *words)
    assert (run.code, said in run.err) == (2, True), run.err
    assert {path: path.read_bytes() for path in (owl / "claims").iterdir()} == before


def test_a_stage_that_the_ledger_has_not_is_refused(owl: Path, tracer: Tracer) -> None:
    run = tracer("add", "--text", "a", "--stage", "owl/pretrian", "--quote", "batch holds 512")
    assert (run.code, "did you mean `owl/pretrain`" in run.err) == (2, True)


def test_a_quote_that_stands_nowhere_is_written_as_it_is_if_asked_to(owl: Path, tracer: Tracer) -> None:
    words = ("--text", "a", "--stage", "owl/pretrain", "--quote", "holds 256 sequences", "--as-is", "--id", "w")
    assert tracer("add", *words).code == 2
    assert tracer("add", *words, "--source", "notes").code == 0
    assert claims(owl / "claims" / "pretrain.yaml")[-1]["cite"] == [{"source": "notes", "quote": "holds 256 sequences"}]
    assert tracer("audit", "w").code == 1


def test_a_claim_that_is_not_stated_is_added_with_its_search(owl: Path, tracer: Tracer) -> None:
    words = ("--text", "No rate.", "--stage", "owl/tune", "--field", "learning rate", "--status", "not-stated")
    assert tracer("add", *words, "--source", "notes", "--term", "learning rate").code == 0
    added = claims(owl / "claims" / "tune.yaml")[-1]
    assert added["id"] == "owl.learning-rate"
    assert added["searched"] == [{"source": "notes", "terms": ["learning rate"]}]
    assert tracer("audit", "owl.learning-rate").code == 0


def test_a_number_that_the_quote_lacks_is_said_at_once(owl: Path, tracer: Tracer) -> None:
    words = ("--text", "It holds 256.", "--value", "256", "--stage", "owl/pretrain", "--quote", "holds 512 sequences")
    run = tracer("add", *words)
    assert run.code == 0
    assert "does not hold the value 256" in run.err


def test_a_new_file_can_be_named(owl: Path, tracer: Tracer) -> None:
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
    assert tracer("add", *words, "--id", "m").code == 2
    (owl / "claims" / "new").mkdir()
    assert tracer("add", *words, "--id", "m").code == 0
    assert [claim["id"] for claim in claims(owl / "claims" / "new" / "mit.yaml")] == ["m"]


# --- suggest ----------------------------------------------------------------------------------------------------------


def test_the_statements_of_an_article_are_matched(owl: Path, tracer: Tracer) -> None:
    run = tracer("suggest", "article.md", "-f", "json")
    found = {each["text"]: each["verdict"] for each in json.loads(run.out)["statements"]}
    assert found == {
        "Owl reads 40 billion tokens": "supported by",
        "Its batch holds 256 sequences": "number differs",
        "It was named after a poem by Lear": "no support found",
    }


def test_a_draft_is_flagged_until_a_person_gives_a_status(owl: Path, tracer: Tracer) -> None:
    assert tracer("suggest", "article.md", "--write", "claims/draft.yaml").code == 0
    first, *_ = claims(owl / "claims" / "draft.yaml")
    assert first["made-in"] == {"source": "article", "quote": "Owl reads 40 billion tokens"}
    assert "status" not in first
    run = tracer("audit", "article.001")
    assert (run.code, "a claim has no `status`" in run.out) == (1, True)
    path = owl / "claims" / "draft.yaml"
    path.write_text(path.read_text().replace("40 billion tokens\n", "40 billion tokens\n    status: stated\n", 1))
    assert tracer("audit", "article.001").code == 0


def test_a_draft_never_takes_the_place_of_a_file(owl: Path, tracer: Tracer) -> None:
    run = tracer("suggest", "article.md", "--write", "claims/tune.yaml")
    assert (run.code, "is there already" in run.err) == (2, True)


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_a_result_can_go_to_a_file(owl: Path, tracer: Tracer, form: str) -> None:
    assert tracer("suggest", "article.md", "-f", form, "-o", "out").out == ""
    assert "number differs" in (owl / "out").read_text()


def test_a_file_without_statements_is_refused(owl: Path, tracer: Tracer) -> None:
    (owl / "empty.md").write_text("# Owl\n")
    assert tracer("suggest", "empty.md").code == 2
    assert tracer("suggest", "absent.md").code == 2


def test_a_folder_is_no_file_to_cut_up(owl: Path, tracer: Tracer) -> None:
    for verb in ("suggest", "unsourced"):
        run = tracer(verb, "claims")
        assert (run.code, run.out) == (2, "")
        assert run.err == "tracer: claims is a folder: name a text, a Markdown or HTML page, or a PDF in it\n"


# --- import and unsourced ---------------------------------------------------------------------------------------------


def test_a_table_is_taken_over_as_a_draft(owl: Path, tracer: Tracer) -> None:
    (owl / "table.csv").write_text("what,where\nOwl reads 40B tokens,Pre-training\n")
    words = ("import", "table.csv", "--map", "text=what,section=where", "--source", "notes")
    run = tracer(*words)
    assert (run.code, run.err) == (0, "")
    assert "- {source: notes, section: Pre-training}" in run.out
    assert tracer(*words, "--write", "claims/table.yaml").code == 0
    assert [claim["text"] for claim in claims(owl / "claims" / "table.yaml")] == ["Owl reads 40B tokens"]


def test_what_is_left_behind_is_said_with_its_line_and_ends_in_one(owl: Path, tracer: Tracer) -> None:
    (owl / "post.md").write_text("Owl reads [notes, §Pre-training].\n\nOwl flies [nots, p. 2].\n")
    run = tracer("import", "post.md")
    assert run.code == 1
    assert "post.md:3: the ledger has no source nots: did you mean `notes`" in run.err


def test_a_file_of_no_format_is_refused(owl: Path, tracer: Tracer) -> None:
    (owl / "a.odt").write_text("x")
    assert tracer("import", "a.odt").code == 2
    (owl / "b.bib").write_text("@article{k, title={T}}\n")
    assert tracer("import", "b.bib").code == 0
    assert tracer("import", "b.bib", "--from", "csl").code == 2


def test_sentences_with_numbers_that_no_claim_covers_are_listed(owl: Path, tracer: Tracer) -> None:
    run = tracer("unsourced", "article.md")
    assert run.code == 1
    assert (
        run.out
        == "article.md:3: Its batch holds 256 sequences. [256]\n1 sentence with numbers covered by claims, 1 not\n"
    )
    (owl / "fine.md").write_text("Owl reads 40 billion tokens.\n")
    assert tracer("unsourced", "fine.md").code == 0
