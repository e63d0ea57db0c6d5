"""Belts carry at their speed, draw to the middle, obey commands, and let things tip.

The engine alone is stepped here, with the belts between its two halves of a step.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.sim.bridge.layout import address_table
from gelenk.sim.bridge.shapes import add_object, apply_start, new_spec
from gelenk.sim.conveyor import (
    BeltBank,
    belt_velocity,
    command_belt,
    pack_belts,
    run_belts,
    set_belt_priorities,
    state_arrays,
)
from gelenk.sim.objects import (
    AnySceneObject,
    Ball,
    Conveyor,
    Cuboid,
    Ground,
    MovableCylinder,
    PolygonOutline,
    RectOutline,
)
from gelenk.spatial.quaternion import matrix_from_quaternion

GRAVITY = 9.81


class Scene:
    """A few objects, stepped with their belts."""

    def __init__(self, *things: AnySceneObject) -> None:
        spec = new_spec()
        placed = [add_object(spec, thing) for thing in things]
        self.model: Any = spec.compile()
        self.data: Any = mujoco.MjData(self.model)
        for one in placed:
            apply_start(self.model, self.data, one)
        mujoco.mj_forward(self.model, self.data)
        self.belts: BeltBank = pack_belts(
            self.model,
            [
                (thing, one.geoms)
                for thing, one in zip(things, placed, strict=True)
                if isinstance(thing, Conveyor)
            ],
        )
        self.table = address_table(self.model, self.data)

    def run(self, seconds: float, watch: Callable[[], None] | None = None) -> None:
        for _ in range(round(seconds / 0.001)):
            set_belt_priorities(self.table, self.belts)
            mujoco.mj_step1(self.model, self.data)
            run_belts(self.table, self.belts, 0.001)
            mujoco.mj_step2(self.model, self.data)
            if watch is not None:
                watch()

    def at(self, name: str) -> np.ndarray:
        return self.data.body(name).xpos.copy()

    def tilt(self, name: str) -> float:
        """Angle between an object's z axis and the vertical [rad]."""
        return float(np.arccos(np.clip(self.data.body(name).xmat[8], -1.0, 1.0)))


def belt_scene(
    *, angle: float, speed: float, direction: Any = "x", **belt: Any
) -> tuple[Scene, np.ndarray, np.ndarray]:
    """A belt of 6 m at an angle [deg] with a cuboid, a cylinder and a ball on it.

    Returns the scene, the direction along the belt and the one across it.
    """
    theta, axis = np.radians(angle), "xy".index(direction)
    along, across = np.array([0.0, 0.0, np.sin(theta)]), np.zeros(3)
    along[axis], across[1 - axis] = np.cos(theta), 1.0
    normal = np.cross(along, across) * (1.0 if axis == 0 else -1.0)
    length, rise = 6.0 * np.cos(theta), 6.0 * np.sin(theta)
    size = (length, 1.0) if axis == 0 else (1.0, length)
    half = np.array([np.cos(theta / 2), 0.0, 0.0, 0.0])
    half[2 - axis] = -np.sin(theta / 2) if axis == 0 else np.sin(theta / 2)
    middle = np.array([0.0, 0.0, 0.1 + rise / 2])

    def place(along_by: float, offset: float) -> tuple[float, float, float]:
        x, y, z = middle + along_by * along + offset * across + 0.05 * normal
        return float(x), float(y), float(z)

    common: dict[str, Any] = {"mass": 0.2, "friction": 0.9}
    scene = Scene(
        Conveyor(
            name="belt",
            plan=RectOutline(size=size),
            h1=0.1,
            h2=0.1 + rise,
            direction=direction,
            speed=speed,
            friction=0.9,
            **belt,
        ),
        Cuboid(
            name="cuboid",
            size=(0.1,) * 3,
            quat=tuple(half),
            position=place(0, 0.1),
            **common,
        ),
        MovableCylinder(
            name="cylinder",
            radius=0.06,
            length=0.1,
            quat=tuple(half),
            position=place(0.4, -0.1),
            **common,
        ),
        Ball(
            name="ball", radius=0.05, spins=False, position=place(-0.4, 0.1), **common
        ),
    )
    assert_allclose(matrix_from_quaternion(half)[:, 2], normal, atol=1e-12)
    return scene, along, across


CARRIED = ("cuboid", "cylinder", "ball")


@pytest.mark.parametrize("direction", ["x", "y"])
@pytest.mark.parametrize(
    ("angle", "speed"), [(0, 0.2), (0, -0.2), (15, 0.2), (30, 0.2), (30, -0.2)]
)
@pytest.mark.capability("AB-65")
def test_things_ride_at_the_speed_of_the_belt(
    angle: float, speed: float, direction: Any
) -> None:
    scene, along, _ = belt_scene(angle=angle, speed=speed, direction=direction)
    scene.run(0.5)

    starts = {name: scene.at(name) for name in CARRIED}
    scene.run(1.0)

    for name, start in starts.items():
        assert (scene.at(name) - start) @ along == pytest.approx(speed, rel=1e-3)


@pytest.mark.capability("AB-65")
def test_a_spinning_ball_ends_at_the_speed_of_the_belt() -> None:
    """Without rolling friction it would turn backwards and ride with 2/7 of it."""
    plan = RectOutline(size=(6.0, 1.0))
    speeds = []
    for rolling in (0.01, 0.0):
        scene = Scene(
            Conveyor(
                name="belt", plan=plan, h1=0.1, h2=0.1, speed=0.5, rolling=rolling
            ),
            Ball(
                name="b", radius=0.05, mass=0.2, position=(-2, 0, 0.15), rolling=rolling
            ),
        )
        scene.run(2.0)
        speeds.append(float(scene.data.joint("b").qvel[0]))
    assert speeds[0] == pytest.approx(0.5, rel=1e-3)
    assert speeds[1] == pytest.approx(0.5 * 2 / 7, rel=0.03)


def test_a_belt_pulls_no_harder_than_its_friction() -> None:
    plan = RectOutline(size=(8.0, 1.0))
    scene = Scene(
        Conveyor(name="belt", plan=plan, h1=0.1, h2=0.1, speed=0.4, friction=0.1),
        Cuboid(
            name="c", size=(0.1,) * 3, mass=1.0, position=(0, 0, 0.15), friction=0.1
        ),
    )
    scene.run(0.2)
    speed = float(scene.data.joint("c").qvel[0])
    assert speed == pytest.approx(0.1 * GRAVITY * 0.2, rel=0.02)


@pytest.mark.parametrize("direction", ["x", "y"])
@pytest.mark.parametrize("angle", [0, 15])
@pytest.mark.capability("AB-65")
def test_things_drift_to_the_middle_and_stay_there(
    angle: float, direction: Any
) -> None:
    scene, _, across = belt_scene(
        angle=angle, speed=0.2, direction=direction, to_middle_speed=0.05
    )
    sides = {name: np.sign(scene.at(name) @ across) for name in CARRIED}
    overshoot = dict.fromkeys(CARRIED, 0.0)
    rates: dict[str, float] = {}

    def watch() -> None:
        for name in CARRIED:
            beyond = -sides[name] * (scene.at(name) @ across)
            overshoot[name] = max(overshoot[name], float(beyond))

    scene.run(0.5, watch)
    before = {name: scene.at(name) @ across for name in CARRIED}
    scene.run(0.5, watch)
    for name in CARRIED:
        rates[name] = -sides[name] * (scene.at(name) @ across - before[name]) / 0.5
    scene.run(1.5, watch)

    for name in CARRIED:
        assert rates[name] == pytest.approx(0.05, rel=5e-3)
        assert abs(scene.at(name) @ across) < 1e-4
        assert overshoot[name] < 1e-4


def test_the_drift_follows_the_centre_and_not_the_corners() -> None:
    """A wide box has contacts on both sides of the middle line from the start."""
    scene = Scene(
        Conveyor(
            name="belt",
            plan=RectOutline(size=(4.0, 1.0)),
            h1=0.1,
            h2=0.1,
            speed=0.1,
            to_middle_speed=0.05,
        ),
        Cuboid(name="c", size=(0.1, 0.6, 0.1), mass=1.0, position=(0, 0.05, 0.15)),
    )
    scene.run(2.0)
    assert abs(scene.at("c")[1]) < 1e-4
    assert scene.tilt("c") < 1e-3


@pytest.mark.capability("AB-65")
def test_a_belt_stops_starts_and_reverses_on_command() -> None:
    scene, along, _ = belt_scene(angle=10, speed=0.2)
    scene.run(0.5)

    command_belt(scene.belts, 0, running=False)
    scene.run(0.2)
    stopped = scene.at("cuboid")
    scene.run(0.5)
    assert_allclose(scene.at("cuboid"), stopped, atol=1e-5)

    command_belt(scene.belts, 0, running=True, speed=-0.1)
    scene.run(0.2)
    before = scene.at("cuboid")
    scene.run(0.5)
    assert (scene.at("cuboid") - before) @ along == pytest.approx(-0.05, rel=1e-3)

    command_belt(scene.belts, 0, speed=0.3)
    scene.run(0.2)
    before = scene.at("cuboid")
    scene.run(0.5)
    assert (scene.at("cuboid") - before) @ along == pytest.approx(0.15, rel=1e-3)


def test_a_belt_that_stands_at_the_start_is_a_slope() -> None:
    scene, _, _ = belt_scene(angle=10, speed=0.2, running=False)
    start = scene.at("cuboid")
    scene.run(0.5)
    assert_allclose(scene.at("cuboid"), start, atol=2e-5)


def test_a_stopped_belt_gives_its_priority_back() -> None:
    """A ball that is frictionless elsewhere is carried uphill, and slides when it stops."""
    theta = np.radians(10)
    belt = Conveyor(
        name="belt",
        plan=RectOutline(size=(4 * np.cos(theta), 1.0)),
        h1=0.1,
        h2=0.1 + 4 * np.sin(theta),
        speed=0.2,
        condim=3,
        priority=2,
        stopped_priority=0,
    )
    normal = np.array([-np.sin(theta), 0.0, np.cos(theta)])
    position = np.array([0.0, 0.0, 0.1 + 2 * np.sin(theta)]) + 0.05 * normal
    ball = Ball(
        name="b",
        radius=0.05,
        mass=0.1,
        spins=False,
        condim=1,
        priority=1,
        position=tuple(position),
    )
    scene = Scene(belt, ball)
    scene.run(0.5)
    assert np.hypot(*scene.data.qvel[[0, 2]]) == pytest.approx(0.2, rel=1e-3)

    command_belt(scene.belts, 0, running=False)
    v_start = np.hypot(*scene.data.qvel[[0, 2]])
    scene.run(0.5)

    v_end = -np.array([np.cos(theta), np.sin(theta)]) @ scene.data.qvel[[0, 2]]
    assert v_end + v_start == pytest.approx(GRAVITY * np.sin(theta) * 0.5, rel=1e-3)


def test_the_sides_of_a_belt_stand_still() -> None:
    scene = Scene(
        Ground(friction=0.0),
        Conveyor(
            name="belt",
            plan=RectOutline(size=(2.0, 1.0)),
            h1=0.5,
            h2=0.5,
            speed=1.0,
            friction=0.9,
        ),
        # Pressed against the long side.
        Cuboid(
            name="c", size=(0.1,) * 3, mass=1.0, position=(0, -0.55, 0.05), friction=0.0
        ),
    )
    scene.data.qfrc_applied[1] = 50.0
    scene.run(0.3)
    assert abs(scene.data.qvel[0]) < 1e-6
    assert scene.data.ncon > 0


EDGE_PLANS = {
    "box": RectOutline(center=(-0.5, 0.0), size=(1.0, 1.0)),
    "mesh": PolygonOutline(((-1, -0.5), (0, -0.5), (0, 0.5), (-1, 0.5))),
}


@pytest.mark.parametrize("shape", ["box", "mesh"])
@pytest.mark.parametrize("overhang", [-0.002, -0.0005, 0.0005, 0.002])
@pytest.mark.capability("AB-138")
def test_a_cuboid_falls_only_if_its_centre_is_beyond_the_edge(
    overhang: float, shape: str
) -> None:
    scene = Scene(
        Ground(),
        Conveyor(
            name="belt",
            plan=EDGE_PLANS[shape],
            h1=0.3,
            h2=0.3,
            speed=0.1,
            running=False,
        ),
        Cuboid(name="c", size=(0.08,) * 3, mass=1.0, position=(overhang, 0, 0.34)),
    )
    scene.run(2.0)
    if overhang < 0.0:
        assert scene.at("c")[2] == pytest.approx(0.34, abs=1e-4)
        assert scene.tilt("c") < np.radians(0.5)
    else:
        assert scene.at("c")[2] == pytest.approx(0.04, abs=1e-3)


@pytest.mark.parametrize("shape", ["box", "mesh"])
@pytest.mark.parametrize("speed", [0.05, 0.2])
@pytest.mark.capability("AB-138")
def test_a_carried_cuboid_tips_when_its_centre_passes_the_end(
    speed: float, shape: str
) -> None:
    """From then on it turns about the edge: tilt = g v t^3 / (6 k), k = (w^2 + 4 h^2)/12."""
    edge = 0.08
    scene = Scene(
        Ground(),
        Conveyor(name="belt", plan=EDGE_PLANS[shape], h1=0.3, h2=0.3, speed=speed),
        Cuboid(name="c", size=(edge,) * 3, mass=1.0, position=(-0.06, 0, 0.34)),
    )
    tilts: list[tuple[float, float]] = []
    scene.run(0.15 / speed, lambda: tilts.append((scene.at("c")[0], scene.tilt("c"))))

    limit = np.radians(0.2)
    k = 5.0 * edge**2 / 12.0
    expected = speed * np.cbrt(6.0 * k * limit / (GRAVITY * speed))
    overhang = next(x for x, tilt in tilts if tilt > limit)
    assert overhang == pytest.approx(expected, rel=0.1)
    assert max(tilt for x, tilt in tilts if x < -1e-3) < np.radians(0.1)


def test_the_drift_slows_down_within_its_braking_way() -> None:
    scene, _, _ = belt_scene(angle=0, speed=0.3, to_middle_speed=0.1)
    params, command = scene.belts.params[0], scene.belts.command[0]
    for offset, drift in [(0.2, -0.1), (-0.2, 0.1), (0.0, 0.0), (0.0025, -0.05)]:
        v = belt_velocity(params, command, np.array([0.7, offset, 3.0]), 0.001)
        assert_allclose(v, (0.3, drift, 0.0), atol=1e-15)


def test_impossible_commands_are_refused() -> None:
    scene, _, _ = belt_scene(angle=0, speed=0.2)
    before = [array.copy() for array in state_arrays(scene.belts)]
    with pytest.raises(ConfigError, match="`speed` of a belt must be finite"):
        command_belt(scene.belts, 0, speed=np.nan)
    with pytest.raises(ConfigError, match="must be >= 0, got -1"):
        command_belt(scene.belts, 0, to_middle_speed=-1)
    for array, old in zip(state_arrays(scene.belts), before, strict=True):
        np.testing.assert_array_equal(array, old)


def test_a_turned_belt_carries_where_it_points() -> None:
    turned = Conveyor(
        name="belt",
        plan=RectOutline(size=(4.0, 1.0)),
        h1=0.1,
        h2=0.1,
        speed=0.2,
        to_middle_speed=0.05,
        position=(1.0, 2.0, 0.3),
        quat=(np.cos(0.3), 0, 0, np.sin(0.3)),
    )
    along = np.array([np.cos(0.6), np.sin(0.6), 0.0])
    across = np.array([-np.sin(0.6), np.cos(0.6), 0.0])
    cuboid = Cuboid(
        name="c",
        size=(0.1,) * 3,
        mass=1.0,
        position=tuple(np.array([1.0, 2.0, 0.45]) + 0.02 * across),
    )
    scene = Scene(turned, replace(cuboid))
    scene.run(1.0)
    shift = scene.at("c") - np.array([1.0, 2.0, 0.45])
    assert shift @ across == pytest.approx(0.0, abs=1e-4)
    assert shift @ along == pytest.approx(0.2, rel=0.03)
