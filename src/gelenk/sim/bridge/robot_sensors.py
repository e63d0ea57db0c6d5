"""Sensors of robots as parts of a MuJoCo specification, and their addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import mujoco

from gelenk.errors import NameNotFoundError
from gelenk.sim.bridge.robots import PlacedRobot
from gelenk.sim.sensors.channels import JointPlace, Wiring, wire_sensor
from gelenk.sim.sensors.descriptions import Sensor, mount, mujoco_sensors
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import IntArray

# pyright: reportAttributeAccessIssue=false


class WiredSensors(NamedTuple):
    """Sensors of all robots, ready for `pack_sensors`.

    Attributes:
        names: Names "robot/sensor".
        sensors: Descriptions of the sensors.
        wirings: Connections of the sensors.
    """

    names: tuple[str, ...]
    sensors: tuple[Sensor, ...]
    wirings: tuple[Wiring, ...]


def add_sensors(spec: Any, placed: PlacedRobot) -> None:
    """Add sites and engine sensors for those of a robot that are mounted on a link.

    Raises:
        NameNotFoundError: If a sensor's link does not exist.
    """
    kinds = mujoco.mjtSensor.__members__
    for name, sensor in placed.robot.sensors.items():
        place = mount(sensor)
        if place is None:
            continue
        body = f"{placed.name}/{place.link}"
        if body not in placed.bodies:
            links = placed.robot.model.link_names
            raise NameNotFoundError("link", place.link, links)
        site = spec.body(body).add_site(
            name=f"{placed.name}/{name}",
            pos=place.T_link_sensor[:3, 3],
            quat=quaternion_from_matrix(place.T_link_sensor[:3, :3]),
        )
        for kind in mujoco_sensors(sensor):
            added = spec.add_sensor(
                name=f"{site.name}/{kind}",
                type=kinds[f"mjSENS_{kind.upper()}"],
                objtype=mujoco.mjtObj.mjOBJ_SITE,
                objname=site.name,
            )
            if kind == "rangefinder":
                # Of all that a ray can tell, only the distance.
                added.intprm[0] = 1 << int(mujoco.mjtRayDataField.mjRAYDATA_DIST)


def wire_sensors(
    model: Any, robots: Sequence[PlacedRobot], motor_rows: Mapping[str, IntArray]
) -> WiredSensors:
    """Return all sensors with their addresses in a compiled model.

    Args:
        model: `mujoco.MjModel`.
        robots: The robots.
        motor_rows: Rows of the motors of each robot, in the order of its joints; -1
            for joints without one.
    """
    names: list[str] = []
    sensors: list[Sensor] = []
    wirings: list[Wiring] = []
    for placed in robots:
        joints = _joint_places(model, placed, motor_rows[placed.name])
        link_names = placed.robot.model.link_names
        bodies = [model.body(body).id for body in placed.bodies]
        links = dict(zip(link_names, bodies, strict=True))
        ends = {link: _subtree_end(model, body) for link, body in links.items()}
        for name, sensor in placed.robot.sensors.items():
            full = f"{placed.name}/{name}"
            engine = [f"{full}/{kind}" for kind in mujoco_sensors(sensor)]
            wiring = wire_sensor(
                sensor,
                joints=joints,
                links=links,
                subtree_ends=ends,
                site=model.site(full).id if engine else -1,
                sensordata=int(model.sensor(engine[0]).adr[0]) if engine else -1,
            )
            names.append(full)
            sensors.append(sensor)
            wirings.append(wiring)
    return WiredSensors(tuple(names), tuple(sensors), tuple(wirings))


def _joint_places(
    model: Any, placed: PlacedRobot, rows: IntArray
) -> dict[str, JointPlace]:
    places: dict[str, JointPlace] = {}
    model_names = placed.robot.model.joint_names
    for name, full, row in zip(model_names, placed.joints, rows, strict=True):
        joint = model.joint(full).id
        places[name] = JointPlace(
            qpos=int(model.jnt_qposadr[joint]),
            dof=int(model.jnt_dofadr[joint]),
            motor=int(row),
        )
    return places


def _subtree_end(model: Any, body: int) -> int:
    """Return the first body behind a subtree; the engine numbers depth first."""
    end = body + 1
    while end < model.nbody and model.body_parentid[end] >= body:
        end += 1
    return end
