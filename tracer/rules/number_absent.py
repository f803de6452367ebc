"""The value of a claim, or a number in its text, is in none of its quotes.

The quote may stand word for word and still not say what the claim says. Numbers are compared in any notation: 2.8T is
2.8 trillion and 2,800B, nine is 9, 8K is 8,000 or 8,192; never by rounding. A value in words must stand there in these
words; that it does not is a warning, as for a number that only the claim's text mentions. In a data file the value at
the cited path is compared.

Flagged:

    claims:
      - id: experts
        text: There are twelve expert models.
        value: 12
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        value: 9
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
"""

import re
from collections.abc import Iterator, Sequence

from tracer.model import Claim, Evidence, Problem, Severity, Status, Trace
from tracer.numerals import Number, numbers
from tracer.quantities import numbers_missing, states
from tracer.wording import listed, pasted, shown

severity = Severity.ERROR

_DECIMAL = re.compile(r"[-+]?\d+\.\d+")
_DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?")


def check(evidence: Evidence) -> Iterator[Problem]:
    """At most two problems per stated claim whose citations were all found: its value, and the numbers of its text."""
    for index, claim in evidence.sound_claims:
        traces = [trace for trace in evidence.traces.get(index, ()) if trace.citation.role == "cite"]
        if claim.status is not Status.STATED or not traces or not all(map(_is_found, traces)):
            continue
        said = [trace.value_found if trace.value_found is not None else trace.citation.quote or "" for trace in traces]
        yield from _value(claim, traces, said)
        yield from _text(claim, said)


def _is_found(trace: Trace) -> bool:
    return trace.unchecked is None and bool(trace.anchors)


def _value(claim: Claim, traces: Sequence[Trace], said: Sequence[str]) -> Iterator[Problem]:
    value = (claim.value or "").strip()
    if not value or _is_said(value, claim.unit, traces, said):
        return
    scalars = [trace for trace in traces if trace.value_found is not None]
    if scalars:
        yield _differs(claim, scalars[0])
        return
    yield Problem(
        message=f"the value {shown(value)} is not in the quote {listed(map(shown, said), most=3)}",
        at=claim.places.of("value"),
        claim=claim.id,
        hint="quote the words that give the value, or correct it",
        severity=None if numbers(value) or _DATE.fullmatch(value) else Severity.WARNING,
    )


def _is_said(value: str, unit: str | None, traces: Sequence[Trace], said: Sequence[str]) -> bool:
    """Whether a citation gives the value; of one with numbers and words the numbers decide."""
    if any(trace.value_found is not None and _is_scalar(value, trace.value_found, unit) for trace in traces):
        return True
    quotes = [trace.citation.quote or "" for trace in traces if trace.value_found is None]
    if not quotes:
        return False
    found = numbers(value)
    if any(states(value, quote, unit) for quote in (*quotes, "\n".join(quotes))):
        return True
    return bool(found) and _has_words(value, found) and not numbers_missing(value, said)


def _is_scalar(value: str, there: str, unit: str | None) -> bool:
    """Whether a scalar of a data file is the value; 3.1 is not 3.10 there, as it may be a version."""
    if value == there.strip():
        return True
    if _DECIMAL.fullmatch(value) and _DECIMAL.fullmatch(there.strip()):
        return False
    return bool(numbers(value)) and states(value, there, unit) is not None


def _has_words(value: str, found: Sequence[Number]) -> bool:
    """Whether a value says more than its numbers."""
    rest = list(value)
    for number in found:
        rest[number.start : number.end] = " " * (number.end - number.start)
    return any(map(str.isalpha, rest))


def _differs(claim: Claim, trace: Trace) -> Problem:
    there, path = trace.value_found or "", trace.citation.at
    return Problem(
        message=f"{trace.citation.source} has {shown(there)} at {path}, the claim says {shown(claim.value or '')}",
        at=claim.places.of("value"),
        claim=claim.id,
        hint=f"value: {pasted(there)}",
    )


def _text(claim: Claim, said: Sequence[str]) -> Iterator[Problem]:
    """The numbers that only the text gives; the value's own are reported with the value."""
    absent = numbers_missing(claim.text or "", said)
    own = {reading for number in numbers(claim.value or "") for reading in number.values} if absent else set()
    missing = [number for number in absent if not number.values & own]
    if missing:
        names = listed(dict.fromkeys(shown(number.text) for number in missing))
        yield Problem(
            message=f"{names} of the claim's text {'is' if len(missing) == 1 else 'are'} in none of its quotes",
            at=claim.places.of("text"),
            claim=claim.id,
            hint="cite the words that say it, or leave it out",
            severity=Severity.WARNING,
        )
