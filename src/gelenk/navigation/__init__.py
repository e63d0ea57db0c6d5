"""Navigation of mobile robots: odometry, localisation, mapping and SLAM.

Poses in the plane are (x, y, heading) arrays with leading batch axes. Localisation by
wheels, landmarks, beacons, probability grids and particles; SLAM by Kalman filter,
particles, pose graphs and cameras.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.navigation.ekf_slam import associate_landmark as associate_landmark
    from gelenk.navigation.ekf_slam import predict_motion as predict_motion
    from gelenk.navigation.ekf_slam import start_slam as start_slam
    from gelenk.navigation.landmark_filter import track_landmarks as track_landmarks
    from gelenk.navigation.landmarks import pose_from_tag as pose_from_tag
    from gelenk.navigation.landmarks import position_from_ranges as position_from_ranges
    from gelenk.navigation.markov_localisation import PoseGrid as PoseGrid
    from gelenk.navigation.monte_carlo import MonteCarlo as MonteCarlo
    from gelenk.navigation.odometry import WheelPair as WheelPair
    from gelenk.navigation.odometry import integrate_wheels as integrate_wheels
    from gelenk.navigation.odometry import propagate_covariance as propagate_covariance
    from gelenk.navigation.planar import align_points as align_points
    from gelenk.navigation.planar import compose as compose
    from gelenk.navigation.planar import relative_pose as relative_pose
    from gelenk.navigation.pose_graph import MotionEdge as MotionEdge
    from gelenk.navigation.pose_graph import optimize_graph as optimize_graph
    from gelenk.navigation.scan_matching import match_scan as match_scan
    from gelenk.navigation.sensor_models import likelihood_field as likelihood_field
    from gelenk.navigation.two_view import solve_two_views as solve_two_views
    from gelenk.navigation.visual_slam import adjust_bundle as adjust_bundle

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
