"""Draw the pictures of the page's gallery: each scene as the page shows it.

Usage:
    python docs/pictures/make_gallery.py [SCENE ...]
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from gelenk.robots.armbot.view.png import encode_png

from gelenk.robots.armbot.view import meshes, native
from gelenk.robots.armbot.view.camera import OrbitCamera, camera_for
from gelenk.robots.armbot.view.parts import Drawable, Part
from gelenk.runtime.controls import SetPaceRequest
from gelenk.runtime.panel import (
    Overlay,
    WorldPath,
    WorldPoints,
    WorldSpheres,
    WorldTube,
)
from gelenk.runtime.registry import list_scenes
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.typing import FloatArray
from gelenk.ui.frames import unpack_frame
from gelenk.ui.gallery import PICTURES
from gelenk.ui.messages import Floor, Scene, Shape
from gelenk.ui.scene_session import SceneSession

WIDTH, HEIGHT = 480, 300  # [px]
LEVELS = 4  # brightness is rounded to these: half the size, and nobody sees it
MOMENTS = {  # [s] simulated, when there is something to see
    "armbot/handover": 6.0,
    "armbot/line": 12.0,
    "armbot/pallet": 14.0,
    "armbot/pick_place": 5.0,
    "armbot/slope": 3.2,
    "armbot/sorting": 15.4,
    "armbot/student": 0.5,
    "armbot/tower": 33.0,
    "hall": 6.0,
    "billiards": 2.0,
    "bounce": 1.1,
    "belt": 5.0,
    "flight": 0.55,
    "cameras": 2.0,
    "nao/calibrate": 9.3,
    "nao/stretch": 6.0,
    "piggy/play": 3.0,
    "piggy/game": 3.4,
    "amee/walk": 5.4,
    "amee/leg": 4.6,
    "course/arm_cell": 5.4,
    "course/window": 3.6,
    "course/elastic_arm": 3.2,
    "course/camera_grasp": 8.4,
    "course/humanoid": 5.0,
    "course/museum": 40.0,
    "course/soccer": 12.0,
    "course/rover": 20.0,
    "course/avatar": 8.0,
}
# Shown from where the page looks: what stands far aside is left out.
AS_ON_PAGE = (
    "nao/calibrate",
    "nao/stretch",
    "piggy/play",
    "piggy/game",
    "amee/walk",
    "amee/leg",
)
NARROW = 0.82  # of the page's distance: a card is small
USUAL = 1.2  # [s]
LIGHT, DARK = (232, 234, 238), (214, 218, 225)  # tiles
MAX_TILES = 4000
NUM_BEADS, BEAD = 200, 0.009  # of a line, and their radius as a share of its extent
OVERLAY_COLORS = {
    "measured": (0.97, 0.42, 0.08),
    "bad": (0.88, 0.22, 0.22),
    "warning": (0.95, 0.70, 0.10),
    "good": (0.20, 0.65, 0.35),
    "neutral": (0.5, 0.55, 0.6),
    "one": (0.05, 0.55, 1.0),
    "two": (0.97, 0.42, 0.08),
    "model": (0.45, 0.85, 1.0),
    "three": (0.20, 0.65, 0.35),
    "four": (0.60, 0.40, 0.80),
    "target": (0.84, 0.25, 0.62),
}


def main() -> None:
    """Write one picture per scene, or those that are named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    scenes = list_scenes()
    for name in sys.argv[1:] or scenes:
        show = SceneSession(1, scenes[name], 0, {})
        try:
            run = show.live.run
            run.do(SetPaceRequest(pace=None))
            run.run(MOMENTS.get(name, USUAL))
            show.look()
            frame, _ = unpack_frame(show.latest_frame())
            drawn = [*floor_parts(show.scene.floor), *body_parts(show.scene, frame)]
            if show.live.exhibit is not None:
                drawn += overlay_parts(show.live.exhibit.overlays())
            scene = show.scene
        finally:
            show.close(print)
        is_near = name in AS_ON_PAGE or name.startswith("course/")
        camera = page_camera(scene) if is_near else camera_of(drawn)
        image = native.render(drawn, camera, width=WIDTH, height=HEIGHT, samples=3)
        image = (image // LEVELS * LEVELS + LEVELS // 2).astype(np.uint8)
        path = PICTURES / f"{name.replace('/', '-')}.png"
        path.write_bytes(encode_png(image))
        print(f"{path.relative_to(Path.cwd())}: {path.stat().st_size / 1000:.0f} kB")


def page_camera(scene: Scene) -> OrbitCamera:
    """Return the camera with which the page begins, a little nearer."""
    x, y, z = np.subtract(scene.eye, scene.focus)
    return OrbitCamera(
        focus=scene.focus,
        distance=NARROW * math.hypot(x, y, z),
        azimuth=math.atan2(y, x),
        elevation=math.atan2(z, math.hypot(x, y)),
    )


def camera_of(drawn: list[Drawable]) -> OrbitCamera:
    """Return a camera that sees everything but the floor."""
    points = [
        item.part.mesh.points @ item.T_world_part[:3, :3].T + item.T_world_part[:3, 3]
        for item in drawn
        if item.part.kind != "floor"
    ]
    return camera_for(np.concatenate(points))


def body_parts(scene: Scene, frame: Any) -> list[Drawable]:
    """Return all shapes where they are."""
    drawn: list[Drawable] = []
    for body, pose in zip(scene.bodies, frame.poses, strict=True):
        for shape in body.shapes:
            T = _pose(pose[:3], pose[3:]) @ _pose(shape.position, shape.quaternion)
            drawn.append(_drawable(body.name, mesh_of(shape), shape.rgba, T))
    return drawn


def overlay_parts(overlays: Iterable[Overlay]) -> list[Drawable]:
    """Return points, lines, tubes and spheres of an exhibit as chains of balls."""
    drawn: list[Drawable] = []
    for item in overlays:
        match item:
            case WorldPoints(at=at, radius=radius):
                places, radii, alpha = at, np.full(len(at), radius), 1.0
            case WorldPath(at=at):
                places, alpha = _beads(at), 1.0
                radii = np.full(len(places), BEAD * float(np.ptp(at, axis=0).max()))
            case WorldTube(at=at, radii=radii):
                places, alpha = at, 0.5
            case WorldSpheres(centers=places, radii=radii, opacity=alpha):
                pass
            case _:
                continue
        rgba = (*OVERLAY_COLORS[item.color], alpha)
        for place, radius in zip(places, radii, strict=True):
            T = _pose(place, (1.0, 0.0, 0.0, 0.0))
            ball = meshes.sphere(radius)
            drawn.append(_drawable(item.name, ball, rgba, T, kind="floor"))
    return drawn


def _beads(path: FloatArray) -> FloatArray:
    """Return `NUM_BEADS` points along a path, evenly, shape (n, 3)."""
    way = np.cumsum([0.0, *np.linalg.norm(np.diff(path, axis=0), axis=1)])
    places = np.linspace(0.0, way[-1], NUM_BEADS)
    return np.column_stack([np.interp(places, way, path[:, k]) for k in range(3)])


def floor_parts(floor: Floor) -> list[Drawable]:
    """Return tiles and paints."""
    drawn: list[Drawable] = []
    (x1, y1), (x2, y2) = floor.low, floor.high
    counts = [math.ceil((b - a) / floor.tile - 1e-9) for a, b in ((x1, x2), (y1, y2))]
    if counts[0] * counts[1] > MAX_TILES:
        counts = [0, 0]
    tiles: dict[int, list[meshes.Mesh]] = {0: [], 1: []}
    for i in range(counts[0]):
        for j in range(counts[1]):
            x, y = x1 + i * floor.tile, y1 + j * floor.tile
            right, top = min(x + floor.tile, x2), min(y + floor.tile, y2)
            outline = np.array([[x, y], [right, y], [right, top], [x, top]])
            tiles[(i + j) % 2].append(meshes.plate(outline))
    for kind, color in enumerate((LIGHT, DARK)):
        if tiles[kind]:
            rgba = (*(channel / 255.0 for channel in color), 1.0)
            mesh = meshes.joined(tiles[kind])
            drawn.append(_drawable("floor", mesh, rgba, np.eye(4), kind="floor"))
    for k, patch in enumerate(floor.patches):
        outline = np.reshape(patch.corners, (-1, 2))
        mesh = meshes.plate(outline, 3e-4 * (k + 1))
        drawn.append(_drawable("paint", mesh, patch.rgba, np.eye(4), kind="floor"))
    return drawn


def mesh_of(shape: Shape) -> meshes.Mesh:
    """Return the triangles of a shape."""
    match shape.shape:
        case "box":
            return meshes.box(shape.size)
        case "sphere":
            return meshes.sphere(shape.size[0])
        case "capsule":
            return meshes.capsule(shape.size[0], shape.size[1])
        case "cylinder":
            return meshes.cylinder(shape.size[0], shape.size[1])
        case "ellipsoid":
            ball, axes = meshes.sphere(1.0), np.array(shape.size)
            normals = ball.normals / axes
            normals /= np.linalg.norm(normals, axis=1, keepdims=True)
            return meshes.Mesh(
                points=ball.points * axes, normals=normals, triangles=ball.triangles
            )
        case "plane":
            x, y = (0.5 * edge for edge in shape.size)
            return meshes.plate(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]))
        case "mesh":
            vertices = np.reshape(shape.vertices, (-1, 3))
            triangles = np.reshape(shape.triangles, (-1, 3))
            return meshes.joined([meshes.flat(vertices[t]) for t in triangles])


def _drawable(
    name: str, mesh: meshes.Mesh, rgba: Any, T: FloatArray, kind: Any = "obstacle"
) -> Drawable:
    red, green, blue, alpha = rgba
    color = (round(255 * red), round(255 * green), round(255 * blue))
    part = Part(
        name=name,
        kind=kind,
        mesh=mesh,
        color=color,
        alpha=alpha,
        has_shadow=kind != "floor" and alpha > 0.5,
    )
    return Drawable(part, T, color, None)


def _pose(position: Any, quaternion: Any) -> FloatArray:
    T = np.eye(4)
    T[:3, :3] = matrix_from_quaternion(quaternion)
    T[:3, 3] = position
    return T


if __name__ == "__main__":
    main()
