"""What the tests share: small PDFs, ledgers in a temporary folder, golden files, the real reports."""

import hashlib
import io
import os
import re
import textwrap
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from running import Tracer, ran

from tracer.readers import apart
from tracer.readers.processes import Child

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"
REPORT = "kimi-k3-3cb39df.pdf"

WIDTH, HEIGHT = A4
MARGIN = 72
LEADING = 14

type_of_line = re.compile(r"(?P<mark>#*) ?(?P<text>.*)")


# --- options ----------------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the golden files and the generated pages anew")
    parser.addoption("--no-skips", action="store_true", help="a skipped test fails, with the reason of its skip")


LONGEST = ("test_site_browser", "test_picturing", "test_readers_apart", "test_changed_quotes", "test_site")
"""The files that take longest are begun first, so that no core waits for the last of them."""


def pytest_configure(config: pytest.Config) -> None:
    for name in LONGEST:
        if not Path(__file__).with_name(f"{name}.py").is_file():
            raise pytest.UsageError(f"{name}, which LONGEST of tests/conftest.py names, is no file of tests")
    settings.register_profile("tracer", deadline=None, derandomize=True, print_blob=True)
    settings.load_profile("tracer")


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.outcome != "skipped" or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid}: no test may be skipped in this run ({reason})"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.stem, len(order)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.config.getoption("no_skips"):
        _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if collector.config.getoption("no_skips"):
        _fail_if_skipped(report)
    return report


# --- surroundings -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def source_folders() -> tuple[Path, ...]:
    """The folders that `TRACER_SOURCES` named when the tests began."""
    return tuple(Path(folder) for folder in os.environ.get("TRACER_SOURCES", "").split(os.pathsep) if folder)


@pytest.fixture(scope="session", autouse=True)
def _own_surroundings(source_folders: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test sees the cache or the source folders of the person who runs it.

    What was read is kept by the hash of its bytes, so one cache serves the whole run, in all of its processes;
    `empty_cache` gives a new one.
    """
    own = tmp_path_factory.getbasetemp()
    common = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACER_CACHE", str(common / "cache"))
        patch.delenv("TRACER_SOURCES", raising=False)
        yield


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that nothing has been written to, in use for this test."""
    folder = tmp_path / "empty-cache"
    monkeypatch.setenv("TRACER_CACHE", str(folder))
    return folder


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Child]:
    """The reading processes that the test has begun so far; children of others in the same run are not among them."""
    children: list[Child] = []
    begin = apart.processes.begin

    def noted(arguments: Sequence[str], stops: int) -> Child:
        children.append(begin(arguments, stops))
        return children[-1]

    monkeypatch.setattr(apart.processes, "begin", noted)
    return children


def _folder_with(name: str, folders: Iterable[Path]) -> Path:
    for folder in folders:
        if (folder / name).is_file():
            return folder
    pytest.skip(f"no folder in TRACER_SOURCES has {name}")


@pytest.fixture(scope="session")
def report_folder(source_folders: tuple[Path, ...]) -> Path:
    """The folder of the real reports, for fixtures that last longer than a test; `TRACER_SOURCES` stays unset."""
    return _folder_with(REPORT, source_folders)


@pytest.fixture
def reports(report_folder: Path, source_folders: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the real reports, with `TRACER_SOURCES` set as it was given."""
    monkeypatch.setenv("TRACER_SOURCES", os.pathsep.join(str(folder) for folder in source_folders))
    return report_folder


# --- ledgers ----------------------------------------------------------------------------------------------------


def sha256_of(content: str | bytes) -> str:
    """The hex digest of a file's content."""
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


def _content(written: str | bytes) -> str | bytes:
    return written if isinstance(written, bytes) else textwrap.dedent(written).lstrip("\n")


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """A function that writes files (path -> content) into a folder with a `tracer.toml` and returns the folder.

    Text is dedented; `{sha256 of PATH}` in it stands for the hash of another file of the project.
    """

    def write(files: Mapping[str, str | bytes]) -> Path:
        contents = {
            path: _content(written) for path, written in {"tracer.toml": 'ledger = "claims"\n', **files}.items()
        }
        for path, content in contents.items():
            if isinstance(content, str):
                content = re.sub(r"\{sha256 of ([^}]+)\}", lambda match: sha256_of(contents[match[1]]), content)
            target = tmp_path / "project" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        (tmp_path / "project" / "claims").mkdir(exist_ok=True)
        return tmp_path / "project"

    return write


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Tracer:
    """A function that runs the words as a shell would."""
    return partial(ran, capsys)


# --- golden files -----------------------------------------------------------------------------------------------


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files and generated pages are to be written anew."""
    return bool(request.config.getoption("update"))


@pytest.fixture
def golden(update: bool) -> Callable[[str, str], None]:
    """A function that holds a text against the file of this name in `tests/golden`."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert text == path.read_text(encoding="utf-8")

    return compare


# --- small PDFs -------------------------------------------------------------------------------------------------


def _font(text: str, *, bold: bool) -> str:
    """A core font, or one that is embedded where the text has characters beyond it."""
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
        return "Vera"
    return "Helvetica-Bold" if bold else "Helvetica"


def _draw_line(canvas: Canvas, line: str, *, x: float, y: float) -> str:
    """Draw a line and return its words; `#` before it makes a heading, `^…^` raises what is between."""
    match = type_of_line.fullmatch(line)
    assert match is not None
    size = {0: 10.0, 1: 15.0}.get(len(match["mark"]), 12.0)
    for index, run in enumerate(match["text"].split("^")):
        font, height = _font(run, bold=bool(match["mark"])), size * (0.65 if index % 2 else 1)
        canvas.setFont(font, height)
        canvas.drawString(x, y + (size * 0.4 if index % 2 else 0), run)
        x += pdfmetrics.stringWidth(run, font, height)
    return match["text"]


def _draw_page(canvas: Canvas, text: str) -> dict[str, float]:
    """Draw a page, one column for each part between form feeds, and return the height at which each line stands."""
    columns, heights = text.split("\f"), {}
    for index, column in enumerate(columns):
        x = MARGIN + index * (WIDTH - 2 * MARGIN) / len(columns)
        for number, line in enumerate(column.strip("\n").splitlines()):
            y = HEIGHT - MARGIN - number * LEADING
            heights[_draw_line(canvas, line, x=x, y=y)] = y + LEADING
    return heights


def pdf_of(
    pages: Sequence[str], *, outline: Sequence[tuple[int, str, int]] = (), labels: Sequence[str] = (), title: str = ""
) -> bytes:
    """A PDF with a line for each line of the pages' texts; the same call gives the same bytes.

    In a text, `# ` and `## ` begin a heading in bold, larger type, `^1^` is a raised mark, and a form feed begins
    the next column. `outline` has (level from 0, title, sheet from 1) and points at the line that is the title,
    else at the top of the page. `labels` has the printed label of each page.
    """
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1, pageCompression=0)
    canvas.setTitle(title)
    for sheet, text in enumerate(pages, start=1):
        heights = _draw_page(canvas, text)
        for level, heading, target in outline:
            if target == sheet:
                key = f"{sheet}-{heading}"
                canvas.bookmarkPage(key, fit="XYZ", left=0, top=heights.get(heading, HEIGHT))
                canvas.addOutlineEntry(heading, key, level)
        if labels:
            canvas.addPageLabel(sheet - 1, prefix=labels[sheet - 1])
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


@pytest.fixture(name="pdf_of")
def _pdf_of() -> Callable[..., bytes]:
    return pdf_of
