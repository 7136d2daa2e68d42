"""Refusals that only keys can give; the rest of the vault knows them by their parents in vault.errors."""

from __future__ import annotations

from vault.errors import IntegrityFault, VaultError


class KeyMissing(IntegrityFault):
    """No key was ever made for the subject, so nothing that claims to be sealed under it can be true."""

    code = "key_missing"
    detail = "There is no key for this subject."


class KeystoreFault(VaultError):
    """The keystore or the root key cannot be used as it stands; nothing was opened and nothing was sealed."""

    code = "keystore_fault"
    detail = "The keystore cannot be used."


class KeystoreMissing(KeystoreFault):
    code = "keystore_missing"
    detail = "There is no keystore here, and a new one must not take its place: restore the latest one."


class KeystoreUnavailable(KeystoreFault):
    code = "keystore_unavailable"
    detail = "The keystore did not answer."


class KeystoreExposed(KeystoreFault):
    code = "keystore_exposed"
    detail = "A file that holds keys can be read by others than its owner; give it mode 0600."


class RootKeyMissing(KeystoreFault):
    """The root of that epoch is not there: never made, destroyed, or the root belongs to another keystore."""

    code = "root_key_missing"
    detail = "The root key of this epoch is not available."


class EpochOvertaken(RootKeyMissing):
    """Another roll has begun since this one did; what is left to do is done by beginning anew."""


class SigningKeyRetired(KeystoreFault):
    code = "signing_key_retired"
    detail = "This signing key was retired; ask for the signer again."
