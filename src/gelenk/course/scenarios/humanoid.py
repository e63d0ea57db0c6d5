"""Humanoid: a walk by its zero-moment point, a push, a slope, a hopper.

The walk is planned for the body one believes to have and walked by another, up to 5 %
heavier or lighter, on stiff servos in the simulated world. Pushes hit the pendulum that
is left of a robot which only has to come to rest. A passive walker is disturbed on its
slope; what it costs to walk so is compared with what the servos spent. The hopper is
dropped askew.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.course.film import Film
from gelenk.course.scenarios.humanoid_body import (
    ANKLE,
    HIP,
    SOLE,
    WalkFilm,
    humanoid_model,
    joint_angles,
)
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.dynamics.balance import zmp_from_contacts
from gelenk.dynamics.hopping import monopod, run_hopper
from gelenk.dynamics.momentum import centre_of_mass
from gelenk.dynamics.periodic_gaits import find_cycle, walker_step
from gelenk.dynamics.walking import (
    PreviewCfg,
    Walk,
    WalkCfg,
    capturability,
    capture_step,
    lipm_state,
    plan_walk,
)
from gelenk.geometry.support_polygons import support_margin
from gelenk.sim.bridge.engine import EngineCfg
from gelenk.sim.config import WorldConfig
from gelenk.sim.fixed_objects import Ground
from gelenk.sim.motors.descriptions import PositionServo
from gelenk.sim.observe import Contact
from gelenk.sim.robot import Robot
from gelenk.sim.world import World
from gelenk.typing import FloatArray

MIN_MARGIN = 0.01  # of the zero-moment point [m]
MAX_SHORT = 0.05  # of the way, by which the walk may fall short
NUM_STEPS = 6
GAIN, DAMPING = 10_000.0, 150.0  # of the servos [N m/rad], [N m s/rad]
STEP = 1e-3  # of the world [s]
RUBBER = (0.04, 1.0)  # soles: time in which a contact gives way [s], damping ratio
PENDULUM = {"height": 0.7, "step_time": 0.3, "reach": 0.6, "foot_radius": 0.08}


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What a walk in the world came to.

    Attributes:
        margin: Smallest distance of the zero-moment point from the edge [m].
        way: Walked [m].
        wanted: Planned [m].
        cost: Work of the servos per weight and way.
    """

    margin: float
    way: float
    wanted: float
    cost: float


def run(seed: int, film: Film | None = None) -> TrialOutcome:
    """Return margin, way, steps to rest after a push, costs, heights of hops."""
    rng = np.random.default_rng(seed)
    problems: list[str] = []
    walked = walk_in_world(
        length=float(rng.uniform(0.08, 0.14)),
        body_mass=20.0 * float(rng.uniform(0.95, 1.05)),
        film=film,
    )
    if walked.margin < MIN_MARGIN:
        problems.append(f"the margin was {1e3 * walked.margin:.1f} mm")
    if walked.way < (1.0 - MAX_SHORT) * walked.wanted:
        problems.append(f"it walked {walked.way:.2f} of {walked.wanted:.2f} m")
    steps, allowed = steps_to_rest(float(rng.uniform(0.5, 1.2)), rng)
    if steps > allowed:
        problems.append(f"{steps} steps to rest, {allowed} should do")
    slope = float(rng.uniform(0.005, 0.013))
    miss = passive_miss(slope, rng.normal(0.0, 1e-3, 2))
    if not miss < 1e-3:
        problems.append("the passive walker did not find back to its gait")
    hop = hop_error(float(rng.uniform(0.0, 1.5)), float(rng.uniform(-0.15, 0.15)))
    if not hop < 0.05:
        problems.append(f"hops miss their height by {100 * hop:.0f} %")
    return TrialOutcome(
        seed=seed,
        is_reached=not problems,
        figures={
            "margin [m]": walked.margin,
            "way [m]": walked.way,
            "cost of walking": walked.cost,
            "cost on the slope": math.sin(slope),
            "steps to rest": float(steps),
            "hop error": hop,
        },
        reason="; ".join(problems),
    )


def walk_in_world(
    *,
    length: float,
    body_mass: float,
    num_steps: int = NUM_STEPS,
    film: Film | None = None,
) -> Walked:
    """Return how a planned walk went in the world.

    Args:
        length: Of a step [m].
        body_mass: What the body really weighs above its hips [kg].
        num_steps: Of the walk.
        film: Takes frames, if anybody looks.
    """
    walk, q, ahead = _plan(length, num_steps)
    model = humanoid_model(body_mass)
    start = [-ahead, 0.0, HIP + ANKLE, 1.0, 0.0, 0.0, 0.0]
    servo = PositionServo(kp=GAIN, kd=DAMPING, torque_limit=1000.0, rotor_inertia=0.05)
    settings = WorldConfig(step=STEP, engine=EngineCfg(solref=RUBBER))
    with World(settings) as world:
        world.add(Ground())
        world.add(
            Robot(
                name="walker",
                model=model,
                motors=servo,
                q=np.concatenate([start, q[0]]),
            )
        )
        record = None if film is None else WalkFilm(film, model, walk)
        dt = float(walk.t[1])
        rates = np.gradient(q, dt, axis=0)
        count = round(dt / STEP)
        margins: list[float] = []
        work, target = 0.0, q[0]
        for k in range(len(q) - 1):
            for j in range(count):
                target = q[k] + (j + 1) / count * (q[k + 1] - q[k])
                target = target + DAMPING / GAIN * rates[k]
                world.command("walker", target)
                world.step()
            if record is not None:
                record.shoot((k + 1) * dt, world)
            now = world.joint_positions("walker")[-12:]
            speed = world.joint_velocities("walker")[-12:]
            torque = GAIN * (target - now) - DAMPING * speed
            work += float(np.abs(torque * speed).sum()) * dt
            if world.pose("walker/body")[2, 3] < 0.8 * (HIP + ANKLE):
                margins.append(-1.0)
                break
            if k >= 10:  # until then it settles
                margins.append(_margin(world.contacts(), world))
        way = float(world.pose("walker/body")[0, 3]) + ahead
    weight = 9.81 * float(model.mass.sum())
    return Walked(
        margin=min(margins),
        way=way,
        wanted=float(walk.centre[-1, 0, 0]),
        cost=work / (weight * max(way, 1e-3)),
    )


def steps_to_rest(speed: float, rng: np.random.Generator) -> tuple[int, int]:
    """Return the steps a pushed pendulum takes to rest, and how many theory allows.

    Feet are put down up to a centimetre beside where they should be; the last part is
    left to the ankle.

    Args:
        speed: After the push, from standing [m/s].
        rng: For feet that miss.
    """
    size = {"height": PENDULUM["height"]}
    radius, reach = PENDULUM["foot_radius"], PENDULUM["reach"]
    omega = math.sqrt(9.81 / PENDULUM["height"])
    x, v, foot = 0.0, speed, 0.0
    offset = speed / omega
    allowed = next((n for n in range(20) if offset <= capturability(n, **PENDULUM)), 20)
    for step in range(20):
        off = x + v / omega - foot
        if abs(off) <= radius:
            return step, allowed + 1  # a foot that misses may cost one more
        # Until the other foot is there, the ankle presses with toe or heel.
        press = foot + math.copysign(radius, off)
        aim = float(capture_step(x, v, PENDULUM["step_time"], foot=press, **size))
        place, push = lipm_state(x, v, PENDULUM["step_time"], foot=press, **size)
        x, v = float(place), float(push)
        foot += min(max(aim - foot, -reach), reach) + float(rng.normal(0.0, 0.01))
    return 20, allowed + 1


def passive_miss(slope: float, disturbance: FloatArray) -> float:
    """Return how far a disturbed passive walker is off its gait after 12 steps."""
    guess = np.array([0.97, -0.97]) * slope ** (1.0 / 3.0)
    cycle = find_cycle(lambda s: walker_step(s, slope).after, guess)
    if cycle is None:
        return math.inf
    state: FloatArray | None = cycle.state + disturbance
    for _ in range(12):
        state = walker_step(state, slope).after if state is not None else None
    return math.inf if state is None else float(np.linalg.norm(state - cycle.state))


def hop_error(speed: float, pitch: float) -> float:
    """Return by which share the last hops of a hopper miss their height."""
    hops = run_hopper(
        monopod(), speed=speed, height=0.75, duration=5.0, start_pitch=pitch
    )
    if hops.fell or len(hops.apex_heights) < 6:
        return math.inf
    return float(np.abs(np.array(hops.apex_heights[-4:]) / 0.75 - 1.0).max())


def _plan(length: float, num_steps: int) -> tuple[Walk, FloatArray, float]:
    """Return the walk, all joint angles and where the mass is before the hips."""
    model = humanoid_model()
    stand = np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]])
    q = np.concatenate(
        [[0, 0, HIP + ANKLE, 1, 0, 0, 0], joint_angles(np.zeros(2), stand, 0.0)]
    )
    centre = centre_of_mass(model, q)
    ahead = float(centre[0])
    walk = plan_walk(
        WalkCfg(
            num_steps=num_steps,
            length=length,
            step_time=1.0,
            double_share=0.4,
            lift=0.03,
        ),
        PreviewCfg(dt=0.01, horizon=160, height=float(centre[2])),
    )
    rows = [
        joint_angles(c[0], f, ahead)
        for c, f in zip(walk.centre, walk.feet, strict=True)
    ]
    return walk, np.array(rows), ahead


def _margin(contacts: tuple[Contact, ...], world: World) -> float:
    """Return how far the measured zero-moment point lies inside the loaded soles."""
    points = np.array([contact.position[:2] for contact in contacts])
    loads = np.array([abs(float(contact.force[2])) for contact in contacts])
    if not len(loads) or loads.sum() < 1.0:
        return -1.0
    touched = {name for contact in contacts for name in contact.bodies}
    corners: list[FloatArray] = []
    half = 0.5 * np.array(SOLE[:2])
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    flat = np.column_stack([signs * half, np.full(4, -ANKLE)])
    for side in ("left", "right"):
        name = f"walker/{side}_foot"
        if name in touched:
            T = world.pose(name)
            corners.append((T[:3, 3] + flat @ T[:3, :3].T)[:, :2])
    if not corners:
        return -1.0
    return support_margin(np.concatenate(corners), zmp_from_contacts(points, loads))
