"""A stage leaves fields blank that the profile of its pipeline asks for: no claim answers them.

A blank is never `not-stated`: nobody has looked, or nobody has written down what was found. Answer the field with a
claim, or say `not-stated` with the search that found nothing. What an audited document claims (`made-in`) is no answer.
`tracer coverage` shows every field of every stage.

Flagged:

    pipelines:
      osprey:
        profile: short
        stages: [{id: pretrain, kind: pretraining}]
    profiles:
      short:
        kinds:
          pretraining: {tokens: How many tokens are read., learning rate: Its peak.}
    claims:
      - id: tokens
        stage: osprey/pretrain
        field: tokens
        text: The model is trained on 12 trillion tokens.
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}]

Fine:

    pipelines:
      osprey:
        profile: short
        stages: [{id: pretrain, kind: pretraining}]
    profiles:
      short:
        kinds:
          pretraining: {tokens: How many tokens are read.}
    claims:
      - id: tokens
        stage: osprey/pretrain
        field: tokens
        text: The model is trained on 12 trillion tokens.
        status: stated
        cite: [{source: report, section: 1, page: 1, quote: trained on 12 trillion tokens of text}]
"""

from collections.abc import Collection, Iterator, Mapping

from tracer import profiles
from tracer.model import Evidence, Pipeline, Place, Problem, Profile, Severity, Stage
from tracer.spelling import did_you_mean, nearest
from tracer.wording import counted, listed, shown

severity = Severity.NOTE

MOST = 30
"""More blank fields than that are counted, not named."""


def check(evidence: Evidence) -> Iterator[Problem]:
    """One problem per stage that leaves fields blank, or whose kind its profile does not know."""
    ledger = evidence.ledger
    known, answered = profiles.known(ledger), profiles.answering(ledger.claims)
    for pipeline in ledger.pipelines.values():
        if pipeline.broken or pipeline.profile not in known:
            continue
        for stage, at in profiles.stages(pipeline):
            yield from _of_stage(pipeline, stage, at, known, answered.get(f"{pipeline.id}/{stage.id}", {}))


def _of_stage(
    pipeline: Pipeline, stage: Stage, at: Place, known: Mapping[str, Profile], answered: Mapping[str, str]
) -> Iterator[Problem]:
    fields = [expected.field for expected in profiles.asked(pipeline.profile, stage.kind, known)]
    blank = [field for field in fields if profiles.folded(field) not in answered]
    if blank:
        yield Problem(
            message=f"{counted(len(blank), 'field')} of {stage.id} {'is' if len(blank) == 1 else 'are'} blank: "
            f"{listed(blank, most=MOST)}",
            at=at,
            hint=_meant(blank, fields, answered) or "answer with a claim, or say not-stated with its search",
        )
    elif not fields and pipeline.profile:
        yield from _unknown_kind(pipeline.profile, stage, at, known)


def _meant(blank: Collection[str], fields: Collection[str], answered: Mapping[str, str]) -> str | None:
    """A further field of a claim that may be meant for a blank one."""
    expected = set(map(profiles.folded, fields))
    further = [written for field, written in answered.items() if field not in expected]
    pairs = ((name, nearest(name, blank)) for name in further)
    return next((f"is {shown(name)} of a claim meant for `{field}`?" for name, field in pairs if field), None)


def _unknown_kind(profile: str, stage: Stage, at: Place, known: Mapping[str, Profile]) -> Iterator[Problem]:
    """A kind that the profile does not know, unless it asks nothing of it."""
    kinds = profiles.kinds(profile, known)
    if stage.kind is None:
        yield Problem(message=f"the stage {stage.id} has no kind", at=at, hint=f"write kind: {', '.join(kinds)}")
    elif profiles.folded(stage.kind) not in map(profiles.folded, kinds):
        message = f"the profile {profile} has no kind {shown(stage.kind)}"
        yield Problem(message=message, at=at, hint=did_you_mean(stage.kind, kinds) or f"it has {listed(kinds)}")
