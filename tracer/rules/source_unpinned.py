"""A source has no sha256, so nobody can tell which bytes were read.

An address or a revision's name can come to mean other bytes; a sha256 cannot. What is found in an unpinned source is
not verified.

Flagged:

    sources:
      notes: {file: notes.md}
    claims:
      - id: context
        text: The model reads 64K tokens.
        status: stated
        cite: [{source: notes, section: Limits, quote: reads 64K tokens}]

Fine:

    sources:
      notes:
        file: notes.md
        sha256: 0750e0d4bd0e9881d2cb9db17b5de0a37a0f8385ad133b9e297f5e546b4f7fbb
    claims:
      - id: context
        text: The model reads 64K tokens.
        status: stated
        cite: [{source: notes, section: Limits, quote: reads 64K tokens}]
"""

from collections.abc import Iterator

from tracer.model import Evidence, Problem, Severity
from tracer.rules import _asking

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per source without a pin."""
    for source in _asking.sources(evidence):
        if source.sha256:
            continue
        document = _asking.document(evidence, source.id)
        pin = f"tracer pin {source.id}" if document is None else f"sha256: {document.sha256}"
        yield Problem(message=f"{source.id} is not pinned: it has no sha256", at=source.places.of("sha256"), hint=pin)
