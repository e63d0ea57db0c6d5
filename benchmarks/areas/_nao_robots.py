"""Many NAOs, before and after their calibration: how they stand, walk and repeat."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.robots.nao.checks.validation import (
    BETTER,
    MAX_HEIGHT,
    MAX_TILT,
    check_boards,
    check_standing,
    compare_runs,
)
from gelenk.robots.nao.checks.walk import placement_rms, walk_cycle
from gelenk.robots.nao.errors import draw_errors
from testkit.nao_robots import calibrated_robot, given_bodies

ANGLE_SPREAD, PITCH_SPREAD = 0.2, 0.19  # [deg], Kastner 2014: most angles; pitch sums


def stand_and_walk(settings: Settings) -> Iterator[Row]:
    """TC9: stand in physics, feet along a walk; robots with systematic errors."""
    rng, bodies, walk = settings.rng(), given_bodies(), walk_cycle()
    stands: list[tuple[float, ...]] = []
    walks: list[tuple[float, float]] = []
    boards: list[tuple[float, float]] = []
    good = 0
    for number in range(settings.pick(20, 4)):
        settings.tell(f"robot {number + 1}")
        errors = draw_errors(rng, level=3)
        robot = calibrated_robot(errors, bodies, rng)
        seen = check_boards(robot.problem, robot.calibration.values, robot.sights)
        boards.append((seen.rms_before, seen.rms_after))
        known = robot.compensation
        check = check_standing(errors, known)
        good += check.is_good
        stands.append((*check.heights, *check.tilts))
        walks.append((placement_rms(errors, walk), placement_rms(errors, walk, known)))
    count = len(walks)
    height_0, height, tilt_0, tilt = np.array(stands).T
    yield Row(
        name="stand_height",
        value=float(height.max()) * 1e3,
        unit="mm",
        target=MAX_HEIGHT * 1e3,
        peers={"not calibrated": float(height_0.max()) * 1e3},
        note=f"worst of {count} robots, physics with sag and play; {good} of {count} "
        "level and flat",
    )
    yield Row(
        name="stand_tilt",
        value=float(np.rad2deg(tilt.max())),
        unit="deg",
        target=float(np.rad2deg(MAX_TILT)),
        peers={"not calibrated": float(np.rad2deg(tilt_0.max()))},
        note="larger angle of a sole with the floor, worst robot",
    )
    before, after = np.array(walks).T
    yield Row(
        name="walk_feet_better",
        value=float(before.mean() / after.mean()),
        unit="1",
        target=BETTER,
        direction=">=",
        note=f"times; rms along a cycle {1e3 * before.mean():.1f} mm before, "
        f"{1e3 * after.mean():.2f} mm after, {count} robots",
    )
    yield Row(
        name="robots_made_worse",
        value=float((after > before).sum() + (tilt > tilt_0).sum()),
        unit="1",
        target=0.0,
        note="feet along the walk, tilt of the soles",
    )
    first, second = np.array(boards).T
    yield Row(
        name="board_rms",
        value=float(second.max()),
        unit="px",
        target=1.0,
        peers={"not calibrated": float(first.mean())},
        note="projected from rounded readings, worst robot",
    )


def repeated_runs(settings: Settings) -> Iterator[Row]:
    """TC8: three runs of each robot, other noise and other rounding of the readings."""
    rng, bodies = settings.rng(), given_bodies()
    spreads: list[float] = []
    sums: list[float] = []
    for _ in range(settings.pick(4, 2)):
        errors = draw_errors(rng, level=3)
        runs = [calibrated_robot(errors, bodies, rng).calibration for _ in range(3)]
        repeats = compare_runs(runs)
        angles = [
            u == "rad" and "Play" not in n
            for n, u in zip(repeats.names, repeats.units, strict=True)
        ]
        spreads.append(float(np.rad2deg(repeats.spread[angles].max())))
        sums.append(float(np.rad2deg(repeats.worst_pitch_sum)))
    yield Row(
        name="repeat_angle",
        value=max(spreads),
        unit="deg",
        target=ANGLE_SPREAD,
        peers={"Kastner 2014, printed": 0.477},
        note="largest spread of an angle between three runs of a robot",
    )
    yield Row(
        name="repeat_pitch_sum",
        value=max(sums),
        unit="deg",
        target=PITCH_SPREAD,
        peers={"Kastner 2014, printed": 0.19},
        note="hip, knee and ankle pitch of one leg together",
    )


FIGURES = (stand_and_walk, repeated_runs)
