"""The quote stands, but the source gives no way to tell in which section.

Some files have no outline and no headings that a program can tell from text. The page is checked, the section is not:
the citation is unchecked, never verified. A citation with the page alone can be.

Flagged:

    claims:
      - id: release
        text: The weights are public.
        status: stated
        cite: [{source: letter, section: Weights, lines: 3, quote: the weights are public}]

Fine:

    claims:
      - id: release
        text: The weights are public.
        status: stated
        cite: [{source: letter, lines: 3, quote: the weights are public}]
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity
from tracer.rules import _asking
from tracer.wording import section_name

severity = Severity.NOTE


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote whose section cannot be told."""
    for trace in _asking.placed(evidence):
        if trace.section_unread is None or len(trace.anchors) != 1 or trace.page_agrees is False:
            continue
        cited = section_name(trace.citation.section or "")
        message = f"whether the quote is in {cited} cannot be told: {trace.section_unread}"
        yield _asking.problem(trace, "section", message, unchecks=True)
