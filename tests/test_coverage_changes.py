"""What has changed between two coverages of one record."""

from collections.abc import Callable, Mapping
from pathlib import Path

from coverage_ledger import CLAIMS, FILES, covered

from tracer.coverage import Coverage
from tracer.coverage_changes import changes
from tracer.model import Status

Write = Callable[[Mapping[str, str | bytes]], Path]


def changed(project: Write, old: str, new: str) -> tuple[Coverage, Coverage]:
    before = covered(project(FILES))
    assert old in CLAIMS
    return before, covered(project({**FILES, "claims/wren.yaml": CLAIMS.replace(old, new)}))


def test_nothing_has_changed_between_equal_records(project: Write) -> None:
    wren = covered(project(FILES))
    found = changes(wren, wren)
    assert (found.answered, found.blank, found.restated, found.flagged, found.revalued) == ((), (), (), (), ())


def test_a_blank_that_is_answered_is_newly_answered_and_one_that_is_not_any_more_is_blank(project: Write) -> None:
    before, after = changed(project, "field: Learning-Rate", "field: Optimiser")
    found = changes(before, after)
    assert [each.key for each in found.answered] == [("wren/pretrain", "optimiser")]
    assert [each.key for each in found.blank] == [("wren/pretrain", "learningrate")]


def test_a_claim_that_does_not_stand_any_more_is_newly_flagged_and_one_that_never_did_is_not(project: Write) -> None:
    found = changes(
        *changed(
            project,
            "page: 1, quote: Wren reads 40 billion tokens of text}]\n  - id: wren.passes",
            "page: 2, quote: Wren reads 40 billion tokens of text}]\n  - id: wren.passes",
        )
    )
    assert "wren.tokens" in [claim.claim.id for claim in found.flagged]
    assert "wren.passes" not in [claim.claim.id for claim in found.flagged]


def test_another_value_with_the_same_evidence_is_told_and_with_new_evidence_is_not(project: Write) -> None:
    found = changes(*changed(project, "value: 40B", "value: 41B"))
    assert [(old.value, new.value) for old, new in found.revalued] == [("40B", "41B")]
    cited = changes(
        *changed(
            project,
            "value: 20B\n    unit: tokens\n    status: derived\n    formula: tokens / 2",
            "value: 10B\n    unit: tokens\n    status: derived\n    formula: tokens / 4",
        )
    )
    assert cited.revalued == ()


def test_another_status_of_a_cell_is_told(project: Write) -> None:
    old = "    status: not-stated\n    searched: [{source: report, terms: [learning rate, lr]}]"
    new = "    status: concluded\n    because: It goes on.\n    leans-on: [wren.tokens]"
    found = changes(*changed(project, old, new))
    assert [(before.status, after.status) for before, after in found.restated] == [
        (Status.NOT_STATED, Status.CONCLUDED)
    ]
