"""The commands that go from prose to sourced claims: find, add, suggest, import, unsourced."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tracer.cli.options import NoCache, Output, Sources, project_of

app = typer.Typer(rich_markup_mode=None)


class FindFormat(StrEnum):
    """The formats of passages."""

    TERMINAL = "terminal"
    YAML = "yaml"
    JSON = "json"


class SuggestFormat(StrEnum):
    """The formats of suggestions."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


class ImportFormat(StrEnum):
    """The formats that are taken over."""

    CSV = "csv"
    MARKDOWN = "markdown"
    BIBTEX = "bibtex"
    CSL = "csl"


In = Annotated[
    list[str] | None,
    typer.Option("--source", "-s", metavar="SOURCE", help="Look in this source only; may be given several times."),
]
Semantic = Annotated[
    bool,
    typer.Option("--semantic", help="Compare the meaning as well, by a small model; needs the extra `semantic`."),
]
Draft = Annotated[Path | None, typer.Option("--write", metavar="FILE", help="Write a draft ledger into this new file.")]


@app.command(short_help="Show where the sources say something.")
def find(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A statement, a quote or a few words.")],
    source: In = None,
    around: Annotated[
        str, typer.Option("--context", metavar="WORDS", help="What it is about, as its stage and field; counts half.")
    ] = "",
    semantic: Semantic = False,
    most: Annotated[int, typer.Option("--most", min=1, max=100, metavar="N", help="How many places are shown.")] = 5,
    form: Annotated[
        FindFormat, typer.Option("--format", "-f", help="How the result is written; yaml has the citations alone.")
    ] = FindFormat.TERMINAL,
    output: Output = None,
    sources: Sources = None,
    no_cache: NoCache = False,
) -> None:
    """Show where the sources say something: exact places first, then the passages that share its words and numbers.

    Each comes with a citation to paste, whose quote was looked up in its source. Exit code 1: nothing was found.
    """
    from tracer.cli import finding

    project = project_of(context, sources, no_cache=no_cache)
    asked = finding.Asked(sources=tuple(source or ()), context=around, is_semantic=semantic)
    raise typer.Exit(finding.find(project, text, asked, most=most, form=form, output=output))


@app.command(short_help="Write a claim into the ledger.")
def add(
    context: typer.Context,
    text: Annotated[str | None, typer.Option("--text", help="What is claimed, in a sentence.")] = None,
    stage: Annotated[str | None, typer.Option("--stage", help="The stage it is about, as pipeline/stage.")] = None,
    field: Annotated[str | None, typer.Option("--field", help="Which field of the stage it answers.")] = None,
    value: Annotated[str | None, typer.Option("--value", help="The value, as people write it.")] = None,
    unit: Annotated[str | None, typer.Option("--unit", help="The unit of the value.")] = None,
    status: Annotated[
        str | None, typer.Option("--status", help="stated (if left out), derived, concluded or not-stated.")
    ] = None,
    source: In = None,
    quote: Annotated[
        str | None, typer.Option("--quote", help="The words of the source that say so; - reads them from stdin.")
    ] = None,
    search: Annotated[
        str | None, typer.Option("--search", help="Words to search for instead; a passage of the best is cited.")
    ] = None,
    pick: Annotated[int, typer.Option(min=1, metavar="N", help="Which passage of --search is cited.")] = 1,
    because: Annotated[str | None, typer.Option("--because", help="The reason of a concluded claim.")] = None,
    leans_on: Annotated[
        list[str] | None, typer.Option("--leans-on", metavar="CLAIM", help="A claim that it rests on.")
    ] = None,
    term: Annotated[
        list[str] | None,
        typer.Option(
            "--term", help="What was looked for, of a claim that is not-stated; in all sources without --source."
        ),
    ] = None,
    note: Annotated[str | None, typer.Option("--note", help="A remark for people.")] = None,
    name: Annotated[str | None, typer.Option("--id", help="Its id; made of stage and field if left out.")] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="The ledger file; that with most claims of the stage if left out.")
    ] = None,
    as_is: Annotated[bool, typer.Option("--as-is", help="Write it even if its quote does not verify.")] = False,
    sources: Sources = None,
) -> None:
    """Write a claim into the ledger; the page and the section of its quote are found and filled in.

    On a terminal, what is missing is asked for. A quote that does not stand in a source is refused. The claim is put
    last in its file, in the style of that file; no other line changes.
    """
    from tracer.cli import adding

    wanted = adding.Wanted(
        text=text,
        stage=stage,
        field=field,
        value=value,
        unit=unit,
        status=status,
        id=name,
        sources=tuple(source or ()),
        quote=quote,
        search=search,
        pick=pick,
        because=because,
        leans_on=tuple(leans_on or ()),
        terms=tuple(term or ()),
        note=note,
        file=file,
        is_as_is=as_is,
    )
    adding.add(project_of(context, sources), wanted)


@app.command(short_help="Show what the sources say to an article.")
def suggest(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text, Markdown, HTML or PDF.")],
    source: In = None,
    semantic: Semantic = False,
    form: Annotated[
        SuggestFormat, typer.Option("--format", "-f", help="How the result is written.")
    ] = SuggestFormat.TERMINAL,
    output: Output = None,
    write: Draft = None,
    sources: Sources = None,
    no_cache: NoCache = False,
) -> None:
    """Cut an article into statements and show what the sources say to each: support, another number, or nothing.

    It compares words and numbers, no meaning: a person must read the passage. --semantic has a say in which passages
    come first, and in no verdict. --write makes a draft ledger in which no claim has a status yet, so that an audit
    flags each until someone gives it one.
    """
    from tracer.cli import suggesting
    from tracer.cli.finding import Asked

    project = project_of(context, sources, no_cache=no_cache)
    asked = Asked(sources=tuple(source or ()), is_semantic=semantic)
    suggesting.suggest(project, file, asked, form=form, output=output, draft=write)


@app.command(name="import", short_help="Take over claims and sources from other formats.")
def take_over(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, Markdown, BibTeX or CSL-JSON.")],
    form: Annotated[
        ImportFormat | None, typer.Option("--from", help="Its format; told by the ending of its name if left out.")
    ] = None,
    names: Annotated[
        str,
        typer.Option(
            "--map", metavar="A=B,…", help="Of a table: FIELD=COLUMN. Of Markdown: NAME=SOURCE for names in citations."
        ),
    ] = "",
    source: Annotated[
        str | None, typer.Option("--source", "-s", metavar="SOURCE", help="The source that is cited if none is named.")
    ] = None,
    write: Draft = None,
) -> None:
    """Take over claims from a table or from Markdown with citations, or sources from a bibliography, as a draft ledger.

    A Markdown citation is written [report, §4.1.3, p. 13]. What cannot be taken over is said line by line on stderr.

    Exit code 0: everything was taken over; 1: something was left behind.
    """
    from tracer.cli import importing

    project = project_of(context)
    raise typer.Exit(importing.take_over(project, file, form=form, names=names, source=source, draft=write))


@app.command(short_help="List sentences with numbers that no claim covers.")
def unsourced(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text, Markdown, HTML or PDF.")],
) -> None:
    """List the sentences of a text whose numbers no claim of the ledger covers.

    A claim covers what it quotes as made in the text, and the numbers that it states of the same things.

    Exit code 0: all are covered; 1: some are not.
    """
    from tracer.cli import unsourced as listing

    raise typer.Exit(listing.unsourced(project_of(context), file))
