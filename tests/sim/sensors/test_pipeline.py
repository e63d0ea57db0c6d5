import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from gelenk.errors import ConfigError
from gelenk.sim.sensors import Encoder, SensorModel
from gelenk.sim.sensors import channels as c
from gelenk.sim.sensors.bank import state_arrays
from gelenk.sim.sensors.channels import Wiring
from sensor_rig import SensorRig

ONE_JOINT = Wiring(qpos=(0,), dof=(0,))
TWO_JOINTS = Wiring(qpos=(2, 0), dof=(2, 0))


def _ramp(tick):
    """Joint values that say the tick at which they were sampled."""
    return {"qpos": np.arange(8.0) + 100.0 * tick}


def _still(value=0.0):
    return lambda _tick: {"qpos": np.full(8, value)}


def _encoder(**model):
    return Encoder(model=SensorModel(**model))


def _values(readings):
    return np.array([r.value[0] for r in readings])


def test_without_errors_a_sensor_reads_what_is_there():
    rig = SensorRig(_encoder(), TWO_JOINTS, _ramp)

    rig.step(7)
    reading = rig.read()

    assert reading.value.tolist() == [702.0, 700.0]
    assert (reading.time, reading.is_valid) == (0.007, True)


@pytest.mark.parametrize("latency_ticks", [0, 1, 4, 25])
def test_latency_is_exact_in_ticks(latency_ticks):
    rig = SensorRig(_encoder(latency=latency_ticks * 1e-3), ONE_JOINT, _ramp)

    readings = rig.readings(40)

    for tick, reading in enumerate(readings):
        assert reading.is_valid == (tick >= latency_ticks)
        if reading.is_valid:
            assert reading.value[0] == 100.0 * (tick - latency_ticks)
            assert reading.time == pytest.approx((tick - latency_ticks) * 1e-3)
        else:
            assert math.isnan(reading.value[0])
            assert math.isnan(reading.time)


@pytest.mark.parametrize(
    "rate", [1000.0, 500.0, 100.0, 30.0, 60.0, 333.0, 29.97, 700.0]
)
@pytest.mark.parametrize("latency", [0.0, 0.0125])
def test_samples_fall_on_the_first_tick_after_each_whole_period(rate, latency):
    rig = SensorRig(_encoder(rate=rate, latency=latency), ONE_JOINT, _ramp)

    readings = rig.readings(2000)

    period = 1000 / Fraction(rate).limit_denominator(10_000)
    due = [math.ceil(k * period) for k in range(2100)]
    delay = math.ceil(round(latency * 1000, 6))
    for tick in range(delay, 2001, 7):
        taken = max(t for t in due if t <= tick - delay)
        assert readings[tick].value[0] == 100.0 * taken
        assert readings[tick].time == pytest.approx(taken * 1e-3)


def test_an_uneven_rate_never_drifts_in_an_hour_of_samples():
    rig = SensorRig(_encoder(rate=30.0), ONE_JOINT, _ramp)

    rig.tick = 3_600_000 - 1
    rig.step()

    assert rig.read().value[0] == 100.0 * 3_600_000


@pytest.mark.capability("GR-116")
def test_noise_has_its_standard_deviation_and_no_memory():
    rig = SensorRig(_encoder(noise=0.3, bias=2.0), ONE_JOINT, _still(1.0))

    x = _values(rig.readings(20_000))

    assert abs(x.mean() - 3.0) < 4 * 0.3 / math.sqrt(len(x))
    assert abs(x.std() - 0.3) < 4 * 0.3 / math.sqrt(2 * len(x))
    assert stats.kstest((x - 3.0) / 0.3, "norm").pvalue > 1e-3
    lag = np.mean((x[1:] - 3.0) * (x[:-1] - 3.0)) / 0.09
    assert abs(lag) < 4 / math.sqrt(len(x))


def test_channels_and_sensors_have_noise_of_their_own():
    sensors = [_encoder(noise=1.0), _encoder(noise=1.0)]
    rig = SensorRig(sensors, [TWO_JOINTS, TWO_JOINTS], _still())
    rows = []
    for _ in range(4000):
        rig.step()
        rows.append([*rig.read(0).value, *rig.read(1).value])

    correlation = np.corrcoef(np.array(rows).T) - np.eye(4)

    assert np.abs(correlation).max() < 4 / math.sqrt(4000)


@pytest.mark.capability("GR-116")
def test_quantisation_rounds_to_the_nearest_step():
    rig = SensorRig(
        _encoder(quantisation=math.radians(0.06)),
        ONE_JOINT,
        lambda tick: {"qpos": np.full(8, 1e-4 * tick)},
    )

    readings = rig.readings(3000)

    counts = _values(readings) / math.radians(0.06)
    np.testing.assert_allclose(counts, np.round(counts), atol=1e-9)
    error = _values(readings) - 1e-4 * np.arange(3001)
    assert np.abs(error).max() <= math.radians(0.03) + 1e-12
    assert abs(error.std() - math.radians(0.06) / math.sqrt(12)) < 2e-6


def test_saturation_comes_before_quantisation():
    model = {"saturation": (-1.0, 2.0), "quantisation": 0.3}
    high, low = (
        SensorRig(_encoder(**model), ONE_JOINT, _still(x)).read().value[0]
        for x in (50.0, -50.0)
    )

    assert high == pytest.approx(2.1)
    assert low == pytest.approx(-0.9)


def test_samples_are_lost_as_often_as_asked():
    rig = SensorRig(_encoder(drop_out=0.2, rate=500.0), ONE_JOINT, _ramp)
    lost = 0
    for _ in range(5000):
        rig.step(2)
        reading = rig.read()
        lost += not reading.is_valid
        assert math.isnan(reading.value[0]) == (not reading.is_valid)
        assert reading.time == pytest.approx(rig.tick * 1e-3)

    assert stats.binomtest(lost, 5000, 0.2).pvalue > 1e-3


def _many(channels, **model):
    """Return a rig whose one sensor reads the same still joint many times."""
    wiring = Wiring(qpos=(0,) * channels)
    return SensorRig(_encoder(**model), wiring, _still())


def test_a_wandering_bias_grows_with_the_root_of_time():
    rig = _many(300, random_walk=0.5, rate=250.0)

    rig.step(200)
    early = rig.read().value.std()
    rig.step(600)
    late = rig.read().value.std()

    # 51 and 201 steps of 0.5 sqrt(4 ms); standard error of a deviation 1/sqrt(2 n).
    assert abs(early / (0.5 * math.sqrt(51 * 0.004)) - 1.0) < 4 / math.sqrt(600)
    assert abs(late / (0.5 * math.sqrt(201 * 0.004)) - 1.0) < 4 / math.sqrt(600)


def test_allan_deviation_shows_white_noise_first_and_the_walk_later():
    noise, walk, rate = 0.05, 0.02, 1000.0
    rig = _many(64, noise=noise, random_walk=walk)
    x = np.array([r.value for r in rig.readings(2**12 - 1)])

    def allan(m):
        means = x.reshape(-1, m, 64).mean(axis=1)
        return math.sqrt(0.5 * np.mean(np.diff(means, axis=0) ** 2))

    # Laws: N / sqrt(tau) for white noise, K sqrt(tau / 3) for a walk.
    for m, tolerance in ((1, 0.01), (16, 0.03), (64, 0.05), (512, 0.15)):
        expected = math.hypot(noise / math.sqrt(m), walk * math.sqrt(m / rate / 3))
        assert abs(allan(m) / expected - 1.0) < tolerance


def test_bias_and_scale_are_drawn_once_per_channel_with_their_spread():
    wiring = Wiring(qpos=(0,) * 400)
    encoder = Encoder(
        joints=tuple(map(str, range(400))),
        model=SensorModel(bias_spread=0.1, scale_spread=0.02),
    )
    at_zero = SensorRig(encoder, wiring, _still(0.0)).read().value
    at_ten = SensorRig(encoder, wiring, _still(10.0)).read().value

    bias, scale = at_zero, (at_ten - at_zero) / 10.0

    assert abs(bias.std() - 0.1) < 4 * 0.1 / math.sqrt(800)
    assert abs(scale.std() - 0.02) < 4 * 0.02 / math.sqrt(800)
    assert abs(scale.mean() - 1.0) < 4 * 0.02 / math.sqrt(400)
    again = SensorRig(encoder, wiring, _still(0.0)).read().value
    np.testing.assert_array_equal(again, at_zero)


def test_reading_twice_or_never_changes_nothing():
    read_often = SensorRig(_encoder(noise=1.0, latency=0.003), ONE_JOINT, _ramp)
    read_once = SensorRig(_encoder(noise=1.0, latency=0.003), ONE_JOINT, _ramp)

    readings = read_often.readings(50)
    read_once.step(50)

    assert readings[-1].value[0] == read_once.read().value[0]
    assert read_often.read().value[0] == read_often.read().value[0]


def test_a_copy_of_the_state_arrays_resumes_bit_by_bit():
    def build():
        model = SensorModel(
            rate=70.0, latency=0.05, noise=0.1, drop_out=0.1, random_walk=0.3
        )
        return SensorRig(Encoder(model=model), TWO_JOINTS, _ramp)

    straight = build()
    straight.step(123)
    saved = [a.copy() for a in state_arrays(straight.bank)]
    expected = straight.readings(200)

    other = build()
    for target, source in zip(state_arrays(other.bank), saved, strict=True):
        target[...] = source
    other.tick = 123
    found = other.readings(200)

    for a, b in zip(expected, found, strict=True):
        np.testing.assert_array_equal(a.value, b.value)
        assert a.is_valid == b.is_valid


def test_a_frozen_sensor_repeats_its_last_reading_with_fresh_times():
    rig = SensorRig(_encoder(noise=0.1), ONE_JOINT, _ramp)
    rig.step(10)
    last = rig.read()

    rig.bank.fault[0] = c.SENSOR_FROZEN
    frozen = rig.readings(20)[1:]
    rig.bank.fault[0] = 0
    rig.step()

    assert {r.value[0] for r in frozen} == {last.value[0]}
    assert frozen[-1].time == pytest.approx(0.030)
    assert abs(rig.read().value[0] - 3100.0) < 1.0


def test_fault_bias_and_noise_act_on_samples_taken_while_they_last():
    rig = SensorRig(_encoder(latency=0.002), ONE_JOINT, _still(5.0))
    rig.step(5)
    rig.bank.fault_amounts[0] = 3.0, 0.5
    during = _values(rig.readings(4002))[3:]
    rig.bank.fault_amounts[0] = 0.0
    after = _values(rig.readings(4))

    assert abs(during.mean() - 8.0) < 4 * 0.5 / math.sqrt(len(during))
    assert abs(during.std() - 0.5) < 4 * 0.5 / math.sqrt(2 * len(during))
    assert (after[:3] != 5.0).all()
    assert (after[3:] == 5.0).all()


def test_a_rate_above_the_tick_rate_is_refused():
    with pytest.raises(ConfigError, match="only 1000 ticks per second"):
        SensorRig(_encoder(rate=2000.0), ONE_JOINT, _ramp)


@pytest.mark.parametrize(
    "bad",
    [
        {"rate": 0.0},
        {"latency": -1.0},
        {"noise": math.nan},
        {"bias": math.inf},
        {"drop_out": 1.5},
        {"saturation": (1.0, 1.0)},
        {"random_walk": -0.1},
    ],
)
def test_impossible_models_are_refused_by_name(bad):
    with pytest.raises(ConfigError, match=f"`{next(iter(bad))}`"):
        SensorModel(**bad)


def test_a_sensor_without_its_wire_is_refused():
    with pytest.raises(ConfigError, match="'sensor_0' lacks `qpos`"):
        SensorRig(_encoder(), Wiring(), _ramp)
