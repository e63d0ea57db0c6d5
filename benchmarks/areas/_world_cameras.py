"""How many image pairs two simulated cameras deliver, and how exact they are."""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import mujoco
import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.sim.bridge.cameras import add_board, add_camera, add_surroundings
from gelenk.sim.bridge.shapes import add_object, new_spec
from gelenk.sim.cameras.boards import Chessboard
from gelenk.sim.cameras.description import Camera, SensorNoise, looking_at
from gelenk.sim.cameras.gl import RenderError, describe_renderer
from gelenk.sim.cameras.rig import CameraRig
from gelenk.sim.objects import Box, Ground
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics, project, unproject

PAIRS_PER_SECOND = 50.0
POINT_ERROR = 0.05  # [px]
STEP, RATE = 0.001, 50.0  # [s], [1/s]
GRAY = Intrinsics.from_field_of_view(width=780, height=580, horizontal=np.deg2rad(57))
BASELINE = 0.52  # [m]
WARM_UP = 3  # pairs that compile kernels and draw what is fixed
_SPHERE, _CAPSULE = mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_CAPSULE


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """What a run of image pairs cost.

    Attributes:
        wall: Seconds per pair.
        cpu: Seconds of all cores per pair.
        stages: Wall seconds per pair and stage, both cameras together.
    """

    wall: float
    cpu: float
    stages: dict[str, float]


def camera_pairs(settings: Settings) -> Iterator[Row]:
    """Time synchronous pairs of 780 x 580 gray images of a room with moving bodies."""
    name = "camera_pairs"
    try:
        renderer = describe_renderer()
    except RenderError as error:
        yield Row(name=name, value=None, unit="1/s", note=str(error))
        return
    count = settings.pick(150, 30)
    runs = {
        "cached": measure_pairs(count=count),
        "full": measure_pairs(count=max(count // 6, 5), method="full"),
        "coarse": measure_pairs(count=max(count // 6, 5), method="full", samples=1),
    }
    cached = runs["cached"]
    stages = ", ".join(f"{k} {1e3 * v:.1f}" for k, v in cached.stages.items())
    yield Row(
        name=name,
        value=1.0 / cached.wall,
        unit="1/s",
        target=PAIRS_PER_SECOND,
        direction=">=",
        peers={
            "everything drawn anew": 1.0 / runs["full"].wall,
            "likewise, one ray per pixel": 1.0 / runs["coarse"].wall,
        },
        note=(
            f"{renderer}; blur, noise, 4 rays per pixel; wall ms per pair, both "
            f"cameras: {stages}; load of the machine {os.getloadavg()[0]:.1f}"
        ),
    )
    yield Row(
        name="camera_pair_cpu",
        value=1e3 * cached.cpu,
        unit="ms",
        target=1e3 * (os.cpu_count() or 1) / PAIRS_PER_SECOND,
        peers={
            "everything drawn anew": 1e3 * runs["full"].cpu,
            "likewise, one ray per pixel": 1e3 * runs["coarse"].cpu,
        },
        note="time of all cores per pair; other work on the machine hardly changes it",
    )


def rendered_point_error(settings: Settings) -> Row:
    """Measure how far rendered spheres stand from where they are projected."""
    lenses = (
        Intrinsics(width=780, height=580, fx=718.3, fy=650.1, cx=351.2, cy=325.7),
        Intrinsics(
            width=780, height=580, fx=600.0, fy=610.0, cx=380.0, cy=300.0,
            distortion=(-0.28, 0.11, 0.0012, -0.0008, -0.02),
        ),
    )  # fmt: skip
    try:
        errors = [sphere_errors(lens, settings.rng()) for lens in lenses]
    except RenderError as error:
        return Row(name="rendered_point_error", value=None, unit="px", note=str(error))
    rms = [float(np.sqrt((e**2).mean())) for e in errors]
    return Row(
        name="rendered_point_error",
        value=max(float(np.abs(e).max()) for e in errors),
        unit="px",
        target=POINT_ERROR,
        note=(
            "worst of 2 x 240 spheres of 6 px radius all over the image, 16 rays per "
            f"pixel; rms {rms[0]:.4f} px without, {rms[1]:.4f} px with distortion"
        ),
    )


def measure_pairs(*, count: int, **changes: Any) -> Throughput:
    """Return what pairs cost in the room of `camera_room`.

    Args:
        count: Pairs.
        **changes: Fields of both cameras.
    """
    cameras = stereo_pair(**changes)
    model, data = camera_room(cameras)
    period = round(1.0 / (RATE * STEP))
    wall = cpu = 0.0
    stages: dict[str, float] = {}
    with CameraRig(model, cameras, step=STEP, seed=0) as rig:
        for frame in range(WARM_UP + count):
            for tick in range(frame * period, (frame + 1) * period):
                _throw(data, tick * STEP)
                rig.capture(tick, data)
            if frame == WARM_UP:
                stages = {stage: -spent for stage, spent in rig.seconds().items()}
                wall, cpu = 0.0, 0.0
            wall -= time.perf_counter()
            cpu -= time.process_time()
            rig.images((frame + 1) * period)
            wall += time.perf_counter()
            cpu += time.process_time()
        for stage, spent in rig.seconds().items():
            stages[stage] = (stages[stage] + spent) / count
    return Throughput(wall=wall / count, cpu=cpu / count, stages=stages)


def stereo_pair(**changes: Any) -> tuple[Camera, Camera]:
    """Return the two cameras, on a baseline, looking at balls in flight."""
    left, right = (
        Camera(
            name=name,
            intrinsics=GRAY,
            T_parent_camera=looking_at([x, 0.0, 0.8], [0.0, 3.0, 1.4]),
            rate=RATE,
            blur=0.7,
            noise=SensorNoise(),
            samples=2,
        )
        for name, x in (("left", -BASELINE / 2.0), ("right", BASELINE / 2.0))
    )
    return replace(left, **changes), replace(right, **changes)


def camera_room(cameras: tuple[Camera, ...]) -> tuple[Any, Any]:
    """Return a room of 40 boxes with two flying balls and a swinging bat."""
    rng = np.random.default_rng(0)
    spec = new_spec()
    add_surroundings(spec)
    add_object(spec, Ground())
    for i in range(40):
        size = rng.uniform(0.2, 0.9, 3)
        place = rng.uniform(-4.0, 4.0), rng.uniform(3.0, 9.0), size[2] / 2.0
        color = (*rng.uniform(0.2, 0.9, 3), 1.0)
        add_object(
            spec, Box(name=f"box{i}", size=tuple(size), position=place, rgba=color)
        )
    T_world_board = looking_at([-0.9, 2.4, 0.9], [0.0, 0.0, 0.8])
    T_world_board[:3, :2] *= -1.0  # z stays: toward who looks at it
    add_board(spec, Chessboard(name="board", T_parent_board=T_world_board))
    for name, color in (("orange", (0.9, 0.5, 0.1, 1.0)), ("white", (0.9,) * 3 + (1,))):
        ball = spec.worldbody.add_body(name=name, pos=(0.0, 3.0, 1.0))
        ball.add_freejoint()
        ball.add_geom(type=_SPHERE, size=(0.0605, 0.0, 0.0), rgba=color)
    bat = spec.worldbody.add_body(name="bat", pos=(0.1, 1.1, 0.7))
    bat.add_joint(name="swing", axis=(0.0, 1.0, 0.0))
    bat.add_geom(
        type=_CAPSULE, fromto=(0, 0, 0, 0, 0, 0.6), size=(0.008, 0, 0),
        rgba=(0.2, 0.2, 0.2, 1.0),
    )  # fmt: skip
    bat.add_geom(
        type=_SPHERE, pos=(0, 0, 0.72), size=(0.125, 0, 0), rgba=(0.8, 0.2, 0.2, 1.0)
    )
    for camera in cameras:
        add_camera(spec, camera)
    model = spec.compile()
    return model, mujoco.MjData(model)


def _throw(data: Any, t: float) -> None:
    """Put balls on a throw that repeats each second, and swing the bat."""
    phase = t % 1.0
    height = 1.5 + 4.0 * phase - 4.9 * phase**2
    data.qpos[0:3] = (0.3 - 0.2 * phase, 5.5 - 4.5 * phase, height)
    data.qpos[7:10] = (-0.4 + 0.2 * phase, 5.0 - 4.0 * phase, height + 0.1)
    data.qpos[14] = 0.5 * np.sin(2.0 * np.pi * t)


def sphere_errors(lens: Intrinsics, rng: np.random.Generator) -> FloatArray:
    """Return where glowing spheres are seen less where they should be [px], (n, 2)."""
    u, v = np.meshgrid(
        np.linspace(16, lens.width - 17, 20), np.linspace(16, lens.height - 17, 12)
    )
    uv = np.stack([u.ravel(), v.ravel()], axis=1)
    uv += rng.uniform(-0.5, 0.5, uv.shape)
    depth = rng.uniform(0.8, 3.0, len(uv))
    p_camera = unproject(lens, uv) * depth[:, None]
    radii = 6.0 * depth / lens.fx
    T_world_camera = looking_at([0.3, -0.2, 0.7], [1.3, 2.0, 0.9])
    spec = mujoco.MjSpec()
    spec.visual.headlight.active = 0
    spec.stat.extent = 1.0
    spec.add_material(name="glow", emission=1.0, specular=0.0, rgba=(1, 1, 1, 1))
    for p, r in zip(p_camera, radii, strict=True):
        position = T_world_camera[:3, :3] @ p + T_world_camera[:3, 3]
        spec.worldbody.add_geom(
            type=_SPHERE, size=(r, 0, 0), pos=position, material="glow"
        )
    eye = Camera(name="eye", intrinsics=lens, T_parent_camera=T_world_camera, samples=4)
    add_camera(spec, eye)
    model = spec.compile()
    with CameraRig(model, [eye], step=STEP, seed=0) as rig:
        image = rig.look("eye", mujoco.MjData(model)).pixels.astype(float)
    errors = []
    for p, r in zip(p_camera, radii, strict=True):
        wanted = _outline_centroid(lens, p, r)
        left, top = np.maximum(np.rint(wanted).astype(int) - 11, 0)
        part = image[top : top + 23, left : left + 23]
        y, x = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
        seen = np.array([(part * x).sum(), (part * y).sum()]) / part.sum()
        errors.append(seen - wanted)
    return np.array(errors)


def _outline_centroid(lens: Intrinsics, p: FloatArray, r: float) -> FloatArray:
    """Return the middle of the area inside of a sphere's outline [px], (2,)."""
    distance = np.linalg.norm(p)
    axis = p / distance
    across = np.cross(axis, [0.0, 0.0, 1.0])
    across /= np.linalg.norm(across)
    t = np.linspace(0.0, 2.0 * np.pi, 400, endpoint=False)[:, None]
    ring = np.cos(t) * across + np.sin(t) * np.cross(axis, across)
    ring = r * np.sqrt(1.0 - (r / distance) ** 2) * ring
    x, y = project(lens, axis * (distance - r**2 / distance) + ring).T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    sums = [((s + np.roll(s, -1)) * cross).sum() for s in (x, y)]
    return np.array(sums) / (3.0 * cross.sum())
