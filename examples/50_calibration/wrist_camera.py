"""An arm that calibrates itself by looking at a board with the camera on its wrist.

Zero offsets of the joints, the place of the camera on the tool, the place of the board
and the focal length are all a little wrong. What the arm sees from a few poses is
enough to find them, with intervals. The first offset is left out: it is a turn of the
board about the arm's own axis; so is the last one, a turn of the camera about the
tool's.
"""

from __future__ import annotations

import numpy as np

import gelenk
from gelenk.calibration import (
    CalibrationCamera,
    CalibrationParameter,
    CalibrationProblem,
    CameraRotation,
    CameraTranslation,
    FocalLength,
    JointOffset,
    Observation,
    Target,
    calibrate,
)
from gelenk.calibration.effects import (
    Axis,
    Effect,
    TargetRotation,
    TargetTranslation,
)
from gelenk.spatial import rot_x, rot_y, rot_z
from gelenk.typing import FloatArray
from gelenk.vision import Intrinsics, project

AXES: tuple[Axis, ...] = ("x", "y", "z")
LENS = Intrinsics.from_field_of_view(width=640, height=480, horizontal=1.0)
ARM = gelenk.load("ur5e")
BOARD = np.array([[0.02 * i, 0.02 * j, 0.0] for i in range(8) for j in range(6)])
T_BASE_BOARD = np.eye(4)
T_BASE_BOARD[:3, 3] = 0.45, -0.15, 0.05


def make_problem() -> CalibrationProblem:
    """Return what may be wrong."""
    effects: list[Effect] = [JointOffset(name) for name in ARM.joint_names[1:-1]]
    for axis in AXES:
        effects += [
            CameraRotation("wrist", axis),
            CameraTranslation("wrist", axis, order=1),
        ]
        effects += [
            TargetRotation("board", axis),
            TargetTranslation("board", axis, order=1),
        ]
    return CalibrationProblem(
        model=ARM,
        cameras=(CalibrationCamera(name="wrist", link=ARM.tool, intrinsics=LENS),),
        targets=(
            Target(name="board", link=None, points=BOARD, T_link_target=T_BASE_BOARD),
        ),
        parameters=tuple(
            CalibrationParameter(effect=e) for e in (*effects, FocalLength("wrist"))
        ),
    )


def looking_poses(rng: np.random.Generator, count: int) -> list[FloatArray]:
    """Return postures in which the camera, taken as the tool, looks at the board."""
    poses: list[FloatArray] = []
    centre = T_BASE_BOARD[:3, 3] + BOARD.mean(axis=0)
    while len(poses) < count:
        T = np.eye(4)
        a, b, c = rng.uniform(-1.0, 1.0, 3) * (0.5, 0.5, np.pi)
        T[:3, :3] = rot_x(np.pi + a) @ rot_y(b) @ rot_z(c)
        T[:3, 3] = centre - rng.uniform(0.25, 0.45) * T[:3, 2]
        result = ARM.inverse(T)
        if result.converged:
            poses.append(result.q)
    return poses


def simulate(
    q: FloatArray, truth: dict[str, float], rng: np.random.Generator
) -> FloatArray:
    """Return the pixels of the board for a robot with the errors `truth`."""

    def vector(what: str) -> FloatArray:
        return np.array([truth[f"{what}_{axis}"] for axis in AXES])

    joints = ARM.joint_names
    wrong = np.array([truth.get(f"{name}.offset", 0.0) for name in joints])
    T_base_tool = ARM.forward(q + wrong)
    T_tool_camera, T_base_board = np.eye(4), T_BASE_BOARD.copy()
    rx, ry, rz = vector("wrist.turn")
    T_tool_camera[:3, :3] = rot_x(rx) @ rot_y(ry) @ rot_z(rz)
    T_tool_camera[:3, 3] = T_tool_camera[:3, :3] @ vector("wrist.shift")
    rx, ry, rz = vector("board.turn")
    T_base_board[:3, :3] = rot_x(rx) @ rot_y(ry) @ rot_z(rz)
    T_base_board[:3, 3] += T_base_board[:3, :3] @ vector("board.shift")
    f = LENS.fx * (1.0 + truth["wrist.focal"])
    lens = Intrinsics(width=640, height=480, fx=f, fy=f, cx=LENS.cx, cy=LENS.cy)
    p_base = BOARD @ T_base_board[:3, :3].T + T_base_board[:3, 3]
    T_base_camera = T_base_tool @ T_tool_camera
    p_camera = (p_base - T_base_camera[:3, 3]) @ T_base_camera[:3, :3]
    pixels = project(lens, p_camera) + 0.05 * rng.normal(size=(len(BOARD), 2))
    lost = rng.random(len(BOARD)) < 0.05
    return pixels + lost[:, None] * rng.uniform(-30.0, 30.0, pixels.shape)


def main(headless: bool = False, steps: int | None = None) -> None:
    """Calibrate an arm with errors and print what was found."""
    rng = np.random.default_rng(1)
    problem = make_problem()
    truth = {
        p.name: float(rng.normal(0.0, {"rad": 0.02, "m": 0.004, "1": 0.01}[p.unit]))
        for p in problem.parameters
    }
    sights = [
        Observation(
            camera="wrist",
            target="board",
            q=q,
            points=np.arange(len(BOARD)),
            pixels=simulate(q, truth, rng),
            group=k,
        )
        for k, q in enumerate(looking_poses(rng, 20))
    ]
    result = calibrate(problem, sights)
    error = result.values - np.array([truth[name] for name in problem.names])
    print(result.status.value, "-", result.num_outliers, "outliers left out")
    for name, wrong, sigma in zip(result.names[:4], error, result.sigma, strict=False):
        print(
            f"{name:16s} off by {np.rad2deg(wrong):+.4f} +- {np.rad2deg(sigma):.4f} deg"
        )
    assert result.converged
    assert (np.abs(error) < 5.0 * result.sigma).all()


if __name__ == "__main__":
    main()
