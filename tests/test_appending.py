"""A new claim is written last in its list as its neighbours are, and every other byte stays."""

from collections.abc import Iterable
from itertools import takewhile

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tracer.appending import appended
from tracer.model import Failure
from tracer.yamlfile import read

CLAIM = {
    "id": "owl.layers",
    "stage": "owl/pretrain",
    "text": "Layers: 24",
    "status": "stated",
    "cite": [{"source": "notes", "page": "3", "quote": "has 24 layers"}],
}
LINES = """\
  - id: owl.layers
    stage: owl/pretrain
    text: "Layers: 24"
    status: stated
    cite:
      - {source: notes, page: 3, quote: "has 24 layers"}
"""
AT_THE_EDGE = """\
- id: owl.layers
  stage: owl/pretrain
  text: "Layers: 24"
  status: stated
  cite:
  - source: notes
    page: 3
    quote: "has 24 layers"
"""
IN_LINE = (
    '{id: owl.layers, stage: owl/pretrain, text: "Layers: 24", status: stated,'
    ' cite: [{source: notes, page: 3, quote: "has 24 layers"}]}'
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"claims:\n{LINES}"),
        ("# Owl\n", f"# Owl\n\nclaims:\n{LINES}"),
        ("sources:\n  s: {}\n", f"sources:\n  s: {{}}\n\nclaims:\n{LINES}"),
        ("claims: []\nsources: {}\n", f"claims:\n{LINES}sources: {{}}\n"),
        ("claims:\nsources: {}\n", f"claims:\n{LINES}sources: {{}}\n"),
        ("claims:\n  - {id: a}\n  - {id: b}\n", f"claims:\n  - {{id: a}}\n  - {{id: b}}\n{LINES}"),
        ("claims:\n  - id: a\n\n  - id: b # c\n# d\n", f"claims:\n  - id: a\n\n  - id: b # c\n\n{LINES}# d\n"),
        ("claims:\n- id: a\n  cite:\n  - source: s\n", f"claims:\n- id: a\n  cite:\n  - source: s\n\n{AT_THE_EDGE}"),
        (
            "claims:\n  - id: a\n    cite:\n      - {source: s}\n  - id: b\n    searched:\n      - source: s\n",
            "claims:\n  - id: a\n    cite:\n      - {source: s}\n  - id: b\n    searched:\n      - source: s\n" + LINES,
        ),
        ("claims: [{id: a}]\n", f"claims: [{{id: a}}, {IN_LINE}]\n"),
        (
            "claims:\n  - id: a\n    note: |\n      x\n\nsources: {}\n",
            f"claims:\n  - id: a\n    note: |\n      x\n\n{LINES}\nsources: {{}}\n",
        ),
    ],
)
def test_a_claim_is_written_as_its_neighbours_are(before: str, after: str) -> None:
    assert appended(before.encode(), CLAIM).decode() == after


def test_a_file_with_a_mistake_in_it_is_left_alone() -> None:
    with pytest.raises(Failure, match="mend that before the file is edited"):
        appended(b"claims:\n  - {id: a, id: b}\n", CLAIM)


TEXTS = st.text(max_size=12)


@st.composite
def claims(draw: st.DrawFn) -> str:
    """A list of claims with comments, in lines or in braces, before or after something else."""
    dash = draw(st.sampled_from(["", "  ", "    "]))
    comment = draw(st.sampled_from(["", "  # a: comment", "   "]))
    blank = draw(st.sampled_from(["", "\n", "\n\n"]))
    texts = draw(st.lists(TEXTS, min_size=1, max_size=3))
    quoted = [yaml.safe_dump(text, default_style='"', width=9999).strip() for text in texts]
    records = [
        draw(
            st.sampled_from(
                [
                    f"{dash}- id: c{number}{comment}\n{dash}  text: {text}{comment}\n",
                    f"{dash}- {{id: c{number}, text: {text}}}{comment}\n",
                    f"{dash}- id: c{number}\n{dash}  cite:\n{dash}    - {{source: {text}}}{comment}\n",
                ]
            )
        )
        for number, text in enumerate(quoted)
    ]
    head, tail = (
        draw(st.sampled_from(["", "# head\n\n", "sources:\n  s: {}\n"])),
        draw(st.sampled_from(["", "# end\n", "\npipelines: {}\n"])),
    )
    return f"{head}claims:\n{blank.join(records)}{tail}"


@given(claims(), TEXTS, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_everything_but_the_new_lines_stays_byte_for_byte(
    text: str, value: str, line_end: str, has_mark: bool, ends_line: bool
) -> None:
    text = text if ends_line else text.rstrip("\n")
    before = ("\ufeff" if has_mark else "").encode() + text.replace("\n", line_end).encode()
    after = appended(before, {"id": "new", "text": value, "cite": [{"source": value, "quote": value}]})
    assert alike(before, after) + alike(reversed(before), reversed(after)) >= len(before)
    top = read(after, "a.yaml").top.value
    assert isinstance(top, dict)
    assert isinstance(top["claims"], list)
    assert top["claims"][-1] == {"id": "new", "text": value, "cite": [{"source": value, "quote": value}]}


def alike(left: Iterable[int], right: Iterable[int]) -> int:
    """How many bytes two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
