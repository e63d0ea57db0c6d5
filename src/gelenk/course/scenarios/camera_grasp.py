"""Camera-guided grasp: cloud, plane, pose by ICP, approach by image, soft contact.

The arm looks at the table, removes its plane from the cloud, finds which of the things
left over is the block and how it lies, moves above it, corrects itself by dots in the
image until they are where they were when the grasp was shown, and goes down as a soft
spring until it pushes gently.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.control.impedance import impedance_torque
from gelenk.control.operational_space import pose_error, tool_dynamics
from gelenk.control.visual_servoing import image_servo_twist
from gelenk.course.film import Film
from gelenk.course.scenarios.camera_grasp_cell import (
    BLOCK,
    DEPTH_CAMERA,
    DOTS,
    ROTORS,
    T_TOOL_CAMERA,
    GraspCell,
    make_cell,
)
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.pointcloud.filters import are_inliers
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.pointcloud.planes import cut_clusters, find_plane
from gelenk.pointcloud.registration import IcpCfg, align_clouds
from gelenk.spatial import se3, so3
from gelenk.typing import FloatArray
from gelenk.vision.camera import unproject

MAX_MISS, MAX_ANGLE = 3e-3, np.radians(1.5)  # [m], [rad]: of the tip on the block
MAX_PEAK, LEAST_PUSH, MOST_PUSH = 40.0, 3.0, 20.0  # [N]

LOOK = np.array([0.42, -0.08, 0.12])  # tip while looking [m]
HOVER = 0.12  # height of the tip over the grasp before it goes down [m]
_DOWN = np.diag([1.0, -1.0, -1.0])  # tool axis down
_T_BLOCK_GRASP = se3.pose_from_rotation_translation(_DOWN, [0.10, 0.025, 0.05])
_STIFFNESS = np.array([3000.0, 3000.0, 600.0, 150.0, 150.0, 150.0])  # [N/m], [N m/rad]
_DT = 2e-3  # [s]
_PUSH = 0.015  # how far below the surface the soft tool is led [m]


def run(seed: int, film: Film | None = None) -> TrialOutcome:
    """Return how one grasp went.

    Figures: "miss [m]", of the tip beside the taught point of the block; "angle [rad]",
    about the vertical; "miss by cloud [m]", where the pose of the cloud alone would
    have led; "peak [N]" and "push [N]", greatest and last force.
    """
    cell = make_cell(seed, film)
    q_look = _reach(cell, se3.pose_from_rotation_translation(_DOWN, LOOK), _GUESS)
    if q_look is None:
        return _failed(seed, "no way to look")
    cell.tell("goes where it can look")
    cell.go(q_look)
    sight = locate_block(cell)
    if sight is None:
        return _failed(seed, "no block found")
    T_hover = _T_BLOCK_GRASP @ se3.pose_from_rotation_translation(
        np.eye(3), [0.0, 0.0, -HOVER]
    )
    q_hover = _reach(cell, sight @ T_hover, cell.reading)
    if q_hover is None:
        return _failed(seed, "no way to the block")
    cell.tell("goes above the block as the cloud shows it")
    cell.go(q_hover)
    coarse, _ = _miss(cell)
    cell.tell("corrects itself by dots in the image")
    if not approach_by_image(cell, T_hover):
        return _failed(seed, "the dots were lost")
    cell.tell("goes down as a soft spring")
    peak, push = press_softly(cell)
    miss, angle = _miss(cell)
    figures = {
        "miss [m]": miss,
        "angle [rad]": angle,
        "miss by cloud [m]": coarse,
        "peak [N]": peak,
        "push [N]": push,
    }
    is_placed = miss < MAX_MISS and angle < MAX_ANGLE
    is_gentle = peak < MAX_PEAK and LEAST_PUSH < push < MOST_PUSH
    reason = "" if is_placed else "beside the point"
    reason = reason if is_gentle else f"{reason} not gentle".strip()
    return TrialOutcome(
        seed=seed, is_reached=is_placed and is_gentle, figures=figures, reason=reason
    )


def locate_block(cell: GraspCell) -> FloatArray | None:
    """Return T_base_block as a depth image shows it, shape (4, 4); None: not found."""
    z = cell.depth_image()
    v, u = np.nonzero(np.isfinite(z))
    rays = unproject(DEPTH_CAMERA, np.stack([u, v], axis=-1).astype(float))
    T_base_camera = cell.arm.forward(cell.reading) @ T_TOOL_CAMERA
    cloud = se3.transform_point(T_base_camera, rays * z[v, u][:, None])
    table = find_plane(cloud, tolerance=6e-3, rng=np.random.default_rng(0))
    if table is None:
        return None
    up = table.normal if table.normal[2] > 0.0 else -table.normal
    height = np.abs(table.distances(cloud)) * np.sign(
        (cloud - cloud[table.members].mean(axis=0)) @ up
    )
    is_above = height > 0.012
    above = cloud[is_above]
    shadow = above - height[is_above, None] * up  # steps in height do not separate
    template = _template()
    best: tuple[float, FloatArray] | None = None
    for group in cut_clusters(shadow, gap=0.012, min_points=40):
        things = above[group]
        things = things[are_inliers(things, count=8, alpha=2.0)]
        fit = _fit(things, template, level=float(np.median(cloud[table.members, 2])))
        if best is None or fit[0] < best[0]:
            best = fit
    if best is None or best[0] >= 8e-3:
        return None
    fitted = se3.transform_point(best[1], template.top)
    cell.tell("found the block", cloud=above, found=fitted)
    return best[1]


def approach_by_image(cell: GraspCell, T_block_tool: FloatArray) -> bool:
    """Move until the dots are where they were when the pose was shown."""
    wanted = cell.taught_dots(T_block_tool)
    T_camera_block = se3.inverse(T_block_tool @ T_TOOL_CAMERA)
    depth = se3.transform_point(T_camera_block, DOTS)[:, 2]
    dt = 0.05
    for _ in range(80):
        seen = cell.dots()
        if not np.isfinite(seen).all():
            return False
        twist = image_servo_twist(seen, wanted, depth, gain=2.0)
        T_base_camera = cell.arm.forward(cell.reading) @ T_TOOL_CAMERA
        R = T_base_camera[:3, :3]
        omega = R @ twist[3:]
        arm = T_base_camera[:3, 3] - cell.arm.forward(cell.reading)[:3, 3]
        v_tool = R @ twist[:3] - np.cross(omega, arm)
        qd = np.linalg.solve(cell.arm.jacobian(cell.reading), [*v_tool, *omega])
        cell.go(cell.reading + dt * qd, shown=dt)
    return True


def press_softly(cell: GraspCell) -> tuple[float, float]:
    """Go down as a spring until it pushes; return greatest and last force [N]."""
    T_start = cell.arm.forward(cell.reading)
    fast, slow = 0.1, 0.03  # [m/s]
    quick = (HOVER - 0.02) / fast
    whole = quick + (0.02 + _PUSH) / slow
    peak, push = 0.0, 0.0
    for k in range(int((whole + 0.5) / _DT)):
        t = min(k * _DT, whole)
        sunk = fast * min(t, quick) + slow * max(0.0, t - quick)
        speed = 0.0 if k * _DT >= whole else fast if t < quick else slow
        T_wanted = T_start.copy()
        T_wanted[:3, 3] += sunk * T_start[:3, 2]  # along the tool, as it was shown
        felt = tool_dynamics(cell.arm, cell.reading, cell.qd)
        M = cell.arm.mass_matrix(cell.reading) + np.diag(ROTORS)
        inertia = np.linalg.inv(felt.J @ np.linalg.solve(M, felt.J.T))
        damping = 2.0 * 0.8 * np.sqrt(_STIFFNESS * np.diag(inertia))
        rate = np.array([*(speed * T_start[:3, 2]), 0.0, 0.0, 0.0]) - felt.twist
        tau = impedance_torque(
            felt,
            pose_error(T_wanted, felt.T),
            rate,
            stiffness=_STIFFNESS,
            damping=damping,
        )
        push = cell.step(tau, _DT)
        peak = max(peak, push)
    return peak, push


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Template:
    """Points of what can be seen of the block from above, and their tree."""

    surface: KdTree
    top: FloatArray


def _template(step: float = 4e-3) -> _Template:
    """Return points of the block's faces; those of its top, too."""
    points, tops = [], []
    for low, high in BLOCK:
        grid = [np.arange(a, b + 1e-9, step) for a, b in zip(low, high, strict=True)]
        box = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 3)
        is_top = box[:, 2] >= grid[2][-1] - 1e-9
        is_side = ((box <= low + 1e-9) | (box >= high - step))[:, :2].any(axis=1)
        top = box[is_top] + [0.0, 0.0, high[2] - grid[2][-1]]
        points += [top, box[is_side & ~is_top]]
        tops.append(top)
    return _Template(surface=KdTree(np.concatenate(points)), top=np.concatenate(tops))


def _fit(
    things: FloatArray, template: _Template, *, level: float
) -> tuple[float, FloatArray]:
    """Return how badly points are the block [m], and the block's pose in the base.

    ICP starts from twelve directions, first of the points towards the block, then of
    its top towards the points: only the second centres what is seen a little too
    small. What counts is how far each is from the other: a smaller thing fits into
    the block, but does not cover it; most points must be near, not all, for a
    neighbour may touch it.
    """
    middle = things.mean(axis=0)
    scene = KdTree(things)
    best: tuple[float, FloatArray] = (np.inf, np.eye(4))
    for yaw in np.arange(12) * (np.pi / 6.0):
        R = so3.rot_z(yaw)
        start = np.array([0.06, 0.045, 0.0]) - R @ [middle[0], middle[1], level]
        found = align_clouds(
            things,
            template.surface,
            T_start=se3.pose_from_rotation_translation(R, start),
            cfg=IcpCfg(max_distance=0.05, max_iterations=60, tolerance=1e-5),
        )
        back = align_clouds(
            template.top,
            scene,
            T_start=se3.inverse(found.T_target_source),
            cfg=IcpCfg(max_distance=0.05, max_iterations=40, tolerance=1e-5),
        )
        T_base_block = back.T_target_source
        gap = scene.nearest(se3.transform_point(T_base_block, template.top))[0]
        seen = se3.transform_point(se3.inverse(T_base_block), things)
        off = template.surface.nearest(seen)[0]
        score = float(np.median(off) + np.mean(np.minimum(gap, 0.03)))
        if score < best[0]:
            best = (score, T_base_block)
    return best


_GUESS = np.array([0.0, 0.8, -2.6, 0.0, 1.0, 0.0])


def _reach(cell: GraspCell, T: FloatArray, q0: FloatArray) -> FloatArray | None:
    """Return angles that bring the tip to a pose, near q0; None: there are none."""
    found = cell.arm.inverse(T, q0=q0)
    return np.array(found.q) if found.converged else None


def _miss(cell: GraspCell) -> tuple[float, float]:
    """Return how far beside the taught point the tip is [m], and turned [rad]."""
    T_block_tool = se3.inverse(cell.T_base_block) @ cell.arm.forward(cell.q)
    off = se3.inverse(_T_BLOCK_GRASP) @ T_block_tool
    return float(np.hypot(*off[:2, 3])), float(abs(so3.log(off[:3, :3])[2]))


def _failed(seed: int, reason: str) -> TrialOutcome:
    return TrialOutcome(seed=seed, is_reached=False, figures={}, reason=reason)
