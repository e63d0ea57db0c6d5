"""A mirrored motion is the motion of the robot in a mirror."""

import numpy as np
import pytest

from gelenk.kinematics.forward import frame_pose
from gelenk.models.loader import load
from gelenk.robots.nao.joints import BODY_JOINTS, mirror, model_from_body
from gelenk.robots.nao.motion.motions import (
    Hardness,
    Label,
    Move,
    Transition,
    mirror_joint,
    mirror_line,
)
from gelenk.robots.nao.motion.text import load_motions, shipped_motions
from gelenk.robots.nao.representations import IGNORE, MotionRequest
from robots.nao.motion.sample_motions import Player, with_body
from robots.nao.motion.test_parser import lines_of

FLIP_Y = np.diag([1.0, -1.0, 1.0, 1.0])  # the mirror: the plane y = 0


def played(motion: str, ticks: int = 1200) -> Player:
    player = Player(load_motions(shipped_motions()["stretch"]))
    player.request = MotionRequest(motion=motion)
    for k in range(ticks):
        player.request = MotionRequest(
            motion=player.request.motion, is_continuing=k % 40 >= 20
        )
        player.tick()
    return player


@pytest.mark.slow
@pytest.mark.capability("CA-67")
def test_the_mirrored_leg_moves_as_the_reflection_of_the_other() -> None:
    left, right = played("stretchLeft"), played("stretchRight")
    model = load("nao")
    tokens = [p.info.token for p in left.history]
    assert {"base", "lifted", "bent", "stretched", "end"} <= set(tokens)
    assert tokens == [p.info.token for p in right.history]

    def poses(player: Player, frame: str) -> np.ndarray:
        angles = player.angles()
        angles[angles == IGNORE] = 0.0
        return frame_pose(model, model_from_body(model, angles), frame=frame)

    for here, there in (("l_sole", "r_sole"), ("r_sole", "l_sole")):
        T_torso_here = poses(left, here)
        T_torso_there = poses(right, there)
        np.testing.assert_allclose(
            T_torso_there, FLIP_Y @ T_torso_here @ FLIP_Y, atol=1e-12
        )
    travel = np.ptp(poses(left, "l_sole")[:, :3, 3], axis=0).max()
    assert travel > 0.1  # [m]: it was a motion


@pytest.mark.capability("CA-67")
def test_lines_are_mirrored_as_poses_are() -> None:
    rng = np.random.default_rng(3)
    degrees = np.round(rng.uniform(-90, 90, 22), 3)
    text = " ".join(map(str, degrees))
    (_, line, _) = lines_of(with_body(f"({text}) 1 1"))

    mirrored = mirror_line(line)

    assert isinstance(mirrored, Move)
    assert tuple(joint for joint, _ in mirrored.values) == BODY_JOINTS
    np.testing.assert_array_equal([v for _, v in mirrored.values], mirror(degrees))
    assert mirror_line(mirrored) == line


def test_names_hardness_and_specials_change_sides() -> None:
    hardness = Hardness(values=tuple(range(22)), duration_ms=7)
    (_, line, _) = lines_of(with_body("{HeadYaw 5 LKneePitch 3 RElbowRoll 4} 1 1 x"))
    (_, special, _) = lines_of(with_body("(" + "* " * 9 + "# " + "* " * 12 + ") 1 1"))

    turned, moved = mirror_line(hardness), mirror_line(line)

    assert isinstance(turned, Hardness)
    assert turned.values[:3] == (0, 1, 6)
    assert turned.values[-6:] == tuple(range(10, 16))
    assert isinstance(moved, Move)
    assert moved.values == (("HeadYaw", -5.0), ("RKneePitch", 3.0), ("LElbowRoll", 4.0))
    assert moved.token == "x"
    off = mirror_line(special)
    assert isinstance(off, Move)
    assert [joint for joint, value in off.values if value == "#"] == ["LElbowRoll"]
    for line in (Label(name="a"), Transition(motion="a", label="b")):
        assert mirror_line(line) is line
    assert {mirror_joint(mirror_joint(joint)) for joint in BODY_JOINTS} == {
        *BODY_JOINTS
    }


def test_transitions_and_labels_are_written_anew() -> None:
    text = with_body(
        "(LKneePitch 10) 10 0 one",
        "label more",
        "(LKneePitch 20) 10 0 two",
        "transition go go more",
    )
    text = text.replace("go go start", "go go start\n  transition og og begin")
    text += """
    og | go { label begin label further
      transition go og further
      transition go start }
    """
    player = Player(text)
    player.request = MotionRequest(motion="og")
    seen = []
    for wanted in ("og", "og", "go", "go", "og", "og"):
        player.request, player.wanted = MotionRequest(motion=wanted), wanted
        played = player.tick(3)
        seen.append((played.info.motion, played.info.token))

    # By hand; 10 degrees take the knee 3 ticks.
    assert seen == [
        ("og", "one"), ("og", "two"), ("og", "two"), ("og", "two"), ("go", "one"),
        ("go", "two"),
    ]  # fmt: skip
