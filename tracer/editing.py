"""Bytes of a ledger file and changes to its records to the edited bytes, and those safely to the disk.

A change is spliced in where the file says it: comments, order, quoting, line ends and the byte order mark stay. What
comes out is read again, and must hold what was there with the changes made, and nothing else.
"""

import copy
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import yaml

from tracer.model import Failure
from tracer.scalars import scalar
from tracer.written import Plain, fingerprint
from tracer.yamlfile import BOM, Loader, decoded, read

Value = str | Mapping[str, str]
"""What a field is set to: a text, or a mapping of texts such as a review."""

LINE_END = re.compile(r"\r\n|\r|\n")
INLINE = 1 << 30
"""The rank of an edit inside a line: before all lines inserted after that line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change to one record, which is named by its key in the file (`claims`) and its id.

    `field` is a path as in `Places`. It is set to `value`, and inserted where it is not yet written; a mapping over a
    mapping sets its keys and keeps the others. With `appends` the value becomes the last item of the list there.
    """

    key: str
    id: str
    field: str
    value: Value
    appends: bool = False


class Conflict(Failure):
    """The file is not the one that was read: `expected` and `found` are the sha256 of both, None for no file."""

    def __init__(self, path: Path, expected: str | None, found: str | None) -> None:
        self.path, self.expected, self.found = path, expected, found
        was, now = (f"the version {version[:12]}" if version else "no file" for version in (expected, found))
        super().__init__(f"{path} was {was} when it was read and is {now} now; load it again and repeat the edit")


# --- changing bytes ---------------------------------------------------------------------------------------------


def edited(data: bytes, changes: Iterable[Change], path: str = "the file") -> bytes:
    """The file with all changes made, each to another field; Failure where one cannot be made."""
    before = values_of(data, path)
    after = copy.deepcopy(before)
    text = decoded(data, path)
    assert isinstance(text, str), "a file that was read is text"  # noqa: S101 -- it tells the type checker
    page = Layout(text)
    for change in changes:
        steps = (*_record_steps(before, change, path), *filter(None, change.field.split(".")))
        _apply(after, steps, change)
        page.make(steps, change)
    result = (BOM if data.startswith(BOM) else b"") + page.spliced().encode()
    if values_of(result, path) != after:
        raise Failure(f"{path} is written in a way that cannot be edited safely; make the change by hand")
    return result


def values_of(data: bytes, path: str) -> Plain:
    """What a file says; one that cannot be read to its end is not edited."""
    file = read(data, path)
    if file.problems:
        first = file.problems[0]
        raise Failure(f"{first.at}: {first.message}; mend that before the file is edited")
    return file.top.value


def _record_steps(plain: Plain, change: Change, path: str) -> tuple[str, str]:
    """The path of a record in its file; a claim is found by its id."""
    records = plain.get(change.key) if isinstance(plain, dict) else None
    if isinstance(records, dict) and change.id in records:
        return change.key, change.id
    items = records if isinstance(records, list) else []
    found = [index for index, item in enumerate(items) if isinstance(item, dict) and item.get("id") == change.id]
    if len(found) > 1:
        raise Failure(f"{path} holds {len(found)} records with the id `{change.id}`; give each its own id first")
    if not found:
        raise Failure(f"{path} holds no `{change.id}` under `{change.key}`")
    return change.key, str(found[0])


def _apply(plain: Plain, steps: tuple[str, ...], change: Change) -> None:
    """Make the change on the plain values: what the edited file must say."""
    around, parent = None, plain
    for step in steps[:-1]:
        around, parent = parent, _child(parent, step, change)
    name = steps[-1]
    value: Plain = change.value if isinstance(change.value, str) else {**change.value}
    if parent is None and isinstance(around, dict):
        parent = around[steps[-2]] = {}
    if isinstance(parent, dict) and change.appends:
        items = parent[name] = parent.get(name) or []
        if not isinstance(items, list):
            raise Failure(f"`{change.field}` of `{change.id}` is no list")
        items.append(value)
    elif isinstance(parent, dict):
        old = parent.get(name)
        parent[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    elif isinstance(parent, list) and not change.appends:
        _child(parent, name, change)
        parent[int(name)] = value
    else:
        raise Failure(f"`{change.id}` has no place for `{change.field}`")


def _child(plain: Plain, step: str, change: Change) -> Plain:
    if isinstance(plain, dict) and step in plain:
        return plain[step]
    if isinstance(plain, list) and step.isdecimal() and int(step) < len(plain):
        return plain[int(step)]
    raise Failure(f"`{change.id}` has no `{change.field}`")


class Layout:
    """The text of a file, its YAML nodes, and the splices to make: (start, end, rank, text)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: yaml.Node | None = Loader(text).get_single_node()
        self.splices: list[tuple[int, int, int, str]] = []
        self.inserted: dict[int, int] = {}
        found = LINE_END.search(text)
        self.line_end = found[0] if found else "\n"

    def spliced(self) -> str:
        """The text with all splices made; of those at one place, the deepest first."""
        parts, done = [], 0
        for start, end, _, new in sorted(self.splices, key=lambda splice: (splice[0], -splice[2])):
            parts += [self.text[done:start], new]
            done = max(done, end)
        return "".join([*parts, self.text[done:]])

    def make(self, steps: tuple[str, ...], change: Change) -> None:
        """Note the splices of a change whose path was found in the plain values."""
        key, parent = walk(self.root, steps[:-1])
        if not isinstance(parent, yaml.CollectionNode):
            item = _rendered(change.value)
            new = f"{scalar(steps[-1])}: {f'[{item}]' if change.appends else item}"
            self._replace(key, parent, f"{{{new}}}")
            return
        key, node = walk(parent, steps[-1:])
        if node is None or (change.appends and _is_blank(node)):
            self._begin(parent, key, node, steps[-1], change)
        elif change.appends and isinstance(node, yaml.CollectionNode):
            self._add(node, f"- {_rendered(change.value)}", _rendered(change.value))
        elif isinstance(node, yaml.MappingNode) and isinstance(change.value, Mapping):
            for name, value in change.value.items():
                self.make((*steps, name), Change(key=change.key, id=change.id, field=change.field, value=value))
        else:
            self._replace(key, node, _rendered(change.value, node.style if isinstance(node, yaml.ScalarNode) else None))

    def _begin(
        self, parent: yaml.CollectionNode, key: yaml.Node | None, node: yaml.Node | None, name: str, change: Change
    ) -> None:
        """Write a field that is not there yet, or the first item of a list that is blank."""
        item = _rendered(change.value)
        if node is not None:
            self._replace(key, node, f"[{item}]")
        elif change.appends:
            indent = " " * (parent.start_mark.column + 2)
            self._add(parent, f"{scalar(name)}:{self.line_end}{indent}- {item}", f"{scalar(name)}: [{item}]")
        else:
            self._add(parent, f"{scalar(name)}: {item}", f"{scalar(name)}: {item}")

    def _replace(self, key: yaml.Node | None, node: yaml.Node | None, new: str) -> None:
        if node is None or (isinstance(node, yaml.CollectionNode) and not node.flow_style):
            raise Failure("a list or a mapping over several lines cannot be replaced; make the change by hand")
        start, end = node.start_mark.index, self.end(node)
        if _is_blank(node):
            has_colon = key is None or ":" in self.text[key.end_mark.index : start]
            before = "" if has_colon else ":"
            new = f"{before}{'' if self.text[start - 1].isspace() and has_colon else ' '}{new}"
        self.splices.append((start, end, INLINE, new))

    def _add(self, node: yaml.CollectionNode, line: str, entry: str) -> None:
        """Put one more entry last into a list or a mapping: on a line of its own, or before the closing bracket."""
        if node.flow_style:
            self._add_in_line(node, entry)
            return
        column: int = node.start_mark.column
        end = self.end(node)
        line = " " * column + line
        if end and self.text[end - 1] in "\r\n":
            self.splices.append((end, end, column, line + self.line_end))
            return
        found = LINE_END.search(self.text, end)
        end = found.start() if found else len(self.text)
        self.splices.append((end, end, column, self.line_end + line))

    def _add_in_line(self, node: yaml.CollectionNode, entry: str) -> None:
        before = self.inserted.get(id(node), len(node.value))
        self.inserted[id(node)] = before + 1
        last = _last(node)
        at = node.start_mark.index + 1 if last is None else self.end(last)
        space = " " if self.text[at - 1] == ":" else ""
        self.splices.append((at, at, node.start_mark.column, f"{space}, {entry}" if before else entry))

    def end(self, node: yaml.Node) -> int:
        """Where the text of a node ends, without the blank lines and comments that YAML counts to it."""
        while isinstance(node, yaml.CollectionNode) and not node.flow_style and (last := _last(node)) is not None:
            node = last
        start: int = node.start_mark.index
        written: str = self.text[start : node.end_mark.index]
        is_block = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
        keeps_blank_lines = is_block and "+" in LINE_END.split(written, maxsplit=1)[0].partition("#")[0]
        return start + len(written if keeps_blank_lines or not is_block else written.rstrip())


def walk(node: yaml.Node | None, steps: tuple[str, ...]) -> tuple[yaml.Node | None, yaml.Node | None]:
    """The key and the value at a path below a node; None for what is not written."""
    key: yaml.Node | None = None
    for step in steps:
        if isinstance(node, yaml.MappingNode):
            key, node = next((pair for pair in node.value if pair[0].value == step), (None, None))
        elif isinstance(node, yaml.SequenceNode):
            key, node = None, node.value[int(step)]
    return key, node


def _last(node: yaml.CollectionNode) -> yaml.Node | None:
    """The last thing written in a list or a mapping: the key, where its value is not written at all."""
    if not node.value:
        return None
    if not isinstance(node, yaml.MappingNode):
        item: yaml.Node = node.value[-1]
        return item
    key: yaml.Node
    value: yaml.Node
    key, value = node.value[-1]
    return key if _is_blank(value) and value.end_mark.index < key.end_mark.index else value


def _is_blank(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.value and not node.style


def _rendered(value: Value, style: str | None = None) -> str:
    """A value on one line: a text in the quotes it had before, a mapping in braces."""
    if isinstance(value, str):
        return scalar(value, style)
    return "{" + ", ".join(f"{scalar(name)}: {scalar(text)}" for name, text in value.items()) + "}"


# --- writing files ----------------------------------------------------------------------------------------------


def write(path: Path, data: bytes, expected: str | None, *, inside: Path) -> None:
    """Replace a file whole, if its bytes still have the sha256 `expected` (None: if there is no file yet).

    The new file takes the place of the old one in a single step, so a process that is killed leaves one or the other.
    A link is followed to its target, which must lie in the folder `inside`. Raises Conflict where another edit came
    first; of two editors at once only one finds the file that it read.
    """
    target = path.resolve()
    if not target.is_relative_to(inside.resolve()):
        raise Failure(f"{path} leads out of {inside}; edit the file itself")
    try:
        with _temporary(target) as (temporary, descriptor):
            found = fingerprint(target.read_bytes()) if target.exists() else None
            if found != expected:
                raise Conflict(path, expected, found)
            _fill(descriptor, data, target)
            temporary.replace(target)
            _sync_folder(target.parent)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror or error}") from error


@contextmanager
def _temporary(target: Path) -> Iterator[tuple[Path, int]]:
    """An empty file beside the target that one process holds at a time; one left by a killed process is used again."""
    temporary = target.with_name(f".{target.name}.tracer-edit")
    descriptor = _locked(temporary)
    try:
        yield temporary, descriptor
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    finally:
        with suppress(OSError):  # closed already where an open file cannot be moved
            os.close(descriptor)


def _locked(path: Path) -> int:
    """A descriptor of the file at `path`, empty and locked; it waits for another process to be done."""
    if sys.platform == "win32":
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_BINARY, 0o666)
    import fcntl

    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                os.ftruncate(descriptor, 0)
                return descriptor
        os.close(descriptor)  # the process before moved this file into place


def _fill(descriptor: int, data: bytes, target: Path) -> None:
    if target.exists() and sys.platform != "win32":
        os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
    written = 0
    while written < len(data):
        written += os.write(descriptor, data[written:])
    os.fsync(descriptor)
    if sys.platform == "win32":
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Make the move last over a loss of power, where the system lets a folder be opened."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
