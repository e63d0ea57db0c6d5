"""The right answers of the exercises, against oracles that share no code with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pytransform3d.rotations import active_matrix_from_angle
from scipy.linalg import null_space
from scipy.spatial.transform import Rotation

import gelenk
from gelenk.robots.armbot.exercise import EXERCISES, get_exercise
from gelenk.robots.armbot.exercise.given import make_given
from gelenk.robots.armbot.exercise.match import is_no_answer, is_right
from gelenk.robots.armbot.exercise.record import Case, Function, solutions_of
from testkit.pinocchio_model import PinocchioRobot

SIMPLE = np.array([0.20, 0.30, 0.25])  # [m], the catalogue's Simple Arm
SEEDS = (0, 1, 2)


def cases_of(name: str, function: str) -> Iterator[tuple[Function, Case]]:
    """Yield the hidden cases of a function, over several seeds."""
    found = next(f for f in get_exercise(name).functions if f.name == function)
    for seed in SEEDS:
        for case in found.draw(np.random.default_rng(seed)):
            yield found, case


def about(axis: int, angle: float) -> np.ndarray:
    return active_matrix_from_angle(axis, angle)


def forward_product(angles: np.ndarray) -> np.ndarray:
    a, b, c = angles
    return about(0, c) @ about(1, -b) @ about(2, a)


def reverse_product(angles: np.ndarray) -> np.ndarray:
    a, b, c = angles
    return about(2, a) @ about(1, -b) @ about(0, c)


def test_rotation_xz_turns_about_minus_y() -> None:
    for function, case in cases_of("rotation-xz", "rotation_xz"):
        np.testing.assert_allclose(
            function.solve(**case.args), about(1, -case.args["angle"]), atol=1e-14
        )


def test_roto_translation_turns_then_shifts_and_its_inverse_undoes_it() -> None:
    for function, case in cases_of("roto-translation", "apply"):
        args = case.args
        expected = forward_product(args["angles"]) @ args["p"] + args["t"]
        np.testing.assert_allclose(function.solve(**args), expected, atol=1e-14)
    for function, case in cases_of("roto-translation", "apply_inverse"):
        args = case.args
        back = forward_product(args["angles"]) @ function.solve(**args) + args["t"]
        np.testing.assert_allclose(back, args["p"], atol=1e-14)


@pytest.mark.parametrize(
    ("name", "product"),
    [("angles_forward", forward_product), ("angles_reverse", reverse_product)],
)
def test_every_triple_of_plane_angles_gives_the_matrix_back(
    name: str, product: Any
) -> None:
    for function, case in cases_of("plane-angles", name):
        for angles in function.solve(**case.args):
            np.testing.assert_allclose(product(angles), case.args["R"], atol=1e-12)


def test_wrist_angles_agree_with_scipy() -> None:
    for function, case in cases_of("wrist", "wrist_angles"):
        R = case.args["R_mount"].T @ case.args["R_target"]
        z, y, x = Rotation.from_matrix(R).as_euler("ZYX")
        np.testing.assert_allclose(
            function.solve(**case.args)[0], [z, -y, x], atol=1e-12
        )


def test_dh_row_is_the_product_of_four_simple_poses() -> None:
    for function, case in cases_of("dh-row", "dh_matrix"):
        theta, d, a, alpha = (case.args[n] for n in ("theta", "d", "a", "alpha"))
        expected = np.eye(4)
        expected[:3, :3] = about(2, theta) @ about(0, alpha)
        expected[:3, 3] = about(2, theta) @ (a, 0, d)
        np.testing.assert_allclose(function.solve(**case.args), expected, atol=1e-14)


def planar_end(q: np.ndarray, lengths: np.ndarray) -> complex:
    return complex(np.sum(lengths * np.exp(1j * np.cumsum(q))))


def test_planar_forward_agrees_with_complex_numbers() -> None:
    for function, case in cases_of("planar-2r-forward", "forward"):
        q, lengths = case.args["q"], case.args["lengths"]
        end = planar_end(q, lengths)
        np.testing.assert_allclose(
            function.solve(**case.args), [end.real, end.imag, q.sum()], atol=1e-14
        )


def test_planar_inverse_has_both_elbows_and_all_of_them_reach() -> None:
    for function, case in cases_of("planar-2r-inverse", "inverse"):
        rows, p = function.solve(**case.args), case.args["p"]
        if case.tag == "unreachable":
            assert len(rows) == 0
            continue
        ends = [planar_end(q, case.args["lengths"]) for q in rows]
        np.testing.assert_allclose(ends, complex(*p), atol=1e-7)
        bends = sorted(rows[:, 1])
        if not case.tag:
            assert bends[0] < -0.1 < 0.1 < bends[1]


def test_simple_arm_agrees_with_pinocchio() -> None:
    robot = PinocchioRobot(gelenk.load("simple_arm"))
    rng = np.random.default_rng(3)
    forward = get_exercise("simple-arm-forward").functions[0].solve
    jacobian = get_exercise("simple-arm-jacobian").functions[0].solve
    given = make_given("position", "simple", SIMPLE.tolist())
    given_jacobian = make_given("jacobian", "simple", SIMPLE.tolist())
    for q in rng.uniform(-3.0, 3.0, (20, 3)):
        p = robot.forward(q)[:3, 3]
        J = robot.jacobian(q)[:3]
        np.testing.assert_allclose(forward(q, SIMPLE), p, atol=1e-14)
        np.testing.assert_allclose(given(q), p, atol=1e-14)
        np.testing.assert_allclose(jacobian(q, SIMPLE), J, atol=1e-14)
        np.testing.assert_allclose(given_jacobian(q), J, atol=1e-14)


def test_simple_arm_inverse_reaches_or_is_out_of_reach() -> None:
    for function, case in cases_of("simple-arm-inverse", "inverse"):
        position = make_given("position", "simple", case.args["lengths"].tolist())
        solutions = function.solve(**case.args)
        if case.tag == "unreachable":
            assert solutions == [None]
            continue
        assert len(solutions) == 4
        for q in solutions:
            np.testing.assert_allclose(position(q), case.args["p"], atol=1e-7)


def test_simple_arm_inverse_gives_the_worked_example_in_degrees() -> None:
    """Stand 20 cm, femur 30 cm, tibia 25 cm, target (35, 15, 10) cm."""
    solve = get_exercise("simple-arm-inverse").functions[0].solve

    elbow_up = solve(p=np.array([0.35, 0.15, 0.10]), lengths=SIMPLE)[0]

    np.testing.assert_allclose(
        np.degrees(elbow_up), [23.198591, 24.699137, -89.045026], atol=1e-6
    )


def test_scara_agrees_with_pinocchio_and_its_inverse_stays_within_limits() -> None:
    robot = PinocchioRobot(gelenk.load("scara"))
    forward, inverse = get_exercise("scara").functions
    lengths = np.array([0.4, 0.3, 0.25, 0.05])
    limits = np.array([(-3.0, 3.0), (-2.0, 2.0), (0.0, 0.3), (-3.0, 3.0)])
    reached = 0
    for q in np.random.default_rng(4).uniform(limits[:, 0], limits[:, 1], (20, 4)):
        T = robot.forward(q)
        place = np.array([*T[:3, 3], np.arctan2(T[1, 0], T[0, 0])])
        np.testing.assert_allclose(forward.solve(q, lengths), place, atol=1e-14)
        for solution in inverse.solve(place, lengths, limits):
            np.testing.assert_allclose(robot.forward(solution), T, atol=1e-9)
            assert np.all(solution >= limits[:, 0])
            assert np.all(solution <= limits[:, 1])
            reached += 1
    assert reached >= 20


def test_the_tip_of_a_tripod_has_the_lengths_of_its_rods() -> None:
    for function, case in cases_of("tripod", "tip"):
        tip = function.solve(**case.args)
        if case.tag:
            assert tip is None
            continue
        distances = np.linalg.norm(case.args["feet"] - tip, axis=1)
        np.testing.assert_allclose(distances, case.args["lengths"], atol=1e-12)
        assert tip[2] > case.args["feet"][:, 2].max()


def test_central_differences_of_a_planar_arm_are_known_exactly() -> None:
    """A joint turns what is behind it: the chord of +-h is sin(h) / h of the tangent."""
    for function, case in cases_of("numeric-jacobian", "jacobian"):
        q, h = case.args["q"], case.args["h"]
        links = np.array(case.args["position"].lengths) * np.exp(1j * np.cumsum(q))
        levers = np.cumsum(links[::-1])[::-1]
        tangent = 1j * levers * np.sin(h) / h
        np.testing.assert_allclose(
            function.solve(**case.args), [tangent.real, tangent.imag], atol=1e-12
        )


def test_the_shortest_velocity_and_the_null_space_agree_with_scipy() -> None:
    for function, case in cases_of("pseudo-inverse", "pseudo_inverse"):
        J = case.args["J"]
        np.testing.assert_allclose(function.solve(J), np.linalg.pinv(J), atol=1e-12)
    for function, case in cases_of("pseudo-inverse", "joint_velocity"):
        J, v, wish = (case.args[n] for n in ("J", "v", "qd_wish"))
        N = null_space(J)
        expected = np.linalg.lstsq(J, v, rcond=None)[0] + N @ (N.T @ wish)
        np.testing.assert_allclose(function.solve(J, v, wish), expected, atol=1e-12)


def test_steps_along_the_jacobian_arrive() -> None:
    for function, case in cases_of("jacobian-ik", "solve"):
        q = function.solve(**case.args)
        if case.tag == "unreachable":
            assert q is None
            continue
        end = planar_end(q, np.array(case.args["position"].lengths))
        assert abs(end - complex(*case.args["p_target"])) <= case.args["tolerance"]


def test_the_line_is_straight_and_evenly_spaced() -> None:
    for function, case in cases_of("straight-line", "line"):
        rows = function.solve(**case.args)
        points = np.array([case.args["position"](q) for q in rows])
        np.testing.assert_allclose(np.diff(points, n=2, axis=0), 0.0, atol=1e-12)
        for q, index in ((case.args["q_start"], 0), (case.args["q_end"], -1)):
            np.testing.assert_allclose(
                points[index], case.args["position"](q), atol=1e-12
            )


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_every_reference_is_accepted_and_every_tag_has_its_mistake(
    exercise: Any,
) -> None:
    for function in exercise.functions:
        cases = function.draw(np.random.default_rng(7))
        assert sum(not case.tag for case in cases) >= 10
        for case in cases:
            right = solutions_of(function.solve(**case.args))
            for solution in right:
                if is_no_answer(solution):
                    assert function.answer.may_be_none
                    assert solution is None or solution.size == 0
                else:
                    assert is_right(function, case.args, solution, right)
            assert not case.tag or case.tag in function.specials


def test_the_same_seed_draws_the_same_cases() -> None:
    for exercise in EXERCISES:
        for function in exercise.functions:
            one, other, third = (
                function.draw(np.random.default_rng(seed)) for seed in (5, 5, 6)
            )
            texts = [[repr(case) for case in cases] for cases in (one, other, third)]
            assert texts[0] == texts[1]
            assert texts[0] != texts[2]
