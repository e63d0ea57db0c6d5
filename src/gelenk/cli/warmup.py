"""`gelenk warmup`: compile the kernels of everyday use once, into the cache on disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gelenk.cli import exit_codes
from gelenk.cli.console import Progress, say

if TYPE_CHECKING:
    from gelenk.core.model.tree import RobotModel
    from gelenk.core.typing import FloatArray

# One open arm, one floating tree and one mechanism with a loop meet all kernels.
ROBOTS = ("panda", "scara", "fourbar")


def warmup() -> int:
    """Compile kernels ahead of their first use; what is cached costs nothing."""
    start = time.perf_counter()
    steps = _steps()
    with Progress() as progress:
        for done, (name, step) in enumerate(steps.items()):
            progress.show(done, len(steps), f"compiling {name}")
            step()
    say(f"gelenk: kernels are ready ({time.perf_counter() - start:.1f} s)")
    return exit_codes.OK


def _steps() -> dict[str, Callable[[], object]]:
    import numpy as np

    import gelenk

    steps: dict[str, Callable[[], object]] = {}
    for name in ROBOTS:
        model = gelenk.load(name)
        q = np.array(model.home_configuration)
        for what, states in (("one", q), ("many", np.stack([q, q]))):
            _add_kinematics(steps, f"{name}, {what}", model, states)
            _add_dynamics(steps, f"{name}, {what}", model, states)
        T = np.array(model.forward(q))
        steps[f"{name}, inverse"] = _call(model.inverse, T)
    return steps


def _add_kinematics(
    steps: dict[str, Callable[[], object]], name: str, model: RobotModel, q: FloatArray
) -> None:
    from gelenk.core.kinematics.forward import link_poses

    steps[f"{name}, forward"] = _call(model.forward, q)
    steps[f"{name}, jacobian"] = _call(model.jacobian, q)
    steps[f"{name}, links"] = _call(link_poses, model, q)


def _add_dynamics(
    steps: dict[str, Callable[[], object]], name: str, model: RobotModel, q: FloatArray
) -> None:
    import numpy as np

    v = np.zeros((*q.shape[:-1], model.nv))
    steps[f"{name}, mass matrix"] = _call(model.mass_matrix, q)
    steps[f"{name}, inverse dynamics"] = _call(model.inverse_dynamics, q, v, v)
    steps[f"{name}, forward dynamics"] = _call(model.forward_dynamics, q, v, v)


def _call(function: Callable[..., object], *args: object) -> Callable[[], object]:
    return lambda: function(*args)
