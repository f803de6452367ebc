"""Drawings without text are left out of what is parsed, and nothing that is read changes by it."""

import random
import zlib

import pytest
from raw_pdf import CONTENT, SENTENCE, one_page, stream

from tracer.readers import drawings, pdf
from tracer.readers.drawings import without_drawings

BOX = b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
SHOWN = CONTENT + b" /X Do"


def points(count: int = 3_000) -> bytes:
    """A drawing that cannot be packed into little, of so many paths."""
    chance = random.Random(1)  # noqa: S311 -- no secret
    return b"".join(b"%d %d m %d %d l S\n" % tuple(chance.choices(range(842), k=4)) for _ in range(count))


def drawn(content: bytes, *, entries: bytes = b"", page: bytes = SHOWN, more: tuple[bytes, ...] = ()) -> bytes:
    """A page that draws a form of this content."""
    form = stream(zlib.compress(content), BOX + b"/Filter /FlateDecode " + entries)
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
    inner = stream(zlib.compress(points()), BOX + b"/Filter /FlateDecode")
    outer = points() + b"/Y Do"
    data = drawn(outer, entries=b"/Resources << /XObject << /Y 7 0 R >> >>", more=(inner,))
    (found,) = drawings._drawings(data)
    assert found[0] > data.index(b"7 0 obj")
    assert pdf.read(data).pages[0].text == SENTENCE


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


def test_no_more_forms_than_the_limit_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = stream(zlib.compress(points()), BOX + b"/Filter /FlateDecode")
    data = b"6 0 obj " + b" endobj 7 0 obj ".join([packed] * 4) + b" endobj"
    assert len(list(drawings._drawings(data))) == 4
    monkeypatch.setattr(drawings, "MOST_FORMS", 3)
    assert len(list(drawings._drawings(data))) == 3
    monkeypatch.setattr(drawings, "MOST_IN_ALL", len(points()))
    assert len(list(drawings._drawings(data))) == 1
