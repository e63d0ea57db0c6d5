"""Angle triples in all 24 conventions, against SciPy and published matrices."""

import itertools
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError, ShapeError
from gelenk.spatial import euler
from testkit import strategies

SEQUENCES = get_args(euler.EulerSequence)
CONVENTIONS = list(itertools.product(SEQUENCES, ("intrinsic", "extrinsic")))
NEAR_LOCK = [0.0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3]

triples = st.tuples(*[st.floats(-np.pi, np.pi)] * 3).map(np.array)


def scipy_sequence(sequence: str, axes: str) -> str:
    return sequence.upper() if axes == "intrinsic" else sequence


def locked_middle_angle(sequence: str) -> float:
    return 0.0 if sequence[0] == sequence[2] else np.pi / 2.0


@pytest.mark.capability("GR-10")
def test_there_are_twelve_sequences_without_repeated_neighbours() -> None:
    expected = {
        "".join(letters)
        for letters in itertools.product("xyz", repeat=3)
        if letters[0] != letters[1] and letters[1] != letters[2]
    }
    assert set(SEQUENCES) == expected


@pytest.mark.capability("GR-10")
@pytest.mark.parametrize(("sequence", "axes"), CONVENTIONS)
def test_matrices_agree_with_scipy_in_every_convention(sequence, axes) -> None:
    angles = np.random.default_rng(0).uniform(-7.0, 7.0, size=(100, 3))

    R = euler.matrix_from_euler(angles, sequence, axes=axes)

    expected = Rotation.from_euler(scipy_sequence(sequence, axes), angles).as_matrix()
    assert_allclose(R, expected, rtol=0.0, atol=2e-15)


@pytest.mark.capability("GR-10")
@pytest.mark.parametrize(("sequence", "axes"), CONVENTIONS)
def test_angles_agree_with_scipy_and_both_solutions_reproduce_the_matrix(
    sequence, axes
) -> None:
    rotations = Rotation.random(200, rng=np.random.default_rng(1))
    R = rotations.as_matrix()

    result = euler.euler_from_matrix(R, sequence, axes=axes)

    expected = rotations.as_euler(scipy_sequence(sequence, axes))
    assert_allclose(result.angles, expected, rtol=0.0, atol=1e-12)
    assert not result.singular.any()
    for angles in (result.angles, result.second):
        rebuilt = euler.matrix_from_euler(angles, sequence, axes=axes)
        assert_allclose(rebuilt, R, rtol=0.0, atol=5e-15)
    apart = np.abs(result.angles - result.second).max(axis=1)
    assert apart.min() > 1.0  # the outer angles differ by half a turn


@pytest.mark.capability("GR-08", "GR-09", "GR-10")
@pytest.mark.parametrize(("sequence", "axes"), CONVENTIONS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_at_and_beside_the_singularity_the_matrix_is_reproduced(
    sequence, axes, sign: float
) -> None:
    """Matrices with rounding in them: products that pass through other rotations."""
    rng = np.random.default_rng(2)
    lock = sign * locked_middle_angle(sequence)
    if sequence[0] == sequence[2] and sign < 0.0:
        lock = np.pi
    angles = rng.uniform(-np.pi, np.pi, size=(len(NEAR_LOCK), 20, 3))
    angles[..., 1] = lock - sign * np.array(NEAR_LOCK)[:, None]
    detour = Rotation.random(rng=rng).as_matrix()
    name = scipy_sequence(sequence, axes)
    R = Rotation.from_euler(name, angles.reshape(-1, 3)).as_matrix()
    R = ((R @ detour) @ detour.T).reshape(len(NEAR_LOCK), 20, 3, 3)

    result = euler.euler_from_matrix(R, sequence, axes=axes)

    for solution in (result.angles, result.second):
        rebuilt = euler.matrix_from_euler(solution, sequence, axes=axes)
        error = np.abs(rebuilt - R).max(axis=(-1, -2))
        assert error.max() < 2.0 * euler.GIMBAL_TOL
        assert error[3:].max() < 5e-15  # outside the tolerance nothing is given up
    assert_array_equal(result.singular, np.array(NEAR_LOCK)[:, None] < [1e-12] * 20)
    acts_first = -1 if axes == "intrinsic" else 0
    assert not result.angles[result.singular][:, acts_first].any()


@pytest.mark.capability("GR-10")
@given(R=strategies.rotations())
def test_ranges_and_reproduction_for_every_kind_of_rotation(R: np.ndarray) -> None:
    for sequence, axes in CONVENTIONS:
        result = euler.euler_from_matrix(R, sequence, axes=axes)

        rebuilt = euler.matrix_from_euler(result.angles, sequence, axes=axes)
        assert_allclose(rebuilt, R, rtol=0.0, atol=2e-12)
        middle = result.angles[1]
        if sequence[0] == sequence[2]:
            assert 0.0 <= middle <= np.pi
        else:
            assert abs(middle) <= np.pi / 2.0
        for outer in (*result.angles[::2], *result.second):
            assert -np.pi <= outer < np.pi
        assert not np.signbit(result.angles[result.angles == 0.0]).any()


@pytest.mark.capability("GR-10")
@given(angles=triples)
def test_fixed_axes_in_reverse_are_the_turning_axes(angles: np.ndarray) -> None:
    for sequence in SEQUENCES:
        intrinsic = euler.matrix_from_euler(angles, sequence, axes="intrinsic")
        extrinsic = euler.matrix_from_euler(
            angles[::-1], sequence[::-1], axes="extrinsic"
        )
        assert_array_equal(intrinsic, extrinsic)


@pytest.mark.capability("GR-07", "GR-08")
def test_published_roll_pitch_yaw() -> None:
    R = euler.matrix_from_rpy(*np.deg2rad([30.0, 20.0, 40.0]))

    expected = [
        [0.719846, -0.425669, 0.548295],
        [0.604023, 0.773337, -0.192630],
        [-0.342020, 0.469846, 0.813798],
    ]
    assert_allclose(R, expected, rtol=0.0, atol=5.1e-7)
    result = euler.rpy_from_matrix(R)
    assert_allclose(np.rad2deg(result.angles), [30.0, 20.0, 40.0], atol=1e-12)
    assert_allclose(np.rad2deg(result.second), [-150.0, 160.0, -140.0], atol=1e-12)
    assert not result.singular


@pytest.mark.capability("GR-07")
@given(angles=triples)
def test_roll_pitch_yaw_has_the_printed_entries(angles: np.ndarray) -> None:
    (cx, cy, cz), (sx, sy, sz) = np.cos(angles), np.sin(angles)
    printed = [
        [cz * cy, -sz * cx + cz * sy * sx, sz * sx + cz * sy * cx],
        [sz * cy, cz * cx + sz * sy * sx, -cz * sx + sz * sy * cx],
        [-sy, cy * sx, cy * cx],
    ]

    R = euler.matrix_from_rpy(*angles)

    assert_allclose(R, printed, rtol=0.0, atol=1e-15)
    in_general = euler.matrix_from_euler(angles, "xyz", axes="extrinsic")
    assert_array_equal(in_general, R)


@pytest.mark.capability("GR-08")
def test_rx_is_read_from_the_last_row_and_not_from_the_last_column() -> None:
    """The source prints R23 where R32 is right; here they give 30 and -13.3 degrees."""
    R = euler.matrix_from_rpy(*np.deg2rad([30.0, 20.0, 40.0]))

    rx = euler.rpy_from_matrix(R).angles[0]

    assert np.rad2deg(rx) == pytest.approx(30.0, abs=1e-12)
    assert np.rad2deg(np.arctan2(R[1, 2], R[2, 2])) == pytest.approx(-13.3, abs=0.05)


@pytest.mark.capability("GR-08")
@pytest.mark.parametrize("ry", [np.pi / 2.0, -np.pi / 2.0])
def test_gimbal_lock_keeps_what_is_determined(ry: float) -> None:
    """Only rz - rx (ry = 90 degrees) or rz + rx (-90) is determined; rx becomes 0."""
    rx, rz = 0.3, 0.8

    result = euler.rpy_from_matrix(euler.matrix_from_rpy(rx, ry, rz))

    assert result.singular
    expected = [0.0, ry, rz - np.sign(ry) * rx]
    assert_allclose(result.angles, expected, rtol=0.0, atol=1e-15)


@pytest.mark.capability("GR-09")
def test_published_zyz_and_zyx_matrices() -> None:
    angles = np.deg2rad([30.0, 45.0, 60.0])

    expected = [
        [-0.126826, -0.780330, 0.612372],
        [0.926777, 0.126826, 0.353553],
        [-0.353553, 0.612372, 0.707107],
    ]
    R = euler.matrix_from_euler(angles, "zyz", axes="intrinsic")
    assert_allclose(R, expected, rtol=0.0, atol=5.1e-7)
    expected = [
        [0.612372, 0.280330, 0.739199],
        [0.353553, 0.739199, -0.573223],
        [-0.707107, 0.612372, 0.353553],
    ]
    R = euler.matrix_from_euler(angles, "zyx", axes="intrinsic")
    assert_allclose(R, expected, rtol=0.0, atol=5.1e-7)


@pytest.mark.capability("GR-09")
@pytest.mark.parametrize(("beta", "alpha"), [(0.0, 0.3 + 0.8), (np.pi, 0.3 - 0.8)])
def test_zyz_at_its_singularities_keeps_sum_or_difference(beta, alpha) -> None:
    R = euler.matrix_from_euler([0.3, beta, 0.8], "zyz", axes="intrinsic")

    result = euler.euler_from_matrix(R, "zyz", axes="intrinsic")

    assert result.singular
    assert_allclose(result.angles, [alpha, beta, 0.0], rtol=0.0, atol=1e-15)


@pytest.mark.capability("GR-32")
@pytest.mark.parametrize(("sequence", "axes"), CONVENTIONS)
def test_the_rate_matrix_gives_the_angular_velocity(sequence, axes) -> None:
    """Against the rotation between two moments a short time apart, by SciPy."""
    rng = np.random.default_rng(5)
    angles, rate = rng.uniform(-3.0, 3.0, 3), rng.normal(size=3)
    name, step = scipy_sequence(sequence, axes), 1e-6
    ahead = Rotation.from_euler(name, angles + step * rate)
    behind = Rotation.from_euler(name, angles - step * rate)
    omega_world = (ahead * behind.inv()).as_rotvec() / (2.0 * step)
    omega_body = Rotation.from_euler(name, angles).inv().apply(omega_world)

    E_world = euler.rate_matrix(angles, sequence, axes=axes)
    E_body = euler.rate_matrix(angles, sequence, axes=axes, expressed_in="body")

    assert_allclose(E_world @ rate, omega_world, rtol=0.0, atol=1e-8)
    assert_allclose(E_body @ rate, omega_body, rtol=0.0, atol=1e-8)


@pytest.mark.parametrize(("sequence", "axes"), CONVENTIONS)
def test_the_rate_matrix_is_singular_where_the_angles_are(sequence, axes) -> None:
    angles = np.array([0.4, locked_middle_angle(sequence), -0.9])

    E = euler.rate_matrix(angles, sequence, axes=axes)

    assert np.linalg.det(E) == pytest.approx(0.0, abs=1e-15)
    assert (
        abs(np.linalg.det(euler.rate_matrix(angles - 0.5, sequence, axes=axes))) > 0.4
    )


@pytest.mark.parametrize("sequence", ["xxy", "xyy", "abc", "xy", "XYZ", ""])
def test_unknown_sequences_are_refused_with_the_known_ones(sequence) -> None:
    with pytest.raises(ConfigError, match=f"xyz, xzy, .*, got '{sequence}'"):
        euler.matrix_from_euler([0.0, 0.0, 0.0], sequence, axes="intrinsic")


def test_unknown_axes_and_frames_are_refused() -> None:
    with pytest.raises(ConfigError, match="'intrinsic' or 'extrinsic', got 'static'"):
        euler.euler_from_matrix(np.eye(3), "xyz", axes="static")
    with pytest.raises(ConfigError, match="'world' or 'body', got 'tool'"):
        euler.rate_matrix([0.0, 0.0, 0.0], "xyz", axes="intrinsic", expressed_in="tool")
    with pytest.raises(ShapeError, match="`angles`"):
        euler.matrix_from_euler([0.0, 0.0], "xyz", axes="intrinsic")
