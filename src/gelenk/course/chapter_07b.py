"""Chapter 7.2.2 of the course: images, from light to relations of objects."""

from __future__ import annotations

from gelenk.course.method import Method

_V = "gelenk.vision."

METHODS = (
    Method(
        id="GR-135",
        title="camera model with lens distortion, calibrated",
        objects=(
            _V + "camera.project",
            _V + "camera.undistort",
            "gelenk.calibration.camera_calibration.calibrate_camera",
        ),
        formula="s (u, v, 1) = K [R | t] (X, 1); h1^T B h2 = 0, B = K^-T K^-1",
    ),
    Method(
        id="GR-136",
        title="brightness as light times reflectance",
        objects=(
            _V + "filters.brightness",
            _V + "filters.absorptance",
            _V + "filters.split_brightness",
        ),
        formula="f*(x, y) = i(x, y) r(x, y), 0 < r < 1, a = 1 - r",
        erratum="E-23: light that falls on a surface has the unit lux, not candela",
    ),
    Method(
        id="GR-137",
        title="images as matrices of several types",
        objects=(
            _V + "image_types.ImageFormat",
            _V + "image_types.image_kind",
            _V + "image_types.quantized",
        ),
        formula="f has M rows and N columns; (2^8)^3 = 16 777 216 colours",
    ),
    Method(
        id="GR-138",
        title="colour to hue, saturation, intensity",
        objects=(_V + "image_types.hsi_from_rgb",),
        formula=(
            "cos H = (2R - G - B) / (2 sqrt((R - G)^2 + (R - B)(G - B))), "
            "S = 1 - 3 min / (R + G + B), I = (R + G + B) / 3"
        ),
        erratum=(
            "E-25: HSI is not HSV, where V is the greatest channel; hue is 360 deg - H "
            "for B > G, and gray has none"
        ),
    ),
    Method(
        id="GR-139",
        title="operators on pixel neighbourhoods",
        objects=(_V + "filters.apply_operator", _V + "filters.neighborhoods"),
        formula="g(x, y) = h(f around (x, y)), x down, y to the right",
    ),
    Method(
        id="GR-140",
        title="filtering in the frequency domain",
        objects=(
            _V + "filters.filter_frequencies",
            _V + "filters.mask_response",
            _V + "filters.butterworth_response",
        ),
        formula="F(w * f) = F(w) F(f)",
    ),
    Method(
        id="GR-141",
        title="smoothing by weighted masks",
        objects=(
            _V + "filters.apply_mask",
            _V + "filters.smooth_weighted",
            _V + "filters.mean_mask",
        ),
        formula="g = sum_k w_k f_k, sum w = 1",
        erratum="E-24: only smoothing masks sum to 1, those of differences to 0",
    ),
    Method(
        id="GR-142",
        title="mask that finds lone outliers",
        objects=(_V + "filters.lone_outliers", _V + "filters.apply_mask"),
        formula="|8 f - sum of the eight around| > threshold",
    ),
    Method(
        id="GR-143",
        title="smoothing by the median",
        objects=(_V + "filters.median_filter",),
        formula="g = median of the neighbourhood",
    ),
    Method(
        id="GR-144",
        title="image derivatives by differences",
        objects=(_V + "edges.central_difference", _V + "edges.forward_difference"),
        formula="f(x + 1) - f(x); (f(x + 1) - f(x - 1)) / 2",
    ),
    Method(
        id="GR-145",
        title="edges by the Prewitt operator",
        objects=(_V + "edges.prewitt", _V + "edges.Gradient"),
        formula="p_x = [-1 -1 -1; 0 0 0; 1 1 1], M = sqrt(p_x^2 + p_y^2)",
    ),
    Method(
        id="GR-146",
        title="edges by the Sobel operator",
        objects=(_V + "edges.sobel", _V + "edges.Gradient"),
        formula="p_x = [-1 -2 -1; 0 0 0; 1 2 1], M = sqrt(p_x^2 + p_y^2)",
    ),
    Method(
        id="GR-147",
        title="edges by the Roberts operator",
        objects=(_V + "edges.roberts",),
        formula="R = |f(x+1, y+1) - f(x, y)| + |f(x+1, y) - f(x, y+1)|",
    ),
    Method(
        id="GR-148",
        title="bright and dark side of an edge",
        objects=(_V + "edges.edge_side", _V + "edges.second_difference"),
        formula="f(x + 1) - 2 f(x) + f(x - 1) > 0: dark side",
        erratum="E-26: the second difference is positive on the dark side",
    ),
    Method(
        id="GR-149",
        title="edge pixels linked into contours",
        objects=(_V + "edges.link_edges", _V + "edges.crests"),
        formula="||grad f| - |grad f~|| <= T and |angle - angle~| < A",
        erratum="E-28: magnitudes are compared, and angles by atan2, modulo 2 pi",
    ),
    Method(
        id="GR-150",
        title="straight lines by Hough voting",
        objects=(
            _V + "hough.hough_lines",
            _V + "hough.vote_lines",
            _V + "hough.vote_slopes",
        ),
        formula="x cos(theta) + y sin(theta) = rho; b = -x a + y",
    ),
    Method(
        id="GR-151",
        title="circles and other curves by Hough voting",
        objects=(
            _V + "hough.vote_circles",
            _V + "hough.vote_curve",
            _V + "circles.find_circles",
        ),
        formula="g(x, y, c) = 0; (x - c1)^2 + (y - c2)^2 = c3^2",
    ),
    Method(
        id="GR-152",
        title="segmentation by fixed or adaptive threshold",
        objects=(
            _V + "segmentation.threshold_classes",
            _V + "segmentation.valley_threshold",
            _V + "segmentation.otsu_threshold",
            _V + "segmentation.adaptive_threshold",
        ),
        formula="f < t1: 0, t1 <= f < t2: 1, f >= t2: 2",
        erratum="E-27: with strict signs a pixel on a threshold had no class",
    ),
    Method(
        id="GR-153",
        title="regions grown, split and merged",
        objects=(
            _V + "segmentation.grow_regions",
            _V + "segmentation.split_and_merge",
            _V + "segmentation.label_components",
        ),
        formula="add neighbours n with |f(n) - f(p)| <= T",
    ),
    Method(
        id="GR-154",
        title="shape features invariant to pose",
        objects=(
            _V + "shapes.shape_features",
            _V + "shapes.hu_moments",
            _V + "shapes.euler_number",
        ),
        formula="A = sum g, eta_pq = mu_pq / mu_00^(1 + (p + q) / 2)",
    ),
    Method(
        id="GR-155",
        title="objects classified by features or templates",
        objects=(
            _V + "recognition.NearestNeighbor",
            _V + "recognition.match_template",
            _V + "recognition.confusion_matrix",
        ),
        formula="argmin |x - x_k|; c = <f, t> / (|f| |t|), means removed",
    ),
    Method(
        id="GR-156",
        title="spatial relations in a scene",
        objects=(
            _V + "recognition.relations",
            _V + "recognition.scene_objects",
        ),
        formula="(object, relation, object)",
    ),
    Method(
        id="GR-288",
        title="hue, saturation, intensity back to colour",
        objects=(_V + "image_types.rgb_from_hsi",),
        formula=(
            "x = I (1 - S), y = I (1 + S cos h / cos(60 deg - h)), z = 3 I - x - y, "
            "h = H modulo 120 deg"
        ),
    ),
)
