"""Claims against the sentences of small documents."""

import sys

from pages import document, page

from tracer.model import Citation, Claim, Document, Heading, Places, Status
from tracer.stating import Sentences, stating

PLACES = Places(path="claims/a.yaml", positions={})


def claim(text: str, *, value: str | None = None, unit: str | None = None, quote: str | None = None) -> Claim:
    cite = (Citation(source="report", page="1", quote=quote),) if quote else ()
    return Claim(id="c", text=text, value=value, unit=unit, status=Status.CONCLUDED, cite=cite, places=PLACES)


def stated(it: Claim, *texts: str) -> list[str]:
    return [passage.text for passage in stating([it], "report", document(*texts))[0]]


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


def calls_to_state(it: Claim, sentences: Sentences) -> int:
    """Python calls that one look for a claim makes."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sentences.stating(it)
    sys.setprofile(count)
    try:
        passages = sentences.stating(it)
    finally:
        sys.setprofile(None)
    assert [passage.text for passage in passages] == ["Common words name thing7 and item7."]
    return calls


def test_the_sentences_looked_at_for_a_claim_do_not_grow_with_the_document() -> None:
    it = claim("Common words name thing7 and item7.")
    texts = [" ".join(f"Common words name thing{i} and item{i}." for i in range(size)) for size in (2_000, 10_000)]
    small, large = (calls_to_state(it, Sentences(document(text), "report")) for text in texts)
    assert small == large < 1_000
