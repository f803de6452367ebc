"""What a page shows is its text, in order; what it hides is not."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import read_or_reason

from tracer.model import Document
from tracer.readers import Unreadable
from tracer.readers.html import numbered, read


def page_text(markup: str) -> str:
    return read(markup.encode()).pages[0].text


def test_blocks_are_lines_and_inline_elements_join_what_they_hold() -> None:
    assert page_text("<div><p>One <b>bo</b>ld\n  word</p><p>next<br>line</p></div>") == "One bold word\nnext\nline"


def test_cells_stand_apart_and_rows_are_lines() -> None:
    rows = "<tr><th><p>Layers</p></th><td>93</td></tr>\n<tr><td>Experts</td> <td>896</td><td></td></tr>"
    assert page_text(f"<p>Sizes</p><table>{rows}</table><p>End</p>") == "Sizes\nLayers\t93\nExperts\t896\nEnd"


def test_an_empty_cell_keeps_its_column() -> None:
    assert page_text("<table><tr><td>a</td><td></td><td>c</td></tr></table>") == "a\t\tc"


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>var x = 'eight tokens'</script>",
        "<style>p {}</style>",
        "<template><p>eight tokens</p></template>",
        "<noscript>eight tokens</noscript>",
        "<p hidden>eight tokens</p>",
        "<div style='color: red; DISPLAY : none'><p>eight <b>tokens</b></p></div>",
        "<p style='visibility:hidden'>eight tokens</p>",
        "<dialog>eight tokens</dialog>",
        "<img alt='eight tokens'>",
        "<!-- eight tokens -->",
        "<svg><title>eight tokens</title><defs><text>eight</text></defs></svg>",
        "<math><semantics><mrow></mrow><annotation>eight</annotation></semantics></math>",
    ],
)
def test_what_a_page_does_not_show_is_no_text_of_it(hidden: str) -> None:
    assert page_text(f"<head><title>eight</title></head><p>before</p>{hidden}<p>after</p>") == "before\nafter"


def test_what_a_reader_sees_or_can_fold_open_is_text_of_the_page() -> None:
    shown = "<p aria-hidden=true>a</p><details><summary>b</summary>c</details><dialog open>d</dialog>"
    assert page_text(shown) == "a\nb\nc\nd"


def test_white_space_in_preformatted_text_stays() -> None:
    assert page_text("<p>a</p><pre>\nx  = 1\n\ty\n</pre><p>b</p>") == "a\nx  = 1\n\ty\nb"


def test_invisible_characters_stay_in_the_text_for_the_folding_to_weigh() -> None:
    page = read(
        '<!doctype html><meta charset="utf-8"><h2>Limits</h2><p>The under&shy;lying&nbsp;limit is\u200b 4\u202f096 '
        "to\u2060kens.</p><p hidden>The hidden limit is 9.</p><script>var x='The script limit is 8.'</script>".encode()
    )
    assert page.pages[0].text == "Limits\nThe under\u00adlying\u00a0limit is\u200b 4\u202f096 to\u2060kens."
    assert [heading.title for heading in page.headings] == ["Limits"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("10<sup>6</sup> steps", "10⁶ steps"),
        ("10 <sup>6</sup> steps", "10 ⁶ steps"),
        ("3×10<sup>−<i>4</i></sup>", "3×10⁻⁴"),
        ("H<sub>2</sub>O, log<sub>10</sub>", "H₂O, log₁₀"),
        ("various<sup><a href='#n'>3</a></sup> domains", "various³ domains"),
        ("the 4<sup>th</sup> layer", "the 4th layer"),
        ("as shown<sup>[12]</sup>", "as shown[12]"),
        ("2<sup>10<sup>3</sup></sup>", "2¹⁰³"),
    ],
)
def test_a_raised_or_lowered_digit_makes_no_other_number(markup: str, text: str) -> None:
    assert page_text(f"<p>{markup}</p>") == text


def test_small_print_of_its_own_is_not_raised() -> None:
    row = "<td><sup>93.5</sup></td><td><sup>Kimi K3<br><sup>(max)</sup></sup></td>"
    assert page_text(f"<table><tr>{row}</tr></table>") == "93.5\tKimi K3\n(max)"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<msup>\n <mn>10</mn>\n <mn>6</mn>\n</msup>", "10⁶"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x₁²"),
        ("<mn>2</mn><mfrac><mn>3</mn><mn>4</mn></mfrac><mn>5</mn>", "2 3/4 5"),
        ("<msqrt><mn>2</mn></msqrt>", "√2"),
        ("<munderover><mo>∑</mo><mn>1</mn><mn>9</mn></munderover><mi>x</mi>", "∑₁⁹x"),
    ],
)
def test_a_formula_does_not_run_its_numbers_together(formula: str, text: str) -> None:
    assert page_text(f"<p>of <math>{formula}</math>.</p>") == f"of {text}."


def test_a_katex_formula_is_read_once() -> None:
    mathml = "<span class=katex-mathml><math><mi>d</mi><annotation>d</annotation></math></span>"
    drawn = "<span class='katex-html' aria-hidden=true>d</span>"
    assert page_text(f"<p>a <span class=katex>{mathml}{drawn}</span> b</p>") == "a d b"


def test_a_heading_begins_where_its_text_stands() -> None:
    heading_markup = "<h2> <span>4.1.3</span> Teachers <a href=#t>¶</a></h2>"
    page = read(f"<title> The\n report </title><p>Intro</p>{heading_markup}<p>Nine.</p><h3></h3>".encode())
    (heading,) = page.headings
    assert (heading.number, heading.title, heading.level, heading.start) == ("4.1.3", "Teachers", 2, len("Intro\n"))
    assert page.headings_by == "markup"
    assert page.title == "The report"


def test_a_page_without_headings_tells_no_sections() -> None:
    page = read(b"<p>Only text.</p>")
    assert (page.headings, page.headings_by, page.title) == ((), None, None)


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("2. Model Summary", "2", "Model Summary"),
        ("1 Introduction", "1", "Introduction"),
        ("4.1.3 Title", "4.1.3", "Title"),
        ("A.1 Details", "A.1", "Details"),
        ("Appendix F: Prompts", "F", "Prompts"),
        ("Appendix F", "F", "Appendix F"),
        ("§ 3 Data", "3", "Data"),
        ("IV. Results", "IV", "Results"),
        ("3 ways to train", None, "3 ways to train"),
        ("A new architecture", None, "A new architecture"),
        ("2024 in review", None, "2024 in review"),
        ("8B model", None, "8B model"),
        ("Section headings", None, "Section headings"),
    ],
)
def test_a_number_is_told_from_the_title_of_its_heading(heading: str, number: str | None, title: str) -> None:
    assert numbered(heading) == (number, title)


@pytest.mark.parametrize(
    "data",
    [
        "<p>Ménage – 4 €</p>".encode(),
        "\ufeff<meta charset=windows-1252><p>Ménage – 4 €</p>".encode(),
        "\ufeff<p>Ménage – 4 €</p>".encode("utf-16-le"),
        "<meta charset='iso-8859-1'><p>Ménage – 4 €</p>".encode("windows-1252"),
        "<meta http-equiv=Content-Type content='text/html; charset=gb2312'><p>Ménage – 4 €</p>".encode("gb18030"),
        "<p>Ménage – 4 €</p>".encode("windows-1252"),
    ],
)
def test_the_encoding_is_that_of_the_mark_or_the_named_one_or_a_guess(data: bytes) -> None:
    assert read(data).pages[0].text == "Ménage – 4 €"


def test_a_guessed_encoding_is_said() -> None:
    assert "names no encoding" in read("<p>Ménage</p>".encode("windows-1252")).warnings[0]
    assert read("<p>Ménage</p>".encode()).warnings == ()


def test_a_page_without_a_letter_cannot_be_checked() -> None:
    assert read(b"<div id=root></div><script>render()</script>").pages[0].unreadable
    assert read(b"<p>a</p>").pages[0].unreadable is None


@pytest.mark.parametrize(
    "markup",
    ["<div>" * 100_000, "<svg>" + "<td>" * 100_000, "<b>" * 900 + "<p>x" * 10_000, "<p>" * 2_000 + "<i>" * 90_000],
)
def test_deep_nesting_is_refused_before_it_is_parsed(markup: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(markup.encode())
    assert refused.value.unread.kind == "limit"


def test_a_long_page_of_unended_elements_is_read() -> None:
    items = "".join(f"<li>{number}<p>a<td>" for number in range(5_000))
    text = page_text(f"<div>{'<div>' * 400}<ul>{items}</ul>")
    assert text.splitlines()[-2:] == ["4999", "a"]


def test_entities_cannot_grow() -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><p>&b;&b;</p>'
    assert page_text(bomb).endswith("&b;&b;")


PIECES = st.sampled_from(
    re.findall(
        r"\S+|\s",
        "<p></p> <div> <table> <tr> <td> </td> <sup> </sup> <sub> <math> <msup> <mn> <mfrac> <h2> </h2> <pre> <svg> "
        "<text> <br> <!-- --> <script> </script> <template> <select> <option> <a <b hidden> &#0; &#xD800; 6 a < > é \n",
    )
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES).map("".join))
def test_any_markup_gives_a_document_whose_headings_stand_in_its_text(markup: str) -> None:
    page = read(markup.encode())
    for heading in page.headings:
        shown = " ".join(page.pages[0].text[heading.start :].split())
        assert shown.startswith(heading.title if heading.number is None else heading.number)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_give_a_document_or_are_unreadable(data: bytes) -> None:
    outcome = read_or_reason(read, data)
    assert isinstance(outcome, Document) or outcome.kind in ("broken", "limit")
