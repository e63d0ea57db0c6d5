"""Kinematics of robot models: poses, Jacobians, inverse kinematics, statics, vehicles.

Functions take a `RobotModel` and joint values with any leading batch axes. The most
used ones are methods of the model, too: `arm.forward(q)`, `arm.inverse(T)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.kinematics.forward import frame_pose as frame_pose
    from gelenk.kinematics.forward import link_poses as link_poses
    from gelenk.kinematics.forward import link_twists as link_twists
    from gelenk.kinematics.inverse import solve_inverse as solve_inverse
    from gelenk.kinematics.inverse.closed.solve import solve_closed as solve_closed
    from gelenk.kinematics.inverse.lm import solve_lm as solve_lm
    from gelenk.kinematics.inverse.result import IkResult as IkResult
    from gelenk.kinematics.inverse.result import IkStatus as IkStatus
    from gelenk.kinematics.jacobian import body_jacobian as body_jacobian
    from gelenk.kinematics.jacobian import frame_jacobian as frame_jacobian
    from gelenk.kinematics.jacobian import jacobian_rate as jacobian_rate
    from gelenk.kinematics.jacobian import point_jacobian as point_jacobian
    from gelenk.kinematics.loops.close import close_loops as close_loops
    from gelenk.kinematics.resolved_rate import follow_poses as follow_poses
    from gelenk.kinematics.singularity import is_singular as is_singular
    from gelenk.kinematics.singularity import manipulability as manipulability
    from gelenk.kinematics.singularity import report_singularity as report_singularity
    from gelenk.kinematics.statics import cartesian_stiffness as cartesian_stiffness
    from gelenk.kinematics.statics import static_torques as static_torques
    from gelenk.kinematics.statics import torques_from_wrench as torques_from_wrench
    from gelenk.kinematics.vehicles import Wheel as Wheel
    from gelenk.kinematics.vehicles import twist_from_wheels as twist_from_wheels
    from gelenk.kinematics.vehicles import wheels_from_twist as wheels_from_twist
    from gelenk.kinematics.velocity import null_space_projector as null_space_projector
    from gelenk.kinematics.velocity import solve_velocity as solve_velocity
    from gelenk.kinematics.workspace import reachability_map as reachability_map

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
