"""Commands to the actuators that robots bring along in their MJCF files."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.typing import ArrayLike


def actuator_names(compiled: CompiledWorld, robot: str) -> tuple[str, ...]:
    """Return the actuators of a robot's file in its order, without the robot's name."""
    ids = compiled.actuators.get(robot, ())
    names = [compiled.model.actuator(int(i)).name for i in ids]
    return tuple(name.removeprefix(f"{robot}/") for name in names)


def command_actuators(
    compiled: CompiledWorld, robot: str, values: ArrayLike | Mapping[str, float]
) -> None:
    """Write the commands (`ctrl`) of the actuators of a robot's file.

    Args:
        compiled: Compiled world.
        robot: Name of the robot.
        values: One number per actuator in the order of the file, one for all, or
            numbers by the names of actuators; nan leaves an actuator as it is.

    Raises:
        ConfigError: If the numbers are not finite, or not as many as actuators.
        NameNotFoundError: If there is no actuator of a name.
    """
    ids = compiled.actuators[robot]
    if isinstance(values, Mapping):
        names = actuator_names(compiled, robot)
        array = np.full(len(ids), np.nan)
        for name, value in values.items():
            if name not in names:
                raise NameNotFoundError("actuator", name, names)
            array[names.index(name)] = value
    else:
        array = as_array("command", values, ())
    if array.shape not in ((), ids.shape) or np.isinf(array).any():
        raise ConfigError(
            f"commands of robot {robot!r} must be {len(ids)} finite numbers, one per "
            f"actuator of its file, or one for all, got {array}"
        )
    is_meant = np.broadcast_to(~np.isnan(array), ids.shape)
    compiled.data.ctrl[ids[is_meant]] = np.broadcast_to(array, ids.shape)[is_meant]
