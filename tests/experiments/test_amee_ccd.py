import time

import numpy as np
import pytest

from experiments.amee.ccd import descend
from experiments.amee.plane import two_bones

LINE = np.column_stack([np.arange(-1000, 1000, 0.1), np.full(20_000, 100.0)])


def tips(angles):
    a, b = angles[:, 0], angles[:, 0] + angles[:, 1]
    return 100 * np.column_stack([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)])


@pytest.mark.capability("QW-36")
def test_descent_arrives_where_it_may_search_and_misses_in_five_sweeps():
    exact, reachable = two_bones(LINE, 100, 100)
    assert abs(reachable.mean() - 0.173) < 1e-3
    assert np.abs(tips(exact) - LINE)[reachable].max() < 1e-12
    five, used = descend(LINE, 100, 100)
    error = np.linalg.norm(tips(five) - LINE, axis=1)
    assert error[reachable].max() > 1.0
    assert used <= 5 * len(LINE)
    near = LINE[reachable][::40]
    patient, used = descend(near, 100, 100, sweeps=3000, tolerance=1e-3)
    inner = np.linalg.norm(near, axis=1) < 190
    assert np.linalg.norm(tips(patient) - near, axis=1)[inner].max() < 1e-3


@pytest.mark.capability("QW-36")
def test_the_closed_form_is_much_faster_than_descent():
    def seconds(function, repeats):
        best = 1.0
        for _ in range(5):
            start = time.process_time()
            for _ in range(repeats):
                function(LINE, 100, 100)
            best = min(best, (time.process_time() - start) / repeats)
        return best

    two_bones(LINE, 100, 100), descend(LINE, 100, 100)
    ratio = seconds(descend, 1) / seconds(two_bones, 12)
    assert ratio > 10  # about 25 on an idle machine
