"""NAO: a robot that calibrates its legs and its camera by looking at its feet.

`draw_errors` makes a robot with errors, `calibrate_robot` lets it find them. Angles of
the body are vectors of 22 values in B-Human's order and signs, see `joints`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.robots.nao.cases import calibrate_robot as calibrate_robot
    from gelenk.robots.nao.errors import NaoErrors as NaoErrors
    from gelenk.robots.nao.errors import draw_errors as draw_errors
    from gelenk.robots.nao.parameters import nao_problem as nao_problem
    from gelenk.robots.nao.robot_with_errors import nominal_model as nominal_model

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
