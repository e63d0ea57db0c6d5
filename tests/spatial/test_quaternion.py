"""Quaternions against SciPy, pytransform3d, matrices, and the laws of their algebra."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from pytransform3d import rotations as pr
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation, Slerp

from gelenk.errors import ConfigError, ShapeError
from gelenk.spatial import quaternion, so3
from testkit import strategies

HALF = np.sqrt(0.5)
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
QUARTER_X = np.array([HALF, HALF, 0.0, 0.0])
QUARTER_Z = np.array([HALF, 0.0, 0.0, HALF])

quats = strategies.quaternions()
any_quats = st.tuples(*[st.floats(-3.0, 3.0)] * 4).map(np.array)
nonzero_quats = any_quats.filter(lambda q: bool(np.linalg.norm(q) > 1e-3))
rates = st.tuples(*[st.floats(-5.0, 5.0)] * 3).map(np.array)


def scipy_rotation(quat: np.ndarray) -> Rotation:
    return Rotation.from_quat(quat, scalar_first=True)


def assert_same_rotation(p: np.ndarray, q: np.ndarray, atol: float = 1e-14) -> None:
    assert min(np.abs(p - q).max(), np.abs(p + q).max()) <= atol


@pytest.mark.capability("GR-13")
@given(p=any_quats, q=any_quats, r=any_quats)
def test_the_product_is_hamiltons(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> None:
    product = quaternion.multiply(p, q)

    assert_allclose(product, pr.concatenate_quaternions(p, q), rtol=0, atol=1e-13)
    lengths = np.linalg.norm(p) * np.linalg.norm(q)
    assert np.linalg.norm(product) == pytest.approx(float(lengths), abs=1e-12)
    left = quaternion.multiply(product, r)
    right = quaternion.multiply(p, quaternion.multiply(q, r))
    assert_allclose(left, right, rtol=0.0, atol=1e-12)
    reversed_product = quaternion.multiply(
        quaternion.conjugate(q), quaternion.conjugate(p)
    )
    assert_allclose(quaternion.conjugate(product), reversed_product, atol=1e-13)


@pytest.mark.capability("GR-13")
def test_the_units_multiply_as_on_broom_bridge_and_do_not_commute() -> None:
    one, i, j, k = np.eye(4)

    for unit in (i, j, k):
        assert_array_equal(quaternion.multiply(unit, unit), -one)
    assert_array_equal(quaternion.multiply(i, j), k)
    assert_array_equal(quaternion.multiply(j, i), -k)
    assert_array_equal(quaternion.multiply(quaternion.multiply(i, j), k), -one)


@pytest.mark.capability("GR-13")
@given(q=nonzero_quats)
def test_a_quaternion_times_its_inverse_is_one(q: np.ndarray) -> None:
    for factors in ((q, quaternion.inverse(q)), (quaternion.inverse(q), q)):
        assert_allclose(quaternion.multiply(*factors), IDENTITY, rtol=0, atol=1e-14)
    assert np.linalg.norm(quaternion.normalize(q)) == pytest.approx(1.0, abs=1e-15)
    assert np.dot(quaternion.normalize(q), q) > 0.0


@pytest.mark.parametrize(
    "function",
    [
        quaternion.inverse,
        quaternion.normalize,
        quaternion.log,
        quaternion.matrix_from_quaternion,
        lambda q: quaternion.rotate(q, [1.0, 0.0, 0.0]),
    ],
)
def test_the_zero_quaternion_is_refused(function) -> None:
    with pytest.raises(ConfigError, match="`quat` must not be zero"):
        function([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])


@given(q=quats)
def test_the_canonical_sign_is_one_of_two_and_the_same_for_both(q: np.ndarray) -> None:
    canonical = quaternion.canonical(q)

    assert canonical[0] >= 0.0
    assert not np.signbit(canonical[canonical == 0.0]).any()
    assert_array_equal(np.abs(canonical), np.abs(q))
    assert_array_equal(canonical, quaternion.canonical(-q))


def test_canonical_signs_of_half_turns_in_one_batch_with_others() -> None:
    quats = np.array([[0, 0, -1, 0], [0, 0, 0, -1], [0, 1, -1, 0], [-1, 1, 0, 0]])

    expected = [[0, 0, 1, 0], [0, 0, 0, 1], [0, 1, -1, 0], [1, -1, 0, 0]]
    assert_array_equal(quaternion.canonical(quats), expected)


@pytest.mark.capability("GR-14")
@given(q=quats)
def test_matrices_agree_with_other_libraries(q: np.ndarray) -> None:
    R = quaternion.matrix_from_quaternion(q)

    assert_allclose(R, scipy_rotation(q).as_matrix(), rtol=0.0, atol=1e-14)
    assert_allclose(R, pr.matrix_from_quaternion(q), rtol=0.0, atol=1e-14)
    drifted = quaternion.matrix_from_quaternion(0.9 * q)
    assert_allclose(drifted, R, rtol=0.0, atol=1e-14)


@pytest.mark.capability("GR-14")
@given(q=quats)
def test_a_quaternion_comes_back_from_its_matrix(q: np.ndarray) -> None:
    R = scipy_rotation(q).as_matrix()

    found = quaternion.quaternion_from_matrix(R)

    assert_same_rotation(found, q)
    assert found[0] >= 0.0


@pytest.mark.capability("GR-14")
@pytest.mark.parametrize("branch", [0, 1, 2, 3])
def test_every_branch_of_shepperd_agrees_with_scipy(branch: int) -> None:
    """The branch is the largest component; its quaternions surround an axis."""
    rng = np.random.default_rng(branch)
    quats = rng.uniform(-0.55, 0.55, size=(200, 4))
    quats[:, branch] = 1.0
    quats /= np.linalg.norm(quats, axis=1, keepdims=True)
    rotations = scipy_rotation(quats)

    found = quaternion.quaternion_from_matrix(rotations.as_matrix())

    expected = rotations.as_quat(scalar_first=True, canonical=True)
    assert (np.abs(found).argmax(axis=1) == branch).all()
    assert_allclose(found, expected, rtol=0.0, atol=1e-15)


@pytest.mark.capability("GR-14")
def test_published_quaternion_of_a_matrix() -> None:
    R = [
        [0.719846, -0.425669, 0.548295],
        [0.604023, 0.773337, -0.192630],
        [-0.342020, 0.469846, 0.813798],
    ]

    expected = [0.909255, 0.182148, 0.244792, 0.283114]
    assert_allclose(quaternion.quaternion_from_matrix(R), expected, atol=1e-6)


@pytest.mark.capability("GR-14", "GR-15")
def test_published_product_of_quarter_turns() -> None:
    product = quaternion.multiply(QUARTER_Z, QUARTER_X)

    assert_allclose(product, [0.5, 0.5, 0.5, 0.5], rtol=0.0, atol=1e-15)
    R = quaternion.matrix_from_quaternion(product)
    assert_allclose(R, [[0, 0, 1], [1, 0, 0], [0, 1, 0]], rtol=0.0, atol=1e-15)
    turned = quaternion.rotate(QUARTER_Z, [1.0, 0.0, 0.0])
    assert_allclose(turned, [0.0, 1.0, 0.0], rtol=0.0, atol=1e-15)


@pytest.mark.capability("GR-15")
@given(p=quats, q=quats, point=strategies.positions())
def test_chaining_and_rotating_equal_the_matrices(
    p: np.ndarray, q: np.ndarray, point: np.ndarray
) -> None:
    R_p, R_q = scipy_rotation(p).as_matrix(), scipy_rotation(q).as_matrix()

    product = quaternion.matrix_from_quaternion(quaternion.multiply(p, q))

    assert_allclose(product, R_p @ R_q, rtol=0.0, atol=1e-14)
    rotated = quaternion.rotate(p, point)
    assert_allclose(rotated, R_p @ point, rtol=0.0, atol=1e-13)
    assert_allclose(quaternion.rotate(-2.0 * p, point), rotated, rtol=0, atol=1e-13)
    # The definition, with the point as a quaternion without scalar part.
    sandwich = quaternion.multiply(
        quaternion.multiply(p, [0.0, *point]), quaternion.conjugate(p)
    )
    assert_allclose(sandwich, [0.0, *rotated], rtol=0.0, atol=1e-13)


@pytest.mark.capability("GR-13")
@given(rotvec=strategies.rotvecs())
def test_exponential_and_logarithm_agree_with_scipy(rotvec: np.ndarray) -> None:
    expected = Rotation.from_rotvec(rotvec).as_quat(scalar_first=True)

    q = quaternion.exp(rotvec)

    assert_same_rotation(q, expected, atol=1e-15)
    assert q[0] >= 0.0
    difference = min(
        np.abs(quaternion.log(s * q) - t * rotvec).max()
        for s in (1, -1)
        for t in (1, -1)
    )
    assert difference <= 1e-14 * min(1.0, float(np.abs(rotvec).max()) + 1e-300)


@given(q=quats, length=st.floats(0.1, 10.0))
def test_the_logarithm_ignores_sign_and_length(q: np.ndarray, length: float) -> None:
    rotvec = quaternion.log(q)

    assert np.linalg.norm(rotvec) <= np.pi + 1e-15
    assert_allclose(quaternion.log(-q), rotvec, rtol=0.0, atol=1e-15)
    assert_allclose(quaternion.log(length * q), rotvec, rtol=1e-14, atol=1e-15)


@pytest.mark.capability("GR-16")
def test_published_third_of_a_quarter_turn() -> None:
    third = quaternion.slerp(IDENTITY, QUARTER_Z, 1.0 / 3.0)

    assert_allclose(third, [0.965926, 0.0, 0.0, 0.258819], rtol=0.0, atol=5e-7)


@pytest.mark.capability("GR-16")
@given(p=quats, q=quats, s=st.floats(0.0, 1.0))
def test_slerp_goes_the_short_way_at_constant_speed(
    p: np.ndarray, q: np.ndarray, s: float
) -> None:
    total = (scipy_rotation(p).inv() * scipy_rotation(q)).magnitude()

    between = quaternion.slerp(p, q, s)

    assert np.linalg.norm(between) == pytest.approx(1.0, abs=1e-15)
    assert between[0] >= 0.0
    start_angle = (scipy_rotation(p).inv() * scipy_rotation(between)).magnitude()
    end_angle = (scipy_rotation(between).inv() * scipy_rotation(q)).magnitude()
    assert start_angle == pytest.approx(s * total, abs=2e-14)
    assert end_angle == pytest.approx((1.0 - s) * total, abs=2e-14)


@pytest.mark.capability("GR-16")
def test_slerp_agrees_with_scipy() -> None:
    rng = np.random.default_rng(4)
    s = np.linspace(0.0, 1.0, 11)
    for _ in range(20):
        pair = Rotation.random(2, rng=rng)
        p, q = pair.as_quat(scalar_first=True)

        found = scipy_rotation(quaternion.slerp(p, -q, s))

        error = (found.inv() * Slerp([0.0, 1.0], pair)(s)).magnitude()
        assert error.max() < 1e-14


@pytest.mark.capability("GR-16")
@given(q=quats, s=st.floats(0.0, 1.0))
def test_slerp_between_equal_and_antipodal_quaternions_stays(
    q: np.ndarray, s: float
) -> None:
    assert_same_rotation(quaternion.slerp(q, q, s), q, atol=1e-15)
    assert_same_rotation(quaternion.slerp(q, -q, s), q, atol=1e-15)


@pytest.mark.capability("GR-16")
@pytest.mark.parametrize("angle", [1e-300, 1e-160, 1e-12, 1e-9, 2e-6, 1e-4])
def test_slerp_of_nearly_equal_orientations_keeps_every_digit(angle: float) -> None:
    end = np.array([np.cos(0.5 * angle), 0.0, np.sin(0.5 * angle), 0.0])

    quarter = quaternion.slerp(IDENTITY, end, 0.25)

    assert quarter[2] == pytest.approx(np.sin(0.125 * angle), rel=1e-14, abs=0.0)


@pytest.mark.capability("GR-16")
def test_slerp_over_half_a_turn_does_not_depend_on_the_signs_given() -> None:
    start, end = IDENTITY, np.array([0.0, 0.0, -1.0, 0.0])

    middle = [
        quaternion.slerp(a * start, b * end, 0.5) for a in (1, -1) for b in (1, -1)
    ]

    assert_allclose(np.abs(middle[0]), [HALF, 0.0, HALF, 0.0], rtol=0.0, atol=1e-15)
    for other in middle[1:]:
        assert_array_equal(other, middle[0])


@pytest.mark.capability("GR-16")
@given(q=quats, omega=rates, dt=st.floats(-2.0, 2.0))
def test_integration_at_constant_rate_is_exact(
    q: np.ndarray, omega: np.ndarray, dt: float
) -> None:
    turn = Rotation.from_rotvec(omega * dt)

    world = quaternion.integrate(q, omega, dt, frame="world")
    body = quaternion.integrate(q, omega, dt, frame="body")

    expected = (turn * scipy_rotation(q)).as_quat(scalar_first=True)
    assert_same_rotation(world, expected)
    expected = (scipy_rotation(q) * turn).as_quat(scalar_first=True)
    assert_same_rotation(body, expected)
    assert world[0] >= 0.0
    assert body[0] >= 0.0


@pytest.mark.capability("GR-16")
@pytest.mark.parametrize("frame", ["world", "body"])
def test_the_derivative_integrates_to_the_same_motion(frame) -> None:
    """An ordinary differential equation solver follows dq/dt for a constant rate."""
    q, omega = np.array([0.5, -0.5, 0.5, 0.5]), np.array([0.7, -1.1, 0.4])

    path = solve_ivp(
        lambda _, q: quaternion.derivative(q, omega, frame=frame),
        (0.0, 2.0),
        q,
        rtol=1e-11,
        atol=1e-12,
    )

    expected = quaternion.integrate(q, omega, 2.0, frame=frame)
    assert_same_rotation(path.y[:, -1], expected, atol=1e-9)


@pytest.mark.capability("GR-16")
def test_thousands_of_small_steps_keep_unit_length_and_direction() -> None:
    omega, dt = np.array([0.3, -0.2, 0.5]), 1e-3
    q = np.tile(IDENTITY, (50, 1))
    for _ in range(2000):  # 50 orientations in parallel
        q = quaternion.integrate(q, omega, dt, frame="body")

    assert_same_rotation(q[0], quaternion.exp(2.0 * omega), atol=1e-12)
    assert_allclose(np.linalg.norm(q, axis=-1), 1.0, rtol=0.0, atol=4e-16)


@given(p=quats, q=quats)
def test_the_difference_leads_from_start_to_end(p: np.ndarray, q: np.ndarray) -> None:
    body = quaternion.difference(q, p)
    world = quaternion.difference(q, p, frame="world")

    reached = scipy_rotation(p) * Rotation.from_rotvec(body)
    assert_same_rotation(reached.as_quat(scalar_first=True), q)
    reached = Rotation.from_rotvec(world) * scipy_rotation(p)
    assert_same_rotation(reached.as_quat(scalar_first=True), q)
    assert np.linalg.norm(body) <= np.pi + 1e-15


def test_unknown_frames_are_refused() -> None:
    for call in (
        lambda: quaternion.integrate(IDENTITY, [0, 0, 1], 1.0, frame="tool"),
        lambda: quaternion.derivative(IDENTITY, [0, 0, 1], frame="tool"),
        lambda: quaternion.difference(IDENTITY, IDENTITY, frame="tool"),
    ):
        with pytest.raises(ConfigError, match="'world' or 'body', got 'tool'"):
            call()


@given(q=quats)
def test_the_other_order_of_components_is_scipys(q: np.ndarray) -> None:
    xyzw = quaternion.xyzw_from_quaternion(q)

    assert_allclose(
        Rotation.from_quat(xyzw).as_matrix(), so3.exp(quaternion.log(q)), atol=1e-14
    )
    assert_array_equal(quaternion.quaternion_from_xyzw(xyzw), q)


def test_shapes_are_checked() -> None:
    with pytest.raises(ShapeError, match=r"`quat` must have shape \(\.\.\., 4\)"):
        quaternion.log([1.0, 0.0, 0.0])
