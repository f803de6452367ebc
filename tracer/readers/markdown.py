"""Markdown bytes to a document: the text of the page that it renders to, HTML blocks and tables included.

Front matter (a YAML block at the very start, as model cards have) is kept as typed, at the top of the page: a licence
or a base model that stands there can be quoted, and a search for it is answered.
"""

import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from tracer.model import Document
from tracer.readers import Unreadable, html, text

if TYPE_CHECKING:
    from markdown_it.token import Token

_MOST_LEVELS = 100
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_SHOWN_AS_TYPED = re.compile(r"<(?=/?(?:title|textarea|xmp|iframe|noembed|noframes|plaintext)\b)", re.IGNORECASE)


def read(data: bytes) -> Document:
    """The rendered page: a line for each block, list item and table row, and the headings of both notations."""
    typed, warnings = text.decoded(data)
    front = _FRONT_MATTER.match(typed)
    body = typed[front.end() :] if front else typed
    matter = f"<pre>{escape(front[0])}</pre>" if front else ""
    return html.document("markdown", matter + _markup(body), warnings)


def _markup(typed: str) -> str:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _MOST_LEVELS}).enable(["table", "strikethrough"])
    tokens = parser.parse(typed)
    _refuse_deep(tokens)
    _disarm(tokens)
    rendered: str = parser.renderer.render(tokens, parser.options, {})
    return rendered


def _refuse_deep(tokens: Iterable["Token"]) -> None:
    """Below its limit of levels the parser drops text without a word, so a page that reaches it is refused."""
    if any(token.level >= _MOST_LEVELS - 1 for token in tokens):
        raise Unreadable("limit", f"lists and quotations are nested deeper than {_MOST_LEVELS - 2} levels")


def _disarm(tokens: Iterable["Token"]) -> None:
    """Tags that would swallow the rest of the page are text, as GitHub shows them (the tag filter of its Markdown)."""
    for token in tokens:
        for part in (token, *(token.children or ())):
            if part.type in ("html_block", "html_inline"):
                part.content = _SHOWN_AS_TYPED.sub("&lt;", part.content)
