"""How often the right page is among the first passages for a statement, against plain full-text search.

    TRACER_SOURCES=reports:texts python -m bench.retrieval CLAIMS.tsv [--semantic] [--show K] [--pool]

CLAIMS.tsv has a row per statement about Kimi K3, with the columns id, seed (S1: an article, S2: an atlas page), stage,
field, claim, section, page and verdict. Asked are the rows with a page. `retrieval-pages.tsv` beside this script lists
further pages of the report that state the same, each read; any of them counts as right, for every way alike.

Then the rows are asked for as a person has them who keeps such an atlas: as the tables of a page, one for each stage,
of which `tracer suggest` sees the cells with what they stand under. The article and the atlas themselves are cut up as
well, and each claim that the audit of them in `claims/audits` has sourced is asked for by the statement in which the
text makes it; those that it found unsupported are listed with their verdict. The stated claims of the ledger are asked
for, those about Qwen3 among them, by which nothing was ever weighed. Last, the processor time of an answer with the
indexes kept, over all sources at hand.

`--semantic` adds the ways that compare the meaning too. `--show K` prints the rows whose right page is not among the
first K; `--pool` prints for every row what any of the ways puts among its first five, which is what has to be read to
judge them alike.
"""

import argparse
import csv
import re
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tracer.cache import cache_folder
from tracer.cli.project import Project, Wishes, opened
from tracer.embedding import MiniLM
from tracer.finding import Finder
from tracer.model import Claim, Document, Source, Status
from tracer.nearness import readable
from tracer.readers import markdown
from tracer.reranking import Embedder
from tracer.statements import statements
from tracer.suggesting import Suggestion, suggest
from tracer.text import comparable

ROOT = Path(__file__).parent.parent
PAGES = Path(__file__).with_name("retrieval-pages.tsv")
SOURCE, AUDITED = "k3-report", ("article", "atlas")
DEPTHS = (1, 3, 5)
PLACEHOLDERS = re.compile(r"\((?:omitted|blank on the page)\)|\bnot (?:stated|pinned)\b")
"""Words of the table about a statement, which are not of the statement."""

Row = Mapping[str, str]
Asked = tuple[str, str]
"""A statement and the words around it."""

Way = Callable[[Asked], Sequence[int]]
"""A statement to the sheets of the first passages."""


def rows(path: Path, seed: str) -> list[Row]:
    """The rows of one seed that have a page."""
    with path.open(encoding="utf-8", newline="") as file:
        found = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in found if row["seed"] == seed and row["page"].isdigit()]


def right_pages() -> dict[str, set[int]]:
    """Row -> the further pages that state the same."""
    lines = PAGES.read_text(encoding="utf-8").splitlines() if PAGES.exists() else []
    cells = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {row: {int(page) for page in pages.split(",")} for row, pages, *_ in cells}


def alone(row: Row) -> Asked:
    """The words of the statement alone."""
    return PLACEHOLDERS.sub(" ", row["claim"]).strip(), ""


def with_context(row: Row) -> Asked:
    """The statement with its stage and field, which a claim has as well."""
    return alone(row)[0], f"{row['stage']} {row['field']}"


# --- the ways -------------------------------------------------------------------------------------------------------


def full_text(units: Sequence[tuple[str, int]]) -> Way:
    """FTS5 with BM25 and the Porter stemmer over units of text, each with its sheet."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE unit USING fts5(text, sheet UNINDEXED, tokenize='porter unicode61')")
    connection.executemany("INSERT INTO unit VALUES (?, ?)", units)

    def ask(asked: Asked) -> list[int]:
        match = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", " ".join(asked)))
        query = "SELECT sheet FROM unit WHERE unit MATCH ? ORDER BY bm25(unit) LIMIT ?"
        return [int(sheet) for (sheet,) in connection.execute(query, (match, max(DEPTHS)))] if match else []

    return ask


def windows(document: Document, step: int) -> list[tuple[str, int]]:
    """Every `step`th run of three sentences of a page."""
    found = []
    for page in document.pages:
        cut = re.split(r"(?<=[.!?])\s+(?=[A-Z])", readable(page.text))
        found += [(" ".join(cut[at : at + 3]), page.sheet) for at in range(0, max(1, len(cut) - 2), step)]
    return found


def finding(document: Document, source: Source, name: str, embedder: Embedder | None = None) -> Way:
    """`tracer find`, with an embedder `tracer find --semantic`."""
    finder = Finder({name: document}, {name: source}, cache_folder(), embedder)
    return lambda asked: [hit.passage.sheet for hit in finder.find(asked[0], context=asked[1], most=max(DEPTHS))]


def ways(document: Document, source: Source, name: str, embedder: Embedder | None) -> dict[str, Way]:
    """The ways by name."""
    with_meaning = {"tracer find --semantic": finding(document, source, name, embedder)} if embedder else {}
    return {
        "FTS5 over pages": full_text([(page.text, page.sheet) for page in document.pages]),
        "FTS5 over three sentences": full_text(windows(document, 3)),
        "FTS5 over three, overlapping": full_text(windows(document, 1)),
        "tracer find": finding(document, source, name),
        **with_meaning,
    }


# --- measuring ------------------------------------------------------------------------------------------------------


def shares(found: Sequence[tuple[Sequence[int], set[int]]]) -> Iterator[float]:
    """Per depth the share of rows with a right page among the first passages."""
    for depth in DEPTHS:
        yield 100 * sum(bool(right & set(sheets[:depth])) for sheets, right in found) / len(found)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", type=Path)
    parser.add_argument("--semantic", action="store_true")
    parser.add_argument("--show", type=int, metavar="K")
    parser.add_argument("--pool", action="store_true")
    options = parser.parse_args()
    project = opened(ROOT, Wishes())
    source, embedder = project.ledger.sources[SOURCE], MiniLM() if options.semantic else None
    document = read(project, SOURCE)
    assert document is not None, f"{SOURCE} is not in TRACER_SOURCES"
    every = ways(document, source, SOURCE, embedder)
    if options.pool:
        pool(options.claims, every)
        return
    print(f"{'':32}{'rows':>5}" + "".join(f"{f'top {depth}':>8}" for depth in DEPTHS) + "   one right page per row")
    of_rows(options.claims, every, options.show)
    for each in (None, embedder) if embedder else (None,):
        finder = Finder({SOURCE: document}, project.ledger.sources, cache_folder(), each)
        print(f"\n{'tracer suggest --semantic' if each else 'tracer suggest'}")
        of_tables(options.claims, finder, options.show)
        for name in AUDITED:
            of_text(project, name, finder, options.claims)
    for name in (SOURCE, "qwen3-report"):
        of_ledger(project, name, embedder)
    answers(project)


def read(project: Project, name: str) -> Document | None:
    """A source of the ledger, if it is at hand."""
    with project.library() as library:
        document = library.document(project.ledger.sources[name])
    return document if isinstance(document, Document) else None


def asked_rows(path: Path, seed: str) -> tuple[list[Row], list[set[int]]]:
    """The rows of a seed that the report bears out, and the right pages of each."""
    table, others = [row for row in rows(path, seed) if row["verdict"] != "unsupported"], right_pages()
    return table, [{int(row["page"])} | others.get(row["id"], set()) for row in table]


def of_rows(path: Path, every: Mapping[str, Way], depth: int | None) -> None:
    """The figures for each way, of the rows alone and with their stage and field."""
    for seed in ("S1", "S2"):
        table, right = asked_rows(path, seed)
        for kind, asked in (("claim alone", alone), ("claim, stage, field", with_context)):
            print(f"\n{seed}, {kind}")
            for name, way in every.items():
                sheets = [way(asked(row)) for row in table]
                one = [{int(row["page"])} for row in table]
                strict = figures(list(zip(sheets, one, strict=True)))
                print(f"{name:32}{len(table):>5}{figures(list(zip(sheets, right, strict=True)))}  {strict}")
                if depth and name.startswith("tracer find"):
                    missed(table, sheets, right, depth)


def of_tables(path: Path, finder: Finder, depth: int | None) -> None:
    """The figures for the rows as tables of a page; of a cell in several parts the first counts."""
    for seed in ("S1", "S2"):
        table, right = asked_rows(path, seed)
        found = list(suggest(statements(markdown.read(page(table).encode())), finder, most=max(DEPTHS)))
        sheets = [of_cell(row, found) for row in table]
        both = list(zip(sheets, right, strict=True))
        written = [each for row, each in zip(table, both, strict=True) if alone(row)[0]]
        print(f"{f'{seed} as tables':32}{len(both):>5}{figures(both)}")
        print(f"{f'{seed} as tables, filled cells':32}{len(written):>5}{figures(written)}")
        if depth:
            missed(table, sheets, right, depth)


def page(table: Sequence[Row]) -> str:
    """Rows as a page of Markdown that has a table for each stage."""
    stages = dict.fromkeys(row["stage"] for row in table)
    parts = []
    for stage in stages:
        cells = [f"| {row['field']} | {alone(row)[0]} |" for row in table if row["stage"] == stage]
        parts.append("\n".join((f"## {stage}", "", "| | |", "|---|---|", *cells, "")))
    return "\n".join(parts)


def of_cell(row: Row, found: Sequence[Suggestion]) -> Sequence[int]:
    """The sheets of the first passages for the cell of a row."""
    cell, around = comparable(alone(row)[0]), f"{row['field']} {row['stage']}"
    own = (it for it in found if it.statement.context.startswith(around) and comparable(it.statement.text) in cell)
    first = next(own, None)
    return [hit.passage.sheet for hit in first.hits] if first else []


def figures(found: Sequence[tuple[Sequence[int], set[int]]]) -> str:
    """The shares in columns."""
    return "".join(f"{share:>7.0f}%" for share in shares(found))


def of_ledger(project: Project, name: str, embedder: Embedder | None) -> None:
    """The same for the stated claims of the ledger about one source, of which the pages that they cite are right."""
    document = read(project, name)
    if document is None:
        return
    cited: dict[str, tuple[Asked, set[int]]] = {}
    for claim in project.ledger.claims:
        pages = {int(it.page) for it in claim.cite if it.source == name and (it.page or "").isdigit()}
        if pages and claim.status is Status.STATED and claim.made_in is None:
            stage = (claim.stage or "").replace("/", " ")
            cited[claim.id] = ((claim.text or "", f"{stage} {claim.field or ''}"), pages)
    for kind, has_context in (("with stage and field", True), ("alone", False)):
        print(f"\nthe ledger's claims from {name}, {kind}")
        for title, way in ways(document, project.ledger.sources[name], name, embedder).items():
            found = [(way((text, context if has_context else "")), pages) for (text, context), pages in cited.values()]
            print(f"{title:32}{len(found):>5}{figures(found)}")


def of_text(project: Project, name: str, finder: Finder, table: Path) -> None:
    """How often the statement in which a text makes a claim leads to a page that the audit cites for it."""
    document = read(project, name)
    if document is None:
        return
    said = {each.statement.text: each for each in suggest(statements(document), finder, most=max(DEPTHS))}
    ids = {comparable(row["quote"]): row["id"] for seed in ("S1", "S2") for row in rows(table, seed) if row["quote"]}
    others, found, unsupported = right_pages(), [], []
    for claim in (claim for claim in project.ledger.claims if claim.made_in and claim.made_in.source == name):
        suggestion = made(claim, said)
        right = {int(cited.page) for cited in claim.cite if cited.source == SOURCE and (cited.page or "").isdigit()}
        if suggestion is not None and right:
            more = {page for cited in claim.cite for page in others.get(ids.get(comparable(cited.quote or ""), ""), ())}
            found.append(([hit.passage.sheet for hit in suggestion.hits], right | more))
        elif suggestion is not None and claim.status is not Status.NOT_STATED:
            unsupported.append((claim.id, suggestion))
    print(f"{f'the {name} itself':32}{len(found):>5}{figures(found)}")
    for name, suggestion in unsupported:
        print(f"  {name}, unsupported: {suggestion.verdict}: {suggestion.statement.text[:70]}")


def made(claim: Claim, said: Mapping[str, Suggestion]) -> Suggestion | None:
    """The first statement that holds the words in which the article makes a claim, or that they hold."""
    quote = comparable(claim.made_in.quote or "") if claim.made_in else ""
    holding = (it for text, it in said.items() if quote in comparable(text))
    within = (it for text, it in said.items() if comparable(text) in quote)
    return next(holding, None) or next(within, None)


def answers(project: Project) -> None:
    """The median processor time of an answer over all sources at hand, read and indexed before."""
    wanted = [source for source in project.ledger.sources.values() if source.sha256]
    texts = ("nine expert policies", "the context grows from 8K to 64K", "a cosine learning rate schedule with warm-up")
    whole, alone = [], []
    for text in texts * 4:
        began = time.process_time()
        with project.library() as library:
            found = {name: it for name, it in library.documents(wanted) if isinstance(it, Document)}
        finder = Finder(found, project.ledger.sources, cache_folder())
        opened_at = time.process_time()
        finder.find(text)
        finder.close()
        whole.append(time.process_time() - began)
        alone.append(time.process_time() - opened_at)
    pages = sum(len(each.pages) for each in found.values())
    print(f"\none answer, {len(found)} sources of {pages} pages, warm: {statistics.median(whole[3:]):.3f} s")
    print(f"of which looking it up: {statistics.median(alone[3:]):.3f} s")


def missed(table: Sequence[Row], sheets: Sequence[Sequence[int]], right: Sequence[set[int]], depth: int) -> None:
    """The rows whose right page is not among the first passages."""
    for row, found, pages in zip(table, sheets, right, strict=True):
        if not pages & set(found[:depth]):
            print(f"  {row['id']} {sorted(pages)} found {list(found)}: {row['stage']}, {row['field']}: {row['claim']}")


def pool(path: Path, every: Mapping[str, Way]) -> None:
    """For each row the pages that any way puts among its first five."""
    for seed in ("S1", "S2"):
        for row in rows(path, seed):
            asked = (alone(row), with_context(row))
            sheets = {sheet for way in every.values() for each in asked for sheet in way(each)}
            print(f"{row['id']}\t{row['page']}\t{sorted(sheets - {int(row['page'])})}\t{row['claim']}")


if __name__ == "__main__":
    main()
