"""The passage nearest to a quote that is not there, as a quote of it would have to be written."""

from pages import page

from tracer.model import Document, Page
from tracer.nearness import nearest, passage
from tracer.text import comparable

TEXT = "It is at most a few 10-3 in all, at a rate of 3 × 10-4 and 106 pages."
RAISED = [TEXT.index("-3"), TEXT.index("-3") + 1, TEXT.index("-4"), TEXT.index("-4") + 1]


def raised() -> Page:
    return page(1, TEXT, raised=RAISED)


def test_a_power_that_was_quoted_flat_is_told_apart_and_shown_as_it_is_to_be_quoted() -> None:
    near = nearest("at most a few 10-3 in all", Document(kind="pdf", pages=(raised(),)), "report", ())
    assert near is not None
    assert near.changes == (("10-3", "10 ⁻ ³"),)
    shown = near.passage.text[slice(*near.passage.marked or ())]
    assert shown == "at most a few 10⁻³ in all"
    assert comparable(shown) in raised().readings[0].folded.text


def test_powers_around_a_passage_are_shown_too_and_other_figures_stay() -> None:
    start = TEXT.index("at a rate")
    found = passage(Document(kind="pdf", pages=(raised(),)), "report", raised(), start, start + len("at a rate"))
    assert found.text == "It is at most a few 10⁻³ in all, at a rate of 3 × 10⁻⁴ and 106 pages."


def test_a_page_without_readings_is_shown_as_it_is() -> None:
    bare = Page(sheet=1, label=None, text=TEXT)
    found = passage(Document(kind="pdf", pages=(bare,)), "report", bare, 0, 5)
    assert found.text == TEXT[: 5 + 80]
