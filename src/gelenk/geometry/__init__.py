"""Meshes and their pictures, plane polygons, support polygons, grasps of objects.

Polygons are arrays of corners, shape (n, 2), anticlockwise where a function returns
them. Grasps are judged by the wrenches that their contacts can exert.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.geometry.grasp import GraspContact as GraspContact
    from gelenk.geometry.grasp import GraspPose as GraspPose
    from gelenk.geometry.grasp import ObjectTemplate as ObjectTemplate
    from gelenk.geometry.grasp import contact_wrenches as contact_wrenches
    from gelenk.geometry.grasp import grasp_quality as grasp_quality
    from gelenk.geometry.grasp import is_force_closure as is_force_closure
    from gelenk.geometry.grasp import reachable_grasps as reachable_grasps
    from gelenk.geometry.hull import convex_hull as convex_hull
    from gelenk.geometry.hull import decompose as decompose
    from gelenk.geometry.mesh import Mesh as Mesh
    from gelenk.geometry.mesh_file import read_mesh as read_mesh
    from gelenk.geometry.polygon import contains as contains
    from gelenk.geometry.polygon import convex_pieces as convex_pieces
    from gelenk.geometry.polygon import find_crossing as find_crossing
    from gelenk.geometry.polygon import is_convex as is_convex
    from gelenk.geometry.polygon import signed_area as signed_area
    from gelenk.geometry.render import MeshInstance as MeshInstance
    from gelenk.geometry.render import render_meshes as render_meshes
    from gelenk.geometry.simplification import simplify as simplify
    from gelenk.geometry.solid_mass import mass_properties as mass_properties
    from gelenk.geometry.support_polygons import support_margin as support_margin
    from gelenk.geometry.support_polygons import support_polygon as support_polygon

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
