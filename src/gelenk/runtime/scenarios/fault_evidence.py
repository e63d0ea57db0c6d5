"""Evidence of a fault in a recording of the stand: did it strike, as it should?

Everything is taken from the recording. Each check returns what is wrong, in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gelenk.runtime.events import CONTROLLER_TOPIC, WATCHDOG_TOPIC
from gelenk.runtime.message_faults import FAULT_TOPIC
from gelenk.runtime.recording import RecordedMessage, open_recording
from gelenk.runtime.scenarios.fault_stand import (
    BOOM_LENGTH,
    NOISE,
    PERIOD,
    ROTOR_INERTIA,
    arm_model,
    arm_target,
    boom_target,
)
from gelenk.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from gelenk.sim.faults import Fault, FaultKind

MOVED = 0.03  # [rad]: a joint that sways moves more than this while a fault lasts
MUTE = 0.01  # share of the usual torque that counts as none
GRAVITY = 9.81  # [m/s^2]
SETTLE = 0.7  # [s] from the end of a fault to the time when all must be well again
TRACKING = 0.15  # [rad]: how far the arm may be from where it shall be, all being well
_TICK_NS = round(PERIOD * 1e9)
Problems = Iterator[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """A recording of the stand.

    Attributes:
        fault: Fault of the stand.
        time: Control ticks [s], (n,).
        q, qd: True joint values [rad] and speeds [rad/s] of the arm, (n, 2).
        reading: Joint values that were read [rad], (n, 2).
        reading_time: Times of their samples [s], (n,).
        current: Currents of the motors [A], (n, 2).
        boom: Angle [rad] and speed [rad/s] of the boom, (n, 2).
        beats: Heartbeats as they were delivered.
        events: Messages on the topic of faults, by their fields.
        changes: Changes of the controllers, by their fields.
        barks: Barks of the watchdog, by their fields.
    """

    fault: Fault
    time: FloatArray
    q: FloatArray
    qd: FloatArray
    reading: FloatArray
    reading_time: FloatArray
    current: FloatArray
    boom: FloatArray
    beats: list[RecordedMessage]
    events: list[RecordedMessage]
    changes: list[RecordedMessage]
    barks: list[RecordedMessage]

    @property
    def during(self) -> BoolArray:
        """Control ticks at which the fault acts and what it does can be seen, (n,)."""
        start, end = self.fault.start, self.fault.end
        return (self.time >= start + 2.0 * PERIOD) & (self.time < end - 1e-9)

    @property
    def before(self) -> BoolArray:
        """Control ticks before the fault, once the encoders have begun, (n,)."""
        is_read = np.isfinite(self.reading).all(axis=1)
        return is_read & (self.time < self.fault.start)

    def residuals(self, rows: BoolArray) -> FloatArray:
        """Return reading minus truth at the time of the sample [rad], (k, 2)."""
        # Samples are taken at control ticks: the truth of then was recorded.
        then = np.rint(self.reading_time[rows] / PERIOD).astype(int)
        return self.reading[rows] - self.q[then]

    @property
    def hits(self) -> list[int]:
        """Numbers of the heartbeats that the fault hit."""
        events = [event.value for event in self.events]
        return [event["number"] for event in events if event["phase"] == "hit"]


def read_evidence(path: Path, fault: Fault) -> Evidence:
    """Return what a recording holds, as far as it has been written."""
    with open_recording(path) as recording:
        stand = list(recording.messages("stand"))

        def column(name: str) -> FloatArray:
            return recording.arrays("stand", name)[1].astype(np.float64)

        return Evidence(
            fault=fault,
            time=np.array([message.publish_time_ns / 1e9 for message in stand]),
            q=column("q"),
            qd=column("qd"),
            reading=column("reading"),
            reading_time=column("reading_time"),
            current=column("current"),
            boom=column("boom"),
            beats=list(recording.messages("heartbeat")),
            events=list(recording.messages(FAULT_TOPIC)),
            changes=list(recording.messages(CONTROLLER_TOPIC)),
            barks=list(recording.messages(WATCHDOG_TOPIC)),
        )


def find_problems(seen: Evidence, seconds: float) -> list[str]:
    """Return all that is wrong: effect, report, alarm, survival."""
    return [
        *CHECKS[seen.fault.kind](seen),
        *_check_report(seen),
        *_check_alarm(seen),
        *_check_survival(seen, seconds),
    ]


def report_delay(seen: Evidence) -> float:
    """Return the time from the fault to the first word of it [s]; inf: no word."""
    told = [event.time for event in seen.events if event.value["phase"] == "start"]
    return told[0] - seen.fault.start if told else np.inf


def recovery_error(seen: Evidence) -> float:
    """Return how far the arm is from its target in the end [rad]."""
    late = seen.time >= seen.fault.end + SETTLE
    error = np.abs(seen.q[late] - arm_target(seen.time[late]))
    return float(error.max(initial=0.0)) if late.any() else np.inf


def _check_report(seen: Evidence) -> Problems:
    fault = seen.fault
    told = [
        (event.value["phase"], event.value["time"])
        for event in seen.events
        if event.value["phase"] != "hit" and event.value["kind"] == fault.kind
    ]
    if told != [("start", round(fault.start, 9)), ("end", round(fault.end, 9))]:
        yield f"the recording says {told} about the fault"
    if not report_delay(seen) <= 2.0 * PERIOD + 1e-9:
        yield f"the fault was reported {report_delay(seen):.3f} s late"


def _check_alarm(seen: Evidence) -> Problems:
    kinds = ("message_lost", "message_delayed", "process_killed", "power_gone")
    is_due = seen.fault.kind in kinds
    if len(seen.barks) != int(is_due):
        yield f"the watchdog barked {len(seen.barks)} times instead of {int(is_due)}"


def _check_survival(seen: Evidence, seconds: float) -> Problems:
    if seen.time[-1] < seconds - 1.5 * PERIOD:
        yield f"the run ended at {seen.time[-1]:.2f} s"
    if not recovery_error(seen) <= TRACKING:
        yield f"the arm is {recovery_error(seen):.2f} rad off in the end"
    last = {change.value["controller"]: change.value for change in seen.changes}
    for name, change in last.items():
        is_closed = change["reason"] == "the run was closed"
        if not (is_closed and change["previous"] == "running"):
            yield f"controller {name} did not run in the end: {change['reason']}"


def motor_torques(seen: Evidence) -> FloatArray:
    """Return what the motors must have given, by the motion alone [N m], (n - 1, 2).

    Mean between two control ticks each: what inverse dynamics asks for, and what turns
    the rotors.
    """
    q, qd = (0.5 * (x[1:] + x[:-1]) for x in (seen.q, seen.qd))
    qdd = np.diff(seen.qd, axis=0) / PERIOD
    return arm_model().inverse_dynamics(q, qd, qdd) + ROTOR_INERTIA * qdd


def _check_dead(seen: Evidence, joints: list[int]) -> Problems:
    """Say if motors that should be dead have current or torque, or others have none."""
    is_dead = seen.during[:-1] & seen.during[1:]
    torque = motor_torques(seen)
    usual = np.abs(torque[seen.before[:-1]]).max(axis=0)
    for joint in range(torque.shape[1]):
        current = np.abs(seen.current[seen.during][:, joint]).max()
        found = np.abs(torque[is_dead][:, joint]).max()
        if (current > 0.0) == (joint in joints):
            yield f"motor {joint} has a current of {current:.3f} A"
        if (found > MUTE * usual[joint]) == (joint in joints):
            yield f"motor {joint} gives {found:.3f} N m, and {usual[joint]:.3f} before"


def _check_motor_dead(seen: Evidence) -> Problems:
    return _check_dead(seen, [0])


def _check_joint_locked(seen: Evidence) -> Problems:
    moved = np.ptp(seen.q[seen.during], axis=0)
    if moved[1] != 0.0:
        yield f"the locked joint moves by {moved[1]:.2e} rad"
    if not (moved[0] > MOVED and np.ptp(seen.q[seen.before][:, 1]) > MOVED):
        yield "the joints stand still anyway"


def _check_joint_limp(seen: Evidence) -> Problems:
    """Compare with the fall of a rod about its end, integrated here."""
    fall = seen.boom[seen.during]
    angle, speed = fall[0]
    expected = [angle]
    fine = 20
    h = PERIOD / fine
    for _ in range((len(fall) - 1) * fine):
        # Leapfrog; (1/3 m l^2) q'' = 1/2 m g l sin(q)
        middle = angle + 0.5 * h * speed
        speed += h * 1.5 * GRAVITY / BOOM_LENGTH * np.sin(middle)
        angle = middle + 0.5 * h * speed
        expected.append(angle)
    error = np.abs(fall[:, 0] - expected[::fine]).max()
    if error > 0.02:
        yield f"the limp boom falls {error:.3f} rad off a free rod"
    if not abs(fall[-1, 0] - fall[0, 0]) > 5.0 * MOVED:
        yield "the limp boom does not fall"


def _check_frozen(seen: Evidence) -> Problems:
    rows = seen.during
    if np.ptp(seen.reading[rows], axis=0).any():
        yield "the frozen encoders change"
    if not (np.ptp(seen.q[rows], axis=0) > MOVED).all():
        yield "the arm stands still anyway"
    yield from _check_healthy(seen)


def _check_biased(seen: Evidence) -> Problems:
    errors = seen.residuals(seen.during)
    mean = errors.mean(axis=0)
    if not (np.abs(mean - seen.fault.amount) < 5.0 * NOISE / len(errors) ** 0.5).all():
        yield f"the bias is {mean} rad instead of {seen.fault.amount}"
    yield from _check_healthy(seen)


def _check_noisy(seen: Evidence) -> Problems:
    errors = seen.residuals(seen.during)
    expected = np.hypot(seen.fault.amount, NOISE)
    sd = float(np.sqrt(np.mean(errors**2)))
    # The standard deviation of n draws scatters by 1 / sqrt(2 n): five times that.
    if not abs(sd / expected - 1.0) < 5.0 / np.sqrt(2.0 * errors.size):
        yield f"the noise is {sd:.4f} rad instead of {expected:.4f}"
    yield from _check_healthy(seen)


def _check_healthy(seen: Evidence) -> Problems:
    """Say if the encoders were not as good as they should be before and after."""
    late = seen.reading_time >= seen.fault.end
    for when, rows in (("before", seen.before), ("after", late)):
        sd = float(np.sqrt(np.mean(seen.residuals(rows) ** 2)))
        if not 0.5 * NOISE < sd < 1.5 * NOISE:
            yield f"{when} the fault the encoders err by {sd:.4f} rad"


def _check_messages(seen: Evidence, copies: int, late: float) -> Problems:
    """Say if hit messages do not arrive `copies` times and `late`, or others do."""
    ticks = round(late / PERIOD) + 1
    counts = Counter(beat.number for beat in seen.beats)
    hits = set(seen.hits)
    start, end = (round(t * 1e9) for t in (seen.fault.start, seen.fault.end))
    meant = -(-end // _TICK_NS) - -(-start // _TICK_NS)
    if len(seen.hits) != meant or len(hits) != meant:
        yield f"{len(seen.hits)} messages were hit instead of {meant}"
    wrong = [n for n in hits if counts[n] != copies]
    if wrong:
        yield f"message {wrong[0]} arrived {counts[wrong[0]]} times"
    total = max(*counts, *hits) + 1
    others = [n for n in range(total) if n not in hits and counts[n] != 1]
    if others:
        yield f"message {others[0]}, unharmed, arrived {counts[others[0]]} times"
    for beat in seen.beats[:-1]:  # the last one is delivered when the run is closed
        took = beat.time_ns - beat.publish_time_ns
        if took != _TICK_NS * (ticks if beat.number in hits else 1):
            yield f"message {beat.number} took {took / 1e6:g} ms"
            return


def _check_outage(seen: Evidence) -> Problems:
    """Say if the arm's computer was not ended, or not started again."""
    fault = seen.fault
    reasons = [
        change.value["reason"]
        for change in seen.changes
        if change.value["controller"] == "brain"
    ]
    expected = [
        "start",
        f"fault: {fault.kind} ({fault.target})",
        f"{fault.kind} is over",
        "the run was closed",
    ]
    if reasons != expected:
        yield f"the arm's computer went through {reasons}"
    sent = [beat.publish_time_ns / 1e9 for beat in seen.beats]
    if any(fault.start + PERIOD <= time < fault.end for time in sent):
        yield "a computer that does not run is alive"
    reboots = [beat for beat in seen.beats if beat.value["count"] == 0]
    if len(reboots) != 2:
        yield f"the arm's computer booted {len(reboots)} times"


def _check_power(seen: Evidence) -> Problems:
    yield from _check_dead(seen, [0, 1])
    yield from _check_outage(seen)
    lag = np.abs(seen.boom[:, 0] - boom_target(seen.time - PERIOD))[1:]
    if lag.max() > 1e-9:
        yield "the boom, which has power, is disturbed"


CHECKS: dict[FaultKind, Callable[[Evidence], Problems]] = {
    "motor_dead": _check_motor_dead,
    "joint_locked": _check_joint_locked,
    "joint_limp": _check_joint_limp,
    "sensor_frozen": _check_frozen,
    "sensor_biased": _check_biased,
    "sensor_noisy": _check_noisy,
    "message_lost": lambda seen: _check_messages(seen, 0, 0.0),
    "message_delayed": lambda seen: _check_messages(seen, 1, seen.fault.amount),
    "message_doubled": lambda seen: _check_messages(seen, 2, 0.0),
    "process_killed": _check_outage,
    "power_gone": _check_power,
}
