"""The benchmark of verdicts: makes PDFs, samples true and false quotes of them, audits all, and prints who passed.

Run from the project's root: `python -m bench.verdicts`. Real reports are read from the folders of TRACER_SOURCES.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from bench.verdicts import latex, making, reports, setting
from bench.verdicts.auditing import audit
from bench.verdicts.cases import false_cases, true_cases
from bench.verdicts.model import Case, Material, Outcome

TRUE_BAR = 0.995
VERDICTS = ("verified", "flagged", "unchecked")


def main() -> int:
    """0 where the bars are kept, 1 where not."""
    options = _options()
    if not shutil.which("pdftotext"):
        sys.exit("pdftotext is missing: install poppler-utils")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        outcomes, materials = _run(options, Path(name))
    if options.json:
        print(json.dumps([_plain(outcome) for outcome in outcomes], ensure_ascii=False, indent=1))
    else:
        _print(outcomes, materials, time.monotonic() - began)
    return int(not _is_kept(outcomes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.verdicts", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=3000, help="how many true ones, and as many false ones")
    parser.add_argument("--only", metavar="KIND", help="only the cases of one kind")
    parser.add_argument("--pdf", metavar="NAME", help="only the PDFs whose name holds this")
    parser.add_argument("--json", action="store_true", help="every outcome as JSON")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the PDFs that were made")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def _run(options: argparse.Namespace, folder: Path) -> tuple[list[Outcome], list[Material]]:
    with ProcessPoolExecutor(options.jobs) as pool:
        made = [pool.submit(maker) for maker in _makers(options, folder)]
        materials = [future.result() for future in made]
        if not materials:
            sys.exit(f"no PDF has {options.pdf} in its name")
        if options.keep:
            shutil.copytree(folder, options.keep, dirs_exist_ok=True)
        cases = true_cases(materials, options.cases, options.seed, options.only)
        cases += false_cases(materials, options.cases, options.seed, options.only)
        by_material: dict[str, list[Case]] = defaultdict(list)
        for case in cases:
            by_material[case.material].append(case)
        jobs = [
            pool.submit(audit, m, by_material[m.name], folder / "ledgers") for m in materials if by_material[m.name]
        ]
        outcomes = [outcome for job in jobs for outcome in job.result()]
    return outcomes, materials


def _makers(options: argparse.Namespace, folder: Path) -> Iterator[Callable[[], Material]]:
    """What makes the materials, the slowest first."""
    wanted = options.pdf or ""
    named = (Path(name) for name in os.environ.get("TRACER_SOURCES", "").split(os.pathsep) if name)
    yield from (
        partial(reports.read, path, options.seed)
        for source in named
        for path in sorted(source.glob("*.pdf"))
        if wanted in path.stem
    )
    if latex.is_installed():
        yield from (partial(latex.make, d, folder, options.seed) for d in latex.DESIGNS if wanted in d.name)
    yield from (partial(making.make, d, folder, options.seed) for d in making.DESIGNS if wanted in d.name)
    for one in (one for one in setting.SETTINGS if wanted in one.name):
        if why := setting.missing(one):
            print(f"{one.name} is left out: {why}", file=sys.stderr)
        else:
            yield partial(setting.make, one, folder, options.seed)


# --- printing -----------------------------------------------------------------------------------------------------


def _print(outcomes: Sequence[Outcome], materials: Sequence[Material], seconds: float) -> None:
    print(f"{len(outcomes)} cases in {len(materials)} PDFs, {seconds:.0f} s")
    for is_true, title in ((True, "quotes that are there"), (False, "quotes that are not")):
        chosen = [outcome for outcome in outcomes if outcome.case.is_true is is_true]
        if not chosen:
            continue
        print(f"\n{title:32}{''.join(f'{verdict:>11}' for verdict in VERDICTS)}{'verified':>12}")
        for kind in sorted({outcome.case.kind for outcome in chosen}):
            _print_row(kind, [outcome for outcome in chosen if outcome.case.kind == kind])
        _print_row("all", chosen)
    failures = [outcome for outcome in outcomes if (outcome.verdict == "verified") != outcome.case.is_true]
    failures = [outcome for outcome in failures if outcome.case.is_true or outcome.verdict == "verified"]
    print(f"\n{len(failures)} failures")
    for outcome in sorted(failures, key=lambda outcome: (outcome.case.is_true, outcome.case.kind, outcome.rules)):
        _print_failure(outcome)


def _print_row(kind: str, outcomes: Sequence[Outcome]) -> None:
    counts = Counter(outcome.verdict for outcome in outcomes)
    share = counts["verified"] / len(outcomes)
    print(f"{kind:32}{''.join(f'{counts[verdict]:11}' for verdict in VERDICTS)}{share:12.1%}")


def _print_failure(outcome: Outcome) -> None:
    case = outcome.case
    kind = "true" if case.is_true else "false"
    place = f"p. {case.page} (sheet {case.sheet}), {case.section or 'no section'}"
    print(f"\n{outcome.verdict} {kind}: {case.kind} | {case.material} {place} {outcome.tier}")
    print(f"  quote: {case.quote}")
    if case.quote != case.origin:
        print(f"  there: {case.origin}")
    if outcome.said:
        print(f"  said: {outcome.said}")


def _plain(outcome: Outcome) -> dict[str, object]:
    case = outcome.case
    return {
        "pdf": case.material,
        "kind": case.kind,
        "is_true": case.is_true,
        "quote": case.quote,
        "there": case.origin,
        "page": case.page,
        "sheet": case.sheet,
        "section": case.section,
        "verdict": outcome.verdict,
        "rules": outcome.rules,
        "said": outcome.said,
        "tier": outcome.tier,
    }


def _is_kept(outcomes: Sequence[Outcome]) -> bool:
    verified = {
        is_true: [o.verdict == "verified" for o in outcomes if o.case.is_true is is_true] for is_true in (True, False)
    }
    is_found = not verified[True] or sum(verified[True]) >= TRUE_BAR * len(verified[True])
    return is_found and not any(verified[False])


if __name__ == "__main__":
    sys.exit(main())
