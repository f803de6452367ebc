"""The sentences of a document and claims to the sentences with numbers that no claim covers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracer.model import Claim, Document
from tracer.quantities import numbers_missing
from tracer.sentences import stems, words
from tracer.statements import Sentence, sentences_of
from tracer.text import comparable

LEAST_SHARED = 2
"""Words with content that a claim shares with a sentence to be about the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """A sentence with the numbers in it that no claim states; `page` is None in a text without pages."""

    text: str
    line: int
    page: str | None
    numbers: tuple[str, ...]


def uncovered(
    document: Document, claims: Sequence[Claim], source: str | None = None
) -> tuple[int, tuple[Uncovered, ...]]:
    """How many sentences have numbers, and those of them that no claim covers.

    A claim covers a sentence that it quotes as made in the document, whose source has the id `source`; and it covers
    the numbers that it states, if it shares two more words with the sentence.
    """
    whole = [claim for claim in claims if not claim.broken]
    quoted = list(_quoted(whole, source))
    stated = [(_stems(text), text) for text in map(_said, whole)]
    total, found = 0, []
    for sentence in sentences_of(document):
        if not numbers_missing(sentence.text, []):
            continue
        total += 1
        missing = _missing(sentence, quoted, stated)
        if missing:
            page = sentence.page.label if document.kind == "pdf" else None
            found.append(Uncovered(text=sentence.text, line=sentence.line, page=page, numbers=missing))
    return total, tuple(found)


def _quoted(claims: Sequence[Claim], source: str | None) -> Iterator[str]:
    """What claims quote of the document, comparable."""
    for claim in claims:
        if source is not None and claim.made_in is not None and claim.made_in.source == source:
            yield comparable(claim.made_in.quote or "")


def _said(claim: Claim) -> str:
    """All that a claim says of its subject."""
    quotes = (citation.quote for citation in claim.cite)
    field = (claim.field or "").replace("-", " ")
    return " ".join(filter(None, (claim.text, field, claim.value, claim.unit, *quotes)))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for word in words(text) for stem in stems(word) if not word[0].isdigit())


def _missing(
    sentence: Sentence, quoted: Sequence[str], stated: Sequence[tuple[frozenset[str], str]]
) -> tuple[str, ...]:
    """The numbers of a sentence that neither a quote of it nor a claim about the same states."""
    text = comparable(sentence.text)
    made = [quote for quote in quoted if quote and (quote in text or text in quote)]
    if any(text in quote for quote in made):
        return ()
    own = _stems(sentence.text)
    about = [said for words_of, said in stated if len(own & words_of) >= LEAST_SHARED]
    left = numbers_missing(sentence.text, about)
    return tuple(number.text for number in left if not any(comparable(number.text) in quote for quote in made))
