"""Chapters 1 and 2 of the course with appendices A and B: rates, rotations, poses."""

from __future__ import annotations

from gelenk.course.method import Method

_S = "gelenk.spatial."


def _spatial(*names: str) -> tuple[str, ...]:
    return tuple(_S + name for name in names)


METHODS = (
    Method(
        id="GR-01",
        title="executive that senses, plans and acts at different rates",
        objects=(
            "gelenk.behavior.executive.run_executive",
            "gelenk.runtime.lockstep.Lockstep",
        ),
        formula="release k of stage i: t = o_i + k T_i; load U = Σ C_i / T_i ≤ 1",
    ),
    Method(
        id="GR-02",
        title="small vector algebra with skew matrices",
        objects=_spatial("vectors.skew", "vectors.unskew", "vectors.cross"),
        formula="a × b = S(a) b, S(a)ᵀ = -S(a)",
    ),
    Method(
        id="GR-03",
        title="point moved by rotation and shift",
        objects=_spatial("se3.transform_point", "se3.transform_vector"),
        formula="ᴬp = ᴬR_B ᴮp + ᴬt_B; free vectors: ᴬv = ᴬR_B ᴮv",
    ),
    Method(
        id="GR-04",
        title="rotation check and nearest rotation",
        objects=_spatial("so3.is_rotation", "so3.orthonormalize"),
        formula="RᵀR = 1, det R = 1; nearest: U diag(1, 1, det UVᵀ) Vᵀ of M = U Σ Vᵀ",
    ),
    Method(
        id="GR-05",
        title="rotations about the coordinate axes",
        objects=_spatial("so3.rot_x", "so3.rot_y", "so3.rot_z"),
        formula="R(z; α) = [[cos α, -sin α, 0], [sin α, cos α, 0], [0, 0, 1]]",
    ),
    Method(
        id="GR-06",
        title="rotation sequences about fixed or moving axes",
        objects=_spatial("so3.chain"),
        formula="fixed axes: R_n ··· R_2 R_1; moving axes: R_1 R_2 ··· R_n",
    ),
    Method(
        id="GR-07",
        title="rotation matrix from roll, pitch and yaw",
        objects=_spatial("euler.matrix_from_rpy"),
        formula="R = R(z; rz) R(y; ry) R(x; rx)",
        erratum=(
            "E-02: §2.3.3 calls the turn about x yaw and the turn about z roll, as for "
            "grippers; aircraft say it the other way round. Gelenk names the axes."
        ),
    ),
    Method(
        id="GR-08",
        title="roll, pitch, yaw from a rotation matrix",
        objects=_spatial("euler.rpy_from_matrix"),
        formula=(
            "ry = atan2(-R₃₁, √(R₁₁² + R₂₁²)), rx = atan2(R₃₂, R₃₃), "
            "rz = atan2(R₂₁, R₁₁)"
        ),
        erratum="E-01: the angle about x comes from R₃₂ and R₃₃, not from R₂₃.",
    ),
    Method(
        id="GR-09",
        title="ZYZ Euler angles in both directions",
        objects=_spatial("euler.matrix_from_euler", "euler.euler_from_matrix"),
        formula="R = R(z; α) R(y; β) R(z; γ); β = atan2(±√(R₃₁² + R₃₂²), R₃₃)",
    ),
    Method(
        id="GR-10",
        title="all twelve Euler sequences, intrinsic and extrinsic",
        objects=_spatial("euler.matrix_from_euler", "euler.euler_from_matrix"),
        formula="intrinsic A-B-C (α, β, γ) = extrinsic C-B-A (γ, β, α)",
        erratum=(
            "E-03: R(z;α) R(y;β) R(x;γ), called X-Y-Z in §2.3.3, is the intrinsic "
            "Z-Y-X sequence (fixed axes: X-Y-Z)."
        ),
    ),
    Method(
        id="GR-11",
        title="homogeneous transforms built, applied, composed",
        objects=_spatial("se3.pose_from_rotation_translation", "se3.compose"),
        formula="ᴬT_C = ᴬT_B ᴮT_C, T = [[R, t], [0, 1]]",
    ),
    Method(
        id="GR-12",
        title="inverse of a transform without solving",
        objects=_spatial("se3.inverse"),
        formula="T⁻¹ = [[Rᵀ, -Rᵀ t], [0, 1]]",
    ),
    Method(
        id="GR-13",
        title="arithmetic of quaternions",
        objects=_spatial(
            "quaternion.multiply", "quaternion.conjugate", "quaternion.inverse"
        ),
        formula="p q = (p₀q₀ - p·q, p₀ q + q₀ p + p × q); q⁻¹ = q* / |q|²",
    ),
    Method(
        id="GR-14",
        title="quaternion to matrix and back",
        objects=_spatial(
            "quaternion.matrix_from_quaternion", "quaternion.quaternion_from_matrix"
        ),
        formula="R = (q₀² - qᵀq) 1 + 2 q qᵀ + 2 q₀ S(q)",
    ),
    Method(
        id="GR-15",
        title="rotations chained and applied as quaternions",
        objects=_spatial("quaternion.rotate", "quaternion.multiply"),
        formula="(0, p') = q (0, p) q*; first q₁, then q₂: q₂ q₁",
    ),
    Method(
        id="GR-16",
        title="conversions, slerp and integration of rotations",
        objects=_spatial(
            "quaternion.slerp",
            "quaternion.integrate",
            "rotation_forms.convert_rotation",
        ),
        formula="slerp = (sin((1-s)Ω) q₀ + sin(sΩ) q₁) / sin Ω; q̇ = ½ (0, ω) q",
    ),
    Method(
        id="GR-17",
        title="rotation matrix from axis and angle",
        objects=_spatial("so3.rotation_about", "so3.exp"),
        formula="R = 1 + sin θ S(u) + (1 - cos θ) S(u)²",
    ),
    Method(
        id="GR-18",
        title="axis and angle of a rotation matrix",
        objects=_spatial("rotation_forms.axis_angle_from_matrix", "so3.log"),
        formula="θ = atan2(|a|, tr R - 1), a = (R₃₂-R₂₃, R₁₃-R₃₁, R₂₁-R₁₂), u = a/|a|",
    ),
)
