"""Small scenes for the tests of rendered cameras."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from gelenk.sim.bridge.cameras import add_camera, add_surroundings
from gelenk.sim.cameras.description import Camera, looking_at
from gelenk.vision.camera import Intrinsics

SMALL = Intrinsics(width=160, height=120, fx=140.0, fy=140.0, cx=79.5, cy=59.5)
SPHERE, BOX = mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_BOX
CAPSULE = mujoco.mjtGeom.mjGEOM_CAPSULE
PLANE = mujoco.mjtGeom.mjGEOM_PLANE


def compiled(spec: Any) -> tuple[Any, Any]:
    """Return model and data, positions up to date."""
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def empty_spec() -> Any:
    """Return a world without any light: only what glows is seen."""
    spec: Any = mujoco.MjSpec()
    spec.visual.headlight.active = 0
    spec.stat.extent = 1.0
    spec.add_material(name="glow", emission=1.0, specular=0.0, rgba=(1, 1, 1, 1))
    return spec


def add_free_body(
    spec: Any, name: str, kind: Any, size: Sequence[float], position: Sequence[float],
    **options: Any,
) -> None:  # fmt: skip
    body = spec.worldbody.add_body(name=name, pos=position)
    body.add_freejoint()
    full = list(size) + [0.0] * (3 - len(size))
    body.add_geom(type=kind, size=full, **options)


def room(cameras: Sequence[Camera], seed: int = 0) -> tuple[Any, Any]:
    """Return a world with fixed boxes, and balls and boxes between that can move."""
    rng = np.random.default_rng(seed)
    spec: Any = mujoco.MjSpec()
    add_surroundings(spec)
    spec.worldbody.add_geom(type=PLANE, size=(20, 20, 1), rgba=(0.6, 0.65, 0.6, 1))
    for _ in range(12):
        half = rng.uniform(0.1, 0.4, 3)
        spec.worldbody.add_geom(
            type=BOX,
            size=half,
            pos=(rng.uniform(-2, 2), rng.uniform(1.5, 5), half[2]),
            rgba=(*rng.uniform(0.1, 0.9, 3), 1),
        )
    for i in range(5):
        kind = (SPHERE, BOX, CAPSULE)[i % 3]
        add_free_body(
            spec,
            f"thing{i}",
            kind,
            rng.uniform(0.05, 0.2, {SPHERE: 1, BOX: 3, CAPSULE: 2}[kind]),
            (rng.uniform(-1.5, 1.5), rng.uniform(1, 4), rng.uniform(0.2, 1.2)),
            rgba=(*rng.uniform(0.1, 0.9, 3), 1),
        )
    for camera in cameras:
        add_camera(spec, camera)
    return compiled(spec)


def make_camera(name: str = "eye", **changes: Any) -> Camera:
    """Return a small camera that looks into the room."""
    camera = Camera(
        name=name,
        intrinsics=SMALL,
        T_parent_camera=looking_at([0.0, -0.5, 0.7], [0.0, 3.0, 0.6]),
        samples=2,
    )
    return replace(camera, **changes)
