"""Inverse kinematics: joint values for a wanted pose, by four methods, one result type.

`solve_inverse(model, T, method=...)`: "lm" (default), "closed", "simplex", "jacobian".
"""

from __future__ import annotations

from typing import Any, Unpack

from gelenk.errors import ConfigError
from gelenk.kinematics.inverse.lm import solve_lm as solve_lm
from gelenk.kinematics.inverse.result import IkOptions as IkOptions
from gelenk.kinematics.inverse.result import IkResult as IkResult
from gelenk.kinematics.inverse.result import IkStatus as IkStatus
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike

METHODS = ("lm", "closed", "simplex", "jacobian")


def solve_inverse(
    model: RobotModel, T: ArrayLike, *, method: str = "lm", **options: Unpack[IkOptions]
) -> IkResult:
    """Return joint values that bring a frame to a pose, with a status.

    Args:
        model: Robot.
        T: Wanted pose of the frame in the base, shape (4, 4).
        method: "lm": Levenberg-Marquardt with restarts, any robot; "closed": all
            solutions by formulas, where the structure has them; "simplex" and
            "jacobian": the two iterative methods of the ArmBot, started at `q0`.
        options: Options of the method; `IkOptions` lists them.

    Raises:
        ConfigError: If there is no such method or an option makes no sense.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> goal = arm.forward([0.7, 0.9])
        >>> found = solve_inverse(arm, goal, task="position")
        >>> found.status, bool(found.position_error < 1e-6)
        (<IkStatus.CONVERGED: 'converged'>, True)
    """
    given: dict[str, Any] = {**options}  # each method refuses those of the others
    if method == "lm":
        if model.loops:
            from gelenk.kinematics.inverse.mechanism import solve_mechanism

            return solve_mechanism(model, T, **given)
        return solve_lm(model, T, **given)
    if model.ball_joints:
        raise ConfigError(
            f'robot {model.name!r} has ball joints, which only `method="lm"` solves'
        )
    if method == "closed":
        from gelenk.kinematics.inverse.closed.solve import solve_closed

        return solve_closed(model, T, **given)
    if method == "simplex":
        from gelenk.kinematics.inverse.iterative import solve_simplex

        return solve_simplex(model, T, **given)
    if method == "jacobian":
        from gelenk.kinematics.inverse.iterative import solve_jacobian

        return solve_jacobian(model, T, **given)
    raise ConfigError(f"`method` must be one of {', '.join(METHODS)}, got {method!r}")
