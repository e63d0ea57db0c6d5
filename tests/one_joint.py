"""One hinge that a motor drives, integrated as the physics engine does.

Semi-implicit Euler with implicit damping and exact dry friction: nothing of it is taken
from the code under test.
"""

from dataclasses import dataclass, field

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.motors import Motor
from gelenk.sim.motors.advance import advance_motors
from gelenk.sim.motors.bank import MotorBank, pack_motors


@kernel
def _run(bank, x, arrays, inertia, weight, load, h, first, ticks, log):
    qpos, qvel = x[0], x[1]
    force, p_q, p_v, armature, damping, dry = arrays
    for k in range(ticks):
        advance_motors(
            bank, qpos, qvel, force, p_q, p_v, armature, damping, dry, h, first + k
        )
        if np.isnan(p_q[0]):
            mass = inertia + armature[0]
            total = force[0] + load + weight * np.sin(qpos[0])
            rubbed = mass * qvel[0] / h + total
            rubbed = np.sign(rubbed) * max(abs(rubbed) - dry[0], 0.0)
            qvel[0] = rubbed / (mass / h + damping[0])
            qpos[0] += h * qvel[0]
        else:
            qpos[0], qvel[0] = p_q[0], p_v[0]
        log[k, 0], log[k, 1] = qpos[0], qvel[0]
        log[k, 2:] = bank.state[0]


@dataclass
class OneJoint:
    """A link of `inertia`, weight torque `weight * sin(q)`, and constant `load`."""

    motor: Motor
    inertia: float
    h: float = 1e-3
    weight: float = 0.0
    load: float = 0.0
    q: float = 0.0
    qd: float = 0.0
    seed: int = 0
    name: str = "joint"
    tick: int = 0
    bank: MotorBank = field(init=False)

    def __post_init__(self) -> None:
        self.bank = pack_motors(
            [self.motor],
            [0],
            [0],
            step=self.h,
            q=[self.q],
            names=[self.name],
            seed=self.seed,
        )
        self.x = np.array([[self.q], [self.qd]])
        self.arrays = tuple(np.zeros(1) for _ in range(6))

    def command(self, value: float, second: float | None = None) -> None:
        self.bank.command[0, 0] = value
        if second is not None:
            self.bank.command[0, 1] = second

    def run(self, seconds: float) -> np.ndarray:
        """Return rows (q, qd, *motor state) after each tick."""
        ticks = round(seconds / self.h)
        log = np.empty((ticks, 2 + self.bank.state.shape[1]))
        _run(
            self.bank, self.x, self.arrays, self.inertia, self.weight, self.load,
            self.h, self.tick, ticks, log,
        )  # fmt: skip
        self.tick += ticks
        return log
