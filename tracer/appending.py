"""Bytes of a ledger file and a new claim to the bytes with the claim last in its list, and nothing else changed.

The claim is written as its neighbours are: their indentation, their blank lines, their way to write a citation. What
comes out is read again and must hold what was there, the claim last.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import yaml

from tracer.editing import LINE_END, Layout, values_of, walk
from tracer.model import Failure
from tracer.scalars import scalar
from tracer.written import Plain
from tracer.yamlfile import BOM, decoded

Node = str | Sequence["Node"] | Mapping[str, "Node"]
"""What a field of a new record holds: texts, lists and mappings, at most three deep."""

Record = Mapping[str, Node]

CLAIMS, CITE = "claims", "cite"
QUOTED = "quote"
"""The field whose text always stands in quotation marks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a list of records is written: columns of its dashes and keys, the step of a list in a record, the rest."""

    dash: int = 2
    key: int = 4
    step: int = 2
    is_spaced: bool = True
    is_block: bool = False


def appended(data: bytes, record: Record, path: str = "the file") -> bytes:
    """The file with one more claim; Failure where the list cannot be extended safely."""
    before = values_of(data, path) if data.strip() else None
    text = decoded(data, path)
    assert isinstance(text, str), "a file that was read is text"  # noqa: S101 -- it tells the type checker
    result = (BOM if data.startswith(BOM) else b"") + _extended(text, record).encode()
    if values_of(result, path) != _expected(before, record):
        raise Failure(f"{path} is written in a way that cannot be extended safely; add the claim by hand")
    return result


def _expected(before: Plain, record: Record) -> Plain:
    """What the extended file must say."""
    top = before if isinstance(before, dict) else {}
    claims = top.get(CLAIMS)
    return {**top, CLAIMS: [*(claims if isinstance(claims, list) else []), plain(record)]}


def plain(node: Node) -> Plain:
    """A node as a file that holds it is read."""
    if isinstance(node, str):
        return node
    if isinstance(node, Mapping):
        return {name: plain(value) for name, value in node.items()}
    return [plain(value) for value in node]


# --- where it goes --------------------------------------------------------------------------------------------------


def _extended(text: str, record: Record) -> str:
    layout = Layout(text)
    key, claims = walk(layout.root, (CLAIMS,))
    if isinstance(claims, yaml.SequenceNode) and claims.flow_style and claims.value:
        at = layout.end(claims.value[-1])
        return f"{text[:at]}, {flow(record)}{text[at:]}"
    if isinstance(claims, yaml.SequenceNode) and not claims.flow_style:
        style = _style(layout, claims)
        return _after(layout, layout.end(claims), written(record, style), is_spaced=style.is_spaced)
    if key is not None and claims is not None:
        return _after_key(layout, key, claims, record)
    lines = [f"{CLAIMS}:", *written(record, Style())]
    return _after(layout, len(text.rstrip()), lines, is_spaced=bool(text.strip()))


def _after_key(layout: Layout, key: yaml.Node, claims: yaml.Node, record: Record) -> str:
    """The text with the first item of a list that is blank or `[]`."""
    text, colon = layout.text, layout.text.index(":", key.end_mark.index) + 1
    end = max(colon, layout.end(claims))
    emptied = text[:colon] + text[end:]
    return _after(Layout(emptied), colon, written(record, Style()), is_spaced=False)


def _after(layout: Layout, end: int, lines: Sequence[str], *, is_spaced: bool) -> str:
    """The text with lines put in after the line that ends, or holds what ends, at a position."""
    text, line_end = layout.text, layout.line_end
    found = None if end and text[end - 1] in "\r\n" else LINE_END.search(text, end)
    at = end if end and text[end - 1] in "\r\n" else (found.end() if found else len(text))
    before = "" if not at or text[at - 1] in "\r\n" else line_end
    new = line_end.join([*([""] if is_spaced else []), *lines])
    after = line_end if found or at < len(text) or text.endswith(("\n", "\r")) or not text else ""
    return f"{text[:at]}{before}{new}{after}{text[at:]}"


# --- how it is written ----------------------------------------------------------------------------------------------


def _style(layout: Layout, claims: yaml.SequenceNode) -> Style:
    """The way in which the last record of a list is written, and the last citations in it."""
    last = claims.value[-1]
    lists = [node for record in reversed(claims.value) for node in _citations_in(record)][:1]
    is_flow = isinstance(last, yaml.CollectionNode) and last.flow_style
    dash = int(claims.start_mark.column)
    key = int(last.start_mark.column)
    return Style(
        dash=dash,
        key=dash + 2 if is_flow else key,
        step=next((node.start_mark.column - key for node in lists), 2),
        is_spaced=_is_spaced(layout, claims),
        is_block=any(_is_over_lines(item) for node in lists for item in node.value),
    )


def _is_over_lines(node: yaml.Node) -> bool:
    return isinstance(node, yaml.MappingNode) and not node.flow_style


def _citations_in(record: yaml.Node) -> Iterator[yaml.SequenceNode]:
    """The list of citations of a record, where it stands on several lines."""
    if isinstance(record, yaml.MappingNode) and not record.flow_style:
        for key, value in record.value:
            if key.value == CITE and isinstance(value, yaml.SequenceNode) and not value.flow_style:
                yield value


def _is_spaced(layout: Layout, claims: yaml.SequenceNode) -> bool:
    """Whether a blank line stands before the last record; with a single one, whether it has more than one line."""
    if len(claims.value) < 2:
        return "\n" in layout.text[claims.start_mark.index : layout.end(claims)]
    between = layout.text[layout.end(claims.value[-2]) : claims.value[-1].start_mark.index]
    return any(not line.strip() for line in LINE_END.split(between)[1:-1])


def written(record: Record, style: Style) -> list[str]:
    """The lines of a record in a list."""
    fields = [line for name, value in record.items() for line in _field(name, value, style)]
    first = f"{' ' * style.dash}-{' ' * (style.key - style.dash - 1)}{fields[0].lstrip()}"
    return [first, *fields[1:]]


def _field(name: str, value: Node, style: Style) -> Iterator[str]:
    indent = " " * style.key
    is_list_of_mappings = not isinstance(value, str | Mapping) and any(isinstance(item, Mapping) for item in value)
    if not is_list_of_mappings:
        yield f"{indent}{scalar(name)}: {flow(value, name)}"
        return
    yield f"{indent}{scalar(name)}:"
    inner = " " * (style.key + style.step)
    for item in value:
        if style.is_block and isinstance(item, Mapping):
            entries = [f"{scalar(key)}: {flow(each, key)}" for key, each in item.items()]
            yield f"{inner}- {entries[0]}"
            yield from (f"{inner}  {entry}" for entry in entries[1:])
        else:
            yield f"{inner}- {flow(item)}"


def flow(node: Node, name: str = "") -> str:
    """A value on one line: a mapping in braces, a list in brackets, a quote in quotation marks."""
    if isinstance(node, str):
        return scalar(node, '"' if name == QUOTED else None)
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow(value, key)}" for key, value in node.items()) + "}"
    return "[" + ", ".join(flow(value) for value in node) + "]"
