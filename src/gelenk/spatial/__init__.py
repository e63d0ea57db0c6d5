"""Rotations, poses, twists and wrenches: plain NumPy over leading batch axes.

Names that several modules share (`exp`, `log`, `inverse`, `distance`) are reached
through their module, such as `so3.exp` and `se3.exp`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.spatial import quaternion as quaternion
    from gelenk.spatial import se3 as se3
    from gelenk.spatial import so3 as so3
    from gelenk.spatial.angles import angle_difference as angle_difference
    from gelenk.spatial.angles import wrap_angle as wrap_angle
    from gelenk.spatial.euler import euler_from_matrix as euler_from_matrix
    from gelenk.spatial.euler import matrix_from_euler as matrix_from_euler
    from gelenk.spatial.euler import matrix_from_rpy as matrix_from_rpy
    from gelenk.spatial.euler import rpy_from_matrix as rpy_from_matrix
    from gelenk.spatial.quaternion import (
        matrix_from_quaternion as matrix_from_quaternion,
    )
    from gelenk.spatial.quaternion import (
        quaternion_from_matrix as quaternion_from_matrix,
    )
    from gelenk.spatial.quaternion import slerp as slerp
    from gelenk.spatial.rotation_forms import (
        axis_angle_from_matrix as axis_angle_from_matrix,
    )
    from gelenk.spatial.rotation_forms import convert_rotation as convert_rotation
    from gelenk.spatial.se3 import (
        pose_from_rotation_translation as pose_from_rotation_translation,
    )
    from gelenk.spatial.se3 import pose_from_vector as pose_from_vector
    from gelenk.spatial.se3 import transform_point as transform_point
    from gelenk.spatial.se3 import vector_from_pose as vector_from_pose
    from gelenk.spatial.so3 import rot_x as rot_x
    from gelenk.spatial.so3 import rot_y as rot_y
    from gelenk.spatial.so3 import rot_z as rot_z
    from gelenk.spatial.so3 import rotation_about as rotation_about
    from gelenk.spatial.twist import adjoint as adjoint
    from gelenk.spatial.twist import change_twist_frame as change_twist_frame
    from gelenk.spatial.twist import change_wrench_frame as change_wrench_frame

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
