"""A start folder to the settings of the ledger it belongs to: `tracer.toml`, or `[tool.tracer]` of `pyproject.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from tracer.model import Failure, Severity
from tracer.spelling import did_you_mean

FILE = "tracer.toml"
PROJECT_FILE = "pyproject.toml"
LEDGER = "claims"
KEYS = ("ledger", "sources", "allow", "rules")
OFF = "off"
SEVERITIES = (*Severity, OFF)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where a ledger and its sources are, and how much each rule weighs.

    `root` is the folder of the settings file, against which paths are written; `sources` are folders to look for
    sources in, `allow` folders outside of the root that a source's `file` may point into. `severities` holds what the
    settings say of a rule, None for one that is off, and `rule_lines` on which line. All paths are absolute.
    """

    root: Path
    ledger: Path
    sources: tuple[Path, ...] = ()
    allow: tuple[Path, ...] = ()
    severities: Mapping[str, Severity | None] = field(default_factory=lambda: MappingProxyType({}))
    rule_lines: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    file: Path | None = None

    def allows(self, path: Path) -> bool:
        """Whether a file lies in the root or in an allowed folder, once its links are followed."""
        resolved = path.resolve()
        return any(resolved.is_relative_to(folder.resolve()) for folder in (self.root, *self.allow))


def find(start: Path) -> Settings:
    """The settings of the nearest settings file upward, else those of the nearest `claims` folder upward."""
    folder = start.resolve()
    folders = (folder, *folder.parents) if folder.is_dir() else tuple(folder.parents)
    for folder in folders:
        if found := _settings_in(folder):
            return found
    for folder in folders:
        if (folder / LEDGER).is_dir():
            return Settings(root=folder, ledger=folder / LEDGER)
    raise Failure(f"there is no ledger in {start} or above it; run `tracer init` to start one")


def _settings_in(folder: Path) -> Settings | None:
    if (folder / FILE).is_file():
        text = _text(folder / FILE)
        return _Table(folder / FILE, text, _parsed(folder / FILE, text)).settings()
    project = folder / PROJECT_FILE
    text = _text(project) if project.is_file() else ""
    if "tracer" not in text:  # a file of other programs need not even be valid
        return None
    tools = _parsed(project, text).get("tool")
    return _Table(project, text, tools["tracer"]).settings() if isinstance(tools, dict) and "tracer" in tools else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"{path} cannot be read: {error}") from error


def _parsed(path: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{path} is not valid TOML: {error}") from error
    except RecursionError as error:
        raise Failure(f"{path} nests its values too deep") from error


class _Table:
    """The settings as they stand in a file; every complaint names the line."""

    def __init__(self, path: Path, text: str, table: object) -> None:
        self.path, self.text, self.table = path, text, table

    def settings(self) -> Settings:
        table = self._mapping("tracer", self.table)
        for key in table:
            if key not in KEYS:
                raise self._failure(key, f"`{key}` is no setting", did_you_mean(key, KEYS))
        severities = dict(self._severities(table.get("rules", {})))
        return Settings(
            root=self.path.parent,
            ledger=self._ledger(table.get("ledger", LEDGER)),
            sources=tuple(self._folders("sources", table.get("sources", []))),
            allow=tuple(self._folders("allow", table.get("allow", []))),
            severities=MappingProxyType(severities),
            rule_lines=MappingProxyType({rule: self._line(rule) for rule in severities}),
            file=self.path,
        )

    def _ledger(self, value: object) -> Path:
        folder = self._folder("ledger", value)
        if not folder.is_relative_to(self.path.parent):
            raise self._failure("ledger", f"`{value}` leads out of the folder of this file", "name a folder inside it")
        if not folder.is_dir():
            raise self._failure(
                "ledger", f"there is no folder `{value}`", "make it, or name the one with the YAML files"
            )
        return folder

    def _folders(self, key: str, value: object) -> Iterator[Path]:
        if not isinstance(value, list):
            raise self._failure(key, f"`{key}` is no list", f'write `{key} = ["reports"]`')
        for item in value:
            yield self._folder(key, item)

    def _folder(self, key: str, value: object) -> Path:
        if not isinstance(value, str) or not value or "\0" in value:
            raise self._failure(key, f"`{key}` names no folder", f'write a path in quotes, such as "{LEDGER}"')
        try:
            return (self.path.parent / Path(value.replace("\\", "/")).expanduser()).resolve()
        except RuntimeError as error:
            raise self._failure(key, f"`{value}` names no folder", "write the path out") from error

    def _severities(self, value: object) -> Iterator[tuple[str, Severity | None]]:
        for rule, severity in self._mapping("rules", value).items():
            if not isinstance(severity, str) or severity not in SEVERITIES:
                hint = did_you_mean(str(severity), SEVERITIES) or f"write one of {', '.join(SEVERITIES)}"
                raise self._failure(rule, f"`{severity}` is no severity", hint)
            yield rule, None if severity == OFF else Severity(severity)

    def _mapping(self, key: str, value: object) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self._failure(key, f"`{key}` is no table", f"begin it with `[{key}]`")
        return value

    def _failure(self, key: str, message: str, hint: str | None) -> Failure:
        return Failure(f"{self.path}:{self._line(key)}: {message}" + (f"; {hint}" if hint else ""))

    def _line(self, key: str) -> int:
        """The first line that sets `key`, or opens a table of its name."""
        words = rf"^[ \t]*(?:\[.*)?[\"']?{re.escape(key)}[\"']?\s*[=\].]|[{{,]\s*[\"']?{re.escape(key)}[\"']?\s*="
        found = re.search(words, self.text, re.MULTILINE)
        return self.text.count("\n", 0, found.end()) + 1 if found else 1
