"""A text to a YAML scalar on one line, in quotes where it needs them."""

import re

from tracer.written import REFUSED

PLAIN = re.compile(r"-?[\w/][\w./+%()-]*(?: [\w./+%()-]+)*")
"""Texts that mean themselves without quotes wherever they stand; the rest is quoted."""

ESCAPED = re.compile(rf'["\\\t\n\r]|{REFUSED.pattern}')


def scalar(text: str, style: str | None = None) -> str:
    """A text on one line, in quotes where it needs them or had them: `style` is the mark of those, `'` or `"`."""
    if style == "'" and not re.search(r"[\t\n\r]", text) and not REFUSED.search(text):
        return "'" + text.replace("'", "''") + "'"
    if style != '"' and PLAIN.fullmatch(text):
        return text
    return '"' + ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
