"""Pipelines and what to show of their coverage to a report on stdout or in a file, and an exit code."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.cli import console
from tracer.cli.console import CLEAN, FINDINGS, deliver
from tracer.cli.project import Project
from tracer.model import Claim, Failure, Ledger, Report

if TYPE_CHECKING:
    from tracer.coverage import Coverage
    from tracer.coverage_changes import Changes
    from tracer.reports.coverage_tables import Table

TERMINAL, MARKDOWN = "terminal", "markdown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be shown: everything, one list, the letter to the publisher, or what has changed since a revision.

    `made_in` covers what an audited document says instead of the record; `fail_under` is a percentage.
    """

    pipelines: tuple[str, ...] = ()
    listing: str | None = None
    is_letter: bool = False
    since: str | None = None
    made_in: str | None = None
    fail_under: float | None = None


def cover(project: Project, asked: Asked, *, form: StrEnum, output: Path | None) -> int:
    """Shows the coverage of the pipelines; returns the exit code."""
    refuse(project.ledger, asked, form)
    coverage = covered(project.report(), asked)
    if asked.is_letter:
        from tracer.reports import coverage_requests

        deliver(coverage_requests.render(coverage), output)
    elif asked.listing is not None:
        from tracer.reports import coverage_tables

        deliver_table(coverage_tables.listing(coverage, asked.listing), form, output)
    else:
        deliver_all(coverage, changed_since(project, coverage, asked), form, output)
    return CLEAN if is_enough(coverage, asked.fail_under) else FINDINGS


def refuse(ledger: Ledger, asked: Asked, form: StrEnum) -> None:
    """A Failure for words that name nothing, and for wishes that exclude each other."""
    from tracer.spelling import did_you_mean

    if not ledger.pipelines:
        raise Failure(f"{ledger.folder} holds no pipeline: write one under `pipelines:`, with its stages")
    for name in asked.pipelines:
        if name not in ledger.pipelines:
            hint = did_you_mean(name, list(ledger.pipelines)) or f"it has {', '.join(ledger.pipelines)}"
            raise Failure(f"the ledger has no pipeline {name}: {hint}")
    if asked.made_in is not None and asked.made_in not in ledger.sources:
        hint = did_you_mean(asked.made_in, list(ledger.sources)) or "name the source that `made-in` names"
        raise Failure(f"the ledger has no source {asked.made_in}: {hint}")
    if asked.made_in is not None and not any(made_in(claim) == asked.made_in for claim in ledger.claims):
        raise Failure(f"no claim of the ledger is made in {asked.made_in}: nothing is there to cover")
    if sum((asked.listing is not None, asked.is_letter, asked.since is not None)) > 1:
        raise Failure("--list, --requests and --since show different things: give one of them")
    if asked.is_letter and form not in (TERMINAL, MARKDOWN):
        raise Failure(f"--requests writes Markdown: leave --format {form} out")


def made_in(claim: Claim) -> str | None:
    """The audited document that makes a claim."""
    return claim.made_in.source if claim.made_in else None


def covered(report: Report, asked: Asked) -> "Coverage":
    """The coverage by a report; a pipeline that its ledger does not have is left out."""
    from tracer import coverage, profiles

    known = report.ledger.pipelines
    names = [name for name in (asked.pipelines or known) if name in known]
    return coverage.cover(report, profiles.known(report.ledger), pipelines=unique(names), made_in=asked.made_in)


def unique(names: Sequence[str]) -> Sequence[str]:
    """Names, each once."""
    return tuple(dict.fromkeys(names))


def changed_since(project: Project, coverage: "Coverage", asked: Asked) -> "Changes | None":
    """What has changed since a revision, where one is named."""
    if asked.since is None:
        return None
    from tracer.cli.history import earlier_report
    from tracer.coverage_changes import changes

    return changes(covered(earlier_report(project, asked.since), asked), coverage)


def deliver_all(coverage: "Coverage", changed: "Changes | None", form: StrEnum, output: Path | None) -> None:
    """Puts the whole coverage where it was asked for."""
    from tracer.reports import coverage as reporting
    from tracer.reports import coverage_terminal

    if form == TERMINAL:
        text = coverage_terminal.render(coverage, changed, **console.look(output))
    else:
        text = reporting.render(form, coverage, changed)
    deliver(text, output)


def deliver_table(table: "Table", form: StrEnum, output: Path | None) -> None:
    """Puts one list where it was asked for."""
    from tracer.reports import coverage as reporting
    from tracer.reports import coverage_terminal

    if form == TERMINAL:
        text = coverage_terminal.render_table(table, **console.look(output))
    else:
        text = reporting.render_table(form, table)
    deliver(text, output)


def is_enough(coverage: "Coverage", fail_under: float | None) -> bool:
    """Whether the share of the profiles' cells that are answered reaches a percentage; too few are said on stderr."""
    from tracer.coverage import tally
    from tracer.reports.coverage_tables import share

    if fail_under is None:
        return True
    total = tally(coverage.cells)
    if not total.asked:
        raise Failure("--fail-under measures against a profile: write `profile: llm-training` in the pipeline")
    if total.answered * 100 >= fail_under * total.asked:
        return True
    answered = share(total.answered, total.asked)
    console.complain(f"answered, not blank, are {answered} of the cells that profiles ask for, below {fail_under:g} %")
    return False
