"""Profiles: what ships, what one asks of a stage over those that it extends, and what a ledger answers."""

import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

import pytest
from coverage_ledger import FILES, audited

from tracer import profiles
from tracer.loading import load
from tracer.model import Ledger, Severity
from tracer.settings import find
from tracer.yamlfile import read

Write = Callable[[Mapping[str, str | bytes]], Path]

KINDS = {"start", "pretraining", "midtraining", "sft", "rl", "distillation", "draft", "checkpoint", "model"}
OF_A_STAGE = {
    "objective",
    "starts from",
    "what trains",
    "data",
    "tokens",
    "context length",
    "modality",
    "architecture change",
    "optimiser",
    "learning rate",
    "schedule",
    "batch size",
    "steps",
    "precision",
    "hardware",
    "compute",
    "output",
}


def loaded(write: Write, profile: str) -> Ledger:
    return load(find(write({"claims/it.yaml": profile})))


def fields(ledger: Ledger, profile: str, kind: str | None) -> dict[str, str]:
    return {expected.field: expected.answer for expected in profiles.asked(profile, kind, profiles.known(ledger))}


# --- the profile that ships ---------------------------------------------------------------------------------------


def test_the_shipped_files_are_faultless_and_named_after_their_profile() -> None:
    for name in profiles.shipped_ids():
        file = read(files(profiles).joinpath(f"{name}.yaml").read_bytes(), name)
        assert file.problems == ()
        assert set(file.records) == {f"profiles.{name}"}
    assert not any(profile.broken for profile in profiles.shipped().values())


def test_the_profile_of_language_models_asks_every_kind_for_its_fields() -> None:
    kinds = profiles.shipped()["llm-training"].kinds
    assert set(kinds) == KINDS
    for kind in ("pretraining", "midtraining", "sft", "draft"):
        assert set(kinds[kind]) == OF_A_STAGE, kind
    assert set(kinds["rl"]) == OF_A_STAGE | {"algorithm", "reward"}
    assert set(kinds["distillation"]) == OF_A_STAGE | {"algorithm", "teachers"}
    assert set(kinds["checkpoint"]) == {"published", "licence", "release date"}
    assert {"published", "licence", "release date", "compute", "hardware"} <= set(kinds["model"])


def test_each_field_says_in_a_sentence_what_counts_as_an_answer() -> None:
    for kind, asked in profiles.shipped()["llm-training"].kinds.items():
        for field, answer in asked.items():
            assert re.fullmatch(r"[A-Z][^.]{8,}\.", answer), (kind, field)


# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written", ["learning rate", "Learning-Rate", "learning_rate", "LearningRate", " learning  rate"]
)
def test_case_hyphens_and_spaces_do_not_tell_fields_apart(written: str) -> None:
    assert profiles.folded(written) == profiles.folded("learning rate")


@pytest.mark.parametrize("other", ["learning rates", "rate", "learning rate schedule"])
def test_other_words_do(other: str) -> None:
    assert profiles.folded(other) != profiles.folded("learning rate")


# --- extending ----------------------------------------------------------------------------------------------------


def test_an_extending_profile_adds_fields_and_says_others_in_its_own_words(project: Write) -> None:
    ledger = loaded(
        project,
        """\
        profiles:
          base: {kinds: {sft: {data: The data., tokens: How many.}}}
          mine: {extends: base, kinds: {SFT: {Tokens: How many examples., reviewers: Who read them.}}}
        """,
    )
    assert fields(ledger, "mine", "sft") == {
        "data": "The data.",
        "Tokens": "How many examples.",
        "reviewers": "Who read them.",
    }
    assert fields(ledger, "base", "sft") == {"data": "The data.", "tokens": "How many."}


def test_a_ledger_can_extend_the_shipped_profile(project: Write) -> None:
    ledger = loaded(project, "profiles: {mine: {extends: llm-training, kinds: {checkpoint: {size: How large.}}}}\n")
    assert list(fields(ledger, "mine", "checkpoint")) == ["published", "licence", "release date", "size"]


def test_a_profile_of_the_ledger_takes_the_place_of_the_shipped_one(project: Write) -> None:
    ledger = loaded(
        project,
        """\
        profiles: {llm-training: {kinds: {sft: {data: The data.}}}}
        pipelines: {wren: {profile: llm-training}}
        """,
    )
    assert fields(ledger, "llm-training", "sft") == {"data": "The data."}


@pytest.mark.parametrize("kind", [None, "evaluation"])
def test_nothing_is_asked_of_a_kind_that_the_profile_does_not_know(project: Write, kind: str | None) -> None:
    assert fields(loaded(project, "pipelines: {wren: {profile: llm-training}}\n"), "llm-training", kind) == {}


def test_a_circle_is_an_error_at_each_of_its_profiles_and_its_fields_still_count(project: Write) -> None:
    root = project(
        {
            "claims/it.yaml": """\
            profiles:
              a: {extends: b, kinds: {sft: {data: The data.}}}
              b: {extends: a, kinds: {sft: {tokens: How many.}}}
              c: {extends: a}
            """
        }
    )
    found = [finding for finding in audited(root).findings if finding.rule == "file-invalid"]
    assert [(finding.problem.at.line, finding.problem.message) for finding in found] == [
        (2, "the profile extends itself: a extends b extends a"),
        (3, "the profile extends itself: b extends a extends b"),
    ]
    assert {finding.severity for finding in found} == {Severity.ERROR}
    assert set(fields(load(find(root)), "c", "sft")) == {"data", "tokens"}


def test_a_profile_that_is_nowhere_is_unknown_and_a_shipped_one_is_not(project: Write) -> None:
    ledger = "pipelines: {wren: {profile: llm-trainin}, teal: {profile: llm-training}}\n"
    messages = {finding.problem.message for finding in audited(project({"claims/it.yaml": ledger})).findings}
    assert messages == {"there is no profile “llm-trainin”"}


# --- the rule -----------------------------------------------------------------------------------------------------


def test_one_note_per_stage_names_its_blank_fields_at_the_stage(project: Write) -> None:
    found = [finding for finding in audited(project(FILES)).findings if finding.rule == "field-unanswered"]
    assert [(finding.severity, finding.problem.message) for finding in found] == [
        (Severity.NOTE, "2 fields of pretrain are blank: optimiser and hardware")
    ]
    assert str(found[0].problem.at) == "claims/pipeline.yaml:6:14"


def test_a_field_that_may_be_meant_for_a_blank_one_is_asked_about(project: Write) -> None:
    claims = FILES["claims/wren.yaml"]
    assert isinstance(claims, str)
    renamed = claims.replace("field: licence", "field: optimizer").replace(
        "stage: wren/tune\n    field: opt", "stage: wren/pretrain\n    field: opt"
    )
    found = [
        finding
        for finding in audited(project({**FILES, "claims/wren.yaml": renamed})).findings
        if finding.rule == "field-unanswered"
    ]
    assert [finding.problem.hint for finding in found] == ["is “optimizer” of a claim meant for `optimiser`?"]


def test_a_kind_that_the_profile_does_not_know_is_named_with_the_nearest(project: Write) -> None:
    ledger = "pipelines: {wren: {profile: llm-training, stages: [{id: a, kind: pretrainig}, {id: b}]}}\n"
    problems = [finding.problem for finding in audited(project({"claims/it.yaml": ledger})).findings]
    assert [problem.message for problem in problems] == [
        "the profile llm-training has no kind “pretrainig”",
        "the stage b has no kind",
    ]
    assert problems[0].hint == "did you mean `pretraining`?"


def test_a_pipeline_without_a_profile_is_asked_for_nothing(project: Write) -> None:
    ledger = "pipelines: {wren: {stages: [{id: a, kind: pretraining}]}}\n"
    assert audited(project({"claims/it.yaml": ledger})).findings == ()
