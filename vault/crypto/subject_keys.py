"""What one subject's key can do. The key itself is not to be had."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn
from uuid import UUID

from vault.crypto import fingerprints, sealing, vectors
from vault.crypto.manifest import Manifest
from vault.crypto.sealing import subkey
from vault.crypto.wrapping import DataKey
from vault.errors import IntegrityFault

if TYPE_CHECKING:
    from vault.crypto.vectors import Vector

DEFAULT_NOISE = 1.0
MAX_ROTATIONS = 2


class SubjectKeys:
    """The subkeys of one subject, each for one use. Safe for several threads; cannot be pickled.

    Valid until the subject's key is destroyed: ask `KeyVault.subject` anew for every request or job.
    """

    __slots__ = (
        "_content",
        "_fingerprint",
        "_rotations",
        "_slot",
        "_token",
        "_vector",
        "audit_reference",
        "manifest",
    )

    def __init__(self, subject_id: UUID, data_key: DataKey) -> None:
        self.audit_reference = base64.urlsafe_b64encode(data_key.reference).rstrip(b"=").decode("ascii")
        self.manifest = Manifest(subkey(data_key.key, "manifest"), subject_id)
        self._content = subkey(data_key.key, "content")
        self._fingerprint = subkey(data_key.key, "fingerprint")
        self._token = subkey(data_key.key, "token")
        self._slot = subkey(data_key.key, "slot")
        self._vector = subkey(data_key.key, "vector")
        self._rotations: dict[int, Vector] = {}

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes:
        """Encrypt under the subject's content key, bound to `context`."""
        return sealing.seal(plaintext, key=self._content, context=context)

    def open(self, sealed: bytes, *, context: bytes) -> bytes:
        """Decrypt; raises IntegrityFault when bytes or context are not those that were sealed."""
        return sealing.open_sealed(sealed, key=self._content, context=context)

    def fingerprint(self, normalised: str) -> bytes:
        """The 32-byte digest by which this subject's duplicates find each other."""
        return fingerprints.keyed_digest(self._fingerprint, normalised)

    def token_hashes(self, tokens: Iterable[str]) -> list[bytes]:
        """The 16-byte entries of the blind keyword index, in the order of the tokens."""
        return fingerprints.token_digests(self._token, tokens)

    def slot_hash(self, attribute: str) -> bytes:
        """The 16-byte name of an attribute's slot; never equal to the hash of a token."""
        return fingerprints.token_digests(self._slot, [attribute])[0]

    def protect(self, vector: Vector, *, noise: float = DEFAULT_NOISE) -> Vector:
        """The vector as it may stand at rest: turned, with fresh noise of about `noise` times its length."""
        return vectors.noised(self.rotate(vector), noise)

    def rotate(self, vector: Vector) -> Vector:
        """The vector to search with: turned only, so that its nearness to what was protected stays."""
        row = vectors.checked(vector)
        return vectors.turned(row, self._rotation(row.shape[0]))

    def mac_manifest(self, head: bytes) -> bytes:
        """The 32-byte MAC of a manifest head, bound to the subject."""
        return self.manifest.mac(head)

    def verify_manifest(self, head: bytes, mac: bytes) -> None:
        """Raise IntegrityFault unless `mac` is this subject's MAC of `head`."""
        if not hmac.compare_digest(self.manifest.mac(head), mac):
            raise IntegrityFault("A subject's manifest was altered.")

    def __reduce__(self) -> NoReturn:
        raise TypeError("keys do not leave the process")

    def _rotation(self, dimensions: int) -> Vector:
        found = self._rotations.get(dimensions)
        if found is None:
            if len(self._rotations) >= MAX_ROTATIONS:
                self._rotations.clear()
            # Two threads may reckon it at once; they get the same matrix.
            found = self._rotations[dimensions] = vectors.rotation(self._vector, dimensions)
        return found
