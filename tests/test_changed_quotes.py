"""Every quote of the shipped records, changed in one place: none of them is verified."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from conftest import ROOT

from tracer.following import follow
from tracer.library import Library
from tracer.loading import load
from tracer.model import Citation, Claim, Document, Ledger, Source
from tracer.sections import lineage
from tracer.settings import Settings

Case = tuple[Claim, Citation]


@dataclass(frozen=True, kw_only=True)
class Record:
    """A source as read, and the citations of the shipped ledger into it."""

    source: Source
    document: Document
    cases: tuple[Case, ...]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return load(Settings(root=ROOT, ledger=ROOT / "claims"))


@pytest.fixture(scope="module", params=["k3-report", "qwen3-report"])
def record(request: pytest.FixtureRequest, ledger: Ledger, report_folder: Path) -> Record:
    source = ledger.sources[request.param]
    library = Library(Settings(root=ROOT, ledger=ROOT / "claims", sources=(report_folder,)))
    document = library.document(source)
    library.close()
    assert isinstance(document, Document)
    cases = tuple(
        (claim, citation)
        for claim in ledger.claims
        for citation in claim.cite
        if citation.source == source.id and citation.quote and citation.page and not claim.broken
    )
    assert cases
    return Record(source=source, document=document, cases=cases)


def holds(case: Case, changed: Citation, record: Record) -> bool:
    found = follow(case[0], changed, record.source, record.document)
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
def test_no_changed_quote_is_verified(change: object, record: Record) -> None:
    assert callable(change)
    chance = random.Random(20261201)  # noqa: S311 -- which wrong digit is taken does not matter
    changed = [
        (case, replace(case[1], quote=quote)) for case in record.cases for quote in change(case[1].quote or "", chance)
    ]
    assert changed
    assert [citation.quote for case, citation in changed if holds(case, citation, record)] == []


def elsewhere(case: Case, record: Record) -> set[int]:
    """The sheets on which the quote stands, wherever it is cited."""
    anywhere = replace(case[1], page=None, section=None)
    found = follow(case[0], anywhere, record.source, record.document)
    return {span.sheet for anchor in found.anchors for span in anchor.spans}


def test_no_page_that_is_one_off_is_verified(record: Record) -> None:
    wrong = []
    for case in record.cases:
        sheets = elsewhere(case, record)
        for page in (int(case[1].page or 0) - 1, int(case[1].page or 0) + 1):
            if page in sheets or not 1 <= page <= len(record.document.pages):
                continue
            if holds(case, replace(case[1], page=str(page)), record):
                wrong.append((case[1].quote, page))
    assert wrong == []


def test_no_neighbouring_section_is_verified(record: Record) -> None:
    """The sections around the right one hold the quote as well, so they are no wrong answer."""
    headings, wrong = record.document.headings, []
    for case in record.cases:
        found = follow(case[0], case[1], record.source, record.document)
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
                if holds(case, replace(pinned, section=str(heading)), record)
            ]
    assert wrong == []
