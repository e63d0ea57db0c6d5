import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim.sensors import SensorModel, TouchSwitch
from gelenk.sim.sensors.channels import Wiring
from sensor_rig import SensorRig

TOES = Wiring(bodies=(1, 3))


def _pressed(first, last, force):
    """Body 3 is pressed from tick `first` to tick `last`."""

    def signal(tick):
        touch = np.zeros(4)
        touch[3] = force if first <= tick <= last else 0.0
        return {"body_touch": touch}

    return signal


def _values(rig, ticks):
    return np.array([r.value for r in rig.readings(ticks)])


@pytest.mark.capability("GR-128")
@pytest.mark.parametrize(("force", "is_felt"), [(11.9, False), (12.0, True)])
def test_a_switch_closes_at_its_threshold_and_only_where_it_is_pressed(force, is_felt):
    switch = TouchSwitch(links=("a", "b"), threshold=12.0)

    values = _values(SensorRig(switch, TOES, _pressed(5, 9, force)), 20)

    assert (values[:, 0] == 0.0).all()
    expected = [float(is_felt and 5 <= tick <= 9) for tick in range(21)]
    assert values[:, 1].tolist() == expected


def test_a_pressed_switch_opens_only_below_its_release_force():
    def signal(tick):
        force = (0.0, 5.0, 3.0, 2.1, 1.9, 3.0)[tick]
        return {"body_touch": np.full(4, force)}

    switch = TouchSwitch(links=("a",), threshold=4.0, release=2.0)

    values = _values(SensorRig(switch, Wiring(bodies=(0,)), signal), 5)

    assert values[:, 0].tolist() == [0.0, 1.0, 1.0, 1.0, 0.0, 0.0]


def test_contacts_bounce_for_their_time_after_closing_and_after_opening():
    switch = TouchSwitch(links=("a", "b"), chatter=0.008)
    closing, opening = [], []
    for seed in range(200):
        rig = SensorRig(switch, TOES, _pressed(10, 39, 50.0), seed=seed)
        values = _values(rig, 60)[:, 1]
        assert (values[:10] == 0.0).all()
        assert (values[18:40] == 1.0).all()
        assert (values[48:] == 0.0).all()
        closing.append(values[10:18])
        opening.append(values[40:48])

    # Fair coins: 1600 of them have a standard deviation of 20.
    for bouncing in (closing, opening):
        assert abs(np.sum(bouncing) - 800) < 80
    assert not np.array_equal(closing[0], closing[1])


def test_a_blow_between_two_samples_is_seen_by_a_latch_only():
    model = SensorModel(rate=100.0)
    plain = TouchSwitch(links=("a", "b"), model=model)
    latched = TouchSwitch(links=("a", "b"), model=model, is_latched=True)
    rig = SensorRig([plain, latched], [TOES, TOES], _pressed(13, 13, 900.0))
    seen = []
    for _ in range(4):
        rig.step(10)
        seen.append((rig.read(0).value[1], rig.read(1).value[1]))

    assert seen == [(0.0, 0.0), (0.0, 1.0), (0.0, 0.0), (0.0, 0.0)]


@pytest.mark.parametrize(
    "make",
    [
        lambda: TouchSwitch(links=()),
        lambda: TouchSwitch(links=("a",), threshold=0.0),
        lambda: TouchSwitch(links=("a",), threshold=1.0, release=2.0),
        lambda: TouchSwitch(links=("a",), chatter=-1.0),
    ],
)
def test_impossible_switches_are_refused(make):
    with pytest.raises(ConfigError, match="must"):
        make()
