"""What can be wrong with a log, as one error with a code and a place."""

from __future__ import annotations

from enum import StrEnum


class FaultCode(StrEnum):
    ALTERED = "entry_altered"
    MISSING = "entry_missing"
    REORDERED = "entry_reordered"
    LEAF_REWRITTEN = "leaf_rewritten"  # entry and leaf agree with each other, but not with the tree
    NODE_ALTERED = "node_altered"
    NODE_MISSING = "node_missing"
    NODE_UNEXPECTED = "node_unexpected"
    TRUNCATED = "log_truncated"
    UNSIGNED = "log_unsigned"  # no checkpoint covers the end of the log
    UNSEALED = "entry_unsealed"
    CHECKPOINT_MALFORMED = "checkpoint_malformed"
    CHECKPOINT_ORIGIN = "checkpoint_origin"
    CHECKPOINT_UNKNOWN_KEY = "checkpoint_unknown_key"
    CHECKPOINT_SIGNATURE = "checkpoint_signature"
    CHECKPOINT_FIELDS = "checkpoint_fields"  # the row's columns differ from the text that was signed
    CHECKPOINT_ROOT = "checkpoint_root"  # a signed root that the log of today does not have at that size
    CHECKPOINT_MISSING = "checkpoint_missing"  # the witness has it, the database has not
    WITNESS_MISSING = "witness_missing"
    WITNESS_MALFORMED = "witness_malformed"
    WITNESS_BEHIND = "witness_behind"
    PROOF = "proof_invalid"


class AuditError(Exception):
    """The log is not what it was; `seq` is the first entry concerned, `last` ends a range of suspects."""

    def __init__(
        self, code: FaultCode, detail: str, *, seq: int | None = None, last: int | None = None
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.seq = seq
        self.last = seq if last is None else last

    def as_json(self) -> dict[str, str | int | None]:
        return {"code": self.code.value, "detail": self.detail, "seq": self.seq, "last": self.last}
