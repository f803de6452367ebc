"""A term that should not occur stands on a page that the claim has not answered for.

It may be what the claim says is missing, or something else: a person decides. `seen` answers for a page or a section,
with the reason; a hit that comes with a later revision shows up again by itself.

Flagged:

    claims:
      - id: learning-rate
        text: The learning rate is not stated.
        status: not-stated
        searched: [{source: report, terms: [learning rate]}]

Fine:

    claims:
      - id: learning-rate
        text: The learning rate of the distillation is not stated.
        status: not-stated
        searched:
          - source: report
            terms: [learning rate]
            seen: [{page: 1, because: "that of pre-training"}]
"""

from collections.abc import Iterator, Sequence

from tracer.model import Document, Evidence, Problem, SearchTrace, Severity, TermHit
from tracer.rules import _asking
from tracer.wording import is_paged, listed, page_label, pages_listed, pasted, section_name, shown, times

severity = Severity.WARNING

MOST = 5
"""Passages that are shown for one term."""


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per term of a search, with all its open pages."""
    for trace in _asking.searches(evidence):
        document = _asking.document(evidence, trace.search.source)
        for term, hits in _open(trace).items():
            yield _problem(trace, term, hits, document)


def _open(trace: SearchTrace) -> dict[str, list[TermHit]]:
    """The unanswered hits by term."""
    hits: dict[str, list[TermHit]] = {}
    for hit in trace.hits:
        if not hit.answered:
            hits.setdefault(hit.term, []).append(hit)
    return hits


def _problem(trace: SearchTrace, term: str, hits: Sequence[TermHit], document: Document | None) -> Problem:
    firsts = {(hit.span.sheet, hit.section if not is_paged(document) else None): hit for hit in reversed(hits)}
    shown_hits = list(reversed(firsts.values()))
    message = f"{shown(term)} occurs {times(len(hits))} in {trace.search.source}, {_places(shown_hits, document)}"
    return Problem(
        message=message,
        at=trace.claim.places.of(_field(trace, term)),
        claim=trace.claim.id,
        hint=f'if that is something else: seen: [{{{_answer(hits[0], document)}, because: "…"}}]',
        see=tuple(hit.passage for hit in shown_hits[:MOST]),
    )


def _field(trace: SearchTrace, term: str) -> str:
    terms = trace.search.terms
    return f"{trace.search.at_path}.terms.{terms.index(term)}" if term in terms else f"{trace.search.at_path}.terms"


def _places(hits: Sequence[TermHit], document: Document | None) -> str:
    if is_paged(document):
        return f"on {pages_listed((_label(hit, document), hit.span.sheet) for hit in hits)}"
    return f"in {listed(section_name(hit.section) if hit.section else 'the text before any heading' for hit in hits)}"


def _label(hit: TermHit, document: Document | None) -> str:
    return hit.page or page_label(document, hit.span.sheet)


def _answer(hit: TermHit, document: Document | None) -> str:
    if is_paged(document) or not hit.section:
        return f"page: {pasted(_label(hit, document))}"
    return f"section: {pasted(hit.section)}"
