import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from vault.crypto import open_vault
from vault.crypto.errors import KeystoreFault, SigningKeyRetired


def verify(public_keys, key_id, signature, message):
    Ed25519PublicKey.from_public_bytes(public_keys[key_id]).verify(signature, message)


def test_a_signature_is_verified_by_the_public_key_of_its_id(vault):
    signer = vault.signer()

    verify(signer.public_keys(), signer.key_id, signer.sign(b"checkpoint"), b"checkpoint")


def test_another_message_is_not_verified(vault):
    signer = vault.signer()

    with pytest.raises(InvalidSignature):
        verify(signer.public_keys(), signer.key_id, signer.sign(b"checkpoint"), b"other")


def test_the_same_key_signs_after_a_restart(vault, keystore, kms):
    again = open_vault(keystore=keystore, root=kms)

    assert again.signer().key_id == vault.signer().key_id
    again.close()


def test_a_signer_goes_on_after_the_epoch_rolled(vault):
    signer = vault.signer()
    vault.roll_epoch()

    verify(signer.public_keys(), signer.key_id, signer.sign(b"checkpoint"), b"checkpoint")


def test_the_root_alone_opens_the_private_key(vault, kms):
    vault.signer().sign(b"checkpoint")

    assert kms.calls[-1] == "sign"


def test_a_new_signing_key_leaves_old_signatures_verifiable(vault):
    old = vault.signer()
    signature = old.sign(b"checkpoint")
    new = vault.rotate_signing_key()

    assert new.key_id != old.key_id
    verify(new.public_keys(), old.key_id, signature, b"checkpoint")


def test_a_retired_key_signs_nothing_more(vault):
    old = vault.signer()
    vault.rotate_signing_key()

    with pytest.raises(SigningKeyRetired):
        old.sign(b"checkpoint")


def test_a_retired_private_key_is_not_kept(vault, store):
    vault.rotate_signing_key()
    with store.reading() as rows:
        kept = [row.wrapped is not None for row in rows.signing_keys()]

    assert kept == [False, True]


def test_a_signing_key_exchanged_for_another_stops_the_roll(vault, store):
    with store.writing() as rows:
        own = rows.signing_keys()[0]
        rows.run("DELETE FROM keystore_signing_key")
        rows.add_signing_key(own._replace(public=bytes(32)), "2026-01-01")

    with pytest.raises(KeystoreFault):
        vault.roll_epoch()
