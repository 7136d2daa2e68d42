"""The closed lists of what an entry may say. Adding a word is free; a word once written is never renamed."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    OK = "ok"
    REFUSED = "refused"  # by policy: screening, a transition, a precondition
    DENIED = "denied"  # by access: no right, out of scope, a bad credential
    FAILED = "failed"  # by a fault
    SKIPPED = "skipped"  # nothing to do, or already done


class Action(StrEnum):
    MEMORY_WRITTEN = "memory.written"
    MEMORY_MERGED = "memory.merged"
    MEMORY_REFUSED = "memory.refused"
    MEMORY_QUARANTINED = "memory.quarantined"
    MEMORY_READ = "memory.read"
    MEMORY_SEARCHED = "memory.searched"
    MEMORY_LISTED = "memory.listed"
    MEMORY_CHANGED = "memory.changed"
    MEMORY_FORGOTTEN = "memory.forgotten"
    MEMORY_RESTORED = "memory.restored"
    MEMORY_ROLLED_BACK = "memory.rolled_back"
    MEMORY_SUPERSEDED = "memory.superseded"
    MEMORY_EXPIRED = "memory.expired"
    MEMORY_EVICTED = "memory.evicted"
    MEMORY_DESTROYED = "memory.destroyed"
    MEMORY_ARCHIVED = "memory.archived"
    MEMORY_PROMOTED = "memory.promoted"
    MEMORY_PINNED = "memory.pinned"
    MEMORY_FEEDBACK = "memory.feedback"
    MEMORY_INTEGRITY_FAULT = "memory.integrity_fault"
    VERSIONS_READ = "versions.read"
    CONTEXT_BUILT = "context.built"

    SUBJECT_CREATED = "subject.created"
    SUBJECT_READ = "subject.read"
    SUBJECT_TOKEN_ISSUED = "subject.token_issued"  # noqa: S105 - a word of the log, not a credential
    SUBJECT_RESTRICTED = "subject.restricted"
    SUBJECT_UNRESTRICTED = "subject.unrestricted"
    SUBJECT_CORRECTED = "subject.corrected"
    SUBJECT_LINKED = "subject.linked"
    SUBJECT_UNLINKED = "subject.unlinked"

    ACCESS_DENIED = "access.denied"
    REQUEST_INVALID = "request.invalid"
    REQUEST_FAILED = "request.failed"
    RATE_LIMITED = "request.rate_limited"
    AUTH_FAILED = "auth.failed"

    STAFF_SIGNED_IN = "staff.signed_in"
    STAFF_SIGNED_OUT = "staff.signed_out"
    STAFF_SIGN_IN_FAILED = "staff.sign_in_failed"
    STAFF_CREATED = "staff.created"
    STAFF_CHANGED = "staff.changed"
    STAFF_SUSPENDED = "staff.suspended"
    AGENT_CREATED = "agent.created"
    AGENT_SUSPENDED = "agent.suspended"
    AGENT_TOKEN_CREATED = "agent_token.created"  # noqa: S105
    AGENT_TOKEN_REVOKED = "agent_token.revoked"  # noqa: S105
    GRANT_CHANGED = "grant.changed"
    NAMESPACE_CREATED = "namespace.created"
    POLICY_CHANGED = "policy.changed"
    PATTERN_CHANGED = "pattern.changed"

    QUARANTINE_LISTED = "quarantine.listed"
    QUARANTINE_OPENED = "quarantine.opened"
    QUARANTINE_ASSIGNED = "quarantine.assigned"
    QUARANTINE_REVEALED = "quarantine.revealed"
    QUARANTINE_RELEASED = "quarantine.released"
    QUARANTINE_REJECTED = "quarantine.rejected"
    QUARANTINE_LAPSED = "quarantine.lapsed"
    QUARANTINE_DECISION_REFUSED = "quarantine.decision_refused"
    CONFLICT_OPENED = "conflict.opened"
    CONFLICT_DECIDED = "conflict.decided"

    ERASURE_REQUESTED = "erasure.requested"
    ERASURE_VERIFIED = "erasure.verified"
    ERASURE_HELD = "erasure.held"
    ERASURE_EXTENDED = "erasure.extended"
    ERASURE_APPROVED = "erasure.approved"
    ERASURE_REFUSED = "erasure.refused"
    ERASURE_EXECUTED = "erasure.executed"
    ERASURE_COMPLETED = "erasure.completed"
    CERTIFICATE_ISSUED = "certificate.issued"
    HOLD_PLACED = "hold.placed"
    HOLD_RELEASED = "hold.released"
    EXPORT_REQUESTED = "export.requested"
    EXPORT_COMPLETED = "export.completed"
    EXPORT_DOWNLOADED = "export.downloaded"
    EXPORT_EXPIRED = "export.expired"
    ROLLBACK_REQUESTED = "rollback.requested"
    ROLLBACK_APPROVED = "rollback.approved"
    ROLLBACK_COMPLETED = "rollback.completed"
    APPROVAL_REQUESTED = "approval.requested"
    APPROVAL_GIVEN = "approval.given"
    APPROVAL_REFUSED = "approval.refused"
    APPROVAL_USED = "approval.used"
    APPROVAL_EXPIRED = "approval.expired"
    # The attempt to decide was refused, by the state of the request or to the person.
    APPROVAL_DENIED = "approval.denied"

    SESSION_STARTED = "session.started"
    SESSION_TURN = "session.turn"
    SESSION_READ = "session.read"
    SESSION_ENDED = "session.ended"

    KEYS_CREATED = "keys.created"
    KEYS_ROTATED = "keys.rotated"
    KEYS_DESTROYED = "keys.destroyed"
    JOB_STARTED = "job.started"
    JOB_FINISHED = "job.finished"
    JOB_FAILED = "job.failed"
    JOB_SKIPPED = "job.skipped"
    CONSOLIDATION_DONE = "consolidation.done"
    CONSOLIDATION_UNDONE = "consolidation.undone"
    BACKUP_MADE = "backup.made"
    RESTORE_DONE = "restore.done"
    AUDIT_READ = "audit.read"
    AUDIT_EXPORTED = "audit.exported"
    AUDIT_VERIFIED = "audit.verified"
