"""Tests of how throws that were watched become figures."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from experiments.figures import as_document
from experiments.piggy.registry import experiments
from experiments.piggy.track import prediction_figures
from experiments.piggy.track_watch import (
    Sighting,
    Watched,
    believed_frame,
    seen_from,
)
from gelenk.robots.piggy.cameras import RigCfg, make_rig
from gelenk.robots.piggy.judge import Crossing
from gelenk.robots.piggy.setup import CameraSetup, nominal_setup

CROSSING = Crossing(
    time=1.0,
    position=np.array([-0.305, -0.23, 0.898 + 0.06 + 0.84]),  # top of the workspace
    velocity=np.array([0.0, -1.0, -2.0]),
    pose=np.zeros(2),
)


def sighting(left: float, miss: float, *, nees: float = 5.0) -> Sighting:
    return Sighting(
        age=8, left=left, miss=miss, late=0.001, fit=1.0, entry_miss=2.0 * miss,
        entry_late=0.001, nees=nees, landing=np.zeros(2),
    )  # fmt: skip


def watched(*sightings: Sighting) -> Watched:
    return Watched(
        crossing=CROSSING, sightings=sightings, ids=frozenset({1}), seconds=(0.01,),
        false=np.array([[1, 0], [0, 1]]),
    )  # fmt: skip


def test_what_counts_is_the_last_sight_at_least_300_ms_ahead() -> None:
    good = watched(sighting(0.4, 0.5), sighting(0.31, 0.01), sighting(0.2, 0.5))
    bad = watched(sighting(0.4, 0.01), sighting(0.31, 0.5), sighting(0.2, 0.01))
    late = watched(sighting(0.2, 0.01))
    figures = prediction_figures("indoor", [good, good, bad, late])
    assert figures[0].value == pytest.approx(50.0)
    assert figures[3].value == pytest.approx(25.0)  # without a track in time
    flat = replace(CROSSING, velocity=np.array([0.0, -6.0, -0.5]))
    figures = prediction_figures("indoor", [good, replace(bad, crossing=flat)])
    assert figures[0].value == pytest.approx(50.0)  # it counts all the same
    assert "1 of 2 graze" in figures[1].note


def test_entry_and_passing_are_told_apart() -> None:
    figures = prediction_figures("indoor", [watched(sighting(0.31, 0.015))])
    assert figures[0].value == pytest.approx(100.0)
    assert figures[1].value == pytest.approx(0.0)  # 3 cm
    seen = sighting(0.31, float("nan"))
    seen = replace(seen, miss=np.float64(0.01), late=np.float64(0.001))
    figures = prediction_figures("indoor", [watched(seen)])
    json.dumps([as_document(figure) for figure in figures])  # no types of NumPy


def test_false_circles_count_per_image_and_pairs_per_frame() -> None:
    figure = prediction_figures("indoor", [watched(sighting(0.31, 0.01))])[6]
    assert figure.value == pytest.approx(0.25)
    assert "0.500 per frame" in figure.note


def test_consistency_is_the_share_of_frames_inside_the_band() -> None:
    throw = watched(*(sighting(0.3, 0.01, nees=v) for v in (0.1, 5.0, 5.0, 90.0)))
    assert prediction_figures("outdoor", [throw])[4].value == pytest.approx(50.0)


def test_a_turned_world_is_what_its_cameras_believe_in() -> None:
    rig = make_rig(RigCfg())
    turn, shift = math.radians(0.7), np.array([0.01, -0.02, 0.03])
    T = np.eye(4)
    T[:2, :2] = [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
    T[:3, 3] = shift
    left, right = (
        CameraSetup(intrinsics=c.intrinsics, T_world_camera=T @ c.T_world_camera)
        for c in rig
    )
    nominal = nominal_setup()
    known = type(nominal)(
        left=left, right=right, roll=nominal.roll, tilt=nominal.tilt,
        weight=nominal.weight, gravity=nominal.gravity, drag=nominal.drag,
        drag_sigma=nominal.drag_sigma, prior=nominal.prior,
    )  # fmt: skip
    found = believed_frame(rig, known)
    assert found == pytest.approx(T, abs=1e-9)
    state = seen_from(found, np.array([0.0, 2.0, 1.0, 0.0, -6.0, 0.0]))
    assert state[:3] == pytest.approx(T[:3, :3] @ [0.0, 2.0, 1.0] + shift, abs=1e-9)
    assert np.linalg.norm(state[3:]) == pytest.approx(6.0)


def test_ex_12_is_among_the_experiments() -> None:
    assert "EX-12" in experiments()
