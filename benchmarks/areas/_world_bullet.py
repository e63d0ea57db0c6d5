"""The restitution grid and the sliding body in PyBullet, set up as its users do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from benchmarks.areas import _world_cases as grid
from benchmarks.areas._world_cases import Case, Flight
from gelenk.typing import FloatArray


@contextmanager
def _engine(bullet: Any, step: float, gravity: float) -> Iterator[Any]:
    """Yield PyBullet with an empty world and better settings than its own."""
    client = bullet.connect(bullet.DIRECT)
    try:
        bullet.resetSimulation()
        bullet.setGravity(0.0, 0.0, gravity)
        bullet.setPhysicsEngineParameter(
            fixedTimeStep=step,
            numSolverIterations=200,
            # the default does not bounce below 0.2 m/s
            restitutionVelocityThreshold=0.01,
            # contacts ahead of the touch swallow the rebound: worst error 26 instead of
            # 100 % on a plane
            contactBreakingThreshold=1e-5,
        )
        yield bullet
    finally:
        bullet.disconnect(client)


def run_case(bullet: Any, case: Case) -> Flight:
    """Run a case in PyBullet."""
    with _engine(bullet, case.step, case.gravity) as p:
        ball = _sphere(p, grid.RADIUS, grid.MASS, case.p, case.v)
        # the coefficients of two bodies are multiplied
        _dress(p, ball, -1, e=case.e)
        partner = _partner(p, case)
        places, velocities, others = np.zeros((3, case.ticks, 3))
        for k in range(case.ticks):
            p.stepSimulation()
            places[k] = p.getBasePositionAndOrientation(ball)[0]
            velocities[k] = p.getBaseVelocity(ball)[0]
            if case.pairing == "sphere":
                others[k] = p.getBasePositionAndOrientation(partner)[0]
            elif case.pairing.endswith("bat"):
                others[k] = grid.head_at(p.getJointState(partner, 0)[0])
        return Flight(places, velocities, others)


def _sphere(p: Any, radius: float, mass: float, place: Any, velocity: Any) -> int:
    shape = p.createCollisionShape(p.GEOM_SPHERE, radius=radius)
    body = p.createMultiBody(mass, shape, -1, [float(x) for x in place])
    p.resetBaseVelocity(body, [float(x) for x in velocity], [0.0, 0.0, 0.0])
    return body


def _dress(p: Any, body: int, link: int, *, e: float, mu: float = 0.0) -> None:
    p.changeDynamics(
        body,
        link,
        restitution=e,
        lateralFriction=mu,
        rollingFriction=0.0,
        spinningFriction=0.0,
        linearDamping=0.0,
        angularDamping=0.0,
    )


def _partner(p: Any, case: Case) -> int:
    if case.pairing == "sphere":
        body = _sphere(p, grid.RADIUS, grid.MASS, np.zeros(3), np.zeros(3))
    elif case.pairing == "plane":
        body = p.createMultiBody(0.0, p.createCollisionShape(p.GEOM_PLANE))
    elif case.pairing in ("face", "edge"):
        half = [0.5 * x for x in grid.BOX]
        shape = p.createCollisionShape(p.GEOM_BOX, halfExtents=half)
        body = p.createMultiBody(0.0, shape, -1, [0.0, 0.0, -half[2]])
    else:
        return _bat(p, case)
    _dress(p, body, -1, e=1.0)
    return body


def _bat(p: Any, case: Case) -> int:
    shape = p.createCollisionShape(
        p.GEOM_SPHERE, radius=grid.HEAD, collisionFramePosition=[grid.ARM, 0.0, 0.0]
    )
    # an infinitely strong arm: its motor holds the speed with any force
    is_ideal = case.pairing == "ideal_bat"
    body = p.createMultiBody(
        0.0,
        linkMasses=[grid.HEAD_MASS],
        linkCollisionShapeIndices=[shape],
        linkVisualShapeIndices=[-1],
        linkPositions=[[0.0, 0.0, 0.0]],
        linkOrientations=[[0.0, 0.0, 0.0, 1.0]],
        linkInertialFramePositions=[[grid.ARM, 0.0, 0.0]],
        linkInertialFrameOrientations=[[0.0, 0.0, 0.0, 1.0]],
        linkParentIndices=[0],
        linkJointTypes=[p.JOINT_REVOLUTE],
        linkJointAxis=[[0.0, 1.0, 0.0]],
    )
    _dress(p, body, 0, e=1.0)
    inertia = [grid.HEAD_INERTIA] * 3
    p.changeDynamics(body, 0, localInertiaDiagonal=inertia, jointDamping=0.0)
    p.resetJointState(body, 0, case.q, grid.SWING)
    p.setJointMotorControl2(
        body,
        0,
        p.VELOCITY_CONTROL,
        targetVelocity=grid.SWING,
        force=1e9 if is_ideal else 0.0,
    )
    return body


def sliding_lift(
    bullet: Any, kind: str, size: FloatArray, v: float, mu: float, step: float
) -> float:
    """Return how high a sliding body rises within 0.4 s [m]."""
    with _engine(bullet, step, -9.81) as p:
        floor = p.createMultiBody(0.0, p.createCollisionShape(p.GEOM_PLANE))
        _dress(p, floor, -1, e=0.0, mu=1.0)
        if kind == "ball":
            body = _sphere(p, size[0], 0.2, [0.0, 0.0, size[0]], [v, 0.0, 0.0])
            start = float(size[0])
        else:
            half = [0.5 * float(x) for x in size]
            shape = p.createCollisionShape(p.GEOM_BOX, halfExtents=half)
            body = p.createMultiBody(0.5, shape, -1, [0.0, 0.0, half[2]])
            p.resetBaseVelocity(body, [v, 0.0, 0.0], [0.0, 0.0, 0.0])
            start = half[2]
        _dress(p, body, -1, e=0.0, mu=mu)
        highest = 0.0
        for _ in range(round(0.4 / step)):
            p.stepSimulation()
            height = p.getBasePositionAndOrientation(body)[0][2]
            highest = max(highest, height - start)
        return highest
