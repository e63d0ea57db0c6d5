import math

import numpy as np
import pytest

from amee_bench import drive, foot_error, kinds
from gelenk.errors import ConfigError
from gelenk.robots.amee.config import LegCfg, SensorLine
from gelenk.robots.amee.leg import Bench, BenchCfg, LegMcu
from gelenk.robots.amee.leg.calibration import calibrated, find_stops, fit_sensor
from gelenk.robots.amee.leg.self_test import check_at_rest, check_in_motion
from gelenk.robots.amee.wire import Command, Report


@pytest.mark.capability("QW-110")
def test_regression_finds_the_hidden_line_of_a_sensor():
    rng = np.random.default_rng(0)
    angles = np.radians(rng.uniform(-80, 80, 24))
    read = angles + rng.normal(0, np.radians(0.5), 24)  # protractor and plumb line
    counts = np.rint(188.3 * angles + 507.4)
    fit = fit_sensor(read, counts)
    slope, offset = np.polyfit(read, counts, 1)
    assert fit.line.slope == pytest.approx(slope, rel=1e-12)
    assert fit.line.offset == pytest.approx(offset, rel=1e-12)
    assert abs(fit.line.slope - 188.3) < 1.5
    assert abs(fit.line.offset - 507.4) < 2.0
    assert fit.r_squared > 0.999
    bent = counts + 40 * np.sin(6 * angles)
    assert fit_sensor(read, bent).r_squared < 0.985
    with pytest.raises(ConfigError, match="two or more different angles"):
        fit_sensor([1.0, 1.0], [5, 6])


@pytest.mark.capability("QW-110")
def test_a_leg_with_unknown_sensors_is_calibrated_and_then_arrives():
    lines = tuple(
        SensorLine(slope=a, offset=b)
        for a, b in ((180.0, 520.0), (188.0, 660.0), (201.0, 205.0), (190.0, 12.0))
    )
    true = LegCfg(sensors=lines)
    bench = Bench(true, BenchCfg(angles=(0.1, -2.0, 0.9, 2.0)))
    stops, fits = [], []
    rng = np.random.default_rng(1)
    for i in range(4):
        stops.append(find_stops(bench, lambda: bench.advance(0.002), i))
        low, high = true.limits[i]
        angles = np.linspace(low, high, 12)
        counts = [lines[i].counts_from_angle(a) for a in angles]
        fits.append(fit_sensor(angles + rng.normal(0, 0.003, 12), counts))
    cfg = calibrated(LegCfg(), tuple(fits), tuple(stops))
    for (low, high), (real_low, real_high) in zip(cfg.limits, true.limits, strict=True):
        assert abs(low - real_low) < 0.05
        assert abs(high - real_high) < 0.05
    # a computer that knows only what was measured drives the true leg
    bench = Bench(true, BenchCfg(angles=(0.1, -2.0, 0.9, 2.0)))
    bench.mcu = LegMcu(cfg, bench)
    bench.run(0.1)
    assert kinds(drive(bench, Command.MOVE_POINT, 0.05, -0.5, 0.0)) == [Report.READY]
    assert foot_error(bench, (0.05, -0.5, 0.0)) < 0.010
    # without calibration it misses by far
    bench = Bench(true, BenchCfg(angles=(0.1, -2.0, 0.9, 2.0)))
    bench.mcu = LegMcu(LegCfg(), bench)
    bench.run(0.1)
    drive(bench, Command.MOVE_POINT, 0.05, -0.5, 0.0)
    assert foot_error(bench, (0.05, -0.5, 0.0)) > 0.020


def findings(bench):
    advance = lambda: bench.advance(0.002)  # noqa: E731
    found = check_at_rest(bench.cfg, bench, advance)
    found += check_in_motion(bench.cfg, bench, advance)
    return {(item.cause, item.actor) for item in found}


def test_a_healthy_leg_passes_its_self_test_where_it_was():
    bench = Bench()
    before = list(bench.q)
    assert findings(bench) == set()
    assert bench.q == pytest.approx(before, abs=math.radians(8))
    assert bench.codes == [0] * 4


def test_every_defect_is_named():
    bench = Bench()
    bench.frozen_sensors.update({0: 0, 1: 1023})
    bench.dead_drives.add(2)
    bench.toes_forced = 0x01
    bench.supply = 9.0
    found = findings(bench)
    assert {
        ("cable", 0),
        ("magnet", 1),
        ("drive", 2),
        ("toe", -1),
        ("supply", -1),
    } <= found
    assert not any(actor == 3 for _, actor in found)
    bench = Bench()
    bench.frozen_sensors[3] = 500
    assert ("frozen", 3) in findings(bench)


def test_swapped_wires_are_seen_in_motion():
    bench = Bench()
    real = bench.set_motors
    swap = np.array([0, 2, 1, 3])

    def crossed(codes, speeds):
        codes = codes.copy()
        codes[2] = swap[codes[2]]
        real(codes, speeds)

    bench.set_motors = crossed
    assert findings(bench) == {("swapped", 2)}
