"""A quote is lit where it stands: in the PDFs of these tests the quoted words are red, and all that is lit is red."""

import io
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from pathlib import Path

import pytest
import test_kimi_k3 as kimi_k3
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject
from raw_pdf import CONTENT, TWICE, bomb, raw_pdf, stream
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tracer.checking import check
from tracer.library import Library
from tracer.loading import load
from tracer.model import Report
from tracer.picturing import Picture, pictures
from tracer.readers import apart
from tracer.readers.pictures import MOST_PIXELS, MOST_PIXELS_ASIDE, pixels
from tracer.readers.processes import Child
from tracer.settings import find
from tracer.tracing import trace

Write = Callable[[Mapping[str, str | bytes]], Path]
Row = tuple[float, float, str]
"""Where a line begins, in points from the lower left, and its words; those between asterisks are red."""

SIZE = 12.0
CITED = ("c0", "cite.0")

INSIDE = 0.97
"""How much of the quote's ink lies in its boxes at least; the blur of the picture reaches a little over them."""

OUTSIDE = 0.01
"""How much of the other ink does at most."""


# --- PDFs whose quotes are red ----------------------------------------------------------------------------------


def pdf(*pages: Sequence[Row], size: tuple[float, float] = (400, 600), type_size: float = SIZE, turn: int = 0) -> bytes:
    """A PDF with these lines; `turn` sets them at an angle."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=size, invariant=1)
    for rows in pages:
        canvas.rotate(turn)
        for row in rows:
            draw(canvas, row, type_size)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def draw(canvas: Canvas, row: Row, type_size: float) -> None:
    x, y, words = row
    font = "Helvetica" if words.isascii() else embedded()
    for number, run in enumerate(words.split("*")):
        canvas.setFillColorRGB(number % 2, 0, 0)
        canvas.setFont(font, type_size)
        canvas.drawString(x, y, run)
        x += pdfmetrics.stringWidth(run, font, type_size)


def embedded() -> str:
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    return "Vera"


def turned(data: bytes, rotation: int, media: Sequence[float], crop: Sequence[float]) -> bytes:
    """The same pages in other boxes, to be shown turned clockwise."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    for page in writer.pages:
        page.mediabox, page.cropbox = RectangleObject(tuple(media)), RectangleObject(tuple(crop))
        page.rotate(rotation)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


# --- ledgers ----------------------------------------------------------------------------------------------------


def files(data: bytes, *quotes: str, name: str = "report.pdf") -> dict[str, str | bytes]:
    """A project with one source and a claim for each quote."""
    claims = "".join(
        f'  - {{id: c{number}, status: stated, text: "It is so.", cite: [{{source: report, quote: "{quote}"}}]}}\n'
        for number, quote in enumerate(quotes)
    )
    source = f'sources:\n  report: {{file: {name}, sha256: "{{sha256 of {name}}}"}}\n'
    return {name: data, "claims/a.yaml": f"{source}claims:\n{claims}"}


def audited(root: Path, library: Library) -> Report:
    return check(trace(load(find(root)), library))


def pictured(root: Path, **options: object) -> list[Picture]:
    library = Library(find(root), jobs=2)
    try:
        return list(pictures(audited(root, library), library, **options))  # type: ignore[arg-type] -- what pictures takes
    finally:
        library.close()


# --- ink --------------------------------------------------------------------------------------------------------


def opened(picture: Picture) -> Image.Image:
    with Image.open(io.BytesIO(picture.data), formats=["WEBP"]) as image:
        assert image.size == (picture.width, picture.height)
        return image.convert("RGB")


def red(image: Image.Image) -> Image.Image:
    """Where a picture is clearly more red than green."""
    return ImageChops.subtract(image.getchannel("R"), image.getchannel("G")).point(lambda level: 255 * (level > 80))


def black(image: Image.Image) -> Image.Image:
    return image.getchannel("R").point(lambda level: 255 * (level < 100))


def mask(picture: Picture, boxes: Iterable[Sequence[float]]) -> Image.Image:
    image = Image.new("L", (picture.width, picture.height))
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
        corners = (left * picture.width, top * picture.height, right * picture.width, bottom * picture.height)
        ImageDraw.Draw(image).rectangle(corners, fill=255)
    return image


def count(ink: Image.Image) -> int:
    return ink.histogram()[255]


def share(ink: Image.Image, area: Image.Image) -> float:
    """The share of the ink that lies in an area."""
    return count(ImageChops.darker(ink, area)) / count(ink)


def assert_lit(picture: Picture, lines: int) -> None:
    """All red and nothing black lies in the boxes of the one quote, of which there is one for each line."""
    boxes = picture.boxes[CITED]
    assert len(boxes) == lines
    image, area = opened(picture), mask(picture, boxes)
    assert count(red(image)) > 100
    assert share(red(image), area) > INSIDE
    assert share(black(image), area) < OUTSIDE


# --- lit --------------------------------------------------------------------------------------------------------

LINES: Sequence[Row] = (
    (60, 500, "Nothing is said of it up here, in the first line."),
    (60, 486, "In the second stage, *nine experts teach* the student."),
    (60, 472, "Nothing is said of it down there, in the third line."),
)
QUOTE = "nine experts teach"


def test_a_quote_is_lit_and_the_words_around_it_are_not(project: Write) -> None:
    (picture,) = pictured(project(files(pdf(LINES), QUOTE)))
    assert (picture.source, picture.sheet, picture.width, picture.height) == ("report", 1, 800, 1200)
    assert picture.name.endswith("-1-page.webp")
    assert_lit(picture, lines=1)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_quote_is_lit_on_a_page_that_is_turned_and_cropped(rotation: int, project: Write) -> None:
    data = turned(pdf(LINES), rotation, media=(-100, -50, 500, 700), crop=(20, 30, 380, 560))
    (picture,) = pictured(project(files(data, QUOTE)))
    upright, sideways = (720, 1060), (1060, 720)
    assert (picture.width, picture.height) == (sideways if rotation in {90, 270} else upright)
    assert_lit(picture, lines=1)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (-300.0, -900.0), (5000.0, 40.0)])
def test_a_quote_is_lit_wherever_the_page_begins(shift: tuple[float, float], project: Write) -> None:
    right, up = shift
    rows = [(x + right, y + up, words) for x, y, words in LINES]
    box = (right, up, right + 400, up + 600)
    (picture,) = pictured(project(files(turned(pdf(rows), 0, media=box, crop=box), QUOTE)))
    assert_lit(picture, lines=1)


def test_what_is_cropped_away_is_not_lit(project: Write) -> None:
    data = turned(pdf(LINES), 0, media=(0, 0, 400, 600), crop=(0, 0, 400, 480))
    (picture,) = pictured(project(files(data, QUOTE)))
    assert picture.boxes == {CITED: ()}
    assert pictured(project(files(data, QUOTE)), kind="crop") == []


def test_a_quote_over_a_line_end_is_lit_on_both_lines(project: Write) -> None:
    rows = [
        (60, 500, "In the second stage, *the nine experts of*"),
        (60, 486, "*each domain teach the stu-*"),
        (60, 472, "*dent* until nothing more is gained by it."),
    ]
    (picture,) = pictured(project(files(pdf(rows), "the nine experts of each domain teach the student")))
    assert_lit(picture, lines=3)


def test_a_quote_over_a_page_end_is_lit_on_both_pages(project: Write) -> None:
    first = [(60, 90, "Nothing is said of it here."), (60, 76, "In the second stage, *nine experts of*")]
    second = [(60, 520, "*each domain teach* the student."), (60, 506, "Nothing is said of it here.")]
    drawn = pictured(project(files(pdf(first, second), "nine experts of each domain teach")))
    assert [picture.sheet for picture in drawn] == [1, 2]
    for picture in drawn:
        assert_lit(picture, lines=1)


def test_a_quote_that_goes_on_in_the_next_column_is_lit_in_both(project: Write) -> None:
    left = [(40, 500 - 14 * number, f"Line {number} of the left one.") for number in range(9)]
    right = [(220, 486 - 14 * number, f"Line {number} of the right one.") for number in range(9)]
    rows = [*left, (40, 374, "It ends: *nine experts of*"), (220, 500, "*each domain teach* us."), *right]
    (picture,) = pictured(project(files(pdf(rows), "nine experts of each domain teach")))
    assert_lit(picture, lines=2)


def test_columns_that_are_drawn_row_by_row_are_lit_in_column_order(project: Write) -> None:
    left = ["It is *said that the nine*", "*experts of each domain*", "*teach* the student."]
    right = ["Of the tenth nothing", "is known, nor when it", "would have been made."]
    rows = [
        row
        for number in range(3)
        for row in ((40, 500 - 14 * number, left[number]), (220, 500 - 14 * number, right[number]))
    ]
    root = project(files(pdf(rows), "said that the nine experts of each domain teach"))
    (picture,) = pictured(root)
    assert_lit(picture, lines=3)


def test_text_that_is_set_sideways_is_lit_along_its_lines(project: Write) -> None:
    rows = [
        (60, -100, "In the second stage, *the nine experts of*"),
        (60, -114, "*each domain teach* the student."),
        (60, -128, "Nothing is said of it down there."),
    ]
    (picture,) = pictured(project(files(pdf(rows, turn=90), "the nine experts of each domain teach")))
    assert_lit(picture, lines=2)


def test_ligatures_are_lit(project: Write) -> None:
    rows = [(60, 500, "We say that *ﬁve ﬂuent oﬃcers teach* – and no more.".replace("ﬃ", "fﬁ"))]
    (picture,) = pictured(project(files(pdf(rows), "five fluent officers teach")))
    assert_lit(picture, lines=1)


def test_only_the_quoted_parts_around_an_ellipsis_are_lit(project: Write) -> None:
    rows = [(40, 500, "Here *nine experts* of each and every domain *teach students*.")]
    (picture,) = pictured(project(files(pdf(rows), "nine experts … teach students")))
    assert_lit(picture, lines=2)


def test_raised_type_does_not_part_a_line(project: Write) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 600), invariant=1)
    canvas.setFillColorRGB(1, 0, 0)
    x = 60.0
    for size, rise, words in ((12, 0, "trained on 7 × 10"), (7, 5, "12"), (12, 0, " tokens of text")):
        canvas.setFont("Helvetica", size)
        canvas.drawString(x, 500 + rise, words)
        x += pdfmetrics.stringWidth(words, "Helvetica", size)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setFont("Helvetica", 12)
    canvas.drawString(60, 486, "Nothing is said of it down there.")
    canvas.save()
    (picture,) = pictured(project(files(out.getvalue(), "trained on 7 × 10^12 tokens of text")))
    assert_lit(picture, lines=1)


def test_a_huge_page_is_drawn_small(project: Write) -> None:
    rows = [(20_000, 100_000, "It says *nine experts teach* here."), (20_000, 80_000, "Nothing is said of it.")]
    data = pdf(rows, size=(200_000, 200_000), type_size=8_000)
    (picture,) = pictured(project(files(data, QUOTE)))
    assert picture.width == picture.height == 1414
    assert_lit(picture, lines=1)


@given(*(st.floats(0.01, 1e6) for _ in range(2)), st.floats(0.1, 10))
def test_no_picture_has_more_pixels_than_it_may(width: float, height: float, scale: float) -> None:
    across, down = pixels(width, height, scale)
    assert 1 <= across <= MOST_PIXELS_ASIDE
    assert 1 <= down <= MOST_PIXELS_ASIDE
    assert across * down <= MOST_PIXELS


def test_every_quote_of_a_page_has_its_own_boxes(project: Write) -> None:
    (picture,) = pictured(project(files(pdf(LINES), QUOTE, "up here, in the first line", "down there")))
    tops = [picture.boxes[claim, "cite.0"][0][1] for claim in ("c1", "c0", "c2")]
    assert tops == sorted(set(tops))


def test_a_quote_that_nothing_decides_is_lit_at_its_first_places(project: Write) -> None:
    pages = [[(60.0, 500.0, f"On page {number} the *nine experts teach* us.")] for number in range(1, 6)]
    drawn = pictured(project(files(pdf(*pages), QUOTE)))
    assert [picture.sheet for picture in drawn] == [1, 2, 3]


# --- strips -----------------------------------------------------------------------------------------------------


def test_a_crop_shows_the_lines_around_its_quote_and_no_more(project: Write) -> None:
    far = [(60.0, 100.0, "Nothing is said of it at the foot of the page."), (60.0, 580.0, "Nor at the head.")]
    root = project(files(pdf([*LINES, *far]), QUOTE))
    (page,), (crop,) = pictured(root), pictured(root, kind="crop")
    assert crop.width == page.width
    assert 4 * SIZE * 2 < crop.height < 12 * SIZE * 2
    assert_lit(crop, lines=1)
    around = count(black(opened(page).crop((0, 150, 800, 300))))
    assert count(black(opened(crop))) == pytest.approx(around, rel=0.05)


def test_each_quote_has_a_crop_and_equal_ones_share_it(project: Write) -> None:
    rows = [(60.0, 560.0 - 50 * number, f"Line {number} says *nothing* of it.") for number in range(10)]
    root = project(files(pdf(rows), "Line 0 says nothing", "Line 7 says nothing", "Line 7 says nothing"))
    drawn = pictured(root, kind="crop")
    assert [set(picture.boxes) for picture in drawn] == [{("c0", "cite.0")}, {("c1", "cite.0"), ("c2", "cite.0")}]
    assert len({picture.name for picture in drawn}) == 2


# --- kept, and not drawn ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["page", "crop"])
def test_what_was_drawn_is_kept_and_no_pdf_is_opened_again(
    kind: str, project: Write, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(files(pdf(LINES), QUOTE))
    cold = pictured(root, kind=kind)
    with monkeypatch.context() as patch:
        patch.setattr(apart.processes, "begin", None)
        assert pictured(root, kind=kind) == cold
    assert len(cold) == 1


def test_a_new_quote_on_a_page_needs_no_drawing(
    project: Write, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (before,) = pictured(project(files(pdf(LINES), QUOTE)))
    root = project(files(pdf(LINES), "in the third line"))
    monkeypatch.setattr(apart.processes, "begin", None)
    (after,) = pictured(root)
    assert after.data == before.data
    assert after.boxes != before.boxes


def test_the_same_page_gives_the_same_bytes(project: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(files(pdf(LINES), QUOTE))
    drawn = []
    for name in ("one", "other"):
        monkeypatch.setenv("TRACER_CACHE", str(tmp_path / name))
        drawn.append(pictured(root))
    assert drawn[0] == drawn[1]


def test_the_scale_is_kept_apart(project: Write) -> None:
    root = project(files(pdf(LINES), QUOTE))
    assert [(picture.width, picture.height) for picture in pictured(root, scale=1.0)] == [(400, 600)]
    assert [(picture.width, picture.height) for picture in pictured(root, scale=2.0)] == [(800, 1200)]


def test_only_cited_pages_are_drawn_and_each_batch_is_told(project: Write) -> None:
    pages = [[(60.0, 500.0, f"Sheet {number} says *what* it says.")] for number in range(1, 31)]
    quotes = [f"Sheet {number} says what it says" for number in range(2, 31, 2)]
    told: list[tuple[str, int, int]] = []
    drawn = pictured(project(files(pdf(*pages), *quotes)), progress=lambda *words: told.append(words))
    assert [picture.sheet for picture in drawn] == list(range(2, 31, 2))
    assert told == [("report", 12, 15), ("report", 15, 15)]


@pytest.mark.parametrize(
    "of",
    [
        pytest.param(files(b"In the second stage, nine experts teach.", QUOTE, name="report.txt"), id="plain text"),
        pytest.param(files(pdf(LINES), "ten experts teach"), id="a quote that is not there"),
        pytest.param(files(b"%PDF-1.7 broken", QUOTE), id="a broken file"),
    ],
)
def test_there_is_no_picture_of(of: dict[str, str | bytes], project: Write) -> None:
    assert pictured(project(of)) == []


def test_there_is_no_picture_of_a_source_that_is_not_on_disk(project: Write) -> None:
    root = project(files(pdf(LINES), QUOTE))
    (root / "report.pdf").unlink()
    assert pictured(root) == []


def test_a_file_that_changed_after_the_audit_is_not_lit(project: Write) -> None:
    root = project(files(pdf(LINES), QUOTE))
    library = Library(find(root), jobs=1)
    report = audited(root, library)
    (root / "report.pdf").write_bytes(pdf([(60, 300, "It says *nine experts teach* elsewhere.")]))
    assert list(pictures(report, library)) == []
    library.close()


def test_a_page_that_ends_the_drawing_process_takes_no_other_with_it(project: Write) -> None:
    root = project(files(with_a_bomb(), "Nine experts teach", "page one", "page three"))
    library = Library(find(root), jobs=2)
    drawn = list(pictures(audited(root, library), library))
    assert [picture.sheet for picture in drawn] == [1, 3]
    (warning,) = library.cache.warnings
    assert warning.startswith("sheet 2 of report.pdf is not drawn: reading it ")
    library.close()


def with_a_bomb() -> bytes:
    """Three pages; the second is painted with a pattern that unpacks to more than the memory that there is."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources %s >>"
    fonts, pattern = b"<< /Font << /F 4 0 R >> >>", b"<< /Font << /F 4 0 R >> /Pattern << /P 5 0 R >> >>"
    tile = (
        b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >>"
    )
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [7 0 R 8 0 R 9 0 R] /Count 3 >>",
            b"null",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            stream(bomb(1400), tile + b" " + TWICE),
            stream(CONTENT + b" /Pattern cs /P scn 0 0 400 400 re f"),
            page % (10, fonts),
            page % (6, pattern),
            page % (11, fonts),
            stream(b"BT /F 12 Tf 72 700 Td (What is said on page one is harmless.) Tj ET"),
            stream(b"BT /F 12 Tf 72 700 Td (What is said on page three is harmless.) Tj ET"),
        ]
    )


def test_a_generator_that_is_left_early_leaves_no_process(project: Write, begun: list[Child]) -> None:
    pages = [[(60.0, 500.0, f"Sheet {number} says *what* it says.")] for number in range(1, 31)]
    root = project(files(pdf(*pages), *(f"Sheet {number} says what it says" for number in range(1, 31))))
    library = Library(find(root), jobs=2)
    drawn = pictures(audited(root, library), library)
    assert isinstance(drawn, Generator)
    assert next(drawn).sheet == 1
    drawn.close()
    library.close()
    assert begun
    assert all(child.answer.closed for child in begun)


# --- the real reports -------------------------------------------------------------------------------------------


def test_every_citation_of_the_kimi_k3_record_is_lit_over_ink(reports: Path) -> None:
    report, library = kimi_k3.audited(ROOT, reports), Library(find(ROOT), folders=[reports])
    traces = [trace for claim in report.claims for trace in claim.traces if trace.citation.source == "k3-report"]
    cited = {(trace.claim.id, trace.citation.at_path) for trace in traces}
    lit = set()
    for picture in pictures(report, library):
        ink = opened(picture).convert("L").point(lambda level: 255 * (level < 140))
        for key, boxes in picture.boxes.items():
            assert all(ink_share(ink, box) > 0.05 for box in boxes), (key, picture.name)
            lit |= {key} if boxes else set()
    library.close()
    assert len(cited) > 100
    assert lit == cited


def ink_share(ink: Image.Image, box: Sequence[float]) -> float:
    """How much of a box is inked."""
    left, top, right, bottom = box
    area = ink.crop((int(left * ink.width), int(top * ink.height), int(right * ink.width), int(bottom * ink.height)))
    return count(area) / (area.width * area.height)
