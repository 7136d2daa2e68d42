"""The types of fields in requests: strict, bounded, and mute about what they refuse."""

from __future__ import annotations

import math
import re
import unicodedata
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers

MAX_TEXT_CHARACTERS = 8_000
MAX_SUBJECT_CHARACTERS = 256
MAX_CODE_CHARACTERS = 64
# RFC 3339, section 5.6: a date, a time and an offset, all of them.
INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)
CANONICAL_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
NOTHING_TO_SEE = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})
# Drawn as nothing though their categories say otherwise: fillers, the grapheme joiner, vowel signs
# without a mark, the empty Braille cell, and variation selectors.
BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)


def is_visible(text: str) -> bool:
    """Whether there is at least one character to see."""
    return any(unicodedata.category(c) not in NOTHING_TO_SEE and not BLANKS.match(c) for c in text)


class Text(serializers.CharField):
    """A string as sent: never trimmed, never made from a number. `visible` asks for something to see."""

    default_error_messages = {"not_text": "Must be a string.", "invisible": "Must hold something to see."}

    def __init__(self, *, visible: bool = True, **kwargs: Any) -> None:
        self.visible = visible
        super().__init__(trim_whitespace=False, allow_blank=not visible, **kwargs)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and data is not None and not isinstance(data, str):
            self.fail("not_text")
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        if self.visible and not is_visible(data):
            self.fail("invisible")
        return str(data)


class Subject(Text):
    """The caller's own id for a subject: exact, case-sensitive."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": MAX_SUBJECT_CHARACTERS, **kwargs})


class Slug(serializers.RegexField):
    """A short word of letters, digits, `_` and `-`."""

    default_error_messages = {
        "not_text": "Must be a string.",
        "invalid": "Only letters, digits, '_' and '-' are allowed.",
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            r"^[A-Za-z0-9_-]+\Z", **{"max_length": MAX_CODE_CHARACTERS, "trim_whitespace": False, **kwargs}
        )

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and data is not None and not isinstance(data, str):
            self.fail("not_text")
        return super().run_validation(data)


class Choice(serializers.ChoiceField):
    """One word of a closed list; a refusal names the list."""

    default_error_messages = {"invalid_choice": "Must be one of: {words}."}

    def __init__(self, words: type[StrEnum], **kwargs: Any) -> None:
        self.words = words
        super().__init__(choices=[word.value for word in words], **kwargs)

    def to_internal_value(self, data: Any) -> StrEnum:
        if not isinstance(data, str) or data not in list(self.words):
            self.fail("invalid_choice", words=", ".join(self.words))
        return self.words(data)


class Number(serializers.FloatField):
    """A finite JSON number; neither a string nor a truth value."""

    default_error_messages = {"invalid": "Must be a finite number."}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float) or not math.isfinite(data):
            self.fail("invalid")
        return float(data)


class Whole(serializers.IntegerField):
    """A whole JSON number; neither a string, nor a truth value, nor 3.0."""

    default_error_messages = {"invalid": "Must be a whole number."}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class Flag(serializers.BooleanField):
    """true or false and nothing that resembles them."""

    default_error_messages = {"invalid": "Must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Instant(serializers.DateTimeField):
    """A point in time with its offset (RFC 3339), as UTC. A bare date or a local time is refused."""

    default_error_messages = {
        "invalid": "Must be a date, a time and an offset (RFC 3339), like 2026-09-02T08:30:00Z.",
        "past": "Must lie in the future.",
        "future": "Must not lie in the future.",
    }

    def __init__(self, *, only_future: bool = False, only_past: bool = False, **kwargs: Any) -> None:
        self.only_future, self.only_past = only_future, only_past
        super().__init__(**kwargs)

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str) or not INSTANT.fullmatch(value):
            self.fail("invalid")
        try:
            instant = datetime.fromisoformat(value.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid")
        if self.only_future and instant <= timezone.now():
            self.fail("past")
        if self.only_past and instant > timezone.now():
            self.fail("future")
        return instant


class Id(serializers.UUIDField):
    """A UUID in its usual spelling."""

    default_error_messages = {"invalid": "Must be a UUID."}

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str) or not CANONICAL_ID.fullmatch(data):
            self.fail("invalid")
        return UUID(data)
