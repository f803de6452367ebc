"""What the path is drawn with, to elements of SVG: lines, bars and marks whose form says their status.

Form alone tells: a solid line is stated, a double one derived, a dashed one concluded, an open ring not stated, an
empty frame blank. Colour and darkness repeat it and may be lost. Styles are classes, for the page allows no
style of its own.
"""

from collections.abc import Iterable
from math import log

from markupsafe import Markup, escape

from tracer.model import Status
from tracer.reports.site.facts import Part
from tracer.reports.site.rendering import harmless

RING = 4.5
BAR = 8


def element(name: str, *inside: Markup | str, **attributes: object) -> Markup:
    """An element; `class_` is written `class`, `aria_label` is written `aria-label`, and None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    content = "".join(str(escape(harmless(part))) for part in inside)
    return Markup(f"<{name}{written}>{content}</{name}>" if inside else f"<{name}{written}/>")  # noqa: S704 -- escaped


def joined(parts: Iterable[Markup]) -> Markup:
    """Elements one after the other."""
    return Markup("").join(parts)


def number(value: object) -> object:
    """A coordinate with one digit after the point; anything else harmless."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else harmless(value)


def text(x: float, y: float, words: str, kind: str, **attributes: object) -> Markup:
    """A line of type with its foot at `y`."""
    return element("text", words, x=x, y=y, class_=kind, **attributes)


def kind(status: Status | None) -> str:
    """The class of a status; `blank` where there is none."""
    return str(status) if status else "blank"


# --- lines ------------------------------------------------------------------------------------------------------


def stroke(way: str, status: str) -> Markup:
    """A line in the form of its status; a derived one is drawn twice, dark and then light within."""
    drawn = element("path", d=way, class_=f"line {status}")
    return drawn + element("path", d=way, class_="line within") if status == Status.DERIVED else drawn


def break_mark(x: float, y: float) -> Markup:
    """Two slanted strokes across an interrupted line."""
    return joined(
        element("path", d=f"M{x - 7:.1f} {at + 3:.1f}L{x + 7:.1f} {at - 3:.1f}", class_="line break")
        for at in (y - 4, y + 4)
    )


def side_bar(x: float, y: float, height: float, status: Status | None) -> Markup:
    """The upright line before a text, in the form of its status."""
    if status is Status.NOT_STATED:
        return element("circle", cx=x, cy=y + 8, r=RING, class_="ring")
    return stroke(f"M{x:.1f} {y:.1f}V{y + height:.1f}", kind(status))


# --- sizes ------------------------------------------------------------------------------------------------------


def along(value: float, lowest: float, highest: float) -> float:
    """How far along a log scale a value lies, from 0 to 1."""
    return min(1.0, max(0.0, log(value / lowest) / log(highest / lowest)))


def length_bar(x: float, y: float, length: float, whole: float, status: Status | None) -> Markup:
    """A bar on a scale, in the form of its status."""
    scale = element("path", d=f"M{x:.1f} {y + BAR:.1f}h{whole:.1f}", class_="scale")
    if status is Status.NOT_STATED:
        return scale + element("circle", cx=x + RING, cy=y + BAR / 2, r=RING, class_="ring")
    if status is Status.DERIVED:
        halves = (element("rect", x=x, y=y + at, width=length, height=3, class_="bar solid") for at in (0, 5))
        return scale + joined(halves)
    form = "dashed" if status is Status.CONCLUDED else "solid"
    return scale + element("rect", x=x, y=y, width=length, height=BAR, class_=f"bar {form}")


def point(x: float, y: float, length: float, whole: float, status: Status | None) -> Markup:
    """A disc on a scale, in the form of its status; an open one at the start of the scale where nothing is stated."""
    at = y + BAR / 2
    scale = element("path", d=f"M{x:.1f} {at:.1f}h{whole:.1f}", class_="scale")
    if status is Status.NOT_STATED:
        return scale + element("circle", cx=x + RING, cy=at, r=RING, class_="ring")
    disc = element("circle", cx=x + length, cy=at, r=RING, class_=f"disc {kind(status)}")
    around = element("circle", cx=x + length, cy=at, r=RING + 3, class_="ring thin")
    return scale + disc + around if status is Status.DERIVED else scale + disc


def empty_frame(x: float, y: float, width: float, says: str) -> Markup:
    """The frame of a cell that no claim answers."""
    frame = element("rect", x=x, y=y, width=width, height=16, rx=2, class_="blank")
    return element("g", element("title", says), frame, role="img", aria_label=says)


# --- signs ------------------------------------------------------------------------------------------------------


def part_sign(x: float, y: float, part: Part) -> Markup:
    """A square filled as much as trains: all of it, a part, or all but a part."""
    filled = {Part.ALL: "h11v11h-11z", Part.SOME: "h4v11h-4z", Part.REST: "h11v6h-5v5h-6z"}[part]
    frame = element("rect", x=x, y=y, width=11, height=11, class_="frame")
    return frame + element("path", d=f"M{x:.1f} {y:.1f}{filled}", class_="solid")


def change_sign(x: float, y: float) -> Markup:
    """A triangle: the network is another one from here on."""
    return element("path", d=f"M{x:.1f} {y + 11:.1f}l6 -10.5l6 10.5z", class_="frame")


def start_mark(x: float, y: float) -> Markup:
    """The bar from which a path starts."""
    return element("rect", x=x - 8, y=y - 2.5, width=16, height=5, class_="solid")


def stage_mark(x: float, y: float) -> Markup:
    """The square of a stage."""
    return element("rect", x=x - 6, y=y - 6, width=12, height=12, rx=2, class_="frame thick")


def checkpoint_mark(x: float, y: float, *, is_published: bool) -> Markup:
    """The disc of a checkpoint, with a ring around it where its weights are published."""
    disc = element("circle", cx=x, cy=y, r=5.5, class_="solid")
    return element("circle", cx=x, cy=y, r=9, class_="ring") + disc if is_published else disc
