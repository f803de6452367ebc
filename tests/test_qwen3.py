"""The shipped record of Qwen3 against the real report, which has no outline: all of it stands."""

from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from conftest import ROOT
from test_kimi_k3 import audited, standing

from tracer.loading import load
from tracer.model import Citation, Claim, Ledger, Status, Verdict
from tracer.settings import Settings

LEAST = 60
QUOTE_WORDS = 12


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return load(Settings(root=ROOT, ledger=ROOT / "claims"))


@pytest.fixture(scope="module")
def claims(ledger: Ledger) -> list[Claim]:
    return [claim for claim in ledger.claims if claim.places.path.startswith("claims/qwen3/")]


def citations(claims: list[Claim]) -> list[Citation]:
    return list(chain.from_iterable((*claim.cite, *claim.disputes) for claim in claims))


def test_the_record_audits_clean_without_a_finding_that_is_only_accepted(reports: Path) -> None:
    report = audited(ROOT, reports, "qwen3/")
    assert standing(report) == []
    assert [finding.rule for finding in report.findings if finding.accepted is not None] == []
    assert report.count(Verdict.VERIFIED) == len(report.claims) >= LEAST


def test_every_stage_has_claims_and_every_claim_a_stage(ledger: Ledger, claims: list[Claim]) -> None:
    stages = {f"qwen3/{stage.id}" for stage in ledger.pipelines["qwen3"].stages}
    assert {claim.stage for claim in claims} == stages


def test_every_status_is_in_use_and_every_stage_has_more_than_one(claims: list[Claim]) -> None:
    assert {claim.status for claim in claims} == set(Status)
    used = Counter(stage for stage, _ in {(claim.stage, claim.status) for claim in claims})
    assert min(used.values()) > 1


def test_every_quote_is_short_and_has_a_page(claims: list[Claim]) -> None:
    quoted = [citation for citation in citations(claims) if citation.quote]
    assert quoted == citations(claims)
    assert [quote for citation in quoted if len((quote := citation.quote or "").split()) > QUOTE_WORDS] == []
    assert [citation.quote for citation in quoted if not citation.page] == []
