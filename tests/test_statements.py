"""A document is cut into what it says, each part word for word, with its numbers by what they count."""

import re
from pathlib import Path

import pytest

from tracer.model import Document
from tracer.readers import html, markdown, pdf, text
from tracer.statements import parts, quote, sentences_of, statements

ARTICLE = """\
How Owl Was Made
TL;DR
- Owl has 2.8 billion parameters with native vision (its encoder was trained from scratch), 64K tokens, and open weights
- Training: the context grew from 4K to 8K, then extended to 64K.
Three experts were trained across two domains (General Tasks, Coding) and three levels (low, high, max).

What comes next?
It runs on one phone; it never calls home.
"""


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Owl has 24 layers.", ("Owl has 24 layers",)),
        (
            "Nine policies were trained across three domains and four effort levels.",
            ("Nine policies were trained across three domains", "four effort levels"),
        ),
        (
            "It supports harnesses (Owl Code, Auk, Wren) to avoid overfitting badly.",
            ("It supports harnesses", "avoid overfitting badly", "Owl Code", "Auk", "Wren"),
        ),
        (
            "The window grew (8K → 64K → 256K tokens) in steps.",
            ("The window grew", "8K", "64K", "256K tokens"),
        ),
        (
            "The encoder was trained jointly, rather than being attached later.",
            ("The encoder was trained jointly", "rather than being attached later"),
        ),
        (
            "Experts teach a student, eliminating the need for nine checkpoints while preserving diversity well.",
            (
                "Experts teach a student",
                "eliminating the need for nine checkpoints",
                "while preserving diversity well",
            ),
        ),
        ("It grew, slowly.", ("It grew, slowly",)),
        ("It reads text and images.", ("It reads text and images",)),
        ("It is small (MIT).", ("It is small (MIT)",)),
    ],
)
def test_a_compound_sentence_is_cut_into_its_parts(sentence: str, expected: tuple[str, ...]) -> None:
    assert parts(sentence) == expected


def test_what_has_no_end_is_not_cut_up() -> None:
    endless = "a, b (c, d) " * 1000
    assert parts(endless) == (endless.strip(),)


def said(document: Document) -> list[str]:
    return [statement.text for statement in statements(document)]


def test_items_and_sentences_are_statements_and_titles_and_questions_are_none() -> None:
    assert said(text.read(ARTICLE.encode())) == [
        "Owl has 2.8 billion parameters with native vision",
        "64K tokens",
        "open weights",
        "its encoder was trained from scratch",
        "the context grew from 4K to 8K",
        "then extended to 64K",
        "Three experts were trained across two domains",
        "three levels",
        "General Tasks",
        "Coding",
        "low",
        "high",
        "max",
        "It runs on one phone",
        "it never calls home",
    ]


def test_a_statement_stands_in_its_document_word_for_word() -> None:
    for statement in statements(text.read(ARTICLE.encode())):
        assert statement.text in ARTICLE


def test_a_statement_knows_its_line_and_what_stands_around_it() -> None:
    found = {statement.text: statement for statement in statements(text.read(ARTICLE.encode()))}
    extended = found["then extended to 64K"]
    assert extended.line == 4
    assert extended.context == "TL;DR How Owl Was Made Training the context grew from 4K to 8K, then extended to 64K."
    assert extended.numbers == ("64K",)


TABLE = """\
# Owl

| stage | context | tokens | licence |
|---|---|---|---|
| base | 4K | not stated | n/a |
| long | 64K | 4K | MIT |
"""


def test_a_cell_is_a_statement_about_its_row_and_column_unless_it_says_that_there_is_none() -> None:
    found = statements(markdown.read(TABLE.encode()))
    assert [(it.text, it.context, it.is_value) for it in found] == [
        ("4K", "base context Owl", True),
        ("64K", "long context Owl", True),
        ("4K", "long tokens Owl", True),
        ("MIT", "long licence Owl", True),
    ]


def test_a_sentence_has_the_headings_above_it_as_context() -> None:
    (statement,) = statements(markdown.read(b"# Owl\n\n## Training\n\nThe window grows to 64K.\n"))
    assert statement.context == "Training Owl The window grows to 64K."


def test_a_sentence_of_a_pdf_has_the_sections_around_it_as_context() -> None:
    report = Path(__file__).parent.parent / "claims" / "example" / "heron-1-report.pdf"
    (statement,) = (it for it in statements(pdf.read(report.read_bytes())) if "grows from 4K to 64K" in it.text)
    assert statement.context.startswith("Context extension Pre-training ")


def test_the_values_of_a_page_are_no_sentences_of_it_and_the_sentences_in_its_tables_are() -> None:
    assert list(sentences_of(markdown.read(TABLE.encode()))) == []
    told = TABLE.replace("MIT", "Weights are open. Training data stay closed.")
    assert [sentence.text for sentence in sentences_of(markdown.read(told.encode()))] == [
        "Weights are open.",
        "Training data stay closed.",
    ]


def test_what_is_said_twice_is_one_statement() -> None:
    assert said(text.read(b"Owl has 24 layers.\nOwl has 24 layers.\n")) == ["Owl has 24 layers"]


def test_a_statement_is_quoted_with_so_many_words_that_it_stands_once() -> None:
    document = text.read(b"Owl has two levels, low and high. Auk has many levels (low, high) and no more of them.\n")
    quotes = {statement.text: quote(document, statement) for statement in statements(document)}
    assert quotes["Owl has two levels, low and high"] == "Owl has two levels, low and high"
    assert quotes["low"] == "levels (low, high)"
    assert quotes["high"] == "(low, high)"


def test_a_statement_that_cannot_be_told_apart_is_quoted_as_it_is() -> None:
    around = "and so on and on as it was said of it before by all of us in turn"
    document = text.read(f"{around} {around}; Owl reads text; {around} {around} ".encode() * 2)
    assert {quote(document, it) for it in statements(document) if it.text == "Owl reads text"} == {"Owl reads text"}


def test_markdown_and_html_are_cut_alike() -> None:
    of_markdown = markdown.read(b"# Owl\n\nOwl has 24 layers. It reads 40B tokens.\n\n- open weights\n")
    of_html = html.read(b"<h1>Owl</h1><p>Owl has 24 layers. It reads 40B tokens.</p><ul><li>open weights</li></ul>")
    assert [it.removeprefix("- ") for it in said(of_markdown)][:2] == ["Owl has 24 layers", "It reads 40B tokens"]
    assert said(of_html)[:2] == ["Owl has 24 layers", "It reads 40B tokens"]
    assert {statement.section for statement in statements(of_markdown)} == {"Owl"}


def test_the_statements_of_the_article_stand_in_it_word_for_word(source_folders: tuple[Path, ...]) -> None:
    files = [folder / "article.txt" for folder in source_folders if (folder / "article.txt").is_file()]
    if not files:
        pytest.skip("no folder in TRACER_SOURCES has article.txt")
    article = files[0].read_text(encoding="utf-8")
    found = said(text.read(article.encode()))
    flat = re.sub(r"\s+", " ", article)
    assert len(found) > 58
    assert [each for each in found if each not in flat] == []
