"""What data cannot tell apart, from their information alone."""

import numpy as np

from gelenk.calibration.identifiability import explain_information


def test_a_pose_that_tells_nothing_new_is_not_advised_because_of_rounding():
    """Two parameters act alike in the data and in the first candidate."""
    rng = np.random.default_rng(3)
    J = rng.normal(size=(40, 4)) * np.array([1e3, 1e3, 1.0, 1e-2])
    J[:, 1] = -J[:, 0] / 3.0
    K = rng.normal(size=(40, 4))
    same = K.copy()
    same[:, 1] = -same[:, 0] / 3.0
    told = explain_information(
        J.T @ J,
        names=["a", "b", "c", "d"],
        units=["1"] * 4,
        prior_sigma=[1.0] * 4,
        candidates=[(7, same.T @ same)],
    )
    (confusion,) = told.confusions
    assert set(confusion.names) == {"a", "b"}
    assert confusion.best_pose is None
    assert confusion.gain == 1.0

    told = explain_information(
        J.T @ J,
        names=["a", "b", "c", "d"],
        units=["1"] * 4,
        prior_sigma=[1.0] * 4,
        candidates=[(7, same.T @ same), (8, K.T @ K)],
    )
    (confusion,) = told.confusions
    assert confusion.best_pose == 8
    assert "would tell them apart." in told.text  # not a number of 140 digits
