"""What the border lets through."""

import numpy as np
import pytest

import gelenk
from gelenk.checks import as_array, as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError


def test_kernel_arrays_are_contiguous_and_writable_and_copied_only_if_needed() -> None:
    good = np.ones((3, 4))
    assert as_kernel_array(good) is good
    fixed = np.ones((3, 4))
    fixed.setflags(write=False)
    for other in (fixed, good.T, good[:, ::2], good.astype(np.float32), good.tolist()):
        array = as_kernel_array(other)
        assert array.flags.c_contiguous
        assert array.flags.writeable
        assert array.dtype == np.float64
        np.testing.assert_array_equal(array, np.asarray(other))


def test_no_layout_of_the_arguments_compiles_a_kernel_again() -> None:
    from gelenk.kernels.chain import pose_one
    from gelenk.kernels.ik import solve_pose

    model = gelenk.load("planar3r")
    q = np.array([0.1, 0.2, 0.3])
    T = model.forward(q)
    model.inverse(T)
    known = len(pose_one.signatures), len(solve_pose.signatures)

    fixed = q.copy()
    fixed.setflags(write=False)
    for other in (fixed, np.tile(q, 2).reshape(2, 3).T.ravel()[::-1][:3], [0, 0, 1]):
        model.forward(other)
    frozen = T.copy()
    frozen.setflags(write=False)
    for pose in (frozen, np.asfortranarray(T), T.tolist()):
        model.inverse(pose)

    assert (len(pose_one.signatures), len(solve_pose.signatures)) == known


def test_wrong_values_are_named() -> None:
    with pytest.raises(
        ShapeError, match=r"`p` must have shape \(\.\.\., 3\), got \(2,\)"
    ):
        as_array("p", [1, 2], (3,))
    with pytest.raises(ConfigError, match="`p` must be made of numbers, got 'abc'"):
        as_array("p", "abc", (3,))
    with pytest.raises(ConfigError, match="`p` must be finite"):
        as_finite("p", [1.0, np.nan, 2.0], (3,))
