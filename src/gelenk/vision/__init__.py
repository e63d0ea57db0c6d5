"""Vision: cameras, images, and what can be found in them.

Pinhole cameras with distortion as in OpenCV (`Intrinsics`), filters, edges, regions,
chessboards, circles, spheres, and depth from two cameras. Images are arrays
(rows, columns) or (rows, columns, 3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.vision.camera import Intrinsics as Intrinsics
    from gelenk.vision.camera import project as project
    from gelenk.vision.camera import undistort as undistort
    from gelenk.vision.camera import unproject as unproject
    from gelenk.vision.chessboard import detect_chessboard as detect_chessboard
    from gelenk.vision.chessboard_pattern import ChessboardPattern as ChessboardPattern
    from gelenk.vision.circles import CircleCfg as CircleCfg
    from gelenk.vision.circles import find_circles as find_circles
    from gelenk.vision.edges import sobel as sobel
    from gelenk.vision.filters import apply_mask as apply_mask
    from gelenk.vision.filters import median_filter as median_filter
    from gelenk.vision.homography import apply_homography as apply_homography
    from gelenk.vision.homography import fit_homography as fit_homography
    from gelenk.vision.hough import hough_lines as hough_lines
    from gelenk.vision.image_types import hsi_from_rgb as hsi_from_rgb
    from gelenk.vision.image_types import luma_from_rgb as luma_from_rgb
    from gelenk.vision.recognition import match_template as match_template
    from gelenk.vision.segmentation import label_components as label_components
    from gelenk.vision.segmentation import otsu_threshold as otsu_threshold
    from gelenk.vision.shapes import shape_features as shape_features
    from gelenk.vision.sphere import sphere_image as sphere_image
    from gelenk.vision.sphere import triangulate_spheres as triangulate_spheres
    from gelenk.vision.stereo import depth_from_disparity as depth_from_disparity
    from gelenk.vision.stereo import disparity_image as disparity_image
    from gelenk.vision.subpixel import refine_corners as refine_corners

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
