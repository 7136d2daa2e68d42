"""Keys for which anybody can sign: all of them, from the curve's own arithmetic, and a forgery for each."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from tests.lifecycle.subject_rights.people import encoded, part
from vault.crypto.assertion import AssertionRefused, read_claims
from vault.crypto.small_order import D, P, has_small_order

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
HERE = "https://vault.example/privacy/"
NEUTRAL = (0, 1)
SIGN = 1 << 255
# Order of the subgroup that the base point makes; the curve has eight times as many points.
GROUP = 2**252 + 27742317777372353535851937790883648493

Point = tuple[int, int]


def on_curve(point: Point) -> bool:
    x, y = point
    return (-x * x + y * y - 1 - D * x * x * y * y) % P == 0


def add(one: Point, other: Point) -> Point:
    (a, b), (c, d) = one, other
    k = D * a * b * c * d
    return (a * d + b * c) * pow(1 + k, -1, P) % P, (b * d + a * c) * pow(1 - k, -1, P) % P


def times(count: int, point: Point) -> Point:
    found = NEUTRAL
    for bit in bin(count)[2:]:
        found = add(found, found)
        if bit == "1":
            found = add(found, point)
    return found


def roots(square: int) -> set[int]:
    """Both square roots modulo P, which is 5 modulo 8; none for what is no square."""
    root = pow(square, (P + 3) // 8, P)
    for candidate in (root, root * pow(2, (P - 1) // 4, P) % P):
        if (candidate * candidate - square) % P == 0:
            return {candidate, -candidate % P}
    return set()


def points_at(y: int) -> list[Point]:
    return [(x, y) for x in roots((y * y - 1) * pow(D * y * y + 1, -1, P) % P)]


def small_points() -> set[Point]:
    """All eight: any point, taken GROUP times, lies among them, and one of order eight makes the rest."""
    for y in itertools.count(2):
        for point in points_at(y):
            torsion = times(GROUP, point)
            if times(4, torsion) != NEUTRAL:
                return {times(count, torsion) for count in range(8)}
    raise AssertionError


def spellings() -> list[bytes]:
    """Each y as it is and, where that fits into 255 bits, with P added; each with either sign of x."""
    ys = {y for _, y in small_points()}
    spelt = {value for y in ys for value in (y, y + P) if value < SIGN}
    return [(value | sign).to_bytes(32, "little") for value in sorted(spelt) for sign in (0, SIGN)]


SPELLINGS = spellings()


def forged(number: int) -> str:
    """An assertion that nobody's private key made: the neutral point and zero as its signature."""
    at = int(NOW.timestamp())
    claims = {"sub": "S1", "aud": HERE, "iat": at, "exp": at + 300, "jti": f"{number:032}"}
    signature = (1).to_bytes(32, "little") + bytes(32)
    return f"{part({'alg': 'EdDSA', 'kid': '0', 'typ': 'JWT'})}.{part(claims)}.{encoded(signature)}"


def verifies(key: bytes, token: str) -> bool:
    """As a verifier does that asks the key for nothing."""
    signed = token.rpartition(".")[0].encode()
    try:
        Ed25519PublicKey.from_public_bytes(key).verify((1).to_bytes(32, "little") + bytes(32), signed)
    except InvalidSignature:
        return False
    return True


def test_there_are_eight_such_points_of_five_heights_in_fourteen_spellings():
    points = small_points()

    assert len(points) == 8
    assert all(on_curve(point) and times(8, point) == NEUTRAL for point in points)
    assert len({y for _, y in points}) == 5
    assert len(set(SPELLINGS)) == 14


@pytest.mark.parametrize("key", SPELLINGS, ids=bytes.hex)
def test_a_signature_forged_for_such_a_key_would_verify_and_is_refused(key):
    token = next(token for token in map(forged, range(1000)) if verifies(key, token))

    with pytest.raises(AssertionRefused) as refused:
        read_claims(token, public_key=key, audience=HERE, now=NOW)
    assert refused.value.facts["reason"] == "key"


@pytest.mark.parametrize("key", SPELLINGS, ids=bytes.hex)
def test_every_spelling_of_such_a_key_is_known(key):
    assert has_small_order(key)


@given(st.binary(min_size=32, max_size=32))
def test_a_key_that_somebody_holds_is_none(seed):
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key()

    assert not has_small_order(public.public_bytes(Encoding.Raw, PublicFormat.Raw))


@given(st.integers(0, 2**256 - 1) | st.integers(0, 40) | st.integers(P - 40, 2**255 + 40))
def test_whatever_the_curve_says_of_a_height_is_what_is_said_of_the_key(value):
    y = value % SIGN % P
    is_small = any(times(8, point) == NEUTRAL for point in points_at(y))

    assert has_small_order(value.to_bytes(32, "little")) == is_small


@pytest.mark.parametrize("length", [0, 31, 33])
def test_what_has_another_length_is_no_key(length):
    with pytest.raises(ValueError, match="32 bytes"):
        has_small_order(bytes(length))
