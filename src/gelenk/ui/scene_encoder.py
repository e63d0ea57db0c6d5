"""Encoder of a world for the page: one `Scene`, then a `Frame` per picture."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gelenk.sim.appearance import Appearance, LookBody
from gelenk.sim.fixed_objects import Ground
from gelenk.sim.renderer_view import RendererView, WorldPicture
from gelenk.sim.zones import LightBarrier
from gelenk.spatial.quaternion import rotate
from gelenk.typing import FloatArray
from gelenk.ui import messages
from gelenk.ui.default_appearance import Dresser
from gelenk.ui.frames import Frame

MARGIN = 0.5  # [m] of floor around everything where no border is said


def make_floor(
    ground: Ground | None,
    low: FloatArray,
    high: FloatArray,
    paints: Sequence[messages.Patch] = (),
) -> messages.Floor:
    """Return the floor: the border of the ground, or room for everything.

    Args:
        ground: The ground; None: a plain floor.
        low: Lowest corner of everything [m], shape (3,).
        high: Highest corner, shape (3,).
        paints: Areas over the tiles.
    """
    tile = ground.tile_size if ground is not None else 0.5
    if ground is not None and ground.border is not None:
        corners = ground.border.corners
        start, end = corners.min(axis=0), corners.max(axis=0)
    else:
        start = np.floor((low[:2] - MARGIN) / tile) * tile
        end = np.ceil((high[:2] + MARGIN) / tile) * tile
    patches = [] if ground is None else _tiles(ground, start, end)
    return messages.Floor(
        low=(float(start[0]), float(start[1])),
        high=(float(end[0]), float(end[1])),
        tile=tile,
        patches=(*patches, *paints),
    )


def _tiles(ground: Ground, start: FloatArray, end: FloatArray) -> list[messages.Patch]:
    """Return coloured tiles; neighbours of one colour along x become one area."""
    colors = {(tile.row, tile.column): tile.rgba for tile in ground.tiles}
    patches: list[messages.Patch] = []
    done: set[tuple[int, int]] = set()
    for (row, column), rgba in sorted(colors.items()):
        if (row, column) in done:
            continue
        last = column
        while colors.get((row, last + 1)) == rgba:
            last += 1
        done |= {(row, i) for i in range(column, last + 1)}
        size = ground.tile_size
        x1, y1 = start[0] + size * column, start[1] + size * row
        x2, y2 = min(start[0] + size * (last + 1), end[0]), min(y1 + size, end[1])
        corners = (x1, y1, x2, y1, x2, y2, x1, y2)
        patch = messages.Patch(corners=tuple(float(c) for c in corners), rgba=rgba)
        patches.append(patch)
    return patches


MAX_EDGE = 50.0  # [m] of a floor without a border, and of what is looked at
VIEW_DIRECTION = (0.45, -0.75, 0.55)  # from the focus to the eye
VIEW_SHARE = 2.1  # distance of the eye in radii of what is seen
MIN_RADIUS = 0.4  # [m]
_SIGNS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
UNKNOWN_SPEED = 1.0  # [rad/s], [m/s], taken for the top speed where nobody states one


class SceneEncoder:
    """Everything that is needed to show one world.

    Attributes:
        sight: Looks at the world.
        scene: Message that the page gets once.
        assets: Meshes and textures that it names.
        missing: Names of the bodies some mesh of which cannot be read.

    Args:
        sight: Looks at the world; the bodies it shows are chosen here.
        scene: Number, name, title, summary, step, period and panel; what is seen is
            added.
        zone_texts: Texts that zones send, by name of the zone, for people.
        paints: Areas on the floor that the world knows nothing of.
    """

    def __init__(
        self,
        sight: RendererView,
        scene: messages.Scene,
        *,
        zone_texts: Mapping[str, str] | None = None,
        paints: Sequence[messages.Patch] = (),
    ) -> None:
        self.sight = sight
        appearance = sight.appearance
        dresser = Dresser(appearance)
        dressed = dresser.dress_bodies()
        self.assets, self.missing = dresser.assets, tuple(dresser.missing)
        shown = [body for body in appearance.bodies if _is_shown(body, appearance)]
        sight.show([body.id for body in shown])
        bodies = [
            messages.Body(
                name=body.name,
                group=body.group,
                robot=body.robot,
                shapes=dressed[body.name],
            )
            for body in shown
        ]
        bodies += [
            messages.Body(name=f"camera:{camera.name}", group="fixed")
            for camera in appearance.cameras
        ]
        picture = sight.picture(sight.row())
        low, high = _extent(appearance, bodies, picture)
        focus, eye = _view(low, high)
        self.scene = replace(
            scene,
            bodies=tuple(bodies),
            joints=_joints(appearance),
            zones=_zones(appearance, zone_texts or {}),
            floor=make_floor(appearance.ground, low, high, paints),
            cameras=_cameras(appearance),
            belts=_belts(sight),
            focus=focus,
            eye=eye,
        )
        speeds = np.array([joint.max_speed for joint in appearance.joints])
        self._max_speed = np.where(np.isfinite(speeds), speeds, UNKNOWN_SPEED)

    def frame(
        self,
        tick: int,
        row: NDArray[np.float32],
        contacts: FloatArray | None = None,
    ) -> Frame:
        """Return the picture of a row that was taken at a tick.

        Args:
            tick: Physics tick.
            row: Row of `RendererView.row`.
            contacts: Points and forces, shape (c, 6).
        """
        picture = self.sight.picture(row)
        return Frame(
            scene=self.scene.number,
            time=tick * self.scene.step,
            tick=tick,
            poses=picture.poses,
            values=picture.values,
            shares=picture.speeds / self._max_speed,
            contacts=np.zeros((0, 6)) if contacts is None else contacts,
            travels=picture.travels,
        )


def _is_shown(body: LookBody, appearance: Appearance) -> bool:
    """Return whether a body has something to see, a motor, or is a robot's tip."""
    if body.shapes:
        return True
    if not body.robot:
        return False
    is_moved = any(joint.body == body.name for joint in appearance.joints)
    own = [other for other in appearance.bodies if other.robot == body.robot]
    return is_moved or body.id in (own[0].id, own[-1].id)


def _joints(appearance: Appearance) -> tuple[messages.Joint, ...]:
    return tuple(
        messages.Joint(
            name=joint.name,
            robot=joint.robot,
            body=joint.body,
            unit="m" if joint.is_linear else "rad",
            minimum=_finite(joint.low),
            maximum=_finite(joint.high),
            max_speed=_finite(joint.max_speed),
        )
        for joint in appearance.joints
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _zones(
    appearance: Appearance, texts: Mapping[str, str]
) -> tuple[messages.Zone, ...]:
    zones: list[messages.Zone] = []
    for zone in appearance.zones:
        text, top = texts.get(zone.name, ""), zone.heights[1]
        height = top if math.isfinite(top) else 0.1
        if isinstance(zone, LightBarrier):
            points = (*zone.start, *zone.end)
            item = messages.Zone(
                name=zone.name,
                form="barrier",
                on="cross",
                points=points,
                height=height,
                text=text,
            )
        else:
            item = messages.Zone(
                name=zone.name,
                form="circle",
                on=zone.on,
                points=tuple(zone.center),
                radius=zone.radius,
                height=height,
                text=text,
            )
        zones.append(item)
    return tuple(zones)


def _belts(sight: RendererView) -> tuple[messages.Belt, ...]:
    return tuple(
        messages.Belt(
            name=belt.name,
            corners=tuple(round(float(value), 5) for value in belt.corners.ravel()),
            along=_as_vec3(belt.along),
        )
        for belt in sight.belts
    )


def _cameras(appearance: Appearance) -> tuple[messages.Camera, ...]:
    return tuple(
        messages.Camera(
            name=camera.name,
            body=f"camera:{camera.name}",
            width=camera.width,
            height=camera.height,
            fov_y=camera.fov_y,
        )
        for camera in appearance.cameras
    )


def _extent(
    appearance: Appearance, bodies: Sequence[messages.Body], picture: WorldPicture
) -> tuple[FloatArray, FloatArray]:
    """Return the corners of a box around everything that is seen [m]."""
    lows, highs = [np.zeros(3)], [np.zeros(3)]
    for body, pose in zip(bodies, picture.poses, strict=True):
        if np.abs(pose[:3]).max() > MAX_EDGE:
            continue
        for shape in body.shapes:
            if shape.role == "collision":
                continue
            corners = corners_of(shape.shape, shape.size, shape.bounds)
            corners = rotate(shape.quaternion, corners) + shape.position
            corners = rotate(pose[3:], corners) + pose[:3]
            lows.append(corners.min(axis=0))
            highs.append(corners.max(axis=0))
    for zone in appearance.zones:
        is_line = isinstance(zone, LightBarrier)
        points = [zone.start, zone.end] if is_line else [zone.center]
        for x, y in points:
            lows.append(np.array([x, y, 0.0]))
            highs.append(np.array([x, y, 0.0]))
    return np.min(lows, axis=0), np.max(highs, axis=0)


def corners_of(
    kind: str, size: Sequence[float], bounds: Sequence[float] = ()
) -> FloatArray:
    """Return points in the frame of a shape between which all of it lies, (n, 3).

    Args:
        kind: Kind of `messages.Shape`.
        size: Size of `messages.Shape` [m].
        bounds: Lowest and highest corner of a mesh [m].
    """
    match kind:
        case "mesh":
            if not len(bounds):
                return np.zeros((1, 3))
            low, high = np.reshape(bounds, (2, 3))
            return 0.5 * (low + high) + 0.5 * (high - low) * _SIGNS
        case "sphere":
            half = np.full(3, size[0])
        case "ellipsoid":
            half = np.array(size)
        case "capsule" | "cylinder":
            cap = size[0] if kind == "capsule" else 0.0
            half = np.array([size[0], size[0], 0.5 * size[1] + cap])
        case _:  # box, plane
            half = 0.5 * np.array([*size, 0.0][:3])
    return _SIGNS * half


def _view(low: FloatArray, high: FloatArray) -> tuple[messages.Vec3, messages.Vec3]:
    """Return focus and eye so that a box fits into the picture."""
    low = np.maximum(low, [-np.inf, -np.inf, 0.0])
    center = 0.5 * (low + high)
    radius = max(0.5 * float(np.linalg.norm(high - low)), MIN_RADIUS)
    along = np.array(VIEW_DIRECTION) / np.linalg.norm(VIEW_DIRECTION)
    eye = center + VIEW_SHARE * radius * along
    return _as_vec3(center), _as_vec3(eye)


def _as_vec3(point: FloatArray) -> messages.Vec3:
    x, y, z = (round(float(value), 4) for value in point)
    return x, y, z
