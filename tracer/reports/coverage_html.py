"""Coverage to one HTML page that needs no other file; text of a ledger is never markup, and no colour stands alone."""

from html import escape

from tracer.coverage import Coverage
from tracer.coverage_changes import Changes
from tracer.reports.coverage_markdown import sentences
from tracer.reports.coverage_tables import BLANK, Row, Table, tables
from tracer.wording import flowing

STYLE = """\
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 96rem; padding: 0 1rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; margin: 0 0 2rem; }
th, td { border: 1px solid #8886; padding: .2rem .5rem; text-align: left; vertical-align: top; }
thead th { position: sticky; top: 0; background: Canvas; }
.blank { font-style: italic; opacity: .65; }
.flagged { font-weight: bold; background: #d33a; }
.unchecked { background: #db3a; }
"""
CLASSES = ("flagged", "unchecked", BLANK)


def render(coverage: Coverage, changed: Changes | None = None) -> str:
    """The whole page."""
    body = [f"<p>{escape(sentence)}</p>" for sentence in sentences(coverage)]
    return page("Coverage", [*body, *(table_html(table) for table in tables(coverage, changed))])


def render_table(table: Table) -> str:
    """A page with one list."""
    return page(table.title, [table_html(table)])


def page(title: str, parts: list[str]) -> str:
    """A page from its parts."""
    head = f'<meta charset="utf-8">\n<title>{text(title)}</title>\n<style>\n{STYLE}</style>'
    body = "\n".join((f"<h1>{text(title)}</h1>", *parts))
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n'


def table_html(table: Table) -> str:
    """A heading and a table that scrolls by itself where it is wide."""
    columns = "".join(f'<th scope="col">{text(column)}</th>' for column in table.columns)
    rows = "\n".join(map(row_html, table.rows))
    inner = f"<table>\n<thead><tr>{columns}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
    return f"<h2>{text(table.title)}</h2>\n<div>\n{inner}\n</div>"


def row_html(row: Row) -> str:
    """A row, whose first cell is its heading."""
    cells = "".join(f"<td{style(word)}>{text(word)}</td>" for word in row[1:])
    return f'<tr><th scope="row">{text(row[0])}</th>{cells}</tr>'


def style(word: str) -> str:
    """The class of a cell whose words say that it is blank, flagged or unchecked."""
    said = word.rpartition(", ")[2]
    return f' class="{said}"' if said in CLASSES else ""


def text(words: str) -> str:
    """Words as they are shown, with nothing that a browser would obey."""
    return escape(flowing(words))
