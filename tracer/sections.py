"""Headings and captions to whether a place in a document lies in the section that a citation names."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from tracer.model import Document, Heading, Page, Span
from tracer.text import comparable

MOST_TITLES = 2
"""How many of the titles around a text say what it is about."""

_FLOAT = re.compile(
    r"(table|tab|figure|fig|algorithm|listing|equation|eq)\.?\s*\(?([A-Z]?\.?\d+(?:\.\d+)*)\)?", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?:sections?|sec\.|appendix|app\.|§+|chapter)?\s*((?:\d+|[A-Z])(?:\.\d+)*)\.?(?:\s+(\S.*))?", re.IGNORECASE
)
_WHOLE_NAMES = {"tab": "table", "fig": "figure", "eq": "equation"}
_FRONT = frozenset({"title", "titlepage", "frontmatter", "cover"})


def section_at(headings: Sequence[Heading], span: Span) -> Heading | None:
    """The last heading at or before a place, in reading order; None before the first."""
    position = bisect_right(headings, (span.sheet, span.start), key=lambda heading: (heading.sheet, heading.start))
    return headings[position - 1] if position else None


def lineage(headings: Sequence[Heading], heading: Heading | None) -> Iterator[Heading]:
    """A section and the sections around it, innermost first."""
    if heading is None:
        return
    yield heading
    level = heading.level
    for above in reversed(headings[: headings.index(heading)]):
        if above.level < level:
            yield above
            level = above.level


def titles(headings: Sequence[Heading], heading: Heading | None) -> tuple[str, ...]:
    """The titles of a section and of those around it, innermost first, no more than say what a text there is about."""
    return tuple(each.title for each in islice(lineage(headings, heading), MOST_TITLES))


def lineages(headings: Iterable[Heading]) -> Iterator[tuple[Heading, ...]]:
    """The `lineage` of each heading in turn, in one pass over all of them."""
    around: list[Heading] = []
    for heading in headings:
        while around and around[-1].level >= heading.level:
            around.pop()
        around.append(heading)
        yield tuple(reversed(around))


def agrees(cited: str, document: Document, span: Span) -> tuple[bool | None, str | None]:
    """Whether a place lies in a cited section; None, with the reason, where the document does not tell."""
    captioned = _FLOAT.fullmatch(cited.strip())
    if captioned:
        return _has_float(document.pages[span.sheet - 1], captioned), None
    if comparable(cited) in _FRONT:
        return _is_front(document, span), None
    if not document.headings:
        return None, "the source shows no headings"
    if any(is_named(cited, heading) for heading in lineage(document.headings, section_at(document.headings, span))):
        return True, None
    is_known = any(is_named(cited, heading) for heading in document.headings)
    is_numbered = any(heading.number for heading in document.headings)
    if not is_known and not is_numbered and _NUMBER.fullmatch(cited.strip()):
        return None, "the headings of the source carry no numbers"
    if not is_known and document.headings_by == "type":
        return None, "no heading of that name is told apart in the source"
    return False, None


def _is_front(document: Document, span: Span) -> bool:
    """Whether a place stands before the first heading, or is that heading where it is the title of the document."""
    heading = section_at(document.headings, span)
    is_title = heading is not None and heading is document.headings[0] and heading.number is None
    return heading is None or (is_title and span.start == heading.start)


def is_named(cited: str, heading: Heading) -> bool:
    """Whether a citation names a heading: by number, by title, or by both, which then must both be right."""
    text = cited.strip()
    if comparable(text) == comparable(heading.title):
        return True
    match = _NUMBER.fullmatch(text)
    if not match:
        return comparable(text) == comparable(f"{heading.number or ''} {heading.title}")
    number, title = match.groups()
    is_number = heading.number is not None and number.casefold() == heading.number.casefold()
    return is_number and (title is None or comparable(title) == comparable(heading.title))


def _has_float(page: Page, captioned: re.Match[str]) -> bool:
    """Whether a page holds the caption of a table or figure, or the number of an equation."""
    kind = captioned.group(1).casefold()
    kind, number = _WHOLE_NAMES.get(kind, kind), re.escape(captioned.group(2))
    if kind == "equation":
        return re.search(rf"\({number}\)", page.text) is not None
    short = next((short for short, whole in _WHOLE_NAMES.items() if whole == kind), kind)
    caption = re.compile(rf"^\s*(?:{kind}|{short})\.?\s*{number}(?![\d.]*\d)", re.IGNORECASE | re.MULTILINE)
    return caption.search(page.text.replace("\r", "\n")) is not None
