"""Credentials with a format of their own; every example is put together here."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from vault.screening.credentials import NAMED, find_credentials, find_named
from vault.screening.credentials.checksums import base62, has_valid_crc32, luhn
from vault.screening.credentials.scan import compiled

HEX = "0a1b2c3d4e5f6071" * 4
MIXED = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5kL7nP9rT1vX3zB5" * 3


def jwt() -> str:
    parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": "1", "name": "Zora"}]
    return (
        ".".join(base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts)
        + ".c2ln"
    )


EXAMPLES = [
    "gh" + "p_" + MIXED[:36],
    "github" + "_pat_" + MIXED[:60],
    "gl" + "pat-" + MIXED[:20],
    "AK" + "IA" + "QWERTYUIOPASDFGH",
    "AI" + "za" + MIXED[:35],
    "do" + "p_v1_" + HEX,
    "sk_" + "live_" + MIXED[:24],
    "sk-" + "ant-" + "api03-" + MIXED[:80],
    "sk-" + "proj-" + MIXED[:40],
    "hf" + "_" + "abcdefghijKLMNOPQRstuvwxyzABCDEFGH",
    "xox" + "b-1234567890-" + MIXED[:24],
    "SG" + "." + MIXED[:22] + "." + MIXED[:43],
    "np" + "m_" + MIXED[:36],
    "shp" + "at_" + HEX[:32],
    "key" + "-" + HEX[:32],
    "123456789:" + "AA" + MIXED[:33],
    "hv" + "s." + MIXED[:40],
    "glsa" + "_" + MIXED[:32] + "_" + HEX[:8],
    "-----BEGIN " + "PRIVATE KEY-----\n" + MIXED[:64] + "\n-----END PRIVATE KEY-----",
    "postgres://" + "app:" + "Gr4vel9x" + "@db.example.com/vault",
    "curl -u " + "zora:" + "Gr4vel9x" + " https://api.example.com",
    "Authorization: Bearer " + MIXED[:40],
    "Server=db.example;Database=x;User Id=app;Password=" + "Gr4vel9x;",
    jwt(),
]


@pytest.mark.parametrize("value", EXAMPLES, ids=range(len(EXAMPLES)))
def test_a_credential_is_found_inside_a_sentence(value: str) -> None:
    text = f"For the record: {value} was used."

    assert any(text[h.start : h.end].strip() in text for h in find_named(text))
    assert find_named(text)


@pytest.mark.parametrize(
    "text", ["gh" + "p_" + "x" * 36, "postgres://user:${DB_PASSWORD}@db/x", "eyJhbGciOi", "AKIA"]
)
def test_stand_ins_and_fragments_are_no_credentials(text: str) -> None:
    assert not find_named(text)


def test_every_pattern_runs_in_linear_time() -> None:
    for rule in NAMED:
        assert compiled(rule.pattern)
        assert all(word == word.lower() for word in rule.keywords), rule.name


def test_a_check_sum_is_recognised() -> None:
    body = MIXED[:30]
    token = "gh" + "p_" + body + base62(zlib.crc32(body.encode()))

    assert has_valid_crc32(token)
    assert not has_valid_crc32(token[:-1] + "~")


@pytest.mark.parametrize(
    ("digits", "valid"), [("4111111111111111", True), ("4111111111111112", False), ("0", True)]
)
def test_luhn(digits: str, valid: bool) -> None:
    assert luhn(digits) is valid


def test_a_split_of_words_is_no_credential() -> None:
    assert not find_credentials("The cat sat on the mat and looked at the token of appreciation.")


def test_the_value_of_a_basic_header_is_found_where_it_is_called_one() -> None:
    value = base64.b64encode(b"zora:" + b"marmalade1").decode()
    other = base64.b64encode(b"no colon in this one").decode()

    assert find_named(f"Basic auth header {value}")
    assert not find_named(f"Basic auth header {other}")
