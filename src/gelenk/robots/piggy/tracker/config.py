"""How Piggy's tracker looks and what it believes; every number with its unit."""

from __future__ import annotations

from dataclasses import dataclass

from gelenk.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackCfg:
    """How the tracker looks and what it believes.

    Attributes:
        has_wind: Whether the wind is among the unknowns; indoors it need not be.
        wind_sigma: Of the wind along each axis [m/s].
        wind_density: Of the wind's random walk, that is of gusts [m^2/s^3].
        lift_sigma: Of the lift about each axis [1/s]: spin times 0.0079; None: as much
            as calibration has seen.
        bias_sigma: Of displacements of each image [px], what calibration leaves over.
        circle_sigma: Of (u, v, r) of a good circle whose size was not known [px].
        radius_shift: Added to measured radii [px]: shading hides the rim of a ball.
        tail_share: Share of circles that are worse.
        tail_factor: How many times larger their errors are.
        detection_probability: Of a ball that is wholly in the image.
        false_circles: Per image, those that stay at one place not counted; where more
            have been seen lately, as many.
        chance: False circles per image that are let through; where chance makes more,
            they need a higher score, up to even odds.
        min_score: Least score of circles anywhere, logarithm of odds.
        max_circles: Circles of an image that are looked at.
        birth_rate: New balls per image.
        min_hits: Circles that a track needs before it is published.
        min_existence: Weight of hypotheses that hold a published track.
        max_silence: A ball that is unseen longer is gone [s].
        pair_sigma: Of (u, v, r) [px] when circles of both images are paired.
        pair_gate: Largest chi-square of a pair, 3 degrees of freedom.
        path_step: Between samples of a published path [s].
        path_horizon: How far it reaches at most [s].
        behind: A ball with a smaller y is gone [m].
        has_threads: Whether both images are searched at the same time.

    Example:
        >>> from gelenk.robots.piggy import TrackCfg
        >>> TrackCfg(has_wind=False).path_horizon
        1.4
    """

    has_wind: bool = True
    wind_sigma: tuple[float, float, float] = (1.6, 1.6, 0.2)
    wind_density: float = 0.18
    lift_sigma: float | None = None
    bias_sigma: float = 0.1
    circle_sigma: tuple[float, float, float] = (0.15, 0.25, 0.3)
    radius_shift: float = 0.07
    tail_share: float = 0.06
    tail_factor: float = 4.0
    detection_probability: float = 0.95
    false_circles: float = 1.0
    chance: float = 0.2
    min_score: float = -4.0
    max_circles: int = 40
    birth_rate: float = 0.02
    min_hits: int = 5
    min_existence: float = 0.9
    max_silence: float = 0.6
    pair_sigma: tuple[float, float, float] = (0.6, 0.6, 0.5)
    pair_gate: float = 16.0
    path_step: float = 0.02
    path_horizon: float = 1.4
    behind: float = -1.5
    has_threads: bool = True

    def __post_init__(self) -> None:
        for name in ("false_circles", "path_step", "path_horizon", "pair_gate"):
            if not getattr(self, name) > 0.0:
                raise ConfigError(
                    f"`{name}` must be positive, got {getattr(self, name)}"
                )
        if not (self.chance >= 0.0 and self.min_score <= 0.0):
            raise ConfigError(
                "`chance` must not be negative and `min_score` not positive, got "
                f"{self.chance} and {self.min_score}"
            )
        if self.max_circles < 1 or self.min_hits < 2:
            raise ConfigError(
                "`max_circles` must be 1 at least and `min_hits` 2 at least, got "
                f"{self.max_circles} and {self.min_hits}"
            )
