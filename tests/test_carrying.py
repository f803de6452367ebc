"""What moved between the pins of a source: each step tells what it did to the citations of the ledger."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT, pdf_of, sha256_of
from test_revising import outline

from tracer import carrying
from tracer.carrying import Fate, Row, Step, steps
from tracer.checking import check
from tracer.library import Library
from tracer.loading import load
from tracer.model import Citation, Claim, Document
from tracer.proposals import Proposal
from tracer.reports.revision import edit_words
from tracer.settings import Settings, find
from tracer.tracing import trace

Project = Callable[[Mapping[str, str | bytes]], Path]
Pages = Sequence[str]

DATA = "# 1 Data\nThe corpus holds 36 trillion tokens of text and code."
TRAINING = "# 2 Training\nWe train with Muon, as others do [12], at a peak rate of 2e-4."
BATCH = "# 3 Batch\nThe batch grows to 4,096 sequences in the second stage."
FIRST = [DATA, TRAINING, BATCH]
"""The pages of a report as it was at first."""

TOKENS = {"page": "1", "quote": "holds 36 trillion tokens of text"}
RATE = {"page": "2", "quote": "as others do [12], at a peak rate of 2e-4"}
GROWTH = {"page": "3", "quote": "The batch grows to 4,096 sequences in the second stage"}


def pdf(pages: Pages) -> bytes:
    return pdf_of(pages, outline=outline(pages))


def ledger(
    project: Project, revisions: Mapping[str, bytes], *cited: Mapping[str, str], absent: Iterable[str] = ()
) -> Path:
    """A project with a source whose last revision is its present pin, and a claim `c0`, `c1`, … for each citation."""
    *older, (name, newest) = revisions.items()
    kept = [f"      - {{name: {each}, sha256: {sha256_of(data)}}}" for each, data in older]
    claims = []
    for number, fields in enumerate(cited):
        cite = ", ".join(f'{key}: "{value}"' for key, value in {"source": "report", **fields}.items())
        claims.append(f"  - {{id: c{number}, text: It is so., status: stated, cite: [{{{cite}}}]}}")
    source = f"sources:\n  report:\n    revision: {name}\n    sha256: {sha256_of(newest)}\n    revisions:\n"
    suffix = "pdf" if newest[:4] == b"%PDF" else "json"
    return project(
        {
            "tracer.toml": 'ledger = "claims"\nsources = ["sources"]\n',
            **{f"sources/{each}.{suffix}": data for each, data in revisions.items() if each not in absent},
            "claims/sources.yaml": source + "\n".join(kept) + "\n",
            "claims/claims.yaml": "claims:\n" + "\n".join(claims) + "\n",
        }
    )


def stepped(root: Path, source: str = "report") -> tuple[Step, ...]:
    settings = find(root)
    with closing(Library(settings)) as library:
        return steps(check(trace(load(settings), library)), library)[source]


def said(step: Step) -> dict[str, tuple[Fate, str]]:
    """What a step did to each claim that it did not leave as it was."""
    return {row.claim: (row.fate, words(row)) for row in step.rows if row.fate is not Fate.UNCHANGED}


def words(row: Row) -> str:
    changes = (f"{old} → {new}" for old, new in row.changes)
    return "; ".join((*map(edit_words, row.edits), *changes, *filter(None, (row.reason,))))


def named(found: Iterable[Step]) -> list[tuple[str, str]]:
    return [(step.older.name, step.newer.name) for step in found]


# --- steps ------------------------------------------------------------------------------------------------------------


def test_each_step_tells_what_it_did_and_no_other_step_does(project: Project) -> None:
    second = ["A new first page.", *FIRST]
    third = [page.replace("[12]", "[13]") for page in second]
    revisions = {"v1": pdf(FIRST), "v2": pdf(second), "v3": pdf(third)}
    cited = {**TOKENS, "page": "2"}, {**RATE, "page": "3", "quote": RATE["quote"].replace("12", "13")}
    found = stepped(ledger(project, revisions, *cited))
    assert named(found) == [("v2", "v3"), ("v1", "v2")]
    assert said(found[0]) == {"c1": (Fate.REFERENCES, "[12] → [13]")}
    assert said(found[1]) == {"c0": (Fate.MOVED, "page 1 → 2"), "c1": (Fate.MOVED, "page 2 → 3")}
    assert [step.count(Fate.UNCHANGED) for step in found] == [1, 0]


def test_a_section_that_was_renumbered_is_told(project: Project) -> None:
    new = [
        FIRST[0],
        f"# 2 Scope\nNothing.\n{TRAINING.replace('2 Training', '3 Training')}",
        FIRST[2].replace("3", "4", 1),
    ]
    found = stepped(ledger(project, {"v1": pdf(FIRST), "v2": pdf(new)}, {**RATE, "section": "3"}))
    assert said(found[0]) == {"c0": (Fate.MOVED, "section 2 → 3")}


def test_a_number_that_was_changed_is_told_from_the_older_to_the_newer(project: Project) -> None:
    new = [page.replace("4,096", "8,192") for page in FIRST]
    cited = {**GROWTH, "quote": GROWTH["quote"].replace("4,096", "8,192")}
    found = stepped(ledger(project, {"v1": pdf(FIRST), "v2": pdf(new)}, cited))
    assert said(found[0]) == {"c0": (Fate.CHANGED, "4,096 → 8,192")}


def test_a_quote_that_the_present_pin_lost_is_told_by_the_step_that_lost_it(project: Project) -> None:
    """The claims still quote the first revision, as they do where nobody has read what the second one says."""
    second = [DATA.replace("36", "39"), TRAINING, "# 3 Zebras\nThey graze quietly on the plains."]
    revisions = {"v1": pdf(FIRST), "v2": pdf(second), "v3": pdf([*second, "More."])}
    found = stepped(ledger(project, revisions, TOKENS, RATE, GROWTH))
    assert named(found) == [("v2", "v3"), ("v1", "v2")]
    assert said(found[0]) == {"c0": (Fate.NEITHER, ""), "c2": (Fate.NEITHER, "")}
    assert said(found[1]) == {"c0": (Fate.CHANGED, "36 → 39"), "c2": (Fate.GONE, "")}


def test_a_quote_of_an_older_revision_that_only_a_newer_one_has_is_told_from_there(project: Project) -> None:
    zebras = "# 3 Zebras\nThey graze quietly on the plains."
    revisions = {"v1": pdf([DATA.replace("36", "39"), TRAINING, zebras]), "v2": pdf(FIRST)}
    cited = ({**fields, "source": "report@v1"} for fields in (TOKENS, GROWTH))
    found = stepped(ledger(project, revisions, *cited), "report@v1")
    assert said(found[0]) == {"c0": (Fate.CHANGED, "39 → 36"), "c1": (Fate.NEW, "")}


def test_words_that_only_the_newer_revision_has_are_new_and_not_looked_up_further(project: Project) -> None:
    zebras = "# 3 Zebras\nThey graze quietly on the plains."
    revisions = {"v1": pdf([*FIRST[:2], "Lions."]), "v2": pdf([*FIRST[:2], zebras]), "v3": pdf(FIRST)}
    found = stepped(ledger(project, revisions, GROWTH, TOKENS))
    assert said(found[0]) == {"c0": (Fate.NEW, "")}
    assert (said(found[1]), len(found[1].rows)) == ({}, 1)


def test_a_quote_that_stood_in_two_other_places_is_undecided(project: Project) -> None:
    growth = "grows to 4,096 sequences"
    old = ["Zebras graze.", f"Lions say that it {growth} at dawn.", f"Owls say that it {growth} at dusk."]
    new = [f"And it {growth}, as all agree who were there."]
    found = stepped(ledger(project, {"v1": pdf(old), "v2": pdf(new)}, {"page": "1", "quote": growth}))
    assert said(found[0]) == {"c0": (Fate.OPEN, "it stands at several places")}


def test_a_citation_that_names_the_wrong_page_of_its_own_pin_has_not_moved(project: Project) -> None:
    revisions = {"v1": pdf(FIRST), "v2": pdf([f"{page}\nAnd more." for page in FIRST])}
    found = stepped(ledger(project, revisions, {**TOKENS, "page": "3"}))
    assert said(found[0]) == {}


def test_the_value_of_a_path_is_compared_and_not_the_quote_of_it(project: Project) -> None:
    revisions = {"v1": b'{"experts": 9, "layers": 4}', "v2": b'{"experts": 12, "layers": 4}'}
    found = stepped(ledger(project, revisions, {"at": "experts", "quote": "9"}, {"at": "layers"}))
    assert said(found[0]) == {"c0": (Fate.CHANGED, "9 → 12")}
    assert [row.quote for row in found[0].rows] == ["experts", "layers"]


def test_a_citation_without_a_quote_is_undecided(project: Project) -> None:
    found = stepped(ledger(project, {"v1": pdf(FIRST), "v2": pdf(FIRST[:2])}, {"page": "1"}))
    assert said(found[0]) == {"c0": (Fate.OPEN, "it has no quote that could be looked up")}


def test_a_source_with_one_pin_has_no_steps_even_where_it_is_written_twice(project: Project) -> None:
    settings = find(ledger(project, {"v1": pdf(FIRST), "v2": pdf(FIRST)}, TOKENS))
    with closing(Library(settings)) as library:
        assert steps(check(trace(load(settings), library)), library) == {}


def test_a_quote_that_only_a_closer_reading_finds_is_found(project: Project) -> None:
    """A raised mark stands between the words of the older revision, on a page that came before."""
    old = [f"Foreword.\n{DATA}", "The samples^(d)^ of each effort are shuffled once."]
    new = [DATA, "The samples of each effort are shuffled once."]
    cited = {"page": "2", "quote": "The samples of each effort are shuffled once"}
    assert said(stepped(ledger(project, {"v1": pdf(old), "v2": pdf(new)}, cited))[0]) == {}


# --- which of the pins is cited -------------------------------------------------------------------------------------


def test_a_citation_of_an_older_revision_is_followed_to_the_newer_ones(project: Project) -> None:
    second, third = ["A new first page.", *FIRST], ["A new first page.", *FIRST[:2]]
    revisions = {"v0": pdf([*FIRST, "Less."]), "v1": pdf(FIRST), "v2": pdf(second), "v3": pdf(third)}
    cited = {**TOKENS, "source": "report@v1"}, {**GROWTH, "source": "report@v1"}
    found = stepped(ledger(project, revisions, *cited), "report@v1")
    assert named(found) == [("v2", "v3"), ("v1", "v2"), ("v0", "v1")]
    assert said(found[0]) == {"c1": (Fate.GONE, "")}
    assert said(found[1]) == {"c0": (Fate.MOVED, "page 1 → 2"), "c1": (Fate.MOVED, "page 3 → 4")}
    assert said(found[2]) == {}


RENAMED = [page.replace("[12]", "[13]").replace("4,096", "8,192") for page in ["A new first page.", *FIRST]]


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        (TOKENS, {"page": "2"}, (Fate.MOVED, "page 1 → 2")),
        (RATE, {"page": "3", "quote": RATE["quote"].replace("12", "13")}, (Fate.REFERENCES, "[12] → [13]; page 2 → 3")),
        (GROWTH, {"page": "4", "quote": GROWTH["quote"].replace("4,096", "8,192")}, (Fate.CHANGED, "4,096 → 8,192")),
    ],
)
def test_a_step_says_the_same_whichever_of_its_ends_is_cited(
    project: Project, older: Mapping[str, str], newer: Mapping[str, str], expected: tuple[Fate, str]
) -> None:
    root = ledger(project, {"v1": pdf(FIRST), "v2": pdf(RENAMED)}, {**older, "source": "report@v1"}, {**older, **newer})
    assert said(stepped(root, "report@v1")[0]) == {"c0": expected}
    assert said(stepped(root, "report")[0]) == {"c1": expected}


# --- what is not on disk --------------------------------------------------------------------------------------------


def test_a_revision_that_is_not_on_disk_is_said_and_stepped_over(project: Project) -> None:
    revisions = {"v1": pdf(FIRST), "v2": pdf(["Zebras."]), "v3": pdf(["A new first page.", *FIRST])}
    found = stepped(ledger(project, revisions, {**TOKENS, "page": "2"}, absent=["v2"]))
    assert named(found) == [("v2", "v3"), ("v1", "v3")]
    missing = found[0].missing
    assert missing is not None
    assert (missing.pin.name, missing.unread.kind, found[0].rows) == ("v2", "absent", ())
    assert "TRACER_SOURCES" in str(missing.unread.hint)
    assert said(found[1]) == {"c0": (Fate.MOVED, "page 1 → 2")}


def test_without_the_bytes_that_are_cited_every_step_says_so(project: Project) -> None:
    revisions = {"v1": pdf(FIRST), "v2": pdf(["Zebras."]), "v3": pdf(FIRST[:2])}
    found = stepped(ledger(project, revisions, TOKENS, absent=["v3"]))
    assert named(found) == [("v2", "v3"), ("v1", "v3")]
    assert [step.missing and step.missing.pin.name for step in found] == ["v3", "v3"]


def test_a_file_with_other_bytes_than_the_pin_is_not_compared(project: Project) -> None:
    root = ledger(project, {"v1": pdf(FIRST), "v2": pdf(FIRST[:2])}, TOKENS, absent=["v2"])
    written = root / "claims" / "sources.yaml"
    written.write_text(
        written.read_text().replace("    revision: v2\n", "    revision: v2\n    file: sources/v1.pdf\n")
    )
    (step,) = stepped(root)
    assert step.missing is not None
    assert step.missing.unread.reason == "its file has other bytes than the pin"


# --- what is kept ---------------------------------------------------------------------------------------------------


@pytest.fixture
def lookups(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The quotes that were looked up so far."""
    quotes: list[str | None] = []
    look_up = carrying.look_up

    def noted(
        pointers: Sequence[tuple[Claim, Citation]], source: str, old: Document, new: Document
    ) -> tuple[Proposal, ...]:
        quotes.extend(citation.quote for _, citation in pointers)
        return look_up(pointers, source, old, new)

    monkeypatch.setattr(carrying, "look_up", noted)
    return quotes


@pytest.mark.usefixtures("empty_cache")
def test_what_was_looked_up_is_not_looked_up_again_and_an_edit_costs_its_citation_alone(
    project: Project, lookups: list[str | None]
) -> None:
    second = [DATA.replace("36", "39"), TRAINING.replace("[12]", "[13]"), "Zebras."]
    root = ledger(project, {"v1": pdf(FIRST), "v2": pdf(["New.", *FIRST]), "v3": pdf(second)}, TOKENS, RATE, GROWTH)
    before = stepped(root)
    assert set(lookups) >= {TOKENS["quote"], RATE["quote"], GROWTH["quote"]}
    lookups.clear()
    assert (stepped(root), lookups) == (before, [])
    claims = root / "claims" / "claims.yaml"
    claims.write_text(claims.read_text().replace("grows to 4,096 sequences in", "grows to 4,096 sequences"))
    stepped(root)
    assert set(lookups) == {GROWTH["quote"].replace("sequences in", "sequences")}


# --- a real report --------------------------------------------------------------------------------------------------


def kimi(folder: Path, *left_out: str) -> tuple[Step, ...]:
    """The steps of the report of Kimi K3, for the record in this project."""
    settings = Settings(root=ROOT, ledger=ROOT / "claims" / "kimi-k3", sources=(folder,))
    read = load(settings)
    source = read.sources["k3-report"]
    kept = tuple(pin for pin in source.revisions if pin.name not in left_out)
    read = replace(read, sources={**read.sources, source.id: replace(source, revisions=kept)})
    with closing(Library(settings)) as library:
        return steps(check(trace(read, library)), library)["k3-report"]


RENUMBERED = {
    "k3.rl.harnesses": {"[56] → [57]", "[86] → [87], [44] → [45]", "[44] → [45]"},
    "k3.pretrain-8k.data-origin": {"[58] → [59], [59] → [60]"},
}
"""One reference was added before these between the first two revisions."""

MOVED = {"k3.k3.publisher", "k3.k3.announced"}
"""They quote the entry of the report itself in its list of references, which came to stand on the next page."""


def told(step: Step, fate: Fate) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in step.rows:
        if row.fate is fate:
            found.setdefault(row.claim, set()).add(words(row))
    return found


def test_the_first_revision_of_a_real_report_alone_moved_what_is_cited(report_folder: Path) -> None:
    found = kimi(report_folder)
    assert named(found) == [("7c5be95", "3cb39df"), ("0797dec", "7c5be95"), ("521359a", "0797dec")]
    assert [said(step) for step in found[:2]] == [{}, {}]
    assert told(found[2], Fate.REFERENCES) == RENUMBERED
    assert told(found[2], Fate.MOVED) == {claim: {"page 36 → 37"} for claim in MOVED}
    assert {row.fate for row in found[2].rows} == {Fate.UNCHANGED, Fate.REFERENCES, Fate.MOVED}
    assert len({len(step.rows) for step in found}) == 1


def test_a_step_over_two_revisions_tells_what_its_parts_did(report_folder: Path) -> None:
    (step,) = kimi(report_folder, "0797dec", "7c5be95")
    assert (step.older.name, step.newer.name) == ("521359a", "3cb39df")
    assert told(step, Fate.REFERENCES) == RENUMBERED
    assert told(step, Fate.MOVED) == {claim: {"page 36 → 37"} for claim in MOVED}
