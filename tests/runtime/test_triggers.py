from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.runtime.controller import Controller, PureController, TriggerProcessor
from gelenk.runtime.controls import SendTriggerRequest
from gelenk.runtime.events import LOG_TOPIC, TRIGGER_TOPIC
from gelenk.runtime.run import Run
from gelenk.runtime.triggers import ZoneTrigger
from point_world import PointWorld


class Hearer(Controller):
    """Writes down what it hears and when."""

    def __init__(self, body=None) -> None:
        self.heard: list[tuple[float, str]] = []
        self.body = body

    def run(self) -> None:
        if self.body is not None:
            self.body(self)

    def receive_trigger(self, trigger: str) -> None:
        self.heard.append((self.time, trigger))


def make_run(*controllers, **options) -> Run:
    world = options.pop("world", None) or PointWorld()
    return Run(world, controllers, step=0.001, **options)


@pytest.mark.capability("AB-26", "AB-168")
def test_a_trigger_arrives_exactly_one_tick_later():
    def send(c):
        for i in range(5):
            c.send_trigger(1, f"{c.time:.2f}")
            c.sleep(0.01 * i)

    hearer = Hearer()
    with make_run(Hearer(send), hearer) as run:
        run.run(0.3)

    assert len(hearer.heard) == 5
    for time, text in hearer.heard:
        assert time == pytest.approx(float(text) + 0.01, abs=1e-9)


def test_a_pure_controller_sends_triggers_with_its_commands():
    pure = PureController(
        name="pure",
        step=lambda cfg, state, obs: (state + 1, f"step {state}"),
        cfg=None,
        initial=0,
        observe=lambda view: None,
        apply=lambda view, command: view.send_trigger(1, command),
    )
    hearer = Hearer()
    with make_run(pure, hearer) as run:
        seen: list = []
        run.bus.subscribe(TRIGGER_TOPIC, seen.append)
        run.run(0.03)

    assert hearer.heard == [(0.01, "step 0"), (0.02, "step 1")]
    assert {event.sender for event in seen} == {"pure"}


@pytest.mark.capability("AB-172")
def test_ten_thousand_triggers_arrive_in_their_order():
    def send(c):
        for i in range(10_000):
            c.send_trigger(2, f"{c.name} {i}")
            if i % 977 == 0:
                c.sleep(0.01)

    hearer = Hearer()
    with make_run(Hearer(send), Hearer(send), hearer) as run:
        run.run(0.5)

    texts = [text for _, text in hearer.heard]
    for name in ("Hearer_0", "Hearer_1"):
        own = [text for text in texts if text.startswith(name)]
        assert own == [f"{name} {i}" for i in range(10_000)]


@pytest.mark.capability("AB-170")
def test_minus_one_reaches_all_controllers_the_sender_too_but_nobody_else():
    class Deaf(TriggerProcessor):
        def receive_trigger(self, trigger: str) -> None:
            raise AssertionError("a processor is no controller")

    belt: list[str] = []
    pure = PureController(
        name="pure",
        step=lambda cfg, state, obs: (state, None),
        cfg=None,
        initial=(),
        observe=lambda view: None,
        apply=lambda view, command: None,
        on_trigger=lambda cfg, state, text: (*state, text),
    )
    crew = [Hearer(lambda c: c.send_trigger(-1, "all")), Hearer(), pure]
    with make_run(*crew, processors={5: Deaf()}, receivers={6: belt.append}) as run:
        log: list = []
        run.bus.subscribe(LOG_TOPIC, lambda e: log.append(e.level))
        run.run(0.03)
        value = run.executors[2].value

    assert [c.heard for c in crew[:2]] == [[(0.01, "all")]] * 2
    assert value == ("all",)
    assert belt == []
    assert "error" not in log


@pytest.mark.capability("AB-171", "AB-175")
def test_a_processor_that_remembers_starts_a_belt_when_both_have_called():
    class Both(TriggerProcessor):
        def __init__(self) -> None:
            self.seen: set[str] = set()

        def receive_trigger(self, trigger: str) -> None:
            self.seen.add(trigger)
            if self.seen == {"left", "right"}:
                self.send_trigger(77, "RUN")

    belt: list[str] = []
    with make_run(
        Hearer(lambda c: c.send_trigger(9, "left")),
        Hearer(lambda c: c.sleep(0.1) and c.send_trigger(9, "right")),
        processors={9: Both()},
        receivers={77: belt.append},
    ) as run:
        run.run(0.11)
        assert belt == []
        run.run(0.02)

    assert belt == ["RUN"]


@pytest.mark.capability("AB-173")
def test_a_handler_that_raises_harms_neither_sender_nor_later_triggers():
    class Fragile(Hearer):
        def receive_trigger(self, trigger: str) -> None:
            if trigger == "bad":
                raise KeyError("no such object")
            super().receive_trigger(trigger)

    def send(c):
        for text in ("good", "bad", "better"):
            c.send_trigger(1, text)
        c.sleep(0.05)
        c.heard.append((c.time, "alive"))

    sender, fragile = Hearer(send), Fragile()
    with make_run(sender, fragile) as run:
        log: list = []
        run.bus.subscribe(LOG_TOPIC, lambda e: log.append((e.source, e.text)))
        run.run(0.1)

    assert [text for _, text in fragile.heard] == ["good", "better"]
    assert sender.heard == [(0.05, "alive")]
    assert any("Fragile_1" in who and "no such object" in what for who, what in log)


@pytest.mark.slow
def test_a_handler_that_hangs_is_ended_and_the_next_trigger_is_delivered():
    class Hanging(Hearer):
        def receive_trigger(self, trigger: str) -> None:
            while trigger == "bad":
                pass
            super().receive_trigger(trigger)

    def send(c):
        for text in ("bad", "good"):
            c.send_trigger(1, text)
            c.send_trigger(2, text)

    hanging, other = Hanging(), Hearer()
    with make_run(Hearer(send), hanging, other, budget=0.4) as run:
        log: list[str] = []
        run.bus.subscribe(LOG_TOPIC, lambda e: log.append(e.text))
        run.run(0.03)

    assert hanging.heard == [(0.01, "good")]
    assert other.heard == [(0.01, "bad"), (0.01, "good")]
    assert any("Hanging_1 (handler) did not wait" in text for text in log)


def test_a_handler_that_waits_delays_its_own_receiver_only():
    class Slow(Hearer):
        def receive_trigger(self, trigger: str) -> None:
            self.sleep(0.1)
            super().receive_trigger(trigger)

    slow, quick = Slow(), Hearer()

    def send(c):
        for i in range(3):
            c.send_trigger(-1, str(i))

    with make_run(slow, quick, Hearer(send)) as run:
        run.run(0.5)

    assert quick.heard == [(0.01, "0"), (0.01, "1"), (0.01, "2")]
    assert slow.heard == [(0.11, "0"), (0.21, "1"), (0.31, "2")]


@pytest.mark.capability("AB-174")
@pytest.mark.parametrize("text", ["", "Größe ≥ 3 cm 🤖", "a\nb\x00c", "x" * 100_000])
def test_any_text_can_be_sent_and_recorded(text):
    hearer = Hearer()
    with make_run(Hearer(lambda c: c.send_trigger(1, text)), hearer) as run:
        run.run(0.03)
        recorded = run.bus.latest(TRIGGER_TOPIC)

    assert hearer.heard == [(0.01, text)]
    assert (recorded.text, recorded.receiver, recorded.sender) == (text, 1, "Hearer_0")


def test_every_trigger_is_recorded_with_time_sender_and_receiver():
    seen: list = []
    with make_run(Hearer(lambda c: c.sleep(0.02) and c.send_trigger(1, "x"))) as run:
        run.bus.subscribe(TRIGGER_TOPIC, seen.append)
        run.do(SendTriggerRequest(receiver=0, text="from a person"))
        run.run(0.05)

    assert [(e.time, e.sender, e.receiver, e.text, e.num_receivers) for e in seen] == [
        (0.0, "user", 0, "from a person", 1),
        (0.02, "Hearer_0", 1, "x", 0),
    ]


def test_handlers_run_in_the_order_of_their_numbers():
    order: list[int] = []

    class Program(TriggerProcessor):
        def receive_trigger(self, trigger: str) -> None:
            order.append(self.instance_number)

    class Ordered(Controller):
        def receive_trigger(self, trigger: str) -> None:
            order.append(self.instance_number)

    pure = PureController(
        name="pure",
        step=lambda cfg, state, obs: (state, None),
        cfg=None,
        initial=0,
        observe=lambda view: None,
        apply=lambda view, command: None,
        on_trigger=lambda cfg, state, text: order.append(3) or state,
    )
    crew = {5: Ordered(), 3: pure, 1: Ordered()}
    programs = {4: Program(), 0: Program()}
    with Run(
        PointWorld(), crew, step=0.001, processors=programs, autostart=False
    ) as run:
        for number in (5, 4, 3, 1, 0, 5):
            run.do(SendTriggerRequest(receiver=number, text="x"))
        run.run(0.02)

    assert order == [0, 1, 3, 4, 5, 5]


def test_an_unknown_number_is_logged_and_dropped():
    with make_run(Hearer(lambda c: c.send_trigger(42, "hello"))) as run:
        log: list = []
        run.bus.subscribe(LOG_TOPIC, lambda e: log.append((e.level, e.text)))
        run.run(0.03)

    assert ("warning", "trigger 'hello' was dropped: nobody has the number 42") in log


def test_triggers_reach_a_controller_that_does_not_run():
    hearer = Hearer()
    with make_run(hearer, autostart=False) as run:
        run.do(SendTriggerRequest(receiver=0, text="x"))
        run.tick()
        assert hearer.heard == []
        run.tick()

    assert hearer.heard == [(0.01, "x")]


def test_receivers_that_share_a_number_all_get_it():
    first, second = Hearer(), []
    with make_run(first, receivers={0: second.append}) as run:
        run.do(SendTriggerRequest(receiver=0, text="x"))
        run.run(0.02)

    assert first.heard == [(0.01, "x")]
    assert second == ["x"]


@pytest.mark.parametrize("bad", [(1, 5), ("1", "x"), (True, "x"), (1.0, "x")])
def test_a_trigger_must_be_a_text_for_a_number(bad):
    with make_run(Hearer()) as run, pytest.raises(ConfigError, match="text for a num"):
        run.executors[0].services.triggers.send(*bad, sender="test")


@pytest.mark.capability("AB-09", "AB-169")
def test_the_world_tells_a_controller_what_its_zones_notice():
    hearer = Hearer()
    world = PointWorld(("arm", "leg"))
    world.command("arm", [1.0])
    triggers = [ZoneTrigger(zone="beam", receiver=0, text="passed")]
    with make_run(hearer, world=world, zone_triggers=triggers) as run:
        seen: list = []
        run.bus.subscribe(TRIGGER_TOPIC, seen.append)
        run.run(1.0)

    # 1 - (1 + 10 t) exp(-10 t) = 0.5 at t = 0.1678 s: heard in the next control tick.
    assert [text for _, text in hearer.heard] == ["passed"]
    assert seen[0].time == pytest.approx(0.168, abs=2e-3)
    assert hearer.heard[0][0] == pytest.approx(np.ceil(seen[0].time * 100) / 100)
    assert seen[0].sender == "beam (arm)"


class Asks(Controller):
    """Sends one trigger and wants to know what became of it."""

    answer: bool | None = None
    asked_at = 0.0
    timeout: float | None = 1.0
    receiver = 1

    def run(self) -> None:
        self.answer = self.send_confirmed(self.receiver, "done?", self.timeout)
        self.asked_at = self.time


class Handles(Controller):
    """Needs some time for a trigger, and may fail."""

    seconds = 0.0
    fails = False

    def receive_trigger(self, trigger: str) -> None:
        if self.seconds:
            self.sleep(self.seconds)
        if self.fails:
            raise ValueError(trigger)

    def run(self) -> None:
        pass


@pytest.mark.capability("AB-X19")
def test_a_confirmed_trigger_waits_until_its_receiver_has_handled_it():
    asker, handler = Asks(), Handles()
    handler.seconds = 0.3
    with Run(PointWorld(), [asker, handler], step=0.001) as run:
        run.run(1.0)
    assert asker.answer is True
    assert asker.asked_at == pytest.approx(0.31, abs=0.011)


@pytest.mark.capability("AB-X19")
@pytest.mark.parametrize("why", ["fails", "slow", "nobody"])
def test_a_trigger_that_is_not_handled_is_not_confirmed(why: str):
    asker, handler = Asks(), Handles()
    if why == "fails":
        handler.fails = True
    elif why == "slow":
        handler.seconds, asker.timeout = 2.0, 0.1
    else:
        asker.receiver = 7
    with Run(PointWorld(), [asker, handler], step=0.001) as run:
        run.run(3.0)
    assert asker.answer is False


def test_a_receiver_that_is_no_controller_confirms_what_it_took():
    taken: list[str] = []
    asker = Asks()
    asker.receiver = 20
    with Run(PointWorld(), [asker], step=0.001, receivers={20: taken.append}) as run:
        run.run(0.1)
    assert (asker.answer, taken) == (True, ["done?"])
