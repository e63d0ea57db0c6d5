"""Rooms, doors and frontiers of grids, against plans drawn by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.planning.graph import dijkstra
from gelenk.planning.occupancy import find_rooms, frontier_cells


def _house() -> np.ndarray:
    """Return three rooms in a row, joined by doors of 4 cells, a table in the last."""
    free = np.zeros((64, 22), dtype=bool)
    for i in (1, 22, 43):
        free[i : i + 20, 1:21] = True
    free[21, 3:7] = free[42, 14:18] = True
    free[52:55, 9:12] = False
    return free


def test_rooms_and_doors_are_those_of_the_plan() -> None:
    rooms = find_rooms(_house(), core=3.5, widest_door=6.0, furniture=16)

    assert rooms.count == 3
    assert [door.rooms for door in rooms.doors] == [(0, 1), (1, 2)]
    assert rooms.doors[0].cell[0] == pytest.approx(21, abs=1)
    assert 3 <= rooms.doors[0].cell[1] <= 6
    assert rooms.doors[1].width == pytest.approx(4.0, abs=1.0)
    for k, i in enumerate((1, 22, 43)):
        inside = rooms.labels[i : i + 20, 1:21]
        assert (inside[inside >= 0] == k).mean() > 0.97
    assert (rooms.labels[~_house()] == -1).all()


def test_the_way_between_doors_is_their_distance() -> None:
    rooms = find_rooms(_house(), core=3.5, widest_door=6.0, furniture=16)
    a, b = (np.array(door.cell) for door in rooms.doors)

    found = dijkstra(rooms.way_graph(), 0, 1)

    assert found.cost == pytest.approx(float(np.hypot(*(a - b))))


def test_what_is_wider_than_a_door_joins_two_rooms_into_one() -> None:
    free = _house()
    free[21, 3:10] = True  # 7 cells, less than the core of a room needs

    joined = find_rooms(free, core=4.5, widest_door=6.0, furniture=16)
    apart = find_rooms(free, core=4.5, widest_door=8.0, furniture=16)

    assert joined.count == 2
    assert apart.count == 3
    with pytest.raises(ConfigError, match="clearance"):
        find_rooms(free, core=30.0, widest_door=6.0)


def test_a_door_is_at_the_waist_and_not_halfway_between_rooms() -> None:
    free = np.zeros((60, 22), dtype=bool)
    free[1:21, 1:21] = free[40:59, 1:21] = True
    free[21, 9:13] = True  # the door
    free[22:40, 7:15] = True  # a narrow end of the second room

    rooms = find_rooms(free, core=5.0, widest_door=6.0)

    assert rooms.count == 2
    assert rooms.doors[0].cell[0] == pytest.approx(21, abs=1)


def test_the_frontier_borders_on_what_nobody_has_seen() -> None:
    free, known = np.ones((20, 20), dtype=bool), np.zeros((20, 20), dtype=bool)
    known[:, :8] = True
    free[10, :] = False

    pieces, count = frontier_cells(free, known, least=4)

    assert count == 2
    assert set(np.argwhere(pieces > 0)[:, 1]) == {7}
    assert pieces[10, 7] == 0
    assert frontier_cells(free, known, least=10)[1] == 1
