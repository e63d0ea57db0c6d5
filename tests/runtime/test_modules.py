"""Modules run in the order of their needs; what has no order is refused with names."""

import itertools

import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.bus import Bus
from gelenk.runtime.modules import Module, make_process, order_modules
from gelenk.runtime.run import Run
from point_world import PointWorld
from runtime.sample_messages import Count, Speed


def module(name: str, needs: str = "", gives: str = "", uses: str = "", step=None):
    """Return a module whose topics are words; all carry a Count."""

    def add_up(state, inputs):
        total = sum(m.value for m in inputs.values() if m is not None) + 1
        return state, {topic: Count(value=total) for topic in gives.split()}

    return Module(
        name=name,
        step=step or add_up,
        requires=dict.fromkeys(needs.split(), Count),
        uses=dict.fromkeys(uses.split(), Count),
        provides=dict.fromkeys(gives.split(), Count),
    )


CHAIN = (
    module("camera", gives="image"),
    module("corners", needs="image", gives="corners"),
    module("board", needs="corners image", gives="board"),
    module("calibrator", needs="board", gives="request"),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_providers_run_before_those_that_require_them(order) -> None:
    ordered = order_modules([CHAIN[i] for i in order])

    assert [m.name for m in ordered] == ["camera", "corners", "board", "calibrator"]


def test_modules_without_needs_stay_in_their_order() -> None:
    free = [module(name, gives=name) for name in ("c", "a", "b")]

    assert [m.name for m in order_modules(free)] == ["c", "a", "b"]


def test_a_cycle_is_refused_with_the_names_in_it() -> None:
    modules = [
        module("outer", needs="board", gives="out"),
        module("corners", needs="switch", gives="corners"),
        module("board", needs="corners", gives="board"),
        module("calibrator", needs="board", gives="switch"),
    ]

    with pytest.raises(ConfigError) as caught:
        order_modules(modules)

    text = str(caught.value)
    assert "modules require each other in a cycle" in text
    assert "'calibrator' requires 'board' of 'board'" in text
    assert "'corners' requires 'switch' of 'calibrator'" in text
    assert "outer" not in text  # it only hangs on the cycle
    assert "`uses`" in text


def test_a_module_cannot_require_what_it_provides() -> None:
    with pytest.raises(ConfigError, match="'a' requires 'x' of 'a'"):
        order_modules([module("a", needs="x", gives="x")])


def test_using_the_cycle_before_breaks_a_cycle() -> None:
    modules = [
        module("calibrator", needs="board", gives="switch"),
        module("board", uses="switch", gives="board"),
    ]
    seen = []
    with Run(PointWorld(), [make_process("eyes", modules)], step=0.001) as run:
        run.bus.subscribe("board", lambda m: seen.append(("board", m.value)))
        run.bus.subscribe("switch", lambda m: seen.append(("switch", m.value)))
        run.run(0.04)

    # By hand: board = switch of the cycle before + 1, switch = board of this one + 1.
    expected = [("switch", 2), ("board", 1), ("switch", 4), ("board", 3)]
    assert sorted(seen[:4]) == sorted(expected)
    assert ("board", 5) in seen


def test_what_is_used_is_that_of_the_cycle_before_though_a_newer_one_is_there() -> None:
    counter = Module(
        name="counter",
        step=lambda n, _: (n + 1, {"n": Count(value=n)}),
        initial=0,
        provides={"n": Count},
    )
    seen = []

    def note(state, inputs):
        seen.append(inputs["n"] and inputs["n"].value)
        return state, {}

    reader = Module(name="reader", step=note, uses={"n": Count})
    with Run(PointWorld(), [make_process("p", [counter, reader])], step=0.001) as run:
        run.run(0.04)

    assert seen == [None, 0, 1, 2]


def test_wiring_mistakes_are_named() -> None:
    with pytest.raises(ConfigError, match="'a' requires 'y', which nothing provides"):
        order_modules([module("a", needs="y")])
    with pytest.raises(ConfigError, match="'a' requires 'z', which nothing provides"):
        order_modules([module("a", uses="z")])
    with pytest.raises(ConfigError, match="'b' and 'a' both provide 'x'"):
        order_modules([module("a", gives="x"), module("b", gives="x")])
    with pytest.raises(ConfigError, match="as Count, but 'the surroundings'"):
        order_modules([module("a", needs="y")], given={"y": Speed})
    with pytest.raises(NameNotFoundError, match="no topic from elsewhere named 'imge'"):
        make_process("p", [module("a")], given={"image": Count}, driver="imge")


def test_a_module_waits_until_all_it_requires_is_there() -> None:
    calls = []

    def note(state, inputs):
        calls.append(inputs["late"].value)
        return state, {}

    reader = Module(name="reader", step=note, requires={"late": Count})
    process = make_process("p", [reader], given={"late": Count})

    def publish(view) -> None:
        if view.time > 0.025:
            view.bus.publish("late", Count(value=round(view.time * 100)))

    bus = Bus({"late": Count})
    with Run(PointWorld(), [process], bus=bus, step=0.001, publishers=[publish]) as run:
        run.run(0.06)

    assert calls == [3, 4]  # published at 0.03 s, seen at 0.04 s


def test_a_driven_process_runs_once_for_each_message() -> None:
    calls = []

    def note(state, inputs):
        calls.append(inputs["image"].value)
        return state, {"n": Count(value=len(calls))}

    eyes = make_process(
        "eyes",
        [
            Module(
                name="eye", step=note, requires={"image": Count}, provides={"n": Count}
            )
        ],
        given={"image": Count},
        driver="image",
    )
    camera = make_process("camera", [module("lens", gives="image")], rate=30.0)
    answers = []
    with Run(PointWorld(), [eyes, camera], step=0.001, period=0.002) as run:
        run.bus.subscribe("n", answers.append)
        run.run(1.01)

    assert len(calls) == 31
    assert len(answers) == 31


def test_a_module_may_provide_only_what_it_declared() -> None:
    wrong = module("a", gives="x", step=lambda s, i: (s, {"y": Count(value=1)}))
    with Run(PointWorld(), [make_process("p", [wrong])], step=0.001) as run:
        log = []
        run.bus.subscribe("runtime/log", log.append)
        run.run(0.03)

    assert any("no topic provided by 'a' named 'y'" in event.text for event in log)
