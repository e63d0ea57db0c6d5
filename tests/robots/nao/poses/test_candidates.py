"""Poses that the program draws can be measured."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.models.mjcf_write import mjcf_from_model
from gelenk.robots.nao.errors import CASES
from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    LEG,
    ankle_roll_limits,
    head_pitch_limits,
    limits,
    mirror,
    model_from_body,
    nao_from_bh,
)
from gelenk.robots.nao.poses.body import body_pose, is_free
from gelenk.robots.nao.poses.boxes import collision_boxes
from gelenk.robots.nao.poses.candidates import (
    Candidates,
    PoseJudge,
    SightCfg,
    candidate_poses,
)
from gelenk.robots.nao.poses.order import move_time, order_poses
from gelenk.robots.nao.poses.view import is_unhidden, view_board
from gelenk.robots.nao.robot_with_errors import (
    nominal_intrinsics,
    nominal_model,
    true_intrinsics,
    true_model,
)


@pytest.fixture(scope="module")
def poses() -> Candidates:
    return candidate_poses(120, np.random.default_rng(11))


def test_joints_head_and_ankle_stay_in_their_ranges(poses: Candidates) -> None:
    low, high = limits()
    assert (poses.bodies >= low - 1e-9).all()
    assert (poses.bodies <= high + 1e-9).all()
    yaw, pitch = poses.bodies[..., 0], poses.bodies[..., 1]
    down, up = head_pitch_limits(yaw)
    assert (pitch >= down).all()
    assert (pitch <= up).all()
    roll_low, roll_high = ankle_roll_limits(poses.legs[:, 4])
    assert (poses.legs[:, 5] > roll_low).all()
    assert (poses.legs[:, 5] < roll_high).all()


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_board_is_in_full_view_even_of_the_robots_with_known_errors(
    poses: Candidates, side: str
) -> None:
    bodies = poses.body(side).reshape(-1, 22)  # type: ignore[arg-type]
    robots = [(nominal_model(), nominal_intrinsics())]
    robots += [(true_model(e), true_intrinsics(e)) for e in CASES.values()]
    for model, lens in robots:
        view = view_board(model, lens, bodies, side)  # type: ignore[arg-type]
        assert (view.pixels > 5.0).all()
        assert (view.pixels < (634.0, 474.0)).all()
        assert (view.depth > 0.15).all()
        assert (view.facing > 0.5).all()


def test_a_thigh_in_front_of_the_board_is_noticed() -> None:
    nao = nominal_model()
    rng = np.random.default_rng(2)
    low, high = limits()[:, LEG["left"]]
    legs = rng.uniform(low, high, (400, 6))
    bodies = body_pose(legs, "left")
    bodies[:, :2] = 0.0, 0.4
    seen = is_unhidden(
        nao,
        collision_boxes(nao),
        view_board(nao, nominal_intrinsics(), bodies, "left"),
        "left",
    )
    assert 0.2 < seen.mean() < 0.95


def test_what_the_boxes_call_free_touches_nothing_in_the_engine() -> None:
    nao = nominal_model()
    engine = mujoco.MjModel.from_xml_string(mjcf_from_model(nao))
    data = mujoco.MjData(engine)
    names = [engine.joint(i).name for i in range(engine.njnt)]
    low, high = limits()[:, LEG["left"]]
    legs = np.random.default_rng(8).uniform(low, high, (1500, 6))
    legs[:, 2] = -np.abs(legs[:, 2])  # above the floor, which this engine lacks
    bodies = body_pose(legs, "left")
    touching = []
    for q22 in bodies:
        angles = dict(zip(BODY_JOINTS, nao_from_bh(q22), strict=True))
        data.qpos[:] = [angles.get(name, 0.0) for name in names]
        mujoco.mj_forward(engine, data)
        pairs = [
            {engine.body(engine.geom_bodyid[g]).name for g in contact.geom}
            for contact in data.contact[: data.ncon]
        ]
        touching.append(
            any(
                "l_sandal" in pair and pair & {"r_sandal", "r_tibia", "l_thigh"}
                for pair in pairs
            )
        )
    free = is_free(nao, collision_boxes(nao), bodies, margin=0.0)
    assert 10 < sum(touching) < 700
    assert not (free & np.array(touching)).any()


def test_a_way_between_poses_is_checked() -> None:
    judge = PoseJudge()
    straight = np.zeros(6)
    through_the_floor = np.deg2rad([0.0, 0, 19.0, 0, 0, 0])
    assert judge.is_way_free(straight, straight)
    nao = nominal_model()
    boxes = collision_boxes(nao)
    assert not is_free(nao, boxes, body_pose(through_the_floor[None], "left")).any()


def test_the_order_visits_every_pose_once_and_saves_time(poses: Candidates) -> None:
    judge = PoseJudge()
    start = np.deg2rad([0.0, -5, -40, 60, -20, 0])
    legs = poses.legs[:16]
    order = order_poses(legs, start, judge)
    assert sorted(order) == list(range(16))

    def duration(rows: list[int]) -> float:
        way = np.vstack([start, legs[rows], start])
        return float(move_time(way[:-1], way[1:]).sum())

    rng = np.random.default_rng(0)
    others = [duration(list(rng.permutation(16))) for _ in range(200)]
    assert duration(order) < min(others)


def test_a_wish_that_no_pose_fulfils_is_refused_with_a_remedy() -> None:
    with pytest.raises(ConfigError, match="widen `SightCfg`"):
        candidate_poses(1, np.random.default_rng(0), SightCfg(min_depth=2.0))


def test_mirror_images_serve_the_right_leg(poses: Candidates) -> None:
    nao = nominal_model()
    left, right = poses.body("left")[:, 0], poses.body("right")[:, 0]
    np.testing.assert_allclose(right, mirror(left))
    T_l = nao.forward(model_from_body(nao, left), frame="l_sole")
    T_r = nao.forward(model_from_body(nao, right), frame="r_sole")
    flip = np.diag([1.0, -1.0, 1.0, 1.0])
    np.testing.assert_allclose(flip @ T_l @ flip, T_r, atol=1e-12)
