"""The text of a Markdown source is that of the page it renders to."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import read_or_reason

from tracer.model import Document, Heading
from tracer.readers import Unreadable
from tracer.readers.markdown import read

CARD = """\
---
license: apache-2.0
base_model: example/tern-0
---
<div align="center">
  <img src="logo.png" alt="Tern">
  <a href="https://example.org"><img alt="Chat" src="badge.svg"/></a>
</div>

<p align="center">📰&nbsp;&nbsp;<a href="b">Tech Blog</a> | <b>Full Report</b></p>

# Tern 1

## 2. Model Summary

<div align="center">
<table>
<tr>
<td align="center"><strong>Context Length</strong></td>
<td>1048576</td>
</tr>
<tr>
<td><strong>Mechanism</strong> (per layer)</td>
<td>KDA &amp; MLA<br>(gated)</td>
</tr>
</table>
</div>

### Key *Features*
- **Sparse**: 16 of 896 experts,
  by default.
- Cheap ~~or not~~

1. First

   second paragraph

| Stage | Tokens |
|:------|-------:|
| one   | `2.8T` |

```python
x = 10**6  # kept
```

Setext
======
2M steps, 10<sup>6</sup> each, `a < b`, 2 * 3 \\* 4 &amp; [a link](x "title").
"""


def page_text(typed: str) -> str:
    return read(typed.encode()).pages[0].text


def test_a_model_card_is_read_as_it_renders() -> None:
    assert page_text(CARD).splitlines() == [
        "---",
        "license: apache-2.0",
        "base_model: example/tern-0",
        "---",
        "📰\u00a0\u00a0Tech Blog | Full Report",
        "Tern 1",
        "2. Model Summary",
        "Context Length\t1048576",
        "Mechanism (per layer)\tKDA & MLA",
        "(gated)",
        "Key Features",
        "Sparse: 16 of 896 experts, by default.",
        "Cheap or not",
        "First",
        "second paragraph",
        "Stage\tTokens",
        "one\t2.8T",
        "x = 10**6  # kept",
        "Setext",
        "2M steps, 10⁶ each, a < b, 2 * 3 * 4 & a link.",
    ]


def test_headings_carry_their_number_and_place() -> None:
    card = read(CARD.encode())
    text = card.pages[0].text
    assert [(heading.number, heading.title, heading.level) for heading in card.headings] == [
        (None, "Tern 1", 1),
        ("2", "Model Summary", 2),
        (None, "Key Features", 3),
        (None, "Setext", 1),
    ]
    assert text[card.headings[1].start :].startswith("2. Model Summary\nContext Length")
    assert (card.kind, card.title, card.headings_by) == ("markdown", "Tern 1", "markup")


def test_numbers_keep_their_kind() -> None:
    typed = "# Sizes\n\nThe ratio is 2¾ and the area 10² units; use the Ⅳ variant.\n"
    assert page_text(typed) == "Sizes\nThe ratio is 2¾ and the area 10² units; use the Ⅳ variant."


def test_three_dashes_further_down_are_no_front_matter() -> None:
    assert page_text("a\n\n---\nb: c\n\n---\nd") == "a\nb: c\nd"


def test_a_tag_named_in_prose_does_not_swallow_the_page() -> None:
    assert (
        page_text("Write <title> first.\n\n<textarea>\n\nThen nine.") == "Write <title> first.\n<textarea> Then nine."
    )


@pytest.mark.parametrize("mark", ["> ", "- ", "1. "])
def test_nesting_too_deep_for_the_parser_is_refused_rather_than_dropped(mark: str) -> None:
    assert page_text(mark * 20 + "nine experts") == "nine experts"
    with pytest.raises(Unreadable) as refused:
        read((mark * 5_000 + "nine experts").encode())
    assert refused.value.unread.kind == "limit"


@pytest.mark.parametrize(
    "typed", ["[" * 5_000, "![" * 5_000, "*a " * 5_000, "*_" * 5_000 + "a" + "_*" * 5_000, "<a " * 5_000]
)
def test_unended_marks_are_text(typed: str) -> None:
    assert "".join(page_text(typed + "nine").split()).endswith("nine")


PIECES = st.sampled_from(
    [
        "# ",
        "> ",
        "- ",
        "\n",
        "    ",
        "|",
        "-|-",
        "`",
        "```\n",
        "*",
        "~~",
        "[",
        "](",
        "<b>",
        "<!--",
        "---\n",
        "a",
        "\t",
        "\0",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=200))
def test_any_text_gives_a_document_or_is_unreadable(typed: str) -> None:
    outcome = read_or_reason(read, typed.encode("utf-8", "replace"))
    assert isinstance(outcome, Document) or outcome.kind in ("broken", "limit")


def test_the_card_of_kimi_k3_is_read(reports: Path) -> None:
    card = read((reports / "kimi-k3-readme.md").read_bytes())
    text = card.pages[0].text
    summary, evaluation = (_heading(card, number) for number in ("2", "3"))
    assert (summary.title, evaluation.title) == ("Model Summary", "Evaluation Results")
    context, modality = text.index("\nContext Length\t1048576\n"), text.index("\nModality\tText, Image\n")
    assert summary.start < context < modality < evaluation.start
    assert "GPQA Diamond\t93.5\t92.6\t94.1" in text[evaluation.start :]
    assert "img.shields.io" not in text


def _heading(document: Document, number: str) -> Heading:
    (heading,) = (heading for heading in document.headings if heading.number == number)
    return heading
