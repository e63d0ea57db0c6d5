/** Arms as rods and balls in space, and how these look from somewhere. */

import type { ArmBody, Pose } from "./service";

export type Point = readonly [number, number, number];

export interface Rod {
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
  /** Index of the body it belongs to. */
  readonly body: number;
  readonly kind: "rod" | "motor" | "slide";
}

/** Turns a point by a quaternion qw, qx, qy, qz. */
export function turned(quaternion: readonly number[], point: readonly number[]): Point {
  const [w = 1, x = 0, y = 0, z = 0] = quaternion;
  const [a = 0, b = 0, c = 0] = point;
  const u = 2 * (y * c - z * b);
  const v = 2 * (z * a - x * c);
  const t = 2 * (x * b - y * a);
  return [
    a + w * u + (y * t - z * v),
    b + w * v + (z * u - x * t),
    c + w * t + (x * v - y * u),
  ];
}

/** Takes a point of a body to where the body is. */
export function placed(pose: Pose, point: readonly number[]): Point {
  const [x, y, z] = turned(pose.slice(3), point);
  return [x + pose[0]!, y + pose[1]!, z + pose[2]!];
}

/** Pose of a robot's body in the world, from x, y [m] and heading [rad] of a file. */
export function basePose(place: readonly [number, number, number]): Pose {
  const half = 0.5 * (place[2] + Math.PI / 2);
  return [place[0], place[1], 0, Math.cos(half), 0, 0, Math.sin(half)];
}

/** Takes a point of the world into a body: the inverse of `placed`. */
export function seenFrom(pose: Pose, point: readonly number[]): Point {
  const [w = 1, x = 0, y = 0, z = 0] = pose.slice(3);
  const away = [0, 1, 2].map((k) => point[k]! - pose[k]!);
  return turned([w, -x, -y, -z], away);
}

/** The rods of an arm whose bodies are at some poses. */
export function rodsOf(bodies: readonly ArmBody[], poses: readonly Pose[]): Rod[] {
  const rods: Rod[] = [];
  bodies.forEach((body, index) => {
    const pose = poses[index];
    if (!pose) return;
    for (const { shape, size, position, quaternion } of body.shapes) {
      const [radius = 0.005, length = 0] = size;
      const half = turned(quaternion, [0, 0, shape === "sphere" ? 0 : 0.5 * length]);
      const [x = 0, y = 0, z = 0] = position;
      rods.push({
        from: placed(pose, [x - half[0], y - half[1], z - half[2]]),
        to: placed(pose, [x + half[0], y + half[1], z + half[2]]),
        radius,
        body: index,
        kind: shape === "capsule" ? "rod" : "motor",
      });
    }
    const parent = poses[body.parent];
    if (body.joint === "slide" && parent) {
      const [from, to] = [placed(parent, [0, 0, 0]), placed(pose, [0, 0, 0])];
      rods.push({ from, to, radius: 0.006, body: index, kind: "slide" });
    }
  });
  return rods;
}

/** Where one looks from: angles [rad]. */
export interface Look {
  readonly azimuth: number;
  readonly elevation: number;
}

/** Right, up and depth of a point, without perspective; depth grows towards the eye. */
export function seen(look: Look, point: readonly number[]): Point {
  const [x = 0, y = 0, z = 0] = point;
  const [ca, sa] = [Math.cos(look.azimuth), Math.sin(look.azimuth)];
  const [ce, se] = [Math.cos(look.elevation), Math.sin(look.elevation)];
  const forth = x * ca + y * sa;
  return [y * ca - x * sa, z * ce - forth * se, forth * ce + z * se];
}

/** Middle and radius of a ball around all ends of rods, the floor below included. */
export function ballAround(rods: readonly Rod[]): { middle: Point; radius: number } {
  const low = [-0.1, -0.1, 0];
  const high = [0.1, 0.1, 0.1];
  for (const rod of rods)
    for (const point of [rod.from, rod.to])
      for (let k = 0; k < 3; k += 1) {
        low[k] = Math.min(low[k]!, point[k]! - rod.radius);
        high[k] = Math.max(high[k]!, point[k]! + rod.radius);
      }
  const middle = [0, 1, 2].map((k) => 0.5 * (low[k]! + high[k]!));
  const radius = 0.5 * Math.hypot(...[0, 1, 2].map((k) => high[k]! - low[k]!));
  return { middle: [middle[0]!, middle[1]!, middle[2]!], radius };
}
