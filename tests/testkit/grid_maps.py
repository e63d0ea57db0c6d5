"""Maps of square cells to plan on: the format of a public set, and maps by its recipes.

The set is that of Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and
Benchmarks" (2019), in the format of Sturtevant, "Benchmarks for Grid-Based Pathfinding"
(2012), https://movingai.com/benchmarks. Its maps are not part of Gelenk: `read_map`
reads those that were fetched; the makers follow the recipes in their names, such as
room-32-32-4: 32 x 32 cells, rooms of 4 cells, a door in each wall.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gelenk.errors import FileFormatError
from gelenk.typing import BoolArray, FloatArray

FREE = ".GS"  # the format's letters of cells that can be walked on


def read_map(path: str | Path) -> BoolArray:
    """Return which cells of a map file are free, shape (h, w).

    Raises:
        FileFormatError: If the file is none; says the line.
    """
    lines = Path(path).read_text(encoding="ascii", errors="replace").splitlines()
    begin = next((k for k, line in enumerate(lines) if line.strip() == "map"), 0)
    head = dict(line.split(maxsplit=1) for line in lines[:begin] if " " in line)
    sizes = [head.get(name, "").strip() for name in ("height", "width")]
    if not all(size.isdecimal() for size in sizes):
        raise FileFormatError(path, "expected `height H`, `width W`, then `map`")
    height, width = map(int, sizes)
    body = lines[begin + 1 : begin + 1 + height]
    for k, line in enumerate(body):
        if len(line) != width:
            problem = f"expected {width} cells, got {len(line)}"
            raise FileFormatError(path, problem, line=begin + 2 + k)
    if len(body) != height:
        raise FileFormatError(path, f"expected {height} rows, got {len(body)}")
    return np.array([[cell in FREE for cell in line] for line in body])


def random_map(size: int, percent: float, rng: np.random.Generator) -> BoolArray:
    """Return a square with a share of random cells blocked, as random-32-32-20."""
    blocked = rng.permutation(size * size) < round(size * size * percent / 100)
    return ~blocked.reshape(size, size)


def room_map(size: int, room: int, rng: np.random.Generator) -> BoolArray:
    """Return rooms with walls of one cell and a door in each wall, as room-32-32-4."""
    free = np.ones((size, size), dtype=np.bool_)
    free[room :: room + 1] = False
    free[:, room :: room + 1] = False
    for wall in range(room, size - 1, room + 1):
        for begin in range(0, size, room + 1):
            length = min(room, size - begin)
            free[wall, begin + rng.integers(length)] = True
            free[begin + rng.integers(length), wall] = True
    return free


def maze_map(size: int, corridor: int, rng: np.random.Generator) -> BoolArray:
    """Return a maze with walls of one cell, as maze-32-32-2: one way to everywhere."""
    pitch = corridor + 1
    count = (size + 1) // pitch
    free = np.zeros((size, size), dtype=np.bool_)

    def open_between(a: tuple[int, int], b: tuple[int, int]) -> None:
        low, high = np.minimum(a, b) * pitch, np.maximum(a, b) * pitch + corridor
        free[low[0] : high[0], low[1] : high[1]] = True

    place, way = (0, 0), [(0, 0)]
    seen = {place}
    open_between(place, place)
    while way:
        i, j = way[-1]
        beside = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
        ahead = [n for n in beside if n not in seen and min(n) >= 0 and max(n) < count]
        if not ahead:
            way.pop()
            continue
        place = ahead[int(rng.integers(len(ahead)))]
        open_between(way[-1], place)
        seen.add(place)
        way.append(place)
    return free


def map_set(seed: int = 0) -> dict[str, BoolArray]:
    """Return maps by the recipes of the set that have 32 x 32 cells, by name."""
    rng = np.random.default_rng(seed)
    return {
        "empty-32-32": np.ones((32, 32), dtype=np.bool_),
        "random-32-32-10": random_map(32, 10, rng),
        "random-32-32-20": random_map(32, 20, rng),
        "room-32-32-4": room_map(32, 4, rng),
        "maze-32-32-2": maze_map(32, 2, rng),
        "maze-32-32-4": maze_map(32, 4, rng),
    }


def boxes_of(free: BoolArray) -> FloatArray:
    """Return the blocked cells as boxes, shape (k, 4): lowest corner, highest corner.

    Cell (i, j) is the square from (i, j) to (i + 1, j + 1). Runs of a row are one box,
    and equal runs of rows that follow each other too.
    """
    boxes: list[list[int]] = []
    growing: dict[tuple[int, int], list[int]] = {}
    for i, row in enumerate(free):
        edges = np.flatnonzero(np.diff(np.concatenate([[1], row, [1]]).astype(int)))
        runs = [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
        growing = {
            run: growing[run] if run in growing else [i, run[0], i + 1, run[1]]
            for run in runs
        }
        for box in growing.values():
            if box[2] == i + 1 and box[0] == i:
                boxes.append(box)
            box[2] = i + 1
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


def largest_region(free: BoolArray) -> BoolArray:
    """Return the largest part of a map that hangs together by edges of cells."""
    from scipy.ndimage import label

    parts = np.empty(free.shape, dtype=np.int64)
    label(free, output=parts)
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    return parts == int(np.argmax(sizes))
