"""Short-term memory: sessions, their turns, summaries of turns, and links of visitors to subjects.

What was said stands only inside ciphertexts under the subject's key. In clear stand the numbers by which a window is
chosen without opening anything: importance, tokens, and which tool result answers which call.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from vault.models.access import Namespace
from vault.models.identifiers import new_id
from vault.models.subject import Subject
from vault.types import Trust


class SessionStatus(models.TextChoices):
    ACTIVE = "active"
    ENDED = "ended"
    EXPIRED = "expired"


class SummaryLevel(models.TextChoices):
    TURNS = "turns"
    SESSION = "session"
    SUBJECT = "subject"
    # The weightiest points of all stretches of a running session.
    STRONGEST = "best"


class Session(models.Model):
    """One run of an agent with one subject. It ends by a call, by idleness, or at the end of its life."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="+", db_index=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="+", db_index=False)
    agent_id = models.UUIDField(null=True)
    status = models.CharField(max_length=8, choices=SessionStatus.choices, default=SessionStatus.ACTIVE)
    started_at = models.DateTimeField()
    last_turn_at = models.DateTimeField()
    # Without a turn until then it is idle; its life ends at the other whatever happens.
    idle_until = models.DateTimeField()
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    # When its turns are deleted.
    purge_at = models.DateTimeField(null=True)
    turn_count = models.PositiveIntegerField(default=0)
    token_count = models.PositiveBigIntegerField(default=0)
    # Why memories have to be looked for before the next window: a code, empty when they need not be.
    retrieve_why = models.CharField(max_length=16, blank=True)
    # The topic and the memories that were found last, sealed; the revision is bound into the seal.
    state = models.BinaryField(default=bytes)
    state_revision = models.PositiveIntegerField(default=0)
    # The manifest of its turns and summaries: see vault.retrieval.session_set. Empty before the first turn.
    manifest_value = models.BinaryField(default=bytes)
    manifest_count = models.PositiveIntegerField(default=0)
    manifest_sequence = models.PositiveBigIntegerField(default=0)
    manifest_mac = models.BinaryField(default=bytes)
    # What of a turn it covers; and, of what every window shows or reads, what even a read of a long session checks.
    manifest_form = models.PositiveSmallIntegerField(default=2)
    system_turns = models.PositiveIntegerField(default=0)
    strongest_id = models.UUIDField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["subject", "namespace", "started_at"], name="session_by_subject"),
            models.Index(fields=["idle_until"], name="session_idle", condition=Q(status="active")),
            models.Index(fields=["purge_at"], name="session_to_purge", condition=Q(purge_at__isnull=False)),
        ]
        constraints = [
            models.CheckConstraint(
                name="session_status_is_known", condition=Q(status__in=["active", "ended", "expired"])
            ),
            models.CheckConstraint(
                name="session_over_has_an_end", condition=Q(status="active") | Q(ended_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"session {self.pk}"


class Turn(models.Model):
    """One message of a session. A tool's answer names the turn that called for it in `unit`."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="turns", db_index=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="+", db_index=True)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    role = models.CharField(max_length=9)
    trust = models.CharField(max_length=12)
    importance = models.FloatField()
    tokens = models.PositiveIntegerField()
    # How many tools an assistant's turn calls, and how many of them have answered.
    calls = models.PositiveSmallIntegerField(default=0)
    answered = models.PositiveSmallIntegerField(default=0)
    unit = models.PositiveIntegerField(null=True)
    # A later turn says the same in the same role: a window shows that one.
    repeated = models.BooleanField(default=False)
    fingerprint = models.BinaryField(max_length=32)
    created_at = models.DateTimeField()
    ciphertext = models.BinaryField()

    class Meta:
        indexes = [
            models.Index(fields=["session", "fingerprint"], name="turn_by_statement"),
            # A window reads along these, so that it costs the same however long the session is.
            models.Index(
                fields=["session", "importance", "number"], name="turn_by_weight", condition=Q(repeated=False)
            ),
            models.Index(
                fields=["session", "role", "number"],
                name="turn_by_role",
                include=["tokens", "subject", "namespace"],
            ),
            models.Index(fields=["session", "unit"], name="turn_by_call", condition=Q(unit__isnull=False)),
            models.Index(
                fields=["session", "number"], name="turn_waiting", condition=Q(calls__gt=F("answered"))
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="one_turn_per_number"),
            models.CheckConstraint(
                name="turn_role_is_known", condition=Q(role__in=["system", "user", "assistant", "tool"])
            ),
            models.CheckConstraint(
                name="turn_trust_is_known", condition=Q(trust__in=[level.value for level in Trust])
            ),
            models.CheckConstraint(
                name="turn_importance_in_bounds", condition=Q(importance__gte=0, importance__lte=1)
            ),
            models.CheckConstraint(
                name="turn_answers_an_earlier_one", condition=Q(unit__isnull=True) | Q(unit__lt=F("number"))
            ),
        ]

    def __str__(self) -> str:
        return f"turn {self.number} of session {self.session_id}"


class SessionSummary(models.Model):
    """What is left of turns, of a session, or of a subject's sessions; sealed, and dropped with its turns."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Null for the summary of all sessions of a subject in a namespace.
    session = models.ForeignKey(Session, on_delete=models.PROTECT, null=True, related_name="summaries")
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="+", db_index=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="+", db_index=False)
    level = models.CharField(max_length=8, choices=SummaryLevel.choices)
    first = models.PositiveIntegerField(default=0)
    last = models.PositiveIntegerField(default=0)
    trust = models.CharField(max_length=12)
    tokens = models.PositiveIntegerField()
    method = models.CharField(max_length=12)
    created_at = models.DateTimeField()
    ciphertext = models.BinaryField()
    # Of one of a subject's sessions: whether the subject's manifest counts it.
    is_bound = models.BooleanField(default=False)
    # When a language model is to be asked for it, and how often it was; null when none is.
    ask_model_at = models.DateTimeField(null=True)
    asked = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["subject", "namespace", "level"], name="summary_by_subject"),
            models.Index(
                fields=["ask_model_at"], name="summary_to_ask", condition=Q(ask_model_at__isnull=False)
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "first", "last"],
                name="one_summary_per_stretch",
                condition=Q(level="turns"),
            ),
            models.UniqueConstraint(
                fields=["session"], name="one_summary_per_session", condition=Q(level="session")
            ),
            models.UniqueConstraint(
                fields=["session"], name="one_strongest_per_session", condition=Q(level="best")
            ),
            models.UniqueConstraint(
                fields=["subject", "namespace"],
                name="one_summary_per_subject_and_namespace",
                condition=Q(level="subject"),
            ),
            models.CheckConstraint(
                name="summary_trust_is_known", condition=Q(trust__in=[level.value for level in Trust])
            ),
        ]

    def __str__(self) -> str:
        return f"summary {self.pk}"


class VisitorLink(models.Model):
    """That a visitor turned out to be a subject: what was moved, by whom, and until when it can be undone."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="+")
    # The visitor's own subject, from which everything was moved.
    visitor_id = models.UUIDField(db_index=True)
    linked_by = models.CharField(max_length=80)
    linked_at = models.DateTimeField()
    undo_until = models.DateTimeField()
    undone_by = models.CharField(max_length=80, blank=True)
    undone_at = models.DateTimeField(null=True)
    memories = ArrayField(models.UUIDField(), default=list)
    sessions = ArrayField(models.UUIDField(), default=list)
    # Drafts that waited for a person.
    quarantined = ArrayField(models.UUIDField(), default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["visitor_id"], name="one_live_link_per_visitor", condition=Q(undone_at__isnull=True)
            ),
            models.CheckConstraint(name="visitor_link_joins_two", condition=~Q(visitor_id=F("subject_id"))),
        ]

    def __str__(self) -> str:
        return f"visitor link {self.pk}"
