"""EX-13 to EX-17: what the servos can do, and how they answer a step."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from experiments.figures import ComparedFigure
from experiments.piggy.drive_bench import CYCLE, STEP, DriveBench, swing
from gelenk.robots.piggy.control.state import MotionCfg
from gelenk.robots.piggy.hardware.servo import ServoMode

COUNT_SPEED = 6.0  # [deg/s], one count in one cycle
SPIKE = 1200.0  # [deg/s^2], one count up and down again


def encoder_flicker() -> list[ComparedFigure]:
    """EX-13: the encoder of a resting motor."""
    bench = DriveBench(q=np.deg2rad([10.0, 20.03]))
    bench.start(2.0)
    bench.control.log.clear()
    bench.run(3.0)
    log = bench.control.log.table()
    speed = np.rad2deg(np.abs(log["qd"])).max()
    spike = np.rad2deg(np.abs(log["qdd"])).max()
    steps = np.rad2deg(np.diff(log["derivative"], axis=0))
    slope = np.abs(steps).max() / (CYCLE * STEP)
    return [
        ComparedFigure(
            experiment="EX-13",
            quantity="speed that one flickering count of a resting motor fakes",
            value=float(speed),
            unit="deg/s",
            thesis="6",
            accepted=(COUNT_SPEED - 0.1, COUNT_SPEED + 0.1),
        ),
        ComparedFigure(
            experiment="EX-13",
            quantity="acceleration that it fakes",
            value=float(spike),
            unit="deg/s^2",
            thesis="1200",
            accepted=(0.5 * SPIKE - 1.0, SPIKE + 1.0),
            note="1200 where a count flickers up and back in two cycles",
        ),
        ComparedFigure(
            experiment="EX-13",
            quantity="of which the filtered derivative lets through",
            value=float(slope / spike),
            accepted=(0.0, 0.75),
        ),
    ]


def speed_and_acceleration() -> list[ComparedFigure]:
    """EX-14, EX-15: mean speed of a long swing, acceleration from upright."""
    figures: list[ComparedFigure] = []
    for share in (0.7, 1.0):
        mean, peak = _swing_speed(share)
        figures.append(
            ComparedFigure(
                experiment="EX-14",
                quantity=f"mean speed from -60 to 58 deg at {share:.0%} torque",
                value=mean,
                unit="deg/s",
                thesis="about 180 at 70 %" if share < 1.0 else "",
                accepted=(150.0, 210.0) if share < 1.0 else None,
                note=f"peak {peak:.0f} deg/s",
            )
        )
    figures.extend(
        ComparedFigure(
            experiment="EX-15",
            quantity=f"acceleration of the bat from upright at {share:.0%} torque",
            value=_start_acceleration(share),
            unit="deg/s^2",
            thesis="about 1800" if share < 1.0 else "",
            accepted=(1500.0, 2100.0) if share < 1.0 else None,
        )
        for share in (0.7, 1.0)
    )
    return figures


def _open_loop(
    bench: DriveBench, share: float, until: float
) -> list[tuple[float, float]]:
    """Drive tilt with a share of the torque; return true times and tilts of the bat."""
    for servo in bench.unit.servos:
        servo.open()
    tilt = bench.unit.servos[1]
    tilt.set_mode(ServoMode.TORQUE)
    begin = bench.world.time
    way: list[tuple[float, float]] = []
    while bench.world.time - begin < 2.0:
        angle = math.degrees(bench.bat[1])
        way.append((bench.world.time - begin, angle))
        if angle > until:
            break
        if len(way) % CYCLE == 1:
            tilt.write_torque(share)
        bench.world.step()
    return way


def _swing_speed(share: float) -> tuple[float, float]:
    """Return mean and peak speed from -60 to 58 degrees of tilt [deg/s]."""
    bench = DriveBench(q=np.deg2rad([0.0, -60.0]))
    bench.world.run(0.5)
    way = np.array(_open_loop(bench, share, 58.0))
    moving = way[way[:, 1] > way[0, 1] + 0.5]
    speed = np.gradient(way[:, 1], way[:, 0])
    return 118.0 / (moving[-1, 0] - moving[0, 0]), float(speed.max())


def _start_acceleration(share: float) -> float:
    """Return the bat's largest acceleration, mean over 20 ms [deg/s^2]."""
    bench = DriveBench(q=np.deg2rad([0.0, 0.0]))
    bench.world.run(0.1)
    way = np.array(_open_loop(bench, share, 40.0))
    speed = np.gradient(way[:, 1], STEP)
    return float((speed[20:] - speed[:-20]).max() / (20 * STEP))


def as_in_thesis(cfg: MotionCfg) -> MotionCfg:
    """Return settings with the derivative of the motor's error on direct moves too."""
    return replace(cfg, direct=None)


def step_responses() -> list[ComparedFigure]:
    """EX-16: two steps of the tilt; the play is seen in the motor's speed."""
    figures: list[ComparedFigure] = []
    for degrees in (15.0, 40.0):
        bench = DriveBench(q=np.deg2rad([0.0, 3.0]), change=as_in_thesis)
        bench.start(0.6)
        # The bat hangs on the lower flank: going down, the motor first crosses the gap.
        bench.control.reach(np.deg2rad([0.0, 3.0 + degrees]))
        run = bench.run(1.2)
        speed = np.diff(run.motor[:, 1]) / (CYCLE * STEP)
        first = int(np.argmax(speed[:6]))
        dip = first + int(np.argmin(speed[first : first + 8]))
        later = float(speed[dip:].max())
        figures.append(
            ComparedFigure(
                experiment="EX-16",
                quantity=f"step of {degrees:.0f} deg: the motor's first rush, over "
                "what is left of it when the teeth meet",
                value=float(speed[first] / max(speed[dip], 1.0)),
                thesis="very fast start, near stop, slower rise",
                accepted=(1.5, math.inf),
                note=f"{speed[first]:.0f}, {speed[dip]:.0f}, then {later:.0f} deg/s",
            )
        )
        torque = run.torque[:, 1] - run.torque[-30:, 1].mean()
        changes = np.count_nonzero(np.diff(np.sign(torque[np.abs(torque) > 0.2])))
        figures.append(
            ComparedFigure(
                experiment="EX-16",
                quantity=f"step of {degrees:.0f} deg: the torque changes its sign",
                value=float(changes),
                unit="times",
                thesis="torque follows at once and rings at the target",
                accepted=(1.0, math.inf),
                note=f"rings by {swing(run.motor[30:60, 1:], tail=30):.1f} deg",
            )
        )
    return figures


def steady_errors() -> list[ComparedFigure]:
    """EX-17: the error that remains with and without gravity compensation."""
    errors: dict[tuple[str, bool], float] = {}
    for is_on in (True, False):
        bench = DriveBench(
            change=lambda cfg, on=is_on: replace(
                as_in_thesis(cfg), gravity_compensation=on
            )
        )
        bench.start()
        for axis, joint in enumerate(("roll", "tilt")):
            worst: list[float] = []
            for degrees in (20.0, 30.0, 40.0):
                pose = np.zeros(2)
                pose[axis] = np.deg2rad(degrees)
                bench.control.reach(pose)
                run = bench.run(1.6)
                worst.append(abs(float(run.encoder[-30:, axis].mean()) - degrees))
            errors[joint, is_on] = float(np.mean(worst))
    figures: list[ComparedFigure] = []
    printed = {
        "roll": ("2.16 / 1.65 -> 0.65 / 0.15", 0.65),
        "tilt": ("0.95 / 1.15 -> 0.23 / 0.27", 0.4),
    }
    for joint, (thesis, limit) in printed.items():
        on, off = errors[joint, True], errors[joint, False]
        figures += [
            ComparedFigure(
                experiment="EX-17",
                quantity=f"{joint}: mean error at 20, 30, 40 deg with compensation",
                value=on,
                unit="deg",
                thesis=thesis,
                accepted=(0.0, limit),
            ),
            ComparedFigure(
                experiment="EX-17",
                quantity=f"{joint}: compensation makes it smaller by",
                value=off / max(on, 1e-6),
                unit="times",
                thesis="3.3 to 11",
                accepted=(3.0, math.inf),
                note=f"{off:.2f} deg without",
            ),
        ]
    return figures
