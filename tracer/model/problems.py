"""What is wrong and where: problems, and the findings that rules make of them."""

from dataclasses import dataclass

from tracer.model.documents import Passage
from tracer.model.kinds import Severity
from tracer.model.places import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong and where to mend it, nameless until a rule claims it.

    `severity` overrides the rule's own; `unchecks` marks what could not be checked rather than what is wrong.
    """

    message: str
    at: Place
    claim: str | None = None
    hint: str | None = None
    see: tuple[Passage, ...] = ()
    related: tuple[Place, ...] = ()
    severity: Severity | None = None
    unchecks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem under its rule's name; `accepted` is the reason the claim gives for keeping it.

    `known` says that an earlier report, against which this one is held, has it as well.
    """

    rule: str
    severity: Severity
    problem: Problem
    accepted: str | None = None
    known: bool = False
