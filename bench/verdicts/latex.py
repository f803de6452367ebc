"""Designs to materials by TeX, where it is installed: real hyphenation, ligatures, foot notes, floats and columns.

TeX decides where everything lands; poppler tells where it did.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.verdicts import truth
from bench.verdicts.making import LONGEST, SHORTEST, is_cut_after, is_cut_before, sections
from bench.verdicts.model import Material, Passage, Word
from bench.verdicts.prose import Writer

ESCAPES = {"%": r"\%", "&": r"\&", "_": r"\_", "—": "---", "–": "--", "“": "``", "”": "''", "’": "'"}
SIGNS = {"<": "$<$", ">": "$>$", "≤": r"$\leq$", "≥": r"$\geq$", "−": "$-$", "×": r"$\times$", "\u2009": r"\,"}
ACCENTS = {"é": r"\'e", "è": r"\`e", "ö": r"\"o", "ü": r"\"u", "Ł": r"\L ", "ő": r"\H{o}", "Å": r"\AA ", "ç": r"\c{c}"}
MORE_ACCENTS = {"ú": r"\'u", "ñ": r"\~n", "Š": r"\v{S}", "á": r"\'a", "Ç": r"\c{C}", "ř": r"\v{r}", "ï": r"\"\i "}
TABLE = str.maketrans({**ESCAPES, **SIGNS, **ACCENTS, **MORE_ACCENTS})


@dataclass(frozen=True, slots=True, kw_only=True)
class TexDesign:
    """A document class with its options and packages."""

    name: str
    options: str
    packages: str
    notes: float = 0.15
    pages: int = 8


DESIGNS = (
    TexDesign(name="tex", options="10pt", packages=r"\usepackage[colorlinks]{hyperref}"),
    TexDesign(name="tex-two-columns", options="10pt,twocolumn", packages=r"\usepackage{hyperref}"),
    TexDesign(name="tex-times", options="10pt,twocolumn", packages=r"\usepackage[T1]{fontenc}\usepackage{mathptmx}"),
    TexDesign(
        name="tex-serif",
        options="11pt",
        packages=r"\usepackage[T1]{fontenc}\usepackage{mathpazo}\usepackage{microtype}",
    ),
)


def is_installed() -> bool:
    return shutil.which("pdflatex") is not None


def make(design: TexDesign, folder: Path, seed: int) -> Material:
    """A PDF set by TeX and its passages."""
    author = _Author(design, seed)
    place = folder / design.name
    place.mkdir()
    (place / "report.tex").write_text(author.document(), encoding="utf-8")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600", "FORCE_SOURCE_DATE": "1"}
    command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "report.tex"]
    for _ in range(2):
        subprocess.run(command, cwd=place, env=environment, check=True, capture_output=True)
    path = folder / f"{design.name}.pdf"
    (place / "report.pdf").rename(path)
    raw = truth.pages(path, "-raw")
    texts = truth.pages(path)
    finder = _Finder(raw, Random(f"{seed} {design.name} passages"))
    return Material(
        name=design.name,
        path=path,
        labels=tuple(str(sheet) for sheet in range(1, len(raw) + 1)),
        sections=tuple(sections(author.headings)),
        passages=tuple(
            passage for words, section, kind in author.sentences for passage in finder.passages(words, section, kind)
        ),
        pages=truth.readings(texts, raw),
    )


class _Author:
    """The source of a document, and what it says in which section."""

    def __init__(self, design: TexDesign, seed: int) -> None:
        traits = {"index": 0.008, "power": 0.006, "thin space": 0.008, "small capitals": 0.008, "italic": 0.02}
        self.design = design
        self.random = Random(f"{seed} {design.name}")
        self.writer = Writer(f"{seed} {design.name} prose", traits, "composed", design.notes)
        self.headings: list[tuple[str | None, str, int]] = []
        self.sentences: list[tuple[tuple[Word, ...], str | None, str]] = []
        self.numbers = [0, 0]
        self.floats = 0

    def document(self) -> str:
        body = "\n\n".join(self._section() for _ in range(4 * self.design.pages))
        head = rf"\documentclass[{self.design.options}]{{article}}\usepackage[utf8]{{inputenc}}{self.design.packages}"
        return rf"{head}\begin{{document}}{body}\end{{document}}"

    def _section(self) -> str:
        is_first = not self.numbers[0] or self.random.random() < 0.3
        self.numbers = [self.numbers[0] + 1, 0] if is_first else [self.numbers[0], self.numbers[1] + 1]
        number = ".".join(str(part) for part in self.numbers if part)
        title = self.writer.title()
        self.headings.append((number, title, 1 if is_first else 2))
        command = "section" if is_first else "subsection"
        body = "\n\n".join(self._paragraph(number) for _ in range(self.random.randint(1, 3)))
        return rf"\{command}{{{title}}}" + f"\n{body}"

    def _paragraph(self, section: str) -> str:
        sentences = [self.writer.sentence() for _ in range(self.random.randint(2, 5))]
        self.sentences.extend((words, section, "text") for words in sentences)
        set_ = [" ".join(_word(word) for word in words) for words in sentences]
        if self.random.random() < 0.3:
            set_.insert(self.random.randrange(len(set_) + 1), self._float())
        return "\n".join(set_)

    def _float(self) -> str:
        self.floats += 1
        caption = self.writer.caption()
        words = f"Figure {self.floats}: {caption}".split(" ")
        self.sentences.append((tuple(Word(pieces=(), quoted=word) for word in words), None, "caption"))
        return rf"\begin{{figure}}\centering\rule{{4cm}}{{2cm}}\caption{{{caption.translate(TABLE)}}}\end{{figure}}"


def _word(word: Word) -> str:
    styles = {
        "raised": "$^{{{}}}$",
        "lowered": "$_{{{}}}$",
        "italic": r"\emph{{{}}}",
        "small capitals": r"\textsc{{{}}}",
    }
    set_ = "".join(
        styles.get(piece.style, "{}").format(piece.text.translate(TABLE) if piece.style != "lowered" else piece.text)
        for piece in word.pieces
    )
    return set_ + (rf"\footnote{{{word.note.translate(TABLE)}}}" if word.note else "")


class _Finder:
    """Where sentences landed: runs of letters found again in the text of the pages, with their line ends."""

    def __init__(self, pages: Sequence[str], random: Random) -> None:
        self.random = random
        self.pages = [truth.loose(page) for page in pages]
        self.whole = "|".join(self.pages)
        self.lines = [_line_starts(page) for page in pages]

    def passages(self, words: Sequence[Word], section: str | None, kind: str) -> Iterator[Passage]:
        if kind == "caption":
            yield from self._passage(words, section, kind)
            return
        for _ in range(4):
            start = self.random.randrange(max(1, len(words) - SHORTEST))
            stop = min(len(words), start + self.random.randint(SHORTEST, LONGEST))
            before = words[start - 1].quoted if start else ""
            after = words[stop].quoted if stop < len(words) else ""
            if not is_cut_before(before) and not is_cut_after(after):
                yield from self._passage(words[start:stop], section, None)

    def _passage(self, words: Sequence[Word], section: str | None, kind: str | None) -> Iterator[Passage]:
        quoted = tuple(word.quoted for word in words)
        text = truth.loose(" ".join(quoted))
        special = next((SPECIAL.get(word.trait, word.trait) for word in words if word.trait), None)
        if special == "index beside a word":
            yield from self._interrupted(quoted, section, special)
            return
        if special == "note mark inside":
            if text not in self.whole:  # where it stands without a mark it is another one
                yield from self._interrupted(quoted, section, kind or special)
            return
        for sheet, page in enumerate(self.pages, start=1):
            at = page.find(text)
            if at >= 0 and self.whole.count(text) > 1:
                return
            if at >= 0:
                found = kind or special or self._line_kind(sheet, at, text, quoted)
                yield Passage(words=quoted, sheet=sheet, section=section, kind=found)
                return
        if special is None:
            yield from self._interrupted(quoted, section, kind)

    def _line_kind(self, sheet: int, at: int, text: str, words: Sequence[str]) -> str:
        ends = [start for start in self.lines[sheet - 1] if at < start < at + len(text)]
        if not ends:
            return "verbatim"
        edges = {at}
        for word in words:
            for part in re.split(r"[-—–]", word):
                edges.add(max(edges) + len(truth.loose(part)))
        return "over a line end" if all(end in edges for end in ends) else "over a line-end hyphen"

    def _interrupted(self, words: tuple[str, ...], section: str | None, kind: str | None) -> Iterator[Passage]:
        """Words that stand in two pieces on one page, or end one and begin the next; if just one will do.

        A caption may end in the words that end the page before: then nobody can tell which is the first piece.
        """
        text = truth.loose(" ".join(words))
        if len(text) < 40:
            return
        found = []
        for sheet, page in enumerate(self.pages, start=1):
            if _in_two(text, page):
                if sheet > 1 and _is_over(text, self.pages[sheet - 2], page, least=1):
                    return
                said = kind or "float or foot note between"
                found.append(Passage(words=words, sheet=sheet, section=section, kind=said))
            elif kind is None and sheet < len(self.pages) and _is_over(text, page, self.pages[sheet]):
                said = "over a page end"
                found.append(Passage(words=words, sheet=sheet, last_sheet=sheet + 1, section=section, kind=said))
        if len(found) == 1:
            yield found[0]


def _in_two(text: str, page: str, *, least: int = 6) -> bool:
    """Whether a text stands in two pieces on one page, the second one further on."""
    for end in range(len(text) - least, least, -1):
        at = page.find(text[:end])
        if at >= 0:
            return text[end:] in page[at + end :]
    return False


def _is_over(text: str, page: str, after: str, *, least: int = 12) -> bool:
    """Whether a text stands in two pieces, one in the later half of a page and the other early on the next one."""
    for end in range(len(text) - least, least, -1):
        at = page.rfind(text[:end])
        if at >= 0:
            return at > len(page) / 2 and text[end:] in after[: len(after) * 2 // 3]
    return False


SPECIAL = {
    "note mark": "note mark inside",
    "index": "index beside a word",
    "thin space": "thin space in a number",
}


def _line_starts(page: str) -> list[int]:
    """At how many letters of the page each line begins."""
    starts, count = [], 0
    for line in page.splitlines():
        starts.append(count)
        count += len(truth.loose(line))
    return starts
