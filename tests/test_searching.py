"""Terms against small documents, and against a real report whose words were counted by other means."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import document, page

from tracer.model import Document, Heading, Page, Search, Seen, TermHit
from tracer.readers import pdf
from tracer.searching import Terms, unread_pages


def found(term: str, *texts: str) -> list[str]:
    """The words of the pages that a term is found in."""
    source = document(*texts)
    return [source.pages[hit.span.sheet - 1].text[hit.span.start : hit.span.end] for hit in hits(source, term)]


def hits(source: Document, *terms: str, seen: tuple[Seen, ...] = ()) -> tuple[TermHit, ...]:
    return Terms(source, "report").hits(Search(source="report", terms=terms, seen=seen))


# --- terms ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("learning rate", "the learning rate is 3e-4", ["learning rate"]),
        ("learning rate", "the Learning  \r\n Rate is", ["Learning  \r\n Rate"]),
        ("learning rate", "a learning-rate schedule", ["learning-rate"]),
        ("learning-rate", "a learning rate schedule", ["learning rate"]),
        ("learning rate", "the learn\x02ing rate", ["learn\x02ing rate"]),
        ("learning rate", "the learn\ufffe\r\ning rate", ["learn\ufffe\r\ning rate"]),
        ("learning rate", '"learning_rate": 0.1', ["learning_rate"]),
        ("learning rates", "one learning rate", ["learning rate"]),
        ("learning rate", "two learning rates", ["learning rates"]),
        ("batch", "in batches of 8", ["batches"]),
        ("batches", "a batch of 8", ["batch"]),
        ("policy", "nine expert policies", ["policies"]),
        ("policies", "an expert policy", ["policy"]),
        ("hypothesis", "two hypotheses", ["hypotheses"]),
        ("matrices", "a matrix", ["matrix"]),
        ("phases", "the phase", ["phase"]),
        ("biases", "a bias of the router", ["bias"]),
        ("tokens per parameter", "the token per parameter ratio", ["token per parameter"]),
        ("optimi", "the optimizer", ["optimi"]),
        ("pretraining", "during pre-training", ["pre-training"]),
        ("GPT-4", "as GPT 4 does", ["GPT 4"]),
        ("8-bit", "in 8 bit weights", ["8 bit"]),
        ("RL", "RL-based, two RLs", ["RL", "RLs"]),
        ("RL", "the RL SFT", ["RL"]),
        ("λ", "with λ = 0.1", ["λ"]),
        ("学习率", "模型的学习率是", ["学习率"]),
        ("8K", "from 4-8K to 64K", ["8K"]),
        ("2.8T", "about ≈2.8T parameters", ["2.8T"]),
    ],
)
def test_a_term_is_found_in_its_forms(term: str, text: str, expected: list[str]) -> None:
    assert found(term, text) == expected


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("rate", "the iterated, separate strategy"),
        ("lr", "an lrx and a calr"),
        ("RL", "the RLHF of others"),
        ("learning rate", "learning. Rate"),
        ("learning rate", "rate learning"),
        ("8", "18 and 2.8 and 8.5 and 80"),
        ("1e-4", "1e4"),
        ("-1", "1"),
        ("> 5", "< 5"),
        ("10²", "102"),
        ("GPT-4", "GPT-40"),
        ("A100", "A1000"),
        ("rate", "to gene\x02rate what others generate"),
        ("", "nothing"),
        (" - ", "a - b"),
    ],
)
def test_a_term_is_not_found_inside_other_words_and_numbers(term: str, text: str) -> None:
    assert found(term, text) == []


def test_a_word_after_a_line_end_hyphen_is_found_unless_the_document_writes_both_in_one() -> None:
    assert found("teacher", "a multi\x02teacher loss") == ["teacher"]


def test_hits_are_sorted_by_page_and_offset() -> None:
    source = document("beta alpha", "alpha beta")
    assert [(hit.term, hit.span.sheet) for hit in hits(source, "alpha", "beta")] == [
        ("beta", 1),
        ("alpha", 1),
        ("alpha", 2),
        ("beta", 2),
    ]


def test_a_term_that_is_given_twice_is_counted_once() -> None:
    assert len(hits(document("alpha"), "alpha", "alpha")) == 1


def test_a_place_that_several_readings_show_is_one_hit() -> None:
    text = "various3 domains of learning rate"
    source = Document(kind="pdf", pages=(page(1, text, raised=[7], apart="learning"),))
    assert sum("learning" in reading.folded.text for reading in source.pages[0].readings) == 3
    assert [hit.span.start for hit in hits(source, "learning")] == [text.index("learning")]


def test_a_term_that_a_note_mark_interrupts_is_found() -> None:
    text = "various3 domains"
    source = Document(kind="pdf", pages=(page(1, text, raised=[7]),))
    assert [(hit.span.start, hit.span.end) for hit in hits(source, "various domains")] == [(0, len(text))]


@pytest.mark.parametrize(("end", "begin"), [("the learning", "rate is"), ("the learn-", "ing rate is")])
def test_a_term_over_a_page_end_is_found(end: str, begin: str) -> None:
    pages = (page(1, f"{end}\r\n11", apart="11"), page(2, f"A REPORT\r\n{begin} low.", apart="A REPORT"))
    (hit,) = hits(Document(kind="pdf", pages=pages), "learning rate")
    assert (hit.span.sheet, hit.span.start, hit.span.end) == (1, 4, len(end))
    assert hit.passage.text.startswith("the learn")
    assert hit.passage.text.endswith("rate is low.")
    start, stop = hit.passage.marked or (0, 0)
    assert hit.passage.text[start:stop].startswith("learn")
    assert hit.passage.text[start:stop].endswith("rate")


def test_a_term_on_one_side_of_a_page_end_is_one_hit() -> None:
    assert found("rate", "the rate", "rate is") == ["rate", "rate"]


def test_a_hit_names_its_page_and_section() -> None:
    heading = Heading(number="3.2", title="Recipe", level=1, sheet=1, start=0)
    source = Document(kind="pdf", pages=(page(1, "3.2 Recipe\nthe rate", label="iv"),), headings=(heading,))
    (hit,) = hits(source, "rate")
    assert (hit.page, hit.section, hit.passage.source, hit.passage.page) == ("iv", "3.2", "report", "iv")


@given(st.lists(st.text(alphabet="abßéfixyzABK0189λ学", min_size=1, max_size=8), min_size=1, max_size=12), st.data())
def test_a_word_taken_from_a_page_is_found_on_it(words: list[str], data: st.DataObject) -> None:
    gaps = [data.draw(st.sampled_from([" ", "\r\n", ", ", " - ", "-", ": (", "_"])) for _ in words]
    text = "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    position = data.draw(st.integers(min_value=0, max_value=len(words) - 1))
    start = len("".join(word + gap for word, gap in zip(words[:position], gaps, strict=False)))
    assert start in [hit.span.start for hit in hits(document(text), words[position])]


# --- what is answered for -------------------------------------------------------------------------------------------

HEADINGS = (
    Heading(number="1", title="Data", level=1, sheet=1, start=0),
    Heading(number="2", title="Training", level=1, sheet=3, start=0),
)


def answered(seen: Seen) -> list[int]:
    """The sheets, of four with the labels i, 1, 2 and 3, on which a hit is answered for."""
    pages = tuple(page(sheet, "the rate", label=label) for sheet, label in enumerate(("i", "1", "2", "3"), start=1))
    source = Document(kind="pdf", pages=pages, headings=HEADINGS, headings_by="outline", labels_by="file")
    return [hit.span.sheet for hit in hits(source, "rate", seen=(seen,)) if hit.answered]


@pytest.mark.parametrize(
    ("seen", "sheets"),
    [
        (Seen(page="1", because="why"), [2]),
        (Seen(page="1-2", because="why"), [2, 3]),
        (Seen(page="I", because="why"), [1]),
        (Seen(sheet="1", because="why"), [1]),
        (Seen(sheet="1-3", because="why"), [1, 2, 3]),
        (Seen(section="2", because="why"), [3, 4]),
        (Seen(section="Data", because="why"), [1, 2]),
        (Seen(section="2", page="2", because="why"), [3]),
        (Seen(section="2", page="1", because="why"), []),
        (Seen(page="1"), []),
        (Seen(page="1", because=" "), []),
        (Seen(because="why"), []),
        (Seen(page="9", because="why"), []),
    ],
)
def test_a_hit_is_answered_by_a_reason_for_its_page_or_section(seen: Seen, sheets: list[int]) -> None:
    assert answered(seen) == sheets


def test_a_source_without_pages_is_answered_for_as_page_1() -> None:
    source = Document(kind="markdown", pages=(page(1, "the rate"),))
    assert hits(source, "rate", seen=(Seen(page="1", because="why"),))[0].answered
    assert not hits(source, "rate", seen=(Seen(page="2", because="why"),))[0].answered


def test_one_search_does_not_answer_for_another() -> None:
    terms = Terms(document("the rate"), "report")
    assert terms.hits(Search(source="report", terms=("rate",), seen=(Seen(page="1", because="why"),)))[0].answered
    assert not terms.hits(Search(source="report", terms=("rate",)))[0].answered


# --- pages that cannot be searched ----------------------------------------------------------------------------------


def test_pages_that_cannot_be_searched_are_named_with_the_reason() -> None:
    pages = (
        page(1, "text"),
        Page(sheet=2, label="ii", text="", unreadable="it has no text layer (a scan)"),
        Page(sheet=3, label="3", text="\ufffd" * 3 + "a" * 97),
        Page(sheet=4, label=None, text="\ufffd" * 2 + "a" * 98),
        Page(sheet=5, label=None, text=""),
    )
    assert unread_pages(Document(kind="pdf", pages=pages)) == (
        "p. ii (sheet 2): it has no text layer (a scan)",
        "p. 3: 3 % of its characters have no Unicode value",
    )


# --- a real report --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def report(report_folder: Path) -> Document:
    return pdf.read((report_folder / "kimi-k3-3cb39df.pdf").read_bytes())


@pytest.mark.parametrize(
    ("term", "places"),
    [
        ("GRPO", []),
        ("cooldown", [("12", 1240), ("12", 2000)]),
        (
            "learning rate",
            [("10", 3717), ("10", 4286), ("10", 4364), ("10", 4630), ("11", 1747), ("44", 2803)],
        ),
    ],
)
def test_terms_stand_in_a_real_report_where_its_plain_text_has_them(
    report: Document, term: str, places: list[tuple[str, int]]
) -> None:
    assert [(hit.page, hit.span.start) for hit in hits(report, term)] == places
