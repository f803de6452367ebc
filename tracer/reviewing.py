"""A claim and the pins of its sources to the fingerprint that a person signs, and what has changed since.

The fingerprint is a version and one short hash for each part of the claim, so that a later audit can say which part is
another one now: `2 text:9f86d081884c value:… evidence:… grounds:… sources:…`.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping

from tracer.model import Citation, Claim, Source

VERSION = "2"

_LENGTH = 12


def fingerprint(claim: Claim, sources: Mapping[str, Source]) -> str:
    """What a person signs: the claim's meaning and the sha256 of every source that it points into."""
    parts = " ".join(f"{name}:{_hash(value)}" for name, value in _parts(claim, sources))
    return f"{VERSION} {parts}"


def changes(claim: Claim, sources: Mapping[str, Source]) -> str | None:
    """What has changed since the claim was signed, in words; None where nothing has or nobody signed."""
    if claim.review is None:
        return None
    signed = (claim.review.seen or "").split()
    if not signed or signed[0] != VERSION:
        return "the fingerprint is missing or of another version"
    now = fingerprint(claim, sources).split()[1:]
    changed = [part.partition(":")[0] for part in now if part not in signed[1:]]
    return f"changed since: {', '.join(changed)}" if changed else None


def _parts(claim: Claim, sources: Mapping[str, Source]) -> Iterator[tuple[str, object]]:
    yield "text", [claim.stage, claim.field, claim.text, claim.note]
    yield "value", [claim.value, claim.unit, claim.tolerance, claim.status]
    yield "evidence", [_pointer(citation) for citation in claim.citations]
    yield "grounds", [claim.formula, sorted(claim.inputs.items()), claim.leans_on, claim.because, _searches(claim)]
    yield "accepted", sorted(claim.accept.items())
    named = sorted({*(citation.source for citation in claim.citations), *(s.source for s in claim.searched)})
    yield "sources", [(name, sources[name].sha256 if name in sources else None) for name in named]


def _pointer(citation: Citation) -> list[str | None]:
    return [
        citation.role,
        citation.source,
        citation.section,
        citation.page,
        citation.sheet,
        citation.at,
        citation.lines,
        citation.quote,
        citation.because,
    ]


def _searches(claim: Claim) -> list[object]:
    return [
        [search.source, search.terms, [[seen.page, seen.sheet, seen.section, seen.because] for seen in search.seen]]
        for search in claim.searched
    ]


def _hash(value: object) -> str:
    """A short hash over fields kept apart by their JSON form."""
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()[:_LENGTH]
