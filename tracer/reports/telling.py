"""A finding to the plain lines that tell it: what is the case, what to write instead, what the sources say."""

from collections.abc import Iterator
from dataclasses import replace

from tracer import wording
from tracer.model import Finding, Passage, Problem, Report


def lines(finding: Finding, report: Report) -> tuple[str, ...]:
    """The message, the hint, and each passage under its place; every one harmless and on one line."""
    problem = finding.problem
    return (wording.flowing(problem.message), *remedies(problem), *passages(problem, report))


def remedies(problem: Problem) -> Iterator[str]:
    """What to write instead, where something is proposed."""
    if problem.hint:
        yield f"hint: {wording.flowing(problem.hint)}"


def passages(problem: Problem, report: Report) -> Iterator[str]:
    """What the sources say, and where."""
    return (f"{passage_place(passage, report)}: {passage_text(passage)}" for passage in problem.see)


def passage_place(passage: Passage, report: Report) -> str:
    """The title of the source, the page and the section: `Kimi K3 report, p. 13, section 4.1.3`."""
    source = report.ledger.sources.get(passage.source)
    title = source.title if source and source.title else passage.source
    return wording.passage_words(replace(passage, source=title), report.documents.get(passage.source))


def passage_text(passage: Passage) -> str:
    """The words of a passage, with marks around those that it is shown for."""
    before, within, after = wording.marked(passage)
    return f"{before}{wording.OPEN_MARK}{within}{wording.CLOSE_MARK}{after}" if within else before
