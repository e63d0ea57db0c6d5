"""Chapter 7 of the course, first part: sensors of the robot itself and of distance."""

from __future__ import annotations

from gelenk.course.method import Method

_S = "gelenk.sensing."


def _sensing(*names: str) -> tuple[str, ...]:
    return tuple(_S + name for name in names)


METHODS = (
    Method(
        id="GR-116",
        title="sensor chain with bias, noise and quantisation",
        objects=(
            "gelenk.sim.sensors.descriptions.SensorModel",
            "gelenk.sensing.encoders.quantised",
            "gelenk.sensing.encoders.saturated",
        ),
        formula="reading = quantised(saturated(scale · value + bias + walk + noise))",
    ),
    Method(
        id="GR-117",
        title="potentiometer as angle sensor",
        objects=_sensing("encoders.wiper_share"),
        formula="U = U₀ x / x_max, loaded: / (1 + x (1 - x) R / R_load)",
    ),
    Method(
        id="GR-118",
        title="incremental encoder with direction and index",
        objects=_sensing(
            "encoders.count_quadrature",
            "encoders.count_single_track",
            "encoders.encoder_tracks",
            "encoders.home_count",
        ),
        formula="two tracks, a quarter apart: 4 counts per line, signed",
    ),
    Method(
        id="GR-119",
        title="absolute encoder with single-bit changes",
        objects=(
            "gelenk.sensing.encoders.encoder_word",
            "gelenk.sensing.encoders.angle_from_word",
            "gelenk.vision.depth_cameras.gray_code",
        ),
        formula="g = b xor (b >> 1)",
    ),
    Method(
        id="GR-120",
        title="resolver",
        objects=_sensing(
            "encoders.resolver_angle",
            "encoders.resolver_signals",
            "encoders.track_resolver",
        ),
        formula="U_s = U sin θ sin ωt, U_c = U cos θ sin ωt, θ = atan2(U_s, U_c)",
    ),
    Method(
        id="GR-121",
        title="speed from positions",
        objects=_sensing(
            "encoders.filtered_rate",
            "encoders.rate_price",
            "encoders.local_polynomial_rate",
            "encoders.counted_rate",
        ),
        formula="v_k = α v_{k-1} + (1 - α) (q_k - q_{k-1}) / T",
    ),
    Method(
        id="GR-122",
        title="accelerometer and gravity",
        objects=_sensing("inertial.specific_force", "inertial.without_gravity"),
        formula="f = Rᵀ (a - g) + b: +9.81 upwards at rest",
    ),
    Method(
        id="GR-123",
        title="orientation from tilt, compass and gyro",
        objects=_sensing(
            "inertial.mahony_step",
            "inertial.complementary_step",
            "inertial.estimate_tilt",
            "inertial.compass_heading",
        ),
        formula="θ = α (θ + ω dt) + (1 - α) θ_ref",
        erratum="E-21: electrodes, not electrons; an INS gives place and velocity too.",
    ),
    Method(
        id="GR-124",
        title="mechanical gyroscope and its drift",
        objects=_sensing(
            "inertial.precession_rate",
            "inertial.apparent_turn",
            "inertial.position_drift",
        ),
        formula="Ω = L × τ / |L|²; 1.85 km/h, or 0.1 % of the way",
    ),
    Method(
        id="GR-125",
        title="micro-mechanical gyroscope",
        objects=_sensing("inertial.coriolis_amplitude", "inertial.demodulate_fork"),
        formula="F = 2 m Ω × v; y = 2 Ω A ω_d / √((ω_s² - ω_d²)² + (ω_s ω_d / Q)²)",
        erratum="E-55: both tines swing at one frequency, in anti-phase.",
    ),
    Method(
        id="GR-126",
        title="inertial odometry, strapped down",
        objects=(
            "gelenk.sensing.inertial.integrate_strapdown",
            "gelenk.navigation.dead_reckoning.inertial_drift",
        ),
        formula="q̇ = ½ q ω, v̇ = R f + g, ṗ = v; a bias b grows to b t² / 2",
        erratum="E-53: rates are integrated once, accelerations twice.",
    ),
    Method(
        id="GR-127",
        title="force-torque sensor",
        objects=_sensing(
            "force_torque.calibrate_wrench_sensor",
            "force_torque.bridge_voltage",
            "force_torque.tool_wrench",
            "force_torque.identify_tool",
        ),
        formula="F = C u; ΔR/R = k ε; f_tool = m Rᵀ g, n = c × f",
    ),
    Method(
        id="GR-128",
        title="touch and proximity sensors",
        objects=(
            "gelenk.sensing.force_torque.pressure_image",
            "gelenk.sensing.force_torque.proximity_switch",
            "gelenk.sim.sensors.descriptions.TouchSwitch",
        ),
        formula="p = F / A of each cell; on below one distance, off above another",
    ),
    Method(
        id="GR-129",
        title="ultrasonic sensor in six situations",
        objects=_sensing(
            "sonar.find_echoes",
            "sonar_ring.ring_readings",
            "sonar.wall_reading",
            "sonar.speed_of_sound",
        ),
        formula="d = c t / 2, c = 331.3 + 0.606 T; wall turned by β ≤ γ reads D",
        erratum="E-22: a smooth wall vanishes beyond half the opening angle.",
    ),
    Method(
        id="GR-130",
        title="place of an object from several sonars",
        objects=(
            "gelenk.navigation.landmarks.position_from_ranges",
            "gelenk.sensing.sonar.position_from_differences",
        ),
        formula="min Σ (|x - s_i| - d_i)²; differences: hyperbolas",
    ),
    Method(
        id="GR-131",
        title="distance from the travel time of light",
        objects=(
            "gelenk.vision.depth_cameras.distance_from_time",
            "gelenk.sensing.laser_scanner.flight_reading",
            "gelenk.sensing.laser_scanner.multipath_distance",
        ),
        formula="d = c t / 2",
        erratum="E-56: optical sensors mostly work in the near infrared.",
    ),
    Method(
        id="GR-132",
        title="distance from a light spot seen from the side",
        objects=_sensing(
            "laser_scanner.triangulated_distance", "laser_scanner.triangulation_error"
        ),
        formula="z = b / (x/f + cot α)",
    ),
    Method(
        id="GR-133",
        title="distance from the phase of light",
        objects=(
            "gelenk.vision.depth_cameras.distance_from_phase",
            "gelenk.vision.depth_cameras.unambiguous_range",
            "gelenk.vision.depth_cameras.distance_from_two_phases",
        ),
        formula="d = c φ / 4π f, the same every c / 2f",
    ),
    Method(
        id="GR-134",
        title="laser scanner in a plane",
        objects=_sensing("laser_scanner.simulate_scan", "laser_scanner.merge_scans"),
        formula="p = (x, y) + r (cos(θ + α), sin(θ + α))",
    ),
    Method(
        id="GR-283",
        title="radar",
        objects=_sensing(
            "radar.range_doppler",
            "radar.distance_from_beat",
            "radar.doppler_shift",
            "radar.angle_from_phase",
        ),
        formula="d = c f_b / 2S; v = λ Δφ / 4π T_c; sin α = λ Δφ / 2π d_a",
        erratum="E-56: radar waves are far longer than light.",
    ),
)
