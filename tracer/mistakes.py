"""A record as written to all that is wrong with it, each mistake at its place and in the words of this project."""

import re
from collections.abc import Mapping
from typing import get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tracer.model import Place, Problem, Status
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
from tracer.written import Written
from tracer.yamlfile import MAX_PROBLEMS

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
LONGEST_QUOTED = 60

Location = tuple[int | str, ...]


def in_name(key: str, name: str, at: Place) -> tuple[Problem, ...]:
    """What is wrong with the id of a source, a pipeline or a profile."""
    pattern = PART if key == "pipelines" else NAME
    if re.search(pattern, name):
        return ()
    complaint, hint = EXPECTED[pattern]
    return (Problem(message=f"the id `{_short(name)}` {complaint}", at=at, hint=hint),)


def in_record(key: str, written: Written, claim: str | None = None) -> tuple[Problem, ...]:
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
