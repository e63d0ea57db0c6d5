"""Tests of handling from above, and of pick and place by a text."""

from typing import Any

import numpy as np
import pytest

from gelenk.robots.armbot.controllers import Handling, Job, PickAndPlace
from gelenk.robots.armbot.controllers.pick_and_place import parse_jobs
from gelenk.robots.armbot.grippers import ThreeFingerGripper, TwoFingerGripper
from robots.armbot.cell_probe import PLACE, cell_of, run_to_end, watch

# In front of a robot that stands at PLACE, about 32 cm away to both sides.
YAW = PLACE["heading"] + np.pi / 2.0


def in_front(forward: float, left: float, height: float) -> np.ndarray:
    """Return a point before the robot in the world [m]."""
    c, s = np.cos(YAW), np.sin(YAW)
    x = PLACE["x"] + c * forward - s * left
    y = PLACE["y"] + s * forward + c * left
    return np.array([x, y, height])


FROM, TO = in_front(0.30, -0.15, 0.03), in_front(0.30, 0.15, 0.03)


def text(point: np.ndarray) -> str:
    return ",".join(f"{100.0 * value:.6f}" for value in point)


def cuboid(center: np.ndarray) -> str:
    x, y, z = 100.0 * center
    return f"CUBOID {x:.6f} {y:.6f} {z:.6f} 6 6 6 D04030 "


def ball(center: np.ndarray) -> str:
    x, y, z = 100.0 * center
    return f"BALL {x:.6f} {y:.6f} {z:.6f} 3 0.3 0.5 D04030 "


# -- picking and placing -----------------------------------------------------------


def test_a_cuboid_is_put_where_and_as_it_should() -> None:
    class Task(Handling):
        """Moves a cuboid and turns it."""

        def run(self) -> None:
            assert self.pick(FROM, width=0.056, yaw=0.0)
            assert self.place(TO, yaw=0.6)

    with cell_of(Task, scene=cuboid(FROM)) as cell:
        run_to_end(cell)
        T = cell.world.pose("cuboid_1")
        assert cell.world.holder("cuboid_1") is None
    assert T[:3, 3] == pytest.approx(TO, abs=1e-3)
    assert np.arctan2(T[1, 0], T[0, 0]) == pytest.approx(0.6, abs=1e-3)


@pytest.mark.parametrize("is_centred", [True, False])
def test_only_an_object_squeezed_both_ways_stands_exactly(is_centred: bool) -> None:
    off = np.array([0.008, -0.009, 0.0])
    job = f"from={text(FROM)} to={text(TO)} width=5.6 centre={'yes' if is_centred else 'no'}"
    with cell_of(PickAndPlace, scene=cuboid(FROM + off), config=job) as cell:
        run_to_end(cell)
        error = cell.world.pose("cuboid_1")[:2, 3] - TO[:2]
    assert abs(error[1]) < 1e-3  # between the fingers
    if is_centred:
        assert abs(error[0]) < 1e-3
    else:
        assert error[0] == pytest.approx(off[0], abs=1e-3)


@pytest.mark.parametrize("gripper", [TwoFingerGripper, ThreeFingerGripper])
@pytest.mark.parametrize("direction", range(0, 360, 72))
def test_a_ball_is_gripped_wherever_it_lies_within_a_centimetre(
    gripper: Any, direction: float
) -> None:
    angle = np.radians(direction)
    off = 0.01 * np.array([np.cos(angle), np.sin(angle), 0.0])
    width = 100.0 * gripper().width_for_ball(0.03) - 0.4
    job = f"from={text(FROM)} to={text(TO)} width={width:.3f}"
    with cell_of(
        PickAndPlace, gripper=gripper, scene=ball(FROM + off), config=job
    ) as cell:
        heights = watch(cell, lambda world: world.pose("ball_1")[2, 3])
        run_to_end(cell)
    assert max(heights) > 0.1


def test_the_way_across_is_high_enough_and_leads_through_all_points() -> None:
    over = in_front(0.32, 0.0, 0.26)
    job = f"from={text(FROM)} via={text(over)} to={text(TO)} width=5.6 travel=24"
    with cell_of(PickAndPlace, scene=cuboid(FROM), config=job) as cell:
        places = watch(cell, lambda world: world.pose("robot0/tcp")[:3, 3])
        run_to_end(cell)
    way = np.array(places)
    assert np.linalg.norm(way - over, axis=1).min() < 1e-4
    beside = np.linalg.norm(way[:, :2] - FROM[:2], axis=1) > 0.02
    beside &= np.linalg.norm(way[:, :2] - TO[:2], axis=1) > 0.02
    first = int(np.argmax(way[:, 2] < 0.031))  # it comes from its home before
    assert way[first:][beside[first:], 2].min() > 0.235


# -- ends --------------------------------------------------------------------------


def test_a_place_out_of_reach_ends_the_task_with_its_name() -> None:
    job = f"from={text(in_front(1.5, 0.0, 0.03))} to={text(TO)} width=5"
    with cell_of(PickAndPlace, config=job) as cell:
        cell.run.run(0.1)
        reason = cell.controllers[0].reason
    assert reason.startswith("failed: HandlingError")
    assert "cannot be reached" in reason


def test_a_stop_ends_the_task_at_once_and_it_can_begin_anew() -> None:
    job = f"from={text(FROM)} to={text(TO)} width=5.6"
    with cell_of(PickAndPlace, scene=cuboid(FROM), config=job) as cell:
        cell.run.run(0.3)
        cell.execute.stop()
        cell.run.run(0.1)
        assert cell.controllers[0].state == "idle"
        assert not cell.debug_out.lines
        cell.execute.start()
        cell.run.run(0.02)
        run_to_end(cell)
        assert [line.text for line in cell.debug_out.lines] == ["job 1 of 1 is done"]
        assert cell.world.pose("cuboid_1")[:3, 3] == pytest.approx(TO, abs=1e-3)


# -- the configuration -------------------------------------------------------------


def test_a_text_in_centimetres_and_degrees_becomes_jobs_in_metres_and_radians() -> None:
    first, second = parse_jobs(
        "from=35,0,3 to=0,30,12 width=5 turn=90 ;"
        " from=1,2,3 via=4,5,6|7,8,9 to=0,0,0 turn_to=-45 centre=no travel=30;"
    )
    assert first == Job(
        pick=(pytest.approx(0.35), 0.0, 0.03),  # type: ignore[arg-type]
        place=(0.0, 0.3, 0.12),
        width=0.05,
        turn=np.pi / 2.0,
        turn_to=np.pi / 2.0,
    )
    assert second.via == (
        pytest.approx((0.04, 0.05, 0.06)),
        pytest.approx((0.07, 0.08, 0.09)),
    )
    assert second.turn_to == pytest.approx(-np.pi / 4.0)
    assert second.travel == pytest.approx(0.3)
    assert second.width is None


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ("", "got none"),
        (" ; ;", "got none"),
        ("from=1,2,3", "job 1: 'to' is missing"),
        ("to=1,2,3", "'from' is missing"),
        ("from=1,2 to=1,2,3", "expected a point x,y,z"),
        ("from=1,2,x to=1,2,3", "expected a number, got 'x'"),
        ("from=1,2,nan to=1,2,3", "expected a number, got 'nan'"),
        ("from=1,2,3 to=1,2,3 width=-1", "at least 0 cm"),
        ("from=1,2,3 to=1,2,3 form=1", "got 'form=1'"),
        ("from=1,2,3 to=1,2,3; hurry", "job 2: expected key=value"),
        ("from=1,2,3 to=1,2,3 to=1,2,3", "given twice"),
        ("from=1,2,3 to=1,2,3 centre=perhaps", "expected yes or no"),
        ("from=1,2,3 to=1,2,3 centre=yes", "centring needs a width"),
    ],
)
def test_a_text_of_another_layout_is_refused(params: str, words: str) -> None:
    with pytest.raises(ValueError, match="job") as caught:
        parse_jobs(params)
    assert words in str(caught.value)


# -- typed lines -------------------------------------------------------------------


def test_a_typed_line_is_answered_with_where_the_grip_point_is() -> None:
    goal = in_front(0.30, 0.10, 0.12)

    class Task(Handling):
        """Goes somewhere."""

        def run(self) -> None:
            assert self.move_to(goal)

    with cell_of(Task) as cell:
        run_to_end(cell)
        for line in ("where", " Joints ", "dance"):
            cell.commander.send(line)
        cell.run.run(0.1)
        place, joints, refusal = (item.text for item in cell.commander.answers)
    numbers = [
        float(word) for word in place.replace(",", "").split() if word[-1].isdigit()
    ]
    assert numbers == pytest.approx(100.0 * goal, abs=0.06)
    assert len(joints.removeprefix("success: ").split(", ")) == 3
    assert refusal == "failure: expected `where` or `joints`"
