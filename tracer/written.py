"""A file of a ledger as it was written: its values, the place of every one, and what is wrong with them.

A file without a mistake can be packed to bytes, so that it need not be parsed again while it is the same.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tracer.model import Place, Places, Problem

Plain = str | list["Plain"] | dict[str, "Plain"] | None
"""A value as typed; None is a blank, which is not the empty text `''`."""

Position = tuple[int, int]
"""Line and column, from 1."""

MAX_BYTES = 16 * 1024 * 1024

REFUSED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that YAML forbids, and U+0085, U+2028, U+2029, of which its readers disagree whether they end a line."""

_WIDEST = 1 << 24
"""More than any column: a place is packed as one number."""


@dataclass(slots=True, kw_only=True)
class Written:
    """One record as it was written: its value, where each value in it stands and where each key does.

    Paths are dotted as in `Places`; `is_broken` says that a problem of the file lies inside it.
    """

    value: Plain
    path: str
    values: dict[str, Position] = field(default_factory=dict)
    keys: dict[str, Position] = field(default_factory=dict)
    is_broken: bool = False

    @property
    def places(self) -> Places:
        """Where each value stands."""
        return Places(path=self.path, positions=self.values)

    def key_place(self, field_path: str) -> Place:
        """Where the key of a field stands; the place of the value for an item of a list."""
        if field_path not in self.keys:
            return self.places.of(field_path)
        line, column = self.keys[field_path]
        return Place(path=self.path, line=line, column=column)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file as read: `top` holds the places of its keys and records, `records` each record by its path in the file.

    `is_whole` is False where reading ended early or something was left out; `is_sound` is True of a file whose records
    are known to hold no mistake.
    """

    top: Written
    records: dict[str, Written]
    problems: tuple[Problem, ...] = ()
    is_whole: bool = True
    is_sound: bool = False
    events: int = 0


def fingerprint(data: bytes) -> str:
    """The sha256 of a file's bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


# --- kept -------------------------------------------------------------------------------------------------------


def pack(file: File) -> bytes:
    """A file whose records hold no mistake; where their keys stand is left out, for only mistakes stand at keys."""
    records = [_packed(record.values) for record in file.records.values()]
    top = [_packed(file.top.values), _packed(file.top.keys)]
    return json.dumps([file.top.value, *top, list(file.records), records, file.events]).encode()


def unpack(data: bytes, path: str) -> File:
    """The file that was packed, under the path where it is now."""
    value, values, keys, names, records, events = json.loads(data)
    return File(
        top=Written(value=value, path=path, values=_unpacked(values), keys=_unpacked(keys)),
        records={
            name: Written(value=_record(value, name), path=path, values=_unpacked(positions))
            for name, positions in zip(names, records, strict=True)
        },
        is_sound=True,
        events=events,
    )


def _record(top: Mapping[str, Plain], name: str) -> Plain:
    part, _, key = name.partition(".")
    records = top[part]
    return records[int(key)] if isinstance(records, list) else records[key] if isinstance(records, dict) else None


def _packed(positions: Mapping[str, Position]) -> Mapping[str, int]:
    return {path: line * _WIDEST + column for path, (line, column) in positions.items()}


def _unpacked(positions: Mapping[str, int]) -> dict[str, Position]:
    return {path: divmod(at, _WIDEST) for path, at in positions.items()}
