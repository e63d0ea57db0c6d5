"""Pictures of chapter 5: balance, walking, running, hopping."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from course_pictures.drawing import label
from gelenk.dynamics.balance import cart_table_zmp, contact_balance, zmp_from_contacts
from gelenk.dynamics.hopping import monopod, run_hopper, trotter
from gelenk.dynamics.periodic_gaits import (
    SpringMass,
    find_basin,
    run_stance,
    walker_step,
)
from gelenk.dynamics.walking import (
    PreviewCfg,
    WalkCfg,
    capture_point,
    lipm_state,
    pendulum_acceleration,
    pendulum_rate,
    plan_walk,
    sole_corners,
)
from gelenk.geometry.support_polygons import support_margin, support_polygon
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CORNERS = np.array([[0.0, 0.0], [0.2, 0.0], [0.2, 0.1], [0.0, 0.1]])
CYCLE = np.array([0.2003109, -0.1998325])


def _polygon(axes: Axes, points: FloatArray) -> None:
    corners = support_polygon(points)
    axes.fill(*corners.T, color="0.85", label="support polygon")
    axes.set_aspect("equal", adjustable="datalim")


def draw_static(axes: Axes) -> None:
    """Draw centres of mass over a support polygon, safe and not."""
    feet = np.concatenate([CORNERS, CORNERS + np.array([0.1, 0.25])])
    _polygon(axes, feet)
    for centre in ([0.15, 0.15], [0.05, 0.3], [0.28, 0.1]):
        is_safe = support_margin(feet, centre) > 0.0
        axes.plot(*centre, "go" if is_safe else "rx")
    label(axes, "x [m]", "y [m]")


def draw_zmp(axes: Axes) -> None:
    """Draw contact forces under a sole and the point where they act together."""
    forces = np.array([100.0, 200.0, 150.0, 50.0])
    _polygon(axes, CORNERS)
    axes.scatter(*CORNERS.T, s=forces, label="normal forces")
    axes.plot(*zmp_from_contacts(CORNERS, forces), "r*", markersize=12, label="ZMP")
    label(axes, "x [m]", "y [m]")


def draw_margin(axes: Axes) -> None:
    """Draw lines of equal margin inside a support polygon."""
    x, y = np.linspace(-0.03, 0.23, 40), np.linspace(-0.03, 0.13, 25)
    margin = [[support_margin(CORNERS, [a, b]) for a in x] for b in y]
    lines = axes.contour(x, y, margin, levels=[-0.02, 0.0, 0.02, 0.04])
    axes.clabel(lines)
    axes.set_aspect("equal", adjustable="datalim")
    label(axes, "x [m]", "y [m]")


def draw_cart(axes: Axes) -> None:
    """Draw a swaying mass and the centre of pressure that it needs."""
    t = np.linspace(0.0, 4.0, 200)
    x = 0.05 * np.sin(2.0 * t)
    axes.plot(t, x, label="centre of mass")
    axes.plot(t, cart_table_zmp(x, -4.0 * x, height=0.8), label="centre of pressure")
    label(axes, "t [s]", "x [m]")


def draw_pendulum(axes: Axes) -> None:
    """Draw the fall of a pendulum, as it is and linear."""
    angle, speed, h = 0.05, 0.0, 5e-3
    full: list[float] = []
    for _ in range(240):
        full.append(angle)
        speed += h * float(pendulum_acceleration(angle, 0.0, length=0.8))
        angle += h * speed
    t = h * np.arange(240)
    axes.plot(t, full, label="nonlinear")
    axes.plot(t, 0.05 * np.cosh(pendulum_rate(0.8) * t), "--", label="linear")
    label(axes, "t [s]", "θ [rad]")


def draw_spring_mass(axes: Axes) -> None:
    """Draw the way of a runner's mass over its foot."""
    for attack in (64.0, 68.0, 72.0):
        stance = run_stance(SpringMass(attack=np.radians(attack)), [5.0, -0.5])
        axes.plot(*stance.place.T, label=f"attack {attack:g}°")
    axes.plot(0.0, 0.0, "k^")
    label(axes, "x [m]", "z [m]")


def draw_basin(axes: Axes) -> None:
    """Draw which starts lead a passive walker to its gait."""
    rows = np.linspace(-0.03, 0.03, 5)
    starts = CYCLE + np.array([[a, b] for a in rows for b in rows])
    found = find_basin(
        lambda x: walker_step(x, 0.009).after, starts, CYCLE, num_steps=3, radius=0.1
    )
    axes.plot(*starts[found].T, "go", label="walks")
    axes.plot(*starts[~found].T, "rx", label="falls")
    label(axes, "θ [rad]", "θ̇")


def draw_capture(axes: Axes) -> None:
    """Draw a push, and steps short of, onto and beyond the capture point."""
    t = np.linspace(0.0, 1.2, 100)
    point = float(capture_point(0.0, 0.5, height=0.8))
    for name, foot in (("short", 0.95), ("capture point", 1.0), ("beyond", 1.05)):
        x, _ = lipm_state(0.0, 0.5, t, height=0.8, foot=foot * point)
        axes.plot(t, x, label=name)
    label(axes, "t [s]", "x of the mass [m]")


def draw_terrain(axes: Axes) -> None:
    """Draw where a mass may be over three contacts on slopes."""
    feet = np.array([[0.0, 0.0, 0.0], [0.4, 0.0, 0.1], [0.1, 0.4, 0.05]])
    normals = np.array([[0.3, 0.1, 1.0], [-0.5, 0.0, 1.0], [0.0, -0.4, 1.0]])
    for x in np.linspace(-0.1, 0.5, 6):
        for y in np.linspace(-0.1, 0.5, 6):
            found = contact_balance(
                feet, normals, [x, y, 0.6], mass=20.0, friction=0.5, count=4
            )
            axes.plot(x, y, "g." if found.is_balanced else "r,")
    axes.plot(*feet[:, :2].T, "k^", label="contacts")
    label(axes, "x [m]", "y [m]")


def draw_walk(axes: Axes) -> None:
    """Draw footsteps, the zero-moment point and the centre of mass from above."""
    walk = plan_walk(WalkCfg(num_steps=5), PreviewCfg(dt=0.02, horizon=80, height=0.8))
    for foot in np.unique(walk.feet[walk.is_down].round(3), axis=0):
        axes.fill(*sole_corners(foot, length=0.18, width=0.1).T, color="0.85")
    axes.plot(*walk.zmp.T, linewidth=0.8, label="ZMP")
    axes.plot(*walk.centre[:, 0].T, label="centre of mass")
    axes.set_aspect("equal", adjustable="datalim")
    label(axes, "x [m]", "y [m]")


def draw_hopper(axes: Axes) -> None:
    """Draw a hopper that starts running."""
    run = run_hopper(monopod(), speed=1.0, height=0.75, duration=3.0)
    axes.plot(run.x, run.z)
    label(axes, "x [m]", "z [m]")


def draw_trot(axes: Axes) -> None:
    """Draw which legs of a trotting robot stand."""
    run = run_hopper(trotter(), speed=1.0, height=0.75, duration=2.5, dt=2e-3)
    for leg, name in enumerate(("LF", "RF", "LH", "RH")):
        t = [time for time, legs in zip(run.t, run.stance, strict=True) if leg in legs]
        axes.plot(t, np.full(len(t), leg), "|", label=name)
    label(axes, "t [s]", "leg")


def draw_passive_walker(axes: Axes) -> None:
    """Draw both legs of a passive walker over two steps."""
    state, start = CYCLE, 0.0
    for _ in range(2):
        step = walker_step(state, 0.009)
        theta, phi = step.state[:, 0], step.state[:, 2]
        axes.plot(start + step.t, theta, color="tab:blue")
        axes.plot(start + step.t, theta - phi, color="tab:orange")
        start += float(step.t[-1])
        state = CYCLE if step.after is None else step.after
    label(axes, "t [√(l/g)]", "leg from the normal [rad]")


PICTURES = {
    "GR-85": draw_static,
    "GR-86": draw_zmp,
    "GR-87": draw_margin,
    "GR-88": draw_cart,
    "GR-89": draw_pendulum,
    "GR-90": draw_spring_mass,
    "GR-91": draw_basin,
    "GR-92": draw_capture,
    "GR-93": draw_terrain,
    "GR-94": draw_walk,
    "GR-95": draw_hopper,
    "GR-96": draw_trot,
    "GR-97": draw_passive_walker,
}
