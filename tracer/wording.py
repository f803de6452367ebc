"""Values of the model to the words that a person reads: pages, sections and places, counts, lists, the words of others.

Sources and ledgers may hold terminal escapes and characters that reorder a line: what goes to a person whole is made
`flowing` first, and they are shown, never sent.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tracer.model import Anchor, Citation, Claim, ClaimReport, Document, Passage, Span, Tier, Trace, Unread, Verdict
from tracer.scalars import scalar

WORD_BREAKS = re.compile(r"[ \t\r\n\f\v\u00a0\u2028\u2029]+")
LINE_END_HYPHENS = re.compile("[\u0002\ufffe]")
HARMFUL_CATEGORIES = ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp")
JOINERS = "\u200c\u200d"
SOFT_HYPHEN = "\u00ad"
SECTION_NUMBER = re.compile(r"\d[\d.]*|[A-Z](\.?\d[\d.]*)?")
CONTEXT = 150
OPEN_MARK, CLOSE_MARK = "«", "»"

TIERS = {
    Tier.EXACT: "equal to the letter",
    Tier.TYPOGRAPHY: "equal but for typography",
    Tier.LAYOUT: "equal but for the layout of lines",
    Tier.JOIN: "equal when joined",
    Tier.REFERENCE_MARKS: "equal but for bracketed reference numbers",
    Tier.NEAR: "alike, not equal",
}


def visible(text: str) -> str:
    """Text in which every control, bidi and invisible character is written out as `<U+202E>`."""
    if text.isprintable():  # then no letter is harmful, which is quicker told of all at once
        return text
    return "".join(f"<U+{ord(letter):04X}>" if is_harmful(letter) else letter for letter in text)


def is_harmful(letter: str) -> bool:
    """Whether a terminal could obey a character or a reader not see it; the joiners that scripts need are not."""
    return letter not in JOINERS and unicodedata.category(letter) in HARMFUL_CATEGORIES


def flowing(text: str) -> str:
    """Text on one line: white space becomes one space, a PDF's line-end hyphen a plain one; then made visible."""
    return visible(WORD_BREAKS.sub(" ", LINE_END_HYPHENS.sub("-", text.replace(SOFT_HYPHEN, ""))))


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: `1 claim`, `2 claims`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def times(number: int) -> str:
    """`once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def listed(items: Iterable[str], *, most: int = 8) -> str:
    """`a, b and c`; what exceeds `most` is counted."""
    names = list(items)
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} more"]
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def shown(text: str, *, most: int = 120) -> str:
    """The user's words in quotation marks, on one line."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= most else line[: most - 1].rstrip() + '…'}”"


def pasted(text: str) -> str:
    """A text on one line as it can be pasted into YAML."""
    return scalar(" ".join(text.split()))


# --- places -----------------------------------------------------------------------------------------------------


def is_paged(document: Document | Unread | None) -> bool:
    """Whether people turn pages in it; a web page or a text file is one page without a number."""
    return not isinstance(document, Document) or document.kind == "pdf" or len(document.pages) > 1


def label(document: Document | Unread | None, sheet: int) -> str | None:
    """What is printed on a sheet of a document, where that is known."""
    pages = document.pages if isinstance(document, Document) else ()
    return next((page.label for page in pages[sheet - 1 : sheet] if page.sheet == sheet), None)


def page_label(document: Document | Unread | None, sheet: int) -> str:
    """What is printed on a sheet, else the number of the sheet."""
    return label(document, sheet) or str(sheet)


def page_name(label: str | None, sheet: int) -> str:
    """`page 14`, and the sheet where it has another number."""
    return f"page {label} (sheet {sheet})" if label and label != str(sheet) else f"page {sheet}"


def pages_listed(pages: Iterable[tuple[str, int]]) -> str:
    """`page 4 (sheet 6)`, `pages 24, 31 and 33`."""
    names = list(dict.fromkeys(pages))
    return page_name(*names[0]) if len(names) == 1 else f"pages {listed(label for label, _ in names)}"


def page_words(page: str | None, sheet: int | None) -> str:
    """What is printed on the page, and the physical page where it differs: `p. 12 (sheet 16)`."""
    if page is None:
        return "" if sheet is None else f"sheet {sheet}"
    if sheet is None or page == str(sheet):
        return f"p. {flowing(page)}"
    return f"p. {flowing(page)} (sheet {sheet})"


def section_name(section: str) -> str:
    """`section 4.1.3`, `section “Data”`, `Table 1`."""
    if re.fullmatch(r"(Table|Tab\.|Figure|Fig\.|Equation|Eq\.|Algorithm)\s?\S+", section):
        return section
    return f"section {section}" if SECTION_NUMBER.fullmatch(section) else f"section {shown(section)}"


def section_words(section: str | None) -> str:
    """A section as one says it: `section 4.1.3`, but `Abstract` and `Table 1` alone."""
    if not section:
        return ""
    return f"section {section}" if SECTION_NUMBER.fullmatch(section) else flowing(section)


# --- citations, passages and places that were found -------------------------------------------------------------


def citation_words(citation: Citation) -> str:
    """Where a citation says that its quote stands."""
    sheet = f"sheet {citation.sheet}" if citation.sheet else ""
    place = (
        page_words(citation.page, None),
        sheet,
        section_words(citation.section),
        f"at {citation.at}" if citation.at else "",
        f"lines {citation.lines}" if citation.lines else "",
    )
    return ", ".join(flowing(part) for part in (citation.source, *place) if part)


def passage_words(passage: Passage, document: Document | Unread | None = None) -> str:
    """Where a passage stands; a document of a single page has no page to name."""
    page = page_words(passage.page, passage.sheet) if is_paged(document) else ""
    return ", ".join(part for part in (flowing(passage.source), page, section_words(passage.section)) if part)


def anchor_words(anchor: Anchor, document: Document | Unread | None) -> str:
    """Where a quote was found, over how many pages, and in which section."""
    first, last = anchor.spans[0].sheet, anchor.spans[-1].sheet
    page = page_words(anchor.page, first) if is_paged(document) else ""
    onward = "" if first == last else f"to {page_words(label(document, last), last)}"
    section = section_words(str(anchor.section)) if anchor.section else ""
    return ", ".join(part for part in (" ".join(filter(None, (page, onward))), section) if part) or "found"


def sheets_of(anchor: Anchor) -> Sequence[int]:
    """The sheets that a quote stands on, in order."""
    return sorted({span.sheet for span in anchor.spans})


def pages_of(anchor: Anchor, document: Document | None) -> str:
    """The printed page, or pages, of a quote, as a citation writes them: `14`, `14-15`."""
    sheets = sheets_of(anchor)
    first = anchor.page or page_label(document, sheets[0])
    return first if len(sheets) == 1 else f"{first}-{page_label(document, sheets[-1])}"


def pages_name(anchor: Anchor, document: Document | None) -> str:
    """`page 14 (sheet 16)`, `pages 14-15 (sheets 16-17)`."""
    sheets = sheets_of(anchor)
    label = pages_of(anchor, document)
    if len(sheets) == 1:
        return page_name(label, sheets[0])
    physical = f"{sheets[0]}-{sheets[-1]}"
    return f"pages {label}" if label == physical else f"pages {label} (sheets {physical})"


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
    fields = [] if anchor.section is None else [f"section: {pasted(str(anchor.section))}"]
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


# --- how a quote was matched ------------------------------------------------------------------------------------


def tier_words(anchor: Anchor) -> str:
    """Under which foldings the quote equals the source: `equal but for the layout of lines: line-end hyphen`."""
    words = TIERS[anchor.tier]
    foldings = [flowing(folding) for folding in anchor.foldings if folding != anchor.tier]
    if foldings:
        words = f"{words} ({', '.join(foldings)})"
    return words if anchor.reading == "as it is" else f"{words}; reading: {flowing(anchor.reading)}"


def marked(passage: Passage) -> tuple[str, str, str]:
    """A passage as the words before, within and after its mark, each on one line and harmless."""
    if passage.marked is None:
        return flowing(passage.text), "", ""
    start, end = passage.marked
    return flowing(passage.text[:start]), flowing(passage.text[start:end]), flowing(passage.text[end:])


def around(span: Span, text: str, *, before: int = CONTEXT, after: int = CONTEXT) -> tuple[str, str, str]:
    """A span of a page with so many characters of its surroundings, cut at word ends and marked `…` where cut."""
    start, end = max(0, span.start - before), min(len(text), span.end + after)
    head, tail = text[start : span.start], text[span.end : end]
    if start > 0:
        head = "… " + head.partition(" ")[2].lstrip() if before else ""
    if end < len(text):
        tail = tail.rpartition(" ")[0].rstrip() + " …" if after else ""
    return flowing(head), flowing(text[span.start : span.end]), flowing(tail)


# --- claims -----------------------------------------------------------------------------------------------------


def status_words(claim: Claim) -> str:
    """How a claim is grounded, or that it does not say."""
    return str(claim.status) if claim.status else "no status"


def value_words(claim: Claim) -> str:
    """The value of a claim with its unit."""
    return flowing(" ".join(filter(None, (claim.value, claim.unit))))


VERDICT_STYLES = {Verdict.VERIFIED: "green", Verdict.FLAGGED: "bold red", Verdict.UNCHECKED: "yellow"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A citation with what became of it; one that could not be followed has no trace."""

    citation: Citation
    trace: Trace | None
    verdict: Verdict


def citations(report: ClaimReport) -> tuple[Followed, ...]:
    """The citations of a claim in the order written, each with its trace and verdict."""
    traces = {trace.citation.at_path: trace for trace in report.traces}
    return tuple(
        Followed(citation=citation, trace=traces.get(citation.at_path), verdict=verdict)
        for citation, verdict in zip(report.claim.citations, report.verdicts, strict=True)
    )
