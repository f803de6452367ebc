"""Folding: what typesetting changes meets, what carries meaning stays apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.text import comparable, fold, original

typesetting = [
    ("filter offsets", "ﬁlter oﬀsets", "ligatures"),
    ("the rate", "the\u00a0rate", "no-break spaces"),
    ("limit", "li\u00admit", "soft hyphens"),
    ("tokens", "to\u2060k\u200bens", "zero-width characters"),
    ("communication", "communica\ufffetion", "pdfium's line-end hyphen"),
    ("communication", "communica\x02tion", "pdfium's other line-end hyphen"),
    ("pre-training", "pretraining", "hyphens between letters"),
    ("TECHNICAL REPORT", "T ECHNICAL R EPORT", "small capitals"),
    ('"kept"', "“kept”", "curly quotes"),
    ('"kept"', "``kept''", "quotes typed in TeX"),
    ("it's", "it’s", "apostrophes"),
    ("10-20", "10–20", "an en dash in a range"),
    ("-1", "−1", "the minus sign"),
    ("a - b", "a — b", "an em dash"),
    ("café", "cafe\u0301", "decomposed accents"),
    ("naïve", "nai\u0308ve", "diaeresis as a mark"),
    ("naïve", "naı\u0308ve", "diaeresis on a dotless i"),
    ("über", "¨uber", "an accent set before its letter"),
    ("Erdős", "Erd ˝ os", "an accent with white space around it"),
    ("Hélène", "H ´ el ` ene", "a grave accent inside a word"),
    ("Çelik", "C ¸ elik", "a cedilla after its letter"),
    ("Façade", "Fa ¸ cade", "a cedilla before its letter"),
    ("Français", "Fran¸cais", "a cedilla between two letters that could bear it"),
    ("Straße", "STRASSE", "case, expanded"),
    ("10^6", "10⁶", "a power typed with a caret"),
    ("10^{-4}", "10⁻⁴", "a negative power typed with a caret"),
    ("10^ 6", "10⁶", "a power typed with a caret and a space"),
    ("12", "１２", "full-width digits"),
    ("4 096", "4\u202f096", "a narrow space in a number"),
    ("σ", "𝜎", "mathematical letters"),
    ("right", "ri\u202eght", "bidirectional controls"),
]

meaning = [
    ("102", "10²", "a power"),
    ("23/4", "2¾", "a mixed fraction"),
    ("1/2", "½", "a fraction"),
    ("12", "1 2", "a space between two digits"),
    ("2.8", "2. 8", "a space after a point"),
    ("1", "-1", "a sign"),
    ("> 0", "< 0", "an inequality"),
    ("≥ 0", "> 0", "a weak inequality"),
    ("2.5x", "25x", "a decimal point"),
    ("e", "é", "an accent"),
    ("1020", "10-20", "a range"),
    ("IV", "Ⅳ", "a Roman numeral sign"),
    ("1", "①", "a circled digit"),
    ("cutoff", "cuto\x00", "a glyph without Unicode"),
    ("GPT4", "GPT-4", "a hyphen before a digit"),
    ("- 671B -", "- - 671B -", "an empty cell of a table"),
]


@pytest.mark.parametrize(("plain", "typeset", "what"), typesetting)
def test_what_typesetting_changes_is_folded_away(plain: str, typeset: str, what: str) -> None:
    assert comparable(plain) == comparable(typeset), what


@pytest.mark.parametrize(("one", "other", "what"), meaning)
def test_what_carries_meaning_stays_apart(one: str, other: str, what: str) -> None:
    assert comparable(one) != comparable(other), what


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    once = comparable(text)
    assert comparable(once) == once


awkward = "㎨㎯ŉ‴⁗㎧㎮㏆㏞㏟︱︲﹘｀＾\u1fef¨¸ˆˇ˚˜`´ab -1"


@given(st.text(alphabet=awkward))
def test_folding_awkward_characters_twice_is_folding_them_once(text: str) -> None:
    once = comparable(text)
    assert comparable(once) == once


def test_a_unit_with_a_power_in_one_sign_keeps_it() -> None:
    assert comparable("㎨") != comparable("m/s2")


@given(st.text())
def test_every_comparable_character_has_its_place_in_the_text(text: str) -> None:
    folded = fold(text)
    assert len(folded.offsets) == len(folded.text)
    assert all(0 <= offset < len(text) for offset in folded.offsets)
    assert list(folded.offsets) == sorted(folded.offsets)


@given(st.text(alphabet="abc 12.,-\n", min_size=1))
def test_plain_characters_stand_for_themselves(text: str) -> None:
    folded = fold(text)
    assert all(
        folded.text[i] == text[offset] or (folded.text[i] == " " and text[offset].isspace())
        for i, offset in enumerate(folded.offsets)
    )


@given(st.from_regex(r"[a-z]{2,8}( [a-z]{2,8}){2,6}", fullmatch=True))
def test_a_word_of_a_text_is_found_again_where_it_stands(text: str) -> None:
    folded = fold(text)
    word = text.split()[-1]
    start, end = original(folded, len(folded.text) - len(word), len(folded.text))
    assert text[start:end] == word


@pytest.mark.parametrize(
    ("text", "is_operator"),
    [("x − y", True), ("x - y", True), ("a—b", True), ("pre-train", False), ("co\ufffeop", False)],
)
def test_a_dash_dropped_between_letters_is_remembered_with_what_it_is(text: str, is_operator: bool) -> None:
    assert [operator for _, operator in fold(text).dashes] == [is_operator]


def test_a_replaced_character_is_left_out_or_written_anew() -> None:
    assert fold("domains3 are", {7: ""}).text == "domainsare"
    assert fold("3×106", {4: "⁶"}).text == "3×10⁶"


@given(st.text(alphabet="0123456789", min_size=2, max_size=12), st.data())
def test_no_changed_digit_folds_to_the_same_text(number: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(number) - 1))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != number[position]]))
    assert comparable(number) != comparable(number[:position] + digit + number[position + 1 :])
