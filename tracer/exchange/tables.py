"""A CSV table with any columns to draft claims, by a map from the fields of a claim to the columns."""

import csv
import io
import shlex
from collections.abc import Iterator, Mapping, Sequence

from tracer.appending import Node, Record
from tracer.exchange import Imported, Left
from tracer.exchange.drafts import AS_PRINTED, is_page, slug, unique
from tracer.model import Failure, Status
from tracer.spelling import did_you_mean
from tracer.wording import listed

OF_CLAIMS = ("id", "text", "stage", "field", "value", "unit", "status", "note")
OF_CITATIONS = ("source", "section", "page", "sheet", "at", "lines", "quote")
FIELDS = (*OF_CLAIMS, *OF_CITATIONS)
STATUSES = frozenset(status.value for status in Status)
BLANKS = frozenset({"", "-", "–", "—", "n/a", "na", "none", "null"})


def mapping(words: str) -> dict[str, str]:
    """`text=claim,page=Page` as field -> column; what is no field of a claim or a citation is a Failure."""
    pairs = [pair.partition("=") for pair in words.split(",") if pair.strip()]
    named = {field.strip(): column.strip() for field, _, column in pairs}
    for field, column in named.items():
        if field not in FIELDS:
            raise Failure(f"--map {field} is no field of a claim: {did_you_mean(field, FIELDS) or ', '.join(FIELDS)}")
        if not column:
            raise Failure(f"--map {field} names no column: write {field}=COLUMN")
    return named


def read(
    text: str, columns: Mapping[str, str], *, source: str | None = None, known: Sequence[str] = (), name: str = "import"
) -> Imported:
    """The rows of a table as claims; `source` is cited where no column names one, `known` are the ledger's sources."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    if delimiter == "\t":  # a table with tabs takes quotation marks as they are
        reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, quoting=csv.QUOTE_NONE)
    header = tuple(reader.fieldnames or ())
    fields = _fields(header, columns)
    claims: list[Record] = []
    left: list[Left] = [
        Left(line=1, reason=f"the column {it} is not mapped") for it in header if it not in fields.values()
    ]
    taken: set[str] = set()
    for row in reader:
        cells = {field: (row.get(column) or "").strip() for field, column in fields.items()}
        cells["status"] = "-".join(cells.get("status", "").split())
        filled = {field: cell for field, cell in cells.items() if cell.lower() not in BLANKS}
        left += [Left(line=reader.line_num, reason=reason) for reason in _faults(filled, fields, source, known)]
        if "text" in filled or "quote" in filled:
            claims.append(_claim(filled, source, name, taken))
    return Imported(claims=tuple(claims), left=tuple(left))


def _fields(header: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Field -> column: those that are mapped, and those whose name is that of a field."""
    missing = next((column for column in columns.values() if column not in header), None)
    if missing is not None:
        hint = did_you_mean(missing, header) or f"it has {', '.join(header)}"
        raise Failure(f"the table has no column {missing}: {hint}")
    same = {column.casefold(): column for column in header if column.casefold() in FIELDS}
    fields = {**same, **columns}
    if "text" not in fields and "quote" not in fields:
        raise Failure(_without_text(header))
    return fields


def _without_text(header: Sequence[str]) -> str:
    """What is said of a table of which no column is known to be the text, with a map that would do."""
    if not header:
        return "no column is the text of a claim: the table is empty"
    pairs = ",".join(f"{field}={column}" for field, column in zip(("text", "note"), header, strict=False))
    example = f"--map {shlex.quote(pairs)}"
    return f"no column is the text of a claim: the table has {listed(header)}; write for example {example}"


def _faults(
    cells: Mapping[str, str], columns: Mapping[str, str], source: str | None, known: Sequence[str]
) -> Iterator[str]:
    """What of a row cannot be taken over, or is taken over and will be flagged."""
    if "text" not in cells and "quote" not in cells:
        yield "the row has no text"
        return
    if "status" in cells and cells["status"] not in STATUSES:
        yield f"`{cells['status']}` is no status and is left out"
    if "page" in cells and not is_page(cells["page"]):
        yield f"`{cells['page']}` in the column {columns['page']} is no page: {AS_PRINTED}"
    cited = cells.get("source", source)
    if cited is None and any(field in cells for field in OF_CITATIONS):
        yield "its page or quote is left out, for no source is named: use --source"
    elif cited is not None and known and cited not in known:
        yield f"the ledger has no source {cited}"


def _claim(cells: Mapping[str, str], source: str | None, name: str, taken: set[str]) -> Record:
    made = unique(cells.get("id") or f"{slug(name)}.{slug(cells.get('field') or cells.get('text', ''))}", taken)
    taken.add(made)
    record: dict[str, Node] = {"id": "-".join(made.split())}
    record |= {field: cells[field] for field in OF_CLAIMS[1:] if field in cells and field not in ("status", "note")}
    if cells.get("status") in STATUSES:
        record["note"] = "; ".join(filter(None, (f"status in the table: {cells['status']}", cells.get("note"))))
    elif "note" in cells:
        record["note"] = cells["note"]
    citation = {field: cells[field] for field in OF_CITATIONS if field in cells}
    cited = citation.get("source", source)
    if cited is not None and (citation or source):
        record["cite"] = [{**citation, "source": cited} if "source" in citation else {"source": cited, **citation}]
    return record
