"""The shapes of forgetting by a filter: strict, since a filter that is misread must not become a wider one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from vault.api.answers import MemoryOut, Shape
from vault.api.fields import Choice, Id, Slug, Subject, Text
from vault.api.requests import MAX_REFERENCE_CHARACTERS
from vault.api.validation import Strict
from vault.lifecycle.forget_matching import ForgetFilter
from vault.types import Kind, SourceType


class SourceFilterIn(Strict):
    """A type, a reference, or both."""

    type = Choice(SourceType, required=False)
    ref = Text(max_length=MAX_REFERENCE_CHARACTERS, required=False)

    default_error_messages = {"nothing": "Name a type or a reference."}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            self.fail("nothing")
        return attrs


class ForgetMatchingIn(Strict):
    """Which memories of a subject to forget: those that match everything that is named."""

    subject = Subject()
    session = Id(required=False)
    source = SourceFilterIn(required=False)  # type: ignore[assignment]
    namespace = Slug(required=False)
    kind = Choice(Kind, required=False)
    reason = Slug(default="forgotten")

    default_error_messages = {"nothing": "Name a session or a source; an empty filter forgets nothing."}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not {"session", "source"} & set(attrs):
            self.fail("nothing")
        return attrs


class ForgottenOut(Shape):
    """How many were forgotten, and which; with `more`, call again for the rest.

    `wholes` are the consolidated memories that were withdrawn or forgotten with an original of theirs.
    """

    forgotten = serializers.SerializerMethodField()
    memories = serializers.ListField(child=serializers.UUIDField())
    more = serializers.BooleanField()
    wholes = serializers.ListField(child=serializers.UUIDField())

    def get_forgotten(self, done: Any) -> int:
        return len(done.memories)


class ForgottenMemoryOut(MemoryOut):
    """The memory as it was forgotten; `wholes` are the consolidated memories that went with it as their original."""

    wholes = serializers.ListField(child=serializers.UUIDField())


def filter_from(body: Mapping[str, Any]) -> ForgetFilter:
    """The filter of a validated body."""
    source = body.get("source", {})
    return ForgetFilter(
        session=body.get("session"),
        source_type=source.get("type"),
        source_ref=source.get("ref"),
        namespace=body.get("namespace"),
        kind=body.get("kind"),
    )
