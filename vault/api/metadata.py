"""The `metadata` of a memory: the caller's own JSON object, inert and within bounds."""

from __future__ import annotations

import json
from typing import Any

from rest_framework import serializers

from vault.api.fields import is_visible

MAX_DEPTH = 6
MAX_KEYS = 100
MAX_KEY_CHARACTERS = 100
MAX_BYTES = 16 * 1024


class Metadata(serializers.DictField):
    """A JSON object of at most MAX_KEYS keys in all, MAX_DEPTH levels and MAX_BYTES bytes.

    No key of it means anything to the vault: a `subject` or a `status` in here moves nothing.
    """

    default_error_messages = {
        "not_a_dict": "Must be an object.",
        "too_deep": f"Nested more than {MAX_DEPTH} deep.",
        "too_many": f"More than {MAX_KEYS} keys in all.",
        "bad_key": f"A key is empty, invisible, or longer than {MAX_KEY_CHARACTERS} characters.",
        "too_large": f"Larger than {MAX_BYTES} bytes as JSON.",
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict")
        if self._keys(data, 1) > MAX_KEYS:
            self.fail("too_many")
        if len(json.dumps(data, ensure_ascii=False).encode()) > MAX_BYTES:
            self.fail("too_large")
        return data

    def _keys(self, value: Any, depth: int) -> int:
        """How many keys there are in and below `value`; fails on one that breaks its bounds."""
        if not isinstance(value, dict | list):
            return 0
        if depth > MAX_DEPTH:
            self.fail("too_deep")
        if isinstance(value, list):
            return sum(self._keys(part, depth + 1) for part in value)
        if any(len(key) > MAX_KEY_CHARACTERS or not is_visible(key) for key in value):
            self.fail("bad_key")
        return len(value) + sum(self._keys(part, depth + 1) for part in value.values())
