"""The id of a claim to its history in git on stdout or in a file."""

from enum import StrEnum
from pathlib import Path

from tracer.cli import console
from tracer.cli.auditing import deliver, no_claim
from tracer.cli.project import Project
from tracer.model import Failure

CLEAN, FLAGGED = 0, 1


def log(project: Project, claim_id: str, *, form: StrEnum, output: Path | None) -> int:
    """Shows every change of a claim; returns the exit code."""
    from tracer.history import history
    from tracer.reports import history as report

    ledger = project.ledger
    claim = next((claim for claim in ledger.claims if claim.id == claim_id), None)
    if claim is None:
        raise Failure(no_claim(project, claim_id))
    paths = {claim.id: claim.places.path for claim in ledger.claims}
    entries = history(claim, project.settings.root, ledger.folder, paths)
    if form == "json":
        deliver(report.as_json(claim_id, entries), output)
    elif output is not None:
        deliver(report.render(claim_id, entries), output)
    else:
        deliver(report.render(claim_id, entries, width=console.width(), colour=console.has_colour()), None)
    return FLAGGED if any(entry.is_flagged for entry in entries) else CLEAN
