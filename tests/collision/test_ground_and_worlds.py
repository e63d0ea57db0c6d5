"""Ground, height fields and the objects of a world, which the world itself collides."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gelenk.collision import Scene
from gelenk.errors import ConfigError
from gelenk.models import Geometry, JointType, Link, assemble
from gelenk.sim import Ground, HeightField, Robot, World, objects
from gelenk.sim.bridge import shapes as bridge

SHAPES = (
    Geometry(kind="capsule", size=(0.03, 0.2), role="collision"),
    Geometry(kind="box", size=(0.1, 0.2, 0.05), role="collision"),
    Geometry(kind="ellipsoid", size=(0.1, 0.05, 0.08), role="collision"),
    Geometry(kind="cylinder", size=(0.06, 0.1), role="collision"),
)


def floating(shape: Geometry):
    link = Link(
        name="body",
        joint_type=JointType.FLOATING,
        mass=1.0,
        inertia=np.eye(3),
        geometry=(shape,),
    )
    return assemble("one_body", [link])


def anywhere(rng: np.random.Generator, count: int, low, high) -> np.ndarray:
    quats = Rotation.random(count, random_state=rng).as_quat(scalar_first=True)
    return np.hstack([rng.uniform(low, high, (count, 3)), quats])


def engine_with(thing, shape: Geometry):
    """A world of the engine with one thing and one free shape."""
    spec = mujoco.MjSpec()
    bridge.add_object(spec, thing)
    body = spec.worldbody.add_body(name="probe")
    body.add_freejoint()
    size = np.zeros(3)
    kinds = {
        "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
        "box": mujoco.mjtGeom.mjGEOM_BOX,
        "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
        "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    }
    if shape.kind == "box":
        size[:] = 0.5 * np.asarray(shape.size)
    elif shape.kind == "ellipsoid":
        size[:] = shape.size
    else:
        size[:2] = shape.size[0], 0.5 * shape.size[1]
    body.add_geom(name="probe", type=kinds[shape.kind], size=size, mass=1.0)
    model = spec.compile()
    model.opt.ccd_tolerance = 1e-9
    model.opt.ccd_iterations = 200
    return model, mujoco.MjData(model)


POLYGON = objects.PolygonOutline(
    ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0.0, -0.1), (-0.5, 0.5))
)
RECT = objects.RectOutline(center=(0.1, 0.0), size=(0.8, 0.5))
ROUGH = np.random.default_rng(1).uniform(0.0, 0.3, (6, 8))
TURNED = {
    "position": (0.1, -0.2, 0.15),
    "quat": tuple(Rotation.from_rotvec([0.3, 0.4, 1.0]).as_quat(scalar_first=True)),
}
DUMBBELL = (
    Geometry(kind="capsule", size=(0.1, 0.6)),
    Geometry(kind="box", size=(0.4, 0.3, 0.2)),
)
THINGS = (
    Ground(position=(0.0, 0.0, 0.1), quat=TURNED["quat"]),
    HeightField(name="rough", size=(1.2, 1.0), heights=ROUGH),
    HeightField(name="rough", size=(1.2, 1.0), heights=ROUGH, **TURNED),
    objects.Prism(name="prism", plan=POLYGON, bottom=0.05, top=0.3, **TURNED),
    objects.Slice(name="disc", plan=objects.CircleOutline(radius=0.4), top=0.1),
    objects.Step(name="step", plan=RECT, height=0.2, **TURNED),
    objects.Slope(name="slope", plan=RECT, h1=0.0, h2=0.4, direction="y"),
    objects.Wedge(name="wedge", plan=POLYGON, top=(0.2, 0.4), bottom=(0.0, 0.2)),
    objects.Conveyor(name="belt", plan=RECT, h1=0.1, h2=0.2, speed=0.1),
    objects.Cuboid(name="cuboid", size=(0.4, 0.3, 0.2), mass=1.0, **TURNED),
    objects.MovableCylinder(name="can", radius=0.2, length=0.4, mass=1.0, **TURNED),
    objects.Body(name="dumbbell", mass=1.0, shapes=DUMBBELL, **TURNED),
)


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_what_collides_in_the_world_collides_in_the_scene(thing) -> None:
    rng = np.random.default_rng(2)
    touched = 0
    for shape in SHAPES:
        scene = Scene(floating(shape), [thing])
        model, data = engine_with(thing, shape)
        q = anywhere(rng, 60, [-0.6, -0.6, -0.1], [0.6, 0.6, 0.6])
        found = scene.distance(q)
        np.testing.assert_array_equal(scene.is_free(q), found.smallest > 0.0)
        for k in range(len(q)):
            data.qpos[-7:] = q[k]
            mujoco.mj_forward(model, data)
            touches = bool((np.asarray(data.contact.dist) < 0.0).any())
            if abs(found.smallest[k]) > 1e-5:
                assert touches == (found.smallest[k] < 0.0)
            touched += touches
    assert 10 < touched < 230


def test_the_distance_to_a_height_field_is_that_to_its_nearest_triangle() -> None:
    rng = np.random.default_rng(3)
    field = HeightField(name="rough", size=(1.2, 1.0), heights=ROUGH, **TURNED)
    ball = Geometry(kind="sphere", size=(0.01,), role="collision")
    scene = Scene(floating(ball), [field])
    q = anywhere(rng, 60, [-1.5, -1.5, 0.5], [1.5, 1.5, 2.0])
    _, T = field.collision_shapes()[0]
    rows, columns = ROUGH.shape
    x, y = np.linspace(-0.6, 0.6, columns), np.linspace(-0.5, 0.5, rows)
    u, v = np.meshgrid(np.linspace(0.0, 1.0, 25), np.linspace(0.0, 1.0, 25))
    points = []
    for r in range(rows - 1):
        for c in range(columns - 1):
            h = ROUGH[r : r + 2, c : c + 2]
            lower = h[0, 0] + u * (h[0, 1] - h[0, 0]) + v * (h[1, 1] - h[0, 1])
            upper = h[0, 0] + v * (h[1, 0] - h[0, 0]) + u * (h[1, 1] - h[1, 0])
            z = np.where(u >= v, lower, upper)
            px, py = x[c] + u * (x[1] - x[0]), y[r] + v * (y[1] - y[0])
            points.append(np.stack([px, py, z], axis=-1).reshape(-1, 3))
    cloud = np.concatenate(points) @ T[:3, :3].T + T[:3, 3]

    found = scene.distance(q)

    for k in range(len(q)):
        if (np.linalg.inv(T) @ [*q[k, :3], 1.0])[2] > 0.35:  # seen from above
            wanted = np.linalg.norm(cloud - q[k, :3], axis=1).min() - 0.01
            assert found.distance[k, 0] == pytest.approx(wanted, abs=2e-3)
            assert found.distance[k, 0] <= wanted + 1e-9


def test_ground_cannot_be_carried() -> None:
    scene = Scene(floating(SHAPES[1]), [Ground(position=(0.0, 0.0, -1.0))])
    q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]

    assert scene.distance(q).distance[0] == pytest.approx(0.975)
    with pytest.raises(ConfigError, match="ground"):
        scene.attach("ground", "body", q=q)


@pytest.mark.slow
def test_a_world_gives_the_scene_of_a_robot_as_it_stands_now() -> None:
    world = World(seed=1)
    world.add(Ground())
    ball = Geometry(kind="sphere", size=(0.1,), role="collision")
    lift = Link(
        name="cage",
        parent="base",
        joint_type=JointType.PRISMATIC,
        T_parent_joint=np.eye(4),
        axis=(0.0, 0.0, 1.0),
        mass=1.0,
        inertia=np.eye(3),
        geometry=(ball,),
    )
    model = assemble("lift", [Link(name="base"), lift])
    T = np.eye(4)
    T[:3, 3] = 1.0, 0.0, 5.0
    world.add(Robot(name="one", model=model, q=np.array([3.0])))
    world.add(Robot(name="two", model=model, T_world_base=T))
    world.add(objects.Ball(name="ball", radius=0.1, mass=1.0, position=(0, 0, 2.0)))

    before = world.scene("one").distance([3.0])
    world.run(0.3)
    after = world.scene("one").distance([3.0])

    names = [pair[1] for pair in before.pairs]
    fall = 2.0 - world.pose("ball")[2, 3]
    assert fall > 0.4
    k = names.index("ball")
    assert after.distance[k] - before.distance[k] == pytest.approx(fall, abs=1e-9)
    k = names.index("two")
    height = 2.0 + float(world.joint_positions("two")[0])
    assert after.distance[k] == pytest.approx(np.hypot(1.0, height) - 0.2, abs=1e-9)
    assert names == ["ground", "two", "ball"]
