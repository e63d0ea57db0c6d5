"""Maps of cells: format, recipes, boxes."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import FileFormatError
from testkit.grid_maps import (
    boxes_of,
    largest_region,
    map_set,
    maze_map,
    random_map,
    read_map,
    room_map,
)

TEXT = "type octile\nheight 2\nwidth 3\nmap\n.@.\nT.G\n"


def test_a_map_file_is_read(tmp_path) -> None:
    path = tmp_path / "a.map"
    path.write_text(TEXT)

    assert read_map(path).tolist() == [[True, False, True], [False, True, True]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("height 2", "height x"), "expected `height H`"),
        (TEXT.replace(".@.", ".@"), "line 5: expected 3 cells, got 2"),
        (TEXT.replace("T.G\n", ""), "expected 2 rows, got 1"),
        ("", "expected `height H`"),
    ],
)
def test_a_file_that_is_none_is_refused_with_its_line(tmp_path, text, message) -> None:
    path = tmp_path / "a.map"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        read_map(path)


@pytest.mark.parametrize("name", map_set())
def test_boxes_cover_the_blocked_cells_and_nothing_else(name: str) -> None:
    free = map_set()[name]
    count = np.zeros(free.shape, dtype=int)
    for a, b, c, d in boxes_of(free).astype(int):
        count[a:c, b:d] += 1

    assert (count == ~free).all()


def test_a_maze_has_one_way_to_everywhere() -> None:
    """Oracle: a tree of n cells has n - 1 doors, and hangs together."""
    free = maze_map(32, 2, np.random.default_rng(1))
    cells = (33 // 3) ** 2

    assert largest_region(free).sum() == free.sum()
    assert free.sum() == cells * 4 + (cells - 1) * 2


def test_rooms_have_a_door_in_each_wall_and_shares_are_exact() -> None:
    free = room_map(32, 4, np.random.default_rng(2))
    assert largest_region(free).sum() == free.sum()
    assert (~random_map(32, 20, np.random.default_rng(3))).sum() == 205


def test_maps_of_one_seed_are_the_same() -> None:
    a, b = map_set(5), map_set(5)
    assert all((a[name] == b[name]).all() for name in a)
