"""Pictures of chapter 7, first part: sensors of the robot itself and of distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from course_pictures.drawing import label
from gelenk.navigation.dead_reckoning import inertial_drift
from gelenk.planning.world import PolygonWorld
from gelenk.sensing.encoders import (
    encoder_tracks,
    encoder_word,
    filtered_rate,
    quantised,
    resolver_signals,
    saturated,
    wiper_share,
)
from gelenk.sensing.force_torque import bridge_voltage, pressure_image
from gelenk.sensing.inertial import (
    GyroGrade,
    TuningFork,
    complementary_step,
    coriolis_amplitude,
    position_drift,
    specific_force,
)
from gelenk.sensing.laser_scanner import (
    LaserScanner,
    merge_scans,
    multipath_distance,
    simulate_scan,
    triangulation_error,
)
from gelenk.sensing.radar import Radar, beat_signal
from gelenk.sensing.sonar import Sonar, SonarScene, sonar_reading
from gelenk.spatial import so3
from gelenk.vision.depth_cameras import distance_from_phase

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_chain(axes: Axes) -> None:
    """Draw a quantity and what a cheap sensor makes of it."""
    rng = np.random.default_rng(1)
    t = np.linspace(0.0, 6.0, 200)
    value = 1.3 * np.sin(t)
    shaken = 0.95 * value + 0.1 + rng.normal(0.0, 0.04, 200)
    reading = quantised(saturated(shaken, -1.2, 1.2), 0.1)
    axes.plot(t, value, label="quantity")
    axes.step(t, reading, label="reading")
    label(axes, "t [s]", "")


def draw_potentiometer(axes: Axes) -> None:
    """Draw the wiper's voltage, unloaded and loaded."""
    x = np.linspace(0.0, 1.0, 100)
    for ratio in (0.0, 1.0, 5.0):
        axes.plot(x, wiper_share(x, 0.0, 1.0, ratio), label=f"R / R_load = {ratio:g}")
    label(axes, "x / x_max", "U / U₀")


def draw_incremental(axes: Axes) -> None:
    """Draw the tracks of an encoder that turns to and fro."""
    t = np.linspace(0.0, 3.0, 1500)
    tracks = encoder_tracks(0.5 * np.sin(t), 20)
    for row, (name, track) in enumerate(
        (("A", tracks.a), ("B", tracks.b), ("index", tracks.index))
    ):
        axes.plot(t, 0.7 * track - row, label=name)
    label(axes, "t [s]", "")


def draw_absolute(axes: Axes) -> None:
    """Draw the disc of an absolute encoder, unrolled."""
    words = encoder_word((np.arange(64) + 0.5) * 2 * np.pi / 64, 6)
    bits = (words[None, :] >> np.arange(5, -1, -1)[:, None]) & 1
    axes.imshow(
        bits,
        aspect="auto",
        cmap="Greys",
        interpolation="nearest",
        extent=(0, 360, 6, 0),
    )
    label(axes, "angle [°]", "track")


def draw_resolver(axes: Axes) -> None:
    """Draw both windings of a turning resolver."""
    t = np.linspace(0.0, 0.02, 1200)
    signals = resolver_signals(2 * np.pi * 50 * t, t, carrier=1e3)
    axes.plot(1e3 * t, signals[:, 0], linewidth=0.8, label="U_s")
    axes.plot(1e3 * t, signals[:, 1], linewidth=0.8, label="U_c")
    label(axes, "t [ms]", "U")


def draw_rates(axes: Axes) -> None:
    """Draw a speed from noisy positions, filtered little and much."""
    rng = np.random.default_rng(2)
    t = 1e-2 * np.arange(300)
    q = np.sin(3.0 * t) + rng.normal(0.0, 2e-3, 300)
    for smoothing in (0.0, 0.8, 0.95):
        rate = filtered_rate(q, dt=1e-2, smoothing=smoothing)
        axes.plot(t, rate, linewidth=0.9, label=f"α = {smoothing}")
    axes.plot(t, 3.0 * np.cos(3.0 * t), "k", label="true")
    label(axes, "t [s]", "q̇ [rad/s]")


def draw_accelerometer(axes: Axes) -> None:
    """Draw what three accelerometers read while a resting body is pitched."""
    pitch = np.linspace(-np.pi / 2, np.pi / 2, 100)
    force = specific_force(so3.rot_y(pitch), np.zeros((100, 3)))
    for k, name in enumerate("xyz"):
        axes.plot(np.degrees(pitch), force[:, k], label=name)
    label(axes, "pitch [°]", "f [m/s²]")


def draw_fusion(axes: Axes) -> None:
    """Draw an angle from a drifting gyro, a noisy reference, and both together."""
    rng = np.random.default_rng(3)
    t, dt = np.arange(0.0, 20.0, 0.05), 0.05
    truth = 0.5 * np.sin(0.5 * t)
    rate = 0.25 * np.cos(0.5 * t) + 0.03
    reference = truth + rng.normal(0.0, 0.1, len(t))
    fused, alone = [0.0], [0.0]
    for k in range(1, len(t)):
        args = (fused[-1], rate[k], reference[k])
        fused.append(float(complementary_step(*args, dt=dt, trust=0.97)))
        alone.append(alone[-1] + dt * float(rate[k]))
    axes.plot(t, reference, "0.8", label="reference")
    axes.plot(t, alone, label="gyro alone")
    axes.plot(t, fused, label="both")
    axes.plot(t, truth, "k--", label="true")
    label(axes, "t [s]", "angle [rad]")


def draw_gyro_drift(axes: Axes) -> None:
    """Draw how far positions drift on a flight at 900 km/h."""
    hours = np.linspace(0.0, 8.0, 50)
    for grade in GyroGrade:
        off = [
            position_drift(grade, hours=float(h), distance=9e5 * float(h))
            for h in hours
        ]
        axes.plot(hours, 1e-3 * np.array(off), label=str(grade))
    label(axes, "t [h]", "drift [km]")


def draw_fork(axes: Axes) -> None:
    """Draw the answer of a tuning fork over the distance of its two frequencies."""
    split = np.linspace(0.9, 1.3, 200)
    for quality in (20.0, 100.0):
        swing = [
            float(
                coriolis_amplitude(
                    TuningFork(sense_frequency=s * 2e4 * np.pi, quality=quality), 1.0
                )
            )
            for s in split
        ]
        axes.plot(split, 1e9 * np.array(swing), label=f"Q = {quality:g}")
    label(axes, "ω_s / ω_d", "swing at 1 rad/s [nm]")


def draw_strap_down(axes: Axes) -> None:
    """Draw how the error of inertial odometry grows."""
    t = np.linspace(1.0, 120.0, 100)
    for bias in (1e-3, 1e-2):
        axes.loglog(t, inertial_drift(t, bias=bias), label=f"bias {bias:g} m/s²")
    axes.loglog(t, inertial_drift(t, noise=1e-3), label="white noise")
    label(axes, "t [s]", "error [m]")


def draw_bridge(axes: Axes) -> None:
    """Draw the voltage of three bridges over strain."""
    strain = np.linspace(-0.05, 0.05, 100)
    for name, voltage in (
        ("quarter", bridge_voltage(strain, bridge="quarter")),
        ("half", bridge_voltage(strain, bridge="half")),
        ("full", bridge_voltage(strain, bridge="full")),
    ):
        axes.plot(strain, voltage, label=name)
    label(axes, "ε", "U [V]")


def draw_skin(axes: Axes) -> None:
    """Draw the pressure image of two fingers."""
    rng = np.random.default_rng(4)
    points = np.concatenate(
        [c + rng.normal(0.0, 0.006, (40, 2)) for c in ([0.03, 0.03], [0.08, 0.05])]
    )
    points = np.clip(points, 0.0, [0.11, 0.07])
    image = pressure_image(points, np.full(80, 0.1), shape=(8, 12), pitch=0.01)
    axes.imshow(image, origin="lower")
    label(axes, "column", "row")


def draw_sonar(axes: Axes) -> None:
    """Draw what a sonar reads of a wall that turns: too near, then nothing."""
    degrees = np.linspace(0.0, 25.0, 51)
    reading: list[float] = []
    for angle in np.radians(degrees):
        foot = 2.0 * np.array([np.cos(angle), np.sin(angle)])
        along = 3.0 * np.array([-np.sin(angle), np.cos(angle)])
        scene = SonarScene(walls=np.array([[foot - along, foot + along]]))
        found = sonar_reading(Sonar(), [0.0, 0.0, 0.0], scene)
        reading.append(np.nan if found is None else found)
    axes.plot(degrees, reading, label="reading")
    axes.plot(degrees, 2.0 / np.cos(np.radians(degrees)), "--", label="on the axis")
    label(axes, "wall turned by [°]", "distance [m]")


def draw_many_sonars(axes: Axes) -> None:
    """Draw circles around sonars that meet in the object."""
    target = np.array([1.4, 0.5])
    for y in (-0.4, 0.0, 0.4):
        angle = np.linspace(-0.8, 0.8, 60)
        r = float(np.hypot(target[0], target[1] - y))
        axes.plot(r * np.cos(angle), y + r * np.sin(angle))
        axes.plot(0.0, y, "k>")
    axes.plot(*target, "r*", markersize=12)
    axes.set_aspect("equal")
    label(axes, "x [m]", "y [m]")


def draw_multipath(axes: Axes) -> None:
    """Draw how light by a detour lengthens a reading."""
    detour = np.linspace(0.0, 3.0, 80)
    for strength in (0.1, 0.3):
        read = [
            float(multipath_distance(2.0, [d], [strength], frequency=20e6))
            for d in detour
        ]
        axes.plot(detour, read, label=f"{100 * strength:g} % of the light")
    label(axes, "detour [m]", "reading of 2 m [m]")


def draw_triangulation(axes: Axes) -> None:
    """Draw the error of triangulation over distance."""
    z = np.linspace(0.1, 5.0, 80)
    for base in (0.05, 0.2):
        error = triangulation_error(z, base=base, focal=0.016, spot_error=2e-6)
        axes.plot(z, 1e3 * error, label=f"base {100 * base:g} cm")
    label(axes, "z [m]", "error [mm]")


def draw_phase(axes: Axes) -> None:
    """Draw the reading of a phase sensor: it repeats."""
    d = np.linspace(0.0, 20.0, 400)
    for mega in (10.0, 20.0):
        phase = 4 * np.pi * mega * 1e6 * d / 299_792_458.0
        axes.plot(
            d, distance_from_phase(phase, frequency=mega * 1e6), label=f"{mega:g} MHz"
        )
    label(axes, "distance [m]", "reading [m]")


def draw_scan(axes: Axes) -> None:
    """Draw points of scans from three places in a room."""
    box = np.array([[3.0, 1.0], [4.0, 1.0], [4.0, 2.0], [3.0, 2.0]])
    room = PolygonWorld([box], np.zeros(2), np.array([6.0, 4.0]))
    scanner = LaserScanner(count=181, noise=0.02)
    rng = np.random.default_rng(5)
    for pose in ([1.0, 1.0, 0.3], [2.0, 3.0, -0.5], [5.0, 3.0, 3.5]):
        ranges = simulate_scan(scanner, room, pose, rng=rng)
        points = merge_scans(scanner, [pose], [ranges])
        axes.plot(*points.T, ".", markersize=2)
        axes.plot(*pose[:2], "k^")
    axes.set_aspect("equal")
    label(axes, "x [m]", "y [m]")


def draw_radar(axes: Axes) -> None:
    """Draw distances and speeds of two targets as a radar sees them."""
    radar = Radar()
    signal = beat_signal(radar, [7.0, 12.0], [4.0, -6.0], cross_section=[1.0, 8.0])
    window = np.hanning(signal.shape[0])[:, None] * np.hanning(signal.shape[1])
    power = np.abs(np.fft.fftshift(np.fft.fft2(signal * window), axes=0))
    v, half = radar.max_speed, signal.shape[1] // 2
    axes.imshow(
        20 * np.log10(power[:, : half // 2] + 1e-6),
        aspect="auto",
        origin="lower",
        extent=(0.0, radar.max_range / 2, -v, v),
    )
    label(axes, "distance [m]", "speed [m/s]")


PICTURES = {
    "GR-116": draw_chain,
    "GR-117": draw_potentiometer,
    "GR-118": draw_incremental,
    "GR-119": draw_absolute,
    "GR-120": draw_resolver,
    "GR-121": draw_rates,
    "GR-122": draw_accelerometer,
    "GR-123": draw_fusion,
    "GR-124": draw_gyro_drift,
    "GR-125": draw_fork,
    "GR-126": draw_strap_down,
    "GR-127": draw_bridge,
    "GR-128": draw_skin,
    "GR-129": draw_sonar,
    "GR-130": draw_many_sonars,
    "GR-131": draw_multipath,
    "GR-132": draw_triangulation,
    "GR-133": draw_phase,
    "GR-134": draw_scan,
    "GR-283": draw_radar,
}
