"""Proposals for a revised source to the text of a terminal, or to JSON.

A section that was renumbered or renamed is said once, with how many citations follow it; what else moved, changed or
went is listed by claim, and a table counts it all.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from textwrap import wrap

from tracer import wording
from tracer.aligning import Pair
from tracer.model import Heading, Passage, Revision
from tracer.proposals import ACCEPTABLE, SETTLED, Edit, Kind, Proposal, Proposals
from tracer.reports import json_
from tracer.reports.lines import BLANK, Line, line, printed

SCHEMA = 1
WIDTH = 80
STYLES = {
    Kind.STANDS: "green",
    Kind.MOVED: "cyan",
    Kind.REFERENCE_MARKS: "cyan",
    Kind.TYPOGRAPHY: "cyan",
    Kind.VANISHED_HITS: "cyan",
    Kind.NOW_STATED: "yellow",
    Kind.UNCHECKED: "yellow",
}
TITLES = {
    Kind.MOVED: "moved",
    Kind.REFERENCE_MARKS: "reference marks only",
    Kind.TYPOGRAPHY: "typography only",
    Kind.ALTERED: "altered",
    Kind.GONE: "gone",
    Kind.AMBIGUOUS: "newly ambiguous",
    Kind.NEW_HITS: "new hits of a search",
    Kind.VANISHED_HITS: "hits of a search that vanished",
    Kind.NOW_STATED: "conclusions that the text now seems to state",
    Kind.UNCHECKED: "not checked",
}
SHOWN_HITS = 3


def render(proposals: Proposals, *, written: Collection[Kind] = (), width: int = WIDTH, colour: bool = False) -> str:
    """The sections that changed, the rows that do not stand, and the counts; `written` kinds are in the ledger."""
    lines = (*_head(proposals), *_section_lines(proposals), *_rows(proposals), *_table(proposals, written))
    return printed(lines, width=width, colour=colour)


def _head(proposals: Proposals) -> Iterator[Line]:
    old, new = proposals.old, proposals.new
    names = " → ".join(_revision_words(pin) for pin in (old, new) if pin)
    yield line((wording.flowing(proposals.source), "bold"), f": {names}")
    if not proposals.is_old_read:
        yield line("the old bytes are not at hand: what is compared are the quotes of the ledger", hang=2)
    yield BLANK


def _revision_words(pin: Revision) -> str:
    short = pin.sha256[:12]
    return short if pin.name == short else f"{wording.flowing(pin.name)} ({short})"


# --- sections -------------------------------------------------------------------------------------------------------


def _section_lines(proposals: Proposals) -> Iterator[Line]:
    follow = Counter(edit for row in proposals.rows if row.kind is Kind.MOVED for edit in _section_moves(row))
    for pair in proposals.sections:
        old, new = pair.headings
        count = sum(follow[name, str(new)] for name in _names(old)) if new else 0
        after = f"; {wording.counted(count, 'citation follows', 'citations follow')}" if count else ""
        yield line((f"section {pair.change}: ", "cyan"), f"{section_words(pair)}{after}", hang=2)
    if proposals.sections:
        yield BLANK


def _section_moves(row: Proposal) -> Iterator[tuple[str, str]]:
    return ((edit.old or "", str(edit.new)) for edit in row.edits if edit.field.endswith(".section"))


def _names(heading: Heading | None) -> tuple[str, ...]:
    return () if heading is None else tuple({str(heading), heading.title})


def section_words(pair: Pair) -> str:
    """A section as it was and as it is: `5.3.1 → 5.4.1 Long-context RL`."""
    old, new = pair.headings
    if old is None or new is None:
        return _heading_words(old or new)
    if pair.change == "renumbered":
        return f"{wording.flowing(str(old))} → {_heading_words(new)}"
    return f"{_heading_words(old)} → {_heading_words(new)}"


def _heading_words(heading: Heading | None) -> str:
    if heading is None:
        return ""
    return wording.flowing(f"{heading.number} {heading.title}" if heading.number else heading.title)


def _is_said_once(row: Proposal, proposals: Proposals) -> bool:
    """Whether all that a row says is that its section was renumbered or renamed."""
    renamed = {
        (name, str(p.new.heading)) for p in proposals.sections if p.old and p.new for name in _names(p.old.heading)
    }
    moves = list(_section_moves(row))
    return len(moves) == len(row.edits) > 0 and renamed.issuperset(moves)


# --- rows -----------------------------------------------------------------------------------------------------------


def _rows(proposals: Proposals) -> Iterator[Line]:
    for kind in Kind:
        if kind is Kind.STANDS:
            continue
        rows = [row for row in proposals.rows if row.kind is kind]
        listed = [row for row in rows if not _is_said_once(row, proposals)]
        if listed:
            yield line((TITLES[kind], f"bold {STYLES.get(kind, 'red')}"))
            for row in listed:
                yield from row_lines(row)
            yield BLANK


def row_lines(row: Proposal) -> Iterator[Line]:
    """One row: where it is written, what becomes of it, and the words that differ."""
    place = row.claim.places.of(row.at_path)
    said = "; ".join(map(edit_words, row.edits))
    where = (f"  {wording.flowing(place.path)}:{place.line}  ", "dim")
    yield line(where, (wording.flowing(row.claim.id), "bold"), f"  {said}" if said else "", hang=6)
    if row.reason:
        yield line(wording.flowing(row.reason), indent=6, hang=2)
    if row.was_lost:
        yield line("the old bytes do not hold this quote either", indent=6, hang=2)
    if row.kind in (Kind.ALTERED, Kind.GONE):
        yield from _loss_lines(row)
    for passage in row.others[:SHOWN_HITS]:
        yield line((f"{wording.passage_words(passage)}: ", "dim"), _marked(passage), indent=6, hang=2)
    if len(row.others) > SHOWN_HITS:
        yield line(f"and {wording.counted(len(row.others) - SHOWN_HITS, 'more place')}", indent=6)


def _loss_lines(row: Proposal) -> Iterator[Line]:
    for before, after in row.changes if row.kind is Kind.ALTERED else ():
        yield line(change_words(before, after), indent=6, hang=2)
    if row.quote:
        yield line(("quote:   ", "dim"), f"“{wording.flowing(row.quote)}”", indent=6, hang=9)
    if row.new:
        yield line(("nearest: ", "dim"), f"“{wording.flowing(row.new.text)}”", indent=6, hang=9)
        yield line((f"({wording.passage_words(row.new)})", "dim"), indent=15)


def change_words(before: str, after: str) -> str:
    """A pair of words that differ: `“3.6” → “3.9”`, `+ “not”`, `− “not”`."""
    old, new = wording.flowing(before), wording.flowing(after)
    if not old or not new:
        return f"+ “{new}”" if new else f"− “{old}”"
    return f"“{old}” → “{new}”"


def edit_words(edit: Edit) -> str:
    """What an edit writes: `page 13 → 14`; of a quote only the words that differ."""
    name = edit.field.rpartition(".")[2]
    if not isinstance(edit.new, str):
        return f"{name} + page {wording.flowing(edit.new.get('page', ''))}"
    if name == "quote":
        return ", ".join(f"{old} → {new}" for old, new in _different(edit.old or "", edit.new))
    step = "answered for on " if ".seen." in edit.field else ""
    return f"{step}{name} {wording.flowing(edit.old or '')} → {wording.flowing(edit.new)}"


def _different(old: str, new: str) -> Iterator[tuple[str, str]]:
    ours, theirs = (re.findall(r"\[[^\]]*\]|\S+?(?=\s|\[|$)", wording.flowing(text)) for text in (old, new))
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            yield " ".join(ours[a:b]), " ".join(theirs[c:d])


def _marked(passage: Passage) -> str:
    before, within, after = wording.marked(passage)
    return f"{before}{wording.OPEN_MARK}{within}{wording.CLOSE_MARK}{after}" if within else before


# --- counts ---------------------------------------------------------------------------------------------------------


def _table(proposals: Proposals, written: Collection[Kind]) -> Iterator[Line]:
    yield line((f"{'citations and searches':<44}{len(proposals.rows):>8,}", "bold"))
    for kind in Kind:
        count = proposals.count(kind)
        if count:
            after = "  written" if kind in written else ""
            yield line((f"  {TITLES.get(kind, kind):<42}", STYLES.get(kind, "red")), f"{count:>8,}{after}")


# --- side by side ---------------------------------------------------------------------------------------------------


def side_by_side(row: Proposal, *, width: int = WIDTH, colour: bool = False) -> str:
    """A row with its old and its new passage in two columns."""
    room = max(20, (width - 3) // 2)
    old, new = (wrap(_placed(passage), room) or ["—"] for passage in (row.old, row.new))
    height = max(len(old), len(new))
    columns = (
        f"{left:<{room}} │ {right}"
        for left, right in zip(old + [""] * (height - len(old)), new + [""] * (height - len(new)), strict=True)
    )
    lines = (line((TITLES.get(row.kind, row.kind), "bold")), *row_lines(row), BLANK, *map(line, columns))
    return printed(lines, width=width, colour=colour)


def _placed(passage: Passage | None) -> str:
    return f"[{wording.passage_words(passage)}] {_marked(passage)}" if passage else ""


# --- JSON -----------------------------------------------------------------------------------------------------------


def as_json(proposals: Proposals, *, written: Collection[Kind] = ()) -> str:
    """Every row, those that stand too, with the edits that carry it over."""
    from tracer import __version__

    return json_.text(
        {
            "schema": SCHEMA,
            "tracer": __version__,
            "source": proposals.source,
            "old": _pin_record(proposals.old),
            "new": _pin_record(proposals.new),
            "old-read": proposals.is_old_read,
            "counts": {str(kind): proposals.count(kind) for kind in Kind},
            "written": sorted(written),
            "sections": [section_record(pair) for pair in proposals.sections],
            "rows": [_row_record(row) for row in proposals.rows],
        }
    )


def _pin_record(pin: Revision | None) -> Mapping[str, object] | None:
    return None if pin is None else {"revision": pin.name, "sha256": pin.sha256}


def section_record(pair: Pair) -> Mapping[str, object]:
    """A section's change with its old and its new heading."""
    old, new = pair.headings
    return {"change": pair.change, "old": _heading_record(old), "new": _heading_record(new)}


def _heading_record(heading: Heading | None) -> Mapping[str, object] | None:
    if heading is None:
        return None
    return {"number": heading.number, "title": heading.title, "sheet": heading.sheet}


def _row_record(row: Proposal) -> Mapping[str, object]:
    passages = {"old": row.old, "new": row.new}
    return {
        "claim": row.claim.id,
        "at": json_.place_record(row.claim.places.of(row.at_path)),
        "field": row.at_path,
        "kind": str(row.kind),
        "edits": [
            {"field": edit.field, "old": edit.old, "new": edit.new, "appends": edit.appends} for edit in row.edits
        ],
        **json_.given(
            quote=row.quote,
            changes=[list(change) for change in row.changes],
            reason=row.reason,
            lost_before=row.was_lost,
            others=list(json_.passage_records(row.others)),
            **{name: next(json_.passage_records((it,))) for name, it in passages.items() if it},
        ),
    }


def left_to_do(proposals: Proposals, written: Collection[Kind]) -> Sequence[Proposal]:
    """The rows that a person must still look at."""
    return [row for row in proposals.rows if row.kind not in SETTLED and row.kind not in written]


def next_words(proposals: Proposals) -> str:
    """What writes the new pin and the rows that may be written."""
    kinds = [kind for kind in ACCEPTABLE if any(row.kind is kind and row.edits for row in proposals.rows)]
    return f"--apply --accept {','.join(kinds)}" if kinds else "--apply"
