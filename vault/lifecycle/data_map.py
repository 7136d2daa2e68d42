"""The one declaration of every column that may hold personal data, and of those that hold none.

An erasure goes over STORES and over nothing else, so a column that is missing here would be forgotten by it:
a test fails when a text, json, bytea, array or vector column stands in neither list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, models
from psycopg import sql

from vault.models import (
    AccessExport,
    AccessExportPart,
    BulkRollbackItem,
    Conflict,
    ErasureRequest,
    IdempotencyRecord,
    KeywordPosting,
    Memory,
    MemoryFeedback,
    MemoryIndex,
    MemoryVersion,
    QuarantinedWrite,
    Session,
    SessionSummary,
    Subject,
    SubjectContact,
    SubjectProof,
    SubjectRequest,
    SubjectToken,
    Turn,
    VisitorLink,
)


@dataclass(frozen=True, slots=True)
class Store:
    """Columns of one table that hold, seal, or are reckoned from what is known of a subject.

    An erasure deletes the subject's rows, or with `blank` empties these columns of a row that has to stay.
    """

    name: str
    model: type[models.Model]
    columns: tuple[str, ...]
    subject_column: str = "subject_id"
    blank: bool = False

    def count(self, subject_id: UUID) -> int:
        """How many rows hold something of the subject. Needs a transaction with the subject's rows open."""
        return self._run("SELECT count(*) FROM {table} WHERE {mine}", subject_id, fetch=True)

    def erase(self, subject_id: UUID) -> int:
        """Delete or empty the subject's rows, and say how many that were. Needs the same as `count`."""
        statement = (
            "UPDATE {table} SET {emptied} WHERE {mine}" if self.blank else "DELETE FROM {table} WHERE {mine}"
        )
        return self._run(statement, subject_id, fetch=False)

    def _run(self, statement: str, subject_id: UUID, *, fetch: bool) -> int:
        columns = [sql.Identifier(name) for name in self.columns]
        mine = sql.SQL("{} = %s").format(sql.Identifier(self.subject_column))
        if self.blank:
            filled = sql.SQL(" OR ").join(
                sql.SQL("octet_length({}) > 0").format(column) for column in columns
            )
            mine = sql.SQL("{} AND ({})").format(mine, filled)
        emptied = sql.SQL(", ").join(sql.SQL("{} = ''::bytea").format(column) for column in columns)
        query = sql.SQL(statement).format(
            table=sql.Identifier(self.model._meta.db_table), mine=mine, emptied=emptied
        )
        with connection.cursor() as cursor:
            cursor.execute(query, [subject_id])
            return int(cursor.fetchone()[0]) if fetch else int(cursor.rowcount)


# In the order of erasure: what points at a row goes before the row.
STORES: tuple[Store, ...] = (
    Store("session_summaries", SessionSummary, ("ciphertext",)),
    Store("turns", Turn, ("fingerprint", "ciphertext")),
    Store("sessions", Session, ("state", "manifest_value", "manifest_mac")),
    Store("visitor_links", VisitorLink, ("memories", "sessions", "quarantined")),
    Store("rollback_items", BulkRollbackItem, ()),
    Store("keyword_postings", KeywordPosting, ("token",)),
    Store("vectors", MemoryIndex, ("vector",)),
    Store("conflicts", Conflict, ()),
    Store("feedback", MemoryFeedback, ()),
    Store("versions", MemoryVersion, ("ciphertext", "digest")),
    Store("memories", Memory, ("fingerprint", "attribute_hash", "derived_from")),
    Store("quarantined_writes", QuarantinedWrite, ("ciphertext", "sealed_notes", "reasons", "detectors")),
    Store("replay_answers", IdempotencyRecord, ("sealed_answer", "request_hash", "key_hash")),
    Store("subject_tokens", SubjectToken, ("token_hash",)),
    Store("export_parts", AccessExportPart, ("ciphertext",)),
    Store("exports", AccessExport, ("namespaces",)),
    Store("contacts", SubjectContact, ("lookup_hash", "sealed_address")),
    Store("proofs", SubjectProof, ("token_hash", "nonce_hash")),
    Store("request_texts", SubjectRequest, ("sealed_text",), blank=True),
    Store("erasure_evidence", ErasureRequest, ("sealed_evidence",), blank=True),
    Store(
        "subject_record",
        Subject,
        ("sealed_reference", "manifest_value", "manifest_mac"),
        subject_column="id",
        blank=True,
    ),
)

CODE = "a code of a closed list"
STAFF_ID = "a kind and an id of staff, agent or system; none of them is a subject"
STAFF = "a member of staff, who is not a subject"
CREDENTIAL = "a random credential's hash"
NAMED_BY_OPERATOR = "named by the operator; purposes and programs, not people"

# "table.column" -> why it needs no erasure.
HOLDS_NONE: Mapping[str, str] = {
    "vault_subject.reference_hash": "keyed hash that outlives the erasure, so that a later write is refused",
    "vault_subject.erased_in": "ids of namespaces, kept from the erasure on: who read there is told of it",
    "vault_memory.kind": CODE,
    "vault_memory.source_type": CODE,
    "vault_memory.trust": CODE,
    "vault_memory.status": CODE,
    "vault_memoryversion.kind": CODE,
    "vault_memoryversion.source_type": CODE,
    "vault_memoryversion.trust": CODE,
    "vault_memoryversion.status": CODE,
    "vault_memoryversion.author": STAFF_ID,
    "vault_memoryversion.reason_code": CODE,
    "vault_memoryfeedback.caller": STAFF_ID,
    "vault_conflict.kind": CODE,
    "vault_conflict.status": CODE,
    "vault_conflict.decided_by": STAFF_ID,
    "vault_conflict.reason_code": CODE,
    "vault_bulkrollback.status": CODE,
    "vault_bulkrollback.source_type": CODE,
    "vault_bulkrollback.reason_code": CODE,
    "vault_bulkrollback.requested_by": STAFF_ID,
    "vault_bulkrollback.items_digest": "a digest of ids and numbers",
    "vault_bulkrollbackitem.kind": CODE,
    "vault_bulkrollbackitem.to_status": CODE,
    "vault_bulkrollbackitem.status": CODE,
    "vault_bulkrollbackitem.outcome_code": CODE,
    "vault_quarantinedwrite.source_type": CODE,
    "vault_quarantinedwrite.trust": CODE,
    "vault_quarantinedwrite.status": CODE,
    "vault_quarantinedwrite.decided_by": STAFF_ID,
    "vault_quarantinedwrite.reason_code": CODE,
    "vault_quarantinedwrite.assigned_to": STAFF_ID,
    "vault_allowedpattern.codes": CODE,
    "vault_allowedpattern.reason_code": CODE,
    "vault_allowedpattern.created_by": STAFF_ID,
    "vault_allowedpattern.revoked_by": STAFF_ID,
    "vault_savedfilter.name": "a word of one member of staff for a view of the queue, screened: no personal data",
    "vault_savedfilter.query": "codes, and ids of agents and namespaces; a subject or a write is never kept in it",
    "vault_session.status": CODE,
    "vault_session.retrieve_why": CODE,
    "vault_turn.role": CODE,
    "vault_turn.trust": CODE,
    "vault_sessionsummary.level": CODE,
    "vault_sessionsummary.trust": CODE,
    "vault_sessionsummary.method": CODE,
    "vault_visitorlink.linked_by": STAFF_ID,
    "vault_visitorlink.undone_by": STAFF_ID,
    "vault_idempotencyrecord.caller": STAFF_ID,
    "vault_idempotencyrecord.endpoint": "a route's name without its arguments",
    "vault_subjecttoken.scopes": CODE,
    "vault_legalhold.reason_code": CODE,
    "vault_legalhold.placed_by": STAFF_ID,
    "vault_legalhold.released_by": STAFF_ID,
    "vault_accessexport.status": CODE,
    "vault_accessexport.reason_code": CODE,
    "vault_accessexport.requested_by": STAFF_ID,
    "vault_erasurerequest.status": CODE,
    "vault_erasurerequest.reason_code": CODE,
    "vault_erasurerequest.ground_code": CODE,
    "vault_erasurerequest.requested_by": STAFF_ID,
    "vault_erasurerequest.decided_by": STAFF_ID,
    "vault_erasurerequest.certificate": "counts, dates, ids, signatures: the proof outlives what it proves",
    "vault_job.kind": CODE,
    "vault_job.status": CODE,
    "vault_job.error_code": CODE,
    "vault_approval.kind": CODE,
    "vault_approval.status": CODE,
    "vault_approval.particulars": "ids, codes, numbers and times of the act that was asked for",
    "vault_approval.request_hash": "a digest of those",
    "vault_approval.reason_code": CODE,
    "vault_approval.requested_by": STAFF_ID,
    "vault_approval.decided_by": STAFF_ID,
    "vault_approval.ground_code": CODE,
    "vault_subjectcontact.registered_by": STAFF_ID,
    "vault_subjectproof.method": CODE,
    "vault_subjectrequest.kind": CODE,
    "vault_subjectrequest.status": CODE,
    "vault_subjectrequest.proved_by": CODE,
    "vault_subjectrequest.reference_hash": CREDENTIAL,
    "vault_subjectrequest.extension_code": CODE,
    "vault_subjectrequest.decided_by": STAFF_ID,
    "vault_subjectrequest.ground_code": CODE,
    "vault_privacyinquiry.kind": CODE,
    "vault_privacyinquiry.lookup_hash": "keyed hash of an address that nobody matched yet; gone within minutes",
    "vault_assertionkey.public_key": "the public key of an application",
    "vault_spentassertion.number_hash": "keyed hash of a number used once; names no subject, gone within hours",
    "vault_rule.name": NAMED_BY_OPERATOR,
    "vault_rule.created_by": STAFF_ID,
    "vault_ruleversion.pattern": "rules, not data: screened for credentials and identifiers before it is kept",
    "vault_ruleversion.action": CODE,
    "vault_ruleversion.slot": "the name of a slot, not its value",
    "vault_ruleversion.author": STAFF_ID,
    "vault_namespace.name": NAMED_BY_OPERATOR,
    "vault_namespace.purpose": NAMED_BY_OPERATOR,
    "vault_namespace.policy": "rules, not data: screened for credentials and identifiers before it is kept",
    "vault_namespacepolicyversion.policy": "rules, not data, screened in the same way",
    "vault_namespacepolicyversion.purpose": NAMED_BY_OPERATOR,
    "vault_namespacepolicyversion.author": STAFF_ID,
    "vault_namespacepolicyversion.approved_by": STAFF_ID,
    "vault_namespacepolicyversion.reason": "why a rule was changed, screened for credentials and identifiers",
    "vault_policyproposal.before": "rules, not data, screened in the same way",
    "vault_policyproposal.after": "rules, not data, screened in the same way",
    "vault_policyproposal.purpose_before": NAMED_BY_OPERATOR,
    "vault_policyproposal.purpose_after": NAMED_BY_OPERATOR,
    "vault_policyproposal.reason": "why a rule is to be changed, screened for credentials and identifiers",
    "vault_policyproposal.author": STAFF_ID,
    "vault_agent.name": NAMED_BY_OPERATOR,
    "vault_agenttoken.token_hash": CREDENTIAL,
    "vault_grant.scopes": CODE,
    "vault_grant.max_trust": CODE,
    "vault_signinlink.token_hash": CREDENTIAL,
    "vault_staffuser.password": STAFF,
    "vault_staffuser.email": STAFF,
    "vault_staffuser.role": CODE,
}

OTHER_TABLES: Mapping[str, str] = {  # of other applications, whole
    "audit_entry": "codes, ids and counts; subjects stand under a random reference that goes with their key",
    "audit_leaf": "hashes of entries",
    "audit_node": "hashes of entries",
    "audit_checkpoint": "hashes and signatures",
    "account_emailaddress": STAFF,
    "account_emailconfirmation": STAFF,
    "mfa_authenticator": STAFF,
    "django_session": "sessions of staff",
    "vault_cache": "rate limits and used one-time codes of staff",
    "django_content_type": "names of models",
    "auth_permission": "names of rights",
    "auth_group": "names of groups of staff",
}
