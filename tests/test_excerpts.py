"""A claim is read from the bytes of a ledger file, however it is written there."""

import pytest

from tracer.excerpts import claim_in, excerpts

EXPERTS = """\
  - id: experts
    text: There are nine experts.
    value: 9
    cite: [{source: report, page: 2, quote: "a total of nine experts"}]
"""
FILE = f"claims:\n{EXPERTS}\n  - id: layers\n    inputs: {{number: experts}}\n    value: 4\n"


@pytest.mark.parametrize(
    "text",
    [
        FILE,
        f"{FILE}\n# experts: the id of the first",
        "claims:\n- text: nine\n  value: 9\n  id: experts\n  status: stated\n",
        "claims: [{id: experts, value: 9}, {id: layers, value: 4}]\n",
        "claims:\n  -\n    id: experts\n    value: 9\n",
        'claims:\n  - {"id": "experts", "value": "9"}\n',
    ],
)
def test_a_claim_is_found_however_it_is_written(text: str) -> None:
    found = claim_in(text.encode(), "experts")
    assert found is not None
    assert (found.id, found.value) == ("experts", "9")


@pytest.mark.parametrize("data", [b"claims: [", b"\xff\xfe", b"", b"experts", b"claims:\n  - id: experts.other\n"])
def test_what_is_no_ledger_file_holds_no_claim(data: bytes) -> None:
    assert claim_in(data, "experts") is None


def test_an_excerpt_holds_the_lines_of_one_claim_and_no_other() -> None:
    assert list(excerpts(FILE, "experts")) == [EXPERTS]
