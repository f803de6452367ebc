"""The source says nearly this: the words that differ are listed, numbers, units, negations and comparisons first.

One digit or one `not` turns a claim around and leaves a quote that looks right, so likeness never passes. What may
differ is only how the text is set. Two pieces joined without `…` are reported here with what was left out between
them.

Flagged:

    claims:
      - id: experts
        text: There are eight expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: learning yields a total of eight expert models}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: learning yields … nine expert models}]
"""

import re
from collections.abc import Iterator

from tracer import lost
from tracer.model import Evidence, Near, Problem, Severity, Trace
from tracer.rules import _asking
from tracer.wording import listed, page_name, pasted, shown

severity = Severity.ERROR

_MARKS = re.compile(r"[\[\](),;\d\s–-]*\d[\[\](),;\d\s–-]*")


_MEANING = re.compile(r"[^\W_]|[<>≤≥=≈±+−%-]")


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per quote that the source has in other words."""
    for trace in evidence.followed:
        if not lost.is_lost(trace) or not lost.is_altered(trace):
            continue
        see = () if trace.near is None else (trace.near.passage,)
        yield _asking.problem(trace, "quote", _message(trace), hint=_hint(trace), see=see)


def _message(trace: Trace) -> str:
    if trace.left_out is not None:
        return f"two pieces of the source are joined without …; left out: {shown(trace.left_out)}"
    if trace.near is None or not trace.near.changes:
        return "the source has the quote in other words"
    if _only_marks(trace):
        return f"only the reference numbers differ: {_changes(trace.near)}"
    return _changes(trace.near)


def _changes(near: Near) -> str:
    """The differing words, those that change the meaning first; punctuation only where nothing else differs."""
    words = [change for change in near.changes if _MEANING.search("".join(change))]
    return listed((_change(quoted, there) for quoted, there in words or near.changes), most=5)


def _change(quoted: str, there: str) -> str:
    if not quoted:
        return f"the quote leaves out {shown(there)}"
    if not there:
        return f"the source does not say {shown(quoted)}"
    return f"the quote says {shown(quoted)} where the source says {shown(there)}"


def _only_marks(trace: Trace) -> bool:
    """Whether every change is a number in brackets, as citations of other works are printed."""
    near, quote = trace.near, trace.citation.quote or ""
    return near is not None and all(
        _is_mark(quoted, quote) and _is_mark(there, near.passage.text) for quoted, there in near.changes
    )


def _is_mark(words: str, text: str) -> bool:
    if not words:
        return True
    bare = re.escape(words.strip("[]"))
    return bool(_MARKS.fullmatch(words)) and bool(re.search(rf"\[[^\[\]]*{bare}[^\[\]]*\]", text))


def _hint(trace: Trace) -> str | None:
    if trace.left_out is not None:
        return "write … where words are left out"
    if trace.near is None:
        return None
    passage = trace.near.passage
    text = passage.text if passage.marked is None else passage.text[slice(*passage.marked)]
    return f"{page_name(passage.page, passage.sheet)} has quote: {pasted(text)}"
