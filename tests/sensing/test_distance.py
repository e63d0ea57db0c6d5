"""Tests of distance sensors.

Oracles: geometry by hand, paths of sound found by brute force over directions, Fourier
transforms, statistics, the printed values (TV-7.5, D.23).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.constants import speed_of_light

from gelenk.errors import ConfigError
from gelenk.navigation.landmarks import position_from_ranges
from gelenk.planning.occupancy import add_scan, empty_grid
from gelenk.planning.world import PolygonWorld
from gelenk.sensing.laser_scanner import (
    BeamSurface,
    LaserScanner,
    flight_reading,
    merge_scans,
    multipath_distance,
    scan_points,
    simulate_scan,
    spot_position,
    triangulated_distance,
    triangulation_error,
)
from gelenk.sensing.radar import (
    Radar,
    angle_from_phase,
    beat_signal,
    distance_from_beat,
    doppler_shift,
    range_doppler,
    speed_from_phase,
)
from gelenk.sensing.sonar import (
    Sonar,
    SonarScene,
    echo_distance,
    find_echoes,
    position_from_differences,
    sonar_reading,
    speed_of_sound,
    wall_reading,
)
from gelenk.vision.depth_cameras import (
    distance_from_phase,
    distance_from_time,
    unambiguous_range,
)

SONAR = Sonar()
GAMMA = SONAR.half_angle


def scene_of(walls: Any = (), discs: Any = ()) -> SonarScene:
    return SonarScene(
        walls=np.array(walls, float).reshape(-1, 2, 2),
        discs=np.array(discs, float).reshape(-1, 3),
    )


def wall_at(distance, rotation, length=6.0):
    """Return a wall whose foot lies `distance` away, turned by `rotation`."""
    foot = distance * np.array([np.cos(rotation), np.sin(rotation)])
    along = 0.5 * length * np.array([-np.sin(rotation), np.cos(rotation)])
    return np.array([foot - along, foot + along])


@pytest.mark.capability("GR-129")
def test_sound_travels_as_published():
    assert speed_of_sound(20.0) == pytest.approx(343.42)
    assert echo_distance(0.01, speed=343.0) == pytest.approx(1.715)
    assert 0.17 < SONAR.blind_range < 0.21
    assert SONAR.max_range == pytest.approx(34.3, abs=0.1)


@pytest.mark.capability("GR-129")
def test_situation_1_a_wall_across_is_measured_exactly():
    scene = scene_of(walls=[wall_at(2.0, 0.0)])
    assert sonar_reading(SONAR, [0, 0, 0], scene) == pytest.approx(2.0, abs=1e-12)


@pytest.mark.capability("GR-129")
def test_situation_2_of_a_small_object_only_the_distance_is_known():
    for bearing in np.radians([-14, -3, 8]):
        place = 1.2 * np.array([np.cos(bearing), np.sin(bearing)])
        scene = scene_of(walls=[wall_at(2.0, 0.0)], discs=[[*place, 0.02]])

        first, second = find_echoes(SONAR, [0, 0, 0], scene)

        assert first.distance == pytest.approx(1.18)
        assert second.distance == pytest.approx(2.0)
    aside = 1.2 * np.array([np.cos(0.3), np.sin(0.3)])
    scene = scene_of(discs=[[*aside, 0.02]])
    assert sonar_reading(SONAR, [0, 0, 0], scene) is None


@pytest.mark.capability("GR-129")
def test_situation_3_a_turned_wall_seems_too_near():
    beta = np.radians(10.0)
    scene = scene_of(walls=[wall_at(2.0, beta)])

    assert sonar_reading(SONAR, [0, 0, 0], scene) == pytest.approx(2.0)
    assert 2.0 / np.cos(beta) == pytest.approx(2.030853, abs=5e-7)
    assert wall_reading(2.0, beta, half_angle=GAMMA) == 2.0
    edge = wall_reading(2.0, np.radians(20), half_angle=GAMMA, diffuse=True)
    assert edge == pytest.approx(2.007640, abs=5e-7)


@pytest.mark.capability("GR-129")
def test_situation_4_a_wall_turned_beyond_half_the_opening_is_invisible():
    for degrees, is_seen in ((14.9, True), (15.1, False), (20.0, False), (29.0, False)):
        scene = scene_of(walls=[wall_at(2.0, np.radians(degrees))])
        assert (sonar_reading(SONAR, [0, 0, 0], scene) is not None) == is_seen
    assert wall_reading(2.0, np.radians(20), half_angle=GAMMA) is None
    assert 2.0 / np.cos(np.radians(20)) == pytest.approx(2.128356, abs=5e-7)


@pytest.mark.capability("GR-129")
def test_situation_5_a_sharp_edge_is_invisible_unless_it_is_rounded():
    # Two walls that run away from a corner pointing at the sensor.
    walls = [[[1.5, 0.0], [3.0, 1.5]], [[1.5, 0.0], [3.0, -1.5]]]
    assert sonar_reading(SONAR, [0, 0, 0], scene_of(walls=walls)) is None
    rounded = scene_of(walls=walls, discs=[[1.5, 0.0, 0.01]])
    assert sonar_reading(SONAR, [0, 0, 0], rounded) == pytest.approx(1.49)


@pytest.mark.capability("GR-129")
def test_situation_6_a_corner_seems_far_behind_its_wall():
    near = [[1.0, -2.0], [4.0, 1.0]]  # turned by 45°, invisible by itself
    far = [[-3.0, 3.0], [4.0, 3.0]]  # met squarely after the first
    scene = scene_of(walls=[near, far])

    echo = find_echoes(SONAR, [0, -1.0, 0.0], scene)[0]

    assert echo.bounces == 3
    # The axis meets the first wall after 2 m, then rises 4 m to the second.
    assert echo.distance == pytest.approx(6.0)
    # By brute force: of all directions in the cone, only this one returns to itself.
    best = []
    for angle in np.linspace(-GAMMA, GAMMA, 3001):
        way = np.array([np.cos(angle), np.sin(angle)])
        run = 2.0 / (way[0] - way[1]) if way[0] > way[1] else np.inf
        bounced = way[[1, 0]]  # a mirror at 45° swaps x and y
        rise = (4.0 - run * way[1]) / bounced[1]
        best.append((abs(bounced[0]), run + rise))
    assert min(best)[1] == pytest.approx(echo.distance, abs=1e-3)


@pytest.mark.capability("GR-130")
def test_several_sonars_find_where_an_object_is():
    target = np.array([1.4, 0.5])
    sensors = np.array([[0.0, -0.3], [0.0, 0.0], [0.0, 0.3], [0.1, 0.15]])
    ranges = np.linalg.norm(sensors - target, axis=1)

    fix = position_from_ranges(sensors, ranges, guess=[1.0, 0.0])
    by_time = position_from_differences(sensors, ranges[1:] - ranges[0], [1.0, 0.0])

    assert_allclose(fix.value, target, atol=1e-6)
    assert_allclose(by_time, target, atol=1e-6)
    rng = np.random.default_rng(1)
    wide = sensors * 3.0
    found = [
        position_from_ranges(
            wide,
            np.linalg.norm(wide - target, axis=1) + rng.normal(0, 2e-3, 4),
            guess=[1.0, 0.3],
        ).value
        for _ in range(60)
    ]
    assert_allclose(np.mean(found, axis=0), target, atol=5e-3)
    with pytest.raises(ConfigError, match="differences"):
        position_from_differences(sensors[:2], [0.1], [1.0, 0.0])


@pytest.mark.capability("GR-131")
def test_light_measures_distance_and_mirrors_only_make_it_longer():
    assert distance_from_time(20e-9) == pytest.approx(2.997925, abs=5e-7)
    matt, black, mirror = BeamSurface.MATT, BeamSurface.BLACK, BeamSurface.MIRROR
    assert flight_reading([2.0], (matt,), max_range=10.0) == pytest.approx(2.0)
    assert flight_reading([2.0], (black,), max_range=10.0) is None
    assert flight_reading([2.0, 3.0], (mirror, matt), max_range=10.0) == pytest.approx(
        5.0
    )
    assert flight_reading([2.0, 9.0], (mirror, matt), max_range=10.0) is None
    assert flight_reading([2.0], (mirror,), max_range=10.0) is None
    # Multipath: fit the phase of the sum of two waves sampled over a period.
    f, wave = 20e6, 4 * np.pi * 20e6 / speed_of_light
    read = multipath_distance(2.0, [0.6], [0.3], frequency=f)
    t = np.arange(64) / 64 / f
    total = np.cos(2 * np.pi * f * t - wave * 2.0) + 0.3 * np.cos(
        2 * np.pi * f * t - wave * 2.6
    )
    phase = -np.angle(np.fft.fft(total)[1])
    assert distance_from_phase(phase, frequency=f) == pytest.approx(
        float(read), rel=1e-9
    )
    assert 2.0 < float(read) < 2.6


@pytest.mark.capability("GR-132")
def test_a_spot_beside_its_beam_tells_its_distance():
    z = np.array([0.3, 1.0, 4.0])
    spot = spot_position(z, base=0.1, focal=0.02)
    assert_allclose(triangulated_distance(spot, base=0.1, focal=0.02), z, rtol=1e-12)
    # A tilted beam: emitter at (b, 0), beam towards (-cos α, sin α); lens at the origin.
    alpha = np.radians(70.0)
    points = [
        np.array([0.1 - s * np.cos(alpha), s * np.sin(alpha)]) for s in (0.4, 1.0)
    ]
    for x, depth in points:
        found = triangulated_distance(
            0.02 * x / depth, base=0.1, focal=0.02, beam_angle=alpha
        )
        assert found == pytest.approx(depth, rel=1e-9)
    h = 1e-7
    slope = (
        triangulated_distance(0.002 + h, base=0.1, focal=0.02)
        - triangulated_distance(0.002 - h, base=0.1, focal=0.02)
    ) / (2 * h)
    error = triangulation_error(1.0, base=0.1, focal=0.02, spot_error=1e-5)
    assert error == pytest.approx(abs(slope) * 1e-5, rel=1e-5)


@pytest.mark.capability("GR-133")
def test_phase_measures_finely_and_repeats():
    assert unambiguous_range(20e6) == pytest.approx(7.494811, abs=5e-7)
    assert distance_from_phase(np.pi / 2, frequency=20e6) == pytest.approx(
        1.873703, abs=5e-7
    )
    d = np.array([0.5, 3.0, 7.0])
    phase = 2 * np.pi * 20e6 * 2 * d / speed_of_light
    assert_allclose(distance_from_phase(phase, frequency=20e6), d, rtol=1e-12)
    beyond = distance_from_phase(
        2 * np.pi * 20e6 * 2 * 8.0 / speed_of_light, frequency=20e6
    )
    assert beyond == pytest.approx(8.0 - 7.494811, abs=5e-7)


@pytest.mark.capability("GR-134")
def test_a_scan_of_a_room_is_exact_and_its_noise_is_the_told_one():
    room = PolygonWorld(
        [np.array([[3, 1], [4, 1], [4, 2], [3, 2]])], np.zeros(2), np.array([6.0, 4.0])
    )
    scanner = LaserScanner(max_range=10.0, noise=0.02)
    pose = np.array([1.0, 1.5, 0.2])

    ranges = simulate_scan(scanner, room, pose)

    ends = pose[:2] + ranges[:, None] * np.stack(
        [np.cos(scanner.bearings + 0.2), np.sin(scanner.bearings + 0.2)], axis=-1
    )
    on_wall = (
        np.isclose(ends, 0.0, atol=1e-9).any(axis=1)
        | np.isclose(ends, [6.0, 4.0], atol=1e-9).any(axis=1)
        | (
            np.isclose(ends[:, 0], 3.0, atol=1e-9)
            & (ends[:, 1] >= 1)
            & (ends[:, 1] <= 2)
        )
        | (
            np.isclose(ends[:, 1], 1.0, atol=1e-9)
            & (ends[:, 0] >= 3)
            & (ends[:, 0] <= 4)
        )
        | (
            np.isclose(ends[:, 1], 2.0, atol=1e-9)
            & (ends[:, 0] >= 3)
            & (ends[:, 0] <= 4)
        )
    )
    assert on_wall.all()
    assert_allclose(room.clearance(ends), 0.0, atol=1e-9)
    rng = np.random.default_rng(2)
    error = np.concatenate(
        [simulate_scan(scanner, room, pose, rng=rng) - ranges for _ in range(40)]
    )
    assert error.std() == pytest.approx(0.02, rel=0.05)


@pytest.mark.capability("GR-134")
def test_scans_from_a_moving_vehicle_make_one_map():
    room = PolygonWorld(
        [np.array([[3, 1], [4, 1], [4, 2], [3, 2]])], np.zeros(2), np.array([6.0, 4.0])
    )
    scanner = LaserScanner(
        max_range=10.0, count=91, increment=np.radians(4), angle_min=-np.pi
    )
    poses = np.array([[1, 1, 0.0], [2, 3, 1.0], [5, 3, -2.0], [5, 0.7, 2.5]])
    scans = [simulate_scan(scanner, room, pose) for pose in poses]

    points = merge_scans(scanner, poses, scans)

    assert len(points) == 4 * 91
    assert np.abs(room.clearance(points)).max() < 1e-9
    grid = empty_grid([0, 0], [6, 4], 0.25)
    for pose, ranges in zip(poses, scans, strict=True):
        grid = add_scan(grid, pose, scanner.bearings, ranges, max_range=10.0)
    assert grid.probability[4, 4] < 0.2  # where the first scan was taken
    assert grid.probability[12, 4:8].max() > 0.6  # the box's left side
    none = scan_points(scanner, np.full(91, 10.0))
    assert none.shape == (0, 2)
    with pytest.raises(ConfigError, match="poses"):
        merge_scans(scanner, poses[:2], scans)


@pytest.mark.capability("GR-283")
def test_radar_numbers_are_the_published_ones():
    slow = Radar(bandwidth=1e9, sweep=1e-3)
    assert distance_from_beat(slow, 100e3) == pytest.approx(14.989623, abs=5e-7)
    assert slow.resolution == pytest.approx(0.149896, abs=5e-7)
    radar = Radar(sweep=50e-6)
    assert doppler_shift(radar, 3.0) == pytest.approx(1541.066, abs=5e-4)
    step = 4 * np.pi * 3.0 * 50e-6 / radar.wavelength
    assert step == pytest.approx(0.484140, abs=5e-7)
    assert speed_from_phase(radar, step) == pytest.approx(3.0)
    assert radar.max_speed == pytest.approx(speed_from_phase(radar, np.pi))
    assert radar.max_range == pytest.approx(
        distance_from_beat(radar, radar.sample_rate / 2)
    )
    # Two antennas: the farther one hears d_a sin α later.
    delay = 0.002 * np.sin(0.4) / speed_of_light
    turn = 2 * np.pi * radar.carrier * delay
    assert angle_from_phase(radar, turn, spacing=0.002) == pytest.approx(0.4)


@pytest.mark.capability("GR-283")
def test_a_target_is_found_in_smoke_where_light_is_blind():
    radar = Radar()
    rng = np.random.default_rng(3)
    for distance, speed in ((7.3, 4.0), (12.0, -6.5)):
        signal = beat_signal(
            radar, [distance], [speed], num_sweeps=32, noise=2e-3, rng=rng
        )
        found = range_doppler(radar, signal)
        assert found[0] == pytest.approx(distance, abs=radar.resolution / 2)
        assert found[1] == pytest.approx(speed, abs=0.6)
    # Smoke takes light by Beer and Lambert, both ways; the wave passes.
    light_left = np.exp(-2 * 0.8 * 7.3)
    assert light_left < 1e-4
    # Power falls with the fourth power of distance.
    near, far = (
        np.abs(beat_signal(radar, [d], num_sweeps=2)).max() for d in (5.0, 10.0)
    )
    assert (near / far) ** 2 == pytest.approx(16.0, rel=0.02)


@pytest.mark.capability("GR-134")
def test_round_things_stop_beams_like_polygons_with_many_corners() -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 120, endpoint=False)
    ring = np.array([2.0, 1.0]) + 0.3 * np.stack([np.cos(angle), np.sin(angle)], -1)
    fan = LaserScanner(increment=np.pi / 60, count=61, max_range=5.0)
    pose = [0.5, 0.7, 0.1]

    polygon = simulate_scan(fan, PolygonWorld([ring], [0, 0], [4, 2]), pose)
    disc = simulate_scan(
        fan, PolygonWorld([], [0, 0], [4, 2]), pose, discs=[[2.0, 1.0, 0.3]]
    )

    np.testing.assert_allclose(disc, polygon, atol=1e-3)
    assert (disc < simulate_scan(fan, PolygonWorld([], [0, 0], [4, 2]), pose)).any()
