"""Made-up words that are hidden in what callers send, and the search for their bytes wherever data may lie."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ALPHABET = "bcdfghjklmnpqrstvwxz"
LENGTH = 14
# A sector at a time would miss what lies across two; whole files fit into memory here.
DIMENSIONS_TO_COMPARE = 12


def canary(*, accented: bool = False) -> str:
    """A word that nothing else holds: lower-case consonants, with one letter beyond ASCII when `accented`."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return letters[:7] + "ž" + letters[7:] if accented else letters


def spellings(word: str) -> dict[str, bytes]:
    """How a word may stand in a file: encodings, hexadecimal, base64 at each alignment, escaped for JSON."""
    utf8 = word.encode()
    found = {
        "utf-8": utf8,
        "utf-16-le": word.encode("utf-16-le"),
        "utf-16-be": word.encode("utf-16-be"),
        "upper case": word.upper().encode(),
        "hex": utf8.hex().encode(),
        "HEX": utf8.hex().upper().encode(),
        "escaped": word.encode("ascii", "backslashreplace"),
        "escaped twice": word.encode("ascii", "backslashreplace").replace(b"\\", b"\\\\"),
        "percent": "".join(
            c if c.isascii() else "".join(f"%{b:02X}" for b in c.encode()) for c in word
        ).encode(),
        "reversed": word[::-1].encode(),
    }
    for shift in range(3):
        padded = base64.b64encode(bytes(shift) + utf8 + bytes(3))
        # The groups at both ends mix with what stands beside the word.
        whole = padded[4 : -8 if len(padded) > 16 else None]
        found[f"base64+{shift}"] = whole
        found[f"base64url+{shift}"] = whole.translate(bytes.maketrans(b"+/", b"-_"))
    return found


def vector_spellings(vector: NDArray[np.float32]) -> dict[str, bytes]:
    """How the start of a plain vector would stand in a file or in a dump."""
    head = vector[:DIMENSIONS_TO_COMPARE]
    return {
        f"vector {kind}": head.astype(kind).tobytes() for kind in ("<f2", ">f2", "<f4", ">f4", "<f8", ">f8")
    }


def hits(content: bytes, needles: Mapping[str, bytes], *, where: str) -> list[str]:
    return [f"{where}: {name}" for name, needle in needles.items() if needle in content]


def hits_in_files(places: Iterable[Path], needles: Mapping[str, bytes]) -> list[str]:
    """Search every file under the given places; a file that vanishes meanwhile holds nothing any more."""
    found = []
    for place in places:
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            try:
                content = path.read_bytes() if path.is_file() else b""
            except FileNotFoundError:
                continue
            found += hits(content, needles, where=str(path))
    return found
