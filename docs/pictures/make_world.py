"""Draw the pictures of the world's pages with the world's own cameras.

Usage:
    python docs/pictures/make_world.py [--still]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

import gelenk
from gelenk.sim import Ball, Conveyor, Cuboid, Ground, IdealMotor, Robot, World
from gelenk.sim.cameras.boards import Chessboard
from gelenk.sim.cameras.description import Camera, Light, SensorNoise, looking_at
from gelenk.sim.objects import RectOutline, Step
from gelenk.sim.surface import Surface
from gelenk.spatial import se3, so3
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 760, 400
RATE = 15.0  # [1/s], images of the film
SECONDS = 4.0
COLORS = 240  # of the palette
EDGE = 60.0  # [gray levels], change of a pixel that something covers

TILES = ((0.93, 0.94, 0.95, 1.0), (0.88, 0.89, 0.91, 1.0))
BELT = (0.16, 0.18, 0.21, 1.0)
STONE = (0.56, 0.60, 0.66, 1.0)
METAL = (0.90, 0.91, 0.93, 1.0)
ORANGE = (0.96, 0.45, 0.13, 1.0)
BLUE = (0.16, 0.46, 0.80, 1.0)
GREEN = (0.20, 0.62, 0.42, 1.0)
RED = (0.84, 0.22, 0.22, 1.0)
YELLOW = (0.95, 0.74, 0.20, 1.0)

LIGHTS = (
    Light(name="sun", direction=(0.5, 0.7, -1.2), diffuse=(0.60, 0.58, 0.54)),
    Light(
        name="sky",
        direction=(-0.5, -0.3, -0.8),
        diffuse=(0.20, 0.22, 0.25),
        ambient=(0.36, 0.37, 0.39),
        specular=(0.0, 0.0, 0.0),
        casts_shadows=False,
    ),
)


def camera(
    name: str, p: list[float], target: list[float], *, rate: float = RATE
) -> Camera:
    """Return a colour camera that looks from one point to another."""
    return Camera(
        name=name,
        intrinsics=Intrinsics.from_field_of_view(
            width=WIDTH, height=HEIGHT, horizontal=0.78
        ),
        T_parent_camera=looking_at(p, target),
        rate=rate,
        samples=3,
        shadows=True,
        color="rgb",
    )


def make_hall() -> World:
    """Return a hall with belts, steps, balls, parcels and an arm that waves them on."""
    world = World(seed=7)
    for item in (Ground(tile_size=0.4, tile_rgba=TILES, friction=0.6), *LIGHTS):
        world.add(item)
    world.add(camera("film", [2.6, -3.45, 2.35], [0.05, 0.38, 0.36]))
    belt = RectOutline(center=(0.0, 0.0), size=(2.4, 0.5))
    world.add(
        Conveyor(
            name="belt",
            plan=belt,
            h1=0.25,
            h2=0.25,
            speed=0.35,
            to_middle_speed=0.08,
            friction=0.8,
            rgba=BELT,
        )
    )
    colors = (ORANGE, BLUE, GREEN, YELLOW)
    places = ((-1.0, 0.12), (-0.55, -0.1), (-0.1, 0.06), (0.4, 0.0))
    for i, ((x, y), rgba) in enumerate(zip(places, colors, strict=True)):
        world.add(
            Cuboid(
                name=f"parcel_{i}",
                size=(0.16, 0.16, 0.12),
                mass=0.4,
                friction=0.8,
                position=(x, y, 0.312),
                quat=(np.cos(0.3 * i), 0.0, 0.0, np.sin(0.3 * i)),
                rgba=rgba,
            )
        )
    for i in range(4):
        plan = RectOutline(center=(-0.9 + 0.25 * i, 1.5), size=(0.25, 1.0))
        world.add(Step(name=f"step_{i}", plan=plan, height=0.8 - 0.2 * i, rgba=STONE))
    for i, rgba in enumerate((RED, YELLOW, BLUE)):
        world.add(
            Ball(
                name=f"ball_{i}",
                radius=0.07,
                mass=0.3,
                restitution=0.78,
                position=(-1.0, 1.2 + 0.3 * i, 1.15 + 0.2 * i),
                velocity=(0.55, 0.0, 0.0),
                rgba=rgba,
            )
        )
    R_world_base = so3.rot_z(-1.6)
    T_world_base = se3.pose_from_rotation_translation(R_world_base, [0.6, 0.75, 0.0])
    world.add(
        Robot(
            name="arm",
            model=gelenk.load("panda"),
            T_world_base=T_world_base,
            motors=IdealMotor(max_speed=1.4),
            colliding_links=("link_4", "link_5", "link_6", "link_7", "hand"),
            surface=Surface(rgba=METAL),
        )
    )
    return world


def wave(t: float) -> FloatArray:
    """Return joint values of the arm at a time [s], a motion of period SECONDS."""
    swing = np.sin(2.0 * np.pi * t / SECONDS)
    nod = np.sin(4.0 * np.pi * t / SECONDS)
    home = gelenk.load("panda").home_configuration
    offsets = [0.7 * swing, 0.25 * nod, 0.0, 0.3 * nod, 0.0, 0.3 * nod, 0.0]
    return home + np.array(offsets)


def film() -> list[Image.Image]:
    """Return the images of the hall, the arm being moved in every control tick."""
    frames: list[Image.Image] = []
    with make_hall() as world:
        while len(frames) < round(RATE * SECONDS):
            world.command("arm", wave(world.time))
            world.step(10)
            seen = world.image("film")
            if seen is not None and seen.frame == len(frames):
                frames.append(Image.fromarray(seen.pixels))
    return frames


def strobe() -> Image.Image:
    """Return one picture of many moments of a ball that bounces past the camera."""
    world = World()
    for item in (Ground(tile_size=0.25, tile_rgba=TILES), *LIGHTS):
        world.add(item)
    world.add(camera("strobe", [0.0, -3.4, 0.75], [0.0, 0.0, 0.44], rate=25.0))
    world.add(
        Ball(
            name="ball",
            radius=0.04,
            mass=0.2,
            position=(-1.3, 0.0, 1.04),
            velocity=(0.85, 0.0, 0.0),
            restitution=0.8,
            friction=0.0,
            condim=1,
            rgba=ORANGE,
        )
    )
    moments: list[np.ndarray] = []
    while world.time < 3.1:
        world.step(5)
        seen = world.image("strobe")
        if seen is not None and seen.frame == len(moments):
            moments.append(seen.pixels)
    stack = np.stack(moments).astype(np.int16)
    background = np.median(stack, axis=0).astype(np.int16)
    picture = background.astype(np.float64)
    for moment in stack:  # newer ones in front, their soft edges blended
        change = np.abs(moment - background).max(axis=2, keepdims=True)
        share = np.clip(change / EDGE, 0.0, 1.0)
        picture += share * (moment - picture)
    return Image.fromarray(picture.round().astype(np.uint8))


def lens() -> Image.Image:
    """Return a chessboard as geometry has it, and as a cheap camera sees it."""
    T_world_board = se3.pose_from_rotation_translation(
        so3.rot_z(0.35) @ so3.rot_x(np.pi / 2.0), [0.0, 0.0, 0.3]
    )
    world = World(seed=7)
    for item in (Ground(tile_size=0.25, tile_rgba=TILES), *LIGHTS):
        world.add(item)
    world.add(Chessboard(name="board", square=0.05, T_parent_board=T_world_board))
    half = Intrinsics.from_field_of_view(width=376, height=300, horizontal=0.9)
    cheap = Intrinsics(
        width=half.width,
        height=half.height,
        fx=half.fx,
        fy=half.fy,
        cx=half.cx,
        cy=half.cy,
        distortion=(-0.45, 0.2, 0.0, 0.0, 0.0),
    )
    T_world_camera = looking_at([0.1, -0.75, 0.45], [0.0, 0.0, 0.3])
    cameras = (
        Camera(
            name="ideal", intrinsics=half, T_parent_camera=T_world_camera, samples=3
        ),
        Camera(
            name="cheap",
            intrinsics=cheap,
            T_parent_camera=T_world_camera,
            blur=0.9,
            vignetting=1.0,
            noise=SensorNoise(read=6.0, shot=0.3),
        ),
    )
    for item in cameras:
        world.add(item)
    world.add(
        Ball(name="ball", radius=0.06, mass=0.2, position=(-0.2, 0.05, 0.06), rgba=RED)
    )
    world.run(0.1)
    picture = Image.new("L", (WIDTH, half.height), 255)
    for name, left in (("ideal", 0), ("cheap", WIDTH - half.width)):
        seen = world.image(name)
        assert seen is not None
        picture.paste(Image.fromarray(seen.pixels), (left, 0))
    return picture


def main() -> None:
    """Write the pictures beside this file; with --still no film."""
    parser = argparse.ArgumentParser(description="Draw pictures of worlds.")
    parser.add_argument("--still", action="store_true", help="leave the film out")
    arguments = parser.parse_args()
    strobe().save(FOLDER / "bounce.png", optimize=True)
    lens().save(FOLDER / "lens.png", optimize=True)
    if arguments.still:
        return
    frames = film()
    sheet = Image.fromarray(np.concatenate([np.asarray(f) for f in frames[::8]]))
    palette = sheet.quantize(COLORS)
    small = [f.quantize(palette=palette, dither=Image.Dither.NONE) for f in frames]
    small[0].save(
        FOLDER / "world.gif",
        save_all=True,
        append_images=small[1:],
        duration=round(1000.0 / RATE),
        loop=0,
        optimize=True,
    )


if __name__ == "__main__":
    main()
