"""A trace without an anchor to what became of its quote: altered, or missing."""

from tracer.model import Trace

ALIKE = 65
"""The score from which a passage is shown as the altered one (of 100); RapidFuzz's partial ratio."""

SHORT = 12
"""Letters and digits below which any passage is alike: a shorter quote is there or is not."""

SAME = 100
"""The score of a passage that holds the very letters, cut or put otherwise; it is shown for a short quote too."""


def is_lost(trace: Trace) -> bool:
    """Whether the source was searched for a quote that it does not hold."""
    has_quote = bool((trace.citation.quote or "").strip(" \t\n…"))
    return has_quote and not trace.anchors and trace.unchecked is None


def is_path_lost(trace: Trace) -> bool:
    """Whether a data file was asked for a path that it does not hold."""
    is_asked = bool(trace.citation.at) and trace.unchecked is None
    return is_asked and trace.value_found is None and not trace.anchors


def is_altered(trace: Trace) -> bool:
    """Whether the source holds a passage that is near enough to be the one that was meant."""
    if trace.left_out is not None:
        return True
    if trace.near is None:
        return False
    letters = sum(map(str.isalnum, trace.citation.quote or ""))
    return trace.near.score >= (ALIKE if letters >= SHORT else SAME)
