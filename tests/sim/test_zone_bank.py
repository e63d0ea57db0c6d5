from __future__ import annotations

import math

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim.zone_bank import drain, forget, pack_zones, state_arrays, watch_zones
from gelenk.sim.zones import CircleZone, LightBarrier, Watched, Zone

BALL = Watched(name="ball", kind="ball", color=(200, 30, 30))
CUBOID = Watched(name="box", kind="cuboid")


def events_of(zones: list[Zone], path: np.ndarray, objects=(BALL,)):
    """Events of a path, shape (ticks, objects, 3) or (ticks, 3) for one object."""
    path = path.reshape(len(path), len(objects), 3)
    bank = pack_zones(zones, objects)
    rows: list[tuple[int, ...]] = []
    for tick, positions in enumerate(path):
        if watch_zones(bank, np.ascontiguousarray(positions), tick):
            rows.extend(map(tuple, drain(bank).tolist()))
    return rows + [tuple(row) for row in drain(bank).tolist()]


def flat(*points: tuple[float, float]) -> np.ndarray:
    return np.array([(x, y, 0.0) for x, y in points])


def circle(on="enter", **options) -> CircleZone:
    return CircleZone(name="c", on=on, center=(1.0, 2.0), radius=0.5, **options)


def barrier(**options) -> LightBarrier:
    return LightBarrier(name="b", start=(0.0, 0.0), end=(0.0, 1.0), **options)


@pytest.mark.capability("AB-73", "AB-75")
def test_a_circle_reports_each_entry_and_each_exit_once():
    path = flat((0, 2), (0.6, 2), (1, 2), (1, 2.2), (3, 2), (1.4, 2))

    assert events_of([circle("enter")], path) == [(1, 0, 0), (5, 0, 0)]
    assert events_of([circle("leave")], path) == [(4, 0, 0)]


@pytest.mark.capability("AB-74", "AB-76")
def test_zones_see_only_the_kind_of_object_they_watch():
    zones: list[Zone] = [
        circle("enter", watches="cuboid"),
        circle("leave", watches="cuboid"),
        circle("enter", watches="ball"),
    ]
    path = flat((0, 2), (1, 2), (0, 2))

    assert events_of(zones, path, (CUBOID,)) == [(1, 0, 0), (2, 1, 0)]
    assert events_of(zones, path, (BALL,)) == [(1, 2, 0)]


def test_the_first_look_only_learns():
    assert events_of([circle("enter")], flat((1, 2), (1, 2))) == []
    assert events_of([circle("leave")], flat((9, 9), (9, 9))) == []


def test_trembling_on_the_rim_enters_once():
    rim = 1.5
    tremble = flat((3, 2), *[(rim + (-1) ** k * 4e-6, 2.0) for k in range(20)])

    assert len(events_of([circle("enter")], tremble)) == 1
    assert len(events_of([circle("enter", hysteresis=0.0)], tremble)) == 10


@pytest.mark.capability("AB-79")
def test_the_centre_counts_and_height_does_not():
    just_outside = flat((3, 2), (1.5 + 1e-9, 2))
    far_above = np.array([(3.0, 2.0, 50.0), (1.0, 2.0, 50.0)])

    assert events_of([circle("enter")], just_outside) == []
    assert events_of([circle("enter")], far_above) == [(1, 0, 0)]


def test_a_zone_with_heights_is_a_volume():
    zones: list[Zone] = [
        circle("enter", heights=(0.0, 1.0)),
        circle("leave", heights=(0.0, 1.0)),
        barrier(heights=(0.0, 1.0)),
    ]
    above = np.array([(-2.0, 0.5, 5.0), (1.0, 2.0, 5.0), (3.0, 2.0, 5.0)])
    fall = np.array([(1.0, 2.0, z) for z in (5.0, 0.9, -0.1)])

    assert events_of(zones, above) == []
    assert events_of(zones, fall) == [(1, 0, 0), (2, 1, 0)]


@pytest.mark.capability("AB-80")
@pytest.mark.parametrize(("difference", "is_seen"), [(10, True), (11, False)])
def test_a_colour_may_differ_by_ten_values_per_channel(difference, is_seen):
    zone = circle("enter", color=(200 - difference, 30 + difference, 30))

    assert bool(events_of([zone], flat((0, 2), (1, 2)))) == is_seen


@pytest.mark.capability("AB-77", "AB-78")
@pytest.mark.parametrize("item", [BALL, CUBOID])
@pytest.mark.parametrize(
    ("path", "ticks"),
    [
        (flat((-1, 0.5), (1, 0.5)), [1]),  # looking along +y, -x is left
        (flat((1, 0.5), (-1, 0.5)), []),
        (flat((-1, 1.5), (1, 1.5)), []),  # beside the ends
        (flat((-1, -0.5), (1, -0.5)), []),
        (flat((1, 0.5), (0, 0.5), (1, 0.5)), []),  # from the right, onto the line, back
        (flat((-1, 0.5), (0, 0.5), (0, 0.6), (1, 0.7)), [3]),  # rests on the line
        (flat((-1, 0.5), (0, 0.9), (0, 1.2), (1, 1.2)), [3]),  # straight: at 0.85 m
        (flat((0, 0.5), (1, 0.5)), []),  # starts on the line: no side yet
        (flat((0, 0.5), (-1, 0.5), (1, 0.5)), [2]),
        (flat((-1, 5), (1, 5), (-1, 5), (1, 0.2)), []),  # its path goes beside the end
        (flat((-1, 0.5), (1, 0.5), (-1, 0.5), (1, 0.5)), [1, 3]),
    ],
)
def test_a_barrier_reports_crossings_from_left_to_right(path, ticks, item):
    zone = barrier(watches=item.kind)

    assert events_of([zone], path, (item,)) == [(tick, 0, 0) for tick in ticks]


@pytest.mark.capability("AB-77")
def test_a_barrier_with_its_ends_exchanged_looks_the_other_way():
    other = LightBarrier(name="b", start=(0.0, 1.0), end=(0.0, 0.0))

    assert events_of([other], flat((-1, 0.5), (1, 0.5))) == []
    assert events_of([other], flat((1, 0.5), (-1, 0.5))) == [(1, 0, 0)]


def textbook_events(zones, path) -> list[tuple[int, int, int]]:
    """The rules of the specification, one object after the other, nothing skipped."""
    rows = []
    for i, zone in enumerate(zones):
        for k in range(path.shape[1]):
            was, last = None, None
            for tick, (x, y, z) in enumerate(path[:, k]):
                low, high = zone.heights
                if isinstance(zone, CircleZone):
                    rim = zone.hysteresis if was else 0.0
                    r = math.hypot(x - zone.center[0], y - zone.center[1])
                    now = r <= zone.radius + rim and low - rim <= z <= high + rim
                    if was is not None and now != was and now == (zone.on == "enter"):
                        rows.append((tick, i, k))
                    was = now
                    continue
                (x1, y1), (x2, y2) = zone.start, zone.end
                side = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
                if side == 0.0:
                    continue
                if last is not None and last[0] > 0.0 > side:
                    # Crossing point by 2x2 solve, not by the ratio of the sides.
                    a, b = np.array(last[1]), np.array((x, y, z))
                    M = np.array([[x2 - x1, a[0] - b[0]], [y2 - y1, a[1] - b[1]]])
                    u, s = np.linalg.solve(M, a[:2] - (x1, y1))
                    if 0 <= u <= 1 and low <= a[2] + s * (b[2] - a[2]) <= high:
                        rows.append((tick, i, k))
                last = (side, (x, y, z))
    return sorted(rows)


@pytest.mark.parametrize("stride", [0.02, 0.1, 0.6])
def test_random_walks_give_the_events_of_the_textbook(stride):
    rng = np.random.default_rng(5)
    zones: list[Zone] = []
    for _ in range(12):
        x, y, u, v = rng.uniform(-1, 1, 4)
        heights = (-0.3, 0.4) if rng.random() < 0.5 else (-math.inf, math.inf)
        zones += [
            CircleZone(
                name="c",
                on="enter" if rng.random() < 0.5 else "leave",
                center=(x, y),
                radius=rng.uniform(0.05, 0.5),
                hysteresis=0.01,
                heights=heights,
            ),
            LightBarrier(name="b", start=(x, y), end=(u, v), heights=heights),
        ]
    steps = rng.normal(0.0, stride, (600, 7, 3)) * rng.integers(0, 2, (600, 7, 1))
    path = 0.8 * np.sin(rng.uniform(-1, 1, (7, 3)) + np.cumsum(steps, axis=0))
    objects = [Watched(name=str(k), kind="ball") for k in range(7)]

    events = events_of(zones, path, objects)

    assert len(events) > 30
    assert events == textbook_events(zones, path)


def test_the_order_within_a_tick_is_zone_then_object():
    path = np.array([[(0.0, 2.0, 0.0)] * 2, [(1.0, 2.0, 0.0)] * 2])
    zones: list[Zone] = [circle("enter"), circle("enter")]

    events = events_of(zones, path, (BALL, CUBOID))

    assert events == [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]


def test_a_full_buffer_is_announced_before_an_event_could_be_lost():
    bank = pack_zones([circle("enter"), circle("leave")], [BALL], spare=3)
    inside, outside = flat((1, 2)), flat((0, 2))
    watch_zones(bank, outside, 0)

    flags = [watch_zones(bank, inside if k % 2 else outside, k) for k in range(1, 5)]

    assert flags == [False, False, False, True]
    with pytest.raises(OverflowError, match="not drained"):
        watch_zones(bank, inside, 5)
    assert drain(bank)[:, 0].tolist() == [1, 2, 3, 4]
    assert not watch_zones(bank, inside, 5)
    assert drain(bank).tolist() == [[5, 0, 0]]


def test_a_placed_object_has_not_crossed_anything():
    bank = pack_zones([circle("enter"), barrier()], [BALL, BALL])
    watch_zones(bank, flat((-1, 0.5), (-1, 0.5)), 0)

    forget(bank, 0)
    watch_zones(bank, flat((1, 0.5), (1, 0.5)), 1)

    assert drain(bank).tolist() == [[1, 1, 1]]


def test_a_placed_object_is_looked_at_before_it_moves_on():
    bank = pack_zones([barrier()], [BALL])
    watch_zones(bank, flat((-1, 0.5)), 0)

    forget(bank)
    watch_zones(bank, flat((-0.9, 0.5)), 1)  # so near that nothing could have changed
    watch_zones(bank, flat((1, 0.5)), 2)

    assert drain(bank).tolist() == [[2, 0, 0]]


def test_restored_arrays_repeat_the_same_events():
    rng = np.random.default_rng(1)
    path = np.cumsum(rng.normal(0, 0.2, (200, 3)), axis=0)
    bank = pack_zones([circle("enter"), circle("leave"), barrier()], [BALL])
    for tick in range(100):
        watch_zones(bank, path[tick : tick + 1], tick)
    drain(bank)
    kept = [array.copy() for array in state_arrays(bank)]

    def go_on() -> list:
        for tick in range(100, 200):
            watch_zones(bank, path[tick : tick + 1], tick)
        return drain(bank).tolist()

    first = go_on()
    for array, copy in zip(state_arrays(bank), kept, strict=True):
        array[...] = copy

    assert first
    assert go_on() == first


@pytest.mark.parametrize(
    "make",
    [
        lambda: CircleZone(name="c", on="enter", center=(0, 0), radius=0.0),
        lambda: CircleZone(name="c", on="enter", center=(0, math.nan), radius=1.0),
        lambda: CircleZone(
            name="c", on="enter", center=(0, 0), radius=1.0, hysteresis=-1.0
        ),
        lambda: CircleZone(
            name="c", on="enter", center=(0, 0), radius=1.0, heights=(2.0, 1.0)
        ),
        lambda: LightBarrier(name="c", start=(1.0, 1.0), end=(1.0, 1.0)),
    ],
)
def test_zones_that_make_no_sense_are_refused_by_name(make):
    with pytest.raises(ConfigError, match="zone 'c'"):
        make()
