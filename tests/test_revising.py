"""Each pointer into a source that was revised: what stands, moved, was altered, is gone, and what is left open."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from conftest import ROOT, pdf_of
from hypothesis import given
from hypothesis import strategies as st
from reading import read

from tracer.library import Library
from tracer.loading import load
from tracer.model import Citation, Claim, Document, Places, Search, Seen, Status
from tracer.proposals import Kind, Proposal, Proposals
from tracer.revising import revise
from tracer.settings import Settings

REVISIONS = ("521359a", "0797dec", "7c5be95", "3cb39df")

DATA = "# 1 Data\nThe corpus holds 36 trillion tokens of text and code."
TRAINING = (
    "# 2 Training\nWe train with Muon, as others do [12], at a peak rate of 2e-4.\nThe batch grows to 4,096 sequences."
)
ROUTING = "# 2.1 Routing\nThe router does not drop any token, however full its experts are."
LIMITS = "# 3 Limits\nThe model reads at most 64K tokens at once."


def outline(pages: Sequence[str]) -> list[tuple[int, str, int]]:
    """The headings of the pages, as the outline of the file."""
    lines = [
        (sheet, line[2:]) for sheet, page in enumerate(pages, start=1) for line in page.splitlines() if line[:2] == "# "
    ]
    return [(title.partition(" ")[0].count("."), title, sheet) for sheet, title in lines]


def report(pages: Sequence[str]) -> Document:
    return read(pdf_of(pages, outline=outline(pages)))


def claim(*cite: Citation, **fields: object) -> Claim:
    status = fields.pop("status", Status.STATED)
    places = Places(path="claims/a.yaml", positions={})
    return Claim(id=str(fields.pop("id", "one")), cite=cite, status=status, places=places, **fields)  # type: ignore[arg-type] -- fields of the test


def cite(quote: str, **fields: str) -> Citation:
    return Citation(source="report", quote=quote, **fields)  # type: ignore[arg-type] -- all texts


Revised = Callable[..., Proposal]


@pytest.fixture
def revised() -> Revised:
    """A function from old pages, new pages and a citation to what became of it; None for old bytes that are lost."""

    def run(old: Sequence[str] | None, new: Sequence[str], quote: str, **fields: str) -> Proposal:
        before = None if old is None else report(old)
        proposals = revise([claim(cite(quote, **fields))], "report", before, report(new))
        assert len(proposals.rows) == 1
        return proposals.rows[0]

    return run


def written(row: Proposal) -> dict[str, object]:
    return {edit.field: edit.new for edit in row.edits}


OLD = [f"{DATA}\n{TRAINING}", f"{ROUTING}\n{LIMITS}"]

# --- citations ------------------------------------------------------------------------------------------------------


def test_a_quote_on_its_page_and_in_its_section_stands(revised: Revised) -> None:
    row = revised(OLD, [f"{DATA}\nMore is said here.\n{TRAINING}", OLD[1]], "36 trillion tokens", page="1", section="1")
    assert (row.kind, row.edits) == (Kind.STANDS, ())


@pytest.mark.parametrize("old", [OLD, None])
def test_a_quote_on_another_page_has_moved(revised: Revised, old: Sequence[str] | None) -> None:
    row = revised(old, ["A new first page.", *OLD], "36 trillion tokens", page="1")
    assert (row.kind, written(row)) == (Kind.MOVED, {"cite.0.page": "2"})


def test_a_cited_sheet_moves_as_a_sheet(revised: Revised) -> None:
    row = revised(OLD, ["A new first page.", *OLD], "36 trillion tokens", sheet="1")
    assert written(row) == {"cite.0.sheet": "2"}


def test_the_section_follows_its_heading_to_a_new_number(revised: Revised) -> None:
    new = [OLD[0], f"# 2.1 Schedule\nThe rate falls.\n{ROUTING.replace('2.1', '2.2')}\n{LIMITS}"]
    row = revised(OLD, new, "does not drop any token", section="2.1")
    assert (row.kind, written(row)) == (Kind.MOVED, {"cite.0.section": "2.2"})


def test_a_section_that_is_cited_by_its_title_is_written_by_its_new_title(revised: Revised) -> None:
    new = [OLD[0], f"{ROUTING.replace('Routing', 'How Tokens Are Routed')}\n{LIMITS}"]
    row = revised(OLD, new, "does not drop any token", section="Routing")
    assert written(row) == {"cite.0.section": "How Tokens Are Routed"}


def test_the_cited_parent_stays_the_parent(revised: Revised) -> None:
    new = [f"{DATA}\n# 2 Data, again\nNothing new.\n{TRAINING.replace('2 Training', '3 Training')}"]
    new.append(f"{ROUTING.replace('2.1', '3.1')}\n{LIMITS.replace('3 ', '4 ', 1)}")
    row = revised(OLD, new, "does not drop any token", section="2")
    assert written(row) == {"cite.0.section": "3"}


def test_other_reference_numbers_are_proposed_one_for_one(revised: Revised) -> None:
    row = revised(OLD, [OLD[0].replace("[12]", "[13]"), OLD[1]], "as others do [12], at a peak", page="1")
    assert (row.kind, written(row)) == (Kind.REFERENCE_MARKS, {"cite.0.quote": "as others do [13], at a peak"})


def test_a_quote_without_reference_numbers_stands_when_they_change(revised: Revised) -> None:
    row = revised(OLD, [OLD[0].replace("[12]", "[13]"), OLD[1]], "as others do, at a peak rate", page="1")
    assert row.kind is Kind.STANDS


def test_other_signs_are_typography_only(revised: Revised) -> None:
    row = revised(OLD, [OLD[0].replace("text and code", "Text and Code"), OLD[1]], "tokens of text and code", page="1")
    assert (row.kind, written(row)) == (Kind.TYPOGRAPHY, {"cite.0.quote": "tokens of Text and Code"})


def test_other_line_ends_are_no_change(revised: Revised) -> None:
    row = revised(OLD, [OLD[0].replace("text and code", "text\nand code"), OLD[1]], "tokens of text and code", page="1")
    assert row.kind is Kind.STANDS


@pytest.mark.parametrize(
    ("before", "after", "first"),
    [
        ("36 trillion", "39 trillion", ("36", "39")),
        ("trillion tokens", "trillion bytes", ("tokens", "bytes")),
        ("The corpus holds", "The corpus never holds", ("", "never")),
    ],
)
@pytest.mark.parametrize("old", [OLD, None])
def test_other_words_are_altered_and_never_written(
    revised: Revised, old: Sequence[str] | None, before: str, after: str, first: tuple[str, str]
) -> None:
    quote = "The corpus holds 36 trillion tokens of text"
    row = revised(old, [OLD[0].replace(before, after), OLD[1]], quote, page="1")
    assert (row.kind, row.edits, row.changes[0]) == (Kind.ALTERED, (), first)


def test_a_number_that_differs_is_named_before_other_words(revised: Revised) -> None:
    new = [OLD[0].replace("corpus holds 36", "data set has 39"), OLD[1]]
    row = revised(OLD, new, "The corpus holds 36 trillion tokens of text", page="1")
    assert "39" in row.changes[0][1]


def test_a_quote_that_nothing_resembles_is_gone_with_what_is_nearest(revised: Revised) -> None:
    new = [f"# 1 Data\nZebras graze quietly.\n{TRAINING}", OLD[1]]
    row = revised(OLD, new, "The corpus holds 36 trillion tokens of text and code", page="1")
    assert (row.kind, row.edits) == (Kind.GONE, ())


def test_a_quote_that_was_never_there_is_said_to_be_lost_before(revised: Revised) -> None:
    row = revised(OLD, OLD, "The corpus holds 99 trillion tokens of text", page="1")
    assert (row.kind, row.was_lost) == (Kind.ALTERED, True)


def test_of_two_places_the_one_among_the_old_words_is_meant(revised: Revised) -> None:
    said = "The batch grows to 4,096 sequences."
    new = [f"# 1 Summary\nIn short, all went well. {said}\nEnough of that.", *OLD]
    row = revised(OLD, new, said, page="1")
    assert written(row) == {"cite.0.page": "2"}


def test_two_places_among_other_words_are_ambiguous(revised: Revised) -> None:
    said = "grows to 4,096 sequences"
    new = ["Zebras graze.", f"Lions say that it {said} at dawn.", f"Owls say that it {said} at dusk."]
    row = revised(OLD, new, said, page="1")
    assert (row.kind, [place.page or place.sheet for place in row.others]) == (Kind.AMBIGUOUS, [2, 3])


def test_a_quote_over_a_page_end_moves_with_its_first_page(revised: Revised) -> None:
    new = ["A new page.", "It ends with words that go", "on over the page end here."]
    row = revised(["It ends with words that go on over the page end here."], new, "words that go on over", page="1")
    assert written(row) == {"cite.0.page": "2"}


def test_a_page_that_cannot_be_read_leaves_a_lost_quote_unchecked() -> None:
    old = report(OLD)
    new = report(["Zebras.", ""])
    unread = Document(
        kind="pdf", pages=(new.pages[0], type(new.pages[1])(sheet=2, label=None, text="", unreadable="a scan"))
    )
    row = revise([claim(cite("36 trillion tokens", page="1"))], "report", old, unread).rows[0]
    assert (row.kind, row.reason) == (Kind.UNCHECKED, "page 2 cannot be read: a scan")


def test_a_citation_without_a_quote_is_unchecked() -> None:
    document = report(OLD)
    rows = revise([claim(Citation(source="report", page="1"))], "report", document, document).rows
    assert [row.kind for row in rows] == [Kind.UNCHECKED]


def test_a_broken_claim_is_unchecked_and_not_left_out() -> None:
    document = report(OLD)
    rows = revise([claim(cite("36 trillion"), broken=True)], "report", document, document).rows
    assert [(row.kind, row.reason) for row in rows] == [(Kind.UNCHECKED, "its record is broken")]


def test_a_citation_that_pins_an_older_revision_is_left_alone() -> None:
    document = report(OLD)
    assert revise([claim(Citation(source="report@v1", quote="36 trillion"))], "report", document, document).rows == ()


def test_a_disputing_citation_is_carried_over_too() -> None:
    disputed = cite("36 trillion tokens", page="1", role="disputes", at_path="disputes.0")
    new = report(["New.", *OLD])
    row = revise([claim(disputes=(disputed,))], "report", report(OLD), new).rows[0]
    assert written(row) == {"disputes.0.page": "2"}


@pytest.mark.parametrize(
    ("new", "kind"),
    [('{"experts": 9}', Kind.STANDS), ('{"experts": 12}', Kind.ALTERED), ('{"layers": 4}', Kind.GONE)],
)
def test_a_value_of_a_data_file_stands_is_altered_or_gone(new: str, kind: Kind) -> None:
    old = read(b'{"experts": 9}', "config.json")
    pointer = Citation(source="report", at="experts")
    assert [row.kind for row in revise([claim(pointer)], "report", old, read(new.encode(), "b.json")).rows] == [kind]


def test_lines_of_a_text_move() -> None:
    old, new = (
        read(b"one\ntwo nine experts\n", "a.txt"),
        read(b"zero\none\ntwo nine experts\n", "b.txt"),
    )
    row = revise([claim(cite("nine experts", lines="2"))], "report", old, new).rows[0]
    assert written(row) == {"cite.0.lines": "3"}


# --- headings -------------------------------------------------------------------------------------------------------


def test_a_renumbered_and_a_renamed_section_are_said() -> None:
    old = report([f"{DATA}\n{TRAINING}\n{LIMITS}"])
    new = report([f"{DATA}\n{LIMITS.replace('3 Limits', '2 Known Limits')}\n{TRAINING.replace('2 ', '3 ', 1)}"])
    found = {pair.change: tuple(map(str, pair.headings)) for pair in revise([], "report", old, new).sections}
    assert found == {"renumbered": ("2", "3"), "renamed": ("3", "2")}


def test_an_added_and_a_removed_section_are_said() -> None:
    old, new = report([f"{DATA}\n{TRAINING}"]), report([f"{DATA}\n# 2 Zebras\nThey graze."])
    assert [pair.change for pair in revise([], "report", old, new).sections] == ["removed", "added"]


# --- searches and conclusions ---------------------------------------------------------------------------------------


def searched(*seen: Seen, terms: tuple[str, ...] = ("rate",)) -> Claim:
    return claim(id="two", status=Status.NOT_STATED, searched=(Search(source="report", terms=terms, seen=seen),))


def outcome(rows: Sequence[Proposal]) -> list[tuple[Kind, dict[str, object]]]:
    return [(row.kind, written(row)) for row in rows]


ANSWERED = Seen(page="1", because="the peak, not the floor")


def test_the_page_that_a_search_answers_for_moves_with_its_hits() -> None:
    old, new = report(OLD), report(["New.", *OLD])
    rows = revise([searched(ANSWERED)], "report", old, new).rows
    assert outcome(rows) == [(Kind.MOVED, {"searched.0.seen.0.page": "2"})]


def test_hits_that_part_are_answered_for_on_both_pages() -> None:
    first, second = "The rate rises for a while at the very start.", "Much later the rate falls to nothing at all."
    old, new = report([f"{first}\n{second}"]), report([first, second])
    rows = revise([searched(ANSWERED)], "report", old, new).rows
    added = {"page": "2", "because": "the peak, not the floor"}
    assert outcome(rows) == [(Kind.MOVED, {"searched.0.seen": added})]


def test_a_new_and_a_vanished_hit_are_told() -> None:
    old = report([f"{TRAINING}", "The rate of zebras is low."])
    new = report([f"{TRAINING}", "Nothing.", "At the end the rate is 1e-5."])
    rows = revise([searched(ANSWERED, Seen(page="2", because="zebras"))], "report", old, new).rows
    assert [(row.kind, [hit.sheet for hit in row.others]) for row in rows] == [
        (Kind.NEW_HITS, [3]),
        (Kind.VANISHED_HITS, [2]),
    ]


def test_a_new_hit_on_a_page_that_is_answered_for_is_told_as_well() -> None:
    new = report([f"{OLD[0]}\nThe floor of the rate is 1e-5, held for long.", OLD[1]])
    row = revise([searched(ANSWERED)], "report", report(OLD), new).rows[0]
    assert (row.kind, row.reason) == (Kind.NEW_HITS, "its page is answered for")


def test_an_open_hit_that_comes_to_stand_on_a_page_that_is_answered_for_is_told() -> None:
    open_hit = "In the third stage the rate is held at 1e-5 for long."
    old, new = report([OLD[0], open_hit]), report([f"{OLD[0]}\n{open_hit}"])
    row = revise([searched(ANSWERED)], "report", old, new).rows[0]
    assert (row.kind, [hit.sheet for hit in row.others]) == (Kind.NEW_HITS, [1])


def test_without_the_old_bytes_the_hits_that_nothing_answers_for_are_new() -> None:
    rows = revise([searched(ANSWERED)], "report", None, report(["New.", *OLD])).rows
    assert [(row.kind, [hit.sheet for hit in row.others]) for row in rows] == [(Kind.NEW_HITS, [2])]


def test_a_conclusion_that_the_new_text_states_is_told() -> None:
    concluded = claim(
        cite("at a peak rate of 2e-4", page="1"),
        id="three",
        status=Status.CONCLUDED,
        text="The optimizer state is sharded.",
    )
    new = report([f"{OLD[0]}\nThe optimizer state is sharded over all nodes.", OLD[1]])
    rows = revise([concluded], "report", report(OLD), new).rows
    assert [row.kind for row in rows] == [Kind.STANDS, Kind.NOW_STATED]
    assert "sharded" in rows[1].others[0].text


def test_a_conclusion_that_was_stated_before_is_not_told_again() -> None:
    concluded = claim(
        cite("64K tokens", page="2"), id="three", status=Status.CONCLUDED, text="The batch grows to 4,096 sequences."
    )
    document = report(OLD)
    assert [row.kind for row in revise([concluded], "report", document, document).rows] == [Kind.STANDS]


# --- laws -----------------------------------------------------------------------------------------------------------

WORDS = st.lists(
    st.sampled_from(["data", "code", "nine", "64K", "experts", "not", "tokens", "rate", "[12]"]),
    min_size=8,
    max_size=40,
)


@given(pages=st.lists(WORDS, min_size=1, max_size=3), start=st.integers(0, 200), length=st.integers(4, 8))
def test_in_a_document_revised_to_itself_all_stands(pages: list[list[str]], start: int, length: int) -> None:
    texts = ["\n".join(" ".join(page[at : at + 8]) for at in range(0, len(page), 8)) for page in pages]
    document = report(texts)
    sheet = start % len(pages)
    words = pages[sheet][start % max(1, len(pages[sheet]) - length) :][:length]
    pointer = cite(" ".join(words), page=str(sheet + 1))
    rows = revise([claim(pointer)], "report", document, document).rows
    assert [row.kind for row in rows] == [Kind.STANDS]


@pytest.fixture(scope="module")
def readings(report_folder: Path) -> Mapping[str, Document]:
    library = Library(Settings(root=ROOT, ledger=ROOT / "claims"))
    found = {name: library.read(report_folder / f"kimi-k3-{name}.pdf") for name in REVISIONS}
    library.close()
    return {name: document for name, document in found.items() if isinstance(document, Document)}


@pytest.fixture(scope="module")
def claims() -> tuple[Claim, ...]:
    ledger = load(Settings(root=ROOT, ledger=ROOT / "claims")).claims
    return tuple(claim for claim in ledger if claim.places.path.startswith("claims/kimi-k3/"))


@pytest.fixture(scope="module")
def carried(claims: tuple[Claim, ...], readings: Mapping[str, Document]) -> Mapping[str, Proposals]:
    """The record, which cites the newest revision, carried over to each of them."""
    return {name: revise(claims, "k3-report", readings["3cb39df"], new) for name, new in readings.items()}


def test_the_record_of_kimi_k3_stands_in_the_revision_that_it_cites(carried: Mapping[str, Proposals]) -> None:
    rows = carried["3cb39df"].rows
    assert len(rows) > 200
    assert [row for row in rows if row.kind is not Kind.STANDS] == []


def test_no_quote_of_kimi_k3_is_lost_between_its_revisions(carried: Mapping[str, Proposals]) -> None:
    kinds = {row.kind for proposals in carried.values() for row in proposals.rows}
    assert kinds <= {Kind.STANDS, Kind.MOVED, Kind.REFERENCE_MARKS, Kind.NEW_HITS, Kind.VANISHED_HITS}


def test_the_reference_to_the_report_itself_moved_by_a_page(carried: Mapping[str, Proposals]) -> None:
    rows = {row.claim.id: row for row in carried["521359a"].rows}
    assert written(rows["k3.k3.publisher"]) == {"cite.0.page": "36"}
    assert written(rows["k3.pretrain-8k.data-origin"]) == {"cite.0.quote": "K2 [58] and refined in Kimi K2.5 [59]"}
