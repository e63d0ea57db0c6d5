/** From the bodies of a scene to pieces that are drawn together where they are alike. */

import type { Body, Quat, Rgba, Shape, Vec3 } from "../protocol";
import { MATRIX, composeMatrix, multiply, placeMatrix, POSE, rotate } from "./pose";

/** How light falls on a piece. */
export type Finish = "paint" | "metal" | "plastic" | "matte";

/** A stretched unit solid on a body. */
export interface Piece {
  /** Pieces of one form share their corners; see `Batch.form`. */
  readonly form: string;
  readonly body: number;
  readonly finish: Finish;
  /** sRGB, 0 to 1. */
  readonly rgba: Rgba;
  /** Pose on the body and size, a matrix by columns. */
  readonly local: readonly number[];
}

/** Pieces of one form and look; translucent ones have one opacity. */
export interface Batch {
  /**
   * "box", "sphere", "cap" (half a ball towards z), "cylinder", "tube" (without lids), "plane" of unit size, or
   * a key of `Pieces.bundles`.
   */
  readonly form: string;
  readonly finish: Finish;
  readonly isSolid: boolean;
  readonly pieces: readonly Piece[];
}

/** A mesh on a body. */
export interface MeshPart {
  /** Names of the mesh, of the same with few triangles, of its texture; these may be empty. */
  readonly mesh: string;
  readonly coarse: string;
  readonly texture: string;
  /** sRGB, 0 to 1; what the mesh says of colours is multiplied by it. */
  readonly rgba: Rgba;
  /** Pose on the body, a matrix by columns. */
  readonly local: readonly number[];
  /** Lowest and highest corner in the frame of the mesh [m]. */
  readonly bounds: readonly number[];
}

export interface Pieces {
  readonly batches: readonly Batch[];
  /** Meshes that are drawn as one, by form: those of one body with one texture and opacity. */
  readonly bundles: ReadonlyMap<string, readonly MeshPart[]>;
  /** Number of the batch and place in it, for every piece of a body. */
  readonly ofBody: readonly (readonly (readonly [number, number])[])[];
}

const SOLID = 0.995; // alpha from which on nothing shines through
const GREY = 0.1; // difference of red, green, blue below which a part is taken for metal

/** Colours of robots that say none. */
export const PALETTE: readonly Vec3[] = [
  [0.94, 0.47, 0.12],
  [0.18, 0.43, 0.78],
  [0.24, 0.63, 0.35],
  [0.59, 0.31, 0.75],
  [0.08, 0.63, 0.67],
  [0.84, 0.24, 0.33],
  [0.75, 0.59, 0.08],
  [0.37, 0.45, 0.55],
  [0.88, 0.37, 0.63],
  [0.47, 0.63, 0.16],
];

/** How far a colour is from grey, 0 to 1. */
function chroma(rgba: Rgba): number {
  const [red, green, blue] = rgba;
  return Math.max(red, green, blue) - Math.min(red, green, blue);
}

export function finishOf(body: Body, rgba: Rgba): Finish {
  if (body.group === "robot") return chroma(rgba) < GREY ? "metal" : "paint";
  return body.group === "object" ? "plastic" : "matte";
}

/** Numbers of robots all of whose parts have one grey: they get a colour. */
export function plainRobots(bodies: readonly Body[]): Map<string, Vec3> {
  const colors = new Map<string, Set<string>>();
  for (const body of bodies) {
    if (!body.robot) continue;
    const seen = colors.get(body.robot) ?? new Set();
    for (const shape of body.shapes)
      if (shape.mesh) seen.add("coloured"); // true shapes are as they are
      else seen.add(chroma(shape.rgba) < 0.03 ? shape.rgba.join() : "coloured");
    colors.set(body.robot, seen);
  }
  const plain = new Map<string, Vec3>();
  let number = 0;
  for (const [robot, seen] of colors) {
    if (seen.size === 1 && !seen.has("coloured"))
      plain.set(robot, PALETTE[number % PALETTE.length]!);
    number += 1;
  }
  return plain;
}

const TURNED: Quat = [0, 1, 0, 0]; // z to -z

interface Solid {
  readonly form: string;
  readonly position: Vec3;
  readonly quaternion: Quat;
  readonly scale: Vec3;
}

/** Returns the solids of a shape in its own frame. */
function solidsOf(shape: Shape, isSolid: boolean): Solid[] {
  const [a = 0, b = a, c = a] = shape.size;
  const at = (form: string, scale: Vec3, z = 0, quaternion: Quat = [1, 0, 0, 0]): Solid => ({
    form,
    position: [0, 0, z],
    quaternion,
    scale,
  });
  switch (shape.shape) {
    case "box":
      return [at("box", [a, b, c])];
    case "sphere":
      return [at("sphere", [a, a, a])];
    case "ellipsoid":
      return [at("sphere", [a, b, c])];
    case "cylinder":
      return [at("cylinder", [a, a, b])];
    case "capsule":
      if (!isSolid) return [at(`capsule:${a}:${b}`, [1, 1, 1])];
      return [
        at("tube", [a, a, b]),
        at("cap", [a, a, a], -b / 2, TURNED),
        at("cap", [a, a, a], b / 2),
      ];
    case "plane":
      return [at("plane", [a, b, 1])];
    case "mesh":
      return []; // see `bundlesOf`
  }
}

const UNIT: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Returns the meshes of a body, those together that can be drawn in one go. */
function bundlesOf(shapes: readonly Shape[]): MeshPart[][] {
  const bundles = new Map<string, MeshPart[]>();
  for (const { mesh, coarse, texture, rgba, bounds, position, quaternion } of shapes) {
    if (!mesh) continue;
    const local = new Array<number>(MATRIX).fill(0);
    composeMatrix(local, 0, position, quaternion, [1, 1, 1]);
    const key = `${texture}|${rgba[3] >= SOLID ? 1 : rgba[3]}`;
    const bundle = bundles.get(key) ?? [];
    bundles.set(key, bundle);
    bundle.push({ mesh, coarse, texture, rgba, local, bounds });
  }
  return [...bundles.values()];
}

const MESH_FINISH: Record<Body["group"], Finish> = {
  robot: "paint",
  object: "plastic",
  fixed: "matte",
};

/** Returns the pieces of all bodies, grouped. */
export function makePieces(bodies: readonly Body[]): Pieces {
  const plain = plainRobots(bodies);
  const groups = new Map<string, { batch: Omit<Batch, "pieces">; pieces: Piece[] }>();
  const bundles = new Map<string, readonly MeshPart[]>();
  const add = (piece: Piece, isSolid: boolean) => {
    const { form, finish, rgba } = piece;
    const key = `${form}|${finish}|${isSolid ? "" : rgba[3]}`;
    const group = groups.get(key) ?? { batch: { form, finish, isSolid }, pieces: [] };
    groups.set(key, group);
    group.pieces.push(piece);
  };
  bodies.forEach((body, number) => {
    const own = plain.get(body.robot);
    for (const shape of body.shapes) {
      const rgba: Rgba = own ? [...own, shape.rgba[3]] : shape.rgba;
      const isSolid = rgba[3] >= SOLID;
      const finish = finishOf(body, rgba);
      for (const solid of solidsOf(shape, isSolid)) {
        const local = new Array<number>(MATRIX).fill(0);
        const shift = rotate(shape.quaternion, solid.position);
        const position = shape.position.map((value, k) => value + shift[k]!);
        const turn = multiply(shape.quaternion, solid.quaternion);
        composeMatrix(local, 0, position, turn, solid.scale);
        add({ form: solid.form, body: number, finish, rgba, local }, isSolid);
      }
    }
    for (const parts of bundlesOf(body.shapes)) {
      const form = `mesh:${JSON.stringify(parts)}`;
      const opacity = parts[0]!.rgba[3];
      bundles.set(form, parts);
      const finish = MESH_FINISH[body.group];
      const rgba: Rgba = [1, 1, 1, opacity];
      add({ form, body: number, finish, rgba, local: UNIT }, opacity >= SOLID);
    }
  });
  const batches = [...groups.values()].map(({ batch, pieces }) => ({ ...batch, pieces }));
  const ofBody: [number, number][][] = bodies.map(() => []);
  batches.forEach((batch, i) =>
    batch.pieces.forEach((piece, k) => ofBody[piece.body]!.push([i, k])),
  );
  return { batches, bundles, ofBody };
}

/** Bodies with what can be seen of them. */
export function visibleBodies(bodies: readonly Body[]): Body[] {
  return bodies.map((body) => ({
    ...body,
    shapes: body.shapes.filter((shape) => shape.role !== "collision"),
  }));
}

const TOUCH: Rgba = [0.98, 0.36, 0.1, 0.45]; // colour of what touches

/** Bodies with what touches of them, all in one colour; floors are left out. */
export function touchingBodies(bodies: readonly Body[]): Body[] {
  const isWanted = (shape: Shape) => shape.role !== "visual" && shape.shape !== "plane";
  return bodies.map((body) => ({
    ...body,
    shapes: body.shapes
      .filter(isWanted)
      .map((shape) => ({ ...shape, rgba: TOUCH, texture: "" })),
  }));
}

export interface Bounds {
  readonly low: Vec3;
  readonly high: Vec3;
}

/** Half edges of the unit solid of a form, or the box of its mesh. */
function formBox(
  form: string,
  bundles: ReadonlyMap<string, readonly MeshPart[]>,
): [Vec3, Vec3] {
  if (form === "cap") return [[-1, -1, 0], [1, 1, 1]];
  if (form === "sphere") return [[-1, -1, -1], [1, 1, 1]];
  if (form === "cylinder" || form === "tube") return [[-1, -1, -0.5], [1, 1, 0.5]];
  if (form === "plane") return [[-0.5, -0.5, 0], [0.5, 0.5, 0]];
  if (form.startsWith("capsule:")) {
    const [r, length] = form.split(":").slice(1).map(Number) as [number, number];
    return [[-r, -r, -r - length / 2], [r, r, r + length / 2]];
  }
  const parts = bundles.get(form);
  if (!parts) return [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]];
  const box = boundsOf(parts.flatMap(({ bounds, local }) => boxCorners(bounds, local)));
  return box ? [box.low, box.high] : [[0, 0, 0], [0, 0, 0]];
}

/** Corners of a box x, y, z, x, y, z after a matrix, x, y, z, x, ... */
function boxCorners(box: ArrayLike<number>, matrix: ArrayLike<number>): number[] {
  const corners: number[] = [];
  for (const x of [box[0]!, box[3]!])
    for (const y of [box[1]!, box[4]!])
      for (const z of [box[2]!, box[5]!])
        for (let k = 0; k < 3; k += 1)
          corners.push(
            matrix[k]! * x + matrix[4 + k]! * y + matrix[8 + k]! * z + matrix[12 + k]!,
          );
  return corners;
}

/** Corners of boxes around all pieces in the world, x, y, z, x, ... */
export function pieceCorners(
  pieces: Pieces,
  poses: Float32Array,
  isWanted: (body: number) => boolean = () => true,
): number[] {
  const corners: number[] = [];
  const matrix = new Float32Array(MATRIX);
  for (const batch of pieces.batches) {
    const box = formBox(batch.form, pieces.bundles).flat();
    for (const piece of batch.pieces) {
      if (!isWanted(piece.body)) continue;
      placeMatrix(matrix, 0, poses, POSE * piece.body, Float32Array.from(piece.local), 0);
      corners.push(...boxCorners(box, matrix));
    }
  }
  return corners;
}

/** The box around points; null without finite ones. */
export function boundsOf(points: readonly number[]): Bounds | null {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  points.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3]!, value);
    high[i % 3] = Math.max(high[i % 3]!, value);
  });
  return [...low, ...high].every(Number.isFinite) ? { low, high } : null;
}
