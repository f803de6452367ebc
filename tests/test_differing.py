"""What two files of a source differ in: every changed word is told, and what only moved or was set anew is counted."""

import html
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT, pdf_of
from hypothesis import given
from hypothesis import strategies as st
from reading import read
from typer.testing import CliRunner

from tracer.cli import app
from tracer.differences import Difference
from tracer.differing import difference
from tracer.library import Library
from tracer.model import Document
from tracer.reports import difference as report
from tracer.settings import Settings

FIRST = [
    "# 1 Data",
    "The corpus holds 36 trillion tokens of text and code.",
    "It was filtered twice by hand, as is usual [12].",
    "# 2 Training",
    "We train with Muon at a peak rate of 0.2 for one epoch.",
    "The batch grows to 4,096 sequences in the second stage.",
    "The router does not drop any token at all.",
]
SECOND = ["# 3 Limits", "The model reads at most 64K tokens at once."]


def pages(*texts: Sequence[str]) -> Document:
    outline = [(0, line[2:], sheet) for sheet, lines in enumerate(texts, 1) for line in lines if line.startswith("# ")]
    return read(pdf_of(["\n".join(lines) for lines in texts], outline=outline))


def between(old: Document, new: Document) -> Difference:
    return difference(old, new, names=("old.pdf", "new.pdf"))


def altered(before: str, after: str) -> Difference:
    """The difference that one replacement on the first page makes."""
    new = [line.replace(before, after) for line in FIRST]
    assert new != FIRST
    return between(pages(FIRST, SECOND), pages(new, SECOND))


def test_a_document_does_not_differ_from_itself() -> None:
    document = pages(FIRST, SECOND)
    found = between(document, document)
    assert found.is_none
    assert (found.same, found.pages, found.marks) == (6, (), 0)


@pytest.mark.parametrize(
    ("before", "after", "words", "weight"),
    [
        ("36 trillion", "39 trillion", ("36", "39"), 0),
        ("does not drop", "does drop", ("not", ""), 1),
        ("at most", "at least", None, None),
        ("holds 36 trillion tokens", "holds 36 trillion bytes", ("tokens", "bytes"), 3),
        ("second stage", "last stage", ("second", "last"), 4),
    ],
)
def test_another_word_is_told_with_its_place(
    before: str, after: str, words: tuple[str, str] | None, weight: int | None
) -> None:
    if words is None:
        found = between(pages(FIRST, SECOND), pages(FIRST, [line.replace(before, after) for line in SECOND]))
        words, weight = ("most", "least"), 2
    else:
        found = altered(before, after)
    assert [(change.words, change.weight) for change in found.changed] == [((words,), weight)]
    assert (found.added, found.removed) == ((), ())


def test_sentences_with_other_numbers_come_first() -> None:
    new = [line.replace("by hand", "by machine").replace("4,096", "8,192") for line in FIRST]
    found = between(pages(FIRST, SECOND), pages(new, SECOND))
    assert [change.words for change in found.changed] == [(("4,096", "8,192"),), (("hand", "machine"),)]
    assert found.changed[0].new.section == "2"


def test_other_reference_numbers_are_counted_once() -> None:
    found = altered("[12]", "[13, 14]")
    assert (found.marks, found.changed, found.is_none) == (1, (), True)


def test_a_sentence_to_which_a_reference_came_is_named_among_them() -> None:
    assert altered("[12]", "[13]").cited == ()
    found = altered("[12]", "[13, 14]")
    assert [passage.text for passage in found.cited] == ["It was filtered twice by hand, as is usual [13, 14]."]
    assert "with more or fewer references: 1 (p. 1, section 1)" in " ".join(report.render(found).split())


def test_other_line_ends_and_pages_are_no_change_of_words() -> None:
    rest = FIRST[4:]
    new = [*FIRST[:3], "# 2 Training"], [rest[0].replace(" at a", "\nat a"), *rest[1:]], SECOND
    found = between(pages(FIRST, SECOND), pages(*new))
    assert found.is_none
    assert found.pages == (("1", "2", 3), ("2", "3", 1))


def test_added_and_removed_sentences_are_told() -> None:
    new = [*FIRST[:2], "Zebras were left out of it entirely.", *FIRST[3:]]
    found = between(pages(FIRST, SECOND), pages(new, SECOND))
    assert [passage.text for passage in found.added] == ["Zebras were left out of it entirely."]
    assert [passage.text for passage in found.removed] == ["It was filtered twice by hand, as is usual [12]."]


def test_a_sentence_that_moved_to_another_section_is_neither_added_nor_removed() -> None:
    new = [line for line in FIRST if "router" not in line]
    found = between(pages(FIRST, SECOND), pages(new, [*SECOND, "The router does not drop any token at all."]))
    assert (found.changed, found.added, found.removed) == ((), (), ())


def test_a_second_copy_of_a_sentence_is_added() -> None:
    found = between(pages(FIRST, SECOND), pages(FIRST, [*SECOND, "The router does not drop any token at all."]))
    assert [passage.section for passage in found.added] == ["3"]


def test_sections_are_added_removed_renumbered_and_renamed() -> None:
    new = ["# 1 Data", *FIRST[1:3], "# 2 Known Limits", SECOND[1], "# 3 Training", *FIRST[4:]]
    found = between(pages(FIRST, SECOND), pages(new, ["# 4 Zebras", "They graze in peace and quiet."]))
    assert {pair.change for pair in found.sections} == {"renamed", "renumbered", "added"}
    assert found.changed == ()


def test_words_of_a_figure_in_another_order_are_told_once() -> None:
    bars = [f"Bench {name}" for name in "abcdefghij"]
    scores = [f"{number}.5" for number in range(10)]
    rows = [f"{bar} {score}" for bar, score in zip(bars, scores, strict=True)]
    found = between(pages([" ".join([*bars, *scores])]), pages(rows))
    assert [(one.words, one.only_old, one.only_new) for one in found.reordered] == [(30, (), ())]
    assert (found.changed, found.added, found.removed) == ((), (), ())


def test_a_number_of_a_figure_that_changed_is_told_in_any_order() -> None:
    bars = [f"Bench {name}" for name in "abcdefghij"]
    scores = [f"{number}.5" for number in range(10)]
    rows = [f"{bar} {score}" for bar, score in zip(bars, [*scores[:9], "77.7"], strict=True)]
    found = between(pages([" ".join([*bars, *scores])]), pages(rows))
    assert [(one.only_old, one.only_new) for one in found.reordered] == [(("9.5",), ("77.7",))]


def test_a_page_that_cannot_be_read_is_not_called_equal() -> None:
    document = pages(FIRST, SECOND)
    unread = replace(document, pages=(document.pages[0], replace(document.pages[1], unreadable="it is a scan")))
    found = between(unread, unread)
    assert (found.is_none, found.old.unread) == (False, ("p. 2: it is a scan",))


def test_values_of_a_data_file_are_held_path_by_path() -> None:
    old, new = (read(text, "config.json") for text in (b'{"experts": 9, "layers": 4}', b'{"experts": 12, "heads": 8}'))
    found = between(old, new)
    assert [(change.old.section, change.words) for change in found.changed] == [("experts", (("9", "12"),))]
    assert [passage.section for passage in (*found.added, *found.removed)] == ["heads", "layers"]


# --- laws -----------------------------------------------------------------------------------------------------------

SENTENCES = st.lists(
    st.tuples(
        st.sampled_from(["The corpus", "A batch", "One expert", "The rate"]), st.integers(10, 99), st.integers(10, 99)
    ),
    min_size=3,
    max_size=12,
    unique=True,
)


@given(facts=SENTENCES, at=st.integers(0, 100))
def test_a_number_that_changed_is_always_told(facts: list[tuple[str, int, int]], at: int) -> None:
    lines = [f"{who} grew from {low} to {high} within a single day of work." for who, low, high in facts]
    changed = list(lines)
    position = at % len(lines)
    changed[position] = changed[position].replace("within", "and then by 777 within")
    found = between(pages(lines), pages(changed))
    said = [word for change in found.changed for pair in change.words for word in pair]
    assert any("777" in word for word in said)
    assert len(found.changed) == 1


def test_only_what_was_changed_is_told_between_two_revisions_of_a_real_report(report_folder: Path) -> None:
    library = Library(Settings(root=ROOT, ledger=ROOT / "claims"))
    old, new = (library.read(report_folder / f"kimi-k3-{name}.pdf") for name in ("7c5be95", "3cb39df"))
    library.close()
    assert isinstance(old, Document)
    assert isinstance(new, Document)
    begun = time.perf_counter()
    found = between(old, new)
    assert time.perf_counter() - begun < 20
    assert [change.words for change in found.changed] == [
        (("that arises", "identified by"), ("adopt the method of and", ""))
    ]
    assert {passage.section for passage in (*found.added, *found.removed)} == {"References"}
    assert len(found.added) + len(found.removed) < 12


# --- formats --------------------------------------------------------------------------------------------------------

HOSTILE = "Tokens <script>alert(1)</script> number 36 and *stars* here."


@pytest.fixture
def hostile() -> Difference:
    return between(pages([HOSTILE]), pages([HOSTILE.replace("36", "39")]))


def test_html_is_one_page_without_scripts_in_which_all_text_is_escaped(hostile: Difference) -> None:
    page = report.as_html(hostile)
    assert "<script" not in page
    assert html.escape("<script>alert(1)</script>") in page
    assert "<del>36</del> <ins>39</ins>" in page
    assert not any(mark in page for mark in ("src=", "href=", "@import", "url("))


def test_markdown_escapes_what_is_not_its_own(hostile: Difference) -> None:
    page = report.as_markdown(hostile)
    assert "~~36~~ **39**" in page
    assert r"\*stars\*" in page
    assert "<script>" not in page


def test_a_terminal_shows_the_words_and_both_sentences(hostile: Difference) -> None:
    said = report.render(hostile)
    assert "“36” → “39”" in said
    assert "changed numbers" in said


def test_of_a_long_sentence_only_the_words_around_the_change_are_shown() -> None:
    names = [f"Name{number}" for number in range(200)]
    changed = report.pieces(" ".join(["Old", *names]), " ".join(["New", *names]))
    assert changed == (("Old", "-"), ("New", "+"), (f"{' '.join(names[: report.NEAR])} …", ""))
    shown = report.pieces(" ".join(names), " ".join([*names[:100], "New", *names[100:]]))
    assert ("New", "+") in shown
    assert sum(len(words.split()) for words, _ in shown) < 80


def test_json_holds_what_the_terminal_shows(hostile: Difference) -> None:
    found = json.loads(report.as_json(hostile))
    assert [change["words"] for change in found["changed"]] == [[["36", "39"]]]
    assert found["changed"][0]["kind"] == "numbers"


@pytest.mark.parametrize("form", ["terminal", "markdown", "html", "json"])
def test_two_files_are_held_against_each_other_without_a_ledger(tmp_path: Path, form: str) -> None:
    (tmp_path / "old.md").write_text("# Data\n\nThe corpus holds 36 trillion tokens.\n")
    (tmp_path / "new.md").write_text("# Data\n\nThe corpus holds 39 trillion tokens.\n")
    result = CliRunner().invoke(app, ["-C", str(tmp_path), "diff", "old.md", "new.md", "--format", form])
    assert result.exit_code == 1
    assert "39" in result.stdout


def test_equal_files_end_clean(tmp_path: Path) -> None:
    for name in ("old.md", "new.md"):
        (tmp_path / name).write_text("# Data\n\nThe corpus holds 36 trillion tokens.\n")
    result = CliRunner().invoke(app, ["-C", str(tmp_path), "diff", "old.md", "new.md"])
    assert (result.exit_code, "the same bytes" in result.stdout) == (0, True)
