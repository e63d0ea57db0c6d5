/**
 * A camera on a sphere around its focus; z is up in the picture. Every move returns a
 * new camera. Movements of the mouse are in pixels, x to the right and y downwards.
 */

import type { Vec3 } from "../protocol";

export const ORBIT_RATE = 0.008; // rad/px
export const ZOOM_RATE = 0.006; // 1/px, of the logarithm of the distance
export const MAX_ELEVATION = (89 / 180) * Math.PI; // above, "up" would be lost
export const MIN_DISTANCE = 0.05; // m
export const MAX_DISTANCE = 200;
export const MAX_FOCUS = 1000; // m, from the origin along x and y
export const FOV = (36 / 180) * Math.PI; // rad, vertical
const FILLED = 0.85; // share of the picture that `fit` fills

export interface Orbit {
  /** The point in the middle of the picture [m]. */
  readonly focus: Vec3;
  /** From the focus to the eye [m]. */
  readonly distance: number;
  /** Direction from the focus to the eye, counter-clockwise from +x [rad]. */
  readonly azimuth: number;
  /** Of the eye above the focus [rad]. */
  readonly elevation: number;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The same angle within -pi to pi. */
export function wrap(angle: number): number {
  const turn = 2 * Math.PI;
  return angle - turn * Math.round(angle / turn);
}

/** Turns about the focus: what is seen follows the mouse. */
export function orbit(camera: Orbit, dx: number, dy: number): Orbit {
  return {
    ...camera,
    azimuth: wrap(camera.azimuth - ORBIT_RATE * dx),
    elevation: clamp(camera.elevation + ORBIT_RATE * dy, -MAX_ELEVATION, MAX_ELEVATION),
  };
}

/** Moves the focus in x and y: the floor follows the mouse. `height` of the view [px]. */
export function pan(camera: Orbit, dx: number, dy: number, height: number): Orbit {
  const cos = Math.cos(camera.azimuth);
  const sin = Math.sin(camera.azimuth);
  const step = (2 * Math.tan(FOV / 2) * camera.distance) / Math.max(height, 1);
  // The floor is seen slantwise; near the horizon it would run away.
  const slant = 1 / Math.max(Math.abs(Math.sin(camera.elevation)), 0.35);
  const right = -step * dx;
  const ahead = step * slant * dy;
  const [x, y, z] = camera.focus;
  return {
    ...camera,
    focus: [
      clamp(x - right * sin - ahead * cos, -MAX_FOCUS, MAX_FOCUS),
      clamp(y + right * cos - ahead * sin, -MAX_FOCUS, MAX_FOCUS),
      z,
    ],
  };
}

/** Goes farther away for a mouse that moves down, nearer for up. */
export function zoom(camera: Orbit, dy: number): Orbit {
  return scale(camera, Math.exp(clamp(ZOOM_RATE * dy, -50, 50)));
}

/** Goes farther away by a factor. */
export function scale(camera: Orbit, factor: number): Orbit {
  return { ...camera, distance: clamp(camera.distance * factor, MIN_DISTANCE, MAX_DISTANCE) };
}

/** Direction from the focus to the eye. */
export function outward(camera: Orbit): Vec3 {
  const flat = Math.cos(camera.elevation);
  return [
    flat * Math.cos(camera.azimuth),
    flat * Math.sin(camera.azimuth),
    Math.sin(camera.elevation),
  ];
}

/** Where the eye is [m]. */
export function eyeOf(camera: Orbit): Vec3 {
  const [x, y, z] = outward(camera);
  const { focus, distance } = camera;
  return [focus[0] + distance * x, focus[1] + distance * y, focus[2] + distance * z];
}

/** The camera at an eye that looks at a focus. */
export function lookAt(eye: readonly number[], focus: readonly number[]): Orbit {
  const [dx, dy, dz] = [eye[0]! - focus[0]!, eye[1]! - focus[1]!, eye[2]! - focus[2]!];
  const distance = Math.hypot(dx, dy, dz);
  const flat = Math.hypot(dx, dy);
  return {
    focus: [focus[0]!, focus[1]!, focus[2]!],
    distance: clamp(distance, MIN_DISTANCE, MAX_DISTANCE),
    azimuth: flat > 1e-9 ? Math.atan2(dy, dx) : -Math.PI / 2,
    elevation: clamp(Math.atan2(dz, flat), -MAX_ELEVATION, MAX_ELEVATION),
  };
}

/** The camera that sees all points from a direction and has them large, in the middle. */
export function fit(
  points: readonly number[],
  direction: { readonly azimuth: number; readonly elevation: number },
  aspect: number,
): Orbit {
  const { azimuth, elevation } = direction;
  const start: Orbit = { focus: [0, 0, 0], distance: 3, azimuth, elevation };
  if (points.length < 3) return start;
  const axes = axesOf(start);
  const along = (k: number, i: number) =>
    axes[k]![0] * points[i]! + axes[k]![1] * points[i + 1]! + axes[k]![2] * points[i + 2]!;
  const tall = FILLED * Math.tan(FOV / 2);
  const wide = tall * Math.max(aspect, 0.1);
  // Every side of the picture is a plane through the eye that no point may cross; with
  // x, y, z along the axes: x + wide z <= eye x + wide eye z, and so on.
  let [right, left, top, bottom] = [-Infinity, -Infinity, -Infinity, -Infinity];
  let [near, far] = [-Infinity, Infinity];
  for (let i = 0; i + 2 < points.length; i += 3) {
    const [x, y, z] = [along(0, i), along(1, i), along(2, i)];
    right = Math.max(right, x + wide * z);
    left = Math.max(left, -x + wide * z);
    top = Math.max(top, y + tall * z);
    bottom = Math.max(bottom, -y + tall * z);
    near = Math.max(near, z);
    far = Math.min(far, z);
  }
  const middle = (near + far) / 2;
  const eye = Math.max((right + left) / (2 * wide), (top + bottom) / (2 * tall));
  const seen = [(right - left) / 2, (top - bottom) / 2, middle];
  const focus = [0, 1, 2].map((j) => axes.reduce((sum, axis, k) => sum + axis[j]! * seen[k]!, 0));
  const distance = clamp(eye - middle, 4 * MIN_DISTANCE, MAX_DISTANCE);
  return { ...start, focus: focus as Vec3, distance };
}

/** Axes of the picture in the world: right, up, towards the eye. */
export function axesOf(camera: Orbit): [Vec3, Vec3, Vec3] {
  const ca = Math.cos(camera.azimuth);
  const sa = Math.sin(camera.azimuth);
  const ce = Math.cos(camera.elevation);
  const se = Math.sin(camera.elevation);
  return [
    [-sa, ca, 0],
    [-se * ca, -se * sa, ce],
    [ce * ca, ce * sa, se],
  ];
}

/** The way from one camera to another, `share` 0 to 1, the shorter way round. */
export function between(from: Orbit, to: Orbit, share: number): Orbit {
  const s = share <= 0 ? 0 : share >= 1 ? 1 : share * share * (3 - 2 * share);
  if (s === 1) return to;
  const mix = (a: number, b: number) => a + s * (b - a);
  return {
    focus: [0, 1, 2].map((k) => mix(from.focus[k]!, to.focus[k]!)) as Vec3,
    distance: from.distance * Math.pow(to.distance / from.distance, s),
    azimuth: wrap(from.azimuth + s * wrap(to.azimuth - from.azimuth)),
    elevation: mix(from.elevation, to.elevation),
  };
}

/** Directions of the preset views. */
export const PRESETS = {
  top: { azimuth: -Math.PI / 2, elevation: MAX_ELEVATION },
  front: { azimuth: -Math.PI / 2, elevation: 0.12 },
  side: { azimuth: 0, elevation: 0.12 },
} as const;
