"""How often the right page is among the first passages for a statement, against plain full-text search.

    TRACER_SOURCES=folder/of/reports:folder/of/article python bench/retrieval.py CLAIMS.tsv [--show K] [--pool]

CLAIMS.tsv has a row per statement about Kimi K3, with the columns id, seed (S1: an article, S2: an atlas page), stage,
field, claim, section, page and verdict. Asked are the rows with a page. `retrieval-pages.tsv` beside this script lists
further pages of the report that state the same, each read; any of them counts as right, for every way alike.

Then the article itself is cut up, and each claim that the audit of it in `claims/audits/article` has sourced is asked
for by the statement in which the article makes it; those that it found unsupported are listed with their verdict. The
stated claims of the ledger are asked for as well, those about Qwen3 among them, by which nothing was ever weighed.
Last, the time of an answer with the indexes kept, over all sources at hand.

`--show K` prints the rows whose right page is not among the first K; `--pool` prints for every row what any of the
ways puts among its first five, which is what has to be read to judge them alike.
"""

import argparse
import csv
import re
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tracer.cli.project import Project, Wishes, opened
from tracer.finding import Finder
from tracer.library import cache_folder
from tracer.model import Claim, Document, Source, Status
from tracer.nearness import readable
from tracer.statements import statements
from tracer.suggesting import Suggestion, suggest
from tracer.text import comparable

ROOT = Path(__file__).parent.parent
PAGES = Path(__file__).with_name("retrieval-pages.tsv")
SOURCE, ARTICLE = "k3-report", "article"
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


def finding(document: Document, source: Source, name: str) -> Way:
    """`tracer find`."""
    finder = Finder({name: document}, {name: source}, cache_folder())
    return lambda asked: [hit.passage.sheet for hit in finder.find(asked[0], context=asked[1], most=max(DEPTHS))]


def ways(document: Document, source: Source, name: str = SOURCE) -> dict[str, Way]:
    """The ways by name."""
    return {
        "FTS5 over pages": full_text([(page.text, page.sheet) for page in document.pages]),
        "FTS5 over three sentences": full_text(windows(document, 3)),
        "FTS5 over three, overlapping": full_text(windows(document, 1)),
        "tracer find": finding(document, source, name),
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
    parser.add_argument("--show", type=int, metavar="K")
    parser.add_argument("--pool", action="store_true")
    options = parser.parse_args()
    project = opened(ROOT, Wishes())
    source = project.ledger.sources[SOURCE]
    with project.library() as library:
        document = library.document(source)
        article = library.document(project.ledger.sources[ARTICLE])
    assert isinstance(document, Document), f"{SOURCE} is not in TRACER_SOURCES"
    others, every = right_pages(), ways(document, source)
    if options.pool:
        pool(options.claims, every)
        return
    print(f"{'':32}{'rows':>5}" + "".join(f"{f'top {depth}':>8}" for depth in DEPTHS) + "   one right page per row")
    for seed in ("S1", "S2"):
        for kind, asked in (("claim alone", alone), ("claim, stage, field", with_context)):
            table = [row for row in rows(options.claims, seed) if row["verdict"] != "unsupported"]
            print(f"\n{seed}, {kind}")
            for name, way in every.items():
                sheets = [way(asked(row)) for row in table]
                one = [{int(row["page"])} for row in table]
                right = [only | others.get(row["id"], set()) for only, row in zip(one, table, strict=True)]
                figures = "".join(f"{share:>7.0f}%" for share in shares(list(zip(sheets, right, strict=True))))
                strict = "".join(f"{share:>7.0f}%" for share in shares(list(zip(sheets, one, strict=True))))
                print(f"{name:32}{len(table):>5}{figures}  {strict}")
                if options.show and name == "tracer find":
                    missed(table, sheets, right, options.show)
    if isinstance(article, Document):
        ours = [claim for claim in project.ledger.claims if claim.made_in and claim.made_in.source == ARTICLE]
        of_article(ours, article, Finder({SOURCE: document}, project.ledger.sources, cache_folder()), options.claims)
    for name in (SOURCE, "qwen3-report"):
        of_ledger(project, name)
    answers(project)


def of_ledger(project: Project, name: str) -> None:
    """The same for the stated claims of the ledger about one source, of which the pages that they cite are right."""
    source = project.ledger.sources[name]
    with project.library() as library:
        document = library.document(source)
    if not isinstance(document, Document):
        return
    cited: dict[str, tuple[Asked, set[int]]] = {}
    for claim in project.ledger.claims:
        pages = {int(it.page) for it in claim.cite if it.source == name and (it.page or "").isdigit()}
        if pages and claim.status is Status.STATED and claim.made_in is None:
            stage = (claim.stage or "").replace("/", " ")
            cited[claim.id] = ((claim.text or "", f"{stage} {claim.field or ''}"), pages)
    print(f"\nthe ledger's claims from {name}, with stage and field")
    for title, way in ways(document, source, name).items():
        found = [(way(asked), pages) for asked, pages in cited.values()]
        print(f"{title:32}{len(found):>5}" + "".join(f"{share:>7.0f}%" for share in shares(found)))


def of_article(claims: Sequence[Claim], article: Document, finder: Finder, table: Path) -> None:
    """How often the statement in which the article makes a claim leads to a page that the audit cites for it."""
    said = {each.statement.text: each for each in suggest(statements(article), finder, most=max(DEPTHS))}
    ids = {comparable(row["quote"]): row["id"] for row in rows(table, "S1") if row["quote"]}
    others, found, unsupported = right_pages(), [], []
    for claim in claims:
        suggestion = made(claim, said)
        if suggestion is not None and not claim.cite:
            unsupported.append((claim.id, suggestion))
        elif suggestion is not None:
            right = {int(cited.page) for cited in claim.cite if cited.source == SOURCE and (cited.page or "").isdigit()}
            more = {page for cited in claim.cite for page in others.get(ids.get(comparable(cited.quote or ""), ""), ())}
            found.append(([hit.passage.sheet for hit in suggestion.hits], right | more))
    figures = "".join(f"{share:>7.0f}%" for share in shares(found))
    print(f"\nthe article\n{'tracer suggest':32}{len(found):>5}{figures}")
    for name, suggestion in unsupported:
        print(f"  {name}, unsupported: {suggestion.verdict}: {suggestion.statement.text[:70]}")


def made(claim: Claim, said: Mapping[str, Suggestion]) -> Suggestion | None:
    """The first statement that holds the words in which the article makes a claim, or that they hold."""
    quote = comparable(claim.made_in.quote or "") if claim.made_in else ""
    holding = (it for text, it in said.items() if quote in comparable(text))
    within = (it for text, it in said.items() if comparable(text) in quote)
    return next(holding, None) or next(within, None)


def answers(project: Project) -> None:
    """The median time of an answer over all sources at hand, read and indexed before: all of it, and the search."""
    wanted = [source for source in project.ledger.sources.values() if source.sha256]
    texts = ("nine expert policies", "the context grows from 8K to 64K", "a cosine learning rate schedule with warm-up")
    whole, alone = [], []
    for text in texts * 4:
        began = time.perf_counter()
        with project.library() as library:
            found = {name: it for name, it in library.documents(wanted) if isinstance(it, Document)}
        finder = Finder(found, project.ledger.sources, cache_folder())
        read = time.perf_counter()
        finder.find(text)
        finder.close()
        whole.append(time.perf_counter() - began)
        alone.append(time.perf_counter() - read)
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
