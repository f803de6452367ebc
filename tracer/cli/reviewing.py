"""Claims that a person has read to their signatures in the ledger."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from tracer.cli import console
from tracer.cli.console import CLEAN, NOTHING
from tracer.cli.project import Project
from tracer.cli.selecting import in_stage, selected, stages
from tracer.model import Claim, Failure, Report


def review(project: Project, what: Sequence[str], *, by: str) -> int:
    """Signs the claims; on a terminal each is shown first and signed only after a yes."""
    if not by.strip():
        raise Failure("--by names nobody: write the name of the person who has read the claims")
    claims = claims_to_sign(project, what)
    is_asking = sys.stdin.isatty() and sys.stdout.isatty()
    signed = asked(project, claims, by) if is_asking else [sign(project, claim, by) for claim in claims]
    console.say(f"signed {len(signed)} of {len(claims)} claims\n")
    return CLEAN if signed else NOTHING


def claims_to_sign(project: Project, what: Sequence[str]) -> list[Claim]:
    """The claims that the words mean; more than a stage or a file at once is refused, for nobody reads that."""
    ledger = project.ledger
    for word in what:
        refuse_all(project, word)
    chosen = selected(ledger, what, project.settings.root, project.here)
    claims = [ledger.claims[index] for index in sorted(chosen.claims)]
    broken = next((claim for claim in claims if claim.broken), None)
    if broken:
        raise Failure(f"{broken.id} cannot be signed as it is written: `tracer audit {broken.id}` says what is wrong")
    if not claims:
        raise Failure(f"no claim is in {' '.join(what)}")
    return claims


def refuse_all(project: Project, word: str) -> None:
    """A Failure for a word that means a folder, a pipeline or the beginning of ids."""
    ledger, stage = project.ledger, word.rstrip("/")
    is_claim = any(claim.id == word for claim in ledger.claims)
    is_stage = "/" in stage and (stage in stages(ledger) or any(in_stage(claim, stage) for claim in ledger.claims))
    if is_claim or is_stage or (project.here / word).is_file():
        return
    selected(ledger, [word], project.settings.root, project.here)
    raise Failure(f"{word} is more than one reads at a time: name claims, a stage or a file")


def asked(project: Project, claims: Sequence[Claim], by: str) -> list[str]:
    """Shows each claim with its evidence and signs it after a yes; `q` or the end of input stops."""
    report = project.report()
    signed = []
    for number, claim in enumerate(claims, start=1):
        show(project.texts(report, claim.id), claim)
        answer = answered(f"\nsign as {by}? {number} of {len(claims)} [y]es, [n]o, [q]uit: ")
        if answer == "q":
            break
        if answer == "y":
            signed.append(sign(project, claim, by))
    return signed


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


def sign(project: Project, claim: Claim, by: str) -> str:
    """Writes a signature into the ledger, in place of an older one; returns the id of the claim."""
    from tracer.editing import Change
    from tracer.reviewing import fingerprint

    seen = fingerprint(claim, project.ledger.sources)
    review = {"by": by.strip(), "on": datetime.now(UTC).astimezone().date().isoformat(), "seen": seen}
    project.edit(claim.places.path, Change(key="claims", id=claim.id, field="review", value=review))
    return claim.id
