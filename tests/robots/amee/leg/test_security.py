import ast
import gc
import sys
from pathlib import Path

import numpy as np
import pytest

import gelenk.robots.amee.leg as leg_package
from amee_bench import BEGIN, END, drive, flat, kinds, make_bench
from gelenk.robots.amee.config import LegCfg, WatchdogCfg
from gelenk.robots.amee.leg import Bench
from gelenk.robots.amee.leg.control.record import Rotation
from gelenk.robots.amee.leg.io import LegIo, smooth
from gelenk.robots.amee.wire import Command, ErrorCode, Message, Report

MOVE = (Command.MOVE_POINT, 0.0, -0.45, 0.0)


@pytest.mark.capability("QW-48", "QW-118")
@pytest.mark.parametrize(("value", "actor"), [(0, 1), (1023, 3), (4, 0)])
def test_a_broken_sensor_stops_all_drives_and_is_named(value, actor):
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.4)
    assert any(bench.speeds)
    bench.frozen_sensors[actor] = value
    bench.run(0.026)
    assert bench.codes == [0] * 4
    bench.run(0.02)
    assert [m for _, m in bench.messages] == [
        Message(Report.SENSOR_FAULT, (float(actor),))
    ]
    assert bench.computer.control.actors[2].rotation == Rotation.SENSOR_FAULT
    bench.frozen_sensors.clear()
    bench.command(*MOVE)
    bench.run(0.5)
    assert bench.speeds == [0] * 4  # only a stop clears it
    bench.command(Command.STOP)
    bench.run(0.01)
    assert kinds(drive(bench, *MOVE)) == [Report.READY]


@pytest.mark.capability("QW-17")
@pytest.mark.parametrize("value", [0, 1023])
def test_a_sensor_that_loses_its_wiper_for_milliseconds_is_not_broken(value):
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.4)
    for _ in range(3):
        before = bench.computer.io.angles[3]
        bench.frozen_sensors[3] = value
        for _ in range(5):  # 10 ms, as when a worn joint falls through its play
            bench.run(0.002)
            assert bench.computer.io.angles[3] == before
        bench.frozen_sensors.clear()
        bench.run(0.02)
    assert bench.computer.control.actors[3].rotation != Rotation.SENSOR_FAULT
    said = bench.run_until(Report.READY, 5.0)
    assert said[-1] == Message(Report.READY)


def test_a_frozen_sensor_is_known_by_its_silence():
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.3)
    bench.frozen_sensors[2] = bench.computer.io.angles[2]
    said = bench.run_until(Report.SENSOR_FAULT, 5.0)
    assert said[-1] == Message(Report.SENSOR_FAULT, (2.0,))
    assert bench.speeds == [0] * 4


@pytest.mark.capability("QW-94", "QW-118")
@pytest.mark.parametrize("early", [True, False])
def test_a_dead_drive_is_inferred_from_missing_torque(early):
    bench = make_bench(LegCfg(watchdog=WatchdogCfg(early_diagnosis=early)))
    bench.dead_drives.add(2)
    start = bench.now
    said = drive(bench, *MOVE)
    code = ErrorCode.DRIVE_DEFECT | (2 + 1) << 4
    assert said == [Message(Report.ERROR, (float(code),))]
    took = bench.now - start
    assert took < 4.0 if early else 15.0 < took < 16.0
    assert bench.speeds == [0] * 4


@pytest.mark.capability("QW-94")
def test_a_motion_that_never_ends_is_a_mechanical_defect():
    bench = make_bench(LegCfg(watchdog=WatchdogCfg(early_diagnosis=False)))
    # A joint that turns without ever arriving: its sensor's wheel slips.
    bench.command(*MOVE)
    phase = [0]

    def slip():
        phase[0] += 1
        bench.q[2] = 1.0 + 0.2 * (phase[0] % 70) / 70
        return any(m.report == Report.ERROR for _, m in bench.messages)

    bench.run(20.0, slip)
    code = ErrorCode.MECHANICAL_DEFECT | (2 + 1) << 4
    assert bench.messages[-1][1] == Message(Report.ERROR, (float(code),))
    assert 15.0 < bench.now < 17.0


@pytest.mark.capability("QW-93", "QW-115")
@pytest.mark.parametrize("name", ["step", "line", "touch"])
def test_a_hung_automaton_is_reset_and_the_leg_goes_on(name):
    bench = make_bench(ground=flat)
    bench.command(Command.DO_STEP, *BEGIN, *END)
    controller = getattr(bench.computer, name)
    busy = {"step": 2, "line": 3, "touch": 1}[name]

    def is_there():
        for _, message in bench.messages[-1:]:
            if message.report == Report.SYNC:
                bench.command(Command.NEXT)
        return controller.state == busy

    bench.run(20.0, is_there)
    assert controller.state == busy
    kind = type(controller)
    hung = type("Hung", (kind,), {"step": lambda self, *a: None, "__slots__": ()})
    controller.__class__ = hung
    said = bench.run_until(Report.ERROR, 8.0)
    assert said[-1] == Message(Report.ERROR, (float(ErrorCode.CONTROLLER_RESET),))
    controller.__class__ = kind
    assert kinds(drive(bench, *MOVE)) == [Report.READY]


@pytest.mark.capability("QW-16", "QW-92")
def test_a_hung_loop_is_restarted_with_drives_off_and_needs_no_homing():
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.5)
    assert any(bench.speeds)
    bench.mcu.is_hung = True
    bench.run(0.9)
    assert bench.mcu.restarts == 0
    bench.run(0.3)
    assert bench.mcu.restarts == 1
    assert bench.codes == [0] * 4
    assert bench.messages[-1][1] == Message(
        Report.ERROR, (float(ErrorCode.WATCHDOG_RESET),)
    )
    point, _ = bench.computer.logic.measured_point()
    assert point == pytest.approx(bench.foot(), abs=0.004)
    assert kinds(drive(bench, *MOVE)) == [Report.READY]


@pytest.mark.capability("QW-96")
def test_a_sagging_battery_releases_the_drives_until_it_recovers():
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.3)
    bench.supply = 5.9
    bench.run(0.01)
    assert bench.codes == [0] * 4
    bench.supply = 12.0
    bench.run(0.1)
    assert bench.computer.is_ready
    assert bench.computer.motion.state == Command.IDLE
    assert kinds(drive(bench, *MOVE)) == [Report.READY]


@pytest.mark.parametrize("is_broken", [False, True])
@pytest.mark.parametrize("order", [(Command.SPEED, 90), (Command.SAVE_WALK, 1)])
def test_after_a_stop_no_old_target_comes_alive_again(order, is_broken):
    bench = make_bench()
    bench.command(*MOVE)
    bench.run(0.4)
    assert any(bench.speeds)
    if is_broken:  # a wire is loose until shortly before the stop
        bench.frozen_sensors[2] = 0
        bench.run(0.004)
        bench.frozen_sensors.clear()
    bench.command(Command.STOP)
    bench.run(1.5)  # the end position would be looked at
    bench.messages.clear()
    rest = list(bench.q)
    bench.command(*order)
    bench.run(1.5)
    assert bench.speeds == [0] * 4
    assert bench.q == pytest.approx(rest, abs=1e-3)
    assert kinds([m for _, m in bench.messages]) == [Report.READY]
    assert kinds(drive(bench, *MOVE)) == [Report.READY]


@pytest.mark.capability("QW-23")
def test_layers_of_the_leg_import_their_neighbours_only():
    root = Path(leg_package.__file__).parent
    base = "gelenk.robots.amee.leg."
    allowed = {
        "io.py": {"hardware"},
        "control": {"hardware", "io", "control"},
        "logic": {"control", "logic"},
        "com.py": set(),
        "hardware.py": set(),
    }
    for name, parts in allowed.items():
        files = [root / name] if name.endswith(".py") else (root / name).glob("*.py")
        for file in files:
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                    base
                ):
                    part = node.module.removeprefix(base).split(".")[0]
                    assert part in parts, f"{file.name} imports {node.module}"
    # and the whole leg knows neither the simulator nor the world around it
    for file in root.rglob("*.py"):
        text = file.read_text()
        assert "gelenk.sim" not in text
        assert "amee.world" not in text


@pytest.mark.capability("QW-20")
def test_an_average_settles_after_ten_conversions():
    class Pins:
        value = 100

        def read_adc(self):
            return np.full((1, 8), self.value, dtype=np.int64)

        def read_toes(self):
            return 0

    for kind, passes in (("average", 10), ("median", 6)):
        pins = Pins()
        io = LegIo(LegCfg(filter=kind), pins)
        for _ in range(12):
            io.sample(0.0)
        pins.value = 130  # farther would not be believed at once
        count = 0
        while io.angles[0] != 130:
            io.sample(0.0)
            count += 1
        assert count == passes


@pytest.mark.parametrize("count", [1, 3, 10, 36])
def test_smoothing_equals_the_mean_and_the_median_of_the_newest(count):
    rng = np.random.default_rng(count)
    everything = rng.integers(0, 1024, (120 * count, 8))
    for use_median in (False, True):
        ring, out = np.zeros((10, 8), np.int64), np.zeros(12, np.int64)
        filled = 0
        for i in range(120 if count < 10 else 12):
            block = everything[i * count : (i + 1) * count]
            filled = smooth(block, ring, filled, use_median, out)
            newest = everything[max(0, (i + 1) * count - 10) : (i + 1) * count]
            assert filled == len(newest)
            mean = np.floor(newest.mean(axis=0) + 0.5)
            middle = np.ceil(np.median(newest, axis=0))
            wanted = np.where(np.arange(8) < 4, middle, mean) if use_median else mean
            assert np.abs(out[:8] - wanted).max() <= (0 if len(newest) % 2 == 0 else 1)
            np.testing.assert_array_equal(out[8:], newest[:, :4].sum(axis=0))


def test_a_median_rejects_the_peaks_that_an_average_lets_through():
    rng = np.random.default_rng(0)
    worst = {}
    for kind in ("average", "median"):
        values = np.full((10, 8), 500, dtype=np.int64)

        class Pins:
            def read_adc(self, values=values):
                block = values.copy()
                block[int(rng.integers(10)), :4] += 50  # one in ten is 10 % too high
                return block

            def read_toes(self):
                return 0

        io = LegIo(LegCfg(filter=kind), Pins())
        errors = []
        for _ in range(50):
            io.sample(0.0)
            errors.append(abs(io.angles[0] - 500))
        worst[kind] = max(errors)
    assert worst == {"average": 5, "median": 0}


@pytest.mark.capability("QW-25", "QW-87")
def test_a_flood_and_long_work_leave_memory_and_loop_as_they_are():
    bench = make_bench(ground=flat)

    def work(steps):
        for i in range(steps):
            bench.gateway.receive_text(b"Move2Point:0:-%d:0" % (560 + i % 40))
            bench.gateway.receive_text(b"Babble:%d" % i)
            bench.step()
            bench.messages.clear()
            work_done = bench.computer.work
            assert work_done.solved <= 1

    work(600)
    gc.collect()
    before = sys.getallocatedblocks()
    work(1500)
    gc.collect()
    assert sys.getallocatedblocks() - before < 300
    bench.command(Command.STOP)
    bench.step()
    assert bench.codes == [0] * 4


def test_two_runs_are_the_same_bit_for_bit():
    def trace():
        bench = Bench(ground=flat)
        bench.run(0.1)
        said = drive(bench, Command.DO_STEP, *BEGIN, *END)
        return bench.q, bench.now, said

    assert trace() == trace()
