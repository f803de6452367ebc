"""Quotes in Japanese, Chinese, Korean, Hebrew and Arabic are found where they stand, and changed ones nowhere."""

import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from fpdf import FPDF
from fpdf.bidi import BidiParagraph
from fpdf.enums import TextDirection
from hypothesis import given
from hypothesis import strategies as st
from reading import read
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from tracer import anchoring, following
from tracer.model import Anchor, Citation, Document
from tracer.negations import cut_after, cut_before, first_negation
from tracer.paging import cited_sheets
from tracer.readers import pdf
from tracer.text import comparable

DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
CID_FONTS = {"ja": "HeiseiMin-W3", "zh": "STSong-Light", "ko": "HYSMyeongJo-Medium"}
RIGHT, LEFT = 530.0, 60.0

PAGES = {
    "ja": (
        (
            "# 1 学習の手順",
            "大規模なモデルは3.6兆のトークンで学習され、符号化",
            "器の出力を",
            "保存しない。検証には９６時間を",
        ),
        (
            "要した。",
            "# 2 評価",
            "検証器はTransformerを用いて128Kの文書を処理した。",
        ),
    ),
    "zh": (
        (
            "# 1 训练步骤",
            "大规模模型在3.6万亿词元上进行预训练，编码",
            "器不保留输出。",
            "验证一共使用了９６小时，并且",
        ),
        (
            "没有更新词表。",
            "# 2 评估",
            "验证器使用Transformer处理了128K文档。",
        ),
    ),
    "ko": (
        (
            "# 1 학습 절차",
            "이 모델은 3.6조 토큰으로 사전 학습하며 부호기의",
            "출력을 저장하지 않는다.",
            "검증에는 모두 96시간이",
        ),
        (
            "걸렸다고 한다.",
            "# 2 평가",
            "검증기는 Transformer 구조로 128K 문서를 처리했다.",
        ),
    ),
    "he": (
        (
            "# 1 שלבי האימון",
            "המודל אומן על 3.6 טריליון אסימונים (tokens) של",
            "Kimi K3 ואינו שומר את הפלט.",
            "האימות נמשך 96 שעות",
        ),
        (
            "על כל ההתקנים.",
            "# 2 הערכה",
            "המאמת מעבד 128K מסמכים עם Transformer בכל שלב.",
        ),
    ),
    "ar": (
        (
            "# 1 خطوات التدريب",
            "تم تدريب النموذج على 3.6 تريليون رمز (tokens) من",
            "Kimi K3 ولا يحفظ المخرجات.",
            "استمر التحقق 96 ساعة",
        ),
        (
            "على كل الأجهزة.",
            "# 2 التقييم",
            "يعالج المدقق 128K وثيقة مع Transformer في كل خطوة.",
        ),
    ),
}
"""Lines of two pages; a heading begins with `#`."""

IN_A_LINE = {
    "ja": "3.6兆のトークンで学習され",
    "zh": "在3.6万亿词元上进行预训练",
    "ko": "3.6조 토큰으로 사전 학습하며",
    "he": "על 3.6 טריליון אסימונים (tokens)",
    "ar": "على 3.6 تريليون رمز (tokens)",
}
OVER_A_LINE_END = {
    "ja": "学習され、符号化器の出力を保存しない。",
    "zh": "预训练，编码器不保留输出。",
    "ko": "부호기의 출력을 저장하지 않는다.",
    "he": "אסימונים (tokens) של Kimi K3 ואינו שומר את הפלט",
    "ar": "رمز (tokens) من Kimi K3 ولا يحفظ المخرجات",
}
OVER_A_PAGE_END = {
    "ja": "検証には９６時間を要した",
    "zh": "使用了９６小时，并且没有更新词表",
    "ko": "모두 96시간이 걸렸다고 한다",
    "he": "נמשך 96 שעות על כל ההתקנים",
    "ar": "استمر التحقق 96 ساعة على كل الأجهزة",
}
CHANGED = {
    "ja": (
        "3.6兆のトークンで学習された",
        "3.6億のトークンで学習され",
        "学習され、符号化器の出力を保存した",
        "の兆3.6トークンで学習され",
    ),
    "zh": (
        "在3.6亿词元上进行预训练",
        "编码器保留输出",
        "在3.6万亿词元上进行训练",
        "在万亿3.6词元上进行预训练",
    ),
    "ko": (
        "3.6억 토큰으로 사전 학습하며",
        "부호기의 출력을 저장한다",
        "토큰으로 3.6조 사전 학습하며",
        "3.6조 토큰으로 사후 학습하며",
    ),
    "he": (
        "על 3.6 מיליארד אסימונים",
        "Kimi K3 ושומר את הפלט",
        "אסימונים 3.6 טריליון",
        "על 3.6 טריליון מסמכים",
    ),
    "ar": (
        "على 3.6 مليار رمز",
        "Kimi K3 ويحفظ المخرجات",
        "رمز 3.6 تريليون",
        "على 3.6 تريليون صورة",
    ),
}
"""Another unit, a negation taken away, words in another order, another word."""

LANGUAGES = sorted(PAGES)
MAKERS = [
    *((language, "lines") for language in ("ja", "zh", "ko")),
    *((language, order) for language in ("he", "ar") for order in ("as seen", "as said", "word by word")),
]


def seen(text: str) -> list[tuple[str, int]]:
    """The characters of a line read from the right as they are drawn from left to right, and which one each is."""
    shown = BidiParagraph(text, TextDirection.RTL).get_reordered_characters()
    mirrored = str.maketrans("()[]<>", ")(][><")
    return [
        (one.character.translate(mirrored) if one.embedding_level % 2 else one.character, one.character_index)
        for one in shown
    ]


def made_by_fpdf(pages: Sequence[Sequence[str]], order: str) -> bytes:
    """Lines that are read from the right, stored as they are seen, as they are said, or word by word."""
    made = FPDF(unit="pt", format=(595, 842))
    made.add_font("text", "", DEJAVU)
    for lines in pages:
        made.add_page()
        for number, line in enumerate(lines):
            made.set_font("text", "", 15 if line.startswith("# ") else 11)
            for _, left, text in sorted(emitted(line.removeprefix("# "), order, made.get_string_width)):
                made.text(left, 80 + 22 * number, text)
    return bytes(made.output())


def emitted(line: str, order: str, width: Callable[[str], float]) -> Iterator[tuple[int, float, str]]:
    """The strings of a line, each after its rank in the file and its left edge."""
    shown = seen(line)
    whole = "".join(character for character, _ in shown)
    left = RIGHT - width(whole)
    pattern = {"as seen": r".+", "as said": r"\S", "word by word": r"\S+"}[order]
    for match in re.finditer(pattern, whole):
        rank = min(index for _, index in shown[match.start() : match.end()])
        yield rank, left + width(whole[: match.start()]), match.group()


def made_by_reportlab(pages: Sequence[Sequence[str]], font: str) -> bytes:
    """Lines in one of the fonts that every reader of PDFs has."""
    pdfmetrics.registerFont(UnicodeCIDFont(font))
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(595, 842), invariant=1)
    for lines in pages:
        for number, line in enumerate(lines):
            canvas.setFont(font, 15 if line.startswith("# ") else 11)
            canvas.drawString(LEFT, 760 - 22 * number, line.removeprefix("# "))
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def document_in(language: str, order: str = "as seen") -> Document:
    pages = PAGES[language]
    if language in CID_FONTS:
        return pdf.read(made_by_reportlab(pages, CID_FONTS[language]))
    return pdf.read(made_by_fpdf(pages, order))


@pytest.fixture(scope="module", params=MAKERS, ids=lambda maker: " ".join(maker))
def made(request: pytest.FixtureRequest) -> tuple[str, Document]:
    language, order = request.param
    return language, document_in(language, order)


def sheets(document: Document, quote: str) -> list[set[int]]:
    """The sheets of each place of a quote."""
    return [{span.sheet for span in anchor.spans} for anchor in anchoring.anchor(quote, document)]


def in_section(document: Document, quote: str, section: str) -> bool | None:
    citation = Citation(source="s", quote=quote, section=section)
    return anchoring.find(citation, document, cited_sheets(citation, document)).section_agrees


def flowing(text: str, name: str = "s.txt") -> Document:
    """The document that the text of a file is."""
    return read(text.encode(), name)


# --- in PDFs ------------------------------------------------------------------------------------------------------


def test_a_quote_in_a_line_is_on_its_page(made: tuple[str, Document]) -> None:
    language, document = made
    assert sheets(document, IN_A_LINE[language]) == [{1}]


def test_a_quote_over_a_line_end_is_on_its_page(made: tuple[str, Document]) -> None:
    language, document = made
    assert sheets(document, OVER_A_LINE_END[language]) == [{1}]


def test_a_quote_over_a_page_end_is_on_both_pages(made: tuple[str, Document]) -> None:
    language, document = made
    assert sheets(document, OVER_A_PAGE_END[language]) == [{1, 2}]


def test_the_text_of_a_page_is_what_was_typed(made: tuple[str, Document]) -> None:
    language, document = made
    typed = [line.removeprefix("# ") for line in PAGES[language][0]]
    assert [line.strip() for line in document.pages[0].text.splitlines()] == typed


def test_a_quote_with_a_digit_changed_is_nowhere(made: tuple[str, Document]) -> None:
    language, document = made
    for quote in (IN_A_LINE[language], OVER_A_PAGE_END[language]):
        for digit in re.finditer(r"\d", quote):
            other = chr(ord(digit.group()) + (1 if int(digit.group()) < 9 else -1))
            assert sheets(document, f"{quote[: digit.start()]}{other}{quote[digit.end() :]}") == []


def test_a_quote_with_other_words_is_nowhere(made: tuple[str, Document]) -> None:
    language, document = made
    assert [quote for quote in CHANGED[language] if sheets(document, quote)] == []


def test_a_quote_is_in_the_section_whose_heading_stands_above_it(made: tuple[str, Document]) -> None:
    language, document = made
    first, second = (
        line.removeprefix("# ").partition(" ")[2] for lines in PAGES[language] for line in lines if line[0] == "#"
    )
    assert [(heading.number, heading.title) for heading in document.headings] == [("1", first), ("2", second)]
    assert in_section(document, IN_A_LINE[language], "1") is True
    assert in_section(document, IN_A_LINE[language], first) is True
    assert in_section(document, IN_A_LINE[language], second) is False


def test_a_heading_itself_can_be_quoted(made: tuple[str, Document]) -> None:
    language, document = made
    assert sheets(document, PAGES[language][1][1].removeprefix("# 2 ")) == [{2}]


def test_a_quote_is_found_however_its_accents_and_widths_are_typed(made: tuple[str, Document]) -> None:
    language, document = made
    for quote in (OVER_A_LINE_END[language], OVER_A_PAGE_END[language]):
        for form in ("NFC", "NFD", "NFKC"):
            assert len(sheets(document, unicodedata.normalize(form, quote))) == 1  # type: ignore[arg-type]


# --- from the right -----------------------------------------------------------------------------------------------


def leftward(*lines: str, order: str = "as seen") -> Document:
    return pdf.read(made_by_fpdf([lines], order))


def test_brackets_comparisons_and_signs_are_read_as_they_are_said() -> None:
    line = "הערך (x < 5) גדול מן הסף > 0.5 ב-12% לפי [7]"
    assert leftward(line).pages[0].text.strip() == line


def test_a_comparison_turned_round_is_nowhere() -> None:
    document = leftward("הערך של המודל הגדול הוא > 0.5 בכל שלב")
    assert sheets(document, "המודל הגדול הוא > 0.5 בכל שלב") == [{1}]
    assert sheets(document, "המודל הגדול הוא < 0.5 בכל שלב") == []


@pytest.mark.parametrize("said", ["לפי Qwen 2.5 בכל שלב", "במשך 64 GB בכל שלב", "עם 12 GPUs לפי Gemma 3 בכל שלב"])
def test_a_number_stands_before_its_unit_and_after_a_name(said: str) -> None:
    assert leftward(said).pages[0].text.strip() == said


def test_where_the_print_does_not_tell_either_order_of_number_and_word_is_found() -> None:
    made = made_by_fpdf([("המודל קורא 40 widgets בכל שלב של האימון",)], "as seen")
    document = pdf.read(made)
    closer = next(iter(pdf.closer(made, [1])))
    both = replace(document.pages[0], readings=(*document.pages[0].readings, *closer.readings))
    document = replace(document, pages=(both,))
    assert sheets(document, "קורא 40 widgets בכל שלב") == [{1}]
    assert sheets(document, "קורא widgets 40 בכל שלב") == [{1}]
    assert sheets(document, "קורא 41 widgets בכל שלב") == []
    assert sheets(document, "המודל קורא 40") == []


def test_letters_that_are_joined_in_the_font_are_those_that_were_typed() -> None:
    forms = (
        "\ufe97\ufee2 \ufe97\ufeaa\ufead\ufbfe\ufe90 \ufefb \ufe87\ufefb 12"  # presentation forms, lam-alef among them
    )
    assert sheets(leftward(forms), "تم تدریب لا إلا 12") == [{1}]


def test_arabic_and_european_digits_are_different_quotes() -> None:
    document = leftward("استمر التدريب ٣٦ ساعة على كل جهاز")
    assert sheets(document, "استمر التدريب ٣٦ ساعة") == [{1}]
    assert sheets(document, "استمر التدريب 36 ساعة") == []
    assert sheets(document, "استمر التدريب ٣٧ ساعة") == []


def test_two_columns_that_are_drawn_row_by_row_are_read_from_the_right_one() -> None:
    words = "המודל קורא מסמכים רבים ומעבד אותם לפני המיזוג"
    columns = [[f"{words} {side}{number}" for number in range(10, 30)] for side in (1, 2)]
    made = FPDF(unit="pt", format=(595, 842))
    made.add_font("text", "", DEJAVU)
    made.add_page()
    made.set_font("text", "", 8)
    for number in range(20):
        for side, right in ((1, 280), (0, 540)):
            text = "".join(character for character, _ in seen(columns[side][number]))
            made.text(right - made.get_string_width(text), 80 + 14 * number, text)
    page = pdf.read(bytes(made.output())).pages[0]
    assert page.text.split("\r\n") == [*columns[0], *columns[1]]


def test_a_page_read_from_the_left_keeps_its_lines_beside_one_of_hebrew() -> None:
    made = FPDF(unit="pt", format=(595, 842))
    made.add_font("text", "", DEJAVU)
    made.add_page()
    made.set_font("text", "", 11)
    lines = [
        "Plain words stay (as they are) where x < 5.",
        "The model is called מודל שפה גדול in the paper.",
        "Nothing else.",
    ]
    for number, line in enumerate(lines):
        shown = line.replace("מודל שפה גדול", "מודל שפה גדול"[::-1])
        made.text(60, 80 + 20 * number, shown)
    assert pdf.read(bytes(made.output())).pages[0].text.splitlines() == lines


# --- folding and cutting ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("モデル", "ﾓﾃﾞﾙ"),
        ("データ", unicodedata.normalize("NFD", "データ")),
        ("한국어", unicodedata.normalize("NFD", "한국어")),
        ("GPT-4", "ＧＰＴ－４"),
        ("10~20", "１０〜２０"),
        ("符号化\r\n器", "符号化器"),
        ("רב־לשוני", "רב-לשוני"),
        ("צה״ל", 'צה"ל'),
        ("النموذج", "النمـــوذج"),
        ("الآلة", unicodedata.normalize("NFD", "الآلة")),
        ("\u0634\u0651\u064e", "\u0634\u064e\u0651"),
        ("שָׁלוֹם", unicodedata.normalize("NFD", "שָׁלוֹם")),
        ("أَهم", unicodedata.normalize("NFD", "أَهم")),
    ],
)
def test_forms_of_one_text_meet(one: str, other: str) -> None:
    assert comparable(one) == comparable(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("٣", "3"), ("۳", "٣"), ("三", "3"), ("は", "ば"), ("か", "が"), ("כָּתַב", "כתב"), ("ي", "ی"), ("ク", "久")],
)
def test_what_is_not_the_same_stays_apart(one: str, other: str) -> None:
    assert comparable(one) != comparable(other)


@given(st.text(alphabet="はばｶﾞカ゛ー한ᄒ\u1161\u11ab٣شَّأ\u0654ـלאָ־״ae\u0301\u0323´1 -"))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert comparable(comparable(text)) == comparable(text)


CUTS = [
    ("該当モデルは大規模な符号化器を用いる", "規模な符号化", True),
    ("大規模なTransformerモデルを学習する", "Transformer", True),
    ("大規模なTransformerモデルを学習する", "former", False),
    ("大規模なネットワークを学習する", "ワークを学習する", False),
    ("合計で3.6兆のトークンを使う", "6兆のトークン", False),
    ("合計で3.6兆のトークンを使う", "合計で3.6", False),
    ("合計で3.6兆のトークンを使う", "合計で3.6兆", True),
    ("三千五百の文書を使う方法", "五百の文書を", False),
    ("共用了3万5千个词元进行训练", "5千个词元", False),
    ("共用了35个词元进行训练", "个词元进行", True),
    ("使用GPT-4的编码器进行训练", "使用GPT-4", True),
    ("모델은 비지도 학습을 한다", "지도 학습을 한다", False),
    ("모델은 Transformer를 학습한다", "모델은 Transformer", True),
    ("ואחר כך המודלים נשמרים", "המודל", False),
]


@pytest.mark.parametrize(("text", "quote", "is_found"), CUTS)
def test_a_quote_may_be_cut_where_its_script_allows_it(text: str, quote: str, is_found: bool) -> None:
    assert bool(sheets(flowing(text), quote)) is is_found


@pytest.mark.parametrize(
    ("before", "is_number", "turn"),
    [
        ("模型并不", False, "不"),
        ("有监督与无", False, "无"),
        ("每天至 少", True, "至少"),
        ("每天至少", False, None),
        ("大的", False, None),
    ],
)
def test_what_stands_before_a_quote_may_turn_it(before: str, is_number: bool, turn: str | None) -> None:
    assert cut_before(before, is_number=is_number) == turn


@pytest.mark.parametrize(
    ("after", "turn"),
    [
        ("な\r\nかった。", "なかった"),
        ("ません", "ません"),
        ("지 않는다", "지않"),
        ("以上の", "以上"),
        ("ので", None),
        ("한다", None),
    ],
)
def test_what_stands_after_a_quote_may_turn_it(after: str, turn: str | None) -> None:
    assert cut_after(after) == turn


def test_a_negation_that_is_left_out_is_told() -> None:
    assert first_negation("器不保留输出") == "不"
    assert first_negation("不断更新，未来") is None


def skipped(document: Document, quote: str) -> str | None:
    found: list[Anchor] = list(anchoring.anchor(quote, document))
    assert len(found) == 1
    return following._cut(document, found[0])


def test_a_quote_that_hides_a_negation_is_told() -> None:
    assert "不" in str(
        skipped(flowing("大规模模型在训练之后不保留编码器的全部输出。"), "大规模模型在训练之后…保留编码器的全部输出")
    )
    assert "不" in str(skipped(flowing("大规模模型在训练之后不保留编码器的全部输出。"), "保留编码器的全部输出"))
    assert "ない" in str(skipped(flowing("符号化器は出力を保存しない。"), "符号化器は出力を保存し"))
    assert "לא" in str(skipped(flowing("המודל הגדול לא שומר את הפלט."), "שומר את הפלט"))
    assert "لا" in str(skipped(flowing("النموذج الكبير لا يحفظ المخرجات."), "يحفظ المخرجات"))


# --- in other files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["s.html", "s.md", "s.txt"])
def test_a_quote_is_found_in_web_pages_and_texts(language: str, name: str) -> None:
    title, *lines = PAGES[language][0]
    body = "\n".join(lines)
    text = {
        "s.html": f"<html><body><h1>{title[2:]}</h1><p>{body.replace(chr(10), '<br>')}</p></body></html>",
        "s.md": f"{title}\n\n{body}\n",
        "s.txt": body,
    }[name]
    document = flowing(text, name)
    assert sheets(document, IN_A_LINE[language]) == [{1}]
    assert sheets(document, OVER_A_LINE_END[language]) == [{1}]
    assert [quote for quote in CHANGED[language] if sheets(document, quote)] == []
    if name != "s.txt":
        assert in_section(document, IN_A_LINE[language], title[4:]) is True


def test_words_of_a_font_that_is_not_in_the_file_are_no_columns() -> None:
    """pdfium gives their glyphs no height to speak of, so that each space would be a gap."""
    lines = [f"이 모델은 {number} 억 토큰을 사용하여 나중에 공유한다." for number in range(21, 41)]
    (page,) = pdf.closer(made_by_reportlab([lines], CID_FONTS["ko"]), [1])
    assert [reading.name for reading in page.readings if "column" in reading.name] == []
