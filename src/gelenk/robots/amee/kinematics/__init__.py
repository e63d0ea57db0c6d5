"""Where the foot is and how to get it somewhere."""

from gelenk.robots.amee.kinematics.closed import InverseResult as InverseResult
from gelenk.robots.amee.kinematics.closed import inverse as inverse
from gelenk.robots.amee.kinematics.closed import lengths_of as lengths_of
from gelenk.robots.amee.kinematics.closed import simplify_angle as simplify_angle
from gelenk.robots.amee.kinematics.closed import solve_leg as solve_leg
from gelenk.robots.amee.kinematics.forward import foot_pitch as foot_pitch
from gelenk.robots.amee.kinematics.forward import forward as forward
from gelenk.robots.amee.kinematics.forward import point_of as point_of
from gelenk.robots.amee.kinematics.forward import tucked_height as tucked_height
