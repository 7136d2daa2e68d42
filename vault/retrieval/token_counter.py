"""The count of tokens in use: exact where the model's own tokenizer is installed, an upper estimate elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from tokenizers import Tokenizer

from vault.retrieval.tokenizer_count import METHOD, count_tokens


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts a text, and says by which method."""

    count: Callable[[str], int]
    method: str


ESTIMATE = TokenCounter(count_tokens, METHOD)


def token_counter() -> TokenCounter:
    """The counter of the settings: TOKENIZER_FILE names a `tokenizer.json`, else tokens are estimated."""
    return counter_of(settings.TOKENIZER_FILE) if settings.TOKENIZER_FILE else ESTIMATE


@lru_cache(maxsize=4)
def counter_of(path: str) -> TokenCounter:
    """Counts by the tokenizer of this file. Raises what `tokenizers` raises when it is none."""
    tokenizer = Tokenizer.from_file(path)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return TokenCounter(
        lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids), "exact, by the tokenizer"
    )
