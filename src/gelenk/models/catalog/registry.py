"""Catalogue of robots: what it holds, and how a name becomes a `RobotModel`.

The table is all that is loaded at import; the file of a robot is imported when the
robot is made. Installed packages add robots through the entry points `gelenk.robots`:
the name of the entry point is that of the robot, its object a `RobotSpec`.
`docs/catalogue.md` lists frames, tools and sources for the reader.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from gelenk.errors import NameNotFoundError
from gelenk.models.tree import RobotModel
from gelenk.plugins import Plugin, PluginError, find_plugins

GROUP = "gelenk.robots"  # of entry points


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotSpec:
    """Description of a robot and the way to its model.

    Attributes:
        name: Name that `gelenk.load` takes.
        title: Title in a few words.
        joints: Types of the joints in `q`, one letter each: R turns, P slides. Passive
            joints of closed chains are not counted.
        provenance: Source of the numbers.
        make: Builds the model; None: the catalogue has its file.

    Example:
        >>> from gelenk.models import catalog, load
        >>> catalog.RobotSpec(
        ...     name="my_arm",
        ...     title="My arm",
        ...     joints="RR",
        ...     provenance="drawing of 2026-01-01",
        ...     make=lambda: load("planar2r"),
        ... ).make().joint_names
        ('joint_1', 'joint_2')
    """

    name: str
    title: str
    joints: str
    provenance: str
    make: Callable[[], RobotModel] | None = None


_BENCH = "bench robot of the course tests, DH rows"
_OURS = "dimensions chosen for Gelenk"

# name: module, title, joints, provenance
_TABLE: dict[str, tuple[str, str, str, str]] = {
    "delta": (
        "delta",
        "Delta robot, three arms",
        "RRR",
        "Clavel's architecture; dimensions of the course example; masses chosen here",
    ),
    "double_pendulum": (
        "textbook_arms",
        "Double pendulum of two point masses",
        "RR",
        f"{_OURS}: two rods of 1 m, two masses of 1 kg",
    ),
    "fivebar": ("linkages", "Planar five-bar, two motors", "RR", _OURS),
    "fourbar": (
        "linkages",
        "Four-bar linkage 4, 1, 3.5, 3",
        "R",
        "course example (Damken 2023 §5.6), lengths in metres; masses chosen here",
    ),
    "franka_hand": (
        "grippers",
        "Franka hand, two parallel fingers",
        "P",
        "frankaemika/franka_ros, franka_description",
    ),
    "iiwa7": (
        "kuka",
        "KUKA LBR iiwa 7 R800",
        "RRRRRRR",
        "lbr-stack/lbr_fri_ros2_stack (frames, masses); KUKA data sheet (limits)",
    ),
    "jansen": (
        "linkages",
        "Leg of Theo Jansen's Strandbeest",
        "R",
        "T. Jansen's published bar lengths, 1 unit = 1 cm; masses chosen here",
    ),
    "lbr7": (
        "kuka",
        "LBR-type arm with seven joints",
        "RRRRRRR",
        f"{_BENCH}; masses chosen here",
    ),
    "panda": (
        "franka",
        "Franka Emika Panda, arm without gripper",
        "RRRRRRR",
        "frankaemika/franka_ros; inertial figures of Gaz et al. 2019",
    ),
    "planar2r": (
        "textbook_arms",
        "Planar arm with two hinges",
        "RR",
        f"{_BENCH}, masses",
    ),
    "planar3r": (
        "textbook_arms",
        "Planar arm with three hinges",
        "RRR",
        f"{_BENCH}; masses chosen here",
    ),
    "puma560": (
        "puma560",
        "Unimation PUMA 560",
        "RRRRRR",
        (
            "Corke and Armstrong-Helouvry 1994; limits Wang and Chen 1991; torques "
            "Armstrong, Khatib and Burdick 1986"
        ),
    ),
    "robotiq_2f85": (
        "grippers",
        "Robotiq 2F-85, two fingers on four-bar linkages",
        "R",
        (
            "ros-industrial/robotiq (frames, pads, range); Robotiq instruction manual "
            "(mass, force, speed); masses of the fingers chosen here"
        ),
    ),
    "rp": ("textbook_arms", "Planar hinge and slider", "RP", f"{_BENCH}, masses"),
    "rpr": (
        "textbook_arms",
        "Arm with skew axes, hinge, slider, hinge",
        "RPR",
        f"{_BENCH}, masses",
    ),
    "scara": ("textbook_arms", "SCARA arm", "RRPR", f"{_BENCH}; masses chosen here"),
    "slider_crank": (
        "linkages",
        "Slider-crank, crank 0.05 m, rod 0.2 m",
        "R",
        "course example (Damken 2023 §5.6); masses chosen here",
    ),
    "stanford": (
        "textbook_arms",
        "Stanford arm",
        "RRPRRR",
        f"{_BENCH}; limits as in Corke's Robotics Toolbox; masses chosen here",
    ),
    "stewart": (
        "stewart",
        "Stewart platform, six sliding legs",
        "PPPPPP",
        "geometry of the course example; masses and strokes chosen here",
    ),
    "suction_cup": ("grippers", "Suction cup of 40 mm", "", _OURS),
    "ur5e": (
        "universal_robots",
        "Universal Robots UR5e",
        "RRRRRR",
        (
            "Universal Robots, DH parameters article; "
            "UniversalRobots/Universal_Robots_ROS2_Description (inertia, limits)"
        ),
    ),
}


def names() -> tuple[str, ...]:
    """Return the names of all robots, sorted.

    Example:
        >>> from gelenk.models import catalog
        >>> "panda" in catalog.names()
        True
    """
    return tuple(sorted({*_TABLE, *find_plugins(GROUP)}))


def describe(name: str) -> RobotSpec:
    """Return title, joints and sources of a robot without building it.

    Args:
        name: Name of the robot.

    Raises:
        NameNotFoundError: If there is no such robot.
        PluginError: If the package that has it cannot be loaded.

    Example:
        >>> from gelenk.models import catalog
        >>> catalog.describe("ur5e").title
        'Universal Robots UR5e'
    """
    if name in _TABLE:
        _, title, joints, provenance = _TABLE[name]
        return RobotSpec(name=name, title=title, joints=joints, provenance=provenance)
    plugins = find_plugins(GROUP)
    if name not in plugins:
        raise NameNotFoundError("robot", name, names())
    return _spec_of(plugins[name])


def describe_all(problems: list[PluginError] | None = None) -> list[RobotSpec]:
    """Return title, joints and sources of all robots, sorted by name.

    Args:
        problems: List that gets an error for each plugin that cannot be used.
    """
    specs: list[RobotSpec] = []
    for name in names():
        try:
            specs.append(describe(name))
        except PluginError as error:
            if problems is not None:
                problems.append(error)
    return specs


def make(name: str) -> RobotModel:
    """Return the model of a robot.

    Args:
        name: Name of the robot.

    Example:
        >>> from gelenk.models.catalog import make
        >>> make("planar2r").joint_names
        ('joint_1', 'joint_2')

    Raises:
        NameNotFoundError: If there is no such robot.
        PluginError: If the package that has it cannot be loaded.
    """
    if name in _TABLE:
        module = importlib.import_module(f"gelenk.models.catalog.{_TABLE[name][0]}")
        return getattr(module, f"make_{name}")()
    spec = describe(name)
    assert spec.make is not None
    return spec.make()


def _spec_of(plugin: Plugin) -> RobotSpec:
    spec = plugin.load()
    if not isinstance(spec, RobotSpec) or spec.make is None:
        raise plugin.error("expected a RobotSpec with `make`")
    if spec.name != plugin.name:
        raise plugin.error(f"its RobotSpec has another name, {spec.name!r}")
    return spec
