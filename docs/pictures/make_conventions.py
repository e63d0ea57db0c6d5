"""Draw the pictures of the conventions page; every pose comes from Gelenk itself.

Usage:
    python docs/pictures/make_conventions.py
"""

from __future__ import annotations

import numpy as np
from sketch import FOLDER, THEMES, Sketch, Theme

import gelenk
from gelenk.kinematics.forward import link_poses
from gelenk.models.dh import dh_matrix
from gelenk.spatial import se3, so3


def pose(R, p):
    """Return the pose with rotation `R` and position `p`."""
    return se3.pose_from_rotation_translation(R, p)


def moved(p, dx: float, dy: float, dz: float):
    """Return the point at (dx, dy, dz) from `p`."""
    return np.asarray(p) + np.array([dx, dy, dz])


def draw_frames(theme: Theme) -> Sketch:
    """Draw three frames and the poses between them."""
    sketch = Sketch(theme, (7.0, 3.4))
    T_world_base = pose(so3.rot_z(0.5), [0.55, 0.9, 0.05])
    T_base_tool = pose(so3.rot_z(0.4) @ so3.rot_y(2.2), [0.75, 0.35, 0.62])
    T_world_tool = T_world_base @ T_base_tool
    p = [T[:3, 3] for T in (np.eye(4), T_world_base, T_world_tool)]
    curved = {"connectionstyle": "arc3,rad=0.18", "lw": 1.4, "shrinkA": 5, "shrinkB": 6}
    sketch.arrow(p[0], p[1], theme.accent, **curved)
    sketch.arrow(p[1], p[2], theme.accent, **curved)
    sketch.arrow(
        p[0], p[2], theme.second, linestyle=(0, (5, 3)),
        **(curved | {"connectionstyle": "arc3,rad=-0.22"}),
    )  # fmt: skip
    sketch.frame(np.eye(4), "world")
    sketch.frame(T_world_base, "base", dx=14)
    sketch.frame(T_world_tool, "tool", dx=24, dy=8)
    sketch.text((p[0] + p[1]) / 2, "T_world_base", theme.accent, dy=-22, dx=26)
    sketch.text((p[1] + p[2]) / 2, "T_base_tool", theme.accent, dx=52, dy=-12)
    sketch.text((p[0] + p[2]) / 2, "T_world_tool", theme.second, dx=-58, dy=34)
    return sketch


def draw_twist(theme: Theme) -> Sketch:
    """Draw a frame with its twist and the wrench that acts on it."""
    sketch = Sketch(theme, (6.2, 2.9))
    for shift, names, colors in (
        (0.0, ("v", "ω"), (theme.accent, theme.second)),
        (2.0, ("f", "τ"), (theme.accent, theme.second)),
    ):
        T = pose(np.eye(3), [0.9 * shift, 0.5 * shift, 0.0])
        o = T[:3, 3]
        sketch.frame(T, length=0.34)
        linear = np.array([0.75, 0.35, 0.22])
        axis = np.array([-0.28, 0.1, 0.75])
        sketch.arrow(o, o + linear, colors[0], lw=2.6)
        sketch.text(o + linear, names[0], colors[0], dx=10, dy=4, fontsize=13)
        sketch.arrow(o, o + axis, colors[1], lw=2.6)
        sketch.arc(o + 0.62 * axis, [0.16, 0.0, 0.06], axis, 4.9, colors[1])
        sketch.text(o + axis, names[1], colors[1], dx=2, dy=11, fontsize=13)
    sketch.text([0.1, 0.0, -0.42], "twist  [v; ω]  [m/s, rad/s]", fontsize=10)
    sketch.text([1.9, 1.0, -0.42], "wrench  [f; τ]  [N, N m]", fontsize=10)
    return sketch


def draw_dh(theme: Theme) -> Sketch:
    """Draw one row of a standard Denavit-Hartenberg table."""
    theta, d, a, alpha = 0.75, 0.55, 1.0, -0.75
    sketch = Sketch(theme, (5.6, 3.9), azimuth=-1.25, elevation=0.38)
    S0 = np.eye(4)
    after_d = dh_matrix(theta, d, 0.0, 0.0)
    after_a = dh_matrix(theta, d, a, 0.0)
    S1 = dh_matrix(theta, d, a, alpha)
    sketch.line([0, 0, -0.3], [0, 0, 1.15], color=theme.soft, ls=(0, (6, 3)), lw=1.2)
    z = S1[:3, 2]
    p = S1[:3, 3]
    sketch.line(p - 0.45 * z, p + 0.75 * z, color=theme.soft, ls=(0, (6, 3)), lw=1.2)
    sketch.line(S0[:3, 3], after_d[:3, 3], color=theme.accent, lw=3.4)
    sketch.line(after_d[:3, 3], after_a[:3, 3], color=theme.accent, lw=3.4)
    sketch.text([0, 0, d / 2], "d", theme.accent, dx=-11, fontsize=12)
    middle = (after_d[:3, 3] + after_a[:3, 3]) / 2
    sketch.text(middle, "a", theme.accent, dy=11, fontsize=12)
    # theta turns x of S_0 into x of S_1 about z of S_0; alpha turns z about x of S_1.
    o = after_d[:3, 3]
    sketch.line(o, moved(o, 0.5, 0.0, 0.0), color=theme.soft, lw=1.0)
    sketch.arc(o, [0.4, 0.0, 0.0], [0, 0, 1], theta, theme.second)
    sketch.text(o + 0.5 * np.array([np.cos(theta / 2), np.sin(theta / 2), 0.0]), "θ",
                theme.second, dx=4, dy=-2, fontsize=12)  # fmt: skip
    sketch.line(p, moved(p, 0.0, 0.0, 0.55), color=theme.soft, lw=1.0)
    sketch.arc(p, [0.0, 0.0, 0.45], after_a[:3, 0], alpha, theme.second)
    half = so3.rotation_about(after_a[:3, 0], alpha / 2) @ [0.0, 0.0, 0.57]
    sketch.text(p + half, "α", theme.second, fontsize=12)
    sketch.frame(S0, "S₍ᵢ₋₁₎", length=0.3, dx=-26)
    sketch.frame(S1, "Sᵢ", length=0.3, dx=16, dy=-14)
    return sketch


def draw_jacobian(theme: Theme) -> Sketch:
    """Draw one column of the Jacobian on an arm."""
    sketch = Sketch(theme, (5.6, 3.6), azimuth=-0.85, elevation=0.35)
    model = gelenk.load("simple_arm")
    q = np.array([0.5, 0.7, -1.3])
    Ts = link_poses(model, q)
    points = [T[:3, 3] for T in Ts]
    for i, parent in enumerate(model.parent):
        if parent >= 0:
            sketch.line(points[parent], points[i], color=theme.soft, lw=7.0)
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    joint = int(model.joint_ids[1])
    tool = model.link_id()
    z = Ts[joint][:3, :3] @ model.axis[joint]
    p, t = points[joint], points[tool]
    column = model.jacobian(q)[:, 1]
    for i in model.joint_ids:
        sketch.dot(points[i], size=6)
    sketch.arrow(p, p + 0.4 * size * z, theme.z, lw=2.4)
    sketch.text(p + 0.4 * size * z, "zᵢ", theme.z, dx=-8, dy=-6, fontsize=12)
    sketch.arrow(p, t, theme.second, lw=1.4, linestyle=(0, (5, 3)), shrinkB=3)
    sketch.text((p + t) / 2, "p_tool − pᵢ", theme.second, dx=6, dy=-13)
    v = 0.4 * size * column[:3] / np.linalg.norm(column[:3])
    sketch.arrow(t, t + v, theme.accent, lw=2.6)
    sketch.text(t + v, "vᵢ = zᵢ × (p_tool − pᵢ)", theme.accent, dx=4, dy=12)
    base = np.eye(4)
    sketch.frame(base, "base", length=0.2 * size)
    at_tool = np.eye(4)
    at_tool[:3, 3] = t
    sketch.frame(at_tool, "", length=0.16 * size)
    sketch.text(
        t, "reference point:\ntool origin, base axes", dx=62, dy=-24, fontsize=9
    )
    return sketch


def draw_floating_base(theme: Theme) -> Sketch:
    """Draw a trunk with legs, its pose and its twist in world axes."""
    sketch = Sketch(theme, (6.0, 3.4))
    T = pose(so3.rot_z(0.5) @ so3.rot_y(0.25), [1.1, 0.7, 0.75])
    x, y, z = (T[:3, i] for i in range(3))
    o = T[:3, 3]
    corners = [
        o + i * 0.42 * x + j * 0.2 * y + k * 0.09 * z
        for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)
    ]  # fmt: skip
    for a in range(8):
        for b in (a ^ 1, a ^ 2, a ^ 4):
            if a < b:
                sketch.line(corners[a], corners[b], color=theme.soft, lw=1.5)
    for a in (0, 2, 4, 6):  # lower corners carry legs
        knee = corners[a] - 0.3 * z - 0.1 * x
        sketch.line(corners[a], knee, knee - [0.0, 0.0, 0.26], color=theme.soft, lw=4.0)
        sketch.dot(corners[a], size=4.5)
        sketch.dot(knee, size=4.5)
    sketch.frame(np.eye(4), "world", length=0.3)
    sketch.frame(T, "", length=0.24)
    sketch.arrow(np.zeros(3), o, theme.soft, lw=1.3, linestyle=(0, (5, 3)))
    sketch.text(o / 2, "x, y, z, qw, qx, qy, qz", dx=-66, dy=22)
    sketch.arrow(o, moved(o, 0.5, 0.25, 0.12), theme.accent, lw=2.6)
    sketch.text(moved(o, 0.5, 0.25, 0.12), "v", theme.accent, dx=9, fontsize=13)
    sketch.arrow(o, moved(o, 0.0, 0.1, 0.5), theme.second, lw=2.6)
    sketch.arc(moved(o, 0, 0.065, 0.33), [0.12, 0, 0.0], [0, 0.2, 1], 4.9, theme.second)
    sketch.text(moved(o, 0.0, 0.1, 0.5), "ω", theme.second, dy=10, fontsize=13)
    note = "v, ω: world axes,\nat the base origin"
    sketch.text(moved(o, 0.6, 0.3, -0.4), note, dx=28, fontsize=9)
    return sketch


PICTURES = {
    "frames": draw_frames,
    "twist": draw_twist,
    "dh": draw_dh,
    "jacobian": draw_jacobian,
    "floating-base": draw_floating_base,
}


def main() -> None:
    """Draw all pictures in all themes."""
    for name, draw in PICTURES.items():
        for theme in THEMES:
            path = draw(theme).save(name)
            print(
                path.relative_to(FOLDER.parents[1]), path.stat().st_size // 1024, "KiB"
            )


if __name__ == "__main__":
    main()
