"""The Python client of the vault: it speaks HTTP and imports nothing else of this tree.

with Vault("http://127.0.0.1:8000", token) as vault:
    vault.write(subject="S1", text="Prefers replies in Hindi", source="user")
    for hit in vault.search(subject="S1", query="which language?").results:
        print(hit.score, hit.memory.text)
"""

from vault.client.answers import (
    Context,
    Erasure,
    Export,
    Forgotten,
    Hit,
    Page,
    SearchAnswer,
    SubjectToken,
)
from vault.client.calls import Vault
from vault.client.errors import (
    AccessDenied,
    Conflict,
    Gone,
    InvalidRequest,
    NoSuchSubject,
    NotFound,
    PreconditionFailed,
    RateLimited,
    Refused,
    ServerFault,
    Unauthenticated,
    Unreachable,
    VaultProblem,
)
from vault.client.values import BatchResult, Finding, Memory, Quarantine, Source, Version, Written

__all__ = [
    "AccessDenied",
    "BatchResult",
    "Conflict",
    "Context",
    "Erasure",
    "Export",
    "Finding",
    "Forgotten",
    "Gone",
    "Hit",
    "InvalidRequest",
    "Memory",
    "NoSuchSubject",
    "NotFound",
    "Page",
    "PreconditionFailed",
    "Quarantine",
    "RateLimited",
    "Refused",
    "SearchAnswer",
    "ServerFault",
    "Source",
    "SubjectToken",
    "Unauthenticated",
    "Unreachable",
    "Vault",
    "VaultProblem",
    "Version",
    "Written",
]
