"""A Report and the id of a claim to all that stands behind the claim, as text or as JSON.

The claim, each citation with the passage around its quote, what was computed and searched, the tree of claims it
rests on down to quotes with page and section, and the findings. The report must be of the whole ledger.
"""

from collections.abc import Iterator

from tracer import wording
from tracer.model import (
    Anchor,
    Claim,
    ClaimReport,
    Computation,
    Document,
    Finding,
    Near,
    Report,
    SearchTrace,
    Seen,
    Trace,
    Unread,
    Verdict,
)
from tracer.reports import computations, json_, terminal
from tracer.reports.grounds import Branch, Tree, by_id
from tracer.reports.lines import BLANK, Line, line, printed

DEEPEST_INDENT = 12
SHOWN_HITS = 20
SHOWN_CHANGES = 5


def render(report: Report, claim_id: str, tree: Tree, *, width: int = terminal.WIDTH, colour: bool = False) -> str:
    """All that stands behind a claim, and a tree of the claims around it."""
    lines = (*portrait_lines(by_id(report)[claim_id], report), *tree_lines(tree))
    return printed(lines, width=width, colour=colour)


def portrait(report: Report, claim_id: str, *, width: int = terminal.WIDTH, colour: bool = False) -> str:
    """A claim with its evidence and findings, without the tree: what a reviewer signs."""
    return printed(portrait_lines(by_id(report)[claim_id], report), width=width, colour=colour)


def listed(report: Report, *, width: int = terminal.WIDTH, colour: bool = False) -> str:
    """The claims of a report, one a line: id, status, verdict; to see one, its id is shown."""
    lines = (list_line(shown) for shown in report.claims)
    return printed((*lines, BLANK, line("next: tracer show ID shows one of them")), width=width, colour=colour)


def list_line(shown: ClaimReport) -> Line:
    """A claim in a list."""
    status = wording.status_words(shown.claim)
    return line((wording.flowing(shown.claim.id), "bold"), f"  {status}  ", verdict_part(shown.verdict), hang=2)


def portrait_lines(shown: ClaimReport, report: Report) -> Iterator[Line]:
    """A claim, its evidence and its findings."""
    yield from claim_lines(shown)
    yield from evidence_lines(shown, report)
    yield from finding_lines(shown, report)


# --- the claim itself -------------------------------------------------------------------------------------------


def claim_lines(shown: ClaimReport) -> Iterator[Line]:
    """The claim as written, and how it ended."""
    claim = shown.claim
    about = ", ".join(wording.flowing(part) for part in (claim.stage, claim.field) if part)
    disputed = ", disputed" if shown.is_disputed else ""
    yield line((wording.flowing(claim.id), "bold"), "  ", verdict_part(shown.verdict), disputed)
    yield line(", ".join(filter(None, (wording.status_words(claim), about))), indent=2)
    for name, words in written(claim):
        yield line((f"{name}: ", "dim"), wording.flowing(words), indent=2, hang=2)
    yield line((f"written at {wording.flowing(str(claim.places.of('')))}", "dim"), indent=2)


def written(claim: Claim) -> Iterator[tuple[str, str]]:
    """The fields of a claim that a reader needs, by name."""
    review = claim.review
    signed = f"{review.by or 'nobody'} on {review.on or 'no date'}" if review else None
    fields = {"text": claim.text, "value": wording.value_words(claim), "because": claim.because, "note": claim.note}
    for name, words in {**fields, "reviewed by": signed}.items():
        if words:
            yield name, words


def verdict_part(verdict: Verdict) -> tuple[str, str]:
    """A verdict as a coloured word."""
    return str(verdict), wording.VERDICT_STYLES[verdict]


# --- its evidence -----------------------------------------------------------------------------------------------


def evidence_lines(shown: ClaimReport, report: Report) -> Iterator[Line]:
    """Citations with their passages, the computation, the searches."""
    titles = {"cite": "cites", "disputes": "is disputed by", "made-in": "is made in"}
    for role, title in titles.items():
        followed = [each for each in wording.citations(shown) if each.citation.role == role]
        if followed:
            yield from heading(title)
        for each in followed:
            yield from citation_lines(each, report.documents.get(each.citation.source))
    if shown.claim.formula:
        yield from heading("is computed")
        yield from computation_lines(shown.claim, shown.computation, report)
    if shown.searches:
        yield from heading("was searched for")
    for search in shown.searches:
        yield from search_lines(search, report.documents.get(search.search.source))


def heading(words: str) -> tuple[Line, Line]:
    """The title of a part, set off from what stands above."""
    return BLANK, line((words, "bold"))


def citation_lines(followed: wording.Followed, document: Document | Unread | None) -> Iterator[Line]:
    """A citation: where it points, what it quotes, and what stands there."""
    citation, trace = followed.citation, followed.trace
    yield line(verdict_part(followed.verdict), f"  {wording.citation_words(citation)}", indent=2, hang=2)
    if citation.quote:
        yield line(("quote: ", "dim"), f"“{wording.flowing(citation.quote)}”", indent=4, hang=2)
    if citation.because:
        yield line(("because: ", "dim"), wording.flowing(citation.because), indent=4, hang=2)
    if trace is not None:
        yield from trace_lines(trace, document)


def trace_lines(trace: Trace, document: Document | Unread | None) -> Iterator[Line]:
    """What following a citation came to: places, a value, the nearest passage, or why it could not be followed."""
    for reason in filter(None, (trace.unchecked, trace.section_unread)):
        yield line(("unchecked: ", "yellow"), wording.flowing(reason), indent=4, hang=2)
    if trace.citation.at and trace.value_found is not None:
        yield line(("value there: ", "dim"), wording.flowing(trace.value_found), indent=4, hang=2)
    for anchor in trace.anchors:
        yield from anchor_lines(anchor, document)
    if trace.near:
        yield line(f"not found; the nearest passage, {trace.near.score:.0f} % alike:", indent=4)
        yield from terminal.passage_lines(trace.near.passage, document, indent=6)
        yield from change_lines(trace.near)


def change_lines(near: Near) -> Iterator[Line]:
    """The words that differ between a quote and the nearest passage."""
    for quoted, said in near.changes[:SHOWN_CHANGES]:
        ours = f"“{wording.flowing(quoted)}”" if quoted else "nothing"
        theirs = f"“{wording.flowing(said)}”" if said else "nothing"
        yield line("quoted ", (ours, "red"), ", in the source ", (theirs, "green"), indent=6, hang=2)
    if len(near.changes) > SHOWN_CHANGES:
        yield line(f"and {len(near.changes) - SHOWN_CHANGES} more differences", indent=6)


def anchor_lines(anchor: Anchor, document: Document | Unread | None) -> Iterator[Line]:
    """Where a quote was found, how it was matched, and the passage around it."""
    place = wording.anchor_words(anchor, document)
    yield line(("found: ", "dim"), f"{place}; {wording.tier_words(anchor)}", indent=4, hang=2)
    if isinstance(document, Document):
        for pieces in passages(anchor, document):
            yield line(*terminal.marked_parts(pieces), indent=6)


def passages(anchor: Anchor, document: Document) -> Iterator[tuple[str, str, str]]:
    """Each piece of a quote in its surroundings: before the first piece, after the last."""
    texts = {page.sheet: page.text for page in document.pages}
    last = len(anchor.spans) - 1
    for number, span in enumerate(anchor.spans):
        if span.start == span.end:
            continue
        before = wording.CONTEXT if number == 0 else 0
        after = wording.CONTEXT if number == last else 0
        yield wording.around(span, texts.get(span.sheet, ""), before=before, after=after)


# --- what is computed and searched ------------------------------------------------------------------------------


def computation_lines(claim: Claim, computation: Computation | None, report: Report) -> Iterator[Line]:
    """The formula, the formula with its numbers, and what it gives."""
    formula = wording.flowing(claim.formula or "")
    yield line(formula, indent=2, hang=2)
    if len(formula) <= computations.MOST_FORMULA:
        numbers = wording.flowing(computations.with_numbers(claim, by_id(report)))
        yield line(f"= {numbers}", indent=2, hang=2)
    if computation and computation.computed:
        yield line(f"= {wording.flowing(computation.computed)}", indent=2, hang=2)
    for name, words in computations.facts(claim, computation).items():
        yield line((f"{name}: ", "dim"), wording.flowing(words), indent=2, hang=2)


def search_lines(trace: SearchTrace, document: Document | Unread | None) -> Iterator[Line]:
    """What was looked for in a source, over how many pages, and every hit with the answer that the claim gives."""
    terms = ", ".join(f"“{wording.flowing(term)}”" for term in trace.search.terms) or "no terms"
    yield line(f"{wording.flowing(trace.search.source)}: {terms}", indent=2, hang=2)
    if trace.unchecked:
        yield line(("unchecked: ", "yellow"), wording.flowing(trace.unchecked), indent=4, hang=2)
    else:
        hits = wording.counted(len(trace.hits), "hit")
        yield line(f"{wording.counted(trace.pages, 'page')} searched, {hits}", indent=4)
    if trace.unread_pages:
        pages = ", ".join(wording.flowing(page) for page in trace.unread_pages)
        yield line(("pages without text: ", "yellow"), pages, indent=4, hang=2)
    for hit in trace.hits[:SHOWN_HITS]:
        answer = ("answered", "green") if hit.answered else ("not answered", "bold red")
        yield line(f"{wording.passage_words(hit.passage, document)}: ", answer, indent=4, hang=2)
        yield line(*terminal.marked_parts(wording.marked(hit.passage)), indent=6)
    if len(trace.hits) > SHOWN_HITS:
        yield line(f"and {wording.counted(len(trace.hits) - SHOWN_HITS, 'more hit')}", indent=4)
    for seen in trace.search.seen:
        yield line(("answer: ", "dim"), seen_words(seen), indent=4, hang=2)


def seen_words(seen: Seen) -> str:
    """The page or section that a claim has answered for, with its reason."""
    sheet = f"sheet {seen.sheet}" if seen.sheet else ""
    place = (wording.page_words(seen.page, None), sheet, wording.section_words(seen.section))
    return wording.flowing(f"{', '.join(filter(None, place))}: {seen.because or 'no reason given'}")


# --- findings and the tree --------------------------------------------------------------------------------------


def findings_of(shown: ClaimReport, report: Report) -> Iterator[Finding]:
    """The findings about one claim, accepted ones included."""
    return (finding for finding in report.findings if finding.problem.claim == shown.claim.id)


def finding_lines(shown: ClaimReport, report: Report) -> Iterator[Line]:
    """Each finding with its line, and the reason where it is accepted."""
    findings = list(findings_of(shown, report))
    if findings:
        yield from heading("findings")
    for finding in findings:
        problem = finding.problem
        severity = (str(finding.severity), terminal.SEVERITY_STYLES[finding.severity])
        place = wording.flowing(str(problem.at))
        yield line(severity, f"  {finding.rule}: {wording.flowing(problem.message)}", indent=2, hang=2)
        yield line((f"at {place}", "dim"), indent=4)
        if problem.hint:
            yield line(("hint: ", "cyan"), wording.flowing(problem.hint), indent=4, hang=2)
        if finding.accepted is not None:
            yield line(("accepted: ", "dim"), wording.flowing(finding.accepted), indent=4, hang=2)


def tree_lines(tree: Tree) -> Iterator[Line]:
    """The tree, indented by depth; deeper than a screen allows, the depth is written instead."""
    if tree.branches:
        yield from heading(tree.title)
    for branch in tree.branches:
        yield from branch_lines(branch)


def branch_lines(branch: Branch) -> Iterator[Line]:
    """A claim of the tree with its quotes; where it stands further up already, only its name."""
    indent = 2 * min(branch.depth, DEEPEST_INDENT)
    depth = f"({branch.depth}) " if branch.depth > DEEPEST_INDENT else ""
    tie = "leans on" if branch.tie == "leans on" else f"{wording.flowing(branch.tie)} ="
    name = f"{depth}{tie} {wording.flowing(branch.id)}"
    if branch.report is None:
        yield line(f"{name}  ", ("there is no such claim", "bold red"), indent=indent, hang=2)
        return
    if branch.is_repeated:
        yield line(f"{name}  ", ("shown above", "dim"), indent=indent, hang=2)
        return
    claim = branch.report.claim
    facts = ", ".join(filter(None, (wording.status_words(claim), wording.value_words(claim))))
    yield line(f"{name}  ", verdict_part(branch.report.verdict), f"  {facts}", indent=indent, hang=2)
    if claim.formula:
        yield line(f"= {wording.flowing(claim.formula)}", indent=indent + 4, hang=2)
    if claim.because:
        yield line(("because: ", "dim"), wording.flowing(claim.because), indent=indent + 4, hang=2)
    for citation in claim.cite:
        quote = f": “{wording.flowing(citation.quote)}”" if citation.quote else ""
        yield line(f"{wording.citation_words(citation)}{quote}", indent=indent + 4, hang=2)
    for search in claim.searched:
        terms = ", ".join(f"“{wording.flowing(term)}”" for term in search.terms) or "nothing"
        yield line(f"{wording.flowing(search.source)}: searched for {terms}", indent=indent + 4, hang=2)


# --- as JSON ----------------------------------------------------------------------------------------------------


def as_json(report: Report, claim_id: str, tree: Tree) -> str:
    """The same as a record: the claim as `audit` writes it, the passages around its quotes, its findings, the tree."""
    shown = by_id(report)[claim_id]
    return json_.text(
        {
            "schema": json_.SCHEMA,
            "claim": {**json_.claim_record(shown), "text": shown.claim.text, "because": shown.claim.because},
            "passages": [passage_record(each.trace, report) for each in wording.citations(shown)],
            "findings": [json_.finding_record(finding) for finding in findings_of(shown, report)],
            tree.title.replace(" ", "_"): [branch_record(branch) for branch in tree.branches],
        }
    )


def passage_record(trace: Trace | None, report: Report) -> list[list[json_.Record]]:
    """For each place where a quote was found, its pieces in their surroundings."""
    document = report.documents.get(trace.citation.source) if trace else None
    if trace is None or not isinstance(document, Document):
        return []
    return [
        [{"before": before, "quote": within, "after": after} for before, within, after in passages(anchor, document)]
        for anchor in trace.anchors
    ]


def branch_record(branch: Branch) -> json_.Record:
    """A claim of the tree; `repeated` where it stands further up already."""
    claim = None if branch.report is None or branch.is_repeated else json_.claim_record(branch.report)
    return {
        "id": branch.id,
        "depth": branch.depth,
        "by": branch.tie,
        **json_.given(claim=claim, repeated=branch.is_repeated, unknown=branch.report is None),
    }
