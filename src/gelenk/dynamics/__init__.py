"""Dynamics of robots and what they handle: forces, inertias, motions over time.

The way in is `inverse_dynamics` (forces of a motion), `forward_dynamics` (accelerations
of forces) and `simulate` (motions of forces). Arrays may have leading batch axes.
Walking, hopping, muscles and elastic links have modules of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.dynamics.aba import forward_dynamics as forward_dynamics
    from gelenk.dynamics.crba import mass_matrix as mass_matrix
    from gelenk.dynamics.equation_terms import coriolis_matrix as coriolis_matrix
    from gelenk.dynamics.equation_terms import gravity_torques as gravity_torques
    from gelenk.dynamics.equation_terms import (
        inertial_parameters as inertial_parameters,
    )
    from gelenk.dynamics.equation_terms import regressor as regressor
    from gelenk.dynamics.equation_terms import total_energy as total_energy
    from gelenk.dynamics.flight import FlightCfg as FlightCfg
    from gelenk.dynamics.flight import simulate_flight as simulate_flight
    from gelenk.dynamics.friction import JointFriction as JointFriction
    from gelenk.dynamics.inertia import BodyInertia as BodyInertia
    from gelenk.dynamics.inertia_shapes import mesh_inertia as mesh_inertia
    from gelenk.dynamics.momentum import centre_of_mass as centre_of_mass
    from gelenk.dynamics.momentum import (
        centroidal_momentum_matrix as centroidal_momentum_matrix,
    )
    from gelenk.dynamics.momentum import com_jacobian as com_jacobian
    from gelenk.dynamics.rnea import inverse_dynamics as inverse_dynamics
    from gelenk.dynamics.simulation import SimulatedMotion as SimulatedMotion
    from gelenk.dynamics.simulation import SimulationCfg as SimulationCfg
    from gelenk.dynamics.simulation import simulate as simulate
    from gelenk.models.edit import with_payload as with_payload

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
