"""Pictures of chapter 11: messages, runs, clocks, figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gelenk.behavior.executive import run_judged
from gelenk.behavior.rover import DynamicRover, KinematicRover, drive_rover
from gelenk.planning.world import PolygonWorld
from gelenk.runtime.bus import Bus
from gelenk.runtime.bus_monitor import Monitor, Payload, measure_bus
from gelenk.runtime.calls import LocalCaller
from gelenk.runtime.figures import compare_figures
from gelenk.runtime.replay import clock_offset, fit_clock

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOM = PolygonWorld([], np.zeros(2), np.array([8.0, 6.0]))


def _boxes(axes: Axes, names: tuple[str, ...], at: list[tuple[float, float]]) -> None:
    for name, (x, y) in zip(names, at, strict=True):
        box = {"boxstyle": "round", "facecolor": "white"}
        axes.text(x, y, name, ha="center", va="center", bbox=box)
    axes.plot(*np.array(at).T, alpha=0.0)
    axes.margins(0.3)
    axes.set_axis_off()


def _arrows(axes: Axes, pairs: list[tuple[tuple[float, float], tuple[float, float]]]):
    for start, end in pairs:
        axes.annotate("", end, start, arrowprops={"arrowstyle": "->"})


def draw_patterns(axes: Axes) -> None:
    """One sender, several subscribers."""
    at = [(0.0, 0.0), (2.0, 1.0), (2.0, 0.0), (2.0, -1.0)]
    _arrows(axes, [(at[0], end) for end in at[1:]])
    _boxes(axes, ("camera", "vision", "recorder", "page"), at)


def draw_broker(axes: Axes) -> None:
    """All messages by way of the bus."""
    at = [(0.0, 1.0), (0.0, -1.0), (1.5, 0.0), (3.0, 1.0), (3.0, -1.0)]
    _arrows(axes, [(at[0], at[2]), (at[1], at[2]), (at[2], at[3]), (at[2], at[4])])
    _boxes(axes, ("eyes", "legs", "bus", "brain", "recorder"), at)


def draw_calls(axes: Axes) -> None:
    """Three calls that do not wait for each other."""
    with LocalCaller({"square": lambda x: x * x}) as caller:
        later = [caller.call_later("square", x=k) for k in range(8)]
        axes.plot(range(8), [future.result(10) for future in later], "o-")
    axes.set_xlabel("argument")
    axes.set_ylabel("answer")


def draw_latency(axes: Axes) -> None:
    """How long messages take on the bus."""
    found = measure_bus(2000)
    axes.hist(1e6 * found.latency, bins=40)
    axes.set_xlabel("latency [µs]")
    axes.set_title(f"{found.rate:.0f} messages per second")


def draw_fidelity(axes: Axes) -> None:
    """The same program on a simple and on a true rover."""

    def decide(ranges: np.ndarray, state) -> tuple[float, float]:
        d = np.array([6.5, 4.5]) - state.pose[:2]
        turn = math.atan2(d[1], d[0]) - state.pose[2]
        return 0.6, 1.5 * math.atan2(math.sin(turn), math.cos(turn))

    for model, name in ((KinematicRover(), "kinematic"), (DynamicRover(), "dynamic")):
        run = drive_rover(ROOM, decide, [1, 1, -1.5], model=model, steps=110)
        axes.plot(run.pose[:, 0], run.pose[:, 1], label=name)
    axes.set_aspect("equal")
    axes.legend()


def draw_judged(axes: Axes) -> None:
    """Runs that pass, are aborted, or take too long."""
    for speed in np.linspace(0.0, 3.0, 25):
        run = run_judged(
            0.0, lambda x, t, v=speed: x + 0.1 * v, goal=lambda x: x >= 1.0,
            aborts={"too far": lambda x: x > 1.15}, timeout=2.0, dt=0.1,
        )  # fmt: skip
        color = {"passed": "g", "aborted": "r"}.get(run.verdict.value, "0.5")
        axes.plot(speed, run.time, "o", color=color)
    axes.set_xlabel("speed [m/s]")
    axes.set_ylabel("end of the run [s]")


def draw_regression(axes: Axes) -> None:
    """Chance that explains a change, over its size."""
    rng = np.random.default_rng(0)
    old = rng.normal(10, 1, 40)
    growth = np.linspace(0.0, 0.15, 12)
    chances = [
        compare_figures(old, rng.normal(10 * (1 + g), 1, 40)).chance for g in growth
    ]
    axes.semilogy(100 * growth, chances, "o-")
    axes.axhline(0.01, color="r")
    axes.set_xlabel("slower by [%]")
    axes.set_ylabel("chance")


def draw_monitor(axes: Axes) -> None:
    """Values of one topic as they come."""
    bus = Bus({"numbers": Payload})
    monitor, seen = Monitor(bus), []
    for tick in range(1, 60):
        values = np.array([math.sin(0.2 * tick)])
        bus.publish("numbers", Payload(number=tick, values=values))
        bus.advance(tick * 20_000_000)
        seen.append((0.02 * tick, monitor.value("numbers.values[0]")))
    axes.plot(*np.array(seen).T)
    axes.set_xlabel("time [s]")


def draw_pictures(axes: Axes) -> None:
    """A picture of pictures: how many methods of each chapter show themselves."""
    from gelenk.course.register import chapters

    counts = {k: len(methods) for k, methods in chapters().items()}
    axes.bar([str(k) for k in counts], list(counts.values()))
    axes.set_xlabel("chapter")
    axes.set_ylabel("pictures")


def draw_replay(axes: Axes) -> None:
    """What a recording had at each tick."""
    times = np.array([1, 2, 4, 5, 8]) * 0.01
    axes.plot(times, np.ones(5), "o", label="recorded")
    axes.step(np.arange(1, 9) * 0.01, [1, 2, 2, 3, 4, 4, 4, 5], where="post")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("messages so far")


def draw_clocks(axes: Axes) -> None:
    """Offsets of single exchanges, and the clock that they tell."""
    rng = np.random.default_rng(1)
    t1 = np.sort(rng.uniform(0, 100, 200))
    out, back = 0.002 + rng.exponential(0.01, (2, 200))
    t2 = (t1 + out) * (1 + 1e-4) + 5.0
    t4 = t1 + out + back
    fit = fit_clock(t1, t2, t2, t4)
    axes.plot(t1, clock_offset(t1, t2, t2, t4), ".", markersize=3)
    axes.plot(t1, fit.offset + fit.drift * (t1 - fit.origin), "r")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("offset [s]")


def draw_levels(axes: Axes) -> None:
    """Levels of tests, each on the one below."""
    for k, name in enumerate(("unit", "regression", "component", "integration")):
        axes.barh(k, 4 - k, color="tab:green", alpha=0.4 + 0.15 * k)
        axes.text(0.1, k, name, va="center")
    axes.set_axis_off()


def draw_bypass(axes: Axes) -> None:
    """A chain of modules, one of them replaced by the truth."""
    at = [(0.0, 0.0), (1.5, 0.0), (3.0, 0.0), (1.5, 1.0)]
    _arrows(axes, [(at[0], at[1]), (at[1], at[2]), (at[3], at[2])])
    _boxes(axes, ("camera", "vision", "behaviour", "truth"), at)


PICTURES = {
    "GR-262": draw_patterns,
    "GR-263": draw_broker,
    "GR-264": draw_calls,
    "GR-265": draw_latency,
    "GR-266": draw_fidelity,
    "GR-267": draw_judged,
    "GR-268": draw_regression,
    "GR-269": draw_monitor,
    "GR-270": draw_pictures,
    "GR-271": draw_replay,
    "GR-272": draw_clocks,
    "GR-273": draw_levels,
    "GR-274": draw_bypass,
}
