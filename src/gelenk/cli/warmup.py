"""`gelenk warmup`: compile the kernels of everyday use once, into the cache on disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, say

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel
    from gelenk.typing import ArrayLike, FloatArray

Step = tuple[str, Callable[[], object]]


def warmup() -> int:
    """Compile kernels ahead of their first use; what is cached costs nothing.

    A second process compiles the simulated worlds meanwhile: they take nearly half.
    """
    start = time.perf_counter()
    steps = list(_steps())
    with (
        Progress() as progress,
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as second,
    ):
        worlds = second.submit(compile_worlds)
        for done, (name, step) in enumerate(steps):
            progress.show(done, len(steps) + 1, f"compiling {name}")
            step()
        progress.show(len(steps), len(steps) + 1, "compiling simulated worlds")
        worlds.result()
    say(f"gelenk: kernels are ready ({time.perf_counter() - start:.1f} s)")
    return exit_codes.OK


def _steps() -> Iterator[Step]:
    """Return calls that meet the kernels of open arms, floating trees and loops."""
    import numpy as np

    import gelenk

    panda = gelenk.load("panda")
    for model in (
        panda,
        gelenk.load("scara"),
        _floating_robot(),
        gelenk.load("fourbar"),
    ):
        q = np.array(model.home_configuration)
        for name, states in (("one", q), ("many", np.stack([q, q]))):
            yield from _kinematics(f"{model.name}, {name}", model, states)
            yield from _dynamics(f"{model.name}, {name}", model, states)
        if not model.has_floating_base:
            T = np.array(model.forward(q))
            yield f"{model.name}, inverse", lambda m=model, T=T: m.inverse(T)
    for name in ("puma560", "ur5e", "iiwa7"):  # families of closed solutions
        arm = gelenk.load(name)
        T = np.array(arm.forward(arm.home_configuration))
        yield f"{name}, closed", lambda m=arm, T=T: m.inverse(T, method="closed")
    home = panda.home_configuration
    T_home = np.array(panda.forward(home))
    yield "preference", lambda: panda.inverse(T_home, q0=home, prefer=home)
    yield "chessboards", _find_boards
    yield "circles", _find_circles
    yield "strokes", _plan_strokes
    yield "legs", _drive_leg
    yield "localisation", _localise
    yield "calibration", _calibrate
    yield "clouds", _align_clouds


def _align_clouds() -> None:
    """Align two small clouds: the tree, its queries, the closest pairs."""
    import numpy as np

    from gelenk.pointcloud.kd_tree import KdTree
    from gelenk.pointcloud.registration import align_clouds

    tree = KdTree(np.random.default_rng(0).normal(size=(50, 3)))
    tree.nearest(np.zeros((1, 3)))
    align_clouds(tree.points, tree)


def _find_boards() -> None:
    """Find a chessboard, and none: all kernels of the detector."""
    import numpy as np

    from gelenk.vision.chess import chess_response
    from gelenk.vision.chessboard import detect_chessboard
    from gelenk.vision.chessboard_pattern import ChessboardCfg, order_corners

    y, x = np.mgrid[0:140, 0:180] // 20
    image = np.where((x + y) % 2, 200, 30).astype(np.uint8)
    image[:20], image[-20:], image[:, :20], image[:, -20:] = 128, 128, 128, 128
    found = detect_chessboard(image)
    detect_chessboard(image[:70])
    detect_chessboard(image, cfg=ChessboardCfg(method="printed"))
    chess_response(image)
    order_corners(found.candidates, np.ones(len(found.candidates)))


def _calibrate() -> None:
    """Calibrate from a few perfect sights, with exact and with stepped readings."""
    import numpy as np

    from gelenk.calibration.calibration import calibrate
    from gelenk.calibration.prediction import expected_observation
    from gelenk.robots.nao.parameters import EYE, nao_problem

    rng = np.random.default_rng(0)
    for extended, step in ((False, 0.0), (True, 1e-3)):
        problem = nao_problem(extended=extended, encoder_step=step)
        q = np.zeros((4, problem.model.nq))
        for joint, angle in (
            ("HeadPitch", 0.4),
            ("LHipPitch", -0.9),
            ("RHipPitch", -0.9),
        ):
            q[:, problem.model.joint_id(joint)] = angle + rng.normal(0.0, 0.05, 4)
        sights = [
            expected_observation(problem, EYE, side, row, group=group)
            for group, row in enumerate(q)
            for side in ("left", "right")
        ]
        calibrate(problem, sights)


def _drive_leg() -> None:
    """Let an AMEE leg start and go to a point: its kinematics and its filter."""
    from gelenk.robots.amee.kinematics import inverse
    from gelenk.robots.amee.leg import Bench
    from gelenk.robots.amee.wire import Command

    bench = Bench()
    bench.run(0.1)
    bench.command(Command.MOVE_POINT, 0.0, -0.6, 0.0)
    bench.run(0.1)
    inverse([0.0, -0.6, 0.0], bench.cfg.geometry)


def _localise() -> None:
    """Track a pose by landmarks, and by particles: all kernels of navigation."""
    import numpy as np

    from gelenk.estimation.kalman import Belief
    from gelenk.navigation.landmark_filter import track_landmarks
    from gelenk.navigation.monte_carlo import MonteCarlo, systematic_indices
    from gelenk.navigation.sensor_models import LikelihoodField

    belief = Belief(mean=np.zeros(3), covariance=0.01 * np.eye(3))
    for method in ("extended", "unscented"):
        track_landmarks(
            belief, np.ones((1, 2)), np.ones((1, 1, 2)), np.ones((1, 2)),
            dt=0.1, Q=0.01 * np.eye(3), R=0.01 * np.eye(2), method=method,
        )  # fmt: skip
    field = LikelihoodField(
        origin=np.zeros(2), cell=0.1, log_density=np.zeros((4, 4)), outside=-1.0
    )
    cloud = MonteCarlo(poses=np.zeros((4, 3)), log_weights=np.zeros(4))
    cloud = cloud.moved([0.1, 0.0, 0.1], np.random.default_rng(0))
    systematic_indices(cloud.seen(field, np.ones((3, 2))).weights, 0.5)


def _plan_strokes() -> None:
    """Plan a stroke for a thrown ball on tiny tables: all kernels of the planner."""
    import numpy as np

    from gelenk.robots.piggy.contact import compression_force, hit
    from gelenk.robots.piggy.planner.cases import make_cases
    from gelenk.robots.piggy.planner.plan import plan, query
    from gelenk.robots.piggy.planner.success import success_probability
    from gelenk.robots.piggy.planner.tables import Axis, GridCfg, build_tables

    rng = np.random.default_rng(0)
    speeds, angles = Axis(2.0, 11.0, 4), Axis(0.0, 1.5, 6)
    tables = build_tables(GridCfg(v_in=speeds, phi=angles, bat_counts=(5, 3, 5)))
    cases = make_cases(1, rng)
    compression_force(0.01)
    hit(cases.v_in, cases.n_c, 0.0 * cases.n_c)
    plan(tables, cases.paths[0], cases.v_out[0])
    strokes = query(tables, cases.v_in[0], cases.v_out[0], cases.normal[0])
    if len(strokes):
        success_probability(strokes, cases.v_out[0], np.eye(6), rng, tolerance=1.0)


def _find_circles() -> None:
    """Find a disc in the whole image and in a window: all kernels of the detector."""
    import numpy as np

    from gelenk.vision.circles import CircleCfg, SearchWindow, find_circles

    y, x = np.mgrid[0:120, 0:160]
    image = np.where(np.hypot(x - 80, y - 60) < 14.0, 40, 180).astype(np.uint8)
    window = SearchWindow(
        center=(80.0, 60.0), half_size=4.0, radius=14, radius_tolerance=2
    )
    find_circles(image, CircleCfg(focal=718.0))
    find_circles(image, windows=[window])


def compile_worlds() -> None:
    """Compile the kernels of simulated worlds, if there is an engine."""
    import importlib.util

    if importlib.util.find_spec("mujoco") is None:
        say("gelenk: no simulated worlds without MuJoCo; `gelenk doctor` says more")
        return
    from gelenk.cli.warmup_world import step_world
    from gelenk.robots.amee.gaits.free_gait import warm_up as plan_a_step
    from gelenk.robots.amee.world import warm_up as let_amee_stand
    from gelenk.robots.piggy.warm_up import throw_balls
    from gelenk.runtime.scenario import list_scenarios

    step_world()
    let_amee_stand()
    plan_a_step()
    throw_balls()
    for scenario in list_scenarios():
        if scenario.warm_up is not None:
            scenario.warm_up()
    _draw_cell()


def _draw_cell() -> None:
    """Draw a small picture with everything that needs a kernel: shadows, glass."""
    from gelenk.robots.armbot.option_values import RenderFlags
    from gelenk.robots.armbot.options import parse_options
    from gelenk.robots.armbot.session import open_cell
    from gelenk.robots.armbot.view.picture import SceneView

    flags = RenderFlags(moving=True, fast=True, triggers=True)
    with (
        open_cell(parse_options(["-e", "slope"]), autostart=False) as cell,
        SceneView(cell, flags=flags) as view,
    ):
        view.image(64, 48)


def _kinematics(name: str, model: RobotModel, q: FloatArray) -> Iterator[Step]:
    from gelenk.kinematics.forward import link_poses

    frame = model.link_names[-1]
    yield f"{name}, forward", lambda: model.forward(q, frame)
    yield f"{name}, jacobian", lambda: model.jacobian(q, frame)
    yield f"{name}, links", lambda: link_poses(model, q)


def _dynamics(name: str, model: RobotModel, q: FloatArray) -> Iterator[Step]:
    import numpy as np

    v = np.zeros((*q.shape[:-1], model.nv))
    load: dict[str, ArrayLike] = {model.link_names[-1]: np.zeros(6)}
    yield f"{name}, mass matrix", lambda: model.mass_matrix(q)
    for wrenches in (None, load):
        yield (
            f"{name}, inverse dynamics",
            lambda w=wrenches: model.inverse_dynamics(q, v, v, wrenches=w),
        )
        yield (
            f"{name}, forward dynamics",
            lambda w=wrenches: model.forward_dynamics(q, v, v, wrenches=w),
        )


def _floating_robot() -> RobotModel:
    """Return a floating trunk with a hinge and a slider."""
    from gelenk.models.assembler import assemble
    from gelenk.models.link import JointType, Link

    kinds = (JointType.FLOATING, JointType.REVOLUTE, JointType.PRISMATIC)
    inertia = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    links = [
        Link(
            name=f"link_{i}",
            parent=f"link_{i - 1}" if i else None,
            joint_type=kind,
            mass=1.0,
            inertia=inertia,
        )
        for i, kind in enumerate(kinds)
    ]
    return assemble("floating", links)
