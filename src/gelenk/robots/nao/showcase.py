"""Scenes of the page: a NAO that calibrates itself, and one that stretches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gelenk.errors import ConfigError
from gelenk.runtime.panel_actions import ChoiceField
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings, choices

if TYPE_CHECKING:
    from gelenk.robots.nao.errors import NaoErrors
    from gelenk.robots.nao.motion.program import MotionProgram
    from gelenk.robots.nao.world import NaoWorldCfg
    from gelenk.sim.faults import Fault

# Numbers of the shipped leg poses that tell most together, by how many are wanted.
BEST_POSES: dict[str, tuple[int, ...]] = {
    "6": (1, 21, 11, 6, 17, 18),
    "12": (7, 21, 6, 8, 22, 18, 4, 10, 17, 19, 12, 1),
    "24": tuple(range(24)),
}
DRAWN = "drawn by chance"
CASES = {"case 5": 5, "case 6": 6, "case 7": 7}
LEVELS = {"exact": 1, "noise": 2, "noise, elastic drives": 3}
LIGHTS = ("711lx", "290lx", "105lx", "45lx")
TROUBLES = (
    "none",
    "right board missing",
    "left board upside down",
    "left knee blocked",
    "camera dead",
)
KNEE_BLOCKED_AT = 8.0  # [s]
# Over the right shoulder: the boards' prints face the head.
EYE, FOCUS = (-0.7, -0.68, 0.76), (0.06, 0.0, 0.19)  # [m]


def calibration_fields(settings: Settings) -> tuple[ChoiceField, ...]:
    """Return what can be chosen of a calibration, as it is now."""
    return choices(
        settings,
        ("poses", "Poses per leg", tuple(BEST_POSES), "Those that tell most."),
        ("errors", "Errors", (DRAWN, *CASES), "What is wrong with the robot."),
        ("level", "Realism", tuple(LEVELS), "Of sensors and drives."),
        ("light", "Light", LIGHTS, "Of the room."),
        ("trouble", "Trouble", TROUBLES, "What goes wrong besides."),
        level="noise",
    )


def make_calibration(seed: int, settings: Settings) -> LiveScene:
    """Build a lying NAO that calibrates itself.

    Args:
        seed: Draws errors and noise.
        settings: Of `calibration_fields`.
    """
    from gelenk.robots.nao import config
    from gelenk.robots.nao.cognition import CognitionCfg
    from gelenk.robots.nao.fit import FitCfg
    from gelenk.robots.nao.panel.exhibit import Calibrating, CalibrationExhibit
    from gelenk.robots.nao.panel.onlooker import Onlooker
    from gelenk.robots.nao.panel.visitor import Visitor
    from gelenk.robots.nao.robot_with_errors import nominal_model
    from gelenk.robots.nao.session import Session, SessionCfg
    from gelenk.robots.nao.world import NaoNames
    from gelenk.runtime.controls import SetPaceRequest

    fields = calibration_fields(settings)
    chosen = {item.name: item.default for item in fields}
    level: Any = LEVELS[chosen["level"]]
    errors = _errors(chosen["errors"], level, seed)
    names = NaoNames()
    visitor, onlooker = Visitor(names, nominal_model()), Onlooker(names)
    step = config.ENCODER_STEP if level >= 2 else 0.0
    session = Session(
        errors,
        calibration_program(chosen["poses"]),
        SessionCfg(
            level=level,
            light=chosen["light"],
            seed=seed,
            cognition=CognitionCfg(fit=FitCfg(encoder_step=step)),
            world=_world(chosen["trouble"]),
            faults=_faults(chosen["trouble"]),
            is_started=False,  # the visitor does it
        ),
        publishers=(visitor, onlooker),
    )
    session.run.do(SetPaceRequest(pace=1.0))
    scene = Calibrating(
        session=session,
        onlooker=onlooker,
        visitor=visitor,
        errors=errors,
        poses=int(chosen["poses"]),
    )
    return LiveScene(
        run=session.run,
        world=session.world,
        exhibit=CalibrationExhibit(scene),
        parameters=fields,
        eye=EYE,
        focus=FOCUS,
        facts=dict(chosen),
    )


def calibration_program(poses: str) -> MotionProgram:
    """Return the motions through a number of poses per leg.

    Raises:
        ConfigError: If there are no such poses.
    """
    from gelenk.robots.nao.motion.text import (
        load_motions,
        make_program,
        shipped_motions,
    )
    from gelenk.robots.nao.poses.choice import pose_motions
    from gelenk.robots.nao.poses.shipped import GIVEN, shipped_poses

    if poses not in BEST_POSES:
        expected = ", ".join(BEST_POSES)
        raise ConfigError(f"`poses` must be one of {expected}, got {poses!r}")
    if len(BEST_POSES[poses]) == 24:
        return load_motions(shipped_motions()[GIVEN])
    return make_program(pose_motions(shipped_poses(GIVEN)[list(BEST_POSES[poses])]))


def _errors(chosen: str, level: int, seed: int) -> NaoErrors:
    import numpy as np

    from gelenk.robots.nao import errors

    if chosen in CASES:
        return errors.CASES[CASES[chosen]]
    return errors.draw_errors(np.random.default_rng([seed, 6]), level=level)


def _world(trouble: str) -> NaoWorldCfg:
    from gelenk.robots.nao.panel.visitor import props
    from gelenk.robots.nao.world import NaoWorldCfg

    extras = props()
    match trouble:
        case "right board missing":
            return NaoWorldCfg(boards=("left",), extras=extras)
        case "left board upside down":
            return NaoWorldCfg(flipped=("left",), extras=extras)
        case "camera dead":
            return NaoWorldCfg(has_lens_cap=True, extras=extras)
        case _:
            return NaoWorldCfg(extras=extras)


def _faults(trouble: str) -> tuple[Fault, ...]:
    from gelenk.sim.faults import Fault

    if trouble != "left knee blocked":
        return ()
    knee = "nao/LKneePitch"
    return (Fault(kind="joint_locked", target=knee, start=KNEE_BLOCKED_AT),)


def make_stretching(seed: int, settings: Settings) -> LiveScene:
    """Build a lying NAO that plays a motion file."""
    from gelenk.robots.nao.panel.stretching import stretching_stand

    return stretching_stand(seed, eye=EYE, focus=FOCUS)


SCENES = (
    SceneSpec(
        name="nao/calibrate",
        title="NAO calibrates itself",
        summary=(
            "It looks at the chessboards on its feet and finds out how its joints and "
            "its camera are wrong."
        ),
        group="NAO",
        make=make_calibration,
    ),
    SceneSpec(
        name="nao/stretch",
        title="NAO stretches",
        summary="A motion file with milestones, mirrored motions and a relaxed end.",
        group="NAO",
        make=make_stretching,
    ),
)
