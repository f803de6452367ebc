"""Quotes found by page and section in small PDFs, and everything that must not be found."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracer import anchoring
from tracer.model import Anchor, Citation, Document, Span, Tier
from tracer.paging import cited_sheets
from tracer.readers import pdf

FILLER = "\n".join(f"This is line {word} of an ordinary page about nothing much." for word in ("one", "two", "three"))


@pytest.fixture(scope="module")
def document() -> Document:
    from conftest import pdf_of

    pages = [
        "# 1 Training\nThe relay keeps a small commun-\nication buffer of 64 MiB, and it is not\nshared.\n" + FILLER,
        "# 2 Data\nThe corpus holds 3×10^6^ documents. Various^3^ domains\nare kept. The model never\n"
        "improves after step 900, unless it is cooled.\n## 2.1 Mixture\nWe mix x - y parts [31, 7]"
        " and residual blocks [12].\n"
        "The rate is 0.1 here.",
        "## 2.2 Rates\nThe rate is 0.1 here. It was run on 180^4^ nodes in\nthe year 2024 on machines that are",
        "not new and that we rent from others by the hour.\n# 3 End\n"
        "The peak is 25% of -1 and 10-20 steps, over 2.8 hours.",
    ]
    return pdf.read(pdf_of(pages))


def found(document: Document, quote: str, page: str | None = None, section: str | None = None) -> anchoring.Found:
    citation = Citation(source="r", quote=quote, page=page, section=section)
    return anchoring.find(citation, document, cited_sheets(citation, document))


def only(document: Document, quote: str, page: str | None = None, section: str | None = None) -> Anchor:
    result = found(document, quote, page, section)
    assert len(result.anchors) == 1, result
    return result.anchors[0]


@pytest.mark.parametrize(
    ("quote", "page", "tier"),
    [
        ("The relay keeps a small", "1", Tier.EXACT),
        ("THE RELAY keeps a small", "1", Tier.TYPOGRAPHY),
        ("a small communication buffer of 64 MiB", "1", Tier.LAYOUT),
        ("and it is not shared", "1", Tier.LAYOUT),
        ("Various domains are kept", "2", Tier.LAYOUT),
        ("run on 180 nodes in the year 2024", "3", Tier.LAYOUT),
        ("machines that are not new", "3", Tier.JOIN),
        ("We mix x - y parts and residual blocks", "2", Tier.REFERENCE_MARKS),
        ("The corpus holds … domains are kept", "2", Tier.LAYOUT),
    ],
)
def test_a_quote_is_found_by_its_tier(document: Document, quote: str, page: str, tier: Tier) -> None:
    result = found(document, quote, page)
    assert [anchor.tier for anchor in result.anchors] == [tier]
    assert result.page_agrees


def test_a_power_typed_with_a_caret_meets_the_raised_digit(document: Document) -> None:
    assert only(document, "3×10^6 documents", "2").spans[0].sheet == 2


@pytest.mark.parametrize(
    "quote",
    [
        "The corpus holds 3×106 documents",
        "run on 1804 nodes",
        "The rate is 0.2 here",
        "a small buffer of 64 MiB",
        "We mix x y parts",
        "We mix x - y parts [32, 7]",
        "We mix [31, 7] x - y parts",
        "and it is shared",
        "The relay keeps a small communication buffer of 64 MiB, unless it is cooled",
        "keeps a sma",
        "elay keeps a small",
        "The peak is 25% of 1",
        "The peak is 25",
        "10 steps",
        "20 steps, over",
        "8 hours",
        ".8 hours",
        "over 2",
        "over 2.",
        "notshared buffers",
        "garden",
    ],
)
def test_what_the_source_does_not_say_is_not_found(document: Document, quote: str) -> None:
    assert found(document, quote).anchors == ()


def test_a_quote_on_another_page_is_found_there_and_does_not_agree(document: Document) -> None:
    result = found(document, "The relay keeps a small", "2")
    assert result.page_agrees is False
    assert [anchor.spans[0].sheet for anchor in result.anchors] == [1]


def test_a_repeated_quote_is_decided_by_the_page_then_by_the_section(document: Document) -> None:
    assert only(document, "The rate is 0.1 here", "3").spans[0].sheet == 3
    assert only(document, "The rate is 0.1 here", section="2.1").spans[0].sheet == 2


def test_a_negation_with_an_index_is_not_left_out_in_silence(pdf_of: Callable[..., bytes]) -> None:
    document = pdf.read(pdf_of([f"It runs for an hour withouti a break.\n{FILLER}"]))
    assert only(document, "It runs for an hour … a break").skips == "withouti"


def test_a_quote_is_in_its_section_where_only_another_reading_has_it(pdf_of: Callable[..., bytes]) -> None:
    page = f"# 1 Data\nIt was measured in most domains.\n# 2 Rates\nIt was measured^3^ in most domains.\n{FILLER}"
    document = pdf.read(pdf_of([page]))
    assert found(document, "It was measured in most domains", "1", "2").section_agrees
    assert found(document, "It was measured in most domains", "1", "1").section_agrees
    assert found(document, "It was measured in most domains", "1", "3").section_agrees is False


def test_a_repeated_quote_without_page_or_section_is_ambiguous(document: Document) -> None:
    assert [anchor.spans[0].sheet for anchor in found(document, "The rate is 0.1 here").anchors] == [2, 3]


@pytest.mark.parametrize(
    ("section", "agrees"), [("2.1", True), ("2", True), ("2.2", False), ("1", False), ("9", False)]
)
def test_a_quote_satisfies_its_section_and_the_sections_around_it(
    document: Document, section: str, agrees: bool
) -> None:
    assert found(document, "residual blocks [12]", "2", section).section_agrees is agrees


def test_a_negation_that_an_ellipsis_leaves_out_is_told(document: Document) -> None:
    assert found(document, "The model … improves after step 900", "2").anchors[0].skips == "never"


def test_a_negation_that_a_later_part_begins_after_is_told(document: Document) -> None:
    """Sentences away from the first part it still turns the second one round."""
    assert found(document, "The corpus holds … improves after step 900", "2").anchors[0].skips == "never"
    assert found(document, "The corpus holds … domains are kept", "2").anchors[0].skips is None


def test_a_quote_over_a_page_end_has_its_two_spans(document: Document) -> None:
    anchor = only(document, "machines that are not new", "3")
    assert [span.sheet for span in anchor.spans] == [3, 4]
    texts = [document.pages[span.sheet - 1].text[span.start : span.end] for span in anchor.spans]
    assert texts == ["machines that are", "not new"]


@pytest.mark.parametrize(
    ("quote", "texts"),
    [
        ("machines that are not … from others by the hour", ["machines that are", "not", "from others by the hour"]),
        ("in the year 2024 … that are not new", ["in\r\nthe year 2024", "that are", "not new"]),
    ],
)
def test_a_part_of_a_quote_may_run_over_a_page_end_itself(document: Document, quote: str, texts: list[str]) -> None:
    anchor = only(document, quote, "3")
    assert [document.pages[span.sheet - 1].text[span.start : span.end] for span in anchor.spans] == texts
    assert anchor.tier is Tier.JOIN


def test_an_empty_quote_is_nowhere(document: Document) -> None:
    assert found(document, " … ").anchors == ()


@settings(max_examples=60)
@given(st.data())
def test_what_describe_writes_anchor_finds(document: Document, data: st.DataObject) -> None:
    page = data.draw(st.sampled_from(document.pages))
    words = [match.span() for match in re.finditer(r"[^\W\d_]{3,}", page.text)]
    first = data.draw(st.integers(0, len(words) - 4))
    span = Span(sheet=page.sheet, start=words[first][0], end=words[first + 3][1])
    citation = anchoring.describe(document, "r", span)
    result = anchoring.find(citation, document, cited_sheets(citation, document))
    assert len(result.anchors) == 1
    assert result.page_agrees
    assert result.section_agrees is not False
