"""Sentences to composed sheets: every run of letters with its place, every word with the line it landed on."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench.verdicts.model import Design, Piece, Word
from bench.verdicts.prose import Writer, plain_words

WIDTH, HEIGHT = 595.0, 842.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 531.0, 770.0, 72.0
GUTTER = 20.0

RISE = {"raised": 0.36, "lowered": -0.18}
SCALE = {"raised": 0.68, "lowered": 0.68}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Letters at a place of a sheet: `x` from the left and `y` from the foot, in points; `base` is that of its line."""

    x: float
    y: float
    text: str
    style: str
    size: float
    base: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a word of a sentence landed: sheet, column and line, and where its second half went if it was cut."""

    sheet: int
    column: int
    line: int
    cut: tuple[int, int, int] | None = None


@dataclass(slots=True, kw_only=True)
class Sentence:
    """A sentence of the text, its section, and the spots of its words once it is set."""

    words: tuple[Word, ...]
    section: str | None
    kind: str = "text"
    spots: list[Spot] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Sheet:
    """A sheet's runs in the order of drawing, and what stands at the foot of its columns or among their lines."""

    runs: list[Run] = field(default_factory=list)
    floats: set[tuple[int, int]] = field(default_factory=set)
    notes: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class Titled:
    """A heading: its number if it has one, its title, and where it stands."""

    number: str | None
    title: str
    level: int
    sheet: int
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A whole document, ready to be drawn."""

    design: Design
    sheets: tuple[Sheet, ...]
    sentences: tuple[Sentence, ...]
    headings: tuple[Titled, ...]
    labels: tuple[str, ...]


class Widths:
    """How wide text is in a design's fonts, by reportlab's metrics for either typesetter."""

    def __init__(self, fonts: dict[str, str]) -> None:
        self.fonts = fonts

    def of(self, text: str, style: str, size: float) -> float:
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return float(stringWidth(text, self.fonts.get(style, self.fonts["roman"]), size))


class Composer:
    """Fills columns line by line."""

    def __init__(self, design: Design, seed: str, widths: Widths) -> None:
        self.design, self.widths = design, widths
        self.random = random.Random(f"{seed} layout")
        self.writer = Writer(f"{seed} prose", design.traits, design.accents, design.notes)
        self.size, self.leading = design.size, design.size * 1.3
        self.width = (RIGHT - LEFT - GUTTER * (design.columns - 1)) / design.columns
        self.sheets: list[Sheet] = []
        self.sentences: list[Sentence] = []
        self.headings: list[Titled] = []
        self.column = design.columns
        self.line = 0
        self.y = 0.0
        self.waiting: list[str] = []
        self.floats = 0
        self.note_number = 0
        self.section: str | None = None
        self.numbers = [0, 0]
        self.breaks = 0
        self.owner = Sentence(words=(), section=None)
        self._next_column()

    def composed(self) -> Composed:
        """The document, until its pages are full."""
        while len(self.sheets) <= self.design.pages:
            self._heading()
            for _ in range(self.random.randint(2, 4)):
                self._paragraph(self.random.randint(3, 6))
            if self.design.floats and self.random.random() < 0.4:
                self._table()
        self._end_column()
        labels = tuple(_labels(self.design, len(self.sheets)))
        self._folios(labels)
        return Composed(
            design=self.design,
            sheets=tuple(self.sheets),
            sentences=tuple(self.sentences),
            headings=tuple(self.headings),
            labels=labels,
        )

    # --- columns -----------------------------------------------------------------------------------------------

    @property
    def sheet(self) -> int:
        return len(self.sheets)

    @property
    def left(self) -> float:
        return LEFT + self.column * (self.width + GUTTER)

    def _next_column(self) -> None:
        if self.sheets:
            self._end_column()
        self.column += 1
        if self.column >= self.design.columns:
            self.sheets.append(Sheet())
            self.column = 0
        self.y, self.line = TOP, 0
        is_due = self.design.floats and self.breaks % 2 == 1
        self.breaks += 1
        if is_due:
            self._float()

    def _end_column(self) -> None:
        """The foot notes whose marks stand in this column, below its last line."""
        size = self.size * 0.8
        y = BOTTOM + len(self.waiting) * size * 1.25
        for text in self.waiting:
            y -= size * 1.25
            number, _, rest = text.partition(" ")
            self._put(self.left, y, number, "roman", 0.68 * size, rise=0.3 * size)
            self._put(self.left + self.widths.of(number, "roman", size), y, rest, "roman", size)
        if self.waiting:
            self.sheets[-1].notes.add(self.column)
        self.waiting = []

    def _room(self, notes: int) -> float:
        return self.y - BOTTOM - (len(self.waiting) + notes + 0.6) * self.size

    def _put(self, x: float, base: float, text: str, style: str, size: float, *, rise: float = 0.0) -> None:
        if text:
            self.sheets[-1].runs.append(Run(x=x, y=base + rise, text=text, style=style, size=size, base=base))

    # --- headings, floats, tables ------------------------------------------------------------------------------

    def _heading(self) -> None:
        if self.design.headings == "none":
            return
        level = 1 if not self.numbers[0] or self.random.random() < 0.3 else 2
        self.numbers = [self.numbers[0] + 1, 0] if level == 1 else [self.numbers[0], self.numbers[1] + 1]
        size = self.size * (1.4 if level == 1 else 1.2)
        if self._room(0) < 5 * self.leading:
            self._next_column()
        is_numbered = self.design.headings != "type"
        number = ".".join(str(part) for part in self.numbers[:level]) if is_numbered else None
        title = self._title(f"{number} " if number else "", size)
        self.y -= size * 1.6
        self._put(self.left, self.y, f"{number} {title}" if number else title, "bold", size)
        self.y -= size * 0.4
        top = self.y + 1.4 * size
        self.headings.append(Titled(number=number, title=title, level=level, sheet=self.sheet, y=top))
        self.section = number or title

    def _title(self, before: str, size: float) -> str:
        taken = {heading.title for heading in self.headings}
        while True:
            title = self.writer.title()
            if title not in taken and self.widths.of(before + title, "bold", size) <= self.width:
                return title

    def _float(self) -> None:
        """A frame with a caption below it, whose words are passages of their own."""
        self.floats += 1
        self.y -= 5 * self.leading
        for step in range(3):
            self._put(self.left + 10 + 40 * step, self.y + 2 * self.leading, f"{step * 20}", "roman", self.size * 0.7)
        words = tuple(plain_words(f"Figure {self.floats}: {self.writer.caption()}"))
        self._set(Sentence(words=words, section=None, kind="caption"), self.size * 0.9)
        self.sheets[-1].floats.add((self.column, self.line))
        self.y -= self.leading

    def _table(self) -> None:
        rows = [self.writer.row() for _ in range(4)]
        widths = [
            max(self.widths.of(row[column], "roman", self.size * 0.85) for row in rows) + 9 for column in range(6)
        ]
        shown = next((count for count in (6, 5, 4, 3) if sum(widths[:count]) < self.width), 0)
        if not shown:
            return
        if self._room(0) < 6 * self.leading:
            self._next_column()
        self.y -= 0.5 * self.leading
        tops = [self.y - self.leading * (index + 1) for index in range(len(rows))]
        cells = [(row, column) for row in range(len(rows)) for column in range(shown)]
        if self.random.random() < 0.3:
            cells.sort(key=lambda cell: cell[1])
        for row, column in cells:
            x = self.left + sum(widths[:column])
            self._put(x, tops[row], rows[row][column], "roman", self.size * 0.85)
        for texts in rows:
            words = tuple(plain_words(" ".join(texts[:shown])))
            spots = [Spot(sheet=self.sheet, column=self.column, line=-1) for _ in words]
            self.sentences.append(Sentence(words=words, section=self.section, kind="table row", spots=spots))
        self.y = tops[-1] - 0.8 * self.leading

    # --- running text ------------------------------------------------------------------------------------------

    def _paragraph(self, count: int) -> None:
        sentences = [Sentence(words=self.writer.sentence(), section=self.section) for _ in range(count)]
        is_interrupted = bool(self.design.floats) and self.random.random() < 0.5
        self._lay([(sentence, word) for sentence in sentences for word in sentence.words], self.size, is_interrupted)
        self.sentences.extend(sentences)
        self.y -= 0.5 * self.leading

    def _set(self, sentence: Sentence, size: float) -> None:
        self._lay([(sentence, word) for word in sentence.words], size, False)
        self.sentences.append(sentence)

    def _lay(self, stream: Sequence[tuple[Sentence, Word]], size: float, is_interrupted: bool) -> None:
        """Words into lines; the halves of a cut word go to the end of one line and the start of the next."""
        rest: list[tuple[Sentence | None, Word]] = list(stream)
        line_count = 0
        while rest:
            line, rest, is_cut = self._line(rest, size)
            notes = sum(word.note is not None for _, word in line)
            if self._room(notes) < size * 1.3:
                self._next_column()
            elif is_interrupted and line_count == 2 and rest and self._room(notes) > 9 * self.leading:
                self._float()
            self._draw(line, size, is_last=not rest, is_cut=is_cut)
            line_count += 1

    def _line(
        self, rest: list[tuple[Sentence | None, Word]], size: float
    ) -> tuple[list[tuple[Sentence | None, Word]], list[tuple[Sentence | None, Word]], bool]:
        space = self.widths.of(" ", "roman", size)
        used = -space
        for position, (sentence, word) in enumerate(rest):
            width = self._width(word, size)
            if used + space + width <= self.width:
                used += space + width
                continue
            halves = self._halves(word, self.width - used - space, size) if self.design.hyphenates else None
            if halves:
                first, second = halves
                return [*rest[:position], (sentence, first)], [(None, second), *rest[position + 1 :]], True
            if position:
                return rest[:position], rest[position:], False
        return rest, [], False

    def _halves(self, word: Word, room: float, size: float) -> tuple[Word, Word] | None:
        """A word cut at its own hyphen, or between two of its letters with the design's hyphen."""
        text = word.pieces[0].text
        if len(word.pieces) > 1 or word.note or word.pieces[0].style != "roman":
            return None
        body = text.rstrip(".,;:")
        cuts = [at + 1 for at, sign in enumerate(body) if sign == "-" and body[at + 1 :].replace("-", "").isalpha()]
        if not cuts and body.isalpha() and body.isascii() and len(body) >= 7:
            cuts = list(range(3, len(body) - 2))
        for cut in reversed(cuts):
            first = text[:cut] if text[cut - 1] == "-" else text[:cut] + self.design.hyphen
            if self.widths.of(first, "roman", size) <= room:
                return _part(first), _part(text[cut:])
        return None

    def _width(self, word: Word, size: float) -> float:
        mark = self.widths.of("99", "roman", size * 0.68) if word.note else 0
        return mark + sum(self._piece_width(piece, size) for piece in word.pieces)

    def _piece_width(self, piece: Piece, size: float) -> float:
        return sum(self.widths.of(text, style, size * scale) for text, style, scale, _ in _drawn(piece))

    def _draw(self, line: list[tuple[Sentence | None, Word]], size: float, *, is_last: bool, is_cut: bool) -> None:
        self.y -= size * 1.3
        space = self.widths.of(" ", "roman", size)
        natural = sum(self._width(word, size) for _, word in line) + space * (len(line) - 1)
        is_justified = self.design.emission != "lines" and not is_last and len(line) > 1
        gap = space + ((self.width - natural) / (len(line) - 1) if is_justified else 0)
        spot = (self.sheet, self.column, self.line)
        x = self.left
        held: list[str] = []
        start = x
        for index, (sentence, word) in enumerate(line):
            self._record(sentence, spot, is_cut=is_cut and index == len(line) - 1)
            is_plain = len(word.pieces) == 1 and word.pieces[0].style == "roman" and not word.note
            if is_plain and self.design.emission == "lines":
                if not held:
                    start = x
                held.append(word.pieces[0].text)
                x += self._width(word, size) + gap
                continue
            self._flush(start, held, size)
            held = []
            x = self._place(x, word, size) + gap
        self._flush(start, held, size)
        self.line += 1

    def _flush(self, x: float, held: list[str], size: float) -> None:
        if held:
            self._put(x, self.y, " ".join(held) + " ", "roman", size)

    def _place(self, x: float, word: Word, size: float) -> float:
        for piece in word.pieces:
            for text, style, scale, rise in _drawn(piece):
                self._put(x, self.y, text, style, size * scale, rise=rise * size)
                x += self.widths.of(text, style, size * scale)
        if word.note:
            self.note_number += 1
            self.waiting.append(f"{self.note_number} {word.note}")
            self._put(x, self.y, str(self.note_number), "roman", size * 0.68, rise=RISE["raised"] * size)
            x += self.widths.of(str(self.note_number), "roman", size * 0.68)
        return x

    def _record(self, sentence: Sentence | None, spot: tuple[int, int, int], *, is_cut: bool) -> None:
        """Where a word landed; the second half of a cut word belongs to the word before."""
        if sentence is None:
            owner = self.owner
            first = owner.spots[-1]
            owner.spots[-1] = Spot(sheet=first.sheet, column=first.column, line=first.line, cut=spot)
            return
        sentence.spots.append(Spot(sheet=spot[0], column=spot[1], line=spot[2]))
        if is_cut:
            self.owner = sentence

    # --- heads and feet ----------------------------------------------------------------------------------------

    def _folios(self, labels: Sequence[str]) -> None:
        head = f"{self.writer.title()} of a report"
        for sheet, label in zip(self.sheets, labels, strict=True):
            is_head = self.design.folio == "head"
            x, y = (RIGHT - 20, TOP + 24) if is_head else ((LEFT + RIGHT) / 2, BOTTOM - 30)
            folio = Run(x=x, y=y, text=label, style="roman", size=self.size, base=y)
            sheet.runs.insert(0 if is_head else len(sheet.runs), folio)
            size, y = self.size * 0.85, TOP + 24
            sheet.runs.insert(0, Run(x=LEFT, y=y, text=head, style="italic", size=size, base=y))


def _part(text: str) -> Word:
    return Word(pieces=(Piece(text=text),), quoted="")


def _drawn(piece: Piece) -> Iterator[tuple[str, str, float, float]]:
    """The (text, style, scale, rise) of what a piece is drawn as."""
    if piece.style == "small capitals":
        for letter in piece.text:
            yield letter.upper(), "roman", 1.0 if letter.isupper() else 0.78, 0.0
        return
    yield piece.text, piece.style, SCALE.get(piece.style, 1.0), RISE.get(piece.style, 0.0)


def _labels(design: Design, count: int) -> Iterator[str]:
    for sheet in range(1, count + 1):
        if design.labels == "roman":
            yield ("i", "ii")[sheet - 1] if sheet <= 2 else str(sheet - 2)
        else:
            yield str(sheet + {"printed": 210}.get(design.labels, 0))


def in_drawing_order(design: Design, sheet: Sheet) -> list[Run]:
    """The runs of a sheet as the design draws them: column by column, or row by row over all columns."""
    if design.order == "columns":
        return sheet.runs
    return sorted(sheet.runs, key=lambda run: (-round(run.base), run.x))
