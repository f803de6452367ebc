"""Where a record of the ledger and each of its fields stand: places of ledger files."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A position in a ledger file that a person can edit; `path` is relative to the project's root, with `/`."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where each field of one record stands; `cite.0.page` is the page of the first citation, `` the record itself."""

    path: str
    positions: Mapping[str, tuple[int, int]]

    def of(self, field_path: str) -> Place:
        """The place of a field, or of the nearest field around it that was written."""
        while field_path not in self.positions and field_path:
            field_path = field_path.rpartition(".")[0]
        line, column = self.positions.get(field_path, (1, 1))
        return Place(path=self.path, line=line, column=column)
