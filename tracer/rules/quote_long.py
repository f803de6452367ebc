"""The quotes from a source are longer than the source allows.

A quote is there to find the place, not to copy the work. `quote-words` of a source sets how many words a single quote
may have; without it there is no limit.

Flagged:

    sources:
      notes:
        file: notes.md
        sha256: 0750e0d4bd0e9881d2cb9db17b5de0a37a0f8385ad133b9e297f5e546b4f7fbb
        quote-words: 3
    claims:
      - id: context
        text: The model reads 64K tokens.
        status: stated
        cite: [{source: notes, section: Limits, quote: The model reads 64K tokens}]

Fine:

    sources:
      notes:
        file: notes.md
        sha256: 0750e0d4bd0e9881d2cb9db17b5de0a37a0f8385ad133b9e297f5e546b4f7fbb
        quote-words: 3
    claims:
      - id: context
        text: The model reads 64K tokens.
        status: stated
        cite: [{source: notes, section: Limits, quote: reads 64K tokens}]
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity
from tracer.rules import _asking
from tracer.wording import counted

severity = Severity.WARNING


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote over the budget of its source."""
    budgets = {source.id: source.quote_words for source in _asking.sources(evidence) if source.quote_words}
    for _, claim in evidence.sound_claims:
        for citation in claim.citations:
            words = len((citation.quote or "").replace("…", " ").split())
            budget = budgets.get(citation.source)
            if budget is not None and words > budget:
                yield Problem(
                    message=f"the quote has {counted(words, 'word')}, {citation.source} allows {budget}",
                    at=claim.places.of(f"{citation.at_path}.quote"),
                    claim=claim.id,
                    hint="quote less, or join parts with …",
                )
