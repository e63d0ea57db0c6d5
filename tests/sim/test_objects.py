"""Scene objects refuse what cannot exist, and say what is wrong."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gelenk
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.models.link import Geometry
from gelenk.sim import objects
from gelenk.sim.objects import (
    Ball,
    Box,
    CircleOutline,
    Conveyor,
    Cuboid,
    HeightField,
    PolygonOutline,
    Prism,
    RectOutline,
    Robot,
    Slope,
    Step,
    Surface,
    Wedge,
)

SQUARE = RectOutline(size=(1.0, 1.0))
BALL: dict[str, Any] = {"name": "b", "radius": 0.1, "mass": 1.0}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ball(**BALL | {"radius": 0.0}), r"Ball 'b': `radius` must be > 0 m"),
        (lambda: Ball(**BALL | {"mass": -1.0}), r"`mass` must be > 0 kg, got -1.0"),
        (lambda: Ball(**BALL | {"mass": np.nan}), r"`mass` must be > 0 kg, got nan"),
        (lambda: Ball(**BALL, restitution=1.2), "`restitution` must be >= 0 and <= 1"),
        (lambda: Ball(**BALL, rolling_resistance=-0.1), "`rolling_resistance` must be"),
        (lambda: Ball(**BALL, friction=-1.0), "`friction` must be >= 0"),
        (lambda: Ball(**BALL, position=(0, 0)), "`position` must be 3 finite numbers"),
        (lambda: Ball(**BALL, quat=(1, 1, 0, 0)), "`quat` must be a unit quaternion"),
        (lambda: Ball(**BALL, condim=2), "`condim` must be 1, 3, 4, 6 or None, got 2"),
        (lambda: Ball(**BALL, group="wall"), "`group` must be one of world"),
        (lambda: Ball(**BALL, rgba=(2, 0, 0, 1)), "`rgba` must be in 0..1"),
        (lambda: Ball(**BALL | {"name": "a/b"}), "must be a word without '/'"),
        (
            lambda: Ball(**BALL, spins=False, angular_velocity=(0, 0, 1)),
            "has no angular velocity",
        ),
        (lambda: Cuboid(name="c", mass=1, size=(1, 0, 1)), "`size` must be > 0 m"),
        (lambda: Box(name="c", size=(1, 1)), "`size` must be 3 finite numbers"),
        (
            lambda: Step(name="s", plan=SQUARE, height=0.0),
            "top must lie over the bottom",
        ),
        (lambda: Slope(name="s", plan=SQUARE, h1=-1, h2=1), "top must lie over"),
        (
            lambda: Prism(name="p", plan=SQUARE, bottom=1.0, top=0.5),
            r"got heights \(0.5, 0.5\) over \(1.0, 1.0\) m",
        ),
        (
            lambda: Wedge(name="w", plan=SQUARE, top=(1.0, 0.1), bottom=(0.0, 0.2)),
            "top must lie over",
        ),
        (
            lambda: Slope(name="s", plan=CircleOutline(radius=1.0), h1=0, h2=1),
            "a circle cannot have a slanting top; use a Polygon",
        ),
        (
            lambda: Slope(name="s", plan=SQUARE, h1=0, h2=1, direction="z"),
            "`direction` must be 'x' or 'y', got 'z'",
        ),
        (lambda: Step(name="s", plan=((0, 0),), height=1), "`plan` must be a Rect"),
        (
            lambda: PolygonOutline(((0, 0), (1, 1), (1, 0), (0, 1))),
            r"edges \(0, 2\) meet",
        ),
        (lambda: RectOutline(size=(1.0, 0.0)), "edges > 0 m"),
        (lambda: CircleOutline(radius=-1.0), "radius > 0 m"),
        (
            lambda: Conveyor(
                name="c", plan=SQUARE, h1=1, h2=1, speed=1, to_middle_speed=-1
            ),
            "`to_middle_speed` must be >= 0 m/s",
        ),
        (
            lambda: HeightField(name="h", size=(1, 1), heights=np.zeros((3, 3))),
            "all equal; use a Box",
        ),
        (
            lambda: HeightField(name="h", size=(1, 1), heights=np.zeros(3)),
            r"got shape \(3,\)",
        ),
        (lambda: objects.Body(name="b", mass=1.0), "needs `shapes`"),
        (
            lambda: objects.Body(
                name="b", mass=1.0, shapes=(Geometry(kind="mesh", size=(1, 1, 1)),)
            ),
            "none of them a mesh",
        ),
    ],
)
def test_impossible_objects_are_refused(
    make: Callable[[], object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        make()


def test_numbers_become_plain_floats_and_quaternions_have_positive_w() -> None:
    ball = Ball(**BALL, position=np.array([1, 2, 3]), quat=(-1, 0, 0, 0))

    assert ball.position == (1.0, 2.0, 3.0)
    assert ball.quat == (1.0, 0.0, 0.0, 0.0)
    assert ball == Ball(**BALL, position=(1, 2, 3))


def test_heights_of_a_field_cannot_be_changed() -> None:
    field = HeightField(name="h", size=(1, 1), heights=np.eye(3))
    with pytest.raises(ValueError, match="read-only"):
        field.heights[0, 0] = 2.0


def test_a_robot_checks_its_names_and_sizes() -> None:
    model = gelenk.load("planar2r")
    joint, link = model.joint_names[0], model.link_names[1]

    with pytest.raises(ShapeError, match=r"`q` must have shape \(\.\.\., 2\)"):
        Robot(name="arm", model=model, q=np.zeros(3))
    with pytest.raises(NameNotFoundError, match=f"no link named '{link}x'"):
        Robot(name="arm", model=model, colliding_links=(link + "x",))
    with pytest.raises(NameNotFoundError, match=f"Did you mean '{joint}'"):
        Robot(name="arm", model=model, motors={joint + "x": object()})
    with pytest.raises(ConfigError, match="must be a pose"):
        Robot(name="arm", model=model, T_world_base=2.0 * np.eye(4))
    with pytest.raises(ConfigError, match="without '/'"):
        Robot(name="", model=model)


def test_surfaces_of_single_links_win() -> None:
    model = gelenk.load("planar2r")
    rubber = Surface(friction=1.2)
    robot = Robot(name="arm", model=model, surfaces={model.link_names[1]: rubber})

    assert robot.surface_of(model.link_names[1]) is rubber
    assert robot.surface_of(model.link_names[0]) is robot.surface
