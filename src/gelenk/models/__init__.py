"""Robot models: what a robot is, and where its description comes from.

`load` reads the catalogue and files (URDF, MJCF); `Assembly` builds a robot from parts,
`model_from_dh` from Denavit-Hartenberg rows, `assemble` from links. Whatever the
source, the result is one immutable `RobotModel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.models import catalog as catalog
    from gelenk.models import parts as parts
    from gelenk.models.assembler import assemble as assemble
    from gelenk.models.dh import DhRow as DhRow
    from gelenk.models.dh import dh_matrix as dh_matrix
    from gelenk.models.dh import links_from_dh as links_from_dh
    from gelenk.models.dh import model_from_dh as model_from_dh
    from gelenk.models.dh_axes import dh_rows_from_axes as dh_rows_from_axes
    from gelenk.models.link import Geometry as Geometry
    from gelenk.models.link import JointType as JointType
    from gelenk.models.link import Link as Link
    from gelenk.models.link import Loop as Loop
    from gelenk.models.loader import load as load
    from gelenk.models.mjcf import load_mjcf as load_mjcf
    from gelenk.models.mjcf import model_from_mjcf as model_from_mjcf
    from gelenk.models.mjcf_write import mjcf_from_model as mjcf_from_model
    from gelenk.models.mjcf_write import save_mjcf as save_mjcf
    from gelenk.models.parts.assembly import Assembly as Assembly
    from gelenk.models.parts.tip import Tip as Tip
    from gelenk.models.tree import RobotModel as RobotModel
    from gelenk.models.urdf import load_urdf as load_urdf
    from gelenk.models.urdf import model_from_urdf as model_from_urdf
    from gelenk.models.urdf_write import save_urdf as save_urdf
    from gelenk.models.urdf_write import urdf_from_model as urdf_from_model

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
