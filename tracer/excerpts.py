"""The bytes of a ledger file as it once was to a claim in it, read from the lines of that claim alone."""

import re
from collections.abc import Iterator, Sequence

from tracer import record
from tracer.model import Claim
from tracer.written import File, Written
from tracer.yamlfile import read as read_yaml


def claim_in(data: bytes, name: str) -> Claim | None:
    """The claim of an id in a file as it was; its lines alone are read, the whole file where they say nothing."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if name not in text:
        return None
    for block in excerpts(text, name):
        found = _claim(read_yaml(f"claims:\n{block}\n".encode(), "claim"), name)
        if found:
            return found
    return _claim(read_yaml(data, "file"), name)


def _claim(file: File, name: str) -> Claim | None:
    top = file.top.value
    claims = top.get("claims") if isinstance(top, dict) else None
    for index, value in enumerate(claims if isinstance(claims, list) else ()):
        if isinstance(value, dict) and value.get("id") == name and not file.problems:
            written = file.records.get(f"claims.{index}") or Written(value=value, path=file.top.path)
            return record.claim(name, written)
    return None


def excerpts(text: str, name: str) -> Iterator[str]:
    """The lines of each item of a list that has the id."""
    pattern = rf"""(?:^|[\s{{,-])["']?id["']?\s*:\s*["']?{re.escape(name)}["']?\s*(?:$|[,}}]|\s#)"""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        found = re.search(pattern, line) if name in line else None
        begin = _item(lines, number, found.start()) if found else None
        if begin is not None:
            yield "\n".join(lines[begin : _end(lines, begin)])


def _item(lines: Sequence[str], number: int, column: int) -> int | None:
    """The line on which the item of a list begins that a line belongs to."""
    for above in range(number, -1, -1):
        indent = _indent(lines[above])
        if lines[above].lstrip().startswith("- ") and (indent < column or above == number):
            return above
        if lines[above].strip() and indent == 0 and above != number:
            return None
    return None


def _end(lines: Sequence[str], begin: int) -> int:
    indent = _indent(lines[begin])
    following = range(begin + 1, len(lines))
    return next((at for at in following if lines[at].strip() and _indent(lines[at]) <= indent), len(lines))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
