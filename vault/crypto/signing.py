"""Ed25519 signatures (RFC 8032) of checkpoints, certificates and exports.

The private key is opened by the root provider alone, for the moment of one signature. The public keys stay
for ever, so that what a retired key signed can still be checked.
"""

from __future__ import annotations

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from vault.crypto.errors import KeystoreFault, SigningKeyRetired
from vault.crypto.providers import RootKeyProvider
from vault.crypto.rows import SigningKey
from vault.crypto.store import Store
from vault.crypto.wrapping import signing_key_context, through_a_roll, wrap_signing_key

KEY_ID_BYTES = 8


class Signer:
    """Signs with the one key that `key_id` names, for as long as it is not retired."""

    __slots__ = ("_root", "_store", "key_id")

    def __init__(self, *, key_id: str, store: Store, root: RootKeyProvider) -> None:
        self.key_id = key_id
        self._store = store
        self._root = root

    def sign(self, message: bytes) -> bytes:
        """The 64-byte signature of `message`; raises SigningKeyRetired when another key has taken over."""
        return through_a_roll(lambda: self._sign_once(message))

    def public_keys(self) -> dict[str, bytes]:
        """The raw 32-byte public key of every key that ever signed, by key id."""
        with self._store.reading() as rows:
            return {row.key_id: row.public for row in rows.signing_keys()}

    def _sign_once(self, message: bytes) -> bytes:
        with self._store.reading() as rows:
            row = next((row for row in rows.signing_keys() if row.key_id == self.key_id), None)
        if row is None or row.wrapped is None:
            raise SigningKeyRetired
        context = signing_key_context(row.key_id, row.epoch)
        return self._root.sign(message, wrapped=row.wrapped, epoch=row.epoch, context=context)


def new_signing_key(root: RootKeyProvider, epoch: int) -> SigningKey:
    """A fresh key pair; its id is the start of the public key's SHA-256, in hex."""
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    key_id = hashlib.sha256(public).digest()[:KEY_ID_BYTES].hex()
    return wrap_signing_key(
        root, key_id=key_id, public=public, private=private.private_bytes_raw(), epoch=epoch
    )


def check_signing_key(root: RootKeyProvider, row: SigningKey) -> None:
    """Raise unless the root can sign with this key, in a way that its public half confirms."""
    if row.wrapped is None:
        return
    message = b"memory-vault/1/check of a signing key"
    context = signing_key_context(row.key_id, row.epoch)
    signature = root.sign(message, wrapped=row.wrapped, epoch=row.epoch, context=context)
    try:
        Ed25519PublicKey.from_public_bytes(row.public).verify(signature, message)
    except InvalidSignature:
        raise KeystoreFault("A signing key does not match its public half.") from None
