"""A place in a source to a citation of it whose short quote verifies, or to none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tracer.anchoring import anchor, describe
from tracer.following import follow
from tracer.indexing import Indexed
from tracer.model import Anchor, Citation, Claim, Document, Places, Source
from tracer.terms import slots

MOST_WORDS = 12
LEAST_WORDS = 4
MOST_TRIED = 12
"""How many runs of words of a passage are tried before it is given up."""

_NO_CLAIM = Claim(id="", places=Places(path="", positions={}))


def verifies(citation: Citation, source: Source, document: Document) -> bool:
    """Whether a citation would pass: the quote stands once where it is cited, and cuts nothing off."""
    found = follow(_NO_CLAIM, citation, source, document)
    return found.is_decided and found.cut is None and not found.page_read_as_sheet


def record(made: Citation) -> dict[str, str]:
    """A citation as it is written in a ledger."""
    fields = ("source", "section", "page", "sheet", "at", "lines", "quote")
    return {name: value for name in fields if (value := getattr(made, name))}


def citation(quote: str, source: Source, document: Document, found: Anchor) -> Citation:
    """The citation of a quote at the place where it was found."""
    if len(found.spans) == 1 and len(quote.split()) <= MOST_WORDS:
        described = describe(document, source.id, found.spans[0])
        if verifies(described, source, document):
            return _with_lines(described, document, found)
    placed = Citation(
        source=source.id,
        section=str(found.section) if found.section else None,
        page=_page(document, found),
        quote=" ".join(quote.split()),
    )
    return _with_lines(placed, document, found)


def of_quote(quote: str, source: Source, document: Document, found: Anchor) -> Citation | None:
    """A citation of at most twelve words of a quote at the place where it was found; None where none verifies."""
    words = quote.split()
    if len(words) <= MOST_WORDS:
        made = citation(quote, source, document, found)
        return made if verifies(made, source, document) else None
    sheets = [span.sheet for span in found.spans]
    for start in range(min(MOST_TRIED, len(words) - MOST_WORDS + 1)):
        part = " ".join(words[start : start + MOST_WORDS]).rstrip(".,;:")
        for place in anchor(part, document, preferred=sheets):
            made = citation(part, source, document, place)
            if place.spans[0].sheet in sheets and verifies(made, source, document):
                return made
    return None


def _page(document: Document, found: Anchor) -> str | None:
    return (found.page or str(found.spans[0].sheet)) if document.kind == "pdf" else None


def _with_lines(placed: Citation, document: Document, found: Anchor) -> Citation:
    """The citation with the lines of a plain text, which has neither pages nor sections."""
    if document.kind != "text" or placed.section:
        return placed
    text = document.pages[0].text
    first, last = (text.count("\n", 0, offset) + 1 for offset in (found.spans[0].start, found.spans[-1].end - 1))
    return replace(placed, lines=str(first) if first == last else f"{first}-{last}")


# --- a quote out of a passage -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A citation whose quote verifies, and the sheet that it begins on."""

    citation: Citation
    sheet: int


def of_passage(passage: Indexed, wanted: Mapping[str, float], source: Source, document: Document) -> Quoted | None:
    """A citation of at most twelve words of a passage, those that hold most of the wanted tokens by their weights.

    A passage that begins at the end of a page may have these words on the next one.
    """
    if passage.at:
        value = Citation(source=source.id, at=passage.at, quote=document.values[passage.at])
        return Quoted(citation=value, sheet=passage.sheet)
    sheets = (passage.sheet, passage.sheet + 1)
    for quote in _quotes(passage.text, wanted):
        for found in anchor(quote, document, preferred=sheets):
            made = citation(quote, source, document, found)
            if found.spans[0].sheet in sheets and verifies(made, source, document):
                return Quoted(citation=made, sheet=found.spans[0].sheet)
    return None


def _quotes(text: str, wanted: Mapping[str, float]) -> Iterator[str]:
    """The whole of a short passage, then runs of words, those with most of what is wanted first."""
    words = text.split()
    if len(words) <= MOST_WORDS:
        yield " ".join(words).rstrip(".,;:")
    held = [sum(max(wanted.get(token, 0.0) for token in slot) for slot in slots(word)) for word in words]
    runs = [_trimmed(held, start) for start in range(max(1, len(words) - MOST_WORDS + 1))]
    ranked = sorted(dict.fromkeys(runs), key=lambda run: (-sum(held[run[0] : run[1]]), run[1] - run[0], run[0]))
    for start, end in ranked[:MOST_TRIED]:
        yield " ".join(words[start:end]).rstrip(".,;:")


def _trimmed(held: Sequence[float], start: int) -> tuple[int, int]:
    """A run of words from a start on, without what is not wanted at its ends."""
    end = min(len(held), start + MOST_WORDS)
    while end - start > LEAST_WORDS and not held[end - 1]:
        end -= 1
    while end - start > LEAST_WORDS and not held[start]:
        start += 1
    return start, end
