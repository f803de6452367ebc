"""What is written as a scalar of a ledger file is read back as the text that it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.scalars import scalar
from tracer.wording import pasted
from tracer.yamlfile import Plain, read

STYLES = st.sampled_from([None, "'", '"'])


def read_back(written: str) -> Plain:
    file = read(f"claims:\n- {{id: a, cite: [{{quote: {written}}}]}}\n".encode(), "a.yaml")
    assert file.problems == ()
    return file.records["claims.0"].value


def record(quote: str) -> Plain:
    return {"id": "a", "cite": [{"quote": quote}]}


@given(st.text(), STYLES)
def test_a_scalar_is_read_back_as_it_was(text: str, style: str | None) -> None:
    written = scalar(text, style)
    assert len(written.splitlines()) == 1
    assert read_back(written) == record(text)


@given(st.text())
def test_what_is_to_be_pasted_is_read_back_on_one_line(text: str) -> None:
    assert read_back(pasted(text)) == record(" ".join(text.split()))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4.1.3", "4.1.3"),
        ("Table 1", "Table 1"),
        ("no", "no"),
        ("", '""'),
        ("of 8K, then 64K", '"of 8K, then 64K"'),
        ("a # b", '"a # b"'),
        ("a\x07b", '"a\\u0007b"'),
    ],
)
def test_only_what_needs_quotes_has_them(text: str, written: str) -> None:
    assert scalar(text) == written
