"""The public names: `load`, `trace`, `check`, `run`, `Library` and the nouns, each imported at its first use."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tracer.checking import check as check
    from tracer.library import Library as Library
    from tracer.loading import load as load
    from tracer.model import Anchor as Anchor
    from tracer.model import Citation as Citation
    from tracer.model import Claim as Claim
    from tracer.model import ClaimReport as ClaimReport
    from tracer.model import Document as Document
    from tracer.model import Evidence as Evidence
    from tracer.model import Failure as Failure
    from tracer.model import Finding as Finding
    from tracer.model import Ledger as Ledger
    from tracer.model import Page as Page
    from tracer.model import Passage as Passage
    from tracer.model import Place as Place
    from tracer.model import Problem as Problem
    from tracer.model import Report as Report
    from tracer.model import Severity as Severity
    from tracer.model import Source as Source
    from tracer.model import Span as Span
    from tracer.model import Status as Status
    from tracer.model import Tier as Tier
    from tracer.model import Trace as Trace
    from tracer.model import Unread as Unread
    from tracer.model import Verdict as Verdict
    from tracer.tracing import trace as trace

__version__ = "0.1.0"

__all__ = [
    "Anchor",
    "Citation",
    "Claim",
    "ClaimReport",
    "Document",
    "Evidence",
    "Failure",
    "Finding",
    "Ledger",
    "Library",
    "Page",
    "Passage",
    "Place",
    "Problem",
    "Report",
    "Severity",
    "Source",
    "Span",
    "Status",
    "Tier",
    "Trace",
    "Unread",
    "Verdict",
    "check",
    "load",
    "run",
    "trace",
]
MODULES = {"check": "checking", "load": "loading", "trace": "tracing", "Library": "library"}


def __getattr__(name: str) -> object:
    """A public name, imported at its first use so that `import tracer` costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'tracer' has no attribute {name!r}")
    return getattr(import_module(f"tracer.{MODULES.get(name, 'model')}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def run(start: "Path | str" = ".") -> "Report":
    """Audits the whole ledger of the project that holds `start`; raises `Failure` where there is none."""
    from contextlib import closing
    from pathlib import Path

    from tracer import checking, library, loading, settings, tracing

    found = settings.find(Path(start))
    with closing(library.Library(found)) as sources:
        evidence = tracing.trace(loading.load(found), sources)
    return checking.check(evidence, severities=found.severities)
