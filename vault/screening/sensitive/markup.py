"""Tags and addresses in a text: they name things, speak of nobody, and cost most to embed."""

from __future__ import annotations

from collections.abc import Sequence

import re2

Span = tuple[int, int]

_MARKUP = re2.compile(
    r"""</?[A-Za-z][\w-]*(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))*\s*/?>"""
    r"""|\bhttps?://[^\s"'<>]+|\bwww\.[^\s"'<>]+"""
)


def markup_in(text: str) -> list[Span]:
    """Where tags and web addresses stand, in order; what only looks like a tag (`<I am ill>`) is text."""
    if "<" not in text and "://" not in text and "www." not in text:
        return []
    return [match.span() for match in _MARKUP.finditer(text)]


def without(text: str, spans: Sequence[Span]) -> str:
    """The text with a space for each span, which lie in order and apart, and without repeated spaces."""
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])
        at = end
    return " ".join(" ".join([*kept, text[at:]]).split())
