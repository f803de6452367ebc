"""The repository around a project to what its readers need: the way to the project, and the summary of a job."""

import os
from pathlib import Path

from tracer.cli import console
from tracer.model import Report

WORKSPACE, SUMMARY = "GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY"


def way_to(root: Path) -> str:
    """The way from the root of the repository to the project, ended by `/`; empty where they are one."""
    root = root.resolve()
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    workspace = os.environ.get(WORKSPACE)
    if top is None and workspace and root.is_relative_to(Path(workspace).resolve()):
        top = Path(workspace).resolve()
    return "" if top in (None, root) else f"{root.relative_to(top).as_posix()}/"


def summarize(report: Report) -> None:
    """Adds a summary to the page of the job that this runs in, if it runs in one."""
    from tracer.reports import github

    page = os.environ.get(SUMMARY)
    if not page:
        return
    try:
        with Path(page).open("a", encoding="utf-8", newline="") as file:
            file.write(github.summary(report))
    except OSError as error:
        console.complain(f"the summary of the job could not be written to {page}: {error.strerror}")
