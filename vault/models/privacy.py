"""What data subjects ask for, and how they prove who they are. A subject's own words stand here sealed only.

Nothing here has a foreign key to the subject except the contact, which an erasure deletes: a request outlives
the subject's rows, as ids, codes and times.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from vault.models.access import Agent
from vault.models.identifiers import new_id
from vault.models.subject import ErasureRequest, Subject


class RequestKind(models.TextChoices):
    ACCESS = "access"
    CORRECTION = "correction"
    RESTRICTION = "restriction"
    ERASURE = "erasure"


class RequestStatus(models.TextChoices):
    RECEIVED = "received"
    VERIFIED = "verified"
    ON_HOLD = "on_hold"
    APPROVED = "approved"
    REFUSED = "refused"
    EXECUTING = "executing"
    DONE = "done"


REQUEST_NEXT: dict[str, frozenset[str]] = {
    RequestStatus.RECEIVED: frozenset({RequestStatus.VERIFIED, RequestStatus.REFUSED}),
    RequestStatus.VERIFIED: frozenset({RequestStatus.ON_HOLD, RequestStatus.APPROVED, RequestStatus.REFUSED}),
    RequestStatus.ON_HOLD: frozenset({RequestStatus.VERIFIED, RequestStatus.APPROVED, RequestStatus.REFUSED}),
    RequestStatus.APPROVED: frozenset({RequestStatus.EXECUTING, RequestStatus.ON_HOLD}),
    RequestStatus.EXECUTING: frozenset({RequestStatus.DONE}),
}
# Proved and not yet answered: one of a kind and a subject, all others point to it.
PROVED_AND_OPEN = (
    RequestStatus.VERIFIED.value,
    RequestStatus.ON_HOLD.value,
    RequestStatus.APPROVED.value,
    RequestStatus.EXECUTING.value,
)
UNDECIDED = (RequestStatus.RECEIVED.value, RequestStatus.VERIFIED.value, RequestStatus.ON_HOLD.value)


class ProofMethod(models.TextChoices):
    """How a subject proved who they are."""

    MAIL = "mail"
    HANDED_OUT = "handed_out"
    APPLICATION = "application"
    STAFF = "staff"


class SubjectContact(models.Model):
    """A verified address of one subject: sealed to be written to, hashed with the vault's key to be found."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="contacts")
    # Several subjects may have one address; then each gets a link of its own.
    lookup_hash = models.BinaryField(max_length=32, db_index=True)
    sealed_address = models.BinaryField()
    registered_by = models.CharField(max_length=80)
    registered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subject", "lookup_hash"], name="one_contact_per_address")
        ]

    def __str__(self) -> str:
        return f"contact {self.pk}"


class AssertionKey(models.Model):
    """The public half of a key with which an application says who is signed in there."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="assertion_keys")
    public_key = models.BinaryField(max_length=32)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["public_key"], condition=Q(revoked_at__isnull=True), name="one_accepted_key"
            )
        ]

    def __str__(self) -> str:
        return f"assertion key {self.pk}"


class SpentAssertion(models.Model):
    """That the number of an assertion was used to start a session or to link a visitor; nothing else of it is kept."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    number_hash = models.BinaryField(max_length=32, unique=True)
    # Of the assertion: from then on it is refused for its time, and the row may go.
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"spent assertion {self.pk}"


class PrivacyInquiry(models.Model):
    """What came in on the public page, until a worker has looked whether the address is anybody's.

    It is written for every address alike, so that the page answers alike; no address stands in it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=12, choices=RequestKind.choices)
    lookup_hash = models.BinaryField(max_length=32)
    received_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"inquiry {self.pk}"


class SubjectRequest(models.Model):
    """One request of a data subject: its lifecycle is the table REQUEST_NEXT."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject_id = models.UUIDField(db_index=True)
    kind = models.CharField(max_length=12, choices=RequestKind.choices)
    status = models.CharField(max_length=12, choices=RequestStatus.choices, default=RequestStatus.RECEIVED)
    received_at = models.DateTimeField()
    due_at = models.DateTimeField()
    # How the subject proved who they are, and when; the number to follow the request by is shown once then.
    proved_by = models.CharField(max_length=12, blank=True, choices=ProofMethod.choices)
    verified_at = models.DateTimeField(null=True)
    reference_hash = models.BinaryField(max_length=32, null=True, unique=True)
    sealed_text = models.BinaryField(default=bytes)
    # The earlier request for the same thing: what becomes of that one becomes of this one.
    duplicate_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="duplicates")
    extended_at = models.DateTimeField(null=True)
    extension_code = models.SlugField(max_length=64, blank=True)
    decided_by = models.CharField(max_length=80, blank=True)
    decided_at = models.DateTimeField(null=True)
    ground_code = models.SlugField(max_length=64, blank=True)
    done_at = models.DateTimeField(null=True)
    # What carries the request out, once somebody has passed it on.
    erasure = models.ForeignKey(ErasureRequest, on_delete=models.PROTECT, null=True)
    export_id = models.UUIDField(null=True)
    # Mail: when the link went out, how often that was tried, and when to try again.
    link_sent_at = models.DateTimeField(null=True)
    link_attempts = models.PositiveSmallIntegerField(default=0)
    link_next_at = models.DateTimeField(null=True)
    # Each reminder is recorded once.
    due_soon_noted_at = models.DateTimeField(null=True)
    overdue_noted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="subject_request_kind_is_known", condition=Q(kind__in=[k.value for k in RequestKind])
            ),
            models.CheckConstraint(
                name="subject_request_status_is_known",
                condition=Q(status__in=[status.value for status in RequestStatus]),
            ),
            models.CheckConstraint(
                name="subject_request_proved_or_refused",
                condition=Q(status__in=["received", "refused"])
                | (Q(verified_at__isnull=False) & ~Q(proved_by="") & Q(reference_hash__isnull=False)),
            ),
            models.CheckConstraint(
                name="subject_request_has_a_decider",
                condition=Q(status__in=UNDECIDED) | ~Q(decided_by=""),
            ),
            models.CheckConstraint(
                name="subject_request_refused_on_a_ground",
                condition=~Q(status="refused") | ~Q(ground_code=""),
            ),
            models.CheckConstraint(
                name="subject_request_done_has_a_time",
                condition=(Q(status="done") & Q(done_at__isnull=False))
                | (~Q(status="done") & Q(done_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="subject_request_extended_with_a_reason",
                condition=(Q(extended_at__isnull=True) & Q(extension_code=""))
                | (Q(extended_at__isnull=False) & ~Q(extension_code="")),
            ),
            models.CheckConstraint(
                name="subject_request_no_duplicate_of_itself",
                condition=Q(duplicate_of__isnull=True) | ~Q(duplicate_of=F("id")),
            ),
            models.UniqueConstraint(
                fields=["subject_id", "kind"],
                name="one_unproved_request_per_kind",
                condition=Q(status="received"),
            ),
            models.UniqueConstraint(
                fields=["subject_id", "kind"],
                name="one_first_request_per_kind",
                condition=Q(status__in=PROVED_AND_OPEN, duplicate_of__isnull=True),
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="subject_request_due", condition=~Q(status__in=["refused", "done"])
            )
        ]

    def __str__(self) -> str:
        return f"subject request {self.pk}"


class SubjectProof(models.Model):
    """A right to speak for one subject once: behind a link, or after an application's assertion."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject_id = models.UUIDField(db_index=True)
    # The request that a link proves; none after an assertion, which comes before the request.
    request = models.ForeignKey(SubjectRequest, on_delete=models.CASCADE, null=True, related_name="proofs")
    method = models.CharField(max_length=12, choices=ProofMethod.choices)
    token_hash = models.BinaryField(max_length=32, unique=True)
    # Of an assertion's own number: it is accepted once.
    nonce_hash = models.BinaryField(max_length=32, null=True, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"subject proof {self.pk}"
