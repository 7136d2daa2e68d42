"""The one declaration of what an export holds: a test fails when a store of the data map is in neither list."""

from __future__ import annotations

from collections.abc import Mapping

from vault.lifecycle.access_export.accesses import ACCESSES
from vault.lifecycle.access_export.aside import CONFLICTS, SET_ASIDE
from vault.lifecycle.access_export.collecting import Collector
from vault.lifecycle.access_export.memories import NOT_SERVED, SERVED
from vault.lifecycle.access_export.proceedings import ANSWERS, ERASURE_REQUESTS, EXPORTS, TOKENS
from vault.lifecycle.access_export.rights import CONTACTS, FEEDBACK, REQUESTS
from vault.lifecycle.access_export.sessions import SESSIONS, SUMMARIES, TURNS, VISITOR_LINKS

COLLECTORS: tuple[Collector, ...] = (
    SERVED,
    NOT_SERVED,
    SET_ASIDE,
    CONFLICTS,
    FEEDBACK,
    SESSIONS,
    TURNS,
    SUMMARIES,
    VISITOR_LINKS,
    REQUESTS,
    CONTACTS,
    ERASURE_REQUESTS,
    EXPORTS,
    TOKENS,
    ANSWERS,
    ACCESSES,
)

# Store of the data map -> why the file holds nothing of it beyond what it says anyway.
NOT_COLLECTED: Mapping[str, str] = {
    "keyword_postings": "keyed hashes of words of the memories, which are in the file",
    "vectors": "reckoned from the text of the memories, which is in the file",
    "export_parts": "the sealed bytes of files like this one",
    "rollback_items": "which versions a rollback undid; the versions themselves are in the file",
    "proofs": "hashes of links and numbers by which you proved to be you; your requests are in the file",
    "subject_record": "the head of the file says it: your id, since when you are known, restriction and hold",
}
