"""The velocity table: contacts simulated beforehand, sorted by what they do to a ball.

A run has the ball come along x with speed v_in, touch the bat at the angle phi of the
x-z plane, n_c = (-cos phi, 0, sin phi), while the bat moves with v_s. Turning by pi
about x and mirroring at y = 0 give further runs for free, so phi >= 0 and v_s,y >= 0
suffice; the mirror images are added. Results are turned into the plane of v_in and
v_out (see `reduction`) and sorted by the cell of (|v_in|, c_x, c_z). Everything lies in
flat arrays; the bat motions that fit a workspace normal are found by sets of sphere
nodes, 162 bits and one more per result, so that no result can be found twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import turn
from gelenk.robots.piggy.contact import CONTACT, ContactCfg, run_contact
from gelenk.robots.piggy.planner.nodes import WORDS, Nodes, make_nodes, orthogonal_set
from gelenk.robots.piggy.planner.reduction import frame_of
from gelenk.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.robots.piggy.contact import ContactParams


class Axis(NamedTuple):
    """Equally spaced values, both ends included."""

    lower: float
    upper: float
    num: int

    @property
    def values(self) -> FloatArray:
        """All of them."""
        return np.linspace(self.lower, self.upper, self.num)

    @property
    def step(self) -> float:
        """From one to the next (4.50)."""
        return (self.upper - self.lower) / (self.num - 1)


SPEEDS = Axis(2.0, 11.0, 13)
ANGLES = Axis(0.0, 0.75 * math.pi, 26)
CELLS = (Axis(2.0, 11.0, 10), Axis(-12.0, 12.0, 33), Axis(0.0, 12.0, 17))


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCfg:
    """Which contacts are simulated, and how finely their results are sorted.

    Attributes:
        v_in: Speeds of the ball [m/s]; chosen to span throws from 5 to 6 m.
        phi: Contact angles [rad], Hammer §4.4.3: up to 3/4 pi.
        bat_speed: Largest bat velocity along each axis [m/s]; 180 deg/s at 0.84 m.
        bat_counts: Values along x, y (from 0) and z.
        cells: Cells of |v_in|, c_x and c_z [m/s].
    """

    v_in: Axis = SPEEDS
    phi: Axis = ANGLES
    bat_speed: float = 2.64
    bat_counts: tuple[int, int, int] = (13, 7, 13)
    cells: tuple[Axis, Axis, Axis] = CELLS

    def __post_init__(self) -> None:
        if self.phi.lower < 0.0 or not 0.0 < self.phi.upper <= math.pi:
            raise ConfigError(
                f"`phi` must lie between 0 and pi, half the circle, got {self.phi}"
            )
        if not self.v_in.lower > 0.0:
            raise ConfigError(f"`v_in` must be positive, got {self.v_in}")

    @property
    def num_runs(self) -> int:
        """Contacts to simulate."""
        return self.v_in.num * self.phi.num * math.prod(self.bat_counts)


GRID = GridCfg()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tables:
    """Sorted results of contacts, in the plane of each.

    Attributes:
        grid: What was simulated.
        contact: With which ball and bat.
        nodes: The sphere's nodes.
        start: First entry of each cell and the end of the last, (cells + 1,).
        entry: Of each result: |v_in|, c_x, c_z [m/s], bat's velocity [m/s], direction
            n_c, way of the ball [m], (n, 12).
        node_sets: Nodes across the bat's velocity of each result, (n, 3) of 64 bits.
        num_runs: Simulated contacts that touched.
    """

    grid: GridCfg
    contact: ContactCfg
    nodes: Nodes
    start: IntArray
    entry: FloatArray
    node_sets: NDArray[np.uint64]
    num_runs: int

    @property
    def num_entries(self) -> int:
        """Results in the table, mirror images included."""
        return len(self.entry)

    @property
    def num_bytes(self) -> int:
        """Memory of all arrays."""
        arrays = (self.start, self.entry, self.node_sets, self.nodes.grid)
        return sum(array.nbytes for array in arrays)


@cache
def shared_tables() -> Tables:
    """Return the tables of the whole grid, built once in a process."""
    return build_tables()


def build_tables(grid: GridCfg = GRID, contact: ContactCfg = CONTACT) -> Tables:
    """Simulate all contacts of the grid and sort their results.

    Args:
        grid: What is simulated and how it is sorted.
        contact: Ball, bat and integration, without gravity: its direction is unknown
            in the plane.
    """
    if any(contact.gravity):
        raise ConfigError(
            "tables are built without gravity, whose direction in the plane is "
            f"unknown, got {contact.gravity} m/s^2"
        )
    nodes = make_nodes()
    inputs = _inputs(grid)
    rows = np.empty((len(inputs), 12))
    params = contact.params
    in_pieces(len(inputs), lambda part: _run(inputs[part], params, rows[part]))
    entry, num_runs = _with_mirror_images(rows, inputs)

    cell = _cells(entry, grid)
    order = np.argsort(cell, kind="stable")
    entry = entry[order]
    counts = np.bincount(cell, minlength=math.prod(a.num for a in grid.cells))
    node_sets = np.empty((len(entry), WORDS), dtype=np.uint64)
    direction, sines = np.array(nodes.direction), np.sin(nodes.extent)
    in_pieces(
        len(entry),
        lambda part: _fill(entry[part], direction, sines, nodes.count, node_sets[part]),
    )
    return Tables(
        grid=grid,
        contact=contact,
        nodes=nodes,
        start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        entry=entry,
        node_sets=node_sets,
        num_runs=num_runs,
    )


def _inputs(grid: GridCfg) -> FloatArray:
    """Return v_in, phi and v_s of all runs that touch, (n, 5)."""
    top = grid.bat_speed
    nx, ny, nz = grid.bat_counts
    axes = np.meshgrid(
        grid.v_in.values,
        grid.phi.values,
        np.linspace(-top, top, nx),
        np.linspace(0.0, top, ny),
        np.linspace(-top, top, nz),
        indexing="ij",
    )
    runs = np.stack([axis.reshape(-1) for axis in axes], axis=1)
    v, phi, x, y, z = runs.T
    approaches = (v - x) * np.cos(phi) + z * np.sin(phi) > 0.0
    # A central hit can be turned about x: only one of its copies is kept.
    is_copy = (phi == 0.0) & ((y != 0.0) | (z < 0.0))
    return np.ascontiguousarray(runs[approaches & ~is_copy])


def _with_mirror_images(rows: FloatArray, inputs: FloatArray) -> tuple[FloatArray, int]:
    """Return the results that touched, and those with y and -y exchanged."""
    touched = rows[:, 0] > 0.0
    rows, inputs = rows[touched], inputs[touched]
    images = rows[inputs[:, 3] > 0.0]  # a copy; with v_s,y = 0 it is its own image
    images[:, [4, 7, 10]] *= -1.0
    return np.concatenate([rows, images]), len(rows)


def _cells(entry: FloatArray, grid: GridCfg) -> IntArray:
    """Return the cell of each result (4.51), those outside in the outermost."""
    cell = np.zeros(len(entry), dtype=np.int64)
    for column, axis in enumerate(grid.cells):
        k = np.floor((entry[:, column] - axis.lower) / axis.step + 0.5)
        cell = cell * axis.num + np.clip(k, 0, axis.num - 1).astype(np.int64)
    return cell


@kernel
def _run(inputs: FloatArray, par: ContactParams, rows: FloatArray) -> None:
    """Simulate runs and turn their results into the plane of v_in and v_out."""
    for i in range(len(inputs)):
        x = inputs[i]
        v_in, v_s = (x[0], 0.0, 0.0), (x[2], x[3], x[4])
        n_c = (-math.cos(x[1]), 0.0, math.sin(x[1]))
        end = run_contact(v_in, n_c, v_s, (0.0, 0.0, 0.0), par)
        R = frame_of(v_in, end[0])
        out = turn(R, end[0])
        rows[i, 0] = x[0] if end[7] > 0.0 else 0.0  # a graze meets no force
        rows[i, 1], rows[i, 2] = out[0], out[2]
        vectors = (turn(R, v_s), turn(R, n_c), turn(R, end[4]))
        for j in range(3):
            for k in range(3):
                rows[i, 3 + 3 * j + k] = vectors[j][k]


@kernel
def _fill(
    entry: FloatArray,
    direction: FloatArray,
    sines: FloatArray,
    special: int,
    node_sets: NDArray[np.uint64],
) -> None:
    """Set the nodes of every result."""
    for i in range(len(entry)):
        v = (entry[i, 3], entry[i, 4], entry[i, 5])
        orthogonal_set(v, direction, sines, special, node_sets[i])
