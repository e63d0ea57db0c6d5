"""How long forward kinematics, Jacobians and dynamics take, against Pinocchio."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gelenk
from benchmarks.harness import Row, Settings, interleaved
from benchmarks.peers import find_peer, missing_note
from gelenk.kinematics.jacobian import pose_and_jacobian
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray
from testkit.random_models import random_configuration

ARM = "panda"
ONE_CALL = 2.0  # we promise at most this multiple of Pinocchio's time for one call
BATCH_POSES = 5.0  # and in a batch at least this many times its speed per pose
BATCH_DYNAMICS = 1.5
BATCH = 100_000  # states in a batch


def speed_of_one_call(settings: Settings) -> Row:
    """Time one tool pose with its Jacobian through the public function."""
    model = gelenk.load(ARM)
    q = random_configuration(settings.rng(), model)
    pin = find_peer("pinocchio")
    if pin is None:
        return _not_compared("pose_jacobian_one_call_ratio")
    theirs = PinocchioCalls(pin, model)
    timings = interleaved(
        {
            "gelenk": lambda: pose_and_jacobian(model, q),
            "pinocchio": lambda: theirs.pose_jacobian(q),
        },
        rounds=settings.pick(200, 40),
    )
    return Row(
        name="pose_jacobian_one_call_ratio",
        value=timings.ratio("gelenk", "pinocchio"),
        unit="x",
        target=ONE_CALL,
        peers={"pinocchio": 1.0},
        note=_micros(timings.microseconds()) + f", {ARM}, pose and Jacobian as arrays",
    )


def speed_of_batches(settings: Settings) -> Iterator[Row]:
    """Time batches of states against a Python loop over Pinocchio."""
    names = ("pose_jacobian", "rnea", "crba", "aba")
    pin = find_peer("pinocchio")
    if pin is None:
        yield from (_not_compared(f"{name}_batch_speedup") for name in names)
        return
    model, rng = gelenk.load(ARM), settings.rng()
    theirs = PinocchioCalls(pin, model)
    count = settings.pick(BATCH, BATCH // 5)
    few = settings.pick(4000, 1000)
    q = random_configuration(rng, model, count)
    qd, qdd = rng.normal(size=(2, count, model.nv))
    tau = rng.normal(size=(count, model.nv))
    pairs: dict[str, tuple[Callable[[], object], Callable[[int], object]]] = {
        "pose_jacobian": (
            lambda: pose_and_jacobian(model, q),
            lambda i: theirs.pose_jacobian(q[i]),
        ),
        "rnea": (
            lambda: model.inverse_dynamics(q, qd, qdd),
            lambda i: theirs.rnea(q[i], qd[i], qdd[i]),
        ),
        "crba": (lambda: model.mass_matrix(q), lambda i: theirs.crba(q[i])),
        "aba": (
            lambda: model.forward_dynamics(q, qd, tau),
            lambda i: theirs.aba(q[i], qd[i], tau[i]),
        ),
    }
    for name in names:
        ours, one = pairs[name]
        timings = interleaved(
            {"gelenk": ours, "pinocchio": lambda one=one: [one(i) for i in range(few)]},
            rounds=settings.pick(15, 5),
            warmup=1,
        )
        ratio = timings.ratio("pinocchio", "gelenk") * count / few
        micros = {
            "gelenk": 1e6 * timings.median("gelenk") / count,
            "pinocchio": 1e6 * timings.median("pinocchio") / few,
        }
        yield Row(
            name=f"{name}_batch_speedup",
            value=ratio,
            unit="x",
            target=BATCH_POSES if name == "pose_jacobian" else BATCH_DYNAMICS,
            direction=">=",
            peers={"pinocchio": 1.0},
            note=_micros(micros) + f" per state, {ARM}, batch of {count}",
        )


class PinocchioCalls:
    """Pinocchio's fastest public calls for the same robot and the same answers.

    Its own reader builds the robot, so that joints about z get its fastest type.
    """

    def __init__(self, pin: Any, model: RobotModel) -> None:
        from gelenk.models.urdf_write import urdf_from_model

        bare = replace(model, geometry=((),) * len(model.link_names))
        self._pin = pin
        self._robot = pin.buildModelFromXML(urdf_from_model(bare))
        self._data = self._robot.createData()
        self._frame = self._robot.getFrameId(model.link_names[model.link_id()])
        self._axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

    def pose_jacobian(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return pose and Jacobian of the tool as arrays."""
        pin, robot, data = self._pin, self._robot, self._data
        J = pin.computeFrameJacobian(robot, data, q, self._frame, self._axes)
        T = pin.updateFramePlacement(robot, data, self._frame).homogeneous
        return T, J

    def rnea(self, q: FloatArray, qd: FloatArray, qdd: FloatArray) -> FloatArray:
        """Return the generalised forces."""
        return self._pin.rnea(self._robot, self._data, q, qd, qdd)

    def crba(self, q: FloatArray) -> FloatArray:
        """Return the inertia matrix."""
        return self._pin.crba(self._robot, self._data, q)

    def aba(self, q: FloatArray, qd: FloatArray, tau: FloatArray) -> FloatArray:
        """Return the accelerations."""
        return self._pin.aba(self._robot, self._data, q, qd, tau)


def _micros(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.2f} us" for name, value in values.items())


def _not_compared(name: str) -> Row:
    return Row(name=name, value=None, unit="x", note=missing_note("Pinocchio"))
