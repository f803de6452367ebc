"""A record names a source, a claim, a stage, a pipeline or a profile that the ledger does not hold.

Mostly a mistyped id; the nearest one is proposed. A stage is written as `pipeline/stage`.

Flagged:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: reprot, section: 2.1, page: 2, quote: a total of nine expert models}]

Fine:

    claims:
      - id: experts
        text: There are nine expert models.
        status: stated
        cite: [{source: report, section: 2.1, page: 2, quote: a total of nine expert models}]
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tracer import profiles
from tracer.model import Claim, Evidence, Ledger, Pipeline, Place, Problem, Profile, Severity
from tracer.spelling import did_you_mean
from tracer.wording import listed, shown

severity = Severity.ERROR

MOST = 200
"""Proposals made in one run: each costs a pass over all names, and nobody reads more of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reference:
    kind: str
    name: str
    at: Place
    claim: str | None = None


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per place that names what is not there."""
    ledger = evidence.ledger
    names = _names(ledger)
    unknown = (it for it in _references(evidence, names) if it.name and it.name not in names[it.kind])
    for count, reference in enumerate(it for it in unknown if not _is_hidden(ledger, it)):
        revisions = _revisions(ledger, reference)
        yield Problem(
            message=f"there is no {reference.kind} {shown(reference.name)}",
            at=reference.at,
            claim=reference.claim,
            hint=_hint(reference, revisions or names[reference.kind], revisions) if count < MOST else None,
        )


def _revisions(ledger: Ledger, reference: _Reference) -> Sequence[str]:
    """The revisions of a source, as a citation names them, for one that names another."""
    source = ledger.sources.get(reference.name.rpartition("@")[0])
    if source is None or reference.kind != "source":
        return ()
    named = (source.revision, *(revision.name for revision in source.revisions))
    return [f"{source.id}@{name}" for name in named if name]


def _hint(reference: _Reference, names: Collection[str], revisions: Sequence[str]) -> str | None:
    others = f"the ledger has {listed(revisions)}" if revisions else None
    return did_you_mean(reference.name, names) or others


def _names(ledger: Ledger) -> Mapping[str, Collection[str]]:
    stages = (f"{pipeline.id}/{stage.id}" for pipeline in ledger.pipelines.values() for stage in pipeline.stages)
    return {
        "source": ledger.sources.keys(),
        "claim": dict.fromkeys(claim.id for claim in ledger.claims).keys(),
        "stage": dict.fromkeys((*stages, *ledger.pipelines)).keys(),
        "profile": {*profiles.shipped_ids(), *ledger.profiles},
    }


def _is_hidden(ledger: Ledger, reference: _Reference) -> bool:
    """Whether the name may stand in a pipeline that could not be read in full."""
    pipeline = ledger.pipelines.get(reference.name.partition("/")[0])
    return reference.kind == "stage" and pipeline is not None and pipeline.broken


def _references(evidence: Evidence, names: Mapping[str, Collection[str]]) -> Iterator[_Reference]:
    """What pipelines and profiles name, and of what claims name, which are many, that which is not known."""
    for _, claim in evidence.sound_claims:
        for kind, name, field in _of_claim(claim):
            if name and name not in names[kind]:
                yield _Reference(kind=kind, name=name, at=claim.places.of(field), claim=claim.id)
    for pipeline in evidence.ledger.pipelines.values():
        if not pipeline.broken:
            yield from _of_pipeline(pipeline)
    for profile in evidence.ledger.profiles.values():
        if not profile.broken:
            yield from _of_profile(profile)


def _of_claim(claim: Claim) -> Iterator[tuple[str, str, str]]:
    """What a claim names: the kind of record, its id, and the field that names it."""
    yield "stage", claim.stage or "", "stage"
    yield from (("source", citation.source, f"{citation.at_path}.source") for citation in claim.citations)
    yield from (("source", search.source, f"{search.at_path}.source") for search in claim.searched)
    yield from (("claim", ground, f"inputs.{name}") for name, ground in claim.inputs.items())
    yield from (("claim", ground, f"leans-on.{position}") for position, ground in enumerate(claim.leans_on))


def _of_pipeline(pipeline: Pipeline) -> Iterator[_Reference]:
    yield _Reference(kind="profile", name=pipeline.profile or "", at=pipeline.places.of("profile"))
    for position, stage in enumerate(pipeline.stages):
        if stage.after:
            after = stage.after if "/" in stage.after else f"{pipeline.id}/{stage.after}"
            yield _Reference(kind="stage", name=after, at=pipeline.places.of(f"stages.{position}.after"))


def _of_profile(profile: Profile) -> Iterator[_Reference]:
    yield _Reference(kind="profile", name=profile.extends or "", at=profile.places.of("extends"))
