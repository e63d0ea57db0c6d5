"""Calibration when standing, and of the arms; against truths that share no code."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gelenk.calibration.calibration import calibrate
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.kinematics.forward import link_poses
from gelenk.robots.nao import config
from gelenk.robots.nao.config import T_MOUNT_CAMERA
from gelenk.robots.nao.errors import NaoErrors, draw_errors
from gelenk.robots.nao.extensions import (
    FIST_HEIGHT,
    UPPER_EYE,
    arm_problem,
    fist_marker,
    standing_problem,
)
from gelenk.robots.nao.joints import (
    ARM,
    BODY_JOINTS,
    SIDES,
    SIGNS,
    Side,
    limits,
    mirror,
    model_from_body,
)
from gelenk.robots.nao.parameters import (
    EYE,
    leg_names,
    nao_problem,
    values_from_errors,
)
from gelenk.robots.nao.robot_with_errors import nominal_model, true_model
from gelenk.robots.nao.truth import project_truth
from gelenk.spatial.se3 import inverse
from gelenk.spatial.so3 import rot_x, rot_y, rot_z
from gelenk.typing import FloatArray
from gelenk.vision.camera import project
from testkit.nao_robots import given_bodies


def weight_torques(errors: NaoErrors, q22: FloatArray) -> FloatArray:
    """Torques on an upright robot's legs, B-Human's signs: slope of potential energy."""
    model = true_model(errors)

    def energy(angles: FloatArray) -> float:
        T = link_poses(model, model_from_body(model, angles))
        z = np.einsum("ij,ij->i", T[:, 2, :3], model.com) + T[:, 2, 3]
        return config.GRAVITY * float(model.mass @ z)

    step, torque = 1e-5, np.zeros(22)
    for i in (10, *range(11, 16), *range(17, 22)):
        up = np.eye(22)[i] * step  # HipYawPitch of the model moves both legs
        torque[i] = -(energy(q22 + up) - energy(q22 - up)) / (2.0 * step)
    torque[16] = torque[10]
    return torque


def hanging(errors: NaoErrors, q22: FloatArray) -> FloatArray:
    """Readings that a stiff robot would need for the same angles, upright."""
    compliance, play = np.zeros(22), np.zeros(22)
    compliance[10:], play[10:] = errors.compliance, errors.play
    q = q22
    for _ in range(4):
        torque = weight_torques(errors, q)
        q = q22 + compliance * torque + play * np.sign(torque)
    return q


def standing_sights(
    problem: CalibrationProblem,
    errors: NaoErrors,
    rng: np.random.Generator,
    *,
    sags: bool,
) -> list[Observation]:
    stiff = replace(errors, compliance=(0.0,) * 12, play=(0.0,) * 12)
    sights: list[Observation] = []
    for k, side in enumerate(SIDES):
        bodies = given_bodies()[::2] if side == "left" else mirror(given_bodies()[::2])
        for i, pose in enumerate(bodies):
            # The head does not move the legs: one give for three gazes.
            give = hanging(errors, pose[0]) - pose[0] if sags else np.zeros(22)
            seen = project_truth(stiff, pose + give, side)
            for h, q in enumerate(model_from_body(problem.model, pose)):
                points = np.flatnonzero(seen.is_visible[h])
                noise = rng.normal(0.0, 0.04, (len(points), 2))
                sights.append(
                    Observation(
                        camera=EYE,
                        target=side,
                        q=q,
                        points=points,
                        pixels=seen.pixels[h, points] + noise,
                        group=100 * k + i,
                    )
                )
    return sights


def leg_errors(
    problem: CalibrationProblem, found: FloatArray, errors: NaoErrors
) -> FloatArray:
    truth = values_from_errors(problem, errors)
    rows = [problem.index(name) for side in SIDES for name in leg_names(side)]
    return np.rad2deg(np.abs(found - truth)[rows])


@pytest.mark.capability("CA-103")
def test_feet_guided_by_hand_calibrate_a_standing_robot() -> None:
    rng = np.random.default_rng(0)
    errors = draw_errors(rng, level=1)
    problem = standing_problem(is_guided=True, extended=("compliance", "play"))
    assert not any("Play" in name or "Compl" in name for name in problem.names)
    sights = standing_sights(problem, errors, rng, sags=False)
    found = calibrate(problem, sights)
    assert found.converged
    assert leg_errors(problem, found.values, errors).max() < 0.01  # [deg]


@pytest.mark.slow
@pytest.mark.capability("CA-103")
def test_a_standing_robot_that_sags_is_calibrated_with_gravity_along_its_legs() -> None:
    rng = np.random.default_rng(1)
    spread = draw_errors(rng, level=3)
    errors = replace(
        draw_errors(rng, level=1), compliance=spread.compliance, play=spread.play
    )
    upright = standing_problem(extended=("compliance", "play"))
    sights = standing_sights(upright, errors, rng, sags=True)
    right = calibrate(upright, sights)
    assert right.converged
    assert right.noise < 0.06  # [px]
    wrong = calibrate(nao_problem(extended=("compliance", "play")), sights)
    off = {
        name: np.sqrt(np.mean(leg_errors(upright, fit.values, errors) ** 2))
        for name, fit in (("right", right), ("wrong", wrong))
    }
    assert off["right"] < 0.1  # [deg]
    assert off["wrong"] > 3.0 * off["right"]


def fist_pixels(truth: dict[str, float], q22: FloatArray, side: Side) -> FloatArray:
    """Where a marker is seen, by the robot model's frames and a product of turns."""
    model = nominal_model(sandals=False)
    true = q22.copy()
    word = side.capitalize()
    for joint in BODY_JOINTS[ARM[side]]:
        true[BODY_JOINTS.index(joint)] += truth[f"{word}{joint[1:]}"]
    T = link_poses(model, model_from_body(model, true))
    turned = np.eye(4)
    turned[:3, :3] = (
        rot_y(truth["UpperPitch"])
        @ rot_x(truth["UpperRoll"])
        @ rot_z(truth["UpperYaw"])
    )
    T_torso_camera = T[model.link_id("camera_top")] @ turned @ T_MOUNT_CAMERA
    points = fist_marker() @ rot_x(truth[f"{word}FistTurn"]).T
    points += np.array([truth[f"{word}FistShift"], 0.0, FIST_HEIGHT])
    T_hand = T[model.link_id(f"{side[0]}_hand")]
    p = points @ T_hand[:3, :3].T + T_hand[:3, 3]
    T_camera_torso = inverse(T_torso_camera)
    return project(
        config.nominal_intrinsics(),
        p @ T_camera_torso[:3, :3].T + T_camera_torso[:3, 3],
    )


@pytest.mark.capability("CA-104")
def test_arms_and_upper_camera_are_found_through_markers_on_the_fists() -> None:
    rng, problem = np.random.default_rng(3), arm_problem()
    truth = {
        p.name: float(rng.uniform(-0.05, 0.05) if p.unit == "rad" else 0.004)
        for p in problem.parameters
    }
    low, high = limits()
    sights: list[Observation] = []
    for side in SIDES:
        have = 0
        while have < 16:
            q22 = np.zeros(22)
            q22[:2] = rng.uniform(-0.5, 0.5), rng.uniform(0.0, 0.5)
            arm = np.deg2rad(rng.uniform((-30, -10, -90, -85), (40, 40, 90, -5)))
            q22[ARM[side]] = np.clip(arm, low[ARM[side]], high[ARM[side]])
            pixels = fist_pixels(truth, q22, side)
            shown = np.nan_to_num(pixels, nan=-9.0)
            if not config.nominal_intrinsics().contains(shown).all():
                continue
            sights.append(
                Observation(
                    camera=UPPER_EYE,
                    target=side,
                    q=model_from_body(problem.model, q22),
                    points=np.arange(9),
                    pixels=pixels + rng.normal(0.0, 0.1, pixels.shape),
                    group=len(sights),
                )
            )
            have += 1
    found = calibrate(problem, sights)
    assert found.converged
    assert found.noise == pytest.approx(0.1, rel=0.2)
    for name, value, unit in zip(found.names, found.values, found.units, strict=True):
        limit = np.deg2rad(0.05) if unit == "rad" else 2e-4
        assert abs(value - truth[name]) < limit, name
    z = (found.values - [truth[name] for name in found.names]) / found.sigma
    assert np.abs(z).max() < 4.0


def test_signs_of_arms_are_those_of_the_body_vector() -> None:
    problem = arm_problem(encoder_step=config.ENCODER_STEP)
    assert len(problem.readings) == 8
    for side in SIDES:
        for joint in BODY_JOINTS[ARM[side]]:
            name = f"{side.capitalize()}{joint[1:]}"
            effect = problem.parameters[problem.index(name)].effects[0]
            assert getattr(effect, "scale", None) == SIGNS[BODY_JOINTS.index(joint)]
