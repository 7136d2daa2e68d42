"""Refusals of the vault as types with stable codes; only the API layer knows their HTTP status.

No message repeats what the caller sent: an error may be logged and may cross a trust boundary.
"""

from __future__ import annotations


class VaultError(Exception):
    """A refusal. `code` is stable and public; `detail` is for people and holds no submitted value."""

    code = "vault_error"
    detail = "The vault refused the request."

    def __init__(self, detail: str = "", **facts: object) -> None:
        super().__init__(self.code)
        self.detail = detail or type(self).detail
        self.facts = facts


class InvalidField(VaultError):
    """A field of the request breaks its contract; `facts["pointer"]` names it."""

    code = "invalid"
    detail = "A field is not valid."


class NotFound(VaultError):
    """Absent, or out of the caller's scope: the two look the same."""

    code = "not_found"
    detail = "There is no such resource."


class NoSuchSubject(NotFound):
    """The same for a subject: nothing is kept under this id that the caller may know of. Its code is NotFound's."""

    detail = (
        "There is no such subject: nothing was written about it yet, or it is not for this credential to see."
    )


class ScopeMissing(VaultError):
    """The credential is known but carries no right of this kind anywhere."""

    code = "scope_missing"
    detail = "The credential does not carry the scope that this call needs."


class SecretDetected(VaultError):
    code = "secret_detected"
    detail = "The write holds a credential; nothing was stored."


class CategoryNotAllowed(VaultError):
    code = "category_not_allowed"
    detail = "The policy of the namespace does not allow this kind of personal data; nothing was stored."


class NotWorthKeeping(VaultError):
    code = "not_worth_keeping"
    detail = "The text is not worth keeping beyond its moment; nothing was stored."


class SubjectErased(VaultError):
    code = "subject_erased"
    detail = "The subject was erased; nothing can be stored or read under this id."


class SubjectOnHold(VaultError):
    code = "subject_on_hold"
    detail = "A legal hold stops this change."


class PreconditionRequired(VaultError):
    code = "precondition_required"
    detail = "Send If-Match with the ETag of the version that you want to change."


class StaleVersion(VaultError):
    code = "stale_version"
    detail = "The memory has changed since that version; read it again."


class InvalidTransition(VaultError):
    code = "invalid_transition"
    detail = "The resource is not in a state that allows this."


class TrustTooLow(InvalidTransition):
    code = "trust_too_low"
    detail = (
        "The memory is believed more than the credential may be. Write the statement anew; a person decides."
    )


class AlreadyDecided(InvalidTransition):
    code = "already_decided"
    detail = "Somebody else has already decided this."


class AlreadyClaimed(InvalidTransition):
    """Somebody else works on it; `facts["claimed_by"]` says who, `facts["until"]` for how long."""

    code = "already_claimed"
    detail = "Somebody else is working on this; take it over if you mean to."


class SameApprover(VaultError):
    code = "four_eyes"
    detail = "The person who asks for this cannot also approve it."


class ApprovalRequired(VaultError):
    code = "approval_required"
    detail = "A second person has to approve exactly this first."


class IdempotencyMismatch(VaultError):
    code = "idempotency_mismatch"
    detail = "This Idempotency-Key was used for a different request."


class IdempotencyInProgress(VaultError):
    code = "idempotency_in_progress"
    detail = "The first request with this Idempotency-Key is still running."


class ExportExpired(VaultError):
    code = "export_expired"
    detail = "The file was kept for its time and is destroyed; ask for a new one."


class IntegrityFault(VaultError):
    """A sealed row does not open where it stands: altered, moved or replayed."""

    code = "integrity_error"
    detail = "A stored memory failed its integrity check and was not served."


class KeyDestroyed(VaultError):
    code = "key_destroyed"
    detail = "The subject's key was destroyed; what it sealed cannot be read by anybody."


class CapReached(VaultError):
    code = "cap_reached"
    detail = "The subject holds as many memories as the namespace allows."
