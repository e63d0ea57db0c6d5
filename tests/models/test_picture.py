"""Pictures of robots: the whole robot, from every side, whatever shapes it has."""

from __future__ import annotations

import cv2
import mujoco
import numpy as np
import pytest

import gelenk
from gelenk.errors import ConfigError, ShapeError
from gelenk.geometry import render_meshes
from gelenk.kinematics import link_poses
from gelenk.models import (
    Geometry,
    JointType,
    Link,
    RobotModel,
    assemble,
    catalog,
    picture,
)
from gelenk.sim.cameras.gl import RenderError, current, make_gl_context
from gelenk.vision import Intrinsics

SIDES = ["corner", "front", "back", "left", "right", "top"]


def arm(*roles: str) -> RobotModel:
    """Return two rods that bend, with shapes of these roles, one colour each."""
    colors = {"visual": (0.9, 0.1, 0.1, 1.0), "collision": (0.1, 0.7, 0.1, 1.0)}

    def shapes(length: float) -> tuple[Geometry, ...]:
        T = np.eye(4)
        T[2, 3] = 0.5 * length
        return tuple(
            Geometry(
                kind="capsule", size=(0.05, length), T_link_geometry=T,
                role=role, rgba=colors[role],  # type: ignore[arg-type]
            )
            for role in roles
        )  # fmt: skip

    up = np.eye(4)
    up[2, 3] = 0.6
    hinge = {
        "joint_type": JointType.REVOLUTE,
        "axis": (0, 1, 0),
        "lower": -3.0,
        "upper": 3.0,
    }
    links = [
        Link(name="base", geometry=shapes(0.1)),
        Link(name="upper", parent="base", mass=1.0, geometry=shapes(0.6), **hinge),
        Link(
            name="lower", parent="upper", mass=1.0, T_parent_joint=up,
            geometry=shapes(0.4), **hinge,
        ),
    ]  # fmt: skip
    return assemble("rods", links)


def colored(image: np.ndarray, channel: int) -> np.ndarray:
    """Return which pixels clearly have one colour."""
    values = image.astype(int)
    rest = np.delete(values, channel, axis=-1).max(axis=-1)
    return values[..., channel] > 1.4 * rest


@pytest.mark.parametrize("view", SIDES)
def test_the_whole_robot_is_in_the_picture_and_large(view: str) -> None:
    image = arm("visual").image([0.7, 0.9], width=160, height=120, view=view)  # type: ignore[arg-type]

    seen = colored(image, 0)
    rows, columns = np.nonzero(seen.any(axis=1))[0], np.nonzero(seen.any(axis=0))[0]
    assert image.shape == (120, 160, 3)
    assert rows[0] > 2
    assert columns[0] > 2
    assert rows[-1] < 117
    assert columns[-1] < 157
    assert np.ptp(rows) > 80 or np.ptp(columns) > 110


def test_configurations_look_different_and_home_is_the_default() -> None:
    robot = arm("visual")

    home = robot.image(width=80, height=60)

    np.testing.assert_array_equal(home, robot.image([0.0, 0.0], width=80, height=60))
    assert (home != robot.image([1.0, 0.0], width=80, height=60)).any()


def test_the_left_side_is_seen_from_the_left() -> None:
    # The rods bend towards +x, which is right in a picture from -y, left from +y.
    images = {
        side: arm("visual").image([0.5, 0.5], width=160, height=120, view=side)  # type: ignore[arg-type]
        for side in ("left", "right")
    }

    def lean(image: np.ndarray) -> float:
        rows, columns = np.nonzero(colored(image, 0))
        top, bottom = rows < np.median(rows), rows > np.median(rows)
        return float(columns[top].mean() - columns[bottom].mean())

    assert lean(images["right"]) > 10
    assert lean(images["left"]) < -10


@pytest.mark.parametrize(
    ("roles", "asked", "channel"),
    [
        (("visual", "collision"), "visual", 0),
        (("visual", "collision"), "collision", 1),
        (("collision",), "visual", 1),
        (("visual",), "collision", 0),
    ],
)
def test_other_shapes_stand_in_for_those_that_are_missing(
    roles: tuple[str, ...], asked: str, channel: int
) -> None:
    image = arm(*roles).image(width=80, height=60, shapes=asked)  # type: ignore[arg-type]

    assert colored(image, channel).sum() > 50
    assert colored(image, 1 - channel).sum() == 0


def test_a_robot_without_shapes_is_a_skeleton_with_its_axes() -> None:
    image = arm().image([0.5, 0.5], width=160, height=120)

    assert colored(image, 0).sum() > 100  # the joints are orange


@pytest.mark.slow
def test_every_robot_of_the_catalogue_has_a_picture() -> None:
    for name in catalog.names():
        image = gelenk.load(name).image(width=64, height=48)
        assert np.ptp(image) > 60, name


def test_a_notebook_shows_the_picture() -> None:
    robot = arm("visual")

    back = cv2.imdecode(np.frombuffer(robot._repr_png_(), np.uint8), cv2.IMREAD_COLOR)

    assert back is not None
    np.testing.assert_array_equal(back[:, :, ::-1], robot.image())


def test_impossible_pictures_are_refused() -> None:
    robot = arm("visual")
    with pytest.raises(ConfigError, match="view"):
        robot.image(view="inside")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="shapes"):
        robot.image(shapes="soul")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="pixels"):
        robot.image(width=0)
    with pytest.raises(ShapeError):
        robot.image([0.0])
    with pytest.raises(ConfigError, match="one configuration"):
        robot.image(np.zeros((3, 2)))


def test_the_silhouette_is_that_of_another_renderer() -> None:
    robot = arm("visual")
    q = np.array([0.6, 0.8])
    poses = link_poses(robot, q)
    wide = Intrinsics.from_field_of_view(width=320, height=240, horizontal=1.0)
    T = np.eye(4)
    T[:3, :3] = [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]
    T[:3, 3] = [2.5, 0.1, 0.4]
    spec = mujoco.MjSpec()
    for items, pose in zip(robot.geometry, poses, strict=True):
        for item in items:
            R = pose @ np.asarray(item.T_link_geometry)
            quat = np.empty(4)
            mujoco.mju_mat2Quat(quat, R[:3, :3].reshape(-1).copy())
            spec.worldbody.add_geom(
                type=mujoco.mjtGeom.mjGEOM_CAPSULE, pos=R[:3, 3], quat=quat,
                size=[item.size[0], 0.5 * item.size[1], 0.0],
            )  # fmt: skip
    vertical = 2.0 * np.degrees(np.arctan(120.0 / wide.fy))
    spec.worldbody.add_camera(
        name="eye", pos=T[:3, 3], fovy=vertical, xyaxes=[*T[:3, 0], *(-T[:3, 1])]
    )
    try:
        theirs = drawn_by_mujoco(spec, 320, 240)
    except RenderError as error:
        pytest.skip(f"no renderer without display here: {error}")

    instances = picture.robot_instances(robot, poses)
    ours = render_meshes(instances, wide, T, samples=1).segments >= 0

    assert ours.sum() > 1000
    assert (ours & theirs).sum() / (ours | theirs).sum() > 0.95


def drawn_by_mujoco(spec: mujoco.MjSpec, width: int, height: int) -> np.ndarray:
    """Return which pixels of the camera "eye" show something, shape (height, width)."""
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, maxgeom=50)
    camera = mujoco.MjvCamera()
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    every = int(mujoco.mjtCatBit.mjCAT_ALL)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, every, scene)
    rectangle = mujoco.MjrRect(0, 0, width, height)
    depth = np.empty((height, width), dtype=np.float32)
    with current(make_gl_context(width, height)):
        context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)
        mujoco.mjr_setBuffer(int(mujoco.mjtFramebuffer.mjFB_OFFSCREEN), context)
        mujoco.mjr_render(rectangle, scene, context)
        mujoco.mjr_readPixels(None, depth, rectangle, context)
        context.free()
    background = depth[0, 0]
    return depth[::-1] != background


@pytest.mark.parametrize(("opacity", "count"), [(1.0, 2), (0.3, 1)])
def test_a_link_without_looks_shows_what_touches_unless_it_is_faint(
    opacity: float, count: int
) -> None:
    seen = Geometry(kind="box", size=(0.1, 0.1, 0.1))
    touched = Geometry(
        kind="sphere", size=(0.1,), role="collision", rgba=(0.2, 0.4, 0.9, opacity)
    )
    plain = Geometry(kind="box", size=(0.3, 0.3, 0.3), role="collision")
    links = [
        Link(name="base", geometry=(seen, touched)),
        Link(name="ball", parent="base", geometry=(touched,)),
        Link(name="hull", parent="base", geometry=(plain,)),
    ]
    model = assemble("mixed", links)
    poses = link_poses(model, model.home_configuration)

    instances = picture.robot_instances(model, poses)

    assert len(instances) == count
    assert len(picture.robot_instances(model, poses, "collision")) == 3
