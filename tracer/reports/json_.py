"""A Report to the JSON that other programs build on: `audit.schema.json` beside this module describes it.

Keys are sorted and every character outside ASCII is escaped, so that equal reports are equal bytes anywhere.
Keys that say nothing (no value, no searches, not disputed) are left out; those of the contract always stand.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from tracer.model import (
    Anchor,
    ClaimReport,
    Computation,
    Finding,
    Passage,
    Place,
    Report,
    SearchTrace,
    Severity,
    Verdict,
)
from tracer.wording import Followed, citations

SCHEMA = 1
Record = Mapping[str, object]


def render(report: Report) -> str:
    """The whole report; accepted findings are listed with their reason and counted apart."""
    from tracer import __version__
    from tracer.comparing import fingerprints

    named = zip(report.findings, fingerprints(report), strict=True)
    return lines(
        {
            "schema": SCHEMA,
            "tracer": __version__,
            "ledger": report.ledger.folder,
            "counts": counts(report),
            "claims": [claim_record(claim) for claim in report.claims],
            "findings": [{**finding_record(finding), "fingerprint": name} for finding, name in named],
        }
    )


def text(record: Record) -> str:
    """A record as it is written: sorted, indented, ASCII, ended by a line end."""
    return json.dumps(record, sort_keys=True, indent=2, ensure_ascii=True) + "\n"


def lines(record: Record) -> str:
    """A record of many: sorted, ASCII, each item of its lists on a line of its own, in a tenth of the time."""
    return "{\n" + ",\n".join(f"{_compact(name)}: {_lined(record[name])}" for name in sorted(record)) + "\n}\n"


def _lined(value: object) -> str:
    return "[\n" + ",\n".join(map(_compact, value)) + "\n]" if isinstance(value, list) and value else _compact(value)


_compact = json.JSONEncoder(sort_keys=True, ensure_ascii=True).encode


def counts(report: Report) -> Record:
    """How many claims ended how, and how many findings of each severity stand."""
    standing = [finding for finding in report.findings if finding.accepted is None and not finding.known]
    verdicts = {str(verdict): report.count(verdict) for verdict in Verdict}
    severities = {f"{severity}s": sum(f.severity is severity for f in standing) for severity in Severity}
    accepted = sum(finding.accepted is not None for finding in report.findings)
    known = sum(finding.known for finding in report.findings)
    return {"claims": len(report.claims), **verdicts, **severities, "accepted": accepted, **given(known=known)}


def claim_record(report: ClaimReport) -> Record:
    """One claim: what it says, how it ended, and what each of its grounds came to."""
    claim = report.claim
    cited = [citation_record(followed) for followed in citations(report)]
    searches = [search_record(search) for search in report.searches]
    return {
        "id": claim.id,
        "status": claim.status and str(claim.status),
        "verdict": str(report.verdict),
        "stage": claim.stage,
        "field": claim.field,
        "citations": cited,
        **given(value=claim.value, unit=claim.unit, searches=searches, disputed=report.is_disputed),
        **given(computation=report.computation and computation_record(report.computation)),
    }


def given(**fields: object) -> Record:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value}


def citation_record(followed: Followed) -> Record:
    """One citation as written, with every place where its quote was found."""
    citation, trace = followed.citation, followed.trace
    role = "" if citation.role == "cite" else citation.role
    return {
        "source": citation.source,
        "section": citation.section,
        "page": citation.page,
        "verdict": str(followed.verdict),
        "found": [anchor_record(anchor) for anchor in trace.anchors] if trace else [],
        **given(sheet=citation.sheet, at=citation.at, lines=citation.lines, quote=citation.quote, role=role),
        **given(unchecked=(trace.unchecked or trace.section_unread) if trace else None),
    }


def anchor_record(anchor: Anchor) -> Record:
    """A place where a quote stands; `spans` where it stands in several pieces, else `start` and `end` say all."""
    first = anchor.spans[0]
    pieces = [{"sheet": span.sheet, "start": span.start, "end": span.end} for span in anchor.spans]
    return {
        "page": anchor.page,
        "sheet": first.sheet,
        "section": anchor.section and str(anchor.section),
        "tier": str(anchor.tier),
        "start": first.start,
        "end": first.end,
        **given(foldings=list(anchor.foldings), spans=pieces if len(pieces) > 1 else None),
    }


def search_record(trace: SearchTrace) -> Record:
    """A search of a `not-stated` claim: what was looked for, over how many pages, and each hit."""
    hits = [
        {
            "term": hit.term,
            "page": hit.page,
            "sheet": hit.span.sheet,
            "section": hit.section,
            "start": hit.span.start,
            "end": hit.span.end,
            "answered": hit.answered,
        }
        for hit in trace.hits
    ]
    return {
        "source": trace.search.source,
        "terms": list(trace.search.terms),
        "pages": trace.pages,
        "hits": hits,
        **given(unread_pages=list(trace.unread_pages), unchecked=trace.unchecked),
    }


def computation_record(computation: Computation) -> Record:
    """What a formula gives, as text; only what is known."""
    return {name: value for name, value in asdict(computation).items() if value is not None and name != "at_field"}


def finding_record(finding: Finding) -> Record:
    """One finding: the rule, the line to edit, what to write instead and where the sources speak of it."""
    problem = finding.problem
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "claim": problem.claim,
        "message": problem.message,
        "hint": problem.hint,
        "at": place_record(problem.at),
        "see": list(passage_records(problem.see)),
        "accepted": finding.accepted,
        **given(related=[place_record(place) for place in problem.related], unchecks=problem.unchecks),
        **given(known=finding.known),
    }


def place_record(place: Place) -> Record:
    """A line and column of a ledger file, both counted from 1."""
    return {"path": place.path, "line": place.line, "column": place.column}


def passage_records(passages: tuple[Passage, ...]) -> Iterator[Record]:
    """Pieces of sources; `marked` is the part (start, end) of the text that a piece is shown for."""
    for passage in passages:
        yield {
            "source": passage.source,
            "page": passage.page,
            "sheet": passage.sheet,
            "section": passage.section,
            "text": passage.text,
            **given(marked=list(passage.marked) if passage.marked else None),
        }
