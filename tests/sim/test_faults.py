import math
from collections.abc import Sequence

import numpy as np
import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim.faults import FAULT_KINDS, Fault, FaultKind, random_faults

Targets = dict[FaultKind, Sequence[str]]


def test_a_fault_acts_from_its_start_until_just_before_its_end():
    fault = Fault(kind="motor_dead", target="arm/elbow", start=1.0, duration=0.5)

    acting = [fault.is_active(t) for t in (0.999, 1.0, 1.499, 1.5)]

    assert acting == [False, True, True, False]


def test_a_fault_without_a_duration_never_ends():
    fault = Fault(kind="power_gone", target="arm", start=0.0)

    assert fault.is_active(1e9)


def test_an_unknown_kind_is_refused_with_the_closest_name():
    with pytest.raises(NameNotFoundError, match="Did you mean 'motor_dead'"):
        Fault(kind="motor_ded", target="arm/elbow", start=0.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bad", "word"),
    [
        ({"target": ""}, "target"),
        ({"start": -1.0}, "start"),
        ({"start": math.nan}, "start"),
        ({"start": math.inf}, "start"),
        ({"duration": 0.0}, "duration"),
        ({"duration": math.nan}, "duration"),
        ({"amount": math.inf}, "amount"),
        ({"amount": -0.1, "kind": "sensor_noisy"}, "amount"),
        ({"amount": 0.0, "kind": "sensor_biased"}, "amount"),
        ({"amount": 0.0, "kind": "message_delayed"}, "amount"),
        ({"amount": 1.5, "kind": "message_lost"}, "amount"),
    ],
)
def test_values_that_make_no_sense_are_refused_by_name(bad, word):
    good = {"kind": "motor_dead", "target": "arm/elbow", "start": 0.0}

    with pytest.raises(ConfigError, match=f"`{word}`"):
        Fault(**(good | bad))


def test_a_bias_may_be_negative():
    fault = Fault(kind="sensor_biased", target="arm/encoders", start=0.0, amount=-0.2)

    assert fault.amount == -0.2


def test_random_faults_come_at_the_rate_asked_for_and_hit_all_pairs_alike():
    targets: Targets = {
        "motor_dead": ("a", "b"),
        "sensor_frozen": ("c",),
        "power_gone": ("r",),
    }

    faults = random_faults(
        np.random.default_rng(4), targets, 2.0, 2000.0, mean_duration=0.3
    )

    # 4000 expected, standard deviation 63; per pair 1000, standard deviation 32.
    assert abs(len(faults) - 4000) < 4 * 63
    for pair in (("motor_dead", "a"), ("motor_dead", "b"), ("power_gone", "r")):
        hits = sum((f.kind, f.target) == pair for f in faults)
        assert abs(hits - 1000) < 4 * 32
    starts = np.array([f.start for f in faults])
    assert (np.diff(starts) >= 0.0).all()
    assert starts[-1] < 2000.0
    durations = np.array([f.duration for f in faults])
    # An exponential law has its mean as standard deviation, and 1/e beyond it.
    assert abs(durations.mean() - 0.3) < 4 * 0.3 / math.sqrt(4000)
    assert abs((durations > 0.3).mean() - math.exp(-1)) < 0.03


def test_one_seed_gives_one_list_of_faults():
    targets: Targets = {"motor_dead": ("a", "b"), "sensor_noisy": ("c",)}
    draws = [
        random_faults(
            np.random.default_rng(11), targets, 1.0, 20.0, amounts={"sensor_noisy": 0.1}
        )
        for _ in range(2)
    ]

    assert draws[0] == draws[1]
    assert len(draws[0]) > 5
    assert all(f.amount == (0.1 if f.kind == "sensor_noisy" else 0.0) for f in draws[0])


def test_a_random_fault_that_needs_an_amount_is_refused_without_one():
    with pytest.raises(ConfigError, match="sensor_noisy fault on 'c'"):
        random_faults(np.random.default_rng(0), {"sensor_noisy": ("c",)}, 0.0, 1.0)


def test_nothing_to_break_gives_no_faults():
    assert random_faults(np.random.default_rng(0), {}, 10.0, 10.0) == ()


def test_every_kind_can_be_built():
    faults = [Fault(kind=k, target="x", start=0.0, amount=0.5) for k in FAULT_KINDS]

    assert len({f.kind for f in faults}) == 11
