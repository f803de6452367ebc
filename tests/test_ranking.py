"""Passages of small texts in the order of what they hold of the words and numbers that are asked for."""

from test_finding import document

from tracer.indexing import Index
from tracer.ranking import FROM_TITLE, LENT, OF_REFERENCES, Ranked, scored, token_weights, weighed
from tracer.terms import terms


def ranked(markdown: str, asked: str, context: str = "", *, lent: float = 0.5) -> list[Ranked]:
    """The passages of a text that are proposed, best first."""
    index = Index(document(markdown), None)
    wanted = weighed(terms(asked), terms(context), (index,), lent=lent)
    return sorted(scored("notes", index, wanted), key=lambda it: -it.score)


def texts(markdown: str, asked: str, context: str = "") -> list[str]:
    return [each.passage.text.strip() for each in ranked(markdown, asked, context)]


def test_a_rare_word_weighs_more_than_one_of_every_passage() -> None:
    index = Index(document("The owl flies.\n\nThe owl sleeps.\n\nThe owl hunts mice."), None)
    owl, mice = weighed(terms("owl mice"), (), (index,), lent=0.5)
    assert owl.weight < mice.weight


def test_the_words_around_a_text_count_what_they_are_lent_and_only_once() -> None:
    index = Index(document("The owl flies.\n\nThe auk dives."), None)
    owl, auk = weighed(terms("owl"), terms("owl auk"), (index,), lent=0.5)
    assert (owl.is_context, auk.is_context) == (False, True)
    assert auk.weight == 0.5 * owl.weight


def test_a_passage_that_holds_every_term_in_order_is_before_one_that_has_them_in_another() -> None:
    found = "Grey owls hunt mice.\n\nMice hunt grey owls."
    assert texts(found, "owls hunt mice") == ["Grey owls hunt mice.", "Mice hunt grey owls."]
    assert texts(found, "mice hunt owls") == ["Mice hunt grey owls.", "Grey owls hunt mice."]


def test_what_a_passage_lacks_its_title_lends_in_part_and_its_neighbours_less() -> None:
    found = ranked("# Owls\n\nThey hunt mice.\n\nThey sleep by day.\n", "owls sleep mice")
    worths = {each.passage.text.strip(): each.worths for each in found}
    assert worths["They sleep by day."] == (FROM_TITLE, 1.0, LENT[0][1])
    assert worths["They hunt mice."] == (FROM_TITLE, LENT[0][1], 1.0)


def test_nothing_is_lent_over_the_end_of_a_section() -> None:
    found = ranked("# A\n\nThey hunt mice.\n\n# B\n\nThey sleep.\n", "sleep mice")
    assert {each.passage.text.strip(): each.worths for each in found} == {
        "They hunt mice.": (0.0, 1.0),
        "They sleep.": (1.0, 0.0),
    }


def test_a_passage_of_a_list_of_references_is_worth_a_part_of_its_equal() -> None:
    found = ranked("# References\n\nOwls hunt.\n\n# Life\n\nOwls hunt.\n", "owls hunt")
    score = {each.passage.is_reference: each.score for each in found}
    assert score[True] == OF_REFERENCES * score[False]


def test_a_row_that_shares_numbers_alone_is_after_a_longer_sentence() -> None:
    row = "Owl-4 512 24 34 128K"
    sentence = "Some 512 animals of ten kinds live near our river, grey and brown, big and small, old and young."
    found = f"# Sizes\n\n{row}\n\n# Kinds\n\n{sentence}\n"
    assert texts(found, "512 auks") == [sentence, row]
    assert texts(found, "512") == [row, sentence]


def test_words_around_a_text_alone_propose_nothing() -> None:
    assert texts("Owls hunt.\n\nAuks dive.", "owls", context="dive") == ["Owls hunt."]


def test_a_token_weighs_as_the_heaviest_term_that_has_it() -> None:
    index = Index(document("An owl-like bird.\n\nAn owl."), None)
    wanted = weighed(terms("owl-like owl"), (), (index,), lent=0.5)
    held = [each.weight for each in wanted if any("owl" in run for run in each.term.runs)]
    assert token_weights(wanted)["owl"] == max(held)
