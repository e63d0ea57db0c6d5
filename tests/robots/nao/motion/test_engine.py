"""The engine moves as the file says, no faster and no further than the joints can."""

import copy

import numpy as np
import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    ankle_roll_limits,
    head_pitch_limits,
    limits,
)
from gelenk.robots.nao.motion.engine import DEFAULT_STIFFNESS, initial_state, step
from gelenk.robots.nao.representations import IGNORE, OFF, MotionRequest
from gelenk.robots.nao.robot import JOINTS
from robots.nao.motion.sample_motions import ENTRY, INDEX, Player, with_body

SPEEDS = np.deg2rad([JOINTS[j if j in JOINTS else j[1:]].speed for j in BODY_JOINTS])


@pytest.mark.capability("CA-60")
def test_angles_run_straight_from_start_to_target() -> None:
    player = Player(with_body("(LKneePitch 100) 1000 0"), angles=20.0)

    values = []
    for _ in range(100):
        player.tick()
        values.append(player.degrees("LKneePitch"))

    # By hand: from 20 to 100 in 100 ticks is 0.8 degrees per tick.
    assert values == pytest.approx([20.0 + 0.8 * k for k in range(1, 101)])
    assert values[49] == pytest.approx(60.0)
    assert player.history[-2].info.motion == "go"
    assert player.tick().info.motion == "motions"
    assert player.degrees("LKneePitch") == pytest.approx(100.0)


@pytest.mark.capability("CA-60")
def test_ticks_of_another_length_pass_the_same_angles() -> None:
    coarse, fine = (
        Player(with_body("(LKneePitch 100) 1000 0"), angles=20.0, dt=dt)
        for dt in (0.02, 0.01)
    )
    coarse.tick(50)
    fine.tick(100)

    np.testing.assert_allclose(coarse.angles(), fine.angles()[1::2], atol=1e-12)


@pytest.mark.capability("CA-61")
def test_complete_partial_and_relative_lines_have_their_targets() -> None:
    everything = " ".join(str(i) for i in range(-5, 5)) + " 1 2 -3 4 5 6 1 -2 3 4 -5 6"
    player = Player(
        with_body(
            f"({everything}) 500 0 milestone a",
            "(HeadYaw 30, RKneePitch 40) 500 0 milestone b",
            "{HeadYaw -10, RKneePitch 5} 500 0 milestone c",
            "{HeadYaw -10} 500 0 milestone d",
        )
    )

    def reached(token: str) -> dict[str, float]:
        player.until(lambda p: p.info.is_at_milestone and p.info.token == token)
        angles = np.rad2deg(player.history[-1].joints.angles)
        player.go_on()
        return dict(zip(BODY_JOINTS, angles, strict=True))

    a = reached("a")
    expected = dict(zip(BODY_JOINTS, map(float, everything.split()), strict=True))
    expected["LElbowRoll"] = -2.0  # 0 is out of its range
    expected["RElbowRoll"] = -2.0
    assert a == pytest.approx(expected, abs=1e-9)
    b = reached("b")
    assert b == pytest.approx(a | {"HeadYaw": 30.0, "RKneePitch": 40.0}, abs=1e-9)
    c = reached("c")
    assert c == pytest.approx(b | {"HeadYaw": 20.0, "RKneePitch": 45.0}, abs=1e-9)
    assert reached("d") == pytest.approx(c | {"HeadYaw": 10.0}, abs=1e-9)


@pytest.mark.capability("CA-61")
def test_relative_lines_add_to_the_target_whatever_gravity_does() -> None:
    player = Player(with_body("(LKneePitch 30) 100 0", *["{LKneePitch 5} 100 0"] * 6))
    player.measured = np.deg2rad(np.full(22, -3.0))  # everything hangs through

    player.tick(10)
    assert player.degrees("LKneePitch") == pytest.approx(30.0)
    player.tick(60)
    assert player.degrees("LKneePitch") == pytest.approx(60.0)


def fastest(player: Player) -> np.ndarray:
    """Return the largest speeds of the commands [rad/s], shape (22,)."""
    angles = np.vstack([np.zeros(22), player.angles()])
    driven = np.all((angles != OFF) & (angles != IGNORE), axis=0)
    speeds = np.abs(np.diff(angles, axis=0)).max(axis=0) / player.dt
    return np.where(driven, speeds, 0.0)


@pytest.mark.capability("CA-62")
@pytest.mark.parametrize(
    ("trailer", "seconds", "speed"),
    [
        ("0 0", 100 / 367, 367.0),  # as fast as the knee can
        ("0 50", 2.0, 50.0),
        ("1000 0", 1.0, 100.0),
        ("1000 50", 2.0, 50.0),
        ("4000 50", 4.0, 25.0),
        ("10 0", 100 / 367, 367.0),
        ("0 9000", 100 / 367, 367.0),
    ],
)
def test_speed_and_duration_both_hold(
    trailer: str, seconds: float, speed: float
) -> None:
    player = Player(with_body(f"(LKneePitch 100, HeadYaw 10) {trailer}"))

    ticks = player.until(lambda p: p.info.motion == "motions") - 1

    assert ticks == np.ceil(np.round(seconds / 0.01, 6))
    knee = INDEX["LKneePitch"]
    assert np.rad2deg(fastest(player)[knee]) == pytest.approx(speed)


@pytest.mark.capability("CA-62")
@pytest.mark.slow
def test_no_joint_is_ever_faster_or_further_than_it_can() -> None:
    rng = np.random.default_rng(0)
    low, high = np.rad2deg(limits())
    lines = []
    for _ in range(60):
        q = rng.uniform(1.3 * low, 1.3 * high)
        q[16] = q[10]
        values = " ".join(f"{v:.3f}" for v in q)
        lines.append(f"({values}) {rng.integers(0, 600)} 0")
    start = np.rad2deg(0.5 * np.sum(limits(), axis=0))
    player = Player(with_body(*lines), angles=start)

    player.until(lambda p: p.info.motion == "motions", limit=20_000)

    angles = player.angles()
    speeds = np.abs(np.diff(angles, axis=0)) / player.dt
    assert np.all(speeds <= SPEEDS * (1.0 + 1e-9))
    assert np.any(speeds > 0.99 * SPEEDS)  # some were as fast as they can
    assert np.all(angles >= limits()[0] - 1e-12)
    assert np.all(angles <= limits()[1] + 1e-12)
    ends = head_pitch_limits(angles[:, 0])
    assert np.all((ends[0] - 1e-12 <= angles[:, 1]) & (angles[:, 1] <= ends[1] + 1e-12))
    for pitch, roll in ((14, 15), (20, 21)):
        ends = ankle_roll_limits(angles[:, pitch])
        assert np.all(angles[:, roll] >= ends[0] - 1e-12)
        assert np.all(angles[:, roll] <= ends[1] + 1e-12)
    np.testing.assert_array_equal(angles[:, 10], angles[:, 16])


def test_a_limit_that_holds_a_joint_back_is_told() -> None:
    player = Player(
        with_body(
            "(LKneePitch 130) 100 0 milestone", "(LKneePitch 100) 100 0 milestone"
        )
    )

    assert player.tick().info.clipped == ("LKneePitch",)
    player.until(lambda p: p.info.is_at_milestone)
    assert player.degrees("LKneePitch") == pytest.approx(120.0)
    assert player.tick().info.clipped == ("LKneePitch",)
    assert player.go_on().info.clipped == ()


@pytest.mark.capability("CA-63")
def test_a_milestone_is_held_until_the_switch_is_turned_on() -> None:
    moves = [f"(LKneePitch {10 * k}) 50 0 milestone p{k}" for k in (1, 2, 3)]
    player = Player(with_body(*moves))

    def hold(ticks: int) -> None:
        before = player.degrees("LKneePitch")
        player.tick(ticks)
        assert player.degrees("LKneePitch") == before
        assert all(p.info.is_at_milestone for p in player.history[-ticks:])

    assert player.until(lambda p: p.info.is_at_milestone) == 5
    hold(3000)
    # Kept on, the switch is worth one step.
    player.request = MotionRequest(is_continuing=True)
    assert player.tick().info.token == "p2"
    assert not player.history[-1].info.is_at_milestone
    player.tick(4)
    assert player.history[-1].info.is_at_milestone
    hold(500)
    player.request = MotionRequest(is_continuing=False)
    hold(10)
    assert player.go_on().info.token == "p3"
    # On the way to a milestone it is worth nothing.
    player.go_on()
    assert player.until(lambda p: p.info.is_at_milestone) == 3
    hold(100)
    player.go_on()
    assert player.history[-1].info.motion == "motions"


@pytest.mark.capability("CA-64")
def test_tokens_are_shown_while_their_lines_are_executed() -> None:
    player = Player(
        with_body(
            "(LKneePitch 5) 30 0 first",
            "(LKneePitch 10) 20 0",
            "(LKneePitch 5) 20 0 milestone held",
            "(LKneePitch 0) 30 0 end",
        )
    )
    player.tick(10)
    player.go_on()
    player.tick(5)

    tokens = [p.info.token for p in player.history]
    assert tokens == ["first"] * 3 + [""] * 2 + ["held"] * 5 + ["end"] * 3 + [""] * 3
    assert [p.info.motion for p in player.history] == ["go"] * 13 + ["motions"] * 3


@pytest.mark.capability("CA-65")
def test_stiffness_arrives_at_the_joints() -> None:
    values = (
        " ".join(str(k) for k in range(10)) + " 50 60 70 80 90 100 50 10 20 30 40 0"
    )
    player = Player(
        with_body(
            "(LKneePitch 10) 100 0",
            f"hardness({values}) 200",
            "(LKneePitch 20) 400 0",
            f"hardness({'100 ' * 22})",
            "(LKneePitch 0) 100 0",
        )
    )
    wanted = np.array(values.split(), dtype=float) / 100.0

    np.testing.assert_allclose(player.tick(10).joints.stiffness, DEFAULT_STIFFNESS)
    player.tick(10)  # half of the time, while the knee moves
    middle = 0.5 * (DEFAULT_STIFFNESS + wanted)
    np.testing.assert_allclose(player.history[-1].joints.stiffness, middle)
    assert player.degrees("LKneePitch") == pytest.approx(12.5)
    np.testing.assert_allclose(player.tick(10).joints.stiffness, wanted)
    np.testing.assert_allclose(player.tick(20).joints.stiffness, wanted)
    np.testing.assert_allclose(player.tick().joints.stiffness, 1.0)


@pytest.mark.capability("CA-66")
def test_the_way_through_the_motions_follows_the_requests() -> None:
    text = """
    motions { label start
      transition a a start  transition b b half
      transition motions start }
    a { label start (HeadYaw 1) 10 0 a1
      transition b b start
      label again (HeadYaw 2) 10 0 a2
      transition a a again
      transition motions start }
    b { label start (HeadYaw 3) 10 0 b1
      label half (HeadYaw 4) 10 0 b2
      transition motions start }
    """
    player = Player(text)
    seen = []
    for wanted in ("", "a", "a", "a", "a", "", "", "b", "b", "a", "b", "b", "", ""):
        player.request = MotionRequest(motion=wanted)
        played = player.tick()
        seen.append(played.info.token or played.info.motion)

    # By hand, tick by tick.
    assert seen == [
        "motions", "a1", "a2", "a2", "a2", "motions", "motions", "b2", "b2", "a1",
        "b1", "b2", "motions", "motions",
    ]  # fmt: skip


def test_joints_that_no_line_has_driven_are_left_to_others() -> None:
    player = Player(with_body("(* * " + "0 " * 8 + "0 0 0 5 0 0 " * 2 + ") 100 0"))

    played = player.tick(10)

    assert list(played.joints.angles[:2]) == [IGNORE, IGNORE]
    assert player.degrees("LKneePitch") == pytest.approx(5.0)
    np.testing.assert_array_equal(played.joints.stiffness, DEFAULT_STIFFNESS)


def test_a_motor_that_was_off_starts_from_where_its_joint_is() -> None:
    off = "(" + "* " * 13 + "# " + "* " * 8 + ") 50 0"
    player = Player(with_body("(LKneePitch 60) 200 0", off, "(LKneePitch 60) 1000 0"))

    player.tick(20)
    assert player.degrees("LKneePitch") == pytest.approx(60.0)
    played = player.tick(5)
    assert played.joints.angles[13] == OFF
    assert played.joints.stiffness[13] == 0.0
    player.measured = np.zeros(22)
    player.measured[13] = np.deg2rad(20.0)  # the leg has fallen
    player.tick()
    assert player.degrees("LKneePitch") == pytest.approx(20.4)
    player.tick(99)
    assert player.degrees("LKneePitch") == pytest.approx(60.0)


def test_off_at_once_and_from_the_beginning_afterwards() -> None:
    player = Player(with_body("(LKneePitch 60) 1000 0 one", "(LKneePitch 0) 1000 0"))
    player.tick(30)

    player.request = MotionRequest(motion="go", is_off=True)
    played = player.tick()

    assert np.all(played.joints.angles == OFF)
    assert np.all(played.joints.stiffness == 0.0)
    assert played.info.motion == "motions"
    player.request = MotionRequest()
    assert np.all(player.tick().joints.angles == OFF)
    player.request = MotionRequest(motion="go")
    assert player.tick().info.token == "one"
    assert player.degrees("LKneePitch") > 17.0  # from where it was


def test_the_engine_is_a_function_of_its_state() -> None:
    player = Player(with_body("(LKneePitch 60) 1000 0 milestone", "(LKneePitch 0) 0 0"))
    player.tick(40)
    state, kept = player.state, copy.deepcopy(player.state)

    first = player.tick(80).joints.angles
    again = Player(player.program)
    again.state = kept
    second = again.tick(80).joints.angles

    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(state.angles, kept.angles)


def test_wrong_calls_are_refused() -> None:
    player = Player(ENTRY + "go { label start (HeadYaw 0) transition motions start }")

    with pytest.raises(NameNotFoundError, match="Did you mean 'go'"):
        step(player.program, player.state, MotionRequest(motion="goo"))
    with pytest.raises(ConfigError, match="`dt` must exceed 0"):
        step(player.program, player.state, MotionRequest(), 0.0)
    with pytest.raises(ValueError, match="angles"):
        initial_state(np.full(22, np.nan))
