/** Lines of a width in pixels, as triangles that face the eye. */

import type { Vec3 } from "../protocol";

/** From where lines are looked at. */
export interface Sightline {
  readonly eye: Vec3;
  /** Metres per pixel at a distance of one metre. */
  readonly pixel: number;
}

/**
 * Writes the two borders of a line.
 *
 * @param out Corners: left, right of every point, x, y, z each.
 * @param points x, y, z of the points.
 * @param count Number of points.
 * @param width Of the line [px].
 */
export function writeRibbon(
  out: Float32Array,
  points: ArrayLike<number>,
  count: number,
  width: number,
  { eye, pixel }: Sightline,
): void {
  for (let i = 0; i < count; i += 1) {
    const a = 3 * Math.max(i - 1, 0);
    const b = 3 * Math.min(i + 1, count - 1);
    const p = 3 * i;
    const tx = points[b]! - points[a]!;
    const ty = points[b + 1]! - points[a + 1]!;
    const tz = points[b + 2]! - points[a + 2]!;
    const vx = eye[0] - points[p]!;
    const vy = eye[1] - points[p + 1]!;
    const vz = eye[2] - points[p + 2]!;
    let nx = ty * vz - tz * vy;
    let ny = tz * vx - tx * vz;
    let nz = tx * vy - ty * vx;
    const length = Math.hypot(nx, ny, nz);
    const half = length > 1e-12 ? (0.5 * width * pixel * Math.hypot(vx, vy, vz)) / length : 0;
    nx *= half;
    ny *= half;
    nz *= half;
    const o = 6 * i;
    out[o] = points[p]! + nx;
    out[o + 1] = points[p + 1]! + ny;
    out[o + 2] = points[p + 2]! + nz;
    out[o + 3] = points[p]! - nx;
    out[o + 4] = points[p + 1]! - ny;
    out[o + 5] = points[p + 2]! - nz;
  }
}

/** Numbers of the corners of a ribbon of so many points, from a first corner on. */
export function ribbonTriangles(count: number, first = 0): number[] {
  const triangles: number[] = [];
  for (let i = 0; i + 1 < count; i += 1) {
    const a = first + 2 * i;
    triangles.push(a, a + 1, a + 2, a + 1, a + 3, a + 2);
  }
  return triangles;
}

/** The last places of a point, oldest first; standing still adds nothing. */
export class Trail {
  /** x, y, z of the points, oldest first. */
  readonly points: Float32Array;
  count = 0;

  constructor(
    readonly capacity = 300,
    private readonly step = 0.006, // m, between two points
  ) {
    this.points = new Float32Array(3 * capacity);
  }

  /** Takes in where the point is; returns whether the trail changed. */
  push(x: number, y: number, z: number): boolean {
    const { points } = this;
    const last = 3 * (this.count - 1);
    if (this.count > 0) {
      const way = Math.hypot(x - points[last]!, y - points[last + 1]!, z - points[last + 2]!);
      if (way < this.step) return false;
    }
    if (this.count === this.capacity) {
      points.copyWithin(0, 3);
      this.count -= 1;
    }
    points.set([x, y, z], 3 * this.count);
    this.count += 1;
    return true;
  }

  clear(): void {
    this.count = 0;
  }
}
