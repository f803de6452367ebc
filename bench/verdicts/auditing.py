"""Cases to outcomes: one ledger for each PDF, audited as a user's ledger is."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from bench.verdicts.model import Case, Material, Outcome


def audit(material: Material, cases: Sequence[Case], folder: Path) -> list[Outcome]:
    """What the product says of each case; the ledger and the cache stand in `folder`."""
    os.environ["TRACER_CACHE"] = str(folder / "cache")
    from tracer import checking, library, loading, settings, tracing

    project = folder / material.name
    _write_ledger(project, material, cases)
    found = settings.find(project)
    shelf = library.Library(found, jobs=1)
    report = checking.check(tracing.trace(loading.load(found), shelf), severities=found.severities)
    shelf.close()
    spoken: dict[str, list[tuple[str, str]]] = {}
    for finding in report.findings:
        spoken.setdefault(finding.problem.claim or "", []).append((finding.rule, finding.problem.message))
    assert len(report.claims) == len(cases), [str(problem.message) for problem in report.ledger.problems][:3]
    outcomes = []
    for case, claim in zip(cases, report.claims, strict=True):
        said = spoken.get(claim.claim.id, [])
        trace = claim.traces[0] if claim.traces else None
        outcomes.append(
            Outcome(
                case=case,
                verdict=str(claim.verdict),
                rules=tuple(rule for rule, _ in said),
                said="; ".join(f"{rule}: {message}" for rule, message in said),
                tier=str(trace.anchors[0].tier) if trace and trace.anchors else "",
            )
        )
    return outcomes


def _write_ledger(project: Path, material: Material, cases: Sequence[Case]) -> None:
    claims = project / "claims"
    claims.mkdir(parents=True)
    (project / "tracer.toml").write_text(f"allow = [{json.dumps(str(material.path.parent))}]\n")
    source = {
        "title": material.name,
        "file": os.path.relpath(material.path, project),
        "sha256": hashlib.sha256(material.path.read_bytes()).hexdigest(),
    }
    lines = ["sources:", f"  pdf: {_inline(source)}", "claims:"]
    lines += [f"  - {_inline(_claim(number, case))}" for number, case in enumerate(cases, start=1)]
    (claims / "cases.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _claim(number: int, case: Case) -> dict[str, object]:
    citation = {"source": "pdf", "page": case.page, "quote": case.quote}
    if case.section:
        citation["section"] = case.section
    return {"id": f"case.{number:05}", "text": "The report says so.", "status": "stated", "cite": [citation]}


def _inline(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
