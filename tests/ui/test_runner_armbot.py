"""ArmBot's cells on the stage: what their windows show, and files from the page."""

from __future__ import annotations

import pytest

from gelenk.robots.armbot.assets import shipped_cells
from gelenk.runtime.registry import list_scenes
from gelenk.runtime.scene import SceneSpec
from gelenk.ui import messages as m
from ui.stage_rig import Listener, open_stage

SCENES = list_scenes()
TEXT = """
BORDER -100 -100 100 100
MULTIROBOT 1
MANIPULATOR0 manipulators.SimpleArm
GRIPPER0 grippers.TwoFingerGripper
BALL 30 0 5 5 0.1 0.5 FF0000
"""


def _open(page: Listener, name: str) -> m.Scene:
    page.do(m.OpenScene, name=name)
    return page.of(m.Scene)[-1]


@pytest.mark.slow
def test_a_cell_sorts_and_tells_what_it_does() -> None:
    with open_stage(SCENES) as page:
        scene = _open(page, "armbot/sorting")
        page.do(m.SetPace, pace=None)
        page.wait(lambda: len(page.events("grasp")) >= 2)
        page.wait(lambda: page.events("trigger"))

        assert page.events("grasp")[0].startswith("robot0 takes")
        assert page.events("grasp")[1].startswith("robot0 lets go of")
        assert page.events("controller")[0].startswith("Sorter_0: running")
        assert scene.panel.robots == (0,)
        assert scene.panel.source == shipped_cells()["sorting"].read_text()
        assert scene.panel.source_name == "sorting.env"
        assert len(scene.floor.patches) == 6
        assert {zone.text for zone in scene.zones} >= {"sends 'RED' to 0"}
        page.do(m.SendTrigger, receiver=20, text="STOP")
        belts = page.stage.session.live.world._compiled().banks.belts
        page.wait(lambda: belts.command[0, 2] == 0.0)
        page.do(m.SetParameter, name="belt.belt.speed", value=0.2)
        assert belts.command[0, 0] == 0.2


def test_a_cell_is_paused_reset_and_built_with_other_settings() -> None:
    with open_stage(SCENES) as page:
        _open(page, "armbot/pick_place")
        page.status(lambda status: status.state == "running")
        page.do(m.SendLine, robot=0, text="where are you")
        page.wait(lambda: page.lines("commander"))
        page.do(m.Execute, action="stop")
        page.status(lambda status: status.state == "idle")
        page.do(m.Execute, action="reset")
        page.do(m.SetParameter, name="gravity", value=1.62)
        assert page.refused(m.SetParameter, name="gravity", value=-1.0).field == "value"
        assert page.refused(m.SetParameter, name="border", value="glass").field
        page.do(m.Execute, action="reset")

        world = page.stage.session.live.world
        assert world.config.gravity == (0.0, 0.0, -1.62)
        assert page.of(m.Scene)[-1].number == 2
        assert page.lines("commander")[0] == "where are you"


def test_an_edited_file_is_run_and_a_wrong_one_changes_nothing() -> None:
    with open_stage(SCENES) as page:
        before = _open(page, "armbot/student")
        wrong = {"text": TEXT.replace("BALL", "BAL"), "name": "my.env"}
        reply = page.refused(m.Service, name="armbot.load", value=wrong)
        assert "BAL" in reply.message
        assert page.stage.session.scene.number == before.number
        odd = {"text": TEXT.replace("SimpleArm", "NoArm"), "name": "my.env"}
        assert "NoArm" in page.refused(m.Service, name="armbot.load", value=odd).message
        assert page.refused(m.Service, name="armbot.load", value={"text": 3})

        page.do(
            m.Service, name="armbot.load", value={"text": TEXT, "name": "../my.env"}
        )

        scene = page.of(m.Scene)[-1]
        assert (scene.title, scene.panel.source) == ("my.env", TEXT)
        assert any(body.name.startswith("ball") for body in scene.bodies)


def test_files_from_the_page_are_not_run_on_the_network() -> None:
    with open_stage(SCENES, may_run_code=False) as page:
        value = {"text": TEXT, "name": "my.env"}

        assert (
            "network"
            in page.refused(m.Service, name="armbot.load", value=value).message
        )
        assert not page.stage.greet()[0].may_run_code


def test_a_program_that_is_not_written_yet_says_so_when_it_is_started() -> None:
    with open_stage(SCENES) as page:
        _open(page, "armbot/student")
        page.do(m.Execute, action="start")
        status = page.status(lambda s: s.controllers and s.controllers[0].reason)
        page.wait(lambda: page.lines("debug"))

        assert "NotImplementedError" in status.controllers[0].reason
        assert any("law of cosines" in line for line in page.lines("debug"))


@pytest.mark.slow
@pytest.mark.parametrize("spec", SCENES.values(), ids=SCENES)
def test_every_scene_of_the_gallery_moves(spec: SceneSpec) -> None:
    assert spec.title
    assert spec.summary
    with open_stage({spec.name: spec}) as page:
        page.do(m.OpenScene, name=spec.name)
        if spec.name == "armbot/student":
            return
        page.do(m.SetPace, pace=None)
        newest = page.status(lambda status: status.time > 1.0).tick
        first, _ = page.ask(m.GetFrame, tick=0)
        # Closed curves come back to where they began: look at several moments.
        later = [page.ask(m.GetFrame, tick=k * newest // 7)[0] for k in range(1, 8)]

        assert max(abs(first.poses - item.poses).max() for item in later) > 1e-3
        assert page.of(m.Status)[-1].problem == ""
        assert page.events("error") == []


def test_a_changed_parameter_is_told_to_all_pages() -> None:
    with open_stage(SCENES) as page:
        scene = _open(page, "armbot/slope")
        page.do(m.SetParameter, name="gravity", value=1.62)
        told = page.of(m.ParameterChanged)
    assert [(x.scene, x.name, x.value) for x in told] == [
        (scene.number, "gravity", 1.62)
    ]
