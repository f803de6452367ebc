"""JSON, YAML or TOML bytes to a document: the file's text as a page, and the values at its paths, as typed.

A path joins keys and list positions with dots, `layers.0.kind`. A key that is empty or holds a dot, a bracket, a quote,
a slash, a backslash or white space stands in double quotes, as TOML writes it: `model."qwen3.5".layers`. Several YAML
documents in one file are a list of them.

Numbers, `true`, `null` and dates are the text that was typed (`3.10`, `1e5`, `~`), strings are their content. TOML is
the exception for what its parser does not give as text: integers are decimal without `_`, dates are in ISO form.
"""

import datetime
import json
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from tracer.model import Document
from tracer.readers import Unreadable, text

if TYPE_CHECKING:
    import yaml

_MOST_LEVELS = 100
_MOST_LETTERS = 16 * 2**20
_QUOTED_KEY = re.compile(r"[\s.\[\]\"'/\\]")
_STEP = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\[\d+\]|[^.\[\]\"]+")

Mappings = dict[str, object]


def read(data: bytes) -> Document:
    """The file as one sheet with its values; raises `Unreadable` for what is none of the three formats."""
    typed, warnings = text.decoded(data)
    tree, repeated = _parsed(typed)
    warnings += tuple(f"the key {key} stands twice in a mapping; the last one is taken" for key in repeated)
    values = MappingProxyType(dict(_values(tree)))
    return Document(kind="data", pages=(text.single_page(typed),), values=values, warnings=warnings)


def value_at(document: Document, path: str) -> str | None:
    """The scalar at a path, or None; `[0]` is read as `.0`, and what begins with `/` as a JSON pointer (RFC 6901)."""
    return document.values.get(path, document.values.get(_canonical(path)))


def _canonical(path: str) -> str:
    if path.startswith("/"):
        return ".".join(_key(step.replace("~1", "/").replace("~0", "~")) for step in path[1:].split("/"))
    return ".".join(step.strip("[]") if step.startswith("[") else step for step in _STEP.findall(path))


def _key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False) if not key or _QUOTED_KEY.search(key) else key


def _values(tree: object) -> Iterator[tuple[str, str]]:
    """Every path and its scalar; aliases are followed until the paths take more room than an honest file's."""
    room = _MOST_LETTERS
    stack = [("", 0, tree)]
    while stack:
        path, level, node = stack.pop()
        if not isinstance(node, Mapping | list):
            yield path, _scalar(node)
            continue
        if level == _MOST_LEVELS:
            raise Unreadable("limit", f"the values are nested deeper than {_MOST_LEVELS} levels")
        children = []
        for step, child in _children(node):
            below = f"{path}.{step}" if level else step
            room -= len(below) + 1
            if room < 0:
                raise Unreadable("limit", f"the paths of the values take more than {_MOST_LETTERS:,} characters")
            children.append((below, level + 1, child))
        stack += reversed(children)


def _children(node: Mapping[str, object] | list[object]) -> Iterator[tuple[str, object]]:
    if isinstance(node, list):
        return ((str(index), child) for index, child in enumerate(node))
    return ((_sound(_key(key)), child) for key, child in node.items())


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return _sound(str(value))


def _sound(typed: str) -> str:
    """Text that UTF-8 can hold: JSON can escape half a character."""
    return typed.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _parsed(typed: str) -> tuple[object, tuple[str, ...]]:
    """The tree of the file, and the keys that stand twice, in the first of the formats that it is well-formed in."""
    faults: list[str] = []
    formats: tuple[tuple[str, Callable[[str], tuple[object, list[str]]]], ...]
    formats = (("JSON", _json), ("TOML", _toml), ("YAML", _yaml))
    for name, parse in formats:
        try:
            tree, repeated = parse(typed)
        except RecursionError as error:
            raise Unreadable("limit", f"the values are nested deeper than {_MOST_LEVELS} levels") from error
        except ValueError as error:
            faults.append(f"{name} ({error})")
        else:
            return tree, tuple(dict.fromkeys(repeated))
    raise Unreadable("broken", f"it is neither {', '.join(faults[:-1])} nor {faults[-1]}")


def _json(typed: str) -> tuple[object, list[str]]:
    repeated: list[str] = []

    def mapping(pairs: list[tuple[str, object]]) -> Mappings:
        whole: Mappings = {}
        for key, value in pairs:
            repeated.extend([key] if key in whole else [])
            whole[key] = value
        return whole

    tree = json.loads(typed, object_pairs_hook=mapping, parse_float=str, parse_int=str, parse_constant=str)
    return tree, repeated


def _toml(typed: str) -> tuple[object, list[str]]:
    import tomllib

    if "=" not in typed:
        raise ValueError("no key has a value")
    return tomllib.loads(typed, parse_float=str), []


def _yaml(typed: str) -> tuple[object, list[str]]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    growing = _Growing()
    try:
        for event in yaml.parse(typed, Loader=loader):
            growing.take(event)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    documents = growing.documents
    tree = documents[0] if len(documents) == 1 else documents
    if isinstance(tree, str):
        raise ValueError("the file is a single text")  # noqa: TRY004 -- the file is at fault
    return tree, growing.repeated


class _Growing:
    """A YAML file's events to its trees, without recursion; an alias is the node it names, not a copy."""

    def __init__(self) -> None:
        self.documents: list[object] = []
        self.repeated: list[str] = []
        self._open: list[Mappings | list[object]] = [self.documents]
        self._keys: list[str | None] = [None]
        self._anchors: dict[str, object] = {}
        self._room = _MOST_LETTERS

    def take(self, event: "yaml.Event") -> None:
        import yaml

        if isinstance(event, yaml.ScalarEvent):
            self._add(event.value, event.anchor)
        elif isinstance(event, yaml.AliasEvent):
            self._add_alias(event)
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin({}, event)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin([], event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()

    def _add(self, node: object, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        inner, key = self._open[-1], self._keys[-1]
        if isinstance(inner, list):
            inner.append(node)
        elif key is not None:
            self._keys[-1] = None
            inner[key] = node
        elif isinstance(node, str):
            self._keys[-1] = node
            self.repeated += [node] if node in inner else []
        else:
            raise ValueError("a key is a mapping or a list")

    def _add_alias(self, event: "yaml.AliasEvent") -> None:
        if event.anchor not in self._anchors:
            raise ValueError(f"the alias *{event.anchor} names nothing before it")
        self._add(self._anchors[event.anchor], None)

    def _begin(self, node: Mappings | list[object], event: "yaml.CollectionStartEvent") -> None:
        self._add(node, event.anchor)
        self._open.append(node)
        self._keys.append(None)

    def _end(self) -> None:
        node = self._open.pop()
        self._keys.pop()
        if isinstance(node, dict) and "<<" in node:
            self._merge(node)

    def _merge(self, node: Mappings) -> None:
        """Puts what `<<` names below the mapping's own keys; the first of several mappings goes before the others."""
        named = node["<<"]
        listed = named if isinstance(named, list) else [named]
        bases = [base for base in listed if isinstance(base, dict)]
        if len(bases) < len(listed):
            return
        del node["<<"]
        for base in bases:
            self._room -= len(base) + 1
            if self._room < 0:
                raise Unreadable("limit", f"merged mappings have more than {_MOST_LETTERS:,} keys")
            for key in base:
                node.setdefault(key, base[key])
