"""The disaster avatar on film: the site, the robot, and what it sends."""

from __future__ import annotations

import numpy as np

from gelenk.course.film import Film, standing
from gelenk.course.scenarios.avatar_mind import Avatar
from gelenk.course.scenarios.avatar_site import (
    GAUGE,
    T_BASE_ARM,
    TUBE,
    WALL,
    WHEEL,
    Site,
    make_arm,
)
from gelenk.spatial import se3, so3


def declare(film: Film, site: Site) -> None:
    """Put the site and the robot into a film."""
    film.box("floor", [6.0, 8.0, 0.02], color="light_grey")
    film.box("wall", [0.1, 8.0, 2.0], color="sand")
    poses = {
        "floor": standing([2.0, 0.0, -0.01]),
        "wall": standing([WALL + 0.05, 0.0, 1.0]),
    }
    for k, valve in enumerate(site.valves):
        film.disc(f"wheel {k}", WHEEL, 2.0 * TUBE, color="red")
        film.box(f"mark {k}", [WHEEL, 0.02, 0.04], color="white")
        film.disc(f"gauge {k}", GAUGE, 0.02, color="dark_grey")
        poses[f"gauge {k}"] = se3.pose_from_rotation_translation(
            so3.rot_y(-0.5 * np.pi), valve.gauge
        )
    film.look((-0.75, -0.45, 0.5))  # the valves are on the near side of the wall
    film.box("base", [0.6, 0.5, 0.5], color="blue")
    film.arm("arm", make_arm())
    film.shoot(0.0, poses=poses)


def shoot(film: Film, now: float, site: Site, robot: Avatar) -> None:
    """Show what is really there, what the robot sends, and whom it waits for."""
    base = site.base_frame
    poses = {
        "base": base @ standing([0.0, 0.0, 0.27]),
        "arm": base @ T_BASE_ARM,
    }
    for k, (valve, angle) in enumerate(zip(site.valves, site.turned, strict=True)):
        turned = valve.T_world_wheel @ standing([0.0, 0.0, 0.0], angle)
        poses[f"wheel {k}"] = turned
        poses[f"mark {k}"] = turned @ standing([0.5 * WHEEL, 0.0, 0.0])
    request, level = robot.request, robot.mission.level
    text = f"{robot.mission.state}, level {level.name.lower()}"
    things = np.zeros((0, 3))
    if request is not None:
        text += f", asks: {request.outcome}?"
        things = np.concatenate([things, *request.clusters])
    film.shoot(
        now,
        poses=poses,
        joints={"arm": site.q},
        clouds={"sent": se3.transform_point(base, things)},
        curves={
            "level [1]": float(level),
            "requests [1]": float(robot.requests),
            "mistakes [1]": float(len(site.mistakes)),
        },
        text=text,
    )
