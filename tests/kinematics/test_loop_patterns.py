"""Tests of closed chains with a closed form.

Oracles: published vectors, distances measured on the textbook tree, SciPy's least
squares over the passive joints, and the angles between two points from another module.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import least_squares

from gelenk.errors import ConfigError, ShapeError
from gelenk.kinematics.loops.patterns import (
    ClosureResult,
    ClosureStatus,
    PatternKind,
    close,
    describe_chains,
    recognize,
)
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop
from gelenk.models.parts import Assembly, Body, Tip
from gelenk.models.tree import RobotModel
from gelenk.spatial.plane_angles import angles_to_map_point
from textbook_tree import link_poses

CORNERS = [(0, 0, 0), (10, 0, 0), (0, 10, 0)]
CIRCLE = [(15 * np.cos(a), 15 * np.sin(a), 0) for a in np.deg2rad([0.0, 120.0, 240.0])]
UNLIMITED = (-np.inf, np.inf)


def tripod(feet: list, branch: int = 0, order: tuple = (0, 1, 2)) -> RobotModel:
    robot = Assembly()
    legs = [
        robot.fullrot(f"foot_{i}", at=foot).linear_motor(f"leg_{i}")
        for i, foot in enumerate(feet)
    ]
    ends = [legs[i] for i in order]
    robot.closed_chain("apex", ends, branch=branch, pattern="required").gripper_mount()
    return robot.build("tripod")


def tight_len(branch: int = 0) -> RobotModel:
    robot = Assembly()
    rail = robot.linear("slide", at=(5, 0, 10))
    strut = robot.fullrot("foot").linear_motor("strut")
    robot.closed_chain("union", [rail, strut], branch=branch, pattern="required")
    return robot.build("tight_len")


def tight_rot(
    branch: int = 0, centre: tuple = (4, 12, 3), arm: float | tuple = 10.0
) -> RobotModel:
    robot = Assembly()
    door = robot.axisrot("hinge").segment(arm)
    strut = robot.fullrot("foot", at=centre).linear_motor("strut")
    robot.closed_chain("union", [door, strut], branch=branch, pattern="required")
    return robot.build("tight_rot")


def tight_pseudo(a0: tuple = (2, 1, 0), b: tuple = (3, 4, 12)) -> RobotModel:
    robot = Assembly()
    arm = robot.segment(b)
    sensor = robot.fullrot("foot").linear("slide").segment(a0)
    robot.closed_chain("union", [arm, sensor], pattern="required")
    return robot.build("tight_pseudo")


def solve(model: RobotModel, q: object) -> ClosureResult:
    return close(model, recognize(model), np.asarray(q, dtype=np.float64))


def value(model: RobotModel, result: ClosureResult, joint: str) -> float:
    names = [model.joint_names_all[i] for i in model.tree_joint_ids]
    return float(result.q_tree[..., names.index(joint)])


def all_poses(model: RobotModel, q_tree: np.ndarray) -> np.ndarray:
    values = model.home.copy()
    values[model.tree_joint_ids] = q_tree
    return link_poses(model, values)


def ends(model: RobotModel, q_tree: np.ndarray, loop: int = 0) -> np.ndarray:
    """Positions of the closing points, one row per chain."""
    T = all_poses(model, q_tree)
    closure = model.loops[loop]
    frames = zip(closure.links, closure.T_link_frame, strict=True)
    return np.array([(T[k] @ F)[:3, 3] for k, F in frames])


def measured_gap(model: RobotModel, q_tree: np.ndarray, loop: int = 0) -> float:
    points = ends(model, q_tree, loop)
    return max(np.linalg.norm(p - r) for p in points for r in points)


# -- published vectors -----------------------------------------------------------------


@pytest.mark.capability("AB-06", "AB-155")
@pytest.mark.parametrize(("branch", "side"), [(0, 1), (1, 1), (-1, -1)])
def test_tripod_over_corners_has_the_published_apex(branch: int, side: int) -> None:
    model = tripod(CORNERS, branch)
    result = solve(model, [9, 8, 7])
    assert result.message == "closed"
    for point in ends(model, result.q_tree):
        assert_allclose(point, [5.85, 6.6, side * 1.793739], atol=1e-6)


@pytest.mark.capability("AB-152", "AB-155")
def test_tripod_on_a_circle_has_the_published_apex_and_angles() -> None:
    model = tripod(CIRCLE)
    upright = solve(model, [30, 30, 30])
    assert_allclose(ends(model, upright.q_tree)[0], [0, 0, 25.980762], atol=1e-6)

    tilted = solve(model, [28, 30, 32])
    assert_allclose(
        ends(model, tilted.q_tree)[0], [3.955556, 2.386381, 25.618849], atol=1e-6
    )
    angles = [
        [np.rad2deg(value(model, tilted, f"foot_{i}_{p}")) for p in ("xy", "xz")]
        for i in range(3)
    ]
    published = [
        (4.889130, 113.321173), (-20.699499, 65.908032), (28.719619, 65.908032)
    ]  # fmt: skip
    assert_allclose(angles, published, atol=1e-6)


@pytest.mark.capability("AB-06", "AB-154", "AB-156")
@pytest.mark.parametrize(
    ("branch", "s"), [(0, 6.180340), (1, 6.180340), (-1, -16.180340)]
)
def test_tight_len_has_the_published_length(branch: int, s: float) -> None:
    model = tight_len(branch)
    result = solve(model, [15])
    assert value(model, result, "slide") == pytest.approx(s, abs=1e-6)
    assert_allclose(ends(model, result.q_tree), [(5 + s, 0, 10)] * 2, atol=1e-6)


@pytest.mark.capability("AB-06", "AB-153", "AB-157")
@pytest.mark.parametrize(
    ("branch", "angle", "point"),
    [
        (0, -1.663313, (9.995787, -0.290262, 0)),
        (1, -1.663313, (9.995787, -0.290262, 0)),
        (-1, 144.793416, (-8.170787, 5.765262, 0)),
    ],
)
def test_tight_rot_has_the_published_angle(
    branch: int, angle: float, point: tuple
) -> None:
    model = tight_rot(branch)
    result = solve(model, [14])
    assert np.rad2deg(value(model, result, "hinge")) == pytest.approx(angle, abs=1e-6)
    assert_allclose(ends(model, result.q_tree), [point, point], atol=1e-6)


@pytest.mark.capability("AB-06", "AB-158")
def test_tight_pseudo_has_the_published_length() -> None:
    model = tight_pseudo()
    result = solve(model, [])
    assert value(model, result, "slide") == pytest.approx(10.961481, abs=1e-6)
    assert_allclose(ends(model, result.q_tree), [(3, 4, 12)] * 2, atol=1e-12)


@pytest.mark.capability("AB-152")
def test_a_fullrot_takes_the_first_of_the_two_published_rotations() -> None:
    model = tight_pseudo(a0=(3, 1, 2), b=(1, 2, 3))  # equally long, so the slide is 0
    result = solve(model, [])
    angles = [value(model, result, f"foot_{p}") for p in ("xy", "xz")]
    assert_allclose(np.rad2deg(angles), [20.796572, 32.333531], atol=1e-6)
    assert value(model, result, "slide") == pytest.approx(0.0, abs=1e-12)


@pytest.mark.capability("AB-155", "AB-156", "AB-157")
@pytest.mark.parametrize(
    ("model", "q"),
    [(tripod(CORNERS), [4, 4, 4]), (tight_len(), [9]), (tight_rot(), [1])],
)
def test_published_unsolvable_cases_are_a_status(model: RobotModel, q: list) -> None:
    result = solve(model, q)
    assert result.status.tolist() == [ClosureStatus.OUT_OF_REACH]
    assert not result.closed
    assert np.isfinite(result.q_tree).all()
    assert (
        f"loop {model.loops[0].name!r} is not closed: the chains are" in result.message
    )
    gap = measured_gap(model, result.q_tree)
    assert result.gap[0] == pytest.approx(gap, rel=1e-9)
    assert gap > 0.5


# -- recognition -----------------------------------------------------------------------


@pytest.mark.capability("AB-159")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 0, 2)])
def test_the_apex_does_not_depend_on_the_order_of_the_legs(order: tuple) -> None:
    model = tripod(CIRCLE, order=order)
    (pattern,) = recognize(model)
    assert pattern is not None
    assert pattern.kind is PatternKind.TRIPOD
    point = ends(model, solve(model, [28, 30, 32]).q_tree)[0]
    assert_allclose(point, [3.955556, 2.386381, 25.618849], atol=1e-6)


@pytest.mark.capability("AB-159")
@pytest.mark.parametrize("is_swapped", [False, True])
@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("linear", "fullrot", PatternKind.TIGHT_LEN),
        ("axisrot", "fullrot", PatternKind.TIGHT_ROT),
        ("", "fullrot linear", PatternKind.TIGHT_PSEUDO),
        ("axisrot", "axisrot", None),
        ("fullrot", "fullrot", None),
        ("linear", "linear", None),
        ("", "fullrot", None),
        ("", "linear fullrot", None),
        ("", "axisrot linear", None),
        ("linear", "axisrot", None),
        ("", "fullrot axisrot", None),
    ],
)
def test_patterns_are_told_by_their_passive_parts(
    first: str, second: str, kind: PatternKind | None, is_swapped: bool
) -> None:
    robot = Assembly()
    tips = []
    for i, words in enumerate((first, second)):
        tip: Tip = robot.servo(at=(i, 0.0, 0.0))
        for word in words.split():
            tip = getattr(tip, word)()
        tips.append(tip.servo(axis="xz").segment(0.3))
    robot.closed_chain("loop", tips[::-1] if is_swapped else tips)
    (pattern,) = recognize(robot.build("r"))
    assert (pattern.kind if pattern else None) == kind


def test_three_chains_are_a_tripod_or_nothing() -> None:
    robot = Assembly()
    tips = [robot.fullrot(at=(i, 0, 0)).segment(1.0) for i in range(2)]
    tips.append(robot.axisrot(at=(0, 1, 0)).segment(1.0))
    robot.closed_chain("loop", tips)
    assert recognize(robot.build("r")) == (None,)


def test_a_passive_joint_in_front_of_the_fork_belongs_to_no_pattern() -> None:
    robot = Assembly()
    fork = robot.axisrot().t_connector()
    rail = fork.linear()
    strut = fork.fullrot(at=(0, 0, 1)).segment(2.0)
    robot.closed_chain("loop", [rail, strut])
    model = robot.build("r")
    assert recognize(model) == (None,)
    assert describe_chains(model, "loop") == "its chains share a passive joint"


def universal_model(
    axes: tuple, offset: tuple = (0, 0, 0), mimic: float = 0.0
) -> RobotModel:
    """A strut on two passive hinges against a rail, not made of parts."""
    joint = {"joint_type": JointType.REVOLUTE, "is_passive": True}
    T_foot, T_between, T_tip = np.eye(4), np.eye(4), np.eye(4)
    T_foot[:3, 3] = 0.3, -0.2, 0.1
    T_between[:3, 3] = offset
    T_tip[:3, 3] = 0.2, 0.1, 0.0
    links = [
        Link(name="base"),
        Link(name="rail", parent="base", joint_type=JointType.PRISMATIC,
             axis=(1, 0, 0), is_passive=True),
        Link(name="cross", parent="base", axis=axes[0], T_parent_joint=T_foot, **joint),
        Link(name="strut", parent="cross", axis=axes[1], T_parent_joint=T_between, **joint),
        Link(name="rod", parent="strut", T_parent_joint=T_tip, axis=(1, 0, 0),
             joint_type=JointType.PRISMATIC, mimic="rail_joint" if mimic else None,
             multiplier=mimic or 1.0),
        Link(name="pendulum", parent="base", home=0.3, **joint),
    ]  # fmt: skip
    frames = np.tile(np.eye(4), (2, 1, 1))
    loop = Loop(name="loop", links=("rail", "rod"), T_link_frame=frames)
    return assemble("universal", links, loops=[loop])


@pytest.mark.parametrize(
    ("axes", "offset"),
    [
        (((0, 0, 1), (0, 1, 0)), (0, 0, 0)),  # yaw first, as a URDF would have it
        (((1, 0, 0), (0, 1, 0)), (0, 0, 0)),
        (((0, 0, 1), (0, 1, 0)), (0, 0.3, 0.4)),  # the axes still cross
        (((1, 2, 2), (2, 1, -2)), (0, 0, 0)),
    ],
)
def test_any_two_hinges_that_cross_at_a_right_angle_are_a_fullrot(
    axes: tuple, offset: tuple
) -> None:
    model = universal_model(axes, offset)
    (pattern,) = recognize(model)
    assert pattern is not None
    assert pattern.kind is PatternKind.TIGHT_LEN
    closed = [
        (q, result.q_tree)
        for q in np.linspace(0.1, 1.5, 29)
        if (result := solve(model, [q])).closed
    ]
    assert len(closed) > 8
    for _, q_tree in closed:
        assert measured_gap(model, q_tree) < 1e-12


@pytest.mark.parametrize(
    ("axes", "offset"),
    [
        (((0, 0, 1), (0, 1, 1)), (0, 0, 0)),  # 45 degrees
        (((0, 0, 1), (0, 0, 1)), (0, 0, 0)),
        (((0, 0, 1), (0, 1, 0)), (0.1, 0, 0)),  # the axes miss each other
    ],
)
def test_other_pairs_of_hinges_are_none(axes: tuple, offset: tuple) -> None:
    assert recognize(universal_model(axes, offset)) == (None,)


@pytest.mark.parametrize("multiplier", [1.0, 2.0])
def test_a_motor_that_mimics_a_passive_joint_spoils_the_pattern(
    multiplier: float,
) -> None:
    model = universal_model(((0, 0, 1), (0, 1, 0)), mimic=multiplier)
    assert recognize(model) == (None,)


def test_a_passive_joint_outside_the_loops_stays_at_home() -> None:
    model = universal_model(((0, 0, 1), (0, 1, 0)))
    result = solve(model, [0.5])
    assert value(model, result, "pendulum_joint") == 0.3


def test_only_point_closures_are_patterns() -> None:
    model = tight_len()
    links = ("slide", "strut")
    frames = np.tile(np.eye(4), (2, 1, 1))
    rows = [
        Link(
            name=model.link_names[i],
            parent=model.link_names[model.parent[i]] if i else None,
            joint_type=JointType(model.joint_type[i]),
            axis=model.axis[i],
            is_passive=bool(model.is_passive[i]),
            T_parent_joint=model.T_parent_joint[i],
        )
        for i in range(len(model.link_names))
    ]
    for kind, is_known in (("point", True), ("pose", False), ("hinge", False)):
        loop = Loop(name="l", links=links, T_link_frame=frames, kind=kind)  # type: ignore[arg-type]
        (pattern,) = recognize(assemble("r", rows, loops=[loop]))
        assert (pattern is not None) == is_known


# -- motors anywhere -------------------------------------------------------------------


def with_motors(rng: np.random.Generator, tip: Tip, at: object = None) -> Tip:
    """Attach some motors and segments with any turn."""
    for _ in range(rng.integers(1, 3)):
        place = {} if at is None else {"at": at}
        turn = rng.uniform(-np.pi, np.pi, 3)
        if rng.random() < 0.6:
            axis = str(rng.choice(["xy", "xz", "yz"]))
            tip = tip.servo(axis=axis, turn=turn, **place)  # type: ignore[arg-type]
        else:
            tip = tip.linear_motor(limits=UNLIMITED, turn=turn, **place)
        tip = tip.segment(tuple(rng.uniform(-0.2, 0.2, 3)))
        at = None
    return tip


def random_mechanism(kind: PatternKind, rng: np.random.Generator) -> RobotModel:
    """A pattern with motors before and behind every passive part."""
    robot = Assembly()

    def start(*at: float) -> Tip:
        return with_motors(rng, robot, at)

    def ball(tip: Tip) -> Tip:
        """A ball joint whose chain stays in its x-y plane, so that it always aims."""
        tip = tip.fullrot().segment(float(rng.uniform(0.3, 0.5)))
        tip = tip.servo().linear_motor(limits=UNLIMITED)
        return tip.segment(float(rng.uniform(0.3, 0.5)))

    if kind is PatternKind.TRIPOD:
        tips = [ball(start(0.4 * np.cos(a), 0.4 * np.sin(a), 0)) for a in (0.2, 2, 4.5)]
    elif kind is PatternKind.TIGHT_PSEUDO:
        sensor = with_motors(rng, start(0, 0, 0.2).fullrot())
        tips = [start(0.3, 0, 0), with_motors(rng, sensor.linear())]
    else:
        tip = start(0.3, 0, 0)
        tip = tip.linear() if kind is PatternKind.TIGHT_LEN else tip.axisrot()
        tips = [with_motors(rng, tip), ball(start(0, 0.3, 0.1))]
    rng.shuffle(tips)  # type: ignore[arg-type]
    robot.closed_chain("union", tips, pattern="required")
    return robot.build("random")


@pytest.mark.capability("AB-06", "AB-151", "AB-155", "AB-156", "AB-157", "AB-158")
@pytest.mark.parametrize("kind", list(PatternKind))
def test_chains_with_motors_anywhere_close_to_rounding(kind: PatternKind) -> None:
    rng = np.random.default_rng(10)
    num_closed = 0
    for _ in range(30):
        model = random_mechanism(kind, rng)
        (pattern,) = recognize(model)
        assert pattern is not None
        assert pattern.kind is kind
        q = rng.uniform(-1.0, 1.0, (10, model.nq))
        result = solve(model, q)
        for i in range(len(q)):
            gap = measured_gap(model, result.q_tree[i])
            assert result.gap[i, 0] == pytest.approx(gap, rel=1e-6, abs=1e-13)
            active = np.isin(model.tree_joint_ids, model.joint_ids)
            assert_array_equal(result.q_tree[i, active], q[i])
            is_angle = model.joint_type[model.tree_joint_ids] == JointType.REVOLUTE
            angles = result.q_tree[i, is_angle & ~active]
            assert ((angles >= -np.pi) & (angles < np.pi)).all()
            if result.closed[i]:
                num_closed += 1
                assert gap < 1e-12
            else:
                assert gap > 1e-9
    assert num_closed > 50


@pytest.mark.parametrize("kind", list(PatternKind))
def test_what_is_reported_as_unsolvable_has_no_solution(kind: PatternKind) -> None:
    rng = np.random.default_rng(11)
    statuses = set()
    while len(statuses) < 3 + (kind is PatternKind.TIGHT_PSEUDO):
        model = random_mechanism(kind, rng)
        q = rng.uniform(-1.0, 1.0, model.nq)
        result = solve(model, q)
        statuses.add((int(result.status[0]), len(statuses)))
        passive = ~np.isin(model.tree_joint_ids, model.joint_ids)

        def offsets(
            x: np.ndarray,
            model: RobotModel = model,
            q_tree: np.ndarray = result.q_tree,
            passive: np.ndarray = passive,
        ) -> np.ndarray:
            q_tree = q_tree.copy()
            q_tree[passive] = x
            points = ends(model, q_tree)
            return (points[1:] - points[0]).ravel()

        best = min(
            least_squares(offsets, rng.uniform(-2, 2, passive.sum()), max_nfev=60).cost
            for _ in range(6)
        )
        assert (best < 1e-12) == bool(result.closed)


def test_a_fullrot_aims_like_the_rotation_between_two_points() -> None:
    # The chain's end stands off the plane of the ball joint, so some aims are impossible.
    rng = np.random.default_rng(12)
    seen = set()
    for _ in range(200):
        a, turn = rng.uniform(-1, 1, 3), rng.uniform(-np.pi, np.pi, 3)
        b = rng.normal(size=3)
        b *= np.linalg.norm(a) / np.linalg.norm(b)
        robot = Assembly()
        foot = robot.t_connector(turn=turn)
        strut = foot.fullrot("ball").segment(tuple(a))
        rail = foot.linear(at=b - (0.4, 0, 0)).segment(0.4)
        robot.closed_chain("union", [rail, strut], branch=1 if b[0] >= 0 else -1)
        model = robot.build("r")
        result = solve(model, [])
        expected = angles_to_map_point(a, b, order="forward")
        seen.add(bool(expected.solvable))
        if not expected.solvable:
            assert result.status[0] == ClosureStatus.NO_ROTATION
            assert "without roll" in result.message
            continue
        assert result.closed
        assert value(model, result, "linear_1") == pytest.approx(0.0, abs=1e-9)
        angles = [value(model, result, f"ball_{p}") for p in ("xy", "xz")]
        wanted = [expected.angle_xy[0], expected.angle_xz[0]]
        # Where the aim just succeeds, the square root magnifies rounding.
        assert_allclose(
            np.exp(1j * np.array(angles)), np.exp(1j * np.array(wanted)), atol=1e-6
        )
    assert seen == {True, False}


# -- branches --------------------------------------------------------------------------


@pytest.mark.capability("AB-191")
def test_a_hanging_tripod_has_its_apex_above_its_feet_unless_told_otherwise() -> None:
    for feet in (CIRCLE, CIRCLE[::-1]):  # either sense of the normal
        model = tripod(feet)
        assert ends(model, solve(model, [30, 30, 30]).q_tree)[0, 2] > 0
        below = tripod(feet, branch=-recognize(model)[0].branch)  # type: ignore[union-attr]
        assert ends(below, solve(below, [30, 30, 30]).q_tree)[0, 2] < 0


def test_a_tripod_on_a_wall_takes_the_side_of_its_normal() -> None:
    wall = [(0, 0, 0), (10, 0, 0), (0, 0, 10)]  # normal along -y, exactly no z
    model = tripod(wall)
    assert ends(model, solve(model, [9, 9, 9]).q_tree)[0, 1] < 0


@pytest.mark.parametrize("y", [12.0, -12.0])
def test_the_hinge_takes_the_smaller_angle(y: float) -> None:
    model = tight_rot(centre=(4, y, 3))
    (pattern,) = recognize(model)
    other = tight_rot(branch=-pattern.branch, centre=(4, y, 3))  # type: ignore[union-attr]
    angle = value(model, solve(model, [14]), "hinge")
    assert abs(angle) < abs(value(other, solve(other, [14]), "hinge"))
    assert np.rad2deg(angle) == pytest.approx(-np.sign(y) * 1.663313, abs=1e-6)


def sweeps() -> dict[str, tuple[RobotModel, Callable[[float], list]]]:
    """Robots with a servo in front and a motion on [0, 1] that never loses closure."""

    def sway(t: float, rate: float = 1.0) -> float:
        return np.sin(2 * np.pi * rate * t)

    def mounted(make: Callable[[Tip], list[Tip]]) -> RobotModel:
        robot = Assembly()
        hub = robot.servo(axis="xz", limits=UNLIMITED).t_connector()
        first, *others = make(hub)
        robot.closed_chain("union", [first, *others]).segment(0.2).gripper_mount("hand")
        return robot.build("mounted")

    feet = [(0.15 * np.cos(a), 0.15 * np.sin(a), 0) for a in (0, 2.1, 4.2)]
    return {
        "TRIPOD": (
            mounted(lambda hub: [hub.fullrot(at=f).linear_motor() for f in feet]),
            # The hub turns right over: by z alone the branch would jump.
            lambda t: [
                2 * np.pi * t,
                0.3 + 0.05 * sway(t),
                0.3,
                0.3 + 0.05 * sway(t, 2),
            ],
        ),
        "TIGHT_LEN": (
            mounted(
                lambda hub: [
                    hub.linear(at=(0.05, 0, 0.1)).segment(0.1),
                    hub.fullrot().linear_motor(),
                ]
            ),
            lambda t: [2 * np.pi * t, 0.3 + 0.15 * sway(t)],
        ),
        "TIGHT_ROT": (
            mounted(
                lambda hub: [
                    hub.axisrot().segment(0.3),
                    hub.fullrot(at=(0.1, 0.15, -0.1)).linear_motor(),
                ]
            ),
            lambda t: [2 * np.pi * t, 0.3 + 0.13 * sway(t)],
        ),
        "TIGHT_PSEUDO": (
            mounted(
                lambda hub: [
                    hub.servo().segment(0.3),
                    hub.fullrot(at=(0, 0.05, -0.2)).linear().segment(0.05),
                ]
            ),
            lambda t: [2 * np.pi * t, 0.8 * sway(t, 3)],
        ),
    }


@pytest.mark.capability("AB-151", "AB-191")
@pytest.mark.parametrize("name", list(PatternKind))
def test_along_a_motion_nothing_jumps_and_all_stays_closed(name: str) -> None:
    model, motion = sweeps()[name]
    (pattern,) = recognize(model)
    assert pattern is not None
    assert pattern.kind == name
    t = np.linspace(0.0, 1.0, 801)
    result = solve(model, [motion(x) for x in t])
    assert result.closed.all()
    poses = np.array([all_poses(model, q) for q in result.q_tree])
    for k, q in enumerate(result.q_tree):
        assert measured_gap(model, q) < 1e-12, k
    step = np.abs(np.diff(poses, axis=0)).max(axis=(0, 2, 3))
    coarse = np.abs(poses[2::2] - poses[:-2:2]).max(axis=(0, 2, 3))
    # A jump does not shrink with the step; motion does, to about half.
    for link in ("hand", *(model.link_names[k] for k in model.loops[0].links)):
        i = model.link_id(link)
        assert step[i] < 0.1
        assert step[i] < 0.6 * coarse[i] + 1e-3


@pytest.mark.capability("AB-191")
def test_a_chain_that_came_apart_closes_again_on_its_branch() -> None:
    for model, lengths in (
        (tripod(CORNERS, branch=-1), lambda r: [r, r, r]),
        (tight_len(branch=-1), lambda r: [r]),
        (tight_rot(branch=-1), lambda r: [r]),
    ):
        shrinking = np.linspace(15.0, 0.1, 100)
        there_and_back = [*shrinking, *shrinking[::-1]]
        result = solve(model, [lengths(r) for r in there_and_back])
        assert result.closed[0]
        assert result.closed[-1]
        assert not result.closed.all()
        assert_array_equal(result.q_tree, result.q_tree[::-1])
        assert_array_equal(result.status, result.status[::-1])


@pytest.mark.capability("AB-191")
@pytest.mark.parametrize("kind", list(PatternKind))
def test_the_closure_does_not_remember_other_evaluations(kind: PatternKind) -> None:
    rng = np.random.default_rng(13)
    model = random_mechanism(kind, rng)
    q = rng.uniform(-1, 1, (20, model.nq))
    before = [solve(model, row).q_tree for row in q]
    for row in rng.uniform(-3, 3, (1000, model.nq)):
        solve(model, row)
    for row, old in zip(q[::-1], before[::-1], strict=True):
        assert_array_equal(solve(model, row).q_tree, old)


# -- edges and degenerate cases --------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "q"),
    [
        (tripod(CORNERS), [np.sqrt(50), np.sqrt(50), np.sqrt(50)]),
        (tight_len(), [10.0]),
        (tight_rot(centre=(4, 0, 3)), [np.hypot(6, 3)]),
        (tight_rot(centre=(4, 0, 3)), [np.hypot(14, 3)]),
    ],
)
def test_chains_that_just_touch_are_closed(model: RobotModel, q: list) -> None:
    for scale in (1.0 - 1e-15, 1.0, 1.0 + 1e-15):
        result = solve(model, scale * np.array(q))
        assert result.message == "closed"
        assert measured_gap(model, result.q_tree) < 1e-11
    short = solve(model, (1.0 - 1e-9) * np.array(q))
    long = solve(model, (1.0 + 1e-9) * np.array(q))
    assert sorted([bool(short.closed), bool(long.closed)]) == [False, True]


@pytest.mark.parametrize(
    ("model", "q"),
    [
        (tripod([(0, 0, 0), (1, 0, 0), (3, 0, 0)]), [2, 2, 2]),  # feet in one line
        (tripod([(0, 0, 0), (1, 0, 0), (3, 1e-12, 0)]), [2, 2, 2]),
        (tripod([(0, 0, 0), (0, 0, 0), (1, 0, 0)]), [2, 2, 2]),  # two feet in one place
        (tripod([(1, 1, 1)] * 3), [2, 2, 2]),
        (tight_rot(arm=(0.0, 0.0, 5.0)), [14.0]),  # the door's end on its hinge axis
        (tight_rot(arm=(1e-12, 0.0, 5.0)), [14.0]),
        (tight_rot(centre=(0.0, 0.0, 3.0)), [np.hypot(10.0, 3.0)]),  # centre on it
        (tight_rot(centre=(0.0, 1e-12, 3.0)), [np.hypot(10.0, 3.0)]),
    ],
)
def test_degenerate_geometry_is_a_status(model: RobotModel, q: list) -> None:
    result = solve(model, q)
    assert result.status.tolist() == [ClosureStatus.DEGENERATE]
    assert "not determined" in result.message
    assert np.isfinite(result.q_tree).all()
    gap = measured_gap(model, result.q_tree)
    assert result.gap[0] == pytest.approx(gap, abs=1e-12)


def test_a_sensor_on_its_own_foot_has_nothing_to_aim_at() -> None:
    result = solve(tight_pseudo(a0=(0.5, 0, 0), b=(1e-200, 0, 0)), [])
    assert np.isfinite(result.q_tree).all()


# -- several loops, floating bases, batches --------------------------------------------


def stacked() -> RobotModel:
    """A tripod, and on its apex a sensor that reaches back to the ground.

    The sensor's loop comes first in the model, but can only be closed second.
    """
    robot = Assembly()
    sensor = robot.fullrot("eye", at=(0.3, 0.3, 0)).linear("rod").segment(0.05)
    feet = [(0.15 * np.cos(a), 0.15 * np.sin(a), 0) for a in (0, 2.1, 4.2)]
    legs = [
        robot.fullrot(f"foot_{i}", at=f).linear_motor(f"leg_{i}")
        for i, f in enumerate(feet)
    ]
    top = legs[0].t_connector("top")
    top.servo("turret").segment(0.1).gripper_mount()
    robot.closed_chain("sense", [top.point(at=(0.0, 0.05, 0.0)), sensor])
    robot.closed_chain("apex", legs)
    return robot.build("stacked")


def test_a_loop_that_rides_on_another_is_closed_after_it() -> None:
    model = stacked()
    sense, apex = recognize(model)
    assert sense is not None
    assert apex is not None
    assert (sense.kind, sense.order) == (PatternKind.TIGHT_PSEUDO, 1)
    assert (apex.kind, apex.order) == (PatternKind.TRIPOD, 0)
    rng = np.random.default_rng(14)
    assert model.joint_names == ("leg_0", "turret", "leg_1", "leg_2")
    q = rng.uniform([0.25, -3, 0.25, 0.25], [0.35, 3, 0.35, 0.35], (20, 4))
    result = solve(model, q)
    assert result.closed.all()
    for q_tree in result.q_tree:
        assert measured_gap(model, q_tree, 0) < 1e-12
        assert measured_gap(model, q_tree, 1) < 1e-12


def test_the_branch_of_a_riding_loop_is_chosen_where_its_carrier_is_closed() -> None:
    # Home closes the carriage at y = 1; open, at y = 0, the hinge would see the foot of
    # its strut on the other side.
    robot = Assembly()
    carriage = robot.linear("slide", turn=(np.pi / 2, 0, 0)).t_connector()
    leg = robot.fullrot().linear_motor("leg", limits=(1.0, 2.0))
    robot.closed_chain("rail", [carriage, leg])
    door = carriage.axisrot("hinge", turn=(-np.pi / 2, 0, 0)).segment(0.5)
    strut = robot.fullrot(at=(0.5, 0.3, 0)).linear_motor("strut", home=0.6)
    robot.closed_chain("latch", [door, strut])
    model = robot.build("r")
    result = solve(model, model.home_configuration)
    assert result.closed
    # Law of cosines: the foot lies 0.86 m away at -54.46 degrees.
    middle = np.arctan2(-0.7, 0.5)
    opening = np.arccos((0.25 + 0.74 - 0.36) / (2 * 0.5 * np.sqrt(0.74)))
    angle = value(model, result, "hinge")
    assert angle == pytest.approx(middle + opening, abs=1e-12)
    assert abs(angle) < abs(middle - opening)


def test_the_status_of_each_loop_stands_in_its_own_place() -> None:
    result = solve(stacked(), [0.05, 0.0, 0.05, 0.05])  # legs too short for the apex
    assert result.status.tolist() == [
        ClosureStatus.CLOSED, ClosureStatus.OUT_OF_REACH
    ]  # fmt: skip
    assert "loop 'apex'" in result.message


def test_a_floating_base_changes_nothing() -> None:
    robot = Assembly(Body(is_floating=True))
    legs = [robot.fullrot(at=foot).linear_motor() for foot in CIRCLE]
    robot.closed_chain("apex", legs)
    model = robot.build("floating")
    q = [1, 2, 3, 0.5, 0.5, 0.5, 0.5, 28, 30, 32]
    fixed = solve(tripod(CIRCLE), q[7:])
    assert_array_equal(solve(model, q).q_tree, fixed.q_tree)


@pytest.mark.parametrize("kind", list(PatternKind))
def test_a_batch_equals_its_elements_one_by_one(kind: PatternKind) -> None:
    rng = np.random.default_rng(15)
    model = random_mechanism(kind, rng)
    q = rng.uniform(-1, 1, (3, 4, model.nq))
    together = solve(model, q)
    assert together.q_tree.shape == (3, 4, len(model.tree_joint_ids))
    assert together.status.shape == together.gap.shape == (3, 4, 1)
    assert together.closed.shape == (3, 4)
    for i in np.ndindex(3, 4):
        one = solve(model, q[i])
        assert_array_equal(together.q_tree[i], one.q_tree)
        assert_array_equal(together.status[i], one.status)
        assert_array_equal(together.gap[i], one.gap)


def test_the_message_of_a_batch_points_to_the_first_failure() -> None:
    result = solve(tight_len(), [[15.0], [9.0], [1.0]])
    assert result.closed.tolist() == [True, False, False]
    assert result.message.endswith("(first at (1,))")


def test_an_empty_batch_is_closed() -> None:
    result = solve(tight_len(), np.empty((0, 1)))
    assert result.q_tree.shape == (0, 4)
    assert result.message == "closed"


@pytest.mark.capability("AB-160")
def test_a_closure_takes_less_than_a_millisecond() -> None:
    for model, q in ((tripod(CIRCLE), [30, 30, 30]), (stacked(), [0.3, 0, 0.3, 0.3])):
        solve(model, q)
        seconds = []
        for _ in range(100):
            start = time.perf_counter()
            solve(model, q)
            seconds.append(time.perf_counter() - start)
        assert np.median(seconds) < 1e-3 * len(model.loops)


def test_forward_kinematics_of_a_robot_closes_its_chains() -> None:
    T = tripod(CIRCLE).forward([[30.0, 30.0, 30.0], [28.0, 30.0, 32.0]])
    apex = [(0, 0, 25.980762), (3.955556, 2.386381, 25.618849)]
    assert_allclose(T[:, :3, 3], apex, atol=1e-6)


# -- mistakes --------------------------------------------------------------------------


def test_a_loop_without_closed_form_is_refused() -> None:
    robot = Assembly()
    tips = [robot.axisrot(at=(i, 0, 0)).segment(1.0, f"bar_{i}") for i in (0, 1)]
    robot.closed_chain("frame", tips)
    model = robot.build("r")
    with pytest.raises(
        ConfigError, match=r"'frame' is no pattern .*'bar_1' has axisrot"
    ):
        close(model, recognize(model), [])


def test_the_number_of_motor_values_is_checked() -> None:
    with pytest.raises(
        ShapeError, match=r"`q` must have shape \(\.\.\., 1\), got \(2,\)"
    ):
        solve(tight_len(), [1.0, 2.0])
