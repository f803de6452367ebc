"""What the sources say to the statements of a document, to the terminal, to Markdown and to JSON."""

from collections.abc import Iterator, Sequence

from tracer.reports import json_
from tracer.reports.lines import BLANK, Line, line, printed
from tracer.reports.passages import citation_block, hit_record, how_words, place_words
from tracer.suggesting import Suggestion, Verdict
from tracer.wording import counted, flowing, section_words

WIDTH = 80
STYLES = {Verdict.SUPPORTED: "green", Verdict.DIFFERS: "bold red", Verdict.NOT_FOUND: "yellow"}


def totals(suggestions: Sequence[Suggestion]) -> dict[Verdict, int]:
    """How many statements have each verdict."""
    return {verdict: sum(each.verdict is verdict for each in suggestions) for verdict in Verdict}


def total_words(suggestions: Sequence[Suggestion]) -> str:
    """The totals in one sentence."""
    said = ", ".join(f"{verdict}: {number}" for verdict, number in totals(suggestions).items())
    return f"{counted(len(suggestions), 'statement')}; {said}"


def where_words(suggestion: Suggestion) -> str:
    """Where a statement stands in its document."""
    there = suggestion.statement
    if there.page:
        return f"p. {there.page}"
    return f"line {there.line}" if there.line else section_words(there.section)


# --- the terminal -----------------------------------------------------------------------------------------------------


def render(suggestions: Sequence[Suggestion], *, width: int = WIDTH, colour: bool = False) -> str:
    """All statements for a person, each with its best passage."""
    lines = [each for suggestion in suggestions for each in suggestion_lines(suggestion)]
    return printed([*lines, line((total_words(suggestions), "bold"))], width=width, colour=colour)


def suggestion_lines(suggestion: Suggestion) -> Iterator[Line]:
    """A statement, its verdict and why, the best passages."""
    yield line((f"{suggestion.statement.number}  ", "bold"), flowing(suggestion.statement.text), hang=4)
    verdict = (str(suggestion.verdict), STYLES[suggestion.verdict])
    yield line((f"{where_words(suggestion)}  ", "dim"), verdict, f"  {flowing(suggestion.why)}", indent=4, hang=2)
    for hit in suggestion.hits[: 1 if suggestion.verdict is not Verdict.NOT_FOUND else 0]:
        yield line(f"{place_words(hit)}, {how_words(hit)}: {flowing(hit.passage.text)}", indent=4, hang=2)
        if hit.citation:
            yield line(f"- {citation_block(hit)}", indent=4, hang=2)
    yield BLANK


# --- Markdown ---------------------------------------------------------------------------------------------------------


def as_markdown(suggestions: Sequence[Suggestion], title: str) -> str:
    """A table of statements, verdicts and best passages."""
    head = [f"# {_cell(title)}", "", f"{total_words(suggestions)}.", ""]
    table = ["| | statement | | where | words there | why |", "|---|---|---|---|---|---|"]
    return "\n".join([*head, *table, *map(_row, suggestions)]) + "\n"


def _row(suggestion: Suggestion) -> str:
    is_found = suggestion.verdict is not Verdict.NOT_FOUND and suggestion.hits
    place, words = (place_words(suggestion.hits[0]), suggestion.hits[0].passage.text) if is_found else ("", "")
    cells = (str(suggestion.statement.number), suggestion.statement.text, str(suggestion.verdict), place, words)
    return f"| {' | '.join(map(_cell, (*cells, suggestion.why)))} |"


def _cell(words: str) -> str:
    """Words in a table, with nothing in them that Markdown or HTML would obey."""
    shown = flowing(words).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{letter}" if letter in "\\|`*_[]#" else letter for letter in shown)


# --- JSON -------------------------------------------------------------------------------------------------------------


def as_json(suggestions: Sequence[Suggestion], file: str) -> str:
    """Everything that is known of each statement."""
    return json_.text(
        {
            "schema": json_.SCHEMA,
            "file": file,
            "counts": {str(verdict): number for verdict, number in totals(suggestions).items()},
            "statements": [suggestion_record(each) for each in suggestions],
        }
    )


def suggestion_record(suggestion: Suggestion) -> json_.Record:
    """A statement with its verdict and passages as a record."""
    there = suggestion.statement
    return {
        "number": there.number,
        "text": there.text,
        "page": there.page,
        "line": there.line,
        "section": there.section,
        "numbers": list(there.numbers),
        "verdict": str(suggestion.verdict),
        "share": round(suggestion.share, 4),
        "why": suggestion.why,
        "differences": [
            {"stated": each.stated, "found": each.found, "counted": each.counted} for each in suggestion.differences
        ],
        "passages": [hit_record(hit) for hit in suggestion.hits],
    }
