"""Keys of the vault. No key leaves this package: callers get things done with keys, never the keys.

Promise: what one subject's key sealed opens for that subject, in the place it was sealed for, unaltered, or
raises; and once the key is destroyed and its epoch has ended, it opens for nobody, from no backup.

The road not taken: keys derived from a master key and the subject's id (nothing could be destroyed);
Fernet and MultiFernet (no associated data, so a ciphertext can be moved); keys in the memory database (its
log and its backups keep deleted rows); a write-ahead log for the embedded keystore (the same); one key per
memory (an erasure would have to find them all).
"""

from vault.crypto.errors import KeyMissing, KeystoreFault, KeystoreMissing, KeystoreUnavailable
from vault.crypto.key_vault import KeyVault, open_vault, restore_keystore
from vault.crypto.keystore import Destruction
from vault.crypto.manifest import Entry, Manifest, ManifestState, Witness
from vault.crypto.providers import EnvironmentRootKey, FileRootKey, RootKeyProvider
from vault.crypto.rolling import EpochRoll
from vault.crypto.rows import EpochState
from vault.crypto.sealing import Label, associated_data
from vault.crypto.signing import Signer
from vault.crypto.subject_keys import SubjectKeys

__all__ = [
    "Destruction",
    "Entry",
    "EnvironmentRootKey",
    "EpochRoll",
    "EpochState",
    "FileRootKey",
    "KeyMissing",
    "KeyVault",
    "KeystoreFault",
    "KeystoreMissing",
    "KeystoreUnavailable",
    "Label",
    "Manifest",
    "ManifestState",
    "RootKeyProvider",
    "Signer",
    "SubjectKeys",
    "Witness",
    "associated_data",
    "open_vault",
    "restore_keystore",
]
