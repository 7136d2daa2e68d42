"""Shapes of text that orders use and notes do not: role tags, placeholders, addresses, sudden capitals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from vault.screening.injection.lexicon import CLASSES, bit

# ruff: noqa: E501 - a pattern a line reads better than one broken in two


class Clause(Protocol):
    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def masks(self) -> tuple[int, ...]: ...


_PATTERNS: tuple[tuple[str, str], ...] = (
    ("url", r"(?i)\b(?:https?|ftp|mcp)://|\bwww\."),
    ("url_query", r"(?i)https?://[^\s?]{0,200}\?[^\s=]{0,200}="),
    ("placeholder", r"\{[A-Za-z_ .]{2,40}\}|<[a-z_]+ [a-z_ ]+>|\$\{|\{\{|<[A-Z_]{3,30}>"),
    ("email", r"[\w.+-]@[\w-]+\.[a-z]"),
    ("iban", r"\b[A-Z]{2}\d{2}[ ]?[\dA-Z]{4}[\dA-Z ]{4,}"),
    ("money", r"[$€£₹¥]\s?\d|\d\s?(?:USD|EUR|dollars|euros|%)"),
    ("role_tag", r"(?i)<\|?/?(?:im_start|im_end|system|assistant|user|inst|sys)\b[^>]{0,40}>|\[/?INST\]|<<SYS>>"),
    ("role_line", r"(?im)(?:^|[\n.:]\s*|#\s*)(?:system|assistant|developer|admin|human)\s*:"),
    ("bracket_caps", r"[\[<{(]\s*/?[A-Z][A-Z_ -]{4,60}[:\]>})]"),
    ("hashes", r"#{2,}|={4,}|-{4,}|\*{3,}"),
    ("tool_json", r"(?i)\"(?:tool|function|name|action|arguments|parameters)\"\s*:|\b[a-z_]+\((?:\s*[a-z_]+\s*=|['\"])"),
    ("html", r"</?[a-zA-Z][^<>]{0,200}>"),
    ("code", r"`|\b(?:def|import|const|return|npm|pip|docker|git|pytest)\b|[a-z]_[a-z]|\(\)|::|\.py\b"),
    ("domain", r"(?i)\b[a-z0-9-]+\.(?:com|net|org|io|xyz|example|internal|tk|ru|co)\b"),
    ("quotes", r"[\"“”«»]|(?:^|\s)'"),
    ("image", r"!\[[^\]\n]{0,100}\]\("),
    ("formula", r"(?i)^\s*=\s*[A-Z]+\(|=(?:importdata|importxml|webservice|hyperlink|image)\("),
    ("all_caps_lead", r"^[\W_]*[A-Z][A-Z_ ]{3,40}[:!\]>-]"),
    ("snake_tool", r"\b(?:send|delete|http|transfer|read|write|get|create|update|execute)_[a-z_]+\b"),
    ("path", r"(?:^|[\s'\"])(?:/etc/|~/|\.\./|C:\\|\./)"),
    ("imperative_you", r"(?i)\byou (?:must|will|should|are|have to|need to|shall|may|can)\b"),
    ("question", r"\?\s*$"),
    ("question_open", r"(?i)^\W*(?:what|how|why|can|could|who|where|when|is|are|do|does|should|which|explain|describe|tell me about)\b"),
    ("first_open", r"(?i)^\W*(?:i|i'm|i've|my|we|our)\b"),
    ("third_open", r"(?i)^\W*(?:the )?(?:user|she|he|they|it)(?:'s)?\b"),
    ("name_verb_open", r"^[A-Z][a-z]+ (?:is|was|has|had|likes|loves|enjoys|works|lives|wants|prefers|said|asked|thinks|feels|went|visited)\b"),
    ("polite", r"(?i)\bplease\b"),
    ("canary", r"(?i)\bcanary\b|\{canary\}"),
    ("dont", r"(?i)\b(?:don't|do not|never|must not)\b"),
    ("non_latin", r"[\u0400-\u04ff\u0600-\u06ff\u0900-\u0dff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(pattern)) for name, pattern in _PATTERNS)
_COUNTED = (
    "bias",
    "length",
    "segments",
    "capitals",
    "digits",
    "order_density",
    "opens_with_order",
    "many_classes",
)
STRUCTURE = tuple(name for name, _ in _PATTERNS) + _COUNTED
_AT = {name: index for index, name in enumerate(STRUCTURE)}

_ORDERS = sum(
    bit(name)
    for name in (
        "override",
        "reveal",
        "send",
        "skip",
        "include",
        "exec",
        "obey",
        "memory",
        "steer",
        "persona",
        "decode",
    )
)
_TOPICS = sum(bit(name) for name in CLASSES if name not in ("you", "first_person", "discussion"))


def structure_of(text: str, parts: Sequence[Clause]) -> dict[int, float]:
    """Values of the structural features, by index; absent ones are left out."""
    found = {_AT[name]: 1.0 for name, pattern in _COMPILED if pattern.search(text)}
    words = sum(len(part.words) for part in parts)
    letters = sum(map(str.isalpha, text)) or 1
    orders = sum(1 for part in parts for mask in part.masks if mask & _ORDERS)
    found[_AT["bias"]] = 1.0
    found[_AT["length"]] = min(words, 400) ** 0.5 / 10
    found[_AT["segments"]] = min(len(parts), 50) ** 0.5 / 5
    found[_AT["capitals"]] = sum(map(str.isupper, text)) / letters
    found[_AT["digits"]] = sum(map(str.isdigit, text)) / (len(text) or 1)
    found[_AT["order_density"]] = 3.0 * orders / (words or 1)
    if any(part.masks and part.masks[0] & _ORDERS for part in parts):
        found[_AT["opens_with_order"]] = 1.0
    found[_AT["many_classes"]] = max(((_mask(part) & _TOPICS).bit_count() for part in parts), default=0) / 5
    return found


def _mask(part: Clause) -> int:
    mask = 0
    for each in part.masks:
        mask |= each
    return mask
