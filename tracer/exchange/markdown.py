"""Markdown whose sentences end in citations such as `[report, §4.1.3, p. 13]` to draft claims."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tracer.appending import Record
from tracer.exchange import Imported, Left
from tracer.exchange.drafts import AS_PRINTED, is_page, slug, unique
from tracer.sentences import ends
from tracer.spelling import did_you_mean

_BRACKETS = re.compile(r"\s*\[([^\[\]\n]+)\](?!\()")
_PAGE = re.compile(r"(?:pages?|pp?\.?)\s*(\w+(?:\s*[-–]\s*\w+)?)", re.IGNORECASE)
_SECTION = re.compile(
    r"(?:§+|sections?|sec\.|appendix|app\.)\s*(\S+)|((?:table|fig(?:ure|\.)?|eq(?:uation|\.)?)\s*\S+)", re.IGNORECASE
)
_QUOTED = re.compile(r"[“\"]([^”\"]{8,})[”\"]")
_MARKS = re.compile(r"^\s*(?:[-*+]|\d+[.)]|>)\s+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_TITLE = re.compile(r"\s*(?:#|\||---|```|$)")


def read(
    text: str, names: Mapping[str, str], *, source: str | None = None, known: Sequence[str] = (), name: str = "import"
) -> Imported:
    """Each sentence with a citation as a claim; `names` says which source of the ledger a name stands for."""
    claims: list[Record] = []
    left: list[Left] = []
    taken: set[str] = set()
    for line, sentence in _sentences(text):
        placed = [_placed(brackets[1]) for brackets in _BRACKETS.finditer(sentence)]
        cited = [(title, place) for title, place in placed if place]
        found = [(_source(title, names, source, known), place) for title, place in cited]
        left += _left(line, [title for title, _ in cited], [it for it, _ in found], known)
        pages = (place["page"] for it, place in found if it and "page" in place)
        left += [Left(line=line, reason=f"`{it}` is no page: {AS_PRINTED}") for it in pages if not is_page(it)]
        bare = " ".join(_MARKS.sub("", _BRACKETS.sub("", sentence)).split())
        quote = next(iter(_QUOTED.findall(bare)), None)
        cite = [{"source": it, **place, **({"quote": quote} if quote else {})} for it, place in found if it]
        if cite:
            made = unique(f"{slug(name)}.{slug(bare)}", taken)
            taken.add(made)
            claims.append({"id": made, "text": bare, "cite": cite})
    return Imported(claims=tuple(claims), left=tuple(left))


def _left(line: int, titles: Sequence[str], found: Sequence[str | None], known: Sequence[str]) -> Iterator[Left]:
    """What of a sentence cannot be taken over: all of it without a citation, else the sources that are not known."""
    if not titles:
        yield Left(line=line, reason="the sentence cites nothing")
    for title, source in zip(titles, found, strict=True):
        if source is None:
            hint = did_you_mean(title, list(known)) or f"say which one it is with --map {title.split()[0]}=SOURCE"
            yield Left(line=line, reason=f"the ledger has no source {title}: {hint}")


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of paragraphs and items with the line that each begins on; titles, tables and code are left out."""
    is_code = False
    for number, line in enumerate(text.splitlines(), start=1):
        is_code ^= line.lstrip().startswith("```")
        if is_code or _TITLE.match(line):
            continue
        begin = 0
        for end in (*ends(line), len(line)):
            if any(map(str.isalpha, line[begin:end])):
                yield number, line[begin:end]
            begin = end


def _placed(inside: str) -> tuple[str, dict[str, str]]:
    """The name of a source and the place in it; no place for brackets that are no citation."""
    title, *rest = (part.strip() for part in re.split(r"[,;]", inside))
    place: dict[str, str] = {}
    for part in rest:
        page, section = _PAGE.fullmatch(part), _SECTION.fullmatch(part)
        if page:
            place["page"] = page[1]
        elif section:
            place["section"] = section[1] or section[2]
    return title, {key: place[key] for key in ("section", "page") if key in place}


def _source(written: str, names: Mapping[str, str], source: str | None, known: Sequence[str]) -> str | None:
    """The source that a name stands for: the one that is mapped, that has it as its id, else the one for all."""
    return names.get(written) or (written if written in known else source)
