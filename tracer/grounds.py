"""Claims that are in doubt to the claims that rest on them, each with its nearest root; walked without recursion."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tracer.model import Claim

MOST = 4
"""Steps of a chain that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """Every claim that a doubt reaches: its steps from the nearest root, that root, and the ground it came by."""

    steps: Mapping[str, int]
    roots: Mapping[str, str]
    grounds: Mapping[str, str]

    def nearest(self, claim: Claim) -> str | None:
        """The ground of a claim that is nearest to a root other than the claim itself."""
        doubted = [ground for ground in claim.grounds if self.roots.get(ground, claim.id) != claim.id]
        return min(doubted, key=self.steps.__getitem__, default=None)

    def chain(self, claim: Claim, ground: str) -> str:
        """`k3.a rests on k3.b, which rests on k3.c`, down to the root; of a long chain the ends."""
        names = [claim.id, ground]
        while len(names) <= MOST and names[-1] in self.grounds:
            names.append(self.grounds[names[-1]])
        root = self.roots[ground]
        if names[-1] != root:
            between = self.steps[ground] - 1
            return f"{claim.id} rests on {ground}, and that on {root}, {between:,} claims further down"
        return ", which rests on ".join((f"{claim.id} rests on {ground}", *names[2:]))


def doubts(claims: Iterable[Claim], roots: Collection[str], *, stops: Collection[str] = ()) -> Doubts:
    """The doubt of the roots passed on to all that rest on them, breadth first; `stops` do not pass it on.

    Each claim is entered once and each tie followed once, so chains and diamonds of any size take linear time.
    """
    used_by = _used_by(claims)
    steps, root_of = dict.fromkeys(roots, 0), {root: root for root in roots}
    grounds: dict[str, str] = {}
    waiting = deque(roots)
    while waiting:
        ground = waiting.popleft()
        for user in used_by.get(ground, ()):
            if user in steps:
                continue
            steps[user], root_of[user], grounds[user] = steps[ground] + 1, root_of[ground], ground
            if user not in stops:
                waiting.append(user)
    for stop in stops:
        if stop in grounds:
            del steps[stop], root_of[stop], grounds[stop]
    return Doubts(steps=steps, roots=root_of, grounds=grounds)


def _used_by(claims: Iterable[Claim]) -> Mapping[str, list[str]]:
    users: dict[str, list[str]] = {}
    for claim in claims:
        for ground in dict.fromkeys(claim.grounds):
            users.setdefault(ground, []).append(claim.id)
    return users


def ground_fields(claim: Claim) -> Iterator[tuple[str, str]]:
    """The grounds of a claim, each with the field that names it."""
    for name, ground in claim.inputs.items():
        yield ground, f"inputs.{name}"
    for position, ground in enumerate(claim.leans_on):
        yield ground, f"leans-on.{position}"


def ground_field(claim: Claim, ground: str) -> str:
    """The field that names a ground, or the record."""
    return next((field for name, field in ground_fields(claim) if name == ground), "")
