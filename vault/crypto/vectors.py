"""Protected vectors: near each other under one subject's key, noise under any other.

A subject's vectors are turned by a secret orthogonal matrix, which keeps every inner product among them,
and those at rest also get Gaussian noise, fresh for each. The query is only turned.
"""

from __future__ import annotations

import os

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

BYTES_PER_UNIFORM = 8
MAX_DIMENSIONS = 4096

Vector = NDArray[np.float32]


def rotation(seed: bytes, dimensions: int) -> Vector:
    """The orthogonal matrix of a 32-byte `seed`, uniform over the orthogonal group (Haar measure).

    QR of a Gaussian matrix with the signs of R's diagonal made positive (Mezzadri 2007, "How to generate
    random matrices from the classical compact groups"). The same seed gives the same matrix for ever: the
    numbers come from AES-CTR, because numpy keeps only its bit streams stable, not its normal variates.
    """
    if not 1 <= dimensions <= MAX_DIMENSIONS:
        raise ValueError(f"a vector has 1 to {MAX_DIMENSIONS} dimensions")
    count = dimensions * dimensions
    gaussian = _gaussians(_keystream(seed, _bytes_for(count)), count)
    q, r = np.linalg.qr(gaussian.reshape(dimensions, dimensions))
    return np.ascontiguousarray(q * np.where(np.diag(r) < 0, -1.0, 1.0), dtype=np.float32)


def turned(vector: Vector, matrix: Vector) -> Vector:
    """`vector` in the subject's own coordinates; lengths and angles stay."""
    return np.asarray(matrix @ checked(vector), dtype=np.float32)


def noised(vector: Vector, noise: float) -> Vector:
    """`vector` plus fresh Gaussian noise whose expected squared length is (noise x its length) squared."""
    if not noise >= 0:
        raise ValueError("noise is a ratio of 0 or more")
    dimensions = vector.shape[0]
    sigma = noise * float(np.linalg.norm(vector)) / np.sqrt(dimensions)
    gaussian = _gaussians(os.urandom(_bytes_for(dimensions)), dimensions)
    return np.asarray(vector + sigma * gaussian, dtype=np.float32)


def checked(vector: Vector) -> Vector:
    """`vector` as float32; raises ValueError unless it is one row of finite numbers."""
    array = np.asarray(vector, dtype=np.float32)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise ValueError("a vector is one row of finite numbers")
    return array


def _bytes_for(count: int) -> int:
    # Box-Muller takes uniforms in pairs.
    return BYTES_PER_UNIFORM * (count + count % 2)


def _keystream(seed: bytes, length: int) -> bytes:
    # A zero counter start is safe: the seed is a subkey that has this one use.
    return Cipher(algorithms.AES256(seed), modes.CTR(bytes(16))).encryptor().update(bytes(length))


def _gaussians(random: bytes, count: int) -> NDArray[np.float64]:
    """Standard normal numbers from random bytes (Box and Muller 1958)."""
    whole = np.frombuffer(random, dtype="<u8") >> np.uint64(11)
    # Half a step up, so that no uniform is 0 and its logarithm is finite.
    first, second = ((whole.astype(np.float64) + 0.5) * 2.0**-53).reshape(2, -1)
    radius, angle = np.sqrt(-2.0 * np.log(first)), 2.0 * np.pi * second
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]
