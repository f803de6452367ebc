"""A Difference of two documents to the text of a terminal, to Markdown, to one HTML page, or to JSON.

Sections come first, then sentences that changed (those with other numbers before the rest), what came and what went;
what moved and what differs in reference marks alone is counted at the end.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from types import MappingProxyType

from tracer import wording
from tracer.differences import Changed, Difference, Reordered, Side
from tracer.model import Passage
from tracer.reports import json_
from tracer.reports.lines import BLANK, Line, line, printed
from tracer.reports.revision import change_words, section_record, section_words

SCHEMA = 1
WIDTH = 80
WEIGHTS = ("numbers", "negations", "comparisons", "units", "words")
SHOWN_ONLY = 40
NEAR = 12
"""Words that stayed which are shown on each side of a change."""

FEW = 4
"""So many more are shown as well, rather than left out."""

Pieces = Sequence[tuple[str, str]]
"""Words with what became of them: ``, `-` for those that went, `+` for those that came."""


def render(difference: Difference, *, width: int = WIDTH, colour: bool = False) -> str:
    """The difference for a terminal."""
    return printed(_lines(difference), width=width, colour=colour)


def place_words(passage: Passage) -> str:
    """Page and section of a sentence."""
    page = wording.page_words(passage.page, passage.sheet) if passage.page else ""
    return ", ".join(part for part in (page, wording.section_words(passage.section)) if part)


def places_words(old: Passage, new: Passage) -> str:
    """Both places of a sentence, or the one that they share."""
    before, after = place_words(old), place_words(new)
    return after if before == after else f"{before} → {after}"


def pieces(old: str, new: str) -> Pieces:
    """Two sentences as one run of words that went and came, and of those that stayed the ones that are near."""
    ours, theirs = (wording.flowing(text).split() for text in (old, new))
    steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    found = []
    for position, (kind, a, b, c, d) in enumerate(steps):
        if kind == "equal":
            after, before = NEAR if position else 0, NEAR if position < len(steps) - 1 else 0
            found.append((_near(ours[a:b], after, before), ""))
            continue
        found.extend([(" ".join(ours[a:b]), "-")] if b > a else [])
        found.extend([(" ".join(theirs[c:d]), "+")] if d > c else [])
    return tuple(found)


def _near(words: Sequence[str], after: int, before: int) -> str:
    """Words that stayed; of many only so many after the change before them, and before the one that follows."""
    if len(words) <= after + before + FEW:
        return " ".join(words)
    return " ".join((*words[:after], "…", *words[len(words) - before :]))


# --- counts ---------------------------------------------------------------------------------------------------------


def title(difference: Difference) -> str:
    """Both documents by their names."""
    return f"{wording.flowing(difference.old.name)} → {wording.flowing(difference.new.name)}"


def side_words(side: Side) -> str:
    """A document in figures."""
    pages = wording.counted(side.pages, "page")
    return f"{wording.flowing(side.name)}: {pages}, {wording.counted(side.sentences, 'sentence')}, {side.sha256[:12]}"


def counts(difference: Difference) -> Iterator[str]:
    """What is counted and not listed."""
    yield f"the same: {wording.counted(difference.same, 'sentence')}"
    if difference.marks:
        yield f"of them other in reference marks only: {wording.counted(difference.marks, 'sentence')}"
    if difference.cited:
        places = ", ".join(dict.fromkeys(map(place_words, difference.cited)))
        yield f"of these with more or fewer references: {len(difference.cited)} ({places})"
    if difference.typography:
        yield f"of them other in typography only: {wording.counted(difference.typography, 'sentence')}"
    for old, new, count in difference.pages:
        yield f"page {wording.flowing(old)} → {wording.flowing(new)}: {wording.counted(count, 'sentence')}"
    for side in (difference.old, difference.new):
        for page in side.unread:
            yield f"not compared: {wording.flowing(side.name)}, {wording.flowing(page)}"


def reordered_words(one: Reordered) -> str:
    """What is said of text whose words stand in another order."""
    only = (("only in the old one", one.only_old), ("only in the new one", one.only_new))
    said = (f"{name}: {wording.flowing(' '.join(words[:SHOWN_ONLY]))}" for name, words in only if words)
    return "; ".join((f"{wording.counted(one.words, 'word')} in another order", *said))


def groups(difference: Difference) -> Iterator[tuple[str, Sequence[Changed]]]:
    """The changed sentences by the gravest words that differ."""
    for weight, name in enumerate(WEIGHTS):
        found = [change for change in difference.changed if change.weight == weight]
        if found:
            yield f"changed {name}", found


def outcome(difference: Difference) -> str | None:
    """What is said where nothing differs."""
    if not difference.is_none:
        return None
    is_same = difference.old.sha256 == difference.new.sha256
    return "the same bytes" if is_same else "no sentence and no section differs"


# --- terminal -------------------------------------------------------------------------------------------------------


def _lines(difference: Difference) -> Iterator[Line]:
    yield line((title(difference), "bold"), hang=2)
    for side in (difference.old, difference.new):
        yield line(side_words(side), indent=2, hang=2)
    yield BLANK
    for pair in difference.sections:
        yield line((f"section {pair.change}: ", "cyan"), section_words(pair), hang=2)
    if difference.sections:
        yield BLANK
    for name, changes in groups(difference):
        yield line((name, "bold yellow"))
        for change in changes:
            yield from _changed_lines(change)
        yield BLANK
    for name, sign, style, passages in _listed(difference):
        yield line((name, f"bold {style}"))
        for passage in passages:
            yield line((f"  {place_words(passage)}", "dim"))
            yield line((f"{sign} {wording.flowing(passage.text)}", style), indent=4, hang=2)
        yield BLANK
    for one in difference.reordered:
        yield line((f"{places_words(one.old, one.new)}: ", "cyan"), reordered_words(one), hang=2)
    if nothing := outcome(difference):
        yield line((nothing, "green"))
    yield from (line(count, hang=2) for count in counts(difference))


def _changed_lines(change: Changed) -> Iterator[Line]:
    yield line((f"  {places_words(change.old, change.new)}", "dim"))
    yield line("; ".join(change_words(old, new) for old, new in change.words), indent=4, hang=2)
    run = pieces(change.old.text, change.new.text)
    for sign, kind, style in (("−", "-", "red"), ("+", "+", "green")):
        words = " ".join(words for words, became in run if became in ("", kind))
        yield line((f"{sign} {words}", style), indent=4, hang=2)


def _listed(difference: Difference) -> Iterator[tuple[str, str, str, Sequence[Passage]]]:
    if difference.removed:
        yield "removed", "−", "red", difference.removed
    if difference.added:
        yield "added", "+", "green", difference.added


# --- Markdown -------------------------------------------------------------------------------------------------------


def as_markdown(difference: Difference) -> str:
    """The difference as a page of Markdown; words that went are struck through, words that came are bold."""
    return "\n".join(_markdown(difference)) + "\n"


def _markdown(difference: Difference) -> Iterator[str]:
    yield f"# {plain(title(difference))}\n"
    yield from (f"- {plain(side_words(side))}" for side in (difference.old, difference.new))
    if difference.sections:
        yield "\n## Sections\n"
        yield from (f"- {pair.change}: {plain(section_words(pair))}" for pair in difference.sections)
    for name, changes in groups(difference):
        yield f"\n## {name.capitalize()}\n"
        for change in changes:
            yield f"- {plain(places_words(change.old, change.new))}: {_marked_up(change)}"
    for name, _, _, passages in _listed(difference):
        yield f"\n## {name.capitalize()}\n"
        yield from (f"- {plain(place_words(passage))}: {plain(wording.flowing(passage.text))}" for passage in passages)
    yield "\n## Counts\n"
    yield from (
        f"- {plain(places_words(one.old, one.new))}: {plain(reordered_words(one))}" for one in difference.reordered
    )
    nothing = outcome(difference)
    yield from (f"- {plain(count)}" for count in (*((nothing,) if nothing else ()), *counts(difference)))


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>()#+\-.!|~&$])", r"\\\1", wording.flowing(text))


def _marked_up(change: Changed) -> str:
    signs = {"": "", "-": "~~", "+": "**"}
    return " ".join(
        f"{signs[kind]}{plain(words)}{signs[kind]}" for words, kind in pieces(change.old.text, change.new.text)
    )


# --- HTML -----------------------------------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
del { background: #f8d0cc; color: #6b1510; } ins { background: #cdebd0; color: #0d4a1a; text-decoration: none; }
.place { color: #666; font-size: .85rem; } li { margin: .6rem 0; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { .place { color: #aaa; } }
"""


def as_html(difference: Difference) -> str:
    """The difference as one page that needs no other file and runs no script."""
    name = html.escape(title(difference))
    body = "\n".join(_html(difference))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n{body}\n</body>\n</html>\n"
    )


def _html(difference: Difference) -> Iterator[str]:
    yield from _html_list(side_words(side) for side in (difference.old, difference.new))
    if difference.sections:
        yield "<h2>Sections</h2>"
        yield from _html_list(f"{pair.change}: {section_words(pair)}" for pair in difference.sections)
    for name, changes in groups(difference):
        yield f"<h2>{html.escape(name.capitalize())}</h2>\n<ul>"
        yield from (_html_item(places_words(change.old, change.new), _html_change(change)) for change in changes)
        yield "</ul>"
    for name, sign, _, passages in _listed(difference):
        tag = "ins" if sign == "+" else "del"
        yield f"<h2>{html.escape(name.capitalize())}</h2>\n<ul>"
        yield from (_html_item(place_words(it), _html_words(it.text, tag)) for it in passages)
        yield "</ul>"
    yield "<h2>Counts</h2>"
    nothing = outcome(difference)
    said = (f"{places_words(one.old, one.new)}: {reordered_words(one)}" for one in difference.reordered)
    yield from _html_list((*((nothing,) if nothing else ()), *said, *counts(difference)))


def _html_list(items: Iterator[str] | Sequence[str]) -> Iterator[str]:
    yield "<ul>"
    yield from (f"<li>{html.escape(item)}</li>" for item in items)
    yield "</ul>"


def _html_item(place: str, words: str) -> str:
    return f'<li><div class="place">{html.escape(place)}</div>{words}</li>'


def _html_words(text: str, tag: str) -> str:
    words = html.escape(wording.flowing(text))
    return f"<{tag}>{words}</{tag}>" if tag else words


def _html_change(change: Changed) -> str:
    tags = {"": "", "-": "del", "+": "ins"}
    return " ".join(_html_words(words, tags[kind]) for words, kind in pieces(change.old.text, change.new.text))


# --- JSON -----------------------------------------------------------------------------------------------------------


def as_json(difference: Difference) -> str:
    """The difference for programs."""
    from tracer import __version__

    return json_.text(
        {
            "schema": SCHEMA,
            "tracer": __version__,
            "old": _side_record(difference.old),
            "new": _side_record(difference.new),
            "sections": [section_record(pair) for pair in difference.sections],
            "changed": [_changed_record(change) for change in difference.changed],
            "added": list(json_.passage_records(difference.added)),
            "removed": list(json_.passage_records(difference.removed)),
            "reordered": [_reordered_record(one) for one in difference.reordered],
            "pages": [{"old": old, "new": new, "sentences": count} for old, new, count in difference.pages],
            "cited": list(json_.passage_records(difference.cited)),
            "counts": {"same": difference.same, "marks": difference.marks, "typography": difference.typography},
        }
    )


def _side_record(side: Side) -> Mapping[str, object]:
    return {
        "name": side.name,
        "sha256": side.sha256,
        "pages": side.pages,
        "sentences": side.sentences,
        "unread": list(side.unread),
    }


def _changed_record(change: Changed) -> Mapping[str, object]:
    old, new = json_.passage_records((change.old, change.new))
    return {"old": old, "new": new, "words": [list(pair) for pair in change.words], "kind": WEIGHTS[change.weight]}


def _reordered_record(one: Reordered) -> Mapping[str, object]:
    old, new = json_.passage_records((one.old, one.new))
    only = {"only-old": list(one.only_old), "only-new": list(one.only_new)}
    return {"old": old, "new": new, "words": one.words, **only}


FORMATS: Mapping[str, Callable[[Difference], str]] = MappingProxyType(
    {"terminal": render, "markdown": as_markdown, "html": as_html, "json": as_json}
)
"""The formats of a difference by their names."""
