"""The id of a claim to its history in git on stdout or in a file."""

from enum import StrEnum
from pathlib import Path

from tracer.cli import console
from tracer.cli.auditing import no_claim
from tracer.cli.console import CLEAN, FINDINGS, deliver
from tracer.cli.project import Project
from tracer.model import Failure


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
    else:
        deliver(report.render(claim_id, entries, **console.look(output)), output)
    return FINDINGS if any(entry.is_flagged for entry in entries) else CLEAN
