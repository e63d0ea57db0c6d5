"""Scene objects in MuJoCo: surfaces by ray casts, masses and inertias by closed forms."""

from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.dynamics.inertia import join_bodies
from gelenk.dynamics.inertia_shapes import (
    box_inertia,
    cylinder_inertia,
    geometry_inertia,
    sphere_inertia,
)
from gelenk.errors import ConfigError
from gelenk.models.link import Geometry
from gelenk.sim.bridge.engine import USER_RESISTANCE, USER_RESTITUTION, EngineCfg
from gelenk.sim.bridge.shapes import add_object, apply_start, new_spec
from gelenk.sim.objects import (
    AnySceneObject,
    Ball,
    Body,
    Box,
    CircleOutline,
    Conveyor,
    Cuboid,
    Cylinder,
    Ground,
    HeightField,
    MovableCylinder,
    PolygonOutline,
    Prism,
    RectOutline,
    Slice,
    Slope,
    Sphere,
    Step,
    Wedge,
)
from gelenk.spatial.quaternion import matrix_from_quaternion

U_SHAPE = PolygonOutline(
    ((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2))
)
SINGLE = 3e-7  # [m]: MuJoCo keeps corners of meshes in single precision


def compiled(*things: AnySceneObject, cfg: EngineCfg | None = None) -> tuple[Any, Any]:
    spec = new_spec(cfg)
    placed = [add_object(spec, thing) for thing in things]
    model: Any = spec.compile()
    data: Any = mujoco.MjData(model)
    for one in placed:
        apply_start(model, data, one)
    mujoco.mj_forward(model, data)
    return model, data


def ray(scene: tuple[Any, Any], start: Any, towards: Any) -> tuple[float, np.ndarray]:
    """Distance to the first surface (-1: none) and its normal."""
    geom, normal = np.zeros(1, np.int32), np.zeros(3)
    distance = mujoco.mj_ray(
        *scene,
        np.array(start, float),
        np.array(towards, float),
        None,
        1,
        -1,
        geom,
        normal,
    )
    return distance, normal


def height(scene: tuple[Any, Any], x: float, y: float) -> float:
    """Height of the first surface below 10 m; -1 if there is none."""
    distance, _ = ray(scene, (x, y, 10.0), (0, 0, -1))
    return 10.0 - distance if distance >= 0.0 else -1.0


def underside(scene: tuple[Any, Any], x: float, y: float) -> float:
    distance, _ = ray(scene, (x, y, -10.0), (0, 0, 1))
    return -10.0 + distance if distance >= 0.0 else -1.0


@pytest.mark.parametrize("direction", ["x", "y"])
@pytest.mark.parametrize("kind", ["slope", "conveyor", "wedge"])
@pytest.mark.capability("AB-62", "AB-64", "AB-65")
def test_slanting_tops_rise_linearly_from_the_smaller_coordinate(
    kind: str, direction: Any
) -> None:
    plan, h1, h2 = RectOutline(center=(1.0, -2.0), size=(2.0, 3.0)), 0.2, 0.8
    low = (0.0, 0.0)
    if kind == "slope":
        thing = Slope(name="s", plan=plan, h1=h1, h2=h2, direction=direction)
    elif kind == "conveyor":
        thing = Conveyor(
            name="s", plan=plan, h1=h1, h2=h2, direction=direction, speed=1.0
        )
    else:
        low = (0.1, -0.3)
        thing = Wedge(
            name="s", plan=plan, top=(h1, h2), bottom=low, direction=direction
        )
    scene = compiled(thing)
    axis, size = "xy".index(direction), plan.size["xy".index(direction)]

    for share in (0.01, 0.3, 0.77, 0.99):
        point = [1.0, -2.0]
        point[axis] += (share - 0.5) * size
        top = h1 + share * (h2 - h1)
        assert height(scene, *point) == pytest.approx(top, abs=SINGLE)
        bottom = low[0] + share * (low[1] - low[0])
        assert underside(scene, *point) == pytest.approx(bottom, abs=SINGLE)
    _, normal = ray(scene, (1.0, -2.0, 5.0), (0, 0, -1))
    expected = np.array([0.0, 0.0, size])
    expected[axis] = -(h2 - h1)
    assert_allclose(normal, expected / np.linalg.norm(expected), atol=SINGLE)
    assert height(scene, 2.01, -2.0) == height(scene, 1.0, -0.49) == -1.0


def test_a_slope_may_end_in_an_edge_on_the_floor() -> None:
    scene = compiled(Slope(name="s", plan=RectOutline(size=(2.0, 1.0)), h1=0.0, h2=1.0))
    assert height(scene, -0.9, 0.0) == pytest.approx(0.05, abs=SINGLE)
    assert height(scene, 0.9, 0.4) == pytest.approx(0.95, abs=SINGLE)


@pytest.mark.capability("AB-63", "AB-X13")
def test_a_concave_plan_keeps_its_notch() -> None:
    for thing in (
        Slice(name="u", plan=U_SHAPE, bottom=0.5, top=0.8),
        Slope(name="u", plan=U_SHAPE, h1=0.3, h2=0.9, direction="y"),
    ):
        scene = compiled(thing)
        rng = np.random.default_rng(3)
        for x, y in rng.uniform((-0.5, -0.5), (3.5, 2.5), (200, 2)):
            is_in = 0 < x < 3 and 0 < y < 2 and not (1 < x < 2 and y > 1)
            top = 0.8 if isinstance(thing, Slice) else 0.3 + 0.3 * y
            bottom = 0.5 if isinstance(thing, Slice) else 0.0
            assert height(scene, x, y) == pytest.approx(
                top if is_in else -1, abs=SINGLE
            )
            expected = bottom if is_in else -1
            assert underside(scene, x, y) == pytest.approx(expected, abs=SINGLE)
        # From the notch sideways, the walls of both arms are seen.
        assert ray(scene, (1.5, 1.5, 0.6), (1, 0, 0))[0] == pytest.approx(
            0.5, abs=SINGLE
        )
        assert ray(scene, (1.5, 1.5, 0.6), (-1, 0, 0))[0] == pytest.approx(
            0.5, abs=SINGLE
        )


def test_a_ball_falls_into_the_notch_of_a_concave_prism() -> None:
    scene = compiled(
        Ground(),
        Prism(name="u", plan=U_SHAPE, top=0.8),
        Ball(name="b", radius=0.2, mass=1.0, position=(1.5, 1.5, 1.2)),
    )
    for _ in range(1500):
        mujoco.mj_step(*scene)
    assert scene[1].body("b").xpos[2] == pytest.approx(0.2, abs=1e-3)


def test_level_prisms_have_exact_faces() -> None:
    rect = compiled(
        Step(name="s", plan=RectOutline(center=(1, 2), size=(0.6, 0.4)), height=0.3)
    )
    disc = compiled(
        Step(name="s", plan=CircleOutline(center=(1, 2), radius=0.5), height=0.3)
    )
    assert height(rect, 1.29, 2.19) == pytest.approx(0.3, abs=1e-14)
    assert height(rect, 1.31, 2.0) == -1.0
    assert height(disc, 1.35, 2.35) == pytest.approx(0.3, abs=1e-14)
    assert height(disc, 1.36, 2.36) == -1.0
    assert rect[0].geom("s").type == mujoco.mjtGeom.mjGEOM_BOX
    assert disc[0].geom("s").type == mujoco.mjtGeom.mjGEOM_CYLINDER


def test_turned_objects_show_their_turned_faces() -> None:
    half = np.sqrt(0.5)
    scene = compiled(
        Box(name="b", size=(2, 0.2, 0.4), position=(1, 1, 1), quat=(half, 0, 0, half)),
        Cylinder(
            name="c",
            radius=0.3,
            length=2.0,
            position=(5, 0, 1),
            quat=(half, half, 0, 0),
        ),
        Sphere(name="s", radius=0.5, position=(-3, 0, 2)),
    )
    assert height(scene, 1.0, 1.99) == pytest.approx(1.2)
    assert height(scene, 1.11, 1.0) == -1.0
    assert height(scene, 5.1, 0.99) == pytest.approx(1.0 + np.sqrt(0.08))
    assert height(scene, -3.3, 0.0) == pytest.approx(2.4)


def test_the_ground_is_infinite_and_may_lie_anywhere() -> None:
    scene = compiled(Ground(position=(0, 0, -0.5)))
    assert height(scene, 1e4, -1e4) == pytest.approx(-0.5)


def test_a_height_field_passes_through_its_heights() -> None:
    heights = np.random.default_rng(1).uniform(-0.4, 0.7, (5, 7))
    scene = compiled(
        HeightField(name="h", size=(6.0, 4.0), heights=heights, position=(1, 2, 0.25))
    )

    for row in range(5):
        for column in range(7):
            # A hair inside, towards the middle: a ray along an edge may miss both sides.
            x, y = (column - 3.0) * (1 - 1e-5), (row - 2.0) * (1 - 1e-5)
            assert height(scene, 1 + x, 2 + y) == pytest.approx(
                0.25 + heights[row, column], abs=1e-4
            )


@pytest.mark.parametrize("kind", ["ball", "cuboid", "cylinder", "body"])
@pytest.mark.capability("AB-X04")
def test_masses_and_inertias_are_those_of_the_closed_forms(kind: str) -> None:
    place: dict[str, Any] = {
        "name": "b",
        "mass": 1.7,
        "position": (1, 2, 3),
        "quat": (0.5, 0.5, -0.5, 0.5),
    }
    T = np.eye(4)
    T[:3, 3] = 0.1, -0.2, 0.3
    shapes = (
        Geometry(kind="box", size=(0.1, 0.2, 0.3)),
        Geometry(kind="capsule", size=(0.05, 0.2), T_link_geometry=T),
    )
    if kind == "ball":
        thing, expected = Ball(**place, radius=0.12), sphere_inertia(0.12, mass=1.7)
    elif kind == "cuboid":
        size = (0.1, 0.2, 0.4)
        thing, expected = Cuboid(**place, size=size), box_inertia(size, mass=1.7)
    elif kind == "cylinder":
        thing = MovableCylinder(**place, radius=0.1, length=0.5)
        expected = cylinder_inertia(0.1, 0.5, mass=1.7)
    else:
        thing = Body(**place, shapes=shapes)
        volume = sum(geometry_inertia(s, density=1.0).mass for s in shapes)
        density = float(1.7 / volume)
        expected = join_bodies([geometry_inertia(s, density=density) for s in shapes])

    model, data = compiled(thing)

    body = model.body("b").id
    R = matrix_from_quaternion(model.body_iquat[body])
    inertia = R @ np.diag(model.body_inertia[body]) @ R.T
    assert model.body_mass[body] == pytest.approx(1.7, rel=1e-12)
    assert_allclose(model.body_ipos[body], expected.com, atol=1e-12)
    assert_allclose(inertia, expected.inertia, rtol=1e-12, atol=1e-12)
    assert_allclose(data.xpos[body], (1, 2, 3))
    assert_allclose(data.xquat[body], (0.5, 0.5, -0.5, 0.5), atol=1e-15)


def test_movables_start_with_their_velocities_in_world_axes() -> None:
    v, omega = (1.0, -2.0, 0.5), (0.3, 0.1, -0.7)
    model, data = compiled(
        Cuboid(
            name="c",
            mass=1.0,
            size=(0.1, 0.2, 0.3),
            quat=(0.5, 0.5, -0.5, 0.5),
            velocity=v,
            angular_velocity=omega,
        ),
        Ball(name="b", mass=1, radius=0.1, spins=False, velocity=v, position=(1, 2, 3)),
    )

    twist = np.zeros(6)
    kind = mujoco.mjtObj.mjOBJ_XBODY
    mujoco.mj_objectVelocity(model, data, kind, model.body("c").id, twist, 0)
    assert_allclose(twist, [*omega, *v], atol=1e-15)
    mujoco.mj_objectVelocity(model, data, kind, model.body("b").id, twist, 0)
    assert_allclose(twist, [0, 0, 0, *v], atol=1e-15)
    assert_allclose(data.body("b").xpos, (1, 2, 3))
    assert model.nv == 6 + 3


BALL: dict[str, Any] = {"mass": 0.1, "radius": 0.1}


def contact_condim(
    one: AnySceneObject, other: AnySceneObject
) -> list[tuple[int, float]]:
    """Directions and sliding friction of the contacts between two objects."""
    _model, data = compiled(one, other)
    return [
        (int(contact.dim), float(contact.friction[0]))
        for contact in data.contact[: data.ncon]
    ]


def test_priority_decides_on_friction_of_a_pair() -> None:
    ball = Ball(
        name="b",
        **BALL,
        position=(0, 0, 0.099),
        condim=1,
        friction=0.0,
        priority=1,
    )
    cuboid = Cuboid(
        name="c", mass=1, size=(0.2, 0.2, 0.2), position=(0.199, 0, 0.1), friction=0.4
    )
    belt = Conveyor(
        name="belt",
        plan=RectOutline(size=(1.0, 1.0)),
        h1=0.05,
        h2=0.05,
        speed=1,
        priority=2,
        condim=3,
        friction=0.9,
        position=(0, 0, -0.05),
    )

    assert contact_condim(Ground(), ball) == [(1, 1e-5)]  # MuJoCo's least friction
    assert contact_condim(cuboid, ball) == [(1, 1e-5)]
    assert contact_condim(belt, ball) == [(3, 0.9)]
    assert {dim for dim, _ in contact_condim(belt, cuboid)} == {3}
    lower = replace(cuboid, position=(0, 0, 0.0999))
    assert set(contact_condim(Ground(), lower)) == {(4, 0.6)}


def test_equal_priorities_take_the_larger_values() -> None:
    ball = Ball(name="b", **BALL, position=(0, 0, 0.099), friction=0.2)
    assert contact_condim(Ground(friction=0.7), ball) == [(6, 0.7)]


@pytest.mark.parametrize(
    ("group", "touched"),
    [
        ("world", {"object", "robot"}),
        ("object", {"world", "object", "robot", "touch"}),
        ("robot", {"world", "object", "robot"}),
        ("touch", {"object"}),
        ("none", set()),
    ],
)
def test_groups_say_who_touches_whom(group: Any, touched: set[str]) -> None:
    met = set()
    others: tuple[Any, ...] = ("world", "object", "robot", "touch", "none")
    for other in others:
        _model, data = compiled(
            Ball(name="a", **BALL, group=group),
            Ball(name="b", **BALL, group=other, position=(0.15, 0, 0)),
        )
        if data.ncon:
            met.add(other)
    assert met == touched


def test_restitution_and_resistance_travel_with_the_model() -> None:
    model, _ = compiled(
        Ground(), Ball(name="b", **BALL, restitution=0.8, rolling_resistance=0.3)
    )
    ball, ground = model.geom("b").id, model.geom("ground").id
    assert model.geom_user[ball, USER_RESTITUTION] == 0.8
    assert model.geom_user[ball, USER_RESISTANCE] == 0.3
    assert model.geom_user[ground, USER_RESTITUTION] == -1.0


def test_settings_reach_the_model() -> None:
    model, _ = compiled(
        Ground(), cfg=EngineCfg(step=0.002, gravity=(0, 0, -1.6), impratio=10.0)
    )
    option = model.opt
    assert option.timestep == 0.002
    assert_allclose(option.gravity, (0, 0, -1.6))
    assert option.impratio == 10.0
    assert option.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert option.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert option.disableflags & mujoco.mjtDisableBit.mjDSBL_AUTORESET
    assert_allclose(model.geom_solref[0], (0.004, 1.0))
    assert_allclose(model.geom_solimp[0, :3], (0.95, 0.99, 0.001))
    assert not model.geom_margin.any()
    assert not model.geom_gap.any()


def test_two_objects_of_one_name_are_refused() -> None:
    spec = new_spec()
    add_object(spec, Ground())
    with pytest.raises(ConfigError, match="two objects named 'ground'"):
        add_object(spec, Ground())
    with pytest.raises(ConfigError, match="expected a scene object"):
        add_object(spec, "ground")


@pytest.mark.capability("AB-X05")
def test_three_stacked_cuboids_stay_where_they_are() -> None:
    things = [
        Cuboid(
            name=f"c{k}",
            mass=1,
            size=(0.1, 0.1, 0.1),
            position=(0.01 * k, 0, 0.05 + 0.1 * k),
        )
        for k in range(3)
    ]
    model, data = compiled(Ground(), *things)
    for _ in range(3000):
        mujoco.mj_step(model, data)
    for k, thing in enumerate(things):
        assert_allclose(data.body(f"c{k}").xpos, thing.position, atol=3e-4)
