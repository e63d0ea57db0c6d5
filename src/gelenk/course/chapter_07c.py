"""Chapter 7.2.3 of the course: sensing in space, and point clouds."""

from __future__ import annotations

from gelenk.course.method import Method

_V, _C = "gelenk.vision.", "gelenk.pointcloud."

METHODS = (
    Method(
        id="GR-157",
        title="depth from a stereo pair",
        objects=(
            _V + "stereo.depth_from_disparity",
            _V + "stereo.disparity_image",
            _V + "stereo.rectifying_rotations",
            _V + "stereo.semi_global_costs",
        ),
        formula="Z = B f / (x - x'), dZ = Z^2 dd / (B f)",
    ),
    Method(
        id="GR-158",
        title="depth from projected patterns",
        objects=(
            _V + "depth_cameras.decode_gray",
            _V + "depth_cameras.decode_phase",
            _V + "depth_cameras.triangulate_columns",
        ),
        formula=(
            "phi = atan2(-sum I_n sin(2 pi n / N), sum I_n cos(2 pi n / N)), "
            "X = d (n^T t) / (n^T d)"
        ),
    ),
    Method(
        id="GR-159",
        title="stereo aided by projected texture",
        objects=(
            _V + "depth_cameras.projected_texture",
            _V + "stereo.disparity_image",
        ),
        formula="Z = B f / d, texture by a projector that nobody calibrates",
    ),
    Method(
        id="GR-160",
        title="cameras measuring time of flight",
        objects=(
            _V + "depth_cameras.phase_from_samples",
            _V + "depth_cameras.distance_from_phase",
            _V + "depth_cameras.distance_from_gates",
            _V + "depth_cameras.distance_from_time",
        ),
        formula=(
            "phi = atan2(A4 - A2, A1 - A3), d = c phi / (4 pi f); "
            "d = c T / 2 Q2 / (Q1 + Q2)"
        ),
    ),
    Method(
        id="GR-161",
        title="laser scanning in space",
        objects=(
            _C + "laser_scan.nodding_directions",
            _C + "laser_scan.multi_beam_directions",
            _C + "laser_scan.cloud_from_ranges",
            _C + "laser_scan.colored_by_camera",
        ),
        formula="p = R_y(alpha) (r cos beta, r sin beta, 0) + t",
    ),
    Method(
        id="GR-162",
        title="point clouds stored, moved and joined",
        objects=(
            _C + "cloud.PointCloud",
            _C + "files.save_cloud",
            _C + "files.load_cloud",
        ),
        formula="p_new = R p_old + t",
    ),
    Method(
        id="GR-163",
        title="nearest neighbours by k-d tree",
        objects=(_C + "kd_tree.KdTree",),
        formula="halve across the widest side; skip boxes farther than the best",
        erratum=(
            "E-57: O(log n) holds on average and in few dimensions; the worst case "
            "looks at all points"
        ),
    ),
    Method(
        id="GR-164",
        title="space divided by an octree",
        objects=(_C + "octree.Octree",),
        formula="8 children or none, edge = size / 2^depth",
    ),
    Method(
        id="GR-165",
        title="surfaces fused as signed distances (TSDF)",
        objects=(
            _C + "tsdf.fuse_distance",
            _C + "tsdf.TsdfVolume",
            _C + "tsdf.HashedTsdf",
            _C + "tsdf.iso_surface",
        ),
        formula="D <- (W D + w d) / (W + w), d = clip(sdf / mu, -1, 1)",
        erratum="E-57: where D is zero is an iso-surface, not a line",
    ),
    Method(
        id="GR-166",
        title="outliers removed from point clouds",
        objects=(_C + "filters.are_inliers", _C + "filters.have_neighbors"),
        formula="mean distance of k neighbours <= mu + alpha sigma",
    ),
    Method(
        id="GR-167",
        title="point clouds smoothed by local polynomials",
        objects=(_C + "filters.smooth_points",),
        formula="min sum exp(-r^2 / h^2) (w(a, b) - height)^2, w of degree m",
        erratum="E-57: points move onto a polynomial surface, not a polygon",
    ),
    Method(
        id="GR-168",
        title="surface normals from neighbours",
        objects=(_C + "filters.estimate_normals", _C + "filters.estimate_surface"),
        formula="C n = l_min n, C = sum (p - p_)(p - p_)^T",
        erratum="E-57: the eigenvector of the smallest eigenvalue",
    ),
    Method(
        id="GR-169",
        title="planes found in point clouds",
        objects=(
            _C + "planes.find_planes",
            _C + "planes.samples_needed",
            _C + "planes.cut_clusters",
        ),
        formula="|n . p + d| < tau, N = log(1 - P) / log(1 - w^3)",
    ),
    Method(
        id="GR-170",
        title="point clouds aligned by closest points (ICP)",
        objects=(_C + "registration.align_clouds", _C + "registration.fit_rigid"),
        formula=(
            "H = sum (p - p_)(q - q_)^T = U S V^T, R = V diag(1, 1, det V U^T) U^T, "
            "t = q_ - R p_"
        ),
    ),
)
