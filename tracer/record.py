"""A record as written to a source, pipeline, profile or claim of the ledger, and every mistake in it at its place.

What is wrong with a record does not stop it from being built: it is marked broken and holds whatever could be read.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tracer.model import (
    NOTHING,
    Citation,
    Claim,
    Pipeline,
    Place,
    Problem,
    Profile,
    Review,
    Revision,
    Search,
    Seen,
    Source,
    Stage,
    Status,
)
from tracer.shapes import (
    COUNT,
    DATE,
    INNER,
    NAME,
    PART,
    RANGE,
    RECORDS,
    SHA256,
    SOME,
    URL,
    Shape,
    StagePath,
    field_names,
)
from tracer.spelling import did_you_mean
from tracer.yamlfile import MAX_PROBLEMS, Plain, Written

EXPECTED: Mapping[str, tuple[str, str | None]] = {
    NAME: ("is blank or holds white space", "write a name without spaces, such as `k3.moe.experts`"),
    PART: ("is blank or holds white space or `/`", "write a name without them, such as `pretrain-8k`"),
    SHA256: ("is no sha256", "write its 64 hexadecimal digits, as `tracer pin` does"),
    RANGE: ("is neither a number nor a range", "write `12` or `12-14`, counted from 1"),
    DATE: ("is no date", "write year, month and day, such as `2026-05-01`"),
    COUNT: ("is no whole number above 0", "write a number such as `40`"),
    URL: ("is no web address", "begin it with `https://`"),
    SOME: ("is blank", None),
}
"""For each pattern of a shape: what is the case where a text does not match, and what to write instead."""

KINDS: Mapping[type, str] = {str: "a text", list: "a list", dict: "a mapping"}
STATUSES: Mapping[str, Status] = {status.value: status for status in Status}
LONGEST_QUOTED = 60

Location = tuple[int | str, ...]


# --- what is wrong ----------------------------------------------------------------------------------------------


def misnamed(key: str, name: str, at: Place) -> tuple[Problem, ...]:
    """What is wrong with the id of a source, a pipeline or a profile."""
    pattern = PART if key == "pipelines" else NAME
    if re.search(pattern, name):
        return ()
    complaint, hint = EXPECTED[pattern]
    return (Problem(message=f"the id `{_short(name)}` {complaint}", at=at, hint=hint),)


def mistakes(key: str, written: Written, claim: str | None = None) -> tuple[Problem, ...]:
    """Everything that is wrong with a record under one of the keys of a file, in the order of its lines."""
    shape = RECORDS[key]
    try:
        shape.model_validate(written.value)
    except ValidationError as error:
        details = error.errors(include_url=False)
    else:
        return ()
    found = [_mistake(shape, written, detail, claim) for detail in details[:MAX_PROBLEMS]]
    if len(details) > MAX_PROBLEMS:
        message = f"{shape.noun} has {len(details):,} mistakes, of which {MAX_PROBLEMS} are listed"
        found.append(Problem(message=message, at=written.places.of(""), claim=claim))
    return tuple(sorted(found, key=lambda problem: (problem.at.line, problem.at.column)))


def _mistake(shape: type[Shape], written: Written, detail: ErrorDetails, claim: str | None) -> Problem:
    where = tuple(part for part in detail["loc"] if part != "[key]")
    shape = next((INNER[part] for part in reversed(where[:-1]) if part in INNER), shape)
    message, hint = _wording(shape, where, detail)
    return Problem(message=message, at=_place(written, where, detail), hint=hint, claim=claim)


def _place(written: Written, where: Location, detail: ErrorDetails) -> Place:
    path = ".".join(map(str, where))
    is_about_the_key = detail["type"] == "extra_forbidden" or "[key]" in detail["loc"]
    return written.key_place(path) if is_about_the_key else written.places.of(path)


def _wording(shape: type[Shape], where: Location, detail: ErrorDetails) -> tuple[str, str | None]:
    """The message and the hint of one mistake, in the words of this project."""
    name, kind, value = _name(shape, where), detail["type"], detail["input"]
    if kind == "extra_forbidden":
        return f"{name} is no field of {shape.noun}", did_you_mean(str(where[-1]), field_names(shape))
    if kind == "missing":
        return f"{shape.noun} has no {name}", _hint_for_missing(str(where[-1]))
    if value is None or (isinstance(value, str) and not value.strip()):
        return f"{name} is blank", _choices_hint(detail)
    if not isinstance(value, str):
        return f"{name} is {KINDS[type(value)]} where a {_expected_kind(kind)} is expected", _shape_hint(kind, where)
    if kind in {"enum", "literal_error"}:
        return f"`{_short(value)}` is no {where[-1]}", did_you_mean(value, _choices(detail)) or _choices_hint(detail)
    if kind == "string_pattern_mismatch":
        complaint, hint = EXPECTED[detail["ctx"]["pattern"]]
        return f"{name} {complaint}: `{_short(value)}`", hint
    return f"{name} is a text where a {_expected_kind(kind)} is expected", _shape_hint(kind, where)


def _name(shape: type[Shape], where: Location) -> str:
    """How a message calls the value at a place of a record."""
    if not where:
        return shape.noun
    if isinstance(where[-1], str):
        return f"`{_short(where[-1])}`"
    return f"item {where[-1] + 1} of `{where[-2]}`"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_QUOTED else text[: LONGEST_QUOTED - 1] + "…"


def _expected_kind(kind: str) -> str:
    return {"list_type": "list", "dict_type": "mapping", "model_type": "mapping"}.get(kind, "text")


def _shape_hint(kind: str, where: Location) -> str | None:
    name = where[-1] if where else ""
    if kind == "list_type":
        return f"begin each item below `{name}:` with `- `"
    if kind == "model_type":
        return f"write its fields: {', '.join(field_names(INNER[str(name)]))}" if name in INNER else None
    return "write a range such as `1-2`" if name == "page" else None


def _hint_for_missing(key: str) -> str:
    return f"write `status: {'` or `'.join(Status)}`" if key == "status" else f"add a line `{key}: …`"


def _choices(detail: ErrorDetails) -> tuple[str, ...]:
    return tuple(Status) if detail["type"] == "enum" else get_args(StagePath)


def _choices_hint(detail: ErrorDetails) -> str | None:
    if detail["type"] not in {"enum", "literal_error"}:
        return None
    *others, last = _choices(detail)
    return f"write {', '.join(others)} or {last}"


# --- what was read ----------------------------------------------------------------------------------------------

Fields = Mapping[str, Plain]


def source(name: str, written: Written, *, broken: bool = False) -> Source:
    """A source of the ledger."""
    fields = _fields(written.value)
    words = _text(fields, "quote-words")
    return Source(
        id=name,
        title=_text(fields, "title"),
        publisher=_text(fields, "publisher"),
        url=_text(fields, "url"),
        revision=_text(fields, "revision"),
        sha256=(_text(fields, "sha256") or "").lower() or None,
        file=(_text(fields, "file") or "").replace("\\", "/") or None,
        note=_text(fields, "note"),
        quote_words=int(words) if words and words.isdecimal() else None,
        revisions=tuple(map(_revision, _mappings(fields, "revisions"))),
        places=written.places,
        broken=broken,
    )


def _revision(fields: Fields) -> Revision:
    sha256 = (_text(fields, "sha256") or "").lower()
    return Revision(name=_text(fields, "name") or "", sha256=sha256, seen=_text(fields, "seen"))


def pipeline(name: str, written: Written, *, broken: bool = False) -> Pipeline:
    """A pipeline of the ledger."""
    fields = _fields(written.value)
    return Pipeline(
        id=name,
        title=_text(fields, "title"),
        profile=_text(fields, "profile"),
        stages=tuple(map(_stage, _mappings(fields, "stages"))),
        places=written.places,
        broken=broken,
    )


def _stage(fields: Fields) -> Stage:
    return Stage(
        id=_text(fields, "id") or "",
        title=_text(fields, "title"),
        kind=_text(fields, "kind"),
        after=_text(fields, "after"),
        path=_text(fields, "path"),
        published=_text(fields, "published"),
        note=_text(fields, "note"),
    )


def profile(name: str, written: Written, *, broken: bool = False) -> Profile:
    """A profile of the ledger; a field without a word on what counts as an answer has the empty text."""
    fields = _fields(written.value)
    kinds = {
        kind: MappingProxyType({field: answer if isinstance(answer, str) else "" for field, answer in asked.items()})
        for kind, asked in ((kind, _fields(asked)) for kind, asked in _fields(fields.get("kinds")).items())
    }
    return Profile(
        id=name,
        title=_text(fields, "title"),
        extends=_text(fields, "extends"),
        kinds=MappingProxyType(kinds),
        places=written.places,
        broken=broken,
    )


def claim(name: str, written: Written, *, broken: bool = False) -> Claim:
    """A claim of the ledger; `name` is its id, or one made up of its place."""
    fields = _fields(written.value)
    made_in = fields.get("made-in")
    return Claim(
        id=name,
        stage=_text(fields, "stage"),
        field=_text(fields, "field"),
        text=_text(fields, "text"),
        value=_text(fields, "value"),
        unit=_text(fields, "unit"),
        status=STATUSES.get(_text(fields, "status") or ""),
        cite=_citations(fields, "cite"),
        formula=_text(fields, "formula"),
        inputs=_texts_by_name(fields, "inputs"),
        tolerance=_text(fields, "tolerance"),
        because=_text(fields, "because"),
        leans_on=_texts(fields, "leans-on"),
        searched=tuple(_search(item, f"searched.{index}") for index, item in enumerate(_mappings(fields, "searched"))),
        disputes=_citations(fields, "disputes"),
        accept=_texts_by_name(fields, "accept"),
        made_in=_citation(made_in, "made-in", "made-in") if isinstance(made_in, dict) else None,
        review=_review(fields.get("review")),
        note=_text(fields, "note"),
        places=written.places,
        broken=broken,
    )


def _citations(fields: Fields, role: str) -> tuple[Citation, ...]:
    return tuple(_citation(item, role, f"{role}.{index}") for index, item in enumerate(_mappings(fields, role)))


def _citation(fields: Fields, role: str, at_path: str) -> Citation:
    return Citation(
        source=_text(fields, "source") or "",
        section=_text(fields, "section"),
        page=_text(fields, "page"),
        sheet=_text(fields, "sheet"),
        at=_text(fields, "at"),
        lines=_text(fields, "lines"),
        quote=_text(fields, "quote"),
        because=_text(fields, "because"),
        role=role,
        at_path=at_path,
    )


def _search(fields: Fields, at_path: str) -> Search:
    return Search(
        source=_text(fields, "source") or "",
        terms=_texts(fields, "terms"),
        seen=tuple(map(_seen, _mappings(fields, "seen"))),
        at_path=at_path,
    )


def _seen(fields: Fields) -> Seen:
    return Seen(
        page=_text(fields, "page"),
        sheet=_text(fields, "sheet"),
        section=_text(fields, "section"),
        because=_text(fields, "because"),
    )


def _review(value: Plain) -> Review | None:
    if not isinstance(value, dict):
        return None
    return Review(by=_text(value, "by"), on=_text(value, "on"), seen=_text(value, "seen"))


def _fields(value: Plain) -> Fields:
    return value if isinstance(value, dict) else {}


def _text(fields: Fields, key: str) -> str | None:
    value = fields.get(key)
    return value if isinstance(value, str) else None


def _texts(fields: Fields, key: str) -> tuple[str, ...]:
    value = fields.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _texts_by_name(fields: Fields, key: str) -> Mapping[str, str]:
    value = fields.get(key)
    if not isinstance(value, dict):
        return NOTHING
    return MappingProxyType({name: text for name, text in value.items() if isinstance(text, str)})


def _mappings(fields: Fields, key: str) -> tuple[Fields, ...]:
    """The items of a list; one that is no mapping is empty, so that the places of the others stay right."""
    value = fields.get(key)
    return tuple(map(_fields, value)) if isinstance(value, list) else ()
