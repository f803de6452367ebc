"""What ends a run, how a claim, a finding and a match are graded, and the empty mapping."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Failure(Exception):  # noqa: N818 -- a Failure ends a run by design, it is no error of the program
    """What ends a run: one sentence that says what to do."""


class Status(StrEnum):
    """How a claim is grounded."""

    STATED = "stated"
    DERIVED = "derived"
    CONCLUDED = "concluded"
    NOT_STATED = "not-stated"


class Severity(StrEnum):
    """How much a finding weighs: errors and warnings flag their claim, notes do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Verdict(StrEnum):
    """How a claim or a citation ends."""

    VERIFIED = "verified"
    FLAGGED = "flagged"
    UNCHECKED = "unchecked"


class Tier(StrEnum):
    """The foldings under which a quote equals the source's text, strictest first."""

    EXACT = "exact"
    TYPOGRAPHY = "typography"
    LAYOUT = "layout"
    JOIN = "join"
    REFERENCE_MARKS = "reference marks"
    NEAR = "near"


NOTHING: Mapping[str, str] = MappingProxyType({})


def nothing() -> Mapping[str, str]:
    return NOTHING
