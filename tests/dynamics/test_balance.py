"""Tests of balance and walking.

Oracles: MuJoCo's contacts, the moment of forces about a point, SciPy's integrator,
Newton's law, friction on slopes, the printed values (TV-5.14 to 5.16, 5.19, D1, D2).
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from gelenk.dynamics.balance import (
    balance_margin,
    cart_table_zmp,
    cone_edges,
    contact_balance,
    cop_from_foot_sensor,
    ground_moment,
    robot_zmp,
    static_margin,
    zmp_from_contacts,
    zmp_from_motion,
    zmp_margin,
)
from gelenk.dynamics.walking import (
    PreviewCfg,
    capture_point,
    capture_step,
    follow_zmp,
    lipm_state,
    orbital_energy,
    pendulum_acceleration,
    pendulum_rate,
    preview_gains,
)
from gelenk.errors import ConfigError
from gelenk.kinematics.biped_leg import BipedLeg, leg_forward, leg_inverse
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link
from walking_biped import planned_walk, walk_in_mujoco

CORNERS = np.array([[0, 0], [0.2, 0], [0.2, 0.1], [0, 0.1]])
FORCES = np.array([100.0, 200.0, 150.0, 50.0])


def floating_pair():
    """Return a floating body with a heavy mass on a slider along x, 0.8 m up."""
    links = [
        Link(
            name="body",
            joint_type=JointType.FLOATING,
            mass=5.0,
            com=(0.02, 0.01, 0.1),
            inertia=np.diag([0.1, 0.2, 0.15]),
        ),
        Link(
            name="mass",
            parent="body",
            joint_type=JointType.PRISMATIC,
            axis=(1.0, 0.0, 0.0),
            T_parent_joint=np.block(
                [[np.eye(3), np.array([[0.0], [0.0], [0.8]])], [np.zeros((1, 3)), 1.0]]
            ),
            mass=10.0,
            inertia=np.diag([0.05, 0.05, 0.05]),
        ),
    ]
    return assemble("pair", links)


@pytest.mark.capability("GR-85")
def test_a_robot_may_stop_while_its_mass_is_over_its_feet():
    model = floating_pair()
    q = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0])

    def margin(slide, soles):
        q[7] = slide
        return static_margin(model, q, soles)

    # By hand: the centre lies at (5 * 0.02 + 10 * slide) / 15.
    assert margin(0.0, CORNERS - [0.1, 0.05]) == pytest.approx(
        0.05 - 5 * 0.01 / 15, abs=1e-12
    )
    at_edge = (0.1 * 15 - 0.1) / 10
    assert margin(at_edge, CORNERS - [0.1, 0.05]) == pytest.approx(0.0, abs=1e-12)
    assert margin(at_edge + 0.1, CORNERS - [0.1, 0.05]) < -0.06


@pytest.mark.capability("GR-86")
def test_the_zero_moment_point_is_the_published_one_and_has_no_tipping_moment():
    tangential = np.array([[5, 0], [0, 3], [-2, 1], [1, -1.0]])

    zmp = zmp_from_contacts(CORNERS, FORCES)
    moment = ground_moment(CORNERS, FORCES, tangential)

    assert_allclose(zmp, [0.14, 0.04], atol=1e-12)
    assert_allclose(moment, [0.0, 0.0, 0.64], atol=1e-12)
    arms = np.column_stack([CORNERS - zmp, np.zeros(4)])
    forces = np.column_stack([tangential, FORCES])
    assert_allclose(moment, np.cross(arms, forces).sum(axis=0), atol=1e-12)
    with pytest.raises(ConfigError, match="in flight"):
        zmp_from_contacts(CORNERS, np.zeros(4))


@pytest.mark.capability("GR-87")
def test_the_margin_is_the_published_one():
    assert zmp_margin(CORNERS, [0.14, 0.04]) == pytest.approx(0.04, abs=1e-12)
    assert zmp_margin(CORNERS, [0.25, 0.05]) == pytest.approx(-0.05, abs=1e-12)


def pushed_box(force: float, sample: int) -> tuple[float, float]:
    """Push a box of 0.2 x 0.1 m at height 0.3 m in MuJoCo; return ZMP margin, tilt."""
    model = mujoco.MjModel.from_xml_string("""
    <mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="1 1 .1" friction="2"/>
      <body pos="0 0 .15"><freejoint/><geom type="box" size=".1 .05 .15" mass="10" friction="2"/></body>
    </worldbody></mujoco>""")
    data = mujoco.MjData(model)
    margin = np.nan
    for k in range(300):
        data.xfrc_applied[1, 0] = force if k > 50 else 0.0
        mujoco.mj_step(model, data)
        if k == sample and data.ncon:
            wrench, points, loads = np.zeros(6), [], []
            for c in range(data.ncon):
                mujoco.mj_contactForce(model, data, c, wrench)
                points.append(data.contact[c].pos[:2].copy())
                loads.append(wrench[0])
            corners = np.array([[0.1, 0.05], [-0.1, 0.05], [-0.1, -0.05], [0.1, -0.05]])
            corners = corners + data.qpos[:2]  # it creeps a little
            margin = zmp_margin(corners, zmp_from_contacts(np.array(points), loads))
    return margin, float(2 * np.arccos(min(1.0, abs(data.qpos[3]))))


@pytest.mark.capability("GR-87")
def test_a_box_tips_in_simulation_when_its_zmp_reaches_the_edge():
    edge = 10 * 9.81 * 0.1 / 0.15  # [N], by the moment about the edge

    held, held_tilt = pushed_box(0.8 * edge, 250)
    lost, lost_tilt = pushed_box(1.1 * edge, 70)

    assert held == pytest.approx(0.1 - 0.08, abs=2e-3)
    assert held_tilt < 0.01
    assert lost < 2e-3
    assert lost_tilt > 0.1


@pytest.mark.capability("GR-88")
def test_pressure_and_motion_give_the_published_points():
    mass, x, z = [5, 10, 3], [0, 0.05, 0.1], [0.3, 0.8, 1.2]
    ax, az = [0.2, 0.5, -1], [0, 0.3, -0.2]
    zero = np.zeros(3)
    place = np.stack([x, zero, z], axis=-1)
    acceleration = np.stack([ax, zero, az], axis=-1)

    zmp = zmp_from_motion(mass, place, acceleration)

    assert_allclose(zmp, [0.040440, 0.0], atol=5e-7)
    assert_allclose(cart_table_zmp(0.05, 1.0, height=0.8), -0.031549, atol=5e-7)
    turned = zmp_from_motion(
        mass, place[:, [1, 0, 2]], acceleration[:, [1, 0, 2]]
    )  # the same in y
    assert_allclose(turned, [0.0, 0.040440], atol=5e-7)


@pytest.mark.capability("GR-88")
def test_inverse_dynamics_of_a_whole_robot_gives_the_point_of_its_parts():
    model = floating_pair()
    q = np.array([0.3, -0.2, 0.05, 1.0, 0.0, 0.0, 0.0, 0.1])
    qdd = np.array([0.4, -0.3, 0.2, 0.5, -0.6, 0.3, 1.2])
    base, spin = q[:3], qdd[3:6]
    arms = np.array([[0.02, 0.01, 0.1], [0.1, 0.0, 0.8]])
    acc = qdd[:3] + np.cross(spin, arms)
    acc[1, 0] += 1.2
    inertia = [np.diag([0.1, 0.2, 0.15]), np.diag([0.05, 0.05, 0.05])]

    zmp = robot_zmp(model, q, np.zeros(7), qdd)

    expected = zmp_from_motion(
        [5.0, 10.0], base + arms, acc, spin_rate=[tensor @ spin for tensor in inertia]
    )
    assert_allclose(zmp, expected, atol=1e-10)


@pytest.mark.capability("GR-88")
def test_foot_sensor_and_contacts_agree_in_mujoco():
    model = mujoco.MjModel.from_xml_string("""
    <mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="1 1 .1"/>
      <body name="foot" pos="0 0 .01"><freejoint/>
        <geom type="box" size=".1 .06 .01" mass=".001"/>
        <body name="leg" pos="0 0 .04"><geom type="box" size=".02 .02 .02" mass=".5"/>
          <site name="ankle"/>
          <body pos="0 0 .3"><joint name="x" type="slide" axis="1 0 0"/>
            <joint name="y" type="slide" axis="0 1 0"/><geom size=".03" mass="3"/></body>
        </body></body></worldbody>
      <actuator><position joint="x" kp="200" kv="40"/><position joint="y" kp="200" kv="40"/></actuator>
      <sensor><force site="ankle"/><torque site="ankle"/></sensor></mujoco>""")
    data = mujoco.MjData(model)
    wrench, checked = np.zeros(6), 0
    for k in range(500):
        data.ctrl[:] = 0.04 * np.sin(0.012 * k), 0.02 * np.sin(0.017 * k)
        mujoco.mj_step(model, data)
        if k < 150 or k % 50 or not data.ncon:
            continue
        points, loads = [], []
        for c in range(data.ncon):
            mujoco.mj_contactForce(model, data, c, wrench)
            points.append(data.contact[c].pos[:2].copy())
            loads.append(wrench[0])
        foot = data.body("foot").xpos[:2]
        # The site measures what the foot gives the leg: what the ground gives.
        cop = cop_from_foot_sensor(data.sensordata, height=0.05)
        zmp = zmp_from_contacts(np.array(points), loads) - foot
        assert_allclose(cop, zmp, atol=3e-4)
        checked += 1
    assert checked == 7


@pytest.mark.capability("GR-89")
def test_the_pendulum_moves_as_published_and_as_an_integrator_says():
    assert_allclose(pendulum_rate(0.8), 3.501785, atol=5e-7)
    assert_allclose(
        lipm_state(0.0, 0.5, 0.3, height=0.8), [0.179154, 0.802233], atol=5e-7
    )
    w2 = 9.81 / 0.8
    run = solve_ivp(
        lambda _t, s: [s[1], w2 * (s[0] - 0.07)],
        (0, 0.4),
        [0.02, 0.3],
        rtol=1e-9,
        atol=1e-12,
    )
    x, v = lipm_state(0.02, 0.3, [0.0, 0.2, 0.4], height=0.8, foot=0.07)
    assert_allclose([x[-1], v[-1]], run.y[:, -1], rtol=1e-7)
    energy = orbital_energy(x, v, height=0.8, foot=0.07)
    assert_allclose(energy, energy[0], atol=1e-12)


@pytest.mark.capability("GR-89")
def test_the_linear_pendulum_is_the_nonlinear_one_at_small_angles():
    theta = np.array([1e-3, 0.05, 0.5])
    full = pendulum_acceleration(theta, 0.3, length=0.9)
    linear = (9.81 * theta - 0.3) / 0.9

    assert abs(full - linear)[0] < 1e-6
    assert abs(full - linear)[1] < 2e-3
    assert abs(full - linear)[2] > 0.1
    # Newton across the rod: base and swing accelerate the mass, weight pulls it.
    for angle, acc in zip(theta, full, strict=True):
        across = np.array([np.cos(angle), -np.sin(angle)])
        moved = np.array([0.3, 0.0]) + 0.9 * acc * across
        assert_allclose(across @ (moved - [0.0, -9.81]), 0.0, atol=1e-12)


@pytest.mark.capability("GR-92")
def test_a_step_onto_the_capture_point_brings_the_pendulum_to_rest():
    assert_allclose(capture_point(0.0, 0.5, height=0.8), 0.142784, atol=5e-7)
    x, v = lipm_state(0.0, 0.5, 2.0, height=0.8, foot=capture_point(0, 0.5, height=0.8))
    assert abs(float(v)) < 1e-3
    # Pushed while standing at p = -0.02; the other foot needs 0.25 s.
    target = capture_step(0.0, 0.4, 0.25, height=0.8, foot=-0.02)
    x, v = lipm_state(0.0, 0.4, 0.25, height=0.8, foot=-0.02)
    run = solve_ivp(
        lambda _t, s: [s[1], 9.81 / 0.8 * (s[0] - float(target))],
        (0, 1.5),
        [float(x), float(v)],
        rtol=1e-11,
        atol=1e-12,
    )
    assert_allclose(run.y[:, -1], [float(target), 0.0], atol=5e-3)
    assert orbital_energy(x, v, height=0.8, foot=target) == pytest.approx(
        0.0, abs=1e-12
    )


@pytest.mark.capability("GR-93")
def test_flat_ground_gives_the_same_answer_as_the_zero_moment_point():
    rng = np.random.default_rng(7)
    feet = np.column_stack([CORNERS, np.zeros(4)])
    up = np.tile([0.0, 0.0, 1.0], (4, 1))
    for _ in range(12):
        centre = np.array([*rng.uniform([-0.05, -0.05], [0.25, 0.15]), 0.6])
        acc = np.array([*rng.uniform(-0.5, 0.5, 2), 0.0])
        zmp = centre[:2] - 0.6 / 9.81 * acc[:2]

        found = contact_balance(
            feet, up, centre, mass=20.0, friction=0.8, acceleration=acc
        )

        assert found.is_balanced == (zmp_margin(CORNERS, zmp) > 0.0)
        if found.is_balanced:
            force = found.forces.sum(axis=0)
            assert_allclose(force, 20.0 * (acc + np.array([0, 0, 9.81])), atol=1e-6)
            assert (
                np.linalg.norm(found.forces[:, :2], axis=1)
                <= 0.8 * found.forces[:, 2] + 1e-9
            ).all()


@pytest.mark.capability("GR-93")
def test_slopes_hold_up_to_their_friction_and_margins_are_those_of_statics():
    edges = cone_edges([0.0, 0.6, 0.8], 0.5)
    assert_allclose(edges @ [0.0, 0.6, 0.8], 1.0, atol=1e-12)
    for angle, is_held in ((0.4, True), (0.5, False)):  # friction 0.45 holds 0.423 rad
        normal = [0.0, -np.sin(angle), np.cos(angle)]
        R = Rotation.from_euler("x", angle).as_matrix()
        feet = np.column_stack([CORNERS - [0.1, 0.05], np.zeros(4)]) @ R.T
        found = contact_balance(
            feet, [normal] * 4, [0, 0, 0.05], mass=5.0, friction=0.45, count=64
        )
        assert found.is_balanced == is_held
    # A push along x at the centre's height h tips at m g b / h (half length b = 0.1).
    feet = np.column_stack([CORNERS - [0.1, 0.05], np.zeros(4)])
    margin = balance_margin(
        feet,
        np.tile([0.0, 0.0, 1.0], (4, 1)),
        [0.0, 0.0, 0.5],
        mass=10.0,
        friction=1.0,
        pushes=[[1, 0, 0, 0, 0, 0], [-1, 0, 0, 0, 0, 0]],
    )
    assert margin == pytest.approx(10 * 9.81 * 0.1 / 0.5, rel=1e-6)


@pytest.mark.capability("GR-94")
def test_preview_control_and_the_leg_are_the_published_ones():
    gains = preview_gains(PreviewCfg())
    assert_allclose(gains.integral, 621.164173, rtol=1e-7)
    assert_allclose(gains.state, [72401.936842, 21278.649747, 175.725964], rtol=1e-7)
    expected = [-621.164173, -778.483323, -952.609997, -4.813322]
    assert_allclose(gains.preview[[0, 1, 2, -1]], expected, rtol=1e-6)
    t = PreviewCfg().dt * np.arange(1200)
    wanted = sum(0.3 * (t >= 1.4 + 0.7 * k - 1e-9) for k in range(4))
    states, zmp = follow_zmp(wanted, PreviewCfg())
    middle = np.round((1.05 + 0.7 * np.arange(6)) / 0.005).astype(int)
    assert np.abs(zmp - wanted)[middle].max() < 4e-4
    assert states[-1, 0] == pytest.approx(1.2, abs=1e-3)
    leg, q = BipedLeg(hip_offset=0.1), np.array([0.1, -0.05, -0.4, 0.8, -0.35, 0.07])
    foot = leg_forward(leg, q)
    assert_allclose(foot[:3, 3], [0.002757, 0.072518, -0.551946], atol=5e-7)
    assert_allclose(leg_inverse(leg, foot), q, atol=1e-12)
    many = np.random.default_rng(8).uniform(-0.4, 0.4, (50, 6))
    many[:, 3] += 0.6
    assert_allclose(leg_inverse(leg, leg_forward(leg, many)), many, atol=1e-9)


@pytest.mark.slow
@pytest.mark.capability("GR-94")
def test_a_biped_walks_ten_steps_in_mujoco_with_a_centimetre_to_spare():
    contacts, corners, data = walk_in_mujoco(planned_walk())

    margins = [
        zmp_margin(soles, zmp_from_contacts(rows[:, :2], rows[:, 2]))
        for rows, soles in zip(contacts, corners, strict=True)
    ]

    assert min(margins[5:]) > 0.01
    assert data.qpos[0] > 1.0
    assert data.qpos[2] == pytest.approx(0.61, abs=0.01)
