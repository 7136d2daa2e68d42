"""Which Ed25519 public keys are points of small order: for those, anybody can make a signature that verifies.

The curve is that of RFC 8032, 5.1: -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo 2^255 - 19. A signature (R, s)
of a key A holds if s B = R + h A, h a hash of the message. If 8 A is the neutral element, so is h A for one message in
eight at least, and then the neutral R with s = 0 holds.
"""

from __future__ import annotations

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
KEY_BYTES = 32


def has_small_order(public_key: bytes) -> bool:
    """Whether the order of this point divides 8, however its 32 bytes spell it.

    Decided by y alone, reduced, and without the sign of x, since a verifier reads y + p and a wrong sign as well:
    y = 1 has order 1, y = -1 order 2, y = 0 order 4. A point has order 8 if doubling it gives y = 0, that is if
    x^2 = -y^2; put into the equation of the curve, d y^4 + 2 y^2 - 1 = 0.
    """
    if len(public_key) != KEY_BYTES:
        raise ValueError("a public key has 32 bytes")
    y = (int.from_bytes(public_key, "little") & (2**255 - 1)) % P
    return y in (0, 1, P - 1) or (D * pow(y, 4, P) + 2 * y * y - 1) % P == 0
