"""Any bytes become text with line feeds, and what was lost on the way is said."""

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tracer.readers import Unreadable, text
from tracer.readers.text import read


def test_offsets_count_characters_and_not_units_of_utf_16() -> None:
    page = read("🚀 The 𝛼 value is 0.3 here.\n".encode()).pages[0]
    assert page.text.index("value is 0.3") == 8


def test_plain_text_is_one_page_without_headings() -> None:
    document = read(b"1. Title\n\nBody\n")
    assert (len(document.pages), document.pages[0].sheet, document.pages[0].label) == (1, 1, None)
    assert (document.kind, document.headings, document.headings_by) == ("text", (), None)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding_and_is_no_text(encoding: str) -> None:
    document = read("naïve 🚀\n".encode(encoding))
    assert (document.pages[0].text, document.warnings) == ("naïve 🚀\n", ())


def test_every_line_end_is_a_line_feed() -> None:
    assert read(b"a\r\nb\rc\n\r\nd\x0ce").pages[0].text == "a\nb\nc\n\nd\x0ce"


def test_what_is_no_utf_8_is_replaced_and_said() -> None:
    document = read(b"a long enough line with caf\xe9 in it\n")
    assert document.pages[0].text == "a long enough line with caf\ufffd in it\n"
    assert document.warnings == ("bytes that are no utf-8 are read as U+FFFD (1 times)",)


def test_a_nul_keeps_its_place_and_is_said() -> None:
    document = read(b"the cuto\0 frequency is low")
    assert document.pages[0].text == "the cuto\ufffd frequency is low"
    assert document.warnings == ("NUL characters are read as U+FFFD (1 times)",)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01", "学習率".encode("gb18030")])
def test_what_is_no_text_is_broken_rather_than_read(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        read(data)
    assert refused.value.unread.kind == "broken"


def test_a_file_over_the_limit_is_refused() -> None:
    with pytest.raises(Unreadable) as refused:
        read(b"a" * (text.MOST_BYTES + 1))
    assert refused.value.unread.kind == "limit"


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_a_file_without_text_cannot_be_checked(data: bytes) -> None:
    assert read(data).pages[0].unreadable == "there is no text in the file"


@given(st.text(st.characters(exclude_characters="\r\0\ufeff", exclude_categories=["Cs"])))
def test_utf_8_is_read_as_it_is(typed: str) -> None:
    assert read(typed.encode()).pages[0].text == typed


@settings(max_examples=300)
@given(st.binary(max_size=300))
def test_any_bytes_give_text_that_utf_8_can_hold_or_are_unreadable(data: bytes) -> None:
    try:
        page = read(data).pages[0]
    except Unreadable as unreadable:
        event(unreadable.unread.reason)
        return
    assert page.text.encode().decode() == page.text
    assert not {"\0", "\r"} & set(page.text)
