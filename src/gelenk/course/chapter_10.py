"""Chapter 10 of the course: navigation of mobile robots."""

from __future__ import annotations

from gelenk.course.method import Method

_N, _E = "gelenk.navigation.", "gelenk.estimation."


def _navigation(*names: str) -> tuple[str, ...]:
    return tuple(_N + name for name in names)


def _estimation(*names: str) -> tuple[str, ...]:
    return tuple(_E + name for name in names)


METHODS = (
    Method(
        id="GR-236",
        title="odometry from wheel turns",
        objects=_navigation(
            "odometry.integrate_wheels",
            "odometry.wheel_step",
            "odometry.propagate_covariance",
        ),
        formula="ds = (ds_R + ds_L) / 2, dθ = (ds_R - ds_L) / b, along an arc",
    ),
    Method(
        id="GR-237",
        title="inertial position and its growing drift",
        objects=_navigation(
            "dead_reckoning.integrate_inertial", "dead_reckoning.inertial_drift"
        ),
        formula="θ = ∫ω dt, p = ∬ R(θ) a dt²; a bias b errs by b t² / 2",
        erratum="E-53: rates are integrated once, accelerations twice, by two sensors.",
    ),
    Method(
        id="GR-238",
        title="dead reckoning from wheels and inertia",
        objects=_navigation("dead_reckoning.dead_reckon"),
        formula="θ <- θ + (ω_gyro - β) dt, ω_gyro - ω_wheel = β + noise",
    ),
    Method(
        id="GR-239",
        title="position from beacons by range or bearing",
        objects=_navigation(
            "landmarks.position_from_ranges",
            "landmarks.pose_from_bearings",
            "landmarks.two_range_places",
        ),
        formula="r_i = |b_i - p| - d_i; r_i = wrap(atan2(y_i - y, x_i - x) - θ - β_i)",
    ),
    Method(
        id="GR-240",
        title="pose from artificial marks",
        objects=_navigation("landmarks.pose_from_tag", "landmarks.pose_from_tags"),
        formula="T_world_robot = T_world_tag (T_robot_tag)⁻¹",
    ),
    Method(
        id="GR-241",
        title="pose from natural features",
        objects=_navigation(
            "landmarks.pose_from_features",
            "landmarks.corners_of_scan",
            "landmarks.split_lines",
        ),
        formula="min_x Σ |R(θ) s_i + t - m_k(i)|², k(i) by distances between features",
    ),
    Method(
        id="GR-242",
        title="local map matched to a reference map",
        objects=_navigation("scan_matching.match_maps"),
        formula="max over (t, θ) of mean M_ref(R(θ) s + t)",
    ),
    Method(
        id="GR-243",
        title="nonlinear least squares with weights",
        objects=_estimation(
            "fitting.solve_weighted", "least_squares.solve_least_squares"
        ),
        formula="min ½ Σ ω_i r_i(p)²: (Jᵀ W J + λ D) δ = -Jᵀ W r",
    ),
    Method(
        id="GR-244",
        title="circle or sphere fitted to points",
        objects=_estimation("fitting.fit_sphere", "fitting.fit_sphere_algebraic"),
        formula="r_i = |x_i - c| - R",
        erratum="E-40: the other residual is |x - c|² - R²; the geometric one is a "
        "distance, without derivative only at the centre.",
    ),
    Method(
        id="GR-245",
        title="localisation methods and pose kinds catalogued",
        objects=_navigation(
            "catalog.find_methods", "catalog.LocalisationMethod", "catalog.PlaceBelief"
        ),
        formula="map, pose kind, hypotheses, start, probability, sensors",
    ),
    Method(
        id="GR-246",
        title="motion model in discrete time",
        objects=_navigation(
            "dead_reckoning.euler_step", "dead_reckoning.sensor_schedule"
        ),
        formula="x_{k+1} = x_k + h_k F(x_k, u_k)",
        erratum="E-41: the difference quotient is the derivative at t_k, not t_{k+1}.",
    ),
    Method(
        id="GR-247",
        title="extended Kalman prediction",
        objects=(
            *_estimation("kalman.extended_predict"),
            *_navigation("landmark_filter.track_landmarks"),
        ),
        formula="x⁻ = f(x, u), P⁻ = A P Aᵀ + Q",
        erratum="E-42: A is taken at the last x̂ and u, not at the predicted ones; "
        "E-44: components are jointly normal, not independent.",
    ),
    Method(
        id="GR-248",
        title="extended Kalman correction with several sensors",
        objects=(
            *_estimation("kalman.extended_update", "unscented.unscented_update"),
            *_navigation("landmark_filter.track_landmarks"),
        ),
        formula="S = H P⁻ Hᵀ + R, K = P⁻ Hᵀ S⁻¹, x = x⁻ + K (z - h(x⁻))",
        erratum="E-59: optimal for linear systems only; the extended filter is a "
        "first-order approximation.",
    ),
    Method(
        id="GR-249",
        title="measurements rejected by Mahalanobis distance",
        objects=_estimation(
            "kalman.chi2_gate", "kalman.extended_update", "kalman.chi2_quantile"
        ),
        formula="d = rᵀ S⁻¹ r <= χ²(m)",
        erratum="E-43: the distance is measured by S, not by P.",
    ),
    Method(
        id="GR-250",
        title="several pose hypotheses kept and weighed",
        objects=_estimation(
            "kalman.reweigh_beliefs",
            "kalman.merge_beliefs",
            "multi_hypothesis.MultiHypothesisTracker",
        ),
        formula="p_i <- c p_i N(z; h(x_i), S_i), p_0 with the density of clutter",
        erratum="E-45: p⁽⁰⁾ is the probability that none holds; weight and density are "
        "different things.",
    ),
    Method(
        id="GR-251",
        title="Markov localisation on a probability grid",
        objects=_navigation(
            "markov_localisation.PoseGrid",
            "markov_localisation.correct_cells",
            "markov_localisation.shift_cells",
            "markov_localisation.blur_ring",
        ),
        formula="P(x) <- c P(z | x, m) P(x); motion: shifted, blurred",
        erratum="E-46: the printed motion is a pure shift; it must be blurred too.",
    ),
    Method(
        id="GR-252",
        title="Monte Carlo localisation with particles",
        objects=_navigation(
            "monte_carlo.MonteCarlo",
            "monte_carlo.systematic_indices",
            "odometry.sample_odometry",
            "sensor_models.likelihood_field",
            "sensor_models.beam_likelihood",
        ),
        formula="p_i <- c p_i P(z | x_i); drawn anew if 1 / Σ p² < N / 2",
    ),
    Method(
        id="GR-253",
        title="active localisation by informative motion",
        objects=_navigation(
            "markov_localisation.choose_action", "markov_localisation.expected_entropy"
        ),
        formula="u* = argmin Σ_z P(z | u) H(p | u, z) + λ cost(u)",
    ),
    Method(
        id="GR-254",
        title="maps of features and of cells",
        objects=_navigation(
            "maps.FeatureMap",
            "maps.features_from_grid",
            "maps.grid_from_features",
            "maps.load_features",
            "maps.load_grid",
        ),
        formula="places with covariances; cells with log-odds",
    ),
    Method(
        id="GR-255",
        title="SLAM with an extended Kalman filter",
        objects=_navigation(
            "ekf_slam.correct_landmark",
            "ekf_slam.add_landmark",
            "ekf_slam.predict_motion",
            "ekf_slam.associate_landmark",
        ),
        formula="new: P_mm = G_x P_xx G_xᵀ + G_z R G_zᵀ, P_m* = G_x P_x*",
        erratum="E-47: the covariance grows with n², what is inverted does not; "
        "E-48: one map hypothesis.",
    ),
    Method(
        id="GR-256",
        title="SLAM with particles (FastSLAM)",
        objects=_navigation("fast_slam.fast_slam_step", "fast_slam.FastSlam"),
        formula="p(x, m | z) = p(x | z) Π_k p(m_k | x, z)",
    ),
    Method(
        id="GR-257",
        title="SLAM as graph optimisation",
        objects=_navigation("pose_graph.optimize_graph", "pose_graph.motion_error"),
        formula="min Σ eᵀ Ω e, e = Z⁻¹ X_i⁻¹ X_j",
    ),
    Method(
        id="GR-258",
        title="revisited places matched, wrong matches refused",
        objects=_navigation(
            "pose_graph.close_loops",
            "pose_graph.loop_candidates",
            "pose_graph.joint_compatibility",
        ),
        formula="rᵀ S⁻¹ r of all pairs together <= χ²",
    ),
    Method(
        id="GR-259",
        title="visual SLAM by features or intensities",
        objects=_navigation(
            "visual_slam.reconstruct",
            "two_view.solve_two_views",
            "two_view.triangulate_points",
            "visual_slam.adjust_bundle",
            "visual_slam.align_images",
        ),
        formula="x₂ᵀ E x₁ = 0; min Σ |u - π(T X)|²; min Σ (I₂(π(T X)) - I₁)²",
    ),
    Method(
        id="GR-260",
        title="scan matching of laser ranges",
        objects=_navigation("scan_matching.match_scan", "scan_matching.interpolate"),
        formula="Δξ = H⁻¹ Σ [∇M ∂S_i/∂ξ]ᵀ [1 - M(S_i)]",
    ),
    Method(
        id="GR-261",
        title="spatial, semantic and life-long maps",
        objects=_navigation(
            "maps.LabelLayer",
            "maps.fade_probability",
            "dense_slam.dense_slam_step",
            "maps.trusted_sensors",
        ),
        formula="P_c <- n P_c P(label | c); p <- (1 - λ_off) p + λ_on (1 - p)",
    ),
    Method(
        id="GR-289",
        title="Markov localisation on a graph of places",
        objects=_navigation(
            "markov_localisation.predict_places", "markov_localisation.correct_places"
        ),
        formula="p'(n) = Σ_m P(n | m, u) p(m), p <- c P(z | n) p'",
    ),
)
