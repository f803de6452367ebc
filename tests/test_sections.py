"""A place of a document is in the sections whose headings stand above it."""

from tracer.model import Heading
from tracer.sections import lineage, titles


def heading(title: str, level: int) -> Heading:
    return Heading(number=None, title=title, level=level, sheet=1, start=0)


TRAINING, SCHEDULE, WARM_UP, DATA = (
    heading("Training", 1),
    heading("Schedule", 2),
    heading("Warm-up", 3),
    heading("Data", 2),
)
HEADINGS = (TRAINING, SCHEDULE, WARM_UP, DATA)


def test_a_section_lies_in_those_of_lower_levels_before_it() -> None:
    assert list(lineage(HEADINGS, WARM_UP)) == [WARM_UP, SCHEDULE, TRAINING]
    assert list(lineage(HEADINGS, DATA)) == [DATA, TRAINING]
    assert list(lineage(HEADINGS, None)) == []


def test_the_two_nearest_titles_say_what_a_text_is_about() -> None:
    assert titles(HEADINGS, WARM_UP) == ("Warm-up", "Schedule")
    assert titles(HEADINGS, TRAINING) == ("Training",)
    assert titles(HEADINGS, None) == ()
