"""A small record for the tests of coverage: two stages, six claims in five cells, two blanks, one source not on disk.

Counted by hand: the profile asks for 4 + 2 cells; 2 of pretrain are blank, so 4 are answered; only the tokens of
pretrain have a verified citation; the licence of tune is beyond the profile. Page 3 and section 3 are never cited.
"""

from pathlib import Path

from conftest import pdf_of

from tracer import profiles
from tracer.checking import check
from tracer.coverage import Coverage, cover
from tracer.library import Library
from tracer.loading import load
from tracer.model import Report
from tracer.settings import find
from tracer.tracing import trace

PDF = pdf_of(
    [
        "# 1 Pre-training\nWren reads 40 billion tokens of text in one pass.",
        "# 2 Fine-tuning\nThe model is tuned.\n\n## 2.1 Data\nDialogues about birds are read twice by the model.",
        "# 3 Evaluation\nEvery score is the mean of three runs.",
    ],
    outline=[(0, "1 Pre-training", 1), (0, "2 Fine-tuning", 2), (1, "2.1 Data", 2), (0, "3 Evaluation", 3)],
    labels=("1", "2", "3"),
)

SOURCES = """\
sources:
  report: {title: Wren, publisher: The Aviary, revision: v2, file: report.pdf, sha256: "{sha256 of report.pdf}"}
  supplement: {title: Supplement, sha256: 9ccbf30becc0a3ab04e7c973bedd4f7bc6cc0ae4de4fdeea92dcf499076fe5e0}
  article: {title: An article, file: article.txt, sha256: "{sha256 of article.txt}"}
"""

PIPELINE = """\
pipelines:
  wren:
    title: Wren
    profile: long
    stages:
      - {id: pretrain, title: Pre-training, kind: pretraining}
      - {id: tune, title: Fine-tuning, kind: SFT, after: pretrain}
profiles:
  short:
    kinds:
      pretraining: {tokens: How many tokens are read., learning rate: The peak., optimiser: The optimiser by name.}
      sft: {tokens: How many tokens are read., learning rate: The peak.}
  long:
    extends: short
    kinds:
      pre-training: {hardware: The kind of accelerator.}
"""

CLAIMS = """\
claims:
  - id: wren.tokens
    stage: wren/pretrain
    field: tokens
    text: Wren reads 40 billion tokens.
    value: 40B
    unit: tokens
    status: stated
    cite: [{source: report, section: 1, page: 1, quote: Wren reads 40 billion tokens of text}]
  - id: wren.passes
    stage: wren/pretrain
    field: tokens
    text: Dialogues are read twice.
    status: stated
    cite: [{source: report, section: 2.1, page: 3, quote: Dialogues about birds are read twice}]
  - id: wren.rate
    stage: wren/pretrain
    field: Learning-Rate
    text: The learning rate of pre-training.
    status: not-stated
    searched: [{source: report, terms: [learning rate, lr]}]
  - id: wren.tune.tokens
    stage: wren/tune
    field: tokens
    text: Tuning reads half as many.
    value: 20B
    unit: tokens
    status: derived
    formula: tokens / 2
    inputs: {tokens: wren.tokens}
  - id: wren.tune.rate
    stage: wren/tune
    field: learning rate
    text: The rate goes on.
    status: concluded
    because: The report names no other.
    leans-on: [wren.tokens]
  - id: wren.tune.licence
    stage: wren/tune
    field: licence
    text: The model is under the MIT licence.
    status: stated
    cite: [{source: supplement, page: 2, quote: all of it is under the MIT licence}]
  - id: wren.tune.remark
    stage: wren/tune
    text: Dialogues about birds are read.
    status: stated
    cite: [{source: report, section: 2.1, page: 2, quote: Dialogues about birds are read twice}]
  - id: article.optimiser
    stage: wren/pretrain
    field: optimiser
    text: Wren is trained with a good optimiser.
    status: stated
    cite: [{source: report, section: 1, page: 1, quote: Wren reads 40 billion tokens of text}]
    made-in: {source: article, quote: Wren is trained with a good optimiser}
"""

FILES = {
    "report.pdf": PDF,
    "article.txt": "Wren is trained with a good optimiser.\n",
    "claims/sources.yaml": SOURCES,
    "claims/pipeline.yaml": PIPELINE,
    "claims/wren.yaml": CLAIMS,
}

OTHER = """\
pipelines:
  teal:
    profile: short
    stages: [{id: pretrain, kind: pretraining}]
claims:
  - id: teal.optimiser
    stage: teal/pretrain
    field: Optimiser
    text: Wren's tokens are read.
    status: stated
    cite: [{source: report, section: 1, page: 1, quote: Wren reads 40 billion tokens of text}]
"""
"""A second pipeline with one of three fields answered."""


def audited(root: Path) -> Report:
    """The report of a project."""
    settings = find(root)
    ledger = load(settings)
    library = Library(settings)
    report = check(trace(ledger, library))
    library.close()
    return report


def covered(root: Path, *pipelines: str, made_in: str | None = None) -> Coverage:
    """The coverage of a project's pipelines, all if none is named."""
    report = audited(root)
    return cover(report, profiles.known(report.ledger), pipelines=pipelines or None, made_in=made_in)
