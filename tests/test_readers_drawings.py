"""Drawings without text are left out of what is parsed, and nothing that is read changes by it."""

import random
import zlib

import pytest
from raw_pdf import CONTENT, SENTENCE, one_page, raw_pdf, stream

from tracer.readers import drawings, pdf, pdfium
from tracer.readers.drawings import PdfBytes, without_drawings

BOX = b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
FLATE = b"/Filter /FlateDecode "
SHOWN = CONTENT + b" /X Do"


def points(count: int = 3_000) -> bytes:
    """A drawing that cannot be packed into little, of so many paths."""
    chance = random.Random(1)  # noqa: S311 -- no secret
    return b"".join(b"%d %d m %d %d l S\n" % tuple(chance.choices(range(842), k=4)) for _ in range(count))


def drawn(content: bytes, *, entries: bytes = b"", page: bytes = SHOWN, more: tuple[bytes, ...] = ()) -> bytes:
    """A page that draws a form of this content."""
    form = stream(zlib.compress(content), BOX + FLATE + entries)
    return one_page(page, resources=b"/XObject << /X 6 0 R >>", more=[form, *more])


def test_a_drawing_without_text_is_empty_in_its_place() -> None:
    data = drawn(points())
    light = without_drawings(data)
    assert len(light) == len(data)
    assert light.count(b"\0") > len(data) / 2
    assert light[: data.index(b"6 0 obj")] == data[: data.index(b"6 0 obj")]
    (page,) = pdf.read(data).pages
    assert page.text == SENTENCE


@pytest.mark.parametrize(
    "content",
    [
        points() + b"BT /F 12 Tf 72 600 Td (Sixteen work.) Tj ET",
        points() + b"BT /F 12 Tf 72 600 Td <5369787465656e20776f726b2e> Tj ET",
        points() + b"BT /F 12 Tf 72 600 Td [(Sixteen) -300 (work.)] TJ ET",
    ],
)
def test_a_drawing_that_shows_text_is_as_it_was(content: bytes) -> None:
    font = b"/Resources << /Font << /F 5 0 R >> >>"
    data = drawn(content, entries=font)
    assert without_drawings(data) is data
    assert "Sixteen work." in pdf.read(data).pages[0].text


def test_a_drawing_that_draws_another_is_as_it_was_and_the_other_is_empty() -> None:
    inner = stream(zlib.compress(points()), BOX + FLATE)
    data = drawn(points() + b"/Y Do", entries=b"/Resources << /XObject << /Y 7 0 R >> >>", more=(inner,))
    light = without_drawings(data)
    seam = data.index(b"7 0 obj")
    assert light[:seam] == data[:seam]
    assert light[seam:] != data[seam:]
    assert pdf.read(data).pages[0].text == SENTENCE


# --- whatever hides the text of a form --------------------------------------------------------------------------------

FONT = b"/Resources << /Font << /F 5 0 R >> >>"
SIXTEEN = points() + b" BT /F 12 Tf 72 600 Td %s ET"


def packed(data: bytes, entries: bytes) -> bytes:
    return one_page(SHOWN, resources=b"/XObject << /X 6 0 R >>", more=[stream(data, BOX + entries + FONT)])


def page_of_pieces(first: bytes, second: bytes) -> bytes:
    """A page whose content stands in two streams, objects 6 and 7."""
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [6 0 R 7 0 R] "
            b"/Resources << /Font << /F 5 0 R >> >> >>",
            b"<< >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            first,
            second,
        ]
    )


HEX = zlib.compress((SIXTEEN % b"(Sixteen work.) Tj").hex().encode() + b">")
BEGUN = zlib.compress(points() + b"BT /F 12 Tf 72 700 Td ")
SHOWING = stream(b"(Nine experts teach the student.) Tj ET")
HIDDEN = {
    "a name for a string": drawn(SIXTEEN % b"/Sixteen#20work Tj", entries=FONT),
    "a name for a string on the next line": drawn(SIXTEEN % b"/Sixteen#20work '", entries=FONT),
    "a name for a spaced string": drawn(SIXTEEN % b'0 0 /Sixteen "', entries=FONT),
    "a truth value for a string": drawn(SIXTEEN % b"true Tj", entries=FONT),
    "packed twice": packed(HEX, b"/Filter [/FlateDecode /ASCIIHexDecode] "),
    "packed in another way by a second entry": packed(HEX, b"/Filter /FlateDecode /Filter [/FlateDecode /AHx] "),
    "what follows the packed content": packed(zlib.compress(points()) + SIXTEEN % b"(Sixteen work.) Tj", FLATE),
    "an entry of the content inside the page": page_of_pieces(
        stream(BEGUN, b"/PieceInfo << /Subtype /Form /BBox [0 0 1 1] >> " + FLATE), SHOWING
    ),
    "the dictionary of another object": page_of_pieces(
        b"<< /Subtype /Form /BBox [0 0 1 1] >> 9 0 obj " + stream(BEGUN, FLATE), SHOWING
    ),
    "the start of a text that another piece shows": page_of_pieces(stream(BEGUN, BOX + FLATE), SHOWING),
    "the glyph of a font": one_page(
        CONTENT + b" BT /T 12 Tf 72 600 Td (aaa aaaa a) Tj ET",
        resources=b"/Font << /F 5 0 R /T 7 0 R >>",
        more=[
            stream(zlib.compress(b"1000 0 d0\n" + points()), BOX + FLATE),
            b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [0.001 0 0 0.001 0 0] "
            b"/CharProcs << /a 6 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> "
            b"/FirstChar 97 /LastChar 97 /Widths [] >>",
        ],
    ),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_what_is_read_is_the_same_with_and_without_drawings(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    light = [pdf.read(HIDDEN[kind]), *pdf.closer(HIDDEN[kind], [1])]
    monkeypatch.setattr(drawings, "without_drawings", lambda data: data)
    monkeypatch.setattr(pdf, "without_drawings", lambda data: data)
    assert light == [pdf.read(HIDDEN[kind]), *pdf.closer(HIDDEN[kind], [1])]


def test_content_that_holds_the_end_of_a_stream_is_as_it_was() -> None:
    """It may run over the objects that follow."""
    data = packed(zlib.compress(points() + b"endstream endobj 7 0 obj", level=0), FLATE)
    assert without_drawings(data) is data


@pytest.mark.parametrize(
    "data",
    [
        drawn(points(20)),
        one_page(SHOWN, resources=b"/XObject << /X 6 0 R >>", more=[stream(points(), BOX)]),
        drawn(points(), entries=b"/DecodeParms << /Predictor 12 >>"),
        drawn(points())[:-5_000],
        drawn(points()).replace(b"/BBox", b"/XXXX"),
        drawn(points()).replace(b"/Subtype /Form", b"/Subtype /Image"),
    ],
)
def test_what_is_small_packed_otherwise_damaged_or_no_form_is_as_it_was(data: bytes) -> None:
    assert without_drawings(data) is data


def test_a_drawing_over_the_limit_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    data = drawn(points())
    monkeypatch.setattr(drawings, "MOST", len(points()) - 1)
    assert without_drawings(data) is data
    monkeypatch.setattr(drawings, "MOST", len(points()))
    assert without_drawings(data) is not data


def test_letters_that_a_form_draws_are_still_missed() -> None:
    data = drawn(points(), page=b"/X Do")
    assert without_drawings(data) is not data
    assert pdf.read(data).pages[0].unreadable == "its letters are drawn, not written"


def emptied(data: bytes) -> int:
    """How many of the forms of a file were emptied."""
    return data.count(zlib.compress(points())) - without_drawings(data).count(zlib.compress(points()))


def test_no_more_forms_than_the_limit_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    form = stream(zlib.compress(points()), BOX + FLATE)
    data = b"".join(b"%d 0 obj %s endobj " % (number, form) for number in range(6, 10))
    assert emptied(data) == 4
    monkeypatch.setattr(drawings, "MOST_FORMS", 3)
    assert emptied(data) == 3
    monkeypatch.setattr(drawings, "MOST_IN_ALL", len(points()))
    assert emptied(data) == 1


def test_a_form_that_is_named_again_and_again_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    unpacked = drawings._unpacked
    monkeypatch.setattr(
        drawings, "_unpacked", lambda data, start, most: looked.append(start) or unpacked(data, start, most)
    )
    without_drawings(drawn(points(), entries=b"/Subtype /Form " * 50))
    assert len(looked) == 1


def test_the_whole_file_is_opened_once_for_all_pages_with_few_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bytes] = []
    open_ = pdfium.opened
    monkeypatch.setattr(pdfium, "opened", lambda data: opened.append(data) or open_(data))
    data = drawn(points(), page=b"/X Do")
    data = data.replace(b"/Kids [3 0 R] /Count 1", b"/Kids [3 0 R 3 0 R 3 0 R] /Count 3")
    pages = list(pdfium.pages(PdfBytes.of(data)))
    assert [page.unreadable for page in pages] == ["its letters are drawn, not written"] * 3
    assert len(opened) == 2
