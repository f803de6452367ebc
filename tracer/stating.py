"""Claims and a document to the sentences of it that seem to state them.

Nothing is decided here: a sentence is shown where it holds most of what a claim says, and all of its numbers.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from tracer.anchoring import parts
from tracer.model import Claim, Document, Heading, Passage, Span
from tracer.numerals import numbers
from tracer.quantities import numbers_missing, states
from tracer.sections import section_at
from tracer.sentences import Sentence, sentences, stems, words
from tracer.text import comparable

LEAST_SHARE = 0.8
"""What part of a claim's weight a sentence holds to be shown; a word weighs more the fewer sentences have it."""

LEAST_WORDS = 3
MOST_WORDS = 55
"""Fewer content words in a claim say too little; longer sentences are tables and figures."""

MOST_SHOWN = 2
_REFERENCES = frozenset({"references", "bibliography"})


def stating(claims: Sequence[Claim], source: str, document: Document) -> tuple[tuple[Passage, ...], ...]:
    """For each claim the sentences of one source that seem to state it, best first; the source is cut up once."""
    sentences = Sentences(document, source)
    return tuple(sentences.stating(claim) for claim in claims)


class Sentences:
    """The sentences of one document by the words in them."""

    def __init__(self, document: Document, source: str) -> None:
        self.document = document
        self.source = source
        self._sentences = tuple(sentences(document))
        self._with: dict[str, list[int]] = {}
        for position, sentence in enumerate(self._sentences):
            for word in sentence.stems:
                self._with.setdefault(word, []).append(position)

    def stating(self, claim: Claim) -> tuple[Passage, ...]:
        """The sentences that hold most of a claim's words by weight, and all of its numbers, best first.

        What the claim itself quotes is left out.
        """
        weights = self._weights(claim)
        if len(weights) < LEAST_WORDS:
            return ()
        ranked = sorted(self._candidates(weights), key=lambda item: (-item[0], item[1].words))
        quotes = [comparable(part) for it in claim.cite if it.source == self.source for part in parts(it.quote or "")]
        fitting = (it for _, it in ranked if _has_numbers(claim, it.text) and not _is_quoted(it.text, quotes))
        return tuple(self._passage(sentence) for sentence in islice(fitting, MOST_SHOWN))

    def _weights(self, claim: Claim) -> dict[str, float]:
        """The stems of a claim's content words, rarest first, with what each weighs in this document."""
        known = dict.fromkeys(self._known_words(f"{claim.text or ''} {claim.value or ''}"))
        weights = {word: math.log(1 + len(self._sentences) / (len(self._with.get(word, ())) or 0.5)) for word in known}
        return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0])))

    def _known_words(self, text: str) -> Iterator[str]:
        """The content words of a text; a compound that the document does not write in one is taken in its parts."""
        for number in reversed(numbers(text)):
            text = f"{text[: number.start]} {text[number.end :]}"
        for written in words(text):
            forms = stems(written)
            yield from forms[:1] if len(forms) < 2 or forms[0] in self._with else forms[1:]

    def _with_rarest(self, weights: Mapping[str, float]) -> Iterator[Sentence]:
        spared, positions = (1 - LEAST_SHARE) * sum(weights.values()), set[int]()
        for word, weight in weights.items():
            positions.update(self._with.get(word, ()))
            spared -= weight
            if spared < 0:
                break
        return (self._sentences[position] for position in sorted(positions))

    def _candidates(self, weights: Mapping[str, float]) -> Iterator[tuple[float, Sentence]]:
        """The sentences of running text with enough of the weight, and their share of it."""
        whole = sum(weights.values())
        for sentence in self._with_rarest(weights):
            share = sum(weight for word, weight in weights.items() if word in sentence.stems) / whole
            if share >= LEAST_SHARE and sentence.words <= MOST_WORDS and not self._is_reference(sentence):
                yield share, sentence

    def _is_reference(self, sentence: Sentence) -> bool:
        heading = self._heading(sentence)
        return heading is not None and comparable(heading.title) in _REFERENCES

    def _heading(self, sentence: Sentence) -> Heading | None:
        start = sentence.start
        return section_at(self.document.headings, Span(sheet=sentence.page.sheet, start=start, end=start + 1))

    def _passage(self, sentence: Sentence) -> Passage:
        heading = self._heading(sentence)
        return Passage(
            source=self.source,
            page=sentence.page.label,
            sheet=sentence.page.sheet,
            section=str(heading) if heading else None,
            text=sentence.text,
        )


def _has_numbers(claim: Claim, text: str) -> bool:
    """Whether a sentence states every number of a claim."""
    is_number = claim.value is not None and bool(numbers(claim.value))
    is_stated = not is_number or states(claim.value or "", text, claim.unit) is not None
    return is_stated and not numbers_missing(claim.text or "", [text])


def _is_quoted(text: str, quotes: Sequence[str]) -> bool:
    sentence = comparable(text)
    return any(quote and (quote in sentence or sentence in quote) for quote in quotes)
