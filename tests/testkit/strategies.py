"""Hypothesis strategies for rotations, poses, twists and matrices.

Every strategy mixes ordinary samples with the places where formulas break: the exact
identity, angles so small that their squares underflow, half turns and their
neighbourhood, axes that coincide with coordinate axes, singular Euler angles, matrices
near the loss of rank. `SPECIAL_ROTVECS` lists the rotations among them, for tests that
want all at once. The matrices come from SciPy, which shares no code with ours.
"""

from __future__ import annotations

import itertools
from typing import Final

import numpy as np
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray

SPECIAL_ANGLES: Final = (
    0.0,
    1e-300,
    1e-12,
    1e-9,
    1e-6,
    1e-3,
    0.5,
    np.pi / 2.0,
    np.pi - 1e-3,
    np.pi - 1e-6,
    np.pi - 1e-9,
    np.pi - 1e-12,
    np.pi,
)
"""Rotation angles [rad] where formulas change their case."""

_THIRD = np.sqrt(1.0 / 3.0)
_HALF = np.sqrt(0.5)
SPECIAL_AXES: Final = (
    (1.0, 0.0, 0.0),
    (0.0, 1.0, 0.0),
    (0.0, 0.0, 1.0),
    (-1.0, 0.0, 0.0),
    (0.0, -1.0, 0.0),
    (0.0, 0.0, -1.0),
    (_HALF, _HALF, 0.0),
    (0.0, -_HALF, _HALF),
    (_THIRD, _THIRD, _THIRD),
    (-_THIRD, _THIRD, -_THIRD),
    (2.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0),
    (1.0, 1e-9, 0.0),  # of length 1 to rounding
)
"""Unit axes, among them those with components that vanish or are equal."""


def _special_rotvecs() -> FloatArray:
    rotvecs = np.einsum("i,jk->ijk", SPECIAL_ANGLES, SPECIAL_AXES).reshape(-1, 3)
    rotvecs.setflags(write=False)
    return rotvecs


SPECIAL_ROTVECS: Final = _special_rotvecs()
"""Every special angle about every special axis [rad], shape (k, 3)."""


def _axis_permutations() -> tuple[FloatArray, ...]:
    matrices: list[FloatArray] = []
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            R = np.eye(3)[list(order)] * signs
            if np.linalg.det(R) > 0.0:
                R.setflags(write=False)
                matrices.append(R)
    return tuple(matrices)


EXACT_ROTATIONS: Final = _axis_permutations()
"""The 24 rotations that map coordinate axes to coordinate axes, without rounding.

Among them are the identity, exact half turns, and the singular Euler angles.
"""


def unit_vectors() -> st.SearchStrategy[FloatArray]:
    """Generate unit vectors, shape (3,), often along or close to coordinate axes."""
    component = st.floats(-1.0, 1.0, allow_subnormal=False)
    ordinary = (
        st.tuples(component, component, component)
        .map(np.array)
        .filter(lambda v: bool(np.linalg.norm(v) > 1e-2))
        .map(lambda v: v / np.linalg.norm(v))
    )
    return st.one_of(st.sampled_from(SPECIAL_AXES).map(np.array), ordinary)


def rotation_angles() -> st.SearchStrategy[float]:
    """Generate rotation angles [rad] in [0, pi], special ones among them."""
    return st.one_of(st.sampled_from(SPECIAL_ANGLES), st.floats(0.0, np.pi))


def rotvecs() -> st.SearchStrategy[FloatArray]:
    """Generate rotation vectors [rad] of length at most pi, shape (3,)."""
    return st.builds(lambda u, angle: u * angle, unit_vectors(), rotation_angles())


def rotations() -> st.SearchStrategy[FloatArray]:
    """Generate rotation matrices, shape (3, 3), one in four an exact permutation."""
    general = rotvecs().map(_matrix_from_rotvec)
    exact = st.sampled_from(EXACT_ROTATIONS).map(np.array)
    return st.one_of(general, general, general, exact)


def quaternions() -> st.SearchStrategy[FloatArray]:
    """Generate unit quaternions (w, x, y, z) of either sign, shape (4,).

    One in four is exact: a single component of one, with w = 0 for the half turns.
    """
    general = rotvecs().map(_quaternion_from_rotvec)
    exact = st.integers(0, 3).map(lambda index: np.eye(4)[index])
    return st.builds(
        lambda quat, sign: sign * quat,
        st.one_of(general, general, general, exact),
        st.sampled_from((1.0, -1.0)),
    )


def positions(extent: float = 10.0) -> st.SearchStrategy[FloatArray]:
    """Generate positions [m] within `extent` of zero by component, shape (3,)."""
    component = st.floats(-extent, extent, allow_subnormal=False)
    ordinary = st.tuples(component, component, component).map(np.array)
    return st.one_of(st.just(np.zeros(3)), ordinary, ordinary)


def poses(extent: float = 10.0) -> st.SearchStrategy[FloatArray]:
    """Generate poses, shape (4, 4), with positions [m] within `extent`."""

    def assemble(R: FloatArray, p: FloatArray) -> FloatArray:
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R, p
        return T

    return st.builds(assemble, rotations(), positions(extent))


def twists(extent: float = 10.0) -> st.SearchStrategy[FloatArray]:
    """Generate twists [v; omega] times time, shape (6,), that `se3.log` can return.

    v is within `extent` [m] by component, omega a rotation vector of length at most pi.
    """
    return st.builds(lambda v, w: np.concatenate([v, w]), positions(extent), rotvecs())


def spd_matrices(n: int) -> st.SearchStrategy[FloatArray]:
    """Generate symmetric positive definite matrices, shape (n, n).

    The identity, well-conditioned ones, and ones with a condition number of 1e10.
    """
    if n < 1:
        raise ConfigError(f"`n` must be at least 1, got {n}")

    def assemble(seed: int, exponents: list[float]) -> FloatArray:
        basis = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0]
        matrix = (basis * 10.0 ** np.array(exponents)) @ basis.T
        return 0.5 * (matrix + matrix.T)

    exponent = st.floats(-1.0, 1.0, allow_subnormal=False)
    good = st.lists(exponent, min_size=n, max_size=n)
    nearly_singular = st.just([-10.0, *([0.0] * (n - 1))])
    seeds = st.integers(0, 2**32 - 1)
    return st.one_of(
        st.just(np.eye(n)),
        st.builds(assemble, seeds, good),
        st.builds(assemble, seeds, nearly_singular),
    )


def _quaternion_from_rotvec(rotvec: FloatArray) -> FloatArray:
    return Rotation.from_rotvec(rotvec).as_quat(scalar_first=True)


def _matrix_from_rotvec(rotvec: FloatArray) -> FloatArray:
    return Rotation.from_rotvec(rotvec).as_matrix()
