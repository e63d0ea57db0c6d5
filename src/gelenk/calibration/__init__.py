"""Calibration of robots with cameras: predict, fit, explain, choose poses.

A `CalibrationProblem` is a robot, its cameras, their targets and the parameters that
may be wrong; `calibrate` finds their values from `Observation`s, `explain` says what
they can tell, `choose_poses` picks the postures that tell most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.calibration.calibration import calibrate as calibrate
    from gelenk.calibration.camera_calibration import (
        calibrate_camera as calibrate_camera,
    )
    from gelenk.calibration.choice import choose_poses as choose_poses
    from gelenk.calibration.effects import CameraRotation as CameraRotation
    from gelenk.calibration.effects import CameraTranslation as CameraTranslation
    from gelenk.calibration.effects import FocalLength as FocalLength
    from gelenk.calibration.effects import JointOffset as JointOffset
    from gelenk.calibration.identifiability import explain as explain
    from gelenk.calibration.prediction import (
        expected_observation as expected_observation,
    )
    from gelenk.calibration.problem import CalibrationCamera as CalibrationCamera
    from gelenk.calibration.problem import CalibrationParameter as CalibrationParameter
    from gelenk.calibration.problem import CalibrationProblem as CalibrationProblem
    from gelenk.calibration.problem import Observation as Observation
    from gelenk.calibration.problem import Target as Target

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
