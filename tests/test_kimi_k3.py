"""The shipped record of Kimi K3 against the real report: all of it stands, and nothing that is changed does."""

import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT

from tracer.checking import check
from tracer.library import Library
from tracer.loading import load
from tracer.model import Citation, Claim, Document, Ledger, Report, Severity, Verdict
from tracer.sections import lineage
from tracer.settings import Settings
from tracer.tracing import follow, trace

NEWEST = "86fb82a63ced501f0c3f4f404c0c6fa88a7a6cfac17aae81fd1a8f455998067c"
OLDEST = "38621eb5be601a5dcd5c795fc10b692d124430014ff9eb035b0ce38c72ec2eaf"
OLDEST_FILE = "kimi-k3-521359a.pdf"

Case = tuple[Claim, Citation]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return load(Settings(root=ROOT, ledger=ROOT / "claims"))


@pytest.fixture(scope="module")
def document(ledger: Ledger, report_folder: Path) -> Document:
    library = Library(Settings(root=ROOT, ledger=ROOT / "claims", sources=(report_folder,)))
    found = library.document(ledger.sources["k3-report"])
    library.close()
    assert isinstance(found, Document)
    return found


def audited(root: Path, folder: Path, stage_prefix: str = "kimi-k3/") -> Report:
    settings = Settings(root=root, ledger=root / "claims", sources=(folder,))
    ledger = load(settings)
    library = Library(settings)
    ids = {claim.id for claim in ledger.claims if claim.places.path.startswith(f"claims/{stage_prefix}")}
    report = check(trace(ledger, library), selected=ids)
    library.close()
    return report


def standing(report: Report) -> list[str]:
    return [
        f"{finding.problem.at}: {finding.rule}: {finding.problem.message}"
        for finding in report.findings
        if finding.accepted is None and finding.severity is not Severity.NOTE
    ]


def test_the_record_audits_clean(report_folder: Path) -> None:
    report = audited(ROOT, report_folder)
    assert standing(report) == []
    assert report.count(Verdict.VERIFIED) == len(report.claims) > 150


def repinned(tmp_path: Path, sha256: str, *, file: str | None = None) -> Path:
    """A copy of the ledger with the report pinned to other bytes, read from a file of the project if one is named."""
    shutil.copytree(ROOT / "claims" / "kimi-k3", tmp_path / "claims" / "kimi-k3")
    path = tmp_path / "claims" / "kimi-k3" / "sources.yaml"
    text = path.read_text().replace(NEWEST, sha256)
    path.write_text(text.replace("    revision: 3cb39df\n", f"    file: {file}\n", 1) if file else text)
    return tmp_path


def test_other_bytes_than_the_pin_are_said_first_and_verify_nothing(tmp_path: Path, report_folder: Path) -> None:
    shutil.copy(report_folder / OLDEST_FILE, tmp_path / "report.pdf")
    report = audited(repinned(tmp_path, NEWEST, file="report.pdf"), tmp_path)
    assert report.findings[0].rule == "source-changed"
    into_report = [
        verdict
        for claim in report.claims
        for citation, verdict in zip(claim.claim.citations, claim.verdicts, strict=True)
        if citation.source == "k3-report"
    ]
    assert into_report
    assert Verdict.VERIFIED not in into_report


def test_pinned_to_the_oldest_revision_only_what_moved_or_is_gone_is_flagged(
    tmp_path: Path, report_folder: Path
) -> None:
    """Page 37 of the newest revision is page 36 of the oldest; four quotes hold reference numbers that shifted."""
    report = audited(repinned(tmp_path, OLDEST), report_folder)
    flagged = {
        finding.problem.message
        for finding in report.findings
        if finding.rule in {"quote-altered", "quote-missing", "page-wrong", "section-wrong", "quote-ambiguous"}
    }
    assert flagged
    assert all("only the reference numbers differ" in said or "page 36" in said for said in flagged), flagged


# --- nothing that is changed stands -------------------------------------------------------------------------------


def cases(ledger: Ledger) -> list[Case]:
    return [
        (claim, citation)
        for claim in ledger.claims
        for citation in claim.cite
        if citation.source == "k3-report" and citation.quote and citation.page and not claim.broken
    ]


def holds(case: Case, changed: Citation, ledger: Ledger, document: Document) -> bool:
    found = follow(case[0], changed, ledger.sources["k3-report"], document)
    return found.is_decided and not found.cut and not found.section_unread and not found.unchecked


def words_of(quote: str) -> list[str]:
    return quote.split(" ")


def with_other_digit(quote: str, chance: random.Random) -> Iterator[str]:
    for match in re.finditer(r"\d", quote):
        digit = chance.choice([other for other in "0123456789" if other != match.group()])
        yield quote[: match.start()] + digit + quote[match.end() :]


def with_other_word(quote: str, _: random.Random) -> Iterator[str]:
    words = words_of(quote)
    for position, word in enumerate(words):
        if re.search(r"[A-Za-z]{2}", word):
            yield " ".join([*words[:position], "heron", *words[position + 1 :]])


def with_not(quote: str, _: random.Random) -> Iterator[str]:
    words = words_of(quote)
    for position in range(1, len(words)):
        yield " ".join([*words[:position], "not", *words[position:]])


def without_not(quote: str, _: random.Random) -> Iterator[str]:
    words = words_of(quote)
    for position, word in enumerate(words):
        if word.casefold() in {"not", "no", "without", "never"} and len(words) > 2:
            yield " ".join([*words[:position], *words[position + 1 :]])


def with_words_swapped(quote: str, _: random.Random) -> Iterator[str]:
    words = words_of(quote)
    for position in range(len(words) - 1):
        first, second = words[position : position + 2]
        if first != second and "…" not in (first, second):
            yield " ".join([*words[:position], second, first, *words[position + 2 :]])


CHANGES = (with_other_digit, with_other_word, with_not, without_not, with_words_swapped)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_no_changed_quote_is_verified(change: object, ledger: Ledger, document: Document) -> None:
    assert callable(change)
    chance = random.Random(20261201)  # noqa: S311 -- which wrong digit is taken does not matter
    changed = [
        (case, replace(case[1], quote=quote)) for case in cases(ledger) for quote in change(case[1].quote or "", chance)
    ]
    assert changed
    assert [citation.quote for case, citation in changed if holds(case, citation, ledger, document)] == []


def elsewhere(case: Case, ledger: Ledger, document: Document) -> set[int]:
    """The sheets on which the quote stands, wherever it is cited."""
    anywhere = replace(case[1], page=None, section=None)
    found = follow(case[0], anywhere, ledger.sources["k3-report"], document)
    return {span.sheet for anchor in found.anchors for span in anchor.spans}


def test_no_page_that_is_one_off_is_verified(ledger: Ledger, document: Document) -> None:
    wrong = []
    for case in cases(ledger):
        sheets = elsewhere(case, ledger, document)
        for page in (int(case[1].page or 0) - 1, int(case[1].page or 0) + 1):
            if page in sheets or not 1 <= page <= len(document.pages):
                continue
            if holds(case, replace(case[1], page=str(page)), ledger, document):
                wrong.append((case[1].quote, page))
    assert wrong == []


def test_no_neighbouring_section_is_verified(ledger: Ledger, document: Document) -> None:
    """The sections around the right one hold the quote as well, so they are no wrong answer."""
    headings, wrong = document.headings, []
    for case in cases(ledger):
        found = follow(case[0], case[1], ledger.sources["k3-report"], document)
        for anchor in found.anchors:
            if anchor.section is None:
                continue
            around = list(lineage(headings, anchor.section))
            position = headings.index(anchor.section)
            neighbours = [heading for heading in headings[max(0, position - 1) : position + 2] if heading not in around]
            pinned = replace(case[1], page=anchor.page)
            wrong += [
                (case[1].quote, str(heading))
                for heading in neighbours
                if holds(case, replace(pinned, section=str(heading)), ledger, document)
            ]
    assert wrong == []
