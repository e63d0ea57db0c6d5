"""Recorded messages reach controllers at the times at which they arrived."""

import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.bus import Bus
from gelenk.runtime.message_faults import MessageFaults
from gelenk.runtime.modules import Module, make_process
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import open_recording
from gelenk.runtime.replay import Replay
from gelenk.runtime.run import Run
from gelenk.sim.faults import Fault
from point_world import PointWorld
from runtime.sample_messages import Count


def source() -> Module:
    """Return a module that counts."""
    return Module(
        name="source",
        step=lambda n, _: (n + 1, {"n": Count(value=n)}),
        initial=0,
        provides={"n": Count},
    )


def integrator() -> Module:
    """Return a module whose output depends on what came when."""

    def add(total, inputs):
        total = 2 * total % 1009 + inputs["n"].value
        return total, {"sum": Count(value=total)}

    return Module(
        name="integrator",
        step=add,
        initial=0,
        requires={"n": Count},
        provides={"sum": Count},
    )


def consumer():
    return make_process("consumer", [integrator()], given={"n": Count}, period=0.01)


@pytest.mark.parametrize("faults", [(), (Fault(target="n", kind="message_delayed", start=0.1, duration=0.3, amount=0.035),)])  # fmt: skip
def test_a_replay_gives_the_same_answers_at_the_same_times(tmp_path, faults) -> None:
    bus = Bus(faults=MessageFaults(faults, seed=1) if faults else None)
    producer = make_process("producer", [source()], rate=60.0)
    with (
        Recorder(tmp_path / "a.mcap") as recorder,
        Run(PointWorld(), [producer, consumer()], bus=bus, step=0.001, recorder=recorder) as run,
    ):  # fmt: skip
        run.run(1.0)

    with (
        open_recording(tmp_path / "a.mcap") as recording,
        Recorder(tmp_path / "b.mcap") as recorder,
    ):
        replay = Replay(recording, {"n": Count}, period=0.01)
        with Run(
            replay,
            [consumer()],
            bus=replay.bus,
            step=replay.period,
            recorder=recorder,
            publishers=[replay.publish],
        ) as run:
            run.run(replay.duration)
    with (
        open_recording(tmp_path / "a.mcap") as first,
        open_recording(tmp_path / "b.mcap") as second,
    ):
        for topic, count in (("n", 50), ("sum", 90)):
            before, after = (
                [(m.time_ns, m.value) for m in recording.messages(topic)]
                for recording in (first, second)
            )
            assert len(before) > count
            assert after[: len(before)] == before


def test_a_replay_can_begin_again(tmp_path) -> None:
    with Recorder(tmp_path / "a.mcap") as recorder:
        for k in range(1, 6):
            recorder.write("n", Count(value=k), 10_000_000 * k)
    seen = []
    with open_recording(tmp_path / "a.mcap") as recording:
        replay = Replay(recording, {"n": Count}, period=0.01)
        state = replay.snapshot()
        with Run(replay, bus=replay.bus, step=0.01, publishers=[replay.publish]) as run:
            run.bus.subscribe("n", lambda m: seen.append((run.time, m.value)))
            run.run(replay.duration)
        replay.restore(state)

    assert seen == [(0.01 * k, k) for k in (1, 2)] + [
        (pytest.approx(0.01 * k), k) for k in (3, 4, 5)
    ]
    assert replay.tick == 0


def test_a_replay_needs_what_it_replays(tmp_path) -> None:
    with Recorder(tmp_path / "a.mcap") as recorder:
        recorder.write("n", Count(value=1), 0)
    with open_recording(tmp_path / "a.mcap") as recording:
        with pytest.raises(NameNotFoundError, match="no recorded topic named 'm'"):
            Replay(recording, {"m": Count}, period=0.01)
        with pytest.raises(ConfigError, match="`period` must exceed 0"):
            Replay(recording, {"n": Count}, period=0.0)
