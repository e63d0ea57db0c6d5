"""Robots from MJCF files move, weigh and fall as MuJoCo says, ball joints included."""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from gelenk.kinematics.forward import link_poses
from gelenk.kinematics.loops.close import close_loops, velocity_map
from gelenk.models.mjcf import model_from_mjcf
from gelenk.models.mjcf_engine import spec_of_source
from gelenk.models.tree import RobotModel

TOLERANCE = 5e-14  # relative to the largest number compared; measured: 3e-15

SOLID = '<geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0.05" euler="10 20 30"/>'
MESH = (
    '<asset><mesh name="rock" vertex="0 0 0 1 0.2 0 0.1 1 0 0.3 0.2 1.5" '
    'scale="0.3 0.2 0.4"/></asset>'
)
ROCK = '<geom type="mesh" mesh="rock" pos="0.1 0.2 0" euler="30 0 40"/>'
WORLDS = {
    "ball joints": f'<body name="a"><joint name="x" type="ball" pos="0.1 0.2 0.3" '
    f'armature="0.3"/>{SOLID}<body name="b" pos="0 0 1" euler="10 0 0"><joint name="y" '
    f'type="ball"/>{SOLID}<body name="c" pos="1 0 0"><joint name="z" axis="1 1 0" '
    f'armature="0.2"/>{SOLID}</body></body></body>',
    "several joints of each kind": f'<body name="a"><joint name="s" type="slide" '
    f'axis="1 0 1" ref="0.3"/><joint name="x" pos="0.1 0 0"/><joint name="y" '
    f'type="ball" pos="0 0.2 0"/>{SOLID}</body>',
    "a floating base": f'<body name="a" pos="1 2 3" euler="30 40 50"><freejoint '
    f'name="f"/>{SOLID}<body name="b"><joint name="x" type="ball"/>{SOLID}</body>'
    f'<body name="c" pos="0 1 0"><joint name="z" axis="0 1 0" ref="20"/>{SOLID}</body>'
    "</body>",
    "masses of meshes": f'<body name="a"><joint name="x" axis="0 1 0"/>{ROCK}<body '
    f'name="b" pos="0 0 1"><joint name="y" axis="1 0 0"/>{ROCK}{SOLID}</body></body>',
    "shells and primitives fitted to meshes": '<body name="a"><joint name="x" '
    'axis="0 1 0"/><geom type="capsule" mesh="rock"/><geom type="box" size="1 2 3" '
    'shellinertia="true"/></body>',
    "copies": '<replicate count="3" offset="0 0 1" euler="0 30 0"><body name="a" '
    f'pos="0.3 0 0"><joint name="x" axis="0 1 0"/>{SOLID}</body></replicate>',
    "a static body fused into its parent": f'<body name="a"><joint name="x" '
    f'axis="0 1 0"/>{SOLID}<body name="b" pos="1 0 0"><geom size="0.3"/></body></body>',
}  # fmt: skip


def text_of(world: str) -> str:
    return (
        f'<mujoco><compiler fusestatic="true"/>{MESH}<option gravity="1 2 -9"/>'
        f"<worldbody>{world}</worldbody></mujoco>"
    )


def joint_columns(ours: RobotModel, theirs: Any) -> list[tuple[int, int, int]]:
    """Type, first position and first speed in MuJoCo of each of our joints."""
    ids = ours.joint_ids.tolist()
    names = [ours.joint_names_all[i] for i in ids]
    if ours.has_floating_base:
        names = [ours.joint_names_all[0], *names]
    rows = [theirs.joint(name).id for name in names]
    return [
        (theirs.jnt_type[j], theirs.jnt_qposadr[j], theirs.jnt_dofadr[j]) for j in rows
    ]


def random_positions(theirs: Any, rng: np.random.Generator) -> np.ndarray:
    qpos = rng.normal(size=theirs.nq)
    for j in range(theirs.njnt):
        kind, at = theirs.jnt_type[j], theirs.jnt_qposadr[j]
        at += 3 if kind == mujoco.mjtJoint.mjJNT_FREE else 0
        if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
            qpos[at : at + 4] /= np.linalg.norm(qpos[at : at + 4])
    return qpos


@pytest.mark.parametrize("case", WORLDS)
def test_poses_mass_matrix_and_bias_forces_are_those_of_mujoco(case: str) -> None:
    text = text_of(WORLDS[case])
    ours, theirs = model_from_mjcf(text), mujoco.MjModel.from_xml_string(text)
    columns = joint_columns(ours, theirs)
    rng = np.random.default_rng(1)
    for _ in range(3):
        data = mujoco.MjData(theirs)
        data.qpos = random_positions(theirs, rng)
        widths = {0: (7, 6), 1: (4, 3)}
        q = np.concatenate(
            [data.qpos[a : a + widths.get(int(t), (1, 1))[0]] for t, a, _ in columns]
        )
        poses = link_poses(ours, q)
        E = np.zeros((theirs.nv, ours.nv))  # their speeds for ours
        at = 0
        for kind, _, dof in columns:
            n = widths.get(int(kind), (1, 1))[1]
            E[dof : dof + n, at : at + n] = np.eye(n)
            if n == 6:  # MuJoCo turns a free body in its own axes
                E[dof + 3 : dof + 6, at + 3 : at + 6] = poses[0, :3, :3].T
            at += n
        qd = rng.normal(size=ours.nv)
        data.qvel = E @ qd
        mujoco.mj_forward(theirs, data)
        assert_same_poses(ours, theirs, data, poses)
        M = np.zeros((theirs.nv, theirs.nv))
        mujoco.mj_fullM(theirs, data, M)
        expected = E.T @ M @ E
        scale = np.abs(expected).max()
        np.testing.assert_allclose(
            ours.mass_matrix(q), expected, rtol=0, atol=TOLERANCE * scale
        )
        bias = ours.inverse_dynamics(q, qd, np.zeros(ours.nv))
        forces = E.T @ data.qfrc_bias
        scale = max(scale, float(np.abs(forces).max()))
        np.testing.assert_allclose(bias, forces, rtol=0, atol=TOLERANCE * scale)


def assert_same_poses(
    ours: RobotModel, theirs: Any, data: Any, poses: np.ndarray
) -> None:
    for b in range(1, theirs.nbody):
        T = poses[ours.link_names.index(theirs.body(b).name)]
        np.testing.assert_allclose(T[:3, 3], data.xpos[b], rtol=0, atol=TOLERANCE * 3)
        np.testing.assert_allclose(
            T[:3, :3], data.xmat[b].reshape(3, 3), rtol=0, atol=TOLERANCE
        )


# A crank, and a rod that hangs on it by a ball joint and on a lever by a closure.
LINKAGE = """<mujoco><worldbody>
  <body name="crank"><joint name="crank" axis="0 1 0"/><geom type="capsule" size="0.02"
      fromto="0 0 0 0 0 0.2"/>
    <body name="rod" pos="0 0 0.2"><joint name="rod" type="ball"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0"/></body></body>
  <body name="lever" pos="0.5 0 0"><joint name="lever" axis="0 1 0"/>
    <geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.2"/></body></worldbody>
  <equality><connect body1="rod" body2="lever" anchor="0.5 0 0"/></equality>
  <actuator><motor joint="crank"/></actuator>
  <keyframe><key name="home" qpos="0 1 0 0 0 0"/></keyframe></mujoco>"""


def test_a_ball_joint_in_a_loop_becomes_three_hinges_that_move_alike() -> None:
    ours = model_from_mjcf(LINKAGE)
    assert ours.source is not None
    theirs: Any = spec_of_source(ours.source).compile()
    assert ours.joint_names == ("crank",)
    assert "three hinges stand for each ball joint" in " ".join(ours.notes)
    data = mujoco.MjData(theirs)
    for q in (0.2, -0.5):
        result = close_loops(ours, [q])
        assert result.closed
        names = [ours.joint_names_all[i] for i in ours.tree_joint_ids]
        values = dict(zip(names, result.q_tree, strict=True))
        turn = np.array([1.0, 0.0, 0.0, 0.0])
        for axis, letter in zip(np.eye(3), "xyz", strict=True):
            half = 0.5 * values[f"rod_{letter}"]
            step = np.array([np.cos(half), *(np.sin(half) * axis)])
            mujoco.mju_mulQuat(turn, turn.copy(), step)
        data.qpos = [values["crank"], *turn, values["lever"]]
        data.qvel = 0.0
        mujoco.mj_forward(theirs, data)
        np.testing.assert_allclose(data.efc_pos[:3], 0.0, atol=1e-14)
        assert_same_poses(ours, theirs, data, link_poses(ours, [q]))
        assert_same_energy(ours, theirs, data, result.q_tree)


def assert_same_energy(
    ours: RobotModel, theirs: Any, data: Any, q_tree: np.ndarray
) -> None:
    """The energy of a motion of the motor, with MuJoCo's own mass matrix.

    The rod's speed is measured in MuJoCo, from its poses a moment later.
    """
    step = 1e-6
    qd = velocity_map(ours, q_tree) @ [1.0]
    names = [ours.joint_names_all[i] for i in ours.tree_joint_ids]
    rates = dict(zip(names, qd, strict=True))
    rod = [ours.link_names.index("rod"), ours.link_names.index("crank")]
    turns = []
    for sign in (-1.0, 1.0):
        q = close_loops(ours, [q_tree[0] + sign * step], start=q_tree).q_tree
        assert np.abs(q - q_tree).max() < 1e-4
        poses = link_poses(ours, [q[0]])
        turns.append(poses[rod[1], :3, :3].T @ poses[rod[0], :3, :3])
    W = turns[0].T @ (turns[1] - turns[0]) / (2.0 * step)
    data.qvel = [rates["crank"], W[2, 1], W[0, 2], W[1, 0], rates["lever"]]
    M = np.zeros((theirs.nv, theirs.nv))
    mujoco.mj_fullM(theirs, data, M)
    expected = data.qvel @ M @ data.qvel
    assert ours.mass_matrix([q_tree[0]])[0, 0] == pytest.approx(expected, rel=1e-6)


def test_a_spec_of_the_source_moves_as_the_plain_file() -> None:
    text = text_of(WORLDS["masses of meshes"])
    source = model_from_mjcf(text).source
    assert source is not None

    theirs: Any = spec_of_source(source).compile()

    plain = mujoco.MjModel.from_xml_string(text)
    np.testing.assert_array_equal(theirs.body_mass, plain.body_mass)
    np.testing.assert_array_equal(theirs.mesh_vert, plain.mesh_vert)
