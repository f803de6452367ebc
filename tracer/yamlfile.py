"""Bytes of a YAML file to plain text values, the place of every one, and what is wrong with the file.

Every scalar is the text that was typed: no number, date or word such as `no` is made of it. The file is read event by
event, so that deep nesting and aliases are refused before anything is built from them.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import yaml

from tracer.model import Place, Problem, Severity
from tracer.written import MAX_BYTES, REFUSED, File, Plain, Position, Written

MAX_DEPTH = 32
MAX_EVENTS = 500_000
MAX_PROBLEMS = 200
TOO_DEEP = f"more than {MAX_DEPTH} lists and mappings stand inside each other here"

RECORD_DEPTH = 2
"""How many containers stand around a record: the file, and the list or mapping under one of its keys."""

BOM = b"\xef\xbb\xbf"
REST = "the rest of this file was not read, and its claims are not counted"

COMMENT = re.compile(r"[ \t]+(#[^\s#].*)")
"""What follows a plain text and looks like a part of it, but is a comment."""

_LINE_END = re.compile(r"\r\n|\r|\n")

SYNTAX_HINTS: Mapping[str, str] = MappingProxyType(
    {
        "cannot start any token": "put the text in quotes",
        "expected alphabetic": "put the text in quotes",
        "did not find expected key": 'close each quotation mark, and write \\" for one within a text in double ones',
        "expected node content": "close the bracket that is open",
        "end of stream": "close the quotation mark that opens here",
        "expected ',' or": "close the bracket, and put a text with commas, brackets or quotation marks in quotes",
        "expected ':'": "write it as `name: value`",
        "unknown escape": "write \\\\ for a backslash, or put the text in single quotation marks",
    }
)
"""What to write instead, by words in what the parser says."""

Loader: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read(data: bytes, path: str) -> File:
    """The values and places of a file; whatever is wrong with it is in `problems`, never raised."""
    text = decoded(data, path)
    if isinstance(text, Problem):
        return File(top=Written(value=None, path=path), records={}, problems=(text,), is_whole=False)
    reader = _Reader(path)
    reader.read(text)
    return reader.file()


def decoded(data: bytes, path: str) -> str | Problem:
    """The text of a file without its byte order mark, or why it is not text that YAML may hold."""
    if len(data) > MAX_BYTES:
        return _problem(
            path, (1, 1), f"the file is larger than {MAX_BYTES // 2**20} MiB", "split it over several files"
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _problem(path, (1, 1), "the file is UTF-16", "save it as UTF-8")
    data = data.removeprefix(BOM)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        return _problem(path, position(before, len(before)), "the file is not UTF-8 here", "save it as UTF-8")
    refused = REFUSED.search(text)
    if refused is None:
        return text
    message = f"the character U+{ord(refused[0]):04X} stands here"
    return _problem(
        path, position(text, refused.start()), message, "take it out, or write it as an escape in double quotes"
    )


def position(text: str, offset: int) -> Position:
    """Line and column of an offset, from 1."""
    start, line = 0, 1
    for line, found in enumerate(_LINE_END.finditer(text, 0, offset), start=2):  # noqa: B007 -- the last one counts
        start = found.end()
    return line, offset - start + 1


def _problem(path: str, at: Position, message: str, hint: str | None = None, first: Position | None = None) -> Problem:
    related = () if first is None else (Place(path=path, line=first[0], column=first[1]),)
    return Problem(message=message, at=Place(path=path, line=at[0], column=at[1]), hint=hint, related=related)


class _Stop(Exception):  # noqa: N818 -- it ends the reading of one file and never leaves this module
    """Reading cannot go on after the last problem."""


Container = list[Plain] | dict[str, Plain]


class _Reader:
    """Builds the values of one file from its events.

    `container` is the open list or mapping and `prefix` its path in the record `written`; `key` waits for its value
    under `key_path`. `stack` holds what is open around them. Equal paths of many records share one text in `paths`.
    """

    __slots__ = (
        "container", "events", "is_whole", "key", "key_path", "path", "paths", "prefix", "problems", "records",
        "refused_lines", "root", "skips", "stack", "text", "top", "written",
    )  # fmt: skip

    def __init__(self, path: str) -> None:
        self.path = path
        self.text = ""
        self.root: list[Plain] = []
        self.top = Written(value=None, path=path)
        self.records: dict[str, Written] = {}
        self.problems: list[Problem] = []
        self.refused_lines: set[int] = set()
        self.is_whole = True
        self.events = 0
        self.written = self.top
        self.container: Container = self.root
        self.prefix: str | None = None
        self.key: str | None = None
        self.key_path = ""
        self.skips = False
        self.stack: list[tuple[Container, str | None, Written]] = []
        self.paths: dict[tuple[str | None, str | int], str] = {(None, 0): ""}

    def file(self) -> File:
        self.top.value = self.root[0] if self.root else None
        return File(
            top=self.top,
            records=self.records,
            problems=tuple(self.problems),
            is_whole=self.is_whole,
            events=self.events,
        )

    def read(self, text: str) -> None:
        self.text = text
        try:
            self._take_all(Loader(text))
        except yaml.MarkedYAMLError as error:
            self._report_syntax(text, error)
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # the parser in pure Python raises the latter two
            self._report((1, 1), f"not valid YAML: {error}", REST)
        except _Stop:
            pass
        else:
            return
        self.is_whole = False
        self.written.is_broken = True

    def _take_all(self, loader: yaml.SafeLoader | yaml.CSafeLoader) -> None:
        documents = 0
        for self.events in range(1, MAX_EVENTS + 1):
            event: Any = loader.get_event()
            kind = event.__class__
            if kind is yaml.ScalarEvent:
                self._take_scalar(event)
            elif kind is yaml.MappingStartEvent:
                self._open(event, {})
            elif kind is yaml.SequenceStartEvent:
                self._open(event, [])
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.container, self.prefix, self.written = self.stack.pop()
                self.key = None
            elif kind is yaml.AliasEvent:
                self._take_alias(event)
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self._stop(_at(event), "a second document begins here", "leave out the line `---`")
            elif kind is yaml.StreamEndEvent:
                return
        self._stop((1, 1), f"the file holds more than {MAX_EVENTS:,} values", "split it over several files")

    def _take_scalar(self, event: Any) -> None:
        mark = event.start_mark
        at = (mark.line + 1, mark.column + 1)
        if event.anchor or event.tag:
            self._refuse_marks(event, at)
        text: str = event.value
        if self.key is None and self.container.__class__ is dict:
            self._take_key(text, at)
        else:
            if self.key == "quote" and not event.style:
                self._see_comment(event.end_mark)
            self._put(text if text or event.style else None, at)

    def _see_comment(self, end: Any) -> None:
        """Report a quote that is cut short by ` #`, where YAML begins a comment."""
        found = COMMENT.match(self.text, end.index)
        if found is None:
            return
        problem = _problem(
            self.path,
            (end.line + 1, end.column + 1),
            f"the quote ends before `{found[1].rstrip()}`, which is a comment",
            "put the quote in quotation marks, for ` #` begins a comment outside of them",
        )
        self.problems.append(replace(problem, severity=Severity.WARNING))

    def _take_key(self, key: str, at: Position) -> None:
        self.key = key
        path = self.key_path = self._path(key)
        if key not in self.container:
            self.written.keys[path] = at
            return
        first = self.written.keys[path]
        self._report(at, f"`{key}` is written twice, first on line {first[0]}", "keep one of the two", first)
        self.skips = True

    def _put(self, value: Plain, at: Position) -> str:
        container = self.container
        if isinstance(container, list):
            path = self._path(len(container))
            container.append(value)
        elif self.skips or self.key is None:
            self.skips, self.key = False, None
            return self.key_path
        else:
            path = self.key_path
            container[self.key] = value
            self.key = None
        self.written.values[path] = at
        return path

    def _open(self, event: Any, value: Container) -> None:
        at = _at(event)
        if event.anchor or event.tag:
            self._refuse_marks(event, at)
        if len(self.stack) >= MAX_DEPTH:
            self._stop(at, TOO_DEEP)
        if self.key is None and isinstance(self.container, dict):
            self._stop(
                at, "a list or a mapping stands where a key is expected", "put text with brackets or braces in quotes"
            )
        is_skipped = self.skips
        path = self._put(value, at)
        self.stack.append((self.container, self.prefix, self.written))
        if is_skipped:
            self.written = Written(value=value, path=self.path)
        elif len(self.stack) == RECORD_DEPTH + 1:
            self.written = self.records[path] = Written(value=value, path=self.path, values={"": at})
            path = ""
        self.container, self.prefix, self.key = value, path, None

    def _path(self, name: str | int) -> str:
        """The path of an item of the open container."""
        found = self.paths.get((self.prefix, name))
        if found is None:
            found = f"{self.prefix}.{name}" if self.prefix else str(name)
            self.paths[self.prefix, name] = found
        return found

    def _take_alias(self, event: Any) -> None:
        at = _at(event)
        self._refuse(at, f"`*{event.anchor}` is an alias", "write the value out")
        if self.key is None and isinstance(self.container, dict):
            self._take_key(f"*{event.anchor}", at)
        else:
            self._put(None, at)

    def _refuse_marks(self, event: Any, at: Position) -> None:
        if event.anchor:
            self._refuse(at, f"`&{event.anchor}` is an anchor", "leave it out, and write the value where it is used")
        elif event.tag not in ("!", "tag:yaml.org,2002:str"):
            self._refuse(at, f"`{event.tag}` is a tag", "leave it out: every value is read as the text that was typed")

    def _refuse(self, at: Position, message: str, hint: str) -> None:
        """Report an anchor, an alias or a tag once a line, for a bomb has thousands."""
        self.written.is_broken = True
        if at[0] not in self.refused_lines:
            self.refused_lines.add(at[0])
            self._report(at, message, hint)

    def _report(self, at: Position, message: str, hint: str | None = None, first: Position | None = None) -> None:
        self.problems.append(_problem(self.path, at, message, hint, first))
        self.written.is_broken = True
        if self.written is self.top:
            self.is_whole = False
        if len(self.problems) == MAX_PROBLEMS:
            self._stop(at, f"the file has more than {MAX_PROBLEMS} mistakes")

    def _stop(self, at: Position, message: str, hint: str | None = None) -> None:
        self.problems.append(_problem(self.path, at, message, f"{hint}; {REST}" if hint else REST))
        raise _Stop

    def _report_syntax(self, text: str, error: yaml.MarkedYAMLError) -> None:
        mark, began = error.problem_mark, error.context_mark
        at = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
        first = None if began is None else (began.line + 1, began.column + 1)
        problem = error.problem or ""
        if first is not None and any(words in problem for words in ("end of stream", "expected ':'")):
            at = first
        if mark is not None and text[mark.index : mark.index + 1] == "\t":
            self._report(at, "a tab stands where spaces are expected", f"indent with spaces; {REST}", first)
            return
        if "nesting depth" in problem:
            self._report(at, TOO_DEEP, REST)
            return
        context = f" {error.context}" if error.context else ""
        before = "" if mark is None else text[: mark.index]
        within = "" if began is None else before[began.index :]
        hint = _syntax_hint(problem, before.splitlines()[-1] if before[-1:] not in ("", "\n", "\r") else "", within)
        self._report(at, f"not valid YAML{context}: {problem}", f"{hint}; {REST}" if hint else REST, first)


def _at(event: Any) -> Position:
    mark = event.start_mark
    return mark.line + 1, mark.column + 1


def _syntax_hint(problem: str, line: str, within: str) -> str | None:
    """What to write instead, told by what stands before the fault in its line, and since what is open began."""
    if "mapping values are not allowed" in problem:
        is_field = re.fullmatch(r"[\s-]*[\w-]+", line)
        return "indent it as the fields beside it" if is_field else "put a text that holds `: ` in quotes"
    if "expected '-'" in problem or ("did not find expected key" in problem and not line.strip()):
        return "indent this line as those that it belongs with"
    if "expected ',' or" in problem and re.search(r"[^\s\"'] #", within):
        return "put the text in quotes, for ` #` begins a comment outside of them"
    return next((hint for words, hint in SYNTAX_HINTS.items() if words in problem), None)
