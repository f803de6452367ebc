"""What other formats hold becomes drafts, and what cannot be taken over is said with its line."""

import pytest

from tracer.exchange import format_of
from tracer.exchange.bibliographies import bibtex, csl
from tracer.exchange.drafts import ledger, slug, unique
from tracer.exchange.markdown import read as of_markdown
from tracer.exchange.tables import mapping
from tracer.exchange.tables import read as of_table
from tracer.model import Failure
from tracer.yamlfile import read

TABLE = """\
Claim,Page,Words there,Checked
Nine experts are trained,12,a total of nine expert models,yes
,,,
"The window, grown",-,,no
"""


def test_a_table_gives_a_claim_for_each_row_with_a_text() -> None:
    found = of_table(TABLE, mapping("text=Claim,page=Page,quote=Words there"), source="report", name="My table")
    assert found.claims == (
        {
            "id": "my-table.nine-experts-are-trained",
            "text": "Nine experts are trained",
            "cite": [{"source": "report", "page": "12", "quote": "a total of nine expert models"}],
        },
        {"id": "my-table.the-window-grown", "text": "The window, grown", "cite": [{"source": "report"}]},
    )
    assert [(left.line, left.reason) for left in found.left] == [
        (1, "the column Checked is not mapped"),
        (3, "the row has no text"),
    ]


def test_a_column_with_the_name_of_a_field_needs_no_map_and_a_draft_has_no_status() -> None:
    table = 'id\ttext\tstatus\tnote\na 1\tIt is "big"\tnot stated\tlook again\nb\tIt is small\tsure\t\n'
    found = of_table(table, {})
    assert found.claims == (
        {"id": "a-1", "text": 'It is "big"', "note": "status in the table: not-stated; look again"},
        {"id": "b", "text": "It is small"},
    )
    assert [(left.line, left.reason) for left in found.left] == [(3, "`sure` is no status and is left out")]


def test_a_page_without_a_source_is_said() -> None:
    (left,) = of_table("text;page\nIt is small;3\n", {}).left
    assert (left.line, left.reason) == (2, "its page or quote is left out, for no source is named: use --source")


@pytest.mark.parametrize("page", ["12", "iv", "XII", "A-3", "S2", "12-14", "iv – xi"])
def test_a_page_as_it_is_printed_is_taken_over_in_silence(page: str) -> None:
    assert of_table(f"text,page\nIt is small,{page}\n", {}, source="report").left == ()


def test_what_is_no_page_is_taken_over_and_said_with_its_row_and_column() -> None:
    found = of_table("Claim,Seite\nIt is small,3\nIt is big,abc\n", mapping("text=Claim,page=Seite"), source="report")
    assert found.claims[1]["cite"] == [{"source": "report", "page": "abc"}]
    assert [(left.line, left.reason) for left in found.left] == [
        (3, "`abc` in the column Seite is no page: write the number that is printed on it, such as 12 or iv")
    ]
    (left,) = of_markdown("It is small [report, p. 2].\n\nIt is big [report, p. abc].\n", {}, known=["report"]).left
    assert (left.line, left.reason.partition(":")[0]) == (3, "`abc` is no page")


def test_a_source_that_the_ledger_has_not_is_said() -> None:
    found = of_table("text,source\nIt is small,reprot\n", {}, known=["report"])
    assert [left.reason for left in found.left] == ["the ledger has no source reprot"]
    assert found.claims[0]["cite"] == [{"source": "reprot"}]


@pytest.mark.parametrize(
    ("words", "said"),
    [("txt=Claim", "did you mean `text`"), ("text=", "names no column"), ("text=Clam", "did you mean `Claim`")],
)
def test_a_map_that_means_nothing_is_refused(words: str, said: str) -> None:
    with pytest.raises(Failure, match=said):
        of_table(TABLE, mapping(words))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("Claim,Page\n1,2\n", "the table has Claim and Page; write for example --map text=Claim,note=Page"),
        ("In words\n1\n", "the table has In words; write for example --map 'text=In words'"),
        ("", "the table is empty"),
    ],
)
def test_a_table_without_a_text_is_refused_with_a_map_of_its_columns(table: str, said: str) -> None:
    with pytest.raises(Failure) as refused:
        of_table(table, {})
    assert str(refused.value) == f"no column is the text of a claim: {said}"


NOTES = """\
# Owl

- Owl has **nine experts** [report, §4.1.2, p. 12]. It says “a total of nine expert models” [R, Table 1, p. 11].
- Owl is small. See [the card](card.md).

```
x = y [report, p. 3]
```
It runs on [7] phones [Smith, p. 2].
"""


def test_markdown_gives_a_claim_for_each_sentence_with_a_citation() -> None:
    found = of_markdown(NOTES, {"R": "report"}, known=["report"], name="notes")
    assert found.claims == (
        {
            "id": "notes.owl-has-nine-experts",
            "text": "Owl has nine experts.",
            "cite": [{"source": "report", "section": "4.1.2", "page": "12"}],
        },
        {
            "id": "notes.it-says-a-total-of-nine-expert-models",
            "text": "It says “a total of nine expert models”.",
            "cite": [
                {"source": "report", "section": "Table 1", "page": "11", "quote": "a total of nine expert models"}
            ],
        },
    )
    assert [(left.line, left.reason.partition(":")[0]) for left in found.left] == [
        (4, "the sentence cites nothing"),
        (4, "the sentence cites nothing"),
        (9, "the ledger has no source Smith"),
    ]


def test_one_source_can_be_meant_by_every_name() -> None:
    found = of_markdown("Owl is small [paper, p. 2].\n", {}, source="report", known=["report"])
    assert found.claims[0]["cite"] == [{"source": "report", "page": "2"}]
    assert found.left == ()


BIBTEX = r"""
@string{me = "Me"}
@techreport{k3:2026, title = {Kimi {K3}: Open {\&} Free}, institution = "Kimi, Inc.", year = 2026,
  url = {https://example.org/k3.pdf}, pages = {1--47},
}
@misc{qwen, title={Qwen}, eprint = {2505.09388}, author={A and B}}
@comment{not me}
"""


def test_bibtex_gives_a_source_for_each_entry() -> None:
    found = bibtex(BIBTEX)
    assert found.sources == {
        "k3-2026": {
            "title": "Kimi K3: Open & Free",
            "publisher": "Kimi, Inc.",
            "url": "https://example.org/k3.pdf",
            "revision": "2026",
        },
        "qwen": {"title": "Qwen", "publisher": "A and B", "url": "https://arxiv.org/abs/2505.09388"},
    }
    assert [(left.line, left.reason) for left in found.left] == [
        (2, "@string is no entry with a key"),
        (3, "k3-2026: a source has no place for pages"),
        (7, "@comment is no entry with a key"),
    ]


def test_csl_gives_a_source_for_each_item() -> None:
    text = """[
      {"id": "k3", "type": "report", "title": "Kimi K3", "author": [{"given": "A", "family": "B"}],
       "issued": {"date-parts": [[2026, 7, 16]]}, "DOI": "10.1/x", "volume": 3},
      {"title": "nameless"}
    ]"""
    found = csl(text)
    assert found.sources == {
        "k3": {"title": "Kimi K3", "publisher": "A B", "url": "https://doi.org/10.1/x", "revision": "2026-07-16"}
    }
    assert [left.reason for left in found.left] == ["k3: a source has no place for volume", "item 2 has no id"]


def test_what_is_no_csl_is_refused() -> None:
    with pytest.raises(Failure, match="no CSL-JSON"):
        csl("[" * 100_000)


def test_a_draft_is_a_ledger_that_can_be_read() -> None:
    claims = [{"id": "a", "text": "It: is", "cite": [{"source": "s", "quote": "is"}]}, {"id": "b", "text": "c"}]
    text = ledger(claims, {"s": {"title": "# T"}, "t": {}}, "From x.\nRead it.")
    file = read(text.encode(), "draft.yaml")
    assert file.problems == ()
    assert file.top.value == {"sources": {"s": {"title": "# T"}, "t": {}}, "claims": claims}
    assert text.startswith("# From x.\n# Read it.\nsources:\n")


def test_names_become_ids() -> None:
    assert slug("Das Modell „Äuk“ — 3.5!") == "das-modell-auk-3-5"
    assert slug("…") == "claim"
    assert unique("a", {"a", "a-2"}) == "a-3"


def test_the_ending_of_a_name_tells_the_format() -> None:
    assert [format_of(name) for name in ("a.TSV", "a.md", "a.bib", "a.json", "a.pdf")] == [
        "csv",
        "markdown",
        "bibtex",
        "csl",
        None,
    ]
