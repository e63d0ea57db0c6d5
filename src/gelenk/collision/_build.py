"""Groups of shapes, and the tables of a scene made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gelenk.collision import _support
from gelenk.collision._tables import FIELD_COLS, SceneTables
from gelenk.collision.objects import (
    AnyShape,
    Collidable,
    HalfSpace,
    HeightGrid,
    PlacedShapes,
)
from gelenk.collision.shapes import (
    ConvexShape,
    convex_shapes,
    half_space,
    in_world,
)
from gelenk.errors import ConfigError
from gelenk.models.compiled import NUM_COLS, TOP_COLS
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SceneRobot:
    """A robot of a scene.

    Attributes:
        name: Name of the robot.
        model: The robot.
        T_world_base: Pose of its base, shape (4, 4).
    """

    name: str
    model: RobotModel
    T_world_base: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Group:
    """Shapes that move together and are named together: a link, a thing.

    Attributes:
        name: Name of the group.
        shapes: Convex pieces, in the link or in the world.
        robot, link: Robot and link that carry it, -1 for the world.
        is_attached: Whether it is no link itself.
        field: Grid of a height field: pose and columns of `_tables`, else empty.
    """

    name: str
    shapes: tuple[ConvexShape, ...]
    robot: int = -1
    link: int = -1
    is_attached: bool = False
    field: tuple[float, ...] = ()

    @property
    def is_endless(self) -> bool:
        return any(shape.kind == _support.HALF_SPACE for shape in self.shapes)


def group_of(thing: Collidable, *, is_apart: bool = False) -> Group:
    """Return the shapes of a thing in the world.

    Args:
        thing: The thing.
        is_apart: Whether meshes are taken apart, see `shapes.convex_shapes`.

    Raises:
        ConfigError: If a half-space or a height field is mixed with other shapes, or
            no shape is left.
    """
    placed = thing.collision_shapes()
    kinds = [shape for shape, _ in placed if not _is_finite(shape)]
    if kinds and len(placed) > 1:
        raise ConfigError(
            f"{thing.name!r}: a half-space or height field must be alone; give each "
            "shape a name of its own"
        )
    if kinds and isinstance(kinds[0], HeightGrid):
        T = placed[0][1]
        pieces, columns = _grid_pieces(kinds[0])
        return Group(
            name=thing.name,
            shapes=in_world(pieces, T),
            field=(*T[:3, :3].ravel().tolist(), *T[:3, 3].tolist(), *columns),
        )
    pieces = pieces_of(placed, is_apart)
    if not pieces:
        raise ConfigError(f"{thing.name!r} has no shape that collides")
    return Group(name=thing.name, shapes=pieces)


def pieces_of(placed: PlacedShapes, is_apart: bool) -> tuple[ConvexShape, ...]:
    """Return the convex pieces of shapes at their poses."""
    found: list[ConvexShape] = []
    for shape, T in placed:
        if isinstance(shape, HalfSpace):
            found.append(half_space(T))
        elif not isinstance(shape, HeightGrid):
            found += in_world(convex_shapes(shape, is_apart=is_apart), T)
    return tuple(found)


def _is_finite(shape: AnyShape) -> bool:
    return not isinstance(shape, HalfSpace | HeightGrid)


def _grid_pieces(grid: HeightGrid) -> tuple[list[ConvexShape], tuple[float, ...]]:
    """Return two prisms of each cell, along x first, and the columns of a field."""
    rows, columns = grid.heights.shape
    x = np.linspace(-0.5 * grid.size[0], 0.5 * grid.size[0], columns)
    y = np.linspace(-0.5 * grid.size[1], 0.5 * grid.size[1], rows)
    pieces: list[ConvexShape] = []
    for r in range(rows - 1):
        for c in range(columns - 1):
            for corners in (((0, 0), (0, 1), (1, 1)), ((0, 0), (1, 1), (1, 0))):
                top = [
                    (x[c + k], y[r + i], grid.heights[r + i, c + k]) for i, k in corners
                ]
                points = np.array([*top, *((u, v, grid.bottom) for u, v, _ in top)])
                pieces.append(_prism(points))
    cell = grid.size[0] / (columns - 1), grid.size[1] / (rows - 1)
    return pieces, (x[0], y[0], *cell, columns - 1.0, rows - 1.0)


def _prism(points: FloatArray) -> ConvexShape:
    """Return a hull of few points that are all corners, without looking for them."""
    T = np.eye(4)
    T[:3, 3] = 0.5 * (points.min(axis=0) + points.max(axis=0))
    local = points - T[:3, 3]
    reach = float(np.sqrt((local**2).sum(axis=1).max()))
    half = np.abs(local).max(axis=0)
    return ConvexShape(kind=_support.HULL, T=T, vertices=local, half=half, reach=reach)


# -- tables -------------------------------------------------------------------------


def build_tables(
    robots: Sequence[SceneRobot],
    groups: Sequence[Group],
    pairs: IntArray,
    margins: FloatArray,
) -> SceneTables:
    """Return the tables of a scene.

    Args:
        robots: Robots in the order of their coordinates.
        groups: Groups, those that a robot carries first.
        pairs: Indices of groups that are tested, shape (p, 2).
        margins: Distance that each pair must keep [m], shape (p,).
    """
    table, bodies = _robot_table(robots)
    rows = [_row_of(robots, table, group) for group in groups]
    moved = [
        _in_row(robots, group, row) for group, row in zip(groups, rows, strict=True)
    ]
    flat = [shape for shapes in moved for shape in shapes]
    ends = np.cumsum([0, *(len(shapes) for shapes in moved)], dtype=np.int64)
    num_carried = sum(group.robot >= 0 for group in groups)
    data, index = shape_tables(
        flat, np.repeat(np.array(rows, dtype=np.int64), np.diff(ends))
    )
    columns = (len(flat), _support.SHAPE_COLS)
    places = data[: columns[0] * columns[1]].reshape(columns)[:, :12]
    fields = [group.field for group in groups if group.field]
    numbers = iter(range(len(fields)))
    group_rows = [
        (ends[g], ends[g + 1], rows[g], next(numbers) if group.field else -1)
        for g, group in enumerate(groups)
    ]
    row_robot = np.full(
        1 + sum(1 + len(body) for body, _ in bodies), -1, dtype=np.int64
    )
    for k, row in enumerate(table):
        row_robot[row[5] : row[5] + row[1] - row[0] + 1] = k
    bases = [np.concatenate(_pose_row(robot.T_world_base)) for robot in robots]
    return SceneTables(
        body=np.concatenate([np.empty((0, NUM_COLS)), *(b for b, _ in bodies)]),
        topology=np.concatenate(
            [np.empty((0, TOP_COLS), dtype=np.int64), *(t for _, t in bodies)]
        ),
        robots=np.array(table, dtype=np.int64),
        bases=np.array(bases),
        row_robot=row_robot,
        data=data,
        ints=index,
        places=places.copy(),
        groups=np.array(group_rows, dtype=np.int64).reshape(-1, 4),
        spheres=np.array([_sphere(s) for s in moved]).reshape(-1, 4),
        fields=np.array(fields, dtype=np.float64).reshape(-1, FIELD_COLS),
        pairs=np.ascontiguousarray(pairs, dtype=np.int64).reshape(-1, 2),
        margins=np.ascontiguousarray(margins, dtype=np.float64),
        num_carried=ends[num_carried : num_carried + 1].astype(np.int64),
    )


def _robot_table(
    robots: Sequence[SceneRobot],
) -> tuple[list[list[int]], list[tuple[FloatArray, IntArray]]]:
    table: list[list[int]] = []
    bodies: list[tuple[FloatArray, IntArray]] = []
    body = q = v = 0
    row = 1
    for robot in robots:
        tree = robot.model.compiled
        n = tree.num_bodies
        num_q, num_v = tree_sizes(robot.model)
        table.append([body, body + n, q, q + num_q, v, row, int(tree.is_floating)])
        bodies.append((tree.body, tree.topology))
        body, q, v, row = body + n, q + num_q, v + num_v, row + n + 1
    return table, bodies


def tree_sizes(model: RobotModel) -> tuple[int, int]:
    """Return the numbers of coordinates and of velocities of the tree, loops cut."""
    extra = len(model.tree_joint_ids) - model.num_joints
    return model.nq + extra, model.nv + extra


def _row_of(robots: Sequence[SceneRobot], table: list[list[int]], group: Group) -> int:
    if group.robot < 0:
        return 0
    if not can_move(robots, group):
        return 0
    body = int(robots[group.robot].model.compiled.link_body[group.link])
    return table[group.robot][5] + 1 + body


def can_move(robots: Sequence[SceneRobot], group: Group) -> bool:
    """Return whether a group can move: things that stand, and a bolted base, cannot."""
    if group.robot < 0:
        return False
    tree = robots[group.robot].model.compiled
    return bool(tree.is_floating or tree.link_body[group.link] >= 0)


def _in_row(
    robots: Sequence[SceneRobot], group: Group, row: int
) -> tuple[ConvexShape, ...]:
    """Return the shapes of a group in the frame of the row that carries it."""
    if group.robot < 0:
        return group.shapes
    robot = robots[group.robot]
    placement = robot.model.compiled.link_placement[group.link]
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = placement[:9].reshape(3, 3), placement[9:]
    return in_world(group.shapes, T if row > 0 else robot.T_world_base @ T)


def _pose_row(T: FloatArray) -> tuple[FloatArray, FloatArray]:
    return T[:3, :3].ravel(), T[:3, 3]


def shape_tables(
    flat: Sequence[ConvexShape], rows: Sequence[int] | IntArray
) -> tuple[FloatArray, IntArray]:
    """Return the two arrays of shapes, see `_support`.

    Args:
        flat: Shapes in the frames of their rows.
        rows: Row of the pose that carries each shape.
    """
    shapes = np.zeros((len(flat), _support.SHAPE_COLS))
    ints = np.zeros((len(flat), _support.INT_COLS), dtype=np.int64)
    vertices: list[FloatArray] = []
    graphs: list[IntArray] = []
    seen: dict[int, tuple[int, int]] = {}
    first, start = shapes.size, ints.size
    for i, shape in enumerate(flat):
        R, p = _pose_row(shape.T)
        shapes[i, :9], shapes[i, 9:12] = R, p
        shapes[i, _support.RADIUS] = shape.radius
        shapes[i, _support.PARAMS : _support.PARAMS + 3] = shape.params
        shapes[i, _support.EXTENT : _support.EXTENT + 3] = shape.half
        shapes[i, _support.REACH] = shape.reach
        ints[i, _support.KIND] = shape.kind
        ints[i, _support.ROW] = rows[i]
        if shape.kind != _support.HULL:
            continue
        key = id(shape.vertices)
        if key not in seen:  # one hull may stand in many places
            seen[key] = (first, start if len(shape.graph) else -1)
            vertices.append(shape.vertices.ravel())
            graphs.append(_shifted(shape, start))
            first += shape.vertices.size
            start += len(shape.graph)
        ints[i, _support.FIRST], ints[i, _support.GRAPH] = seen[key]
        ints[i, _support.COUNT] = len(shape.vertices)
    return np.concatenate([shapes.ravel(), *vertices]), np.concatenate(
        [ints.ravel(), *graphs]
    )


def _shifted(shape: ConvexShape, start: int) -> IntArray:
    """Return the edges of a hull with lists addressed from the beginning of `index`."""
    graph = shape.graph.copy()
    if len(graph):
        first = _support.NUM_STARTS
        graph[first : first + len(shape.vertices) + 1] += start
    return graph


def _sphere(shapes: Sequence[ConvexShape]) -> tuple[float, float, float, float]:
    """Return centre and radius of a sphere around shapes."""
    if len(shapes) == 1:
        return (*shapes[0].T[:3, 3].tolist(), shapes[0].reach)
    centers = np.array([shape.T[:3, 3] for shape in shapes])
    reach = np.array([shape.reach for shape in shapes])[:, None]
    middle = 0.5 * ((centers - reach).min(axis=0) + (centers + reach).max(axis=0))
    far = np.linalg.norm(centers - middle, axis=1) + reach[:, 0]
    return (*middle.tolist(), float(far.max()))


def carried(group: Group, robot: int, link: int, T_link_thing: FloatArray) -> Group:
    """Return a thing of the world on a link; its shapes move by `T_link_thing`."""
    return replace(
        group,
        shapes=in_world(group.shapes, T_link_thing),
        robot=robot,
        link=link,
        is_attached=True,
    )


def released(group: Group, T_world_link: FloatArray) -> Group:
    """Return an attached thing where its link has carried it."""
    return replace(
        group,
        shapes=in_world(group.shapes, T_world_link),
        robot=-1,
        link=-1,
        is_attached=False,
    )
