"""A PDF is read as a person sees it: text, headings, labels, raised marks, and what cannot be read is said."""

import io
from collections.abc import Callable

import pypdf
import pytest
from raw_pdf import CONTENT, FONT, SENTENCE, one_page, stream
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tracer.model import Document, Page
from tracer.readers import Unreadable, pdf
from tracer.text import comparable

Pdf = Callable[..., bytes]

BODY = "\n".join(["The student learns from nine experts, each for one domain."] * 12)


def readings(page: Page) -> dict[str, str]:
    return {reading.name: reading.folded.text for reading in page.readings}


def outline(document: Document) -> list[tuple[str | None, str, int, int]]:
    """Number, title, level and sheet of each heading."""
    return [(each.number, each.title, each.level, each.sheet) for each in document.headings]


def at_headings(document: Document) -> list[str]:
    """How the text goes on at the place of each heading."""
    return [document.pages[each.sheet - 1].text[each.start :].split("\r\n")[0].strip() for each in document.headings]


# --- text -------------------------------------------------------------------------------------------------------


def test_every_page_is_read_with_its_sheet(pdf_of: Pdf) -> None:
    document = pdf.read(pdf_of(["Nine experts teach.", "Sixteen work on a token."], title="A report"))
    assert [(page.sheet, page.text) for page in document.pages] == [
        (1, "Nine experts teach."),
        (2, "Sixteen work on a token."),
    ]
    assert (document.kind, document.title, document.warnings) == ("pdf", "A report", ())


def test_a_word_cut_at_a_line_end_is_read_whole(pdf_of: Pdf) -> None:
    (page,) = pdf.read(pdf_of(["a small com-\nmunication buffer of a well-\nknown size"])).pages
    assert readings(page)["as it is"] == comparable("a small communication buffer of a well-known size")


def test_small_capitals_set_in_two_sizes_are_words() -> None:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    x = 72.0
    for text, size in (("O", 12), ("PEN", 9), (" W", 12), ("EIGHTS", 9), (" R", 12), ("EPORT", 9)):
        canvas.setFont("Times-Roman", size)
        canvas.drawString(x, 700, text)
        x += canvas.stringWidth(text, "Times-Roman", size) + 1.5
    canvas.save()
    (page,) = pdf.read(stream_.getvalue()).pages
    assert readings(page)["as it is"] == "openweightsreport"


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_and_cropped_page_is_read(turn: int) -> None:
    data = one_page(page=b"/CropBox [20 30 580 820] /Rotate %d" % turn, box=b"[-100 -50 595 842]")
    assert pdf.read(data).pages[0].text == SENTENCE


# --- raised digits ----------------------------------------------------------------------------------------------


def test_a_raised_digit_after_a_number_is_its_power_and_no_digit_of_it(pdf_of: Pdf) -> None:
    (page,) = pdf.read(pdf_of(["The corpus holds 3×10^6^ documents and 106 pages."])).pages
    assert readings(page)["as it is"] == comparable("The corpus holds 3×10⁶ documents and 106 pages.")
    assert not any("3×106" in text for text in readings(page).values())


def test_a_raised_note_mark_can_be_left_out(pdf_of: Pdf) -> None:
    (page,) = pdf.read(pdf_of(["It ran on 180^4^ nodes in various^3^ domains.^12^ It ended."])).pages
    assert readings(page)["without note marks"] == comparable("It ran on 180 nodes in various domains. It ended.")
    assert not any("1804" in text for text in readings(page).values())


@pytest.mark.parametrize("formula", ["10^2^ runs", "2×180^4^ runs", "180^2^ runs", "a 10^12^ budget"])
def test_a_power_is_never_left_out_as_a_note_mark(formula: str, pdf_of: Pdf) -> None:
    (page,) = pdf.read(pdf_of([f"It took {formula} in all."])).pages
    assert "without note marks" not in readings(page)


# --- headings ---------------------------------------------------------------------------------------------------


def test_headings_of_an_outline_take_their_numbers_from_the_page(pdf_of: Pdf) -> None:
    pages = [f"# 1 Introduction\n{BODY}\n## 1.1 Data\n{BODY}", f"{BODY}\n# Appendix A Prompts\n{BODY}"]
    entries = [(0, "Introduction", 1), (1, "Data", 1), (0, "Prompts", 2)]
    document = pdf.read(pdf_of(pages, outline=entries))
    assert document.headings_by == "outline"
    assert outline(document) == [("1", "Introduction", 1, 1), ("1.1", "Data", 2, 1), ("A", "Prompts", 1, 2)]
    assert at_headings(document) == ["1 Introduction", "1.1 Data", "Appendix A Prompts"]


def test_an_outline_entry_whose_title_is_not_on_its_page_is_placed_by_its_height(pdf_of: Pdf) -> None:
    document = pdf.read(pdf_of([f"# Methods\n{BODY}", BODY], outline=[(0, "Methods", 1), (0, "Unprinted", 2)]))
    assert outline(document) == [(None, "Methods", 1, 1), (None, "Unprinted", 1, 2)]
    assert document.headings[1].start == 0


def test_of_two_lines_with_the_title_the_one_at_the_target_is_the_heading(pdf_of: Pdf) -> None:
    page = f"Results\nare promised here and given below.\n{BODY}\n# Results\n{BODY}"
    (heading,) = pdf.read(pdf_of([page], outline=[(0, "Results", 1)])).headings
    assert heading.start > len(BODY)


def test_without_an_outline_numbered_headings_are_told_from_lists_and_affiliations(pdf_of: Pdf) -> None:
    pages = [
        f"1 Institute of Models\n2 School of Data\n# 1 Introduction\n{BODY}\n1 first item of a list\n2 second item",
        f"## 1.1 Data\n{BODY}\n3 third item\n## 1.2 Loss\n{BODY}\n# 2 Results\n{BODY}\n# A Prompts\n{BODY}",
    ]
    document = pdf.read(pdf_of(pages))
    assert document.headings_by == "numbers"
    assert outline(document) == [
        ("1", "Introduction", 1, 1),
        ("1.1", "Data", 2, 2),
        ("1.2", "Loss", 2, 2),
        ("2", "Results", 1, 2),
        ("A", "Prompts", 1, 2),
    ]


def test_the_usual_names_without_number_are_headings_beside_numbered_ones(pdf_of: Pdf) -> None:
    document = pdf.read(pdf_of([f"Abstract\n{BODY}\n# 1 Data\n{BODY}\n# 2 Loss\n{BODY}\nReferences\n{BODY}"]))
    assert [str(heading) for heading in document.headings] == ["Abstract", "1", "2", "References"]


def test_without_numbers_larger_type_makes_headings(pdf_of: Pdf) -> None:
    document = pdf.read(pdf_of([f"# The Data\n{BODY}\n## Where it is from\n{BODY}", f"# The Loss\n{BODY}"]))
    assert document.headings_by == "type"
    assert outline(document) == [
        (None, "The Data", 1, 1),
        (None, "Where it is from", 2, 1),
        (None, "The Loss", 1, 2),
    ]


def test_a_page_of_few_lines_above_many_notes_has_no_headings() -> None:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    for lines in (38, 12):
        for number in range(40):
            canvas.setFont("Helvetica", 10 if number < lines else 7)
            canvas.drawString(72, 780 - 14 * number, f"Nine experts teach the student on line {number} here.")
        canvas.showPage()
    canvas.save()
    document = pdf.read(stream_.getvalue())
    assert (document.headings, document.headings_by) == ((), None)
    assert "line11here" in readings(document.pages[1])["body text"]
    assert "line12here" not in readings(document.pages[1])["body text"]


def test_a_document_of_one_type_has_no_headings_and_says_so(pdf_of: Pdf) -> None:
    document = pdf.read(pdf_of([BODY, BODY]))
    assert (document.headings, document.headings_by) == ((), None)


# --- labels -----------------------------------------------------------------------------------------------------


def test_labels_come_from_the_file(pdf_of: Pdf) -> None:
    document = pdf.read(pdf_of([BODY] * 5, labels=["i", "ii", "iii", "1", "2"]))
    assert [page.label for page in document.pages] == ["i", "ii", "iii", "1", "2"]
    assert document.labels_by == "file"


def numbered(first: int, count: int) -> list[str]:
    """Pages whose last line, near the lower edge, is a running number."""
    filler = "\n".join(["Nine experts teach."] * 48)
    return [f"{filler}\n{first + index}" for index in range(count)]


def test_labels_are_else_the_running_numbers_in_print(pdf_of: Pdf) -> None:
    document = pdf.read(pdf_of(numbered(211, 4)))
    assert [page.label for page in document.pages] == ["211", "212", "213", "214"]
    assert document.labels_by == "print"


def test_numbers_that_do_not_run_are_no_labels(pdf_of: Pdf) -> None:
    pages = [page for number in (7, 3, 190, 12) for page in numbered(number, 1)]
    document = pdf.read(pdf_of(pages))
    assert ([page.label for page in document.pages], document.labels_by) == ([None] * 4, None)


# --- what cannot be read ----------------------------------------------------------------------------------------

NUL_MAP = (
    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> "
    b"endcodespacerange 1 beginbfchar <78> <0000> endbfchar endcmap end end"
)


def test_a_glyph_without_unicode_keeps_its_place_and_is_said() -> None:
    data = one_page(
        b"BT /G 12 Tf 72 700 Td (The cutox is 0.25 at step 900.) Tj ET",
        resources=b"/ExtGState << >> /Font << /G 6 0 R >>",
        more=[FONT.replace(b" >>", b" /ToUnicode 7 0 R >>"), stream(NUL_MAP)],
    ).replace(b"/Font << /F 5 0 R >>", b"", 1)
    document = pdf.read(data)
    assert document.pages[0].text == "The cuto\ufffd is 0.25 at step 900."
    assert document.pages[0].warnings == ("1 glyph without a Unicode value",)
    assert document.warnings == ()
    assert not any("cutoff" in text or "cutois" in text for text in readings(document.pages[0]).values())


IMAGE = stream(
    b"\x00" * 8, b"/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray"
)


@pytest.mark.parametrize("letters", [b"", b"BT /F 12 Tf 9 9 Td (p. 12) Tj ET"])
def test_a_page_that_is_an_image_cannot_be_read(letters: bytes) -> None:
    content = b"q 500 0 0 700 40 40 cm /X Do Q " + letters
    document = pdf.read(one_page(content, resources=b"/XObject << /X 6 0 R >>", more=[IMAGE]))
    assert document.pages[0].unreadable == "it has no text layer (a scan)"


def test_an_image_on_a_page_of_text_hides_nothing() -> None:
    content = b"q 50 0 0 70 40 40 cm /X Do Q " + CONTENT
    document = pdf.read(one_page(content, resources=b"/XObject << /X 6 0 R >>", more=[IMAGE]))
    assert (document.pages[0].unreadable, document.pages[0].text) == (None, SENTENCE)


def test_letters_that_are_drawn_cannot_be_read() -> None:
    assert pdf.read(one_page(b"0 0 m 9 9 l S\n" * 40)).pages[0].unreadable == "its letters are drawn, not written"


@pytest.mark.parametrize("content", [b" ", b"0 0 m 9 9 l S", b"BT /F 12 Tf 9 9 Td (12) Tj ET"])
def test_an_empty_page_is_no_scan(content: bytes) -> None:
    assert pdf.read(one_page(content)).pages[0].unreadable is None


def encrypted(data: bytes, user: str, owner: str, algorithm: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user, owner, algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_file_with_a_password_for_its_owner_alone_is_read(algorithm: str, pdf_of: Pdf) -> None:
    data = pdf_of([f"# 1 Data\n{BODY}"], outline=[(0, "Data", 1)], labels=["iv"], title="A report")
    document = pdf.read(encrypted(data, "", "owner", algorithm))
    assert (document.pages[0].label, document.title) == ("iv", "A report")
    assert outline(document) == [("1", "Data", 1, 1)]


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_a_file_with_a_password_for_its_readers_is_locked(algorithm: str, pdf_of: Pdf) -> None:
    with pytest.raises(Unreadable) as unreadable:
        pdf.read(encrypted(pdf_of([BODY]), "user", "owner", algorithm))
    assert (unreadable.value.unread.kind, unreadable.value.unread.reason) == ("locked", "it needs a password")


# --- closer -----------------------------------------------------------------------------------------------------


def closer_readings(data: bytes) -> dict[str, str]:
    (page,) = pdf.closer(data, [1])
    return readings(page)


def test_two_columns_drawn_row_by_row_are_read_in_column_order() -> None:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    left = ["Nine experts were", "trained apart and", "then taught one", "student together."]
    right = ["The draft model", "proposes tokens", "that the large one", "accepts or not."]
    for number, words in enumerate(zip(left, right, strict=True)):
        for x, text in zip((72, 320), words, strict=True):
            canvas.drawString(x, 700 - 14 * number, text)
    canvas.save()
    data = stream_.getvalue()
    assert comparable(" ".join(left)) not in readings(pdf.read(data).pages[0])["as it is"]
    assert closer_readings(data)["in column order"] == comparable(" ".join([*left, *right]))


def test_a_heading_over_two_columns_is_read_before_them() -> None:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    canvas.drawString(72, 740, "A heading that runs over the whole width of both of the columns")
    for number in range(3):
        canvas.drawString(72, 700 - 14 * number, f"left line {number} of the text")
        canvas.drawString(320, 700 - 14 * number, f"right line {number} of the text")
    canvas.save()
    text = closer_readings(stream_.getvalue())["in column order"]
    order = [text.index(words) for words in ("aheading", "leftline0", "leftline2", "rightline0", "rightline2")]
    assert order == sorted(order)


def test_one_column_has_no_other_order(pdf_of: Pdf) -> None:
    assert "in column order" not in closer_readings(pdf_of([BODY]))


def on_one_line(*pieces: tuple[str, int, int]) -> bytes:
    """A page with one line of pieces, each in a type size and raised by so many points."""
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    text = canvas.beginText(72, 700)
    for words, size, rise in pieces:
        text.setFont("Helvetica", size)
        text.setRise(rise)
        text.textOut(words)
    canvas.drawText(text)
    canvas.save()
    return stream_.getvalue()


def test_raised_and_lowered_type_beside_words_can_be_left_out() -> None:
    found = closer_readings(
        on_one_line(
            ("a sampled", 10, 0),
            ("(d,e)", 7, 4),
            (" effort of w", 10, 0),
            ("i", 7, -3),
            (" each", 10, 0),
        )
    )
    assert found["without raised and lowered type"] == comparable("a sampled effort of w each")


def test_a_power_stays_when_small_type_is_left_out(pdf_of: Pdf) -> None:
    found = closer_readings(pdf_of(["It took 10^6^ runs for the sampled^(d)^ effort."]))
    assert found["without raised and lowered type"] == comparable("It took 10⁶ runs for the sampled effort.")


def test_a_page_that_cannot_be_loaded_has_no_closer_readings(pdf_of: Pdf) -> None:
    broken = one_page(kids=b"2 0 R", count=1)
    assert pdf.read(broken).pages[0].unreadable == "sheet 1 is broken"
    assert closer_readings(broken) == {}


def test_a_lowered_figure_of_a_formula_can_be_kept_where_an_index_is_left_out() -> None:
    found = closer_readings(
        on_one_line(
            ("H", 10, 0),
            ("2", 7, -2),
            ("O of a sampled", 10, 0),
            ("max", 7, -2),
            (" effort", 10, 0),
        )
    )
    kept = found["without raised and lowered type, but with lowered figures"]
    assert kept == comparable("H2O of a sampled effort")


def table_by_column(rows: list[list[str]]) -> bytes:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    for at in range(len(rows[0])):
        for number, row in enumerate(rows):
            canvas.drawString(72 + 140 * at, 700 - 14 * number, row[at])
    canvas.save()
    return stream_.getvalue()


def test_a_table_that_is_drawn_column_by_column_is_read_by_row() -> None:
    rows = [["Kimi K3", "62.1", "48 GB"], ["Qwen3", "58.4", "44 GB"]]
    found = closer_readings(table_by_column(rows))
    assert found["table by row"] == comparable("Kimi K3 62.1 48 GB Qwen3 58.4 44 GB")


def test_lines_of_text_side_by_side_are_no_row_of_a_table() -> None:
    words = ["nine experts teach", "the student of 2026", "one draft model"]
    assert "table by row" not in closer_readings(table_by_column([words] * 4))


NOTE = "\n".join(["The sampler takes 29^10^ layers of it.", BODY])


def note_at_foot(text: str, note: str) -> Page:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    lines = canvas.beginText(72, 700)
    for line in text.split("\n"):
        for at, words in enumerate(line.split("^")):
            lines.setFont("Times-Roman", 6 if at % 2 else 10)
            lines.setRise(4 if at % 2 else 0)
            lines.textOut(words)
        lines.textLine("")
    lines.setFont("Times-Roman", 8)
    lines.textLine(note)
    canvas.drawText(lines)
    canvas.save()
    return pdf.read(stream_.getvalue()).pages[0]


def test_a_raised_number_after_a_number_is_a_mark_where_its_foot_note_stands() -> None:
    page = note_at_foot(NOTE, "10 See the layers.")
    assert comparable("takes 29 layers") in readings(page)["without note marks"]
    assert comparable("takes 29¹⁰ layers") in readings(page)["as it is"]


def test_a_raised_number_after_a_number_is_a_power_without_its_foot_note() -> None:
    assert not any(comparable("takes 29 layers") in text for text in readings(note_at_foot(NOTE, "9 See it.")).values())


def test_a_power_stays_where_the_foot_note_of_that_number_has_its_mark_elsewhere() -> None:
    page = note_at_foot(f"The layers^10^ are many.\n{NOTE}", "10 See the layers.")
    assert not any(comparable("takes 29 layers") in text for text in readings(page).values())


def test_a_power_of_ten_is_never_a_mark() -> None:
    page = note_at_foot(NOTE.replace("29", "10"), "10 See the layers.")
    assert not any(comparable("takes 10 layers") in text for text in readings(page).values())


def test_a_foot_note_whose_number_is_drawn_apart_is_told() -> None:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    end = 72 + canvas.stringWidth("The sampler takes 29", "Times-Roman", 10)
    runs = [(72, 700, "The sampler takes 29", 10), (end, 704, "6", 6), (end + 6, 700, "layers of it.", 10)]
    runs += [(72, 680 - 12 * number, line, 10) for number, line in enumerate(BODY.split("\n"))]
    for x, y, words, size in [*runs, (72, 102.4, "6", 5.4), (76, 100, "Its layers are small.", 8)]:
        canvas.setFont("Times-Roman", size)
        canvas.drawString(x, y, words)
    canvas.save()
    assert comparable("takes 29 layers") in readings(pdf.read(stream_.getvalue()).pages[0])["without note marks"]


def test_two_wide_spaces_that_meet_part_no_columns() -> None:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    for number, (left, right) in enumerate([("Losses of many", "without"), ("the students of", "experts")]):
        canvas.drawString(72, 700 - 14 * number, left)
        canvas.drawString(200, 700 - 14 * number, right)
    canvas.save()
    text = comparable("Losses of many without the students of experts")
    assert all(reading == text for reading in closer_readings(stream_.getvalue()).values())


def drawn_apart(*runs: tuple[float, float, str, float]) -> bytes:
    stream_ = io.BytesIO()
    canvas = Canvas(stream_, invariant=1)
    for x, y, words, size in runs:
        canvas.setFont("Times-Roman", size)
        canvas.drawString(x, y, words)
    canvas.save()
    return stream_.getvalue()


def test_an_accent_that_went_astray_is_put_on_the_letter_below_it() -> None:
    above = 72 + stringWidth("Following Erd", "Times-Roman", 10) + 1
    data = drawn_apart(
        (72, 700, "Following Erdos and others,", 10), (72, 684, "the student learns.", 10), (above, 700, "´", 10)
    )
    found = closer_readings(data)["accents on their letters, as their type stands"]
    assert found == comparable("Following Erdós and others, the student learns.")


def test_a_line_that_ends_in_small_capitals_is_text() -> None:
    lines = [(72.0, 680.0 - 12 * number, line, 10.0) for number, line in enumerate(BODY.split("\n"))]
    last = [(72.0, 500.0, "It reads 13 TB of", 10.0), (150.0, 500.0, "EPISODES", 7.8), (190.0, 500.0, " in", 10.0)]
    (page,) = pdf.read(drawn_apart(*lines, *last)).pages
    assert "body text" not in readings(page)
