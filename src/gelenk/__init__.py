"""Gelenk: a robotics workbench. `gelenk.load("panda")` is the way in.

Importing this package is cheap: nothing is compiled and no engine is loaded until a
function that needs it is called. The packages are attributes: `gelenk.kinematics`,
`gelenk.planning`, `gelenk.sim`, and so on.

Example:
    >>> import gelenk
    >>> arm = gelenk.load("puma560")
    >>> found = arm.inverse(arm.forward([0.3, 0.9, -2.7, 0.4, 0.8, 0.2]))
    >>> found.converged
    True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk import actuation as actuation
    from gelenk import behavior as behavior
    from gelenk import calibration as calibration
    from gelenk import collision as collision
    from gelenk import control as control
    from gelenk import course as course
    from gelenk import dynamics as dynamics
    from gelenk import estimation as estimation
    from gelenk import geometry as geometry
    from gelenk import kinematics as kinematics
    from gelenk import models as models
    from gelenk import navigation as navigation
    from gelenk import planning as planning
    from gelenk import pointcloud as pointcloud
    from gelenk import runtime as runtime
    from gelenk import sensing as sensing
    from gelenk import sim as sim
    from gelenk import spatial as spatial
    from gelenk import trajectory as trajectory
    from gelenk import vision as vision
    from gelenk.collision.scene import Scene as Scene
    from gelenk.errors import GelenkError as GelenkError
    from gelenk.kinematics.inverse.result import IkResult as IkResult
    from gelenk.kinematics.inverse.result import IkStatus as IkStatus
    from gelenk.models.assembler import assemble as assemble
    from gelenk.models.loader import load as load
    from gelenk.models.mjcf_write import save_mjcf as save_mjcf
    from gelenk.models.parts.assembly import Assembly as Assembly
    from gelenk.models.tree import RobotModel as RobotModel
    from gelenk.models.urdf_write import save_urdf as save_urdf
    from gelenk.planning.motion_plan import plan as plan
    from gelenk.planning.scene import arm_scene as arm_scene
    from gelenk.runtime.controller import Controller as Controller
    from gelenk.runtime.recording import Recording as Recording
    from gelenk.runtime.recording import open_recording as open_recording
    from gelenk.runtime.run import Run as Run
    from gelenk.runtime.scenario import list_scenarios as list_scenarios
    from gelenk.runtime.scenario import run_scenario as run_scenario
    from gelenk.sim.config import WorldConfig as WorldConfig
    from gelenk.sim.world import World as World

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
