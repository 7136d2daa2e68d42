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
from vault.models.desk import LONGEST_ALLOWANCE, AllowedPattern, SavedFilter
from vault.models.export import (
    EXPORT_NEXT,
    UNFINISHED_EXPORT,
    AccessExport,
    AccessExportPart,
    ExportStatus,
)
from vault.models.memory import (
    Conflict,
    ConflictKind,
    ConflictStatus,
    KeywordPosting,
    Memory,
    MemoryIndex,
    MemoryVersion,
)
from vault.models.namespace_policy import NamespacePolicyVersion, PolicyProposal
from vault.models.privacy import (
    PROVED_AND_OPEN,
    REQUEST_NEXT,
    UNDECIDED,
    AssertionKey,
    PrivacyInquiry,
    ProofMethod,
    RequestKind,
    RequestStatus,
    SpentAssertion,
    SubjectContact,
    SubjectProof,
    SubjectRequest,
)
from vault.models.quarantine import QuarantinedWrite
from vault.models.rate import CallRate
from vault.models.request import IdempotencyRecord, Job, JobKind, JobStatus
from vault.models.rollback import (
    BulkRollback,
    BulkRollbackItem,
    ItemStatus,
    RollbackKind,
    RollbackStatus,
)
from vault.models.rule import Rule, RuleVersion
from vault.models.session import (
    Session,
    SessionStatus,
    SessionSummary,
    SummaryLevel,
    Turn,
    VisitorLink,
)
from vault.models.subject import ERASURE_NEXT, ErasureRequest, ErasureStatus, LegalHold, Subject
from vault.models.upkeep import MemoryFeedback

__all__ = [
    "APPROVAL_NEXT",
    "ERASURE_NEXT",
    "EXPORT_NEXT",
    "LONGEST_ALLOWANCE",
    "PROVED_AND_OPEN",
    "REQUEST_NEXT",
    "UNDECIDED",
    "UNFINISHED_EXPORT",
    "AccessExport",
    "AccessExportPart",
    "Agent",
    "AgentToken",
    "AllowedPattern",
    "Approval",
    "ApprovalKind",
    "ApprovalStatus",
    "AssertionKey",
    "BulkRollback",
    "BulkRollbackItem",
    "CallRate",
    "Conflict",
    "ConflictKind",
    "ConflictStatus",
    "ErasureRequest",
    "ErasureStatus",
    "ExportStatus",
    "Grant",
    "IdempotencyRecord",
    "ItemStatus",
    "Job",
    "JobKind",
    "JobStatus",
    "KeywordPosting",
    "LegalHold",
    "Memory",
    "MemoryFeedback",
    "MemoryIndex",
    "MemoryVersion",
    "Namespace",
    "NamespacePolicyVersion",
    "PolicyProposal",
    "PrivacyInquiry",
    "ProofMethod",
    "QuarantinedWrite",
    "RequestKind",
    "RequestStatus",
    "Role",
    "RollbackKind",
    "RollbackStatus",
    "Rule",
    "RuleVersion",
    "SavedFilter",
    "Session",
    "SessionStatus",
    "SessionSummary",
    "SignInLink",
    "SpentAssertion",
    "StaffUser",
    "Subject",
    "SubjectContact",
    "SubjectProof",
    "SubjectRequest",
    "SubjectToken",
    "SummaryLevel",
    "Turn",
    "VisitorLink",
]
