"""Terms and claims against small documents, and against a real report whose words were counted by other means."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.model import Citation, Claim, Document, Heading, Page, Places, Search, Seen, Status, TermHit
from tracer.readers import pdf
from tracer.readers.marks import readings
from tracer.searching import Sentences, Terms, stating, term_hits, unread_pages

PLACES = Places(path="claims/a.yaml", positions={})


def page(sheet: int, text: str, *, label: str | None = None, raised: Sequence[int] = (), apart: str = "") -> Page:
    """A page; `apart` is a piece of its text that is no body text."""
    start = text.index(apart) if apart else 0
    runs = [(start, start + len(apart))] if apart else []
    return Page(sheet=sheet, label=label, text=text, readings=tuple(readings(text, raised, runs)))


def document(*texts: str, headings: tuple[Heading, ...] = ()) -> Document:
    pages = tuple(page(sheet, text) for sheet, text in enumerate(texts, start=1))
    return Document(kind="pdf", pages=pages, headings=headings, headings_by="outline" if headings else None)


def found(term: str, *texts: str) -> list[str]:
    """The words of the pages that a term is found in."""
    source = document(*texts)
    return [source.pages[hit.span.sheet - 1].text[hit.span.start : hit.span.end] for hit in hits(source, term)]


def hits(source: Document, *terms: str, seen: tuple[Seen, ...] = ()) -> tuple[TermHit, ...]:
    return term_hits(Search(source="report", terms=terms, seen=seen), source)


def claim(text: str, *, value: str | None = None, unit: str | None = None, quote: str | None = None) -> Claim:
    cite = (Citation(source="report", page="1", quote=quote),) if quote else ()
    return Claim(id="c", text=text, value=value, unit=unit, status=Status.CONCLUDED, cite=cite, places=PLACES)


def stated(it: Claim, *texts: str) -> list[str]:
    return [passage.text for passage in stating([it], "report", document(*texts))[0]]


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


# --- sentences that seem to state a claim ---------------------------------------------------------------------------

TEXT = """Cooling down extends the context. Training yields nine expert policies in total.
We use e.g. Muon. The cooldown stage trains on text, images and video, cf. Fig. 2. Its data are permuted."""


def test_a_sentence_that_states_a_claim_is_shown_whole() -> None:
    it = claim("The cooldown trained on text, image and video.")
    assert stated(it, TEXT) == ["The cooldown stage trains on text, images and video, cf. Fig. 2."]


def test_a_sentence_with_another_number_is_not_shown() -> None:
    it = claim("Training yields the expert policies.", value="9", unit="policies")
    assert stated(it, TEXT) == ["Training yields nine expert policies in total."]
    assert stated(claim("Training yields the expert policies.", value="8", unit="policies"), TEXT) == []
    assert stated(claim("Training yields eight expert policies."), TEXT) == []


def test_a_sentence_that_lacks_a_rare_word_is_not_shown() -> None:
    assert stated(claim("The cooldown trains on text, images and audio."), TEXT) == []


def test_what_the_claim_quotes_is_left_out() -> None:
    quote = "yields nine … expert policies in total"
    assert stated(claim("Training yields nine expert policies.", quote=quote), TEXT) == []


def test_one_word_says_too_little() -> None:
    assert stated(claim("Muon."), TEXT) == []


def test_a_sentence_over_lines_and_a_page_end_is_one() -> None:
    pages = (page(1, "Old. Distil\x02lation from\r\n7", apart="7"), page(2, "nine teachers is on policy. New."))
    (passages,) = stating([claim("On-policy distillation from teachers.")], "report", Document(kind="pdf", pages=pages))
    assert [(it.text, it.sheet) for it in passages] == [("Distillation from nine teachers is on policy.", 1)]


def test_a_heading_is_no_part_of_the_sentence_after_it() -> None:
    source = document(
        "2 Recipe\nWe adopt cosine decay.", headings=(Heading(number="2", title="Recipe", level=1, sheet=1, start=0),)
    )
    (passages,) = stating([claim("Cosine decay is adopted.")], "report", source)
    assert [(it.text, it.section) for it in passages] == [("We adopt cosine decay.", "2")]


def test_at_most_two_sentences_are_shown_the_closest_and_shortest_first() -> None:
    texts = ("Alpha beta gamma delta here and there.", "Alpha beta gamma delta.", "Alpha beta gamma delta twice.")
    assert stated(claim("Alpha, beta, gamma, delta."), *texts) == ["Alpha beta gamma delta.", texts[2]]


def test_a_row_of_a_table_is_its_own_sentence() -> None:
    it = claim("Routed experts and attention heads.")
    assert stated(it, "Routed experts 896 16 2\nAttention heads 64 8 1") == []


def test_a_title_in_the_bibliography_states_nothing() -> None:
    heading = Heading(number=None, title="References", level=1, sheet=1, start=0)
    it = claim("Cosine decay is adopted.")
    assert stating([it], "report", document("References\nCosine decay, adopted.", headings=(heading,))) == ((),)


def test_the_sentences_looked_at_for_a_claim_do_not_grow_with_the_document() -> None:
    work = []
    for size in (2_000, 10_000):
        pages = (" ".join(f"Common words name thing{i} and item{i}." for i in range(size)),)
        sentences = Sentences(document(*pages), "report")
        it = claim("Common words name thing7 and item7.")
        assert [passage.text for passage in sentences.stating(it)] == ["Common words name thing7 and item7."]
        work.append(len(sentences.looked_at(it)))
    assert work == [1, 1]


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
