"""The pins that a source had and the citations into it to what moved, step by step from each pin to the next.

A step goes from an older pin to a newer one, whichever of them is cited. The citations are looked up in the other bytes
as `revising` does it, taken along to where they stand there, and looked up from these in the next. What became of each
is kept by the bytes of both pins and the words of the citation, so that only new and changed citations cost anything.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from tracer import __version__
from tracer.cache import reading_key
from tracer.library import Library
from tracer.model import Citation, Claim, Document, Report, Revision, Source, Unread
from tracer.progress import Progress
from tracer.proposals import Edit, Kind, Proposal
from tracer.revising import look_up

VERSION = 1
"""Raised whenever a citation is looked up otherwise, or what became of it is written otherwise."""

STANDING = frozenset({Kind.STANDS, Kind.MOVED, Kind.REFERENCE_MARKS, Kind.TYPOGRAPHY})
"""Kinds of a quote whose place in the other bytes is known."""


class Fate(StrEnum):
    """What a step did to a citation; `new` and `gone` are words that only the newer or only the older pin has."""

    UNCHANGED = "unchanged"
    MOVED = "moved"
    REFERENCES = "references"
    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"
    NEITHER = "in neither"
    OPEN = "undecided"


FATES = {
    Kind.STANDS: Fate.UNCHANGED,
    Kind.TYPOGRAPHY: Fate.UNCHANGED,
    Kind.MOVED: Fate.MOVED,
    Kind.REFERENCE_MARKS: Fate.REFERENCES,
    Kind.ALTERED: Fate.CHANGED,
    Kind.GONE: Fate.GONE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a step did to one citation; `edits` and `changes` go from the older pin to the newer one.

    `quote` is what is cited: words, or the path of a value in a data file.
    """

    claim: str
    quote: str | None
    fate: Fate
    edits: tuple[Edit, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A pin whose bytes are not read, and why."""

    pin: Revision
    unread: Unread


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Two pins and what became of the citations between them, or which of the two is missing."""

    older: Revision
    newer: Revision
    rows: tuple[Row, ...] = ()
    missing: Missing | None = None

    def count(self, fate: Fate) -> int:
        """How many citations ended so."""
        return sum(row.fate is fate for row in self.rows)


def steps(report: Report, library: Library, *, progress: Progress | None = None) -> Mapping[str, tuple[Step, ...]]:
    """The steps of every cited source with several pins, newest first, by the name that citations give it.

    `progress` is called with the id of each source.
    """
    pointers = _pointers(report)
    revised = [source for source in report.ledger.sources.values() if source.id in pointers]
    revised = [source for source in revised if source.sha256 and len(pins(_root(source, report))) > 1]
    found = {}
    for done, source in enumerate(revised, start=1):
        chain = tuple(_read(library, _root(source, report)))
        at = max(at for at, one in enumerate(chain) if one.pin.sha256 == source.sha256)
        found[source.id] = tuple(_Carrier(library=library).steps(chain, at, pointers[source.id]))
        if progress:
            progress(source.id, done, len(revised))
    return found


def _root(source: Source, report: Report) -> Source:
    """The source that another is one revision of, else the source itself."""
    return report.ledger.sources[source.revision_of or source.id]


def pins(source: Source) -> tuple[Revision, ...]:
    """The pins of a source as they followed on each other, the present one last."""
    written = (*source.revisions, source.pin) if source.pin else source.revisions
    return tuple(next(same) for _, same in groupby(written, key=lambda pin: pin.sha256))


Pointer = tuple[Claim, Citation]


def _pointers(report: Report) -> Mapping[str, tuple[Pointer, ...]]:
    """The citations by the name of their source; a path of a data file goes for its value, not for a quote of it."""
    found: dict[str, list[Pointer]] = {}
    for claim in (shown.claim for shown in report.claims):
        for citation in claim.citations:
            bare = replace(citation, quote=None) if citation.at else citation
            found.setdefault(citation.source, []).append((claim, bare))
    return {name: tuple(pointers) for name, pointers in found.items()}


# --- what became of one citation ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What was found of a citation in other bytes; an edit names a field of the citation."""

    kind: Kind
    was_lost: bool
    edits: tuple[Edit, ...]
    changes: tuple[tuple[str, str], ...]
    reason: str | None

    @property
    def is_back_again(self) -> bool:
        """Whether the other bytes hold a quote that the cited ones do not."""
        return self.was_lost and (self.kind in STANDING or self.kind is Kind.AMBIGUOUS)

    @property
    def is_taken_along(self) -> bool:
        """Whether the citation is looked up further on; one that only the cited bytes hold is not."""
        return self.was_lost or self.kind in STANDING

    @property
    def backwards(self) -> "_Outcome":
        """The same, told from the other end."""
        return replace(
            self,
            edits=tuple(replace(edit, old=str(edit.new), new=edit.old or "") for edit in self.edits),
            changes=tuple((new, old) for old, new in self.changes),
        )


def _outcome(row: Proposal) -> _Outcome:
    return _Outcome(
        kind=row.kind,
        was_lost=row.was_lost,
        edits=tuple(replace(edit, field=edit.field.rpartition(".")[2]) for edit in row.edits),
        changes=row.changes,
        reason="it stands at several places" if row.kind is Kind.AMBIGUOUS else row.reason,
    )


def _packed(outcomes: Mapping[str, _Outcome]) -> bytes:
    records = {
        words: [
            outcome.kind,
            outcome.was_lost,
            [[edit.field, edit.old, edit.new] for edit in outcome.edits],
            outcome.changes,
            outcome.reason,
        ]
        for words, outcome in outcomes.items()
    }
    return json.dumps(records).encode()


def _unpacked(record: bytes) -> Mapping[str, _Outcome]:
    return {
        words: _Outcome(
            kind=Kind(kind),
            was_lost=was_lost,
            edits=tuple(Edit(field=field, old=old, new=new) for field, old, new in edits),
            changes=tuple((old, new) for old, new in changes),
            reason=reason,
        )
        for words, (kind, was_lost, edits, changes, reason) in json.loads(record).items()
    }


def _words(pointer: Pointer) -> str:
    """All of a citation that what becomes of it depends on, in short."""
    claim, citation = pointer
    place = [citation.section, citation.page, citation.sheet, citation.at, citation.lines]
    said = json.dumps([claim.broken, *place, citation.quote])
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def _placed(pointer: Pointer, outcome: _Outcome) -> Pointer:
    """The citation with the place and the reference numbers that its quote has in the other bytes."""
    claim, citation = pointer
    edits = {edit.field: str(edit.new) for edit in outcome.edits if outcome.kind in STANDING}
    return claim, replace(citation, **edits)


def _row(pointer: Pointer, outcome: _Outcome, again: _Outcome | None, *, is_back: bool) -> Row:
    """What a step did to a citation; it was looked up from the newer pin to the older one where it `is_back`.

    `again` is what was found the other way round, for a quote that the pin which it was looked up from does not hold.
    """
    claim, citation = pointer
    is_inverted = is_back is (again is None)
    told = again or outcome
    fate = FATES.get(told.kind, Fate.OPEN)
    if fate is Fate.GONE and is_inverted:
        fate = Fate.NEW
    if again is None and outcome.was_lost and fate is not Fate.OPEN:
        fate = Fate.NEITHER
    directed = told.backwards if is_inverted else told
    return Row(
        claim=claim.id,
        quote=citation.quote or citation.at,
        fate=fate,
        edits=directed.edits,
        changes=directed.changes if fate is Fate.CHANGED else (),
        reason=told.reason if fate is Fate.OPEN else None,
    )


# --- from pin to pin ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A pin with its bytes as read, and the source by which they are found."""

    pin: Revision
    source: Source
    document: Document


def _read(library: Library, root: Source) -> Iterator[_Read | Missing]:
    """The pins of a source, each with its bytes or with the reason why there are none."""
    known = pins(root)
    sources = [root if pin.sha256 == root.sha256 else _older(root, pin) for pin in known]
    for pin, source, (_, read) in zip(known, sources, library.documents(sources), strict=True):
        if isinstance(read, Unread):
            yield Missing(pin=pin, unread=read)
        elif read.sha256 != pin.sha256:
            yield Missing(pin=pin, unread=Unread(kind="absent", reason="its file has other bytes than the pin"))
        else:
            yield _Read(pin=pin, source=source, document=read)


def _older(root: Source, pin: Revision) -> Source:
    """A source with an earlier pin: its address gives other bytes by now, and so does its file."""
    return replace(root, id=f"{root.id}@{pin.name}", revision=pin.name, sha256=pin.sha256, url=None, file=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Carrier:
    """Takes citations from one pin to the next."""

    library: Library

    def steps(self, chain: Sequence[_Read | Missing], at: int, pointers: Sequence[Pointer]) -> Iterator[Step]:
        """The steps to the pins after the one that is cited, the last first, then those to the pins before it."""
        here, before, after = chain[at], chain[:at][::-1], chain[at + 1 :]
        if isinstance(here, Missing):
            yield from (Step(older=here.pin, newer=other.pin, missing=here) for other in reversed(after))
            yield from (Step(older=other.pin, newer=here.pin, missing=here) for other in before)
            return
        found = self._looked_up(pointers, here, here)
        placed = [_placed(pointer, found[_words(pointer)]) for pointer in pointers]
        yield from reversed(list(self._walk(placed, here, after, is_back=False)))
        yield from self._walk(placed, here, before, is_back=True)

    def _walk(
        self, pointers: Sequence[Pointer], here: _Read, others: Sequence[_Read | Missing], *, is_back: bool
    ) -> Iterator[Step]:
        """A step to each of some pins; one that is not read is stepped over."""
        for other in others:
            older, newer = (other.pin, here.pin) if is_back else (here.pin, other.pin)
            if isinstance(other, Missing):
                yield Step(older=older, newer=newer, missing=other)
                continue
            found = self._looked_up(pointers, here, other)
            outcomes = [(pointer, found[_words(pointer)]) for pointer in pointers]
            again = self._looked_up([pointer for pointer, it in outcomes if it.is_back_again], other, here)
            rows = (_row(*pair, again.get(_words(pair[0])), is_back=is_back) for pair in outcomes)
            yield Step(older=older, newer=newer, rows=tuple(rows))
            pointers = [_placed(*pair) for pair in outcomes if pair[1].is_taken_along]
            here = other

    def _looked_up(self, pointers: Sequence[Pointer], old: _Read, new: _Read) -> Mapping[str, _Outcome]:
        """What becomes of citations of the one pin in the other, by their words; what is not kept yet is looked up."""
        wanted = {_words(pointer): pointer for pointer in pointers}
        depth = f"to {new.pin.sha256} {__version__} {VERSION}"
        key = reading_key(old.pin.sha256, old.document.kind, depth=depth)
        record = self.library.cache.page(key, 0) if wanted else None
        kept = _unpacked(record) if record else {}
        lacking = [words for words in wanted if words not in kept]
        if lacking:
            made = map(_outcome, self._proposals([wanted[words] for words in lacking], old, new))
            kept = {**kept, **dict(zip(lacking, made, strict=True))}
            self.library.cache.keep_pages(key, [(0, _packed(kept))])
        return {words: kept[words] for words in wanted}

    def _proposals(self, pointers: Sequence[Pointer], old: _Read, new: _Read) -> Sequence[Proposal]:
        """What becomes of citations by the plain readings, and by closer ones where these could tell more."""
        rows = list(look_up(pointers, new.source.id, old.document, new.document))
        doubtful = [number for number, row in enumerate(rows) if row.may_be_closer]
        if doubtful:
            closer = [self.library.closer_throughout(one.source, one.document) for one in (old, new)]
            again = look_up([pointers[number] for number in doubtful], new.source.id, *closer)
            for number, row in zip(doubtful, again, strict=True):
                rows[number] = row
        return rows
