"""GET /audit/checkpoint and /audit/entries/{seq}/proof."""

from __future__ import annotations

import base64

import pytest

from audit.checkpoint import publish_checkpoint, seal_all
from audit.configured import configured_signer
from audit.offline import verify_proof

pytestmark = pytest.mark.django_db


@pytest.fixture
def sealed(agent):
    agent.written("The depot opens at six.")
    seal_all()
    return publish_checkpoint()


def test_there_is_no_checkpoint_before_the_first(agent):
    assert agent.get("/audit/checkpoint").status_code == 404


def test_the_newest_head_is_told_as_it_was_signed(agent, sealed):
    body = agent.get("/audit/checkpoint").json()

    assert (body["size"], body["note"]) == (sealed.size, sealed.note)
    assert base64.b64decode(body["root"]) == bytes(sealed.root)


def test_an_entry_is_proved_to_somebody_who_has_only_the_public_key(agent, sealed):
    proof = agent.get("/audit/entries/0/proof").json()

    verify_proof(proof, public_keys=configured_signer().public_keys())


def test_an_entry_that_no_head_covers_is_not_found(agent, sealed):
    assert agent.get(f"/audit/entries/{sealed.size}/proof").status_code == 404


@pytest.mark.parametrize("seq", ["-1", "x", "1.5"])
def test_what_is_no_number_of_an_entry_is_not_found(agent, seq):
    assert agent.get(f"/audit/entries/{seq}/proof").status_code == 404


def test_reading_the_log_needs_its_right(reader):
    assert reader.get("/audit/checkpoint").status_code == 403
