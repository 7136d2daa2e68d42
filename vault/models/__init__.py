"""The rows of the vault. Personal text stands in none of them except inside a ciphertext.

Foreign keys protect instead of cascading: only an erasure removes a subject's rows, and it names each store.
"""

from vault.models.access import (
    Agent,
    AgentToken,
    Grant,
    Namespace,
    Role,
    SignInLink,
    StaffUser,
    SubjectToken,
)
from vault.models.approval import APPROVAL_NEXT, Approval, ApprovalKind, ApprovalStatus
from vault.models.memory import (
    Conflict,
    ConflictStatus,
    KeywordPosting,
    Memory,
    MemoryIndex,
    MemoryVersion,
)
from vault.models.quarantine import QuarantinedWrite
from vault.models.rate import CallRate
from vault.models.request import IdempotencyRecord, Job, JobKind, JobStatus
from vault.models.subject import ERASURE_NEXT, ErasureRequest, ErasureStatus, LegalHold, Subject

__all__ = [
    "APPROVAL_NEXT",
    "ERASURE_NEXT",
    "Agent",
    "AgentToken",
    "Approval",
    "ApprovalKind",
    "ApprovalStatus",
    "CallRate",
    "Conflict",
    "ConflictStatus",
    "ErasureRequest",
    "ErasureStatus",
    "Grant",
    "IdempotencyRecord",
    "Job",
    "JobKind",
    "JobStatus",
    "KeywordPosting",
    "LegalHold",
    "Memory",
    "MemoryIndex",
    "MemoryVersion",
    "Namespace",
    "QuarantinedWrite",
    "Role",
    "SignInLink",
    "StaffUser",
    "Subject",
    "SubjectToken",
]
