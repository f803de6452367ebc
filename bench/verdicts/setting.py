"""Sentences of other scripts to PDFs, with what is set: Japanese, Chinese, Korean, Hebrew, Arabic.

Each is set by two makers or more; what is written from right to left, in each of the orders in which makers store it.
"""

import html
import random
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.verdicts import blocks, shaping, truth
from bench.verdicts.composing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from bench.verdicts.languages import LANGUAGES, WIDE, Language, Writer
from bench.verdicts.making import sections
from bench.verdicts.model import Material, Passage
from bench.verdicts.typesetters import fonts

SIZE, LEADING, PAGES = 10.5, 17.0, 5
CID_FONTS = {"ja": ("HeiseiMin-W3", "HeiseiKakuGo-W5"), "zh": ("STSong-Light",), "ko": ("HYSMyeongJo-Medium",)}
CHROMIUM = "chromium"

_UNBREAKABLE = re.compile(r"[A-Za-z0-9.,%~～０-９．，-]{2}")
_NOT_FIRST = "。、，）」』”％%．,.：；！？ーっゃゅょ々"
_NOT_LAST = "「（“『"
_INNER = re.compile("[\u3041-\u3096\u4e00-\u9fff]")
_TURNING = re.compile("[不没有未非無无一二三四五六七八九十百千万萬億亿兆半分割成倍折点ないずんしぁ-ぉっゃゅょ々以未]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a language is set: by which maker, and how its lines are emitted."""

    name: str
    language: str
    maker: str
    emission: str = "lines"
    font: str = ""
    headings: str = "outline"
    breaks: str = "words"


SETTINGS = (
    Setting(name="japanese", language="ja", maker="reportlab", font="HeiseiMin-W3", breaks="anywhere"),
    Setting(
        name="japanese-spaced",
        language="ja",
        maker="reportlab",
        font="HeiseiKakuGo-W5",
        emission="spaced",
        breaks="anywhere",
        headings="numbers",
    ),
    Setting(name="japanese-fpdf", language="ja", maker="fpdf2", breaks="anywhere", headings="numbers"),
    Setting(name="chinese", language="zh", maker="reportlab", font="STSong-Light", breaks="anywhere"),
    Setting(name="chinese-fpdf", language="zh", maker="fpdf2", emission="spaced", breaks="anywhere"),
    Setting(name="korean", language="ko", maker="reportlab", font="HYSMyeongJo-Medium"),
    Setting(name="korean-fpdf", language="ko", maker="fpdf2", breaks="anywhere", headings="numbers"),
    Setting(name="hebrew-visual", language="he", maker="fpdf2", font="sans"),
    Setting(name="hebrew-logical", language="he", maker="reportlab", font="sans", emission="letters"),
    Setting(name="hebrew-words", language="he", maker="reportlab", font="liberation", emission="words"),
    Setting(name="hebrew-browser", language="he", maker="chromium", font="sans", headings="numbers"),
    Setting(name="arabic-visual", language="ar", maker="fpdf2", font="sans", emission="joined"),
    Setting(name="arabic-logical", language="ar", maker="reportlab", font="sans", emission="letters"),
    Setting(name="arabic-words", language="ar", maker="reportlab", font="sans", emission="words", headings="numbers"),
    Setting(name="arabic-browser", language="ar", maker="chromium", font="sans", headings="numbers"),
)


def missing(setting: Setting) -> str | None:
    """Why a setting cannot be made here, or None."""
    if LANGUAGES[setting.language].is_leftward and fonts(setting.font) is None:
        return f"the {setting.font} fonts are not installed"
    if setting.maker == CHROMIUM and not shutil.which(CHROMIUM):
        return "chromium is not installed"
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line as it is said, and where it stands: its foot and its type size, in points."""

    text: str
    y: float
    size: float = SIZE


@dataclass(slots=True, kw_only=True)
class Sheet:
    """The lines of a page, and the titles among them as an outline names them: text, level, upper edge."""

    lines: list[Line] = field(default_factory=list)
    titles: list[tuple[str, int, float]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that is set, as it is said."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence's tokens, where each begins in its text, and the (sheet, line) of each character."""

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    text: str
    spots: tuple[tuple[int, int], ...]
    section: str


def make(setting: Setting, folder: Path, seed: int) -> Material:
    """A PDF of a setting, and the passages of it that poppler sees as well."""
    name = f"{seed} {setting.name}"
    composer = Composer(setting, name, _widths(setting, folder))
    composer.compose()
    path = folder / f"{setting.name}.pdf"
    makers: Mapping[str, Callable[[Setting, Sequence[Sheet], Path], None]] = {
        "reportlab": _by_reportlab,
        "fpdf2": _by_fpdf2,
        CHROMIUM: _by_chromium,
    }
    makers[setting.maker](setting, composer.sheets, path)
    texts, raw = truth.pages(path), truth.pages(path, "-raw")
    seen = [truth.loose("".join(page)) for page in zip(texts, raw, strict=True)]
    language = LANGUAGES[setting.language]
    passages = _passages(composer.sentences, language, random.Random(f"{name} passages"))
    return Material(
        name=setting.name,
        path=path,
        labels=tuple(str(sheet) for sheet in range(1, len(composer.sheets) + 1)),
        sections=tuple(sections(composer.headings)),
        passages=tuple(passage for passage in passages if _is_confirmed(passage, seen, language)),
        pages=truth.readings(texts, raw, [sheet.text for sheet in composer.sheets]),
    )


def _is_confirmed(passage: Passage, seen: Sequence[str], language: Language) -> bool:
    """Whether poppler sees a passage; in lines from the right, in whose order readers differ, its words one by one."""
    if passage.last_sheet > passage.sheet and any(truth.stands(passage.words, page) for page in seen):
        return False
    pages = "|".join(seen[sheet - 1] for sheet in passage.sheets)
    if not language.is_leftward:
        first, last = seen[passage.sheet - 1], seen[passage.sheets[-1] - 1]
        return truth.stands_in_pieces(passage.words, first, last, pieces=6)
    words = [truth.loose(word) for word in passage.words]
    known = pages.replace(shaping.TATWEEL, "")
    return all(word in known or word.replace("لا", "ال") in known for word in words)


# --- composing ----------------------------------------------------------------------------------------------------


class Composer:
    """Fills pages of one column line by line."""

    def __init__(self, setting: Setting, seed: str, widths: Callable[[str, float], float]) -> None:
        self.setting, self.language, self.widths = setting, LANGUAGES[setting.language], widths
        self.random = random.Random(f"{seed} layout")
        self.writer = Writer(f"{seed} prose", self.language)
        self.sheets: list[Sheet] = []
        self.sentences: list[Sentence] = []
        self.headings: list[tuple[str | None, str, int]] = []
        self.numbers = [0, 0]
        self.y = 0.0
        self.head = self.writer.title()
        self._next_sheet()

    def compose(self) -> None:
        """The document, until its pages are full."""
        while len(self.sheets) <= PAGES:
            self._heading()
            for _ in range(self.random.randint(2, 3)):
                self._paragraph(self.random.randint(3, 6))

    def _next_sheet(self) -> None:
        self.sheets.append(Sheet())
        number = str(len(self.sheets))
        self.sheets[-1].lines += [
            Line(text=self.head, y=TOP + 26, size=SIZE * 0.85),
            Line(text=number, y=BOTTOM - 30),
        ]
        self.y = TOP

    def _heading(self) -> None:
        level = 1 if not self.numbers[0] or self.random.random() < 0.3 else 2
        self.numbers = [self.numbers[0] + 1, 0] if level == 1 else [self.numbers[0], self.numbers[1] + 1]
        if self.y - BOTTOM < 5 * LEADING:
            self._next_sheet()
        number = ".".join(map(str, self.numbers[:level]))
        title = next(title for title in iter(self.writer.title, "") if title not in {one[1] for one in self.headings})
        size = SIZE * (1.45 if level == 1 else 1.25)
        self.y -= size * 2
        self.sheets[-1].lines.append(Line(text=f"{number} {title}", y=self.y, size=size))
        self.sheets[-1].titles.append((f"{number} {title}", level, self.y + size))
        self.headings.append((number, title, level))

    def _paragraph(self, count: int) -> None:
        written = [self.writer.sentence() for _ in range(count)]
        text = self.language.joint.join(self.language.joint.join(tokens) for tokens in written)
        spots = self._set(text)
        start = 0
        for tokens in written:
            whole = self.language.joint.join(tokens)
            starts = [0]
            for token in tokens[:-1]:
                starts.append(starts[-1] + len(token) + len(self.language.joint))
            self.sentences.append(
                Sentence(
                    tokens=tokens,
                    starts=tuple(starts),
                    text=whole,
                    spots=tuple(spots[start : start + len(whole)]),
                    section=str(self.headings[-1][0]),
                )
            )
            start += len(whole) + len(self.language.joint)
        self.y -= 0.6 * LEADING

    def _set(self, text: str) -> list[tuple[int, int]]:
        """A paragraph into lines; the (sheet, line) of each of its characters."""
        spots: list[tuple[int, int]] = []
        start = 0
        while start < len(text):
            end = self._line_end(text, start)
            if self.y - LEADING < BOTTOM:
                self._next_sheet()
            self.y -= LEADING
            self.sheets[-1].lines.append(Line(text=text[start:end].strip(), y=self.y))
            spots += [(len(self.sheets), len(self.sheets[-1].lines))] * (end - start)
            start = end
        return spots

    def _line_end(self, text: str, start: int) -> int:
        last = start
        for end in range(start + 1, len(text) + 1):
            if self.widths(text[start:end].strip(), SIZE) > RIGHT - LEFT:
                return last if last > start else end - 1
            if end == len(text) or self._may_break(text, end):
                last = end
        return len(text)

    def _may_break(self, text: str, at: int) -> bool:
        if text[at - 1] == " ":
            return True
        if self.setting.breaks == "words" or text[at] == " ":
            return False
        is_inside = _UNBREAKABLE.match(text, at - 1) is not None
        return not is_inside and text[at] not in _NOT_FIRST and text[at - 1] not in _NOT_LAST


# --- makers -------------------------------------------------------------------------------------------------------


def _widths(setting: Setting, folder: Path) -> Callable[[str, float], float]:
    if setting.maker == "fpdf2" and not setting.font:
        _blocks_of(setting, folder)
        return lambda text, size: blocks.width(text, size)
    name = _registered(setting)
    from reportlab.pdfbase.pdfmetrics import stringWidth

    gap = 0.6 if setting.emission == "spaced" else 0.0
    return lambda text, size: float(stringWidth(text, name, size)) + gap * len(text)


def _blocks_of(setting: Setting, folder: Path) -> Path:
    path = folder / f"{setting.name}.ttf"
    if not path.is_file():
        language = LANGUAGES[setting.language]
        ascii_ = {chr(code) for code in range(0x21, 0x7F)}
        text = "".join(language.patterns) + "".join("".join(words) for words in language.slots.values())
        blocks.write({*text, *ascii_, *"".join(ascii_).translate(WIDE)}, path)
    return path


def _registered(setting: Setting) -> str:
    """The name of a setting's font with reportlab."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.ttfonts import TTFont

    files = fonts(setting.font)
    name = str(files["roman"].stem) if files else setting.font
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, str(files["roman"])) if files else UnicodeCIDFont(name))
    return name


def _by_reportlab(setting: Setting, sheets: Sequence[Sheet], path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    name = _registered(setting)
    widths = _widths(setting, path.parent)
    canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    for sheet in sheets:
        for title, level, y in sheet.titles if setting.headings == "outline" else ():
            canvas.bookmarkHorizontal(title, 0, y)
            canvas.addOutlineEntry(title, title, level=level - 1)
        for line in sheet.lines:
            canvas.setFont(name, line.size)
            for x, text in _emitted(setting, line, widths):
                canvas.drawString(x, line.y, text)
        canvas.showPage()
    canvas.save()


def _by_fpdf2(setting: Setting, sheets: Sequence[Sheet], path: Path) -> None:
    from fpdf import FPDF

    pdf = FPDF(unit="pt", format=(WIDTH, HEIGHT))
    pdf.set_auto_page_break(False)
    files = fonts(setting.font)
    pdf.add_font("text", "", str(files["roman"] if files else _blocks_of(setting, path.parent)))
    for sheet in sheets:
        pdf.add_page()
        pdf.set_font("text", "", SIZE)
        for title, level, y in sheet.titles if setting.headings == "outline" else ():
            pdf.set_y(HEIGHT - y)
            pdf.start_section(title, level=level - 1)
        for line in sheet.lines:
            pdf.set_font("text", "", line.size)
            for x, text in _emitted(setting, line, lambda text, _: float(pdf.get_string_width(text))):
                pdf.text(x, HEIGHT - line.y, text)
    pdf.output(str(path))


def _by_chromium(setting: Setting, sheets: Sequence[Sheet], path: Path) -> None:
    """Printed from a page of HTML, as many people make PDFs; the browser finds the order of the glyphs itself."""
    parts = []
    for sheet in sheets:
        lines = (
            f'<p style="top:{HEIGHT - line.y - line.size:.1f}pt;font-size:{line.size}pt">{html.escape(line.text)}</p>'
            for line in sheet.lines
        )
        parts.append(f"<section>{''.join(lines)}</section>")
    family = {"sans": "DejaVu Sans", "liberation": "Liberation Serif"}[setting.font]
    style = (
        f"@page{{size:{WIDTH}pt {HEIGHT}pt;margin:0}}body{{margin:0;font-family:'{family}'}}"
        f"section{{position:relative;width:{WIDTH}pt;height:{HEIGHT - 1}pt;break-after:page}}"
        f"p{{position:absolute;margin:0;right:{WIDTH - RIGHT}pt;white-space:nowrap;line-height:1}}"
    )
    page = path.with_suffix(".html")
    head = f"<!doctype html><meta charset=utf-8><style>{style}</style>"
    page.write_text(f"{head}<body dir=rtl lang={setting.language}>{''.join(parts)}", encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    subprocess.run([CHROMIUM, *options, f"--print-to-pdf={path}", page.as_uri()], check=True, capture_output=True)


def _emitted(setting: Setting, line: Line, widths: Callable[[str, float], float]) -> Iterator[tuple[float, str]]:
    """The strings that a line is drawn by, in the order of the file, and where each of them starts."""
    if not LANGUAGES[setting.language].is_leftward:
        if setting.emission == "spaced":
            x = LEFT
            for piece in re.findall("[!-~]+.?|.", line.text):  # reportlab loses a single letter of ASCII
                yield x, piece
                x += widths(piece, line.size)
        else:
            yield LEFT, line.text
        return
    text = _with_kashida(line.text) if setting.emission == "joined" else line.text
    shown = shaping.seen(shaping.joined(text) if setting.language == "ar" else text)
    whole = "".join(one.character for one in shown)
    left = RIGHT - widths(whole, line.size)
    if setting.emission in {"lines", "joined"}:
        yield left, whole
        return
    places = [left + widths(whole[:at], line.size) for at in range(len(shown))]
    if setting.emission == "letters":
        yield from ((place, one.character) for one, place in sorted(zip(shown, places, strict=True), key=_index))
        return
    words: list[tuple[int, float, str]] = []
    for match in re.finditer(r"\S+", whole):
        inside = shown[match.start() : match.end()]
        words.append((min(one.index for one in inside), places[match.start()], match.group()))
    yield from ((place, word) for _, place, word in sorted(words))


def _index(placed: tuple[shaping.Seen, float]) -> int:
    return placed[0].index


def _with_kashida(text: str) -> str:
    """A line with some letters drawn out, as a line is that is set to its measure."""
    return re.sub(r"(?<=[\u0633-\u0641])(?=[\u0628\u062a\u0641-\u064a])", shaping.TATWEEL, text, count=2)


# --- passages -----------------------------------------------------------------------------------------------------

_LONGEST, _SHORTEST = 24, 5


def _passages(sentences: Sequence[Sentence], language: Language, random: random.Random) -> Iterator[Passage]:
    for sentence in sentences:
        for start, end in _windows(sentence, language, random):
            last = sentence.starts[end - 1] + len(sentence.tokens[end - 1])
            yield _passage(sentence, sentence.starts[start], last, language, sentence.tokens[start:end])
        if not language.joint:
            yield from _from_inside(sentence, language, random)


def _windows(sentence: Sentence, language: Language, random: random.Random) -> set[tuple[int, int]]:
    """Runs of tokens that may be quoted: the whole sentence or nearly, and one over each end of a line or page."""
    cuts = [at for at in range(len(sentence.tokens) + 1) if _may_cut(sentence, at, language)]
    found = set()
    for _ in range(4):
        start, end = sorted((random.choice(cuts), random.choice(cuts)))
        if _SHORTEST <= end - start <= _LONGEST and len("".join(sentence.tokens[start:end])) >= 12:
            found.add((start, end))
    return found


def _may_cut(sentence: Sentence, at: int, language: Language) -> bool:
    """Whether a quote may begin and end between two tokens without saying something else."""
    if at in (0, len(sentence.tokens)):
        return True
    before, after = sentence.tokens[at - 1], sentence.tokens[at]
    if before in language.binding or after in language.bound:
        return False
    if not any(map(str.isalnum, before)) or not any(map(str.isalnum, after)):
        return False
    edges = before[-1] + after[0]
    is_within = not language.joint and (edges[0].isdigit() or edges[1] == "%" or _is_katakana(edges))
    is_counted = before[-1].isdigit() and after in {unit for pair in language.units for unit in pair}
    is_number = not language.joint and edges.isascii()
    return not (is_within or is_counted or is_number)


def _is_katakana(text: str) -> bool:
    return all("\u30a1" <= character <= "\u30fc" for character in text)


def _from_inside(sentence: Sentence, language: Language, random: random.Random) -> Iterator[Passage]:
    """A quote that begins and ends inside words, which Chinese and Japanese do not part."""
    places = [at for at in range(1, len(sentence.text)) if _is_free(sentence.text, at)]
    if len(places) < 2:
        return
    first, last = sorted(random.sample(places, 2))
    if last - first >= 12:
        kind = f"from inside a word, {language.name}"
        yield _passage(sentence, first, last, language, (sentence.text[first:last],), kind)


def _is_free(text: str, at: int) -> bool:
    around = text[max(0, at - 2) : at + 2]
    is_inner = all(_INNER.match(character) for character in text[at - 1 : at + 1])
    return is_inner and not any(_TURNING.match(character) for character in around)


def _passage(
    sentence: Sentence, first: int, last: int, language: Language, words: tuple[str, ...], kind: str = ""
) -> Passage:
    spots = sentence.spots[first:last]
    lines = {spot for spot, character in zip(spots, sentence.text[first:last], strict=True) if character != " "}
    sheets = [sheet for sheet, _ in sorted(lines)]
    place = "over a page end" if sheets[0] != sheets[-1] else "over a line end" if len(lines) > 1 else "verbatim"
    return Passage(
        words=words,
        joint=language.joint,
        sheet=sheets[0],
        last_sheet=sheets[-1],
        section=sentence.section,
        kind=kind or f"{place}, {language.name}",
        language=language.name,
    )


def typed(text: str, language: str, random: random.Random) -> str:
    """A quote as somebody types it: composed or not, full or half width, with the marks that keep directions apart."""
    if LANGUAGES[language].is_leftward:
        marked = re.sub(r"(?<=[A-Za-z0-9])(?= )", "\u200e", text) if random.random() < 0.5 else text
        return unicodedata.normalize(random.choice(("NFC", "NFD")), marked.replace("־", "-"))
    narrow = unicodedata.normalize("NFKC", text)
    wide = re.sub(r"[A-Za-z0-9%]", lambda match: match.group().translate(WIDE), text)
    half = "".join(_HALF.get(character, character) for character in text)
    return unicodedata.normalize(random.choice(("NFC", "NFD")), random.choice((narrow, wide, half)))


def _half_width() -> dict[str, str]:
    """Katakana to their half-width forms; a voiced one is two characters."""
    found = {}
    for code in range(0xFF66, 0xFF9E):
        plain = unicodedata.normalize("NFKC", chr(code))
        found[plain] = chr(code)
        for mark, sign in (("\u3099", "\uff9e"), ("\u309a", "\uff9f")):
            voiced = unicodedata.normalize("NFC", plain + mark)
            if len(voiced) == 1:
                found[voiced] = chr(code) + sign
    return found


_HALF = _half_width()
