"""The pages and sections of a source in which quotes of the record stand; expected ones are counted by hand."""

from collections.abc import Callable, Mapping
from pathlib import Path

from coverage_ledger import CLAIMS, FILES, covered

Write = Callable[[Mapping[str, str | bytes]], Path]


def test_pages_and_sections_are_those_where_the_quotes_stand(project: Write) -> None:
    report, supplement = covered(project(FILES)).sources
    assert (report.source, report.quotes) == ("report", 2)
    assert (report.used_sheets, report.unused_sheets) == ((1, 2), (3,))
    assert [str(section) for section in report.used_sections] == ["1", "2", "2.1"]
    assert [str(section) for section in report.unused_sections] == ["3"]
    assert (supplement.source, supplement.quotes) == ("supplement", 0)


def test_a_section_that_lies_in_an_unused_one_is_not_named_beside_it(project: Write) -> None:
    without = CLAIMS.replace("field: tokens\n    text: Dialogues", "text: Dialogues")
    (report, _) = covered(project({**FILES, "claims/wren.yaml": without})).sources
    assert [str(section) for section in report.unused_sections] == ["2", "3"]
