"""`Robot`: a robot model in a world, with its motors, sensors and skin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.models.tree import RobotModel
from gelenk.sim.surface import Surface
from gelenk.spatial.se3 import is_pose
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.collision.objects import PlacedShapes


@dataclass(frozen=True, slots=True, kw_only=True)
class Gripper:
    """Fingers that make a thing between them a part of the robot.

    See `gelenk.sim.grasp`. Fingers that shall hold by friction alone are not named.

    Attributes:
        base: Link in whose frame a held thing stays where it is.
        fingers: Links that must touch it; the cups of a suction gripper.
        hold: Way of holding: by fingers on opposite sides, or by suction: then
            everything that a cup touches is held while the gripper is active, see
            `World.command_gripper`.

    Example:
        >>> from gelenk.sim import Gripper
        >>> Gripper(base="hand", fingers=("left", "right")).hold
        'pinch'
    """

    base: str
    fingers: tuple[str, ...]
    hold: Literal["pinch", "suction"] = "pinch"

    def __post_init__(self) -> None:
        if self.hold not in ("pinch", "suction"):
            raise ConfigError(
                f"`hold` of the gripper on {self.base!r} must be 'pinch' or 'suction', "
                f"got {self.hold!r}"
            )
        if not self.fingers:
            raise ConfigError(f"the gripper on {self.base!r} needs `fingers`, got none")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Robot:
    """A robot at a place.

    **A robot from an MJCF file enters as it is**: with the file's meshes, springs,
    equality constraints, tendons, sensors and, unless other motors are given, with its
    actuators; see `World.command`. It begins in the keyframe that stands where it
    begins, commands included; elsewhere position servos of the file hold their places.
    Its shapes keep friction, contact directions, priority, and who touches whom.

    **What collides.** Shapes with the role "collision" do. A model without any, such as
    those of the catalogue, collides with what is drawn, meshes as their convex hulls.
    Links of such a robot do not touch each other unless `self_collision` is set. What
    carries a fixed robot often reaches into it: a link that is fixed, or moved by one
    joint only, does not feel a fixed object that it reaches into by more than a
    millimetre at the start.

    Attributes:
        name: Name, unique in its world; parts are reached as `name/link` and
            `name/joint`.
        model: Model of the robot.
        T_world_base: Pose of the root link, with a floating base at the start, (4, 4).
        motors: Motor of each joint by name, or one motor for all; None: it moves
            passively; "file": the actuators of its MJCF file, where it has one.
        sensors: Sensors by the name under which they are read, `name/sensor`.
        q: Configuration at the start, shape (nq,); None: the model's home. With a
            floating base its first seven numbers are relative to `T_world_base`.
        qd: Velocity at the start, shape (nv,); None: at rest.
        mend_inertias: Raise moments of inertia that no body can have, as published
            tables sometimes state them, until one could.
        colliding_links: Links that can be touched; None: all.
        self_collision: Whether links of this robot touch each other (neighbours never
            do); None: as its MJCF file says, else they do not.
        grippers: Hands that hold things by the rule of `Gripper`.
        surface: Contact properties of the links.
        surfaces: Contact properties of single links, by name.

    Example:
        >>> from gelenk.models import load
        >>> from gelenk.sim import IdealMotor, Robot, World
        >>> world = World()
        >>> motor = IdealMotor(max_speed=2.0)
        >>> _ = world.add(Robot(name="arm", model=load("planar2r"), motors=motor))
        >>> world.command("arm", [0.5, 0.25])
        >>> world.run(0.5)
        >>> print(world.joint_positions("arm"))
        [0.5  0.25]
    """

    name: str
    model: RobotModel
    T_world_base: FloatArray = field(default_factory=lambda: np.eye(4))
    motors: Any = "file"
    sensors: Mapping[str, Any] = field(default_factory=dict)
    q: FloatArray | None = None
    qd: FloatArray | None = None
    mend_inertias: bool = False
    colliding_links: tuple[str, ...] | None = None
    self_collision: bool | None = None
    grippers: tuple[Gripper, ...] = ()
    surface: Surface = field(default_factory=Surface)
    surfaces: Mapping[str, Surface] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name or "/" in self.name:
            raise ConfigError(
                f"`name` of a Robot must be a word without '/', got {self.name!r}"
            )
        T = np.array(as_finite("T_world_base", self.T_world_base, (4, 4)))
        if T.shape != (4, 4) or not is_pose(T):
            raise ConfigError(f"Robot {self.name!r}: `T_world_base` must be a pose")
        self._freeze("T_world_base", T)
        home = self.model.home_configuration if self.q is None else self.q
        self._freeze("q", np.array(self.model.check_q("q", home)))
        rest = np.zeros(self.model.nv) if self.qd is None else self.qd
        self._freeze("qd", np.array(self.model.check_v("qd", rest)))
        if isinstance(self.motors, str):
            if self.motors != "file":
                raise ConfigError(
                    f"Robot {self.name!r}: `motors` must be motors by joint, one motor "
                    f'for all, "file" or None, got {self.motors!r}'
                )
            if not self.is_from_file:
                object.__setattr__(self, "motors", None)
        held = [link for g in self.grippers for link in (g.base, *g.fingers)]
        for link in (*(self.colliding_links or ()), *self.surfaces, *held):
            if link not in self.model.link_names:
                raise NameNotFoundError("link", link, self.model.link_names)
        if isinstance(self.motors, Mapping):
            for joint in self.motors:
                if joint not in self.model.joint_names:
                    raise NameNotFoundError("joint", joint, self.model.joint_names)

    @property
    def is_from_file(self) -> bool:
        """Whether it enters a world as the MJCF file that its model came from."""
        source = self.model.source
        return source is not None and source.kind == "mjcf"

    def _freeze(self, name: str, array: FloatArray) -> None:
        array.setflags(write=False)
        object.__setattr__(self, name, array)

    def collision_shapes(self) -> PlacedShapes:
        """Return the shapes at the start, each with its pose in the world."""
        from gelenk.sim.collision_shapes import robot_shapes

        return robot_shapes(self)

    def surface_of(self, link: str) -> Surface:
        """Return the contact properties of a link."""
        return self.surfaces.get(link, self.surface)
