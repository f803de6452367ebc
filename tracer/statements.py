"""A document to the statements that it makes: sentences and list items, compound ones in their parts.

A part is a run of the document's own words, so that it can be quoted; what stands around it is its context. Numbers
stay with the words that they count.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracer.blocks import ITEM, Block, blocks
from tracer.model import Document, Heading, Page, Span
from tracer.nearness import readable
from tracer.numerals import numbers
from tracer.sections import section_at, titles
from tracer.sentences import ends, sentences, stems, words
from tracer.text import comparable

LEAST_WORDS = 2
"""Words with content that a statement has; a part that has fewer stays with the words around it."""

MOST_LEAD = 9
"""Words of what stands before a colon at the start of an item and names what the item is about."""

LEAST_QUOTED = 8
"""Comparable characters that a quote has, to say something."""

MOST_ADDED = 12
"""How many words on each side a statement may be widened by to stand once in its document."""

LONGEST = 2000
"""Characters beyond which a sentence is none: what has no ends is not cut up."""

LEAST_ASIDE = 3
"""Words with content from which on what stands in brackets says something by itself."""

_LEAD = re.compile(rf"((?:[^\s:]+\s+){{0,{MOST_LEAD - 1}}}[^\s:]+):\s+(?=\S)")
_CLAUSE = re.compile(
    r";\s+|\s+[—–]\s+|—|\s*→\s*|\s*⟶\s*"
    r"|,\s+(?=(?:then|plus|while|whereas|but|which|forcing|rather than)\b)"
    r"|,\s+(?=[a-z]+ing\s+(?!of\b))"
    r"|\s+(?=while\s+[a-z]+ing\b)"
)
_AND = re.compile(r",?\s+(?:and|plus)\s+|,\s+(?=and\b)")
_BRACKET = re.compile(r"\s*\(([^()]*)\)")
_SEPARATED = re.compile(r"[,;→]")
_BEGINNING = re.compile(r"(?:and|or|to|but|then)\s+(?=\S)")
_BETWEEN = re.compile(r",\s*(?:and\s+|or\s+)?|\s+and\s+|;\s*|\s*→\s*")
_SAYS_NOTHING = re.compile(
    r"[\W_]*(?:(?:not|never) (?:yet )?(?:available|disclosed|given|known|pinned|published|reported|specified|stated)"
    r"|undisclosed|unknown|unspecified|n/?a|none|tb[ad])?[\W_]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a document says in one go; `text` stands in it word for word, `context` is what stands around that.

    `number` counts the statements of a document from 1; `sheet`, `start` (in the page's text) and `line` say where its
    sentence begins. A document whose text is laid out from markup has no lines. `is_value` where it stands in a cell or
    below its name, and says little without the context.
    """

    number: int
    text: str
    context: str
    sheet: int
    start: int
    page: str | None
    line: int | None
    section: str | None
    is_value: bool = False

    @property
    def numbers(self) -> tuple[str, ...]:
        """Its numbers as written."""
        return tuple(number.text for number in numbers(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence or a value of a document, what it is about by the words before it, and where it begins.

    `heads` are the titles, the row and the column or the name that it stands under.
    """

    text: str
    lead: str
    page: Page
    start: int
    heads: tuple[str, ...] = ()
    is_value: bool = False

    @property
    def line(self) -> int:
        """The line of its page's text on which it begins."""
        return self.page.text.count("\n", 0, self.start) + 1


def statements(document: Document) -> tuple[Statement, ...]:
    """The statements of a document in reading order, each once; a value counts with what it stands under."""
    found: list[Statement] = []
    known: set[tuple[str, ...]] = set()
    for sentence in _said(document):
        heading = _heading(document, sentence.page, sentence.start)
        for part in parts(sentence.text):
            key = (comparable(part), *(sentence.heads if sentence.is_value else ()))
            if key in known:
                continue
            known.add(key)
            whole = sentence.text if part != sentence.text else ""
            found.append(
                Statement(
                    number=len(found) + 1,
                    text=part,
                    context=" ".join(filter(None, (*sentence.heads, sentence.lead, whole))),
                    sheet=sentence.page.sheet,
                    start=sentence.start,
                    page=sentence.page.label if document.kind == "pdf" else None,
                    line=sentence.line if document.kind == "text" else None,
                    section=str(heading) if heading else None,
                    is_value=sentence.is_value,
                )
            )
    return tuple(found)


def _heading(document: Document, page: Page, start: int) -> Heading | None:
    return section_at(document.headings, Span(sheet=page.sheet, start=start, end=start + 1))


# --- quoting ---------------------------------------------------------------------------------------------------------


def quote(document: Document, statement: Statement) -> str:
    """The words of a statement, with as many of those around them as make them stand once in their document.

    Where no twelve on each side do, it is the words of the statement alone.
    """
    whole = " ".join(comparable(page.text) for page in document.pages)
    page = document.pages[statement.sheet - 1].text
    text = f"{readable(page[: statement.start])}{readable(page[statement.start :])}"
    start = text.find(statement.text, len(readable(page[: statement.start])))
    wide = _widened(text, start, start + len(statement.text), whole) if start >= 0 else None
    return wide or statement.text


def _widened(text: str, start: int, end: int, whole: str) -> str | None:
    """A run of a text, wide enough to say something and to stand once in the whole; words are added on both sides."""
    for _ in range(MOST_ADDED):
        run = comparable(text[start:end])
        if len(text[start:end].split()) > 1 and len(run) >= LEAST_QUOTED and whole.count(run) == 1:
            return text[start:end].strip()
        start = text.rfind(" ", 0, max(0, start - 1)) + 1
        following = text.find(" ", min(len(text), end + 1))
        end = following if following >= 0 else len(text)
    return None


# --- sentences ------------------------------------------------------------------------------------------------------


def sentences_of(document: Document) -> Iterator[Sentence]:
    """The sentences and list items of a document, without its titles, questions and values."""
    return (sentence for sentence in _said(document) if not sentence.is_value)


def _said(document: Document) -> Iterator[Sentence]:
    """The sentences, list items and values of a document, without its titles and questions."""
    if document.kind == "pdf":
        for sentence in sentences(document):
            if _says_something(sentence.text):
                heading = _heading(document, sentence.page, sentence.start)
                heads = titles(document.headings, heading)
                yield Sentence(text=sentence.text, lead="", page=sentence.page, start=sentence.start, heads=heads)
        return
    for page in document.pages:
        for block in blocks(page.text, document.headings):
            yield from _of_value(page, block) if block.is_value else _of_text(page, block)


def _of_value(page: Page, block: Block) -> Iterator[Sentence]:
    """A value as it stands, if it is one and not the word that there is none."""
    text = readable(block.text).strip()
    if _content(text) and not _SAYS_NOTHING.fullmatch(text):
        yield Sentence(text=text, lead="", page=page, start=block.start, heads=block.heads, is_value=True)


def _of_text(page: Page, block: Block) -> Iterator[Sentence]:
    """The sentences of running text."""
    item = ITEM.match(block.text)
    at = item.end() if item else 0
    lead = _LEAD.match(block.text, at)
    about = lead[1] if lead and len(words(lead[1])) <= MOST_LEAD else ""
    at = lead.end() if lead and about else at
    for begin, end in _bounds(block.text, at):
        text = readable(block.text[begin:end]).strip()
        if _says_something(text):
            yield Sentence(text=text, lead=about, page=page, start=block.start + begin, heads=block.heads)


def _bounds(block: str, at: int) -> Iterator[tuple[int, int]]:
    for end in (*ends(block), len(block)):
        if end > at:
            yield at, end
            at = end


def _says_something(text: str) -> bool:
    return len(_content(text)) >= LEAST_WORDS and not text.rstrip().endswith("?")


def _content(text: str) -> list[str]:
    """The words of a text that are no function words."""
    return [word for word in words(text) if stems(word)]


# --- parts ----------------------------------------------------------------------------------------------------------


def parts(sentence: str) -> tuple[str, ...]:
    """The parts of a sentence that can be true or false alone; the sentence itself where it has one part."""
    if len(sentence) > LONGEST:
        return (sentence.strip(),)
    found = [
        part
        for clause in _clauses(sentence)
        for counted in _counted(clause)
        for listed in _listed(counted)
        for part in _around_brackets(listed)
    ]
    inside = [item for bracket in _BRACKET.finditer(sentence) for item in _items(bracket[1])]
    kept = tuple(dict.fromkeys((*found, *inside)))
    return kept if len(kept) > 1 else (sentence.strip().rstrip("."),)


def _clauses(sentence: str) -> Iterator[str]:
    """A sentence cut where a clause ends, never inside brackets; what is too short goes with what stands before."""
    cuts = [cut for cut in _CLAUSE.finditer(sentence) if not _is_inside(sentence, cut.start())]
    begin = 0
    for cut in cuts:
        if _is_enough(sentence[begin : cut.start()]) and _is_enough(sentence[cut.end() :]):
            yield sentence[begin : cut.start()]
            begin = cut.end()
    yield sentence[begin:]


def _counted(clause: str) -> Iterator[str]:
    """A clause cut at each `and` that joins two things that are counted."""
    begin = 0
    for cut in _AND.finditer(clause):
        is_apart = not _is_inside(clause, cut.start())
        if is_apart and numbers(clause[begin : cut.start()]) and numbers(clause[cut.end() : cut.end() + 25]):
            yield clause[begin : cut.start()]
            begin = cut.end()
    yield clause[begin:]


def _is_inside(text: str, position: int) -> bool:
    """Whether a position stands in brackets."""
    before = text[:position]
    return before.count("(") > before.count(")")


def _is_enough(text: str) -> bool:
    """Whether a part says something: two words with content, or a number."""
    return len(_content(text)) >= LEAST_WORDS or bool(numbers(text))


def _listed(text: str) -> Iterator[str]:
    """A run of three things or more, `A, B, and C`, cut into them."""
    commas = [cut for cut in re.finditer(r",\s+(?:and\s+)?", text) if not _is_inside(text, cut.start())]
    pieces = [text[begin:end] for begin, end in _between(text, commas)]
    is_list = len(pieces) > 2 and re.match(r",\s+and\s", commas[-1][0]) and all(map(_is_enough, pieces))
    yield from pieces if is_list else [text]


def _between(text: str, cuts: Sequence[re.Match[str]]) -> Iterator[tuple[int, int]]:
    begin = 0
    for cut in cuts:
        yield begin, cut.start()
        begin = cut.end()
    yield begin, len(text)


def _around_brackets(text: str) -> Iterator[str]:
    """The runs of a text before, between and after brackets that list or tell something; other brackets stay."""
    brackets = [bracket for bracket in _BRACKET.finditer(text) if len(list(_items(bracket[1]))) > 0]
    for begin, end in _between(text, brackets):
        run = text[begin:end].strip(" ,;.—–")
        run = _BEGINNING.sub("", run, count=1) if begin and _BEGINNING.match(run) else run
        if _is_enough(run):
            yield run


def _items(inside: str) -> Iterator[str]:
    """The items of an enumeration in brackets, or the whole of what says something by itself."""
    if _SEPARATED.search(inside):
        items = [item.strip() for item in _BETWEEN.split(inside)]
        yield from (item for item in items if _content(item))
    elif len(_content(inside)) >= LEAST_ASIDE:
        yield inside.strip()
