"""A statement is supported, has another number, or is not found; which one is arithmetic."""

import json
from pathlib import Path

import pytest
from hostile import Tags
from test_finding import Reversing, document, source

from tracer.finding import Finder
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


def suggested(said: str, tmp_path: Path) -> tuple[Suggestion, ...]:
    found = document(REPORT)
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
