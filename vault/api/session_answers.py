"""What callers get of sessions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from vault.api.answers import FindingOut, Moment, Shape, TextOrNull
from vault.api.fields import Choice
from vault.sessions.roles import Role
from vault.types import Kind, Trust


class SummaryStateOut(Shape):
    """Who wrote the summary of a session that is over; `pending` while a model is still to be asked for it."""

    by = serializers.ChoiceField(choices=["rules", "model"])
    fallback = TextOrNull(allow_null=True, help_text="Why a model that was asked did not write it.")
    pending = serializers.BooleanField()


class SessionOut(Shape):
    """A session as it stands. `visitor` is the value for a new visitor's cookie; it is shown once."""

    id = serializers.UUIDField(source="row.pk")
    subject = serializers.CharField()
    visitor = TextOrNull(allow_null=True)
    namespace = serializers.CharField()
    status = serializers.CharField(source="row.status")
    started_at = Moment(source="row.started_at")
    idle_until = Moment(source="row.idle_until")
    ends_at = Moment(source="row.ends_at")
    ended_at = Moment(source="row.ended_at", allow_null=True)
    turns = serializers.IntegerField(source="row.turn_count")
    tokens = serializers.IntegerField(source="row.token_count")
    summary = SummaryStateOut(allow_null=True)


class StoredTurnOut(Shape):
    """What became of one turn; `findings` say what was replaced or labelled, never a value."""

    number = serializers.IntegerField()
    role = Choice(Role)
    trust = Choice(Trust)
    importance = serializers.FloatField()
    tokens = serializers.IntegerField()
    findings = FindingOut(many=True)


class TurnsOut(Shape):
    session = serializers.UUIDField(source="session.pk")
    turns = StoredTurnOut(many=True)
    retrieve = TextOrNull(
        source="session.retrieve_why",
        allow_null=True,
        help_text="Why the next window looks for memories anew.",
    )


class TurnOut(Shape):
    """One turn as it was stored."""

    number = serializers.IntegerField(source="row.number")
    role = Choice(Role, source="row.role")
    text = serializers.CharField(source="content.text", allow_blank=True)
    tool_calls = serializers.ListField(child=serializers.DictField())
    tool_call = TextOrNull(allow_null=True)
    conclusion = TextOrNull(allow_null=True)
    speaker = TextOrNull(allow_null=True)
    trust = Choice(Trust, source="row.trust")
    importance = serializers.FloatField(source="row.importance")
    tokens = serializers.IntegerField(source="row.tokens")
    created_at = Moment(source="row.created_at")


class TurnPageOut(Shape):
    """Turns in their order; `next_after` is what `after` takes for those that follow."""

    turns = TurnOut(many=True)
    next_after = serializers.IntegerField(allow_null=True)


class DigestOut(Shape):
    """What older turns came down to, quoted or in a model's words; `turns` are those that it rests on."""

    text = serializers.CharField(allow_blank=True)
    tokens = serializers.IntegerField()
    trust = Choice(Trust)
    turns = serializers.SerializerMethodField()
    by = serializers.ChoiceField(choices=["rules", "model"])
    fallback = TextOrNull(allow_null=True, help_text="Why a model that was asked did not write it.")

    def get_turns(self, digest: Any) -> list[int]:
        return sorted({turn for point in digest.points if not point.session for turn in point.turns})


class WindowMemoriesOut(Shape):
    """The memories in the window, and why they were looked for."""

    text = serializers.CharField(source="arrangement.block", allow_blank=True)
    tokens = serializers.IntegerField(source="arrangement.block_tokens")
    ids = serializers.ListField(child=serializers.UUIDField(), source="arrangement.memories")
    omitted = serializers.IntegerField(source="arrangement.memories_omitted")
    why = serializers.ChoiceField(
        choices=["start", "topic_shift", "on_demand", "kept", "none"], source="recollection.why"
    )
    query = serializers.SerializerMethodField()

    def get_query(self, window: Any) -> dict[str, str | None] | None:
        found = window.recollection
        if not found.used:
            return None
        transformed = found.used if found.used != found.asked else None
        return {"used": found.used, "transformed": transformed, "fallback": found.fallback or None}


class WindowOut(Shape):
    """What fits into `max_tokens`: memories, then the summary of what is not shown, then turns in their order."""

    session = serializers.UUIDField(source="session.pk")
    max_tokens = serializers.IntegerField()
    tokens = serializers.IntegerField(help_text="Of everything in the window together.")
    counting = serializers.CharField()
    memories = WindowMemoriesOut(source="*")
    summary = DigestOut(source="arrangement.summary")
    turns = TurnOut(many=True)
    omitted = serializers.IntegerField(help_text="Turns that are not shown.")
    incomplete = serializers.IntegerField(help_text="Turns of tool calls whose answers have not all come.")


class LastingOut(Shape):
    """One statement that was drafted from a session, and what became of it."""

    turn = serializers.IntegerField(source="draft.turn")
    text = serializers.CharField(source="draft.text")
    kind = Choice(Kind, source="draft.kind")
    reason = serializers.CharField(source="draft.reason", help_text="Why it is worth keeping.")
    importance = serializers.FloatField(source="draft.importance")
    trust = Choice(Trust, source="draft.trust")
    outcome = serializers.ChoiceField(choices=["created", "merged", "quarantined", "refused"])
    code = TextOrNull(allow_null=True, help_text="Why it was refused.")
    memory = serializers.UUIDField(allow_null=True)
    quarantine = serializers.UUIDField(allow_null=True)
    archived = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="What gave way to it at the namespace's cap, an earlier draft too.",
    )


class EndedOut(Shape):
    """A session that is over and what of it lasts. `fallback` says why a model's answer was not used."""

    session = SessionOut(source="view")
    extractor = serializers.ChoiceField(choices=["deterministic", "model"])
    fallback = TextOrNull(allow_null=True)
    drafts = LastingOut(many=True)
    considered = serializers.IntegerField(help_text="How many turns were looked at.")


class LinkOut(Shape):
    """A link, what it moved, and until when that can be undone."""

    id = serializers.UUIDField(source="row.pk")
    subject = serializers.CharField()
    linked_at = Moment(source="row.linked_at")
    undo_until = Moment(source="row.undo_until")
    memories = serializers.SerializerMethodField()
    sessions = serializers.SerializerMethodField()

    def get_memories(self, linked: Any) -> int:
        return len(linked.row.memories)

    def get_sessions(self, linked: Any) -> int:
        return len(linked.row.sessions)
