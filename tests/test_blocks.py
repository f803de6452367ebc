"""The text of a page is cut into running text and values, and each knows what it stands under."""

from tracer.blocks import Block, blocks
from tracer.readers import html, markdown

TEXT = """\
How Owl Was Made

Training

The context grows in one step.
- It reads 40B tokens

Teachers
three experts of one domain each
Reward
a ratio, clipped
How it trains
The reward enters the same framework.
"""


def found(text: str) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(block.text, block.heads, block.is_value) for block in blocks(text, ())]


def values(markup: str) -> list[tuple[str, tuple[str, ...]]]:
    read = markdown.read(markup.encode())
    return [(block.text, block.heads) for block in blocks(read.pages[0].text, read.headings) if block.is_value]


def test_text_stands_under_the_titles_above_it_and_under_its_name_and_what_is_no_sentence_is_a_value() -> None:
    titles = ("Training", "How Owl Was Made")
    assert found(TEXT) == [
        ("The context grows in one step.", titles, False),
        ("- It reads 40B tokens", titles, False),
        ("three experts of one domain each", ("Teachers", *titles), True),
        ("a ratio, clipped", ("Reward", *titles), True),
        ("The reward enters the same framework.", ("How it trains", *titles), False),
    ]


def test_a_block_stands_at_its_start() -> None:
    assert all(TEXT[block.start :].startswith(block.text) for block in blocks(TEXT, ()))


def test_one_short_line_above_another_is_no_list_of_values() -> None:
    assert found("Owl\nA small model\n\nIt is open.\n") == [("It is open.", ("A small model", "Owl"), False)]


def test_a_cell_stands_under_its_row_its_column_and_the_headings() -> None:
    table = (
        "# Owl\n\n## Stages\n\n| stage | context | tokens |\n|---|---|---|\n| base | 4K | 40B |\n| long | 64K | 2B |\n"
    )
    assert values(table) == [
        ("4K", ("base", "context", "Stages", "Owl")),
        ("40B", ("base", "tokens", "Stages", "Owl")),
        ("64K", ("long", "context", "Stages", "Owl")),
        ("2B", ("long", "tokens", "Stages", "Owl")),
    ]


def test_a_table_of_two_columns_names_a_thing_and_its_value_in_each_row() -> None:
    assert values("| | |\n|---|---|\n| licence | MIT |\n| tokens | 40B |\n") == [
        ("MIT", ("licence",)),
        ("40B", ("tokens",)),
    ]


def test_an_empty_cell_is_no_value_and_ends_no_table() -> None:
    table = "| stage | context | tokens |\n|---|---|---|\n| base | 4K | |\n| middle | | |\n| long | | 2B |\n"
    assert values(table) == [("4K", ("base", "context")), ("2B", ("long", "tokens"))]


def test_a_definition_list_is_one_of_values() -> None:
    read = html.read(b"<h2>Owl</h2><dl><dt>Size<dd>3B<dt>Licence<dd>MIT, for all of it</dl>")
    assert list(blocks(read.pages[0].text, read.headings)) == [
        Block(start=9, text="3B", heads=("Size", "Owl"), is_value=True),
        Block(start=20, text="MIT, for all of it", heads=("Licence", "Owl"), is_value=True),
    ]


def test_a_long_text_is_cut_in_as_many_steps_as_it_has_lines() -> None:
    lines = 20_000
    assert sum(1 for _ in blocks("Owl reads a book.\n" * lines, ())) == lines
