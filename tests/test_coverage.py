"""Coverage counts what is there: cells, blanks, statuses, verdicts, sources; expected numbers are counted by hand."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conftest import ROOT
from coverage_ledger import CLAIMS, FILES, OTHER, covered

from tracer import profiles
from tracer.checking import check
from tracer.coverage import Cell, Coverage, cover, fields, tally
from tracer.library import Library
from tracer.loading import load
from tracer.model import Status, Verdict
from tracer.settings import Settings
from tracer.tracing import trace

Write = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def wren(project: Write) -> Coverage:
    return covered(project(FILES))


def cell(coverage: Coverage, stage: str, field: str) -> Cell:
    (found,) = (each for each in coverage.cells if each.key == (stage, profiles.folded(field)))
    return found


# --- cells --------------------------------------------------------------------------------------------------------


def test_a_cell_has_its_strongest_status_and_its_worst_verdict(wren: Coverage) -> None:
    tokens = cell(wren, "wren/pretrain", "tokens")
    assert [claim.claim.id for claim in tokens.claims] == ["wren.tokens", "wren.passes"]
    assert (tokens.status, tokens.verdict, tokens.is_sourced) == (Status.STATED, Verdict.FLAGGED, True)


@pytest.mark.parametrize(
    ("stage", "field", "status", "verdict"),
    [
        ("wren/pretrain", "learning rate", Status.NOT_STATED, Verdict.VERIFIED),
        ("wren/pretrain", "optimiser", None, None),
        ("wren/tune", "tokens", Status.DERIVED, Verdict.VERIFIED),
        ("wren/tune", "learning rate", Status.CONCLUDED, Verdict.VERIFIED),
        ("wren/tune", "licence", Status.STATED, Verdict.UNCHECKED),
    ],
)
def test_each_cell_ends_as_its_claim_does(
    wren: Coverage, stage: str, field: str, status: Status | None, verdict: Verdict | None
) -> None:
    found = cell(wren, stage, field)
    assert (found.status, found.verdict, found.is_sourced) == (status, verdict, False)


def test_a_blank_is_asked_for_and_never_not_stated(wren: Coverage) -> None:
    blank = [each for each in wren.cells if each.is_blank]
    assert [(each.stage, each.field, each.answer) for each in blank] == [
        ("wren/pretrain", "optimiser", "The optimiser by name."),
        ("wren/pretrain", "hardware", "The kind of accelerator."),
    ]
    assert all(each.is_asked and each.status is None for each in blank)


def test_what_is_beyond_the_profile_stands_after_what_it_asks_for(wren: Coverage) -> None:
    (pipeline,) = wren.pipelines
    assert pipeline.asked == ("tokens", "learning rate", "optimiser", "hardware")
    assert pipeline.beyond == ("licence",)


def test_a_weaker_claim_does_not_hide_a_stronger_one(project: Write) -> None:
    more = CLAIMS.replace("field: Learning-Rate", "field: tokens")
    tokens = cell(covered(project({**FILES, "claims/wren.yaml": more})), "wren/pretrain", "tokens")
    assert (len(tokens.claims), tokens.status) == (3, Status.STATED)


# --- totals -------------------------------------------------------------------------------------------------------


def test_totals_are_those_counted_by_hand(wren: Coverage) -> None:
    total = tally(wren.cells)
    assert (total.asked, total.answered, total.blank, total.sourced, total.beyond) == (6, 4, 2, 1, 1)
    assert total.ends == {
        (Status.STATED, Verdict.FLAGGED): 1,
        (Status.NOT_STATED, Verdict.VERIFIED): 1,
        (Status.DERIVED, Verdict.VERIFIED): 1,
        (Status.CONCLUDED, Verdict.VERIFIED): 1,
        (Status.STATED, Verdict.UNCHECKED): 1,
    }


def test_the_totals_of_stages_and_of_fields_add_up_to_the_whole(wren: Coverage) -> None:
    whole = tally(wren.cells)
    by_stage = [tally(stage.cells.values()) for pipeline in wren.pipelines for stage in pipeline.stages]
    by_field = [tally(cells) for cells in fields(wren.cells).values()]
    for parts in (by_stage, by_field):
        assert sum(part.asked for part in parts) == whole.asked
        assert sum(part.answered for part in parts) == whole.answered
        assert sum(part.beyond for part in parts) == whole.beyond


def test_claims_in_no_cell_are_counted_by_the_reason(wren: Coverage) -> None:
    assert wren.left_out == {"made by an audited document": 1, "without a field": 1}


def test_an_audited_document_can_be_covered_instead(project: Write) -> None:
    article = covered(project(FILES), made_in="article")
    assert [each.key for each in article.cells if not each.is_blank] == [("wren/pretrain", "optimiser")]
    assert article.left_out == {"made by the record": 7}


def test_only_the_pipelines_that_are_named_are_covered(project: Write) -> None:
    root = project({**FILES, "claims/teal.yaml": OTHER})
    assert {each.pipeline.id for each in covered(root).pipelines} == {"wren", "teal"}
    teal = covered(root, "teal")
    assert (tally(teal.cells).answered, tally(teal.cells).asked) == (1, 3)
    assert [use.source for use in teal.sources] == ["report"]


def test_a_pipeline_without_a_profile_has_cells_and_no_blanks(project: Write) -> None:
    pipeline = "pipelines: {wren: {stages: [{id: pretrain}, {id: tune}]}}\n"
    found = covered(project({**FILES, "claims/pipeline.yaml": pipeline}))
    assert (tally(found.cells).asked, tally(found.cells).beyond) == (0, 5)


def test_claims_about_the_pipeline_as_a_whole_have_a_stage_of_their_own(project: Write) -> None:
    more = CLAIMS.replace("stage: wren/tune\n    field: licence", "stage: wren\n    field: licence")
    found = covered(project({**FILES, "claims/wren.yaml": more}))
    assert [stage.name for stage in found.pipelines[0].stages] == ["wren/pretrain", "wren/tune", "wren"]
    assert cell(found, "wren", "licence").status is Status.STATED


# --- the record of Kimi K3 ------------------------------------------------------------------------------------------


def test_the_record_of_kimi_k3_answers_what_it_is_asked_and_shows_what_is_blank(report_folder: Path) -> None:
    settings = Settings(root=ROOT, ledger=ROOT / "claims", sources=(report_folder,))
    library = Library(settings)
    report = check(trace(load(settings), library))
    library.close()
    k3 = cover(report, profiles.known(report.ledger), pipelines=["kimi-k3"])
    total = tally(k3.cells)
    assert total.answered * 100 >= 90 * total.asked
    assert {each.verdict for each in k3.cells} == {Verdict.VERIFIED, None}
    assert {each.field for each in k3.cells if each.is_blank} <= {"modality", "architecture change", "output"}
    assert all(cell(k3, "kimi-k3/mopd", field).status is Status.NOT_STATED for field in ("learning rate", "steps"))
    assert cell(k3, "kimi-k3/mopd", "teachers").status is Status.STATED
