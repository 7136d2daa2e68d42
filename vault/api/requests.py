"""What callers may send: the shapes of request bodies and query strings."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from vault.api.fields import (
    MAX_TEXT_CHARACTERS,
    Choice,
    Flag,
    Id,
    Instant,
    Number,
    Slug,
    Subject,
    Text,
    Whole,
)
from vault.api.metadata import Metadata
from vault.api.validation import Strict
from vault.retrieval.scope import Right
from vault.retrieval.score import Decay
from vault.retrieval.search import Mode
from vault.types import Kind, SourceType, Status, Trust

MAX_ATTRIBUTE_CHARACTERS = 100
MAX_REFERENCE_CHARACTERS = 500
MAX_SUPERSEDED = 20
MAX_RESULTS = 100
MAX_NAMESPACES = 50
MAX_HALF_LIFE_DAYS = 36_500
BY_POLICY = "Without it, each memory is weighed by its own namespace's policy for its kind, else as shipped."
BY_KIND = "Without it, as the namespace's policy has it for each kind, else 5 and hybrid."
MAX_CONTEXT_TOKENS = 32_000
MIN_CONTEXT_TOKENS = 64
MAX_TOKEN_SECONDS = 24 * 3600
MAX_PAGE = 100
DEFAULT_PAGE = 50


class SourceIn(Strict):
    type = Choice(SourceType)
    ref = Text(visible=False, max_length=MAX_REFERENCE_CHARACTERS, default="")


class WriteIn(Strict):
    """One statement to remember."""

    subject = Subject()
    text = Text(max_length=MAX_TEXT_CHARACTERS)
    kind = Choice(Kind, default=Kind.FACT)
    namespace = Slug(required=False)
    source = SourceIn(required=False)  # type: ignore[assignment]
    attribute = Text(max_length=MAX_ATTRIBUTE_CHARACTERS, required=False, allow_null=True)
    importance = Number(min_value=0, max_value=1, default=0.5)
    trust = Choice(Trust, required=False, help_text="May only lower what source and grant allow.")
    volatile = Flag(required=False)
    occurred_at = Instant(required=False, allow_null=True)
    expires_at = Instant(only_future=True, required=False, allow_null=True)
    created_at = Instant(only_past=True, required=False, help_text="Needs the scope memory:import.")
    supersedes = serializers.ListField(child=Id(), max_length=MAX_SUPERSEDED, required=False)
    metadata = Metadata(required=False)
    session = Id(required=False, allow_null=True)


class BatchIn(Strict):
    """Up to 100 writes; each is validated and answered by itself."""

    memories = serializers.ListField(child=WriteIn(), min_length=1, max_length=100)


class ChangeIn(Strict):
    """The fields to replace; null clears a time or the attribute."""

    text = Text(max_length=MAX_TEXT_CHARACTERS, required=False)
    kind = Choice(Kind, required=False)
    attribute = Text(max_length=MAX_ATTRIBUTE_CHARACTERS, required=False, allow_null=True)
    importance = Number(min_value=0, max_value=1, required=False)
    volatile = Flag(required=False)
    occurred_at = Instant(required=False, allow_null=True)
    expires_at = Instant(only_future=True, required=False, allow_null=True)
    metadata = Metadata(required=False)
    reason = Slug(default="changed")

    default_error_messages = {"nothing": "Name at least one field to change."}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not set(attrs) - {"reason"}:
            self.fail("nothing")
        return attrs


class ForgetIn(Strict):
    reason = Slug(default="forgotten")


class RestoreIn(Strict):
    reason = Slug(default="restored")


class FeedbackIn(Strict):
    useful = Flag(help_text="Whether the memory helped with what it was served for.")


class RollbackIn(Strict):
    version = Whole(min_value=1, max_value=2**31 - 1)
    reason = Slug()


class WeightsIn(Strict):
    similarity = Number(min_value=0, max_value=1000, required=False)
    recency = Number(min_value=0, max_value=1000, required=False)
    importance = Number(min_value=0, max_value=1000, required=False)


class SearchIn(Strict):
    """A question to one subject's memories."""

    subject = Subject()
    query = Text(max_length=MAX_TEXT_CHARACTERS)
    k = Whole(min_value=1, max_value=MAX_RESULTS, default=5)
    namespaces = serializers.ListField(child=Slug(), min_length=1, max_length=MAX_NAMESPACES, required=False)
    kinds = serializers.ListField(child=Choice(Kind), min_length=1, max_length=len(Kind), required=False)
    min_trust = Choice(Trust, required=False)
    min_similarity = Number(min_value=0, max_value=1, required=False)
    attribute = Text(max_length=MAX_ATTRIBUTE_CHARACTERS, required=False)
    created_after = Instant(required=False, help_text="This instant or later.")
    created_before = Instant(required=False, help_text="Earlier than this instant.")
    occurred_after = Instant(required=False, help_text="Needs a memory that says when it occurred.")
    occurred_before = Instant(required=False, help_text="Needs a memory that says when it occurred.")
    mode = Choice(Mode, default=Mode.HYBRID)
    weights = WeightsIn(required=False, help_text=BY_POLICY)
    half_life_days = Number(
        min_value=0.001, max_value=MAX_HALF_LIFE_DAYS, required=False, help_text=BY_POLICY
    )
    decay = Choice(Decay, required=False, help_text=BY_POLICY)
    as_of = Instant(required=False, allow_null=True)
    transform = Flag(default=False)
    session = Id(required=False, allow_null=True)


class PerKindIn(Strict):
    fact = Whole(min_value=0, max_value=MAX_RESULTS, required=False)
    event = Whole(min_value=0, max_value=MAX_RESULTS, required=False)
    lesson = Whole(min_value=0, max_value=MAX_RESULTS, required=False)


class ContextIn(SearchIn):
    """A question whose answer is a block of text for a prompt."""

    k = Whole(min_value=1, max_value=MAX_RESULTS, required=False, help_text=BY_KIND)
    mode = Choice(Mode, required=False, help_text=BY_KIND)
    max_tokens = Whole(min_value=MIN_CONTEXT_TOKENS, max_value=MAX_CONTEXT_TOKENS, default=500)
    per_kind = PerKindIn(required=False)


class SubjectTokenIn(Strict):
    subject = Subject()
    scopes = serializers.ListField(child=Choice(Right), min_length=1, max_length=len(Right))
    ttl_seconds = Whole(min_value=1, max_value=MAX_TOKEN_SECONDS)


class ErasureIn(Strict):
    subject = Subject()
    reason = Slug()
    evidence = Text(visible=False, max_length=MAX_TEXT_CHARACTERS, default="")


class PageQuery(Strict):
    """How much of a list, and from where. `cursor` takes what `next` or `previous` held."""

    limit = serializers.IntegerField(min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE)
    cursor = Text(max_length=4096, required=False)


class MemoriesQuery(PageQuery):
    subject = Subject()
    namespace = Slug(required=False)
    kind = Choice(Kind, required=False)
    status = Choice(Status, default=Status.ACTIVE)
    trust = Choice(Trust, required=False)
    attribute = Text(max_length=MAX_ATTRIBUTE_CHARACTERS, required=False)


class SubjectPath(Strict):
    subject = Subject()
