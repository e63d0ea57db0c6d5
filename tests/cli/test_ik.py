"""`gelenk ik`: what it prints solves the task. Oracle: forward kinematics."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk as package
from gelenk.cli import exit_codes

POSE = "0.4,0.1,0.5,3.14,0,0.3"


def test_the_joint_values_bring_the_tool_to_the_pose(gelenk) -> None:
    outcome = gelenk("ik", "panda", "--pose", POSE, "--json")

    result = outcome.json()
    T = package.load("panda").forward(result["q"])
    assert outcome.code == exit_codes.OK
    assert result["status"] == "converged"
    assert_allclose(T[:3, 3], [0.4, 0.1, 0.5], rtol=0.0, atol=2e-6)


def test_degrees_in_and_out(gelenk) -> None:
    degrees = gelenk("ik", "panda", "--pose", "0.4,0.1,0.5,180,0,0", "--degrees").out

    q = gelenk("ik", "panda", "--pose", f"0.4,0.1,0.5,{np.pi!r},0,0", "--json").json()[
        "q"
    ]
    lines = [line for line in degrees.splitlines() if line.startswith("joint_")]
    printed = [float(line.split()[1]) for line in lines]
    assert all("deg" in line for line in lines)
    assert_allclose(printed, np.rad2deg(q), rtol=0.0, atol=1e-6)


def test_the_start_decides_which_solution_is_found(gelenk) -> None:
    model = package.load("planar2r")
    T = model.forward([0.3, 0.8])
    pose = " ".join(map(repr, T.ravel().tolist()))

    for sign in (1.0, -1.0):
        start = f"0.3,{0.8 * sign}"
        result = gelenk("ik", "planar2r", "--pose", pose, "--start", start, "--json")
        assert result.code in (exit_codes.OK, exit_codes.MISSED)
        if sign > 0:
            assert_allclose(result.json()["q"], [0.3, 0.8], rtol=0.0, atol=1e-5)


def test_out_of_reach_ends_with_1_and_says_so(gelenk) -> None:
    outcome = gelenk("ik", "panda", "--pose", "4,0,0.5,0,0,0")

    assert outcome.code == exit_codes.MISSED
    assert outcome.out.startswith("unreachable")


def test_another_frame_can_be_placed(gelenk) -> None:
    model = package.load("panda")
    T = model.forward(model.home_configuration, frame="link_6")
    pose = " ".join(map(repr, T.ravel().tolist()))

    result = gelenk("ik", "panda", "--pose", pose, "--frame", "link_6", "--json").json()

    assert_allclose(model.forward(result["q"], frame="link_6"), T, rtol=0.0, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--pose", "1,2"], "has 2 numbers"),
        (["--pose", POSE, "--start", "1,2"], "`q0` must have shape"),
        (["--pose", POSE, "--start", "a"], "`--start`"),
        (["--pose", POSE, "--frame", "elbow"], "no frame named 'elbow'"),
    ],
)
def test_an_impossible_request_ends_with_2(
    gelenk, options: list[str], complaint: str
) -> None:
    outcome = gelenk("ik", "panda", *options)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert complaint in outcome.err
    assert outcome.out == ""


def test_a_pose_may_start_with_a_minus_sign(gelenk) -> None:
    assert (
        gelenk("ik", "panda", "--pose", "-0.4,0.1,0.5,3.14,0,0").code == exit_codes.OK
    )
