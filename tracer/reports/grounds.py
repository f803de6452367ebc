"""A Report and the id of a claim to the claims that it rests on, or that rest on it, as a flat run of branches.

Walks with a stack of its own: chains of ten thousand claims and ladders of diamonds are ledgers too.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tracer.model import Claim, ClaimReport, Report

Step = tuple[str, str]
"""How a claim is tied to the next (`active` as an input, `leans on`), and the id of that claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A claim in the tree, `depth` steps below the root; `is_repeated` where it stands further up already.

    `report` is None where the ledger holds no such claim.
    """

    depth: int
    tie: str
    id: str
    report: ClaimReport | None
    is_repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Branches in reading order, under the words that tie them to the claim at the root."""

    title: str
    branches: tuple[Branch, ...]


def rests_on(report: Report, claim_id: str) -> Tree:
    """The inputs of a claim and what it leans on, theirs, and so on; depth first, in the order written."""
    claims = by_id(report)
    branches = walk(claim_id, claims, lambda step: steps(claims[step].claim) if step in claims else ())
    return Tree(title="rests on", branches=tuple(branches))


def used_by(report: Report, claim_id: str) -> Tree:
    """The claims that rest on a claim, those that rest on them, and so on."""
    users: dict[str, list[Step]] = {}
    for claim in report.claims:
        for tie, ground in steps(claim.claim):
            users.setdefault(ground, []).append((tie, claim.claim.id))
    branches = walk(claim_id, by_id(report), lambda step: tuple(users.get(step, ())))
    return Tree(title="used by", branches=tuple(branches))


def steps(claim: Claim) -> tuple[Step, ...]:
    """The claims that a claim names as its grounds."""
    inputs = tuple((name, ground) for name, ground in claim.inputs.items())
    return inputs + tuple(("leans on", ground) for ground in claim.leans_on)


def by_id(report: Report) -> Mapping[str, ClaimReport]:
    """Claims by id; of two with one id the first stands."""
    return {claim.claim.id: claim for claim in reversed(report.claims)}


def walk(
    root: str, claims: Mapping[str, ClaimReport], following: Callable[[str], tuple[Step, ...]]
) -> Iterator[Branch]:
    """Every claim that can be reached, each opened once; a second way to it is named and not followed."""
    seen = {root}
    waiting = [(1, tie, step) for tie, step in reversed(following(root))]
    while waiting:
        depth, tie, step = waiting.pop()
        yield Branch(depth=depth, tie=tie, id=step, report=claims.get(step), is_repeated=step in seen)
        if step not in seen:
            seen.add(step)
            waiting.extend((depth + 1, tie, ground) for tie, ground in reversed(following(step)))
