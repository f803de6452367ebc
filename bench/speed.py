"""The bars of speed and memory as ratios of one run: medians of fresh processes, started in turn.

    TRACER_SOURCES=folder/of/reports python bench/speed.py [--runs 5] [--only start,report,quotes,scale]

`report` and `quotes` need the reports of the ledger in `claims/kimi-k3`, and others beside them, in TRACER_SOURCES.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent
TRACER = (sys.executable, "-m", "tracer")
VERSION = (*TRACER, "--version")
TYPER = (sys.executable, "-c", "import typer")
BARE = """
import sys, pypdfium2
document = pypdfium2.PdfDocument(sys.argv[1])
for page in document:
    page.get_textpage().get_text_range()
"""
WATCH = """
import os, sys
def seen(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".pdf"):
        with open(os.environ["OPENED"], "a") as log:
            log.write(f"{arguments[0]}\\n")
sys.addaudithook(seen)
"""
"""Run by each Python that has it on its path: every PDF that is opened is noted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A process that ended: seconds by the clock, its peak in MiB, what it wrote, its exit code."""

    seconds: float
    peak: float
    output: str
    code: int


def run(words: Sequence[object], folder: Path = ROOT, **variables: object) -> Run:
    """One process, from its start to its end; its memory is its own, without that of the processes that read."""
    environment = (
        os.environ | {name: str(value) for name, value in variables.items()} | {"PYTHONPATH": _path(variables)}
    )
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its byte code
    with tempfile.TemporaryFile("w+") as output:
        began = time.perf_counter()
        process = subprocess.Popen([*map(str, words)], cwd=folder, env=environment, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Run(seconds=seconds, peak=usage.ru_maxrss / 1024, output=output.read(), code=process.returncode)


def _path(variables: Mapping[str, object]) -> str:
    return os.pathsep.join([*map(str, [variables["WATCHED"]] if "WATCHED" in variables else []), str(ROOT)])


def audited(words: Sequence[object], folder: Path = ROOT, **variables: object) -> Run:
    """An audit that ran to its end, whatever it found."""
    done = run([*TRACER, "audit", "--format", "json", *words], folder, **variables)
    assert done.code in {0, 1}, done.output
    return done


def medians(runs: int, tries: Mapping[str, Callable[[], Run]]) -> dict[str, Run]:
    """Each of several processes run in turn, so that a busy moment meets all of them; the one in the middle of each."""
    done: dict[str, list[Run]] = {name: [] for name in tries}
    for _ in range(runs):
        for name, attempt in tries.items():
            done[name].append(attempt())
    return {name: _middle(each) for name, each in done.items()}


def _middle(runs: Sequence[Run]) -> Run:
    seconds = statistics.median_low(each.seconds for each in runs)
    return next(each for each in runs if each.seconds == seconds)


def tell(what: str, found: float, bar: float, unit: str = "x") -> None:
    print(f"  {what:<58}{found:9.2f} {unit:<4} bar {bar:g}  {'' if found <= bar else 'MISSED'}")


def times(done: Mapping[str, Run]) -> None:
    for name, each in done.items():
        print(f"  {name:<58}{each.seconds:9.3f} s    {each.peak:.0f} MiB")


# --- the bars ---------------------------------------------------------------------------------------------------


def start(runs: int, _: Path) -> None:
    """`tracer --version` against what its command line alone takes."""
    done = medians(runs, {"tracer --version": lambda: run(VERSION), "import typer": lambda: run(TYPER)})
    times(done)
    tell("start-up / import of typer", done["tracer --version"].seconds / done["import typer"].seconds, 2.5)


def report(runs: int, scratch: Path) -> None:
    """The ledger of one report alone, cold and warm, against bare extraction of its text."""
    file, ledger, kept = named("kimi-k3-3cb39df.pdf"), scratch / "ledger", scratch / "kept"
    shutil.copytree(ROOT / "claims" / "kimi-k3", ledger / "claims")
    (ledger / "tracer.toml").write_text("")
    audited([], ledger, TRACER_CACHE=kept)
    caches = (scratch / str(number) for number in range(10_000))
    done = medians(
        runs,
        {
            "tracer --version": lambda: run(VERSION),
            "bare extraction": lambda: run([sys.executable, "-c", BARE, file]),
            "cold audit": lambda: audited([], ledger, TRACER_CACHE=next(caches)),
            "warm audit": lambda: audited([], ledger, TRACER_CACHE=kept),
        },
    )
    times(done)
    own = {name: each.seconds - done["tracer --version"].seconds for name, each in done.items()}
    tell("(cold audit - start-up) / bare extraction", own["cold audit"] / done["bare extraction"].seconds, 1.5)
    print(f"  warm audit / start-up {done['warm audit'].seconds / done['tracer --version'].seconds:.2f}")
    tell("PDFs that a warm audit opens", opened(ledger, kept, scratch), 0, "")


def opened(ledger: Path, cache: Path, scratch: Path) -> int:
    """How many PDFs an audit and its children open."""
    (scratch / "watched").mkdir()
    (scratch / "watched" / "sitecustomize.py").write_text(textwrap.dedent(WATCH))
    log = scratch / "opened"
    log.touch()
    audited([], ledger, TRACER_CACHE=scratch / "unkept", WATCHED=scratch / "watched", OPENED=log)
    assert log.read_text(), "a cold audit opens the report, or nothing is watched"
    log.write_text("")
    audited([], ledger, TRACER_CACHE=cache, WATCHED=scratch / "watched", OPENED=log)
    return len(log.read_text().splitlines())


def quotes(runs: int, scratch: Path) -> None:
    """Two thousand quotes over four real reports."""
    names = ("kimi-k3-521359a.pdf", "kimi-k3-7c5be95.pdf", "kimi-k3-0797dec.pdf", "qwen3-7284931.pdf")
    chance = random.Random(1)
    files = [named(name) for name in names]
    cited = {file: chance.sample(list(sentences(file)), 500) for file in files}
    folder = project(scratch / "quotes", cited)
    compare(runs, folder, scratch, bars=(2.0, 0.5))


def compare(runs: int, folder: Path, scratch: Path, *, bars: tuple[float, float]) -> None:
    """A ledger cold and warm."""
    kept, caches = scratch / "quotes-kept", (scratch / f"quotes-{number}" for number in range(10_000))
    audited([], folder, TRACER_CACHE=kept)
    done = medians(
        runs,
        {
            "cold audit": lambda: audited([], folder, TRACER_CACHE=next(caches)),
            "warm audit": lambda: audited([], folder, TRACER_CACHE=kept),
        },
    )
    times(done)
    print(f"  {json.loads(done['warm audit'].output)['counts']}")
    tell("2,000 quotes, cold", done["cold audit"].seconds, bars[0], "s")
    tell("2,000 quotes, warm", done["warm audit"].seconds, bars[1], "s")


def scale(runs: int, scratch: Path) -> None:
    """Two thousand against ten thousand claims over a hundred made sources, warm."""
    files = list(made_reports(scratch / "made", count=100, pages=10))
    cited = {file: list(sentences(file)) for file in files}
    small = project(scratch / "small", {file: found[:20] for file, found in cited.items()})
    large = project(scratch / "large", {file: found[:100] for file, found in cited.items()})
    kept = scratch / "scale-kept"
    audited([], large, TRACER_CACHE=kept)
    done = medians(
        runs,
        {
            "2,000 claims, warm": lambda: audited([], small, TRACER_CACHE=kept),
            "10,000 claims, warm": lambda: audited([], large, TRACER_CACHE=kept),
        },
    )
    times(done)
    print(f"  {json.loads(done['10,000 claims, warm'].output)['counts']}")
    tell("10,000 claims, warm", done["10,000 claims, warm"].seconds, 1.5, "s")
    tell("10,000 claims, peak", done["10,000 claims, warm"].peak, 200, "MiB")
    tell("10,000 / 2,000 claims", done["10,000 claims, warm"].seconds / done["2,000 claims, warm"].seconds, 5.5)


# --- ledgers and sources ----------------------------------------------------------------------------------------

Cited = Mapping[Path, Sequence[tuple[int, str]]]
"""For each file, sheets and what stands on them."""


def named(name: str) -> Path:
    """A file of the folders in TRACER_SOURCES."""
    for folder in os.environ.get("TRACER_SOURCES", "").split(os.pathsep):
        if folder and (Path(folder) / name).is_file():
            return Path(folder) / name
    raise SystemExit(f"there is no {name} in the folders of TRACER_SOURCES")


def sentences(file: Path) -> Iterator[tuple[int, str]]:
    """Runs of 12 words of a PDF, within lines, each with its sheet."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    for sheet, page in enumerate(document, start=1):
        lines = page.get_textpage().get_text_range().splitlines()
        words = [line.split() for line in lines if line.isprintable() and len(line.split()) >= 12]
        yield from ((sheet, " ".join(line[:12])) for line in words)


def project(folder: Path, cited: Cited) -> Path:
    """A ledger with one stated claim for each quote, in a file for each source."""
    (folder / "claims").mkdir(parents=True)
    (folder / "tracer.toml").write_text(f"sources = {json.dumps(sorted({str(file.parent) for file in cited}))}\n")
    for number, (file, found) in enumerate(cited.items()):
        name = f"s{number}"
        lines = [f"sources:\n  {name}: {{sha256: {sha256(file.read_bytes()).hexdigest()}}}\nclaims:"]
        for index, (sheet, quote) in enumerate(found):
            lines.append(f"  - id: {name}.c{index}\n    text: It is said here.\n    status: stated")
            lines.append(f"    cite:\n      - {{source: {name}, sheet: {sheet}, quote: {json.dumps(quote)}}}")
        (folder / "claims" / f"{name}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def made_reports(folder: Path, *, count: int, pages: int) -> Iterator[Path]:
    """Reports of invented sentences, no two lines of which are alike."""
    from reportlab.pdfgen.canvas import Canvas

    folder.mkdir()
    chance = random.Random(1)
    words = (
        "expert",
        "token",
        "student",
        "teacher",
        "domain",
        "loss",
        "rate",
        "draft",
        "batch",
        "model",
        "layer",
        "stage",
    )
    for number in range(count):
        canvas = Canvas(str(folder / f"{number}.pdf"), invariant=1)
        for page in range(pages):
            canvas.setFont("Helvetica", 10)
            for line in range(45):
                text = " ".join([f"r{number}p{page}l{line}", *chance.choices(words, k=13)])
                canvas.drawString(60, 780 - 15 * line, text)
            canvas.showPage()
        canvas.save()
        yield folder / f"{number}.pdf"


BARS: dict[str, Callable[[int, Path], None]] = {"start": start, "report": report, "quotes": quotes, "scale": scale}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--runs", type=int, default=5)
    words.add_argument("--only", default=",".join(BARS))
    given = words.parse_args()
    for name in given.only.split(","):
        print(f"{name}: {(BARS[name].__doc__ or '').strip()}")
        with tempfile.TemporaryDirectory() as scratch:
            BARS[name](given.runs, Path(scratch))


if __name__ == "__main__":
    main()
