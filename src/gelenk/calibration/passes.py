"""Observations as arrays, gravity loads, and evaluations of the compiled pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gelenk.calibration.effects import (
    JointBacklash,
    JointCompliance,
    JointOffset,
    LinkTranslation,
    TargetRotation,
    TargetTranslation,
)
from gelenk.calibration.eliminate import follow_all, normal_all
from gelenk.calibration.kernel import (
    HEAD_EFFECT,
    HEAD_EFFECTS,
    Eliminated,
    Prior,
    Unknowns,
    Views,
    Work,
    jacobian_all,
    make_work,
    predict_all,
)
from gelenk.calibration.problem import CalibrationProblem, Observation, Target
from gelenk.calibration.tables import Compiled, compile_problem
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.errors import ConfigError
from gelenk.estimation.robust import LOSS_CODES, Loss, tuning_constant
from gelenk.spatial.so3 import rotation_about
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

LOOSE = 0.004  # [N m] or [N]; below, a drive may hang anywhere in its gap
NUM_PASSES = 3  # give changes the posture, which changes the load: 1 % each time


def gravity_torques(
    problem: CalibrationProblem, values: FloatArray, q: FloatArray
) -> FloatArray:
    """Return what gravity exerts on each coordinate [N m] or [N], shape (n, nq).

    Joints stand where readings, offsets and give put them.

    Args:
        problem: The problem.
        values: Parameters, shape (P,).
        q: Readings, shape (n, nq).
    """
    model = problem.model
    offset = np.array(model.offset)
    placement = np.array(model.T_parent_joint)
    joints = model.joint_names_all
    for value, parameter in zip(values, problem.parameters, strict=True):
        for effect in parameter.effects:
            if isinstance(effect, JointOffset):
                offset[joints.index(effect.joint)] += effect.scale * value
            elif isinstance(effect, LinkTranslation):
                i, k = model.link_id(effect.link), "xyz".index(effect.axis)
                placement[i, k, 3] += effect.scale * value
    for target in problem.targets:
        if target.plate is not None:
            i = model.link_id(target.plate)
            placement[i] = placement[i] @ misplacement(problem, values, target)
    believed = replace(model, offset=offset, T_parent_joint=placement)
    torque, rest = np.zeros_like(q), np.zeros_like(q)
    for _ in range(NUM_PASSES):
        held = q + _give(problem, values, torque)
        torque = -inverse_dynamics(believed, held, rest, rest, gravity=problem.gravity)
    return torque


def misplacement(
    problem: CalibrationProblem, values: FloatArray, target: Target
) -> FloatArray:
    """Return the product of the turns and shifts of a target, shape (4, 4)."""
    found: list[tuple[int, FloatArray]] = []
    for value, parameter in zip(values, problem.parameters, strict=True):
        for effect in parameter.effects:
            if not isinstance(effect, TargetRotation | TargetTranslation):
                continue
            if effect.target == target.name:
                E = np.eye(4)
                axis = np.eye(3)["xyz".index(effect.axis)]
                if isinstance(effect, TargetRotation):
                    E[:3, :3] = rotation_about(axis, value)
                else:
                    E[:3, 3] = value * axis
                found.append((effect.order, E))
    T = np.eye(4)
    for _, E in sorted(found, key=lambda entry: entry[0]):
        T = T @ E
    return T


def is_loose(torque: FloatArray) -> BoolArray:
    """Return where a load is too small to press a drive against one side of its gap."""
    return np.abs(torque) < LOOSE


def _give(
    problem: CalibrationProblem, values: FloatArray, torque: FloatArray
) -> FloatArray:
    give = np.zeros_like(torque)
    for value, parameter in zip(values, problem.parameters, strict=True):
        for effect in parameter.effects:
            if isinstance(effect, JointCompliance | JointBacklash):
                i = problem.model.joint_id(effect.joint)
                load = torque[:, i]
                is_play = isinstance(effect, JointBacklash)
                give[:, i] += value * (np.sign(load) if is_play else load)
    return give


BLOCK = 2  # residuals of one point: u and v


class ObservationSet:
    """A problem and its observations, ready to be evaluated at any values.

    Evaluations share work space, so one campaign belongs to one thread.

    Attributes:
        problem: The problem.
        order: Given number of each observation in the order used here: by group.
        point_order: Given number of each point in the order used here, shape (N,).
    """

    def __init__(
        self, problem: CalibrationProblem, observations: Sequence[Observation]
    ) -> None:
        self.problem = problem
        self.compiled: Compiled = compile_problem(problem)
        order = np.argsort([s.group for s in observations], kind="stable")
        self.order: IntArray = order.astype(np.int64)
        numbers: list[int] = order.tolist()
        self._observations = [observations[i] for i in numbers]
        first: list[int] = np.cumsum(
            [0, *(len(s.points) for s in observations)]
        ).tolist()
        chosen = [np.arange(first[i], first[i + 1], dtype=np.int64) for i in numbers]
        self.point_order: IntArray = np.concatenate(
            [*chosen, np.empty(0, dtype=np.int64)]
        )
        self.views: Views = self._make_views()
        self.prior = Prior(
            self.compiled.shared_precision, self.compiled.single_precision
        )
        tables = self.compiled.tables
        moves = int((tables.header[:, 1] + tables.header[:, 3]).max(initial=1))
        self.work: Work = make_work(
            max(moves, 1),
            tables.columns.shape[1],
            len(problem.parameters),
            len(self.compiled.shared),
        )

    @property
    def num_points(self) -> int:
        return len(self.views.point)

    @property
    def num_groups(self) -> int:
        return len(self.views.size)

    def points_of(self, chosen: BoolArray) -> BoolArray:
        """Return which points belong to chosen observations, shape (N,)."""
        return np.repeat(chosen, np.diff(self.views.first))

    def start(self, values: FloatArray) -> Unknowns:
        """Return unknowns with these parameters and readings taken at their word."""
        shared = np.zeros((self.num_groups, max(len(self.compiled.shared), 1)))
        single = np.zeros((len(self._observations), len(self.compiled.single)))
        return Unknowns(np.array(values, dtype=np.float64), shared, single)

    def set_loads(self, values: FloatArray) -> None:
        """Bring the loads of all drives to the postures that `values` imply."""
        if self.compiled.loads:
            self._load(self.views, values)

    def predict(self, X: Unknowns) -> FloatArray:
        """Return the predicted pixels, shape (N, 2)."""
        out = np.empty((self.num_points, 2))
        predict_all(self.compiled.tables, self.views, X, self.work, out)
        return out

    def residuals(self, X: Unknowns) -> FloatArray:
        """Return prediction - observation, shape (N, 2) [px]."""
        return self.predict(X) - self.views.pixel

    def jacobian(self, X: Unknowns) -> tuple[FloatArray, FloatArray]:
        """Return predicted pixels (N, 2) and derivatives by parameters (2 N, P)."""
        out = np.empty((self.num_points, 2))
        J = np.zeros((2 * self.num_points, len(X.x)))
        jacobian_all(self.compiled.tables, self.views, X, self.work, out, J)
        return out, J

    def evaluate(
        self,
        X: Unknowns,
        *,
        loss: Loss = "none",
        tuning: float | None = None,
        noise: float = 1.0,
        boost: float = 1.0,
        by_group: bool = False,
    ) -> Linearization:
        """Return cost, information and gradient; see `Linearization`."""
        return Linearization(self, X, loss, tuning, noise, boost, by_group)

    def _make_views(self) -> Views:
        problem, observations = self.problem, self._observations
        points = {target.name: target.points for target in problem.targets}
        routes: list[int] = []
        for s in observations:
            route = self.compiled.routes.get((s.camera, s.target))
            if route is None:
                problem.camera_id(s.camera)
                problem.target_id(s.target)
            routes.append(self.compiled.routes[s.camera, s.target])
            _check_observation(problem, s, len(points[s.target]))
        _, numbers = np.unique([s.group for s in observations], return_inverse=True)
        group: IntArray = np.asarray(numbers, dtype=np.int64).reshape(-1)
        slot, size = self._slots(routes, group)
        views = Views(
            route=np.array(routes, dtype=np.int64),
            group=group,
            q=np.array([s.q for s in observations]).reshape(
                len(observations), problem.model.nq
            ),
            first=np.cumsum([0, *(len(s.points) for s in observations)]).astype(
                np.int64
            ),
            point=np.concatenate(
                [*(points[s.target][s.points] for s in observations), np.empty((0, 3))]
            ),
            pixel=np.concatenate([*(s.pixels for s in observations), np.empty((0, 2))]),
            load=np.zeros((len(observations), len(self.compiled.loads))),
            slot=slot,
            size=size,
            trust=np.ones(len(observations)),
        )
        if self.compiled.loads:
            self._load(views, problem.nominal)
        return views

    def _slots(
        self, routes: Sequence[int], group: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Return where each group keeps the reading errors of its observations."""
        count, shared = len(self.problem.parameters), len(self.compiled.shared)
        groups = int(group.max()) + 1 if len(group) else 0
        slot = np.full((groups, shared), -1, dtype=np.int64)
        size = np.zeros(groups, dtype=np.int64)
        for route, g in zip(routes, group, strict=True) if shared else ():
            columns = self.compiled.tables.columns[route]
            for u in columns[(columns >= count) & (columns < count + shared)] - count:
                if slot[g, u] < 0:
                    slot[g, u] = size[g]
                    size[g] += 1
        return slot, size

    def _load(self, views: Views, values: FloatArray) -> None:
        """Write loads, and which observations show a drive loose in its gap."""
        tables = self.compiled.tables
        torque = gravity_torques(self.problem, values, views.q)
        views.trust[:] = 1.0
        for k, (joint, is_sign) in enumerate(self.compiled.loads):
            load = torque[:, self.problem.model.joint_id(joint)]
            views.load[:, k] = np.sign(load) if is_sign else load
            if is_sign:
                head = tables.header[:, [HEAD_EFFECT, HEAD_EFFECTS]]
                shows = np.array([k in tables.place[a : a + n, 2] for a, n in head])
                views.trust[is_loose(load) & shows[views.route]] = 0.0


class Linearization:
    """One evaluation: what `estimation.descent` asks for, and the residuals.

    Attributes:
        cost: Sum of the loss over all points, and of the reading errors.
        H, g: Information and gradient of the parameters, reading errors eliminated.
        residuals: Prediction - observation of each point [px], shape (N, 2).
        u2, weights, slope: Squared length, weight and slope of the loss of each point,
            shape (N,).
        told: Number of reading errors that the data determine.
        parts: H of each group if asked for, (G, P, P).
    """

    __slots__ = (
        "H", "_campaign", "_eliminated", "cost", "g", "parts", "residuals",
        "terms", "told", "unknowns",
    )  # fmt: skip

    def __init__(
        self,
        campaign: ObservationSet,
        X: Unknowns,
        loss: Loss,
        tuning: float | None,
        noise: float,
        boost: float,
        by_group: bool,
    ) -> None:
        P, observations = len(X.x), len(campaign.views.route)
        groups, d, e = campaign.num_groups, X.shared.shape[1], X.single.shape[1]
        self._campaign, self.unknowns = campaign, X
        self.H, self.g = np.empty((P, P)), np.empty(P)
        self.residuals = np.empty((campaign.num_points, 2))
        self.terms = np.empty((campaign.num_points, 3))
        self.parts = np.empty((groups if by_group else 0, P, P))
        has_readings = bool(campaign.problem.readings)
        self._eliminated = Eliminated(
            K=np.empty((groups, d, d)),
            B=np.empty((groups, d if has_readings else 0, P)),
            h=np.empty((groups, d)),
            k=np.empty((observations, e, e)),
            b=np.empty((observations, e, P + d)),
            g=np.empty((observations, e)),
        )
        constant = tuning_constant(loss, BLOCK) if tuning is None else tuning
        cost, told = normal_all(
            campaign.compiled.tables, campaign.views, X, campaign.prior, campaign.work,
            (LOSS_CODES[loss], float(constant), float(noise) ** -2.0, float(boost)),
            self.residuals, self.terms, self._eliminated, self.H, self.g, self.parts,
        )  # fmt: skip
        self.cost, self.told = float(cost), float(told)
        loose = campaign.views.trust == 0.0
        if loose.any():
            self.terms[campaign.points_of(loose), 1:] = 0.0

    @property
    def u2(self) -> FloatArray:
        return self.terms[:, 0]

    @property
    def weights(self) -> FloatArray:
        return self.terms[:, 1]

    @property
    def slope(self) -> FloatArray:
        return self.terms[:, 2]

    def follow(self, step: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the reading errors after a step of the parameters."""
        X = self.unknowns
        if not self._campaign.problem.readings:
            return X.shared, X.single
        shared, single = np.zeros_like(X.shared), np.zeros_like(X.single)
        follow_all(
            self._campaign.compiled.tables, self._campaign.views, X, self._eliminated,
            step, shared, single,
        )  # fmt: skip
        return shared, single


def _check_observation(
    problem: CalibrationProblem, observation: Observation, count: int
) -> None:
    problem.model.check_q("q", observation.q)
    points = observation.points
    if points.size and not (points.min() >= 0 and points.max() < count):
        raise ConfigError(
            f"target {observation.target!r} has points 0 to {count - 1}, "
            f"an observation names {points.min()} to {points.max()}"
        )


def as_observations(
    observations: Observation | Sequence[Observation],
) -> Sequence[Observation]:
    """Return a sequence of observations."""
    return [observations] if isinstance(observations, Observation) else observations


def make_observation_set(
    problem: CalibrationProblem,
    observations: Observation | Sequence[Observation],
    values: ArrayLike | None,
) -> tuple[ObservationSet, Unknowns]:
    """Return a campaign loaded as at `values` (None: nominal), and the unknowns."""
    campaign = ObservationSet(problem, as_observations(observations))
    x = problem.check_values(values)
    campaign.set_loads(x)
    return campaign, campaign.start(x)
