"""The quote is too short to prove anything.

`model` is in every report. A quote needs two words and eight letters, unless it holds a number, as the cells of a
table do (`2.78T`, `69 KDA + 24 MLA`), and stands exactly once where the citation says.

Flagged:

    claims:
      - id: mixture
        text: The model is a mixture of experts.
        status: stated
        cite: [{source: report, section: Abstract, page: 1, quote: model}]

Fine:

    claims:
      - id: parameters
        text: The model has 2.8T parameters.
        value: 2.8T
        status: stated
        cite: [{source: report, section: Abstract, page: 1, quote: 2.8T}]
"""

import re
import unicodedata
from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity, Trace
from tracer.rules import _asking
from tracer.wording import shown

severity = Severity.WARNING

WORDS = 2
LETTERS = 8
LETTERS_OF_A_NUMBER = 2

_TWO_WORDS = re.compile(r"\w[^\s/]*[\s/].*?\w", re.DOTALL)


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote that was found, and would be found in nearly any text."""
    for trace in _asking.placed(evidence):
        quote = trace.citation.quote or ""
        if quote and _is_short(quote) and not _is_cell(trace, quote):
            yield _asking.problem(
                trace,
                "quote",
                f"{shown(quote)} is too short to prove the claim",
                hint=f"quote at least {WORDS} words, those that say it",
            )


def _is_short(quote: str) -> bool:
    letters = sum(map(str.isalnum, quote))
    if letters >= LETTERS and _TWO_WORDS.search(quote):
        return False
    wide = 0 if quote.isascii() else sum(character.isalnum() and _is_wide(character) for character in quote)
    return not wide or letters + wide < LETTERS


def _is_wide(character: str) -> bool:
    """Whether a character is one of those that are written without spaces and say as much as a syllable or a word."""
    return unicodedata.east_asian_width(character) in "WF"


def _is_cell(trace: Trace, quote: str) -> bool:
    """Whether it is a number that stands once in the place that is cited."""
    has_number = any(map(str.isdigit, quote)) and sum(map(str.isalnum, quote)) >= LETTERS_OF_A_NUMBER
    is_there = trace.citation.is_placed or trace.citation.role == "made-in"
    return has_number and is_there and len(trace.anchors) == 1
