"""Tests of control by camera, by several senses, and by reflexes.

Oracles: projections moved by finite twists, OpenCV's corner finder and pose solver on
drawn images, SciPy's integrator, statistics over seeds, the limit of delayed feedback.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import gelenk
from gelenk.control.reflexes import (
    HalfCentre,
    NerveDelay,
    SpindleCfg,
    golgi_inhibition,
    half_centre_rate,
    half_centre_rhythm,
    reciprocal_inhibition,
    stretch_reflex,
)
from gelenk.control.visual_servoing import (
    broyden_update,
    feature_jacobian,
    fixed_camera_jacobian,
    fuse_contact,
    fuse_vision,
    image_servo_twist,
    interaction_matrix,
    pose_servo_twist,
    visual_impedance,
)
from gelenk.errors import ConfigError
from gelenk.estimation.kalman import Belief, chi2_band, nees
from gelenk.kinematics.jacobian import moved_jacobian
from gelenk.spatial import se3, so3

SQUARE = np.array([[1, 1, 0], [1, -1, 0], [-1, -1, 0], [-1, 1, 0]]) * 0.1


def see(T_camera_world, points):
    """Return image points in the plane at unit distance and their depths."""
    p = se3.transform_point(T_camera_world, points)
    return p[:, :2] / p[:, 2:], p[:, 2]


def camera_at(offset, rotvec):
    """Return T_world_camera that looks at the origin from above, disturbed."""
    T = se3.pose_from_rotation_translation(so3.rot_x(np.pi), [0.0, 0.0, 1.0])
    return T @ se3.pose_from_rotation_translation(so3.exp(rotvec), offset)


@pytest.mark.capability("GR-198")
def test_the_camera_goes_home_on_a_straight_line_at_an_exponential_rate() -> None:
    """Oracle: p(t) = p(0) e^{-λt} and θu(t) = θu(0) e^{-λt}."""
    T = se3.pose_from_rotation_translation(so3.exp([0.5, -0.8, 1.1]), [0.3, -0.2, 0.4])
    start, h = T.copy(), 1e-3
    for _ in range(1000):
        twist = pose_servo_twist(T, gain=2.0)
        T = se3.compose(
            T, se3.pose_from_rotation_translation(so3.exp(h * twist[3:]), h * twist[:3])
        )
    assert_allclose(T[:3, 3], start[:3, 3] * np.exp(-2.0), atol=1e-3)
    assert_allclose(
        so3.log(T[:3, :3]), np.array([0.5, -0.8, 1.1]) * np.exp(-2.0), atol=1e-3
    )


CORNERS = (7, 5)
BOARD = np.array([[0.03 * i, 0.03 * j, 0.0] for j in range(5) for i in range(7)])
K = np.array([[500.0, 0.0, 159.5], [0.0, 500.0, 119.5], [0.0, 0.0, 1.0]])


def draw_board(T_camera_board):
    """Return a picture of 8 x 6 squares of 30 mm, 320 x 240 pixels."""
    pattern = np.indices((6, 8)).sum(axis=0) % 2
    sheet = np.full(
        (12 * 16, 14 * 16), 255, np.uint8
    )  # 16 texels per square, white rim
    sheet[48:144, 48:176] = np.kron(255 * pattern, np.ones((16, 16))).astype(np.uint8)
    scale = 0.03 / 16.0  # [m] per texel; the first inner corner is at texel 64
    plane = np.array([[scale, 0, -63.5 * scale], [0, scale, -63.5 * scale], [0, 0, 1]])
    H = K @ T_camera_board[:3, [0, 1, 3]] @ plane
    return cv2.warpPerspective(
        sheet, H, (320, 240), flags=cv2.INTER_LINEAR, borderValue=200
    )


def measure_board(image):
    """Return T_camera_board from a picture, by OpenCV alone."""
    found, corners = cv2.findChessboardCorners(image, CORNERS)
    assert found
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    corners = cv2.cornerSubPix(image, corners, (5, 5), (-1, -1), criteria)
    _, rotvec, t = cv2.solvePnP(BOARD, corners, K, None)
    return se3.pose_from_rotation_translation(cv2.Rodrigues(rotvec)[0], t[:, 0])


@pytest.mark.capability("GR-198")
def test_a_camera_that_sees_a_drawn_board_reaches_its_wanted_pose() -> None:
    T_wanted_board = se3.pose_from_rotation_translation(np.eye(3), [-0.09, -0.06, 0.45])
    start = se3.pose_from_rotation_translation(
        so3.exp([0.25, -0.2, 0.3]), [-0.07, -0.1, 0.6]
    )
    T_camera_board = start
    for _ in range(30):
        seen = measure_board(draw_board(T_camera_board))
        T_wanted_camera = T_wanted_board @ se3.inverse(seen)
        twist = pose_servo_twist(T_wanted_camera, gain=3.0)
        T_camera_board = se3.inverse(se3.exp(0.1 * twist)) @ T_camera_board
    error = se3.difference(T_camera_board, T_wanted_board)
    first = se3.difference(start, T_wanted_board)
    assert np.linalg.norm(error[:3]) < 0.01 * np.linalg.norm(first[:3])
    assert np.linalg.norm(error[3:]) < 0.01 * np.linalg.norm(first[3:])


@pytest.mark.capability("GR-199")
def test_the_interaction_matrix_has_its_printed_value() -> None:
    L = interaction_matrix([0.1, -0.2], 2.0)
    expected = [[-0.5, 0, 0.05, -0.02, -1.01, -0.2], [0, -0.5, -0.1, 1.04, 0.02, -0.1]]
    assert_allclose(L, expected, atol=1e-12)
    with pytest.raises(ConfigError, match="depth"):
        interaction_matrix([0.0, 0.0], -1.0)


@pytest.mark.capability("GR-199")
def test_the_interaction_matrix_is_the_derivative_of_the_image() -> None:
    T = camera_at([0.1, 0.2, -0.1], [0.2, -0.1, 0.4])
    points = np.random.default_rng(0).normal(0.0, 0.2, (5, 3))
    s, Z = see(se3.inverse(T), points)
    L = interaction_matrix(s, Z)
    for k, axis in enumerate(np.eye(6)):
        ahead = see(se3.inverse(T @ se3.exp(1e-6 * axis)), points)[0]
        back = see(se3.inverse(T @ se3.exp(-1e-6 * axis)), points)[0]
        assert_allclose(L[:, :, k], (ahead - back) / 2e-6, atol=1e-8)


@pytest.mark.capability("GR-199")
def test_features_reach_their_goal_with_depths_that_are_wrong_by_a_third() -> None:
    goal, _ = see(se3.inverse(camera_at([0, 0, 0], [0, 0, 0])), SQUARE)
    T = camera_at([0.12, -0.1, -0.15], [0.15, 0.2, 0.5])
    norms = []
    for _ in range(200):
        s, _ = see(se3.inverse(T), SQUARE)
        norms.append(np.linalg.norm(s - goal))
        T = T @ se3.exp(0.05 * image_servo_twist(s, goal, 1.3, gain=2.0))
    assert norms[-1] < 1e-6
    assert_allclose(T, camera_at([0, 0, 0], [0, 0, 0]), atol=1e-4)


@pytest.mark.capability("GR-199")
def test_a_camera_in_the_hand_of_an_arm_finds_its_joints_by_gauss_newton() -> None:
    arm = gelenk.load("puma560")
    q_goal = np.array([0.3, 0.6, -0.5, 0.2, 0.7, 0.1])
    T_goal = arm.forward(q_goal)
    points = se3.transform_point(
        T_goal, SQUARE + np.array([0.0, 0.0, 0.6])
    )  # before the hand
    goal, _ = see(se3.inverse(T_goal), points)
    q = q_goal + np.array([0.08, -0.06, 0.07, 0.05, -0.08, 0.1])
    s, Z = see(se3.inverse(arm.forward(q)), points)
    J = feature_jacobian(s, Z, arm.forward(q)[:3, :3], arm.jacobian(q))
    for k, axis in enumerate(np.eye(6)):
        ahead = see(se3.inverse(arm.forward(q + 1e-6 * axis)), points)[0]
        back = see(se3.inverse(arm.forward(q - 1e-6 * axis)), points)[0]
        assert_allclose(J[:, k], ((ahead - back) / 2e-6).ravel(), atol=1e-7)
    for _ in range(12):
        s, Z = see(se3.inverse(arm.forward(q)), points)
        J = feature_jacobian(s, Z, arm.forward(q)[:3, :3], arm.jacobian(q))
        q = q + np.linalg.pinv(J) @ (goal - s).ravel()
    assert_allclose(q, q_goal, atol=1e-8)


@pytest.mark.capability("GR-199")
def test_a_fixed_camera_sees_the_hand_move_as_its_jacobian_says() -> None:
    arm = gelenk.load("puma560")
    q = np.array([0.3, 0.6, -0.5, 0.2, 0.7, 0.1])
    hand = arm.forward(q)
    T_base_camera = hand @ se3.exp([0.1, -0.1, -0.8, 0.1, 0.2, 0.0])
    T_camera_base = se3.inverse(T_base_camera)
    s, Z = see(T_camera_base, se3.transform_point(hand, SQUARE))
    J_hand = moved_jacobian(arm.jacobian(q), T_base_camera[:3, 3] - hand[:3, 3])
    J = fixed_camera_jacobian(s, Z, T_base_camera[:3, :3], J_hand)
    for k, axis in enumerate(np.eye(6)):
        ahead = see(
            T_camera_base, se3.transform_point(arm.forward(q + 1e-6 * axis), SQUARE)
        )
        back = see(
            T_camera_base, se3.transform_point(arm.forward(q - 1e-6 * axis), SQUARE)
        )
        assert_allclose(J[:, k], ((ahead[0] - back[0]) / 2e-6).ravel(), atol=1e-7)


@pytest.mark.capability("GR-199")
def test_a_learned_jacobian_is_enough() -> None:
    """Planar arm under a fixed camera; the Jacobian is learned from its own motion."""
    arm = gelenk.load("planar2r")
    H = np.array([[0.9, 0.2], [-0.3, 1.1]])  # the camera: unknown to the controller

    def look(q):
        return H @ arm.forward(q)[:2, 3]

    q, goal = np.array([0.3, 0.9]), look([0.6, 1.2])
    J = np.stack([(look(q + d) - look(q)) / 0.02 for d in 0.02 * np.eye(2)], axis=1)
    for _ in range(25):
        step = 0.6 * np.linalg.solve(J, goal - look(q))
        change = look(q + step) - look(q)
        if np.linalg.norm(step) > 1e-9:
            J = broyden_update(J, step, change)
        q = q + step
    assert_allclose(q, [0.6, 1.2], atol=1e-6)


def fused_errors(seeds, *, touch):
    """Return errors (n, 3) and NEES (n,) of an object's pose after 4 looks (and touches)."""
    errors, scores = [], []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        truth = np.array([0.4, -0.2, 0.5]) + rng.normal(0.0, [0.05, 0.05, 0.1])
        belief = Belief(
            mean=[0.4, -0.2, 0.5], covariance=np.diag([0.05, 0.05, 0.1]) ** 2
        )
        noise = np.diag([0.01, 0.01, 0.05]) ** 2
        R = so3.rot_z(truth[2])[:2, :2]
        for k in range(4):
            seen = truth + rng.normal(0.0, [0.01, 0.01, 0.05])
            belief = fuse_vision(belief, seen, noise).belief
            if touch:
                normal = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]])[k]
                along = np.array([-normal[1], normal[0]]) * (0.04 if k % 2 else -0.04)
                finger = truth[:2] + R @ (0.06 * normal + along)
                finger = finger + R @ normal * rng.normal(0.0, 0.001)
                belief = fuse_contact(belief, finger, normal, 0.06, sigma=0.001).belief
        wrong = belief.mean - truth
        errors.append(wrong)
        scores.append(float(nees(wrong, belief.covariance)))
    return np.array(errors), np.array(scores)


@pytest.mark.capability("GR-200")
def test_eye_and_touch_together_beat_the_eye_alone_and_know_how_well() -> None:
    """Statistics over 100 seeds; NEES inside its chi-square band."""
    eye, _ = fused_errors(100, touch=False)
    both, scores = fused_errors(100, touch=True)
    rms = np.sqrt(np.mean(both**2, axis=0)) / np.sqrt(np.mean(eye**2, axis=0))
    assert np.all(rms[:2] < 0.5)
    assert rms[2] < 0.9
    low, high = chi2_band(3, 100, 0.99)
    assert low < scores.mean() < high


@pytest.mark.capability("GR-200")
def test_touch_alone_slides_along_the_face_and_the_eye_pins_it() -> None:
    wide = Belief(mean=[0, 0, 0], covariance=np.diag([1.0, 1.0, 1e-8]))
    after = fuse_contact(wide, [0.1, 0.3], [1, 0], 0.06, sigma=1e-3).belief
    assert after.sigma[0] < 2e-3
    assert after.sigma[1] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.capability("GR-200")
def test_eye_and_hand_share_the_axes_of_a_wiping_tool() -> None:
    """1 kg on a face at y = 0: the eye's depth error of 3 cm does not reach the force."""
    x, v, h = np.array([0.0, 0.0]), np.zeros(2), 1e-3
    for _ in range(3000):
        seen = (np.array([0.1, 0.03]), np.zeros(2))
        f = visual_impedance(
            seen, (x, v), [0.0, 2.0], stiffness=100.0, damping=25.0, push=5.0
        )
        wall = np.array([0.0, 1e4 * max(-x[1], 0.0)])
        v = v + h * (f + wall)
        x = x + h * v
    assert x[0] == pytest.approx(0.1, abs=1e-4)
    assert wall[1] == pytest.approx(5.0, abs=1e-3)


@pytest.mark.capability("GR-201")
def test_a_stretch_is_answered_exactly_one_nerve_delay_later() -> None:
    spindle = SpindleCfg(length_gain=20.0, speed_gain=0.5, rest_length=0.1)
    nerve, out = NerveDelay(delay=0.03, dt=0.001), []
    for k in range(100):
        length = 0.1 if k < 40 else 0.12
        out.append(nerve.step(float(stretch_reflex(spindle, length, 0.0))))
    assert not any(out[:70])
    assert_allclose(out[70:], 0.4, atol=1e-12)
    assert stretch_reflex(spindle, 0.05, 0.0) == 0.0
    with pytest.raises(ConfigError, match="whole multiple"):
        NerveDelay(delay=0.0305, dt=0.001)


@pytest.mark.capability("GR-201")
@pytest.mark.parametrize(("gain", "trembles"), [(40.0, False), (70.0, True)])
def test_a_reflex_that_is_too_strong_for_its_delay_trembles(gain, trembles) -> None:
    """Viscous load ẋ = -K x(t - δ), δ = 30 ms: the limit is π / 2δ = 52.4 1/s."""
    nerve, x, h, xs = NerveDelay(delay=0.03, dt=1e-3), 0.01, 1e-3, []
    spindle = SpindleCfg(length_gain=gain, speed_gain=0.0, rest_length=0.0)
    other = NerveDelay(delay=0.03, dt=1e-3)
    for _ in range(1500):
        pull = nerve.step(float(stretch_reflex(spindle, x, 0.0)))
        back = other.step(float(stretch_reflex(spindle, -x, 0.0)))
        x += h * (back - pull)
        xs.append(abs(x))
    assert (max(xs[-300:]) > max(xs[200:500])) == trembles


@pytest.mark.capability("GR-201")
def test_a_reflex_holds_a_pushed_limb_and_spares_its_antagonist() -> None:
    """A hanging limb with two muscles is pushed; feedback by spindles, 30 ms late."""

    def sag(gain):
        angle, rate, h = 0.0, 0.0, 1e-3
        spindle = SpindleCfg(length_gain=gain, speed_gain=0.1 * gain, rest_length=0.3)
        nerves = [NerveDelay(delay=0.03, dt=h) for _ in range(2)]
        for _ in range(2500):
            lengths = 0.3 + 0.04 * np.array([angle, -angle])
            speeds = 0.04 * np.array([rate, -rate])
            u = [
                n.step(float(r))
                for n, r in zip(
                    nerves, stretch_reflex(spindle, lengths, speeds), strict=True
                )
            ]
            tone = [
                reciprocal_inhibition(0.1, u[1], gain=1.0),
                reciprocal_inhibition(0.1, u[0], gain=1.0),
            ]
            torque = 0.04 * 800.0 * float((tone[1] + u[1]) - (tone[0] + u[0]))
            rate += h * (2.0 - 5.0 * np.sin(angle) + torque - 0.3 * rate) / 0.2
            angle += h * rate
        return angle, float(tone[1])

    limp, _ = sag(0.0)
    held, antagonist = sag(8.0)
    assert 0.0 < held < 0.7 * limp
    assert antagonist < 0.1
    assert golgi_inhibition(120.0, gain=0.02, threshold=100.0) == pytest.approx(-0.4)


@pytest.mark.capability("GR-201")
def test_the_half_centre_has_its_printed_period_and_amplitude() -> None:
    """And the path of SciPy's integrator; it rests below its limit of inhibition."""
    cfg = HalfCentre(rise_time=0.1, fatigue_time=0.2, fatigue=2.5, inhibition=2.5)
    t, y = half_centre_rhythm(cfg, duration=8.0, dt=2e-3)
    late = y[2000:]
    ups = np.flatnonzero((late[1:] > 0.0) & (late[:-1] <= 0.0))
    assert np.diff(ups).mean() * 2e-3 == pytest.approx(0.891, rel=0.01)
    assert late.max() == pytest.approx(0.482, rel=0.01)
    assert cfg.oscillates
    found = solve_ivp(
        lambda t, s: half_centre_rate(cfg, s),
        (0, 2),
        [0.1, 0, 0, 0],
        rtol=1e-8,
        t_eval=t[:1000],
    )
    active = np.maximum(found.y[:2], 0.0)
    assert_allclose(y[:1000], active[0] - active[1], atol=1e-3)
    calm = HalfCentre(rise_time=0.1, fatigue_time=0.2, fatigue=2.5, inhibition=1.2)
    assert not calm.oscillates
    assert (
        np.abs(half_centre_rhythm(calm, duration=6.0, dt=5e-3)[1][-200:]).max() < 1e-3
    )
