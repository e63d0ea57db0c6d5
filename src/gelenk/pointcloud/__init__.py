"""Point clouds: files, search trees, filters, planes, registration, surfaces.

The way in is `PointCloud` with `load_cloud`, `KdTree` for neighbours, `align_clouds`
for registration and `find_planes` for segmentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.pointcloud.cloud import PointCloud as PointCloud
    from gelenk.pointcloud.files import load_cloud as load_cloud
    from gelenk.pointcloud.files import save_cloud as save_cloud
    from gelenk.pointcloud.filters import are_inliers as are_inliers
    from gelenk.pointcloud.filters import estimate_normals as estimate_normals
    from gelenk.pointcloud.filters import smooth_points as smooth_points
    from gelenk.pointcloud.kd_tree import KdTree as KdTree
    from gelenk.pointcloud.octree import Octree as Octree
    from gelenk.pointcloud.planes import find_planes as find_planes
    from gelenk.pointcloud.registration import align_clouds as align_clouds
    from gelenk.pointcloud.tsdf import TsdfVolume as TsdfVolume
    from gelenk.pointcloud.tsdf import iso_surface as iso_surface

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
