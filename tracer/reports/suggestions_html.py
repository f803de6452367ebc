"""What the sources say to the statements of a document to one HTML page: the document on the left, passages beside it.

The page needs no other file and runs no script; text of others is never markup, and no colour stands alone.
"""

from collections.abc import Sequence
from html import escape

from tracer.finding import Hit
from tracer.reports.passages import citation_block, how_words, place_words
from tracer.reports.suggestions import total_words, where_words
from tracer.suggesting import Suggestion, Verdict
from tracer.wording import flowing

STYLE = """\
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
article { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 1.5rem;
  border-top: 1px solid #8886; padding: .7rem 0; }
.why, .where { opacity: .75; font-size: .9em; }
.verdict { font-weight: bold; border-left: .4rem solid; padding-left: .4rem; }
.supported { border-color: #2a7; } .differs { border-color: #d33; } .not-found { border-color: #da3; }
blockquote { margin: .2rem 0 .6rem; padding-left: .7rem; border-left: 2px solid #8886; }
code { font-size: .85em; overflow-wrap: anywhere; }
@media (max-width: 45rem) { article { display: block; } }
"""
CLASSES = {Verdict.SUPPORTED: "supported", Verdict.DIFFERS: "differs", Verdict.NOT_FOUND: "not-found"}


def render(suggestions: Sequence[Suggestion], title: str) -> str:
    """The whole page."""
    head = f'<meta charset="utf-8">\n<title>{_text(title)}</title>\n<style>\n{STYLE}</style>'
    opening = f"<h1>{_text(title)}</h1>\n<p>{_text(total_words(suggestions))}</p>"
    rows = "\n".join(map(_row, suggestions))
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{opening}\n{rows}\n</body>\n</html>\n'


def _row(suggestion: Suggestion) -> str:
    """A statement, and beside it what became of it and the passages."""
    there, kind = suggestion.statement, CLASSES[suggestion.verdict]
    left = f'<p>{_text(there.text)}</p><p class="where">{there.number}, {_text(where_words(suggestion))}</p>'
    said = f'<p class="verdict {kind}">{suggestion.verdict}</p><p class="why">{_text(suggestion.why)}</p>'
    passages = "".join(map(_passage, suggestion.hits))
    if suggestion.verdict is Verdict.NOT_FOUND and passages:
        passages = f"<details><summary>nearest passages</summary>{passages}</details>"
    return f'<article id="s{there.number}"><div>{left}</div><div>{said}{passages}</div></article>'


def _passage(hit: Hit) -> str:
    block = f"<p><code>- {_text(citation_block(hit))}</code></p>" if hit.citation else ""
    return (
        f"<p>{_text(place_words(hit))}, {how_words(hit)}</p><blockquote>{_text(hit.passage.text)}</blockquote>{block}"
    )


def _text(words: str) -> str:
    """Words as they are shown, with nothing that a browser would obey."""
    return escape(flowing(words))
