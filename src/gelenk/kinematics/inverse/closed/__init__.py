"""Inverse kinematics by formulas: all branches, for arms whose structure has them."""

from gelenk.kinematics.inverse.closed.solve import Solvability as Solvability
from gelenk.kinematics.inverse.closed.solve import closed_family as closed_family
from gelenk.kinematics.inverse.closed.solve import solvability as solvability
from gelenk.kinematics.inverse.closed.solve import solve_closed as solve_closed
from gelenk.kinematics.inverse.closed.solve import swivel_angle as swivel_angle
