"""The cost report: all algorithms, the same results, counts that need no clock."""

import numpy as np
import pytest

from gelenk.dynamics.algorithm_costs import (
    compare_costs,
    format_costs,
    newton_euler_operations,
    serial_arm,
)
from gelenk.errors import ConfigError

ROWS = compare_costs((2, 6, 50), rng=np.random.default_rng(0), states=4, repeats=1)


def rows_of(task: str, num_joints: int) -> dict[str, float]:
    return {
        row.method: row.result
        for row in ROWS
        if row.task == task and row.num_joints == num_joints
    }


@pytest.mark.capability("GR-62", "GR-68")
def test_all_algorithms_of_a_task_are_measured_and_agree() -> None:
    for n in (2, 6, 50):
        methods = {
            "inverse dynamics": {"Newton-Euler", "Lagrange"},
            "mass matrix": {"by columns", "by symmetry", "composite bodies"},
            "forward dynamics": {"mass matrix and solve", "articulated bodies"},
        }
        if n == 50:
            methods["inverse dynamics"] = {"Newton-Euler"}
        for task, names in methods.items():
            found = rows_of(task, n)
            assert set(found) == names
            values = np.array(list(found.values()))
            np.testing.assert_allclose(values, values[0], rtol=1e-8)


@pytest.mark.capability("GR-62")
def test_newton_euler_is_linear_and_faster_than_lagrange() -> None:
    assert newton_euler_operations(6) == (852, 738)
    times = {(r.method, r.num_joints): r.seconds for r in ROWS}
    assert times["Newton-Euler", 6] < times["Lagrange", 6]  # by a factor of hundreds
    assert all(row.seconds > 0.0 for row in ROWS)


@pytest.mark.capability("GR-68")
def test_visits_grow_as_the_algorithms_say() -> None:
    visits = {(r.method, r.num_joints): r.visits for r in ROWS}
    for n in (2, 6, 50):
        assert visits["by columns", n] == n * n
        assert visits["by symmetry", n] == n * (n + 1) // 2
        assert visits["composite bodies", n] == n
        assert visits["articulated bodies", n] == n


@pytest.mark.capability("GR-62", "GR-68")
def test_the_report_is_a_table_of_all_rows() -> None:
    lines = format_costs(ROWS).splitlines()

    assert len(lines) == len(ROWS) + 1
    assert lines[0].split() == ["joints", "task", "method", "us/state", "visits"]
    assert sum("articulated bodies" in line for line in lines) == 3
    with pytest.raises(ConfigError, match="`num_joints` must be >= 1"):
        serial_arm(0)
