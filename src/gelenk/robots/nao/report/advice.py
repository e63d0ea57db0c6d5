"""What a calibration means, in plain words: for whoever stands beside the robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.calibration.identifiability import Correlation, better, explain
from gelenk.robots.nao.automaton import AutomatonState, Verdict
from gelenk.robots.nao.command import Finished, Request
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.joints import LEG_JOINTS, SIDES
from gelenk.robots.nao.poses.candidates import candidate_poses
from gelenk.robots.nao.poses.choice import pose_sights
from gelenk.typing import FloatArray

CANDIDATES = 24  # poses among which one that helps is looked for
LARGE_OFFSET = math.radians(4.0)
WELL_KNOWN = math.radians(0.1)

REMEDIES = {
    Verdict.NOT_STARTED: "Press the bumper of the left foot to start.",
    Verdict.ABORTED: "Somebody pressed a bumper of the right foot. Start again when "
    "nobody touches the robot.",
    Verdict.NO_BOARD: "Are the sandals on, with the pattern away from the foot? Is "
    "there light on them, and nothing between head and feet?",
    Verdict.ONE_BOARD: "One foot shows no board. Put on its sandal, or look what hides "
    "it.",
    Verdict.WRONG_SIDE: "Turn the sandal over: the pattern must face the head.",
    Verdict.CAMERA_DEAD: "Is the lens covered, the room dark, the camera's cable "
    "loose? Look at an image by hand first.",
    Verdict.LEG_BLOCKED: "Something holds the leg, or a motor is weak. Clear the floor "
    "around the robot and move the leg by hand while it is off.",
    Verdict.HEAD_BLOCKED: "Something holds the head. Check cables and cushions.",
    Verdict.RESTLESS: "The readings never settle. Lay the robot on firm ground.",
    Verdict.JOINTS_SILENT: "No joint angles arrive: restart the robot's software.",
    Verdict.MOTOR_HOT: "Let the robot cool down before the next try.",
    Verdict.TOO_FEW_VIEWS: "Too much was missed: see the table of missed views for the "
    "reasons, better the light and try again.",
    Verdict.NOT_CONVERGED: "The fit found no rest. Are these the right sandals, and is "
    "the robot the model that was fitted?",
    Verdict.IMPLAUSIBLE: "Do not use these values. Check that the sandals sit firmly "
    "on the right feet, and calibrate again; if the same joint stands out again, have "
    "it looked at.",
    Verdict.TIMED_OUT: "The run took too long. What kept it is in the missed views.",
    Verdict.PROCESS_ENDED: "A program of the robot has ended by itself; its reason is "
    "above.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to do.

    Attributes:
        sentences: In the order of their weight.
        confusions: Parameters that the data cannot tell apart.
    """

    sentences: tuple[str, ...]
    confusions: tuple[Correlation, ...] = ()


def advise(finished: Finished) -> Advice:
    """Return what a calibration means for its robot."""
    state, fit = finished.outcome.automaton, finished.outcome.fit
    sentences: list[str] = []
    if state.verdict is Verdict.CALIBRATED:
        sentences.append(
            "The values can be used. Take the sandals off, apply them, and look "
            "whether both feet stand flat: `gelenk nao validate` measures that."
        )
    else:
        sentences.append(REMEDIES[state.verdict])
        sentences.append("Nothing was applied; an older calibration stays in force.")
    sentences += _about_views(state, finished.request)
    if fit is None or not len(fit.sights):
        return Advice(sentences=tuple(sentences))
    sentences += _about_fit(fit)
    confusions, legs = _confusions(fit)
    sentences += [_about(confusion, fit, legs) for confusion in confusions]
    return Advice(sentences=tuple(sentences), confusions=confusions)


def _about_views(state: AutomatonState, request: Request) -> list[str]:
    missed = len(state.missed)
    if not missed:
        return []
    sentence = f"{missed} of {request.num_views} views were missed"
    if 10 * missed <= request.num_views:
        return [f"{sentence}; the others suffice."]
    return [f"{sentence}, which is many: the reasons are in the table below."]


def _about_fit(fit: Fit) -> list[str]:
    found = fit.calibration
    sentences = []
    if math.isfinite(found.noise) and found.noise > 0.3:
        sentences.append(
            f"Residuals of {found.noise:.2f} px are more than the camera's noise. "
            + (
                "Something is wrong with this robot that the published model does not "
                "know; try the extended one."
                if fit.model == "published"
                else "Not even the extended model explains all of it: check sandals "
                "and screws."
            )
        )
    elif fit.model == "extended":
        sentences.append(
            "Sag, play, neck and lens are part of the model; the joints' values do not "
            "have to absorb them."
        )
    for side in SIDES:
        for joint in LEG_JOINTS[side]:
            name = f"{side.capitalize()}{joint[1:]}"
            value = found.value(name)
            if abs(value) > LARGE_OFFSET:
                sentences.append(
                    f"{name} is off by {math.degrees(value):.1f} degrees, which is "
                    "much for a healthy joint: look at it."
                )
    weak = _weak_joints(fit)
    if weak:
        sentences.append(
            f"Least certain: {_listing(weak)}. More or better poses would help; "
            "`--poses auto` chooses them."
        )
    doubted = found.num_outliers / max(found.num_points, 1)
    if doubted > 0.02:
        sentences.append(
            f"{100.0 * doubted:.0f} % of the corners lie further off than the noise of "
            "the others explains, and counted little."
        )
    return sentences


def _weak_joints(fit: Fit) -> list[str]:
    found = fit.calibration
    names = [f"{s.capitalize()}{j[1:]}" for s in SIDES for j in LEG_JOINTS[s]]
    sigma = {name: float(found.sigma[found.index(name)]) for name in names}
    weak = sorted((n for n in names if sigma[n] > WELL_KNOWN), key=lambda n: -sigma[n])
    return [f"{n} (sigma {math.degrees(sigma[n]):.2f} degrees)" for n in weak[:3]]


def _confusions(fit: Fit) -> tuple[tuple[Correlation, ...], FloatArray]:
    """Return what these views cannot tell apart, and poses that might help, (n, 6)."""
    nothing = np.empty((0, 6))
    found = fit.calibration
    if not math.isfinite(found.noise):
        return (), nothing
    options = {"values": found.values, "noise": found.noise}
    told = explain(fit.problem, fit.sights, **options)
    if not told.confusions:
        return (), nothing
    poses = candidate_poses(CANDIDATES, np.random.default_rng(0))
    others = list(pose_sights(fit.problem, poses))
    told = explain(fit.problem, fit.sights, candidates=others, **options)
    return told.confusions, poses.legs


def _about(confusion: Correlation, fit: Fit, legs: FloatArray) -> str:
    names = confusion.names
    if len(names) == 1:
        text = f"{names[0]} does not show in these views."
    else:
        text = f"{_listing(names)} cannot be told apart in these views."
    has_prior = [
        math.isfinite(fit.problem.parameters[fit.problem.index(name)].sigma)
        for name in names
    ]
    if any(has_prior):
        text += " What is usual for a NAO decides how the error is shared among them"
        text += ", their joint effect is known." if len(names) > 1 else "."
    if confusion.best_pose is not None and confusion.gain > 1.1:
        pose = np.rad2deg(legs[confusion.best_pose]).round(0).astype(int).tolist()
        text += (
            f" The leg pose {pose} (HipYawPitch to AnkleRoll, degrees) would tell them "
            f"apart{better(confusion.gain)}."
        )
    return text


def _listing(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " and " + names[-1]
