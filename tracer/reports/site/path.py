"""The steps of a pipeline to a drawing of its path, as SVG, in three widths of which a page shows the one that fits.

From top to bottom: stages and checkpoints on a rail, beside each what the ledger says of it. What lies off the path
has a rail of its own; a join that the sources leave unexplained is broken. `strokes` says how a status looks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from tracer.model import Status
from tracer.reports.site import lettering, strokes
from tracer.reports.site.facts import PUBLISHED, SCALED, START, Column, Fact, Item, Step
from tracer.reports.site.strokes import element, joined

LEADING, GAP, ROW_GAP = 17, 8, 22
TITLE, WORDS, LABEL = 15.0, 13.0, 11.0
MOST_LINES = 3
LOWEST: Mapping[str, float] = {Column.CONTEXT: 1e3, Column.TOKENS: 1e9}
HIGHEST: Mapping[str, float] = {Column.CONTEXT: 1e6, Column.TOKENS: 1e14}
TICKS: Mapping[str, tuple[tuple[float, str], ...]] = {
    Column.CONTEXT: ((1e3, "1K"), (1e6, "1M")),
    Column.TOKENS: ((1e9, "1B"), (1e12, "1T")),
}

Where = Callable[[str], str]
"""The name of a stage, or the id of a claim, to a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How wide a drawing is, where its rail and its columns stand, and whether the columns have one head for all."""

    name: str
    width: float
    rail: float
    lane: float
    margin: float
    columns: tuple[tuple[float, float], ...]
    has_head: bool = False

    @property
    def top(self) -> float:
        """Where the first row begins."""
        return 46.0 if self.has_head else 8.0


def evenly(first: float, width: float, number: int) -> tuple[tuple[float, float], ...]:
    """So many columns of one width: (left, width) of each."""
    one = (width - first) / number
    return tuple((first + one * index, one - 16) for index in range(number))


NARROW = Layout(name="narrow", width=340, rail=14, lane=18, margin=56, columns=evenly(56, 356, 1))
MEDIUM = Layout(name="medium", width=760, rail=16, lane=22, margin=72, columns=evenly(72, 776, 3))
WIDE = Layout(
    name="wide",
    width=1240,
    rail=18,
    lane=22,
    margin=76,
    columns=((292, 120), (432, 120), (572, 180), (768, 150), (934, 148), (1098, 142)),
    has_head=True,
)
LAYOUTS = (NARROW, MEDIUM, WIDE)
PRINTED = MEDIUM


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A step as drawn: its elements, where its mark stands, and where it ends."""

    drawn: Markup
    mark: float
    bottom: float
    broken_at: float | None = None


def drawings(title: str, steps: Sequence[Step], *, stage: Where, claim: Where) -> Iterator[Markup]:
    """The path in every layout."""
    for layout in LAYOUTS:
        yield drawing(title, steps, layout, stage=stage, claim=claim)


def drawing(title: str, steps: Sequence[Step], layout: Layout, *, stage: Where, claim: Where) -> Markup:
    """The path in one layout."""
    pen = Pen(layout=layout, scales=scales(steps), stage=stage, claim=claim)
    rows, lanes = tuple(pen.rows(steps)), lane_of(steps)
    return element(
        "svg",
        element("title", f"The path of {title}", id=f"path-{layout.name}-title"),
        element("desc", described(steps), id=f"path-{layout.name}-desc"),
        element(
            "g",
            pen.head() if layout.has_head else Markup(""),
            joined(pen.joins(steps, rows, lanes)),
            *pen.drawn(steps, rows, lanes),
            class_="drawn",
            id=f"path-{layout.name}",
        ),
        class_=f"path {layout.name}",
        viewBox=f"0 0 {layout.width:g} {height(layout, rows):.0f}",
        role="group",
        aria_labelledby=f"path-{layout.name}-title",
        aria_describedby=f"path-{layout.name}-desc",
    )


def pieces(steps: Sequence[Step], *, stage: Where, claim: Where) -> Markup:
    """The drawing for print cut between its steps: paper ends somewhere, and would cut a drawing through its words."""
    rows = tuple(Pen(layout=PRINTED, scales=scales(steps), stage=stage, claim=claim).rows(steps))
    edges = (0.0, *(row.bottom + ROW_GAP / 2 for row in rows[:-1]), height(PRINTED, rows))
    return joined(
        element(
            "svg",
            element("use", href=f"#path-{PRINTED.name}"),
            class_="path piece",
            viewBox=f"0 {top:g} {PRINTED.width:g} {bottom - top:g}",
        )
        for top, bottom in pairwise(edges)
    )


def height(layout: Layout, rows: Sequence[Row]) -> float:
    """How high a drawing is."""
    return rows[-1].bottom + 6 if rows else layout.top


def described(steps: Sequence[Step]) -> str:
    """The path in words."""
    names = (f"{step.title}{' (off the path)' if step.is_side else ''}" for step in steps)
    unexplained = [step.title for step in steps if step.has_broken_join]
    broken = f" No source explains what these start from: {'; '.join(unexplained)}." if unexplained else ""
    return f"From top to bottom: {'; '.join(names)}.{broken}"


def scales(steps: Sequence[Step]) -> Mapping[str, tuple[float, float]]:
    """The ends of each log scale, wide enough for every value."""
    found = {}
    for column in SCALED:
        sizes = [item.size for step in steps for item in step.facts[column].items if item.size]
        found[str(column)] = (min([LOWEST[column], *sizes]), max([HIGHEST[column], *sizes]))
    return found


def lane_of(steps: Sequence[Step]) -> list[int]:
    """The rail of each step: 0 is the main path; a branch takes the first rail that is free beside it."""
    lanes: list[int] = []
    last: dict[int, int] = {}
    for number, step in enumerate(steps):
        lane = continued(step, steps, lanes, last)
        if lane is None:
            begin = step.after if step.after is not None else number
            lane = next(free for free in range(1, number + 2) if last.get(free, -1) < begin)
        lanes.append(lane)
        last[lane] = number
    return lanes


def continued(step: Step, steps: Sequence[Step], lanes: Sequence[int], last: Mapping[int, int]) -> int | None:
    """The rail that a step goes on with, if it opens none."""
    after = step.after
    if not step.is_side and (after is None or after == last.get(0) or steps[after].is_side or 0 not in last):
        return 0
    if after is None or lanes[after] == 0 or last[lanes[after]] != after:
        return None
    return lanes[after]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """What all rows of one drawing share."""

    layout: Layout
    scales: Mapping[str, tuple[float, float]]
    stage: Where
    claim: Where

    def lane_x(self, lane: int) -> float:
        """Where a rail stands; more than fit lie on one another."""
        return self.layout.rail + min(lane, 2) * self.layout.lane

    # --- the head of the columns --------------------------------------------------------------------------------

    def head(self) -> Markup:
        """The names of the columns, and the ends of the scales."""
        parts = []
        for column, (x, width) in zip(Column, self.layout.columns, strict=True):
            parts.append(strokes.text(x, 12, f"{column}{' (log)' if column in SCALED else ''}", "label"))
            for value, name in TICKS.get(column, ()):
                at = x + width * strokes.along(value, *self.scales[column])
                anchor = "end" if at > x + width - 20 else "middle" if at > x + 20 else None
                parts.append(strokes.text(at, 28, name, "label", text_anchor=anchor))
        return element("g", *parts, aria_hidden="true")

    # --- rows ---------------------------------------------------------------------------------------------------

    def rows(self, steps: Sequence[Step]) -> Iterator[Row]:
        """The steps one below the other."""
        top = self.layout.top
        for step in steps:
            row = self.row(step, top)
            yield row
            top = row.bottom + ROW_GAP

    def drawn(self, steps: Sequence[Step], rows: Sequence[Row], lanes: Sequence[int]) -> Iterator[Markup]:
        """Each step with its mark, as a group of its name."""
        for step, row, lane in zip(steps, rows, lanes, strict=True):
            yield element("g", row.drawn, self.mark(step, lane, row.mark), role="group", aria_label=step.title)

    def row(self, step: Step, top: float) -> Row:
        """A step with what is said of it, from `top` downward."""
        parts: list[Markup] = []
        broken_at = None
        if step.is_unexplained:
            note, height = self.unexplained(step, top)
            parts.append(note)
            broken_at = top + 8
            top += height + 6
        heading, below = self.heading(step, top)
        parts.append(heading)
        shown = [step.facts[column] for column in Column if step.facts[column].items or step.facts[column].is_asked]
        cells, bottom = self.wide_cells(step, shown, top) if self.layout.has_head else self.grid(step, shown, below)
        return Row(drawn=joined((*parts, cells)), mark=top + 9, bottom=max(below, bottom), broken_at=broken_at)

    def unexplained(self, step: Step, top: float) -> tuple[Markup, float]:
        """The words beside a broken join, and their height."""
        item = step.facts[START].items[0]
        within = self.layout.width - self.layout.margin
        found = lettering.lines(
            f"{'unexplained' if step.after is not None else 'not stated'}: {item.full}",
            within=within,
            size=WORDS,
            most=2,
        )
        words = self.type_lines(found, self.layout.margin, top + 12, "words open")
        return element("a", words, href=self.claim(item.claim)), LEADING * len(found)

    def heading(self, step: Step, top: float) -> tuple[Markup, float]:
        """The title of a step with what kind it is, and where that ends."""
        right = self.layout.columns[0][0] - 16 if self.layout.has_head else self.layout.width
        titles = lettering.lines(step.title, within=right - self.layout.margin, size=TITLE, most=3)
        words = self.type_lines(titles, self.layout.margin, top + 14, "title")
        title = element("a", words, href=self.stage(step.name))
        y = top + 14 + LEADING * len(titles)
        return title + strokes.text(self.layout.margin, y - 1, kind_words(step), "label"), y + 2

    def grid(self, step: Step, shown: Sequence[Fact], top: float) -> tuple[Markup, float]:
        """Facts with their names above them, as many side by side as there are columns."""
        parts, y = [], top
        for group, columns in self.groups(shown):
            y += GAP
            drawn = [self.labelled(step, fact, x, y, width) for fact, (x, width) in zip(group, columns, strict=False)]
            parts += [cell for cell, _ in drawn]
            y += max(height for _, height in drawn)
        return joined(parts), y

    def groups(self, shown: Sequence[Fact]) -> Iterator[tuple[Sequence[Fact], Sequence[tuple[float, float]]]]:
        """The facts that stand side by side, with their columns; even a narrow drawing has room for both scales."""
        columns = self.layout.columns
        if len(columns) == 1:
            scaled = [fact for fact in shown if fact.column in SCALED]
            if scaled:
                yield scaled, evenly(columns[0][0], columns[0][0] + columns[0][1] + 16, 2)
            shown = [fact for fact in shown if fact.column not in SCALED]
        for begin in range(0, len(shown), len(columns)):
            yield shown[begin : begin + len(columns)], columns

    def labelled(self, step: Step, fact: Fact, x: float, y: float, width: float) -> tuple[Markup, float]:
        """A fact under its name."""
        cell, height = self.cell(step, fact, x, y + 16, width)
        return strokes.text(x, y + 10, fact.column, "label") + cell, height + 16

    def wide_cells(self, step: Step, shown: Sequence[Fact], top: float) -> tuple[Markup, float]:
        """Facts under the heads of their columns."""
        places = dict(zip(map(str, Column), self.layout.columns, strict=True))
        drawn = [self.cell(step, fact, x, top, width) for fact in shown for x, width in (places[fact.column],)]
        return joined(cell for cell, _ in drawn), top + max((height for _, height in drawn), default=0)

    # --- cells --------------------------------------------------------------------------------------------------

    def cell(self, step: Step, fact: Fact, x: float, y: float, width: float) -> tuple[Markup, float]:
        """One fact of a step, and its height."""
        if not fact.items:
            says = f"{fact.column} of {step.title}: blank, no claim answers it"
            return strokes.empty_frame(x, y + 1, min(width, 96), says), 24
        parts, below = [], y
        for item in fact.items:
            drawn, height = self.item(fact.column, item, x, below, width)
            parts.append(drawn)
            below += height + GAP
        if fact.others and fact.column not in SCALED:
            more = strokes.text(x, below + 10, f"and {fact.others} more", "label")
            parts.append(element("a", more, href=self.stage(step.name)))
            below += LEADING + 4
        return joined(parts), below - y

    def item(self, column: str, item: Item, x: float, y: float, width: float) -> tuple[Markup, float]:
        """A claim as a link, in a group that says what is answered and how; the title has the words uncut."""
        if column in SCALED:
            drawn, height = self.measured(column, item, x, y, width)
        else:
            drawn, height = self.said(item, x, y, width)
        link = element("a", drawn, href=self.claim(item.claim))
        says = f"{column}, {item.status or 'no status'}".replace("-", " ")
        return element("g", element("title", item.full), link, role="group", aria_label=says), height

    def measured(self, column: str, item: Item, x: float, y: float, width: float) -> tuple[Markup, float]:
        """A value over its scale."""
        found = lettering.lines(item.words, within=width, size=WORDS, most=2)
        words = self.type_lines(found, x, y + 12, f"words {'open' if item.size is None else 'strong'}")
        at = y + LEADING * len(found) + 2
        if item.size is None and item.status is not Status.NOT_STATED:
            return words, at - y
        length = width * strokes.along(item.size, *self.scales[column]) if item.size else 0
        draw = strokes.length_bar if column == Column.CONTEXT else strokes.point
        return words + draw(x, at, length, width, item.status), at + strokes.BAR - y

    def said(self, item: Item, x: float, y: float, width: float) -> tuple[Markup, float]:
        """A sentence beside the line of its status, after the sign of its column."""
        has_sign = item.part is not None or item.is_change
        indent = 28 if has_sign else 11 if item.status is not Status.NOT_STATED else 15
        found = lettering.lines(item.words, within=width - indent, size=WORDS, most=MOST_LINES)
        is_open = item.status is Status.NOT_STATED
        words = self.type_lines(found, x + indent, y + 12, "words open" if is_open else "words")
        bar = strokes.side_bar(x + 4 if is_open else x + 2, y, LEADING * len(found) - 1, item.status)
        sign = Markup("")
        if item.part:
            sign = strokes.part_sign(x + 11, y + 2, item.part)
        elif has_sign:
            sign = strokes.change_sign(x + 10, y + 2)
        return bar + sign + words, LEADING * len(found)

    def type_lines(self, found: Sequence[str], x: float, y: float, kind: str) -> Markup:
        """Lines of type, one below the other."""
        lines = (element("tspan", words, x=x, y=y + LEADING * number) for number, words in enumerate(found))
        return element("text", Markup(" ").join(lines), class_=kind)

    # --- the rail -----------------------------------------------------------------------------------------------

    def mark(self, step: Step, lane: int, y: float) -> Markup:
        """The mark of a step on its rail."""
        x = self.lane_x(lane)
        if step.is_checkpoint:
            return strokes.checkpoint_mark(x, y, is_published=step.is_published)
        return strokes.start_mark(x, y) if step.stage.kind == "start" else strokes.stage_mark(x, y)

    def joins(self, steps: Sequence[Step], rows: Sequence[Row], lanes: Sequence[int]) -> Iterator[Markup]:
        """The line from each step to the one that it follows."""
        for number, step in enumerate(steps):
            if step.after is not None:
                begin = self.lane_x(lanes[step.after]), rows[step.after].mark
                yield self.join(step, begin, (self.lane_x(lanes[number]), rows[number].mark), rows[number].broken_at)

    def join(self, step: Step, begin: tuple[float, float], end: tuple[float, float], broken_at: float | None) -> Markup:
        """A line in the form of what is known of the join; interrupted where the sources leave it unexplained."""
        x, y = end
        if broken_at is None:
            return strokes.stroke(f"{way(begin, x)}V{y:.1f}", join_kind(step))
        upper = strokes.stroke(f"{way(begin, x)}V{broken_at - 6:.1f}", "plain")
        lower = strokes.stroke(f"M{x:.1f} {broken_at + 6:.1f}V{y:.1f}", "plain")
        return upper + strokes.break_mark(x, broken_at) + lower


def way(begin: tuple[float, float], x: float) -> str:
    """From a mark to the rail at `x`: straight down, or round two corners."""
    left, y = begin
    if left == x:
        return f"M{left:.1f} {y:.1f}"
    turn = min(8.0, abs(x - left) / 2) * (1 if x > left else -1)
    return f"M{left:.1f} {y:.1f}v10q0 8 {turn:.1f} 8H{x - turn:.1f}q{turn:.1f} 0 {turn:.1f} 8"


def join_kind(step: Step) -> str:
    """The form of a join: the status of what the step starts from; what a stage makes follows from the stage."""
    status = step.facts[START].status
    if status is None:
        return "plain" if step.is_checkpoint else "unclaimed"
    return strokes.kind(status)


def kind_words(step: Step) -> str:
    """What kind of step it is, whether it lies off the path, and what is published of it."""
    published = f"{step.stage.published} published" if step.stage.published else ""
    if not published and step.is_checkpoint and step.facts[PUBLISHED].status is Status.NOT_STATED:
        published = "published: not stated"
    parts = ("off the path" if step.is_side else "", step.stage.kind or "", published)
    return " · ".join(filter(None, parts))
