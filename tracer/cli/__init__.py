"""Words of a shell to calls: one function per command, each of which imports what it needs when it runs."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tracer import __version__
from tracer.cli import prose
from tracer.cli.options import (
    CoverageFormat,
    CoverageList,
    DifferenceFormat,
    Format,
    Jobs,
    NoCache,
    Output,
    Pictures,
    ShowFormat,
    Sources,
    project_of,
)
from tracer.reports import Format as AuditFormat


class Words(TyperGroup):
    """The commands; what an option does not take is said without the name of an exception before it."""

    def invoke(self, ctx: Any) -> object:  # what typer calls its type differs from version to version
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    name="tracer",
    cls=Words,
    help="Checks claims about how models were trained against the reports they cite.",
    epilog="Exit codes: 0 clean, 1 findings, 2 cannot do that, 3 a bug in tracer.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"tracer {__version__}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    directory: Annotated[
        Path, typer.Option("-C", "--directory", metavar="DIR", help="Run as if started in this folder.")
    ] = Path(),
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Checks claims about how models were trained against the reports they cite."""
    if not directory.is_dir():
        raise typer.BadParameter(f"there is no folder {directory}", param_hint="--directory")
    context.obj = directory.resolve()


@app.command(short_help="Check claims against the bytes of their sources.")
def audit(
    context: typer.Context,
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WHAT",
            help="Files, folders, stages (kimi-k3/mopd), pipelines, claims or beginnings of ids; all if left out.",
        ),
    ] = None,
    form: Annotated[
        AuditFormat, typer.Option("--format", "-f", help="How the result is written.")
    ] = AuditFormat.TERMINAL,
    output: Output = None,
    strict: Annotated[bool, typer.Option("--strict", help="Unchecked claims fail the run, too.")] = False,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Fail only on findings that this earlier report has not.")
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what is found now as a baseline; it fails no run.")
    ] = None,
    changed_since: Annotated[
        str | None, typer.Option(metavar="REV", help="Only claims whose files or sources have changed since in git.")
    ] = None,
    sources: Sources = None,
    jobs: Jobs = None,
    no_cache: NoCache = False,
) -> None:
    """Check every claim against the bytes of its sources.

    The whole ledger is loaded; WHAT and --changed-since select what is reported. No file of the ledger is written, only
    the cache, what --output and --write-baseline name, and with --format github the summary of the job.

    Exit code 0: no error or warning stands; 1: some do; 2: nothing could be checked.
    """
    from tracer.cli import auditing

    project = project_of(context, sources, jobs=jobs, no_cache=no_cache)
    asked = auditing.Asked(
        what=tuple(what or ()), since=changed_since, baseline=baseline, write_baseline=write_baseline
    )
    raise typer.Exit(auditing.audit(project, asked, form=form, output=output, is_strict=strict))


@app.command(short_help="Show a claim with its evidence and its grounds.")
def show(
    context: typer.Context,
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="The id of a claim.")],
    used_by: Annotated[
        bool, typer.Option("--used-by", help="Show the claims that rest on this one instead of its grounds.")
    ] = False,
    form: Format = ShowFormat.TERMINAL,
    output: Output = None,
    sources: Sources = None,
    no_cache: NoCache = False,
) -> None:
    """Show one claim with the passages around its quotes and all that it rests on."""
    from tracer.cli import auditing

    project = project_of(context, sources, no_cache=no_cache)
    auditing.show(project, claim, is_used_by=used_by, form=form, output=output)


@app.command(short_help="Show which fields of which stage are answered.")
def coverage(
    context: typer.Context,
    pipelines: Annotated[
        list[str] | None, typer.Argument(metavar="PIPELINE", help="Ids of pipelines; all if left out.")
    ] = None,
    form: Annotated[
        CoverageFormat,
        typer.Option("--format", "-f", help="How the result is written; csv has a row per cell, or per change."),
    ] = CoverageFormat.TERMINAL,
    output: Output = None,
    listing: Annotated[
        CoverageList | None, typer.Option("--list", help="Show what is behind a number instead.")
    ] = None,
    requests: Annotated[
        bool, typer.Option("--requests", help="Write what is open as questions to the publisher, in Markdown.")
    ] = False,
    since: Annotated[
        str | None, typer.Option(metavar="REV", help="Show what has changed since a revision of git, too.")
    ] = None,
    made_in: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="Cover what this audited document says, not the record.")
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            min=0, max=100, metavar="PERCENT", help="Exit with 1 if less of the profiles' cells is answered, not blank."
        ),
    ] = None,
    sources: Sources = None,
    jobs: Jobs = None,
    no_cache: NoCache = False,
) -> None:
    """Show which fields of which stage are answered and how, and what of each source is cited.

    A profile lists the fields that a pipeline is asked for. A blank cell is one that no claim answers; `not stated` is
    an answer that was looked for.

    Exit code 0: shown; 1: less is answered than --fail-under asks for; 2: there is nothing to show.
    """
    from tracer.cli import covering

    project = project_of(context, sources, jobs=jobs, no_cache=no_cache)
    asked = covering.Asked(
        pipelines=tuple(pipelines or ()),
        listing=listing,
        is_letter=requests,
        since=since,
        made_in=made_in,
        fail_under=fail_under,
    )
    raise typer.Exit(covering.cover(project, asked, form=form, output=output))


@app.command(short_help="Say what a rule wants.")
def explain(
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="The name of a rule; all if left out.")] = None,
) -> None:
    """Say what a rule wants, with an example that it flags and one that it does not."""
    from tracer.cli import explaining

    explaining.explain(rule)


@app.command(short_help="Download pinned sources.")
def fetch(
    context: typer.Context,
    source: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOURCE", help="Ids of sources; all that are missing if left out."),
    ] = None,
) -> None:
    """Download pinned sources, and keep only what has the pinned sha256."""
    from tracer.cli import fetching

    raise typer.Exit(fetching.fetch(project_of(context), tuple(source or ())))


@app.command(short_help="Record the sha256 of a source.")
def pin(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The id of a source.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Its bytes; the `file` of the source if left out.")
    ] = None,
) -> None:
    """Record the sha256 of a source in the ledger; no other line of the file changes."""
    from tracer.cli import fetching

    fetching.pin(project_of(context), source, file)


@app.command(short_help="Carry claims over to a new revision of their source.")
def revise(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The id of a source.")],
    file: Annotated[Path, typer.Argument(metavar="NEWFILE", help="The file of its new revision.")],
    revision: Annotated[
        str | None,
        typer.Option("--revision", metavar="NAME", help="What the publisher calls it: a commit, v2, a date."),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the new pin and the accepted rows.")] = False,
    accept: Annotated[
        str | None,
        typer.Option(metavar="KINDS", help="What --apply writes: moved (if left out), reference-marks, typography."),
    ] = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", help="Show old and new side by side, ask for each row, then write.")
    ] = False,
    form: Format = ShowFormat.TERMINAL,
    output: Output = None,
    sources: Sources = None,
    no_cache: NoCache = False,
) -> None:
    """Say what a new revision of a source means for each claim: stands, moved, altered, gone; write it if asked to.

    Nothing is written without --apply or --interactive. Claims whose words were altered or are gone stay as they are.

    Exit code 0: nothing is left to do; 1: rows are left that a person must settle.
    """
    from tracer.cli import revising

    wanted = revising.Wanted(
        is_applied=apply, accept=accept, is_interactive=interactive, revision=revision, form=form, output=output
    )
    project = project_of(context, sources, no_cache=no_cache)
    raise typer.Exit(revising.revise(project, source, file, wanted))


@app.command(short_help="Show how a source file differs from an older one.")
def diff(
    context: typer.Context,
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The file of a source.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The file of another revision of it.")],
    form: Annotated[
        DifferenceFormat, typer.Option("--format", "-f", help="How the result is written.")
    ] = DifferenceFormat.TERMINAL,
    output: Output = None,
    no_cache: NoCache = False,
) -> None:
    """Show what was changed between two revisions of a source: sections, sentences with their numbers first, pages.

    No ledger is needed. Exit code 0: nothing differs; 1: something does, or a page cannot be compared.
    """
    from tracer.cli import differing

    raise typer.Exit(differing.diff(context.obj, old, new, form=form, output=output, is_cached=not no_cache))


@app.command(short_help="Show how a claim changed in git.")
def log(
    context: typer.Context,
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="The id of a claim.")],
    form: Format = ShowFormat.TERMINAL,
    output: Output = None,
) -> None:
    """Show when a claim's value, status and evidence changed in the git history of its file, renames followed.

    Exit code 0: each change of the value came with one of its evidence; 1: one did not.
    """
    from tracer.cli import logs

    raise typer.Exit(logs.log(project_of(context), claim, form=form, output=output))


@app.command(short_help="Make a site of the pipelines and their evidence.")
def site(
    context: typer.Context,
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the site.")],
    base_url: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="Where the site will stand, for canonical links.")
    ] = None,
    evidence: Annotated[
        Pictures, typer.Option("--evidence", help="Whether cited pages are shown whole, in strips, or not at all.")
    ] = Pictures.PAGE,
    sources: Sources = None,
    jobs: Jobs = None,
    no_cache: NoCache = False,
) -> None:
    """Make a static site of the whole ledger: the path of each pipeline, its stages, claims, sources and evidence.

    It works from a folder as well as from any server. Only files that changed are written; what an earlier run made and
    is gone is removed.
    """
    from tracer.cli import siting

    project = project_of(context, sources, jobs=jobs, no_cache=no_cache)
    siting.site(project, directory, base_url=base_url, evidence=evidence)


@app.command(short_help="Sign claims that you have read.")
def review(
    context: typer.Context,
    what: Annotated[list[str], typer.Argument(metavar="CLAIM", help="Claims by id, a stage, or a file of the ledger.")],
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who signs.")],
    yes: Annotated[
        bool, typer.Option("--yes", help="Where nobody can be asked: sign what is flagged or unchecked, too.")
    ] = False,
) -> None:
    """Sign claims that you have read; on a terminal each is shown first and you are asked."""
    from tracer.cli import reviewing

    raise typer.Exit(reviewing.review(project_of(context), tuple(what), by=by, is_sure=yes))


@app.command(short_help="Print the JSON Schema of ledger files.")
def schema() -> None:
    """Print the JSON Schema that makes an editor complete and check ledger files."""
    from tracer.cli import starting

    starting.schema()


@app.command(short_help="Write a small ledger to start from.")
def init(
    context: typer.Context,
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the project.")] = Path(),
) -> None:
    """Write a small commented ledger to start from; no file that is there is touched."""
    from tracer.cli import starting

    starting.init(context.obj, directory)


app.add_typer(prose.app)
