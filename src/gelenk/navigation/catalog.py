"""Catalogue of localisation methods, by what they need and what they give.

Eight classes: relative ones sum up motion, absolute ones look at known things,
stochastic ones carry a distribution. A metric pose is a vector (3 numbers in the plane,
6 in space), a topological one is a place of a graph, or probabilities of all places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

PoseKind = Literal["metric", "topological"]
Reference = Literal["relative", "absolute"]
Scope = Literal["tracking", "global"]
Hypotheses = Literal["one", "several", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalisationMethod:
    """One method of localisation.

    Attributes:
        name: Short.
        family: Number and name of one of the eight classes.
        place: Full name of the function that does it.
        needs_map: Whether the world must be known.
        pose_kind: Kind of the estimated pose.
        reference: Sums motion, or looks at known things.
        scope: Needs a start ("tracking") or finds itself anywhere ("global").
        hypotheses: Number of poses that can be believed at a time.
        is_probabilistic: Whether the result has an uncertainty.
        sensors: Sensors that are needed.
    """

    name: str
    family: str
    place: str
    needs_map: bool
    pose_kind: PoseKind = "metric"
    reference: Reference = "absolute"
    scope: Scope = "tracking"
    hypotheses: Hypotheses = "one"
    is_probabilistic: bool = True
    sensors: tuple[str, ...] = ()


_N = "gelenk.navigation."

CATALOG = (
    LocalisationMethod(
        name="odometry", family="1 odometry", place=_N + "odometry.integrate_wheels",
        needs_map=False, reference="relative", is_probabilistic=False,
        sensors=("wheels",),
    ),
    LocalisationMethod(
        name="inertial", family="2 inertial navigation",
        place=_N + "dead_reckoning.integrate_inertial", needs_map=False,
        reference="relative", is_probabilistic=False, sensors=("accelerometer", "gyro"),
    ),
    LocalisationMethod(
        name="dead reckoning", family="1 + 2 dead reckoning",
        place=_N + "dead_reckoning.dead_reckon", needs_map=False,
        reference="relative", sensors=("wheels", "gyro"),
    ),
    LocalisationMethod(
        name="ranges to beacons", family="3 active beacons",
        place=_N + "landmarks.position_from_ranges", needs_map=True, scope="global",
        sensors=("radio",),
    ),
    LocalisationMethod(
        name="bearings to beacons", family="3 active beacons",
        place=_N + "landmarks.pose_from_bearings", needs_map=True, sensors=("radio",),
    ),
    LocalisationMethod(
        name="tags", family="4 artificial landmarks",
        place=_N + "landmarks.pose_from_tags", needs_map=True, scope="global",
        is_probabilistic=False, sensors=("camera",),
    ),
    LocalisationMethod(
        name="corners", family="5 natural landmarks",
        place=_N + "landmarks.pose_from_features", needs_map=True, scope="global",
        is_probabilistic=False, sensors=("laser",),
    ),
    LocalisationMethod(
        name="map matching", family="6 model matching",
        place=_N + "scan_matching.match_maps", needs_map=True, scope="global",
        is_probabilistic=False, sensors=("laser",),
    ),
    LocalisationMethod(
        name="extended Kalman filter", family="4 artificial landmarks",
        place=_N + "landmark_filter.track_landmarks", needs_map=True,
        sensors=("wheels", "camera"),
    ),
    LocalisationMethod(
        name="several hypotheses", family="4 artificial landmarks",
        place="gelenk.estimation.kalman.reweigh_beliefs", needs_map=True,
        scope="global", hypotheses="several", sensors=("wheels", "camera"),
    ),
    LocalisationMethod(
        name="probability grid", family="7 Markov",
        place=_N + "markov_localisation.PoseGrid", needs_map=True, scope="global",
        hypotheses="any", sensors=("wheels", "laser"),
    ),
    LocalisationMethod(
        name="places of a graph", family="7 Markov",
        place=_N + "markov_localisation.correct_places", needs_map=True, scope="global",
        pose_kind="topological", hypotheses="any", sensors=("wheels", "camera"),
    ),
    LocalisationMethod(
        name="Monte Carlo", family="8 Monte Carlo",
        place=_N + "monte_carlo.MonteCarlo", needs_map=True, scope="global",
        hypotheses="any", sensors=("wheels", "laser"),
    ),
)  # fmt: skip


def find_methods(
    *,
    has_map: bool,
    knows_start: bool,
    sensors: ArrayLike,
    pose_kind: PoseKind = "metric",
) -> tuple[LocalisationMethod, ...]:
    """Return the methods that a robot can use.

    Args:
        has_map: Whether the world is known.
        knows_start: Whether the first pose is known.
        sensors: Names of what it has.
        pose_kind: Kind of the pose that is wanted.

    Example:
        >>> laser = find_methods(
        ...     has_map=True, knows_start=False, sensors=["wheels", "laser"]
        ... )
        >>> [method.name for method in laser]
        ['corners', 'map matching', 'probability grid', 'Monte Carlo']
    """
    owned = set(np.atleast_1d(np.asarray(sensors, dtype=object)).tolist())
    return tuple(
        method
        for method in CATALOG
        if (has_map or not method.needs_map)
        and (knows_start or method.scope == "global")
        and owned.issuperset(method.sensors)
        and method.pose_kind == pose_kind
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceBelief:
    """A topological pose: probabilities of the places of a graph.

    Attributes:
        places: Names.
        probability: Probabilities of the places, shape (k,), summing to 1.

    Example:
        >>> PlaceBelief(places=("hall", "lab"), probability=[0.2, 0.8]).most_likely
        'lab'
    """

    places: tuple[str, ...]
    probability: FloatArray

    def __post_init__(self) -> None:
        p = np.array(self.probability, dtype=np.float64)
        if p.shape != (len(self.places),) or not (p >= 0.0).all():
            raise ConfigError(
                f"{len(self.places)} places need as many probabilities, got {p}"
            )
        if not abs(p.sum() - 1.0) < 1e-9:
            raise ConfigError(f"probabilities must sum to 1, got {p.sum()}")
        p.setflags(write=False)
        object.__setattr__(self, "probability", p)

    @property
    def most_likely(self) -> str:
        """Name of the likeliest place."""
        return self.places[int(np.argmax(self.probability))]

    @property
    def entropy(self) -> float:
        """-Σ p log p [nat]: 0 if sure."""
        p = self.probability[self.probability > 0.0]
        return float(-(p * np.log(p)).sum())
