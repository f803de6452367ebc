"""A range as written, such as `12-14`, to its two ends and back, and runs of a text to the lines that they cover."""

from collections.abc import Sequence

from tracer.model import Span


def ends(text: str) -> tuple[str, str]:
    """The first and the last of a range in small letters, twice the same where it has no dash."""
    first, _, last = text.replace("–", "-").replace("—", "-").partition("-")
    return first.strip().casefold(), (last or first).strip().casefold()


def numbers(text: str) -> tuple[int, int] | None:
    """The first and the last number of a range; None where its ends are no numbers."""
    first, last = ends(text)
    return (int(first), int(last)) if first.isdecimal() and last.isdecimal() else None


def written(first: int, last: int) -> str:
    """A range of numbers as `numbers` reads it."""
    return str(first) if first == last else f"{first}-{last}"


def holds(outer: str, inner: tuple[int, int]) -> bool:
    """Whether a range of numbers, as written, has another one in it from end to end."""
    found = numbers(outer)
    return found is not None and found[0] <= inner[0] and inner[1] <= found[1]


def lines_of(text: str, spans: Sequence[Span]) -> tuple[int, int]:
    """The lines of a text, from 1 on, on which the first of some runs begins and the last of them ends."""
    first, last = (text.count("\n", 0, offset) + 1 for offset in (spans[0].start, spans[-1].end - 1))
    return first, last
