"""The pages of a site in a browser: nothing fails, nothing is out of reach, and nothing is too wide for a screen.

Debian's Chromium is looked for by its names (`apt-get install chromium-headless-shell`); without it these tests are
skipped and say so.
"""

import io
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from PIL import Image
from playwright.sync_api import Browser, Page, Request, sync_playwright
from pypdfium2 import PdfDocument, PdfTextPage

from tracer.checking import check
from tracer.cli.siting import make, opened
from tracer.library import Library
from tracer.loading import load
from tracer.settings import Settings
from tracer.tracing import trace

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
AXE = (ROOT / "tests" / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = (360, 1000, 1600)
AT_ONCE = 40
DECODED = "Promise.all([...document.querySelectorAll('svg image')].map(image => image.decode()))"
NOT_SHOWN = "[...document.images].some(image => image.complete && !image.naturalWidth)"
EXAMPLE = (
    "index.html",
    "claims.html",
    "findings.html",
    "coverage.html",
    "how-to-read.html",
    "pipeline/heron-1.html",
    "stage/heron-1/base.html",
    "claim/heron.routing.precision.html",
    "claim/heron.base.energy.html",
    "claim/heron.rl.learning-rate.html",
    "claim/heron.fault.altered.html",
    "source/heron-report.html",
)
KIMI = (
    "pipeline/kimi-k3.html",
    "stage/kimi-k3/mopd.html",
    "claim/k3.mopd.teachers.html",
    "claim/k3.mopd.tokens.html",
    "claim/k3.k3.active-share.html",
    "claim/k3.k3.total-parameters.html",
    "source/k3-report.html",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed (apt-get install chromium-headless-shell)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def site(folder: Path, ledger: str, *sources: Path, evidence: str = "page") -> Path:
    """The site of one ledger of this project."""
    settings = Settings(root=ROOT, ledger=ROOT / "claims" / ledger, sources=sources)
    with closing(Library(settings)) as library:
        report = check(trace(load(settings), library))
        built = opened(folder)
        with built.kept():
            make(report, library, built, base_url=None, evidence=evidence)
    return folder


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site(tmp_path_factory.mktemp("example") / "site", "example")


@pytest.fixture(scope="module")
def kimi(tmp_path_factory: pytest.TempPathFactory, report_folder: Path) -> Path:
    return site(tmp_path_factory.mktemp("kimi") / "site", "kimi-k3", report_folder)


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page of the browser, and what it complains of."""
    page, complaints = browser.new_page(viewport={"width": 1000, "height": 900}), []
    page.on("console", lambda message: complaints.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on("requestfailed", lambda request: complaints.extend(missing(page, request)))
    yield page, complaints
    page.close()


def missing(page: Page, request: Request) -> Iterator[str]:
    """What is not there, apart from what was still on its way when the next page was opened."""
    if request.failure != "net::ERR_ABORTED":
        yield f"{page.url}: {request.url} is not there"


def opened_all(folder: Path, scratch: Path, tab: tuple[Page, list[str]]) -> tuple[int, list[str]]:
    """How many pages were opened, many at once in frames, and all that was wrong with them."""
    page, complaints = tab
    complaints.clear()
    paths = sorted(folder.rglob("*.html"))
    for start in range(0, len(paths), AT_ONCE):
        some = paths[start : start + AT_ONCE]
        frames = "".join(f'<iframe src="{path.as_uri()}" width="1000" height="600"></iframe>' for path in some)
        (scratch / "frames.html").write_text(f'<!doctype html><link rel="icon" href="data:,">{frames}')
        page.goto((scratch / "frames.html").as_uri(), wait_until="load")
        opened = [frame for frame in page.frames if frame is not page.main_frame]
        assert sorted(frame.url for frame in opened) == sorted(path.as_uri() for path in some)
        complaints += [f"{frame.url}: a picture does not show" for frame in opened if frame.evaluate(NOT_SHOWN)]
    return len(paths), list(complaints)


def test_no_page_of_the_example_complains(example: Path, tmp_path: Path, tab: tuple[Page, list[str]]) -> None:
    number, complaints = opened_all(example, tmp_path, tab)
    assert number > 60
    assert complaints == []


def test_no_page_of_kimi_k3_complains(kimi: Path, tmp_path: Path, tab: tuple[Page, list[str]]) -> None:
    number, complaints = opened_all(kimi, tmp_path, tab)
    assert number > 180
    assert complaints == []


# --- what keeps people from reading -----------------------------------------------------------------------------


def barriers(page: Page, path: Path, looks: Sequence[tuple[Any, int]]) -> Iterator[str]:
    """What axe-core finds on a page, in each color scheme and width."""
    page.goto(path.as_uri(), wait_until="load")
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    page.evaluate(AXE)
    for scheme, width in looks:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        violations = page.evaluate("rules => axe.run({runOnly: rules}).then(found => found.violations)", RULES)
        for found in violations:
            for node in found["nodes"]:
                yield f"{path.name}: {scheme}, {width}: {found['id']}: {node['html'][:120]} {node['any'][:1]}"


def all_barriers(browser: Browser, folder: Path, names: Sequence[str], *looks: tuple[str, int]) -> list[str]:
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    found = [barrier for name in names for barrier in barriers(page, folder / name, looks)]
    context.close()
    return found


def test_axe_finds_nothing_on_the_example(browser: Browser, example: Path) -> None:
    assert all_barriers(browser, example, EXAMPLE, ("light", 1000)) == []


def test_axe_finds_nothing_on_kimi_k3(browser: Browser, kimi: Path) -> None:
    assert all_barriers(browser, kimi, KIMI, ("dark", 1600), ("light", 360)) == []


# --- on every screen --------------------------------------------------------------------------------------------


def too_wide(browser: Browser, folder: Path, names: Sequence[str]) -> list[tuple[str, int]]:
    """The pages that are wider than one of the screens."""
    page = browser.new_page()
    found = []
    for name in names:
        page.goto((folder / name).as_uri())
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                found.append((name, width))
    page.close()
    return found


def test_no_page_is_wider_than_its_screen(browser: Browser, example: Path) -> None:
    assert too_wide(browser, example, EXAMPLE) == []


def test_no_page_of_kimi_k3_is_wider_than_its_screen(browser: Browser, kimi: Path) -> None:
    assert too_wide(browser, kimi, KIMI) == []


@pytest.mark.parametrize(("width", "layout"), [(360, "narrow"), (1000, "medium"), (1600, "wide")])
def test_one_drawing_of_the_path_fits_the_screen(browser: Browser, example: Path, width: int, layout: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto((example / "pipeline" / "heron-1.html").as_uri())
    shown = page.evaluate(
        "[...document.querySelectorAll('.drawing svg')].filter(svg => svg.checkVisibility())"
        ".map(svg => [svg.classList[1], svg.getBoundingClientRect().right])"
    )
    assert [name for name, _ in shown] == [layout]
    assert shown[0][1] <= width
    page.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_of_the_path_runs_into_another(browser: Browser, example: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto((example / "pipeline" / "heron-1.html").as_uri())
    overlapping = page.evaluate(
        """() => {
          const boxes = [...document.querySelectorAll('.drawing svg text')].filter(text => text.checkVisibility())
            .map(text => [text.textContent, text.getBoundingClientRect()]);
          const across = (a, b) => a.left < b.right - 1 && b.left < a.right - 1;
          const meet = (a, b) => across(a, b) && a.top < b.bottom - 3 && b.top < a.bottom - 3;
          return boxes.flatMap(([one, a], index) => boxes.slice(index + 1).filter(([, b]) => meet(a, b))
            .map(([other]) => `${one} / ${other}`));
        }"""
    )
    assert overlapping == []
    page.close()


def test_the_path_is_walked_with_the_keyboard_from_top_to_bottom(browser: Browser, example: Path) -> None:
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.goto((example / "pipeline" / "heron-1.html").as_uri())
    page.focus(".crumbs a")
    reached = []
    for _ in range(200):
        page.keyboard.press("Tab")
        if not page.evaluate("!!document.activeElement.closest('.drawing')"):
            break
        if page.evaluate("document.activeElement.querySelector('.title') !== null"):
            reached.append(page.evaluate("document.activeElement.textContent"))
    assert reached == [
        "Base training",
        "Context extension",
        "Supervised fine-tuning",
        "Reinforcement learning",
        "Heron-1",
    ]
    page.close()


def test_a_page_is_read_without_javascript(browser: Browser, example: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((example / "claim" / "heron.routing.precision.html").as_uri())
    assert page.locator("mark").all_inner_texts() == [
        "in eight bits while the router stays at",
        "sixteen, where a small error would send many tokens astray",
    ]
    assert page.locator("svg.sheet image").count() == 2
    context.close()


def test_a_list_is_narrowed_by_words(browser: Browser, example: Path) -> None:
    page = browser.new_page()
    page.goto((example / "claims.html").as_uri())
    page.fill("input[type=search]", "routing PRECISION")
    assert page.locator(".claim-row:visible .id").all_inner_texts() == ["heron.routing.precision"]
    page.close()


# --- on paper ---------------------------------------------------------------------------------------------------

A4 = (210, 297)
A5 = (148, 210)


def printed(browser: Browser, path: Path, size: tuple[int, int]) -> list[list[str]]:
    """The lines on each printed page, from top to bottom, on paper of so many millimetres."""
    page = browser.new_page()
    page.goto(path.as_uri())
    document = PdfDocument(page.pdf(width=f"{size[0]}mm", height=f"{size[1]}mm"))
    page.close()
    lines = [list(lines_of(sheet.get_textpage())) for sheet in document]
    document.close()
    return lines


def lines_of(text: PdfTextPage) -> Iterator[str]:
    """The lines of a page from top to bottom; what is drawn last need not stand last."""
    lines: list[tuple[float, float, float, float]] = []
    for box in sorted((text.get_rect(number) for number in range(text.count_rects())), key=lambda box: -box[3]):
        if lines and (box[1] + box[3]) / 2 > lines[-1][1]:
            last = lines.pop()
            box = (min(box[0], last[0]), min(box[1], last[1]), max(box[2], last[2]), max(box[3], last[3]))
        lines.append(box)
    return (" ".join(text.get_text_bounded(*line).split()) for line in lines)


def headings(browser: Browser, path: Path) -> list[str]:
    page = browser.new_page()
    page.goto(path.as_uri())
    found: list[str] = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(it => it.innerText)")
    page.close()
    return found


@pytest.mark.parametrize("size", [A4, A5])
@pytest.mark.parametrize("name", ["pipeline/heron-1.html", "stage/heron-1/base.html", "source/heron-report.html"])
def test_no_printed_page_ends_in_a_heading(browser: Browser, example: Path, name: str, size: tuple[int, int]) -> None:
    pages = printed(browser, example / name, size)
    assert len(pages[0]) > 8
    assert {lines[-1] for lines in pages[:-1]} & set(headings(browser, example / name)) == set()


def test_a_printed_path_begins_below_its_title_and_is_cut_between_steps(browser: Browser, example: Path) -> None:
    pages = printed(browser, example / "pipeline" / "heron-1.html", (210, 100))
    assert "Base training" in pages[0]
    kinds = {"Base training": "pretraining", "Context extension": "pretraining", "Supervised fine-tuning": "sft"}
    below = [following for lines in pages for following in pairwise(lines)]
    assert set(kinds.items()) <= set(below)


@pytest.mark.parametrize("name", ["pipeline/kimi-k3.html", "stage/kimi-k3/mopd.html", "source/k3-report.html"])
def test_the_first_printed_page_of_kimi_k3_is_full(browser: Browser, kimi: Path, name: str) -> None:
    pages = printed(browser, kimi / name, A4)
    assert len(pages) > 2
    assert min(map(len, pages[:-1])) > 20
    assert {lines[-1] for lines in pages[:-1]} & set(headings(browser, kimi / name)) == set()


# --- the light --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site(tmp_path_factory.mktemp("strips") / "site", "example", evidence="crop")


@pytest.mark.parametrize("evidence", ["example", "strips"])
@pytest.mark.parametrize("claim", ["heron.routing.precision", "heron.base.tokens"])
def test_the_light_lies_over_the_ink_of_the_quote(
    browser: Browser, request: pytest.FixtureRequest, evidence: str, claim: str
) -> None:
    """Under the light there are dark pixels; without its boxes the same place of the picture is no less dark."""
    folder: Path = request.getfixturevalue(evidence)
    page = browser.new_page(viewport={"width": 1600, "height": 900})
    page.goto((folder / "claim" / f"{claim}.html").as_uri())
    page.evaluate(DECODED)
    lights = page.locator("svg.sheet:not([aria-hidden]) .lights rect")
    assert lights.count() > 0
    for light in lights.all():
        shot = Image.open(io.BytesIO(light.screenshot())).convert("RGB")
        red, _, blue = (band.histogram() for band in shot.split())
        number = shot.width * shot.height
        assert sum(red[:100]) > 0.03 * number
        assert sum(red[200:]) > 0.5 * number
        assert sum(blue[:160]) > 0.5 * number
    page.close()


def test_a_strip_is_shown_whole_and_is_not_called_a_page(browser: Browser, strips: Path) -> None:
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.goto((strips / "claim" / "heron.routing.precision.html").as_uri())
    page.evaluate(DECODED)
    boxes = page.locator("svg.sheet").evaluate_all("all => all.map(svg => svg.getAttribute('viewBox'))")
    sizes = page.locator("svg.sheet image").evaluate_all(
        "all => all.map(image => `0 0 ${image.getAttribute('width')} ${image.getAttribute('height')}`)"
    )
    assert len(boxes) == 2
    assert boxes == sizes
    assert page.get_by_text("The whole page").count() == 0
    page.close()


def test_axe_finds_nothing_on_strips(browser: Browser, strips: Path) -> None:
    assert all_barriers(browser, strips, ["claim/heron.routing.precision.html"], ("dark", 360)) == []
