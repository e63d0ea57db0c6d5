"""What the bat on its rod does to a ball: the planner's contact, joints included.

The planner's tables know a bat that flies freely. The real one hangs on two joints: it
gives way only where they turn, and along the rod not at all, so a ball that comes from
above leaves faster than a free bat would send it. Gas and friction are the planner's;
the bat's inertia is the controller's belief. The motors do nothing worth mentioning in
the 14 ms of a contact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, norm, scaled, sub
from gelenk.robots.piggy.config import GRAVITY, UNIT, UnitCfg
from gelenk.robots.piggy.contact import (
    MAX_DURATION,
    ContactCfg,
    ContactParams,
    gas_force,
)
from gelenk.robots.piggy.control.flank import BatModel
from gelenk.robots.piggy.planner.plan import FINAL_STEP
from gelenk.robots.piggy.surface import UnitParams, bat_centre, unit_params
from gelenk.typing import Vec2, Vec3


def _contact() -> ContactCfg:
    return ContactCfg(gravity=(0.0, 0.0, -GRAVITY), dt=FINAL_STEP)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReboundCfg:
    """What the robot believes about ball and bat.

    Attributes:
        contact: Ball, friction, gravity, time step; its bat mass is not used.
        restitution: Speed after over speed before, head-on. Not learnt by the robot:
            fitted beforehand to simulated hits, whose ball loses a little more energy
            than the thesis's "almost fully elastic" one (1.0 errs by 0.1 to 0.2 m/s).
        rotor: Inertia of motor and gear, felt at each joint [kg m^2].
        bat: Inertia of the bat.
        unit: Geometry.
    """

    contact: ContactCfg = field(default_factory=_contact)
    restitution: float = 0.95
    rotor: float = 0.007
    bat: BatModel = field(default_factory=lambda: BatModel(half_gap=(0.0, 0.0)))
    unit: UnitCfg = UNIT


REBOUND = ReboundCfg()


def kernel_beliefs(
    cfg: ReboundCfg,
) -> tuple[tuple[float, float, float, float], float, UnitParams, ContactParams]:
    """Return what is believed as kernels take it: bat, restitution, unit, contact."""
    bat = cfg.bat
    moment = bat.weight * bat.cfg.bat_length / GRAVITY
    mass = bat.weight / GRAVITY
    masses = (float(bat.inertia), float(moment), float(mass), float(cfg.rotor))
    return masses, float(cfg.restitution), unit_params(cfg.unit), cfg.contact.params


@kernel
def on_rod(
    q: Vec2,
    qd: Vec2,
    n: Vec3,
    v: Vec3,
    w: Vec3,
    bat: tuple[float, float, float, float],
    restitution: float,
    unit: UnitParams,
    par: ContactParams,
) -> tuple[Vec3, Vec3, Vec3, float]:
    """Return the ball's velocity, way and spin, and the duration of one contact."""
    dt, touch = par.dt, par.ball_radius + par.bat_radius
    inertia = 2.0 / 3.0 * par.ball_mass * par.ball_radius * par.ball_radius
    start = add(bat_centre(q, unit), scaled(touch, n))
    p = start
    steps = 0
    while steps * dt < MAX_DURATION:
        steps += 1
        sr, cr, st, ct = math.sin(q[0]), math.cos(q[0]), math.sin(q[1]), math.cos(q[1])
        reach = unit.bat_length * ct + unit.axis_offset
        roll = (reach * cr, 0.0, -reach * sr)
        tilt = scaled(unit.bat_length, (-sr * st, -ct, -cr * st))
        r = sub(p, bat_centre(q, unit))
        d = norm(r)
        e = scaled(1.0 / d, r)
        # The touched point of the bat turns about both axes with it.
        arm = scaled(par.bat_radius, e)
        roll = add(roll, cross((0.0, 1.0, 0.0), arm))
        tilt = add(tilt, cross((cr, 0.0, -sr), arm))
        slip = sub(v, add(scaled(qd[0], roll), scaled(qd[1], tilt)))
        lever = d - par.bat_radius
        slip = sub(slip, scaled(lever, cross(w, e)))
        leaving = dot(slip, e)
        force = gas_force(d, par)
        masses = (
            bat[0] * ct * ct
            + 2.0 * unit.axis_offset * bat[1] * ct
            + bat[2] * unit.axis_offset * unit.axis_offset
            + bat[3],
            bat[0] + bat[3],
        )
        a, b = dot(roll, e), dot(tilt, e)
        gained = (
            dt * force * (1.0 / par.ball_mass + a * a / masses[0] + b * b / masses[1])
        )
        # The turn may come within the step: results stay smooth in where they begin.
        if gained > 0.0:
            share = min(max(1.0 + leaving / gained, 0.0), 1.0)
            force *= 1.0 - share * (1.0 - restitution * restitution)
        slip = sub(slip, scaled(leaving, e))
        speed = norm(slip)
        friction = (0.0, 0.0, 0.0)
        if speed > 1e-12 and force > 0.0:
            aside = scaled(1.0 / speed, slip)
            a, b = dot(roll, aside), dot(tilt, aside)
            yielding = 1.0 / par.ball_mass + lever * lever / inertia
            yielding += a * a / masses[0] + b * b / masses[1]
            size = min(par.friction * force, speed / (yielding * dt))
            friction = scaled(-size, aside)
        total = add(scaled(force, e), friction)
        v = add(v, scaled(dt, add(scaled(1.0 / par.ball_mass, total), par.gravity)))
        w = add(w, scaled(-lever * dt / inertia, cross(e, friction)))
        qd = (
            qd[0] - dt * dot(roll, total) / masses[0],
            qd[1] - dt * dot(tilt, total) / masses[1],
        )
        p = add(p, scaled(dt, v))
        q = (q[0] + dt * qd[0], q[1] + dt * qd[1])
        if d >= touch and leaving > 0.0 and steps > 1:
            break
    return v, sub(p, start), w, steps * dt
