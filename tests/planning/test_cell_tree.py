"""Cell trees against the array they stand for, and the counts by hand."""

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.planning.cells import (
    CellState,
    cell_tree,
    tree_path,
    update_cell_tree,
)
from gelenk.planning.concepts import PlanStatus
from gelenk.planning.grid import grid_path


def _array(tree, shape):
    out = np.zeros(shape, dtype=int)
    for leaf in tree.leaves():
        out[tuple(slice(c, c + leaf.size) for c in leaf.corner)] += (
            1 if leaf.state == CellState.FREE else 2
        )
    return out


@pytest.mark.capability("GR-222")
def test_the_square_of_the_course_has_19_leaves_and_6_inner_nodes():
    occupied = np.zeros((8, 8), dtype=bool)
    occupied[5:7, 5:7] = True

    tree = cell_tree(occupied)

    assert len(list(tree.leaves())) == 19
    assert tree.num_inner == 6
    # Order [[1, 2], [3, 4]]: upper left, upper right, lower left, lower right.
    assert [c.corner for c in tree.children] == [(0, 0), (0, 4), (4, 0), (4, 4)]


@pytest.mark.capability("GR-222")
@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_leaves_cover_every_cell_once_with_its_own_state(dimension):
    rng = np.random.default_rng(dimension)
    occupied = rng.random((8,) * dimension) < 0.2

    tree = cell_tree(occupied)

    assert (_array(tree, occupied.shape) == np.where(occupied, 2, 1)).all()
    for cell in rng.integers(8, size=(20, dimension)):
        leaf = tree.leaf(tuple(cell))
        assert (leaf.state == CellState.OCCUPIED) == occupied[tuple(cell)]
    assert len(list(tree.leaves())) == 1 + (2**dimension - 1) * tree.num_inner


@pytest.mark.capability("GR-222")
def test_coarse_trees_only_lose_free_space():
    rng = np.random.default_rng(5)
    occupied = rng.random((16, 16)) < 0.05

    coarse = _array(cell_tree(occupied, smallest=4), (16, 16)) == 1

    assert not (coarse & occupied).any()
    assert coarse.sum() < (~occupied).sum()


@pytest.mark.capability("GR-222")
def test_a_local_change_touches_only_the_branches_it_must():
    rng = np.random.default_rng(6)
    before = rng.random((16, 16)) < 0.1
    old = cell_tree(before)
    after = before.copy()
    after[2, 3] = not after[2, 3]

    new = update_cell_tree(old, after, (2, 3), (3, 4))

    assert new == cell_tree(after)
    assert all(a is b for a, b in zip(new.children[1:], old.children[1:], strict=True))
    assert new.children[0] != old.children[0]


@pytest.mark.capability("GR-222")
def test_paths_through_leaves_are_free_and_exist_where_the_grid_has_one():
    rng = np.random.default_rng(7)
    verdicts = []
    for _ in range(12):
        occupied = rng.random((16, 16)) < 0.35
        occupied[0, 0] = occupied[15, 15] = False
        result = tree_path(cell_tree(occupied), (0, 0), (15, 15))
        _, search = grid_path(~occupied, (0, 0), (15, 15), neighbours=4)

        verdicts.append(result.found)
        assert result.found == search.found
        if result.path is None:
            assert result.status == PlanStatus.UNREACHABLE
            continue
        points = result.path.at(np.linspace(0.0, result.path.length, 1000))
        cells = np.clip(np.floor(points).astype(int), 0, 15)
        inside = np.abs(points - np.round(points)).min(axis=1) > 1e-9  # off the faces
        assert not occupied[cells[inside, 0], cells[inside, 1]].any()
    assert 0 < sum(verdicts) < 12


def test_odd_sides_are_refused():
    with pytest.raises(ConfigError, match="power of two"):
        cell_tree(np.zeros((6, 6), dtype=bool))
