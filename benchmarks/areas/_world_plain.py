"""The restitution grid in plain MuJoCo, with the best its contacts can do.

MuJoCo has no coefficient of restitution. Its users have two ways, both with the direct
format of `solref`, and both are tried: a spring with damping whose ratio is calibrated
for each step and e on a plane at 5 m/s; and a damper without spring that turns the
normal velocity round within one step.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import mujoco as engine
import numpy as np

from benchmarks.areas import _world_cases as grid
from benchmarks.areas._world_cases import Case, Flight, make_case

mujoco: Any = engine  # its wheel has no types

Way = Literal["spring", "damper"]
WAYS: tuple[Way, ...] = ("spring", "damper")
STIFF = 0.3  # natural frequency of the spring times the step: the stiffest that holds
IMPEDANCE = 0.9999


def run_case(case: Case, way: Way) -> Flight:
    """Run a case in plain MuJoCo."""
    if way == "damper":
        stiffness, damping = 0.0, (1.0 + case.e) / case.step
    else:
        stiffness = (STIFF / case.step) ** 2
        damping = 2.0 * _ratio(case.e, case.step) * STIFF / case.step
    return _run(case, stiffness, damping)


def _run(case: Case, stiffness: float, damping: float) -> Flight:
    model = mujoco.MjModel.from_xml_string(_xml(case, stiffness, damping))
    data = mujoco.MjData(model)
    data.qpos[:3], data.qvel[:3] = case.p, case.v
    is_bat = case.pairing.endswith("bat")
    if is_bat:
        data.qpos[7], data.qvel[6] = case.q, grid.SWING
    places, velocities, others = np.zeros((3, case.ticks, 3))
    for k in range(case.ticks):
        if case.pairing == "ideal_bat":  # an arm that nothing can slow
            data.qpos[7], data.qvel[6] = case.q + grid.SWING * k * case.step, grid.SWING
        mujoco.mj_step(model, data)
        places[k], velocities[k] = data.qpos[:3], data.qvel[:3]
        if is_bat:
            others[k] = grid.head_at(data.qpos[7])
        elif case.pairing == "sphere":
            others[k] = data.qpos[7:10]
    return Flight(places, velocities, others)


def _xml(case: Case, stiffness: float, damping: float) -> str:
    d = IMPEDANCE
    half = 0.5 * np.array(grid.BOX)
    size = " ".join(f"{x}" for x in half)
    ball = f"""<freejoint/><geom size="{grid.RADIUS}" mass="{grid.MASS}"/>"""
    # an infinitely strong arm is one of huge inertia whose speed is written
    armature = 1e6 if case.pairing == "ideal_bat" else 0.0
    partner = {
        "plane": '<geom type="plane" size="5 5 1"/>',
        "face": f'<geom type="box" size="{size}" pos="0 0 {-half[2]}"/>',
        "edge": f'<geom type="box" size="{size}" pos="0 0 {-half[2]}"/>',
        "sphere": f"<body>{ball}</body>",
    }.get(
        case.pairing,
        f"""<body><joint axis="0 1 0" armature="{armature}"/>
        <inertial pos="{grid.ARM} 0 0" mass="{grid.HEAD_MASS}"
          diaginertia="{" ".join([f"{grid.HEAD_INERTIA}"] * 3)}"/>
        <geom size="{grid.HEAD}" pos="{grid.ARM} 0 0"/></body>""",
    )
    return f"""<mujoco>
      <option timestep="{case.step!r}" gravity="0 0 {case.gravity}" cone="elliptic"
        integrator="implicitfast" tolerance="1e-12"/>
      <default><geom condim="1" solref="{-stiffness * d * d!r} {-damping * d!r}"
        solimp="{d} {d} 0.001"/></default>
      <worldbody><body>{ball}</body>{partner}</worldbody>
    </mujoco>"""


@cache
def _ratio(e: float, step: float) -> float:
    """Return the damping ratio with which a ball at 5 m/s gets e from a plane."""
    phases = (0.1, 0.5, 0.9)
    tests = [make_case("plane", e, step, 5.0, phase=phase) for phase in phases]
    low, high = 0.0, 2.0
    for _ in range(14):
        middle = 0.5 * (low + high)
        damping = 2.0 * middle * STIFF / step
        found = [
            case.measured_e(_run(case, (STIFF / step) ** 2, damping)) for case in tests
        ]
        if float(np.mean(found)) > e:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
