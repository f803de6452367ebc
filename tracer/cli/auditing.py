"""A project and what to audit of it to a report on stdout or in a file, and an exit code."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from tracer.cli import console
from tracer.cli.project import Project
from tracer.cli.selecting import selected
from tracer.model import Failure, Report, Severity, Unread, Verdict

CLEAN, FINDINGS, NOTHING = 0, 1, 2


def audit(project: Project, what: Sequence[str], *, form: StrEnum, output: Path | None, is_strict: bool) -> int:
    """Audits the ledger and reports the selected part; returns the exit code."""
    from tracer import reports
    from tracer.reports import terminal

    report = project.report() if not what else selected_report(project, what)
    if form == "terminal" and output is None:
        deliver(terminal.render(report, width=console.width(), colour=console.has_colour()), None)
    else:
        deliver(reports.render(form, report), output)
    return exit_code(report, is_strict=is_strict)


def selected_report(project: Project, what: Sequence[str]) -> Report:
    """The audit of what the words mean."""
    ledger = project.ledger
    selection = selected(ledger, what, project.settings.root, project.here)
    claims = {ledger.claims[index].id for index in selection.claims}
    return project.report(claims=claims, paths=selection.files)


def deliver(text: str, output: Path | None) -> None:
    """Puts a result where it was asked for."""
    if output is None:
        console.say(text)
    else:
        console.write(text, output)


def exit_code(report: Report, *, is_strict: bool) -> int:
    """How the run ends; one that checked nothing says why and never ends clean."""
    reason = why_nothing(report)
    if reason is not None:
        console.complain(f"nothing was checked: {reason}")
        return NOTHING
    unchecked = report.count(Verdict.UNCHECKED)
    return FINDINGS if has_findings(report) or (is_strict and unchecked) else CLEAN


def has_findings(report: Report) -> bool:
    """Whether an error or a warning stands."""
    return any(f.accepted is None and f.severity is not Severity.NOTE for f in report.findings)


def why_nothing(report: Report) -> str | None:
    """Why an audit checked nothing at all, or None where it checked something."""
    from tracer.reports.terminal import cited

    if not report.claims:
        return "no claim was selected" if report.ledger.claims else f"{report.ledger.folder} holds no claim"
    if has_findings(report) or report.count(Verdict.UNCHECKED) < len(report.claims):
        return None
    unread = [source for source, document in cited(report).items() if isinstance(document, Unread)]
    if not unread:
        return "every claim is unchecked, for the reasons above"
    return f"every claim is unchecked, for {' and '.join(unread)} could not be read; the report says how to get it"


def show(project: Project, claim_id: str, *, is_used_by: bool, form: StrEnum, output: Path | None) -> None:
    """Prints one claim with its evidence and the claims that it rests on, or that rest on it."""
    from tracer.reports import grounds
    from tracer.reports import show as showing

    if all(claim.id != claim_id for claim in project.ledger.claims):
        raise Failure(no_claim(project, claim_id))
    report = project.texts(project.report(), claim_id)
    tree = grounds.used_by(report, claim_id) if is_used_by else grounds.rests_on(report, claim_id)
    if form == "json":
        deliver(showing.as_json(report, claim_id, tree), output)
    elif output is not None:
        deliver(showing.render(report, claim_id, tree), output)
    else:
        deliver(showing.render(report, claim_id, tree, width=console.width(), colour=console.has_colour()), None)


def no_claim(project: Project, claim_id: str) -> str:
    """The sentence for an id that no claim has."""
    from tracer.spelling import did_you_mean

    hint = did_you_mean(claim_id, [claim.id for claim in project.ledger.claims])
    return f"there is no claim {claim_id}: {hint or '`tracer audit` lists the claims that do not stand'}"
