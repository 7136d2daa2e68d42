"""The pure reading of assertions: everything but one exact form is refused."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from tests.lifecycle.subject_rights.people import encoded, part, sign
from vault.crypto.assertion import AssertionRefused, key_id, read_claims

PRIVATE = Ed25519PrivateKey.generate()
PUBLIC = PRIVATE.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
KID = "01890a5d-ac96-774b-bcce-b302099a8057"
HERE = "https://vault.example/privacy/"


def header(**changes):
    return {"alg": "EdDSA", "kid": KID, "typ": "JWT", **changes}


def claims(**changes):
    at = int(NOW.timestamp())
    return {"sub": "S1", "aud": HERE, "iat": at, "exp": at + 300, "jti": "n" * 32, **changes}


def read(token: str, *, now: datetime = NOW):
    return read_claims(token, public_key=PUBLIC, audience=HERE, now=now)


def accept(token: str):
    """As the vault does: the key that it names first, then the rest."""
    key_id(token)
    return read(token)


def refusal(token: str, **options) -> str:
    with pytest.raises(AssertionRefused) as refused:
        read(token, **options)
    return refused.value.facts["reason"]


def test_what_a_registered_key_signed_is_read():
    found = read(sign(PRIVATE, header(), claims()))

    assert (found.subject, found.nonce) == ("S1", "n" * 32)
    assert key_id(sign(PRIVATE, header(), claims())).hex == KID.replace("-", "")


def test_a_key_that_was_not_registered_is_not_believed():
    assert refusal(sign(Ed25519PrivateKey.generate(), header(), claims())) == "signature"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"aud": "https://elsewhere.example/privacy/"}, "audience"),
        ({"aud": [HERE]}, "audience"),
        ({"exp": int(NOW.timestamp()) + 601}, "life"),
        ({"exp": int(NOW.timestamp())}, "life"),
        ({"iat": int(NOW.timestamp()) + 60, "exp": int(NOW.timestamp()) + 120}, "time"),
        ({"iat": int(NOW.timestamp()) - 500, "exp": int(NOW.timestamp())}, "time"),
        ({"iat": str(int(NOW.timestamp()))}, "time"),
        ({"iat": True}, "time"),
        ({"iat": 10**30, "exp": 10**30 + 1}, "time"),
        ({"iat": 253402300798, "exp": 253402300799}, "time"),
        ({"sub": "\ud800"}, "format"),
        ({"jti": "\udfff" * 16}, "format"),
        ({"exp": float(NOW.timestamp()) + 300}, "time"),
        ({"sub": ""}, "subject"),
        ({"sub": 7}, "subject"),
        ({"sub": "x" * 257}, "subject"),
        ({"sub": " \u200b\n"}, "subject"),
        ({"sub": "S1\0"}, "subject"),
        ({"jti": "short"}, "nonce"),
        ({"jti": "x" * 129}, "nonce"),
        ({"jti": None}, "nonce"),
        ({"scope": "everything"}, "claims"),
    ],
)
def test_a_claim_that_is_not_as_it_should_be_is_refused(changes, reason):
    assert refusal(sign(PRIVATE, header(), claims(**changes))) == reason


@pytest.mark.parametrize("missing", ["sub", "aud", "iat", "exp", "jti"])
def test_a_claim_that_is_missing_is_refused(missing):
    short = claims()
    del short[missing]

    assert refusal(sign(PRIVATE, header(), short)) == "claims"


@pytest.mark.parametrize(
    "changes", [{"alg": "none"}, {"alg": "HS256"}, {"alg": "eddsa"}, {"crit": ["exp"]}, {"kid": 1}]
)
def test_a_header_cannot_talk_the_vault_into_anything_else(changes):
    with pytest.raises(AssertionRefused):
        key_id(sign(PRIVATE, header(**changes), claims()))


def test_the_public_key_is_no_secret_to_sign_with():
    signed = f"{part(header(alg='HS256'))}.{part(claims())}"
    forged = f"{signed}.{encoded(hmac.digest(PUBLIC, signed.encode(), hashlib.sha256))}"

    with pytest.raises(AssertionRefused):
        key_id(forged)
    assert refusal(forged) == "signature"


def test_it_is_good_until_it_expires_and_no_longer():
    token = sign(PRIVATE, header(), claims())

    assert read(token, now=NOW + timedelta(seconds=299))
    assert refusal(token, now=NOW + timedelta(seconds=300)) == "time"


def test_a_name_that_is_given_twice_is_refused():
    body = encoded(b'{"sub": "S1", "sub": "S2"}')
    signed = f"{part(header())}.{body}"

    assert refusal(f"{signed}.{encoded(PRIVATE.sign(signed.encode()))}") == "format"


def test_a_signature_has_one_spelling():
    token = sign(PRIVATE, header(), claims())

    assert refusal(token + "=") == "format"


@given(st.data())
def test_a_token_with_any_character_changed_is_refused(data):
    token = sign(PRIVATE, header(), claims())
    place = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.sampled_from("ABCxyz019-_.") | st.characters())
    if other == token[place]:
        return

    with pytest.raises(AssertionRefused):
        accept(token[:place] + other + token[place + 1 :])


@given(st.integers(0, 2), st.data())
def test_a_token_with_any_bit_of_what_it_says_changed_is_refused(which, data):
    parts = sign(PRIVATE, header(), claims()).split(".")
    raw = bytearray(base64.urlsafe_b64decode(parts[which] + "=="))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    parts[which] = encoded(bytes(raw))

    with pytest.raises(AssertionRefused):
        accept(".".join(parts))


@given(st.integers(-1000, 1000))
def test_it_is_good_from_shortly_before_it_was_issued_until_it_expires(seconds):
    token = sign(PRIVATE, header(), claims())

    if -30 <= seconds < 300:
        assert read(token, now=NOW + timedelta(seconds=seconds)).subject == "S1"
    else:
        assert refusal(token, now=NOW + timedelta(seconds=seconds)) == "time"


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: base64.b64encode(raw).decode()))
def test_anything_else_is_refused_and_breaks_nothing(text):
    with pytest.raises(AssertionRefused):
        key_id(text)
    with pytest.raises(AssertionRefused):
        read(text)


def test_a_very_long_or_deep_token_is_refused():
    deep = encoded(b"[" * 2000)

    assert refusal(f"{part(header())}.{'A' * 5000}.{secrets.token_hex(8)}") == "format"
    with pytest.raises(AssertionRefused):
        key_id(f"{deep}.{deep}.x")
