"""Records to the text of a draft ledger, and names to ids; a draft gives no status, which a person must."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

from tracer.appending import Record, Style, flow, written

LONGEST_NAME = 40


def slug(words: str) -> str:
    """A name made of words, for an id: letters and digits of ASCII, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_NAME].strip("-") or "claim"


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
