"""What callers get: the shapes of answers, written once for the answers themselves and for OpenAPI."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from rest_framework import serializers

from vault.api.fields import Choice
from vault.retrieval.scope import Right
from vault.types import Action, Category, Kind, QuarantineStatus, SourceType, Status, Trust

Shape = serializers.Serializer[Any]


class Moment(serializers.DateTimeField):
    """A point in time, in UTC whatever the server's own zone is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(default_timezone=UTC, **kwargs)


class TextOrNull(serializers.CharField):
    """A text, null when there is none."""

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]
        return str(value) or None


class FindingOut(Shape):
    """One detection: where and what kind, never the value."""

    category = Choice(Category)
    type = serializers.CharField()
    start = serializers.IntegerField(help_text="In code points of the field as it was submitted.")
    end = serializers.IntegerField()
    score = serializers.FloatField()
    action = Choice(Action)
    pointer = serializers.CharField(help_text="JSON pointer of the field.")


class SourceOut(Shape):
    type = Choice(SourceType, source="row.source_type")
    ref = serializers.CharField(source="content.source_ref", allow_blank=True)
    agent = serializers.CharField(allow_blank=True)


class MemoryOut(Shape):
    """One remembered statement."""

    id = serializers.UUIDField(source="row.pk")
    subject = serializers.CharField()
    namespace = serializers.CharField()
    kind = Choice(Kind, source="row.kind")
    text = serializers.CharField(source="content.text")
    attribute = TextOrNull(source="content.attribute", allow_null=True)
    importance = serializers.FloatField(source="row.importance")
    trust = Choice(Trust, source="row.trust")
    source = SourceOut(source="*")  # type: ignore[assignment]
    status = Choice(Status, source="row.status")
    version = serializers.IntegerField(source="row.version")
    volatile = serializers.BooleanField(source="row.volatile")
    occurred_at = Moment(source="row.occurred_at", allow_null=True)
    created_at = Moment(source="row.created_at")
    updated_at = Moment(source="row.updated_at")
    last_used_at = Moment(source="row.last_used_at", allow_null=True)
    expires_at = Moment(source="row.expires_at", allow_null=True)
    seen_count = serializers.IntegerField(source="row.seen_count")
    use_count = serializers.IntegerField(source="row.use_count")
    pinned = serializers.BooleanField(
        source="row.pinned", help_text="Staff keep it from being archived at a cap."
    )
    supersedes = serializers.ListField(child=serializers.UUIDField())
    superseded_by = serializers.UUIDField(source="row.superseded_by_id", allow_null=True)
    conflicts_with = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Memories that contradict it, until a person has decided between them.",
    )
    derived_from = serializers.ListField(child=serializers.UUIDField(), source="row.derived_from")
    findings = FindingOut(many=True, source="content.findings")
    metadata = serializers.DictField(source="content.metadata")


class ReconciledOut(Shape):
    """Who judged what the words left in doubt; `fallback` says why a model that may be asked did not."""

    by = serializers.ChoiceField(choices=["rules", "model"], source="reconciled_by")
    fallback = TextOrNull(allow_null=True)


class WrittenOut(Shape):
    """A write that was stored (`created`) or that was known already (`merged`)."""

    outcome = serializers.ChoiceField(choices=["created", "merged"])
    memory = MemoryOut()
    superseded = serializers.ListField(child=serializers.UUIDField())
    conflicts = serializers.ListField(child=serializers.UUIDField())
    archived = serializers.ListField(
        child=serializers.UUIDField(), help_text="Memories that gave way to this one at the namespace's cap."
    )
    reconciled = ReconciledOut(source="*")


class ChangedOut(MemoryOut):
    """A memory as it stands after a change, and who judged what the words left in doubt."""

    reconciled = ReconciledOut()


class FeedbackOut(Shape):
    """What stands after a word on a memory; `counted` is false when the caller had said the same today."""

    memory = serializers.UUIDField()
    useful = serializers.BooleanField()
    counted = serializers.BooleanField()


class ResultOut(Shape):
    """What the single call would have answered, with its status: one of its answers, or a problem."""

    status = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=["created", "merged", "quarantined"], required=False)
    code = serializers.CharField(required=False, help_text="Of the problem, when the write failed.")


class BatchOut(Shape):
    """One result a write, in the order of the request."""

    results = ResultOut(many=True)


class SetAsideOut(Shape):
    id = serializers.UUIDField(source="quarantined.pk")
    status = Choice(QuarantineStatus, source="quarantined.status")
    reasons = serializers.ListField(child=serializers.CharField(), source="quarantined.reasons")
    findings = FindingOut(many=True, source="verdict.findings")


class QuarantinedOut(Shape):
    """A write that waits for a person; nothing of it can be found until then."""

    outcome = serializers.ChoiceField(choices=["quarantined"])
    quarantine = SetAsideOut(source="*")


class QuarantineStateOut(Shape):
    """The state of a write that was set aside, without its text."""

    id = serializers.UUIDField(source="pk")
    status = Choice(QuarantineStatus)
    reasons = serializers.ListField(child=serializers.CharField())
    created_at = Moment()
    due_at = Moment()
    decided_at = Moment(allow_null=True)
    memory = serializers.UUIDField(source="released_as", allow_null=True)


class SubjectOut(Shape):
    """What is kept on a subject, in counts."""

    subject = serializers.CharField()
    by_kind = serializers.DictField(child=serializers.IntegerField())
    by_status = serializers.DictField(child=serializers.IntegerField())
    by_namespace = serializers.DictField(child=serializers.IntegerField())
    holds = serializers.IntegerField()
    last_activity_at = Moment(allow_null=True)


class SubjectTokenOut(Shape):
    token = serializers.CharField(help_text="Shown once; only a hash is kept.")
    subject = serializers.CharField()
    scopes = serializers.ListField(child=Choice(Right))
    expires_at = Moment()


class ErasureOut(Shape):
    """Where an erasure stands."""

    id = serializers.UUIDField(source="pk")
    status = serializers.CharField()
    reason = serializers.CharField(source="reason_code")
    requested_at = Moment()
    due_at = Moment()
    decided_at = Moment(allow_null=True)
    ground = serializers.CharField(source="ground_code", allow_blank=True)
    executed_at = Moment(allow_null=True)


class PieceOut(Shape):
    """A run of words that stayed, went or came."""

    change = serializers.ChoiceField(choices=["same", "removed", "added"])
    text = serializers.CharField(allow_blank=True)


class VersionOut(Shape):
    """One version of a memory, with who wrote it, why, when, and what changed against the one before."""

    version = serializers.IntegerField(source="opened.row.number")
    text = serializers.CharField(source="opened.content.text")
    kind = Choice(Kind, source="opened.row.kind")
    attribute = serializers.CharField(source="opened.content.attribute", allow_blank=True)
    importance = serializers.FloatField(source="opened.row.importance")
    trust = Choice(Trust, source="opened.row.trust")
    status = Choice(Status, source="opened.row.status")
    metadata = serializers.DictField(source="opened.content.metadata")
    author = serializers.CharField(source="opened.row.author")
    reason = serializers.CharField(source="opened.row.reason_code")
    written_at = Moment(source="opened.row.written_at")
    diff = PieceOut(many=True, source="changes", help_text="The text, word by word.")
    changed = serializers.SerializerMethodField(help_text="Names of the other fields that changed.")

    def get_changed(self, view: Any) -> list[str]:
        return sorted(view.labels)


class CheckpointOut(Shape):
    """A signed tree head of the audit log; `note` is what was signed."""

    size = serializers.IntegerField()
    root = serializers.CharField(help_text="Base64.")  # type: ignore[assignment]
    key_id = serializers.CharField()
    note = serializers.CharField()


class ProofOut(Shape):
    """That an entry stands in the log under a signed head (RFC 6962); hashes in base64."""

    seq = serializers.IntegerField()
    leaf = serializers.CharField()
    hashes = serializers.ListField(child=serializers.CharField())
    checkpoint = serializers.CharField()
