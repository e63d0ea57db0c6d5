"""From what an environment and its robots say to drawable parts.

Nothing here is simulated, and nothing simulated needs it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.config import TILE_SIZE
from gelenk.robots.armbot.environment import description as said
from gelenk.robots.armbot.view import meshes
from gelenk.robots.armbot.view.parts import Part
from gelenk.robots.armbot.view.robot_shapes import robot_parts
from gelenk.typing import FloatArray

LIGHT_TILE, DARK_TILE = (232, 234, 238), (214, 218, 225)
PLINTH = (150, 156, 168)
PLINTH_HEIGHT = 0.03  # [m]
PAINT_HEIGHT = 3e-4  # [m] above the floor, and between paints
MARGIN = 0.5  # [m] of floor around everything where no border is said
MAX_TILES = 20_000  # more are drawn as one area
TRIGGER_COLORS = {"enter": (40, 170, 90), "leave": (235, 130, 30), None: (215, 50, 60)}
TRIGGER_ALPHA = 0.30
MIN_TRIGGER_HEIGHT = 0.01  # [m]
STRIPE = 0.06  # [m], between two stripes of a belt
STRIPE_COLOR_SHARE = 0.72


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnRobot:
    """A robot to draw.

    Attributes:
        name: In the world.
        number: Decides its colour.
        model: Its links and their shapes.
        place: Where it stands on the floor [m].
    """

    name: str
    number: int
    model: RobotModel
    place: tuple[float, float] = (0.0, 0.0)


def make_parts(
    environment: said.Environment, robots: Sequence[DrawnRobot] = ()
) -> tuple[Part, ...]:
    """Return all parts of an environment and its robots.

    Frames are named as in the world: an object by its name, a link `robot0/link`.
    """
    low, high = floor_of(environment, [robot.place for robot in robots])
    parts = [
        *_floor(environment, low, high),
        *(_paint(paint, i) for i, paint in enumerate(environment.paints)),
        *(part for item in environment.obstacles for part in _obstacle(item)),
        *(_movable(item) for item in environment.movables),
        *(p for i, item in enumerate(environment.triggers) for p in _trigger(item, i)),
    ]
    for robot in robots:
        parts += robot_parts(robot.name, robot.number, robot.model)
    return tuple(parts)


def floor_of(
    environment: said.Environment, places: Sequence[said.Point2] = ()
) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the floor [m]: the border, or enough for everything."""
    if environment.border is not None:
        return np.array(environment.border.low), np.array(environment.border.high)
    points = [np.array([[-1.0, -1.0], [1.0, 1.0]])]
    room = np.array([[-0.5, -0.5], [0.5, 0.5]])  # [m] around a robot
    points += [np.array(place) + room for place in places]
    for item in (*environment.obstacles, *environment.paints):
        if isinstance(item, said.FixedSphere):
            points.append(np.array([item.center[:2]]))
        else:
            points.append(outline_of(item.plan))
    points += [np.array([item.center[:2]]) for item in environment.movables]
    everything = np.concatenate(points)
    low = np.floor((everything.min(axis=0) - MARGIN) / TILE_SIZE) * TILE_SIZE
    high = np.ceil((everything.max(axis=0) + MARGIN) / TILE_SIZE) * TILE_SIZE
    return low, high


def outline_of(plan: said.Plan) -> FloatArray:
    """Return the corners of a plan, shape (n, 2)."""
    match plan:
        case said.RectPlan(center=center, size=size):
            signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
            return np.array(center) + 0.5 * signs * np.array(size)
        case said.CirclePlan(center=center, radius=radius):
            return np.array(center) + radius * meshes.circle(2 * meshes.SIDES)
        case said.PolyPlan(points=points):
            return np.array(points, dtype=np.float64)


# -- the floor -------------------------------------------------------------------------


def _floor(
    environment: said.Environment, low: FloatArray, high: FloatArray
) -> list[Part]:
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    top, bottom = np.array([-1e-4, 0.0, 0.0]), np.array([-PLINTH_HEIGHT, 0.0, 0.0])
    parts = [
        Part(
            name="ground",
            kind="floor",
            mesh=meshes.prism(corners, bottom, top),
            color=PLINTH,
            has_shadow=False,
        )
    ]
    columns, rows = (
        max(math.ceil((high[k] - low[k]) / TILE_SIZE - 1e-9), 1) for k in range(2)
    )
    if columns * rows > MAX_TILES:
        tile = meshes.plate(corners)
        return [*parts, _tiles([tile], LIGHT_TILE)]
    by_color: dict[said.Color, list[meshes.Mesh]] = {}
    for i in range(columns):
        for j in range(rows):
            color = _tile_color(environment.tiles, i, j)
            by_color.setdefault(color, []).append(_tile(low, high, i, j))
    return [*parts, *(_tiles(tiles, color) for color, tiles in by_color.items())]


def _tile_color(tiles: Iterable[said.Tile], column: int, row: int) -> said.Color:
    """Return the colour of a tile: the last word of the file, or the checkerboard."""
    color = LIGHT_TILE if (column + row) % 2 == 0 else DARK_TILE
    for tile in tiles:
        if (
            tile.columns[0] <= column <= tile.columns[1]
            and tile.rows[0] <= row <= tile.rows[1]
        ):
            color = tile.color
    return color


def _tile(low: FloatArray, high: FloatArray, column: int, row: int) -> meshes.Mesh:
    start = low + TILE_SIZE * np.array([column, row])
    end = np.minimum(start + TILE_SIZE, high)
    corners = [
        (*start, 0.0),
        (end[0], start[1], 0.0),
        (*end, 0.0),
        (start[0], end[1], 0.0),
    ]
    return meshes.flat(np.array(corners))


def _tiles(tiles: Sequence[meshes.Mesh], color: said.Color) -> Part:
    return Part(
        name="ground",
        kind="floor",
        mesh=meshes.joined(tiles),
        color=color,
        has_shadow=False,
    )


def _paint(paint: said.Paint, index: int) -> Part:
    height = PAINT_HEIGHT * (index + 1)
    return Part(
        name=f"paint_{index + 1}",
        kind="paint",
        mesh=meshes.plate(outline_of(paint.plan), height),
        color=paint.color,
        alpha=paint.alpha,
        has_shadow=False,
    )


# -- things ----------------------------------------------------------------------------


def _obstacle(item: said.Obstacle | said.FixedSphere) -> list[Part]:
    common: dict[str, Any] = {
        "name": item.name,
        "kind": "obstacle",
        "color": item.color,
    }
    if isinstance(item, said.FixedSphere):
        T = np.eye(4)
        T[:3, 3] = item.center
        return [Part(mesh=meshes.sphere(item.radius), T_frame_part=T, **common)]
    outline = outline_of(item.plan)
    top = slanting_plane(outline, item.direction, item.top)
    if isinstance(item.plan, said.CirclePlan) and item.top[0] == item.top[1]:
        center = np.array(item.plan.center)
        radius, bottom = item.plan.radius, item.bottom[0]
        mesh = meshes.round_prism(center, radius, bottom, item.top[0])
    else:
        bottom = slanting_plane(outline, item.direction, item.bottom)
        mesh = meshes.prism(outline, bottom, top)
    parts = [Part(mesh=mesh, **common)]
    if item.belt is not None and isinstance(item.plan, said.RectPlan):
        parts.append(_stripes(item, item.plan, top))
    return parts


def slanting_plane(
    outline: FloatArray, direction: said.Axis, heights: tuple[float, float]
) -> FloatArray:
    """Return (a, b, c) of the height a + b x + c y over an outline [m].

    Args:
        outline: Corners, shape (n, 2).
        direction: Axis along which the height changes.
        heights: At the smallest and at the largest coordinate.
    """
    axis = 0 if direction == "x" else 1
    start, end = outline[:, axis].min(), outline[:, axis].max()
    plane = np.zeros(3)
    plane[1 + axis] = (heights[1] - heights[0]) / (end - start)
    plane[0] = heights[0] - plane[1 + axis] * start
    return plane


def _stripes(item: said.Obstacle, plan: said.RectPlan, top: FloatArray) -> Part:
    """Return stripes across a belt, so that it is seen to be one."""
    axis = 0 if item.direction == "x" else 1
    count = max(int(plan.size[axis] / STRIPE), 1)
    pitch = plan.size[axis] / count
    stripes: list[meshes.Mesh] = []
    for i in range(count):
        center, size = list(plan.center), [0.94 * edge for edge in plan.size]
        center[axis] += (i + 0.5) * pitch - 0.5 * plan.size[axis]
        size[axis] = 0.25 * pitch
        rect = said.RectPlan(center=(center[0], center[1]), size=(size[0], size[1]))
        corners = outline_of(rect)
        heights = top[0] + corners @ top[1:] + PAINT_HEIGHT
        stripes.append(meshes.flat(np.column_stack([corners, heights])))
    return Part(
        name=item.name,
        kind="obstacle",
        mesh=meshes.joined(stripes),
        color=_stripe_color(item.color),
        has_shadow=False,
    )


def _stripe_color(color: said.Color) -> said.Color:
    """Return a colour that differs from another in brightness."""
    if sum(color) < 240:
        red, green, blue = (channel + (255 - channel) // 5 for channel in color)
    else:
        red, green, blue = (int(STRIPE_COLOR_SHARE * channel) for channel in color)
    return red, green, blue


def _movable(item: said.Movable) -> Part:
    match item:
        case said.BallEntry():
            kind, mesh = "ball", meshes.sphere(item.radius)
        case said.CuboidEntry():
            kind, mesh = "cuboid", meshes.box(item.size)
        case said.CylinderEntry():
            kind, mesh = "cylinder", meshes.cylinder(item.radius, item.height)
    return Part(name=item.name, kind=kind, mesh=mesh, color=item.color, frame=item.name)


# -- triggers --------------------------------------------------------------------------


def _trigger(item: said.Trigger, index: int) -> list[Part]:
    height = max(item.height, MIN_TRIGGER_HEIGHT)
    on = item.on if isinstance(item, said.CircleTrigger) else None
    common: dict[str, Any] = {
        "name": f"trigger_{index + 1}",
        "kind": "trigger",
        "color": item.color or TRIGGER_COLORS[on],
        "alpha": TRIGGER_ALPHA,
        "has_shadow": False,
    }
    lift = PAINT_HEIGHT * (index + 1.5)
    if isinstance(item, said.CircleTrigger):
        T = np.eye(4)
        T[:3, 3] = *item.center, lift
        disc = meshes.plate(item.radius * meshes.circle(2 * meshes.SIDES))
        meshes_ = (disc, meshes.wall(item.radius, height))
        return [Part(mesh=mesh, T_frame_part=T, **common) for mesh in meshes_]
    (x1, y1), (x2, y2) = item.start, item.end
    curtain = np.array(
        [(x1, y1, lift), (x2, y2, lift), (x2, y2, height), (x1, y1, height)]
    )
    both_sides = meshes.joined([meshes.flat(curtain), meshes.flat(curtain[::-1])])
    return [Part(mesh=both_sides, **common)]
