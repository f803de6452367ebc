"""Runs of text and breaks to the text of a page, set as a browser sets them.

White space is collapsed as HTML says (space, tab, line feed, form feed; never a no-break space), blocks and table rows
are lines, cells stand apart by tabs. Raised and lowered digits become Unicode's own, for `10<sup>6</sup>` is not 106.
"""

import re

Script = dict[int, int]

_SPACE = re.compile(r"[ \t\n\f\r]+")


class Flow:
    """A page's text while it is written: what was set, and the gap that stands before whatever comes next."""

    def __init__(self) -> None:
        self.length = 0
        self._pieces: list[str] = []
        self._gap = ""
        self._last = ""
        self._row = 0
        self._scripts: list[Script] = []
        self._applies: list[bool | None] = []

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def mark(self) -> tuple[int, int]:
        """A position to ask `since` from."""
        return len(self._pieces), self.length

    def since(self, mark: tuple[int, int]) -> tuple[int, str]:
        """Where the text set since the mark starts, and that text, without the white space around it."""
        piece, start = mark
        text = "".join(self._pieces[piece:])
        return start + len(text) - len(text.lstrip()), text.strip()

    def put(self, run: str) -> None:
        """Sets running text."""
        words = _SPACE.sub(" ", run)
        if words.startswith(" "):
            self.space()
        body = words.strip(" ")
        if body:
            self._set(self._scripted(body))
            self._gap = " " if words.endswith(" ") else ""

    def put_as_typed(self, run: str) -> None:
        """Sets preformatted text, white space and all."""
        if run:
            self._set(self._scripted(run))

    def space(self) -> None:
        """Words before and after stand apart."""
        if self._last not in ("", "\n"):
            self._gap = self._gap or " "

    def line(self) -> None:
        """What follows begins a line, unless it begins a cell."""
        if not self._gap.startswith("\t"):
            self._gap = "" if self._last in ("", "\n") else "\n"

    def row(self) -> None:
        """What follows begins a row, or the line after the last one."""
        self._gap = "" if self._last in ("", "\n") else "\n"
        self._row = self.length

    def cell(self) -> None:
        """What follows begins a cell; the first one of a row begins the line."""
        if self.length > self._row:
            self._gap = f"{self._gap}\t" if self._gap.startswith("\t") else "\t"

    def begin_script(self, script: Script) -> None:
        """What follows is raised or lowered, if it begins so that it could be taken for more of the text before."""
        self._scripts.append(script)
        self._applies.append(None)

    def end_script(self) -> None:
        self._scripts.pop()
        self._applies.pop()

    def _scripted(self, run: str) -> str:
        if not self._scripts:
            return run
        if self._applies[-1] is None:
            self._applies[-1] = ord(run[0]) in self._scripts[-1] and self._touches()
        return run.translate(self._scripts[-1]) if self._applies[-1] else run

    def _touches(self) -> bool:
        """Small print in a cell of its own is no raised number; a digit that stands off from a digit still is one."""
        if self._gap:
            return self._gap == " " and self._last.isdigit()
        return not self._last.isspace() and self._last != ""

    def _set(self, run: str) -> None:
        self._pieces += (self._gap, run) if self._gap else (run,)
        self.length += len(self._gap) + len(run)
        self._last = run[-1]
        self._gap = ""
