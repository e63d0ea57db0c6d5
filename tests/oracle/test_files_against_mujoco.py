"""MJCF files read by us and by MuJoCo, and files we write compiled by MuJoCo."""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from gelenk.models import catalog
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop
from gelenk.models.mjcf import model_from_mjcf
from gelenk.models.mjcf_write import mjcf_from_model
from gelenk.models.tree import RobotModel
from robot_files import MJCF, centre_of_mass, world_poses
from testkit.random_models import random_pose, random_tree

TOLERANCE = 1e-12  # [m], rad and relative to kg, kg m^2; measured: 1e-14 and below


def compiled(text: str) -> Any:
    return mujoco.MjModel.from_xml_string(text)


def placed(theirs: Any, rng: np.random.Generator) -> tuple[Any, dict[str, float], Any]:
    """A random state: MuJoCo's data, our joint values by name, and the base pose."""
    data = mujoco.MjData(theirs)
    data.qpos = rng.normal(size=theirs.nq)
    base, values = None, {}
    for j in range(theirs.njnt):
        adr = theirs.jnt_qposadr[j]
        if theirs.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
            data.qpos[adr + 3 : adr + 7] /= np.linalg.norm(data.qpos[adr + 3 : adr + 7])
            base = theirs.jnt_bodyid[j]
        else:
            values[theirs.joint(j).name] = float(data.qpos[adr])
    for e in range(theirs.neq):  # MuJoCo enforces couplings softly, we exactly
        if theirs.eq_type[e] == mujoco.mjtEq.mjEQ_JOINT:
            follower, followed = theirs.eq_obj1id[e], theirs.eq_obj2id[e]
            y0, x0 = theirs.qpos0[theirs.jnt_qposadr[[follower, followed]]]
            a, b = theirs.eq_data[e][:2]
            x = data.qpos[theirs.jnt_qposadr[followed]]
            data.qpos[theirs.jnt_qposadr[follower]] = y0 + a + b * (x - x0)
    mujoco.mj_forward(theirs, data)
    T_world_base = None if base is None else pose_of(data.xpos[base], data.xmat[base])
    return data, values, T_world_base


def pose_of(p: np.ndarray, R: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R.reshape(3, 3), p
    return T


def assert_same_mechanism(ours: RobotModel, theirs: Any, *, seed: int = 0) -> None:
    """Compare poses of bodies and sites at random states, masses and inertias."""
    rng = np.random.default_rng(seed)
    for _ in range(3):
        data, values, T_world_base = placed(theirs, rng)
        poses = world_poses(ours, values, T_world_base)
        for b in range(1, theirs.nbody):
            name = theirs.body(b).name
            expected = pose_of(data.xpos[b], data.xmat[b])
            np.testing.assert_allclose(
                poses[name], expected, rtol=0, atol=TOLERANCE, err_msg=name
            )
        for s in range(theirs.nsite):
            name = theirs.site(s).name
            if ":" in name:
                continue
            expected = pose_of(data.site_xpos[s], data.site_xmat[s])
            np.testing.assert_allclose(
                poses[name], expected, rtol=0, atol=TOLERANCE, err_msg=name
            )
        assert_same_masses(ours, theirs, data, poses)


def assert_same_masses(
    ours: RobotModel, theirs: Any, data: Any, poses: dict[str, np.ndarray]
) -> None:
    for b in range(1, theirs.nbody):
        name = theirs.body(b).name
        i = ours.link_names.index(name)
        scale = max(1.0, theirs.body_mass[b])
        assert ours.mass[i] == pytest.approx(theirs.body_mass[b], rel=1e-12, abs=1e-12)
        R = data.ximat[b].reshape(3, 3)
        inertia = R @ np.diag(theirs.body_inertia[b]) @ R.T
        R = poses[name][:3, :3]
        np.testing.assert_allclose(
            R @ ours.inertia[i] @ R.T, inertia, rtol=0, atol=TOLERANCE * scale
        )
        if theirs.body_mass[b] > 1e-9:
            centre = (poses[name] @ [*ours.com[i], 1.0])[:3]
            np.testing.assert_allclose(centre, data.xipos[b], rtol=0, atol=TOLERANCE)
    if theirs.body_subtreemass[0] > 1e-9:
        np.testing.assert_allclose(
            centre_of_mass(ours, poses), data.subtree_com[0], rtol=0, atol=1e-11
        )


def assert_same_joints(ours: RobotModel, theirs: Any) -> None:
    """Compare limits and passive forces of all hinges and slides."""
    for j in range(theirs.njnt):
        if theirs.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
            continue
        i = ours.joint_names_all.index(theirs.joint(j).name)
        limits = theirs.jnt_range[j] if theirs.jnt_limited[j] else (-np.inf, np.inf)
        np.testing.assert_allclose((ours.lower[i], ours.upper[i]), limits, rtol=1e-15)
        dof = theirs.jnt_dofadr[j]
        assert ours.damping[i] == theirs.dof_damping[dof]
        assert ours.friction[i] == theirs.dof_frictionloss[dof]
        assert ours.armature[i] == theirs.dof_armature[dof]
        effort = theirs.jnt_actfrcrange[j, 1] if theirs.jnt_actfrclimited[j] else np.inf
        assert ours.max_effort[i] == effort


BODY = '<geom size="0.1"/>'
FEATURES = {
    "two hinges and a slide": '<body name="a" pos="1 2 3"><joint name="x" axis="1 2 3"/>'
    '<joint name="y" axis="0 1 1"/><joint name="z" type="slide" axis="1 0 1"/>'
    f"{BODY}</body>",
    "anchors": '<body name="a" quat="1 2 3 4"><joint name="x" pos="0.1 0.2 0.3"/>'
    f'<joint name="y" axis="0 1 1" pos="0.5 0 1"/>{BODY}<body name="b" pos="1 0 0">'
    f'<joint name="z" pos="0 0 1" axis="1 0 0" ref="40"/>{BODY}</body></body>',
    "reference values": '<body name="a" pos="0 0 1"><joint name="x" ref="30"/>'
    f'<joint name="y" type="slide" axis="1 1 0" ref="0.3"/>{BODY}</body>',
    "slide with an anchor": '<body name="a"><joint name="x" type="slide" '
    f'pos="1 2 3"/>{BODY}</body>',
    "orientations": '<body name="a" euler="10 20 30"><joint name="x"/><geom size="0.2"/>'
    f'<body name="b" axisangle="1 2 3 50"><joint name="y"/>{BODY}'
    f'<body name="c" xyaxes="1 1 0 0 1 1"><joint name="z"/>{BODY}'
    f'<body name="d" zaxis="1 -2 -3"><joint name="u"/>{BODY}'
    f'<body name="e" zaxis="0 0 -1"><joint name="v"/>{BODY}'
    '</body></body></body></body></body>',
    "frames": '<frame pos="1 0 0" euler="0 0 90"><body name="a" pos="0 1 0">'
    '<frame pos="0 0 1" quat="1 1 0 0"><joint name="x" pos="0.3 0.2 1" axis="0 0 1"/>'
    '<inertial pos="0.1 0.2 0.3" mass="2" diaginertia="1 1.5 2"/>'
    '<site name="s" pos="1 2 3"/><frame pos="1 1 1"><body name="b" pos="1 0 0">'
    f'<joint name="y"/>{BODY}</body></frame></frame></body></frame>',
    "sites by ends": '<body name="a"><joint name="x"/><geom size="0.1"/>'
    '<site name="s" type="capsule" size="0.1" fromto="0 1 2 3 4 7"/></body>',
    "solids": '<body name="a"><joint name="x"/><geom type="box" size="0.1 0.2 0.3" '
    'pos="1 0 0" euler="10 20 30"/><geom type="capsule" size="0.1 0.4" pos="0 1 0"/>'
    '<geom type="cylinder" size="0.1 0.4" quat="1 0.2 0 0"/><geom type="ellipsoid" '
    'size="0.1 0.2 0.4" pos="0 0 1" density="50"/><geom size="0.2" mass="3" '
    'pos="1 1 1"/><geom size="0.3" mass="0"/><geom size="0.2" pos="0 2 0" '
    'group="4"/></body><body name="b"><geom type="plane" size="1 1 1"/></body>',
    "solids by ends": '<body name="a"><joint name="x"/><geom type="box" '
    'size="0.1 0.2" fromto="0 0 0 1 2 3"/><geom type="capsule" size="0.1" '
    'fromto="1 0 0 0 0 1"/><geom type="cylinder" size="0.1" fromto="0 0 1 0 0 -1"/>'
    '<geom type="ellipsoid" size="0.2" fromto="0 1 0 1 0 0"/></body>',
    "stated inertias": '<body name="a"><joint name="x"/><inertial mass="3" '
    'pos="0.1 0.2 0.3" fullinertia="1 1.2 1.4 0.1 -0.2 0.3"/><geom size="1"/>'
    '<body name="b"><joint name="y"/><inertial mass="2" pos="0 0 1" euler="20 30 40" '
    'diaginertia="0.3 0.2 0.4"/></body><body name="c"/></body>',
    "floating base": '<geom type="plane" size="1 1 1"/><body name="a" pos="0 0 1" '
    f'euler="1 2 3"><freejoint name="f"/>{BODY}<body name="b"><joint name="x"/>{BODY}'
    "</body></body>",
    "limits": '<body name="a"><joint name="x" range="-30 60" damping="2" '
    'armature="0.1" frictionloss="0.4" actuatorfrcrange="-5 5"/><joint name="y" '
    'type="slide" range="-0.3 0.6"/><joint name="z" limited="false" range="-1 1"/>'
    f"{BODY}</body>",
    "fixed root": f'<body name="a" pos="1 0 0" euler="0 90 0">{BODY}<body name="b">'
    f'<joint name="x"/>{BODY}</body></body>',
    "several tops": f'<body name="a" pos="1 0 0">{BODY}</body><body name="b" '
    f'euler="0 90 0"><joint name="x"/>{BODY}</body>',
}  # fmt: skip
COMPILERS = [
    "",
    '<compiler angle="radian" eulerseq="XYz"/>',
    '<compiler eulerseq="zxz" inertiafromgeom="true"/>',
    '<compiler inertiagrouprange="0 3" settotalmass="7"/>',
    '<compiler boundmass="1.5" boundinertia="0.05" balanceinertia="true"/>',
]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("feature", FEATURES)
def test_mujoco_and_we_read_the_same_mechanism(feature: str, compiler: str) -> None:
    text = f"<mujoco>{compiler}<worldbody>{FEATURES[feature]}</worldbody></mujoco>"

    ours, theirs = model_from_mjcf(text), compiled(text)

    assert_same_mechanism(ours, theirs)
    assert_same_joints(ours, theirs)


@pytest.mark.parametrize("turn", ["", 'euler="90 0 0"', 'pos="1 2 3" euler="0 30 40"'])
def test_the_weight_of_a_mounted_robot_is_what_mujoco_says(turn: str) -> None:
    text = (
        f'<mujoco><worldbody><body name="mount" {turn}>{BODY}<body name="a"><joint '
        'name="x" axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/></body></body>'
        "</worldbody></mujoco>"
    )
    ours, theirs = model_from_mjcf(text), compiled(text)

    torque = ours.inverse_dynamics([0.3], [0.0], [0.0])

    data = mujoco.MjData(theirs)
    data.qpos[0] = 0.3
    mujoco.mj_inverse(theirs, data)
    np.testing.assert_allclose(torque, data.qfrc_inverse, rtol=0.0, atol=1e-12)


def test_an_own_orientation_replaces_that_of_the_default_class() -> None:
    text = (
        '<mujoco><default><geom quat="0 1 0 0" type="box" size="0.1 0.2 0.3"/>'
        '<site quat="1 1 0 0"/></default><worldbody><body name="a"><joint name="x"/>'
        '<geom euler="0 0 30"/><site name="s" zaxis="1 2 3"/><site name="t"/></body>'
        "</worldbody></mujoco>"
    )

    assert_same_mechanism(model_from_mjcf(text), compiled(text))


def test_moments_that_no_body_has_are_balanced_as_in_mujoco() -> None:
    text = (
        '<mujoco><compiler balanceinertia="true"/><worldbody><body name="a">'
        '<joint name="x"/><inertial mass="1" pos="1 0 0" quat="1 2 3 4" '
        'diaginertia="1 1 3"/></body></worldbody></mujoco>'
    )

    ours = model_from_mjcf(text)

    np.testing.assert_allclose(ours.inertia[1], 5.0 / 3.0 * np.eye(3), atol=1e-15)
    assert_same_mechanism(ours, compiled(text))


def with_inline_mesh(text: str) -> str:
    """The example file with a tetrahedron in place of the mesh file."""
    vertices = "0 0 0 1 0 0 0 1 0 0 0 1"
    return text.replace(
        'mesh file="trunk.stl"', f'mesh name="trunk" vertex="{vertices}"'
    )


def test_mujoco_and_we_read_the_same_robot_from_a_file_with_everything() -> None:
    ours, theirs = model_from_mjcf(MJCF), compiled(with_inline_mesh(MJCF))

    assert_same_mechanism(ours, theirs)
    assert_same_joints(ours, theirs)
    np.testing.assert_array_equal(ours.gravity, theirs.opt.gravity)
    names = [theirs.joint(j).name for j in range(theirs.njnt)]
    ids = [ours.joint_names_all.index(name) for name in names]
    np.testing.assert_array_equal(ours.home[ids], theirs.key("home").qpos)
    follower = ours.joint_names_all.index("knee")
    assert ours.mimic[follower] == ours.joint_names_all.index("hip_pitch")


# -- loops ---------------------------------------------------------------------------

PARTS = (
    '<body name="a" pos="0 0 1"><joint name="x" axis="0 1 0"/>'
    f'{BODY}<site name="p" pos="0.1 0.2 0.3" euler="10 20 30"/>'
    f'<body name="b" pos="1 0 0"><joint name="y" pos="0 0 0.1"/>{BODY}</body></body>'
    f'<body name="c" pos="0 1 0"><joint name="z" ref="30"/>{BODY}'
    '<site name="q" pos="0.4 0.1 0.2" euler="50 0 0"/></body>'
)
EQUALITIES = {
    "connect by bodies": '<connect body1="b" body2="c" anchor="0.1 0.2 0.3"/>',
    "connect to the world": '<connect body1="b" anchor="0.1 0.2 0.3"/>',
    "connect by sites": '<connect site1="p" site2="q"/>',
    "weld as drawn": '<weld body1="b" body2="c"/>',
    "weld to the world": '<weld body1="b"/>',
    "weld with a pose": '<weld body1="b" body2="c" relpose="0.1 0.2 0.3 1 2 3 4"/>',
    "weld by sites": '<weld site1="p" site2="q"/>',
    "rod": '<tendon tendon1="t" polycoef="0.25"/>',
}
TENDON = '<tendon><spatial name="t"><site site="p"/><site site="q"/></spatial></tendon>'


def our_residual(ours: RobotModel, values: dict[str, float]) -> list[np.ndarray]:
    """Position errors of all closures in the world, and turns of "pose" closures."""
    poses = world_poses(ours, values)
    found = []
    for loop in ours.loops:
        a, *others = (
            poses[ours.link_names[link]] @ T
            for link, T in zip(loop.links, loop.T_link_frame, strict=True)
        )
        for b in others:
            gap = a[:3, 3] - b[:3, 3]
            if loop.kind == "distance":
                found.append(np.array([np.linalg.norm(gap) - loop.length]))
                continue
            found.append(gap)
            if loop.kind == "hinge":
                step = 0.1 * (a[:3, 2] - b[:3, 2])
                found.append(gap + step)
            if loop.kind == "pose":
                found.append(np.array([turn_angle(a[:3, :3].T @ b[:3, :3])]))
    return found


def turn_angle(R: np.ndarray) -> float:
    return float(np.arccos(np.clip((np.trace(R) - 1.0) / 2.0, -1.0, 1.0)))


def their_residual(theirs: Any, data: Any) -> list[np.ndarray]:
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    position, ids = data.efc_pos[rows], data.efc_id[rows]
    found = []
    for e in range(theirs.neq):
        error = position[ids == e]
        if theirs.eq_type[e] == mujoco.mjtEq.mjEQ_WELD:
            # The rotational error is the vector part of a quaternion.
            sine = min(np.linalg.norm(error[3:]), 1.0)
            angle = 2.0 * np.arcsin(sine)
            found += [error[:3], np.array([angle])]
        elif theirs.eq_type[e] != mujoco.mjtEq.mjEQ_JOINT:
            found.append(error)
    return found


def assert_same_closures(ours: RobotModel, theirs: Any, *, scale: float = 1.0) -> None:
    rng = np.random.default_rng(5)
    for _ in range(3):
        data = mujoco.MjData(theirs)
        data.qpos = scale * rng.normal(size=theirs.nq)
        mujoco.mj_forward(theirs, data)
        values = {
            theirs.joint(j).name: float(data.qpos[theirs.jnt_qposadr[j]])
            for j in range(theirs.njnt)
        }
        expected = their_residual(theirs, data)
        found = our_residual(ours, values)
        assert len(found) == len(expected) > 0
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("kind", EQUALITIES)
def test_closures_leave_the_gaps_that_mujoco_sees(kind: str) -> None:
    text = (
        f"<mujoco><worldbody>{PARTS}</worldbody>{TENDON}"
        f"<equality>{EQUALITIES[kind]}</equality></mujoco>"
    )

    ours, theirs = model_from_mjcf(text), compiled(text)

    assert_same_closures(ours, theirs, scale=0.5)


def test_the_world_of_a_closure_is_the_root_link_when_the_world_is_no_link() -> None:
    text = (
        f'<mujoco><worldbody><body name="r" pos="1 2 3">{BODY}{PARTS}'
        '</body></worldbody><equality><connect body1="b" anchor="0.1 0 0"/><weld '
        'body1="c" body2="world"/></equality></mujoco>'
    )

    ours, theirs = model_from_mjcf(text), compiled(text)

    assert ours.link_names[0] == "r"
    assert_same_closures(ours, theirs, scale=0.5)


# -- what we write ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_mujoco_compiles_what_we_write_to_the_same_mechanism(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = random_tree(rng, num_joints=9, floating=seed % 2 == 1)

    theirs = compiled(mjcf_from_model(model))

    assert_same_mechanism(model, theirs, seed=seed)
    assert_same_joints(model, theirs)
    assert theirs.nu == model.num_joints


# The measured inertias of these robots violate A + B >= C, which MuJoCo refuses.
IMPOSSIBLE_INERTIA = {"puma560"}


@pytest.mark.parametrize("name", sorted(set(catalog.names()) - IMPOSSIBLE_INERTIA))
def test_mujoco_compiles_every_robot_of_the_catalogue(name: str) -> None:
    model = catalog.make(name)

    theirs = compiled(mjcf_from_model(model))

    assert_same_mechanism(model, theirs)
    if model.loops:
        assert_same_closures(model, theirs, scale=0.1)


@pytest.mark.parametrize("kind", ["point", "hinge", "pose", "distance"])
def test_closures_that_we_write_close_in_mujoco(kind: str) -> None:
    rng = np.random.default_rng(3)
    tree = random_tree(rng, num_joints=6)
    names = [tree.link_names[k] for k in (0, 3, 5)]
    names = names[:2] if kind == "distance" else names
    loop = Loop(
        name="closure",
        kind=kind,
        links=tuple(names),
        T_link_frame=np.stack([random_pose(rng) for _ in names]),
        length=0.7,
    )
    model = assemble("looped", links_of(tree), loops=[loop])

    theirs = compiled(mjcf_from_model(model))

    assert_same_closures(model, theirs)


def test_joints_with_equal_limits_are_held_in_mujoco() -> None:
    held = {"joint_type": JointType.REVOLUTE, "lower": 0.3, "upper": 0.3}
    links = [
        Link(name="base"),
        Link(name="arm", parent="base", mass=1.0, inertia=np.eye(3), **held),
    ]

    theirs = compiled(mjcf_from_model(assemble("held", links)))

    data = mujoco.MjData(theirs)
    data.qpos[0] = 0.5
    mujoco.mj_forward(theirs, data)
    assert data.efc_pos.tolist() == [pytest.approx(0.2, abs=1e-15)]


def test_mujoco_accepts_links_without_mass_or_with_flat_inertias() -> None:
    rng = np.random.default_rng(1)
    axis = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
    moving = {"joint_type": JointType.REVOLUTE}
    links = [
        Link(name="base"),
        Link(name="ghost", parent="base", T_parent_joint=random_pose(rng), **moving),
        Link(name="point", parent="ghost", mass=2.0, com=(0.1, 0.2, 0.3), **moving),
        Link(
            name="rod",
            parent="point",
            mass=1.0,
            # Rounding may leave a thin rod a moment just below zero about its axis.
            inertia=0.3 * (np.eye(3) - (1.0 + 1e-12) * np.outer(axis, axis)),
            **moving,
        ),
    ]
    model = assemble("thin", links)

    theirs = compiled(mjcf_from_model(model))

    assert_same_mechanism(model, theirs)


def links_of(model: RobotModel) -> list[Link]:
    """The rows of a model without mimics, to assemble it again."""
    scalars = ("mass", "lower", "upper", "home")
    arrays = ("T_parent_joint", "axis", "com", "inertia")
    return [
        Link(
            name=name,
            parent=model.link_names[model.parent[i]] if i else None,
            joint_type=JointType(int(model.joint_type[i])),
            **{key: float(getattr(model, key)[i]) for key in scalars},
            **{key: getattr(model, key)[i] for key in arrays},
        )
        for i, name in enumerate(model.link_names)
    ]
