"""A film of a scenario: what the page plays, taken while the scenario computes.

python examples/30_runtime/film.py
"""

from __future__ import annotations

import numpy as np

from gelenk.course.film import Film

film = Film()
film.ball("ball", 0.1, color="orange")
film.line("way", color="measured")

T_world_ball, velocity, way = np.eye(4), np.array([1.0, 0.0, 4.0]), []
for k in range(800):  # a step of the scenario: 1 ms
    velocity[2] -= 9.81e-3
    T_world_ball[:3, 3] += 1e-3 * velocity
    way.append(T_world_ball[:3, 3].copy())
    if film.wants(1e-3 * k):
        film.shoot(
            1e-3 * k,
            poses={"ball": T_world_ball},
            lines={"way": way},
            curves={"height [m]": T_world_ball[2, 3]},
            text="rising" if velocity[2] > 0.0 else "falling",
        )

print(f"{len(film.shots)} frames in {film.duration:.2f} s, {film.num_bytes} bytes")
