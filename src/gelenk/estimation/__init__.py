"""Estimation: Kalman filters, robust least squares, tracking of many objects.

A `Belief` is a mean and a covariance; predict and update functions return new ones.
`solve_least_squares` fits parameters with priors, bounds and a covariance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.estimation.assignment import best_assignments as best_assignments
    from gelenk.estimation.ball import BallFilter as BallFilter
    from gelenk.estimation.ball import BallFilterCfg as BallFilterCfg
    from gelenk.estimation.fitting import fit_sphere as fit_sphere
    from gelenk.estimation.fitting import solve_weighted as solve_weighted
    from gelenk.estimation.kalman import Belief as Belief
    from gelenk.estimation.kalman import chi2_gate as chi2_gate
    from gelenk.estimation.kalman import extended_predict as extended_predict
    from gelenk.estimation.kalman import extended_update as extended_update
    from gelenk.estimation.kalman import kalman_predict as kalman_predict
    from gelenk.estimation.kalman import kalman_update as kalman_update
    from gelenk.estimation.kalman import merge_beliefs as merge_beliefs
    from gelenk.estimation.kalman import nees as nees
    from gelenk.estimation.least_squares import (
        solve_least_squares as solve_least_squares,
    )
    from gelenk.estimation.multi_hypothesis import DetectionScan as DetectionScan
    from gelenk.estimation.multi_hypothesis import (
        MultiHypothesisTracker as MultiHypothesisTracker,
    )
    from gelenk.estimation.multi_hypothesis import TrackerCfg as TrackerCfg
    from gelenk.estimation.multi_hypothesis import TrackerState as TrackerState
    from gelenk.estimation.robust import evaluate_loss as evaluate_loss
    from gelenk.estimation.unscented import unscented_predict as unscented_predict
    from gelenk.estimation.unscented import unscented_update as unscented_update

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
