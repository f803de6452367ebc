"""The formats of a coverage: the same words in each, harmless whatever a ledger says, readable in 80 columns."""

import csv
import json
import re
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path

import pytest
from coverage_ledger import CLAIMS, FILES, OTHER, covered
from hostile import Tags

from tracer.coverage import Coverage
from tracer.coverage_changes import Changes, changes
from tracer.model import Failure
from tracer.reports import coverage as formats
from tracer.reports import coverage_requests, coverage_tables, coverage_terminal

Write = Callable[[Mapping[str, str | bytes]], Path]
Golden = Callable[[str, str], None]

ESCAPE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def wren(project: Write) -> Coverage:
    return covered(project(FILES))


@pytest.fixture
def both(project: Write) -> Coverage:
    """Two pipelines."""
    return covered(project({**FILES, "claims/teal.yaml": OTHER}), "wren", "teal")


@pytest.fixture
def changed(project: Write, wren: Coverage) -> Changes:
    """What differs from a record in which the optimiser is answered and tokens have another value."""
    claims = CLAIMS.replace("field: licence", "field: optimiser").replace("value: 40B", "value: 39B")
    return changes(covered(project({**FILES, "claims/wren.yaml": claims})), wren)


def table_of(text: str) -> list[list[str]]:
    return list(csv.reader(StringIO(text)))


# --- all formats --------------------------------------------------------------------------------------------------


def test_a_share_is_rounded_half_up_to_a_tenth_and_never_to_none_or_all() -> None:
    shares = {(1, 17): "5.9", (1, 16): "6.3", (2, 3): "66.7", (0, 9): "0", (9, 9): "100", (1, 9999): "0.1"}
    assert {pair: coverage_tables.percent(*pair) for pair in shares} == shares
    assert coverage_tables.percent(9998, 9999) == "99.9"


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("terminal", "coverage.txt"),
        ("json", "coverage.json"),
        ("csv", "coverage.csv"),
        ("markdown", "coverage.md"),
        ("html", "coverage.html"),
    ],
)
def test_a_coverage_of_two_pipelines_is_written_as_in_the_golden_file(
    form: str, name: str, both: Coverage, golden: Golden
) -> None:
    golden(name, formats.render(form, both))


@pytest.mark.parametrize("form", formats.FORMATS)
def test_changes_and_lists_are_shown_in_every_format(form: str, wren: Coverage, changed: Changes) -> None:
    assert "wren.tokens" in formats.render(form, wren, changed)
    text = formats.render_table(form, coverage_tables.listing(wren, "blank"))
    assert "optimiser" in text
    assert "hardware" in text


def test_a_format_that_does_not_exist_is_a_failure(wren: Coverage) -> None:
    with pytest.raises(Failure, match="no format 'xml' of a coverage: use one of terminal, json"):
        formats.render("xml", wren)


# --- terminal -----------------------------------------------------------------------------------------------------


def test_letters_and_marks_tell_status_and_verdict_without_colour(wren: Coverage) -> None:
    rows = [line.split() for line in coverage_terminal.render(wren).splitlines()]
    for row in (
        ["tokens", "S!", "D", "2/2"],
        ["learning", "rate", "N", "C", "2/2"],
        ["optimiser", ".", "0/1"],
        ["hardware", ".", "0/1"],
        ["answered", "2", "2"],
        ["asked", "4", "2"],
        ["licence", "S?"],
    ):
        assert row in rows


def test_shares_and_never_cited_pages_are_said(wren: Coverage) -> None:
    text = coverage_terminal.render(wren)
    assert "cells of the profile answered: 4 of 6 (66.7 %)\nwith a verified citation: 1 of 6 (16.7 %)\n" in text
    assert "report: 2 quotes on 2 of 3 pages\n  pages cited: 1–2\n  pages never cited: 3\n" in text
    assert "supplement: not read, it is not on disk" in text
    assert "left out: 1 claim made by an audited document, 1 claim without a field" in re.sub(r"\n +", " ", text)


def test_colour_adds_nothing_but_colour(both: Coverage) -> None:
    assert re.sub(r"\x1b\[[\d;]*m", "", coverage_terminal.render(both, colour=True)) == coverage_terminal.render(both)


@pytest.mark.parametrize("width", [40, 60, 80, 110])
@pytest.mark.parametrize("stages", [1, 13, 40])
def test_any_number_of_stages_fits_the_terminal(project: Write, width: int, stages: int) -> None:
    listed = ", ".join(f"{{id: stage-number-{number}, kind: pretraining}}" for number in range(stages))
    pipeline = f"pipelines: {{wide: {{profile: llm-training, stages: [{listed}]}}}}\n"
    text = coverage_terminal.render(covered(project({"claims/wide.yaml": pipeline})), width=width)
    assert max(map(len, text.splitlines())) <= width
    rows = [line.split() for line in text.splitlines()]
    letters = [row[1:-1] for row in rows if row[:1] == ["objective"]]
    assert sum(map(len, letters)) == stages
    assert max(map(len, letters)) - min(map(len, letters)) <= len(letters)


def test_a_field_with_a_long_name_keeps_all_of_it(project: Write) -> None:
    name = "how the tokens were counted and by whom"
    text = coverage_terminal.render(
        covered(project({**FILES, "claims/wren.yaml": CLAIMS.replace("field: licence", f"field: {name}")}))
    )
    assert f"\n{name}\n" in text


def test_side_by_side_no_silence_and_no_blank_hides_behind_an_answer(both: Coverage) -> None:
    rows = {row[0]: row[1:] for row in coverage_tables.side_by_side(both).rows}
    assert rows == {
        "tokens": ("S1 D1!", ".1"),
        "learning rate": ("C1 N1", ".1"),
        "optimiser": (".1", "S1"),
        "hardware": (".1", ""),
    }


def test_a_pipeline_of_which_nothing_is_asked_or_known_says_so(project: Write) -> None:
    empty = covered(project({"claims/it.yaml": "pipelines: {wren: {stages: [{id: tune}]}, teal: {}}\n"}))
    assert coverage_terminal.render(empty).count("no field is asked for or answered") == 2


# --- machines -----------------------------------------------------------------------------------------------------


def test_json_counts_what_was_counted_by_hand(wren: Coverage) -> None:
    record = json.loads(formats.render("json", wren))
    counts = {name: number for name, number in record["counts"].items() if name != "ends"}
    assert counts == {"asked": 6, "answered": 4, "blank": 2, "sourced": 1, "beyond": 1}
    stage = record["pipelines"][0]["stages"][0]
    assert [(each["field"], each["status"]) for each in stage["cells"]] == [
        ("tokens", "stated"),
        ("learning rate", "not-stated"),
        ("optimiser", None),
        ("hardware", None),
    ]
    assert record["sources"][0]["pages"] == {"cited": ["1", "2"], "never": ["3"]}


def test_csv_has_a_row_for_each_cell_and_with_changes_only_these(wren: Coverage, changed: Changes) -> None:
    head, *rows = table_of(formats.render("csv", wren))
    assert head[:6] == ["stage", "field", "asked", "status", "verdict", "sourced"]
    assert ["wren/pretrain", "optimiser", "yes", "blank", "", "no"] in [row[:6] for row in rows]
    assert len(rows) == 7
    head, *rows = table_of(formats.render("csv", wren, changed))
    assert ["other value, same evidence", "wren.tokens", "39B tokens", "40B tokens"] in rows


# --- harmless -----------------------------------------------------------------------------------------------------

HOSTILE = "=1+1|<script>alert(1)</script> [x](http://example.invalid) \\u202e"


@pytest.fixture
def hostile(project: Write) -> Coverage:
    """A record in which a field, a title and a text try to be more than words."""
    claims = CLAIMS.replace("field: licence", f'field: "{HOSTILE}"').replace(
        "text: The model is under the MIT licence.", f'text: "{HOSTILE}"'
    )
    pipeline = str(FILES["claims/pipeline.yaml"]).replace("title: Wren", f'title: "{HOSTILE}"', 1)
    return covered(project({**FILES, "claims/wren.yaml": claims, "claims/pipeline.yaml": pipeline}))


def test_no_cell_of_csv_is_a_formula(hostile: Coverage) -> None:
    cells = [cell for row in table_of(formats.render("csv", hostile)) for cell in row]
    cells += [
        cell
        for row in table_of(formats.render_table("csv", coverage_tables.listing(hostile, "unchecked")))
        for cell in row
    ]
    assert sum("=1+1" in cell for cell in cells) == 3
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []


def test_no_words_of_a_ledger_are_markup(hostile: Coverage) -> None:
    page = Tags()
    page.feed(formats.render("html", hostile))
    assert "script" not in page.names
    assert "td" in page.names
    for text in (formats.render("markdown", hostile), coverage_requests.render(hostile)):
        assert "<script" not in text
        assert "](" not in text
    rows = [line for line in formats.render("markdown", hostile).splitlines() if "1+1" in line and line[0] == "|"]
    assert {line.count("|") for line in rows} == {4}


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_no_control_character_of_a_ledger_comes_through(hostile: Coverage, form: str) -> None:
    assert ESCAPE.findall(formats.render(form, hostile)) == []


# --- lists --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("flagged", ["wren.passes"]),
        ("unchecked", ["wren.tune.licence"]),
        ("stated", ["wren.tokens", "wren.passes", "wren.tune.licence"]),
        ("derived", ["wren.tune.tokens"]),
        ("concluded", ["wren.tune.rate"]),
        ("not-stated", ["wren.rate"]),
        ("uncited-pages", ["report", "report", "supplement"]),
        ("blank", ["wren/pretrain", "wren/pretrain"]),
    ],
)
def test_a_list_holds_what_its_number_counts(name: str, first: list[str], wren: Coverage) -> None:
    assert [row[0] for row in coverage_tables.listing(wren, name).rows] == first


def test_pages_that_follow_each_other_are_one_range() -> None:
    from reporting import document

    pages = document(*"abcdefg", first_label=13)
    assert coverage_tables.ranges((1, 2, 3, 5, 7), pages) == ("13–15", "17", "19")
    assert coverage_tables.ranges((), pages) == ()


# --- the letter ---------------------------------------------------------------------------------------------------


def test_the_letter_asks_for_what_is_silent_or_blank_and_says_where_it_was_looked_for(
    wren: Coverage, golden: Golden
) -> None:
    letter = coverage_requests.render(wren)
    golden("coverage-requests.md", letter)
    assert "3 questions are open" in letter
    assert re.findall(r"^- \*\*(.*?)\*\*", letter, re.MULTILINE) == ["learning rate", "optimiser", "hardware"]
    assert "We looked in *Wren* (revision v2) for “learning rate”, “lr”." in letter
    assert "To The Aviary." in letter


def test_there_is_no_letter_where_nothing_is_open(project: Write) -> None:
    profile = "profiles: {long: {}}\npipelines: {wren: {profile: long, stages: [{id: tune, kind: SFT}]}}\n"
    assert coverage_requests.render(covered(project({**FILES, "claims/pipeline.yaml": profile}))).startswith(
        "Every field is answered"
    )
