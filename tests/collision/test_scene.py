"""Scenes: which pairs are tested, what a configuration moves, and what is carried."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gelenk
from gelenk.collision import CollisionObject, Scene
from gelenk.errors import ConfigError, LoopError, NameNotFoundError, ShapeError
from gelenk.geometry import Mesh
from gelenk.kinematics.configuration import integrate, normalized
from gelenk.kinematics.forward import link_poses
from gelenk.models import Geometry, JointType, Link, Loop, assemble
from gelenk.sim import Box, Robot, Sphere

FD_STEP = 1e-6


def solid(kind: str, *size: float, place=(0.0, 0.0, 0.0)) -> Geometry:
    T = np.eye(4)
    T[:3, 3] = place
    return Geometry(kind=kind, size=size, T_link_geometry=T, role="collision")  # type: ignore[arg-type]


def offset(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def pebble(rng: np.random.Generator, size: float) -> Geometry:
    vertices = size * rng.uniform(-1.0, 1.0, (25, 3))
    data = Mesh(vertices=vertices, faces=np.empty((0, 3), dtype=np.int64))
    return Geometry(kind="mesh", size=(1.0, 1.0, 1.0), role="collision", data=data)


def arm(rng: np.random.Generator, name: str = "arm"):
    """Six links on hinges and a slide, each with shapes of another kind."""
    shapes = (
        (solid("cylinder", 0.1, 0.2),),
        (solid("capsule", 0.06, 0.25, place=(0, 0, 0.12)),),
        (pebble(rng, 0.12), solid("sphere", 0.05, place=(0.1, 0.1, 0.0))),
        (solid("ellipsoid", 0.05, 0.08, 0.2, place=(0, 0, 0.1)),),
        (solid("box", 0.08, 0.1, 0.3, place=(0, 0, 0.1)),),
        (pebble(rng, 0.08),),
        (solid("capsule", 0.03, 0.2, place=(0, 0, 0.1)),),
    )
    links = [Link(name="base", geometry=shapes[0])]
    for i, row in enumerate(shapes[1:], 1):
        kind = JointType.PRISMATIC if i == 4 else JointType.REVOLUTE
        links.append(
            Link(
                name=f"link{i}",
                parent=links[-1].name,
                joint_type=kind,
                T_parent_joint=offset(0.05, 0.0, 0.35),
                axis=rng.normal(size=3),
                mass=1.0,
                inertia=np.eye(3),
                lower=-0.1 if i == 4 else -2.8,
                upper=0.2 if i == 4 else 2.8,
                geometry=row,
            )
        )
    return assemble(name, links)


def room(rng: np.random.Generator, count: int = 8) -> list[CollisionObject]:
    kinds = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "ellipsoid": 3}
    things = []
    for k in range(count):
        kind = list(kinds)[k % len(kinds)]
        T = np.eye(4)
        T[:3, :3] = Rotation.random(random_state=rng).as_matrix()
        T[:3, 3] = rng.uniform([-0.9, -0.9, 0.2], [0.9, 0.9, 1.4])
        shape = solid(kind, *rng.uniform(0.05, 0.2, kinds[kind]))
        things.append(
            CollisionObject(name=f"thing{k}", shapes=(shape,), T_world_object=T)
        )
    return things


def configurations(model, rng: np.random.Generator, count: int) -> np.ndarray:
    lower, upper = model.limits
    return rng.uniform(lower, upper, (count, model.nq))


GEOMS = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
}


class Engine:
    """The same scene in MuJoCo: a free body a link, fixed bodies for the rest."""

    def __init__(self, scene: Scene, model, things) -> None:
        spec = mujoco.MjSpec()
        self.robot = model
        self.links = [i for i, row in enumerate(model.geometry) if row]
        for i in self.links:
            body = spec.worldbody.add_body(
                name=model.link_names[i],
                mass=1.0,
                inertia=(1.0, 1.0, 1.0),
                explicitinertial=True,
            )
            body.add_freejoint()
            for k, shape in enumerate(model.geometry[i]):
                self._add(spec, body, f"{model.link_names[i]}/{k}", shape)
        for thing in things:
            T = np.asarray(thing.T_world_object)
            body = spec.worldbody.add_body(
                name=thing.name, pos=T[:3, 3], quat=_quat(T[:3, :3])
            )
            for k, shape in enumerate(thing.shapes):
                self._add(spec, body, f"{thing.name}/{k}", shape)
        names = [*(model.link_names[i] for i in self.links), *(t.name for t in things)]
        tested = {frozenset(pair) for pair in scene.pairs}
        for k, a in enumerate(names):
            for b in names[k + 1 :]:
                if frozenset((a, b)) not in tested:
                    spec.add_exclude(bodyname1=a, bodyname2=b)
        self.model = spec.compile()
        self.model.opt.ccd_tolerance = 1e-10
        self.model.opt.ccd_iterations = 200
        self.data = mujoco.MjData(self.model)

    def _add(self, spec, body, name: str, shape: Geometry) -> None:
        T = np.asarray(shape.T_link_geometry)
        place = {"name": name, "pos": T[:3, 3], "quat": _quat(T[:3, :3])}
        if shape.kind == "mesh":
            assert shape.data is not None
            spec.add_mesh(name=name, uservert=shape.data.vertices.ravel().tolist())
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, **place)
            return
        size = np.zeros(3)
        if shape.kind == "box":
            size[:] = 0.5 * np.asarray(shape.size)
        elif shape.kind in ("cylinder", "capsule"):
            size[:2] = shape.size[0], 0.5 * shape.size[1]
        else:
            size[: len(shape.size)] = shape.size
        body.add_geom(type=GEOMS[shape.kind], size=size, **place)

    def place(self, Ts: np.ndarray) -> None:
        """Put the links where `link_poses` has them."""
        for k, i in enumerate(self.links):
            self.data.qpos[7 * k : 7 * k + 3] = Ts[i, :3, 3]
            self.data.qpos[7 * k + 3 : 7 * k + 7] = _quat(Ts[i, :3, :3])
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)

    def is_free(self) -> bool:
        mujoco.mj_collision(self.model, self.data)
        return not (np.asarray(self.data.contact.dist) <= 0.0).any()

    def distance(self, a: str, b: str) -> float:
        """Smallest distance over the geoms of two bodies."""
        rows = [self.model.body(name).id for name in (a, b)]
        geoms = [np.flatnonzero(self.model.geom_bodyid == row) for row in rows]
        return min(
            mujoco.mj_geomDistance(self.model, self.data, int(i), int(j), 50.0, None)
            for i in geoms[0]
            for j in geoms[1]
        )


def _quat(R: np.ndarray) -> np.ndarray:
    return Rotation.from_matrix(R).as_quat(scalar_first=True)


def test_a_robot_is_free_and_as_far_apart_as_mujoco_says() -> None:
    rng = np.random.default_rng(5)
    model, things = arm(rng), room(rng)
    scene = Scene(model, things, allowed=[("link2", "link4")])
    engine = Engine(scene, model, things)
    q = configurations(model, rng, 300)
    Ts = link_poses(model, q)

    free, found = scene.is_free(q), scene.distance(q)

    assert 0.1 < free.mean() < 0.9
    for k in range(len(q)):
        engine.place(Ts[k])
        if (
            abs(found.smallest[k]) > 1e-6
        ):  # the engine keeps corners in single precision
            assert free[k] == engine.is_free()
        if k < 12:
            wanted = [engine.distance(*pair) for pair in scene.pairs]
            np.testing.assert_allclose(found.distance[k], wanted, atol=2e-5)
    np.testing.assert_array_equal(free, found.smallest > 0.0)


def test_a_batch_equals_its_elements_one_by_one() -> None:
    rng = np.random.default_rng(6)
    model = arm(rng)
    scene = Scene(model, room(rng))
    q = configurations(model, rng, 30).reshape(5, 6, -1)

    free, found = scene.is_free(q), scene.distance(q, gradient=True)

    assert free.shape == (5, 6)
    assert found.distance.shape == (5, 6, len(scene.pairs))
    assert found.gradient is not None
    for k in np.ndindex(5, 6):
        alone = scene.distance(q[k], gradient=True)
        assert scene.is_free(q[k]) == free[k]
        np.testing.assert_array_equal(alone.distance, found.distance[k])
        np.testing.assert_array_equal(alone.points, found.points[k])
        np.testing.assert_array_equal(alone.normals, found.normals[k])
        np.testing.assert_array_equal(alone.gradient, found.gradient[k])


def test_threads_do_not_change_the_answer() -> None:
    rng = np.random.default_rng(7)
    model = arm(rng)
    scene = Scene(model, room(rng))
    q = configurations(model, rng, 4096)  # more than one piece

    free = scene.is_free(q)

    np.testing.assert_array_equal(
        free, np.concatenate([scene.is_free(q[k : k + 64]) for k in range(0, 4096, 64)])
    )


def check_gradient(scene: Scene, model, q: np.ndarray) -> None:
    """Compare with finite differences where the nearest points do not jump."""
    found = scene.distance(q, gradient=True)
    assert found.gradient is not None
    checked = 0
    for k in range(scene.nv):
        step = np.zeros(scene.nv)
        step[k] = 1.0
        ahead = scene.distance(integrate(model, q, step, FD_STEP))
        back = scene.distance(integrate(model, q, -step, FD_STEP))
        slope = (ahead.distance - back.distance) / (2.0 * FD_STEP)
        turn = np.abs(ahead.normals - back.normals).max(axis=-1)
        is_smooth = turn < 1e-3
        checked += int(is_smooth.sum())
        np.testing.assert_allclose(
            found.gradient[is_smooth, k], slope[is_smooth], atol=2e-5
        )
    assert checked > 0.8 * scene.nv * len(scene.pairs)


def test_gradients_are_the_finite_differences_of_distances() -> None:
    rng = np.random.default_rng(8)
    model = arm(rng)
    scene = Scene(model, room(rng))

    for q in configurations(model, rng, 4):
        check_gradient(scene, model, q)


def ball_and_base():
    """A body that floats, with a link on a ball joint, and one that mimics."""
    links = [
        Link(
            name="body",
            joint_type=JointType.FLOATING,
            mass=1.0,
            inertia=np.eye(3),
            geometry=(solid("box", 0.3, 0.2, 0.1),),
        ),
        Link(
            name="limb",
            parent="body",
            joint_type=JointType.BALL,
            T_parent_joint=offset(0.4),
            mass=1.0,
            inertia=np.eye(3),
            geometry=(solid("capsule", 0.05, 0.3, place=(0.2, 0.1, 0.0)),),
        ),
        Link(
            name="hand",
            parent="limb",
            joint_type=JointType.REVOLUTE,
            T_parent_joint=offset(0.4),
            axis=(0.0, 1.0, 1.0),
            mass=1.0,
            inertia=np.eye(3),
            geometry=(solid("ellipsoid", 0.1, 0.05, 0.02, place=(0.1, 0.0, 0.1)),),
        ),
        Link(
            name="thumb",
            parent="hand",
            joint_type=JointType.PRISMATIC,
            T_parent_joint=offset(0.0, 0.3),
            axis=(0.0, 0.0, 1.0),
            mimic="hand_joint",
            multiplier=-0.5,
            offset=0.1,
            mass=1.0,
            inertia=np.eye(3),
            geometry=(solid("box", 0.1, 0.05, 0.02),),
        ),
    ]
    return assemble("swimmer", links)


def test_gradients_hold_for_floating_bases_ball_joints_and_mimics() -> None:
    rng = np.random.default_rng(9)
    model = ball_and_base()
    place = np.eye(4)
    place[:3, :3] = Rotation.random(random_state=rng).as_matrix()
    place[:3, 3] = 0.2, -0.1, 0.3
    scene = Scene(model, room(rng), T_world_base=place)

    for q in rng.normal(size=(3, model.nq)):
        check_gradient(scene, model, normalized(model, q))


def test_a_closed_mechanism_collides_where_its_loops_have_brought_it() -> None:
    plain = gelenk.load("fourbar")
    rows = tuple(
        (solid("sphere", 0.02),) if i else () for i in range(len(plain.link_names))
    )
    model = replace(plain, geometry=rows)
    q = np.array([1.0])
    scene = Scene(model, [Sphere(name="peg", radius=0.1, position=(0.9, 0.7, 0.0))])

    found = scene.distance(q, gradient=True)

    centres = link_poses(model, q)[:, :3, 3]
    for pair, distance in zip(found.pairs, found.distance, strict=True):
        if pair[1] == "peg":
            gap = np.linalg.norm(centres[model.link_id(pair[0])] - [0.9, 0.7, 0.0])
            assert distance == pytest.approx(gap - 0.12, abs=1e-12)
    slope = (
        scene.distance(q + FD_STEP).distance - scene.distance(q - FD_STEP).distance
    ) / (2.0 * FD_STEP)
    assert found.gradient is not None
    np.testing.assert_allclose(found.gradient[:, 0], slope, atol=1e-6)


def test_what_cannot_be_assembled_is_not_free() -> None:
    slider = ring_of_rods()
    scene = Scene(slider)

    assert scene.is_free([[0.0], [9.0]]).tolist() == [True, False]
    with pytest.raises(LoopError):
        scene.distance([9.0])


def ring_of_rods():
    """A slide that pulls a rod, whose other end is held by a hinge at the base."""
    links = [
        Link(name="base"),
        Link(
            name="slide",
            parent="base",
            joint_type=JointType.PRISMATIC,
            T_parent_joint=offset(1.0),
            axis=(1.0, 0.0, 0.0),
            geometry=(solid("sphere", 0.05),),
        ),
        Link(
            name="rod",
            parent="slide",
            joint_type=JointType.REVOLUTE,
            axis=(0.0, 0.0, 1.0),
            home=2.0,
            is_passive=True,
        ),
        Link(
            name="crank",
            parent="base",
            joint_type=JointType.REVOLUTE,
            axis=(0.0, 0.0, 1.0),
            home=1.0,
            is_passive=True,
        ),
    ]
    frames = np.stack([offset(0.7), offset(0.7)])
    pin = Loop(name="pin", links=("rod", "crank"), T_link_frame=frames)
    return assemble("ring", links, loops=[pin])


def test_a_margin_is_a_distance_that_must_be_kept() -> None:
    rng = np.random.default_rng(10)
    model, things = arm(rng), room(rng)
    q = configurations(model, rng, 200)
    plain = Scene(model, things).distance(q)
    wide = Scene(model, things, margin=0.05)
    single = Scene(model, things, margins={("thing0", "link5"): 0.2})

    np.testing.assert_array_equal(wide.is_free(q), plain.smallest > 0.05)
    margins = np.array([0.2 * ({*p} == {"thing0", "link5"}) for p in plain.pairs])
    np.testing.assert_array_equal(
        single.is_free(q), (plain.distance > margins).all(axis=1)
    )
    for contact in single.contacts(q[0]):
        assert contact.distance <= (0.2 if "thing0" in contact.pair else 0.0)


def test_contacts_are_the_pairs_that_are_too_close_the_deepest_first() -> None:
    rng = np.random.default_rng(11)
    model, things = arm(rng), room(rng)
    scene = Scene(model, things, margin=0.02)
    for q in configurations(model, rng, 20):
        found, contacts = scene.distance(q), scene.contacts(q)
        close = {
            p for p, d in zip(found.pairs, found.distance, strict=True) if d <= 0.02
        }
        assert {contact.pair for contact in contacts} == close
        depths = [contact.distance for contact in contacts]
        assert depths == sorted(depths)
        for contact in contacts:
            gap = contact.normal @ (contact.points[1] - contact.points[0])
            assert gap == pytest.approx(contact.distance, abs=1e-8)


def test_a_limit_leaves_out_what_is_farther() -> None:
    rng = np.random.default_rng(12)
    model = arm(rng)
    scene = Scene(model, room(rng))
    q = configurations(model, rng, 20)

    all_of_them, near = scene.distance(q), scene.distance(q, within=0.1, gradient=True)

    is_near = all_of_them.distance <= 0.1
    assert is_near.any()
    np.testing.assert_array_equal(near.distance[is_near], all_of_them.distance[is_near])
    assert np.isinf(near.distance[~is_near]).all()
    assert near.gradient is not None
    assert np.isnan(near.gradient[~is_near]).all()
    assert np.isfinite(near.gradient[is_near]).all()


def test_neighbours_and_what_the_model_excludes_are_not_tested() -> None:
    model = arm(np.random.default_rng(0))
    model = replace(model, excluded_pairs=(("link1", "link6"),))

    pairs = {frozenset(pair) for pair in Scene(model).pairs}

    assert frozenset(("base", "link1")) not in pairs
    assert frozenset(("link3", "link4")) not in pairs
    assert frozenset(("link1", "link6")) not in pairs
    assert frozenset(("base", "link2")) in pairs
    assert len(pairs) == 7 * 6 // 2 - 6 - 1
    assert Scene(model, self_collision=False).pairs == ()


def test_links_behind_a_fixed_joint_are_neighbours_of_the_same_links() -> None:
    links = [
        Link(name="base", geometry=(solid("sphere", 0.1),)),
        Link(
            name="arm",
            parent="base",
            joint_type=JointType.REVOLUTE,
            geometry=(solid("sphere", 0.1),),
        ),
        Link(name="cover", parent="arm", geometry=(solid("sphere", 0.1),)),
        Link(
            name="hand",
            parent="cover",
            joint_type=JointType.REVOLUTE,
            geometry=(solid("sphere", 0.1),),
        ),
    ]

    scene = Scene(assemble("armlet", links))

    assert scene.pairs == (("base", "hand"),)


def carrier():
    """A slide along x with a plate."""
    slide = Link(
        name="plate",
        parent="base",
        joint_type=JointType.PRISMATIC,
        axis=(1.0, 0.0, 0.0),
        geometry=(solid("box", 0.2, 0.2, 0.02),),
    )
    return assemble("carrier", [Link(name="base"), slide])


def test_an_attached_thing_moves_with_its_link_and_stays_when_let_go() -> None:
    box = Box(name="parcel", size=(0.1, 0.1, 0.1), position=(1.0, 0.0, 0.07))
    wall = Box(name="wall", size=(0.1, 1.0, 1.0), position=(2.0, 0.0, 0.0))
    scene = Scene(carrier(), [box, wall])
    assert scene.is_free([0.5])
    assert scene.is_free([1.0])  # the parcel is 1 cm over the plate

    held = scene.attach("parcel", "plate", q=[1.0])
    high = held.distance([1.2])
    left = held.detach("parcel", q=[0.3])

    assert held.attached == ("parcel",)
    assert held.obstacles == ("wall",)
    assert ("parcel", "wall") in high.pairs
    k = high.pairs.index(("parcel", "wall"))
    assert high.distance[k] == pytest.approx(1.95 - 1.25)
    assert left.obstacles == ("wall", "parcel")
    m = left.pairs.index(("plate", "parcel"))
    # The parcel was left 1 m - 0.3 m back; it hangs 1 cm over the plate.
    gap = np.hypot(2.2 - 0.35, 0.01)
    assert left.distance([2.3]).distance[m] == pytest.approx(gap, abs=1e-9)
    assert scene.obstacles == ("parcel", "wall")  # as it was
    assert held.detach("parcel").obstacles == ("wall",)


def test_a_thing_can_be_attached_at_a_pose_and_may_touch_what_is_named() -> None:
    cup = CollisionObject(name="cup", shapes=(solid("cylinder", 0.05, 0.1),))
    ring = Sphere(name="ring", radius=0.3, position=(0.0, 0.0, 0.5))
    scene = Scene(carrier(), [ring])

    held = scene.attach(cup, "plate", T_link_thing=offset(0.0, 0.0, 0.4))
    lets = scene.attach(
        cup, "plate", T_link_thing=offset(0.0, 0.0, 0.4), touching=["ring"]
    )

    assert scene.is_free([0.0])
    assert not held.is_free([0.0])
    assert lets.is_free([0.0])
    with pytest.raises(ConfigError, match="two things are named 'cup'"):
        held.attach(cup, "plate", T_link_thing=np.eye(4))


def test_what_is_carried_can_hit_the_other_links() -> None:
    post = Link(name="base", geometry=(solid("cylinder", 0.1, 1.0),))
    slide = Link(
        name="plate",
        parent="base",
        joint_type=JointType.PRISMATIC,
        axis=(1.0, 0.0, 0.0),
        geometry=(solid("box", 0.2, 0.2, 0.02),),
    )
    rod = CollisionObject(name="rod", shapes=(solid("box", 0.8, 0.02, 0.02),))
    scene = Scene(assemble("carrier", [post, slide]))

    held = scene.attach(rod, "plate", T_link_thing=offset(-0.4))

    assert held.pairs == (("base", "rod"),)  # not its own link, nor link by link
    assert held.is_free([[0.95], [0.85]]).tolist() == [True, False]


def test_obstacles_come_and_go() -> None:
    scene = Scene(carrier())
    ball = Sphere(name="ball", radius=0.1, position=(1.0, 0.0, 0.0))

    more = scene.with_obstacles(ball)

    assert not more.is_free([1.0])
    assert more.with_allowed([("ball", "plate")]).is_free([1.0])
    assert more.without("ball").is_free([1.0])
    with pytest.raises(NameNotFoundError, match="bal"):
        more.without("bal")


def test_several_robots_share_one_configuration() -> None:
    rng = np.random.default_rng(13)
    one, two = arm(rng, "one"), arm(rng, "two")
    T = offset(0.6, 0.1, 0.0)
    both = Scene(
        [Robot(name="a", model=one), Robot(name="b", model=two, T_world_base=T)]
    )
    q = np.concatenate(
        [configurations(one, rng, 40), configurations(two, rng, 40)], axis=1
    )

    found = both.distance(q, gradient=True)

    assert both.nq == 12
    names = [k for k, (a, b) in enumerate(found.pairs) if a[0] == "a" and b[0] == "b"]
    assert len(names) == 7 * 7 - 1  # both bases stand
    for k in range(len(q)):
        # The second robot at its configuration as an obstacle of the first.
        still = Scene(one, [Robot(name="b", model=two, T_world_base=T, q=q[k, 6:])])
        alone = still.distance(q[k, :6], gradient=True)
        rows = [i for i, (_, b) in enumerate(alone.pairs) if b == "b"]
        for i in rows:
            name = f"a/{alone.pairs[i][0]}"
            same = [m for m in names if found.pairs[m][0] == name]
            best = min(same, key=lambda m: found.distance[k, m])
            assert found.distance[k, best] == pytest.approx(alone.distance[i], abs=1e-9)
            assert found.gradient is not None
            assert alone.gradient is not None
            if abs(alone.distance[i]) > 1e-6:
                np.testing.assert_allclose(
                    found.gradient[k, best, :6], alone.gradient[i], atol=1e-5
                )


def test_a_robot_without_collision_shapes_says_so_and_uses_what_is_drawn() -> None:
    drawn = gelenk.load("panda")
    bare = replace(drawn, geometry=())

    with pytest.warns(UserWarning, match="'panda' has no collision shapes: its visual"):
        scene = Scene(drawn)
    with pytest.warns(UserWarning, match="'panda' has no collision shapes: nothing"):
        empty = Scene(bare)

    assert scene.pairs == Scene(drawn, shapes="visual").pairs
    assert empty.pairs == ()
    assert empty.is_free(np.zeros(7))


def test_what_is_not_a_number_is_not_free() -> None:
    rng = np.random.default_rng(14)
    model = arm(rng)
    scene = Scene(model, room(rng))
    q = np.zeros((3, model.nq))
    q[1, 2] = np.nan

    assert not scene.is_free(q)[1]
    with pytest.raises(ConfigError, match="finite"):
        scene.distance(q)


def test_mistakes_are_named() -> None:
    model = carrier()
    ball = Sphere(name="plate", radius=0.1)
    scene = Scene(model, [Sphere(name="ball", radius=0.1)])

    with pytest.raises(ConfigError, match="two things are named 'plate'"):
        Scene(model, [ball])
    with pytest.raises(NameNotFoundError, match="Did you mean 'plate'"):
        Scene(model, allowed=[("plat", "base")])
    with pytest.raises(ConfigError, match="margins must be finite and >= 0"):
        Scene(model, margin=-0.1)
    with pytest.raises(ConfigError, match="collision_shapes"):
        Scene(model, ["table"])  # type: ignore[list-item]
    with pytest.raises(ShapeError, match=r"\(\.\.\., 1\)"):
        scene.is_free([0.0, 0.0])
    with pytest.raises(ShapeError):
        scene.contacts([[0.0]])
    with pytest.raises(ConfigError, match="either `q` or `T_link_thing`"):
        scene.attach("ball", "plate")
    with pytest.raises(NameNotFoundError, match="no obstacle named 'bell'"):
        scene.attach("bell", "plate", q=[0.0])
    mesh = Geometry(kind="mesh", size=(1.0, 1.0, 1.0), mesh="cup.stl")
    cup = CollisionObject(name="cup", shapes=(mesh,))
    with (
        pytest.warns(UserWarning, match=r"cup\.stl"),
        pytest.raises(ConfigError, match="'cup' has no shape that collides"),
    ):
        Scene(model, [cup])


def test_a_mesh_can_be_taken_apart_into_convex_pieces() -> None:
    pytest.importorskip("coacd")
    bracket = mesh_of_boxes(
        ((0.4, 0.1, 0.1), (0.0, 0.0)), ((0.1, 0.1, 0.4), (-0.15, 0.25))
    )
    shape = Geometry(kind="mesh", size=(1.0, 1.0, 1.0), role="collision", data=bracket)
    thing = CollisionObject(name="bracket", shapes=(shape,), T_world_object=offset(1.0))
    probe = Link(
        name="probe",
        parent="base",
        joint_type=JointType.PRISMATIC,
        axis=(1.0, 0.0, 0.0),
        geometry=(solid("sphere", 0.03, place=(0.1, 0.0, 0.15)),),
    )
    model = assemble("probe", [Link(name="base"), probe])

    hull = Scene(model, [thing])
    pieces = Scene(model, [thing], decompose=True)

    assert not hull.is_free([0.9])  # in the corner of the bracket
    assert pieces.is_free([0.9])
    assert not pieces.is_free([0.75])


def mesh_of_boxes(*boxes) -> Mesh:
    """One closed L: the union of boxes (size, (x, z)) by its outline, along y."""
    (a, (ax, az)), (b, (bx, bz)) = boxes
    left, right, low = ax - a[0] / 2, ax + a[0] / 2, az - a[2] / 2
    inner, shelf, top = bx + b[0] / 2, az + a[2] / 2, bz + b[2] / 2
    outline = [
        (left, low), (right, low), (right, shelf), (inner, shelf), (inner, top), (left, top)
    ]  # fmt: skip
    n = len(outline)
    vertices = [(x, y, z) for y in (-0.05, 0.05) for x, z in outline]
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    faces = list(caps) + [(n + c, n + b, n + a) for a, b, c in caps]
    for k in range(n):
        m = (k + 1) % n
        faces += [(k, n + k, n + m), (k, n + m, m)]
    return Mesh(vertices=np.array(vertices), faces=np.array(faces, dtype=np.int64))
