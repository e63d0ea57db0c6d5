"""Planning of routes, paths and trajectories around obstacles.

Graph search, grids and occupancy maps, roadmaps, random trees, dynamic windows and
optimal control. Scenes (`point_scene`, `arm_scene`) and rooms (`PolygonWorld`) say what
is free; planners return a result with a status and a path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.planning.concepts import Path as Path
    from gelenk.planning.concepts import TimedPath as TimedPath
    from gelenk.planning.configuration_space import minkowski_sum as minkowski_sum
    from gelenk.planning.dynamic_window import DynamicWindow as DynamicWindow
    from gelenk.planning.dynamic_window import choose_speeds as choose_speeds
    from gelenk.planning.goals import GoalRegion as GoalRegion
    from gelenk.planning.graph import a_star as a_star
    from gelenk.planning.graph import dijkstra as dijkstra
    from gelenk.planning.graph import graph_from_edges as graph_from_edges
    from gelenk.planning.grid import grid_path as grid_path
    from gelenk.planning.motion_plan import MotionPlan as MotionPlan
    from gelenk.planning.motion_plan import MotionPlanStatus as MotionPlanStatus
    from gelenk.planning.motion_plan import plan as plan
    from gelenk.planning.occupancy import add_scan as add_scan
    from gelenk.planning.occupancy import empty_grid as empty_grid
    from gelenk.planning.occupancy import find_rooms as find_rooms
    from gelenk.planning.potential import PotentialField as PotentialField
    from gelenk.planning.probabilistic_roadmap import plan_prm as plan_prm
    from gelenk.planning.random_tree import plan_rrt as plan_rrt
    from gelenk.planning.random_tree import plan_rrt_connect as plan_rrt_connect
    from gelenk.planning.random_tree import plan_rrt_star as plan_rrt_star
    from gelenk.planning.roadmaps import safest_path as safest_path
    from gelenk.planning.roadmaps import shortest_path as shortest_path
    from gelenk.planning.scene import arm_scene as arm_scene
    from gelenk.planning.scene import point_scene as point_scene
    from gelenk.planning.trajectory_optimisation import (
        OptimalControlProblem as OptimalControlProblem,
    )
    from gelenk.planning.trajectory_optimisation import solve_control as solve_control
    from gelenk.planning.world import PolygonWorld as PolygonWorld

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
