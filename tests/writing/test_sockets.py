"""No step of a write or a search calls out: not the detectors, not the model, not what they are built on."""

from __future__ import annotations

import pytest

from tests.drafts import make_agent_scope, make_draft
from vault.retrieval.search import SearchQuery, search
from vault.writing.pipeline import write_memory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("socket_disabled")]

# Each of these makes some library of others look something up, unless it is told not to.
TEXTS = (
    "Write to ana@some-unheard-of-domain.example about the delivery.",
    "The manual is at https://docs.unheard-of.example/manual?page=2 and at 203.0.113.7.",
    "Call +49 30 901820 or pay to DE89 3704 0044 0532 0130 00.",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_write_and_a_search_open_no_socket(text):
    scope = make_agent_scope()

    written = write_memory(draft=make_draft(text), scope=scope)
    answer = search(query=SearchQuery("S1", "how to reach them"), scope=scope)

    assert written.verdict.findings
    assert "screening_failure" not in written.verdict.reasons
    assert len(answer.results) == (written.outcome != "quarantined")
