"""What a NAO shows of its calibration is what it does, and looking on changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gelenk.errors import NameNotFoundError
from gelenk.robots.nao.automaton import FitAnswer, Phase, Verdict
from gelenk.robots.nao.cognition import Leading
from gelenk.robots.nao.errors import CASES, NaoErrors
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion.text import END_TOKEN
from gelenk.robots.nao.panel.exhibit import CalibrationExhibit
from gelenk.robots.nao.panel.overlays import board_picture, enlargement
from gelenk.robots.nao.panel.tables import TRUE, parameter_tables
from gelenk.robots.nao.parameters import nao_problem
from gelenk.robots.nao.showcase import (
    BEST_POSES,
    calibration_program,
    make_calibration,
    make_stretching,
)
from gelenk.robots.nao.truth import project_truth
from gelenk.runtime.controls import ControlRequest, ResetRequest, SetPaceRequest
from gelenk.runtime.panel import ActionError
from gelenk.runtime.panel_actions import check_values
from gelenk.runtime.scene import LiveScene
from testkit.nao_robots import (
    CalibratedRobot,
    calibrated_robot,
    given_bodies,
)

SETTINGS = {"level": "exact", "errors": "case 6"}
VIEWS = 4


def open_stand(**settings: str) -> LiveScene:
    stand = make_calibration(0, {**SETTINGS, **settings})
    stand.run.do(SetPaceRequest(pace=None))
    return stand


def state_of(stand: LiveScene) -> Any:
    return exhibit_of(stand)._state


def exhibit_of(stand: LiveScene) -> CalibrationExhibit:
    assert isinstance(stand.exhibit, CalibrationExhibit)
    return stand.exhibit


def go_on(stand: LiveScene, until: Any, limit: float = 20.0) -> None:
    end = stand.world.time + limit
    while not until():
        assert stand.world.time < end, "nothing has happened"
        stand.run.tick()


def close(stand: LiveScene) -> None:
    stand.run.close()
    stand.world.close()


@pytest.fixture(scope="module")
def stand() -> Iterator[LiveScene]:
    """A calibration that has its first views."""
    stand = open_stand()
    go_on(stand, lambda: len(state_of(stand).views) >= VIEWS)
    yield stand
    close(stand)


def layers(picture: Any) -> dict[str, Any]:
    return {mark.layer: mark for mark in picture.marks}


def rows_of(stand: LiveScene) -> dict[str, Any]:
    """What the first table says."""
    assert stand.exhibit is not None
    return {str(row[0]): row[1] for row in stand.exhibit.tables()[0].rows}


def fit_of(robot: CalibratedRobot) -> Fit:
    return Fit(
        problem=robot.problem,
        calibration=robot.calibration,
        sights=robot.sights,
        model="published",
        answer=FitAnswer(verdict=Verdict.CALIBRATED),
        seconds=0.1,
    )


def action(stand: LiveScene, name: str) -> Any:
    return next(item for item in exhibit_of(stand).actions() if item.name == name)


# -- a running calibration -------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.capability("CA-85")
def test_the_picture_marks_the_corners_of_the_board_that_is_there(
    stand: LiveScene,
) -> None:
    (picture,) = exhibit_of(stand).pictures(frozenset({"lower"}))
    view = state_of(stand).views[-1]
    truth = project_truth(CASES[6], view.angles, view.side)
    marks = layers(picture)
    assert np.abs(marks["corners"].at - truth.pixels).max() < 0.5
    # The documented robot expects it elsewhere: that is what there is to be found.
    arrows = marks["arrows"]
    lengths = np.linalg.norm(marks["corners"].at - arrows.starts, axis=1)
    assert lengths.max() > 2.0
    times = 1 if "to scale" in picture.caption else int(picture.caption.split()[-2])
    drawn = np.linalg.norm(arrows.ends - arrows.starts, axis=1)
    np.testing.assert_allclose(drawn, times * lengths, rtol=1e-9)


@pytest.mark.slow
def test_the_table_says_where_the_automaton_is(stand: LiveScene) -> None:
    state, rows = state_of(stand), rows_of(stand)
    assert rows["leg"] == "left"
    assert rows["pose"] == f"{state.pose + 1} of 6"
    assert rows["views found"] == f"{len(state.views)} of 36"
    curves = {curve.name: curve.read() for curve in exhibit_of(stand).curves()}
    assert curves["views/found"] == len(state.views)
    assert curves["calibration/residual"] > 1.0


@pytest.mark.slow
def test_the_robot_believes_to_look_at_its_target(stand: LiveScene) -> None:
    go_on(stand, lambda: state_of(stand).phase is Phase.DETECT)
    shown = {item.name: item for item in exhibit_of(stand).overlays()}
    line: Any = shown["line of sight"]
    target: Any = shown["gaze target"]
    # Both lie in what it believes; its head is as exact as its motors.
    assert np.linalg.norm(line.at[1] - target.centers[0]) < 0.01
    there: Any = shown["corners"]
    believed: Any = shown["corners as believed"]
    apart = np.linalg.norm(there.at - believed.at, axis=1)
    assert 0.001 < apart.max() < 0.05


@pytest.mark.slow
def test_bad_values_are_refused_at_their_field(stand: LiveScene) -> None:
    exhibit = exhibit_of(stand)
    for values, field in (
        ({"pose": 7.0}, "pose"),
        ({"gaze": 0.0}, "gaze"),
        ({"side": "middle"}, "side"),
        ({"pose": "first"}, "pose"),
    ):
        with pytest.raises(ActionError) as refused:
            check_values(action(stand, "show"), values)
        assert refused.value.field == field
    for pose, field in ((1.5, "pose"), (6.0, "pose")):
        with pytest.raises(ActionError) as refused:
            exhibit.press("show", {"side": "left", "pose": pose, "gaze": 1.0})
        assert refused.value.field == field
    with pytest.raises(NameNotFoundError, match="dance"):
        exhibit.press("dance", {})
    assert "before" not in exhibit.picture_titles()


@pytest.mark.slow
def test_a_chosen_view_is_shown_with_its_own_image(stand: LiveScene) -> None:
    exhibit = exhibit_of(stand)
    said = exhibit.press("show", {"side": "left", "pose": 1.0, "gaze": 2.0})
    assert said is not None
    assert "pose 1" in said
    (picture,) = exhibit.pictures(frozenset({"before"}))
    view = state_of(stand).views[1]
    np.testing.assert_array_equal(layers(picture)["corners"].at, view.corners)
    # The corners are where the image has edges: dark and light around each.
    for x, y in np.rint(view.corners).astype(int):
        assert np.ptp(picture.image[y - 4 : y + 5, x - 4 : x + 5]) > 60


@pytest.mark.slow
@pytest.mark.capability("CA-85")
def test_a_covered_lens_gives_dark_images_until_it_is_uncovered(
    stand: LiveScene,
) -> None:
    exhibit = exhibit_of(stand)
    onlooker = exhibit._scene.onlooker
    exhibit.press("lens", {})
    assert action(stand, "lens").title == "Uncover the lens"
    go_on(stand, lambda: state_of(stand).phase is Phase.AIM)
    covered = stand.world.time
    go_on(stand, lambda: onlooker.look is not None and onlooker.look.time > covered)
    assert onlooker.look is not None
    assert onlooker.look.pixels.max() < 12
    assert onlooker.look.status == "image is dark"
    exhibit.press("lens", {})
    free = stand.world.time + 0.1
    go_on(stand, lambda: onlooker.look is not None and onlooker.look.time > free)
    assert onlooker.look.pixels.max() > 100


@pytest.mark.slow
def test_a_cloth_hides_a_board_and_one_that_is_missing_has_none(
    stand: LiveScene,
) -> None:
    exhibit = exhibit_of(stand)
    exhibit.press("cloth", {"side": "left"})
    stand.run.tick()
    cloth, board = (stand.world.pose(n) for n in ("left_cloth", "left_board"))
    assert np.linalg.norm(cloth[:3, 3] - board[:3, 3]) < 0.01
    exhibit.press("cloth", {"side": "left"})
    stand.run.tick()
    assert stand.world.pose("left_cloth")[2, 3] < 0.0

    scene = exhibit._scene
    bare = replace(scene.session.cfg.world, boards=("left",))
    scene.session.cfg, kept = replace(scene.session.cfg, world=bare), scene.session.cfg
    try:
        with pytest.raises(ActionError) as refused:
            exhibit.press("cloth", {"side": "right"})
        assert refused.value.field == "side"
    finally:
        scene.session.cfg = kept


# -- runs of their own -----------------------------------------------------------------


@pytest.mark.slow
def test_who_looks_on_changes_nothing_and_tells_the_robot_nothing() -> None:
    def first_views(*, is_watched: bool) -> Any:
        stand = open_stand()
        exhibit = exhibit_of(stand)
        if is_watched:  # ... by somebody who has the wrong truth
            wrong = NaoErrors(camera=(0.1, 0.1, 0.1))
            scene = replace(exhibit._scene, errors=wrong)
            exhibit = CalibrationExhibit(scene)
        while len(state_of(stand).views) < 2:
            stand.run.tick()
            if is_watched:
                exhibit.tables()
                exhibit.overlays()
                exhibit.actions()
                list(exhibit.pictures(frozenset({"lower", "before"})))
        views, tick = state_of(stand).views, stand.world.tick
        close(stand)
        return tick, views

    (tick, views), (watched_tick, watched) = (
        first_views(is_watched=False),
        first_views(is_watched=True),
    )
    assert tick == watched_tick
    for a, b in zip(views, watched, strict=True):
        np.testing.assert_array_equal(a.corners, b.corners)
        np.testing.assert_array_equal(a.angles, b.angles)


@pytest.mark.slow
def test_a_reset_begins_anew_by_itself() -> None:
    stand = open_stand()
    go_on(stand, lambda: state_of(stand).phase is Phase.MOVE_LEG)
    stand.run.do(ResetRequest())
    go_on(stand, lambda: stand.world.time < 0.2)
    while stand.run.is_active:
        stand.run.tick()
    assert state_of(stand).phase is Phase.IDLE
    stand.run.do(ControlRequest(action="start"))
    go_on(stand, lambda: state_of(stand).phase is Phase.MOVE_LEG, limit=2.0)
    exhibit_of(stand).press("abort", {})
    go_on(stand, lambda: state_of(stand).is_over, limit=2.0)
    assert state_of(stand).verdict is Verdict.ABORTED
    assert rows_of(stand)["verdict"] == "aborted"
    assert "right foot" in exhibit_of(stand).tables()[0].caption
    close(stand)


@pytest.mark.slow
def test_a_stretching_robot_plays_what_is_pressed() -> None:
    stand = make_stretching(0, {})
    stand.run.do(SetPaceRequest(pace=None))
    exhibit: Any = stand.exhibit

    go_on(stand, lambda: rows_of(stand)["played"] == "stretchLeft")
    hip = stand.world.pose("nao/l_sole")[2, 3]
    stand.run.run(3.5)
    assert stand.world.pose("nao/l_sole")[2, 3] > hip + 0.1
    exhibit.press("nod", {})
    go_on(stand, lambda: exhibit._chooser.info.is_at_milestone)
    exhibit.press("go on", {})
    go_on(stand, lambda: not exhibit._chooser.info.is_at_milestone, limit=1.0)
    with pytest.raises(NameNotFoundError):
        exhibit.press("dance", {})
    close(stand)


# -- data ------------------------------------------------------------------------------


def test_a_value_far_from_the_truth_is_marked_and_no_other() -> None:
    rng = np.random.default_rng(5)
    errors = CASES[6]
    robot = calibrated_robot(errors, given_bodies()[::4], rng, is_extended=False)
    fit = fit_of(robot)
    angles, lengths = parameter_tables(nao_problem(), fit, errors)
    assert [column.title for column in angles.columns][-1] == TRUE == "true (simulator)"
    assert len(angles.rows) == 17
    assert len(lengths.rows) == 4
    knee = next(row for row in angles.rows if row[0] == "R KneePitch")
    assert knee[3] == pytest.approx(1.1)
    assert knee[1] == pytest.approx(1.1, abs=0.2)
    before = {angles.rows[mark.row][0] for mark in angles.highlights}

    right = (*errors.right[:3], errors.right[3] + 0.05, *errors.right[4:])
    other, _ = parameter_tables(nao_problem(), fit, replace(errors, right=right))
    after = {other.rows[mark.row][0] for mark in other.highlights}
    assert after - before == {"R KneePitch"}
    assert [row[1] for row in other.rows] == [row[1] for row in angles.rows]


def test_before_the_fit_there_are_no_estimates() -> None:
    angles, _ = parameter_tables(nao_problem(), None, CASES[7])
    assert all(row[1] is None and row[2] is None for row in angles.rows)
    assert angles.highlights == ()


@pytest.mark.parametrize(("length", "times"), [(60.0, 1), (4.0, 10), (0.05, 500)])
def test_arrows_are_enlarged_so_that_they_fit(length: float, times: int) -> None:
    assert enlargement(np.array([[0.0, length], [length, 0.0]])) == times


def test_a_board_behind_the_camera_is_not_drawn() -> None:
    corners = np.full((24, 2), 10.0)
    picture = board_picture(
        "p",
        np.zeros((48, 64), dtype=np.uint8),
        corners=corners,
        expected=np.full((24, 2), np.nan),
        words="here",
    )
    assert set(layers(picture)) == {"corners"}
    assert picture.caption == "here"


@pytest.mark.slow
@pytest.mark.parametrize("count", ["6", "12"])
def test_few_poses_are_those_that_tell_most(count: str) -> None:
    from gelenk.robots.nao.joints import LEG
    from gelenk.robots.nao.poses.candidates import PoseJudge
    from gelenk.robots.nao.poses.choice import best_poses

    legs = given_bodies()[:, 0, LEG["left"]]
    candidates = PoseJudge().judge(legs)
    chosen = best_poses(nao_problem(), candidates, int(count))
    assert set(chosen) == set(BEST_POSES[count])
    program = calibration_program(count)
    tokens = {getattr(step, "token", "") for step in program.steps}
    assert tokens == {"", END_TOKEN, *(f"p{k + 1:02d}" for k in range(int(count)))}


@pytest.mark.slow
def test_a_pose_that_is_taken_again_fits_the_new_parameters(
    stand: LiveScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fit is one of synthetic views of the same robot: quicker than to wait."""
    rng = np.random.default_rng(7)
    robot = calibrated_robot(CASES[6], given_bodies(), rng, is_extended=False)
    exhibit, state = exhibit_of(stand), state_of(stand)
    values = {"side": "left", "pose": 1.0, "gaze": 1.0}
    with pytest.raises(ActionError, match="no new parameters"):
        exhibit.press("replay", values)
    done = replace(state, phase=Phase.DONE, ended=stand.world.time)
    leading = Leading(automaton=done, fit=fit_of(robot))
    monkeypatch.setattr(type(exhibit._scene.session), "leading", leading)
    exhibit.press("replay", values)
    stand.run.run(4.0)
    (picture,) = exhibit.pictures(frozenset({"lower"}))
    assert "taken again" in picture.caption
    corners, expected = (layers(picture)[n].at for n in ("corners", "expected board"))
    near = np.linalg.norm(corners[0] - expected[0])
    assert near < 1.0
    # Angles of the true joints are now what the readings were.
    angles = exhibit._scene.onlooker.angles
    assert angles is not None
    truth = project_truth(CASES[6], angles, "left")
    assert np.abs(corners - truth.pixels).max() < 0.5
    off = CASES[6].left[3]  # of the knee
    assert abs(off) > 0.015
    knee = BODY_JOINTS.index("LKneePitch")
    wanted = state.views[0].angles[knee]
    assert angles[knee] == pytest.approx(wanted - off, abs=0.01)
