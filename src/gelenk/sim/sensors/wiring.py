"""Where in the world a sensor finds what it measures: names become addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim.sensors.descriptions import (
    Encoder,
    MotorCurrent,
    MotorTemperature,
    Potentiometer,
    Sensor,
    TouchSwitch,
    mount,
)

_Place = TypeVar("_Place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Where in the world a sensor finds what it measures.

    Attributes:
        qpos: Addresses of joint values: Encoder (joint side), Potentiometer.
        dof: Addresses of joint speeds: Encoder (joint side), Potentiometer.
        motors: Rows of the motor bank: Encoder (motor side), MotorCurrent,
            MotorTemperature.
        bodies: Of the pressed links (TouchSwitch); the one body that carries the
            sensor (Imu, ForceTorque).
        subtree_end: First body that no longer hangs on that one (ForceTorque).
        site: Of the sensor (Imu, ForceTorque).
        sensordata: Address of its first number among the engine's sensors (Imu,
            RangeSensor, ForceTorque).
    """

    qpos: tuple[int, ...] = ()
    dof: tuple[int, ...] = ()
    motors: tuple[int, ...] = ()
    bodies: tuple[int, ...] = ()
    subtree_end: int = 0
    site: int = -1
    sensordata: int = -1


class JointPlace(NamedTuple):
    """Addresses of a joint of one degree of freedom.

    Attributes:
        qpos: Of its value.
        dof: Of its speed.
        motor: Row of its motor, -1: none.
    """

    qpos: int
    dof: int
    motor: int = -1


def wire_sensor(
    sensor: Sensor,
    *,
    joints: Mapping[str, JointPlace],
    links: Mapping[str, int],
    subtree_ends: Mapping[str, int] | None = None,
    site: int = -1,
    sensordata: int = -1,
) -> Wiring:
    """Return the wiring of a robot's sensor.

    Args:
        sensor: Description.
        joints: Joints of the robot by name, in the order of its model.
        links: Body of each link.
        subtree_ends: First body behind the subtree of each link.
        site: Of a mounted sensor.
        sensordata: Address of its first number among the engine's sensors.

    Raises:
        NameNotFoundError: If a joint or link does not exist.
        ConfigError: If a motor is to be read where there is none.
    """
    place = mount(sensor)
    if place is not None:
        body = _get("link", place.link, links)
        end = (subtree_ends or {}).get(place.link, body + 1)
        return Wiring(bodies=(body,), subtree_end=end, site=site, sensordata=sensordata)
    if isinstance(sensor, TouchSwitch):
        return Wiring(bodies=tuple(_get("link", name, links) for name in sensor.links))
    if isinstance(sensor, Potentiometer):
        places = [_get("joint", sensor.joint, joints)]
    else:
        assert isinstance(sensor, Encoder | MotorCurrent | MotorTemperature)
        places = _joints_of(sensor, joints)
    return Wiring(
        qpos=tuple(place.qpos for place in places),
        dof=tuple(place.dof for place in places),
        motors=tuple(place.motor for place in places if place.motor >= 0),
    )


def _joints_of(
    sensor: Encoder | MotorCurrent | MotorTemperature,
    joints: Mapping[str, JointPlace],
) -> Sequence[JointPlace]:
    """Return the joints that are read: those named, or all that can be."""
    reads_motors = not isinstance(sensor, Encoder) or sensor.side == "motor"
    named = [_get("joint", name, joints) for name in sensor.joints]
    without = [name for name in sensor.joints if joints[name].motor < 0]
    if reads_motors and without:
        raise ConfigError(
            f"{type(sensor).__name__} reads motors, but {', '.join(without)} has none"
        )
    if named:
        return named
    return [p for p in joints.values() if p.motor >= 0 or not reads_motors]


def _get(kind: str, name: str, places: Mapping[str, _Place]) -> _Place:
    if name not in places:
        raise NameNotFoundError(kind, name, places)
    return places[name]
