"""Animation of a film: bodies, and where they are at any time."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gelenk.course.film import Film, Prop, Shot, Stroke
from gelenk.kinematics.forward import link_poses
from gelenk.models.link import Geometry
from gelenk.spatial.quaternion import (
    matrix_from_quaternion,
    quaternion_from_matrix,
)
from gelenk.typing import FloatArray
from gelenk.ui.scene_encoder import corners_of

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

PLAIN = (0.62, 0.66, 0.72, 1.0)  # what a model gives no colour
MIN_BONE = 0.03  # [m], shorter gaps between joints are not drawn
KINDS = {"box": "box", "ball": "sphere", "disc": "cylinder"}


class Piece(NamedTuple):
    """A body of the reel: shapes of one colour that move together.

    Attributes:
        name: Unique.
        shapes: Shapes in the frame of the body.
        rgba: Their colour.
        poses: T_world_piece in every frame, shape (k, 4, 4).
    """

    name: str
    shapes: tuple[Geometry, ...]
    rgba: tuple[float, float, float, float]
    poses: FloatArray

    @property
    def is_still(self) -> bool:
        """Whether it never moves."""
        return bool(np.all(self.poses == self.poses[0]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Animation:
    """A film, ready to be played.

    Attributes:
        shots: Its frames.
        times: Times of the shots, from 0 on [s], shape (k,).
        pieces: Bodies that are seen.
        strokes: Looks of lines and clouds by name, where the film says them.
        moving: Bodies that move at some time.
        view: Direction from the middle to the eye, if one was said.
        low, high: Corners of the room in which everything stays [m], shape (3,).
        lift: Added to all places, so that nothing is below the floor [m], shape (3,).
    """

    shots: tuple[Shot, ...]
    times: FloatArray
    pieces: tuple[Piece, ...]
    strokes: Mapping[str, Stroke]
    view: tuple[float, float, float] | None
    low: FloatArray
    high: FloatArray
    lift: FloatArray
    moving: tuple[Piece, ...] = field(init=False)
    _places: FloatArray = field(init=False)
    _quats: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        moving = tuple(piece for piece in self.pieces if not piece.is_still)
        poses = np.zeros((len(self.times), 0, 4, 4))
        if moving:
            poses = np.stack([piece.poses for piece in moving], axis=1)
        object.__setattr__(self, "moving", moving)
        object.__setattr__(self, "_places", poses[..., :3, 3])
        object.__setattr__(self, "_quats", quaternion_from_matrix(poses[..., :3, :3]))

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.times[-1])

    def at(self, time: float) -> Shot:
        """Return the frame at or before a time [s]."""
        return self.shots[self._index(time)]

    def poses(self, time: float) -> FloatArray:
        """Return where all that moves is at a time [s], between frames, too, (n, 4, 4).

        Places go straight from one frame to the next, and so do quaternions.
        """
        i = self._index(time)
        place, quat = self._places[i], self._quats[i]
        if i + 1 < len(self.times):
            span = self.times[i + 1] - self.times[i]
            share = min(max(float((time - self.times[i]) / span), 0.0), 1.0)
            place = (1.0 - share) * place + share * self._places[i + 1]
            other = self._quats[i + 1]
            sign = np.where(np.sum(quat * other, axis=1) < 0.0, -1.0, 1.0)
            blend = (1.0 - share) * quat + share * sign[:, None] * other
            quat = np.where(np.linalg.norm(blend, axis=1)[:, None] > 0.1, blend, other)
        T = np.zeros((len(place), 4, 4))
        T[:, :3, :3] = matrix_from_quaternion(quat)
        T[:, :3, 3], T[:, 3, 3] = place, 1.0
        return T

    def _index(self, time: float) -> int:
        return max(bisect.bisect_right(self.times, time + 1e-9) - 1, 0)


def make_reel(film: Film) -> Animation:
    """Return a film as bodies; a prop is where it will be first until it is."""
    shots = tuple(film.shots) or (_EMPTY,)
    pieces: list[Piece] = []
    for prop in film.props.values():
        poses = _track([shot.poses.get(prop.name) for shot in shots], np.eye(4))
        if prop.kind == "arm":
            pieces += _arm_pieces(prop, poses, shots)
        elif any(prop.name in shot.poses for shot in shots):
            pieces.append(_piece_of(prop, poses))
    times = np.array([shot.time for shot in shots])
    low, high = _room(pieces, shots)
    # The floor of the page is at 0: what lies deeper is lifted, with all that is drawn.
    lift = np.array([0.0, 0.0, max(-float(low[2]), 0.0)])
    for piece in pieces:
        piece.poses[:, :3, 3] += lift
    return Animation(
        shots=shots,
        times=times - times[0],
        pieces=tuple(pieces),
        strokes=dict(film.strokes),
        view=film.view,
        low=low + lift,
        high=high + lift,
        lift=lift,
    )


_EMPTY = Shot(time=0.0, poses={}, joints={}, lines={}, clouds={}, curves={}, text="")


def _piece_of(prop: Prop, poses: FloatArray) -> Piece:
    kind: Any = KINDS[prop.kind]
    shape = Geometry(kind=kind, size=prop.size)
    return Piece(prop.name, (shape,), prop.rgba or PLAIN, _as_poses(poses))


def _track(found: Iterable[Any], default: FloatArray) -> FloatArray:
    """Return one array per frame; those before the first are as the first."""
    rows = list(found)
    last = next((row for row in rows if row is not None), default)
    out: list[Any] = []
    for row in rows:
        last = last if row is None else row
        out.append(last)
    return np.array(out, dtype=np.float64)


def _as_poses(poses: FloatArray) -> FloatArray:
    """Return poses whose rotations are so in double precision, too."""
    T = poses.copy()
    T[:, :3, :3] = matrix_from_quaternion(quaternion_from_matrix(_righted(T)))
    return T


def _righted(T: FloatArray) -> FloatArray:
    """Return the nearest rotations, shape (k, 3, 3)."""
    U, _, Vt = np.linalg.svd(T[:, :3, :3])
    return U @ Vt


# -- arms ------------------------------------------------------------------------------


def _arm_pieces(prop: Prop, bases: FloatArray, shots: Iterable[Shot]) -> list[Piece]:
    model = prop.model
    assert model is not None
    home = np.asarray(model.home_configuration)
    q = _track([shot.joints.get(prop.name) for shot in shots], home)
    Ts = np.asarray(link_poses(model, q))
    Ts = bases[:, None] @ Ts
    pieces: list[Piece] = []
    for i, name in enumerate(model.link_names):
        for number, (rgba, shapes) in enumerate(_looks(model, i, prop.rgba)):
            label = f"{prop.name}.{name}" + (f".{number}" if number else "")
            pieces.append(Piece(label, shapes, rgba, _as_poses(Ts[:, i])))
    return pieces


def _looks(
    model: RobotModel, link: int, rgba: Any
) -> Iterator[tuple[tuple[float, float, float, float], tuple[Geometry, ...]]]:
    """Yield the shapes of a link, each colour for itself."""
    own = [shape for shape in model.geometry[link] if shape.kind != "mesh"]
    shown = [shape for shape in own if shape.role == "visual"] or own
    if not any(shape.role == "visual" for s in model.geometry for shape in s):
        shown = shown or [*_bones(model, link), *_trunk(model, link)]
    colors: dict[Any, list[Geometry]] = {}
    for shape in shown:
        is_dark = shape.rgba is not None and max(shape.rgba[:3]) < 0.35
        color = shape.rgba if rgba is None or is_dark else rgba
        colors.setdefault(color or PLAIN, []).append(shape)
    for color, shapes in colors.items():
        yield color, tuple(shapes)


def _bones(model: RobotModel, link: int) -> Iterator[Geometry]:
    """Yield rods to the joints that a link carries."""
    for child, parent in enumerate(model.parent):
        if parent != link or child == link:
            continue
        along = np.asarray(model.T_parent_joint[child])[:3, 3]
        length = float(np.linalg.norm(along))
        if length < MIN_BONE:
            continue
        T = np.eye(4)
        z = along / length
        x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
        x /= np.linalg.norm(x)
        T[:3, :3] = np.column_stack([x, np.cross(z, x), z])
        T[:3, 3] = 0.5 * along
        radius = float(np.clip(0.13 * length, 0.015, 0.05))
        yield Geometry(kind="capsule", size=(radius, length), T_link_geometry=T)


def _trunk(model: RobotModel, link: int) -> Iterator[Geometry]:
    """Yield the box that a floating body would be, by its mass and inertia."""
    mass, inertia = float(model.mass[link]), np.asarray(model.inertia[link])
    if not model.has_floating_base or model.parent[link] >= 0 or mass <= 0.0:
        return
    moments = np.diag(inertia)
    squares = 6.0 / mass * (moments.sum() - 2.0 * moments)
    if not (squares > 1e-6).all():
        return
    T = np.eye(4)
    T[:3, 3] = model.com[link]
    x, y, z = (float(edge) for edge in np.sqrt(squares))
    yield Geometry(kind="box", size=(x, y, z), T_link_geometry=T)


# -- room ------------------------------------------------------------------------------


def _room(
    pieces: Iterable[Piece], shots: tuple[Shot, ...]
) -> tuple[FloatArray, FloatArray]:
    found = [np.zeros((1, 3))]
    for piece in pieces:
        every = piece.poses[:: max(len(piece.poses) // 50, 1)]
        for shape in piece.shapes:
            T = every @ np.asarray(shape.T_link_geometry)
            corners = corners_of(shape.kind, shape.size)
            found.append(
                (corners @ np.swapaxes(T[:, :3, :3], 1, 2) + T[:, None, :3, 3]).reshape(
                    -1, 3
                )
            )
    for shot in shots[:: max(len(shots) // 50, 1)]:
        found += [line.astype(np.float64) for line in shot.lines.values()]
    points = np.concatenate(found[1:] or found)
    return points.min(axis=0), points.max(axis=0)
