"""Timing of the leg computer as the thesis measured and simulated it.

Only sums are printed: 633.98 us for the longest pass without inverse kinematics,
1332.8 us with it. The shares below are assumed and add up to these sums.
"""

from __future__ import annotations

from dataclasses import dataclass

from gelenk.errors import ConfigError

NOMINAL_CLOCK = 18.432e6  # [Hz], of the prototype
LOW_CLOCK = 16.0e6  # [Hz], the grade of the part
LOOP_PASS = 633.98e-6  # [s], longest pass without inverse kinematics, T
LOOP_PASS_IK = 1332.8e-6  # [s], longest pass with it, T
ISR_PERIOD, ISR_TIME = 6.9e-6, 1.84e-6  # [s], T
ISR_CHANNELS = 8
ETHERNET_ONE_WAY = 334e-6  # [s], at most, filter and first packet included, T
USART_BYTE = 8 / 115200  # [s], T, without start and stop bits
MOVE_POINT = 706.93e-6  # [s], Move2Point without the interrupt, T

_IK_SHARE = LOOP_PASS_IK - LOOP_PASS
# [s] at the nominal clock, A; the parts of a pass that depend on what it did.
_RECEIVE, _DISPATCH, _SEND = 22.0e-6, 38.0e-6, 22.0e-6
_ROTATION = {"idle": 16.0e-6, "drive": 62.0e-6, "decelerate": 88.0e-6}
_TORQUE, _TOUCH, _REAL_SPEED = 9.0e-6, 36.0e-6, 14.0e-6
_REST = LOOP_PASS - (
    _RECEIVE
    + _DISPATCH
    + _SEND
    + 4 * (_ROTATION["decelerate"] + _TORQUE)
    + _TOUCH
    + _REAL_SPEED
)


@dataclass(slots=True, kw_only=True)
class PassWork:
    """What one pass of the super-loop did, counted by the leg computer.

    Attributes:
        received: Whether a packet was taken.
        dispatched: Whether MotionCtrl took a message.
        sent: Whether a packet was handed out.
        idle: Actors at rest.
        decelerating: Actors on the way down their ramp.
        touched: Whether the toes were polled.
        looked: Whether CalcRealSpeed ran.
        solved: How often the inverse kinematics ran.
    """

    received: bool = False
    dispatched: bool = False
    sent: bool = False
    idle: int = 4
    decelerating: int = 0
    touched: bool = False
    looked: bool = False
    solved: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class McuTiming:
    """Duration of passes at a clock.

    Attributes:
        clock: [Hz]; the printed times hold for 18.432 MHz and scale with it.
    """

    clock: float = NOMINAL_CLOCK

    def __post_init__(self) -> None:
        if self.clock <= 0:
            raise ConfigError(f"clock must be above 0 Hz, got {self.clock}")

    @property
    def scale(self) -> float:
        """Factor on all printed times."""
        return NOMINAL_CLOCK / self.clock

    @property
    def longest_pass(self) -> float:
        """Longest pass without inverse kinematics [s]."""
        return LOOP_PASS * self.scale

    @property
    def longest_pass_ik(self) -> float:
        """Longest pass with inverse kinematics [s]."""
        return LOOP_PASS_IK * self.scale

    def duration(self, work: PassWork) -> float:
        """Return how long a pass took [s]."""
        driving = 4 - work.idle - work.decelerating
        time = _REST + 4 * _TORQUE
        time += work.idle * _ROTATION["idle"] + driving * _ROTATION["drive"]
        time += work.decelerating * _ROTATION["decelerate"]
        time += _RECEIVE * work.received + _DISPATCH * work.dispatched
        time += _SEND * work.sent + _TOUCH * work.touched + _REAL_SPEED * work.looked
        time += _IK_SHARE * work.solved
        return time * self.scale

    def min_step(self) -> float:
        """Return the spacing of via points that still glides [m], T at two clocks."""
        return 0.003 if self.clock >= NOMINAL_CLOCK else 0.005


def with_interrupts(time: float, *, literal: bool = False) -> float:
    """Return how long code of `time` [s] takes while the converter interrupts it.

    Args:
        time: Without interrupts [s].
        literal: As printed: the interrupts of the bare time only. The interrupts that
            fall into the stretch count too, which is the default.
    """
    load = ISR_TIME / ISR_PERIOD
    return time * (1.0 + load) if literal else time / (1.0 - load)


def stop_bound(timing: McuTiming) -> float:
    """Return the longest time from `stop` to drives without current [s]."""
    return ETHERNET_ONE_WAY + timing.longest_pass_ik


def sync_time(timing: McuTiming) -> float:
    """Return the time of one synchronised via step [s]: report and release."""
    return 2.0 * (ETHERNET_ONE_WAY + timing.longest_pass)


def transfer_time(packets: int, timing: McuTiming) -> float:
    """Return the time to take a message at one packet per pass [s]."""
    return packets * timing.longest_pass
