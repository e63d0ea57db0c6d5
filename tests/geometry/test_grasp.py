"""Templates and grasps: chained matrices, hulls, sampled loads."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import nnls
from scipy.spatial.transform import Rotation

import gelenk
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.geometry.grasp import (
    GraspContact,
    GraspPose,
    ObjectTemplate,
    contact_wrenches,
    grasp_quality,
    is_force_closure,
    reachable_grasps,
)


def _pose(rotvec, place):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_rotvec(rotvec).as_matrix(), place
    return T


def _fingers(angles, friction=0.6):
    at = [np.array([np.cos(a), np.sin(a), 0.0]) for a in angles]
    return [GraspContact(point=p, normal=-p, friction=friction) for p in at]


@pytest.mark.capability("GR-284")
def test_a_placed_template_gives_a_grasp_that_an_arm_reaches():
    """Oracle: forward kinematics of the found joints."""
    arm = gelenk.load("puma560")
    T_world_hand = np.array(arm.forward(arm.home_configuration))
    grasp = GraspPose(T_object_grasp=_pose([0.2, 0, 0], [0, 0.02, 0]), approach=0.03)
    far = GraspPose(T_object_grasp=_pose([0, 0, 0], [0, 5.0, 0]))
    valve = ObjectTemplate(
        name="valve", grasps={"rim": grasp, "far": far},
        axis=(np.zeros(3), np.array([0, 0, 1.0])),
    )  # fmt: skip
    T_world_object = T_world_hand @ np.linalg.inv(grasp.T_object_grasp)

    def can_reach(T):
        return bool(arm.inverse(T, q0=arm.home_configuration).converged)

    assert reachable_grasps(valve, T_world_object, can_reach) == ("rim",)
    _, at = valve.placed(T_world_object, "rim")
    assert_allclose(at, T_world_hand, atol=1e-12)
    q = arm.inverse(at, q0=arm.home_configuration).q
    assert_allclose(arm.forward(q), T_world_hand, atol=1e-6)
    turned = valve.turned(np.eye(4), "rim", 0.5)
    assert_allclose(
        turned, _pose([0, 0, 0.5], [0, 0, 0]) @ grasp.T_object_grasp, atol=1e-9
    )
    with pytest.raises(NameNotFoundError, match="side"):
        valve.placed(np.eye(4), "side")
    with pytest.raises(ConfigError, match="axis"):
        ObjectTemplate(name="cup", grasps={"rim": grasp}).turned(np.eye(4), "rim", 0.1)


@pytest.mark.capability("GR-284")
def test_two_opposite_fingers_are_refused_and_three_hold():
    two = contact_wrenches(_fingers([0, np.pi]))
    three = contact_wrenches(_fingers([0, 2.1, 4.2]))
    smooth = contact_wrenches(_fingers([0, 2.1, 4.2], friction=0.0))
    beside = contact_wrenches(_fingers([0, 0.3, 0.6], friction=0.2))
    assert not is_force_closure(two)
    assert is_force_closure(three)
    assert not is_force_closure(smooth)
    assert not is_force_closure(beside)
    assert grasp_quality(two) == 0.0
    open_side = np.concatenate([np.eye(6), -np.eye(6)[:5]])  # nothing pulls along -e6
    assert not is_force_closure(open_side)
    assert is_force_closure(np.concatenate([open_side, -np.eye(6)[5:]]))
    assert grasp_quality(three) > 0.05


@pytest.mark.capability("GR-284")
def test_closure_means_that_every_load_is_carried_and_quality_is_the_weakest():
    """Second way: non-negative least squares for random loads; the hull's support."""
    rng = np.random.default_rng(0)
    loads = rng.normal(size=(60, 6))
    good = contact_wrenches(_fingers([0, 2.1, 4.2]))
    bad = contact_wrenches(_fingers([0, np.pi]))
    assert max(nnls(good.T, load)[1] for load in loads) < 1e-8
    assert max(nnls(bad.T, load)[1] for load in loads) > 0.1
    directions = loads / np.linalg.norm(loads, axis=1)[:, None]
    support = (directions @ good.T).max(axis=1).min()
    quality = grasp_quality(good)
    assert quality <= support + 1e-9
    # The weakest direction: descend on the support function from the best sample.
    best = directions[(directions @ good.T).max(axis=1).argmin()]
    for k in range(3000):
        trial = best + rng.normal(0, 0.3 / (1 + 0.01 * k), 6)
        trial /= np.linalg.norm(trial)
        if (good @ trial).max() < (good @ best).max():
            best = trial
    assert (good @ best).max() == pytest.approx(quality, rel=0.15)
