"""The history of a claim to the text of a terminal, or to JSON: what changed in each commit, and what is flagged."""

from collections.abc import Iterator, Mapping, Sequence

from tracer import wording
from tracer.history import Entry
from tracer.model import Citation, Claim
from tracer.reports import json_
from tracer.reports.lines import BLANK, Line, line, printed

SCHEMA = 1
WIDTH = 80
FLAG = "the value changed, its evidence did not"


def render(claim_id: str, entries: Sequence[Entry], *, width: int = WIDTH, colour: bool = False) -> str:
    """Every change, the newest first."""
    return printed(_lines(claim_id, entries), width=width, colour=colour)


def _lines(claim_id: str, entries: Sequence[Entry]) -> Iterator[Line]:
    yield line((wording.flowing(claim_id), "bold"))
    for entry in entries:
        yield BLANK
        yield from _entry_lines(entry)
    yield BLANK
    flagged = sum(entry.is_flagged for entry in entries)
    changes = wording.counted(sum("value" in entry.parts for entry in entries), "change")
    yield line(f"{changes} of the value, {flagged:,} without a change of its evidence")


def _entry_lines(entry: Entry) -> Iterator[Line]:
    yield line(*_commit_parts(entry), hang=2)
    if entry.is_flagged:
        yield line((f"! {FLAG}", "bold red"), indent=2, hang=2)
    if entry.old_path != entry.path:
        yield line(f"from {wording.flowing(entry.old_path)} to {wording.flowing(entry.path)}", indent=2, hang=2)
    if entry.before is None and entry.after is not None:
        yield from _whole(entry.after, "begins: ")
    elif entry.after is None:
        yield line("taken out", indent=2)
    elif entry.before is not None:
        yield from _changes(entry, entry.before, entry.after)


def _commit_parts(entry: Entry) -> tuple[tuple[str, str], ...]:
    commit = entry.commit
    if commit is None:
        return (("not committed", "yellow"),)
    said = f"  {commit.date}  {wording.flowing(commit.author)}  {wording.flowing(commit.subject)}"
    return (commit.short, "yellow"), (said, "")


def _whole(claim: Claim, before: str) -> Iterator[Line]:
    value = wording.value_words(claim)
    said = ", ".join(part for part in (value, wording.status_words(claim)) if part)
    yield line(f"{before}{said}", indent=2, hang=2)
    yield from (line(wording.flowing(each), indent=4, hang=2) for each in _ground_words(claim))


def _changes(entry: Entry, before: Claim, after: Claim) -> Iterator[Line]:
    for part in entry.parts:
        if part in ("value", "notation"):
            yield _step(part, wording.value_words(before), wording.value_words(after))
        elif part == "status":
            yield _step(part, wording.status_words(before), wording.status_words(after))
        elif part == "text":
            yield _step(part, before.text or "", after.text or "")
        elif part not in ("quotes", "places", "grounds"):
            yield line(f"{part} changed", indent=2)
    if {"quotes", "places", "grounds"} & set(entry.parts):
        yield from _evidence_lines(list(_ground_words(before)), list(_ground_words(after)))
    if entry.changed_inputs:
        yield line(f"its inputs changed: {wording.flowing(', '.join(entry.changed_inputs))}", indent=2, hang=2)


def _step(part: str, before: str, after: str) -> Line:
    return line(f"{part}: {wording.flowing(before) or 'none'} → {wording.flowing(after) or 'none'}", indent=2, hang=2)


def _evidence_lines(before: Sequence[str], after: Sequence[str]) -> Iterator[Line]:
    for each in (each for each in before if each not in after):
        yield line((f"− {wording.flowing(each)}", "red"), indent=4, hang=2)
    for each in (each for each in after if each not in before):
        yield line((f"+ {wording.flowing(each)}", "green"), indent=4, hang=2)


def _ground_words(claim: Claim) -> Iterator[str]:
    """What a claim rests on, in words for a person: each citation with its quote, or its formula or reason."""
    for citation in claim.citations:
        quote = f" “{citation.quote}”" if citation.quote else ""
        yield f"{', '.join(_place_words(citation))}{quote}"
    if claim.formula:
        yield f"{claim.formula}, where {', '.join(f'{name} is {ground}' for name, ground in claim.inputs.items())}"
    if claim.because:
        yield claim.because


def _place_words(citation: Citation) -> Iterator[str]:
    yield citation.source
    for name in ("section", "page", "sheet", "at", "lines"):
        if value := getattr(citation, name):
            yield f"{name} {value}"


# --- JSON -----------------------------------------------------------------------------------------------------------


def as_json(claim_id: str, entries: Sequence[Entry]) -> str:
    """Every change with the claim's value, status and evidence before and after it."""
    from tracer import __version__

    return json_.text(
        {
            "schema": SCHEMA,
            "tracer": __version__,
            "claim": claim_id,
            "flagged": sum(entry.is_flagged for entry in entries),
            "entries": [_record(entry) for entry in entries],
        }
    )


def _record(entry: Entry) -> Mapping[str, object]:
    commit = entry.commit
    told = commit and {
        "id": commit.id,
        "date": commit.date,
        "author": commit.author,
        "subject": commit.subject,
    }
    return {
        "commit": told,
        "path": entry.path,
        "old-path": entry.old_path,
        "changed": list(entry.parts),
        "changed-inputs": list(entry.changed_inputs),
        "flagged": entry.is_flagged,
        "before": _claim_record(entry.before),
        "after": _claim_record(entry.after),
    }


def _claim_record(claim: Claim | None) -> Mapping[str, object] | None:
    if claim is None:
        return None
    return {
        "value": claim.value,
        "unit": claim.unit,
        "status": claim.status and str(claim.status),
        "text": claim.text,
        "evidence": list(_ground_words(claim)),
    }
