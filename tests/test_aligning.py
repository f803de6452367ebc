"""Sections of two documents are told to be the same whatever their numbers and titles are."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import read

from tracer.aligning import Pair, aligned, sections
from tracer.model import Document, Heading
from tracer.sections import lineage, lineages

FIRST = "## Data\n\nThe corpus holds 36 trillion tokens. It was filtered twice by hand.\n"
SECOND = "## Training\n\nWe train with Muon at a peak rate of 0.2. The batch grows in steps.\n"


def markdown(*parts: str) -> Document:
    return read("\n".join(parts).encode(), "report.md")


def pairs(old: Document, new: Document) -> list[Pair]:
    return list(aligned(sections(old), sections(new)))


def changes(old: Document, new: Document) -> list[tuple[str, str | None, str | None]]:
    def title(pair: Pair, side: int) -> str | None:
        heading = pair.headings[side]
        return heading.title if heading else None

    return [(pair.change, title(pair, 0), title(pair, 1)) for pair in pairs(old, new) if pair.change]


def test_equal_documents_have_equal_sections() -> None:
    document = markdown(FIRST, SECOND)
    assert changes(document, document) == []


def test_sections_in_another_order_are_the_same_sections() -> None:
    assert changes(markdown(FIRST, SECOND), markdown(SECOND, FIRST)) == []


def test_a_section_of_another_title_is_known_by_its_sentences() -> None:
    new = markdown(FIRST, SECOND.replace("## Training", "## How It Was Made"))
    assert changes(markdown(FIRST, SECOND), new) == [("renamed", "Training", "How It Was Made")]


def test_a_section_whose_words_all_changed_is_known_by_a_title_that_is_alike_between_the_same_neighbours() -> None:
    new = markdown(FIRST, "## Training Recipe\n\nNothing of the old text was kept here.\n")
    assert changes(markdown(FIRST, SECOND), new) == [("renamed", "Training", "Training Recipe")]


def test_what_has_no_partner_is_added_or_removed_at_its_place() -> None:
    new = markdown(FIRST, "## Zebras\n\nThey graze.\n")
    assert changes(markdown(SECOND, FIRST), new) == [("removed", "Training", None), ("added", None, "Zebras")]


def test_titles_that_repeat_are_told_apart_by_what_stands_above_them() -> None:
    old = markdown("# One\n\n## Results\n\nGood ones.\n\n# Two\n\n## Results\n\nBad ones.\n")
    new = markdown("# Two\n\n## Results\n\nBad ones.\n\n# One\n\n## Results\n\nGood ones.\n")
    assert changes(old, new) == []
    said = {pair.old.keys: pair.new.keys for pair in pairs(old, new) if pair.old and pair.new and pair.old.keys}
    assert said == {("goodones.",): ("goodones.",), ("badones.",): ("badones.",)}


@pytest.mark.parametrize("count", [1, 40])
def test_every_section_is_in_exactly_one_pair(count: int) -> None:
    old = markdown(*(f"## Part {number}\n\nSaid {number} times.\n" for number in range(count)))
    new = markdown(*(f"## Part {number}\n\nSaid {number} times.\n" for number in range(0, count, 2)), FIRST)
    found = pairs(old, new)
    assert sorted(id(pair.old) for pair in found if pair.old) == sorted({id(pair.old) for pair in found if pair.old})
    assert len([pair for pair in found if pair.old]) == len(sections(old))
    assert len([pair for pair in found if pair.new]) == len(sections(new))


@given(st.lists(st.integers(min_value=1, max_value=5), max_size=12))
def test_the_sections_around_each_heading_are_those_that_are_told_for_it_alone(levels: list[int]) -> None:
    headings = [Heading(number=None, title="T", level=level, sheet=1, start=at) for at, level in enumerate(levels)]
    assert list(lineages(headings)) == [tuple(lineage(headings, heading)) for heading in headings]


def work(count: int) -> int:
    """Python calls that it takes to align documents of so many sections, each of which has another title in each."""
    old, new = (
        markdown(*(f"## {kind} part {at}\n\nThe value of item {at} is {at * 7}, which stays.\n" for at in range(count)))
        for kind in ("First", "Second")
    )
    calls = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(note)
    try:
        found = pairs(old, new)
    finally:
        sys.setprofile(None)
    assert [pair.change for pair in found].count("renamed") == count
    return calls


def test_four_times_the_sections_take_at_most_five_times_the_work() -> None:
    assert work(800) <= 5 * work(200)
