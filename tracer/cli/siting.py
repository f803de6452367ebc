"""A project to a folder with its site, in which only files that have changed are written anew.

The folder's own list of files (`tracer-site.json`) says what an earlier run made; nothing else is ever removed or taken
for a site of tracer.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tracer import writing
from tracer.cli import console
from tracer.cli.project import Project
from tracer.model import Document, Failure, Report, Unread

if TYPE_CHECKING:
    from tracer.carrying import Step
    from tracer.library import Library
    from tracer.picturing import Picture
    from tracer.reports.site import Page
    from tracer.reports.site.material import Material, Sights

LIST = "tracer-site.json"
SCHEMA = 1
HELD_DOCUMENTS = 8
"""Sources whose text is held at a time, however many the ledger has."""


@dataclass(kw_only=True)
class Folder:
    """The folder of a site: what is there, what of it an earlier run made, and what this run has put there."""

    root: Path
    earlier: Mapping[str, str]
    files: dict[str, str] = field(default_factory=dict)
    written: int = 0
    removed: int = 0

    def put(self, path: str, data: bytes) -> None:
        """Puts a file where it belongs, whole or not at all, unless it is there as it should be."""
        self.files[path] = hashlib.sha256(data).hexdigest()
        self.written += _place(self.root / path, data)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keeps the list of what is ours while files are put there, also where that ends early; then clears away."""
        self.list_files(self.earlier)
        try:
            yield
            self.clear()
        except BaseException:
            self.list_files({**self.earlier, **self.files})
            raise
        self.list_files(self.files)

    def clear(self) -> None:
        """Removes what an earlier run made and this one did not, as long as nobody has changed it."""
        for path, sha256 in self.earlier.items():
            target = self.root / path
            if path in self.files or not is_within(path) or not target.is_file() or target.is_symlink():
                continue
            self.removed += _remove(target, sha256)

    def list_files(self, files: Mapping[str, str]) -> None:
        """Writes down which files are ours."""
        written = {"schema": SCHEMA, "files": dict(sorted(files.items()))}
        data = (json.dumps(written, indent=0, ensure_ascii=False) + "\n").encode()
        _place(self.root / LIST, data)


def _place(target: Path, data: bytes) -> bool:
    """Makes a file hold these bytes, whole or not at all; says whether it did not before."""
    try:
        if target.is_file() and not target.is_symlink() and target.read_bytes() == data:
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        writing.replace(target, data)
    except OSError as error:
        raise Failure(f"cannot write {target}: {error.strerror}") from error
    return True


def _remove(target: Path, sha256: str) -> bool:
    """Removes a file that still has these bytes; says whether it had."""
    try:
        if hashlib.sha256(target.read_bytes()).hexdigest() != sha256:
            return False
        target.unlink()
    except OSError as error:
        raise Failure(f"cannot remove {target}: {error.strerror}") from error
    return True


def is_within(path: str) -> bool:
    """Whether a path of the list stays in the folder."""
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts and "\\" not in path and path != LIST


def opened(root: Path) -> Folder:
    """A folder for a site: one that is empty, is not there yet, or holds a site of tracer; any other is a Failure."""
    if root.exists() and not root.is_dir():
        raise Failure(f"{root} is a file: name a folder for the site")
    earlier = listed(root / LIST)
    if earlier is None and root.is_dir() and any(root.iterdir()):
        raise Failure(f"{root} holds other files and no site of tracer: name an empty folder")
    return Folder(root=root, earlier=earlier or {})


def listed(path: Path) -> Mapping[str, str] | None:
    """The files that an earlier run made, with their sha256; None where there was none."""
    if not path.is_file():
        return None
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise Failure(f"{path} is damaged: remove the folder and make the site anew") from error
    files = known.get("files") if isinstance(known, dict) and known.get("schema") == SCHEMA else None
    if not isinstance(files, dict):
        raise Failure(f"{path} is of another version of tracer: remove the folder and make the site anew")
    return {str(name): str(sha256) for name, sha256 in files.items()}


# --- making the site --------------------------------------------------------------------------------------------


def site(project: Project, directory: Path, *, base_url: str | None, evidence: str) -> None:
    """Makes the site of a project, and says what was done."""
    base = checked(base_url)
    folder = opened(project.here / directory)
    report = project.report()
    with folder.kept(), project.library() as library:
        make(report, library, folder, base_url=base, evidence=evidence)
    gone = f", {folder.removed:,} removed" if folder.removed else ""
    console.say(f"{len(folder.files):,} files, {folder.written:,} written{gone}\n{folder.root / 'index.html'}\n")


def checked(url: str | None) -> str | None:
    """The address of the site, ended by `/`; what is no address of the web is a Failure."""
    from tracer.reports.site.addresses import web

    if url is None:
        return None
    if web(url) is None or "?" in url or "#" in url:
        raise Failure(f"{url} is no address of a site: give --base-url one such as https://example.org/atlas/")
    return url.rstrip("/") + "/"


def make(report: Report, library: "Library", folder: Folder, *, base_url: str | None, evidence: str) -> None:
    """Puts every picture and every page into the folder, each as soon as it is made."""
    from tracer import coverage, profiles
    from tracer.reports.site.material import material

    sources = report.ledger.sources

    @lru_cache(maxsize=HELD_DOCUMENTS)
    def document(name: str) -> Document | Unread | None:
        return library.document(sources[name]) if name in sources else None

    made = material(
        report,
        coverage.cover(report, profiles.known(report.ledger)),
        document,
        sights=seen(report, library, folder, evidence),
        steps=revised(report, library),
        base_url=base_url,
    )
    for page in told(made):
        folder.put(page.path, page.data)


def told(made: "Material") -> "Iterator[Page]":
    """The pages, with a bar that shows how many of them are there."""
    from tracer.reports import site as pages

    with console.progress("writing") as step:
        for done, page in enumerate(pages.pages(made), start=1):
            yield page
            if step:
                step("pages", done, pages.count(made))


def revised(report: Report, library: "Library") -> "Mapping[str, tuple[Step, ...]]":
    """What moved between the pins of each source."""
    from tracer import carrying

    with console.progress("comparing revisions") as step:
        return carrying.steps(report, library, progress=step)


def seen(report: Report, library: "Library", folder: Folder, evidence: str) -> "Sights":
    """Puts the pictures into the folder, and says which citation is seen on which of them."""
    from tracer.reports.site.material import NO_SIGHTS, sights

    return NO_SIGHTS if evidence == "none" else sights(pictures(report, library, folder, evidence))


def pictures(report: Report, library: "Library", folder: Folder, evidence: str) -> "Iterator[Picture]":
    """The pictures, each put into the folder before it is handed on."""
    from tracer import picturing
    from tracer.reports.site.material import path_of

    kind: picturing.Kind = "crop" if evidence == "crop" else "page"
    with console.progress("picturing") as step:
        for picture in picturing.pictures(report, library, kind=kind, progress=step):
            folder.put(path_of(picture.name), picture.data)
            yield picture
