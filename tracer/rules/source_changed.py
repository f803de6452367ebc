"""The file of a source has other bytes than those that are pinned.

Reports are revised in silence: sentences move, numbers change, and the address stays. Quotes are still looked up in
the file at hand, and those that are gone are flagged, but nothing in it counts as verified until the pin and the file
agree again.

Flagged:

    sources:
      notes:
        file: notes.md
        sha256: 00000000000000000000000000000000000000000000000000000000000000ff
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

from tracer.model import Document, Evidence, Problem, Severity, Source
from tracer.rules import _asking

severity = Severity.ERROR


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per source whose pin and bytes differ."""
    for source in _asking.sources(evidence):
        document = _asking.document(evidence, source.id)
        if document is not None and source.sha256 is not None and _differs(source.sha256, document):
            yield _problem(source, document)


def _differs(pin: str, document: Document) -> bool:
    return bool(document.sha256) and pin.lower() != document.sha256


def _problem(source: Source, document: Document) -> Problem:
    known = next((revision for revision in source.revisions if revision.sha256 == document.sha256), None)
    is_called = f", the earlier revision {known.name}" if known else ""
    return Problem(
        message=f"the file of {source.id} is not the pinned one{is_called}: its sha256 is {document.sha256}",
        at=source.places.of("sha256"),
        hint=f"put the pinned file back, or pin this one with tracer pin {source.id}",
    )
