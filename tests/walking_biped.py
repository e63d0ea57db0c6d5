"""A biped with twelve joints in MuJoCo that walks a planned walk, stiff and open loop."""

from __future__ import annotations

import mujoco
import numpy as np

from gelenk.dynamics.walking import PreviewCfg, Walk, WalkCfg, plan_walk
from gelenk.kinematics.biped_leg import BipedLeg, leg_inverse

LEGS = BipedLeg(hip_offset=0.1), BipedLeg(hip_offset=-0.1)
ANKLE = 0.06  # [m] above the sole
HIP = 0.55  # [m] above the ankles
SOLE = np.array([0.1, 0.06])  # [m], half length and half width
AHEAD = 0.00973  # [m], centre of mass before the body's origin: knees are bent
GAIN, DAMPING = 10_000.0, 150.0  # [N m/rad], [N m s/rad]


def biped_model() -> mujoco.MjModel:
    """Return the compiled model; the body's origin lies between the hips."""

    def leg(name: str, y: float) -> str:
        bone = 'type="capsule" fromto="0 0 -.03 0 0 -.27" size=".03" contype="0" conaffinity="0"'
        return f"""
        <body pos="0 {y} 0">
          <joint name="{name}1" axis="0 0 1"/><joint name="{name}2" axis="1 0 0"/>
          <joint name="{name}3" axis="0 1 0"/><geom {bone} mass="1"/>
          <body pos="0 0 -.3"><joint name="{name}4" axis="0 1 0"/><geom {bone} mass=".8"/>
            <body pos="0 0 -.3">
              <joint name="{name}5" axis="0 1 0"/><joint name="{name}6" axis="1 0 0"/>
              <geom name="sole_{name}" type="box" size=".1 .06 .01" pos="0 0 -.05" mass=".5"/>
            </body></body></body>"""

    servos = "".join(
        f'<general joint="{n}{k}" gainprm="{GAIN}" biastype="affine" '
        f'biasprm="0 -{GAIN} -{DAMPING}"/>'
        for n in "lr"
        for k in range(1, 7)
    )
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <option timestep="0.002" integrator="implicitfast"/>
      <compiler angle="radian"/>
      <default><joint armature=".05"/></default>
      <worldbody>
        <geom type="plane" size="5 5 .1"/>
        <body pos="0 0 {HIP + ANKLE}"><freejoint/>
          <geom type="box" size=".1 .12 .15" pos="0 0 .2" mass="20" contype="0" conaffinity="0"/>
          {leg("l", 0.1)}{leg("r", -0.1)}
        </body>
      </worldbody>
      <actuator>{servos}</actuator>
    </mujoco>""")


def body_place(centre: np.ndarray) -> np.ndarray:
    """Return where the body's origin is while the mass is over `centre`."""
    return np.array([centre[0] - AHEAD, centre[1], HIP + ANKLE])


def joint_angles(centre: np.ndarray, feet: np.ndarray) -> np.ndarray:
    """Return twelve angles: left leg, right leg."""
    found = []
    for leg, foot in zip(LEGS, feet, strict=True):
        T_body_foot = np.eye(4)
        T_body_foot[:3, 3] = foot - body_place(centre)
        T_body_foot[2, 3] += ANKLE
        found.append(leg_inverse(leg, T_body_foot))
    return np.concatenate(found)


def planned_walk() -> Walk:
    """Return ten steps of 12 cm."""
    preview = PreviewCfg(dt=0.01, horizon=160, height=0.7103)
    return plan_walk(
        WalkCfg(length=0.12, step_time=1.0, double_share=0.4, lift=0.03), preview
    )


def walk_in_mujoco(walk: Walk) -> tuple[list, list, mujoco.MjData]:
    """Return, per sample, loaded contacts (place, force) and corners of loaded soles."""
    model = biped_model()
    data = mujoco.MjData(model)
    q = np.array(
        [joint_angles(c[0], f) for c, f in zip(walk.centre, walk.feet, strict=True)]
    )
    dt = walk.t[1]
    qd = np.gradient(q, dt, axis=0)
    data.qpos[:3], data.qpos[7:] = body_place(walk.centre[0, 0]), q[0]
    substeps = round(dt / model.opt.timestep)
    contacts, corners = [], []
    for k in range(len(q) - 1):
        for j in range(substeps):
            share = (j + 1) / substeps
            data.ctrl[:] = q[k] + share * (q[k + 1] - q[k]) + DAMPING / GAIN * qd[k]
            mujoco.mj_step(model, data)
        contacts.append(_contacts(model, data))
        corners.append(_soles(model, data))
    return contacts, corners, data


def _contacts(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    rows, wrench = [], np.zeros(6)
    for k in range(data.ncon):
        mujoco.mj_contactForce(model, data, k, wrench)
        rows.append([*data.contact[k].pos[:2], wrench[0]])
    return np.array(rows)


def _soles(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    rows = []
    for name in ("sole_l", "sole_r"):
        geom = data.geom(name)
        if any(
            geom.id in (data.contact[k].geom1, data.contact[k].geom2)
            for k in range(data.ncon)
        ):
            signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
            flat = np.column_stack([signs * SOLE, np.zeros(4)])
            rows.append((geom.xpos + flat @ geom.xmat.reshape(3, 3).T)[:, :2])
    return np.concatenate(rows)
