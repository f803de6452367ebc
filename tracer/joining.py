"""Two pages that follow on each other to one, as a sentence that runs over the page end reads them."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product

from tracer.model import Folded, Page, Reading, Span
from tracer.readers.marks import BODY, COLUMNS

_SURE = 6
"""Of a quote twice as long, at least so many characters stand on one side of the page end that it runs over."""

_NEARBY = 40
"""Comparable characters on both sides of a page end that are read beyond the quote itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two pages as one: the text of both, and readings of their body texts put end to end."""

    first: Page
    second: Page
    page: Page

    def apart(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Runs of the joined text as runs of the two pages."""
        return tuple(part for span in spans for part in self._parts(span))

    def _parts(self, span: Span) -> Iterator[Span]:
        seam = len(self.first.text)
        if span.start < seam:
            end = len(self.first.text[: min(span.end, seam)].rstrip())
            yield Span(sheet=self.first.sheet, start=span.start, end=max(end, span.start))
        if span.end > seam + 1:
            start = max(span.start - seam - 1, 0)
            yield Span(sheet=self.second.sheet, start=start, end=span.end - seam - 1)


def pair(first: Page, second: Page, *, wanted: str | None = None) -> Pair:
    """Two pages put together; for a `wanted` comparable text only as far as it reaches, where it may stand."""
    shift = len(first.text) + 1
    reach = None if wanted is None else len(wanted) + _NEARBY
    readings = tuple(
        Reading(name=head.name, folded=_end_to_end(head.folded, tail.folded, shift, reach))
        for head, tail in _joinable(first, second, wanted)
    )
    text = f"{first.text}\n{second.text}" if readings else ""
    return Pair(
        first=first, second=second, page=Page(sheet=first.sheet, label=first.label, text=text, readings=readings)
    )


def may_run_over(first: Page, second: Page, wanted: str) -> bool:
    """Whether a comparable text may run over the end between two pages."""
    return next(_joinable(first, second, wanted), None) is not None


def _joinable(first: Page, second: Page, wanted: str | None) -> Iterator[tuple[Reading, Reading]]:
    """The readings of two pages in which a text, if one is wanted, may run over the end between them."""
    for head, tail in product(_bodies(first), _bodies(second)):
        if wanted is None or _may_meet(head.folded.text, tail.folded.text, wanted):
            yield head, tail


def _may_meet(head: str, tail: str, wanted: str) -> bool:
    """Whether a text may begin in one and go on in the other; of a long one enough stands on one side to tell."""
    if len(wanted) >= 2 * _SURE:
        return tail[:_SURE] in wanted or head[-4 * _SURE :].rstrip(" -")[-_SURE:] in wanted
    left = head[-len(wanted) - _SURE :].rstrip(" -")
    return any(
        tail.startswith(wanted[cut:]) and left.endswith(wanted[:cut].rstrip(" -")) for cut in range(1, len(wanted))
    )


def _bodies(page: Page) -> Iterator[Reading]:
    """The readings of a page in which its body text runs to its edges, the barest first."""
    bodies = (reading for reading in page.readings if BODY in reading.name)
    in_columns = (reading for reading in page.readings if reading.name.startswith(COLUMNS))
    return (reading for reading in chain(bodies, page.readings[:1], in_columns) if reading.folded.text)


def _end_to_end(head: Folded, tail: Folded, shift: int, reach: int | None) -> Folded:
    """Two comparable texts as one; a word that the page end cuts is whole again, figures that meet stay apart."""
    start = 0 if reach is None else max(0, len(head.text) - reach)
    end = len(tail.text) if reach is None else min(len(tail.text), reach)
    left, right = head.text[start:].rstrip(" "), tail.text[:end]
    kept = head.dashes[bisect_left(head.dashes, (start, False)) :]
    dashes = [(at - start, is_operator) for at, is_operator in kept]
    if left[-1:] == "-" and left[-2:-1].isalpha() and right[:1].isalpha():
        left = left[:-1]
        dashes.append((len(left), False))
    offsets = array("I", head.offsets[start : start + len(left)])
    if left[-1:].isdigit() and right[:1].isdigit():
        left += " "
        offsets.append(shift - 1)
    following = tail.dashes[: bisect_left(tail.dashes, (end, False))]
    dashes.extend((at + len(left), is_operator) for at, is_operator in following)
    offsets.extend(offset + shift for offset in tail.offsets[:end])
    return Folded(text=left + right, offsets=offsets, dashes=tuple(dashes))
