"""Passages that were found for a text to the terminal, to YAML that can be pasted into a ledger, or to JSON."""

from collections.abc import Iterator, Mapping, Sequence

from tracer.appending import flow
from tracer.finding import Hit
from tracer.quoting import record
from tracer.reports.lines import BLANK, Line, Part, line, printed
from tracer.wording import CLOSE_MARK, OPEN_MARK, TIERS, counted, flowing, marked, passage_words

WIDTH = 80
NO_QUOTE = "no short quote of it verifies"


def render(hits: Sequence[Hit], *, width: int = WIDTH, colour: bool = False) -> str:
    """The passages for a person, each with its citation."""
    lines = [each for number, hit in enumerate(hits, start=1) for each in hit_lines(hit, number)]
    return printed(lines or [line("no source says so")], width=width, colour=colour)


def hit_lines(hit: Hit, number: int) -> Iterator[Line]:
    """A passage: where it stands and how it was found, its words, its citation."""
    others = f"; {counted(hit.others, 'other')} there" if hit.others else ""
    yield line((f"{number}  {place_words(hit)}", "bold"), f"  {how_words(hit)}{others}", hang=3)
    yield line(*passage_parts(hit), indent=3, hang=0)
    yield line(f"- {citation_block(hit)}" if hit.citation else NO_QUOTE, indent=3, hang=2)
    yield BLANK


def place_words(hit: Hit) -> str:
    """Where a passage stands."""
    if hit.at:
        return f"{flowing(hit.source)}, at {flowing(hit.at)}"
    if hit.citation is not None and hit.citation.page is None:
        lines = hit.citation.lines and f"{'lines' if '-' in hit.citation.lines else 'line'} {hit.citation.lines}"
        return ", ".join(filter(None, (flowing(hit.source), flowing(hit.citation.section or ""), lines)))
    return passage_words(hit.passage)


def how_words(hit: Hit) -> str:
    """How an exact place equals the text, or how much of the text's weight a passage holds."""
    return TIERS[hit.tier] if hit.tier else f"{100 * min(hit.score, 1):.0f} %"


def passage_parts(hit: Hit) -> list[Part]:
    """The words of a passage, an exact place in its marks."""
    before, within, after = marked(hit.passage)
    return [(f"{before}{OPEN_MARK}{within}{CLOSE_MARK}{after}" if within else before, "")]


def citation_block(hit: Hit) -> str:
    """A citation as one line of YAML; empty where there is none."""
    return flow(record(hit.citation)) if hit.citation else ""


# --- for other programs ---------------------------------------------------------------------------------------------


def as_yaml(hits: Sequence[Hit]) -> str:
    """The citations as the items of a `cite`, each below a comment that says where it is and how it was found."""
    return "".join(f"# {place_words(hit)}: {how_words(hit)}\n- {citation_block(hit)}\n" for hit in hits if hit.citation)


def as_json(text: str, hits: Sequence[Hit]) -> str:
    """The passages with all that is known of them."""
    from tracer.reports import json_

    return json_.text({"schema": json_.SCHEMA, "text": text, "passages": [hit_record(hit) for hit in hits]})


def hit_record(hit: Hit) -> Mapping[str, object]:
    """A passage as a record."""
    return {
        "source": hit.source,
        "page": hit.passage.page,
        "sheet": hit.passage.sheet,
        "section": hit.passage.section,
        "at": hit.at,
        "text": hit.passage.text,
        "tier": str(hit.tier) if hit.tier else None,
        "score": round(min(hit.score, 1.0), 4),
        "shared": list(hit.shared),
        "lacking": list(hit.lacking),
        "cite": dict(record(hit.citation)) if hit.citation else None,
    }
