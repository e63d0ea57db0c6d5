"""Robots of MJCF files in a world: against plain MuJoCo, and with their actuators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import gelenk
from benchmarks.areas._models_files import load_quietly, silence
from benchmarks.areas._robot_files import MISSING, mjcf_files
from benchmarks.harness import Row, Settings
from gelenk.sim import Ground, Robot, World, WorldConfig

SECONDS = 1.0  # of passive motion
RESTING = 0.1  # fastest joint of a robot that rests [rad/s] or [m/s]
HOLD = 10.0  # [s]
SETTLED = 2.0  # [s]
MOVED = 0.02  # largest motion from then on of a robot that holds [rad] or [m]
FLOOR: dict[str, Any] = {
    "name": "floor_of_the_benchmark",
    "size": (0.0, 0.0, 1.0),
    "friction": (1.0, 0.005, 0.0001),
    "condim": 3,
    "contype": 1,
    "conaffinity": 1,
    # the engine's own, whatever the file's default class says
    "solref": (0.02, 1.0),
    "solimp": (0.9, 0.95, 0.001, 0.5, 2.0),
    "margin": 0.0,
    "gap": 0.0,
    "priority": 0,
    "solmix": 1.0,
    "material": "",
}


def _files(most: int) -> list[Path]:
    """Return the files of robots, one per folder, without scenes."""
    found: dict[Path, Path] = {}
    for path in mjcf_files():
        is_menagerie = (path.parent / "assets").is_dir()
        if is_menagerie and "scene" not in path.name:
            found.setdefault(path.parent, path)
    return list(found.values())[:most]


def _plain(path: Path) -> tuple[Any, Any] | None:
    """Return MuJoCo's model and data on a floor, at the home keyframe, passive."""
    import mujoco

    spec: Any = mujoco.MjSpec.from_file(str(path))
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, **FLOOR)
    for key in spec.keys:
        key.ctrl, key.act = [], []
    kind = mujoco.mjtObj.mjOBJ_ACTUATOR
    for sensor in [one for one in spec.sensors if one.objtype == kind]:
        spec.delete(sensor)
    for actuator in list(spec.actuators):
        spec.delete(actuator)
    try:
        model = spec.compile()
    except ValueError:
        return None  # a mesh is missing, for which we take another shape
    data = mujoco.MjData(model)
    names = [model.key(k).name for k in range(model.nkey)]
    if "home" in names:
        mujoco.mj_resetDataKeyframe(model, data, names.index("home"))
    return model, data


def _world(model: gelenk.RobotModel, contact: Any, step: float, **robot: Any) -> World:
    world = World(WorldConfig(step=step, contact=contact))
    world.add(Ground(friction=1.0, torsion=0.005, rolling=0.0001, condim=3))
    world.add(Robot(name="r", model=model, **robot))
    return world


def passive_robots(settings: Settings) -> list[Row]:
    """Robots without motors on a floor for a second, beside plain MuJoCo."""
    import mujoco

    equal: list[tuple[float, str]] = []
    resting: list[tuple[float, str]] = []
    other: list[str] = []
    for path in _files(settings.pick(50, 3)):
        ours, _ = load_quietly(path)
        if ours is None:
            continue
        for contact in ("engine", "exact"):
            with silence():
                built = _plain(path)
                if built is None:
                    other.append(f"{path.parent.name} lacks a mesh")
                    break
                theirs, data = built
                step = float(theirs.opt.timestep)
                world = _world(
                    ours, contact, step, motors=None, T_world_base=_base(ours)
                )
                world.run(0.0)
                start = _gap(world, theirs, data)
                mujoco.mj_step(theirs, data, round(SECONDS / step))
                world.run(SECONDS)
                gap = _gap(world, theirs, data)
                world.close()
            name = path.parent.name
            if start > 1e-6:
                other.append(f"{name} starts elsewhere by {1e3 * start:.0f} mm")
            elif contact == "engine":
                equal.append((gap, name))
            elif np.abs(data.qvel).max() < RESTING:
                resting.append((1e3 * gap, name))
            else:
                other.append(f"{name} moves")
    told = "; ".join(dict.fromkeys(other))
    rows: list[Row] = []
    for name, unit, found, target in (
        ("passive second, engine's contact, worst place of a body", "m", equal, 1e-9),
        ("the same with our contact, where MuJoCo's robot rests", "mm", resting, 5.0),
    ):
        worst = max(found, default=(None, ""))
        note = f"{len(found)} robots, worst {worst[1]}; left out: {told or 'none'}"
        note = note if found else MISSING
        rows.append(Row(name=name, value=worst[0], unit=unit, target=target, note=note))
    return rows


def _base(model: gelenk.RobotModel) -> np.ndarray:
    """Return the place that a file gives to a root that does not float."""
    is_placed = not model.has_floating_base and model.link_names[0] != "world"
    return model.T_parent_joint[0] if is_placed else np.eye(4)


def _gap(world: World, theirs: Any, data: Any) -> float:
    """Return the largest distance of bodies of one name [m]."""
    import mujoco

    mujoco.mj_kinematics(theirs, data)
    known = set(world.names())
    worst = 0.0
    for i in range(1, theirs.nbody):
        name = f"r/{theirs.body(i).name}"
        if name in known:
            gap = np.abs(world.pose(name)[:3, 3] - data.xpos[i]).max()
            worst = max(worst, float(gap))
    return worst


def robots_that_hold(settings: Settings) -> Row:
    """Share of robots that stand or hold for ten seconds with the file's actuators."""
    held: list[str] = []
    lost: list[str] = []
    for path in _files(settings.pick(50, 2)):
        ours, _ = load_quietly(path)
        if ours is None:
            continue
        T = np.eye(4)
        if not ours.has_floating_base:
            T[2, 3] = 0.3  # hands and arms hang free of the floor
        with silence():
            world = _world(ours, "exact", 0.001, T_world_base=T)
            world.run(SETTLED)
            before = _places(world)
            world.run(HOLD - SETTLED)
            moved = float(np.abs(_places(world) - before).max())
            world.close()
        (held if moved < MOVED else lost).append(f"{path.parent.name} {moved:.3f}")
    count = len(held) + len(lost)
    return Row(
        name="robots that hold ten seconds with the file's actuators",
        value=100.0 * len(held) / count if count else None,
        unit="%",
        target=100.0,
        direction=">=",
        note=f"motion from {SETTLED:g} s on [m]; held: {', '.join(held)}; not: "
        f"{', '.join(lost) or 'none'}"
        if count
        else MISSING,
    )


def _places(world: World) -> np.ndarray:
    return world.positions([name for name in world.names() if name.startswith("r/")])
