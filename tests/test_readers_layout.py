"""What stands on a page beside its text is told from it: heads, feet, numbers, notes, captions."""

from collections.abc import Sequence
from dataclasses import replace

from tracer.readers.layout import Line, Sheet, apart_from_body, body_sizes, line_spans
from tracer.readers.marks import readings, rearranged
from tracer.text import comparable, fold

HEIGHT = 800.0
BODY = [(700 - 14 * number, 10.0, f"Nine experts teach on line {number}.") for number in range(40)]

Written = tuple[float, float, str]


def sheet(*written: Written) -> Sheet:
    """A page of lines, each with its height on the page, its size and its words."""
    text, lines = "", []
    for bottom, size, words in written:
        lines.append(Line(start=len(text), end=len(text) + len(words), size=size, weight=400, left=72, bottom=bottom))
        text += f"{words}\r\n"
    return Sheet(text=text, lines=tuple(lines), height=HEIGHT)


def apart(sheets: Sequence[Sheet], number: int = 0) -> str:
    """What is told from the body of a page."""
    runs = apart_from_body(sheets)[number]
    return " | ".join(" ".join(sheets[number].text[start:end].split()) for start, end in runs)


def test_a_head_that_recurs_on_three_pages_is_running_whatever_its_digits() -> None:
    pages = [sheet((780, 10, f"A report, page {number} of 3"), *BODY) for number in (1, 2, 3)]
    assert [apart(pages, number) for number in range(3)] == [f"A report, page {number} of 3" for number in (1, 2, 3)]


def test_a_first_line_that_does_not_recur_is_text() -> None:
    pages = [sheet((780, 10, f"{word} begins the page"), *BODY) for word in ("One", "Two", "Three")]
    assert apart(pages) == ""


def test_what_recurs_in_the_middle_of_pages_is_text() -> None:
    pages = [sheet((780, 10, f"{word} begins"), (400, 10, "as before"), *BODY[:3]) for word in ("One", "Two", "Three")]
    assert apart(pages) == ""


def test_a_lone_number_at_the_foot_is_no_text() -> None:
    for number in ("12", "xiv", "- 12 -", "Page 12", "12 / 47", "page 12 of 47"):
        assert apart([sheet(*BODY, (30, 10, number))]) == number


def test_a_number_in_the_middle_of_a_page_is_text() -> None:
    assert apart([sheet(*BODY[:20], (414, 10, "12"), *BODY[21:])]) == ""


def test_a_note_in_smaller_type_is_no_body_text() -> None:
    assert apart([sheet(*BODY, (110, 8, "1 Measured in March."))]) == "1 Measured in March."


def test_a_caption_is_told_with_the_lines_that_continue_it() -> None:
    page = sheet(
        *BODY[:10], (540, 10, "Figure 3: The loss of"), (528, 10, "nine experts."), (490, 10, "Then text."), *BODY[20:]
    )
    assert apart([page]).replace(" | ", " ") == "Figure 3: The loss of nine experts."


def test_a_sentence_that_begins_with_a_figure_is_no_caption() -> None:
    assert apart([sheet((540, 10, "Figure 3 shows the loss of nine experts."), *BODY[12:])]) == ""


def test_a_page_of_notes_keeps_the_body_type_of_the_document() -> None:
    notes = [(300 - 9 * number, 7.0, f"Note {number} tells more than the text does.") for number in range(20)]
    assert body_sizes([sheet(*BODY), sheet(*BODY[:8], *notes)]) == [10.0, 10.0]


def test_an_appendix_in_smaller_type_has_a_body_type_of_its_own() -> None:
    small = [(700 - 10 * number, 8.0, f"Prompt line {number} of the appendix.") for number in range(30)]
    assert body_sizes([sheet(*BODY), sheet((760, 10, "A Prompts"), *small)]) == [10.0, 8.0]
    assert body_sizes([sheet()]) == [0.0]


def test_lines_are_parted_at_line_breaks_and_line_end_hyphens() -> None:
    text = "com\ufffemunication\r\n \r\nbuffer\x02s\nend"
    assert [text[start:end] for start, end in line_spans(text)] == [
        "com\ufffe", "munication", "buffer\x02", "s", "end",
    ]  # fmt: skip


def test_a_word_cut_before_a_float_is_whole_in_the_body_text() -> None:
    text = "the cache overwri\ufffe0 20 40\r\nFigure 1: Writes over time.\r\ntes what is old"
    apart = [(text.index("0"), text.index("tes what"))]
    body = next(reading for reading in readings(text, (), apart) if reading.name == "body text")
    assert body.folded.text == comparable("the cache overwrites what is old")


def test_a_minus_before_a_float_is_not_lost() -> None:
    text = "the loss is x −\r\nFigure 1: Losses.\r\ny in all"
    apart = [(text.index("Figure"), text.index("y in"))]
    body = next(reading for reading in readings(text, (), apart) if reading.name == "body text")
    at = body.folded.text.index("xy") + 1
    assert (at, True) in body.folded.dashes


def top_of_page(*lines: tuple[int, str]) -> str:
    """What is told from the body of a page that begins with lines of body size at these left edges, then a caption."""
    written = [(700 - 14 * number, 10.0, words) for number, (_, words) in enumerate(lines)]
    caption = (690 - 14 * len(lines), 10.0, "Figure 4: Three branches.")
    page = sheet(*written, caption, *((height - 200, size, words) for height, size, words in BODY[:20]))
    placed = [replace(line, left=left) for line, (left, _) in zip(page.lines, lines, strict=False)]
    return apart([replace(page, lines=(*placed, *page.lines[len(placed) :]))])


def test_the_labels_of_a_figure_that_begins_a_page_are_no_text() -> None:
    assert (
        top_of_page((168, "Gate branch Up branch Curve")) == "Gate branch Up branch Curve | Figure 4: Three branches."
    )


def test_the_end_of_a_sentence_above_a_figure_is_text() -> None:
    caption = "Figure 4: Three branches."
    assert top_of_page((72, "bias updates remain well behaved")) == caption
    assert top_of_page((72, "and the loss is"), (168, "L(x) + y")) == caption
    assert top_of_page((168, "L = x + y")) == caption


def test_a_number_far_above_the_foot_is_no_text_where_it_counts_on_with_the_pages() -> None:
    pages = [sheet(*BODY[:30], (140, 10, f"{number}")) for number in (7, 8, 9)]
    assert [apart(pages, number) for number in range(3)] == ["7", "8", "9"]


def test_a_number_that_ends_the_last_paragraph_of_a_page_is_text() -> None:
    pages = [sheet(*BODY[:30], (140, 10, f"{number}")) for number in (722, 14, 9)]
    assert [apart(pages, number) for number in range(3)] == ["", "", ""]


def test_a_dash_before_a_float_joins_two_words_as_any_dash_does() -> None:
    text = "it is a shift — in their words —\r\nFigure 1: Shifts.\r\non every device"
    apart = [(text.index("Figure"), text.index("on every"))]
    body = next(reading for reading in readings(text, (), apart) if reading.name == "body text")
    whole = fold("it is a shift — in their words — on every device")
    assert (body.folded.text, body.folded.dashes) == (whole.text, whole.dashes)


def test_a_dash_after_a_note_mark_joins_two_words_as_any_dash_does() -> None:
    text = "in their words11 — on every device"
    without = next(reading for reading in readings(text, (14, 15), ()) if reading.name == "without note marks")
    whole = fold("in their words — on every device")
    assert (without.folded.text, without.folded.dashes) == (whole.text, whole.dashes)


def test_pieces_of_a_dash_alone_are_put_together_as_any_other() -> None:
    folded = fold("a 1 - 2 b")
    assert folded.text == "a1-2b"
    assert rearranged(folded, [(0, 1), (2, 3), (4, 5)], "a 1 - 2 b").text == "ab"
    assert rearranged(folded, [(0, 1), (2, 3)], "a 1 - 2 b").text == "a-"


def test_text_in_two_columns_above_a_figure_is_text() -> None:
    left = [
        (700 - 14 * number, 10.0, words) for number, words in enumerate(["the main path is read", "once a day by two"])
    ]
    right = [(height, size, words) for height, size, words in BODY[:40]]
    page = sheet(
        *left,
        (640, 10, "Figure 4: Paths."),
        *((600 - 14 * at, 10.0, "and so it goes on here") for at in range(9)),
        *right,
    )
    placed = [replace(line, left=300 if at > 11 else 72) for at, line in enumerate(page.lines)]
    assert apart([replace(page, lines=tuple(placed))]) == "Figure 4: Paths."
