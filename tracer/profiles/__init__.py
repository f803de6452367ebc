"""A ledger and the profiles that come with the package to the fields that a stage is expected to answer.

To ship another profile: one more YAML file beside this module, named after the id of the profile.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from tracer.model import Claim, Ledger, Pipeline, Place, Problem, Profile, Stage

FOLDER = Path(__file__).parent
SUFFIX = ".yaml"
_SAME = str.maketrans("", "", " -_\u2010\u2011\u2013")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A field that a profile asks for, and what counts as an answer."""

    field: str
    answer: str


def folded(name: str) -> str:
    """A field or kind for comparison: `Learning-Rate` is `learning rate`, `pre-training` is `pretraining`."""
    return "".join(name.split()).translate(_SAME).casefold()


def known(ledger: Ledger) -> Mapping[str, Profile]:
    """The profiles by id: those of the package, and over them those of the ledger."""
    named = {pipeline.profile for pipeline in ledger.pipelines.values() if pipeline.profile}
    named |= {profile.extends for profile in ledger.profiles.values() if profile.extends}
    return ledger.profiles if named <= ledger.profiles.keys() else {**shipped(), **ledger.profiles}


@cache
def shipped() -> Mapping[str, Profile]:
    """The profiles that come with the package, by id; their files hold to the rules of a ledger's."""
    from tracer import record
    from tracer.yamlfile import read

    profiles = {}
    for name in shipped_ids():
        file = read(FOLDER.joinpath(name + SUFFIX).read_bytes(), f"tracer/profiles/{name}{SUFFIX}")
        profiles[name] = record.profile(name, file.records[f"profiles.{name}"], broken=bool(file.problems))
    return MappingProxyType(profiles)


def shipped_ids() -> tuple[str, ...]:
    """The ids of the profiles that come with the package."""
    names = sorted(entry.name for entry in FOLDER.iterdir())
    return tuple(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX))


# --- what a profile asks ------------------------------------------------------------------------------------------


def lineage(name: str, profiles: Mapping[str, Profile]) -> tuple[Profile, ...]:
    """A profile and those that it extends, nearest first; a circle ends where it would begin again."""
    found: dict[str, Profile] = {}
    while name in profiles and name not in found:
        found[name] = profiles[name]
        name = profiles[name].extends or ""
    return tuple(found.values())


def asked(name: str | None, kind: str | None, profiles: Mapping[str, Profile]) -> tuple[Expected, ...]:
    """What a profile asks of a kind of stage: the fields of what it extends first, in the words that are nearest."""
    found: dict[str, Expected] = {}
    for profile in reversed(lineage(name or "", profiles)):
        for written, fields in profile.kinds.items():
            if folded(written) == folded(kind or ""):
                found |= {folded(field): Expected(field=field, answer=answer) for field, answer in fields.items()}
    return tuple(found.values())


def kinds(name: str, profiles: Mapping[str, Profile]) -> tuple[str, ...]:
    """The kinds of stage that a profile, or one that it extends, knows."""
    return tuple(dict.fromkeys(kind for profile in lineage(name, profiles) for kind in profile.kinds))


def circles(ledger: Ledger) -> Iterator[Problem]:
    """One problem per profile of the ledger that extends itself, straight away or over others."""
    profiles = known(ledger) if ledger.profiles else {}
    for profile in ledger.profiles.values():
        chain = [each.id for each in lineage(profile.id, profiles)]
        if profiles[chain[-1]].extends == profile.id:
            yield Problem(
                message=f"the profile extends itself: {' extends '.join((*chain, profile.id))}",
                at=profile.places.of("extends"),
                hint="extend a profile that does not come back to this one",
            )


# --- what a ledger answers ------------------------------------------------------------------------------------------


def answering(claims: Iterable[Claim]) -> Mapping[str, Mapping[str, str]]:
    """Stage -> the fields that claims of the record answer, in comparable form -> as they are written.

    What an audited document says is no answer of the record.
    """
    fields: dict[str, dict[str, str]] = {}
    for claim in claims:
        if claim.stage and claim.field and claim.status is not None and claim.made_in is None:
            fields.setdefault(claim.stage, {}).setdefault(folded(claim.field), claim.field)
    return fields


def stages(pipeline: Pipeline) -> Iterator[tuple[Stage, Place]]:
    """The stages of a pipeline, each with the line of its id."""
    for index, stage in enumerate(pipeline.stages):
        yield stage, pipeline.places.of(f"stages.{index}.id")
