"""A text is found where the sources state it: exact places first, then what shares its words and numbers."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from reading import read

from tracer.cli.project import Wishes, opened
from tracer.finding import Finder, Hit
from tracer.indexing import passages
from tracer.model import Document, Places, Source
from tracer.quoting import MOST_WORDS, verifies
from tracer.readers import data

NOTES = """\
# Owl

Owl is a small model with open weights.

## Pre-training

The context grows from 4K to 64K tokens in one step. The batch holds 512 sequences. We use supervised fine-tuning on
3,000 dialogues, and nothing else is tuned by hand. No label is not used.

## Evaluation

Owl answers nine of ten questions. The score was never above 71.5 percent.

| model | layers | tokens |
|---|---|---|
| Owl | 24 | 40B |
"""


def document(text: str, sha256: str = "a" * 64) -> Document:
    return replace(read(text.encode(), "a.md"), sha256=sha256)


def source(name: str, found: Document) -> Source:
    return Source(id=name, sha256=found.sha256, places=Places(path="", positions={}))


@pytest.fixture
def owl(tmp_path: Path) -> Finder:
    notes = document(NOTES)
    return Finder({"notes": notes}, {"notes": source("notes", notes)}, tmp_path)


def quoted(hit: Hit) -> str:
    assert hit.citation is not None
    return hit.citation.quote or ""


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("window of 65,536", "64K"),
        ("SFT dialogues", "supervised fine-tuning on 3,000 dialogues"),
        ("512 in a batch", "The batch holds 512"),
        ("9 of 10 questions are answered", "nine of ten questions"),
        ("the layers of Owl", "Owl | 24"),
    ],
)
def test_a_passage_is_found_in_other_words_and_notations(owl: Finder, text: str, held: str) -> None:
    assert held.replace(" |", "") in owl.find(text)[0].passage.text.replace(" |", "")


def test_the_words_of_a_source_are_found_exactly_and_first(owl: Finder) -> None:
    first, *others = owl.find("the context grows from 4K to 64K tokens")
    assert str(first.tier) == "typography"
    assert all(other.tier is None for other in others)
    assert quoted(first) == "The context grows from 4K to 64K tokens"


def test_a_place_is_shown_once(owl: Finder) -> None:
    places = [(hit.passage.sheet, hit.passage.section) for hit in owl.find("context tokens dialogues batch", most=20)]
    assert len(places) == len(set(places))


def test_every_quote_that_is_proposed_verifies_and_is_short(owl: Finder) -> None:
    words = sorted(set(NOTES.split()))
    chance = random.Random(3)  # noqa: S311 -- words to ask for, no secret
    hits = [hit for _ in range(60) for hit in owl.find(" ".join(chance.sample(words, 5)))]
    proposed = [hit for hit in hits if hit.citation]
    assert len(proposed) > 60
    for hit in proposed:
        assert hit.citation is not None
        assert verifies(hit.citation, owl.sources["notes"], owl.documents["notes"])
        assert len(quoted(hit).split()) <= MOST_WORDS


def test_a_quote_does_not_begin_after_a_negation(owl: Finder) -> None:
    assert owl.find("above 71.5 percent")[0].citation is None
    assert "never above" in quoted(owl.find("the scores above 71.5 percent")[0])


def test_of_a_long_text_that_stands_in_a_source_twelve_words_are_quoted(owl: Finder) -> None:
    text = "We use supervised fine-tuning on 3,000 dialogues, and nothing else is tuned by hand."
    hit = owl.find(text)[0]
    assert hit.tier is not None
    assert quoted(hit) == "We use supervised fine-tuning on 3,000 dialogues, and nothing else is tuned"


def test_what_no_source_says_is_not_found(owl: Finder) -> None:
    assert owl.find("zebra quagga") == ()
    assert owl.find("…") == ()


def test_what_a_text_shares_and_lacks_is_said_in_its_own_words(owl: Finder) -> None:
    hit = owl.find("a batch of 512 zebras")[0]
    assert (hit.shared, hit.lacking) == (("batch", "512"), ("zebras",))


def test_of_passages_that_are_as_good_the_one_with_the_word_itself_comes_first(tmp_path: Path) -> None:
    """`warmly` has the root of `warm-up`, and stands in the source that is named first."""
    welcome, report = document("We warmly invite you.", "b" * 64), document("It has a linear warmup.", "c" * 64)
    named = {"a-welcome": source("a-welcome", welcome), "report": source("report", report)}
    finder = Finder({"a-welcome": welcome, "report": report}, named, tmp_path)
    assert [hit.source for hit in finder.find("warmup")] == ["report", "a-welcome"]
    assert [hit.source for hit in finder.find("warmly")] == ["a-welcome", "report"]


def test_the_words_around_a_text_decide_between_equals(tmp_path: Path) -> None:
    text = "# Model\n\n## Training\n\nIt uses 512 devices.\n\n## Serving\n\nIt uses 512 devices.\n"
    found = document(text)
    finder = Finder({"s": found}, {"s": source("s", found)}, tmp_path)
    for context in ("Training", "Serving"):
        hits = [hit for hit in finder.find("512 accelerators", context=context) if hit.tier is None]
        assert hits[0].passage.section == context


def test_of_a_passage_the_words_of_the_text_are_quoted_rather_than_those_around_it() -> None:
    said = "For each step the reward of a step is the ratio of two of them, and a sign stands for what is held fixed."
    found = document(f"# M\n\n{said}\n")
    finder = Finder({"s": found}, {"s": source("s", found)})
    assert "held fixed" in quoted(finder.find("held fixed or not", context="reward of each step")[0])


def test_a_long_form_with_a_hyphen_is_found_by_its_short_form(tmp_path: Path) -> None:
    found = document("# A\n\nOne loss is kept, that of next-token prediction.\n\n# B\n\nThe token comes next.\n")
    finder = Finder({"s": found}, {"s": source("s", found)}, tmp_path)
    assert [hit.passage.section for hit in finder.find("NTP")] == ["A"]


def test_the_rows_of_a_table_have_the_words_of_its_caption_and_its_columns() -> None:
    rows = "\n\n".join(f"Owl-{size} 1{size} 2{size} 3{size} 128K" for size in range(4, 9))
    table = (
        f"Table 1: Dense models.\n\nModels layers heads widths window\n\n{rows}\n\nIt has one of each.\n\n1 2 3 go\n"
    )
    titles = {each.text: each.title for each in passages(document(f"# Sizes\n\n{table}"))}
    lent = {text for text, title in titles.items() if title >= {"siz", "dens", "layer", "head", "window"}}
    assert lent == {f"Owl-{size} 1{size} 2{size} 3{size} 128K" for size in range(4, 9)}
    assert {title for text, title in titles.items() if text not in lent} == {frozenset({"siz"})}


class Reversing:
    """A stand-in for a model to which the passage that it sees last is the nearest."""

    def vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [(float(max(1, position)),) for position in range(len(texts))]


def test_meaning_decides_between_passages_that_share_as_much(tmp_path: Path) -> None:
    text = "# A\n\nIt uses 512 devices.\n\n# B\n\nIt uses 512 devices.\n\n# C\n\nIts batch has 512 rows.\n"
    found = document(text)
    by_words, by_meaning = (
        Finder({"s": found}, {"s": source("s", found)}, tmp_path, embedder).find("512 units")
        for embedder in (None, Reversing())
    )
    assert [hit.passage.section for hit in by_words] == ["A", "B", "C"]
    assert [hit.passage.section for hit in by_meaning] == ["C", "B", "A"]
    assert sorted(hit.score for hit in by_words) == sorted(hit.score for hit in by_meaning)


def test_what_stands_there_to_the_letter_comes_first_whatever_it_means(tmp_path: Path) -> None:
    notes = document(NOTES)
    finder = Finder({"notes": notes}, {"notes": source("notes", notes)}, tmp_path, Reversing())
    assert finder.find("The batch holds 512 sequences")[0].tier is not None


def test_a_value_of_a_data_file_is_found_by_its_path(tmp_path: Path) -> None:
    found = replace(data.read(b'{"model": {"num_layers": 24, "vocabulary_size": 98304}}'), sha256="b" * 64)
    finder = Finder({"config": found}, {"config": source("config", found)}, tmp_path)
    hit = finder.find("a vocabulary of 98,304 entries")[0]
    assert hit.citation is not None
    assert (hit.at, hit.citation.at, hit.citation.quote) == (
        "model.vocabulary_size",
        "model.vocabulary_size",
        "98304",
    )


def test_what_is_found_in_one_source_does_not_hang_on_what_was_read_before(tmp_path: Path, owl: Finder) -> None:
    other = document("# Auk\n\nThe context of Auk grows.\n", "c" * 64)
    Finder({"auk": other}, {"auk": source("auk", other)}, tmp_path).close()
    again = Finder({"notes": owl.documents["notes"]}, owl.sources, tmp_path)
    assert again.find("context grows") == owl.find("context grows")


def test_an_index_is_kept_and_one_that_is_damaged_is_made_anew(tmp_path: Path, owl: Finder) -> None:
    expected = owl.find("the batch holds sequences")
    (kept,) = (tmp_path / "passages").iterdir()
    owl.close()
    kept.write_bytes(b"no database")
    again = Finder(owl.documents, owl.sources, tmp_path)
    assert again.find("the batch holds sequences") == expected
    assert [path.suffix for path in (tmp_path / "passages").iterdir()] == [".sqlite"]


def test_an_index_that_another_version_made_is_removed_and_that_of_other_bytes_kept(tmp_path: Path) -> None:
    folder = tmp_path / "passages"
    folder.mkdir()
    earlier, other = folder / f"{'a' * 64}-0123456789ab.sqlite", folder / f"{'b' * 64}-0123456789ab.sqlite"
    for path in (earlier, other):
        path.write_bytes(b"an index of its time")
    notes = document(NOTES)
    Finder({"notes": notes}, {"notes": source("notes", notes)}, tmp_path).close()
    kept = sorted(path.name[:8] for path in folder.iterdir())
    assert (earlier.exists(), other.exists(), kept) == (False, True, ["a" * 8, "b" * 8])


def test_without_a_folder_nothing_is_kept(owl: Finder) -> None:
    assert Finder(owl.documents, owl.sources).find("512 sequences") == owl.find("512 sequences")


def test_a_very_long_text_is_looked_for_by_its_heaviest_terms(owl: Finder) -> None:
    filler = " ".join(f"word{number}x" for number in range(20_000))
    assert owl.wanted(f"{filler} batch")
    assert len(owl.wanted(filler)) == 100


@pytest.mark.usefixtures("reports")
def test_the_passages_of_real_reports_carry_quotes_that_verify() -> None:
    project = opened(Path(__file__).parent.parent, Wishes())
    with project.library() as library:
        found = library.document(project.ledger.sources["k3-report"])
    assert isinstance(found, Document)
    finder = Finder({"k3-report": found}, project.ledger.sources)
    hits = [hit for text in ("nine policies", "8K", "R_max", "draft model") for hit in finder.find(text)]
    assert len([hit for hit in hits if hit.citation]) >= 16
    assert all(finder.verifies(hit.citation) for hit in hits if hit.citation)
    assert [hit.passage.page for hit in finder.find("the context grows from 8K to 64K", most=2)] == ["12", "12"]
