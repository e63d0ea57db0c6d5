"""Draw the picture of the README: two arms of the catalogue paint curves of light.

Every pose of both tools is solved by inverse kinematics, each from the one before.

Usage:
    python docs/pictures/make_hero.py [--still]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter
from raycast import Camera, Tube, render

import gelenk
from gelenk.kinematics.forward import link_poses
from gelenk.models.tree import RobotModel
from gelenk.spatial import se3, so3

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 760, 400
SUPERSAMPLING = 2
NUM_FRAMES = 60
FRAME_TIME = 70  # [ms]
COLORS = 128  # of the palette
POSES_PER_FRAME = 6
TRAIL = 0.97  # of one round

TILT = 0.3  # [rad]; the tools point forwards and down by this angle
CENTER = (0.5, 0.6)  # [m], x and z of the middle of each curve
R_WORLD_TOOL = so3.rot_y(np.pi / 2.0 + TILT)


@dataclass(frozen=True, eq=False)
class Painter:
    """A robot, where it stands, what it paints, and in which colour of light."""

    model: RobotModel
    T_world_base: np.ndarray
    curve: np.ndarray  # (k, 3), world [m]
    q: np.ndarray  # (k, nq)
    light: tuple[int, int, int]


def rosette(t: np.ndarray) -> np.ndarray:
    """Return a curve of five loops within [-1, 1], shape (k, 2)."""
    z = 0.62 * np.exp(1j * t) + 0.38 * np.exp(-4j * t)
    return np.stack([z.imag, z.real], axis=1)


def lissajous(t: np.ndarray) -> np.ndarray:
    """Return a curve of crossing waves within [-1, 1], shape (k, 2)."""
    return np.stack([np.sin(2.0 * t + np.pi / 4.0), np.sin(3.0 * t)], axis=1)


def make_painter(
    name: str, *, y: float, turn: float, curve, size: float, light
) -> Painter:
    """Return a robot at `y` with the joint values of one round of its curve."""
    model = gelenk.load(name)
    T_world_base = se3.pose_from_rotation_translation(so3.rot_z(turn), [0.0, y, 0.0])
    t = np.linspace(0.0, 2.0 * np.pi, NUM_FRAMES * POSES_PER_FRAME, endpoint=False)
    across, upward = size * curve(t).T
    x, z = CENTER[0] + upward * np.sin(TILT), CENTER[1] + upward * np.cos(TILT)
    points = np.column_stack([x, y + across, z])
    T_world_tool = se3.pose_from_rotation_translation(R_WORLD_TOOL, points)
    T_base_tool = se3.inverse(T_world_base) @ T_world_tool
    for start in upright_starts(model, T_base_tool[0]):
        q = follow(model, T_base_tool, start)
        if q is not None:
            step = np.abs(np.diff(q, axis=0, append=q[:1])).max()
            print(f"{name}: largest step between poses {step:.3f} rad")
            return Painter(model, T_world_base, points, q, light)
    raise SystemExit(f"{name} cannot follow its curve; make it smaller")


def upright_starts(model: RobotModel, T_base_tool: np.ndarray) -> list[np.ndarray]:
    """Return solutions of one pose, those with high links first."""
    rng = np.random.default_rng(0)
    lower, upper = np.clip(model.limits, -np.pi, np.pi)
    tries = [
        model.inverse(T_base_tool, q0=q, task="position_axis")
        for q in rng.uniform(lower, upper, size=(60, model.nq))
    ]
    found = [result.q for result in tries if result.converged]
    return sorted(found, key=lambda q: -link_poses(model, q)[:, 2, 3].mean())


def follow(model: RobotModel, T_base_tool: np.ndarray, start: np.ndarray):
    """Return joint values along a closed path, or None if they would have to jump."""
    q, qs = start, []
    for T in [*T_base_tool, *T_base_tool]:  # the second round starts on the first
        result = model.inverse(T, q0=q, task="position_axis")
        if not result.converged or np.abs(result.q - q).max() > 0.1:
            return None
        q = result.q
        qs.append(q)
    return np.array(qs[len(T_base_tool) :])


def tubes_of(painter: Painter, step: int) -> list[Tube]:
    """Return the shapes of a robot in the world at one step."""
    tubes: list[Tube] = []
    Ts = painter.T_world_base @ link_poses(painter.model, painter.q[step])
    for T_world_link, shapes in zip(Ts, painter.model.geometry, strict=True):
        for shape in shapes:
            T = T_world_link @ np.asarray(shape.T_link_geometry)
            half = 0.5 * shape.size[1] * T[:3, 2]
            tubes.append(
                Tube(
                    a=T[:3, 3] - half,
                    b=T[:3, 3] + half,
                    radius=shape.size[0],
                    is_round=shape.kind == "capsule",
                    color=np.array((shape.rgba or (0.6, 0.6, 0.6, 1.0))[:3]),
                )
            )
    return tubes


def draw_light(camera: Camera, painters: list[Painter], step: int) -> Image.Image:
    """Return the trails on black, to be added to the picture."""
    layer = Image.new("RGB", (camera.width, camera.height))
    draw = ImageDraw.Draw(layer)
    for painter in painters:
        points = camera.project(painter.curve)
        count = int(TRAIL * len(points))
        for age in range(count, 0, -1):
            k = step - age
            strength = (1.0 - age / count) ** 0.6
            color = tuple(int(strength * c) for c in painter.light)
            ends = [
                tuple(points[k % len(points)]),
                tuple(points[(k + 1) % len(points)]),
            ]
            draw.line(ends, fill=color, width=5)
        x, y = points[step]
        draw.ellipse([x - 7, y - 7, x + 7, y + 7], fill=(255, 255, 255))
    halo = layer.filter(ImageFilter.GaussianBlur(7))
    return ImageChops.add(layer, ImageChops.add(halo, halo))


def make_frame(painters: list[Painter], frame: int) -> Image.Image:
    """Return one picture of the film."""
    camera = Camera(
        eye=[3.6, 0.0, 1.0],
        target=[0.1, 0.0, 0.46],
        width=WIDTH * SUPERSAMPLING,
        height=HEIGHT * SUPERSAMPLING,
        view=0.33,
    )
    step = frame * POSES_PER_FRAME
    tubes = [tube for painter in painters for tube in tubes_of(painter, step)]
    pixels = np.round(255.0 * render(camera, tubes)).astype(np.uint8)
    picture = ImageChops.add(
        Image.fromarray(pixels), draw_light(camera, painters, step)
    )
    return picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def save_film(frames: list[Image.Image], path: Path) -> None:
    """Write an endless GIF with one palette for all frames."""
    strip = Image.new("RGB", (WIDTH, HEIGHT * 6))
    for k in range(6):
        strip.paste(frames[k * len(frames) // 6], (0, HEIGHT * k))
    palette = strip.quantize(COLORS, method=Image.Quantize.MEDIANCUT)
    indexed = [
        frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames
    ]
    indexed[0].save(
        path,
        save_all=True,
        append_images=indexed[1:],
        duration=FRAME_TIME,
        loop=0,
        optimize=True,
    )


def main() -> None:
    """Draw the film, or one picture of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--still", action="store_true", help="only one picture, as PNG")
    args = parser.parse_args()
    painters = [
        make_painter("ur5e", y=-0.55, turn=np.pi, curve=rosette, size=0.26,
                     light=(255, 150, 60)),
        make_painter("panda", y=0.55, turn=0.0, curve=lissajous, size=0.24,
                     light=(70, 170, 255)),
    ]  # fmt: skip
    if args.still:
        make_frame(painters, NUM_FRAMES // 3).save(FOLDER / "hero.png")
        return
    frames = []
    for frame in range(NUM_FRAMES):
        frames.append(make_frame(painters, frame))
        print(f"\rframe {frame + 1} of {NUM_FRAMES}", end="", flush=True)
    path = FOLDER / "hero.gif"
    save_film(frames, path)
    print(f"\n{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
