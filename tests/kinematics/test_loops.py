"""General loop closure: gaps, branches, mobility, velocities.

Oracles: closed-form linkages, published vectors, a textbook tree, finite differences.
"""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import least_squares

import gelenk
from gelenk.errors import LoopError, ShapeError
from gelenk.kinematics.configuration import tree_coordinates
from gelenk.kinematics.loops.close import (
    LoopMethod,
    assembled_home,
    close_loops,
    follow_motion,
    mobility,
    velocity_map,
)
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop, LoopKind
from gelenk.models.tree import RobotModel
from ring_mechanism import ring
from textbook_tree import link_poses

GAP = 1e-10  # [m], what a motion cycle may show


def one_cycle(name: str) -> tuple[RobotModel, np.ndarray]:
    """A robot and a closed motion of its motors."""
    model = gelenk.load(name)
    t = np.linspace(0.0, 2.0 * np.pi, 181)
    home = model.home_configuration
    if model.nq == 1:
        return model, home + t[:, None]
    swing = {"fivebar": 0.15, "delta": 0.3, "stewart": 0.1}[name]
    phase = np.arange(model.nq)
    return model, home + swing * (np.sin(t[:, None] + phase) - np.sin(phase))


def measured_gap(model: RobotModel, q_tree: np.ndarray) -> float:
    """Largest distance between points that should meet, by the textbook tree."""
    values = model.home.copy()
    values[model.tree_joint_ids] = q_tree
    T = link_poses(model, values)
    worst = 0.0
    for loop in model.loops:
        points = [
            (T[link] @ frame)[:3, 3]
            for link, frame in zip(loop.links, loop.T_link_frame, strict=True)
        ]
        for point in points[1:]:
            distance = np.linalg.norm(point - points[0]) - loop.length
            worst = max(worst, abs(float(distance)))
    return worst


MECHANISMS = ["fourbar", "fivebar", "slider_crank", "delta", "stewart", "jansen"]


@pytest.mark.capability("GR-71", "AB-X11")
@pytest.mark.parametrize("name", MECHANISMS)
def test_loops_stay_closed_along_a_motion_cycle(name: str) -> None:
    model, motion = one_cycle(name)

    result = follow_motion(model, motion)

    assert result.closed.all(), result.message
    assert max(measured_gap(model, q) for q in result.q_tree) <= GAP


@pytest.mark.capability("GR-71")
@pytest.mark.parametrize("name", MECHANISMS)
def test_the_branch_is_kept(name: str) -> None:
    """After a whole cycle every link is where it was, and no step jumps."""
    model, motion = one_cycle(name)

    q = follow_motion(model, motion).q_tree

    turn = q[-1] - q[0]
    assert_allclose(np.sin(turn / 2.0), 0.0, atol=1e-9)
    # A jump to another assembly moves some joint by far more than a motor step allows.
    assert np.abs(np.diff(q, axis=0)).max() < 0.35


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_closure_depends_on_the_motors_alone(name: str) -> None:
    """Following from step to step and starting from home each time agree."""
    model, motion = one_cycle(name)
    followed = follow_motion(model, motion).q_tree[::15]

    direct = close_loops(model, motion[::15])
    shuffled = close_loops(model, motion[::15][::-1])

    assert direct.closed.all()
    assert_allclose(np.sin((direct.q_tree - followed) / 2.0), 0.0, atol=1e-9)
    np.testing.assert_array_equal(direct.q_tree, shuffled.q_tree[::-1])


@pytest.mark.capability("GR-71")
def test_four_bar_equals_its_published_angles_and_rates() -> None:
    """Ground 4, crank 1, coupler 3.5, rocker 3, crank at 60 degrees, open assembly."""
    model = gelenk.load("fourbar")
    q = np.deg2rad([60.0])
    names = [model.joint_names_all[i] for i in model.tree_joint_ids]

    q_tree = tree_coordinates(model, q)
    gamma = velocity_map(model, q_tree)

    # Absolute angles add up along the tree: the coupler hangs on the crank.
    coupler, rocker = names.index("coupler_hinge"), names.index("rocker_hinge")
    theta3, theta4 = q_tree[0] + q_tree[coupler], q_tree[rocker]
    assert np.rad2deg(theta3) == pytest.approx(36.022723, abs=1e-6)
    assert np.rad2deg(theta4) == pytest.approx(102.890327, abs=1e-6)
    omega = 2.0 * gamma[:, 0]
    assert omega[0] + omega[coupler] == pytest.approx(-0.422915, abs=1e-6)
    assert omega[rocker] == pytest.approx(0.294602, abs=1e-6)


def _values(model: RobotModel, q_tree: np.ndarray) -> np.ndarray:
    values = model.home.copy()
    values[model.tree_joint_ids] = q_tree
    return values


@pytest.mark.capability("GR-286")
def test_stewart_platform_reaches_the_published_pose_from_its_leg_lengths() -> None:
    """Lengths of the pose p = (0.05, -0.03, 1), roll-pitch-yaw (0.1, 0.2, 0.3)."""
    from scipy.spatial.transform import Rotation

    model = gelenk.load("stewart")
    lengths = [1.050592, 1.248945, 1.193571, 1.413944, 1.229833, 1.253290]
    T = model.forward(lengths)
    assert_allclose(T[:3, 3], [0.05, -0.03, 1.0], atol=2e-6)
    R = Rotation.from_euler("xyz", [0.1, 0.2, 0.3]).as_matrix()
    assert_allclose(T[:3, :3], R, atol=5e-6)


@pytest.mark.capability("GR-286")
def test_delta_platform_reaches_the_published_point() -> None:
    model = gelenk.load("delta")
    T = model.forward([0.633316, 0.926083, 0.673940])
    assert_allclose(T[:3, 3], [0.03, -0.04, -0.4], atol=1e-6)
    assert_allclose(T[:3, :3], np.eye(3), atol=1e-12)


@pytest.mark.parametrize("name", MECHANISMS)
def test_velocity_map_is_the_derivative_of_the_closure(name: str) -> None:
    model, motion = one_cycle(name)
    h = 1e-5
    for q in motion[10::60]:
        gamma = velocity_map(model, tree_coordinates(model, q))
        columns = [
            (tree_coordinates(model, q + dq) - tree_coordinates(model, q - dq))
            / (2 * h)
            for dq in h * np.eye(model.nq)
        ]
        assert_allclose(gamma, np.stack(columns, axis=1), atol=2e-6)


@pytest.mark.parametrize("name", MECHANISMS)
def test_jacobian_of_a_mechanism_is_the_derivative_of_its_tool(name: str) -> None:
    model, motion = one_cycle(name)
    q, h = motion[40], 1e-5
    columns = [
        (model.forward(q + dq) - model.forward(q - dq))[:3, 3] / (2 * h)
        for dq in h * np.eye(model.nq)
    ]
    assert_allclose(model.jacobian(q)[:3], np.stack(columns, axis=1), atol=1e-7)


@pytest.mark.capability("GR-71")
@pytest.mark.parametrize(
    ("name", "dof", "redundant"),
    [
        ("fourbar", 1, 1),
        ("fivebar", 2, 1),
        ("slider_crank", 1, 1),
        ("delta", 3, 0),
        ("stewart", 6, 0),
        ("jansen", 1, 3),
    ],
)
def test_mobility_counts_freedom_and_redundant_equations(
    name: str, dof: int, redundant: int
) -> None:
    report = mobility(gelenk.load(name))
    assert (report.dof, report.num_redundant) == (dof, redundant)
    assert report.num_motors == dof
    assert report.num_undetermined == 0
    assert f"{dof} degrees of freedom" in str(report)


def bar_linkage(
    ground: float, crank: float, coupler: float, rocker: float
) -> RobotModel:
    """A planar four-bar about z whose pins start near an assembly."""

    def at(x: float, y: float = 0.0) -> np.ndarray:
        T = np.eye(4)
        T[0, 3], T[1, 3] = x, y
        return T

    def bar(name: str, parent: str, x: float, home: float, passive: bool) -> Link:
        return Link(
            name=name, parent=parent, joint_type=JointType.REVOLUTE,
            T_parent_joint=at(x), is_passive=passive, home=home, mass=1.0,
            inertia=0.01 * np.eye(3),
        )  # fmt: skip

    return assemble(
        "bars",
        [
            Link(name="ground"),
            bar("crank", "ground", 0.0, 1.0, False),
            bar("coupler", "crank", crank, -0.5, True),
            bar("rocker", "ground", ground, 1.5, True),
        ],
        loops=[
            Loop(
                name="pin",
                links=("coupler", "rocker"),
                T_link_frame=[at(coupler), at(rocker)],
            )
        ],
    )


def test_rough_home_values_are_assembled() -> None:
    model = bar_linkage(4.0, 1.0, 3.5, 3.0)
    assert measured_gap(model, assembled_home(model)) <= GAP


def test_a_mechanism_that_cannot_be_assembled_at_all_says_which_loop() -> None:
    model = bar_linkage(9.0, 1.0, 1.0, 1.0)
    with pytest.raises(LoopError, match="loop 'pin' stays open by"):
        model.forward([0.0], frame="coupler")


def rounded_linkage(error: float) -> RobotModel:
    """A plane linkage whose pin misses the plane by `error` [m], as in rough files."""
    exact = bar_linkage(4.0, 1.0, 3.5, 3.0)
    frames = np.array(exact.loops[0].T_link_frame)
    frames[1, 2, 3] = error
    tilt = np.eye(4)  # so that the miss depends on the angle of the crank
    tilt[1:3, 1:3] = [[np.cos(error), -np.sin(error)], [np.sin(error), np.cos(error)]]
    frames[0] = tilt @ frames[0]
    T = np.array(exact.T_parent_joint)
    T[1] = T[1] @ tilt
    pin = dataclasses.replace(exact.loops[0], T_link_frame=frames)
    return dataclasses.replace(exact, loops=(pin,), T_parent_joint=T)


def test_lengths_with_few_digits_close_as_well_as_they_can() -> None:
    model = rounded_linkage(1e-6)
    frames = model.loops[0].T_link_frame
    for angle in (1.0, 1.7, -0.4):
        result = close_loops(model, [angle])

        def gap(passive: np.ndarray, angle: float = angle) -> np.ndarray:
            T = link_poses(model, np.array([0.0, angle, *passive]))
            a, b = (
                (T[k] @ F)[:3, 3]
                for k, F in zip(model.loops[0].links, frames, strict=True)
            )
            return a - b

        assert result.closed
        best = least_squares(gap, result.q_tree[1:], xtol=3e-16, ftol=3e-16, gtol=3e-16)
        least = np.linalg.norm(best.fun)
        assert 1e-7 < np.linalg.norm(gap(result.q_tree[1:])) <= least * (1.0 + 1e-6)
        assert_allclose(result.q_tree[1:], best.x, rtol=0.0, atol=1e-8)


def test_a_loop_that_misses_by_more_than_digits_is_refused() -> None:
    with pytest.raises(LoopError, match="loop 'pin' stays open by"):
        close_loops(rounded_linkage(1e-4), [1.0])


def test_the_end_of_a_branch_is_reported_with_the_place() -> None:
    """A rocker of this double-rocker cannot turn fully: cosine rule gives its end."""
    ground, crank, coupler, rocker = 4.0, 3.0, 1.5, 2.0
    model = bar_linkage(ground, crank, coupler, rocker)
    # The crank's largest angle: coupler and rocker in one line.
    reach = coupler + rocker
    end = np.arccos((ground**2 + crank**2 - reach**2) / (2.0 * ground * crank))

    # Home is on a branch that ends before the crank has made half a turn.
    result = close_loops(model, [np.pi])

    assert not result.closed
    assert "cannot be assembled" in result.message
    crank_end = result.q_tree[0]
    assert crank_end == pytest.approx(end, abs=1e-3)
    with pytest.raises(LoopError, match="branch ends"):
        model.forward([np.pi], frame="coupler")


def test_whole_turns_of_a_crank_change_nothing() -> None:
    model = gelenk.load("fourbar")
    T = model.forward([0.7])
    assert_allclose(model.forward([0.7 + 20 * np.pi]), T, atol=1e-9)


@pytest.mark.parametrize("kind", ["hinge", "pose"])
def test_hinge_and_pose_closures_close_spatial_loops(kind: LoopKind) -> None:
    rng = np.random.default_rng(2)
    model = ring(kind, rng)
    q = model.home_configuration + 0.15 * rng.normal(size=model.nq)

    result = close_loops(model, q)

    assert result.closed, result.message
    assert result.method is LoopMethod.FOLLOW
    T = link_poses(model, _values(model, result.q_tree))
    A = T[model.link_id("a6")]
    B = T[model.link_id("b6")] @ model.loops[0].T_link_frame[1]
    assert_allclose(A[:3, 3], B[:3, 3], atol=GAP)
    assert_allclose(A[:3, 2], B[:3, 2], atol=GAP)
    if kind == "pose":
        assert_allclose(A, B, atol=GAP)


def rocker_angles(
    lengths: tuple[float, float, float, float], crank: np.ndarray, start: float
) -> np.ndarray:
    """Rocker angle by intersecting circles, on the branch that starts near `start`.

    Of the two intersections the one on the same side of the diagonal is kept, which is
    the branch as long as the diagonal never has its extreme length.
    """
    ground, a, coupler, rocker = lengths
    pin = a * np.exp(1j * crank)
    diagonal = pin - ground
    length = np.abs(diagonal)
    cosine = (length**2 + rocker**2 - coupler**2) / (2.0 * length * rocker)
    spread = np.arccos(cosine)
    both = np.stack([np.angle(diagonal) + spread, np.angle(diagonal) - spread])
    side = np.abs(np.exp(1j * both[:, 0]) - np.exp(1j * start)).argmin()
    return both[side]


def test_the_branch_is_kept_close_to_a_change_point() -> None:
    """An almost parallelogram: its two assemblies nearly meet twice in a turn."""
    lengths = (4.0, 2.0, 4.0005, 2.001)  # Grashof, by half a millimetre
    model = bar_linkage(*lengths)
    home = assembled_home(model)
    crank = home[0] + np.linspace(0.0, 2.0 * np.pi, 73)

    result = follow_motion(model, crank[:, None])

    assert result.closed.all(), result.message
    rocker = [model.joint_names_all[i] for i in model.tree_joint_ids].index(
        "rocker_joint"
    )
    expected = rocker_angles(lengths, crank, home[rocker])
    difference = np.sin(0.5 * (result.q_tree[:, rocker] - expected))
    assert_allclose(difference, 0.0, atol=1e-6)


def test_wrong_shapes_are_refused() -> None:
    model = gelenk.load("fourbar")
    with pytest.raises(ShapeError, match="`q`"):
        close_loops(model, [0.1, 0.2])
    with pytest.raises(ShapeError, match="`start`"):
        close_loops(model, [0.1], start=[0.0])


def test_a_structure_without_motors_is_closed_too() -> None:
    model = bar_linkage(4.0, 1.0, 3.5, 3.0)
    from dataclasses import replace

    frame = replace(model, is_passive=np.array([False, True, True, True]))
    result = close_loops(frame, np.zeros(0))
    assert result.closed
    assert measured_gap(frame, result.q_tree) <= GAP
