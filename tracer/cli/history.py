"""A git revision to the ledger as it was then, and to its audit against the sources as they are now."""

import tempfile
from dataclasses import replace
from pathlib import Path

from tracer.cli.project import Project
from tracer.model import Ledger, Report
from tracer.repository import Repository


def earlier_report(project: Project, revision: str) -> Report:
    """The audit of the ledger at a revision; a Failure where git does not know it."""
    repository = Repository.around(project.settings.root)
    return project.report(ledger=earlier_ledger(project, repository, repository.commit(revision)))


def earlier_ledger(project: Project, repository: Repository, commit: str) -> Ledger:
    """The ledger at a commit, read from a folder that is gone afterwards."""
    from tracer.loading import load

    contents = repository.files(commit, project.ledger.folder)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        ledger = root / project.ledger.folder
        ledger.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        anywhere = (Path(root.anchor),)
        return load(replace(project.settings, root=root, ledger=ledger, allow=anywhere))
