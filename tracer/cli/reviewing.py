"""Claims that a person has read to their signatures in the ledger."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.cli.console import CLEAN, NOTHING
from tracer.cli.project import Project
from tracer.cli.selecting import in_stage, selected, stages
from tracer.model import Claim, Failure, Report, Verdict
from tracer.wording import counted

if TYPE_CHECKING:
    from tracer.editing import Change

SHOWN = 5
"""How many ids a sentence names at most."""


def review(project: Project, what: Sequence[str], *, by: str, is_sure: bool = False) -> int:
    """Signs the claims in the order that they are named in; all are looked at before anything is written.

    On a terminal each is shown first and signed only after a yes. Elsewhere those that are not verified are signed only
    if one is sure.
    """
    if not by.strip():
        raise Failure("--by names nobody: write the name of the person who has read the claims")
    claims = claims_to_sign(project, what)
    refuse_unwritable(project, claims, by)
    is_asking = sys.stdin.isatty() and sys.stdout.isatty()
    if not is_asking and not is_sure:
        refuse_doubtful(project, claims)
    signed: list[str] = []
    try:
        for claim in asked(project, claims, by) if is_asking else claims:
            project.edit(claim.places.path, signature(project, claim, by))
            signed.append(claim.id)
    except KeyboardInterrupt:
        console.say("\n")
        raise
    finally:
        console.say(told(signed, claims))
    return CLEAN if signed else NOTHING


def told(signed: Sequence[str], claims: Sequence[Claim]) -> str:
    """How many were signed, and which, where it is not all of them."""
    names = f": {', '.join(signed)}" if 0 < len(signed) < len(claims) else ""
    return f"signed {len(signed)} of {counted(len(claims), 'claim')}{names}\n"


def claims_to_sign(project: Project, what: Sequence[str]) -> list[Claim]:
    """The claims that the words mean; more than a stage or a file at once is refused, for nobody reads that."""
    ledger = project.ledger
    indices: dict[int, None] = {}
    for word in what:
        refuse_all(project, word)
        meant = selected(ledger, [word], project.settings.root, project.here)
        indices |= dict.fromkeys(sorted(meant.claims))
    claims = [ledger.claims[index] for index in indices]
    broken = next((claim for claim in claims if claim.broken), None)
    if broken:
        raise Failure(f"{broken.id} cannot be signed as it is written: `tracer audit {broken.id}` says what is wrong")
    if not claims:
        raise Failure(f"no claim is in {' '.join(what)}")
    return claims


def refuse_unwritable(project: Project, claims: Sequence[Claim], by: str) -> None:
    """A Failure where a signature would not say whose it is, or could not be written, so that no other is."""
    from tracer.editing import edited

    holders = Counter(claim.id for claim in project.ledger.claims)
    shared = next((claim.id for claim in claims if holders[claim.id] > 1), None)
    if shared:
        raise Failure(f"{holders[shared]} claims have the id {shared}: give each its own id first; nothing was signed")
    for path in dict.fromkeys(claim.places.path for claim in claims):
        changes = [signature(project, claim, by) for claim in claims if claim.places.path == path]
        edited((project.settings.root / path).read_bytes(), changes, path)


def refuse_doubtful(project: Project, claims: Sequence[Claim]) -> None:
    """A Failure for claims that an audit does not verify, for another reason than an old signature."""
    names = {claim.id for claim in claims}
    unsigned = tuple(replace(claim, review=None) if claim.id in names else claim for claim in project.ledger.claims)
    report = project.report(claims=names, ledger=replace(project.ledger, claims=unsigned))
    doubtful = [f"{each.claim.id} ({each.verdict})" for each in report.claims if each.verdict is not Verdict.VERIFIED]
    if doubtful:
        names_of = ", ".join(doubtful[:SHOWN]) + (", …" if len(doubtful) > SHOWN else "")
        whom = counted(len(doubtful), "claim is", "claims are")
        raise Failure(
            f"{whom} not verified: {names_of}; nothing was signed, --yes signs what you have read all the same"
        )


def refuse_all(project: Project, word: str) -> None:
    """A Failure for a word that means a folder, a pipeline or the beginning of ids."""
    ledger, stage = project.ledger, word.rstrip("/")
    is_claim = any(claim.id == word for claim in ledger.claims)
    is_stage = "/" in stage and (stage in stages(ledger) or any(in_stage(claim, stage) for claim in ledger.claims))
    if is_claim or is_stage or (project.here / word).is_file():
        return
    selected(ledger, [word], project.settings.root, project.here)
    raise Failure(f"{word} is more than one reads at a time: name claims, a stage or a file")


def asked(project: Project, claims: Sequence[Claim], by: str) -> Iterator[Claim]:
    """Shows each claim with its evidence and gives it back after a yes; `q` or the end of input stops."""
    report = project.report()
    for number, claim in enumerate(claims, start=1):
        show(project.texts(report, claim.id), claim)
        answer = answered(f"\nsign as {by}? {number} of {len(claims)} [y]es, [n]o, [q]uit: ")
        if answer == "q":
            return
        if answer == "y":
            yield claim


def show(report: Report, claim: Claim) -> None:
    """Prints what is to be signed."""
    from tracer.reports import show as showing

    console.say("\n" + showing.portrait(report, claim.id, **console.look(None)))


def answered(question: str) -> str:
    """The first letter of an answer, asked for until it is one of `y`, `n` and `q`."""
    while True:
        console.say(question)
        line = sys.stdin.readline()
        if not line:
            return "q"
        answer = line.strip().casefold()[:1]
        if answer in {"y", "n", "q"}:
            return answer


def signature(project: Project, claim: Claim, by: str) -> "Change":
    """What writes a signature into the ledger, in place of an older one."""
    from tracer.editing import Change
    from tracer.reviewing import fingerprint

    seen = fingerprint(claim, project.ledger.sources)
    review = {"by": by.strip(), "on": datetime.now(UTC).astimezone().date().isoformat(), "seen": seen}
    return Change(key="claims", id=claim.id, field="review", value=review)
