/** Rigid motions on flat arrays: poses x, y, z, qw, qx, qy, qz and matrices by columns. */

import type { Quat, Vec3 } from "../protocol";

export const POSE = 7; // numbers of a pose
export const MATRIX = 16;

/** Writes the matrix of a pose with stretched axes, by columns. */
export function composeMatrix(
  out: Float32Array | number[],
  at: number,
  position: readonly number[],
  quaternion: readonly number[],
  scale: readonly number[],
): void {
  const [w, x, y, z] = quaternion as Quat;
  const [sx, sy, sz] = scale as Vec3;
  out[at] = sx * (1 - 2 * (y * y + z * z));
  out[at + 1] = sx * 2 * (x * y + w * z);
  out[at + 2] = sx * 2 * (x * z - w * y);
  out[at + 3] = 0;
  out[at + 4] = sy * 2 * (x * y - w * z);
  out[at + 5] = sy * (1 - 2 * (x * x + z * z));
  out[at + 6] = sy * 2 * (y * z + w * x);
  out[at + 7] = 0;
  out[at + 8] = sz * 2 * (x * z + w * y);
  out[at + 9] = sz * 2 * (y * z - w * x);
  out[at + 10] = sz * (1 - 2 * (x * x + y * y));
  out[at + 11] = 0;
  out[at + 12] = position[0]!;
  out[at + 13] = position[1]!;
  out[at + 14] = position[2]!;
  out[at + 15] = 1;
}

/** Writes pose * local, where `poses` holds poses and `locals` matrices. */
export function placeMatrix(
  out: Float32Array,
  at: number,
  poses: Float32Array,
  pose: number,
  locals: Float32Array,
  local: number,
): void {
  const w = poses[pose + 3]!;
  const x = poses[pose + 4]!;
  const y = poses[pose + 5]!;
  const z = poses[pose + 6]!;
  const r00 = 1 - 2 * (y * y + z * z);
  const r01 = 2 * (x * y - w * z);
  const r02 = 2 * (x * z + w * y);
  const r10 = 2 * (x * y + w * z);
  const r11 = 1 - 2 * (x * x + z * z);
  const r12 = 2 * (y * z - w * x);
  const r20 = 2 * (x * z - w * y);
  const r21 = 2 * (y * z + w * x);
  const r22 = 1 - 2 * (x * x + y * y);
  for (let column = 0; column < 4; column += 1) {
    const from = local + 4 * column;
    const to = at + 4 * column;
    const a = locals[from]!;
    const b = locals[from + 1]!;
    const c = locals[from + 2]!;
    out[to] = r00 * a + r01 * b + r02 * c;
    out[to + 1] = r10 * a + r11 * b + r12 * c;
    out[to + 2] = r20 * a + r21 * b + r22 * c;
    out[to + 3] = 0;
  }
  out[at + 12]! += poses[pose]!;
  out[at + 13]! += poses[pose + 1]!;
  out[at + 14]! += poses[pose + 2]!;
  out[at + 15] = 1;
}

/** Rotates a vector by a quaternion (w, x, y, z). */
export function rotate(q: readonly number[], v: readonly number[]): Vec3 {
  const [w, x, y, z] = q as Quat;
  const [a, b, c] = v as Vec3;
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  return [
    a + w * tx + y * tz - z * ty,
    b + w * ty + z * tx - x * tz,
    c + w * tz + x * ty - y * tx,
  ];
}

/** Product of two quaternions (w, x, y, z). */
export function multiply(p: readonly number[], q: readonly number[]): Quat {
  const [a, b, c, d] = p as Quat;
  const [w, x, y, z] = q as Quat;
  return [
    a * w - b * x - c * y - d * z,
    a * x + b * w + c * z - d * y,
    a * y - b * z + c * w + d * x,
    a * z + b * y - c * x + d * w,
  ];
}

/** Turns about the fixed axes x, y, z [rad] that give a quaternion. */
export function rollPitchYaw(q: readonly number[]): Vec3 {
  const [w, x, y, z] = q as Quat;
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - x * z)));
  if (Math.abs(sine) > 1 - 1e-9) {
    // Only the sum of roll and yaw counts here; all of it is called yaw.
    return [0, Math.sign(sine) * (Math.PI / 2), Math.atan2(-2 * (x * y - w * z), 1 - 2 * (x * x + z * z))];
  }
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sine),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

/** Quaternion that takes z to a direction; the direction need not have length 1. */
export function turnFromZ(direction: readonly number[]): Quat {
  const [x, y, z] = direction as Vec3;
  const length = Math.hypot(x, y, z);
  if (length < 1e-12) return [1, 0, 0, 0];
  const w = 1 + z / length;
  if (w < 1e-9) return [0, 1, 0, 0];
  const a = -y / length;
  const b = x / length;
  const norm = Math.hypot(w, a, b);
  return [w / norm, a / norm, b / norm, 0];
}
