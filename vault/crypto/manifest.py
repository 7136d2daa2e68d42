"""The manifest of one subject: an authenticated set of (memory, version, ciphertext digest).

It catches what a seal on each row cannot: a row that vanished, and an old row put back. The digest is
MSet-Add-Hash of Clarke, Devadas, van Dijk, Gassend and Suh, "Incremental Multiset Hash Functions and Their
Application to Memory Integrity Checking" (ASIACRYPT 2003): the sum, mod 2**256, of a keyed pseudorandom
value per entry, masked by a pseudorandom value of a fresh nonce. Their theorem needs the key secret and the
mask fresh; then a set that was never made collides with probability 2**-256 a try. Without the mask, sums
seen over time would give away single values, and those can be recombined (generalised birthday). A plain
XOR would not see a row that stands there twice.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from vault.crypto.sealing import Label, associated_data, subkey
from vault.errors import IntegrityFault

MODULUS = 1 << 256
NONCE_BYTES = 16
SUM_BYTES = 32

Entry = tuple[UUID, int, bytes]
NO_LABELS: Mapping[str, Label] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ManifestState:
    """What is stored beside the subject's rows; `sequence` only grows.

    `value` is a nonce of 16 bytes and the masked sum of 32.
    """

    value: bytes
    count: int
    sequence: int


@dataclass(frozen=True, slots=True)
class Witness:
    """The newest head that was seen outside the database."""

    sequence: int
    mac: bytes


class Manifest:
    """The manifest arithmetic of one subject: holds its subkeys, reads nothing, writes nothing."""

    __slots__ = ("_entry_key", "_mac_key", "_mask_key", "_part_key", "_subject_id")

    def __init__(self, key: bytes, subject_id: UUID) -> None:
        self._subject_id = subject_id
        self._entry_key = subkey(key, "manifest/entry")
        self._mask_key = subkey(key, "manifest/mask")
        self._mac_key = subkey(key, "manifest/mac")
        self._part_key = subkey(key, "manifest/part")

    def part(self, part_id: UUID) -> Manifest:
        """The manifest of a set within the subject's, under keys of its own: a head of one is never one of another."""
        return Manifest(subkey(self._part_key, part_id.hex), self._subject_id)

    def of(self, entries: Iterable[Entry], *, sequence: int = 0) -> ManifestState:
        """The state of a whole set, reckoned from nothing; of no entries, the state to begin with."""
        total = count = 0
        for entry in entries:
            total += self._element(entry)
            count += 1
        return self._state(total, count, sequence)

    def add(self, state: ManifestState, entry: Entry) -> ManifestState:
        """The next state, with one entry more."""
        return self._next(state, self._element(entry), 1)

    def remove(self, state: ManifestState, entry: Entry) -> ManifestState:
        """The next state, with one entry fewer; that it was in there, only `check` can tell."""
        return self._next(state, -self._element(entry), -1)

    def replace(self, state: ManifestState, old: Entry, new: Entry) -> ManifestState:
        """The next state, with `new` in the place of `old`, in one step of the sequence."""
        return self._next(state, self._element(new) - self._element(old), 0)

    def seal(self, state: ManifestState, labels: Mapping[str, Label] = NO_LABELS) -> bytes:
        """The 32-byte MAC over the state, its sequence, the subject, and labels that stand beside them."""
        return self.mac(_head(state, labels))

    def check(
        self,
        state: ManifestState,
        mac: bytes,
        entries: Iterable[Entry] | None = None,
        labels: Mapping[str, Label] = NO_LABELS,
    ) -> None:
        """Raise IntegrityFault unless this vault sealed the state and, if given, `entries` are its set."""
        if not hmac.compare_digest(self.seal(state, labels), mac):
            raise IntegrityFault("A subject's manifest was altered.")
        if entries is not None:
            self._check_entries(state, entries)

    def check_witness(self, state: ManifestState, mac: bytes, witness: Witness | None) -> None:
        """Raise IntegrityFault when a checked state is older than its witness, or another of that age.

        A state ahead of its witness is allowed: the witness is written after the commit it tells of.
        """
        if witness is None or state.sequence > witness.sequence:
            return
        if state.sequence < witness.sequence or not hmac.compare_digest(mac, witness.mac):
            raise IntegrityFault("A subject's manifest was put back to an older state.")

    def mac(self, head: bytes) -> bytes:
        """The 32-byte MAC of any head of this subject, bound to the subject."""
        context = associated_data(what="manifest", subject=self._subject_id)
        return hmac.digest(self._mac_key, len(context).to_bytes(4) + context + head, "sha256")

    def _check_entries(self, state: ManifestState, entries: Iterable[Entry]) -> None:
        found = self.of(entries)
        same_sum = self._unmasked(found) == self._unmasked(state)
        if not same_sum or found.count != state.count:
            raise IntegrityFault("A subject's rows are not those of its manifest.")

    def _next(self, state: ManifestState, difference: int, more: int) -> ManifestState:
        if state.count + more < 0:
            raise IntegrityFault("A subject's manifest counts fewer rows than none.")
        return self._state(self._unmasked(state) + difference, state.count + more, state.sequence + 1)

    def _state(self, total: int, count: int, sequence: int) -> ManifestState:
        nonce = os.urandom(NONCE_BYTES)
        masked = (total + self._mask(nonce)) % MODULUS
        return ManifestState(nonce + masked.to_bytes(SUM_BYTES), count, sequence)

    def _unmasked(self, state: ManifestState) -> int:
        if len(state.value) != NONCE_BYTES + SUM_BYTES:
            raise IntegrityFault("A subject's manifest was altered.")
        nonce, masked = state.value[:NONCE_BYTES], state.value[NONCE_BYTES:]
        return (int.from_bytes(masked) - self._mask(nonce)) % MODULUS

    def _mask(self, nonce: bytes) -> int:
        return int.from_bytes(hmac.digest(self._mask_key, nonce, "sha256"))

    def _element(self, entry: Entry) -> int:
        memory, version, ciphertext_digest = entry
        # The first two have a fixed length, so the three cannot run into each other.
        message = memory.bytes + version.to_bytes(8) + ciphertext_digest
        return int.from_bytes(hmac.digest(self._entry_key, message, "sha256"))


def _head(state: ManifestState, labels: Mapping[str, Label]) -> bytes:
    return associated_data(value=state.value.hex(), count=state.count, sequence=state.sequence, **labels)
