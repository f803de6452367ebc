"""A claim's citations, computation, searches and grounds to what its page shows of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from tracer import wording
from tracer.model import Anchor, Citation, ClaimReport, Document, Passage, SearchTrace, Verdict
from tracer.reports import computations, show
from tracer.reports.grounds import Branch, steps, walk
from tracer.reports.site import addresses
from tracer.reports.site.material import Material, Sight
from tracer.reports.site.rendering import section_sign

MOST_BRANCHES, MOST_HITS, MOST_USERS = 60, 20, 60
ROLES: Mapping[str, str] = MappingProxyType(
    {"cite": "The sources say", "disputes": "Other sources say otherwise", "made-in": "The claim is made in"}
)
FOLDINGS: Mapping[str, str] = MappingProxyType(
    {
        "invisible characters": "leaving out characters that nobody sees",
        "line-end hyphen": "joining a word that a hyphen parts at the end of a line",
        "hyphen": "joining or parting a word at its hyphen",
        "quotes and dashes": "taking every form of quotation mark and dash for one",
        "letter forms": "taking ligatures and other forms of a letter for the letter",
        "accents": "taking composed and separate accents for one",
        "case": "taking capital and small letters for one",
        "white space": "taking every run of spaces and line breaks for one space",
        "page end": "going on from the end of one page to the next",
        "column end": "going on from the end of one column to the next",
        "parts joined by …": "leaving out what … stands for",
        "reference marks": "leaving out bracketed reference numbers",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A place where a quote stands: in words, how it was matched, the passage around it, and its pictures."""

    place: str
    matched: str
    pieces: tuple[tuple[str, str, str], ...]
    sights: tuple[Sight, ...]
    link: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A citation with what became of it."""

    citation: Citation
    verdict: Verdict
    title: str
    place: str
    link: str | None
    found: tuple[Found, ...]
    reasons: tuple[str, ...]
    value_there: str | None = None
    near: tuple[str, tuple[str, str, str]] | None = None
    changes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """A search with its hits and the pages that the claim has answered for."""

    source: str
    title: str
    trace: SearchTrace | None
    terms: tuple[str, ...]
    hits: tuple[tuple[str, tuple[str, str, str], bool], ...]
    more: int
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """A formula, the same with its numbers, and what it gives, by name."""

    formula: str
    with_numbers: str | None
    result: str | None
    facts: Mapping[str, str]


# --- citations --------------------------------------------------------------------------------------------------


def place_words(citation: Citation) -> str:
    """Where a citation points, as a reader writes it: `§4.1.3, p. 13`."""
    parts = (
        section_sign(citation.section),
        wording.page_words(citation.page, None),
        f"sheet {citation.sheet}" if citation.sheet else "",
        f"at {citation.at}" if citation.at else "",
        f"lines {citation.lines}" if citation.lines else "",
    )
    return ", ".join(filter(None, parts))


def cited(material: Material, shown: ClaimReport, role: str) -> Iterator[Cited]:
    """The citations of one role, followed."""
    for followed in wording.citations(shown):
        if followed.citation.role == role:
            yield one_cited(material, shown, followed)


def one_cited(material: Material, shown: ClaimReport, followed: wording.Followed) -> Cited:
    """A citation with the passages and pictures of the places where its quote stands."""
    citation, trace = followed.citation, followed.trace
    document = material.document(citation.source) if trace else None
    sights = material.sights.get((shown.claim.id, citation.at_path), ())
    places = trace.anchors if trace else ()
    near = trace.near if trace else None
    return Cited(
        citation=citation,
        verdict=followed.verdict,
        title=material.title(citation.source),
        place=place_words(citation),
        link=link_to(material, citation, places[0] if places else None),
        found=tuple(found(material, citation, anchor, document, sights) for anchor in places),
        reasons=tuple(filter(None, (trace.unchecked, trace.section_unread))) if trace else (),
        value_there=trace.value_found if trace and citation.at else None,
        near=(passage_place(near.passage), wording.marked(near.passage)) if near else None,
        changes=near.changes[: show.SHOWN_CHANGES] if near else (),
    )


def found(material: Material, citation: Citation, anchor: Anchor, document: object, sights: tuple[Sight, ...]) -> Found:
    """One place of a quote."""
    read = document if isinstance(document, Document) else None
    sheets = {span.sheet for span in anchor.spans}
    return Found(
        place=wording.anchor_words(anchor, read),
        matched=matched_words(anchor),
        pieces=tuple(show.passages(anchor, read)) if read else (),
        sights=tuple(sight for sight in sights if sight.sheet in sheets),
        link=link_to(material, citation, anchor),
    )


def link_to(material: Material, citation: Citation, anchor: Anchor | None) -> str | None:
    """The source on the web, at the page of the quote where it is a PDF."""
    source = material.source(citation.source)
    read = material.report.documents.get(citation.source)
    is_pdf = isinstance(read, Document) and read.kind == "pdf"
    return addresses.at_sheet(source.url if source else None, anchor.spans[0].sheet if anchor and is_pdf else None)


def matched_words(anchor: Anchor) -> str:
    """How a quote equals the source, in words."""
    if not anchor.foldings:
        return wording.tier_words(anchor)
    named = [FOLDINGS.get(name, wording.flowing(name)) for name in anchor.foldings]
    listed = " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))
    reading = "" if anchor.reading == "as it is" else f"; read {wording.flowing(anchor.reading)}"
    return f"equal after {listed}{reading}"


def passage_place(passage: Passage) -> str:
    """Where a passage stands, without its source."""
    return ", ".join(filter(None, (section_sign(passage.section), wording.page_words(passage.page, passage.sheet))))


# --- what is computed and searched ------------------------------------------------------------------------------


def computed(material: Material, shown: ClaimReport) -> Computed | None:
    """What a derived claim is computed from, and what that gives."""
    claim, computation = shown.claim, shown.computation
    if not claim.formula:
        return None
    is_short = len(claim.formula) <= computations.MOST_FORMULA
    return Computed(
        formula=claim.formula,
        with_numbers=computations.with_numbers(claim, material.first) if is_short else None,
        result=computation.computed if computation else None,
        facts=computations.facts(claim, computation),
    )


def searched(material: Material, shown: ClaimReport) -> Iterator[Searched]:
    """The searches of a claim, done again."""
    traces = {trace.search.at_path: trace for trace in shown.searches}
    for search in shown.claim.searched:
        trace = traces.get(search.at_path)
        hits = trace.hits if trace else ()
        yield Searched(
            source=search.source,
            title=material.title(search.source),
            trace=trace,
            terms=search.terms,
            hits=tuple(
                (passage_place(hit.passage), wording.marked(hit.passage), hit.answered) for hit in hits[:MOST_HITS]
            ),
            more=max(0, len(hits) - MOST_HITS),
            answers=tuple(show.seen_words(seen) for seen in search.seen),
        )


# --- grounds ----------------------------------------------------------------------------------------------------


def rests_on(material: Material, claim_id: str) -> tuple[Branch, ...]:
    """The claims below a claim, depth first, at most as many as a page can show."""
    claims = material.first
    below = walk(claim_id, claims, lambda name: steps(claims[name].claim) if name in claims else ())
    return tuple(islice(below, MOST_BRANCHES))


def used_by(material: Material, claim_id: str) -> tuple[Branch, ...]:
    """The claims that name a claim as their ground."""
    return tuple(
        Branch(depth=1, tie=tie, id=user, report=material.first.get(user))
        for tie, user in material.users.get(claim_id, ())[:MOST_USERS]
    )
