"""Pages, places, lists and passages as the messages of findings name them."""

import re
from collections.abc import Iterable, Sequence

from tracer.model import Anchor, Document, Passage, Trace


def listed(items: Iterable[str], *, most: int = 8) -> str:
    """`a, b and c`; what exceeds `most` is counted."""
    names = list(items)
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} more"]
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def counted(number: int, noun: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def times(number: int) -> str:
    """`once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def shown(text: str, *, most: int = 120) -> str:
    """The user's words in quotation marks, on one line."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= most else line[: most - 1].rstrip() + '…'}”"


def scalar(text: str) -> str:
    """A text as it can be pasted into YAML."""
    line = " ".join(text.split())
    if re.fullmatch(r"[\w][\w .+-]*", line):
        return line
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def is_paged(document: Document | None) -> bool:
    """Whether people turn pages in it; a web page or a text file is one page without a number."""
    return document is None or len(document.pages) > 1 or document.kind == "pdf"


def page_label(document: Document | None, sheet: int) -> str:
    """What is printed on a sheet, else the number of the sheet."""
    pages = document.pages if document else ()
    label = pages[sheet - 1].label if sheet <= len(pages) else None
    return label or str(sheet)


def page_name(label: str | None, sheet: int) -> str:
    """`page 14`, and the sheet where it has another number."""
    return f"page {label} (sheet {sheet})" if label and label != str(sheet) else f"page {sheet}"


def pages_listed(pages: Iterable[tuple[str, int]]) -> str:
    """`page 4 (sheet 6)`, `pages 24, 31 and 33`."""
    names = list(dict.fromkeys(pages))
    return page_name(*names[0]) if len(names) == 1 else f"pages {listed(label for label, _ in names)}"


def pages_of(anchor: Anchor, document: Document | None) -> str:
    """The printed page, or pages, of a quote, as a citation writes them: `14`, `14-15`."""
    sheets = sheets_of(anchor)
    first = anchor.page or page_label(document, sheets[0])
    return first if len(sheets) == 1 else f"{first}-{page_label(document, sheets[-1])}"


def sheets_of(anchor: Anchor) -> Sequence[int]:
    """The sheets that a quote stands on, in order."""
    return sorted({span.sheet for span in anchor.spans})


def pages_name(anchor: Anchor, document: Document | None) -> str:
    """`page 14 (sheet 16)`, `pages 14-15 (sheets 16-17)`."""
    sheets = sheets_of(anchor)
    label = pages_of(anchor, document)
    if len(sheets) == 1:
        return page_name(label, sheets[0])
    physical = f"{sheets[0]}-{sheets[-1]}"
    return f"pages {label}" if label == physical else f"pages {label} (sheets {physical})"


def section_name(section: str) -> str:
    """`section 4.1.3`, `section “Data”`, `Table 1`."""
    if re.fullmatch(r"(Table|Tab\.|Figure|Fig\.|Equation|Eq\.|Algorithm)\s?\S+", section):
        return section
    return f"section {section}" if re.fullmatch(r"[A-Z]?[\d.]*", section) else f"section {shown(section)}"


def where(anchor: Anchor, document: Document | None) -> str:
    """The place of a quote in one phrase: its page, its section, or both."""
    names = [pages_name(anchor, document)] if is_paged(document) else []
    if anchor.section is not None:
        names.append(section_name(str(anchor.section)))
    elif not names:
        names.append("a place before any heading")
    return ", ".join(names)


def locator(anchor: Anchor, document: Document | None) -> str:
    """What a citation writes to name the place of a quote: `section: 4.1.3, page: 14`."""
    fields = [] if anchor.section is None else [f"section: {scalar(str(anchor.section))}"]
    if is_paged(document):
        fields.append(f"page: {pages_of(anchor, document)}")
    return ", ".join(fields) or "lines: …"


def passage(trace: Trace, anchor: Anchor, document: Document | None) -> Passage:
    """The place of a quote in the source, with the words that were quoted."""
    span = anchor.spans[0]
    text = " ".join((trace.citation.quote or "").split())
    return Passage(
        source=trace.citation.source,
        page=anchor.page or page_label(document, span.sheet),
        sheet=span.sheet,
        section=None if anchor.section is None else str(anchor.section),
        text=text,
        marked=(0, len(text)),
    )
