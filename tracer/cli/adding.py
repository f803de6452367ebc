"""Flags, or answers on a terminal, to a claim with its citation in the right file of the ledger."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tracer.cli import console, finding
from tracer.cli.project import Project
from tracer.cli.selecting import ledger_path, stages
from tracer.model import Citation, Claim, Failure, Status

if TYPE_CHECKING:
    from tracer.appending import Node, Record
    from tracer.finding import Finder, Hit

FROM_STDIN = "-"
SHOWN = 5
NEEDS_EVIDENCE = (Status.STATED,)
NEEDED: Mapping[Status, tuple[tuple[str, ...], ...]] = MappingProxyType(
    {
        Status.STATED: (("cite",),),
        Status.DERIVED: (("formula",), ("inputs", "cite")),
        Status.CONCLUDED: (("because",), ("leans-on", "cite")),
        Status.NOT_STATED: (("searched",),),
    }
)
"""The fields that a claim of each status needs; of several together, one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A claim as it was typed; `search` asks for a passage instead of a `quote`, of which the `pick`ed one is cited."""

    text: str | None = None
    stage: str | None = None
    field: str | None = None
    value: str | None = None
    unit: str | None = None
    status: str | None = None
    id: str | None = None
    sources: tuple[str, ...] = ()
    quote: str | None = None
    search: str | None = None
    pick: int = 1
    because: str | None = None
    leans_on: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    note: str | None = None
    file: Path | None = None
    is_as_is: bool = False


def add(project: Project, wanted: Wanted) -> None:
    """Writes a claim, and says where, with the page, the section and the tier of its quote, and what it still needs."""
    from tracer.wording import listed

    wanted = completed(wanted)
    refuse(project, wanted)
    citation, said = evidence(project, wanted)
    record = record_of(project, wanted, citation)
    path = path_of(project, wanted)
    line = write(project, path, record)
    console.say(f"wrote {record['id']} to {path}\n")
    if said:
        console.say(f"{said}\n")
    for doubt in doubts(wanted, citation):
        console.complain(doubt)
    if lacks := lacking(record):
        console.complain(f"a {record['status']} claim needs {listed(lacks)} too: write that by hand at {path}:{line}")
    console.say(f"next: tracer show {record['id']}\n")


# --- what is wanted -------------------------------------------------------------------------------------------------


def completed(wanted: Wanted) -> Wanted:
    """What was typed, with what stdin holds in place of `-`, and what is missing asked for on a terminal."""
    if wanted.quote == FROM_STDIN:
        wanted = replace(wanted, quote=" ".join(sys.stdin.read().split()))
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        return wanted
    text = wanted.text or asked("what is claimed, in a sentence: ")
    stage = wanted.stage or asked("of which stage (pipeline/stage): ")
    field = wanted.field or asked("which field does it answer (may be left blank): ")
    status = wanted.status or asked(f"status ({', '.join(Status)}; stated if left blank): ") or Status.STATED
    wanted = replace(wanted, text=text, stage=stage, field=field, status=status)
    if status in NEEDS_EVIDENCE and not wanted.quote and not wanted.search:
        quote = asked("the words of the source (left blank, they are searched for): ")
        wanted = replace(wanted, quote=quote or None, search=None if quote else text)
    return wanted


def asked(question: str) -> str:
    """An answer on the terminal; the end of input ends the run."""
    console.say(question)
    line = sys.stdin.readline()
    if not line:
        raise Failure("the input has ended: nothing was written")
    return line.strip()


def refuse(project: Project, wanted: Wanted) -> None:
    """A Failure for what cannot be a claim of this ledger."""
    from tracer.spelling import did_you_mean

    if not wanted.text:
        raise Failure("--text is missing: write what is claimed, in a sentence")
    if wanted.status and wanted.status not in set(Status):
        hint = did_you_mean(wanted.status, list(Status)) or f"use {', '.join(Status)}"
        raise Failure(f"--status {wanted.status} is no status: {hint}")
    if wanted.stage and wanted.stage not in stages(project.ledger) and not wanted.is_as_is:
        hint = did_you_mean(wanted.stage, sorted(stages(project.ledger))) or "write it as pipeline/stage"
        raise Failure(f"the ledger has no stage {wanted.stage}: {hint}")
    if wanted.id and any(claim.id == wanted.id for claim in project.ledger.claims):
        raise Failure(f"the ledger has a claim {wanted.id} already: leave --id out, or write another")
    if wanted.quote and wanted.is_as_is and len(wanted.sources) != 1:
        raise Failure("--as-is writes a quote that may stand nowhere: name the one --source that it is from")
    if wanted.quote and wanted.search:
        raise Failure("--quote and --search both say what is cited: give one of them")


# --- its evidence -----------------------------------------------------------------------------------------------------


def evidence(project: Project, wanted: Wanted) -> tuple[Citation | None, str]:
    """The citation of the quote, or of the passage that was searched for, and where it was found in words."""
    from tracer.reports.passages import place_words

    if not wanted.quote and not wanted.search:
        if (wanted.status or Status.STATED) in NEEDS_EVIDENCE and not wanted.is_as_is:
            raise Failure("a stated claim cites a source: give --quote, or --search for a passage")
        return None, ""
    if wanted.quote and wanted.is_as_is:
        return as_it_is(project, wanted)
    with finding.finder(project, wanted.sources) as found_in:
        hit = searched(found_in, wanted) if wanted.search else quoted(found_in, wanted)
    assert hit.citation is not None, "a passage without a quote is no evidence"  # noqa: S101 -- it tells the type checker
    how = f", {hit.tier}" if hit.tier else f': "{hit.citation.quote}"'
    return hit.citation, f"found: {place_words(hit)}{how}"


def as_it_is(project: Project, wanted: Wanted) -> tuple[Citation, str]:
    """The citation of a quote whether it stands in its source or not; its place only where it does."""
    name = project.source(wanted.sources[0]).id
    try:
        with finding.finder(project, wanted.sources) as found_in:
            hit = quoted(found_in, wanted)
    except Failure as failure:
        return Citation(source=name, quote=wanted.quote), f"written as it is: {failure}"
    return hit.citation or Citation(source=name, quote=wanted.quote), "found"


def quoted(found_in: "Finder", wanted: Wanted) -> "Hit":
    """The one place where a quote stands and verifies; Failure where there is none, or where several are."""
    from tracer.reports.passages import place_words
    from tracer.wording import flowing

    hits = [hit for hit in found_in.find(wanted.quote or "", most=SHOWN) if hit.tier]
    if not hits:
        near = next(iter(found_in.find(wanted.quote or "", most=1)), None)
        hint = f"; nearest is {place_words(near)}: {flowing(near.passage.text)}" if near else ""
        raise Failure(f"the quote is in no source that was searched: correct it, or write it --as-is{hint}")
    quote = " ".join((wanted.quote or "").split())
    whole = [replace(hit, citation=replace(hit.citation, quote=quote)) for hit in hits if hit.citation]
    standing = [hit for hit in whole if hit.citation and found_in.verifies(hit.citation)]
    if not standing:
        raise Failure(f"the quote is at {place_words(hits[0])}, but cut or too unclear to verify: quote more of it")
    if len({hit.source for hit in standing}) > 1:
        names = ", ".join(sorted({hit.source for hit in standing}))
        raise Failure(f"the quote is in several sources ({names}): say which with --source")
    return standing[0]


def searched(found_in: "Finder", wanted: Wanted) -> "Hit":
    """The picked one of the passages for a search; on a terminal they are shown and one is asked for."""
    from tracer.reports import passages

    context = f"{(wanted.stage or '').partition('/')[2]} {wanted.field or ''}"
    hits = [hit for hit in found_in.find(wanted.search or "", context=context, most=SHOWN) if hit.citation]
    if not hits:
        raise Failure(f"no source says `{wanted.search}`: search in other words, or give a --quote")
    pick = wanted.pick
    if sys.stdin.isatty() and sys.stdout.isatty():
        console.say(passages.render(hits, width=console.width(), colour=console.has_colour()))
        pick = int(answer) if (answer := asked(f"which one [1-{len(hits)}]: ")).isdecimal() else 0
    if not 1 <= pick <= len(hits):
        raise Failure(f"there are {len(hits)} passages: pick one of them")
    return hits[pick - 1]


def doubts(wanted: Wanted, citation: Citation | None) -> Iterator[str]:
    """What the audit will say of a claim whose quote stands, said at once."""
    from tracer.quantities import numbers_missing, states

    quote = citation.quote if citation else None
    if not quote:
        return
    if wanted.value and not states(wanted.value, quote, wanted.unit):
        yield f"the quote does not hold the value {wanted.value}: quote the words that do"
    missing = [number.text for number in numbers_missing(wanted.text or "", [quote])]
    if missing:
        yield f"the quote does not hold {', '.join(missing)}, which the text says"


def lacking(record: "Record") -> tuple[str, ...]:
    """The fields that a claim of its status needs and that were not given."""
    needed = NEEDED[Status(str(record["status"]))]
    return tuple(f"`{names[0]}`" for names in needed if not any(name in record for name in names))


# --- the record -------------------------------------------------------------------------------------------------------


def record_of(project: Project, wanted: Wanted, citation: Citation | None) -> "Record":
    """The claim as it is written."""
    from tracer.quoting import record

    plain = ("stage", "field", "text", "value", "unit")
    made: dict[str, Node] = {"id": wanted.id or new_id(project, wanted)}
    made |= {name: value for name in plain if (value := getattr(wanted, name))}
    made["status"] = wanted.status or str(Status.STATED)
    if citation is not None:
        made["cite"] = [record(citation)]
    if wanted.because:
        made["because"] = wanted.because
    if wanted.leans_on:
        made["leans-on"] = list(wanted.leans_on)
    if wanted.terms:
        made["searched"] = [{"source": name, "terms": list(wanted.terms)} for name in looked_in(project, wanted)]
    if wanted.note:
        made["note"] = wanted.note
    return made


def looked_in(project: Project, wanted: Wanted) -> list[str]:
    """The sources in which the terms are looked for: those that are named, else all that are evidence."""
    names = [source.id for source in finding.searched(project, wanted.sources)]
    if not names:
        raise Failure("the ledger has no source to look for the terms in: write one under `sources` first")
    return names


def new_id(project: Project, wanted: Wanted) -> str:
    """An id like those of the stage's other claims: their common beginning and the field, or the first words."""
    from tracer.exchange.drafts import slug, unique

    ids = [claim.id.rpartition(".")[0] for claim in of_stage(project, wanted.stage)]
    beginning = Counter(ids).most_common(1)[0][0] if ids else (wanted.stage or "").replace("/", ".")
    words = wanted.field or " ".join((wanted.text or "").split()[:4])
    return unique(".".join(filter(None, (beginning, slug(words)))), {claim.id for claim in project.ledger.claims})


def of_stage(project: Project, stage: str | None) -> Sequence[Claim]:
    """The claims of the record about a stage; what an audited document says of it is left out."""
    return [claim for claim in project.ledger.claims if stage and claim.stage == stage and claim.made_in is None]


def of_pipeline(project: Project, stage: str | None) -> Sequence[Claim]:
    """The claims of the record about any stage of a stage's pipeline."""
    pipeline = (stage or "").partition("/")[0]
    claims = (claim for claim in project.ledger.claims if claim.stage and claim.made_in is None)
    return [claim for claim in claims if pipeline and (claim.stage or "").partition("/")[0] == pipeline]


def path_of(project: Project, wanted: Wanted) -> str:
    """The file that a claim goes into: the one that is named, else where most claims of its stage or pipeline stand.

    The first claim of a pipeline goes into the file that declares it.
    """
    if wanted.file is not None:
        path = ledger_path(str(wanted.file), project.settings.root, project.here)
        inside = f"{project.ledger.folder}/"
        if path is None or not path.startswith(inside) or not path.endswith((".yaml", ".yml")):
            raise Failure(f"{wanted.file} is no file of the ledger: name a .yaml file below {inside}")
        return path
    paths = Counter(
        claim.places.path for claim in of_stage(project, wanted.stage) or of_pipeline(project, wanted.stage)
    )
    pipeline = project.ledger.pipelines.get((wanted.stage or "").partition("/")[0])
    if not paths and pipeline is not None:
        return pipeline.places.path
    if not paths:
        raise Failure("nothing says which file the claim belongs into: name one with --file")
    return paths.most_common(1)[0][0]


def write(project: Project, path: str, record: "Record") -> int:
    """Puts a claim last in a file, if the file still is as it was when the ledger was loaded; returns its line."""
    from tracer import editing, mistakes, yamlfile
    from tracer.appending import appended, plain
    from tracer.written import Written

    file = project.settings.root / path
    wrong = mistakes.in_record("claims", Written(value=plain(record), path=path))
    if wrong:
        raise Failure(f"{wrong[0].message}: {wrong[0].hint or 'correct it'}")
    before = file.read_bytes() if file.is_file() else b""
    data = appended(before, record, path)
    editing.write(file, data, project.versions.get(path), inside=project.settings.root)
    claims = [each for name, each in yamlfile.read(data, path).records.items() if name.startswith("claims.")]
    return claims[-1].places.of("").line
