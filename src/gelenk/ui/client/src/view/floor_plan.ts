/** The floor as triangles: tiles, paint and the edge, by their corners. */

import type { Floor, Rgba, Vec3 } from "../protocol";

export const EDGE = 0.03; // m, thickness of the plate
const MAX_TILES = 20_000; // more are drawn as one area

export interface Sheet {
  /** x, y of the corners of triangles. */
  readonly corners: Float32Array;
  /** Whether each corner belongs to a dark tile. */
  readonly isDark: Uint8Array;
}

/** Returns the tiles of the checkerboard, two triangles each. */
export function tiles(floor: Floor): Sheet {
  const [x0, y0] = floor.low;
  const [x1, y1] = floor.high;
  let edge = floor.tile > 0 ? floor.tile : Infinity;
  const count = Math.ceil((x1 - x0) / edge - 1e-9) * Math.ceil((y1 - y0) / edge - 1e-9);
  if (!(count <= MAX_TILES)) edge = Infinity;
  const corners: number[] = [];
  const isDark: number[] = [];
  for (let i = 0, x = x0; x < x1 - 1e-9; i += 1, x = x0 + i * edge)
    for (let j = 0, y = y0; y < y1 - 1e-9; j += 1, y = y0 + j * edge) {
      const right = Math.min(x + edge, x1);
      const far = Math.min(y + edge, y1);
      corners.push(x, y, right, y, right, far, x, y, right, far, x, far);
      isDark.push(...new Array<number>(6).fill((i + j) % 2));
    }
  return { corners: Float32Array.from(corners), isDark: Uint8Array.from(isDark) };
}

/** Twice the signed area of a polygon x, y, x, y, ... */
function doubleArea(points: readonly number[]): number {
  let sum = 0;
  const n = points.length / 2;
  for (let i = 0; i < n; i += 1) {
    const k = (i + 1) % n;
    sum += points[2 * i]! * points[2 * k + 1]! - points[2 * k]! * points[2 * i + 1]!;
  }
  return sum;
}

/** Cuts a simple polygon x, y, x, y, ... into triangles, by the numbers of its corners. */
export function triangulate(points: readonly number[]): number[] {
  const n = Math.floor(points.length / 2);
  let left = Array.from({ length: n }, (_, i) => i);
  if (doubleArea(points) < 0) left.reverse();
  const cross = (a: number, b: number, c: number) =>
    (points[2 * b]! - points[2 * a]!) * (points[2 * c + 1]! - points[2 * a + 1]!) -
    (points[2 * b + 1]! - points[2 * a + 1]!) * (points[2 * c]! - points[2 * a]!);
  const triangles: number[] = [];
  while (left.length > 3) {
    const size = left.length;
    const ear = left.findIndex((b, i) => {
      const a = left[(i + size - 1) % size]!;
      const c = left[(i + 1) % size]!;
      if (cross(a, b, c) <= 0) return false;
      return left.every(
        (p) =>
          p === a || p === b || p === c ||
          cross(a, b, p) < 0 || cross(b, c, p) < 0 || cross(c, a, p) < 0,
      );
    });
    // No ear: corners on one line, or a polygon that crosses itself. Any corner goes.
    const i = Math.max(ear, 0);
    if (ear >= 0)
      triangles.push(left[(i + size - 1) % size]!, left[i]!, left[(i + 1) % size]!);
    left = left.filter((_, k) => k !== i);
  }
  if (left.length === 3 && cross(left[0]!, left[1]!, left[2]!) > 0) triangles.push(...left);
  return triangles;
}

export interface Paint {
  readonly corners: Float32Array;
  readonly rgba: Rgba;
}

/** Returns the triangles of the paint, patch by patch. */
export function paints(floor: Floor): Paint[] {
  return floor.patches.map((patch) => ({
    corners: Float32Array.from(
      triangulate(patch.corners).flatMap((i) => [patch.corners[2 * i]!, patch.corners[2 * i + 1]!]),
    ),
    rgba: patch.rgba,
  }));
}

/** Middle and size of the plate under the tiles. */
export function plate(floor: Floor): { middle: Vec3; size: Vec3 } {
  const [x0, y0] = floor.low;
  const [x1, y1] = floor.high;
  return {
    middle: [(x0 + x1) / 2, (y0 + y1) / 2, -EDGE / 2],
    size: [x1 - x0, y1 - y0, EDGE],
  };
}
