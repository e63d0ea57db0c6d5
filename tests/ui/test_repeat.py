"""Short scenes begin anew after a calm while, until somebody uses them."""

from __future__ import annotations

import functools

import pytest

from gelenk.runtime.controller import Controller
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.ui import messages as m
from gelenk.ui import repeat
from gelenk.ui.repeat import CALM, Repeat
from ui.stage_rig import Listener, make_small, open_stage


class Short(Controller):
    """Waits a little and is done."""

    def run(self) -> None:
        self.sleep(0.1)


def _make(seed: int, settings: Settings) -> LiveScene:
    return make_small(seed, settings, controllers=lambda: [Short()])


def _entries() -> dict[str, SceneSpec]:
    spec = functools.partial(SceneSpec, title="", summary="", group="", make=_make)
    return {
        "short": spec(name="short", repeats=True),
        "once": spec(name="once", repeats=False),
    }


def test_it_is_due_once_after_the_calm_while() -> None:
    one = Repeat(True)

    assert not one.is_due(10.0, is_finished=True)
    assert one.again_in(10.0) == 4
    assert one.again_in(11.5) == 3
    assert not one.is_due(10.0 + CALM - 0.01, is_finished=True)
    assert one.is_due(10.0 + CALM, is_finished=True)
    assert one.again_in(20.0) is None
    assert not one.is_due(20.0, is_finished=True)


def test_what_is_not_finished_or_is_used_does_not_begin_anew() -> None:
    one = Repeat(True)
    one.is_due(0.0, is_finished=True)
    one.is_due(3.0, is_finished=False)  # somebody started it again
    assert not one.is_due(5.0, is_finished=True)

    one.touch()

    assert one.is_on is False
    assert one.again_in(6.0) is None
    assert not one.is_due(100.0, is_finished=True)
    never = Repeat(None)
    never.switch(True)
    assert never.is_on is None


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeat, "CALM", 0.2)


def _starts(listener: Listener) -> int:
    texts = listener.events("controller")
    return sum("running" in text for text in texts)


@pytest.mark.usefixtures("quick")
def test_a_scene_that_has_finished_runs_again_and_again() -> None:
    with open_stage(_entries()) as listener:
        listener.do(m.OpenScene, name="short")

        end = listener.status(lambda status: status.is_finished)
        assert (end.state, end.repeats) == ("idle", True)
        assert end.controllers[0].reason == "finished"
        listener.wait(lambda: _starts(listener) >= 3)

        again = listener.status(lambda status: status.state == "running")
        assert not again.is_finished
        assert again.time < 1.0


@pytest.mark.usefixtures("quick")
def test_who_touches_the_scene_ends_the_repeating_and_is_told_so() -> None:
    with open_stage(_entries()) as listener:
        listener.do(m.OpenScene, name="short")
        listener.status(lambda status: status.is_finished)

        listener.do(m.SetPace, pace=2.0)

        end = listener.status(lambda status: status.repeats is False)
        assert end.again_in is None
        count = _starts(listener)
        later = listener.status(lambda status: status.time > end.time + 1.5)
        assert later.is_finished
        assert _starts(listener) == count


@pytest.mark.usefixtures("quick")
def test_looking_back_counts_as_touching() -> None:
    with open_stage(_entries()) as listener:
        listener.do(m.OpenScene, name="short")
        listener.status(lambda status: status.repeats is True and status.tick > 10)

        listener.ask(m.GetFrame, tick=5)

        listener.status(lambda status: status.repeats is False)


@pytest.mark.usefixtures("quick")
def test_repeating_can_be_switched_on() -> None:
    with open_stage(_entries()) as listener:
        listener.do(m.OpenScene, name="once")
        end = listener.status(lambda status: status.is_finished)
        assert end.repeats is False

        listener.do(m.SetParameter, name=repeat.PARAMETER, value=True)

        listener.wait(lambda: _starts(listener) >= 2)
        refused = listener.refused(
            m.SetParameter, name=repeat.PARAMETER, value="always"
        )
        assert refused.field == "value"


def test_a_scene_in_which_nothing_finishes_cannot_be_repeated() -> None:
    with open_stage() as listener:
        listener.do(m.OpenScene, name="pure")
        status = listener.status(lambda status: status.tick > 20)

        assert (status.repeats, status.is_finished) == (None, False)
        refused = listener.refused(m.SetParameter, name=repeat.PARAMETER, value=True)
        assert "finishes" in refused.message
