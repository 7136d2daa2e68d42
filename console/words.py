"""Words of the console for the codes of the vault; an unknown code is shown as it is."""

from __future__ import annotations

from collections.abc import Mapping

RELEASE_REASONS: Mapping[str, str] = {
    "false_positive": "False positive: the filter was wrong",
    "source_confirmed": "Confirmed with the source",
    "acceptable_content": "Acceptable for this purpose",
    "needed_for_service": "Needed to serve the subject",
}
REJECT_REASONS: Mapping[str, str] = {
    "instruction_not_memory": "An instruction, not a memory",
    "untrusted_source": "The source cannot be trusted",
    "personal_data": "Personal data to mask",
    "secret": "Holds a credential",
    "false_statement": "Not true",
    "not_needed": "Not needed for the purpose",
}
VARIANTS: Mapping[str, str] = {
    "as_is": "As it is, masked only where policy masks",
    "redacted": "With all personal and sensitive findings masked",
}
REVEAL_PURPOSES: Mapping[str, str] = {
    "decide": "To decide on this write",
    "check_with_source": "To check it with its source",
    "subject_request": "To answer a request of the subject",
    "incident": "To look into an incident",
    "quality_check": "To check the quality of screening",
}
# Why a language model's words were not taken.
MODEL_FALLBACKS: Mapping[str, str] = {
    "model_timeout": "the model took too long",
    "model_unreachable": "the model could not be reached",
    "model_error": "the model's endpoint refused",
    "model_answer_invalid": "the model's answer could not be read",
    "model_answer_ungrounded": "the model's text did not say the same, or was no shorter",
    "model_answer_not_clean": "screening would have changed the model's text",
}
CHANGE_REASONS: Mapping[str, str] = {
    "correction": "Correction",
    "wrong_content": "The newer content is wrong",
    "tampering": "Suspected tampering",
    "subject_asked": "The subject asked for it",
}
ROLLBACK_REASONS: Mapping[str, str] = {
    "tampering": "Suspected tampering",
    "agent_compromised": "The agent was taken over",
    "agent_fault": "The agent made mistakes",
    "source_unreliable": "The source turned out to be unreliable",
}
ROLLBACK_KINDS: Mapping[str, str] = {
    "restore": "Goes back to the version before",
    "forget": "Is forgotten",
    "stale": "Is hidden, since it was made from one of these",
    "revive": "Is served again",
    "reject": "Waiting write is rejected",
    "conflict": "Somebody wrote since: a person decides",
}
ROLLBACK_OUTCOMES: Mapping[str, str] = {
    "already_forgotten": "Was forgotten already",
    "already_changed": "Had changed meanwhile",
    "already_decided": "Was decided meanwhile",
    "already_stands": "Stands already in another memory",
    "successor_stands": "What took its place stands",
    "integrity_error": "Failed its integrity check",
    "bulk_rollback": "Undone in bulk",
}
CONFLICT_DECISIONS: Mapping[str, str] = {
    "kept": "Keep what stands",
    "replaced": "Let the challenger take its place",
    "both": "Keep both",
}
ROLLBACK_DECISIONS: Mapping[str, str] = {
    "kept": "Keep the later write",
    "replaced": "Go back all the same",
}
CONFLICT_REASONS: Mapping[str, str] = {
    "source_confirmed": "Confirmed with the source",
    "newer_information": "It is newer",
    "less_reliable": "The other is less reliable",
    "other_is_wrong": "The other is wrong",
    "no_contradiction": "They do not contradict each other",
}
CONFLICT_ENDS: Mapping[str, str] = {
    "inherited": "What took the place of one of the two is in conflict instead",
    "gave_way": "One of the two gave way",
    "another_matter": "They speak of different matters by now",
    "destroyed": "The content of one was destroyed",
}
TRUST_REASONS: Mapping[str, str] = {
    "source_confirmed": "Confirmed with the source",
    "document_seen": "A document was seen",
    "contradicted": "Contradicted by another source",
    "source_doubtful": "The source is doubtful",
}
ERASURE_REASONS: Mapping[str, str] = {
    "subject_request": "The subject asked (Art. 17 GDPR)",
    "consent_withdrawn": "Consent was withdrawn",
    "purpose_ended": "The purpose has ended",
    "unlawful": "Kept without a legal ground",
}
REFUSAL_GROUNDS: Mapping[str, str] = {
    "identity_not_proved": "Identity was not proved",
    "legal_obligation": "A law obliges us to keep it",
    "legal_claims": "Needed for legal claims",
    "manifestly_unfounded": "Manifestly unfounded or repeated",
}
HOLD_REASONS: Mapping[str, str] = {
    "litigation": "Litigation",
    "regulatory_inquiry": "Inquiry by an authority",
    "internal_investigation": "Internal investigation",
}
RETRAINING_REASONS: Mapping[str, str] = {
    "retrain_filter": "To retrain the injection filter",
    "measure_filter": "To measure the injection filter",
}
RULE_ACTIONS: Mapping[str, str] = {
    "redact": "Mask what it matches",
    "quarantine": "Set the write aside for review",
    "refuse": "Refuse the write",
    "store_as_preference": "Store it as a preference",
    "store_with_priority": "Store it with priority",
    "forget_previous": "Let it replace the previous one",
}
EXPORT_REASONS: Mapping[str, str] = {
    "access_request": "The subject asked for access (Art. 15 GDPR)",
    "data_portability": "The subject moves on (Art. 20 GDPR)",
    "authority_request": "An authority asked for it",
}
EXPORT_PURPOSES: Mapping[str, str] = {
    "hand_to_subject": "To hand it to the subject",
    "answer_authority": "To answer an authority",
    "check_file": "To check the file before it is handed out",
}
EXPORT_STATUS: Mapping[str, str] = {
    "waiting_for_approval": "Waits for approval",
    "running": "Is being made",
}
HOLD_END_REASONS: Mapping[str, str] = {
    "proceedings_ended": "The proceedings have ended",
    "inquiry_closed": "The inquiry is closed",
    "placed_in_error": "It was placed in error",
}
KEY_EPOCH_REASONS: Mapping[str, str] = {
    "routine": "Routine rotation",
    "staff_left": "Somebody with access to the keys has left",
    "suspected_exposure": "A copy of the keystore may have been seen",
}
APPROVAL_GROUNDS: Mapping[str, str] = {
    "not_justified": "Not justified",
    "wrong_scope": "It covers too much or the wrong thing",
    "needs_more_facts": "More facts are needed first",
}
ACTS: Mapping[str, str] = {
    "release": "Release of a high-impact write",
    "rollback": "Roll back many memories",
    "export": "Export all that is kept on a subject",
    "hold_release": "Release of a legal hold",
    "key_epoch": "New key epoch",
    "restore": "Restore from a backup",
    "retraining": "Take out what reviewers taught the filter",
    "policy": "Loosen the policy of a namespace",
}
ERASURE_STATUS: Mapping[str, str] = {
    "received": "Received",
    "verified": "Verified",
    "on_hold": "On hold",
    "approved": "Approved",
    "refused": "Refused",
    "executing": "Executing",
    "done": "Done",
}
REQUEST_KINDS: Mapping[str, str] = {
    "access": "Access",
    "correction": "Correction",
    "restriction": "Restriction",
    "erasure": "Erasure",
}
PROOFS: Mapping[str, str] = {
    "mail": "By the link in a mail to a verified contact",
    "handed_out": "By a link that staff handed out",
    "application": "By the application where they are signed in",
    "staff": "By staff, in person",
}
EXTENSION_REASONS: Mapping[str, str] = {
    "complexity": "The request is complex",
    "many_requests": "There are many requests of this subject",
}
RESTRICTION_REASONS: Mapping[str, str] = {
    "accuracy_contested": "Its accuracy is contested (Art. 18(1)(a) GDPR)",
    "unlawful_but_kept": "Unlawful, but the subject wants it kept (b)",
    "needed_for_claims": "The subject needs it for legal claims (c)",
    "objection_pending": "The subject objected (d)",
}
LIFT_REASONS: Mapping[str, str] = {
    "accuracy_settled": "What was contested is settled, and the subject was told",
    "subject_agreed": "The subject agreed",
    "objection_settled": "The objection is settled, and the subject was told",
}
URGENCY: Mapping[str, str] = {"overdue": "Overdue", "due_soon": "Due within a week", "in_time": "In time"}
POLICY_REASONS: Mapping[str, str] = {"policy_loosened": "It lets through more than before"}
REQUEST_GROUNDS: Mapping[str, str] = {"erased_meanwhile": "Everything was erased meanwhile"}
TABLES: tuple[Mapping[str, str], ...] = (
    EXPORT_REASONS,
    EXPORT_PURPOSES,
    EXPORT_STATUS,
    ROLLBACK_REASONS,
    ROLLBACK_OUTCOMES,
    CONFLICT_REASONS,
    CONFLICT_ENDS,
    TRUST_REASONS,
    REQUEST_KINDS,
    PROOFS,
    EXTENSION_REASONS,
    RESTRICTION_REASONS,
    LIFT_REASONS,
    URGENCY,
    POLICY_REASONS,
    REQUEST_GROUNDS,
    RELEASE_REASONS,
    REJECT_REASONS,
    REVEAL_PURPOSES,
    CHANGE_REASONS,
    ERASURE_REASONS,
    REFUSAL_GROUNDS,
    HOLD_REASONS,
    HOLD_END_REASONS,
    APPROVAL_GROUNDS,
    RULE_ACTIONS,
    RETRAINING_REASONS,
    KEY_EPOCH_REASONS,
    ERASURE_STATUS,
)
ALL: Mapping[str, str] = {code: label for table in TABLES for code, label in table.items()}


def phrase(code: str) -> str:
    """The words for a code: from the lists above, or the code itself with blanks for underscores."""
    return ALL.get(code) or code.replace("_", " ")
