"""Freeway nets along the spines of corridors, and silhouettes of a sweep.

A freeway is the space between two edges that face each other (Brooks 1983); its spine
is the bisector of their lines. It reaches beyond the edges, as wide as at their ends,
until an obstacle enters. The net is incomplete by design: in clutter there may be no
spine where there is a path. The silhouette roadmap (after Canny) is complete: upper and
lower boundary of the free space, joined by vertical lines where the sweep changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.cells import trapezoid_cells
from gelenk.planning.concepts import PlanResult, PlanStatus
from gelenk.planning.roadmaps import Roadmap, roadmap_path
from gelenk.planning.world import TOUCH, PolygonWorld, nearest_on_segments
from gelenk.typing import ArrayLike, BoolArray, FloatArray

EXITS = 3  # spines tried from a start or goal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Freeway:
    """The spine of one corridor.

    Attributes:
        ends: End points of the spine [m], shape (2, 2).
        width: Free width, least along the spine [m].
        edges: The two edges it lies between, as numbered by the world.
    """

    ends: FloatArray
    width: float
    edges: tuple[int, int]


def find_freeways(
    world: PolygonWorld, *, min_width: float = 0.0, step: float = 0.05
) -> list[Freeway]:
    """Return the spines between all pairs of edges that face each other.

    Args:
        world: Obstacles and walls.
        min_width: Narrower corridors are left out, or cut where they get narrow [m].
        step: Distance between the slices that are tested along a spine [m].

    Example:
        >>> corridor = PolygonWorld([], [0, 0], [10, 2])
        >>> spine = find_freeways(corridor, step=0.5)[0]
        >>> spine.ends.tolist(), spine.width
        ([[10.0, 1.0], [0.0, 1.0]], 2.0)
    """
    side = world.ends - world.starts
    normals = np.stack([side[:, 1], -side[:, 0]], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    normals[world.owner < 0] *= -1.0  # into the room
    found: list[Freeway] = []
    for i in range(len(side)):
        for j in range(i + 1, len(side)):
            if normals[i] @ normals[j] < -TOUCH and _face(world, normals, i, j):
                found += _spines(world, normals, (i, j), min_width, step)
    return found


def freeway_net(
    world: PolygonWorld, *, min_width: float = 0.0, step: float = 0.05
) -> Roadmap:
    """Return the roadmap of all spines, joined where they cross.

    Args:
        world: Obstacles and walls.
        min_width: Smallest width of a freeway [m]; see `find_freeways`.
        step: Distance between tested slices of a spine [m]; see
            `find_freeways`.
    """
    spines = [way.ends for way in find_freeways(world, min_width=min_width, step=step)]
    points: list[FloatArray] = []
    on_spine: list[list[int]] = [[] for _ in spines]

    def put(point: FloatArray, *owners: int) -> None:
        same = [k for k, p in enumerate(points) if np.abs(p - point).max() <= TOUCH]
        if not same:
            points.append(point)
        for owner in owners:
            on_spine[owner].append(same[0] if same else len(points) - 1)

    for i, ends in enumerate(spines):
        for end in ends:
            put(end, i)
        for j in range(i):
            crossing = _crossing(ends, spines[j])
            if crossing is not None:
                put(crossing, i, j)
    array = np.array(points).reshape(-1, 2)
    edges: set[tuple[int, int]] = set()
    for nodes, ends in zip(on_spine, spines, strict=True):
        along = (array[nodes] - ends[0]) @ (ends[1] - ends[0])
        places: list[int] = np.argsort(along, kind="stable").tolist()
        order = [nodes[k] for k in places]
        edges |= {(min(a, b), max(a, b)) for a, b in pairwise(order) if a != b}
    pairs = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2)
    return Roadmap(points=array, edges=pairs)


def freeway_path(
    world: PolygonWorld,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    min_width: float = 0.0,
    step: float = 0.05,
) -> PlanResult:
    """Return a path along freeways; `GAVE_UP` if there is none, which proves nothing.

    Args:
        world: Obstacles and walls.
        start: Start in the free space [m], shape (2,).
        goal: Goal in the free space [m], shape (2,).
        min_width: Smallest width of a freeway [m]; see `find_freeways`.
        step: Distance between tested slices of a spine [m]; see
            `find_freeways`.
    """
    net = freeway_net(world, min_width=min_width, step=step)
    points = [*net.points]
    edges = [(int(a), int(b)) for a, b in net.edges]
    ids: list[int] = []
    for name, end in (("start", start), ("goal", goal)):
        p = as_finite(name, end, (2,))
        ids.append(len(points))
        points.append(p)
        a, b = (net.points[net.edges[:, k]] for k in (0, 1))
        feet = nearest_on_segments(p, a, b)
        order = np.argsort(np.linalg.norm(feet - p, axis=-1))
        visible = order[world.are_free_between(p, feet[order])][:EXITS]
        for k in visible:
            points.append(feet[k])
            exit_id = len(points) - 1
            edges += [(ids[-1], exit_id)]
            edges += [(int(node), exit_id) for node in net.edges[k]]
    if not edges:
        return PlanResult(status=PlanStatus.GAVE_UP, path=None, effort=0)
    joined = Roadmap(points=np.array(points), edges=np.array(edges))
    result = roadmap_path(joined, ids[0], ids[1])
    if result.found:
        return result
    return PlanResult(status=PlanStatus.GAVE_UP, path=None, effort=result.effort)


def free_headings(
    world: PolygonWorld, point: ArrayLike, headings: ArrayLike, *, size: ArrayLike
) -> BoolArray:
    """Return at which headings a rectangular robot fits with its center at a point.

    Args:
        world: Obstacles and walls.
        point: Center [m], shape (2,).
        headings: Angles of the long axis [rad], shape (k,).
        size: Length and width of the robot [m].

    Returns:
        Shape (k,).
    """
    length, width = as_finite("size", size, (2,)) / 2.0
    if not (length > 0.0 and width > 0.0):
        raise ConfigError("`size` must be positive")
    angle = np.asarray(headings, dtype=float)
    corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * [length, width]
    c, s = np.cos(angle), np.sin(angle)
    turned = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], axis=-2)
    rings = as_finite("point", point, (2,)) + corners @ turned
    sides = world.are_free_between(rings, np.roll(rings, -1, axis=-2)).all(axis=-1)
    local = (world.starts - np.asarray(point, dtype=float)) @ np.swapaxes(
        turned, -1, -2
    )
    holds = (
        (np.abs(local) < np.array([length, width]) - TOUCH).all(axis=-1).any(axis=-1)
    )
    return np.asarray(sides & ~holds)


def silhouette_roadmap(world: PolygonWorld) -> Roadmap:
    """Return the silhouettes of a vertical sweep and their links.

    Above and below every trapezoid run the silhouette curves; where free intervals
    appear, end, split or merge the vertical line through the slice joins them. Every
    connected part of the free space has one connected part of the roadmap; from any
    point a vertical line leads onto it.
    """
    cells = trapezoid_cells(world)
    rows: dict[tuple[float, float], int] = {}
    edges: set[tuple[int, int]] = set()

    def node(p: FloatArray) -> int:
        key = (round(float(p[0]), 9), round(float(p[1]), 9))
        return rows.setdefault(key, len(rows))

    def link(points: list[FloatArray]) -> None:
        for a, b in pairwise(node(p) for p in points):
            if a != b:
                edges.add((min(a, b), max(a, b)))

    for k, cell in enumerate(cells.cells):
        for side in (0, 1):
            x = cell[:, 0].min() if side == 0 else cell[:, 0].max()
            mine = cells.walls[cells.neighbours[:, 1 - side] == k]
            ends = [*cell[np.abs(cell[:, 0] - x) <= TOUCH], *mine.reshape(-1, 2)]
            link(sorted(ends, key=lambda p: float(p[1])))
        left, right = cell[:, 0].min(), cell[:, 0].max()
        by_height = cell[np.argsort(cell[:, 1], kind="stable")]
        lefts = by_height[np.abs(by_height[:, 0] - left) <= TOUCH]
        rights = by_height[np.abs(by_height[:, 0] - right) <= TOUCH]
        link([lefts[0], rights[0]])
        link([lefts[-1], rights[-1]])
    pairs = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2)
    return Roadmap(points=np.array(list(rows)), edges=pairs)


def _face(world: PolygonWorld, normals: FloatArray, i: int, j: int) -> bool:
    """Return whether each of two edges lies on the free side of the other."""
    for a, b in ((i, j), (j, i)):
        ends = np.stack([world.starts[b], world.ends[b]])
        heights = (ends - world.starts[a]) @ normals[a]
        if heights.min() < -TOUCH or heights.max() <= TOUCH:
            return False
    return True


def _spines(
    world: PolygonWorld,
    normals: FloatArray,
    pair: tuple[int, int],
    min_width: float,
    step: float,
) -> list[Freeway]:
    """Return the free pieces of the bisector of two facing edges."""
    i, j = pair
    m = normals[i] - normals[j]
    along = np.array([-m[1], m[0]]) / np.linalg.norm(m)
    across = m / np.linalg.norm(m)
    level = normals[i] @ world.starts[i] - normals[j] @ world.starts[j]
    origin = m * level / (m @ m)
    core = _core(world, normals, pair, origin, along)
    if core is None:
        return []
    reach = np.stack([world.lower, world.upper])
    box = np.array([[x, y] for x in reach[:, 0] for y in reach[:, 1]])
    s_box = (box - origin) @ along
    count = max(int(np.ceil((core[1] - core[0]) / step)), 1)
    inner = np.linspace(core[0], core[1], count + 1)
    before = np.arange(core[0] - step, s_box.min() - step, -step)[::-1]
    after = np.arange(core[1] + step, s_box.max() + step, step)
    outer = np.clip(np.concatenate([before, inner, after]), s_box.min(), s_box.max())
    s = np.unique(np.concatenate([outer, inner]))
    held = np.clip(s, *core)
    half = (origin + held[:, None] * along - world.starts[i]) @ normals[i]
    p = origin + s[:, None] * along
    is_core = s == held
    feet: list[FloatArray] = [
        np.where(is_core[:, None], p - half[:, None] * normals[k], beyond)
        for k, beyond in (
            (i, p - half[:, None] * across),
            (j, p + half[:, None] * across),
        )
    ]
    free = world.are_free(p) & (2.0 * half >= min_width - TOUCH)
    for foot in feet:
        free &= world.are_free_between(p, foot)
    return _runs(world, p, half, free, is_core, pair)


def _core(
    world: PolygonWorld,
    normals: FloatArray,
    pair: tuple[int, int],
    origin: FloatArray,
    along: FloatArray,
) -> tuple[float, float] | None:
    """Return the part of the spine whose feet lie on both edges, if any."""
    low, high = -np.inf, np.inf
    for k in pair:
        a, side = world.starts[k], world.ends[k] - world.starts[k]
        length = float(np.linalg.norm(side))
        rate = float(along @ side) / length
        at = float((origin - a) @ side) / length
        if abs(rate) < TOUCH:
            return None
        bounds = sorted(((0.0 - at) / rate, (length - at) / rate))
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return (low, high) if high - low > TOUCH else None


def _runs(
    world: PolygonWorld,
    p: FloatArray,
    half: FloatArray,
    free: BoolArray,
    is_core: BoolArray,
    pair: tuple[int, int],
) -> list[Freeway]:
    """Return the unbroken runs of free slices that touch both edges somewhere."""
    breaks = np.flatnonzero(np.diff(free.astype(int)) != 0) + 1
    found: list[Freeway] = []
    for part in np.split(np.arange(len(p)), breaks):
        if len(part) < 2 or not free[part[0]] or not is_core[part].any():
            continue
        ends = p[[part[0], part[-1]]]
        width = 2.0 * float(half[part].min())
        if width > TOUCH and world.are_free_between(*ends):
            found.append(Freeway(ends=ends, width=width, edges=pair))
    return found


def _crossing(a: FloatArray, b: FloatArray) -> FloatArray | None:
    """Return where two segments cross; None if they do not, or are parallel."""
    u, v = a[1] - a[0], b[1] - b[0]
    cross = u[0] * v[1] - u[1] * v[0]
    if abs(cross) < 1e-12 * np.linalg.norm(u) * np.linalg.norm(v):
        return None
    offset = b[0] - a[0]
    t = (offset[0] * v[1] - offset[1] * v[0]) / cross
    s = (offset[0] * u[1] - offset[1] * u[0]) / cross
    inside = -1e-9 <= t <= 1.0 + 1e-9 and -1e-9 <= s <= 1.0 + 1e-9
    return a[0] + t * u if inside else None
