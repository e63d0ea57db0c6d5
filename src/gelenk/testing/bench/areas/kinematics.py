"""Kinematics of arms: forward, Jacobian, inverse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import gelenk
from gelenk.core.kinematics.jacobian import pose_and_jacobian
from gelenk.core.model.tree import RobotModel
from gelenk.core.typing import FloatArray
from gelenk.testing.bench.harness import Row, Settings, interleaved
from gelenk.testing.bench.peers import find_peer, missing_note

TITLE = "Kinematics of arms: forward, Jacobian, inverse"

ARM = "panda"
PEER_FACTOR = 2.0  # [-], we promise to need at most this multiple of Pinocchio's time


def pose_and_jacobian_of_one_state(settings: Settings) -> Row:
    """Time one tool pose with its Jacobian through the public function."""
    model = gelenk.load(ARM)
    q = settings.rng().uniform(*np.clip(model.limits, -np.pi, np.pi))
    calls: dict[str, Callable[[], object]] = {
        "gelenk": lambda: pose_and_jacobian(model, q)
    }
    pin = find_peer("pinocchio")
    if pin is not None:
        calls["pinocchio"] = _in_pinocchio(pin, model, q)
    timings = interleaved(calls, rounds=settings.pick(2000, 500))
    micros = timings.microseconds()
    value = micros.pop("gelenk")
    return Row(
        name=f"pose_and_jacobian_{ARM}",
        value=value,
        unit="us",
        target=PEER_FACTOR * micros["pinocchio"] if micros else None,
        peers=micros,
        note="" if micros else missing_note("Pinocchio"),
    )


def _in_pinocchio(pin: Any, model: RobotModel, q: FloatArray) -> Callable[[], object]:
    """Return the same question to Pinocchio: the pose and the Jacobian as arrays.

    Its own reader builds the robot, so that joints about z get its fastest type.
    """
    from gelenk.core.model.urdf_write import urdf_from_model

    bare = replace(model, geometry=((),) * len(model.link_names))  # shapes cost nothing
    robot = pin.buildModelFromXML(urdf_from_model(bare))
    data = robot.createData()
    frame = robot.getFrameId(model.link_names[model.link_id()])
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

    def call() -> object:
        J = pin.computeFrameJacobian(robot, data, q, frame, axes)
        T = pin.updateFramePlacement(robot, data, frame).homogeneous
        return T, J

    return call


FIGURES = (pose_and_jacobian_of_one_state,)
