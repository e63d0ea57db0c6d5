"""From a predicted flight and a wanted velocity to a stroke of the bat."""

from gelenk.robots.piggy.planner.path import BallPath as BallPath
from gelenk.robots.piggy.planner.plan import PlanCfg as PlanCfg
from gelenk.robots.piggy.planner.plan import Strokes as Strokes
from gelenk.robots.piggy.planner.plan import plan as plan
from gelenk.robots.piggy.planner.plan import query as query
from gelenk.robots.piggy.planner.tables import GridCfg as GridCfg
from gelenk.robots.piggy.planner.tables import Tables as Tables
from gelenk.robots.piggy.planner.tables import build_tables as build_tables
