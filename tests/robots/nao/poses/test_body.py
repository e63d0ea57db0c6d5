import numpy as np
import pytest

from gelenk.robots.nao import config
from gelenk.robots.nao.joints import LEG, SIDES
from gelenk.robots.nao.kinematics import leg_frames
from gelenk.robots.nao.poses.body import body_pose, other
from gelenk.robots.nao.poses.shipped import BEST, GIVEN, shipped_poses

HEEL = np.array([-0.055, 0.0, -0.0451, 1.0])  # [m], ankle's frame: the foot's lowest


@pytest.mark.capability("CA-97")
@pytest.mark.parametrize("name", [GIVEN, *BEST.values()])
@pytest.mark.parametrize("side", SIDES)
def test_a_parked_leg_keeps_off_the_floor_however_wrong_its_hip_is(name, side):
    """Two degrees of error and one and a half of sag lower the heel."""
    parked = other(side)
    bodies = body_pose(shipped_poses(name), side)
    bodies[:, LEG[parked].start + 2] += np.deg2rad(3.5)

    heels = [leg_frames(q[LEG[parked]], parked)["ankle"] @ HEEL for q in bodies]

    assert np.min(heels, axis=0)[0] > config.FLOOR
