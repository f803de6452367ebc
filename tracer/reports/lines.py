"""Lines of styled words to the text of a terminal: wrapped with their indent, coloured or plain.

What reaches a terminal passes here, so that no text of a source or a ledger can steer it: characters that a terminal
could obey are written out, and nothing is read as markup.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from tracer.wording import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Part = tuple[str, str]
"""Words and their style (`bold red`, or `` for none)."""

LEAST_WIDTH = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Words that stand in one line where they fit; what does not fit goes on `hang` columns further in."""

    parts: tuple[Part, ...] = ()
    indent: int = 0
    hang: int = 0


BLANK = Line()


def line(*parts: str | Part, indent: int = 0, hang: int = 0) -> Line:
    """A line from plain and styled words."""
    styled = tuple((part, "") if isinstance(part, str) else part for part in parts)
    return Line(parts=styled, indent=indent, hang=hang)


def printed(lines: Iterable[Line], *, width: int, colour: bool) -> str:
    """The lines as text that ends with a line end."""
    from rich.console import Console

    paper = StringIO()
    console = Console(
        file=paper,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for each in lines:
        for text in wrapped(each, console, width):
            if colour:
                console.print(text, no_wrap=True, overflow="ignore", crop=False)
            else:
                paper.write(f"{text.plain}\n")
    return paper.getvalue()


def wrapped(each: Line, console: "Console", width: int) -> Iterator["Text"]:
    """The lines of the terminal that a line takes."""
    from rich.text import Text

    whole = Text.assemble(*((visible(words), style) for words, style in each.parts))
    room = max(LEAST_WIDTH, width - each.indent - each.hang)
    if whole.cell_len <= room + each.hang:
        yield Text(" " * each.indent) + whole
        return
    for number, piece in enumerate(whole.wrap(console, room)):
        piece.rstrip()
        yield Text(" " * (each.indent + (each.hang if number else 0))) + piece
