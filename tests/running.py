"""The command line as the tests of its options run it: words to what is printed and returned, and a project for it."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tracer.__main__ import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a command did."""

    code: int
    out: str
    err: str


Tracer = Callable[..., Run]


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> Run:
    """Runs the words as a shell would."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    streams = capsys.readouterr()
    return Run(code=int(ended.value.code or 0), out=streams.out, err=streams.err)


def edit(path: Path, old: str, new: str) -> None:
    """Puts other words into a file, which must hold the old ones."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def git(folder: Path, *words: str) -> None:
    """Runs git in a folder, as somebody who signs nothing."""
    names = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *names, *words], check=True, capture_output=True)


OWL_NOTES = """\
# Owl

## Pre-training

Owl reads 40 billion tokens once. The batch holds 512 sequences.

## Fine-tuning

The model is tuned on 3,000 dialogues.
"""
OWL_CARD = "# Card\n\n## Licence\n\nOwl comes under the MIT licence.\n"

OWL_SOURCES = """\
sources:
  notes:
    sha256: {sha256 of sources/notes.md}
    file: sources/notes.md
  card:
    sha256: {sha256 of sources/card.md}
    file: sources/card.md
pipelines:
  owl:
    stages:
      - {id: pretrain, kind: pretraining}
      - {id: tune, kind: sft, after: pretrain}
"""

OWL_PRETRAIN = """\
claims:
  - id: owl.tokens
    stage: owl/pretrain
    text: Owl reads 40 billion tokens.
    value: 40B
    unit: tokens
    status: stated
    cite:
      - {source: notes, section: Pre-training, quote: "Owl reads 40 billion tokens once"}
  - id: owl.batch
    stage: owl/pretrain
    text: The batch holds 512 sequences.
    status: stated
    cite:
      - {source: notes, section: Fine-tuning, quote: "The batch holds 512 sequences"}
"""

OWL_TUNE = """\
claims:
  - id: owl.licence
    stage: owl/tune
    text: Owl is under the MIT licence.
    status: stated
    cite:
      - {source: card, section: Licence, quote: "Owl comes under the MIT licence"}
  - id: owl.start
    stage: owl/tune
    text: Tuning starts from the pre-trained model.
    status: concluded
    because: There is no other model.
    leans-on: [owl.tokens]
"""

OWL = {
    "claims/sources.yaml": OWL_SOURCES,
    "claims/pretrain.yaml": OWL_PRETRAIN,
    "claims/tune.yaml": OWL_TUNE,
    "sources/notes.md": OWL_NOTES,
    "sources/card.md": OWL_CARD,
}
"""A project of two sources and four claims, one of which cites the wrong section."""
