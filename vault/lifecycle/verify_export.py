"""Check an access export far from the vault: needs `cryptography` and this tree's `audit` modules that run without
Django; no database, no settings.

    python -m vault.lifecycle.verify_export FILE.zip --public-key ID=BASE64 [--public-key ...]
    python -m vault.lifecycle.verify_export FILE.zip --public-keys PINNED.json

Exit code 0 when every file of the archive is the one that was signed, 1 with the first fault on standard error
otherwise. The keys are those of the certificates: `manage.py verify_certificate --print-keys`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from audit.offline import read_key
from vault.lifecycle.signed_document import DocumentFault, bytes_under_signature, require_signature
from vault.lifecycle.verify_certificate import CertificateFault, read_keys

FORMAT = "memory-vault/access-export/1"
MANIFEST = "manifest.json"
MAX_MANIFEST_BYTES = 1024 * 1024
CHUNK_BYTES = 256 * 1024


class ExportFault(DocumentFault):
    """What is wrong with an access export."""


def signed_bytes(manifest: Mapping[str, Any]) -> bytes:
    """The bytes under the signature of an access export."""
    return bytes_under_signature(manifest, form=FORMAT)


def verify_export(file: Path | IO[bytes], *, public_keys: Mapping[str, bytes]) -> dict[str, Any]:
    """Check one export and say what it shows; raises ExportFault for the first thing wrong.

    `public_keys` are the pinned keys, raw, by key id; retired ones included.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _manifest(archive)
            require_signature(manifest, form=FORMAT, public_keys=public_keys, fault=ExportFault)
            _require_files(archive, manifest)
    except (OSError, zipfile.BadZipFile, EOFError):
        raise ExportFault("archive", "the file cannot be read as an archive") from None
    return {
        "export": manifest["export"],
        "as_of": manifest["as_of"],
        "counts": manifest["counts"],
        "is_complete": manifest["is_complete"],
        "faults": manifest["faults"],
        "files": len(manifest["files"]),
        "key_id": manifest["key_id"],
    }


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        info = archive.getinfo(MANIFEST)
        if info.file_size > MAX_MANIFEST_BYTES:
            raise ExportFault("manifest", "the manifest is too large")
        found = json.loads(archive.read(info))
    except (KeyError, ValueError):
        raise ExportFault("manifest", "there is no manifest that can be read") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ExportFault("format", "this is not an access export of a known format")
    expected = {"export", "as_of", "counts", "is_complete", "faults", "files", "key_id", "signature"}
    if not expected <= set(found) or not isinstance(found["files"], list):
        raise ExportFault("manifest", "fields of the manifest are missing")
    return found


def _require_files(archive: zipfile.ZipFile, manifest: Mapping[str, Any]) -> None:
    """The archive holds the files of the manifest, each once and as it was signed, and no other."""
    named = [str(file["name"]) for file in manifest["files"]]
    if sorted(archive.namelist()) != sorted([*named, MANIFEST]):
        raise ExportFault("files", "the archive holds other files than the manifest names")
    for file in manifest["files"]:
        digest, size = hashlib.sha256(), 0
        with archive.open(str(file["name"])) as opened:
            # Never further than was signed: an archive can unpack to far more than it is long.
            while size <= file["bytes"] and (chunk := opened.read(CHUNK_BYTES)):
                digest.update(chunk)
                size += len(chunk)
        if size != file["bytes"] or digest.hexdigest() != file["sha256"]:
            raise ExportFault("altered", f"{file['name']} is not the file that was signed")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="verify_export", description="Check an access export.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--public-key", type=read_key, action="append", default=[], metavar="ID=BASE64")
    parser.add_argument("--public-keys", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        keys = {
            **(read_keys(options.public_keys) if options.public_keys else {}),
            **dict(options.public_key),
        }
        if not keys:
            raise ExportFault("keys", "name the key that you trust with --public-key or --public-keys")
        report = verify_export(options.file, public_keys=keys)
    except (ExportFault, CertificateFault) as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    sys.stdout.write(json.dumps(report) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
