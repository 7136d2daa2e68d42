"""What callers get of searches: hits with the parts of their scores, and blocks for a prompt."""

from __future__ import annotations

from rest_framework import serializers

from vault.api.answers import MemoryOut, Shape, TextOrNull


class HitOut(Shape):
    """One memory that was found, its score, and the parts of the score (0..1)."""

    memory = MemoryOut()
    score = serializers.FloatField()
    similarity = serializers.FloatField()
    recency = serializers.FloatField()
    importance = serializers.FloatField()
    semantic = serializers.FloatField(allow_null=True)
    keyword = serializers.FloatField(allow_null=True)


class QueryOut(Shape):
    """The text that was searched with; `fallback` says why a model's rewriting of it was not used."""

    used = serializers.CharField()
    transformed = serializers.CharField(allow_null=True)
    fallback = TextOrNull(allow_null=True)


class SearchOut(Shape):
    results = HitOut(many=True)
    query = QueryOut(source="*")
    took_ms = serializers.FloatField()
    held_back = serializers.IntegerField(
        help_text="Memories that were found and are not served: parts of an order, near-copies, stuffed texts."
    )


class ContextOut(Shape):
    """A block of text for a prompt; `tokens` counts all of it, `counting` names the method."""

    text = serializers.CharField(allow_blank=True)
    tokens = serializers.IntegerField()
    memories = serializers.ListField(child=serializers.UUIDField())
    omitted = serializers.IntegerField()
    counting = serializers.CharField()
    held_back = serializers.IntegerField(
        help_text="Memories that were found and are not served: parts of an order, near-copies, stuffed texts."
    )
    query = QueryOut()
