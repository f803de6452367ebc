"""BibTeX and CSL-JSON to the sources of a ledger, which are still to be pinned."""

import json
import re
from collections.abc import Iterator, Mapping

from tracer.appending import Record
from tracer.exchange import Imported, Left
from tracer.exchange.drafts import unique
from tracer.model import Failure

_ENTRY = re.compile(r"@\s*(\w+)\s*[{(]\s*([^\s,{}()=]*)\s*(,?)")
_FIELD = re.compile(r"\s*,?\s*([\w-]+)\s*=\s*")
_NO_ENTRIES = frozenset({"comment", "string", "preamble"})
_COMMANDS = re.compile(r"\\[a-zA-Z]+\s*|[{}]|\\(?=[&%$#_])")
_OTHER_SIGNS = re.compile(r"[^\w.-]+")
_PUBLISHERS = ("publisher", "organization", "institution", "howpublished", "author")
_OF_BIBTEX = ("title", "url", "version", "year", "date", "doi", "eprint", *_PUBLISHERS)
_OF_CSL = ("id", "type", "title", "publisher", "author", "URL", "DOI", "version", "issued")


# --- BibTeX -----------------------------------------------------------------------------------------------------------


def bibtex(text: str) -> Imported:
    """The entries of a BibTeX file as sources by their keys."""
    sources: dict[str, Record] = {}
    left: list[Left] = []
    for entry in _ENTRY.finditer(text):
        line = text.count("\n", 0, entry.start()) + 1
        if entry[1].lower() in _NO_ENTRIES or not entry[2] or not entry[3]:
            left.append(Left(line=line, reason=f"@{entry[1]} is no entry with a key"))
            continue
        fields = dict(_fields(text, entry.end()))
        name = unique(_OTHER_SIGNS.sub("-", entry[2]), sources)
        sources[name] = _source(
            title=fields.get("title"),
            publisher=next((fields[field] for field in _PUBLISHERS if field in fields), None),
            url=fields.get("url") or _doi(fields.get("doi")) or _arxiv(fields.get("eprint")),
            revision=fields.get("version") or fields.get("date") or fields.get("year"),
        )
        left += _left(line, name, (field for field in fields if field not in _OF_BIBTEX))
    return Imported(sources=sources, left=tuple(left))


def _fields(text: str, at: int) -> Iterator[tuple[str, str]]:
    """The fields of an entry from its first one on: in braces, in quotation marks, or a bare word."""
    while found := _FIELD.match(text, at):
        end = _end(text, found.end())
        value = text[found.end() : end].strip()
        is_wrapped = len(value) > 1 and value[0] in '{"' and value[-1] in '}"'
        yield found[1].lower(), " ".join(_COMMANDS.sub("", value[1:-1] if is_wrapped else value).split())
        at = end


def _end(text: str, at: int) -> int:
    """Where a value ends: at the brace or the mark that closes it, else before the next comma or brace."""
    depth, is_quoted = 0, text[at : at + 1] == '"'
    for position in range(at + is_quoted, len(text)):
        letter = text[position]
        if letter in "{}" and text[position - 1] != "\\":
            depth += 1 if letter == "{" else -1
        if depth < 0 or (depth == 0 and not is_quoted and letter == "," and text[at] != "{"):
            return position
        if depth == 0 and position > at and ((is_quoted and letter == '"') or (text[at] == "{" and letter == "}")):
            return position + 1
    return len(text)


# --- CSL-JSON ---------------------------------------------------------------------------------------------------------


def csl(text: str) -> Imported:
    """The items of a CSL-JSON file as sources by their ids; an item that is none is left behind."""
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Failure(f"the file is no CSL-JSON: {error}; export it again from where it came") from error
    sources: dict[str, Record] = {}
    left: list[Left] = []
    for number, item in enumerate(items if isinstance(items, list) else [items], start=1):
        if not isinstance(item, dict) or not item.get("id"):
            left.append(Left(line=1, reason=f"item {number} has no id"))
            continue
        line = text.count("\n", 0, max(0, text.find(json.dumps(item["id"], ensure_ascii=False)))) + 1
        name = unique(_OTHER_SIGNS.sub("-", str(item["id"])), sources)
        sources[name] = _source(
            title=_said(item.get("title")),
            publisher=_said(item.get("publisher")) or _authors(item.get("author")),
            url=_said(item.get("URL")) or _doi(_said(item.get("DOI"))),
            revision=_said(item.get("version")) or _issued(item.get("issued")),
        )
        left += _left(line, name, (field for field in item if field not in _OF_CSL))
    return Imported(sources=sources, left=tuple(left))


def _said(value: object) -> str | None:
    return str(value) if isinstance(value, str | int) and str(value).strip() else None


def _authors(authors: object) -> str | None:
    """The names of authors, in order."""
    people = [person for person in authors if isinstance(person, dict)] if isinstance(authors, list) else []
    names = (
        " ".join(str(person[part]) for part in ("given", "family", "literal") if part in person) for person in people
    )
    return ", ".join(filter(None, names)) or None


def _issued(issued: object) -> str | None:
    """A date as `2026-07-16`, as far as it is given."""
    parts = issued.get("date-parts") if isinstance(issued, Mapping) else None
    first = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    return "-".join(f"{int(part):02d}" for part in first if str(part).isdigit()) or None


# --- both -------------------------------------------------------------------------------------------------------------


def _source(*, title: str | None, publisher: str | None, url: str | None, revision: str | None) -> Record:
    fields = {"title": title, "publisher": publisher, "url": url, "revision": revision}
    is_address = url is not None and re.fullmatch(r"https?://\S+", url)
    return {field: value for field, value in fields.items() if value and (field != "url" or is_address)}


def _doi(doi: str | None) -> str | None:
    return f"https://doi.org/{doi.removeprefix('https://doi.org/')}" if doi else None


def _arxiv(eprint: str | None) -> str | None:
    return f"https://arxiv.org/abs/{eprint}" if eprint and re.fullmatch(r"\d{4}\.\d{4,5}(v\d+)?", eprint) else None


def _left(line: int, name: str, fields: Iterator[str]) -> Iterator[Left]:
    found = ", ".join(fields)
    if found:
        yield Left(line=line, reason=f"{name}: a source has no place for {found}")
