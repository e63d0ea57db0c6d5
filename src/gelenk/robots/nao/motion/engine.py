"""Plays motions: once per tick, from a state and a request to angles and stiffness.

`step` is a pure function; what it needs to remember is an `EngineState`. It obeys:

- A line goes straight from the last commanded angles to its target,
  `q = target + (duration - t) / duration (start - target)`, and takes at least a tick.
  It takes longer than written if a joint would be faster than it can or may.
- A relative line adds to the last commanded target, not to measured angles: gravity
  does not add up.
- Stiffness changes while the motion goes on; a line of hardness costs no time.
- A joint that no line has driven yet, or that was off, starts from where it is.
- At a milestone the continue switch counts when it turns on after the pose was
  reached, once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.nao.config import HARDNESS, MOTION_PERIOD
from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion import tokens
from gelenk.robots.nao.motion.program import (
    DRIVE,
    KEEP,
    LEFT_HIP,
    OFF,
    RIGHT_HIP,
    Jump,
    MotionProgram,
    MoveStep,
    StiffnessStep,
    clip_command,
    differs,
    max_speeds,
    shortest_time,
)
from gelenk.robots.nao.representations import (
    IGNORE,
    JointRequest,
    MotionInfo,
    MotionRequest,
)
from gelenk.robots.nao.representations import OFF as OFF_ANGLE
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

_LATE = 1e-9  # [s] that a line may lack at its last tick; times are sums of ticks

_PARTS = ("Head",) * 2 + ("Arm",) * 8 + ("Leg",) * 12
DEFAULT_STIFFNESS: FloatArray = np.array([HARDNESS[part] for part in _PARTS])
DEFAULT_STIFFNESS.setflags(write=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ramp:
    """A straight change of all joints' values.

    Attributes:
        start, target: Values, shape (22,).
        duration: [s]; 0: at once.
        elapsed: Time since the start [s].
    """

    start: FloatArray
    target: FloatArray
    duration: float
    elapsed: float = 0.0

    @property
    def is_over(self) -> bool:
        return self.elapsed >= self.duration - _LATE

    @property
    def value(self) -> FloatArray:
        """The present values, shape (22,)."""
        if self.is_over:
            return self.target
        left = (self.duration - self.elapsed) / self.duration
        return self.target + left * (self.start - self.target)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EngineState:
    """All that the engine remembers from tick to tick.

    Attributes:
        at: Number of the program's step that is executed or comes next.
        is_moving: Whether that step is a line of angles on its way.
        is_holding: Whether it is a milestone that was reached.
        angles: Last commanded angles, of joints without command where they were last
            seen [rad], shape (22,).
        modes: KEEP (never driven), DRIVE or OFF of each joint, shape (22,).
        path: Way of the present line [rad].
        is_clipped: Joints whose target a limit has moved, shape (22,).
        stiffness: Way of the stiffness.
        was_continuing: The continue switch at the last tick.
    """

    at: int
    is_moving: bool
    is_holding: bool
    angles: FloatArray
    modes: IntArray
    path: Ramp
    is_clipped: BoolArray
    stiffness: Ramp
    was_continuing: bool


class Played(NamedTuple):
    """What one tick came to."""

    state: EngineState
    joints: JointRequest
    info: MotionInfo


def initial_state(
    angles: ArrayLike, *, stiffness: ArrayLike = DEFAULT_STIFFNESS
) -> EngineState:
    """Return the state before the first tick; no joint is driven yet.

    Args:
        angles: Where the joints are [rad], shape (22,).
        stiffness: 0 to 1, shape (22,).
    """
    q = _as_body("angles", angles)
    firmness = as_finite("stiffness", stiffness, (tokens.NUM_JOINTS,))
    return EngineState(
        at=0,
        is_moving=False,
        is_holding=False,
        angles=q,
        modes=np.full(tokens.NUM_JOINTS, KEEP),
        path=Ramp(start=q, target=q, duration=0.0),
        is_clipped=np.zeros(tokens.NUM_JOINTS, dtype=bool),
        stiffness=Ramp(start=firmness, target=firmness, duration=0.0),
        was_continuing=False,
    )


def step(
    program: MotionProgram,
    state: EngineState,
    request: MotionRequest,
    dt: float = MOTION_PERIOD,
    *,
    measured: ArrayLike | None = None,
) -> Played:
    """Return what the joints shall do at this tick.

    Args:
        program: Motions.
        state: As the last tick left it.
        request: What is wanted.
        dt: Time since the last tick [s].
        measured: Joint angles [rad], shape (22,): where joints that are not driven
            are. Without them, they are thought to be where they were.

    Raises:
        NameNotFoundError: If no transition waits for the requested motion.
    """
    if not dt > 0.0:
        raise ConfigError(f"`dt` must exceed 0 s, got {dt}")
    if request.motion and request.motion not in program.requests:
        raise NameNotFoundError("motion to request", request.motion, program.requests)
    if measured is not None:
        seen = _as_body("measured", measured)
        is_driven = state.modes == DRIVE
        state = replace(state, angles=np.where(is_driven, state.angles, seen))
    if request.is_off:
        return _switch_off(state, request)
    goes_on = request.is_continuing and not state.was_continuing
    state = replace(state, was_continuing=request.is_continuing)
    if state.is_holding and goes_on:
        state = _walk(program, replace(state, is_holding=False), state.at + 1, request)
    elif not state.is_holding and not state.is_moving:
        state = _walk(program, state, state.at, request)
    return _advance(program, state, dt)


def _as_body(name: str, angles: ArrayLike) -> FloatArray:
    q = as_finite(name, angles, (tokens.NUM_JOINTS,)).copy()
    q[RIGHT_HIP] = q[LEFT_HIP]  # one motor, one encoder
    return q


def _switch_off(state: EngineState, request: MotionRequest) -> Played:
    count = tokens.NUM_JOINTS
    fresh = replace(
        initial_state(state.angles, stiffness=state.stiffness.value),
        modes=np.full(count, OFF),
        was_continuing=request.is_continuing,
    )
    joints = JointRequest(angles=np.full(count, OFF_ANGLE), stiffness=np.zeros(count))
    return Played(fresh, joints, MotionInfo(motion=tokens.ENTRY))


def _walk(
    program: MotionProgram, state: EngineState, at: int, request: MotionRequest
) -> EngineState:
    """Return the state at the next line of angles or rest; no time passes on the way.

    It ends: programs have no circles of transitions alone.
    """
    while True:
        line = program.steps[at]
        if isinstance(line, MoveStep):
            return _begin(line, replace(state, at=at))
        if isinstance(line, StiffnessStep):
            now = state.stiffness.value
            ramp = Ramp(start=now, target=line.stiffness, duration=line.duration)
            state = replace(state, stiffness=ramp)
            at += 1
        elif line.is_rest:
            return replace(state, at=line.goal, is_moving=False)
        else:
            at = line.goal if _is_taken(line, request) else at + 1


def _is_taken(jump: Jump, request: MotionRequest) -> bool:
    return jump.request is None or jump.request == request.motion


def _begin(line: MoveStep, state: EngineState) -> EngineState:
    modes = np.where(line.modes == KEEP, state.modes, line.modes)
    is_driven = modes == DRIVE
    base = state.angles if line.is_relative else 0.0
    wanted = np.where(line.modes == DRIVE, base + line.values, state.angles)
    target = np.where(is_driven, clip_command(wanted), state.angles)
    start = np.where(is_driven, clip_command(state.angles), state.angles)
    speeds = np.minimum(max_speeds(), line.max_speed)
    duration = max(line.duration, shortest_time(start, target, speeds))
    return replace(
        state,
        modes=modes,
        path=Ramp(start=start, target=target, duration=duration),
        is_clipped=differs(wanted, target),
        is_moving=True,
        is_holding=False,
    )


def _advance(program: MotionProgram, state: EngineState, dt: float) -> Played:
    """Let a tick pass: further on the way, nearer to the wanted stiffness."""
    path, stiffness = state.path, state.stiffness
    stiffness = replace(stiffness, elapsed=stiffness.elapsed + dt)
    line, owner = program.steps[state.at], program.owners[state.at]
    token = ""
    if isinstance(line, MoveStep) and (state.is_moving or state.is_holding):
        token = line.token
    is_driven, is_off = state.modes == DRIVE, state.modes == OFF
    state = replace(state, stiffness=stiffness)
    if state.is_moving and isinstance(line, MoveStep):
        path = replace(path, elapsed=path.elapsed + dt)
        angles = np.where(is_driven, clip_command(path.value), state.angles)
        state = replace(state, path=path, angles=angles)
        if path.is_over:
            at = state.at if line.is_milestone else state.at + 1
            state = replace(state, at=at, is_moving=False, is_holding=line.is_milestone)
    free = np.where(is_off, OFF_ANGLE, IGNORE)
    joints = JointRequest(
        angles=np.where(is_driven, state.angles, free),
        stiffness=np.where(is_off, 0.0, stiffness.value),
    )
    is_clipped = state.is_clipped | differs(path.value, state.angles)
    info = MotionInfo(
        motion=owner,
        token=token,
        is_at_milestone=state.is_holding,
        clipped=tuple(BODY_JOINTS[i] for i in np.flatnonzero(is_clipped & is_driven)),
    )
    return Played(state, joints, info)
