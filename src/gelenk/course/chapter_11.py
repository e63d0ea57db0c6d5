"""Chapter 11 of the course: middleware and simulation."""

from __future__ import annotations

from gelenk.course.method import Method

_R = "gelenk.runtime."


def _runtime(*names: str) -> tuple[str, ...]:
    return tuple(_R + name for name in names)


METHODS = (
    Method(
        id="GR-262",
        title="messages to one, many or subscribers",
        objects=_runtime("bus.Bus", "bus_monitor.measure_bus"),
        formula="published in tick k, delivered in tick k + 1 to all who subscribed",
        erratum="E-50: the Java message service is JMS, not JSM.",
    ),
    Method(
        id="GR-263",
        title="broker that routes messages",
        objects=_runtime("bus.Bus", "bus_monitor.Monitor"),
        formula="senders know topics, not receivers; who joins late finds the newest",
    ),
    Method(
        id="GR-264",
        title="calls blocking or not, here or remote",
        objects=_runtime("calls.LocalCaller", "calls.RemoteCaller", "calls.CallServer"),
        formula="call(name) waits for the answer, call_later(name) returns a future",
    ),
    Method(
        id="GR-265",
        title="throughput and latency of messages",
        objects=_runtime("bus_monitor.measure_bus", "bus_monitor.BusThroughput"),
        formula="rate = n / t, latency = t_deliver - t_publish",
    ),
    Method(
        id="GR-266",
        title="simulation at several levels of detail",
        objects=(
            "gelenk.behavior.rover.drive_rover",
            "gelenk.behavior.rover.KinematicRover",
            "gelenk.behavior.rover.DynamicRover",
        ),
        formula="kinematic: v = v_d; dynamic: m v̇ = clip(k (v_d - v), ±F_max) - c v",
    ),
    Method(
        id="GR-267",
        title="scenarios run and judged automatically",
        objects=(
            "gelenk.behavior.executive.run_judged",
            "gelenk.runtime.scenario.run_scenario",
            "gelenk.runtime.campaign.run_campaign",
        ),
        formula="passed, aborted, timed out or crashed; figures at the end",
    ),
    Method(
        id="GR-268",
        title="performance regressions found by statistics",
        objects=_runtime(
            "figures.compare_figures",
            "figures.find_regressions",
            "statistics.wilson_interval",
        ),
        formula="U = Σ ranks - m (m + 1) / 2, z = (U - n m / 2) / σ_U",
    ),
    Method(
        id="GR-269",
        title="live view of running values",
        objects=_runtime("bus_monitor.Monitor", "bus_monitor.TopicView"),
        formula="newest value, count, rate and age of every topic",
    ),
    Method(
        id="GR-270",
        title="pictures of what algorithms do",
        objects=("gelenk.course.describe.draw",),
        formula="each method of the course draws itself into axes",
    ),
    Method(
        id="GR-271",
        title="recordings replayed step by step",
        objects=_runtime(
            "replay.replay_steps",
            "replay.Replay",
            "verification.verify_recording",
        ),
        formula="what had come by tick k: the same inputs give the same bits",
    ),
    Method(
        id="GR-272",
        title="logs and videos of robots aligned in time",
        objects=_runtime(
            "replay.clock_offset",
            "replay.fit_clock",
            "replay.align_events",
        ),
        formula="offset = ½ ((t2 - t1) + (t3 - t4))",
    ),
    Method(
        id="GR-273",
        title="tests at unit to integration level",
        objects=("gelenk.course.levels.level_of", "gelenk.course.levels.count_tests"),
        formula="unit, regression, component, integration; passing is no proof",
    ),
    Method(
        id="GR-274",
        title="true values in place of a module",
        objects=_runtime("modules.with_truth"),
        formula="same topics, other source: only what follows from them changes",
    ),
)
