"""The quote stands in another section than the one that is cited.

A section reaches from its heading to the next; a quote in a subsection is also in the section above it. A table, a
figure or an equation is looked for on the page of the quote.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.2, page: 2, quote: a total of nine expert models}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2, page: 2, quote: a total of nine expert models}]
"""

from collections.abc import Iterator

from tracer.model import Anchor, Evidence, Problem, Severity
from tracer.rules import _asking
from tracer.wording import passage, pasted, section_name, shown

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote with one place, in another section."""
    for trace in _asking.placed(evidence):
        if len(trace.anchors) != 1 or trace.section_agrees is not False:
            continue
        anchor = trace.anchors[0]
        document = _asking.document(evidence, trace.citation.source)
        yield _asking.problem(
            trace,
            "section",
            _message(anchor, trace.citation.section or ""),
            hint=None if anchor.section is None else f"section: {pasted(str(anchor.section))}",
            see=(passage(trace, anchor, document),),
        )


def _message(anchor: Anchor, cited: str) -> str:
    heading = anchor.section
    if heading is None:
        return f"the quote stands before the first heading, not in {section_name(cited)}"
    titled = f", {shown(heading.title, most=60)}" if heading.number and heading.title else ""
    return f"the quote is in {section_name(str(heading))}{titled}"
