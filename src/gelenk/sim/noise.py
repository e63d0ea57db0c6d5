"""Random numbers that are a pure function of (seed, stream, index).

There is no generator state: any sample can be computed again, in any order, in any
process, and a snapshot need not remember where the noise stood. The bits come from
Philox4x32 with ten rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as
easy as 1, 2, 3; SC11): the seed is its key, (index, stream) its counter.
"""

from __future__ import annotations

import hashlib

import numpy as np

from gelenk.kernels.compile import kernel

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_KEY_STEP_0 = np.uint64(0x9E3779B9)
_KEY_STEP_1 = np.uint64(0xBB67AE85)
_ROUNDS = 10
_TO_53_BITS = np.uint64(11)
_UNIT = 2.0**-53


def stream_id(*names: str | int) -> int:
    """Return the number of the stream that belongs to names, in [0, 2^63).

    Example:
        >>> stream_id("arm/encoders", "noise") == stream_id("arm/encoders", "bias")
        False
    """
    text = "\x1f".join(map(str, names)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) >> 1


@kernel
def random_bits(seed: int, stream: int, index: int) -> tuple[np.uint64, np.uint64]:
    """Return two independent words of 64 random bits."""
    key_0, key_1 = np.uint64(seed) & _LOW, np.uint64(seed) >> _HALF
    c0, c1 = np.uint64(index) & _LOW, np.uint64(index) >> _HALF
    c2, c3 = np.uint64(stream) & _LOW, np.uint64(stream) >> _HALF
    for _ in range(_ROUNDS):
        product_0, product_1 = _MULTIPLIER_0 * c0, _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (
            (product_1 >> _HALF) ^ c1 ^ key_0,
            product_1 & _LOW,
            (product_0 >> _HALF) ^ c3 ^ key_1,
            product_0 & _LOW,
        )
        key_0 = (key_0 + _KEY_STEP_0) & _LOW
        key_1 = (key_1 + _KEY_STEP_1) & _LOW
    return (c1 << _HALF) | c0, (c3 << _HALF) | c2


@kernel
def uniform(seed: int, stream: int, index: int) -> float:
    """Return a number from [0, 1), all multiples of 2^-53 equally likely."""
    first, _ = random_bits(seed, stream, index)
    return np.float64(first >> _TO_53_BITS) * _UNIT


@kernel
def gaussian(seed: int, stream: int, index: int) -> float:
    """Return a number from the standard normal law (Box and Muller)."""
    first, second = random_bits(seed, stream, index)
    # Shifted by half a step into (0, 1): the logarithm of 0 does not exist.
    radius_share = (np.float64(first >> _TO_53_BITS) + 0.5) * _UNIT
    turn_share = np.float64(second >> _TO_53_BITS) * _UNIT
    return np.sqrt(-2.0 * np.log(radius_share)) * np.cos(2.0 * np.pi * turn_share)
