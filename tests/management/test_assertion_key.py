from __future__ import annotations

import base64
import json
from io import StringIO

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management import CommandError, call_command

from audit.models import AuditEntry
from vault.models import Agent, AssertionKey

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> dict:
    out = StringIO()
    call_command("assertion_key", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def pem(tmp_path) -> str:
    Agent.objects.create(name="support-app")
    file = tmp_path / "key.pem"
    public = Ed25519PrivateKey.generate().public_key()
    file.write_bytes(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return str(file)


def test_a_key_is_registered_listed_and_revoked(pem):
    kid = run("--agent", "support-app", "--public-key", pem)["keys"][0]["kid"]

    assert run()["keys"] == [{"kid": kid, "agent": "support-app", "revoked": False}]
    assert run("--revoke", kid)["keys"][0]["revoked"]
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "assertion_key.created",
        "assertion_key.revoked",
    ]


def test_the_audience_is_told_along(pem):
    assert run()["audience"].endswith("/privacy/")


def test_each_use_has_an_audience_of_its_own(pem):
    told = run()["audiences"]

    assert set(told) == {"privacy", "sessions", "visitor_links"}
    assert len(set(told.values())) == 3
    assert told["privacy"] == run()["audience"]


def test_a_key_for_something_else_is_refused(pem, tmp_path):
    other = tmp_path / "other.pem"
    public = X25519PrivateKey.generate().public_key()
    other.write_bytes(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))

    with pytest.raises(CommandError, match="Ed25519"):
        run("--agent", "support-app", "--public-key", str(other))
    assert not AssertionKey.objects.exists()


@pytest.mark.parametrize("raw", [bytes(32), (2**255).to_bytes(32, "little"), (1).to_bytes(32, "little")])
def test_a_key_for_which_anybody_can_sign_is_refused(pem, raw):
    with pytest.raises(CommandError, match="anybody can sign"):
        run("--agent", "support-app", "--public-key", base64.b64encode(raw).decode())
    assert not AssertionKey.objects.exists()


def test_a_key_for_which_anybody_can_sign_is_refused_as_a_file_too(pem, tmp_path):
    file = tmp_path / "forgeable.pem"
    public = Ed25519PublicKey.from_public_bytes((1).to_bytes(32, "little"))
    file.write_bytes(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))

    with pytest.raises(CommandError, match="anybody can sign"):
        run("--agent", "support-app", "--public-key", str(file))
    assert not AssertionKey.objects.exists()


def test_a_key_speaks_for_one_agent(pem):
    Agent.objects.create(name="other-app")
    run("--agent", "support-app", "--public-key", pem)

    with pytest.raises(CommandError, match="another agent; a key speaks for one"):
        run("--agent", "other-app", "--public-key", pem)
    assert [key["agent"] for key in run()["keys"]] == ["support-app"]


def test_a_key_of_another_agent_is_not_free_once_it_is_revoked(pem):
    Agent.objects.create(name="other-app")
    run("--revoke", run("--agent", "support-app", "--public-key", pem)["keys"][0]["kid"])

    with pytest.raises(CommandError, match="another agent"):
        run("--agent", "other-app", "--public-key", pem)


def test_a_revoked_key_does_not_come_back_under_another_id(pem):
    run("--revoke", run("--agent", "support-app", "--public-key", pem)["keys"][0]["kid"])

    with pytest.raises(CommandError, match="make a new pair"):
        run("--agent", "support-app", "--public-key", pem)
    assert [key["revoked"] for key in run()["keys"]] == [True]


@pytest.mark.parametrize("arguments", [("--agent", "support-app"), ("--public-key", "x")])
def test_half_of_it_is_not_enough(arguments):
    with pytest.raises(CommandError):
        run(*arguments)


def test_an_agent_that_is_not_there_is_named(pem):
    raw = base64.b64encode(bytes(range(32))).decode()

    with pytest.raises(CommandError, match="no agent"):
        run("--agent", "nobody", "--public-key", raw)
