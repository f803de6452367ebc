"""The shelf of what other people's formats hold: each module takes a text and gives records, and what it left behind.

To add a format: a module with a function from a text to `Imported`, and its name and endings in `FORMATS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from types import MappingProxyType

from tracer.appending import Record

FORMATS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "csv": (".csv", ".tsv"),
        "markdown": (".md", ".markdown"),
        "bibtex": (".bib", ".bibtex"),
        "csl": (".json",),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What could not be taken over: its line in the file, counted from 1, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """Claims without a status and sources by id, as they are written in a ledger, and what was left behind."""

    claims: tuple[Record, ...] = ()
    sources: Mapping[str, Record] = field(default_factory=dict)
    left: tuple[Left, ...] = ()


def format_of(name: str) -> str | None:
    """The format of a file by the ending of its name; None for an ending that no format has."""
    ending = PurePath(name).suffix.lower()
    return next((form for form, endings in FORMATS.items() if ending in endings), None)
