"""Ultrasonic range sensors: a cone of sound for which walls are mirrors.

To sound a smooth wall is a mirror: an echo returns only where the wall is met
perpendicularly within the cone. Hence six situations: (1) a wall across is measured
exactly; (2) of a small object the distance is right and the direction unknown; (3) a
wall turned by less than the half opening angle seems too near; (4) turned by more it is
invisible; (5) so is a sharp edge, unless it is rounded; (6) in a corner sound returns
after several reflections, and the wall seems far behind where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.estimation.least_squares import LeastSquaresCfg, solve_least_squares
from gelenk.spatial.angles import angle_difference
from gelenk.typing import ArrayLike, FloatArray


def speed_of_sound(temperature: float = 20.0) -> float:
    """Return 331.3 + 0.606 T of air [m/s], T in degC.

    Example:
        >>> round(speed_of_sound(20.0), 2)
        343.42
    """
    return 331.3 + 0.606 * temperature


def echo_distance(time: ArrayLike, *, speed: float = 343.42) -> FloatArray:
    """Return c t / 2 [m].

    Example:
        >>> round(float(echo_distance(0.01, speed=343.0)), 6)
        1.715
    """
    return 0.5 * speed * np.asarray(time, np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sonar:
    """A sensor that sends and receives.

    Attributes:
        half_angle: Half opening angle γ of its cone [rad].
        pulse: Duration of a pulse, during which nothing is heard [s].
        period: Time between pulses [s].
        speed: Speed of sound [m/s].

    Example:
        >>> from gelenk.sensing import Sonar
        >>> sonar = Sonar(period=0.05)
        >>> round(sonar.max_range, 2)  # [m]
        8.59
    """

    half_angle: float = np.radians(15.0)
    pulse: float = 1.1e-3
    period: float = 0.2
    speed: float = 343.42

    def __post_init__(self) -> None:
        if not 0.0 < self.half_angle < 0.5 * np.pi:
            raise ConfigError("`half_angle` of a sonar must lie between 0 and π/2")

    @property
    def blind_range(self) -> float:
        """Nearer echoes return while it still sends [m]."""
        return 0.5 * self.speed * self.pulse

    @property
    def max_range(self) -> float:
        """Farther echoes return after the next pulse [m]."""
        return 0.5 * self.speed * self.period


def wall_reading(
    distance: float, rotation: float, *, half_angle: float, diffuse: bool = False
) -> float | None:
    """Return what a wall reads whose foot is `distance` away [m]; None: no echo.

    Turned by β ≤ γ it reads D, less than D / cos β along the axis. Beyond, a smooth
    wall is invisible; a rough one answers from the edge of the cone: D / cos(β - γ).
    It is the half opening angle that counts, not the whole one.

    Args:
        distance: Perpendicular distance D of the wall [m].
        rotation: Rotation β of the wall against the perpendicular [rad].
        half_angle: Half opening angle γ [rad].
        diffuse: The wall is rough.

    Example:
        >>> wall_reading(2.0, np.radians(10), half_angle=np.radians(15))
        2.0
    """
    beta = abs(rotation)
    if beta <= half_angle:
        return distance
    if diffuse and beta - half_angle < 0.5 * np.pi:
        return distance / float(np.cos(beta - half_angle))
    return None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SonarScene:
    """Obstacles that sound may meet, in the plane.

    Attributes:
        walls: Smooth walls from end to end [m], shape (k, 2, 2).
        discs: Small objects and rounded edges: (x, y, radius) [m], shape (m, 3).

    Example:
        >>> from gelenk.sensing import SonarScene
        >>> scene = SonarScene(walls=[[[2.0, -1.0], [2.0, 1.0]]])
        >>> scene.walls.shape
        (1, 2, 2)
    """

    walls: FloatArray = field(default_factory=lambda: np.zeros((0, 2, 2)))
    discs: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))

    def __post_init__(self) -> None:
        walls = as_finite("walls", self.walls, (2, 2)).reshape(-1, 2, 2)
        object.__setattr__(self, "walls", walls)
        discs = as_finite("discs", self.discs, (3,)).reshape(-1, 3)
        object.__setattr__(self, "discs", discs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """Sound that returned.

    Attributes:
        distance: Half of the path of the sound [m].
        bearing: Direction from which it came, from the axis [rad]: nobody measures it.
        bounces: Reflections on the path.
    """

    distance: float
    bearing: float
    bounces: int


def find_echoes(sonar: Sonar, pose: ArrayLike, scene: SonarScene) -> list[Echo]:
    """Return all echoes of a pulse, the nearest first.

    Args:
        sonar: The sensor.
        pose: Pose (x, y, θ) of the sensor, θ its axis [m], [rad], shape (3,).
        scene: Walls and discs.

    Example:
        >>> scene = SonarScene(walls=[[[2, -1], [2, 1]]])
        >>> [echo] = find_echoes(Sonar(), [0, 0, 0.1], scene)
        >>> print(echo.distance, echo.bounces)
        2.0 1
    """
    x, y, axis = as_finite("pose", pose, (3,))
    place = np.array([x, y])
    echoes = [
        *_disc_echoes(place, scene),
        *_wall_echoes(place, scene),
        *_corner_echoes(place, scene),
    ]
    heard: list[Echo] = []
    for aim, distance, bounces in echoes:
        path = aim - place
        bearing = float(angle_difference(np.arctan2(path[1], path[0]), axis))
        in_cone = abs(bearing) <= sonar.half_angle + 1e-12
        if in_cone and sonar.blind_range <= distance <= sonar.max_range:
            heard.append(Echo(distance=distance, bearing=bearing, bounces=bounces))
    return sorted(heard, key=lambda echo: echo.distance)


def sonar_reading(sonar: Sonar, pose: ArrayLike, scene: SonarScene) -> float | None:
    """Return the first echo's distance [m]; None: nothing returned.

    Args:
        sonar: Sensor.
        pose: Pose (x, y, θ) of the sensor, θ its axis [m], [rad], shape (3,).
        scene: Walls and discs in the plane.

    Example:
        >>> from gelenk.sensing import Sonar, SonarScene, sonar_reading
        >>> scene = SonarScene(walls=[[[2.0, -1.0], [2.0, 1.0]]])
        >>> sonar_reading(Sonar(), [0.0, 0.0, 0.0], scene)
        2.0
    """
    echoes = find_echoes(sonar, pose, scene)
    return echoes[0].distance if echoes else None


def position_from_differences(
    sensors: ArrayLike, differences: ArrayLike, guess: ArrayLike
) -> FloatArray:
    """Return the place of a sound from differences of its path lengths [m], shape (2,).

    |x - s_i| - |x - s_0| = c (t_i - t_0): hyperbolas, by least squares. Ranges instead
    of differences: `gelenk.navigation.landmarks.position_from_ranges`.

    Args:
        sensors: s_0 ... s_k [m], shape (k + 1, 2), k >= 2.
        differences: Range differences of s_1 ... s_k against s_0 [m], shape (k,).
        guess: Start of the search [m], shape (2,).
    """
    s = as_finite("sensors", sensors, (2,))
    d = as_finite("differences", differences, ())
    if len(d) != len(s) - 1 or len(d) < 2:
        raise ConfigError("k + 1 sensors give k differences, and two are needed")

    def residuals(p: FloatArray) -> FloatArray:
        lengths = np.linalg.norm(s - p, axis=1)
        return lengths[1:] - lengths[0] - d

    def jacobian(p: FloatArray) -> FloatArray:
        gap = p - s
        unit = gap / np.linalg.norm(gap, axis=1)[:, None]
        return unit[1:] - unit[0]

    start = as_finite("guess", guess, (2,))
    cfg = LeastSquaresCfg(scale=1.0)
    return solve_least_squares(residuals, start, jacobian=jacobian, cfg=cfg).x


_Path = tuple[FloatArray, float, int]  # where it aims, distance, bounces


def _disc_echoes(place: FloatArray, scene: SonarScene) -> list[_Path]:
    found: list[_Path] = []
    for x, y, radius in scene.discs:
        path = np.array([x, y]) - place
        reach = float(np.linalg.norm(path))
        if reach <= radius:
            continue
        meet = place + path * (1.0 - radius / reach)
        if _is_clear(place, meet, scene.walls):
            found.append((meet, reach - radius, 1))
    return found


def _wall_echoes(place: FloatArray, scene: SonarScene) -> list[_Path]:
    found: list[_Path] = []
    for k, wall in enumerate(scene.walls):
        foot = _foot(place, wall)
        if foot is not None and _is_clear(place, foot, scene.walls, skip=(k,)):
            found.append((foot, float(np.linalg.norm(foot - place)), 1))
    return found


def _corner_echoes(place: FloatArray, scene: SonarScene) -> list[_Path]:
    """Return sound that goes by wall i to wall j, meets it squarely, and returns."""
    found: list[_Path] = []
    walls = scene.walls
    for i, first in enumerate(walls):
        image = _mirrored(place, first)
        for j, second in enumerate(walls):
            foot = _foot(image, second) if i != j else None
            if foot is None:
                continue
            bend = _crossing(image, foot, first)
            if bend is None:
                continue
            open_ways = _is_clear(place, bend, walls, skip=(i,)) and _is_clear(
                bend, foot, walls, skip=(i, j)
            )
            if open_ways and _same_side(place, foot, first):
                found.append((bend, float(np.linalg.norm(foot - image)), 3))
    return found


def _foot(point: FloatArray, wall: FloatArray) -> FloatArray | None:
    """Return where the perpendicular meets a wall; None beside its ends."""
    along = wall[1] - wall[0]
    share = float((point - wall[0]) @ along / (along @ along))
    return wall[0] + share * along if 0.0 <= share <= 1.0 else None


def _mirrored(point: FloatArray, wall: FloatArray) -> FloatArray:
    along = (wall[1] - wall[0]) / np.linalg.norm(wall[1] - wall[0])
    off = point - wall[0]
    return wall[0] + 2.0 * (off @ along) * along - off


def _crossing(a: FloatArray, b: FloatArray, wall: FloatArray) -> FloatArray | None:
    """Return where the segment a-b crosses a wall."""
    path, side, off = b - a, wall[1] - wall[0], wall[0] - a
    cross = float(path[0] * side[1] - path[1] * side[0])
    if abs(cross) < 1e-12:
        return None
    t = float(off[0] * side[1] - off[1] * side[0]) / cross
    u = float(off[0] * path[1] - off[1] * path[0]) / cross
    inside = 1e-9 < t < 1.0 - 1e-9 and 0.0 <= u <= 1.0
    return a + t * path if inside else None


def _same_side(a: FloatArray, b: FloatArray, wall: FloatArray) -> bool:
    side = wall[1] - wall[0]
    cross = [side[0] * (p - wall[0])[1] - side[1] * (p - wall[0])[0] for p in (a, b)]
    return cross[0] * cross[1] > 0.0


def _is_clear(
    a: FloatArray, b: FloatArray, walls: FloatArray, skip: Sequence[int] = ()
) -> bool:
    return not any(
        _crossing(a, b, wall) is not None
        for k, wall in enumerate(walls)
        if k not in skip
    )
