"""`solve_closed`: all joint values for a target, by formulas, where there are some."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError, ShapeError
from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.inverse.closed.elsewhere import solve_elsewhere
from gelenk.kinematics.inverse.closed.layout import (
    NOT_A_POSE,
    RESPECT_LIMITS,
    WITH_Q0,
)
from gelenk.kinematics.inverse.closed.plan import Plan, closed_plan
from gelenk.kinematics.inverse.closed.swivel import swivel_angle as _swivel_kernel
from gelenk.kinematics.inverse.result import IkResult, IkStatus
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

ClosedTask = Literal["pose", "position", "rotation"]
LimitRule = Literal["respect", "ignore"]

_CONVERGED = IkStatus.CONVERGED  # a name, since looking it up takes longer
_MODES = {"respect": RESPECT_LIMITS, "ignore": 0}


def solve_closed(
    model: RobotModel,
    T_base_target: ArrayLike,
    *,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    task: ClosedTask = "pose",
    limits: LimitRule = "respect",
    swivel: float | None = None,
) -> IkResult:
    """Return all joint values that bring a frame to a target, found by formulas.

    The structure of the arm decides which formulas; `closed_family` names it. Every
    branch is checked by forward kinematics to 1e-10 m and rad. An angle is given once,
    not with its whole turns: the copy nearest to `q0` (without `q0`: to 0) that the
    limits allow. Where a pose leaves an angle free (aligned wrist, wrist point above
    the shoulder) it is taken from `q0`, and the message says so.

    Joints that the structure does not need keep their values of `q0`: those that do not
    move the frame, one of seven (unless shoulder and wrist are spherical: then the
    swivel angle of the elbow is kept), and all but three if only a position is asked
    for. Where no branch is within limits then, other values of the one joint, of the
    swivel angle or of the free angle are tried.

    Args:
        model: Robot with a fixed base and without loops.
        T_base_target: Wanted pose of the frame in the base, shape (4, 4).
        frame: Name of a link; by default the tool.
        q0: Where to stay close, shape (nq,); by default the home configuration.
        task: "pose"; "position": of the frame's origin only; "rotation".
        limits: "respect": only branches within the joint limits; "ignore": all.
        swivel: Angle of the elbow about the line from shoulder to wrist [rad], from the
            direction of the first axis; only for seven joints with spherical shoulder
            and wrist. By default that of `q0`.

    Returns:
        The result. `solutions` are the branches, `q` the one nearest to `q0`. Status
        CONVERGED; OUT_OF_LIMITS: `q` is a branch outside the limits, `solutions` is
        empty; UNREACHABLE: there is none (with a joint held: none was found), `q` is
        `q0`; NO_CLOSED_FORM: the message says why.

    Raises:
        ShapeError: If the target or `q0` has the wrong shape.
        ConfigError: If the target is no pose or an option makes no sense.
        NameNotFoundError: If there is no such frame.

    Example:
        A planar arm of two links of 1.0 m and 0.8 m reaches a point in two ways.

        >>> import gelenk
        >>> import numpy as np
        >>> arm = gelenk.load("planar2r")
        >>> T = np.eye(4)
        >>> T[:2, 3] = 1.2, 0.6
        >>> arm.inverse(T, method="closed", task="position").solutions.round(6)
        array([[-0.171499,  1.470629],
               [ 1.098795, -1.470629]])
    """
    plan = model._cache.get(("closed", frame, task))
    if plan is None:
        plan = closed_plan(model, frame, task)
    T = np.asarray(T_base_target, dtype=np.float64)
    if T.shape != (4, 4):
        raise ShapeError("T_base_target", expected="(4, 4)", actual=T.shape)
    if not T.flags.carray:
        T = np.array(T, order="C")
    try:
        mode = _MODES[limits]
    except KeyError:
        raise ConfigError(
            f"`limits` must be one of {', '.join(_MODES)}, got {limits!r}"
        ) from None
    start = plan.home
    if q0 is not None:
        start = _checked(model, q0)
        mode |= WITH_Q0
    if plan.kernel is None:
        return _no_solution(model, plan, T, frame, task, start)
    out, report = np.empty(plan.shape), np.empty(4)
    if plan.has_swivel or swivel is not None:
        report[0] = _checked_swivel(plan, swivel)
    count, best, free = plan.kernel(plan.constants, T, start, mode, out, report)
    is_moved = False
    if best < 0 and count != NOT_A_POSE and (free or plan.is_redundant):
        found = solve_elsewhere(plan, T, start, mode, free, swivel)
        if found is not None:
            is_moved, count, best = True, found.count, found.best
            free, out, report = free | found.free, found.out, found.report
    if best >= 0:
        note = _note(plan, free, is_moved) if free or plan.is_redundant else ""
        return IkResult(out[best], _CONVERGED, report, plan.limits, out[:count], note)
    if count == NOT_A_POSE:
        raise ConfigError(
            "`T_base_target` must be a pose: finite, with an orthonormal, right-handed "
            "rotation part"
        )
    if best == -1:
        return _outside(plan, out, report)
    return _no_solution(model, plan, T, frame, task, start)


def closed_family(model: RobotModel, frame: str | None = None) -> str | None:
    """Return the name of the structure by which a frame's pose is solved, or None.

    Names are explained in `families.family_name`, for instance "spherical_wrist".

    Raises:
        NameNotFoundError: If there is no such frame.

    Example:
        >>> import gelenk
        >>> closed_family(gelenk.load("puma560"))
        'spherical_wrist'
        >>> closed_family(gelenk.load("ur5e"))
        'three_parallel'
    """
    return closed_plan(model, frame, "pose").family or None


def swivel_angle(model: RobotModel, q: ArrayLike, *, frame: str | None = None) -> float:
    """Return the swivel angle of an arm with spherical shoulder and wrist [rad].

    The angle of the elbow about the line from shoulder to wrist, zero where the elbow
    lies towards the direction of the first axis.

    Args:
        model: Robot.
        q: Joint values [rad], shape (nq,).
        frame: Name of a link behind the wrist; by default the tool.

    Raises:
        ShapeError: If `q` has the wrong shape.
        ConfigError: If the arm has no swivel angle.
    """
    plan = closed_plan(model, frame, "pose")
    if not plan.has_swivel:
        raise ConfigError(
            f"robot {model.name!r} has no swivel angle: that takes seven joints with "
            f"spherical shoulder and wrist, found: {plan.family or plan.reason}"
        )
    return float(_swivel_kernel(plan.constants, _checked(model, q, "q")))


def _checked(model: RobotModel, q: ArrayLike, name: str = "q0") -> FloatArray:
    """Return one finite configuration as an array of its own."""
    array = np.array(q, dtype=np.float64, order="C")
    if array.shape != (model.nq,):
        raise ShapeError(name, expected=f"({model.nq},)", actual=array.shape)
    if not math.isfinite(array.sum()):
        raise ConfigError(f"`{name}` must be finite, got {array.tolist()}")
    return array


def _checked_swivel(plan: Plan, swivel: float | None) -> float:
    if swivel is None:
        return math.nan
    if not plan.has_swivel:
        raise ConfigError(
            "`swivel` is for seven joints with spherical shoulder and wrist; this arm "
            f"is: {plan.family or plan.reason}"
        )
    if not math.isfinite(swivel):
        raise ConfigError(f"`swivel` must be finite [rad], got {swivel}")
    return float(swivel)


def _note(plan: Plan, free: int, is_moved: bool) -> str:
    """Return what is special about a solved target."""
    choice = "as near to `q0` as limits allow" if is_moved else "as in `q0`"
    names = [name for k, name in enumerate(plan.core) if free >> k & 1 and name]
    if names:
        return (
            "singular pose: a continuum of solutions, here with "
            f"{', '.join(names)} {choice}"
        )
    if plan.has_swivel:
        return f"one of a family of solutions, swivel angle {choice}"
    return f"one of a family of solutions, {', '.join(plan.held)} held {choice}"


def _hint(plan: Plan) -> str:
    if plan.has_swivel:
        return "; another `swivel` may help"
    if plan.held:
        return f"; {', '.join(plan.held)} are held as in `q0`: try others"
    return ""


def _outside(plan: Plan, out: FloatArray, report: FloatArray) -> IkResult:
    """Return the result with the branch least outside the limits, the last row."""
    note = "all branches lie outside the joint limits; `q` is the one least outside"
    return IkResult(
        out[-1],
        IkStatus.OUT_OF_LIMITS,
        report,
        plan.limits,
        out[:0],
        note + _hint(plan),
    )


def _no_solution(
    model: RobotModel,
    plan: Plan,
    T: FloatArray,
    frame: str | None,
    task: str,
    q: FloatArray,
) -> IkResult:
    """Return the result without a branch: `q` is where we started."""
    T_now = frame_pose(model, q, frame=frame)
    gap = np.linalg.norm(T_now[:3, 3] - T[:3, 3])
    size = np.linalg.norm(T_now[:3, :3] - T[:3, :3]) / math.sqrt(8.0)
    angle = 2.0 * math.asin(min(1.0, float(size)))
    report = np.array([0.0 if task == "rotation" else gap, angle, 0.0, 1.0])
    if task == "position":
        report[1] = 0.0
    if plan.kernel is None:
        status = IkStatus.NO_CLOSED_FORM
        note = f'{plan.reason}; use method="lm"'
    else:
        status = IkStatus.UNREACHABLE
        note = f"no joint values reach the target{_hint(plan)}"
    empty = np.empty((0, len(q)))
    return IkResult(q.copy(), status, report, plan.limits, empty, note)
