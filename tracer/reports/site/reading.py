"""The marks, the words and the rules of a site to the page that explains them; the rules speak for themselves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from tracer import rules, wording
from tracer.model import Status
from tracer.reports.site import addresses, strokes
from tracer.reports.site.facts import Part
from tracer.reports.site.material import Material
from tracer.reports.site.strokes import element

STATUSES: Mapping[Status, str] = {
    Status.STATED: "A source says it. The quote is looked up in its bytes, on the cited page and in the section.",
    Status.DERIVED: "It is computed from other claims. The formula is computed again.",
    Status.CONCLUDED: "No source says it, but it follows from other claims, for the reason that is given.",
    Status.NOT_STATED: "It was looked for and is not there. The search is done again; every hit has an answer.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, or an example in YAML."""

    lines: tuple[str, ...]
    is_example: bool


def pages(material: Material) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """The one page."""
    del material
    loaded = [rules.load(name) for name in rules.RULES]
    yield (
        addresses.READING,
        "how-to-read.html",
        {
            "statuses": {status: (status_sample(status), says) for status, says in STATUSES.items()},
            "blank": sample(strokes.empty_frame(4, 4, 60, "a blank cell")),
            "signs": tuple(signs()),
            "rules": tuple((rule, tuple(blocks(rule.documentation))) for rule in loaded),
            "tiers": wording.TIERS,
        },
    )


def sample(*drawn: Markup, width: int = 72, height: int = 24) -> Markup:
    """A small drawing beside its explanation, which says what it shows."""
    return element("svg", *drawn, class_="path sample drawn", viewBox=f"0 0 {width} {height}", aria_hidden="true")


def status_sample(status: Status) -> Markup:
    """The line of a status."""
    if status is Status.NOT_STATED:
        return sample(element("circle", cx=36, cy=12, r=strokes.RING, class_="ring"))
    return sample(strokes.stroke("M4 12H68", status))


def signs() -> Iterator[tuple[Markup, str]]:
    """Every mark of the path with its meaning."""
    yield sample(strokes.start_mark(36, 12)), "training starts"
    yield sample(strokes.stage_mark(36, 12)), "a stage of training"
    yield sample(strokes.checkpoint_mark(36, 12, is_published=False)), "a checkpoint"
    yield sample(strokes.checkpoint_mark(36, 12, is_published=True)), "a checkpoint whose weights are published"
    broken = (strokes.stroke("M4 12H28M44 12H68", "plain"), element("g", strokes.break_mark(36, 12), class_="turned"))
    yield sample(*broken), "a join that the sources leave unexplained"
    yield sample(strokes.stroke("M4 12H68", "unclaimed")), "an order that no claim speaks of"
    yield sample(strokes.length_bar(4, 8, 40, 64, Status.STATED)), "context length, on a log scale"
    yield sample(strokes.point(4, 8, 40, 64, Status.STATED)), "tokens, on a log scale"
    yield sample(strokes.point(4, 8, 0, 64, Status.NOT_STATED)), "tokens that the sources do not state"
    for part in Part:
        yield sample(strokes.part_sign(30, 6, part)), str(part)
    yield sample(strokes.change_sign(30, 6)), "the architecture changes"


def blocks(documentation: str) -> Iterator[Block]:
    """A rule's documentation as paragraphs and examples."""
    for is_example, group in groupby(paragraphs(documentation), key=lambda lines: lines[0].startswith("    ")):
        found = list(group)
        if is_example:
            yield Block(lines=tuple(line[4:] for lines in found for line in (*lines, ""))[:-1], is_example=True)
        else:
            yield from (Block(lines=tuple(lines), is_example=False) for lines in found)


def paragraphs(text: str) -> Iterator[Sequence[str]]:
    """Runs of lines between empty ones."""
    for is_empty, lines in groupby(text.splitlines(), key=lambda line: not line.strip()):
        if not is_empty:
            yield list(lines)
