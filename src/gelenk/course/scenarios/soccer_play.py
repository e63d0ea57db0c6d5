"""How a soccer robot decides: nested state machines from "play" down to legs and head.

play: search, strike or support. find_ball: look where it was told, sweep the head, turn
about. attack: walk, go behind the ball, shoot. The head watches the ball and glances
aside when the robot is unsure where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from gelenk.behavior.options import BehaviorEngine, BehaviorOption, OptionState, Symbols
from gelenk.course.scenarios.soccer_field import (
    BALL_RADIUS,
    EYE_HEIGHT,
    GOAL,
    HALF_LENGTH,
    BallGuess,
    BodyReading,
    Call,
    Order,
    Place,
)
from gelenk.navigation.planar import points_in_world, relative_pose
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import FloatArray

FRESH = 1.2  # [s] since the ball was seen that count as knowing it
CALL_FRESH = 1.5  # [s] since the last call of the mate
STRIKE_DISTANCE = 0.27  # of the ball before a kick [m]
KICK_BOX = np.array([[0.20, -0.06], [0.335, 0.06]])  # where a ball is kicked [m]
KICK_PAUSE = 0.7  # [s] that a kick takes, with the decision
SWAP_GAIN = 0.4  # [m] that the other must be nearer before roles change
FAST, SIDEWAYS, TURN = 0.55, 0.35, 1.6  # [m/s], [m/s], [rad/s]


class Memory(NamedTuple):
    """What a player keeps between two images."""

    agent: BehaviorEngine
    is_striker: bool = True


def decide(
    memory: Memory, body: BodyReading, place: Place, ball: BallGuess, call: Call | None
) -> tuple[Memory, Order, Call]:
    """Return what to do and what to tell.

    Args:
        memory: Of the last image; its agent goes on.
        body: What the robot feels.
        place: Where it believes to be.
        ball: Where it believes the ball to be.
        call: Last call of the mate; None: none has come.
    """
    is_heard = call is not None and body.time - call.time < CALL_FRESH
    is_known = ball.is_known and ball.age < FRESH
    told = None
    if call is not None and is_heard and call.is_ball_known:
        told = relative_pose(place.mean, [*call.ball, 0.0])[:2]
    where = ball.position if is_known else told
    cost = np.inf if where is None else _cost(where, place, is_known)
    striker = _is_striker(memory.is_striker, float(cost), call if is_heard else None)
    inputs: dict[str, Any] = {
        "now": body.time,
        "is_known": is_known,
        "ball": where,
        "told": told,
        "age": ball.age,
        "is_striker": striker,
        "place": place.mean,
        "unsure": float(np.sqrt(np.trace(place.covariance[:2, :2]))),
        "aim": 0.0 if where is None else _aim(where, place.mean),
        "mate": relative_pose(place.mean, call.pose)[:2] if call and is_heard else None,
    }
    cycle = memory.agent.step(inputs, body.time)
    out = cycle.outputs
    order = Order(
        twist=np.array(_limited(out["twist"])),
        pan=float(out["pan"]),
        tilt=float(out["tilt"]),
        kick=bool(out.get("kick", False)),
        role="striker" if striker else "supporter",
        path=str(cycle),
    )
    on_field = points_in_world(place.mean, ball.position[None])[0]
    message = Call(
        time=body.time,
        pose=place.mean,
        is_ball_known=is_known,
        ball=on_field,
        cost=float(min(cost, 99.0)),
        is_striker=striker,
    )
    return Memory(memory.agent, striker), order, message


def _cost(ball: FloatArray, place: Place, is_known: bool) -> float:
    """Return the way to the ball [m], longer for who must go round it first."""
    round_it = abs(wrap_angle(np.arctan2(ball[1], ball[0]) - _aim(ball, place.mean)))
    return float(np.hypot(*ball) + 0.25 * round_it + (0.0 if is_known else 1.0))


def _is_striker(was: bool, cost: float, call: Call | None) -> bool:
    """Return whether the ball is ours; who hears nobody plays it.

    Roles are kept until the other is clearly nearer, but never if both have the same.
    """
    if call is None:
        return True
    keep = 0.0 if call.is_striker == was else SWAP_GAIN if was else -SWAP_GAIN
    return cost < call.cost + 0.5 * keep


def _aim(ball: FloatArray, pose: FloatArray) -> float:
    """Return the direction from the ball to the goal in robot axes [rad]."""
    at = points_in_world(pose, ball[None])[0]
    wanted = np.array([HALF_LENGTH + 0.1, np.clip(0.3 * at[1], -0.2, 0.2)])
    return float(wrap_angle(np.arctan2(*(wanted - at)[::-1]) - pose[2]))


# -- what legs and head can do -----------------------------------------------------


def _limited(twist: FloatArray) -> FloatArray:
    worst = max(abs(twist[0]) / FAST, abs(twist[1]) / SIDEWAYS, 1.0)
    v = np.asarray(twist[:2]) / worst
    return np.array([v[0], v[1], np.clip(twist[2], -TURN, TURN)])


def _go_behind(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Walk round the ball until it lies between robot and goal, then close up."""
    ball, aim = inputs["ball"], inputs["aim"]
    d = max(float(np.hypot(*ball)), 1e-3)
    toward = ball / d
    bearing = float(np.arctan2(ball[1], ball[0]))
    round_it = float(wrap_angle(bearing - aim))
    wanted = STRIKE_DISTANCE - 0.01 + 0.25 * min(1.0, abs(round_it) / 0.5)
    close = np.clip(1.5 * (d - wanted), -0.3, FAST)
    # Ahead of the ball one goes round first, not through it.
    around = -np.clip(1.3 * round_it * max(d, 0.4), -0.45, 0.45)
    v = close * toward + around * np.array([toward[1], -toward[0]])
    v = v + _away(inputs["mate"])
    heading = aim if d < 0.7 and abs(round_it) < 0.7 else bearing
    return {"twist": np.array([v[0], v[1], 2.2 * heading])}


def _away(mate: FloatArray | None) -> FloatArray:
    """Return the velocity that keeps distance from the mate [m/s]."""
    if mate is None:
        return np.zeros(2)
    d = max(float(np.hypot(*mate)), 0.05)
    return -mate / d * float(np.clip(0.6 - d, 0.0, 0.3))


def _assist(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Walk to where the next ball may come: behind the striker, to one side."""
    pose, ball = inputs["place"], inputs["ball"]
    at = points_in_world(pose, ball[None])[0]
    side = -1.0 if at[1] > 0.0 else 1.0
    post = np.clip([at[0] - 0.8, at[1] + 0.8 * side], [-2.6, -1.6], [2.0, 1.6])
    way = relative_pose(pose, [*post, 0.0])[:2]
    v = 0.9 * way + _away(inputs["mate"])
    d = float(np.hypot(*ball))
    v = v - ball / max(d, 0.05) * np.clip(0.7 - d, 0.0, 0.4)
    if np.hypot(*v) < 0.08:
        v = np.zeros(2)
    return {"twist": np.array([v[0], v[1], 1.8 * np.arctan2(ball[1], ball[0])])}


def _kick(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {"twist": np.zeros(3), "kick": True}


def _stand(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {"twist": np.zeros(3)}


def _turn_about(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Turn on the spot, inwards: towards the middle of the field first."""
    middle = relative_pose(inputs["place"], [0.0, 0.0, 0.0])[:2]
    return {"twist": np.array([0.0, 0.0, 0.9 if middle[1] >= 0.0 else -0.9])}


def _walk_home(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Walk to the middle of the field, from where all of it is near."""
    way = relative_pose(inputs["place"], [0.0, 0.0, 0.0])[:2]
    turning = 1.5 * np.arctan2(way[1], way[0]) if np.hypot(*way) > 0.3 else 0.9
    return {"twist": np.array([0.6 * way[0], 0.6 * way[1], turning])}


def _face_told(inputs: Mapping[str, Any]) -> dict[str, Any]:
    told = inputs["told"]
    bearing = float(np.arctan2(told[1], told[0]))
    ahead = float(np.clip(np.hypot(*told) - 1.2, 0.0, 0.4))
    return {
        "twist": np.array([ahead * np.cos(bearing), 0.0, 2.0 * bearing]),
        **_gaze(told),
    }


def _gaze(point: FloatArray) -> dict[str, Any]:
    """Return head angles that bring a ball below the middle of the image."""
    pan = float(np.clip(np.arctan2(point[1], point[0]), -1.5, 1.5))
    far = max(float(np.hypot(*point)), 0.05)
    down = float(np.arctan2(EYE_HEIGHT - BALL_RADIUS, far))
    return {"pan": pan, "tilt": float(np.clip(down - 0.1, 0.2, 0.85))}


def _watch(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return _gaze(inputs["ball"])


def _glance(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Look at the goal, whose posts tell best where the robot is."""
    goal = relative_pose(inputs["place"], [HALF_LENGTH, 0.0, 0.0])[:2]
    pan = float(np.arctan2(goal[1], goal[0]))
    if abs(pan) > 1.6:
        goal = relative_pose(inputs["place"], [-HALF_LENGTH, 0.0, 0.0])[:2]
        pan = float(np.arctan2(goal[1], goal[0]))
    return {"pan": pan, "tilt": 0.3}


def _sweep(inputs: Mapping[str, Any]) -> dict[str, Any]:
    now = inputs["now"]
    low = int(now / 3.0) % 3 == 2
    return {"pan": 1.1 * np.sin(2.6 * now), "tilt": 0.6 if low else 0.25}


# -- how it is chosen --------------------------------------------------------------


def _choose(symbols: Symbols) -> str:
    inputs = symbols.inputs
    if inputs["ball"] is None or (inputs["is_striker"] and not inputs["is_known"]):
        return "search"
    return "strike" if inputs["is_striker"] else "support"


def _search(symbols: Symbols) -> str | None:
    """Believe the mate at first, and again after a look of one's own."""
    is_due = symbols.time_active < 0.15 or symbols.time_in_state > 1.5
    return "told" if is_due and symbols.inputs["told"] is not None else None


def _is_kickable(inputs: Mapping[str, Any]) -> bool:
    ball, aim = inputs["ball"], inputs["aim"]
    in_box = ((ball > KICK_BOX[0]) & (ball < KICK_BOX[1])).all()
    at = points_in_world(inputs["place"], ball[None])[0]
    reach = float(np.hypot(HALF_LENGTH - at[0], at[1]))
    opening = float(np.clip(np.arctan2(0.55 * GOAL, reach), 0.10, 0.35))
    return bool(in_box and abs(aim) < opening and inputs["age"] < 0.35)


def _in_walk(symbols: Symbols) -> str | None:
    if _is_kickable(symbols.inputs):
        return "shoot"
    return "close" if np.hypot(*symbols.inputs["ball"]) < 0.8 else "walk"


def _after(name: str, seconds: float) -> Callable[[Symbols], str | None]:
    """Return a decision: believe the mate, or go on to a state after a while [s]."""
    return lambda s: _search(s) or (name if s.time_in_state > seconds else None)


def _is_told_enough(symbols: Symbols) -> str | None:
    is_over = symbols.inputs["told"] is None or symbols.time_in_state > 4.0
    return "sweep" if is_over else None


def _needs_glance(symbols: Symbols) -> str | None:
    inputs = symbols.inputs
    is_due = symbols.time_in_state > 1.5 and inputs["unsure"] > 0.12
    return "aside" if is_due and inputs["age"] < 0.3 else None


_PLAY = BehaviorOption(
    initial="search",
    states={
        "search": OptionState(children=("find_ball",), decide=_choose),
        "strike": OptionState(children=("attack",), decide=_choose),
        "support": OptionState(children=("assist", "gaze"), decide=_choose),
    },
)
_FIND_BALL = BehaviorOption(
    initial="sweep",
    states={
        "sweep": OptionState(
            children=("stand", "sweep_head"), decide=_after("turn", 2.0)
        ),
        "turn": OptionState(
            children=("turn_about", "sweep_head"), decide=_after("home", 6.0)
        ),
        "home": OptionState(
            children=("walk_home", "sweep_head"), decide=_after("turn", 6.0)
        ),
        "told": OptionState(children=("face_told",), decide=_is_told_enough),
    },
)
_ATTACK = BehaviorOption(
    initial="walk",
    states={
        "walk": OptionState(children=("go_behind", "gaze"), decide=_in_walk),
        "close": OptionState(children=("go_behind", "watch"), decide=_in_walk),
        "shoot": OptionState(
            children=("kick", "watch"),
            decide=lambda s: "follow" if s.time_in_state >= KICK_PAUSE else None,
        ),
        "follow": OptionState(
            children=("stand", "watch"),
            decide=lambda s: "walk" if s.time_in_state > 0.4 else None,
            is_target=True,
        ),
    },
)
_GAZE = BehaviorOption(
    initial="ball",
    states={
        "ball": OptionState(children=("watch",), decide=_needs_glance),
        "aside": OptionState(
            children=("glance",),
            decide=lambda s: "ball" if s.time_in_state > 0.55 else None,
        ),
    },
)
_OPTIONS = {"play": _PLAY, "find_ball": _FIND_BALL, "attack": _ATTACK, "gaze": _GAZE}
_BASICS = {
    "go_behind": _go_behind,
    "assist": _assist,
    "kick": _kick,
    "stand": _stand,
    "turn_about": _turn_about,
    "walk_home": _walk_home,
    "face_told": _face_told,
    "watch": _watch,
    "glance": _glance,
    "sweep_head": _sweep,
}


def make_agent() -> BehaviorEngine:
    """Return a player that has not played yet."""
    return BehaviorEngine("play", _OPTIONS, _BASICS)
