"""A folder to a small ledger to start from, and the shapes of the record to a schema for editors."""

from pathlib import Path

from tracer.cli import console
from tracer.model import Failure
from tracer.writing import replace

SCHEMA_FILE = "tracer.schema.json"

SETTINGS = """\
# The settings of the ledger. This file marks the project's folder: `tracer` finds it from any folder below.
ledger = "claims"       # the folder of the YAML files
sources = ["sources"]   # folders in which sources are looked for by their sha256
"""

LEDGER = """\
# yaml-language-server: $schema=../tracer.schema.json
#
# A ledger of claims. With the schema above, an editor completes and checks this file; `tracer schema` prints it anew.
# Files and folders in `claims/` are yours to name; each file may hold sources, pipelines, profiles and claims.

# The documents that claims cite. `tracer pin field-notes` writes the sha256 of a file that has changed.
sources:
  field-notes:
    title: Notes on the training of Wren, an invented model
    sha256: {sha256}
    file: sources/wren.md
    # url: https://example.org/wren.md   # from where `tracer fetch` downloads it

# The steps of a training, each after the one that it follows.
pipelines:
  wren:
    title: Wren
    stages:
      - {{id: pretrain, title: Pre-training, kind: pretraining}}
      - {{id: tune, title: Fine-tuning, kind: sft, after: pretrain}}

claims:
  # stated: a source says it. The quote is verbatim; section and page say where it stands.
  - id: wren.pretrain.tokens
    stage: wren/pretrain
    field: tokens
    text: Wren is pre-trained on 40 billion tokens.
    value: 40B
    unit: tokens
    status: stated
    cite:
      - {{source: field-notes, section: Pre-training, quote: "Wren reads 40 billion tokens"}}

  - id: wren.pretrain.parameters
    stage: wren/pretrain
    field: parameters
    text: Wren has 2 billion parameters.
    value: 2B
    unit: parameters
    status: stated
    cite:
      - {{source: field-notes, section: Pre-training, quote: "a model of 2 billion parameters"}}

  # derived: computed from other claims.
  - id: wren.pretrain.tokens-per-parameter
    stage: wren/pretrain
    field: tokens per parameter
    text: Wren reads 20 tokens for each parameter.
    value: 20
    status: derived
    formula: tokens / parameters
    inputs: {{tokens: wren.pretrain.tokens, parameters: wren.pretrain.parameters}}

  # concluded: no source says it, but it follows; say why, and from what.
  - id: wren.tune.start
    stage: wren/tune
    field: starts from
    text: Fine-tuning starts from the pre-trained model.
    status: concluded
    because: The notes name no other model that fine-tuning could start from.
    leans-on: [wren.pretrain.tokens]

  # not-stated: it was looked for, with these terms, and is not there.
  - id: wren.tune.learning-rate
    stage: wren/tune
    field: learning rate
    text: The notes do not give the learning rate.
    status: not-stated
    searched:
      - {{source: field-notes, terms: [learning rate, step size]}}
"""

NOTES = """\
# Wren

Wren is an invented model, here so that the first audit has something to read.

## Pre-training

We train a model of 2 billion parameters from scratch. Wren reads 40 billion tokens of field notes once.

## Fine-tuning

The model is then tuned on 3,000 dialogues about birds.
"""


def schema() -> None:
    """Prints the JSON Schema of ledger files."""
    console.say(schema_text())


def schema_text() -> str:
    """The JSON Schema of ledger files as text."""
    import json

    from tracer.shapes import schema

    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def init(here: Path, directory: Path) -> None:
    """Writes the settings, the schema, a ledger with a claim of each status, and the notes that it cites."""
    folder = here / directory
    files = starting_files()
    present = [name for name in files if (folder / name).exists()]
    if present:
        raise Failure(f"{folder / present[0]} is there already: name an empty folder, `tracer init DIR`")
    try:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            replace(folder / name, text.encode())
    except OSError as error:
        raise Failure(f"cannot write into {folder}: {error.strerror}") from error
    console.say("".join(f"wrote {directory / name}\n" for name in files))
    console.say(f"next: {'tracer' if folder == here else f'tracer -C {directory}'} audit\n")


def starting_files() -> dict[str, str]:
    """Path in the project -> content."""
    import hashlib

    ledger = LEDGER.format(sha256=hashlib.sha256(NOTES.encode()).hexdigest())
    return {
        "tracer.toml": SETTINGS,
        SCHEMA_FILE: schema_text(),
        "claims/wren.yaml": ledger,
        "sources/wren.md": NOTES,
    }
