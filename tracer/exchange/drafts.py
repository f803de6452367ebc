"""Records to the text of a draft ledger, and names to ids; a draft gives no status, which a person must."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

from tracer.appending import Record, Style, flow, written

LONGEST_NAME = 40

AS_PRINTED = "write the number that is printed on it, such as 12 or iv"

_LABEL = r"(?:[a-z]{0,2}[-.]?\d+|[ivxlcdm]+)"
_PAGES = re.compile(rf"{_LABEL}(?:\s*[-–—]\s*{_LABEL})?", re.IGNORECASE)


def slug(words: str) -> str:
    """A name made of words, for an id: letters and digits of ASCII, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_NAME].strip("-") or "claim"


def is_page(written: str) -> bool:
    """Whether words look like the label of a page or a range of them: `12`, `iv`, `A-3`, `12-14`."""
    return _PAGES.fullmatch(written) is not None


def unique(name: str, taken: Collection[str]) -> str:
    """The name, or with the first number after it that makes it one of its own."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}-{number}", number + 1
    return found


def ledger(claims: Sequence[Record], sources: Mapping[str, Record], comment: str = "") -> str:
    """A ledger file with these records."""
    lines = [f"# {line}" for line in comment.splitlines()]
    if sources:
        lines.append("sources:")
        for name, record in sources.items():
            lines.append(f"  {flow(name)}:{'' if record else ' {}'}")
            lines += [f"    {field}: {flow(value)}" for field, value in record.items()]
    if claims:
        lines += [*([""] if sources else []), "claims:"]
        blocks = ["\n".join(written(claim, Style())) for claim in claims]
        lines.append("\n\n".join(blocks))
    return "\n".join(lines) + "\n"
