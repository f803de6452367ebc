"""A statement is supported, has another number, or is not found; which one is arithmetic."""

import json
from pathlib import Path

import pytest
from conftest import ROOT
from hostile import Tags
from test_finding import Reversing, document, source

from tracer.cli.project import Wishes, opened
from tracer.finding import Finder
from tracer.model import Document
from tracer.readers import markdown, text
from tracer.reports import suggestions as reporting
from tracer.reports import suggestions_html
from tracer.statements import statements
from tracer.suggesting import Suggestion, Verdict, suggest

REPORT = """\
# Training

We train nine expert policies with reinforcement learning across three domains. The context grows from 8K to 64K tokens
during pre-training. The vision encoder is trained from scratch. Each batch holds 512 sequences, and the learning rate
follows a cosine schedule. The weights are released under an open licence.

# Serving

The fleet serves requests from two regions.
"""


def suggested(said: str, tmp_path: Path, report: str = REPORT) -> tuple[Suggestion, ...]:
    found = document(report)
    finder = Finder({"report": found}, {"report": source("report", found)}, tmp_path)
    return tuple(suggest(statements(text.read(f"{said}\n".encode())), finder))


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Nine RL policies were trained in 3 domains.", Verdict.SUPPORTED),
        ("Its window grew from 8,192 to 65,536 tokens.", Verdict.SUPPORTED),
        ("Its encoder for images was trained from scratch.", Verdict.SUPPORTED),
        ("The weights are released.", Verdict.SUPPORTED),
        ("Ten expert policies are trained with reinforcement learning.", Verdict.DIFFERS),
        ("Each batch holds 1,024 sequences.", Verdict.DIFFERS),
        ("It preserves the diversity of behaviour.", Verdict.NOT_FOUND),
        ("The company was founded in a garage.", Verdict.NOT_FOUND),
    ],
)
def test_a_statement_gets_its_verdict(said: str, verdict: Verdict, tmp_path: Path) -> None:
    (suggestion,) = suggested(said, tmp_path)
    assert suggestion.verdict is verdict


def test_a_number_that_differs_is_shown_with_the_one_in_the_source(tmp_path: Path) -> None:
    (suggestion,) = suggested("Each batch holds 1,024 sequences.", tmp_path)
    (difference,) = suggestion.differences
    assert (difference.stated, difference.found, difference.counted) == ("1,024", "512", "sequences")
    assert suggestion.why.startswith("1,024 sequences, where the source has 512; ")


RECIPE = """\
# Recipe

We use a cosine learning rate schedule with a 1% linear warmup. Dropout is off for 4% of the layers. Weight decay is set
to 0.1 throughout, and the clipping threshold to 1.5. Each token is routed to 16 of 896 experts per layer.

# Costs

The schedule of the cluster leaves it idle for 2% of the day. A linear model predicts the cost of each of 48 racks.

| service | hours |
|---|---|
| Backup | 0.2 |

The fans of a rack take 64K watts.

# Sizes

| model | context length |
|---|---|
| Owl | 64K |
"""


def told(suggestion: Suggestion) -> list[tuple[str, str]]:
    return [(each.words, each.found) for each in suggestion.differences]


@pytest.mark.parametrize(
    ("said", "words", "found"),
    [
        ("The learning rate has a 2% linear warmup.", "2% linear warmup", "1%"),
        ("The learning rate has a 4% linear warmup.", "4% linear warmup", "1%"),
        ("A cosine learning rate schedule has linear warmup over 2%.", "schedule has linear warmup over 2%", "1%"),
        ("Weight decay is 0.2.", "decay is 0.2", "0.1"),
        ("Every token is routed to 48 of the experts.", "token is routed to 48", "16"),
        ("Every token has 48 routed experts per layer.", "48 routed experts", "896"),
    ],
    ids=["elsewhere", "next sentence", "unit", "name before", "some before", "some after"],
)
def test_a_number_is_held_against_the_passage_that_shares_the_words(
    said: str, words: str, found: str, tmp_path: Path
) -> None:
    (suggestion,) = suggested(said, tmp_path, RECIPE)
    assert (suggestion.verdict, suggestion.hits[0].passage.section) == (Verdict.DIFFERS, "Recipe")
    assert told(suggestion) == [(words, found)]


@pytest.mark.parametrize(
    "said",
    [
        "The learning rate has a 1% linear warmup.",
        "Weight decay is 0.1.",
        "The clipping threshold is 1.5.",
        "Owl has a context length of 64K tokens.",
        "The cluster is idle for 2% of the day.",
    ],
)
def test_the_right_number_is_supported_whatever_others_stand_near(said: str, tmp_path: Path) -> None:
    (suggestion,) = suggested(said, tmp_path, RECIPE)
    assert suggestion.verdict is Verdict.SUPPORTED


def test_a_number_alone_supports_nothing(tmp_path: Path) -> None:
    (suggestion,) = suggested("Its price is 896.", tmp_path, RECIPE)
    assert (suggestion.verdict, suggestion.hits[0].shared) == (Verdict.NOT_FOUND, ("896",))


def test_what_comes_after_a_function_word_is_not_what_a_number_counts(tmp_path: Path) -> None:
    """No `16 tokens` for `16 experts work on each token`."""
    report = "# Sizes\n\nIn every layer 16 experts work on each token, whatever the batch.\n"
    (suggestion,) = suggested("In every layer the batch has 32 tokens.", tmp_path, report)
    assert (suggestion.verdict, told(suggestion)) == (Verdict.NOT_FOUND, [])


def test_a_number_that_the_statement_has_as_well_is_in_the_place_of_none(tmp_path: Path) -> None:
    report = "# Sizes\n\nEach layer has 2 shared experts beside 896 routed experts.\n"
    (suggestion,) = suggested("Each layer has 2 shared experts beside 512 experts.", tmp_path, report)
    assert told(suggestion) == [("512 experts", "896")]


@pytest.mark.parametrize(
    ("said", "verdict", "differing"),
    [
        ("The learning rate has a 1% linear warmup.", Verdict.SUPPORTED, []),
        ("The learning rate has a 2% linear warmup.", Verdict.DIFFERS, [("2% linear warmup", "1%")]),
        ("Weight decay is 0.2.", Verdict.DIFFERS, [("decay is 0.2", "0.1")]),
        ("The draft is unrolled for five steps.", Verdict.DIFFERS, [("five steps", "seven")]),
        ("The sparsity is 15.", Verdict.NOT_FOUND, []),
    ],
)
def test_in_a_real_report_the_passage_that_fits_decides(
    said: str, verdict: Verdict, differing: list[tuple[str, str]], reports: Path, tmp_path: Path
) -> None:
    """Its warmup and its weight decay stand on page 11, its draft on page 14; each wrong number stands elsewhere."""
    project = opened(ROOT, Wishes())
    report = project.ledger.sources["k3-report"]
    with project.library() as library:
        found = library.document(report)
    assert isinstance(found, Document)
    (suggestion,) = suggest(statements(text.read(said.encode())), Finder({"k3": found}, {"k3": report}, tmp_path))
    assert (suggestion.verdict, told(suggestion)) == (verdict, differing)


SIZES = """\
# Report

## Base training

The context is 4,096 tokens long at first, as in other models.

## Extension

In the second step the context is 65,536 tokens long. The experts read it for 4,096 steps.
"""


@pytest.mark.parametrize(
    ("row", "column", "value", "section"),
    [
        ("base", "context", "4K", "Base training"),
        ("extension", "steps", "4K", "Extension"),
        ("extension", "context", "64K", "Extension"),
    ],
)
def test_a_cell_is_looked_for_with_its_row_and_column(
    row: str, column: str, value: str, section: str, tmp_path: Path
) -> None:
    found = document(SIZES)
    finder = Finder({"report": found}, {"report": source("report", found)}, tmp_path)
    table = f"| stage | {column} | note |\n|---|---|---|\n| {row} | {value} | |\n"
    (suggestion,) = suggest(statements(markdown.read(table.encode())), finder)
    assert (suggestion.verdict, suggestion.hits[0].passage.section) == (Verdict.SUPPORTED, section)


def test_meaning_changes_no_verdict(tmp_path: Path) -> None:
    found = document(REPORT)
    said = "Each batch holds 1,024 sequences. The weights are released. The company was founded in a garage."
    asked = statements(text.read(f"{said}\n".encode()))
    verdicts = [
        [it.verdict for it in suggest(asked, Finder({"r": found}, {"r": source("r", found)}, tmp_path, embedder))]
        for embedder in (None, Reversing())
    ]
    assert verdicts[0] == verdicts[1] == [Verdict.DIFFERS, Verdict.SUPPORTED, Verdict.NOT_FOUND]


def test_the_same_document_gives_the_same_bytes(tmp_path: Path) -> None:
    said = "Ten policies are trained. The weights are released. Nothing else is known of it."
    assert reporting.as_json(suggested(said, tmp_path), "a") == reporting.as_json(suggested(said, tmp_path), "a")


def test_every_format_shows_every_statement_with_its_verdict(tmp_path: Path) -> None:
    found = suggested("Each batch holds 512 sequences. It was founded in a garage.", tmp_path)
    assert [each.verdict for each in found] == [Verdict.SUPPORTED, Verdict.NOT_FOUND]
    for shown in (
        reporting.render(found),
        reporting.as_markdown(found, "a.md"),
        suggestions_html.render(found, "a.md"),
    ):
        assert "Each batch holds 512 sequences" in shown
        assert "supported by" in shown
        assert "no support found" in shown
    record = json.loads(reporting.as_json(found, "a.md"))
    assert record["counts"] == {"supported by": 1, "number differs": 0, "no support found": 1}
    assert record["statements"][0]["passages"][0]["cite"]["section"] == "Training"


def test_text_of_an_article_is_never_markup(tmp_path: Path) -> None:
    found = suggested("The <script>alert(1)</script> weights | are *released* under a licence.", tmp_path)
    tags = Tags()
    tags.feed(suggestions_html.render(found, "<b>"))
    assert not tags.names & {"script", "b"}
    row = reporting.as_markdown(found, "t").splitlines()[-1]
    assert "<script>" not in row
    assert row.replace("\\|", "").count("|") == 7
