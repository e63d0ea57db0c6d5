"""The stage: every request, wrong ones, broken scenes, many listeners."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numba
import numpy as np
import pytest

from gelenk.runtime.scene import LiveScene, SceneButton
from gelenk.ui import messages as m
from gelenk.ui.frames import ASKED, unpack_frame
from gelenk.ui.scene_runner import SceneRunner
from ui.stage_rig import Listener, open_stage, small_scenes


def test_a_new_page_first_hears_what_there_is() -> None:
    with open_stage() as page:
        hello, status = page.stage.greet()

        assert isinstance(hello, m.Hello)
        assert hello.version == m.VERSION
        assert [card.name for card in hello.gallery] == list(small_scenes())
        assert status == m.Status(scene=0)
        assert page.stage.greet_frame() is None


def test_an_open_scene_is_shown_and_moves() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")
        page.wait(lambda: len(page.frames) > 5)
        (scene,) = page.of(m.Scene)
        frame = page.latest()

        assert (scene.number, scene.name, scene.period) == (1, "pure", 0.01)
        assert [body.name for body in scene.bodies] == ["belt", "ball"]
        assert frame.scene == 1
        assert frame.poses.shape == (2, 7)
        assert frame.time == pytest.approx(frame.tick * scene.step)
        z = 1.0 - 0.5 * 9.81 * frame.time**2  # it falls
        if z > 0.2:
            assert frame.poses[1, 2] == pytest.approx(z, abs=0.02)
        page.status(lambda status: status.speed > 0.0)
        assert page.of(m.Status)[-1].scene == 1


def test_nobody_looking_means_no_pictures() -> None:
    with open_stage() as page:
        page.stage.set_audience(0)
        page.do(m.OpenScene, name="still")
        page.status(lambda status: status.time > 0.1)

        assert page.frames == []
        assert unpack_frame(page.stage.greet_frame())[0].poses.shape == (2, 7)


def test_time_is_held_and_stepped() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")
        page.do(m.Hold, is_held=True)
        held = page.status(lambda status: status.is_held)
        page.do(m.StepOnce, count=3)
        stepped = page.status(lambda status: status.tick > held.tick)
        page.wait(lambda: page.stage.session.live.run.clock.tick == held.tick + 30)
        time.sleep(0.05)

        assert stepped.is_held
        assert page.stage.session.live.run.clock.tick == held.tick + 30
        page.do(m.Hold, is_held=False)
        page.status(lambda status: status.tick > held.tick + 60)


def test_the_pace_is_kept_and_told() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="still")
        page.do(m.SetPace, pace=None)
        fast = page.status(lambda status: status.time > 5.0)
        assert fast.pace is None
        page.do(m.SetPace, pace=0.1)
        slow = page.status(lambda status: status.pace == 0.1)
        begin = time.monotonic()
        time.sleep(0.5)
        later = page.stage.session.live.run.time

        assert later - slow.time < 0.5 * (time.monotonic() - begin) + 0.05
        assert "pace" in page.refused(m.SetPace, pace=1e6).field


def test_controllers_are_started_paused_and_stopped_with_true_states() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")
        running = page.status(lambda status: status.state == "running")
        page.do(m.Execute, action="pause")
        paused = page.status(lambda status: status.state == "paused")
        page.do(m.Execute, action="start")
        page.status(lambda status: status.state == "running")
        page.do(m.Execute, action="stop", controller=0)
        idle = page.status(lambda status: status.state == "idle")
        told = page.status(lambda status: status.controllers[0].reason)

        assert set(running.buttons) == {"pause", "stop", "reset"}
        assert set(paused.buttons) == {"start", "stop", "reset"}
        assert set(idle.buttons) == {"start", "reset"}
        assert idle.controllers[0].reason in ("", "stop")
        assert told.controllers[0].reason == "stop"
        assert "7" in page.refused(m.Execute, action="stop", controller=7).message


def test_a_reset_puts_everything_to_its_beginning() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")
        page.do(m.SetPace, pace=None)
        page.wait(lambda: page.events("impact"))
        page.do(m.Hold, is_held=True)
        page.do(m.Execute, action="reset")
        status = page.status(lambda status: status.state == "idle")

        assert status.tick <= 10
        assert status.scene == 1
        assert page.of(m.Events)[-1].start == 0
        frame, _ = page.ask(m.GetFrame, tick=10**6)
        assert frame.tick <= 10


def test_any_tick_can_be_looked_back_to() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="still")
        page.do(m.SetPace, pace=None)
        page.status(lambda status: status.time > 2.0)

        for tick in (0, 5, 137, 1000, 1999):
            frame, flags = page.ask(m.GetFrame, tick=tick)
            assert flags == ASKED
            assert frame.tick == tick // 10 * 10
        early, _ = page.ask(m.GetFrame, tick=100)
        np.testing.assert_allclose(
            early.poses[1, 2], 1.0 - 0.5 * 9.81 * 0.1**2, atol=1e-3
        )


def test_a_run_of_pure_controllers_goes_on_from_an_earlier_moment() -> None:
    """Oracle: the pictures of the second time are those of the first."""
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")
        page.do(m.SetPace, pace=None)
        page.status(lambda status: status.time > 3.0)
        page.do(m.Hold, is_held=True)
        first, _ = page.ask(m.GetFrame, tick=1700)
        reached = page.do(m.ContinueFrom, tick=1234)
        assert reached == {"tick": 1230}
        assert page.stage.session.live.run.clock.tick == 1230
        assert page.stage.session.track.last_tick == 1230

        page.do(m.StepOnce, count=47)
        page.wait(lambda: page.stage.session.track.last_tick == 1700)
        again, _ = page.ask(m.GetFrame, tick=1700)

        np.testing.assert_array_equal(first.poses, again.poses)
        assert "still to come" in page.refused(m.ContinueFrom, tick=10**7).message


def test_a_program_in_the_middle_of_its_work_is_not_taken_back() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="talk")
        page.status(lambda status: status.time > 0.2)

        message = page.refused(m.ContinueFrom, tick=100).message

        assert "Talker" in message
        assert "Stop" in message


def test_each_controller_says_which_buttons_would_change_it() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")
        seen: dict[str, tuple[str, ...]] = {}
        for action, state in (("", "running"), ("pause", "paused"), ("stop", "idle")):
            if action:
                page.do(m.Execute, action=action, controller=0)
            status = page.status(lambda status, state=state: status.state == state)
            seen[state] = status.controllers[0].buttons

    assert seen == {
        "running": ("pause", "stop"),
        "paused": ("start", "stop"),
        "idle": ("start",),
    }


def test_a_world_without_controllers_is_running() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="still")
        status = page.status(lambda status: status.tick > 0)

    assert (status.state, status.controllers) == ("running", ())
    assert status.buttons == ("reset",)


def test_typed_lines_and_triggers_arrive_and_are_shown() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="talk")
        page.do(m.SendLine, robot=0, text="hello")
        page.do(m.SendTrigger, receiver=0, text="go")
        page.wait(lambda: len(page.lines("triggers")) >= 2)

        # they may come in two ticks: then the answer to the line is first
        heard, go = sorted(page.lines("triggers"), key=lambda text: text == "go")
        assert heard.startswith("heard hello")
        assert go == "go"
        assert "user -> 0: go" in page.wait(lambda: page.events("trigger"))
        assert page.refused(m.SendLine, robot=5, text="x").field == "robot"
        assert page.refused(m.SendTrigger, receiver=-2, text="x").field == "receiver"
        assert page.refused(m.SendLine, robot=0, text="x" * 10**5).field == "text"


def test_parameters_change_at_once_or_after_a_reset() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="still")
        assert page.do(m.SetParameter, name="speed", value=0.5)["note"] == ""
        belts = page.stage.session.live.world._compiled().banks.belts
        assert belts.command[0, 0] == 0.5
        note = page.do(m.SetParameter, name="height", value=2.0)["note"]
        assert note == "takes effect after Reset"
        page.do(m.Execute, action="reset")
        page.do(m.Hold, is_held=True)

        frame, _ = page.ask(m.GetFrame, tick=0)
        assert frame.scene == 2
        assert frame.poses[1, 2] == pytest.approx(2.0)
        scene = page.stage.greet()[1]
        assert {item.name: item.value for item in scene.panel.parameters}["height"] == 2


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        ("speed", 3.0, "at most 1 m/s"),
        ("speed", float("nan"), "a number"),
        ("speed", "fast", "a number"),
        ("speed", True, "a number"),
        ("height", 0.1, "at least 0.5 m"),
        ("mode", "c", "a, b"),
        ("flag", 1.0, "true or false"),
    ],
)
def test_a_value_that_does_not_fit_changes_nothing(
    name: str, value: float | str | bool, word: str
) -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="still")
        before = page.stage.session.scene.panel

        reply = page.refused(m.SetParameter, name=name, value=value)

        assert reply.field == "value"
        assert word in reply.message
        assert page.stage.session.scene.panel == before


def test_wrong_requests_are_refused_and_nothing_happens() -> None:
    with open_stage() as page:
        for kind, fields in (
            (m.Hold, {"is_held": True}),
            (m.GetFrame, {"tick": 0}),
            (m.Execute, {"action": "start"}),
            (m.Execute, {"action": "reset"}),
        ):
            assert "no scene" in page.refused(kind, **fields).message
        assert "purr" in page.refused(m.OpenScene, name="purr").message
        page.do(m.OpenScene, name="still")
        assert "controllers" in page.refused(m.Execute, action="start").message
        assert "kik" in page.refused(m.Press, name="kik").message
        assert "ZeroDivisionError" in page.refused(m.Press, name="bad").message
        assert "nix" in page.refused(m.SetParameter, name="nix", value=1.0).message
        assert page.refused(m.StepOnce, count=0).field == "count"
        for name in ("nobody.check", "armbot.nothing", "", "os.system"):
            assert page.refused(m.Service, name=name)
        page.status(lambda status: status.time > 0.1)


def test_services_answer_aside_from_the_run() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="still")

        assert page.do(m.Service, name="armbot.arms")


def test_a_failing_controller_is_told_and_the_others_go_on() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="fail")
        status = page.status(
            lambda s: s.controllers and "failed" in s.controllers[0].reason
        )
        page.wait(lambda: page.events("error"))

        assert "fallen off" in status.controllers[0].reason
        assert (status.state, status.problem) == ("running", "")
        assert any("fallen off" in text for text in page.lines("system"))
        assert any("fallen off" in text for text in page.events("controller"))


def test_a_broken_world_stands_can_be_scrubbed_and_is_built_anew() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")
        page.status(lambda status: status.time > 0.2)
        page.do(m.Press, name="break")
        broken = page.status(lambda status: status.problem)

        assert "finite" in broken.problem
        assert broken.buttons == ("reset",)
        assert "Reset" in page.refused(m.Execute, action="start").message
        assert page.ask(m.GetFrame, tick=100)[0].tick == 100
        page.wait(lambda: page.events("error"))
        page.do(m.Execute, action="reset")
        again = page.status(lambda status: status.scene == 2 and status.time > 0.1)
        assert again.problem == ""


def test_a_scene_that_cannot_be_built_leaves_an_open_stage() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="pure")

        reply = page.refused(m.OpenScene, name="impossible")

        assert "cannot be built" in reply.message
        status = page.status(lambda status: status.scene == 0 and status.problem)
        assert "cannot be built" in status.problem
        page.do(m.OpenScene, name="still")
        page.status(lambda status: status.scene and not status.problem)


def test_scenes_are_switched_twenty_times_without_leaving_threads() -> None:
    names = ("pure", "talk", "still", "fail")
    with open_stage() as page:
        page.do(m.OpenScene, name="talk")
        before = threading.active_count()
        for k in range(20):
            page.do(m.OpenScene, name=names[k % 4])
        page.do(m.OpenScene, name="talk")
        page.status(lambda status: status.scene == 22 and status.time > 0.0)

        assert page.of(m.Scene)[-1].number == 22
        page.wait(lambda: threading.active_count() <= before + 1)


def test_of_several_scenes_that_are_asked_for_the_last_one_is_opened() -> None:
    with open_stage() as page:
        answers: list[m.Reply] = []
        for k, name in enumerate(("pure", "talk", "still")):
            request = m.OpenScene(id=k, name=name)
            page.stage.handle(request, answers.append)
        page.wait(lambda: len(answers) == 3)

        assert {answer.id: answer.ok for answer in answers}[2]
        assert page.of(m.Scene)[-1].name == "still"


def test_a_late_page_gets_what_was_said_before() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="talk")
        page.do(m.SendTrigger, receiver=0, text="early")
        page.wait(lambda: page.lines("triggers"))
        page.wait(lambda: page.of(m.Samples))

        late = page.stage.greet()

        assert [type(item) for item in late[:3]] == [m.Hello, m.Scene, m.Status]
        texts = [
            line.text
            for item in late
            if isinstance(item, m.Lines)
            for line in item.lines
        ]
        assert "early" in texts
        assert any(isinstance(item, m.Events) for item in late)
        assert any(isinstance(item, m.Samples) for item in late)


def test_two_pages_can_ask_at_the_same_time() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="talk")
        page.status(lambda status: status.time > 0.3)
        other = Listener()
        other.stage = page.stage
        ticks: list[int] = []

        def scrub(who: Listener) -> None:
            for tick in range(0, 300, 10):
                ticks.append(who.ask(m.GetFrame, tick=tick)[0].tick - tick)
                who.do(m.SendTrigger, receiver=0, text="x")

        threads = [threading.Thread(target=scrub, args=(who,)) for who in (page, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert ticks == [0] * 60
        page.wait(lambda: page.lines("triggers").count("x") == 60)


def test_closing_while_a_scene_is_built_answers_and_ends() -> None:
    is_building = threading.Event()
    pure = small_scenes()["pure"]

    def slow(seed: int, settings: object) -> object:
        is_building.set()
        time.sleep(0.3)
        return pure.make(seed, {})

    scenes = {"slow": replace(pure, make=slow)}
    answers: list[object] = []
    with open_stage(scenes) as page:
        page.stage.handle(m.OpenScene(id=1, name="slow"), answers.append)
        assert is_building.wait(5.0)
        page.stage.handle(m.Hold(id=2, is_held=True), answers.append)
        page.stage.close()

        assert len(answers) == 2
        page.stage.handle(m.Hold(id=3, is_held=True), answers.append)
        assert "closed" in answers[-1].message  # type: ignore[attr-defined]


@pytest.mark.parametrize("is_in_run", [False, True])
def test_who_waits_hears_that_kernels_are_compiled(is_in_run: bool) -> None:
    """While a scene is built, and in its first ticks."""
    pure = small_scenes()["pure"]

    def compile_one() -> None:
        numba.njit(lambda x: x + 1.0)(1.0)

    def fresh(seed: int, settings: object) -> LiveScene:
        live = pure.make(seed, {})
        if is_in_run:
            button = SceneButton(name="compile", title="", press=compile_one)
            return replace(live, buttons=(button,))
        compile_one()
        return live

    with open_stage({"fresh": replace(pure, make=fresh)}) as page:
        page.do(m.OpenScene, name="fresh")
        if is_in_run:
            page.status(lambda status: not status.is_loading)
            page.do(m.Press, name="compile")
        heard = [status.loading for status in page.of(m.Status) if status.is_loading]
        last = page.status(lambda status: not status.is_loading)

    assert heard[0] == ""
    assert any(text.startswith("Compiling for this machine") for text in heard)
    assert last.loading == ""


def test_a_listener_that_raises_does_not_end_the_stage() -> None:
    def fail(_: object) -> None:
        raise RuntimeError("nobody there")

    stage = SceneRunner(
        may_run_code=False, send=fail, send_frame=fail, scenes=small_scenes()
    )
    page = Listener()
    page.stage = stage
    stage.set_audience(1)
    try:
        page.do(m.OpenScene, name="still")
        page.wait(
            lambda: stage.session is not None and stage.session.live.run.time > 0.1
        )
        page.do(m.CloseScene)
        assert stage.session is None
    finally:
        stage.close()
        stage.close()


def test_contacts_come_with_the_frames_when_somebody_wants_them() -> None:
    with open_stage() as page:
        page.do(m.OpenScene, name="still")
        page.do(m.SetPace, pace=None)
        page.do(m.Watch, contacts=True)
        page.wait(lambda: page.frames and len(page.latest().contacts))

        force = page.latest().contacts[:, 3:]
        assert np.linalg.norm(force, axis=1).max() > 0.0
