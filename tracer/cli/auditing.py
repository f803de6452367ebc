"""A project and what to audit of it to a report on stdout or in a file, and an exit code."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tracer.cli import console
from tracer.cli.console import CLEAN, FINDINGS, NOTHING, deliver
from tracer.cli.project import Project
from tracer.cli.selecting import Selection, selected
from tracer.model import Failure, Report, Severity, Unread, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What to audit, by words and since a git revision, and the earlier reports to hold it against and to write."""

    what: Sequence[str] = ()
    since: str | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the whole ledger is asked for."""
        return not self.what and self.since is None


def audit(project: Project, asked: Asked, *, form: StrEnum, output: Path | None, is_strict: bool) -> int:
    """Audits the ledger and reports the selected part; returns the exit code."""
    report = compared_report(project, asked)
    deliver_report(project, report, form=form, output=output)
    for path in unreported(report):
        console.complain(f"{path} could not be read whole, and is left out here: `tracer audit` says why")
    return exit_code(report, is_strict=is_strict, since=asked.since)


def compared_report(project: Project, asked: Asked) -> Report:
    """The audit of what is asked for, held against the baseline that is given, or against the one that is written."""
    from tracer.cli import comparing

    if asked.write_baseline is not None and not asked.is_whole:
        raise Failure("a baseline holds the whole ledger: leave out --write-baseline, or what selects a part")
    earlier = comparing.baseline(project.here, asked.baseline) if asked.baseline else None
    found = project.report() if asked.is_whole else selected_report(project, asked)
    report = found
    if earlier is not None and asked.baseline:
        report = comparing.held_against(found, earlier, asked.baseline, is_whole=asked.is_whole)
    if asked.write_baseline:
        written = comparing.write(found, project.here, asked.write_baseline)
        report = comparing.held_against(found, written, asked.write_baseline, is_whole=True)
    return report


def deliver_report(project: Project, report: Report, *, form: StrEnum, output: Path | None) -> None:
    """Puts a report where it was asked for; on GitHub the job's page gets a summary as well."""
    from tracer import reports
    from tracer.cli import repositories
    from tracer.reports import terminal

    if form == "terminal":
        text = terminal.render(report, **console.look(output))
    else:
        text = reports.render(form, report, folder=repositories.way_to(project.settings.root))
    deliver(text, output)
    if form == "github":
        repositories.summarize(report)


def selected_report(project: Project, asked: Asked) -> Report:
    """The audit of what is asked for."""
    ledger = project.ledger
    selection = selection_of(project, asked)
    claims = {ledger.claims[index].id for index in selection.claims}
    return project.report(claims=claims, paths=selection.files)


def selection_of(project: Project, asked: Asked) -> Selection:
    """What the words mean, what has changed, or what is both."""
    from tracer.cli import changing

    named = selected(project.ledger, asked.what, project.settings.root, project.here)
    if asked.since is None:
        return named
    changed = changing.changed(project, asked.since)
    return named & changed if asked.what else changed


def unreported(report: Report) -> Iterator[str]:
    """The files of the ledger that could not be read to their end, and of which a selection says nothing."""
    told = {finding.problem.at.path for finding in report.findings if finding.problem.claim is None}
    return (path for path in report.ledger.incomplete if path not in told)


def exit_code(report: Report, *, is_strict: bool, since: str | None = None) -> int:
    """How the run ends; one that checked nothing says why and never ends clean."""
    reason = why_nothing(report, since)
    if reason is not None:
        console.complain(f"nothing was checked: {reason}")
        return NOTHING
    unchecked = report.count(Verdict.UNCHECKED)
    return FINDINGS if has_findings(report) or (is_strict and unchecked) else CLEAN


def has_findings(report: Report) -> bool:
    """Whether an error or a warning stands that no baseline has."""
    return any(f.accepted is None and not f.known and f.severity is not Severity.NOTE for f in report.findings)


def why_nothing(report: Report, since: str | None) -> str | None:
    """Why an audit checked nothing at all and found nothing, or None where it did."""
    from tracer.reports.terminal import cited

    if has_findings(report):
        return None
    if not report.claims:
        if not report.ledger.claims:
            return f"{report.ledger.folder} holds no claim"
        return f"no claim that was asked for has changed since {since}" if since else "no claim was selected"
    if report.count(Verdict.UNCHECKED) < len(report.claims):
        return None
    unread = [source for source, document in cited(report).items() if isinstance(document, Unread)]
    if not unread:
        return "every claim is unchecked, for the reasons above"
    return f"every claim is unchecked, for {' and '.join(unread)} could not be read; the report says how to get it"


def show(project: Project, claim_id: str, *, is_used_by: bool, form: StrEnum, output: Path | None) -> None:
    """Prints one claim with its evidence and the claims that it rests on, or that rest on it.

    A stage, a pipeline, a file or the beginning of ids is answered with the list of its claims.
    """
    from tracer.reports import grounds
    from tracer.reports import show as showing

    if all(claim.id != claim_id for claim in project.ledger.claims):
        several = selected(project.ledger, [claim_id], project.settings.root, project.here)
        if is_used_by or form == "json":
            raise Failure(f"{claim_id} is no claim: name one of its claims, which `tracer show {claim_id}` lists")
        names = {project.ledger.claims[index].id for index in several.claims}
        deliver(showing.listed(project.report(claims=names), **console.look(output)), output)
        return
    report = project.texts(project.report(), claim_id)
    tree = grounds.used_by(report, claim_id) if is_used_by else grounds.rests_on(report, claim_id)
    if form == "json":
        deliver(showing.as_json(report, claim_id, tree), output)
    else:
        deliver(showing.render(report, claim_id, tree, **console.look(output)), output)


def no_claim(project: Project, claim_id: str) -> str:
    """The sentence for an id that no claim has."""
    from tracer.spelling import did_you_mean

    hint = did_you_mean(claim_id, [claim.id for claim in project.ledger.claims])
    return f"there is no claim {claim_id}: {hint or '`tracer audit` lists the claims that do not stand'}"
