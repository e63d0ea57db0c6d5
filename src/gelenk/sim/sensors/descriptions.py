"""Sensors as data: what they measure, where, how often, and how badly.

| sensor | reads | channels |
|---|---|---|
| `Encoder` | joint values or speeds, before or behind the backlash | one per joint |
| `Potentiometer` | a joint angle as counts of a converter | 1 |
| `MotorCurrent` | winding current [A] | one per joint |
| `MotorTemperature` | winding temperature [K] | one per joint |
| `TouchSwitch` | 1 where a link is pressed, else 0 | one per link |
| `Imu` | specific force [m/s^2], angular rate [rad/s], sensor axes | 6 |
| `RangeSensor` | distance along +z of the sensor [m]; inf: nothing there | 1 |
| `ForceTorque` | what the parent does to the link: [f; τ], sensor axes | 6 |
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.se3 import is_pose
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorModel:
    """Timing and errors of a reading.

    reading = quantised(saturated(scale * value + bias + walk + noise)).

    Attributes:
        rate: Samples per second [Hz]; None: one per tick.
        latency: Time from the sample to the moment it can be read [s].
        noise: Standard deviation of each sample, white [unit of the sensor].
        bias: Constant error [unit].
        quantisation: Step of the reading [unit]; 0: continuous.
        drop_out: Probability that a sample is lost.
        saturation: Lowest and highest reading [unit].
        bias_spread: Standard deviation of a further bias, drawn once per channel.
        scale_spread: Standard deviation of the scale error, drawn once per channel.
        random_walk: Growth of a wandering bias [unit / sqrt(s)].

    Example:
        >>> from gelenk.sim import Encoder
        >>> from gelenk.sim.sensors import SensorModel
        >>> Encoder(model=SensorModel(rate=100.0, quantisation=0.001)).model.rate
        100.0
    """

    rate: float | None = None
    latency: float = 0.0
    noise: float = 0.0
    bias: float = 0.0
    quantisation: float = 0.0
    drop_out: float = 0.0
    saturation: tuple[float, float] = (-math.inf, math.inf)
    bias_spread: float = 0.0
    scale_spread: float = 0.0
    random_walk: float = 0.0

    def __post_init__(self) -> None:
        if self.rate is not None and not (math.isfinite(self.rate) and self.rate > 0):
            raise ConfigError(
                f"`rate` must be positive [Hz], or None for one sample per tick, "
                f"got {self.rate}"
            )
        names = ("latency", "noise", "quantisation", "bias_spread", "scale_spread")
        for name in (*names, "random_walk"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise ConfigError(f"`{name}` must be at least 0, got {value}")
        if not math.isfinite(self.bias):
            raise ConfigError(f"`bias` must be finite, got {self.bias}")
        if not 0.0 <= self.drop_out <= 1.0:
            raise ConfigError(f"`drop_out` must lie in [0, 1], got {self.drop_out}")
        low, high = self.saturation
        if not low < high:
            raise ConfigError(f"`saturation` must rise, got {self.saturation}")


def check_same_timing(owner: object, one: SensorModel, other: SensorModel) -> None:
    """Refuse two halves of one sensor that are not read together."""
    for name in ("rate", "latency", "drop_out"):
        pair = getattr(one, name), getattr(other, name)
        if pair[0] != pair[1]:
            raise ConfigError(
                f"`{name}` of both halves of an {type(owner).__name__} must be the "
                f"same, for they share one reading; got {pair[0]} and {pair[1]}"
            )


FOIL_LIFT_OFF = 80.0 / 60.0 * 2.0 * math.pi  # [rad/s], 80 turns per minute


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder:
    """Angles or speeds of joints.

    Attributes:
        joints: Names, in the order of the reading; none: all joints of the robot.
        quantity: Quantity to read: values [rad] or speeds [rad/s].
        side: Side of the gear; "motor" reads the rotor, from which backlash hides the
            link.
        model: Timing and errors; `quantisation` is the step of the encoder.

    Example:
        >>> from gelenk.sim import Encoder
        >>> Encoder(side="motor").side
        'motor'
    """

    joints: tuple[str, ...] = ()
    quantity: Literal["position", "velocity"] = "position"
    side: Literal["joint", "motor"] = "joint"
    model: SensorModel = field(default_factory=SensorModel)

    def __post_init__(self) -> None:
        _check_choice(self, "quantity", ("position", "velocity"))
        _check_choice(self, "side", ("joint", "motor"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Potentiometer:
    """The angle of one joint as counts of an analogue-digital converter.

    Attributes:
        joint: Name of the joint.
        low: Angle at count 0 [rad].
        high: Angle at the highest count [rad]; may be less than `low`.
        bits: Number of bits of the converter.
        lift_off_speed: Faster than this the foil loses its wiper [rad/s].
        open_share: Reading of the converter in the open part, as a share of its range.
        load_ratio: Resistance of the track / that of the converter's input.
        model: Timing and errors [counts]; the quantisation is one count.

    Example:
        >>> from gelenk.sim.sensors import Potentiometer
        >>> Potentiometer(joint="elbow", low=-1.5, high=1.5, bits=10).highest_count
        1023
    """

    joint: str
    low: float
    high: float
    bits: int = 10
    lift_off_speed: float = FOIL_LIFT_OFF
    open_share: float = 0.0
    load_ratio: float = 0.0
    model: SensorModel = field(default_factory=SensorModel)

    def __post_init__(self) -> None:
        span = self.high - self.low
        if not math.isfinite(span) or span == 0.0:
            raise ConfigError(
                f"`low` and `high` must differ and be finite, got {self.low}, "
                f"{self.high}"
            )
        if not 1 <= self.bits <= 32:
            raise ConfigError(f"`bits` must lie in 1..32, got {self.bits}")
        if not self.lift_off_speed > 0.0:
            raise ConfigError(
                f"`lift_off_speed` must exceed 0, got {self.lift_off_speed}"
            )
        if not 0.0 <= self.open_share <= 1.0:
            raise ConfigError(f"`open_share` must lie in [0, 1], got {self.open_share}")
        if not (math.isfinite(self.load_ratio) and self.load_ratio >= 0.0):
            raise ConfigError(f"`load_ratio` must be at least 0, got {self.load_ratio}")

    @property
    def highest_count(self) -> int:
        """The converter's largest number."""
        return 2**self.bits - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MotorCurrent:
    """Winding current of motors [A].

    Attributes:
        joints: Names; none: all driven joints of the robot.
        is_signed: Whether the direction is seen; else the amount only.
        model: Timing and errors.

    Example:
        >>> from gelenk.sim.sensors import MotorCurrent, SensorModel
        >>> MotorCurrent(joints=("elbow",), model=SensorModel(noise=0.01)).joints
        ('elbow',)
    """

    joints: tuple[str, ...] = ()
    is_signed: bool = False
    model: SensorModel = field(default_factory=SensorModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class MotorTemperature:
    """Winding temperature of motors [K].

    Attributes:
        joints: Names; none: all driven joints of the robot.
        model: Timing and errors.

    Example:
        >>> from gelenk.sim.sensors import MotorTemperature, SensorModel
        >>> MotorTemperature(model=SensorModel(rate=1.0, quantisation=0.5)).model.rate
        1.0
    """

    joints: tuple[str, ...] = ()
    model: SensorModel = field(default_factory=SensorModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchSwitch:
    """Whether links are pressed: 1 or 0 each.

    Attributes:
        links: Names of the links that carry a switch.
        threshold: Contact force that closes it [N].
        release: Force below which it opens [N]; `threshold` if not given.
        chatter: Duration of bouncing after each change [s].
        is_latched: Whether a closing between two samples is remembered until read.
        model: Timing and errors; noise and the like make no sense here.

    Example:
        >>> from gelenk.sim.sensors import TouchSwitch
        >>> TouchSwitch(links=("left_foot", "right_foot"), threshold=5.0).links
        ('left_foot', 'right_foot')
    """

    links: tuple[str, ...]
    threshold: float = 1.0
    release: float | None = None
    chatter: float = 0.0
    is_latched: bool = False
    model: SensorModel = field(default_factory=SensorModel)

    def __post_init__(self) -> None:
        if not self.links:
            raise ConfigError("`links` of TouchSwitch must name at least one link")
        if not self.threshold > 0.0:
            raise ConfigError(f"`threshold` must exceed 0 N, got {self.threshold}")
        if self.release is not None and not 0.0 <= self.release <= self.threshold:
            raise ConfigError(
                f"`release` must lie between 0 and `threshold` ({self.threshold} N), "
                f"got {self.release}"
            )
        if not (math.isfinite(self.chatter) and self.chatter >= 0.0):
            raise ConfigError(f"`chatter` must be at least 0 s, got {self.chatter}")


class Mount(NamedTuple):
    """Place of a sensor.

    Attributes:
        link: Name of the link.
        T_link_sensor: Pose of the sensor on it, (4, 4).
    """

    link: str
    T_link_sensor: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Imu:
    """Accelerometer and gyroscope: specific force and angular rate, sensor axes.

    The specific force is the mean since the last sample, blows included; the angular
    rate is that of the moment.

    Attributes:
        link: The link it is fixed to.
        T_link_sensor: Pose of the sensor on the link, (4, 4).
        accelerometer: Timing and errors [m/s^2].
        gyroscope: Errors [rad/s]; timing and drop-outs must be the same.
        misalignment: Standard deviation of the tilt of each triad's axes [rad], drawn
            once.

    Example:
        >>> from gelenk.sim import Imu
        >>> from gelenk.sim.sensors import SensorModel
        >>> imu = Imu(
        ...     link="torso",
        ...     accelerometer=SensorModel(rate=200.0, noise=0.05),
        ...     gyroscope=SensorModel(rate=200.0, noise=0.002),
        ... )
        >>> imu.model.rate
        200.0
    """

    link: str
    T_link_sensor: FloatArray = field(default_factory=lambda: np.eye(4))
    accelerometer: SensorModel = field(default_factory=SensorModel)
    gyroscope: SensorModel = field(default_factory=SensorModel)
    misalignment: float = 0.0

    def __post_init__(self) -> None:
        _freeze_pose(self)
        check_same_timing(self, self.accelerometer, self.gyroscope)
        if not (math.isfinite(self.misalignment) and self.misalignment >= 0.0):
            raise ConfigError(
                f"`misalignment` must be at least 0, got {self.misalignment}"
            )

    @property
    def model(self) -> SensorModel:
        """Timing, which both halves share."""
        return self.accelerometer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RangeSensor:
    """Distance to the first surface along +z of the sensor [m]; inf: none in reach.

    Attributes:
        link: The link it is fixed to.
        T_link_sensor: Pose of the sensor on the link, (4, 4).
        max_range: Farther surfaces are not seen [m].
        model: Timing and errors.

    Example:
        >>> from gelenk.sim import RangeSensor
        >>> print(RangeSensor(link="hand").T_link_sensor[:3, 2])  # its direction
        [0. 0. 1.]
    """

    link: str
    T_link_sensor: FloatArray = field(default_factory=lambda: np.eye(4))
    max_range: float = math.inf
    model: SensorModel = field(default_factory=SensorModel)

    def __post_init__(self) -> None:
        _freeze_pose(self)
        if not self.max_range > 0.0:
            raise ConfigError(f"`max_range` must exceed 0 m, got {self.max_range}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ForceTorque:
    """Force and torque that the parent exerts on a link, at the sensor, sensor axes.

    A still load of weight G hanging below the sensor reads G upwards. The reading is
    the mean since the last sample, blows included.

    Attributes:
        link: The link; the sensor sits between it and its parent.
        T_link_sensor: Pose of the sensor on the link, (4, 4).
        model: Timing and errors of the force [N].
        torque_model: Errors of the torque [N m]; same timing. Those of the force if
            not given.

    Example:
        >>> from gelenk.sim.sensors import ForceTorque, SensorModel
        >>> wrist = ForceTorque(link="hand", model=SensorModel(noise=0.1))
        >>> wrist.torque_model is None  # errors of the torque are those of the force
        True
    """

    link: str
    T_link_sensor: FloatArray = field(default_factory=lambda: np.eye(4))
    model: SensorModel = field(default_factory=SensorModel)
    torque_model: SensorModel | None = None

    def __post_init__(self) -> None:
        _freeze_pose(self)
        if self.torque_model is not None:
            check_same_timing(self, self.model, self.torque_model)


Sensor: TypeAlias = (
    Encoder
    | Potentiometer
    | MotorCurrent
    | MotorTemperature
    | TouchSwitch
    | Imu
    | RangeSensor
    | ForceTorque
)


def mount(sensor: Sensor) -> Mount | None:
    """Return where a sensor needs a site of its own, or None."""
    if isinstance(sensor, Imu | RangeSensor | ForceTorque):
        return Mount(sensor.link, sensor.T_link_sensor)
    return None


def mujoco_sensors(sensor: Sensor) -> tuple[str, ...]:
    """Return the engine's sensors that one of ours reads, all on its own site.

    Their values must lie one after the other in the engine's sensor array.
    """
    if isinstance(sensor, Imu):
        return "accelerometer", "gyro"
    if isinstance(sensor, RangeSensor):
        return ("rangefinder",)
    if isinstance(sensor, ForceTorque):
        return "force", "torque"
    return ()


def _check_choice(owner: object, name: str, choices: tuple[str, ...]) -> None:
    value = getattr(owner, name)
    if value not in choices:
        raise ConfigError(
            f"`{name}` of {type(owner).__name__} must be one of "
            f"{', '.join(choices)}, got {value!r}"
        )


def _freeze_pose(sensor: Imu | RangeSensor | ForceTorque) -> None:
    T = np.array(as_finite("T_link_sensor", sensor.T_link_sensor, (4, 4)))
    if T.shape != (4, 4) or not is_pose(T):
        raise ConfigError(
            f"`T_link_sensor` of the {type(sensor).__name__} on {sensor.link!r} must "
            "be a pose"
        )
    T.setflags(write=False)
    object.__setattr__(sensor, "T_link_sensor", T)
