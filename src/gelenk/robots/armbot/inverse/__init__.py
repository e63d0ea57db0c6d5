"""The three ways from a position to joint values: closed, downhill simplex, Jacobian.

Each starts at the present joint values and stays near them. Where that way ends before
the target, the iterative two begin again elsewhere and say so (`starts`). Roth 2021,
ArmBot §5.
"""

from gelenk.robots.armbot.inverse.closed import ClosedInverse as ClosedInverse
from gelenk.robots.armbot.inverse.closed import has_own_formula as has_own_formula
from gelenk.robots.armbot.inverse.iterative import JacobianInverse as JacobianInverse
from gelenk.robots.armbot.inverse.iterative import SimplexInverse as SimplexInverse
