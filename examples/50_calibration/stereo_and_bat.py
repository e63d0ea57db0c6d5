"""Two fixed cameras and a bat on a roll-tilt unit, brought into one frame.

The bat carries markers. Both cameras watch it move, and the calibrator finds where they
stand, how far the bat sits from the tilt axis and by how much the tilt joint reads
wrong. The roll joint's offset would be a turn of both cameras about its axis.
"""

from __future__ import annotations

import numpy as np

from gelenk.calibration import (
    CalibrationCamera,
    CalibrationParameter,
    CalibrationProblem,
    CameraRotation,
    CameraTranslation,
    JointOffset,
    Observation,
    Target,
    calibrate,
)
from gelenk.calibration.effects import Axis, Effect, TargetTranslation
from gelenk.models import Assembly
from gelenk.spatial import rot_x, rot_y, rot_z
from gelenk.typing import FloatArray
from gelenk.vision import Intrinsics, project

AXES: tuple[Axis, ...] = ("x", "y", "z")
LENS = Intrinsics.from_field_of_view(width=640, height=480, horizontal=0.9)
MARKERS = np.array(
    [[-0.3, 0.0, 0.02], [-0.2, 0.03, 0.0], [-0.1, 0.0, -0.03], [0, 0, 0]]
)
UNIT = (
    Assembly()
    .servo("roll", axis="yz")
    .servo("tilt", axis="xz")
    .segment(0.4, "bat", mass=0.3, radius=0.02)
    .gripper_mount("tip")
    .build("roll_tilt")
)
# Cameras 1.2 m ahead of the unit, looking back at it: right, down, forward.
R_BACK = np.array([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])


def mount(y: float) -> FloatArray:
    """Return the pose of a camera at this place along y."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R_BACK, (1.2, y, 0.1)
    return T


MOUNTS = {"left": mount(-0.15), "right": mount(0.15)}


def make_problem() -> CalibrationProblem:
    """Return what may be wrong, in ten lines."""
    effects: list[Effect] = [JointOffset("tilt"), TargetTranslation("bat", "x")]
    for eye in MOUNTS:
        effects += [CameraRotation(eye, axis) for axis in AXES]
        effects += [CameraTranslation(eye, axis) for axis in AXES]
    return CalibrationProblem(
        model=UNIT,
        cameras=tuple(
            CalibrationCamera(
                name=eye, link=UNIT.link_names[0], T_link_mount=T, intrinsics=LENS
            )
            for eye, T in MOUNTS.items()
        ),
        targets=(Target(name="bat", link="tip", points=MARKERS),),
        parameters=tuple(CalibrationParameter(effect=effect) for effect in effects),
    )


def simulate(eye: str, q: FloatArray, truth: dict[str, float]) -> FloatArray:
    """Return the pixels of the markers for a rig with the errors `truth`."""
    T_root_tip = UNIT.forward(q + np.array([0.0, truth["tilt.offset"]]))
    longer = np.array([truth["bat.shift_x"], 0.0, 0.0])
    p_root = (MARKERS + longer) @ T_root_tip[:3, :3].T + T_root_tip[:3, 3]
    turn = [truth[f"{eye}.turn_{axis}"] for axis in AXES]
    shift = [truth[f"{eye}.shift_{axis}"] for axis in AXES]
    wrong = np.eye(4)
    wrong[:3, :3] = rot_x(turn[0]) @ rot_y(turn[1]) @ rot_z(turn[2])
    wrong[:3, 3] = wrong[:3, :3] @ shift
    T = MOUNTS[eye] @ wrong
    return project(LENS, (p_root - T[:3, 3]) @ T[:3, :3])


def main(headless: bool = False, steps: int | None = None) -> None:
    """Calibrate a rig with errors and print how well the tip is known."""
    rng = np.random.default_rng(2)
    problem = make_problem()
    truth = {
        p.name: float(rng.normal(0.0, 0.02 if p.unit == "rad" else 0.005))
        for p in problem.parameters
    }
    postures = rng.uniform([-1.2, -0.7], [1.2, 0.7], (30, 2))
    sights = [
        Observation(
            camera=eye,
            target="bat",
            q=q,
            points=np.arange(len(MARKERS)),
            pixels=simulate(eye, q, truth) + 0.1 * rng.normal(size=(len(MARKERS), 2)),
            group=k,
        )
        for k, q in enumerate(postures)
        for eye in MOUNTS
    ]
    result = calibrate(problem, sights)
    error = result.values - np.array([truth[name] for name in problem.names])
    tilt, bat = (problem.index(name) for name in ("tilt.offset", "bat.shift_x"))
    print(result.status.value, "in", result.iterations, "steps")
    print(f"tilt joint off by {np.rad2deg(error[tilt]):+.4f} deg")
    print(f"bat off by {1e3 * error[bat]:+.3f} +- {1e3 * result.sigma[bat]:.3f} mm")
    assert result.converged
    assert (np.abs(error) < 5.0 * result.sigma).all()


if __name__ == "__main__":
    main()
