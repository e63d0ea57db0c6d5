"""MuJoCo specification with the settings that our contacts need, and its geoms."""

from __future__ import annotations

from collections.abc import Iterable
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
    set_options(spec, cfg)
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


def set_options(spec: Any, cfg: EngineCfg) -> None:
    """Give a specification our options."""
    option: Any = spec.option
    option.timestep = cfg.step
    option.gravity = cfg.gravity
    option.integrator = int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    option.cone = int(mujoco.mjtCone.mjCONE_ELLIPTIC)
    option.impratio = cfg.impratio
    option.tolerance = cfg.tolerance
    option.iterations = cfg.iterations
    option.density, option.viscosity = cfg.density, cfg.viscosity
    stop_when_not_finite(spec)


def stop_when_not_finite(spec: Any) -> None:
    """Let a state that is not finite stop the run, not silently start it anew."""
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)


def plain_spec(cfg: EngineCfg, options: Any = None) -> Any:
    """Return an empty `mujoco.MjSpec` as MuJoCo has it, for its own contacts.

    Args:
        cfg: Settings; of these the step, gravity and air count, and what differs from
            the defaults of `EngineCfg`.
        options: The options of a file, taken over with the rest of its numbers.
    """
    spec: Any = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.compiler.autolimits = True
    spec.nuser_geom = NUM_USER
    if options is not None:
        copy_options(options, spec.option)
    usual = EngineCfg()
    for name in ("impratio", "tolerance", "iterations"):
        if getattr(cfg, name) != getattr(usual, name):
            setattr(spec.option, name, getattr(cfg, name))
    if cfg.solref != usual.solref:
        spec.default.geom.solref = cfg.solref
    if cfg.solimp != usual.solimp:
        spec.default.geom.solimp[:3] = cfg.solimp
    set_surroundings(spec, cfg)
    stop_when_not_finite(spec)
    return spec


def set_surroundings(spec: Any, cfg: EngineCfg) -> None:
    """Give a specification the step, the gravity and, if there is one, the air."""
    spec.option.timestep = cfg.step
    spec.option.gravity = cfg.gravity
    if cfg.density or cfg.viscosity:
        spec.option.density, spec.option.viscosity = cfg.density, cfg.viscosity


def copy_options(source: Any, target: Any) -> None:
    """Copy all physics options from one specification to another."""
    for name in dir(source):
        if not name.startswith("_"):
            value = getattr(source, name)
            if isinstance(value, np.ndarray):
                getattr(target, name)[:] = value
            else:
                setattr(target, name, value)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedTree(Placed):
    """Names under which a mechanism stands in the engine.

    Attributes:
        joints: The joints that can be asked for, in order.
        all_joints: Every hinge, slide and ball joint, also those that follow others.
        base_joint: Name of the free joint, empty if the base is fixed.
        actuators: Names of the actuators of its file, in the file's order.
        commands: Their commands at the start.
        activations: Their activations at the start, all in one row.
    """

    all_joints: tuple[str, ...] = ()
    base_joint: str = ""
    actuators: tuple[str, ...] = ()
    commands: tuple[float, ...] = ()
    activations: tuple[float, ...] = ()


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
    if isinstance(placed, PlacedTree) and placed.actuators:
        ids = [model.actuator(name).id for name in placed.actuators]
        data.ctrl[ids] = placed.commands
        data.act[activation_addresses(model, ids)] = placed.activations


def activation_addresses(model: Any, actuators: Iterable[int]) -> list[int]:
    """Return where the activations of some actuators are in `data.act`."""
    return [
        int(model.actuator_actadr[i]) + k
        for i in actuators
        for k in range(int(model.actuator_actnum[i]))
    ]
