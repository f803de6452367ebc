"""HTML bytes to a document: the text that the page shows, in the order of its source, and its headings.

What a person does not see is no text of the page: scripts, styles, templates, `hidden` and `display: none`, `alt`
texts; nor are ruby readings, which stand above the line. `aria-hidden` hides from screen readers only, so such text
counts; the one exception is the drawn copy of a KaTeX formula, which stands beside its MathML. Folded `details` count,
as a click shows them.
"""

import re
from typing import TYPE_CHECKING

from tracer.model import Document, Heading
from tracer.readers import Unreadable, text
from tracer.readers.flowing import Flow
from tracer.text import SUBSCRIPTS, SUPERSCRIPTS

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# ruff: noqa: SIM905 -- the names of elements read best as words
_UNSEEN = frozenset(
    "head script style template noscript noframes noembed iframe object audio video canvas datalist select textarea "
    "title desc metadata defs symbol annotation annotation-xml mphantom mprescripts rt rp area param".split()
)
_BLOCKS = frozenset(
    "html body address article aside blockquote br center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol p pre search section summary "
    "text ul".split()
)
_ROWS = frozenset("table caption thead tbody tfoot tr mtable mtr".split())
_CELLS = frozenset({"td", "th", "mtd"})
_SPACED = frozenset("img svg input button meter progress mfrac".split())
_PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SCRIPTS = {"sup": SUPERSCRIPTS, "sub": SUBSCRIPTS}
# What the children of a formula's parts are; beyond the last, all are like the last.
_FORMULA_PARTS = {
    "msup": ("", "sup"),
    "mover": ("", "sup"),
    "msub": ("", "sub"),
    "munder": ("", "sub"),
    "msubsup": ("", "sub", "sup"),
    "munderover": ("", "sub", "sup"),
    "mfrac": ("", "/"),
    "mroot": ("", " "),
    "mmultiscripts": ("", " "),
}
_FORMULA_BOXES = frozenset("math semantics mrow mstyle mpadded msqrt mtable mtr mtd".split()) | _FORMULA_PARTS.keys()

_INVISIBLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_LINK_SIGN = re.compile(r"\s*[¶#§🔗]+\s*$")
_NAMED_NUMBER = re.compile(
    r"(?:(?i:section|chapter|appendix)\s+|§\s*)(?P<number>(?:\d{1,3}|[A-Z])(?:\.\d+)*)(?!\w)[.):\s–—-]*(?P<title>.*)"
)
_NUMBER = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d+)+|\d{1,2}(?=[.):]|\s+[^\Wa-z_])|[A-Z](?:\.\d+)+|[IVX]{1,5}(?=\.\s)|[A-Z](?=[.):]\s))"
    r"[.):]*\s+(?P<title>\S.*)"
)

_MOST_DEPTH = 1000
_MOST_REOPENED = 3_000_000
_TAG = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|<(?P<raw>script|style)\b.*?(?:</(?P=raw)|\Z)|<(?P<slash>/?)(?P<name>[a-z][^\s/>]*)[^>]*",
    re.IGNORECASE | re.DOTALL,
)
_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
_FOREIGN = frozenset({"svg", "math"})
# Elements that hold nothing, or that the next of their kind ends.
_UNNESTED = frozenset(
    "area base br col embed hr img input link meta param source track wbr "
    "p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rt rp a nobr button "
    "h1 h2 h3 h4 h5 h6".split()
)

_NAMED_ENCODING = re.compile(
    rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]+?encoding=[\"']([\w.:-]+)", re.IGNORECASE
)
_NAMED_WITHIN = 4096
_LATIN = frozenset({"iso-8859-1", "latin1", "latin-1", "ascii", "us-ascii", "cp1252", "windows-1252"})
_KNOWN_ENCODINGS = re.compile(
    r"utf-8|windows-125[0-8]|iso-8859-(?:[2-9]|1[013-6])|koi8-[ru]|gbk|gb18030|big5|euc-jp|euc-kr|shift_jis|iso-2022-jp|macintosh"
)


def read(data: bytes) -> Document:
    """The page as one sheet.

    Its encoding is that of its byte order mark, else the one it names, else UTF-8, else Windows-1252.
    """
    markup, warnings = _decoded(data)
    return document("html", markup, warnings)


def document(kind: str, markup: str, warnings: tuple[str, ...] = ()) -> Document:
    """The document that the markup shows."""
    from selectolax.lexbor import LexborHTMLParser

    _refuse_deep(markup)
    tree = LexborHTMLParser(markup)
    page, headings = _shown(tree)
    return Document(
        kind=kind,
        pages=(text.single_page(page),),
        headings=headings,
        headings_by="markup" if headings else None,
        title=_title(tree, headings),
        warnings=warnings,
    )


def numbered(title: str) -> tuple[str | None, str]:
    """A heading's number and its title: of `4.1.3 Title`, `2. Title`, `A.1 Title`, `Appendix F: Title`."""
    match = _NAMED_NUMBER.fullmatch(title) or _NUMBER.fullmatch(title)
    if match is None:
        return None, title
    return match["number"], match["title"] or title


def _title(tree: "LexborHTMLParser", headings: tuple[Heading, ...]) -> str | None:
    written = tree.head.css_first("title") if tree.head is not None else None
    if written is not None and (title := " ".join(written.text().split())):
        return title
    return next((heading.title for heading in headings if heading.level == 1), None)


def _decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    named = _named_encoding(data)
    if named or text.marked_encoding(data) or _is_utf_8(data):
        return text.decoded(data, named or "utf-8")
    markup, warnings = text.decoded(data, "windows-1252")
    return markup, (*warnings, "the page names no encoding and is no UTF-8: it is read as windows-1252")


def _named_encoding(data: bytes) -> str | None:
    """The encoding that the page names, if the web knows it.

    Latin-1 means Windows-1252 and UTF-16 means UTF-8, as browsers hold it (WHATWG, Encoding).
    """
    match = _NAMED_ENCODING.search(data[:_NAMED_WITHIN])
    if match is None:
        return None
    label = (match[1] or match[2]).decode("ascii", "replace").lower()
    if label in _LATIN:
        return "windows-1252"
    if label in ("utf8", "utf-16", "utf-16le", "utf-16be"):
        return "utf-8"
    if label in ("gb2312", "x-gbk"):
        return "gb18030"
    return label if _KNOWN_ENCODINGS.fullmatch(label) else None


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _refuse_deep(markup: str) -> None:
    """Refuses what takes a parser of HTML the square of its length.

    It looks through all that is open at each tag, and opens unended formatting anew in each paragraph.
    """
    if markup.count("<") < _MOST_DEPTH:
        return
    depth = formatting = reopened = foreign = 0
    for tag in _TAG.finditer(markup):
        name = (tag["name"] or "").lower()
        step = _step(tag, name, inside_foreign=foreign > 0)
        depth = max(0, depth + step)
        foreign = max(0, foreign + step * (name in _FOREIGN))
        formatting = max(0, formatting + step * (name in _FORMATTING))
        reopened += formatting
        if depth > _MOST_DEPTH or reopened > _MOST_REOPENED:
            raise Unreadable("limit", f"the elements of the page are nested deeper than {_MOST_DEPTH:,}")


def _step(tag: re.Match[str], name: str, *, inside_foreign: bool) -> int:
    """By how much a tag changes the depth: by nothing for comments and for elements that do not nest."""
    is_foreign = inside_foreign or name in _FOREIGN
    if not name or (is_foreign and tag[0].endswith("/")) or (not is_foreign and name in _UNNESTED):
        return 0
    return -1 if tag["slash"] else 1


def _shown(tree: "LexborHTMLParser") -> tuple[str, tuple[Heading, ...]]:
    setting = _Setting()
    stack = [(tree.root, False)]
    while stack:
        node, leaving = stack.pop()
        if node is None:
            continue
        if leaving:
            setting.leave(node)
        elif node.tag == "-text":
            setting.put(node)
        elif not _is_unseen(node):
            setting.enter(node)
            stack.append((node, True))
            stack += [(child, False) for child in reversed(list(node.iter(include_text=True)))]
    return setting.flow.text, tuple(sorted(setting.headings, key=lambda heading: heading.start))


def _is_unseen(node: "LexborNode") -> bool:
    if node.tag in _UNSEEN:
        return True
    attributes = node.attributes
    if node.tag == "dialog" and "open" not in attributes:
        return True
    if not attributes:
        return False
    if "hidden" in attributes:
        return (attributes["hidden"] or "").lower() != "until-found"
    if "katex-html" in (attributes.get("class") or "").split():
        return True
    return _INVISIBLE.search(attributes.get("style") or "") is not None


class _Setting:
    """Elements entered and left, in order, to a flow of text and the headings in it."""

    def __init__(self) -> None:
        self.flow = Flow()
        self.headings: list[Heading] = []
        self._marks: list[tuple[int, int]] = []
        self._preformatted = 0

    def put(self, node: "LexborNode") -> None:
        run = node.text_content or ""
        if self._preformatted:
            self.flow.put_as_typed(run)
        elif run.strip() or node.parent is None or node.parent.tag not in _FORMULA_BOXES:
            self.flow.put(run)

    def enter(self, node: "LexborNode") -> None:
        tag = node.tag or ""
        self._separate(tag)
        part = _part(node)
        if part in _SCRIPTS:
            self.flow.begin_script(_SCRIPTS[part])
        elif part:
            self.flow.put(part)
        if tag == "msqrt" or tag == "mroot":
            self.flow.put("√")
        self._preformatted += tag in _PREFORMATTED
        if tag in _HEADINGS:
            self._marks.append(self.flow.mark)

    def leave(self, node: "LexborNode") -> None:
        tag = node.tag or ""
        self._preformatted -= tag in _PREFORMATTED
        if _part(node) in _SCRIPTS:
            self.flow.end_script()
        if tag in _HEADINGS:
            self._end_heading(level=int(tag[1]))
        if tag not in _CELLS:
            self._separate(tag)

    def _separate(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.flow.line()
        elif tag in _ROWS:
            self.flow.row()
        elif tag in _CELLS:
            self.flow.cell()
        elif tag in _SPACED:
            self.flow.space()

    def _end_heading(self, level: int) -> None:
        start, shown = self.flow.since(self._marks.pop())
        number, title = numbered(_LINK_SIGN.sub("", " ".join(shown.split())))
        if title:
            self.headings.append(Heading(number=number, title=title, level=level, sheet=1, start=start))


def _part(node: "LexborNode") -> str:
    """Whether an element is raised (`sup`), lowered (`sub`) or follows a sign, by its tag or its place in a formula."""
    tag = node.tag or ""
    parts = _FORMULA_PARTS.get(node.parent.tag or "") if node.parent is not None else None
    if parts is None:
        return tag if tag in _SCRIPTS else ""
    before, index = node.prev, 0
    while before is not None and index < len(parts) - 1:
        index += before.tag != "-text"
        before = before.prev
    return parts[index]
