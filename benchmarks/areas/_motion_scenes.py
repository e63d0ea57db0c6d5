"""Planning problems: seven kinds of scene, drawn from a seed, for one or two arms."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

import gelenk
from benchmarks.areas._models_files import load_quietly
from benchmarks.areas._robot_files import urdf_files
from gelenk.collision import Scene
from gelenk.models import RobotModel
from gelenk.sim import Box, Robot
from gelenk.spatial import se3
from gelenk.typing import FloatArray

EASY = ("table", "shelf", "two arms")
HARD = ("box", "cage", "narrow slot", "bin")
KINDS = EASY + HARD
ARMS = ("panda", "ur5e")
DRAWS = 400  # of poses, before a scene is drawn anew
DOWN = np.diag([1.0, -1.0, -1.0])  # axes of a tool that looks down
AHEAD = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])

Place = Callable[[np.random.Generator], FloatArray]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Problem:
    """From one configuration to another.

    Attributes:
        kind: One of `KINDS`.
        robot: Name of the robot or the robots.
        seed: Number of the problem of its kind.
        scene: Robots and obstacles.
        obstacles: The obstacles alone, for other engines.
        shapes: Shapes of the robots that count.
        start, goal: Free configurations, shape (nq,).
    """

    kind: str
    robot: str
    seed: int
    scene: Scene
    obstacles: Sequence[Box]
    shapes: str
    start: FloatArray
    goal: FloatArray


@cache
def meshed_panda() -> RobotModel | None:
    """Return a Panda of a file with collision meshes, its fingers held, or None."""
    for path in urdf_files():
        if path.name != "panda.urdf":
            continue
        model, _ = load_quietly(path)
        if model is None or model.nq < 7:
            continue
        shapes = [s for row in model.geometry for s in row if s.role == "collision"]
        if any(shape.kind == "mesh" for shape in shapes):
            return model
    return None


def draw_problem(kind: str, robot: str, seed: int) -> Problem:
    """Return the problem of a kind that a seed gives.

    Args:
        kind: One of `KINDS`.
        robot: One of `ARMS`, or "panda with meshes"; two of them for "two arms".
        seed: Number of the problem.
    """
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    model = meshed_panda() if robot == "panda with meshes" else gelenk.load(robot)
    assert model is not None
    shapes = "collision" if robot == "panda with meshes" else "visual"
    while True:
        boxes, places = _SCENES[kind](rng)
        if kind == "two arms":
            arms = [
                Robot(name=name, model=model, T_world_base=_moved(0.0, y, 0.0))
                for name, y in (("left", 0.35), ("right", -0.35))
            ]
        else:
            arms = [Robot(name=model.name, model=model)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scene = Scene(arms if len(arms) > 1 else arms[0], boxes, shapes=shapes)
        ends = [_draw_end(scene, place, rng) for place in places]
        if ends[0] is None or ends[1] is None:
            continue
        return Problem(
            kind=kind,
            robot=f"two {robot}" if len(arms) > 1 else robot,
            seed=seed,
            scene=scene,
            obstacles=boxes,
            shapes=shapes,
            start=ends[0],
            goal=ends[1],
        )


def problems(count: int) -> Iterator[Problem]:
    """Yield `count` problems of every kind, the robots in turns."""
    for kind in KINDS:
        for seed in range(count):
            yield draw_problem(kind, ARMS[seed % len(ARMS)], seed)


def _draw_end(
    scene: Scene, places: Sequence[Place | None], rng: np.random.Generator
) -> FloatArray | None:
    """Return a free configuration with every arm's tool at a place, or None."""
    for _ in range(DRAWS):
        parts: list[FloatArray] = []
        for model, base, place in zip(scene.robots, scene.bases, places, strict=True):
            low, high = (np.clip(limit, -np.pi, np.pi) for limit in model.limits)
            q = rng.uniform(low, high)
            if place is not None:
                found = model.inverse(
                    se3.inverse(base) @ place(rng), q0=q, frame=_tool(model)
                )
                if not found.converged:
                    break
                q = np.clip(_unwound(found.q, low, high), *model.limits)
            parts.append(q)
        if len(parts) == len(scene.robots):
            q = np.concatenate(parts)
            if scene.is_free(q):
                return q
    return None


def _tool(model: RobotModel) -> str:
    for name in ("hand_tcp", "panda_hand_tcp", "panda_hand", "panda_link8"):
        if name in model.link_names:
            return name
    return model.tool


def _unwound(q: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return q with whole turns taken off where a joint is beyond half a turn."""
    turned = (q + np.pi) % (2.0 * np.pi) - np.pi
    return np.where((q > high) | (q < low), turned, q)


def _moved(x: float, y: float, z: float) -> FloatArray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def _around(
    center: Sequence[float], spread: Sequence[float], R: FloatArray, tilt: float
) -> Place:
    """Return a place: near a point, an attitude turned about its own z and tilted."""

    def draw(rng: np.random.Generator) -> FloatArray:
        T = np.eye(4)
        T[:3, 3] = rng.uniform(np.subtract(center, spread), np.add(center, spread))
        turn = [0.0, 0.0, 0.0, *rng.normal(0.0, tilt, 2), rng.uniform(-np.pi, np.pi)]
        T[:3, :3] = R @ se3.exp(turn)[:3, :3]
        return T

    return draw


def _box(name: str, low: Sequence[float], high: Sequence[float]) -> Box:
    center = 0.5 * (np.asarray(low) + np.asarray(high))
    size = np.subtract(high, low)
    return Box(name=name, size=tuple(size), position=tuple(center))


Drawn = tuple[list[Box], tuple[list[Place | None], list[Place | None]]]


def _table(rng: np.random.Generator) -> Drawn:
    boxes = [_box("table", (0.25, -0.6, 0.0), (0.95, 0.6, 0.05))]
    for k in range(6):
        x, y = rng.uniform(0.35, 0.85), rng.uniform(-0.5, 0.5)
        a, b, h = rng.uniform((0.04, 0.04, 0.05), (0.12, 0.12, 0.3)).tolist()
        low, high = (x - a / 2, y - b / 2, 0.05), (x + a / 2, y + b / 2, 0.05 + h)
        boxes.append(_box(f"thing_{k}", low, high))
    place = _around((0.55, 0.0, 0.25), (0.2, 0.4, 0.1), DOWN, 0.2)
    return boxes, ([place], [place])


def _shelf(rng: np.random.Generator) -> Drawn:
    x = rng.uniform(0.42, 0.5)
    step = rng.uniform(0.32, 0.38)
    levels = [0.08 + k * step for k in range(4)]
    walls = (-0.45, 0.0, 0.45)
    boxes = [
        _box(f"board_{k}", (x, -0.45, z), (x + 0.35, 0.45, z + 0.02))
        for k, z in enumerate(levels)
    ]
    boxes += [
        _box(f"wall_{k}", (x, y - 0.01, 0.08), (x + 0.35, y + 0.01, levels[-1]))
        for k, y in enumerate(walls)
    ]
    boxes.append(_box("back", (x + 0.35, -0.45, 0.08), (x + 0.37, 0.45, levels[-1])))
    cells = [(row, column) for row in range(3) for column in range(2)]
    one, two = rng.choice(len(cells), 2, replace=False).tolist()
    ends: list[list[Place | None]] = []
    for row, column in (cells[one], cells[two]):
        z = levels[row] + 0.5 * step
        y = -0.225 + 0.45 * column
        ends.append([_around((x + 0.07, y, z), (0.05, 0.08, 0.05), AHEAD, 0.2)])
    return boxes, (ends[0], ends[1])


def _open_box(
    name: str, center: Sequence[float], size: Sequence[float], wall: float = 0.02
) -> list[Box]:
    """Return bottom and walls of a box that is open at the top."""
    (x, y, z), (a, b, h) = center, size
    x0, x1, y0, y1 = x - a / 2, x + a / 2, y - b / 2, y + b / 2
    return [
        _box(f"{name}_bottom", (x0, y0, z), (x1, y1, z + wall)),
        _box(f"{name}_left", (x0, y1, z), (x1, y1 + wall, z + h)),
        _box(f"{name}_right", (x0, y0 - wall, z), (x1, y0, z + h)),
        _box(f"{name}_near", (x0 - wall, y0, z), (x0, y1, z + h)),
        _box(f"{name}_far", (x1, y0, z), (x1 + wall, y1, z + h)),
    ]


def _deep_box(rng: np.random.Generator) -> Drawn:
    """A deep box, open at the top: from inside of it to beside it."""
    side = float(rng.choice([-1.0, 1.0]))
    x, y = rng.uniform(0.42, 0.5), rng.uniform(-0.1, 0.1)
    boxes = _open_box("box", (x, y, 0.0), (0.4, 0.4, 0.35))
    inside = _around((x, y, 0.2), (0.08, 0.08, 0.05), DOWN, 0.15)
    beside = _around((0.35, y + side * 0.5, 0.2), (0.08, 0.05, 0.1), DOWN, 0.3)
    return boxes, ([inside], [beside])


def _bin(rng: np.random.Generator) -> Drawn:
    """Two bins with a high wall between: from one to the other."""
    height = rng.uniform(0.3, 0.4)
    boxes = _open_box("left", (0.45, 0.25, 0.0), (0.38, 0.38, 0.25))
    boxes += _open_box("right", (0.45, -0.25, 0.0), (0.38, 0.38, 0.25))
    boxes.append(_box("wall", (0.2, -0.02, 0.0), (0.75, 0.02, 0.25 + height)))
    ends: list[list[Place | None]] = [
        [_around((0.45, y, 0.15), (0.08, 0.08, 0.03), DOWN, 0.15)]
        for y in (0.25, -0.25)
    ]
    return boxes, (ends[0], ends[1])


def _cage(rng: np.random.Generator) -> Drawn:
    """Walls, a post and a roof near the arm; any free configurations."""
    a, b = rng.uniform(0.5, 0.6, 2)
    x, y = rng.uniform(0.32, 0.42), rng.uniform(-0.15, 0.15)
    boxes = [
        _box("left", (-0.1, a, 0.0), (0.7, a + 0.05, 1.2)),
        _box("right", (-0.1, -b - 0.05, 0.0), (0.7, -b, 1.2)),
        _box("post", (x - 0.05, y - 0.05, 0.0), (x + 0.05, y + 0.05, 1.1)),
        _box("floor", (0.2, -0.6, -0.2), (1.4, 0.6, -0.15)),
        _box("roof", (-0.3, -0.6, 1.2), (0.8, 0.6, 1.25)),
    ]
    return boxes, ([None], [None])


def _slot(rng: np.random.Generator) -> Drawn:
    """A wall with a window: the arm reaches through, or stands before it."""
    x, y, z = rng.uniform(0.36, 0.42), rng.uniform(-0.15, 0.15), rng.uniform(0.4, 0.6)
    half = 0.14
    boxes = [
        _box("below", (x, -0.8, -0.3), (x + 0.04, 0.8, z - half)),
        _box("above", (x, -0.8, z + half), (x + 0.04, 0.8, 1.4)),
        _box("left", (x, y + half, z - half), (x + 0.04, 0.8, z + half)),
        _box("right", (x, -0.8, z - half), (x + 0.04, y - half, z + half)),
    ]
    beyond = _around((x + 0.2, y, z), (0.08, 0.05, 0.05), AHEAD, 0.2)
    side = float(rng.choice([-1.0, 1.0]))
    before = _around((0.1, side * 0.5, 0.4), (0.1, 0.1, 0.2), DOWN, 0.3)
    return boxes, ([before], [beyond])


def _two_arms(rng: np.random.Generator) -> Drawn:
    """Two arms above a table: both tools pass each other."""
    boxes = [_box("table", (0.25, -0.8, 0.0), (0.95, 0.8, 0.05))]
    x, y = rng.uniform(0.45, 0.65), rng.uniform(-0.1, 0.1)
    boxes.append(_box("post", (x - 0.04, y - 0.04, 0.05), (x + 0.04, y + 0.04, 0.3)))
    far = [_around((0.5, s * 0.5, 0.3), (0.12, 0.12, 0.1), DOWN, 0.2) for s in (1, -1)]
    near = [
        _around((x0, s * 0.05, 0.35), (0.08, 0.1, 0.1), DOWN, 0.2)
        for x0, s in ((0.4, 1), (0.6, -1))
    ]
    return boxes, ([far[0], near[1]], [near[0], far[1]])


_SCENES: dict[str, Callable[[np.random.Generator], Drawn]] = {
    "table": _table,
    "shelf": _shelf,
    "two arms": _two_arms,
    "box": _deep_box,
    "cage": _cage,
    "narrow slot": _slot,
    "bin": _bin,
}
