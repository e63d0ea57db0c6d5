"""MuJoCo specification with the settings that our contacts need, and its geoms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim.surface import ContactGroup, Surface, Vec3, require, require_vector

# pyright: reportAttributeAccessIssue=false


# Columns of `model.geom_user`: what MuJoCo's geoms have no field for.
USER_RESTITUTION = 0  # -1: none of its own
USER_RESISTANCE = 1  # share of the tangential speed lost in one second of touching
USER_FLIGHT_RESISTANCE = 2  # share of the speed lost in one second of flight
NUM_USER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineCfg:
    """Settings of the engine.

    Attributes:
        step: Physics step [s].
        gravity: World axes [m/s^2].
        impratio: Ratio of friction to normal impedance.
        tolerance: Tolerance at which the constraint solver stops.
        iterations: Most iterations of the constraint solver.
        solref: Time constant [s] and damping ratio of contacts.
        solimp: Impedance of contacts: at depth 0, at full depth, that depth [m].
        density, viscosity: Density and viscosity of the air [kg/m^3], [Pa s]; 0: no
            drag.
    """

    step: float = 0.001
    gravity: Vec3 = (0.0, 0.0, -9.81)
    impratio: float = 100.0
    tolerance: float = 1e-10
    iterations: int = 100
    solref: tuple[float, float] = (0.004, 1.0)
    solimp: Vec3 = (0.95, 0.99, 0.001)
    density: float = 0.0
    viscosity: float = 0.0

    def __post_init__(self) -> None:
        require(self, "step", above=0.0, unit="s")
        require_vector(self, "gravity", 3)
        require(self, "impratio", above=0.0)
        require(self, "tolerance", minimum=0.0)
        require(self, "density", minimum=0.0, unit="kg/m^3")
        require(self, "viscosity", minimum=0.0, unit="Pa s")
        require_vector(self, "solref", 2)
        require_vector(self, "solimp", 3)
        if self.iterations < 1:
            raise ConfigError(f"`iterations` must be >= 1, got {self.iterations}")


def new_spec(cfg: EngineCfg | None = None) -> Any:
    """Return an empty `mujoco.MjSpec` with our settings.

    Args:
        cfg: Settings; by default those of `EngineCfg`.
    """
    cfg = cfg or EngineCfg()
    spec: Any = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.compiler.autolimits = True
    option: Any = spec.option
    option.timestep = cfg.step
    option.gravity = cfg.gravity
    option.integrator = int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    option.cone = int(mujoco.mjtCone.mjCONE_ELLIPTIC)
    option.impratio = cfg.impratio
    option.tolerance = cfg.tolerance
    option.iterations = cfg.iterations
    option.density, option.viscosity = cfg.density, cfg.viscosity
    # A state that is not finite must stop the run, not silently start it anew.
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    spec.nuser_geom = NUM_USER
    geom: Any = spec.default.geom
    geom.solref = cfg.solref
    geom.solimp[:3] = cfg.solimp
    geom.condim = 4
    geom.margin = geom.gap = 0.0
    equality: Any = spec.default.equality
    equality.solref = cfg.solref
    equality.solimp[:3] = cfg.solimp
    return spec


# Group: (own bit, bits of the groups that it looks for). MuJoCo lets two geoms touch if
# either looks for the other, so every rule is written on both sides.
CONTACT_BITS: dict[ContactGroup, tuple[int, int]] = {
    "world": (1, 2 | 4),
    "object": (2, 1 | 2 | 4 | 8),
    "robot": (4, 1 | 2 | 4),
    "touch": (8, 2),
    "none": (0, 0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JointStart:
    """Start of a joint, in MuJoCo's own coordinates.

    Attributes:
        joint: Name of the joint.
        qpos, qvel: Values for the addresses of the joint.
    """

    joint: str
    qpos: tuple[float, ...]
    qvel: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Names under which an object stands in the engine.

    Attributes:
        name: Name of the object, also of its main body.
        bodies, geoms, joints: Names, the main body first.
        start: Coordinates of its joints at the start.
    """

    name: str
    bodies: tuple[str, ...]
    geoms: tuple[str, ...]
    joints: tuple[str, ...] = ()
    start: tuple[JointStart, ...] = ()


def dress_geom(
    spec: Any, geom: Any, surface: Surface, *, group: ContactGroup, condim: int = 4
) -> None:
    """Give a geom its contact properties and colour.

    Args:
        spec: Specification whose defaults say how stiff contacts are.
        geom: The geom.
        surface: Properties.
        group: Contact group if the surface names none.
        condim: Contact directions if the surface names none.
    """
    contype, conaffinity = CONTACT_BITS[surface.group or group]
    geom.contype, geom.conaffinity = contype, conaffinity
    geom.condim = surface.condim or condim
    geom.friction = (surface.friction, surface.torsion, surface.rolling)
    geom.priority = surface.priority
    geom.solref, geom.solimp = spec.default.geom.solref, spec.default.geom.solimp
    geom.margin = geom.gap = 0.0
    geom.rgba = surface.rgba
    user = np.zeros(NUM_USER)
    user[USER_RESTITUTION] = (
        -1.0 if surface.restitution is None else surface.restitution
    )
    user[USER_RESISTANCE] = surface.rolling_resistance
    user[USER_FLIGHT_RESISTANCE] = surface.flight_resistance
    geom.userdata = user


def apply_start(model: Any, data: Any, placed: Placed) -> None:
    """Write the start of an object into `data.qpos` and `data.qvel`."""
    for start in placed.start:
        joint = model.joint(start.joint)
        adr, dof = int(joint.qposadr[0]), int(joint.dofadr[0])
        data.qpos[adr : adr + len(start.qpos)] = start.qpos
        data.qvel[dof : dof + len(start.qvel)] = start.qvel
